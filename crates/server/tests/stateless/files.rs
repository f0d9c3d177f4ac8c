//! Static files as requested by a browser.

use crate::support;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use std::fs;
use support::{Server, text};
use tempfile::TempDir;

const CSP: &str = "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

async fn server() -> (Server, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let served = folder.path().join("served");
    let write = |name: &str, text: &str| fs::write(served.join(name), text).unwrap();
    fs::create_dir_all(served.join("assets")).unwrap();
    fs::create_dir_all(served.join("docs")).unwrap();
    fs::create_dir_all(served.join(".well-known")).unwrap();
    write("index.html", "<!doctype html>page");
    write("docs/index.html", "<!doctype html>docs");
    write("docs/link.html", "<!doctype html>link");
    write("assets/app-1a2b.js", "plain");
    write("assets/app-1a2b.js.br", "squeezed");
    write("assets/core-3c4d.wasm", "\0asm");
    write(".env", "SECRET=1");
    write("docs/.env", "SECRET=1");
    write(".well-known/.env", "SECRET=1");
    write(".well-known/security.txt", "contact");
    fs::write(folder.path().join("outside.txt"), "outside").unwrap();
    let toml = format!("static_dir = {:?}\nstatic_csp = {CSP:?}\n", served);
    (Server::configured(&toml).await, folder)
}

async fn ask(server: &Server, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    server.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_root_is_index_html_with_the_configured_policy() {
    let (server, _folder) = server().await;
    for path in ["/", "/index.html", "/?from=mail"] {
        let response = ask(&server, path, &[]).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-security-policy"], CSP);
        assert_eq!(response.headers()["cache-control"], "no-cache");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        assert!(response.headers().contains_key("last-modified"));
        assert_eq!(text(response).await, "<!doctype html>page");
    }
}

#[tokio::test]
async fn a_folder_is_its_index_and_a_path_without_an_ending_the_page_of_its_name() {
    let (server, _folder) = server().await;
    for (path, page) in [("/docs/?a=1", "docs"), ("/docs/link", "link"), ("/docs/link?uri=wc:1", "link")] {
        let response = ask(&server, path, &[]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()["content-security-policy"], CSP);
        assert_eq!(text(response).await, format!("<!doctype html>{page}"));
    }
}

#[tokio::test]
async fn a_folder_without_its_slash_leads_to_the_one_with_it_on_this_host() {
    let (server, folder) = server().await;
    fs::create_dir_all(folder.path().join("served/wallet")).unwrap();
    let response = ask(&server, "/wallet?uri=1", &[]).await;
    assert_eq!(response.status(), StatusCode::TEMPORARY_REDIRECT);
    assert_eq!(response.headers()["location"], "/wallet/?uri=1");
    assert_eq!(ask(&server, "//wallet", &[]).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn no_other_path_falls_back_to_a_page() {
    let (server, _folder) = server().await;
    for path in
        ["/nothing", "/docs/none", "/docs/link/", "//docs/", "/assets/", "/assets/gone.js", "/assets/app-1a2b.js/"]
    {
        let response = ask(&server, path, &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(!response.headers().contains_key("cache-control"), "{path}");
    }
}

#[tokio::test]
async fn hashed_files_are_kept_for_ever_and_squeezed_for_who_takes_it() {
    let (server, _folder) = server().await;
    let squeezed = ask(&server, "/assets/app-1a2b.js", &[("accept-encoding", "gzip, deflate, br, zstd")]).await;
    assert_eq!(squeezed.headers()["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(squeezed.headers()["content-encoding"], "br");
    assert_eq!(squeezed.headers()["content-type"], "text/javascript");
    assert_eq!(squeezed.headers()["vary"], "accept-encoding");
    assert!(!squeezed.headers().contains_key("content-security-policy"));
    assert_eq!(text(squeezed).await, "squeezed");
    let plain = ask(&server, "/assets/app-1a2b.js", &[("accept-encoding", "gzip")]).await;
    assert!(!plain.headers().contains_key("content-encoding"));
    assert_eq!(text(plain).await, "plain");
}

#[tokio::test]
async fn wasm_has_the_type_that_streaming_compilation_wants() {
    let (server, _folder) = server().await;
    let response = ask(&server, "/assets/core-3c4d.wasm", &[("accept-encoding", "br")]).await;
    assert_eq!(response.headers()["content-type"], "application/wasm");
    assert!(!response.headers().contains_key("content-encoding"));
}

#[tokio::test]
async fn a_file_that_did_not_change_is_not_sent_again() {
    let (server, _folder) = server().await;
    let first = ask(&server, "/", &[]).await;
    let tag = first.headers()["etag"].to_str().unwrap().to_owned();
    let second = ask(&server, "/", &[("if-none-match", &tag)]).await;
    assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(second.headers()["cache-control"], "no-cache");
    assert_eq!(text(second).await, "");
}

#[tokio::test]
async fn what_is_hidden_or_outside_stays_there() {
    let (server, _folder) = server().await;
    for path in [
        "/.env",
        "/%2eenv",
        "/%2Eenv",
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/..%2foutside.txt",
        "/docs%2f.env",
        "/docs%2F%2eenv",
        "/docs%2f%2E/.env",
        "/docs%5c.env",
        "/.well-known%2f.env",
        "/.well%2dknown/.env",
        "/index.html%2f..%2f.env",
        "//etc/passwd",
        "/%00",
    ] {
        assert_eq!(ask(&server, path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(text(ask(&server, "/.well-known/security.txt", &[]).await).await, "contact");
}

#[tokio::test]
async fn a_file_is_not_written_to() {
    let (server, _folder) = server().await;
    assert_eq!(server.post("/index.html", "x").await.status(), StatusCode::METHOD_NOT_ALLOWED);
}
