//! ENS names that this server did not register: on a real chain, and through gateways.

mod contract;
mod form;

use crate::support;
use alloy_primitives::{Address, Bytes, FixedBytes, U256, hex, keccak256};
use alloy_sol_types::{SolCall, SolError, SolValue, sol};
use axum::http::StatusCode;
use k256::ecdsa::SigningKey;
use portico_explorer::testing::Anvil;
use portico_server::ens::{self, ETHER, EnsName, LookupFailed, NotAName};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use support::web::{Heard, Web};
use support::{Reply, Server, Upstream};

sol! {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error HttpError(uint16 status, string message);
    error ResolverNotFound(bytes name);
    function resolveWithGateways(bytes name, bytes data, string[] gateways) returns (bytes result, address resolver);
    function reverseWithGateways(bytes lookupAddress, uint256 coinType, string[] gateways)
        returns (string primary, address resolver, address reverseResolver);
    function resolve(bytes name, bytes data) returns (bytes result);
    function callback(bytes response, bytes extra) returns (bytes result, address resolver);
    function setUrls(string[] urls);
}

/// Signing key of the world's gateway: that of anvil's ninth account.
const SIGNER: [u8; 32] = hex!("dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97");

const UNIVERSAL: &str = "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe";
const LATER: u64 = 4_000_000_000;

fn name(text: &str) -> EnsName {
    EnsName::parse(text).unwrap()
}

/// Server with ENS on this chain, which may reach gateways at these ports.
async fn server(node: &str, ports: &[u16]) -> Server {
    let allowed: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    Server::configured(&format!(
        "[names]\nens_chain = \"eip155:31337\"\n[egress]\nallow = {allowed:?}\n[[chains]]\nid = \"eip155:31337\"\nupstreams = [{node:?}]\n"
    ))
    .await
}

#[tokio::test]
async fn a_name_leads_to_its_account_and_back() {
    let anvil = Anvil::start();
    let server = server(&anvil.url, &[]).await;
    let accounts = &anvil.addresses.accounts;
    let alice = name("Alice.ETH");
    assert_eq!(ens::account_of(&server.state, &alice).await, Ok(Some(accounts[1])));
    assert_eq!(ens::address_of(&server.state, &alice, ETHER).await, Ok(Some(accounts[1].to_vec())));
    assert_eq!(ens::name_of(&server.state, accounts[1]).await, Ok(Some(name("alice.eth"))));
    let said = ens::text(&server.state, &alice, "description").await.unwrap();
    assert_eq!(said.as_deref(), Some("The first account after the visitor"));
}

#[tokio::test]
async fn what_is_not_there_is_nothing() {
    let anvil = Anvil::start();
    let server = server(&anvil.url, &[]).await;
    let accounts = &anvil.addresses.accounts;
    for unknown in ["nobody.eth", "a.alice.eth", "silent.eth", "broken.eth", "eth", "no.such.zone", "\u{1f984}.eth"] {
        assert_eq!(ens::account_of(&server.state, &name(unknown)).await, Ok(None), "{unknown}");
        assert_eq!(ens::text(&server.state, &name(unknown), "avatar").await, Ok(None), "{unknown}");
    }
    assert_eq!(ens::text(&server.state, &name("alice.eth"), "no such key").await, Ok(None));
    assert_eq!(ens::address_of(&server.state, &name("alice.eth"), 0x8000_000a).await, Ok(None));
    assert_eq!(ens::name_of(&server.state, accounts[0]).await, Ok(None));
    // This account claims the name of alice, which resolves to her.
    assert_eq!(ens::name_of(&server.state, accounts[2]).await, Ok(None));
}

/// Gateway response in the form that the world's resolver accepts.
fn signed(sender: Address, request: &[u8], result: &[u8], expires: u64, key: &[u8; 32]) -> Vec<u8> {
    let hash = keccak256(
        (FixedBytes(hex!("1900")), sender, expires, keccak256(request), keccak256(result)).abi_encode_packed(),
    );
    let key = SigningKey::from_slice(key).unwrap();
    let (signature, recovery) = key.sign_prehash_recoverable(hash.as_slice()).unwrap();
    let signature = [&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat();
    (Bytes::copy_from_slice(result), expires, Bytes::from(signature)).abi_encode_params()
}

/// Gateway that resolves every name to this account, registered as the gateway of the world's resolver.
async fn gateway(anvil: &Anvil, account: Address, expires: u64, key: [u8; 32]) -> Web {
    let web = Web::start(move |heard: &Heard| {
        let (sender, data) = heard.path[1..].split_once('/').unwrap();
        let request = hex::decode(data).unwrap();
        resolveCall::abi_decode(&request).unwrap();
        let answer = signed(sender.parse().unwrap(), &request, &account.abi_encode(), expires, &key);
        axum::Json(json!({ "data": hex::encode_prefixed(answer) }))
    })
    .await;
    set_urls(anvil, &[web.url("/{sender}/{data}")]).await;
    web
}

async fn set_urls(anvil: &Anvil, urls: &[String]) {
    let owner = anvil.addresses.accounts[9];
    let data = setUrlsCall { urls: urls.to_vec() }.abi_encode();
    write(anvil, owner, anvil.addresses.contract("offchainResolver"), data).await;
}

async fn write(anvil: &Anvil, from: Address, to: Address, data: Vec<u8>) {
    let call = json!([{ "from": from.to_string(), "to": to.to_string(), "data": hex::encode_prefixed(data), "gas": "0x2dc6c0" }]);
    let hash = anvil.request("eth_sendTransaction", call).await.unwrap();
    // Anvil responds before the block is mined.
    anvil.request("evm_mine", json!([])).await.unwrap();
    let receipt = anvil.request("eth_getTransactionReceipt", json!([hash])).await.unwrap();
    assert_eq!(receipt["status"], "0x1");
}

#[tokio::test]
async fn a_name_that_a_gateway_answers_for_leads_to_its_account_and_back() {
    let anvil = Anvil::start();
    let carol = anvil.addresses.accounts[3];
    let mut web = gateway(&anvil, carol, LATER, SIGNER).await;
    let server = server(&anvil.url, &[web.port]).await;
    assert_eq!(ens::account_of(&server.state, &name("carol.portico.eth")).await, Ok(Some(carol)));
    assert_eq!(ens::account_of(&server.state, &name("any.name.below.portico.eth")).await, Ok(Some(carol)));
    assert_eq!(ens::name_of(&server.state, carol).await, Ok(Some(name("carol.portico.eth"))));
    let resolver = anvil.addresses.contract("offchainResolver");
    for _ in 0..3 {
        let heard = web.heard().unwrap();
        assert!(heard.path.starts_with(&format!("/{resolver:#x}/0x9061b923")), "{}", heard.path);
    }
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn what_the_resolver_does_not_believe_its_gateway_is_nothing() {
    let anvil = Anvil::start();
    let carol = anvil.addresses.accounts[3];
    let stranger = hex!("92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e");
    for (account, expires, key) in [(carol, LATER, stranger), (carol, 1, SIGNER), (Address::ZERO, LATER, SIGNER)] {
        let web = gateway(&anvil, account, expires, key).await;
        let server = server(&anvil.url, &[web.port]).await;
        assert_eq!(ens::account_of(&server.state, &name("carol.portico.eth")).await, Ok(None));
        assert_eq!(ens::name_of(&server.state, carol).await, Ok(None));
    }
}

#[tokio::test]
async fn a_gateway_that_is_out_of_order_is_not_an_answer_and_one_that_refuses_is() {
    let anvil = Anvil::start();
    let carol = anvil.addresses.accounts[3];
    let good = gateway(&anvil, carol, LATER, SIGNER).await;
    let working = good.url("/{sender}/{data}");
    let status = Arc::new(Mutex::new(500));
    let said = status.clone();
    let mut web = Web::start(move |_| StatusCode::from_u16(*said.lock().unwrap()).unwrap()).await;
    let server = server(&anvil.url, &[good.port, web.port]).await;
    let failing = web.url("/{data}");
    let asked = name("carol.portico.eth");
    let table: [(u16, &[&String], _, usize); 9] = [
        (500, &[&failing], Err(LookupFailed::Gateway), 1),
        (503, &[&failing, &failing], Err(LookupFailed::Gateway), 2),
        (500, &[&failing, &working], Ok(Some(carol)), 1),
        (404, &[&failing, &working], Ok(None), 1),
        (451, &[&failing], Ok(None), 1),
        // Too many requests say nothing about the name; EIP-3668 lets no other gateway be asked.
        (429, &[&failing], Err(LookupFailed::Gateway), 1),
        (429, &[&failing, &working], Err(LookupFailed::Gateway), 1),
        // Not JSON.
        (200, &[&failing], Ok(None), 1),
        (200, &[&failing, &working], Ok(Some(carol)), 1),
    ];
    for (code, urls, answer, times) in table {
        *status.lock().unwrap() = code;
        set_urls(&anvil, &urls.iter().map(|url| (*url).clone()).collect::<Vec<_>>()).await;
        assert_eq!(ens::account_of(&server.state, &asked).await, answer, "{code} {urls:?}");
        assert_eq!(std::iter::from_fn(|| web.heard()).count(), times, "{code} {urls:?}");
    }
}

#[tokio::test]
async fn a_gateway_inside_our_network_is_not_asked() {
    let anvil = Anvil::start();
    let mut web = Web::start(|_| axum::Json(json!({ "data": "0x" }))).await;
    let server = server(&anvil.url, &[]).await;
    set_urls(&anvil, &[web.url("/{data}"), "file:///etc/passwd".into(), "http://169.254.169.254/".into()]).await;
    assert_eq!(ens::account_of(&server.state, &name("carol.portico.eth")).await, Ok(None));
    assert!(web.heard().is_none());
}

async fn looked_up(server: &Server, path: &str) -> (StatusCode, Value) {
    let (status, text) = support::status_and_text(server.get(&format!("/v1/profile/account/{path}")).await).await;
    (status, serde_json::from_str(&text).unwrap_or_default())
}

#[tokio::test]
async fn spec_7_3_whoever_pays_a_name_of_ens_learns_where_it_leads() {
    let anvil = Anvil::start();
    let server = server(&anvil.url, &[]).await;
    let alice = anvil.addresses.accounts[1].to_checksum(None);
    for path in ["Alice.ETH?projectId=demo", "alice.eth?projectId=demo&apiVersion=2&coinType=2147514985"] {
        let (status, record) = looked_up(&server, path).await;
        assert_eq!((status, &record["name"]), (StatusCode::OK, &json!("alice.eth")), "{path}");
        assert_eq!(record["addresses"]["60"]["address"], json!(alice), "{path}");
    }
}

#[tokio::test]
async fn a_name_of_ens_that_leads_nowhere_or_is_none_is_nothing_and_a_silent_chain_is_told_apart() {
    let anvil = Anvil::start();
    let server = server(&anvil.url, &[]).await;
    for name in ["nobody-has-this-name.eth", "a..eth", "v%D1%96talik.eth"] {
        assert_eq!(looked_up(&server, &format!("{name}?projectId=demo")).await.0, StatusCode::NOT_FOUND, "{name}");
        let (status, body) = looked_up(&server, &format!("{name}?projectId=demo&apiVersion=2")).await;
        assert_eq!((status, body), (StatusCode::OK, json!([])), "{name}");
    }
    let silent = self::server("http://127.0.0.1:9", &[]).await;
    let (status, _) = looked_up(&silent, "alice.eth?projectId=demo&apiVersion=2").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
}
