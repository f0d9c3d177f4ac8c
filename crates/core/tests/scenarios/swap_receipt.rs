//! Scenarios of what a visitor sees of a signed swap: its receipt, and the rest until the next quote.

use super::swap::*;
use super::swap_exact::{MOST, OUT, priced};
use portico_calldata::{Protocol, event};
use portico_core::modal::{Event as Modal, View};
use portico_core::send::SentState;
use portico_core::swap::{Event as Swap, InFlightStep, Swapped};
use portico_json::{Value, parse};
use portico_terms::Amount;
use portico_testkit::exchange::{WRAPPED, hosted_with, log, swap_call, transfer};
use portico_testkit::routers::Order;
use portico_testkit::{World, options};

fn swapped(world: &World) -> Swapped {
    form(world).sent.unwrap()
}

fn signed() -> World {
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world
}

#[test]
fn a_signed_swap_has_a_receipt_with_its_hash_network_time_and_fee() {
    let mut world = signed();
    assert_eq!((view(&world), swapped(&world).receipt.state), (View::SwapConfirmed, SentState::Pending));
    let Swapped { amount, symbol, to_amount, to_symbol, receipt, .. } = swapped(&world);
    assert_eq!([amount, symbol, to_amount, to_symbol], ["1", "ETH", "3000", "USDC"]);
    assert_eq!((receipt.hash, receipt.fee), (Some(hash("ab")), None));
    assert_eq!((receipt.network_name.as_deref(), receipt.since), (Some("Anvil One"), world.now));
    assert_eq!(receipt.url, Some(format!("https://scan-31337.example/tx/{}", hash("ab"))));
    let receipt = format!(
        r#"{{"transactionHash":"{}","status":"0x1","from":"{ADDRESS}","to":"{ROUTER}","gasUsed":"0x2bf20","effectiveGasPrice":"0x3b9aca00"}}"#,
        hash("ab")
    );
    world.node.forged = parse(&receipt).ok();
    world.advance(4_100);
    let receipt = swapped(&world).receipt;
    assert_eq!((receipt.state, receipt.fee.as_deref()), (SentState::Confirmed, Some("0.00018")));
    world.modal(Modal::BackAsked);
    assert_eq!((view(&world), form(&world).sent), (View::Account, None));
}

/// Mines the signed swap with these logs.
fn mine(mut world: World, to: &str, logs: Vec<Value>) -> Swapped {
    let text = |name: &str, value: &str| (String::from(name), Value::from(value));
    assert_eq!((swapped(&world).paid, swapped(&world).received), (None, None));
    world.node.forged = Some(Value::Object(vec![
        text("transactionHash", &hash("ab")),
        text("status", "0x1"),
        text("from", ADDRESS),
        text("to", to),
        ("logs".into(), Value::List(logs)),
    ]));
    world.advance(4_100);
    assert_eq!(swapped(&world).receipt.state, SentState::Confirmed);
    swapped(&world)
}

fn transferred(token: &str, from: &str, to: &str, amount: u128) -> Value {
    transfer(token, from, to, Amount::from_hex(&format!("{amount:#x}")).unwrap())
}

fn wrapped(by: &str, amount: u128) -> Value {
    log(WRAPPED, &[event::DEPOSIT, by], &word(amount))
}

fn unwrapped(by: &str, amount: u128) -> Value {
    log(WRAPPED, &[event::WITHDRAWAL, by], &word(amount))
}

#[test]
fn the_amount_received_is_what_the_transfers_of_the_mined_swap_say() {
    let received = |logs: Vec<Value>| mine(signed(), ROUTER, logs).received;
    let came = || transferred(USDC, ROUTER, ADDRESS, 2_999_500_000);
    assert_eq!(received(vec![came()]).as_deref(), Some("2999.5"));
    // Tokens that the account sends back are subtracted; other tokens and other receivers do not count.
    let back = transferred(USDC, ADDRESS, ROUTER, 500_000);
    let others = [(ROUTER, ROUTER, ADDRESS, 7), (USDC, ADDRESS, ADDRESS, 9), (USDC, ROUTER, ROUTER, 5)];
    let others = others.map(|(token, from, to, amount)| transferred(token, from, to, amount));
    assert_eq!(received([came(), back].into_iter().chain(others).collect()).as_deref(), Some("2999"));
    assert_eq!(received(vec![]), None);
}

#[test]
fn the_coin_paid_for_an_exact_amount_is_what_the_router_wrapped_and_kept() {
    let paid = |logs: Vec<Value>| {
        let mut world = priced();
        act(&mut world, Swap::ReviewAsked);
        act(&mut world, Swap::ConfirmAsked);
        mine(world, ROUTER, logs).paid
    };
    let came = || transferred(USDC, ROUTER, ADDRESS, OUT);
    assert_eq!(paid(vec![wrapped(ROUTER, ETHER), came()]).as_deref(), Some("1"));
    // The router wraps the maximum and unwraps the rest.
    assert_eq!(paid(vec![wrapped(ROUTER, MOST), came(), unwrapped(ROUTER, MOST - ETHER)]).as_deref(), Some("1"));
    // Others wrap for themselves, and another contract may log anything.
    let forged = log(USDC, &[event::DEPOSIT, ROUTER], &word(7));
    assert_eq!(paid(vec![wrapped(ROUTER, ETHER), wrapped(ADDRESS, 5), forged]).as_deref(), Some("1"));
    assert_eq!(paid(vec![wrapped(ADDRESS, ETHER), came()]), None);
    assert_eq!(paid(vec![came()]), None);
}

#[test]
fn the_coin_received_is_what_a_uniswap_router_unwrapped_and_that_of_another_router_stays_an_estimate() {
    let came = ETHER / 3;
    let order = Order { receiver: ADDRESS, from: USDC, to: COIN, amount: 1_000_000_000, least: came - came / 100 };
    let own = swap_call(ADDRESS, USDC, COIN, Some(order.amount), order.least);
    let once = vec![unwrapped(ROUTER, came)];
    // A token that calls the router as it moves unwraps the coins of somebody else.
    let twice = vec![unwrapped(ROUTER, came), unwrapped(ROUTER, ETHER)];
    for (protocol, call, logs, exact) in [
        (Protocol::UniswapV2, own.clone(), once.clone(), true),
        (Protocol::UniswapV2, own, twice, false),
        (Protocol::Oneinch, order.call(Protocol::Oneinch), once, false),
    ] {
        let mut world = opened_in(market_of(&hosted_with(&options(), protocol), alpha()));
        allows(&mut world, USDC, order.amount);
        act(&mut world, Swap::FlipAsked);
        quotes(&mut world, USDC, COIN, order.amount, came);
        builds_call(&mut world, ROUTER, &call, order.amount, 0, order.least);
        typed(&mut world, "1000");
        act(&mut world, Swap::ReviewAsked);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(view(&world), View::SwapConfirmed, "{protocol:?} {:?}", form(&world).fault);
        let received = mine(world, ROUTER, logs).received;
        assert_eq!(received.as_deref(), exact.then_some("0.333333333333333333"), "{protocol:?}");
    }
}

#[test]
fn a_swap_that_reverts_or_is_not_mined_is_told_so() {
    for (well, wait, state) in [(Some(false), 4_100, SentState::Failed), (None, 181_000, SentState::Lost)] {
        let mut world = signed();
        world.node.receipts.extend(well.map(|well| (hash("ab"), well)));
        world.advance(wait);
        assert_eq!(swapped(&world).receipt.state, state);
    }
}

#[test]
fn one_that_is_signed_after_the_preview_was_left_opens_nothing() {
    let mut world = reviewed(alpha().when(SEND, portico_testkit::Behaviour::Late(5_000)));
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::BackAsked);
    world.advance(5_000);
    assert_eq!((view(&world), form(&world).sent), (View::Swap, None));
    assert_eq!(form(&world).pending[0].step, InFlightStep::Swap);
}

#[test]
fn the_time_until_the_next_quote_is_told_while_one_is_shown() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    assert_eq!(form(&world).rest, None);
    typed(&mut world, "1");
    let rest = form(&world).rest.unwrap();
    assert_eq!((rest.from, rest.until), (world.now, world.now + 15_000));
    world.advance(15_000);
    let next = form(&world).rest.unwrap();
    assert_eq!((next.from, next.until), (rest.until, rest.until + 15_000));
    world.server.silent = true;
    world.advance(15_000);
    assert_eq!((form(&world).rest, form(&world).loading), (None, true));
    act(&mut world, Swap::AmountTyped { text: "2".into() });
    assert_eq!(form(&world).rest, None);
}
