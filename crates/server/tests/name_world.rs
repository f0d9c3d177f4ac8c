//! Names and a real chain: what the gateway signs is believed there, and smart accounts sign for names.

mod support;

use alloy_primitives::{Address, Bytes, Signature, U256, hex, keccak256};
use alloy_sol_types::SolValue;
use axum::http::StatusCode;
use portico_explorer::testing::Anvil;
use serde_json::{Value, json};
use support::names::{NAMES, SIGNER, Visitor, fresh, send, value};
use support::{Server, reason, status_and_text};

const ACCOUNT: &str = include_str!("../contracts/Account.hex");
const FACTORY: &str = include_str!("../contracts/AccountFactory.hex");
const WRAPPED: [u8; 32] = hex!("6492649264926492649264926492649264926492649264926492649264926492");

/// The chain of the world, as coin type of ENSIP-11.
const COIN_TYPE: u32 = 0x8000_0000 | 31337;

fn chain(url: &str) -> String {
    format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [\"{url}\"]\n")
}

async fn beside(anvil: &Anvil) -> Server {
    Server::configured(&format!("{NAMES}{}", chain(&anvil.url))).await
}

fn selector(function: &str) -> Vec<u8> {
    keccak256(function)[..4].to_vec()
}

/// `eth_call` by way of the server: the result, or the data of the revert.
async fn call(server: &Server, to: Address, data: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let call = json!({"to": to.to_string(), "data": hex::encode_prefixed(data)});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [call, "latest"]});
    let answer = value(&server.rpc(body.to_string()).await.1);
    let bytes = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    if answer["error"].is_null() { Ok(bytes(&answer["result"])) } else { Err(bytes(&answer["error"]["data"])) }
}

/// Asks the resolver about a name as any client of ENS does: the contract, the gateway, the contract again (EIP-3668).
async fn resolve(server: &Server, resolver: Address, name: &[u8], data: Vec<u8>) -> Bytes {
    let question = (Bytes::copy_from_slice(name), Bytes::from(data)).abi_encode_params();
    let lookup = call(server, resolver, &[selector("resolve(bytes,bytes)"), question].concat()).await.unwrap_err();
    assert_eq!(lookup[..4], selector("OffchainLookup(address,string[],bytes,bytes4,bytes)"));
    let (sender, urls, request, callback, extra) =
        <(Address, Vec<String>, Bytes, alloy_primitives::FixedBytes<4>, Bytes)>::abi_decode_params(&lookup[4..])
            .unwrap();
    assert_eq!(sender, resolver);
    let path = urls[0].strip_prefix("https://names.example").unwrap();
    let path = path.replace("{sender}", &sender.to_string().to_lowercase()).replace("{data}", &request.to_string());
    let (status, text) = status_and_text(server.get(&path).await).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let response: Bytes = value(&text)["data"].as_str().unwrap().parse().unwrap();
    let taken = [callback.to_vec(), (response, extra).abi_encode_params()].concat();
    let result = call(server, resolver, &taken).await.expect("the contract believes the gateway");
    <(Bytes,)>::abi_decode_params(&result).unwrap().0
}

#[tokio::test]
async fn a_name_registered_by_http_resolves_on_chain() {
    let anvil = Anvil::start();
    let resolver = anvil.addresses.contract("offchainResolver");
    let server = Server::configured(&format!(
        "[names]\nparent = \"portico.eth\"\nresolver = \"{resolver}\"\nsigner_key = \"{SIGNER}\"\n{}",
        chain(&anvil.url)
    ))
    .await;
    anvil.use_gateway("https://names.example/v1/ens/{sender}/{data}.json", anvil.addresses.accounts[8]).await;
    let alice = Visitor::new(1);
    let says = json!({"name": "alice.portico.eth", "attributes": {"bio": "on chain"}});
    assert_eq!(alice.ask(&server, "", says).await.0, StatusCode::OK);
    let addr = [selector("addr(bytes32)"), vec![0; 32]].concat();
    let name = b"\x05alice\x07portico\x03eth\x00";
    let told = resolve(&server, resolver, name, addr.clone()).await;
    assert_eq!(told, alice.address().parse::<Address>().unwrap().abi_encode());
    let bio = (U256::ZERO, "description".to_owned()).abi_encode_params();
    let told = resolve(&server, resolver, name, [selector("text(bytes32,string)"), bio].concat()).await;
    assert_eq!(told, "on chain".to_owned().abi_encode());
    let told = resolve(&server, resolver, b"\x05bobby\x07portico\x03eth\x00", addr).await;
    assert_eq!(told, Address::ZERO.abi_encode());
}

/// Deploys a contract of the tests.
async fn deploy(anvil: &Anvil, code: &str, arguments: Vec<u8>) -> Address {
    let data = format!("0x{}{}", code.trim_end(), hex::encode(arguments));
    let receipt = anvil.send(json!({"from": anvil.addresses.accounts[7], "data": data})).await;
    receipt["contractAddress"].as_str().unwrap().parse().unwrap()
}

/// The body by which `account` asks for a name, its signature made from the message.
async fn body(server: &Server, coin_type: u32, account: Address, name: &str, sign: impl Fn(&str) -> String) -> Value {
    let message = fresh(server, json!({"name": name})).await;
    json!({"coinType": coin_type, "address": account.to_string(), "signature": sign(&message), "message": message})
}

async fn status(server: &Server, body: &Value) -> u16 {
    let (status, text) = send(server, "", body).await;
    assert!(status == StatusCode::OK || reason(&text).0 == "signature", "{text}");
    status.as_u16()
}

#[tokio::test]
async fn a_smart_account_registers_by_erc_1271_on_its_own_chain() {
    let anvil = Anvil::start();
    let server = beside(&anvil).await;
    let (owner, stranger) = (Visitor::new(1), Visitor::new(2));
    let account = deploy(&anvil, ACCOUNT, owner.address().parse::<Address>().unwrap().abi_encode()).await;
    let by = |who: &'static str| {
        let visitor = Visitor::new(if who == "owner" { 1 } else { 2 });
        move |message: &str| visitor.sign(message)
    };
    let other_chain = 0x8000_0000 | 10;
    for (coin_type, signer, address) in [
        (COIN_TYPE, "stranger", account),
        (other_chain, "owner", account),
        (COIN_TYPE, "owner", anvil.addresses.contract("usdc")),
        (COIN_TYPE, "owner", stranger.address().parse().unwrap()),
    ] {
        let body = body(&server, coin_type, address, "smart", by(signer)).await;
        assert_eq!(status(&server, &body).await, 401, "{body}");
    }
    let mut changed = body(&server, COIN_TYPE, account, "smart", by("owner")).await;
    changed["message"] = changed["message"].as_str().unwrap().replace("smart", "smarter").into();
    assert_eq!(status(&server, &changed).await, 401);
    let good = body(&server, COIN_TYPE, account, "smart", by("owner")).await;
    let (status, text) = send(&server, "", &good).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let addresses = &value(&text)["addresses"];
    for coin_type in ["60", &COIN_TYPE.to_string()] {
        assert_eq!(addresses[coin_type]["address"], account.to_checksum(None), "{coin_type}");
    }
}

#[tokio::test]
async fn an_account_that_is_not_deployed_yet_registers_by_erc_6492() {
    let anvil = Anvil::start();
    let server = beside(&anvil).await;
    let (owner, stranger) = (Visitor::new(1), Visitor::new(2));
    let factory = deploy(&anvil, FACTORY, Vec::new()).await;
    let of = |visitor: &Visitor| visitor.address().parse::<Address>().unwrap().abi_encode();
    let found = call(&server, factory, &[selector("addressOf(address)"), of(&owner)].concat()).await.unwrap();
    let account = Address::from_slice(&found[12..]);
    let wrapped = |order_for: &Visitor, signature: &str| {
        let order = Bytes::from([selector("deploy(address)"), of(order_for)].concat());
        let inner: Bytes = signature.parse().unwrap();
        hex::encode_prefixed([(factory, order, inner).abi_encode_params(), WRAPPED.to_vec()].concat())
    };
    let hostile: [&dyn Fn(&str) -> String; 6] = [
        // Not wrapped, so there is no account.
        &|message| owner.sign(message),
        &|message| wrapped(&owner, &stranger.sign(message)),
        // Deploys somebody else's account.
        &|message| wrapped(&stranger, &owner.sign(message)),
        &|_| wrapped(&owner, "0x"),
        &|_| hex::encode_prefixed(WRAPPED),
        &|_| hex::encode_prefixed([[255; 96].as_slice(), &WRAPPED].concat()),
    ];
    for sign in hostile {
        let body = body(&server, COIN_TYPE, account, "unborn", sign).await;
        assert_eq!(status(&server, &body).await, 401, "{body}");
    }
    // An order to a factory makes no contract of an account with a key.
    let victim = stranger.address().parse().unwrap();
    let forged = body(&server, COIN_TYPE, victim, "unborn", |message| wrapped(&owner, &owner.sign(message))).await;
    assert_eq!(status(&server, &forged).await, 401);
    let good = body(&server, COIN_TYPE, account, "unborn", |message| wrapped(&owner, &owner.sign(message))).await;
    assert_eq!(status(&server, &good).await, 200);
    // Asking deployed nothing.
    let code = anvil.request("eth_getCode", json!([account.to_string(), "latest"])).await;
    assert_eq!(code, Some(json!("0x")));
}

#[tokio::test]
async fn the_second_form_of_a_signature_is_refused_by_the_chain_as_well() {
    let anvil = Anvil::start();
    let server = beside(&anvil).await;
    let visitor = Visitor::new(1);
    let order: U256 = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141".parse().unwrap();
    let high = |message: &str| {
        let low = Signature::from_raw(&hex::decode(visitor.sign(message)).unwrap()).unwrap();
        hex::encode_prefixed(Signature::new(low.r(), order - low.s(), !low.v()).as_bytes())
    };
    let account = visitor.address().parse().unwrap();
    assert_eq!(status(&server, &body(&server, 60, account, "malleable", high).await).await, 401);
    assert_eq!(status(&server, &body(&server, 60, account, "malleable", |text| visitor.sign(text)).await).await, 200);
}

#[tokio::test]
async fn a_chain_that_does_not_answer_is_no_verdict() {
    let server = Server::configured(&format!("{NAMES}{}", chain(&support::Upstream::absent().await))).await;
    let (visitor, stranger) = (Visitor::new(1), Visitor::new(2));
    let account = visitor.address().parse().unwrap();
    let doubtful = body(&server, 60, account, "alice", |message| stranger.sign(message)).await;
    assert_eq!(status(&server, &doubtful).await, 503);
    // What an account signed with its key needs no chain.
    assert_eq!(visitor.register(&server, "alice").await.0, StatusCode::OK);
}
