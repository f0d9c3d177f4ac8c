//! Names of other people, on a real chain and with nodes and gateways that lie. Longer than other files for the contracts that lie, which all of
//! its tests share.

mod support;

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

/// What signs for the world's gateway: the key of anvil's ninth account.
const SIGNER: [u8; 32] = hex!("dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97");
const UNIVERSAL: &str = "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe";
const LATER: u64 = 4_000_000_000;

fn name(text: &str) -> EnsName {
    EnsName::parse(text).unwrap()
}

/// A server whose names are on this chain, and that may ask the gateways at these ports.
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
    // This one claims the name of alice, which leads to her.
    assert_eq!(ens::name_of(&server.state, accounts[2]).await, Ok(None));
}

/// What the world's resolver takes for the answer of its gateway.
fn signed(sender: Address, request: &[u8], result: &[u8], expires: u64, key: &[u8; 32]) -> Vec<u8> {
    let hash = keccak256(
        (FixedBytes(hex!("1900")), sender, expires, keccak256(request), keccak256(result)).abi_encode_packed(),
    );
    let key = SigningKey::from_slice(key).unwrap();
    let (signature, recovery) = key.sign_prehash_recoverable(hash.as_slice()).unwrap();
    let signature = [&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat();
    (Bytes::copy_from_slice(result), expires, Bytes::from(signature)).abi_encode_params()
}

/// A gateway that says this account is at every name, and whose address the world's resolver gives out.
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
    // Anvil answers before it has mined.
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
    let table: [(u16, &[&String], _, usize); 7] = [
        (500, &[&failing], Err(LookupFailed::Gateway), 1),
        (503, &[&failing, &failing], Err(LookupFailed::Gateway), 2),
        (500, &[&failing, &working], Ok(Some(carol)), 1),
        (404, &[&failing, &working], Ok(None), 1),
        (451, &[&failing], Ok(None), 1),
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

/// What a contract returns, or reverts with.
type Script = Result<Vec<u8>, Vec<u8>>;

/// A node on which one contract does as it is told with what it is called with.
async fn contract(script: impl Fn(Vec<u8>) -> Script + Send + Sync + 'static) -> Upstream {
    Upstream::start(move |body| {
        let answer = |call: &Value| {
            assert_eq!((&call["method"], &call["params"][1]), (&json!("eth_call"), &json!("latest")));
            assert_eq!(call["params"][0]["to"], UNIVERSAL);
            let data = hex::decode(call["params"][0]["data"].as_str().unwrap()).unwrap();
            match script(data) {
                Ok(result) => json!({ "id": call["id"], "result": hex::encode_prefixed(result) }),
                Err(revert) => {
                    let error =
                        json!({ "code": 3, "message": "execution reverted", "data": hex::encode_prefixed(revert) });
                    json!({ "id": call["id"], "error": error })
                }
            }
        };
        let answers = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(answer).collect(),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answers.to_string())
    })
    .await
}

fn lookup(sender: &str, urls: Vec<String>) -> Vec<u8> {
    OffchainLookup {
        sender: sender.parse().unwrap(),
        urls,
        callData: vec![1, 2, 3].into(),
        callbackFunction: callbackCall::SELECTOR.into(),
        extraData: vec![9].into(),
    }
    .abi_encode()
}

fn found(account: Address) -> Vec<u8> {
    resolveWithGatewaysCall::abi_encode_returns(&resolveWithGatewaysReturn {
        result: account.abi_encode().into(),
        resolver: Address::ZERO,
    })
}

#[tokio::test]
async fn the_question_carries_the_name_in_dns_form_and_its_node() {
    let node = contract(|data| {
        let call = resolveWithGatewaysCall::abi_decode(&data).unwrap();
        assert_eq!(&call.name[..], b"\x05alice\x03eth\0");
        // EIP-137 of alice.eth.
        let hash = hex!("787192fc5378cc32aa956ddfdedbf26b24e8d78e40109add0eea2c1a012c3dec");
        assert_eq!(&call.data[..], [hex!("3b3b57de").as_slice(), &hash].concat());
        assert_eq!(call.gateways, ["x-batch-gateway:true"]);
        Ok(found(Address::repeat_byte(7)))
    })
    .await;
    let server = server(&node.url, &[]).await;
    assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, Ok(Some(Address::repeat_byte(7))));
}

#[tokio::test]
async fn a_gateway_without_a_place_for_data_is_posted_to() {
    let mut web = Web::start(|_| axum::Json(json!({ "data": "0xabcd" }))).await;
    let url = web.url("/post/{sender}");
    let node = contract(move |data| match callbackCall::abi_decode(&data) {
        Ok(call) => {
            assert_eq!((&call.response[..], &call.extra[..]), (&[0xab, 0xcd][..], &[9][..]));
            Ok(found(Address::repeat_byte(5)))
        }
        Err(_) => Err(lookup(UNIVERSAL, vec![url.clone()])),
    })
    .await;
    let server = server(&node.url, &[web.port]).await;
    assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, Ok(Some(Address::repeat_byte(5))));
    let heard = web.heard().unwrap();
    let small = UNIVERSAL.to_ascii_lowercase();
    assert_eq!((heard.method.as_str(), heard.path), ("POST", format!("/post/{small}")));
    assert_eq!(serde_json::from_slice::<Value>(&heard.body).unwrap(), json!({ "data": "0x010203", "sender": small }));
}

#[tokio::test]
async fn a_contract_that_sends_on_for_ever_or_for_another_is_not_followed() {
    let mut web = Web::start(|_| axum::Json(json!({ "data": "0x" }))).await;
    let url = web.url("/{data}");
    let node = contract(move |_| Err(lookup(UNIVERSAL, vec![url.clone()]))).await;
    let server_of_endless = server(&node.url, &[web.port]).await;
    assert_eq!(ens::account_of(&server_of_endless.state, &name("alice.eth")).await, Ok(None));
    let hops = std::iter::from_fn(|| web.heard()).count();
    assert_eq!(hops, 5);
    assert_eq!(node.unread(), 5);
    let url = web.url("/{data}");
    let node = contract(move |_| Err(lookup(&Address::repeat_byte(1).to_string(), vec![url.clone()]))).await;
    let server_of_another = server(&node.url, &[web.port]).await;
    assert_eq!(ens::account_of(&server_of_another.state, &name("alice.eth")).await, Ok(None));
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn a_refusal_or_nonsense_of_the_contract_is_nothing_and_its_absence_is_said() {
    let at_a_gateway = |status| HttpError { status, message: "x".into() }.abi_encode();
    let table: Vec<(Script, Result<Option<Address>, LookupFailed>)> = vec![
        (Err(Vec::new()), Ok(None)),
        (Err(vec![1, 2, 3]), Ok(None)),
        (Err(ResolverNotFound { name: vec![0].into() }.abi_encode()), Ok(None)),
        (Err(at_a_gateway(404)), Ok(None)),
        (Err(at_a_gateway(502)), Err(LookupFailed::Gateway)),
        (Err(lookup(UNIVERSAL, Vec::new())), Ok(None)),
        (Err(lookup(UNIVERSAL, vec!["nonsense".into()])), Ok(None)),
        (Err(OffchainLookup::SELECTOR.to_vec()), Ok(None)),
        (Ok(found(Address::ZERO)), Ok(None)),
        // A result that is no address.
        (Ok((Bytes::from(vec![1]), Address::ZERO).abi_encode_params()), Ok(None)),
        // What a call to an account without code returns.
        (Ok(Vec::new()), Err(LookupFailed::NoResolver)),
        (Ok(vec![0xff; 64]), Err(LookupFailed::NoResolver)),
    ];
    for (said, expected) in table {
        let scripted = said.clone();
        let node = contract(move |_| scripted.clone()).await;
        let server = server(&node.url, &[]).await;
        assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, expected, "{said:?}");
    }
}

/// A node that says this to every call.
async fn says(answer: Value) -> Upstream {
    Upstream::start(move |body| {
        let say = |call: &Value| {
            let mut answer = answer.clone();
            answer["id"] = call["id"].clone();
            answer
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(say).collect(),
            call => say(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await
}

#[tokio::test]
async fn a_node_that_is_away_or_too_busy_is_no_answer() {
    let asked = name("alice.eth");
    let busy = says(json!({ "error": { "code": -32005, "message": "limit exceeded" } })).await;
    let odd = says(json!({ "result": { "a": 1 } })).await;
    for node in [Upstream::absent().await, Upstream::hangs_up().await, busy.url.clone(), odd.url.clone()] {
        let server = server(&node, &[]).await;
        assert_eq!(ens::account_of(&server.state, &asked).await, Err(LookupFailed::Node), "{node}");
        assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Err(LookupFailed::Node), "{node}");
    }
}

#[tokio::test]
async fn a_name_counts_only_in_its_normal_form() {
    let said = Arc::new(Mutex::new(String::new()));
    let primary = said.clone();
    let node = contract(move |data| {
        let call = reverseWithGatewaysCall::abi_decode(&data).unwrap();
        assert_eq!((call.lookupAddress.len(), call.coinType), (20, U256::from(60)));
        let found = reverseWithGatewaysReturn {
            primary: primary.lock().unwrap().clone(),
            resolver: Address::ZERO,
            reverseResolver: Address::ZERO,
        };
        Ok(reverseWithGatewaysCall::abi_encode_returns(&found))
    })
    .await;
    let server = server(&node.url, &[]).await;
    for refused in ["", "Alice.eth", "alice.eth.", "a b.eth", "v\u{0456}talik.eth", "alice\u{200b}.eth", "xn--ls8h.eth"]
    {
        refused.clone_into(&mut said.lock().unwrap());
        assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Ok(None), "{refused}");
    }
    "alice.eth".clone_into(&mut said.lock().unwrap());
    assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Ok(Some(name("alice.eth"))));
}

#[tokio::test]
async fn without_its_chain_there_are_no_names() {
    let server = Server::configured("").await;
    assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, Ok(None));
    assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Ok(None));
}

#[test]
fn a_name_is_normalised_before_anything_else() {
    for (typed, normal) in [
        ("vitalik.eth", "vitalik.eth"),
        ("BRANTLY.Eth", "brantly.eth"),
        ("\u{2167}.eth", "viii.eth"),
        ("\u{d6}bb.at", "\u{f6}bb.at"),
        ("\u{2460}\u{24b6}", "1a"),
        ("a'a\u{2019}a", "a\u{2019}a\u{2019}a"),
        ("__a", "__a"),
        ("a\u{200b}.eth", "a.eth"),
        ("$\u{20bf}", "$\u{20bf}"),
        // An emoji is one whether it is styled or not; what joins several stays, what styles them goes.
        ("\u{1f4a9}\u{fe0f}.eth", "\u{1f4a9}.eth"),
        ("1\u{fe0f}\u{20e3}2\u{fe0f}\u{20e3}.eth", "1\u{20e3}2\u{20e3}.eth"),
        ("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}.eth", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}.eth"),
        ("\u{1f3f4}\u{200d}\u{2620}\u{fe0f}", "\u{1f3f4}\u{200d}\u{2620}"),
        ("\u{1f1fa}\u{1f1f8}", "\u{1f1fa}\u{1f1f8}"),
        // Whole names of one script.
        ("\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}", "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}"),
        ("\u{540d}\u{524d}.eth", "\u{540d}\u{524d}.eth"),
        ("\u{6f0}\u{6f1}", "\u{660}\u{661}"),
        ("e\u{301}.eth", "\u{e9}.eth"),
    ] {
        assert_eq!(EnsName::parse(typed).map(|name| name.to_string()).as_deref(), Ok(normal), "{typed}");
    }
    for typed in [
        ".",
        ".eth",
        "eth.",
        "a..eth",
        " ",
        "a b.eth",
        " a.eth",
        "a.eth\n",
        "a\0.eth",
        "a_b.eth",
        "te--st.eth",
        "xn--ls8h.eth",
        "'a.eth",
        "a'.eth",
        "a''a.eth",
        // What nobody sees.
        "a\u{200d}.eth",
        "\u{200d}a.eth",
        "a\u{ad}.eth\u{200c}",
        "\u{202e}a.eth",
        "a\u{2066}b.eth",
        // What looks like something else: mixed scripts, whole scripts, stops, slashes.
        "p\u{430}ypal.eth",
        "\u{0440}\u{0430}\u{0443}\u{0440}\u{0430}\u{04cf}.eth",
        "v\u{0456}talik.eth",
        "\u{3bf}pen\u{3bf}.eth",
        "a\u{ff0e}eth",
        "a\u{3002}eth",
        "a/b.eth",
        "a#b.eth",
        "a?b.eth",
        "a@b.eth",
        "a\\b.eth",
        // Marks without a letter, too many, or on a picture; pictures that no one draws.
        "\u{303}a.eth",
        "a\u{303}\u{303}.eth",
        "\u{1f4a9}\u{303}.eth",
        "\u{1f4a9}\u{200d}\u{1f4a9}.eth",
        "\u{1f3f4}\u{e0077}\u{e0074}\u{e0066}\u{e007f}",
        "a\u{b7}b",
    ] {
        assert_eq!(EnsName::parse(typed), Err(NotAName::Form), "{typed:?}");
    }
    for typed in [String::new(), "a".repeat(256), "a".repeat(254), "\u{2167}".repeat(85)] {
        assert_eq!(EnsName::parse(&typed), Err(NotAName::Length));
    }
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
