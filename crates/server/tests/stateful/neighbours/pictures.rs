//! Shares of visitors in pictures, and in what is known of the hosts of pictures.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, get, image};
use crate::support::names::{NAMES, Visitor};
use crate::support::web::Web;
use crate::support::{Reply, Server, Upstream, text};
use alloy_primitives::hex;
use alloy_sol_types::SolValue;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

const CID: &str = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
const TOKEN: &str = "eip155:31337/erc721:0xb7F7F6C52F2e2fdb1963Eab30438024864c313F6/4";

/// Host of a picture and of a token's metadata that answers with this status.
async fn host(status: Arc<AtomicU16>) -> Web {
    let mut png = Cursor::new(Vec::new());
    image::RgbImage::new(4, 4).write_to(&mut png, image::ImageFormat::Png).unwrap();
    Web::start(move |heard| match (status.load(Ordering::Relaxed), heard.path.as_str()) {
        (200, "/metadata") => json!({ "image": format!("ipfs://{CID}/a.png") }).to_string().into_response(),
        (200, _) => ([("content-type", "image/png")], png.get_ref().clone()).into_response(),
        (status, _) => StatusCode::from_u16(status).unwrap().into_response(),
    })
    .await
}

/// Node with a contract of tokens, all of this owner and with metadata at this URL.
async fn tokens(owner: &str, url: &str) -> Upstream {
    let (owner, url) = (owner.parse::<alloy_primitives::Address>().unwrap().abi_encode(), url.to_owned().abi_encode());
    Upstream::start(move |body| {
        let answer = |call: &Value| {
            let asks_for_the_owner = call["params"][0]["data"].as_str().unwrap().starts_with("0x6352211e");
            let result = hex::encode_prefixed(if asks_for_the_owner { &owner } else { &url });
            json!({ "jsonrpc": "2.0", "id": call["id"], "result": result })
        };
        let answers = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(answer).collect(),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answers.to_string())
    })
    .await
}

async fn register(server: &Server, owner: &Visitor, name: &str, avatar: &str) {
    let says = json!({ "name": format!("{name}.portico.eth"), "attributes": { "avatar": avatar } });
    let (status, told) = owner.ask(server, "", says).await;
    assert_eq!(status, StatusCode::OK, "{told}");
}

#[tokio::test]
async fn a_host_that_refuses_the_server_for_now_hides_no_picture_from_the_neighbours() {
    for refusal in [429, 500, 503] {
        let status = Arc::new(AtomicU16::new(refusal));
        let web = host(status.clone()).await;
        let (alice, bobby) = (Visitor::new(1), Visitor::new(2));
        let node = tokens(&bobby.address(), &web.url("/metadata")).await;
        let settings = format!(
            "[egress]\nallow = [\"127.0.0.1:{}\"]\n[images]\nipfs_gateway = {:?}\n{}",
            web.port,
            web.url(""),
            super::chain(&node.url)
        );
        let server = Server::configured(&format!("{BEHIND_A_PROXY}{NAMES}{settings}")).await;
        register(&server, &alice, "alice", &format!("ipfs://{CID}/a.png")).await;
        register(&server, &bobby, "bobby", TOKEN).await;
        let avatar = async |visitor: &str, name: &str| {
            get(&server, visitor, &format!("/v1/avatar/{name}.portico.eth?projectId=demo")).await.unwrap().status()
        };
        let pictured = async |visitor: &str, of: &Visitor| {
            let answer = get(&server, visitor, &format!("/v1/identity/{}?projectId=demo", of.address())).await.unwrap();
            let told: Value = serde_json::from_str(&text(answer).await).unwrap();
            told["avatar"].is_string()
        };
        let shown = async |visitor: &str| {
            let statuses = [
                image(&server, visitor, web.port, "a.png").await.unwrap().status(),
                avatar(visitor, "alice").await,
                avatar(visitor, "bobby").await,
            ];
            (statuses, [pictured(visitor, &alice).await, pictured(visitor, &bobby).await])
        };
        assert_eq!(shown(ABUSER).await, ([StatusCode::NOT_FOUND; 3], [false; 2]), "{refusal}");
        status.store(200, Ordering::Relaxed);
        assert_eq!(shown(NEIGHBOUR).await, ([StatusCode::OK; 3], [true; 2]), "{refusal}");
    }
}

#[tokio::test]
async fn a_picture_in_the_record_of_a_name_costs_by_its_pixels_and_the_neighbours_have_theirs() {
    let limits = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 20\n";
    let server = Server::configured(&format!("{limits}{NAMES}")).await;
    let mut gif = STANDARD.decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7").unwrap();
    // 4096 x 4096, little endian.
    gif[6..10].copy_from_slice(&[0, 16, 0, 16]);
    let avatar = format!("data:image/gif;base64,{}", STANDARD.encode(gif));
    register(&server, &Visitor::new(1), "alice", &avatar).await;
    register(&server, &Visitor::new(2), "bobby", &avatar).await;
    let shown = async |visitor: &str, name: &str| {
        let path = format!("/v1/avatar/{name}.portico.eth?projectId=demo");
        get(&server, visitor, &path).await.unwrap().status()
    };
    // Sixteen mebipixels cost sixteen, and the request one.
    assert_eq!(shown(ABUSER, "alice").await, StatusCode::OK);
    assert_eq!(shown(ABUSER, "bobby").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(shown(NEIGHBOUR, "bobby").await, StatusCode::OK);
}
