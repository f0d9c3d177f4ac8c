//! `GET /v1/identity/{address}`, on a real chain and with nodes that fail.

use crate::support;
use alloy_primitives::{Address, B256, hex, keccak256};
use alloy_sol_types::{SolCall, SolValue, sol};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use portico_explorer::testing::Anvil;
use serde_json::{Value, json};
use support::names::{NAMES, Visitor};
use support::web::Web;
use support::{Reply, Server, Upstream, reason, status_and_text};

sol! {
    function reverseWithGateways(bytes lookupAddress, uint256 coinType, string[] gateways)
        returns (string primary, address resolver, address reverseResolver);
    function setText(bytes32 node, string key, string value);
    function transferFrom(address from, address to, uint256 id);
}

async fn server(node: &str, ports: &[u16]) -> Server {
    let allowed: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    Server::configured(&format!(
        "[names]\nens_chain = \"eip155:31337\"\n[egress]\nallow = {allowed:?}\n[[chains]]\nid = \"eip155:31337\"\nupstreams = [{node:?}]\n"
    ))
    .await
}

async fn identity(server: &Server, address: &str) -> Value {
    let answer = server.get(&format!("/v1/identity/{address}?projectId=demo")).await;
    let (status, text) = status_and_text(answer).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let mut identity: Value = serde_json::from_str(&text).unwrap();
    let age = identity.as_object_mut().unwrap().remove("age").unwrap();
    assert!(age.as_u64().unwrap() < 60, "{age}");
    identity
}

fn nobody() -> Value {
    json!({ "name": null, "avatar": null, "source": null })
}

fn alice(avatar: bool) -> Value {
    let avatar = avatar.then_some("/v1/avatar/alice.eth?projectId=demo");
    json!({ "name": "alice.eth", "avatar": avatar, "source": "ens" })
}

async fn set_avatar(anvil: &Anvil, value: &str) {
    let node = keccak256([keccak256([B256::ZERO, keccak256("eth")].concat()), keccak256("alice")].concat());
    let data = setTextCall { node, key: "avatar".into(), value: value.into() }.abi_encode();
    write(anvil, anvil.addresses.accounts[1], anvil.addresses.contract("publicResolver"), data).await;
}

async fn write(anvil: &Anvil, from: Address, to: Address, data: Vec<u8>) {
    let call = json!([{ "from": from.to_string(), "to": to.to_string(), "data": hex::encode_prefixed(data), "gas": "0x2dc6c0" }]);
    let hash = anvil.request("eth_sendTransaction", call).await.unwrap();
    // Anvil responds before the block is mined.
    anvil.request("evm_mine", json!([])).await.unwrap();
    let receipt = anvil.request("eth_getTransactionReceipt", json!([hash])).await.unwrap();
    assert_eq!(receipt["status"], "0x1");
}

/// Colour of the middle pixel of a picture.
async fn colour(server: &Server, path: &str) -> [u8; 3] {
    let answer = server.get(path).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    assert_eq!(answer.headers()["content-type"], "image/webp");
    let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    let picture = image::load_from_memory_with_format(&bytes, image::ImageFormat::WebP).unwrap().to_rgb8();
    picture[(picture.width() / 2, picture.height() / 2)].0
}

#[tokio::test]
async fn spec_4_40_an_account_has_the_name_that_leads_back_to_it_and_its_picture() {
    let anvil = Anvil::start();
    let server = server(&anvil.url, &[]).await;
    let accounts = &anvil.addresses.accounts;
    assert_eq!(identity(&server, &accounts[1].to_string()).await, alice(true));
    assert_eq!(identity(&server, &accounts[1].to_string().to_lowercase()).await, alice(true));
    // Middle of the world's blue landscape.
    assert_eq!(colour(&server, "/v1/avatar/Alice.eth?projectId=demo").await, [238, 244, 252]);
    // Accounts without a name, with a name that resolves to another account, with a gateway that is not allowed.
    for account in [accounts[0], accounts[2], accounts[3]] {
        assert_eq!(identity(&server, &account.to_string()).await, nobody());
    }
    let (status, text) = status_and_text(server.get("/v1/avatar/silent.eth?projectId=demo").await).await;
    assert_eq!((status, reason(&text)), (StatusCode::NOT_FOUND, ("name".into(), "This name has no picture".into())));
}

#[tokio::test]
async fn spec_7_8_a_picture_at_an_address_is_looked_at_with_a_head_request_first() {
    let anvil = Anvil::start();
    let account = anvil.addresses.accounts[1].to_string();
    let mut web = Web::start(|heard| match heard.path.as_str() {
        "/alice.png" => ([("content-type", "image/png")], png([1, 2, 3])).into_response(),
        "/page" => ([("content-type", "text/html")], "<script>").into_response(),
        "/drawing" => ([("content-type", "image/svg+xml")], "<svg/>").into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    })
    .await;
    set_avatar(&anvil, &web.url("/alice.png")).await;
    let first = server(&anvil.url, &[web.port]).await;
    assert_eq!(identity(&first, &account).await, alice(true));
    let heard = web.heard().unwrap();
    assert_eq!((heard.method, heard.path.as_str()), (Method::HEAD, "/alice.png"));
    assert!(web.heard().is_none());
    assert_eq!(colour(&first, "/v1/avatar/alice.eth?projectId=demo").await, [1, 2, 3]);
    let methods: Vec<Method> = std::iter::from_fn(|| web.heard()).map(|heard| heard.method).collect();
    assert_eq!(methods, [Method::HEAD, Method::GET]);
    for path in ["/page", "/drawing", "/missing"] {
        set_avatar(&anvil, &web.url(path)).await;
        assert_eq!(identity(&server(&anvil.url, &[web.port]).await, &account).await, alice(false), "{path}");
    }
    assert!(std::iter::from_fn(|| web.heard()).all(|heard| heard.method == Method::HEAD));
    set_avatar(&anvil, &web.url("/alice.png")).await;
    let closed = server(&anvil.url, &[]).await;
    assert_eq!(identity(&closed, &account).await, alice(false));
    let (status, text) = status_and_text(closed.get("/v1/avatar/alice.eth?projectId=demo").await).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(reason(&text), ("name".into(), "Use an address on the public internet".into()));
    assert!(web.heard().is_none());
}

fn png(colour: [u8; 3]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(300, 300, image::Rgb(colour));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[tokio::test]
async fn a_token_is_the_picture_of_a_name_as_long_as_its_owner_holds_it() {
    let anvil = Anvil::start();
    let painter = anvil.addresses.accounts[4];
    let named = json!({ "name": "painter.eth", "avatar": "/v1/avatar/painter.eth?projectId=demo", "source": "ens" });
    let before = server(&anvil.url, &[]).await;
    assert_eq!(identity(&before, &painter.to_string()).await, named);
    colour(&before, "/v1/avatar/painter.eth?projectId=demo").await;
    let pictures = anvil.addresses.contract("pictures");
    let id = alloy_primitives::U256::from(4);
    let data = transferFromCall { from: painter, to: anvil.addresses.accounts[5], id }.abi_encode();
    write(&anvil, painter, pictures, data).await;
    // The result is cached for five minutes.
    assert_eq!(identity(&before, &painter.to_string()).await, named);
    let after = server(&anvil.url, &[]).await;
    let bare = json!({ "name": "painter.eth", "avatar": null, "source": "ens" });
    assert_eq!(identity(&after, &painter.to_string()).await, bare);
}

#[tokio::test]
async fn spec_9_5_what_is_known_of_an_account_is_kept_and_that_nothing_is_too() {
    let node = Upstream::start(|body| {
        let error = json!({ "code": 3, "message": "execution reverted", "data": "0x77209fe8" });
        let refuse = |call: &Value| json!({ "jsonrpc": "2.0", "id": call["id"], "error": error });
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(refuse).collect(),
            call => refuse(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await;
    let server = server(&node.url, &[]).await;
    for _ in 0..3 {
        assert_eq!(identity(&server, &format!("0x{}", "ab".repeat(20))).await, nobody());
    }
    assert_eq!(node.unread(), 1);
}

/// Node that answers reverse lookups with `told`, if set, and is too busy for other calls.
async fn busy(told: Option<Vec<u8>>) -> Upstream {
    Upstream::start(move |body| {
        let asked = hex::encode(reverseWithGatewaysCall::SELECTOR);
        let answer = |call: &Value| match told.as_ref().filter(|_| call.to_string().contains(&asked)) {
            Some(told) => json!({ "jsonrpc": "2.0", "id": call["id"], "result": hex::encode_prefixed(told) }),
            None => json!({ "jsonrpc": "2.0", "id": call["id"], "error": { "code": -32005, "message": "busy" } }),
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(answer).collect(),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await
}

/// Advances the clock until all cached RPC responses have expired.
async fn a_minute_passes() {
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    tokio::time::resume();
}

/// Number of reverse lookups that the node received since the last call.
async fn asked_for_a_name(node: &mut Upstream) -> usize {
    let asked = hex::encode(reverseWithGatewaysCall::SELECTOR);
    let mut count = 0;
    while node.unread() > 0 {
        count += usize::from(node.heard().await.contains(&asked));
    }
    count
}

#[tokio::test]
async fn spec_3_21_the_name_of_an_account_is_kept_though_its_picture_cannot_be_told() {
    let told = ("alice.eth".to_owned(), Address::repeat_byte(1), Address::repeat_byte(2)).abi_encode_params();
    let mut node = busy(Some(told)).await;
    let server = server(&node.url, &[]).await;
    let [one, other] = ["ab", "cd"].map(|byte| format!("0x{}", byte.repeat(20)));
    assert_eq!(identity(&server, &one).await, alice(false));
    assert_eq!(asked_for_a_name(&mut node).await, 1);
    a_minute_passes().await;
    assert_eq!(identity(&server, &one).await, alice(false));
    assert!(node.unread() > 0, "the picture is asked for again");
    assert_eq!(asked_for_a_name(&mut node).await, 0);
    // A cache entry is valid for one address only.
    assert_eq!(identity(&server, &other).await, alice(false));
    assert_eq!(asked_for_a_name(&mut node).await, 1);
}

#[tokio::test]
async fn spec_3_21_that_nobody_could_say_is_not_kept() {
    let mut node = busy(None).await;
    let server = server(&node.url, &[]).await;
    for _ in 0..2 {
        let path = format!("/v1/identity/0x{}?projectId=demo", "ab".repeat(20));
        assert_eq!(server.get(&path).await.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(asked_for_a_name(&mut node).await > 0);
        a_minute_passes().await;
    }
}

#[tokio::test]
async fn a_chain_that_is_away_is_not_an_account_without_a_name() {
    let server = server(&Upstream::absent().await, &[]).await;
    for path in [format!("/v1/identity/0x{}?projectId=demo", "ab".repeat(20)), "/v1/avatar/a.eth?projectId=demo".into()]
    {
        let answer = server.get(&path).await;
        assert_eq!(answer.headers()["retry-after"], "10");
        let (status, text) = status_and_text(answer).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(reason(&text), (String::new(), "The chain of names isn't responding. Try again.".into()));
    }
}

#[tokio::test]
async fn what_is_no_address_or_no_name_is_refused() {
    let server = Server::configured("").await;
    let long = "a".repeat(41);
    for address in ["0x", "alice.eth", "0x12", &"ab".repeat(21), &format!("0x{}", "zz".repeat(20)), &long, "%ff"] {
        let answer = server.get(&format!("/v1/identity/{address}?projectId=demo")).await;
        let (status, text) = status_and_text(answer).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "address"), "{address}");
    }
    for name in ["a..eth", "%ff", "v%D1%96talik.eth", &"a".repeat(300)] {
        let answer = server.get(&format!("/v1/avatar/{name}?projectId=demo")).await;
        let (status, text) = status_and_text(answer).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "name"), "{name}");
    }
    let answer = server.get(&format!("/v1/identity/0x{}", "ab".repeat(20))).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    // Without the chain of ENS no account has a name.
    assert_eq!(identity(&server, &format!("0x{}", "ab".repeat(20))).await, nobody());
}

#[tokio::test]
async fn spec_5_2_an_address_may_lack_its_0x_and_its_letters_have_any_case() {
    let node = Upstream::start(|body| {
        let answer = |call: &Value| {
            let result = if call["method"] == "eth_getBalance" { "0x7" } else { "0x" };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(answer).collect(),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&format!("{NAMES}{chain}")).await;
    let visitor = Visitor::new(1);
    let (status, text) = visitor.register(&server, "alice").await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let address = visitor.address();
    let digits = &address[2..];
    let flipped =
        |letter: char| if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    let wrong: String = digits.chars().map(flipped).collect();
    for spelt in [digits.to_owned(), digits.to_uppercase(), format!("0x{wrong}"), wrong.clone()] {
        assert_eq!(identity(&server, &spelt).await["name"], "alice.portico.eth", "{spelt}");
        for path in [format!("profile/reverse/{spelt}?"), format!("account/{spelt}/balance?sv=1&chainId=eip155:31337&")]
        {
            let (status, text) = status_and_text(server.get(&format!("/v1/{path}&projectId=demo")).await).await;
            assert_eq!(status, StatusCode::OK, "{path}: {text}");
            assert!(text.contains("alice.portico.eth") || text.contains("0.000000000000000007"), "{text}");
        }
        // The cursor is checked after the address, so the address was accepted.
        for list in ["history", "nfts"] {
            let path = format!("/v1/account/{spelt}/{list}?projectId=demo&chainId=eip155:31337&cursor=x");
            assert_eq!(reason(&status_and_text(server.get(&path).await).await.1).0, "cursor", "{path}");
        }
    }
}
