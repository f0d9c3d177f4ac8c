//! Fuzz targets: any text as what nodes and a server answer during a visit in which the visitor connects and fills in forms, but confirms
//! nothing.
//!
//! The lines answer the requests in turn, from the first again after the last. A line `=JSON` is the result of every call of a batch,
//! `!STATUS` refuses, and an empty line breaks the connection. All else is the body of a 200.

use portico_core::modal::{Event as Modal, View};
use portico_core::send::Event as Send;
use portico_core::{Event, Outcome};
use portico_json::{Value, parse, to_text};
use portico_testkit::{Backend, ScriptedWallet, Store, World, options};

/// Methods of a wallet that spend, or that sign what could.
const SPENDING: [&str; 6] = [
    "eth_sendTransaction",
    "eth_signTransaction",
    "eth_sign",
    "personal_sign",
    "eth_signTypedData_v4",
    "wallet_sendCalls",
];

/// Answers of nodes, whose batches may be of any length and order. Panics if the core does, or if it asks a wallet to spend.
pub fn node(text: &str) {
    visit(text, |world, answers| {
        world.server.answers("/balance", 200, BALANCES);
        world.node.backend = Some(answers);
    });
}

/// Answers of the host's server. Panics if the core does, or if it asks a wallet to spend.
pub fn server(text: &str) {
    visit(text, |world, answers| world.server.backend = Some(answers));
}

/// A coin and a token, so that both are asked of the node.
const BALANCES: &str = r#"{"balances":[
    {"name":"Ether","symbol":"ETH","chainId":"eip155:31337","price":2000,"value":2000,"iconUrl":"",
     "quantity":{"decimals":"18","numeric":"1"}},
    {"name":"Coin","symbol":"USDC","chainId":"eip155:31337","address":"eip155:31337:0x00000000000000000000000000000000000000c0",
     "price":1,"value":5,"iconUrl":"","quantity":{"decimals":"6","numeric":"5"}}]}"#;

fn visit(text: &str, place: fn(&mut World, Backend)) {
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    // The check that every view was sent costs most of the time, and scenarios make it.
    world.exact = false;
    place(&mut world, answering(text));
    world.connect_first();
    world.open(None);
    for view in [View::AllWallets, View::WalletSend, View::OnRampProviders, View::Swap, View::RegisterAccountName] {
        world.modal(Modal::ViewAsked { view });
        world.dispatch(Event::Send(Send::ReceiverTyped { text: "alice.eth".into() }));
        world.dispatch(Event::Send(Send::AmountTyped { text: "0.5".into() }));
        world.advance(5_000);
        world.dispatch(Event::Send(Send::MaxAsked));
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.advance(30_000);
        let _ = to_text(&world.snapshot());
    }
    let asked = world.wallets[0].requests.iter().map(|(method, _)| method.as_str());
    let spent: Vec<_> = asked.filter(|method| SPENDING.contains(method)).collect();
    assert!(spent.is_empty(), "{spent:?} without a confirmation");
}

fn answering(text: &str) -> Backend {
    let lines: Vec<String> = text.lines().map(Into::into).collect();
    let mut next = 0;
    Backend::new(move |_, _, body| {
        let line = lines.get(next % lines.len().max(1)).map_or("", String::as_str);
        next += 1;
        if line.is_empty() {
            return Outcome::Failed { error: Value::Null };
        }
        if let Some(status) = line.strip_prefix('!').and_then(|status| status.parse().ok()) {
            return Outcome::HttpAnswered { status, retry_after: Some(1_000), body: String::new() };
        }
        let body = match line.strip_prefix('=') {
            Some(result) => results(body.unwrap_or_default(), result),
            None => line.into(),
        };
        Outcome::HttpAnswered { status: 200, retry_after: None, body }
    })
}

/// JSON-RPC answer that gives every call of a request the same result.
fn results(request: &str, result: &str) -> String {
    let one = |call: &Value| format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, to_text(call.get("id")));
    match parse(request) {
        Ok(Value::List(calls)) => format!("[{}]", calls.iter().map(one).collect::<Vec<_>>().join(",")),
        Ok(call) => one(&call),
        Err(_) => result.into(),
    }
}
