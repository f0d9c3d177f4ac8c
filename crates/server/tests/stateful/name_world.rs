//! Names and a real chain: contracts accept the gateway's signature, and smart accounts sign for names.

use crate::support;
use alloy_primitives::{Address, Bytes, Signature, U256, hex, keccak256};
use alloy_sol_types::SolValue;
use axum::http::StatusCode;
use portico_explorer::testing::Anvil;
use serde_json::{Value, json};
use support::names::{NAMES, SIGNER, Visitor, fields, get, nonce, send, text, value};
use support::{Server, reason, status_and_text};

const ACCOUNT: &str = include_str!("../../contracts/Account.hex");
const FACTORY: &str = include_str!("../../contracts/AccountFactory.hex");
const WRAPPED: [u8; 32] = hex!("6492649264926492649264926492649264926492649264926492649264926492");

/// ENSIP-11 coin type of the world's chain.
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

/// `eth_call` through the server: return data, or revert data.
async fn call(server: &Server, to: Address, data: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let call = json!({"to": to.to_string(), "data": hex::encode_prefixed(data)});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [call, "latest"]});
    let answer = value(&server.rpc(body.to_string()).await.1);
    let bytes = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    if answer["error"].is_null() { Ok(bytes(&answer["result"])) } else { Err(bytes(&answer["error"]["data"])) }
}

/// Resolves a name like an ENS client: contract, gateway, contract again (EIP-3668).
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

/// Deploys a test contract.
async fn deploy(anvil: &Anvil, code: &str, arguments: Vec<u8>) -> Address {
    let data = format!("0x{}{}", code.trim_end(), hex::encode(arguments));
    let receipt = anvil.send(json!({"from": anvil.addresses.accounts[7], "data": data})).await;
    receipt["contractAddress"].as_str().unwrap().parse().unwrap()
}

/// Request body with which `account` asks for a name; `sign` signs the message.
async fn body(server: &Server, coin_type: u32, account: Address, name: &str, sign: impl Fn(&str) -> String) -> Value {
    let mut body = fields(&account.to_string(), json!({"name": name}), &nonce(server).await);
    body["coinType"] = coin_type.into();
    let message = text("", &body);
    body["signature"] = sign(&message).into();
    body["message"] = message.into();
    body
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
    changed["name"] = "smarter".into();
    assert_eq!(status(&server, &changed).await, 401);
    let good = body(&server, COIN_TYPE, account, "smart", by("owner")).await;
    let (status, text) = send(&server, "", &good).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let addresses = &value(&text)["addresses"];
    assert_eq!(addresses[COIN_TYPE.to_string()]["address"], account.to_checksum(None));
    assert_eq!(addresses.as_object().unwrap().len(), 1, "it leads to no chain on which nothing is proven");
}

/// Two chains and a server that serves both, the first as Ethereum; at the same address there is an account of the first visitor on the
/// first chain and one of the second visitor on the second chain.
struct Twins {
    server: Server,
    address: Address,
    _chains: [Anvil; 2],
}

const ELSEWHERE: u32 = 0x8000_0000 | 10;

impl Twins {
    async fn new() -> Twins {
        let chains = [Anvil::start(), Anvil::start()];
        let config = format!(
            "{NAMES}ens_chain = \"eip155:31337\"\n{}{}",
            chain(&chains[0].url),
            chain(&chains[1].url).replace("31337", "10")
        );
        let mut found = Vec::new();
        for (place, anvil) in chains.iter().enumerate() {
            let owner = Visitor::new(u8::try_from(place).unwrap() + 1).address().parse::<Address>().unwrap();
            found.push(deploy(anvil, ACCOUNT, owner.abi_encode()).await);
        }
        assert_eq!(found[0], found[1]);
        Twins { server: Server::configured(&config).await, address: found[0], _chains: chains }
    }

    /// Request of the contract at the shared address on the chain of this coin type, signed by visitor `who`.
    async fn ask(&self, who: u8, coin_type: u32, path: &str, says: Value) -> (u16, String) {
        let mut body = fields(&self.address.to_string(), says, &nonce(&self.server).await);
        body["coinType"] = coin_type.into();
        let body = Visitor::new(who).signed(path, body);
        let (status, text) = send(&self.server, path, &body).await;
        (status.as_u16(), text)
    }

    /// Names of the shared address on the chain of this coin type.
    async fn names(&self, coin_type: Option<u32>) -> Vec<String> {
        let coin_type = coin_type.map_or(String::new(), |coin_type| format!("{coin_type}/"));
        let text = get(&self.server, &format!("reverse/{coin_type}{}?apiVersion=2", self.address)).await.1;
        value(&text).as_array().unwrap().iter().map(|record| record["name"].as_str().unwrap().into()).collect()
    }
}

#[tokio::test]
async fn a_contract_gets_no_name_for_whoever_is_at_its_address_on_another_chain() {
    let twins = Twins::new().await;
    // The signature is checked on the named chain, and only a key can sign for the coin type of all chains.
    for coin_type in [60, COIN_TYPE, 0x8000_0000] {
        assert_eq!(twins.ask(2, coin_type, "", json!({"name": "evil-twin"})).await.0, 401, "{coin_type}");
    }
    assert_eq!(twins.ask(1, ELSEWHERE, "", json!({"name": "evil-twin"})).await.0, 401);
    let (status, text) = twins.ask(2, ELSEWHERE, "", json!({"name": "evil-twin"})).await;
    assert_eq!(status, 200, "{text}");
    let addresses = value(&text)["addresses"].clone();
    assert_eq!(addresses.as_object().unwrap().keys().collect::<Vec<_>>(), [&ELSEWHERE.to_string()]);
    // The name may point anywhere, but no address has it as its name.
    let pointed = json!({"to": {"coinType": 60, "address": twins.address.to_string()}});
    assert_eq!(twins.ask(2, ELSEWHERE, "/evil-twin/address", pointed).await.0, 200);
    let pointed = json!({"to": {"coinType": COIN_TYPE, "address": twins.address.to_string()}});
    assert_eq!(twins.ask(2, ELSEWHERE, "/evil-twin/address", pointed).await.0, 200);
    for coin_type in [None, Some(60), Some(COIN_TYPE), Some(0x8000_0000)] {
        assert!(twins.names(coin_type).await.is_empty(), "{coin_type:?}");
    }
    assert_eq!(twins.names(Some(ELSEWHERE)).await, ["evil-twin.portico.eth"]);
    let identity = twins.server.get(&format!("/v1/identity/{}?projectId=demo", twins.address)).await;
    assert!(!status_and_text(identity).await.1.contains("evil-twin"));
    // And it does not count as a name of the account on Ethereum.
    let (status, text) = twins.ask(1, COIN_TYPE, "", json!({"name": "good-twin"})).await;
    assert_eq!(status, 200, "{text}");
    let addresses = value(&text)["addresses"].clone();
    assert_eq!(addresses["60"]["address"], addresses[COIN_TYPE.to_string()]["address"]);
    for coin_type in [None, Some(60), Some(COIN_TYPE)] {
        assert_eq!(twins.names(coin_type).await, ["good-twin.portico.eth"], "{coin_type:?}");
    }
    assert_eq!(twins.names(Some(ELSEWHERE)).await, ["evil-twin.portico.eth"]);
}

#[tokio::test]
async fn a_contract_changes_no_name_of_whoever_is_at_its_address_on_another_chain() {
    let twins = Twins::new().await;
    assert_eq!(twins.ask(1, 60, "", json!({"name": "good-twin"})).await.0, 200);
    let stranger = Visitor::new(3).address();
    for (path, says) in [
        ("/good-twin/attributes", json!({"attributes": {"bio": "evil"}})),
        ("/good-twin/address", json!({"to": {"coinType": 60, "address": stranger}})),
        ("/good-twin/transfer", json!({"to": {"address": stranger}})),
        ("/good-twin/release", json!({})),
    ] {
        let (status, text) = twins.ask(2, ELSEWHERE, path, says).await;
        assert_eq!((status, reason(&text).1.as_str()), (401, "This name belongs to another account"), "{path}");
    }
    // Two coin types stand for the chain that is Ethereum here.
    let bio = json!({"attributes": {"bio": "mine"}});
    assert_eq!(twins.ask(1, COIN_TYPE, "/good-twin/attributes", bio).await.0, 200);
    assert_eq!(twins.ask(1, 60, "/good-twin/release", json!({})).await.0, 200);
    // The released name is reserved for its last owner.
    assert_eq!(twins.ask(2, ELSEWHERE, "", json!({"name": "good-twin"})).await.0, 409);
    assert_eq!(twins.ask(1, 60, "", json!({"name": "good-twin"})).await.0, 200);
}

#[tokio::test]
async fn a_name_is_given_to_the_account_of_one_chain() {
    let twins = Twins::new().await;
    let bobby = Visitor::new(3);
    assert_eq!(bobby.register(&twins.server, "bobby").await.0, StatusCode::OK);
    let give = |coin_type: Value| json!({"to": {"address": twins.address.to_string(), "coinType": coin_type}});
    for coin_type in [json!(501), json!(0x8000_0000_u32), json!("60"), json!(-1)] {
        let (status, text) = bobby.ask(&twins.server, "/bobby/transfer", give(coin_type)).await;
        assert_eq!((status.as_u16(), reason(&text).0.as_str()), (422, "to"), "{text}");
    }
    // Without a coin type the chain is Ethereum.
    let (status, text) = bobby.ask(&twins.server, "/bobby/transfer", give(Value::Null)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert_eq!(value(&text)["addresses"].as_object().unwrap().keys().collect::<Vec<_>>(), ["60"]);
    let back = json!({"to": {"address": bobby.address()}});
    assert_eq!(twins.ask(2, ELSEWHERE, "/bobby/transfer", back.clone()).await.0, 401);
    assert_eq!(twins.ask(1, 60, "/bobby/transfer", back).await.0, 200);
    // A key controls the account of the chain for which it received the name.
    let (status, text) = bobby.ask(&twins.server, "/bobby/transfer", give(json!(ELSEWHERE))).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert_eq!(value(&text)["addresses"].as_object().unwrap().keys().collect::<Vec<_>>(), [&ELSEWHERE.to_string()]);
    let release = json!({});
    assert_eq!(twins.ask(1, 60, "/bobby/release", release.clone()).await.0, 401);
    assert_eq!(twins.ask(2, ELSEWHERE, "/bobby/release", release).await.0, 200);
    // The counts are back: each account may have a name again.
    for (who, coin_type, name) in [(1, 60, "first"), (2, ELSEWHERE, "second")] {
        assert_eq!(twins.ask(who, coin_type, "", json!({"name": name})).await.0, 200, "{name}");
    }
    assert_eq!(bobby.register(&twins.server, "third").await.0, StatusCode::OK);
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
        // Without the ERC-6492 wrapper there is no account.
        &|message| owner.sign(message),
        &|message| wrapped(&owner, &stranger.sign(message)),
        // Deploys another account.
        &|message| wrapped(&stranger, &owner.sign(message)),
        &|_| wrapped(&owner, "0x"),
        &|_| hex::encode_prefixed(WRAPPED),
        &|_| hex::encode_prefixed([[255; 96].as_slice(), &WRAPPED].concat()),
    ];
    for sign in hostile {
        let body = body(&server, COIN_TYPE, account, "unborn", sign).await;
        assert_eq!(status(&server, &body).await, 401, "{body}");
    }
    // A factory call does not turn an account with a key into a contract.
    let victim = stranger.address().parse().unwrap();
    let forged = body(&server, COIN_TYPE, victim, "unborn", |message| wrapped(&owner, &owner.sign(message))).await;
    assert_eq!(status(&server, &forged).await, 401);
    let good = body(&server, COIN_TYPE, account, "unborn", |message| wrapped(&owner, &owner.sign(message))).await;
    assert_eq!(status(&server, &good).await, 200);
    // The check deployed nothing.
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
    assert_eq!(status(&server, &body(&server, COIN_TYPE, account, "malleable", high).await).await, 401);
    let low = body(&server, COIN_TYPE, account, "malleable", |text| visitor.sign(text)).await;
    assert_eq!(status(&server, &low).await, 200);
}

#[tokio::test]
async fn a_chain_that_does_not_answer_is_no_verdict() {
    let server = Server::configured(&format!("{NAMES}{}", chain(&support::Upstream::absent().await))).await;
    let (visitor, stranger) = (Visitor::new(1), Visitor::new(2));
    let account = visitor.address().parse().unwrap();
    let doubtful = body(&server, COIN_TYPE, account, "alice", |message| stranger.sign(message)).await;
    assert_eq!(status(&server, &doubtful).await, 503);
    // A signature of a key needs no chain.
    assert_eq!(visitor.register(&server, "alice").await.0, StatusCode::OK);
}
