//! Property tests of swaps with a server that builds, lies and fails: a wallet receives only requests that the visitor agreed to.

use portico_api::swap::{BuiltSwap, SwapQuote, SwapQuotes, SwapToken, SwapTokens, SwapTransaction};
use portico_calldata::{Call, NATIVE, Protocol, decode, hex};
use portico_core::{Event, connect, modal, swap};
use portico_json::{Value, parse};
use portico_terms::Amount;
use portico_testkit::exchange::{ROUTER, WRAPPED, hosted, swap_call};
use portico_testkit::{Behaviour, Faults, ScriptedWallet, Store, World, options};

use crate::{COIN, TOKEN, hold, pick, swap_event};

const ME: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn words_of(parts: &[String]) -> Vec<&str> {
    parts.iter().map(String::as_str).collect()
}

/// World of a connected visitor, with quotes from one coin to a token and from one token to coins; the wallet supports atomic batches.
fn market() -> World {
    let able = parse(r#"{"0x7a69":{"atomic":{"status":"supported"}}}"#).unwrap();
    let wallet = ScriptedWallet::named("Alpha").when("wallet_getCapabilities", Behaviour::Nonsense(able));
    let mut world = World::with(&hosted(&options()), vec![wallet], Store::default());
    let id = |address: &str| format!("eip155:31337:{address}");
    let token = |symbol: &str, address: &str, decimals: u32| SwapToken {
        name: symbol.into(),
        symbol: symbol.into(),
        address: id(address),
        decimals,
        ..SwapToken::default()
    };
    let tokens = vec![token("ETH", COIN, 18), token("TOK", TOKEN, 6)];
    world.server.serves("/v1/convert/tokens", &SwapTokens { tokens, ..SwapTokens::default() });
    for (from, to, amount, spender) in
        [(COIN, TOKEN, "1000000000000000000", None), (TOKEN, COIN, "1000000", Some(id(ROUTER)))]
    {
        let quote = SwapQuote {
            id: "1".into(),
            from_amount: amount.into(),
            from_account: id(from),
            to_amount: "500000".into(),
            to_amount_min: "495000".into(),
            to_account: id(to),
            spender,
            allowance: Some("0".into()),
            gas: "1".into(),
            price_impact: Some("0.1".into()),
            ..SwapQuote::default()
        };
        world.server.serves(&format!("amount={amount}&userAddress"), &SwapQuotes { quotes: vec![quote] });
    }
    for (selector, number) in [("0x313ce567", 6), ("0x70a08231", 5_000_000)] {
        world.node.calls.insert((TOKEN.into(), selector.into()), format!("0x{number:064x}"));
    }
    world.connect_first();
    world.open(None);
    world.modal(modal::Event::ViewAsked { view: modal::View::Swap });
    world
}

/// Sets a random result for building transactions: right for one of the two quotes, or a lie.
fn builds(world: &mut World, choices: &mut Faults) {
    let to = pick(choices, &[ROUTER, ROUTER, ROUTER, ROUTER, ROUTER, ROUTER, TOKEN, ME]);
    let value = pick(choices, &["0", "0", "0", "0", "1000000000000000000", "1000000000000000000", "7"]);
    let least = pick(choices, &["495000", "495000", "495000", "500000", "494999"]);
    let (from, bought) = if value == "0" { (TOKEN, COIN) } else { (COIN, TOKEN) };
    let swaps = |user: &str, to: &str, amount: u128| swap_call(user, from, to, Some(amount), least.parse().unwrap());
    let right = swaps(ME, bought, 1_000_000);
    let lies = [swaps(ROUTER, bought, 1_000_000), swaps(ME, ROUTER, 1_000_000), swaps(ME, bought, 1_000_001)];
    let odd = ["0x095ea7b3".into(), right[..right.len() - 1].into(), "0x".into()];
    let all: Vec<String> = std::iter::repeat_n(right, 30).chain(lies).chain(odd).collect();
    let data = &all[choices.below(all.len() as u64) as usize];
    let paid = if value == "0" { "1000000" } else { "1000000000000000000" };
    let amount = if choices.below(16) == 0 { "1000001" } else { paid };
    let id = |address: &str| format!("eip155:31337:{address}");
    let tx = SwapTransaction {
        from: id(ME),
        to: id(to),
        data: data.clone(),
        amount: amount.into(),
        value: value.into(),
        ..SwapTransaction::default()
    };
    let built = BuiltSwap { tx, to_amount_min: least.into(), ..BuiltSwap::default() };
    world.server.serves("/v1/convert/build-transaction", &built);
    let permitted = pick(choices, &["0", "1000000", "999999"]).parse::<u64>().unwrap();
    world.node.calls.insert((TOKEN.into(), "0xdd62ed3e".into()), format!("0x{permitted:064x}"));
}

/// Whether a call of the router is one of the two quoted swaps, read from its bytes.
fn is_the_swap(value: &str, data: &str) -> bool {
    let (me, value) = (hex::address(ME).unwrap(), Amount::from_hex(value).unwrap());
    let data = hex::bytes(data).unwrap();
    let call = Call { from: me, to: hex::address(ROUTER).unwrap(), value, data: &data };
    let token = hex::address(TOKEN).unwrap();
    let ether: Amount = "1000000000000000000".parse().unwrap();
    decode(Protocol::UniswapV2, hex::address(WRAPPED), &call).is_some_and(|swap| {
        let pair = (swap.from, swap.to, swap.amount, value);
        let quoted = [(NATIVE, token, ether, ether), (token, NATIVE, Amount::from(1_000_000u32), Amount::ZERO)];
        swap.receiver == me && swap.least >= Amount::from(495_000u32) && quoted.contains(&pair)
    })
}

/// Whether a call is permitted: the exact approval, its reset, or the quoted swap.
fn is_agreed_to(call: &Value) -> bool {
    let text = |name: &str| call.get(name).as_str().unwrap_or_default();
    let permission = |amount: u64| format!("0x095ea7b3{:0>64}{amount:064x}", &ROUTER[2..]);
    match text("to") {
        TOKEN => text("value") == "0x0" && [permission(0), permission(1_000_000)].contains(&text("data").into()),
        ROUTER => is_the_swap(text("value"), text("data")),
        _ => false,
    }
}

/// Plays one visit of swaps with many faults; returns the numbers of single transactions and of batches requested.
fn market_visit(seed: u64) -> [usize; 2] {
    let mut choices = Faults::seeded(seed ^ 0x5bd1_e995);
    let mut world = market();
    for step in 0..80 {
        // Faults come in phases: if they never ended, no visit would get as far as a wallet.
        world.faults = choices.strikes(30).then(|| Faults::seeded(seed ^ step));
        builds(&mut world, &mut choices);
        let event = match choices.below(24) {
            0 => Event::Modal(modal::Event::CloseAsked),
            1 => Event::Modal(modal::Event::BackAsked),
            2 => Event::Modal(modal::Event::ViewAsked { view: modal::View::Swap }),
            3 | 4 => Event::Swap(swap::Event::ReviewAsked),
            5..=9 => {
                let address = pick(&mut choices, &[COIN, COIN, TOKEN]).into();
                world.dispatch(Event::Swap(swap::Event::SelectAsked { target: swap::Target::ToToken }));
                world.dispatch(Event::Swap(swap::Event::TokenChosen { address }));
                Event::Swap(swap::Event::AmountTyped { text: "1".into() })
            }
            10..=16 => {
                world.dispatch(Event::Swap(swap::Event::ReviewAsked));
                Event::Swap(swap::Event::ConfirmAsked)
            }
            17 => Event::Connect(connect::Event::WalletChosen { connector: "example.alpha".into() }),
            _ => Event::Swap(swap_event(&mut choices)),
        };
        let told = format!("market, seed {seed}, step {step}: {event:?}");
        world.dispatch(event);
        hold(&mut world, &told);
        if !world.snapshot().modal.open {
            world.open(None);
            world.modal(modal::Event::ViewAsked { view: modal::View::Swap });
        }
        world.advance(choices.below(9_000));
        if choices.strikes(2) {
            world.reload();
        }
        hold(&mut world, &told);
    }
    let mut asked = [0, 0];
    for (method, params) in &world.wallets[0].requests {
        let first = params.as_list().and_then(<[Value]>::first).cloned().unwrap_or_default();
        match method.as_str() {
            "eth_sendTransaction" => {
                asked[0] += 1;
                assert!(is_agreed_to(&first), "seed {seed}: {first:?}");
            }
            "wallet_sendCalls" => {
                asked[1] += 1;
                let calls = first.get("calls").as_list().unwrap_or_default();
                let to: Vec<String> = calls.iter().map(|call| call.get("to").as_str().unwrap_or("?").into()).collect();
                assert!(calls.iter().all(is_agreed_to), "seed {seed}: {calls:?}");
                assert!(matches!(*words_of(&to), [TOKEN, ROUTER] | [TOKEN, TOKEN, ROUTER]), "seed {seed}: {calls:?}");
                assert_eq!(first.get("atomicRequired").as_bool(), Some(true));
            }
            _ => {}
        }
    }
    asked
}

#[test]
fn spec_9_7_after_any_visit_of_a_market_no_wallet_was_asked_for_more_than_was_agreed_to() {
    let mut asked = [0, 0];
    for seed in 0..200 {
        let [alone, together] = market_visit(seed);
        asked = [asked[0] + alone, asked[1] + together];
    }
    // Single transactions and batches both occur often enough to be significant.
    assert!(asked[0] > 20 && asked[1] > 20, "{asked:?}");
}
