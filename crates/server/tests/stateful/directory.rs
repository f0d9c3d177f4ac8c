//! The wallet directory over HTTP, and an operator's own wallets in it.

use crate::support;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::process::Command;
use support::{Server, reason, status_and_text, text};

const WALLETS: &str = "/getWallets?projectId=demo&st=appkit&sv=html-portico-0.1.0";

async fn page(server: &Server, query: &str) -> Value {
    let (status, text) = status_and_text(server.get(&format!("{WALLETS}{query}")).await).await;
    assert_eq!(status, StatusCode::OK, "{query}: {text}");
    serde_json::from_str(&text).unwrap()
}

fn names(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|wallet| wallet["name"].as_str().unwrap()).collect()
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers()[name].to_str().unwrap()
}

/// Runs the real binary on the server's database.
fn portico(server: &Server, args: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.arg("wallets").args(args).args(["--database", &server.place.database]).current_dir(server.folder.path());
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.success(), told)
}

/// PNG with two colours.
fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture =
        image::RgbaImage::from_fn(300, 200, |x, _| image::Rgba([if x < 150 { 200 } else { 20 }, 90, 40, 255]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[tokio::test]
async fn what_is_no_question_is_refused_in_words() {
    let server = Server::configured("").await;
    let many = format!("&include={}", "a,".repeat(501));
    for (query, field, said) in [
        ("&page=0", "page", "Use a page from 1"),
        ("&page=-1", "page", "Use a number as page"),
        ("&page=99999999999999999999", "page", "Use a number as page"),
        ("&entries=0", "entries", "Use 1 to 100 as entries"),
        ("&entries=101", "entries", "Use 1 to 100 as entries"),
        ("&entries=many", "entries", "Use a number as entries"),
        ("&platform=windows", "platform", "Use ios or android as platform"),
        ("&chains=1", "chains", "Use CAIP-2 ids as chains, such as eip155:1"),
        ("&chains=eip155:1,nonsense", "chains", "Use CAIP-2 ids as chains, such as eip155:1"),
        ("&search=a&search=b", "query", "Send each parameter of the query once"),
        (&many, "include", "Send at most 500 values in include"),
    ] {
        let (status, text) = status_and_text(server.get(&format!("{WALLETS}{query}")).await).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(reason(&text), (field.into(), said.into()), "{query}");
    }
    let (status, text) = status_and_text(server.get("/getWallets").await).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::UNAUTHORIZED, "projectId"));
}

#[tokio::test]
async fn hostile_questions_find_nothing_and_harm_nothing() {
    let server = Server::configured("").await;
    let long = "%F0%9F%92%B0".repeat(2_000);
    for search in [
        "%00",
        "%ff%fe",
        "'%20or%201=1--",
        "%25%25%25%25",
        "../../etc/passwd",
        "%3Cscript%3E",
        "(((((((((%2B)%2B)%2B)%2B",
        "%E2%80%AE",
        "%CC%81%CC%81%CC%81",
        &long,
    ] {
        let page = page(&server, &format!("&search={search}")).await;
        assert_eq!((page["count"].as_u64(), names(&page).len()), (Some(0), 0), "{search}");
    }
    for query in ["&include=%00,%ff", "&rdns=..", "&names=%22", "&page=4294967295&entries=100"] {
        assert!(names(&page(&server, query).await).is_empty(), "{query}");
    }
    let all = page(&server, "").await["count"].as_u64().unwrap();
    for nothing in
        ["&search=&include=&exclude=&chains=&platform=&rdns=&names=&page=&entries=", "&exclude=%00,,,", "&x=1"]
    {
        assert_eq!(page(&server, nothing).await["count"].as_u64(), Some(all), "{nothing}");
    }
}

#[tokio::test]
async fn the_directory_is_paged_in_its_order() {
    let server = Server::configured("").await;
    let first = page(&server, "").await;
    assert!(first["count"].as_u64().unwrap() > 500);
    assert_eq!((names(&first).len(), names(&first)[0]), (40, "MetaMask"));
    let second = page(&server, "&page=2&entries=4").await;
    assert_eq!(names(&second), names(&first)[4..8]);
    let wallet = &first["data"][0];
    assert_eq!(wallet["id"], "io.metamask");
    assert_eq!(wallet["mobile_link"], "metamask://");
    assert_eq!(wallet["namespaces"], json!(["eip155"]));
    assert_eq!(wallet["injected"], json!([{ "namespace": "eip155", "injected_id": "isMetaMask" }]));
}

#[tokio::test]
async fn a_search_forgives_and_lists_narrow_it() {
    let server = Server::configured("").await;
    assert_eq!(names(&page(&server, "&search=metamsak").await)[0], "MetaMask");
    assert_eq!(names(&page(&server, "&include=ME.RAINBOW,phantom").await), ["Phantom", "Rainbow"]);
    let without = page(&server, "&exclude=metamask,app.phantom&entries=100").await;
    assert!(!names(&without).iter().any(|name| ["MetaMask", "Phantom"].contains(name)));
    assert_eq!(names(&page(&server, "&rdns=io.metamask").await), ["MetaMask"]);
    assert_eq!(names(&page(&server, "&names=metamask").await), ["MetaMask"]);
    let solana = page(&server, "&chains=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp&entries=100").await;
    assert!(names(&solana).contains(&"Phantom") && !names(&solana).contains(&"MetaMask"));
    let phone = page(&server, "&platform=android").await;
    assert!(phone["count"].as_u64() < page(&server, "").await["count"].as_u64());
}

#[tokio::test]
async fn a_browser_keeps_a_list_for_two_hours_and_asks_then_whether_it_changed() {
    let server = Server::configured("").await;
    let response = server.get(WALLETS).await;
    assert_eq!(header(&response, "cache-control"), "public, max-age=7200");
    assert_eq!(header(&response, "access-control-allow-origin"), "*");
    let tag = header(&response, "etag").to_owned();
    for (known, status) in [(tag.as_str(), 304), (&format!("\"x\", W/{tag}"), 304), ("*", 304), ("\"x\"", 200)] {
        let again = Request::get(WALLETS).header("if-none-match", known).body(Body::empty()).unwrap();
        let response = server.send(again).await;
        assert_eq!((response.status().as_u16(), header(&response, "etag")), (status, tag.as_str()), "{known}");
        assert_eq!(text(response).await.is_empty(), status == 304);
    }
}

#[tokio::test]
async fn a_picture_is_a_webp_that_never_changes() {
    let server = Server::configured("").await;
    let first = page(&server, "&entries=1").await;
    let path = format!("/getWalletImage/{}", first["data"][0]["image_id"].as_str().unwrap());
    let response = server.get(&path).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(header(&response, "content-type"), "image/webp");
    assert_eq!(header(&response, "x-content-type-options"), "nosniff");
    assert_eq!(header(&response, "cache-control"), "public, max-age=31536000, immutable");
    let tag = header(&response, "etag").to_owned();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    assert!(body.starts_with(b"RIFF"));
    let again = Request::get(&path).header("if-none-match", tag).body(Body::empty()).unwrap();
    assert_eq!(server.send(again).await.status(), StatusCode::NOT_MODIFIED);
    for id in ["0000000000000000", "..%2f..%2fwallets.json", "%00", "%ff", &"a".repeat(65)] {
        let status = server.get(&format!("/getWalletImage/{id}")).await.status();
        assert!([StatusCode::NOT_FOUND, StatusCode::BAD_REQUEST].contains(&status), "{id}");
    }
}

#[tokio::test]
async fn pictures_of_networks_and_connectors_are_asked_for_elsewhere_and_are_of_the_same_store() {
    let server = Server::configured("").await;
    for id in ["0000000000000000", "..%2f..%2fwallets.json", "%00", "%ff", &"a".repeat(65), "a.webp", "eip155:1"] {
        let (status, text) = status_and_text(server.get(&format!("/public/getAssetImage/{id}")).await).await;
        assert_eq!((status, reason(&text).1.as_str()), (StatusCode::NOT_FOUND, "Picture not found"), "{id}");
    }
    let posted = server.post("/public/getAssetImage/0000000000000000", "").await;
    assert_eq!(posted.status(), StatusCode::METHOD_NOT_ALLOWED);
    let first = page(&server, "&entries=1").await;
    let id = first["data"][0]["image_id"].as_str().unwrap();
    let response = server.get(&format!("/public/getAssetImage/{id}?projectId=demo&st=appkit&sv=html")).await;
    assert_eq!(header(&response, "content-type"), "image/webp");
    assert_eq!(header(&response, "cache-control"), "public, max-age=31536000, immutable");
    let same = server.get(&format!("/getWalletImage/{id}")).await;
    assert_eq!(header(&response, "etag"), header(&same, "etag"));
    let bytes = |response: Response<Body>| axum::body::to_bytes(response.into_body(), usize::MAX);
    assert_eq!(bytes(response).await.unwrap(), bytes(same).await.unwrap());
}

#[tokio::test]
async fn a_network_and_a_connector_are_known_by_name_and_their_picture_may_change() {
    let server = Server::configured("").await;
    let marks: Value = serde_json::from_str(include_str!("../../marks/marks.json")).unwrap();
    for (kind, name) in [("networks", "eip155-25"), ("connectors", "walletConnect")] {
        let named = server.get(&format!("/public/getAssetImage/{name}")).await;
        assert_eq!(header(&named, "content-type"), "image/webp", "{name}");
        assert_eq!(header(&named, "cache-control"), "public, max-age=7200", "{name}");
        let id = marks[kind][name].as_str().unwrap();
        let same = server.get(&format!("/public/getAssetImage/{id}")).await;
        assert_eq!(header(&same, "cache-control"), "public, max-age=31536000, immutable", "{name}");
        assert_eq!(header(&named, "etag"), header(&same, "etag"), "{name}");
    }
}

#[tokio::test]
async fn the_pictures_of_a_screen_come_in_one_answer() {
    let server = Server::configured("").await;
    let list = page(&server, "&entries=100").await;
    let ids: Vec<&str> =
        list["data"].as_array().unwrap().iter().filter_map(|wallet| wallet["image_id"].as_str()).collect();
    let response = server.get(&format!("/getWalletImages?ids={}", ids.join(","))).await;
    assert_eq!(header(&response, "cache-control"), "public, max-age=31536000, immutable");
    let answer: Value = serde_json::from_str(&text(response).await).unwrap();
    let images = answer["images"].as_array().unwrap();
    assert_eq!(images.iter().map(|image| image["id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
    let data = images[0]["data"].as_str().unwrap().strip_prefix("data:image/webp;base64,").unwrap();
    assert!(STANDARD.decode(data).unwrap().starts_with(b"RIFF"));
    // Unknown ids are left out, and the response is not cached for ever.
    let response = server.get(&format!("/getWalletImages?ids={},0000,../x", ids[0])).await;
    assert_eq!(header(&response, "cache-control"), "public, max-age=7200");
    let answer: Value = serde_json::from_str(&text(response).await).unwrap();
    assert_eq!(answer["images"].as_array().unwrap().len(), 1);
    for (query, said) in [
        ("", "Add ids to the query"),
        ("?ids=", "Add ids to the query"),
        ("?ids=,,", "Add ids to the query"),
        (&format!("?ids={}", "a,".repeat(101)), "Send at most 100 values in ids"),
    ] {
        let (status, text) = status_and_text(server.get(&format!("/getWalletImages{query}")).await).await;
        assert_eq!((status, reason(&text)), (StatusCode::BAD_REQUEST, ("ids".into(), said.into())), "{query}");
    }
}

#[tokio::test]
async fn a_list_with_mistakes_is_refused_whole_with_the_line_of_each() {
    let server = Server::configured("").await;
    let folder = server.folder.path();
    for (list, told) in [
        ("", "list.json, line 1: the file is empty. Write the wallets as a list in [ ].\n"),
        (
            "wallets",
            "list.json, line 1: this isn't JSON. Check the quotation marks, commas and brackets here and in the line above.\n",
        ),
        (
            "[\n{\"id\":\"a\"",
            "list.json, line 2: the list ends too early. Close each bracket, brace and quotation mark.\n",
        ),
        ("{}", "list.json, line 1: write the wallets as a list in [ ].\n"),
        ("[\n{\"id\":\"a\",\n}]", "list.json, line 3: this isn't JSON. Check"),
        ("[\n{\"id\":\"a\",\"name\":\"A\"},\n\n{\"id\":\"b\"}]", "list.json, line 4: add `name` to this wallet.\n"),
        (
            "[{\"id\":\"a\",\"name\":\"A\"},\n{\"id\":\"A\",\"name\":\"B\"}]",
            "list.json, line 2: the id `a` is listed twice",
        ),
        ("[{\"id\":\"a\",\"name\":7}]", "list.json, line 1: put quotes around the `name` of this wallet: \"7\".\n"),
        ("[{\"id\":1}]", "list.json, line 1: put quotes around the `id` of this wallet: \"1\".\n"),
        (
            "[{\"id\":\"a\",\"name\":\"A\",\"namespaces\":[1]}]",
            "list.json, line 1: put quotes around each text in the lists of this wallet.\n",
        ),
        ("[1]", "list.json, line 1: write each wallet as an object in { }.\n"),
        ("[{\"id\":\"a\",\"nmae\":\"A\"}]", "list.json, line 1: wallets have no field `nmae`. Did you mean `name`?\n"),
        (
            "[{\"id\":\"a\",\"name\":\"A\",\"homepage\":\"javascript:alert(1)\"}]",
            "list.json, line 1: use a link that starts with https:// as `homepage`, not `javascript:alert(1)`.\n",
        ),
        (
            "[{\"id\":\"a\",\"name\":\"x.example\",\"homepage\":\"https://x.example\",\n\"app_store\":\"x.example\"}]",
            "list.json, line 2: use a link that starts with https:// as `app_store`, not `x.example`.\n",
        ),
        (
            "[{\"id\":\"a\",\"name\":\"A\",\"mobile_link\":\"a.example\"}]",
            "list.json, line 1: use a link with the app's own scheme such as metamask:// as `mobile_link`, not `a.example`.\n",
        ),
        (
            "[\n{\"id\":\"a\",\"name\":\"A\",\"image\":\"../x.png\"}]",
            "list.json, line 2: a: use a data URI or a file beside the list as image, not `../x.png`",
        ),
        (
            "[{\"id\":\"a\",\"name\":\"A\",\"image\":\"/etc/passwd\"}]",
            "list.json, line 1: a: use a data URI or a file beside the list as image, not `/etc/passwd`",
        ),
        (
            "[{\"id\":\"a\",\"name\":\"A\",\"image\":\"none.png\"}]",
            "list.json, line 1: a: there is no image `none.png` in the folder of the list. Check its name.\n",
        ),
        ("[{\"id\":\"a\",\"name\":\"A\",\"image\":\"list.json\"}]", "list.json, line 1: a: use a PNG"),
        (
            "[{\"id\":\"a\",\"name\":\"A\",\"image\":\"data:image/svg+xml,<svg/>\"}]",
            "list.json, line 1: a: use a data URI such as",
        ),
        ("[{\"id\":\"a\",\"name\":\"A\",\"image_id\":\"0000\"}]", "list.json, line 1: a: no picture `0000`"),
    ] {
        std::fs::write(folder.join("list.json"), list).unwrap();
        let (done, said) = portico(&server, &["import", "list.json"]);
        assert!(!done && said.starts_with(told), "{list}: {said}");
    }
    let two = "[\n{\"id\":\"a\"},\n{\"id\":\"\",\"name\":\"B\"}]";
    std::fs::write(folder.join("list.json"), two).unwrap();
    assert_eq!(portico(&server, &["import", "list.json"]).1.lines().count(), 2);
    let (done, said) = portico(&server, &["list"]);
    assert!(done && said == "No wallets of your own yet. Add some: portico wallets import wallets.json\n", "{said}");
    let (done, said) = portico(&server, &["remove", "io.metamask"]);
    assert!(!done && said == "No imported wallet io.metamask. List them with `portico wallets list`.\n", "{said}");
}

#[tokio::test]
async fn wallets_of_the_operator_stand_in_the_directory_of_a_server_that_runs() {
    let server = Server::configured("").await;
    let folder = server.folder.path();
    let all = page(&server, "").await["count"].as_u64().unwrap();
    std::fs::create_dir(folder.join("pictures")).unwrap();
    std::fs::write(folder.join("pictures/own.png"), png()).unwrap();
    let list = json!([
        { "id": "io.own", "name": "Own Wallet", "rdns": "io.own", "image": "pictures/own.png", "mobile_link": "own://" },
        { "id": "io.metamask", "name": "MetaMask of ours", "image": format!("data:image/png;base64,{}", STANDARD.encode(png())) },
        { "id": "last", "name": "Last", "order": 100_000 },
    ]);
    std::fs::write(folder.join("list.json"), list.to_string()).unwrap();
    let (done, said) = portico(&server, &["import", "list.json"]);
    assert!(done && said == "Imported 3 wallets and 2 pictures.\n", "{said}");
    let (_, said) = portico(&server, &["list"]);
    assert_eq!(said, "io.metamask\tMetaMask of ours\nio.own\tOwn Wallet\nlast\tLast\n3 wallets of your own.\n");

    // The directory was reloaded a moment ago; the next reload is after two seconds.
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(2)).await;
    tokio::time::resume();
    let first = page(&server, "&entries=3").await;
    assert_eq!(names(&first), ["Own Wallet", "MetaMask of ours", "Coinbase Wallet"]);
    assert_eq!(first["count"].as_u64(), Some(all + 2));
    assert_eq!(names(&page(&server, "&include=last").await), ["Last"]);
    let image = first["data"][0]["image_id"].as_str().unwrap();
    let response = server.get(&format!("/getWalletImage/{image}")).await;
    let webp = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let picture = image::load_from_memory_with_format(&webp, image::ImageFormat::WebP).unwrap();
    assert_eq!((picture.width(), picture.height()), (128, 85));

    // A response of the directory can be imported into another server.
    let told = page(&server, "&include=io.own,me.rainbow").await["data"].to_string();
    std::fs::write(folder.join("told.json"), told).unwrap();
    assert_eq!(portico(&server, &["import", "told.json"]), (true, "Imported 2 wallets and 0 pictures.\n".into()));

    let (done, said) = portico(&server, &["remove", "IO.METAMASK", "io.own", "last", "me.rainbow"]);
    assert!(done, "{said}");
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(2)).await;
    tokio::time::resume();
    let first = page(&server, "&entries=1").await;
    assert_eq!((names(&first), first["count"].as_u64()), (vec!["MetaMask"], Some(all)));
    assert_eq!(server.get(&format!("/getWalletImage/{image}")).await.status(), StatusCode::NOT_FOUND);
}
