//! Scenarios of the chain's own coin in a swap: the maximum without the fee, and wrapping and unwrapping, which need no approval.

use super::swap::*;
use portico_api::swap::{SwapQuote, SwapToken};
use portico_calldata::event;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::SentState;
use portico_core::swap::{Event as Swap, Fault, Phase, Target};
use portico_json::Value;
use portico_testkit::World;
use portico_testkit::exchange::log;

const WETH: &str = "0x00000000000000000000000000000000000000e0";

/// Half of a coin.
const HALF: u128 = ETHER / 2;

/// World with the form on a chain whose list has the wrapped coin.
fn wrapping() -> World {
    let mut world = market(alpha());
    lists(&mut world, [token("ETH", COIN, 18), token("WETH", WETH, 18), token("USDC", USDC, 6)]);
    world.node.calls.insert((WETH.into(), "0x313ce567".into()), word(18));
    has(&mut world, WETH, 2 * ETHER);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, WETH);
    world
}

/// Opens the preview for half a coin to half a wrapped coin or back, without a spender.
fn reviewed_half(world: &mut World, from: &str, to: &str) {
    offers(world, SwapQuote { spender: None, ..quoted(world, from, to, HALF, HALF) });
    typed(world, "0.5");
    act(world, Swap::ReviewAsked);
    assert_eq!(view(world), View::SwapPreview, "{:?}", form(world).quote_fault);
    assert!(!form(world).quote.unwrap().approval_needed);
}

/// Makes the server build this call of that contract from now on.
fn calls(world: &mut World, to: &str, value: u128, data: &str) {
    builds_call(world, to, data, HALF, value, HALF - HALF / 100);
}

/// Calldata of `withdraw(amount)`.
fn withdraw(amount: u128) -> String {
    format!("0x2e1a7d4d{amount:064x}")
}

/// Signs and mines the swap, in whose receipt the wrapped coin logs this event of half a coin.
fn confirmed(world: &mut World, to: &str, value: &str, data: &str, name: &str) {
    act(world, Swap::ConfirmAsked);
    assert_eq!(sent(world).len(), 1, "{:?}", form(world).fault);
    let transaction = &sent(world)[0];
    for (name, told) in [("to", to), ("value", value), ("data", data)] {
        assert_eq!(transaction.get(name).as_str(), Some(told), "{name}");
    }
    let text = |name: &str, value: &str| (String::from(name), Value::from(value));
    let logs = Value::List(vec![log(WETH, &[name, ADDRESS], &word(HALF))]);
    let receipt = vec![text("transactionHash", &hash("ab")), text("status", "0x1"), ("logs".into(), logs)];
    world.node.forged = Some(Value::Object(receipt));
    world.advance(4_100);
    assert_eq!((form(world).pending.len(), world.snack()), (0, None));
    assert_eq!(form(world).sent.unwrap().receipt.state, SentState::Confirmed);
    assert_eq!(form(world).sent.and_then(|sent| sent.received).as_deref(), Some("0.5"));
}

#[test]
fn the_coin_is_wrapped_by_its_wrapped_form_itself() {
    let mut world = wrapping();
    reviewed_half(&mut world, COIN, WETH);
    calls(&mut world, WETH, HALF, "0xd0e30db0");
    confirmed(&mut world, WETH, "0x6f05b59d3b20000", "0xd0e30db0", event::DEPOSIT);
}

#[test]
fn the_wrapped_coin_is_unwrapped_without_a_permission() {
    let mut world = wrapping();
    act(&mut world, Swap::FlipAsked);
    reviewed_half(&mut world, WETH, COIN);
    calls(&mut world, WETH, 0, &withdraw(HALF));
    confirmed(&mut world, WETH, "0x0", &withdraw(HALF), event::WITHDRAWAL);
}

#[test]
fn a_token_that_nobody_may_take_is_unwrapped_exactly_or_not_touched() {
    for (to, value, data) in [
        // Calls of any contract other than the token itself, whatever the calldata.
        (ROUTER, 0, withdraw(HALF)),
        (ROUTER, 0, swaps(HALF, 0, HALF)),
        (USDC, 0, withdraw(HALF)),
        (WETH, 0, withdraw(HALF + 1)),
        (WETH, 0, withdraw(HALF) + "00"),
        (WETH, 0, "0x2e1a7d4d".into()),
        (WETH, 0, "0xd0e30db0".into()),
        (WETH, 0, format!("0xa9059cbb{:0>64}{HALF:064x}", &ROUTER[2..])),
        (WETH, HALF, withdraw(HALF)),
    ] {
        let mut world = wrapping();
        act(&mut world, Swap::FlipAsked);
        reviewed_half(&mut world, WETH, COIN);
        calls(&mut world, to, value, &data);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)), "{to} {data}");
        assert!(sent(&world).is_empty());
    }
}

/// Sets quotes for coins to USDC with this gas, for each amount that the form requests in turn.
fn takes(world: &mut World, gas: &str) {
    let mut amounts = vec![9_999_999_496_000_000_000_000u128];
    amounts.extend([FITTED, ETHER]);
    for amount in amounts {
        offers(world, SwapQuote { gas: gas.into(), ..quoted(world, COIN, USDC, amount, 3_000_000_000) });
    }
}

/// Maximum of 10,000 coins at 400,000 gas: a fifth more each for the swap, the base fee and the next quote, at 1 gwei.
const FITTED: u128 = 10_000 * ETHER - 691_200_000_000_000;

#[test]
fn all_of_the_coin_leaves_the_fee_of_a_quote_that_takes_more_gas_than_most() {
    let mut world = opened(alpha());
    takes(&mut world, "400000");
    act(&mut world, Swap::MaxAsked);
    assert_eq!(form(&world).source_token_amount, "9999.9993088");
    assert_eq!((form(&world).amount_fault, asked(&world)), (None, 2));
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(view(&world), View::SwapPreview);
    // The token to receive may be chosen afterwards.
    let mut world = market(alpha());
    takes(&mut world, "400000");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    act(&mut world, Swap::MaxAsked);
    assert_eq!(form(&world).source_token_amount, "9999.999496");
    choose(&mut world, Target::ToToken, USDC);
    assert_eq!((form(&world).source_token_amount.as_str(), form(&world).ready), ("9999.9993088", true));
}

#[test]
fn all_of_the_coin_is_fitted_once_and_what_was_typed_never() {
    let mut world = opened(alpha());
    takes(&mut world, "300000");
    act(&mut world, Swap::MaxAsked);
    assert_eq!((form(&world).source_token_amount.as_str(), asked(&world)), ("9999.999496", 1));
    // Each quote needs more gas than the one before: the form reports the fault instead of requesting quotes for ever.
    let mut world = opened(alpha());
    takes(&mut world, "400000");
    let greedy = SwapQuote { gas: "900000".into(), ..quoted(&world, COIN, USDC, FITTED, 3_000_000_000) };
    offers(&mut world, greedy);
    act(&mut world, Swap::MaxAsked);
    assert_eq!((form(&world).source_token_amount.as_str(), asked(&world)), ("9999.9993088", 2));
    assert!(form(&world).amount_fault.is_some() && !form(&world).ready);
    world.advance(14_000);
    assert_eq!(asked(&world), 2);
    let mut world = opened(alpha());
    takes(&mut world, "400000");
    typed(&mut world, "9999.999496");
    assert_eq!((form(&world).source_token_amount.as_str(), asked(&world)), ("9999.999496", 1));
    assert!(form(&world).amount_fault.is_some());
}

#[test]
fn who_cannot_pay_the_fee_at_all_is_told_so_and_all_of_the_coin_stays_filled_in() {
    let mut world = opened(alpha());
    takes(&mut world, "20000000000000");
    act(&mut world, Swap::MaxAsked);
    assert_eq!((form(&world).source_token_amount.as_str(), asked(&world)), ("9999.999496", 1));
    assert!(form(&world).amount_fault.is_some());
}

#[test]
fn a_price_of_gas_that_another_network_told_late_takes_nothing_from_all_of_the_coin_here() {
    let [price, priority] = [
        |world: &mut World| world.node.price *= 900,
        |world: &mut World| {
            world.node.priority = Some(900_000_000_000);
        },
    ];
    for dear in [price, priority] {
        let mut world = market(alpha());
        let (usual, none) = (world.node.price, world.node.priority);
        world.open(None);
        world.node.late = Some(5_000);
        dear(&mut world);
        world.modal(Modal::ViewAsked { view: View::Swap });
        (world.node.late, world.node.price, world.node.priority) = (None, usual, none);
        let address = format!("eip155:31338:{COIN}");
        lists(&mut world, [SwapToken { address, ..token("ETH", COIN, 18) }]);
        world.wallet_switches(31338);
        world.advance(5_000);
        act(&mut world, Swap::MaxAsked);
        assert_eq!(form(&world).source_token_amount, "9999.999496");
    }
}
