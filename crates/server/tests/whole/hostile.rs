//! A server or a node that lies: the core runs its journeys against real answers of the real router and chain in which one field at a time
//! is wrong. Whatever the lie, the wallet is asked for what the visitor meant, or for nothing.
//!
//! The server lies in every answer, those of its own node included, while the node of the network is honest; and the other way round.

mod meant;

use super::lies::{KINDS, Key, Liar, Lie, leaves, missing, path_of, spoilt};
use super::support::exchange::{COIN, settings};
use super::support::names::SIGNER;
use super::support::{Server, status_and_text};
use super::{HOST, runtime};
use axum::body::Body;
use axum::http::Request;
use portico_core::modal::{Event as Modal, View};
use portico_core::name::Event as Name;
use portico_core::send::Event as Send;
use portico_core::swap::{Event as Swap, Target};
use portico_core::{Event, Outcome};
use portico_explorer::testing::{Addresses, Anvil};
use portico_json::parse;
use portico_testkit::{Backend, Behaviour, ScriptedWallet, Store, World, options};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// Requests that a page may send to a wallet without moving anything.
const HARMLESS: [&str; 5] =
    ["eth_requestAccounts", "eth_accounts", "eth_chainId", "wallet_getCapabilities", "wallet_getAssets"];

/// Requests that move something, or that could.
const ASKS: [&str; 3] = ["eth_sendTransaction", "wallet_sendCalls", "personal_sign"];

/// Contracts of the exchanges: Uniswap V2, and V3's newer router.
const EXCHANGES: [&str; 2] = ["uniswapV2Router", "uniswapV3Router"];

/// Tokens that are sent or swapped: 2 USDC.
const PAID: u64 = 2_000_000;

fn padded(address: &str) -> String {
    format!("{:0>64}", address.trim_start_matches("0x"))
}

fn lower(object: &Value, field: &str) -> String {
    object[field].as_str().unwrap_or("0x").to_lowercase()
}

/// A chain with a server, and the answers of both by request, so that each is asked once.
struct Ground {
    runtime: Arc<Runtime>,
    server: Arc<Server>,
    anvil: Anvil,
    now: u64,
    answers: Rc<RefCell<BTreeMap<Key, (u16, String)>>>,
}

/// What the visitor does.
#[derive(Clone, Copy, Debug)]
enum Journey {
    SendToName,
    SendToken,
    SwapCoin,
    SwapToken,
    /// A token whose exact amount both exchanges may take already.
    SwapApproved,
    /// By a wallet that does approval and swap in one step (EIP-5792).
    SwapTogether,
    RegisterName,
}

/// What the wallet was asked to sign.
#[derive(Clone, Debug)]
struct Asked {
    /// Transaction, batch or text.
    call: Value,
    /// Minimum of a swap in the preview, as the visitor confirmed it.
    minimum: String,
}

impl Ground {
    fn new() -> Ground {
        let runtime = runtime();
        let (server, anvil) = runtime.block_on(async {
            let anvil = Anvil::start();
            let folder = tempfile::tempdir().unwrap();
            let token = |name: &str, decimals: u8| {
                let address = anvil.addresses.contract(name);
                json!({"chainId": 31337, "address": address, "name": name, "symbol": name, "decimals": decimals})
            };
            let tokens = json!({"tokens": [token("weth", 18), token("usdc", 6), token("dai", 18)]});
            let file = folder.path().join("tokens.json");
            std::fs::write(&file, tokens.to_string()).unwrap();
            let router = anvil.addresses.contract("uniswapV2Router").to_string();
            let resolver = anvil.addresses.contract("offchainResolver");
            let names = format!(
                "[names]\nparent = \"portico.eth\"\nresolver = \"{resolver}\"\nsigner_key = \"{SIGNER}\"\nens_chain = \"eip155:31337\"\n"
            );
            let text = settings(&anvil, &router, &format!("tokens = {file:?}\n"));
            (Arc::new(Server::configured(&(text + &names)).await), anvil)
        });
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64;
        Ground { runtime, server, anvil, now, answers: Rc::default() }
    }

    /// The chain of this journey: with an approval where it begins after one.
    fn of(journey: Journey) -> Ground {
        let ground = Ground::new();
        if matches!(journey, Journey::SwapApproved) {
            let (from, usdc) = (ground.addresses().accounts[0], ground.addresses().contract("usdc"));
            for router in EXCHANGES {
                let router = ground.addresses().contract(router).to_string().to_lowercase();
                let data = format!("0x095ea7b3{}{PAID:064x}", padded(&router));
                let receipt =
                    ground.runtime.block_on(ground.anvil.send(json!({"from": from, "to": usdc, "data": data})));
                assert_eq!(receipt["status"], "0x1");
            }
        }
        ground
    }

    fn addresses(&self) -> &Addresses {
        &self.anvil.addresses
    }

    /// Answers of the router, wrong where the lie says so.
    fn backend(&self, lie: Option<Lie>) -> Backend {
        let (runtime, server, answers) = (self.runtime.clone(), self.server.clone(), self.answers.clone());
        Backend::new(move |method, url, body| {
            let key = (method.word().to_owned(), url.to_owned(), body.unwrap_or_default().to_owned());
            let known = answers.borrow().get(&key).cloned();
            let (status, text) = known.unwrap_or_else(|| {
                let path = url.strip_prefix(HOST).unwrap();
                let request = Request::builder().method(method.word()).uri(path).header("origin", HOST);
                let request =
                    request.header("content-type", "application/json").body(Body::from(key.2.clone())).unwrap();
                let (status, text) = runtime.block_on(async { status_and_text(server.send(request).await).await });
                answers.borrow_mut().insert(key.clone(), (status.as_u16(), text.clone()));
                (status.as_u16(), text)
            });
            let body = match &lie {
                Some(lie) if path_of(&key) == lie.path => spoilt(&text, lie).unwrap_or(text),
                _ => text,
            };
            Outcome::HttpAnswered { status, retry_after: None, body }
        })
    }

    /// Page whose server or network tells this lie.
    fn world(&self, journey: Journey, lie: Option<Lie>) -> World {
        let contract = |protocol: &str, name: &str| {
            format!(r#"{{"protocol":"{protocol}","address":"{}"}}"#, self.addresses().contract(name))
        };
        let contracts = [
            contract("wrapped-coin", "weth"),
            contract("uniswap-v2", "uniswapV2Router"),
            contract("uniswap-swap-router-02", "uniswapV3Router"),
        ];
        let more = format!(
            r#"{{"endpoints":"{HOST}","ensChain":"eip155:31337","swapContracts":{{"eip155:31337":[{}]}},"#,
            contracts.join(",")
        );
        let options = options().replacen('{', &more, 1).replace(r#""projectId":"test""#, r#""projectId":"demo""#);
        let mut wallet = ScriptedWallet::named("Alpha Wallet");
        for method in ASKS {
            wallet = wallet.when(method, Behaviour::Refuse);
        }
        if matches!(journey, Journey::SwapTogether) {
            let able = parse(r#"{"0x7a69":{"atomic":{"status":"supported"}}}"#).unwrap();
            wallet = wallet.when("wallet_getCapabilities", Behaviour::Nonsense(able));
        }
        // Names are registered on networks that are no test networks.
        let options = match journey {
            Journey::RegisterName => options.replacen(r#""testnet":true"#, r#""testnet":false"#, 1),
            _ => options,
        };
        let mut world = World::with(&options, vec![wallet], Store::default());
        world.now = self.now;
        let of = |liar| self.backend(lie.clone().filter(|lie| lie.liar == liar));
        let (mut server, mut node) = (of(Liar::Server), of(Liar::Node));
        let own = format!("{HOST}/v1?chainId=eip155:31337&projectId=demo");
        world.node.backend = Some(Backend::new(move |method, url, body| {
            if url.starts_with(HOST) { server.answer(method, url, body) } else { node.answer(method, &own, body) }
        }));
        world.server.backend = Some(of(Liar::Server));
        world.connect_first();
        world.open(None);
        world
    }

    /// Does the journey, and returns what the wallet was asked to sign.
    fn run(&self, journey: Journey, lie: Option<Lie>) -> Vec<Asked> {
        let mut world = self.world(journey, lie);
        let mut minimum = String::new();
        let contract = |name: &str| self.addresses().contract(name).to_string();
        match journey {
            Journey::SendToName | Journey::SendToken => {
                let token = matches!(journey, Journey::SendToken);
                let bob = self.addresses().accounts[2].to_string();
                if token {
                    let arguments = format!(r#"{{"assetAddress":"{}","amount":"2","to":"{bob}"}}"#, contract("usdc"));
                    world.modal(Modal::CloseAsked);
                    world.modal(Modal::OpenAsked {
                        view: Some("WalletSend".into()),
                        namespace: None,
                        uri: None,
                        arguments: parse(&arguments).unwrap(),
                        ticket: Some(9),
                    });
                } else {
                    world.modal(Modal::ViewAsked { view: View::WalletSend });
                    world.dispatch(Event::Send(Send::ReceiverTyped { text: "alice.eth".into() }));
                    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
                }
                world.advance(500);
                world.dispatch(Event::Send(Send::ReviewAsked));
                world.advance(10_000);
                world.dispatch(Event::Send(Send::ConfirmAsked));
            }
            Journey::RegisterName => {
                world.modal(Modal::ViewAsked { view: View::ChooseAccountName });
                world.modal(Modal::ViewAsked { view: View::RegisterAccountName });
                world.dispatch(Event::Name(Name::Typed { text: "dave".into() }));
                world.advance(500);
                world.dispatch(Event::Name(Name::RegisterAsked));
            }
            Journey::SwapCoin | Journey::SwapToken | Journey::SwapApproved | Journey::SwapTogether => {
                let coin = (COIN.to_owned(), "0.5");
                let usdc = (contract("usdc"), "2");
                let (from, to) = if matches!(journey, Journey::SwapCoin) { (coin, usdc) } else { (usdc, coin) };
                world.modal(Modal::ViewAsked { view: View::Swap });
                for (target, address) in [(Target::SourceToken, from.0), (Target::ToToken, to.0)] {
                    world.dispatch(Event::Swap(Swap::SelectAsked { target }));
                    world.dispatch(Event::Swap(Swap::TokenChosen { address }));
                }
                world.dispatch(Event::Swap(Swap::AmountTyped { text: from.1.into() }));
                world.advance(500);
                world.dispatch(Event::Swap(Swap::ReviewAsked));
                world.advance(1_000);
                minimum = world.snapshot().swap.quote.map(|quote| quote.minimum_received).unwrap_or_default();
                world.dispatch(Event::Swap(Swap::ConfirmAsked));
            }
        }
        world.advance(2_000);
        assert_links_are_harmless(&serde_json::from_str(&portico_json::to_text(&world.snapshot())).unwrap(), "");
        let mut sent = Vec::new();
        for (method, params) in &world.wallet().requests {
            if ASKS.contains(&method.as_str()) {
                let call = serde_json::from_str::<Value>(&portico_json::to_text(params)).unwrap()[0].take();
                sent.push(Asked { call, minimum: minimum.clone() });
            } else {
                assert!(HARMLESS.contains(&method.as_str()), "{method}");
            }
        }
        sent
    }

    /// All lies that can be told in the answers so far. A node answers JSON-RPC alone.
    fn lies(&self, liar: Liar) -> Vec<Lie> {
        let mut fields = BTreeSet::new();
        for (key, (_, text)) in self.answers.borrow().iter() {
            if let Ok(answer) = serde_json::from_str::<Value>(text)
                && (liar == Liar::Server || path_of(key).starts_with("/v1 "))
            {
                let mut pointers = Vec::new();
                leaves(&answer, String::new(), &mut pointers);
                fields.extend(pointers.into_iter().map(|pointer| (path_of(key), pointer)));
            }
        }
        let each = |(path, pointer): (String, String)| {
            (0..KINDS).map(move |kind| Lie { liar, path: path.clone(), pointer: pointer.clone(), kind })
        };
        fields.into_iter().flat_map(each).collect()
    }
}

/// No view gets a link or an image that could run a script.
fn assert_links_are_harmless(value: &Value, name: &str) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, field)| assert_links_are_harmless(field, name)),
        Value::Array(items) => items.iter().for_each(|item| assert_links_are_harmless(item, name)),
        Value::String(text) => {
            let place = ["url", "link", "href", "image", "icon", "homepage"]
                .iter()
                .any(|end| name.to_lowercase().ends_with(end));
            assert!(!place || !text.starts_with("javascript:"), "{name}: {text}");
        }
        _ => {}
    }
}

fn tell_every_lie(journey: Journey, liar: Liar) {
    let ground = Ground::of(journey);
    let honest = ground.run(journey, None);
    assert_eq!(honest.len(), 1, "without a lie the wallet is asked once");
    assert!(ground.is_meant(journey, &honest[0]), "{:?}", honest[0]);
    for (key, (status, text)) in ground.answers.borrow().iter().filter(|(_, (status, _))| *status == 200) {
        let answer = serde_json::from_str(text).unwrap_or_default();
        assert_eq!(missing(&path_of(key), &answer), [""; 0], "{status} {key:?}: fields that would not be lied about");
    }
    let lies = ground.lies(liar);
    // Of a node, a registration reads little more than the balance.
    let least = if matches!((journey, liar), (Journey::RegisterName, Liar::Node)) { 12 } else { 40 };
    assert!(lies.len() >= least, "{} lies", lies.len());
    let (mut found, mut asked) = (Vec::new(), 0);
    for lie in lies.iter() {
        let sent = ground.run(journey, Some(lie.clone()));
        asked += sent.len();
        found.extend(sent.into_iter().filter(|sent| !ground.is_meant(journey, sent)).map(|sent| (lie.clone(), sent)));
    }
    println!("{journey:?}, {liar:?}: {} lies, the wallet was asked {asked} times", lies.len());
    assert!(found.is_empty(), "{} lies reach the wallet, the first: {:#?}", found.len(), found[0]);
}

#[test]
fn a_server_that_lies_in_any_field_changes_no_payment_to_a_name() {
    tell_every_lie(Journey::SendToName, Liar::Server);
}

#[test]
fn a_server_that_lies_in_any_field_changes_no_payment_of_a_token() {
    tell_every_lie(Journey::SendToken, Liar::Server);
}

#[test]
fn a_server_that_lies_in_any_field_changes_no_swap_of_the_coin() {
    tell_every_lie(Journey::SwapCoin, Liar::Server);
}

#[test]
fn a_server_that_lies_in_any_field_gets_no_other_approval_for_a_swap() {
    tell_every_lie(Journey::SwapToken, Liar::Server);
}

#[test]
fn a_node_that_lies_in_any_field_changes_no_payment_no_swap_and_no_name() {
    for journey in [
        Journey::SendToName,
        Journey::SendToken,
        Journey::SwapCoin,
        Journey::SwapToken,
        Journey::SwapApproved,
        Journey::SwapTogether,
        Journey::RegisterName,
    ] {
        tell_every_lie(journey, Liar::Node);
    }
}

#[test]
fn a_server_that_lies_in_any_field_changes_no_swap_of_a_token_that_may_be_taken() {
    tell_every_lie(Journey::SwapApproved, Liar::Server);
}

#[test]
fn a_server_that_lies_in_any_field_changes_no_approval_with_its_swap_in_one_step() {
    tell_every_lie(Journey::SwapTogether, Liar::Server);
}

#[test]
fn a_server_that_lies_in_any_field_gets_no_other_text_signed_for_a_name() {
    tell_every_lie(Journey::RegisterName, Liar::Server);
}
