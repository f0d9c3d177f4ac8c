//! `GET /v1/image?url=`: pictures of other hosts, re-encoded.

use crate::support;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use axum::response::IntoResponse;
use image::{ImageFormat, Rgb, RgbImage};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::io::Cursor;
use support::web::{Heard, Web, raw};
use support::{Server, reason, status_and_text};

async fn allowing(port: u16) -> Server {
    Server::configured(&format!(
        "[egress]\nallow = [\"127.0.0.1:{port}\"]\n[images]\nipfs_gateway = \"http://127.0.0.1:{port}\"\n"
    ))
    .await
}

fn path(url: &str) -> String {
    format!("/v1/image?url={}&projectId=demo", utf8_percent_encode(url, NON_ALPHANUMERIC))
}

async fn image(server: &Server, url: &str) -> Response<Body> {
    server.get(&path(url)).await
}

async fn refusal(server: &Server, url: &str) -> (u16, String) {
    let (status, text) = status_and_text(image(server, url).await).await;
    (status.as_u16(), reason(&text).1)
}

fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_pixel(width, height, Rgb([9, 8, 7])).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Web server that declares everything as PNG.
async fn saying(body: impl Fn(&Heard) -> Vec<u8> + Send + Sync + 'static) -> Web {
    Web::start(move |heard| ([("content-type", "image/png")], body(heard))).await
}

#[tokio::test]
async fn a_picture_is_shown_small_and_safe_and_may_be_kept() {
    let mut web = saying(|_| picture(512, 256, ImageFormat::Png)).await;
    let server = allowing(web.port).await;
    let url = web.url("/a.png?b=c");
    let answer = image(&server, &url).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let headers = answer.headers().clone();
    for (name, value) in [
        ("content-type", "image/webp"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("cache-control", "public, max-age=86400"),
    ] {
        assert_eq!(headers[name], value, "{name}");
    }
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    let shown = image::load_from_memory_with_format(&body, ImageFormat::WebP).unwrap();
    assert_eq!((shown.width(), shown.height()), (256, 128));
    assert_eq!(web.heard().unwrap().path, "/a.png?b=c");
    web.heard().unwrap();
    // The second time it comes from our cache, or from the browser's.
    let tag = headers["etag"].to_str().unwrap();
    let request = Request::get(path(&url)).header("if-none-match", tag).body(Body::empty()).unwrap();
    let again = server.send(request).await;
    assert_eq!((again.status(), again.headers()["etag"].to_str().unwrap()), (StatusCode::NOT_MODIFIED, tag));
    assert_eq!(image(&server, &url).await.status(), StatusCode::OK);
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn a_picture_in_ipfs_is_shown_too_and_one_in_the_address_itself_is_not() {
    let mut web = saying(|_| picture(4, 4, ImageFormat::Gif)).await;
    let server = allowing(web.port).await;
    let cid = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
    assert_eq!(image(&server, &format!("ipfs://{cid}/7.gif")).await.status(), StatusCode::OK);
    assert_eq!(web.heard().unwrap().path, format!("/ipfs/{cid}/7.gif"));
    let dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    for inline in [dot, "data:image/svg+xml,<svg/>", "DATA:text/html,<script>alert(1)</script>"] {
        let (status, sentence) = refusal(&server, inline).await;
        assert_eq!((status, sentence.as_str()), (400, "Use an https, http, ipfs or ipns address of a picture"));
    }
}

#[tokio::test]
async fn what_is_no_picture_is_refused_whatever_it_says_it_is() {
    let no_picture = "Use a picture in PNG, JPEG, GIF or WebP";
    let mut web = Web::start(|heard| match heard.path.as_str() {
        "/html-as-png" => ([("content-type", "image/png")], "<!doctype html><script>").into_response(),
        "/svg-as-png" => ([("content-type", "image/png")], "<svg xmlns='http://www.w3.org/2000/svg'/>").into_response(),
        "/svg" => ([("content-type", "image/svg+xml; charset=utf-8")], "<svg/>").into_response(),
        "/html" => ([("content-type", "text/html")], picture(4, 4, ImageFormat::Png)).into_response(),
        "/empty" => ([("content-type", "image/png")], "").into_response(),
        "/cut" => ([("content-type", "image/png")], picture(64, 64, ImageFormat::Png)[..60].to_vec()).into_response(),
        "/wide" => ([("content-type", "image/png")], picture(4097, 1, ImageFormat::Png)).into_response(),
        "/packed" => ([("content-type", "image/png"), ("content-encoding", "gzip")], "").into_response(),
        "/changes" if heard.method == "HEAD" => ([("content-type", "image/png")], "").into_response(),
        "/changes" => ([("content-type", "text/html")], "").into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    })
    .await;
    let server = allowing(web.port).await;
    for (path, status, sentence) in [
        ("/html-as-png", 415, no_picture),
        ("/svg-as-png", 415, no_picture),
        ("/svg", 415, "Can't show SVG pictures"),
        ("/html", 415, no_picture),
        ("/empty", 415, no_picture),
        ("/cut", 415, "Couldn't read the picture"),
        ("/wide", 415, "Use a picture with fewer pixels"),
        ("/packed", 404, "Couldn't read the compressed answer"),
        ("/changes", 415, no_picture),
        ("/missing", 404, "The address answers with status 404"),
    ] {
        assert_eq!(refusal(&server, &web.url(path)).await, (status, sentence.into()), "{path}");
    }
    // Failures are cached too.
    while web.heard().is_some() {}
    assert_eq!(refusal(&server, &web.url("/missing")).await.0, 404);
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn a_server_that_knows_no_head_is_asked_for_the_picture_itself() {
    for status in [403, 405, 501] {
        let web = Web::start(move |heard| {
            if heard.method == "HEAD" {
                return StatusCode::from_u16(status).unwrap().into_response();
            }
            picture(4, 4, ImageFormat::Jpeg).into_response()
        })
        .await;
        assert_eq!(image(&allowing(web.port).await, &web.url("/")).await.status(), StatusCode::OK, "{status}");
    }
}

#[tokio::test]
async fn a_body_without_an_end_is_cut_off() {
    for head in [
        b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n".as_slice(),
        b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 1\r\ncontent-length: 9\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 99999999999\r\n\r\n",
    ] {
        let port = raw(head, true).await;
        let (status, _) = refusal(&allowing(port).await, &format!("http://127.0.0.1:{port}/")).await;
        assert!(matches!(status, 404 | 415), "{status}");
    }
    let port = raw(b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n", true).await;
    let told = refusal(&allowing(port).await, &format!("http://127.0.0.1:{port}/")).await;
    assert_eq!(told, (415, "Use a picture of at most 8 MiB".into()));
}

#[tokio::test]
async fn what_is_not_on_the_public_internet_is_neither_fetched_nor_followed_to() {
    let mut inside = saying(|_| picture(4, 4, ImageFormat::Png)).await;
    let secret = inside.url("/");
    let to = secret.clone();
    let web = Web::start(move |_| (StatusCode::FOUND, [("location", to.clone())])).await;
    let server = allowing(web.port).await;
    let refused = (400, "Use an address on the public internet".to_owned());
    for url in [secret.as_str(), &web.url("/"), "http://[::1]/", "http://169.254.169.254/", "http://10.0.0.1/a.png"] {
        assert_eq!(refusal(&server, url).await, refused, "{url}");
    }
    assert!(inside.heard().is_none());
    for url in ["", "a.png", "file:///etc/passwd", "ftp://example.org/a.png", "javascript:alert(1)", "ipfs://../a"] {
        assert_eq!(refusal(&server, url).await.0, 400, "{url}");
    }
    assert_eq!(refusal(&server, "https://user@example.org/").await.0, 400);
}

#[tokio::test]
async fn a_project_and_one_address_are_needed() {
    let server = Server::configured("").await;
    assert_eq!(server.get("/v1/image?url=https%3A%2F%2Fa.example").await.status(), StatusCode::UNAUTHORIZED);
    for query in ["", "&url=a&url=b", "&url=%ff"] {
        let (status, text) = status_and_text(server.get(&format!("/v1/image?projectId=demo{query}")).await).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query} {text}");
    }
    assert_eq!(server.post("/v1/image?projectId=demo", "").await.status(), StatusCode::METHOD_NOT_ALLOWED);
}
