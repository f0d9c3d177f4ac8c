//! Sign-in with a wallet: nonce, message, signature, session, keys.

use crate::support;
use alloy_primitives::{Address, Bytes, hex, keccak256};
use alloy_sol_types::SolValue;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use portico_encoding::base58;
use portico_explorer::testing::Anvil;
use ring::signature::{ECDSA_P256_SHA256_FIXED, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use support::names::{PAGE, Visitor};
use support::{Server, reason, status_and_text};

/// Server with a project for one page.
pub async fn server() -> Server {
    configured("").await
}

pub async fn configured(toml: &str) -> Server {
    let server = Server::without_project(toml).await;
    server.project(&["add", "--id", "shop", "--origin", PAGE, "--origin", "https://other.example"]).await;
    server
}

pub async fn ask(
    server: &Server,
    method: &str,
    path: &str,
    origin: &str,
    token: &str,
    body: Value,
) -> (StatusCode, String) {
    let mut request = Request::builder().method(method).uri(format!("{path}?projectId=shop")).header("origin", origin);
    if !token.is_empty() {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    status_and_text(server.send(request.body(body).unwrap()).await).await
}

pub async fn nonce(server: &Server, origin: &str) -> String {
    let (status, text) = ask(server, "GET", "/auth/v1/nonce", origin, "", Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["nonce"].as_str().unwrap().to_owned()
}

/// RFC 3339 of a time that is this many seconds from now.
pub fn at(seconds: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    portico_terms::sign_in::rfc3339(now.saturating_add_signed(seconds))
}

/// Lines of a message (EIP-4361).
pub fn lines(address: &str, nonce: &str) -> Vec<String> {
    vec![
        "host.example wants you to sign in with your Ethereum account:".into(),
        address.into(),
        String::new(),
        "Sign in to the shop.".into(),
        String::new(),
        format!("URI: {PAGE}"),
        "Version: 1".into(),
        "Chain ID: 1".into(),
        format!("Nonce: {nonce}"),
        format!("Issued At: {}", at(0)),
    ]
}

pub async fn authenticate(server: &Server, message: &str, signature: &str) -> (StatusCode, String) {
    let body = json!({"message": message, "signature": signature, "data": {"ignored": true}});
    ask(server, "POST", "/auth/v1/authenticate", PAGE, "", body).await
}

/// Signs in, and returns the token.
pub async fn signed_in(server: &Server, visitor: &Visitor) -> String {
    let message = lines(&visitor.address(), &nonce(server, PAGE).await).join("\n");
    let (status, text) = authenticate(server, &message, &visitor.sign(&message)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["token"].as_str().unwrap().to_owned()
}

pub async fn me(server: &Server, token: &str) -> (StatusCode, String) {
    ask(server, "GET", "/auth/v1/me", PAGE, token, Value::Null).await
}

/// Runs `portico auth` with these words.
pub async fn auth(server: &Server, words: &[&str]) -> bool {
    let words = ["portico", "auth"].iter().chain(words).map(OsStr::new);
    let place = [OsStr::new("--database"), OsStr::new(&server.place.database)];
    let file = server.folder.path().join("portico.toml");
    let all = words.chain(place).chain([OsStr::new("--config"), file.as_os_str()]).map(OsStr::to_owned);
    let done = portico_server::cli::run(all).await;
    format!("{done:?}") == format!("{:?}", ExitCode::SUCCESS)
}

pub fn refused((status, text): (StatusCode, String)) -> (u16, String) {
    (status.as_u16(), reason(&text).0)
}

pub fn claims(token: &str) -> Value {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

#[tokio::test]
async fn spec_3_17_a_signed_message_opens_a_session_that_the_published_key_verifies() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let token = signed_in(&server, &visitor).await;
    let (said, signature) = token.rsplit_once('.').unwrap();
    let keys = status_and_text(server.get("/.well-known/jwks.json").await).await.1;
    let key = serde_json::from_str::<Value>(&keys).unwrap()["keys"][0].clone();
    let part = |name: &str| BASE64_URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap()).unwrap();
    let point = [vec![4], part("x"), part("y")].concat();
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(said.as_bytes(), &signature).unwrap();
    let (status, text) = me(&server, &token).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told, claims(&token));
    assert_eq!(told["sub"], format!("eip155:1:{}", visitor.address()));
    assert_eq!(
        (&told["aud"], &told["caip2Network"], &told["domain"]),
        (&json!("shop"), &json!("eip155:1"), &json!("host.example"))
    );
    assert_eq!(told["exp"].as_i64().unwrap() - told["iat"].as_i64().unwrap(), 3600);
    assert!(!keys.contains("\"d\""), "{keys}");
}

#[tokio::test]
async fn a_session_ends_by_sign_out_on_all_nodes_and_belongs_to_its_page() {
    let server = server().await;
    let token = signed_in(&server, &Visitor::new(1)).await;
    let elsewhere = ask(&server, "GET", "/auth/v1/me", "https://other.example", &token, Value::Null).await;
    assert_eq!(refused(elsewhere), (401, "token".into()));
    assert_eq!(ask(&server, "POST", "/auth/v1/sign-out", PAGE, &token, Value::Null).await.0, StatusCode::NO_CONTENT);
    assert_eq!(refused(me(&server, &token).await), (401, "token".into()));
    let server = Server { router: server.another(), ..server };
    assert_eq!(refused(me(&server, &token).await), (401, "token".into()));
    for nonsense in ["x", "a.b.c", &token.replace('.', "")] {
        assert_eq!(refused(me(&server, nonsense).await), (401, "token".into()));
    }
}

#[tokio::test]
async fn spec_3_18_each_wrong_field_of_a_message_is_refused_by_its_name() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let whole = |number: usize, line: String| (number, Some(line));
    for ((number, line), field) in [
        (whole(0, "evil.example wants you to sign in with your Ethereum account:".into()), "domain"),
        (whole(0, "host\u{200b}.example wants you to sign in with your Ethereum account:".into()), "domain"),
        (whole(0, "host.example wants you to sign in with your Bitcoin account:".into()), "chainId"),
        (whole(0, "host.example wants you to sign in with your Polkadot account:".into()), "chainId"),
        (whole(0, "host.example wants you to sign in with your Cosmos account:".into()), "message"),
        (whole(0, "Hello".into()), "message"),
        (whole(1, visitor.address().to_lowercase()), "address"),
        (whole(3, "Sign \u{202e}in.".into()), "statement"),
        (whole(3, "Sign\u{200d} in.".into()), "statement"),
        (whole(5, "URI: https://evil.example".into()), "uri"),
        (whole(5, "URI: https://other.example".into()), "uri"),
        (whole(6, "Version: 2".into()), "version"),
        (whole(7, "Chain ID: one:two".into()), "chainId"),
        (whole(8, "Nonce: 0123456789".into()), "nonce"),
        (whole(8, "Nonce: 0123456".into()), "nonce"),
        (whole(9, "Issued At: soon".into()), "issuedAt"),
        (whole(9, format!("Issued At: {}", at(3600))), "issuedAt"),
        (whole(9, format!("Issued At: {}", at(-3600))), "issuedAt"),
        (whole(9, format!("Issued At: {}\nExpiration Time: {}", at(0), at(-1))), "expirationTime"),
        (whole(9, format!("Issued At: {}\nNot Before: {}", at(0), at(3600))), "notBefore"),
        (whole(9, format!("Issued At: {}\nNonce: 12345678", at(0))), "message"),
        (whole(9, format!("Issued At: {}\nResources:\n- https://host.example\n- the terms", at(0))), "resources"),
        ((6, None), "message"),
    ] {
        let mut lines = lines(&visitor.address(), &nonce(&server, PAGE).await);
        match line.clone() {
            Some(line) => lines[number] = line,
            None => drop(lines.remove(number)),
        }
        let message = lines.join("\n");
        let answer = authenticate(&server, &message, &visitor.sign(&message)).await;
        assert_eq!(refused(answer), (400, field.into()), "{number} {line:?}");
    }
}

#[tokio::test]
async fn an_account_of_solana_signs_in_by_its_own_key_only() {
    let server = server().await;
    let pair = |byte: u8| Ed25519KeyPair::from_seed_unchecked(&[byte; 32]).unwrap();
    let address = base58::encode(pair(1).public_key().as_ref());
    let mut lines = lines(&address, &nonce(&server, PAGE).await);
    lines[0] = "host.example wants you to sign in with your Solana account:".into();
    lines[7] = "Chain ID: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".into();
    let message = lines.join("\n");
    let sign = |byte: u8| base58::encode(pair(byte).sign(message.as_bytes()).as_ref());
    assert_eq!(refused(authenticate(&server, &message, &sign(2)).await), (422, "signature".into()));
    assert_eq!(refused(authenticate(&server, &message, "0x00").await), (422, "signature".into()));
    let (status, text) = authenticate(&server, &message, &sign(1)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let token = serde_json::from_str::<Value>(&text).unwrap()["token"].as_str().unwrap().to_owned();
    assert_eq!(claims(&token)["sub"], format!("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:{address}"));
    // The neutral point as a key accepts this signature of every text, unless the check is strict.
    let mut neutral = [0; 64];
    neutral[0] = 1;
    lines[1] = base58::encode(&neutral[..32]);
    lines[8] = format!("Nonce: {}", nonce(&server, PAGE).await);
    let answer = authenticate(&server, &lines.join("\n"), &base58::encode(&neutral)).await;
    assert_eq!(refused(answer), (422, "signature".into()));
}

#[tokio::test]
async fn a_sign_in_by_the_wallet_standard_names_the_network_in_its_words_and_may_have_no_statement() {
    let server = server().await;
    let pair = Ed25519KeyPair::from_seed_unchecked(&[1; 32]).unwrap();
    let address = base58::encode(pair.public_key().as_ref());
    for (named, bare) in [("solana:mainnet", false), ("mainnet", true)] {
        let mut lines = lines(&address, &nonce(&server, PAGE).await);
        lines[0] = "host.example wants you to sign in with your Solana account:".into();
        lines[7] = format!("Chain ID: {named}");
        if bare {
            lines.drain(3..5);
        }
        let message = lines.join("\n");
        let signature = base58::encode(pair.sign(message.as_bytes()).as_ref());
        let (status, text) = authenticate(&server, &message, &signature).await;
        assert_eq!(status, StatusCode::OK, "{named} {text}");
        let token = serde_json::from_str::<Value>(&text).unwrap()["token"].as_str().unwrap().to_owned();
        assert_eq!(claims(&token)["sub"], format!("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:{address}"));
    }
}

#[tokio::test]
async fn a_chain_that_does_not_respond_is_told_apart_from_a_wrong_signature() {
    // The port of this node is closed.
    let server = Server::without_project("[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:1\"]\n").await;
    server.project(&["add", "--id", "shop", "--origin", PAGE]).await;
    let message = lines(&Visitor::new(1).address(), &nonce(&server, PAGE).await).join("\n");
    let answer = authenticate(&server, &message, &Visitor::new(2).sign(&message)).await;
    assert_eq!(refused(answer), (503, "signature".into()));
}

#[tokio::test]
async fn the_cookie_of_a_session_is_set_only_where_it_is_asked_for_and_hidden_from_scripts() {
    let server = server().await;
    let visitor = Visitor::new(1);
    for cookie in [false, true] {
        let message = lines(&visitor.address(), &nonce(&server, PAGE).await).join("\n");
        let body = json!({"message": message, "signature": visitor.sign(&message), "cookie": cookie}).to_string();
        let request = Request::post("/auth/v1/authenticate?projectId=shop").header("origin", PAGE);
        let response = server.send(request.body(body.into()).unwrap()).await;
        assert_eq!(response.headers()["access-control-allow-origin"], PAGE);
        let set = response.headers().get("set-cookie").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(set.is_some(), cookie);
        let Some(set) = set else { continue };
        assert!(set.starts_with("__Host-portico-session="), "{set}");
        assert!(set.ends_with("; Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax"), "{set}");
        let request = Request::get("/auth/v1/me?projectId=shop").header("origin", PAGE);
        let request = request.header("cookie", format!("a=b; {}", set.split(';').next().unwrap()));
        assert_eq!(server.send(request.body(Body::empty()).unwrap()).await.status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn an_account_with_too_many_sessions_loses_the_oldest_and_a_neighbour_behind_its_address_none() {
    let server =
        configured("trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1000\nclient_burst = 1000\n").await;
    let other = signed_in_from(&server, &Visitor::new(2), "203.0.113.9").await;
    let first = signed_in_from(&server, &Visitor::new(1), "203.0.113.9").await;
    for _ in 0..20 {
        signed_in_from(&server, &Visitor::new(1), "203.0.113.9").await;
    }
    assert_eq!(me(&server, &first).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&server, &other).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_visitor_who_signs_in_again_and_again_is_slowed_down_and_the_neighbour_is_not() {
    let limits = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1000\nclient_burst = 1000\n";
    let server = configured(limits).await;
    let ask = async |address: &str| {
        let request = Request::post("/auth/v1/authenticate?projectId=shop").header("origin", PAGE);
        let request = request.header("x-forwarded-for", address).body(Body::from("{}")).unwrap();
        server.send(request).await
    };
    let mut asked = 0;
    let refused = loop {
        let response = ask("203.0.113.9").await;
        asked += 1;
        if response.status() == StatusCode::TOO_MANY_REQUESTS || asked == 1000 {
            break response;
        }
    };
    assert!((201..300).contains(&asked), "{asked}");
    assert!(refused.headers().contains_key("retry-after"));
    signed_in_from(&server, &Visitor::new(2), "198.51.100.7").await;
}

/// Signs in from this address.
pub async fn signed_in_from(server: &Server, visitor: &Visitor, address: &str) -> String {
    let message = lines(&visitor.address(), &nonce(server, PAGE).await).join("\n");
    let body = json!({"message": message, "signature": visitor.sign(&message)}).to_string();
    let request = Request::post("/auth/v1/authenticate?projectId=shop").header("origin", PAGE);
    let request = request.header("x-forwarded-for", address).body(Body::from(body)).unwrap();
    let (status, text) = status_and_text(server.send(request).await).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_operator_rotates_keys_and_ends_sessions() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let token = signed_in(&server, &visitor).await;
    assert!(auth(&server, &["keys", "rotate"]).await);
    // The new key is published, and sessions of the old one stay open.
    let keys = status_and_text(server.get("/.well-known/jwks.json").await).await.1;
    assert_eq!(serde_json::from_str::<Value>(&keys).unwrap()["keys"].as_array().unwrap().len(), 2);
    assert_eq!(me(&server, &token).await.0, StatusCode::OK);
    assert!(auth(&server, &["sessions", "list"]).await);
    assert!(auth(&server, &["sessions", "end", &format!("eip155:1:{}", visitor.address())]).await);
    assert_eq!(me(&server, &token).await.0, StatusCode::UNAUTHORIZED);
    assert!(!auth(&server, &["sessions", "end", "nothere"]).await);
    let token = signed_in(&server, &visitor).await;
    assert!(auth(&server, &["keys", "rotate", "--at-once"]).await);
    assert_eq!(me(&server, &token).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&server, &signed_in(&server, &visitor).await).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_contract_signs_in_on_its_chain_by_erc_1271_and_before_it_is_deployed_by_erc_6492() {
    const ACCOUNT: &str = include_str!("../../contracts/Account.hex");
    const FACTORY: &str = include_str!("../../contracts/AccountFactory.hex");
    let anvil = Anvil::start();
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [\"{}\"]\n", anvil.url);
    let server = configured(&chain).await;
    let (owner, stranger) = (Visitor::new(1), Visitor::new(2));
    let of = |visitor: &Visitor| visitor.address().parse::<Address>().unwrap().abi_encode();
    let deploy = async |code: &str, arguments: Vec<u8>| -> Address {
        let data = format!("0x{}{}", code.trim_end(), hex::encode(arguments));
        let receipt = anvil.send(json!({"from": anvil.addresses.accounts[7], "data": data})).await;
        receipt["contractAddress"].as_str().unwrap().parse().unwrap()
    };
    let deployed = deploy(ACCOUNT, of(&owner)).await;
    let factory = deploy(FACTORY, Vec::new()).await;
    let selector = |function: &str| keccak256(function)[..4].to_vec();
    let question = hex::encode_prefixed([selector("addressOf(address)"), of(&owner)].concat());
    let told = anvil.request("eth_call", json!([{"to": factory, "data": question}, "latest"])).await.unwrap();
    let unborn = Address::from_slice(&hex::decode(told.as_str().unwrap()).unwrap()[12..]);
    let order = Bytes::from([selector("deploy(address)"), of(&owner)].concat());
    let wrapped = |signature: &str| {
        let inner: Bytes = signature.parse().unwrap();
        let mark = hex!("6492649264926492649264926492649264926492649264926492649264926492");
        hex::encode_prefixed([(factory, order.clone(), inner).abi_encode_params(), mark.to_vec()].concat())
    };
    for (account, number, wraps, good) in [
        (deployed, "31337", false, true),
        (deployed, "10", false, false),
        (unborn, "31337", true, true),
        (unborn, "31337", false, false),
    ] {
        for signer in [&stranger, &owner] {
            let mut lines = lines(&account.to_checksum(None), &nonce(&server, PAGE).await);
            lines[7] = format!("Chain ID: {number}");
            let message = lines.join("\n");
            let signature = if wraps { wrapped(&signer.sign(&message)) } else { signer.sign(&message) };
            let (status, text) = authenticate(&server, &message, &signature).await;
            let expected = if good && signer.address() == owner.address() { 200 } else { 422 };
            assert_eq!(status.as_u16(), expected, "{account} {number} {wraps}: {text}");
        }
    }
}
