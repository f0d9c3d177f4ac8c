//! Pictures of names that this server registered, and the URLs of pictures.

use crate::support;
use alloy_primitives::{Address, U256, hex};
use alloy_sol_types::{SolCall, sol};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use portico_explorer::testing::Anvil;
use serde_json::{Value, json};
use support::names::{NAMES, Visitor};
use support::web::Web;
use support::{Server, Upstream, status_and_text};

sol! {
    function transferFrom(address from, address to, uint256 id);
}

const CID: &str = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";

async fn answer(server: &Server, path: &str) -> Value {
    let (status, text) = status_and_text(server.get(path).await).await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

async fn identity(server: &Server, address: &str) -> Value {
    let mut identity = answer(server, &format!("/v1/identity/{address}?projectId=demo")).await;
    identity.as_object_mut().unwrap().remove("age");
    identity
}

/// Registers `alice`, or changes its picture; returns the picture's path.
async fn picture(server: &Server, visitor: &Visitor, avatar: &str) -> Option<String> {
    let registered = identity(server, &visitor.address()).await["name"] == "alice.portico.eth";
    let path = if registered { "/alice.portico.eth/attributes" } else { "" };
    let says = json!({ "name": "alice.portico.eth", "attributes": { "avatar": avatar } });
    let (status, text) = visitor.ask(server, path, says).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told = identity(server, &visitor.address().to_lowercase()).await;
    assert_eq!((&told["name"], &told["source"]), (&json!("alice.portico.eth"), &json!("portico")));
    told["avatar"].as_str().map(Into::into)
}

async fn shows(server: &Server, path: &str) -> bool {
    let answer = server.get(path).await;
    answer.status() == StatusCode::OK && answer.headers()["content-type"] == "image/webp"
}

fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(9, 9).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[tokio::test]
async fn spec_7_8_the_picture_of_a_name_of_this_server_is_looked_at_first_and_is_there_at_once() {
    let mut web = Web::start(|heard| match heard.path.rsplit('/').next() {
        Some("a.png") => ([("content-type", "image/png")], png()).into_response(),
        Some("page") => ([("content-type", "text/html")], "<script>").into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    })
    .await;
    let settings =
        format!("[egress]\nallow = [\"127.0.0.1:{}\"]\n[images]\nipfs_gateway = {:?}\n", web.port, web.url(""));
    let server = Server::configured(&format!("{NAMES}{settings}")).await;
    let visitor = Visitor::new(1);
    assert_eq!(identity(&server, &visitor.address()).await, json!({ "name": null, "avatar": null, "source": null }));
    for nothing in ["missing", "page"] {
        assert_eq!(picture(&server, &visitor, &format!("ipfs://{CID}/{nothing}")).await, None, "{nothing}");
    }
    let shown = picture(&server, &visitor, &format!("ipfs://{CID}/a.png")).await.unwrap();
    assert!(shown.starts_with("/v1/avatar/alice.portico.eth?projectId=demo&v="), "{shown}");
    assert!(std::iter::from_fn(|| web.heard()).all(|heard| heard.method == Method::HEAD));
    // Further requests do not check the picture again.
    identity(&server, &visitor.address()).await;
    assert!(web.heard().is_none());
    assert!(shows(&server, &shown).await);
    // Another picture has another URL.
    let inline = picture(&server, &visitor, "data:image/gif;base64,R0lGODlhAQABAAAAACw=").await.unwrap();
    assert_ne!(inline, shown);
    assert_eq!(picture(&server, &visitor, "data:image/svg+xml,<svg/>").await, None);
    assert_eq!(picture(&server, &visitor, "").await, None);
    assert_eq!(server.get("/v1/avatar/nobody.portico.eth?projectId=demo").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_token_is_the_picture_of_a_name_of_this_server_while_its_owner_holds_it() {
    let anvil = Anvil::start();
    let pictures = anvil.addresses.contract("pictures");
    let token = format!("eip155:31337/erc721:{pictures}/4");
    let served = format!("{NAMES}[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", anvil.url);
    let visitor = Visitor::new(1);
    let before = Server::configured(&served).await;
    assert_eq!(picture(&before, &visitor, &token).await, None);
    let (from, to) = (anvil.addresses.accounts[4], visitor.address().parse::<Address>().unwrap());
    let data = hex::encode_prefixed(transferFromCall { from, to, id: U256::from(4) }.abi_encode());
    let call = json!([{ "from": from.to_string(), "to": pictures.to_string(), "data": data, "gas": "0x2dc6c0" }]);
    anvil.request("eth_sendTransaction", call).await.unwrap();
    // Anvil responds before the block is mined.
    anvil.request("evm_mine", json!([])).await.unwrap();
    let after = Server::configured(&served).await;
    let shown = picture(&after, &visitor, &token).await.unwrap();
    assert!(shows(&after, &shown).await);
    // The owner of an NFT is unknown if its chain is not served.
    assert_eq!(picture(&Server::configured(NAMES).await, &visitor, &token).await, None);
}

#[tokio::test]
async fn pictures_are_whole_addresses_where_the_operator_says_under_which_the_server_is_reached() {
    let account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    let items = |name: &str, picture: &str| {
        json!({"items": [{"id": "1", "token_type": "ERC-721", "value": "1", "image_url": picture, "metadata": {"name": name},
            "token": {"address": account, "address_hash": account, "name": "Squares", "type": "ERC-721"}}], "next_page_params": null})
        .to_string()
    };
    let long = format!("data:image/png;base64,{}", "A".repeat(8000));
    for (public_url, picture, expected) in [
        ("", "https://a.example/b.png", "/v1/image?url=https%3A%2F%2Fa%2Eexample%2Fb%2Epng"),
        (
            "public_url = \"https://wallets.example/portico/\"\n",
            "https://a.example/b.png",
            "https://wallets.example/portico/v1/image?url=https%3A%2F%2Fa%2Eexample%2Fb%2Epng&projectId=demo",
        ),
        // A picture that is too long for a query is left out.
        ("public_url = \"https://wallets.example\"\n", &long, ""),
    ] {
        let explorer = Upstream::says(200, &items("One", picture)).await;
        let chain = format!(
            "[[chains]]\nid = \"eip155:31337\"\nupstreams = [\"http://127.0.0.1:9\"]\nexplorer = {:?}\n",
            explorer.url
        );
        let server = Server::configured(&format!("{public_url}{NAMES}{chain}")).await;
        let nfts = answer(&server, &format!("/v1/account/{account}/nfts?projectId=demo&chainId=eip155:31337")).await;
        assert_eq!(nfts["data"][0]["imageUrl"], expected);
        let visitor = Visitor::new(1);
        let shown = self::picture(&server, &visitor, "data:image/gif;base64,R0lGODlhAQABAAAAACw=").await.unwrap();
        let begins = if public_url.is_empty() { "/v1/avatar/" } else { "https://wallets.example/" };
        assert!(shown.starts_with(begins) && shown.matches("projectId=demo").count() == 1, "{shown}");
    }
}
