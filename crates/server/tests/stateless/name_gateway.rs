//! The gateway of EIP-3668, as seen by clients and resolver contracts.

use crate::support;
use alloy_primitives::{Address, B256, Bytes, Signature, hex, keccak256};
use alloy_sol_types::SolValue;
use axum::http::StatusCode;
use serde_json::json;
use support::names::{SIGNER, Visitor, get, now, value};
use support::{Server, reason, status_and_text};

const RESOLVER: &str = "0xe1DA8919f262Ee86f9BE05059C9280142CF23f48";
/// Address of the signing key of the tests.
const TRUSTED: &str = "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f";

async fn gateway(layout: &str) -> Server {
    Server::configured(&format!(
        "[names]\nparent = \"portico.eth\"\nresolver = \"{RESOLVER}\"\nresolver_layout = \"{layout}\"\nsigner_key = \"{SIGNER}\"\n"
    ))
    .await
}

fn call(selector: &str, arguments: impl AsRef<[u8]>) -> Bytes {
    [&hex::decode(selector).unwrap(), arguments.as_ref()].concat().into()
}

fn wire(name: &str) -> Vec<u8> {
    let mut wire = Vec::new();
    for part in name.split('.') {
        wire.push(u8::try_from(part.len()).unwrap());
        wire.extend(part.as_bytes());
    }
    wire.push(0);
    wire
}

fn resolve(name: &str, data: &Bytes) -> Bytes {
    call("9061b923", (Bytes::from(wire(name)), data.clone()).abi_encode_params())
}

fn addr() -> Bytes {
    call("3b3b57de", B256::ZERO)
}

fn addr_of(coin_type: u64) -> Bytes {
    call("f1cb7e06", (B256::ZERO, alloy_primitives::U256::from(coin_type)).abi_encode_params())
}

fn text(key: &str) -> Bytes {
    call("59d1d43c", (B256::ZERO, key.to_owned()).abi_encode_params())
}

async fn ask(server: &Server, sender: &str, request: &Bytes) -> (StatusCode, String) {
    status_and_text(server.get(&format!("/v1/ens/{sender}/{request}.json")).await).await
}

/// Bytes of the response.
async fn told(server: &Server, request: &Bytes) -> Vec<u8> {
    let (status, text) = ask(server, &RESOLVER.to_lowercase(), request).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    hex::decode(value(&text)["data"].as_str().unwrap()).unwrap()
}

fn signer(hashed: &[&[u8]], signature: &[u8]) -> String {
    let signature = Signature::from_raw(signature).unwrap();
    signature.recover_address_from_prehash(&keccak256(hashed.concat())).unwrap().to_checksum(None)
}

/// Result of a response, after the checks of the ENS Labs contract.
fn result(request: &Bytes, answer: &[u8]) -> Bytes {
    let (result, expires, signature) = <(Bytes, u64, Bytes)>::abi_decode_params(answer).unwrap();
    assert!((now() + 295..=now() + 305).contains(&expires), "{expires}");
    let target: Address = RESOLVER.parse().unwrap();
    let (expires, request, hash) = (expires.to_be_bytes(), keccak256(request), keccak256(&result));
    let hashed = [&[0x19, 0x00], target.as_slice(), &expires, request.as_slice(), hash.as_slice()];
    assert_eq!(signer(&hashed, &signature), TRUSTED);
    result
}

async fn records(server: &Server, name: &str, data: &Bytes) -> Bytes {
    let request = resolve(name, data);
    result(&request, &told(server, &request).await)
}

#[tokio::test]
async fn a_registered_name_is_told_as_a_resolver_would() {
    let server = gateway("offchain-resolver").await;
    let alice = Visitor::new(1);
    let says = json!({"name": "alice", "attributes": {"bio": "hello", "avatar": "https://a.example/a.png"}});
    assert_eq!(alice.ask(&server, "", says).await.0, StatusCode::OK);
    let solana = json!({"to": {"coinType": 501, "address": "11111111111111111111111111111112"}});
    assert_eq!(alice.ask(&server, "/alice/address", solana).await.0, StatusCode::OK);
    let name = "alice.portico.eth";
    let address: Address = alice.address().parse().unwrap();
    assert_eq!(records(&server, name, &addr()).await, address.abi_encode());
    assert_eq!(records(&server, name, &addr_of(60)).await, Bytes::from(address.to_vec()).abi_encode());
    let mut key = vec![0; 32];
    key[31] = 1;
    assert_eq!(records(&server, name, &addr_of(501)).await, Bytes::from(key).abi_encode());
    for (key, text_of) in
        [("avatar", "https://a.example/a.png"), ("bio", "hello"), ("description", "hello"), ("url", "")]
    {
        assert_eq!(records(&server, name, &text(key)).await, text_of.to_owned().abi_encode(), "{key}");
    }
    let nothing = Bytes::new().abi_encode();
    assert_eq!(records(&server, name, &addr_of(2_147_483_658)).await, nothing);
    assert_eq!(records(&server, name, &call("bc1c58d1", B256::ZERO)).await, nothing);
    let several = call("ac9650d8", (vec![addr(), text("bio"), call("691f3431", B256::ZERO)],).abi_encode_params());
    let answers = <(Vec<Bytes>,)>::abi_decode_params(&records(&server, name, &several).await).unwrap().0;
    assert_eq!(answers, [address.abi_encode().into(), "hello".to_owned().abi_encode().into(), Bytes::new()]);
}

#[tokio::test]
async fn an_unknown_name_of_ours_is_empty_and_another_is_not_ours() {
    let server = gateway("offchain-resolver").await;
    for name in ["bobby.portico.eth", "portico.eth", "a.bobby.portico.eth", "x.portico.eth"] {
        assert_eq!(records(&server, name, &addr()).await, Address::ZERO.abi_encode(), "{name}");
        assert_eq!(records(&server, name, &text("bio")).await, String::new().abi_encode(), "{name}");
    }
    for name in ["vitalik.eth", "notportico.eth", "eth"] {
        let (status, text) = ask(&server, RESOLVER, &resolve(name, &addr())).await;
        assert_eq!((status.as_u16(), reason(&text).1.as_str()), (404, "This gateway only has names below portico.eth"));
    }
}

#[tokio::test]
async fn a_body_asks_the_same_and_any_page_may() {
    let server = gateway("offchain-resolver").await;
    let request = resolve("bobby.portico.eth", &addr());
    let body = json!({"sender": RESOLVER, "data": request.to_string()}).to_string();
    let asked = axum::http::Request::post("/v1/ens").header("origin", "https://any.example").body(body.into()).unwrap();
    let answer = server.send(asked).await;
    assert_eq!(answer.headers()["access-control-allow-origin"], "*");
    let (status, text) = status_and_text(answer).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let answer = hex::decode(value(&text)["data"].as_str().unwrap()).unwrap();
    assert_eq!(result(&request, &answer), Address::ZERO.abi_encode());
}

#[tokio::test]
async fn several_calls_at_once_are_answered_one_by_one() {
    let server = gateway("offchain-resolver").await;
    let ours: Address = RESOLVER.parse().unwrap();
    let good = resolve("bobby.portico.eth", &addr());
    let items: Vec<(Address, Vec<String>, Bytes)> = vec![
        (ours, vec!["http://127.0.0.1:1/secret".into()], good.clone()),
        (Address::repeat_byte(1), vec![], good.clone()),
        (ours, vec![], resolve("vitalik.eth", &addr())),
        (ours, vec![], Bytes::new()),
    ];
    let answer = told(&server, &call("a780bab6", (items,).abi_encode_params())).await;
    let (failures, answers) = <(Vec<bool>, Vec<Bytes>)>::abi_decode_params(&answer).unwrap();
    assert_eq!(failures, [false, true, true, true]);
    assert_eq!(result(&good, &answers[0]), Address::ZERO.abi_encode());
    for (answer, code) in answers[1..].iter().zip([404, 404, 400]) {
        assert_eq!(answer[..4], keccak256("HttpError(uint16,string)")[..4]);
        assert_eq!(<(u16, String)>::abi_decode_params(&answer[4..]).unwrap().0, code);
    }
}

#[tokio::test]
async fn the_other_layout_is_that_of_the_offchain_resolver_of_everyone() {
    let server = gateway("the-offchain-resolver").await;
    let request = resolve("bobby.portico.eth", &addr());
    let answer = told(&server, &request).await;
    let (signature, expires, result) = <(Bytes, u64, Bytes)>::abi_decode_params(&answer).unwrap();
    let target: Address = RESOLVER.parse().unwrap();
    let (expires, request, hash) = (expires.to_be_bytes(), keccak256(&request), keccak256(&result));
    assert_eq!(signer(&[target.as_slice(), &expires, request.as_slice(), hash.as_slice()], &signature), TRUSTED);
    assert_eq!(result, Address::ZERO.abi_encode());
}

#[tokio::test]
async fn nonsense_is_a_final_refusal() {
    let server = gateway("offchain-resolver").await;
    let good = resolve("bobby.portico.eth", &addr());
    let sender = Address::repeat_byte(1).to_string();
    let cut = |bytes: &Bytes, end: usize| bytes.slice(..bytes.len() - end);
    for (sender, data, status) in [
        (sender.as_str(), &good, 404),
        ("alice", &good, 400),
        (RESOLVER, &Bytes::new(), 400),
        (RESOLVER, &cut(&good, 60), 400),
        (RESOLVER, &call("9061b923", [255; 64]), 400),
        (RESOLVER, &call("3b3b57de", B256::ZERO), 400),
        (RESOLVER, &resolve("bobby.portico.eth", &Bytes::new()), 400),
        (RESOLVER, &resolve("bobby.portico.eth", &cut(&addr(), 1)), 400),
        (RESOLVER, &resolve("bobby.portico.eth", &cut(&text("bio"), 32)), 400),
        (RESOLVER, &resolve("bobby.portico.eth", &call("ac9650d8", [255; 96])), 400),
        (RESOLVER, &call("9061b923", (Bytes::from(b"\x05bob".to_vec()), addr()).abi_encode_params()), 400),
        (RESOLVER, &call("9061b923", vec![0; 20_000]), 413),
    ] {
        let (found, text) = ask(&server, sender, data).await;
        assert_eq!(found.as_u16(), status, "{sender} {data}: {text}");
        reason(&text);
    }
    for path in [format!("{RESOLVER}/alice"), format!("{RESOLVER}/0xabc"), format!("{RESOLVER}/%FF")] {
        assert_eq!(server.get(&format!("/v1/ens/{path}")).await.status(), StatusCode::BAD_REQUEST, "{path}");
    }
    for body in ["", "[]", "{\"sender\":1}", "{\"sender\":\"0x\",\"data\":\"0x\"}"] {
        assert_eq!(server.post("/v1/ens", body).await.status(), StatusCode::BAD_REQUEST, "{body}");
    }
    assert_eq!(server.post("/v1/ens", vec![b' '; 60_000]).await.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn without_a_key_names_are_given_out_and_no_contract_is_answered() {
    let server = Server::configured(support::names::NAMES).await;
    assert_eq!(get(&server, "nonce").await.0, StatusCode::OK);
    let (status, text) = ask(&server, RESOLVER, &resolve("bobby.portico.eth", &addr())).await;
    assert_eq!((status.as_u16(), reason(&text).1.as_str()), (404, "This server isn't a gateway for names"));
}
