//! The chain's own coin in a swap, and its wrapped form, which anybody wraps and unwraps without a permission.

use super::swap::*;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::swap::{Event as Swap, Fault, Phase, Target};
use portico_testkit::World;

const WETH: &str = "0x00000000000000000000000000000000000000e0";

/// Half of a coin.
const HALF: u128 = ETHER / 2;

/// The form, on a chain whose list has the wrapped coin.
fn wrapping() -> World {
    let mut world = market(alpha());
    let tokens = [token("ETH", COIN, 18), token("WETH", WETH, 18), token("USDC", USDC, 6)].join(",");
    world.server.answers("/v1/convert/tokens", 200, &format!(r#"{{"tokens":[{tokens}],"provider":"onchain"}}"#));
    world.node.calls.insert((WETH.into(), "0x313ce567".into()), word(18));
    has(&mut world, WETH, 2 * ETHER);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, WETH);
    world
}

/// In the preview: half of one for half of the other, which nobody has to be allowed to take.
fn reviewed_half(world: &mut World, from: &str, to: &str) {
    let quote = quoted(world, from, to, HALF, HALF).replace(&format!("\"{}\"", id(ROUTER)), "null");
    world.server.answers(QUOTES, 200, &quote);
    typed(world, "0.5");
    act(world, Swap::ReviewAsked);
    assert_eq!(view(world), View::SwapPreview, "{:?}", form(world).quote_fault);
    assert!(!form(world).quote.unwrap().approval_needed);
}

/// From now on the server builds this call of that contract.
fn calls(world: &mut World, to: &str, value: u128, data: &str) {
    let (from, to, minimum) = (id(ADDRESS), id(to), HALF - HALF / 100);
    let tx = format!(r#"{{"from":"{from}","to":"{to}","data":"{data}","amount":"{HALF}","value":"{value}"}}"#);
    world.server.answers(BUILD, 200, &format!(r#"{{"tx":{tx},"toAmountMin":"{minimum}","expiry":1700000600}}"#));
}

/// `withdraw(amount)`
fn withdraw(amount: u128) -> String {
    format!("0x2e1a7d4d{amount:064x}")
}

fn confirmed(world: &mut World, to: &str, value: &str, data: &str) {
    act(world, Swap::ConfirmAsked);
    assert_eq!(sent(world).len(), 1, "{:?}", form(world).fault);
    let transaction = &sent(world)[0];
    for (name, told) in [("to", to), ("value", value), ("data", data)] {
        assert_eq!(transaction.get(name).as_str(), Some(told), "{name}");
    }
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert_eq!((form(world).pending.len(), snack(world)), (0, Some(Message::SwapDone)));
}

#[test]
fn the_coin_is_wrapped_by_its_wrapped_form_itself() {
    let mut world = wrapping();
    reviewed_half(&mut world, COIN, WETH);
    calls(&mut world, WETH, HALF, "0xd0e30db0");
    confirmed(&mut world, WETH, "0x6f05b59d3b20000", "0xd0e30db0");
}

#[test]
fn the_wrapped_coin_is_unwrapped_without_a_permission() {
    let mut world = wrapping();
    act(&mut world, Swap::FlipAsked);
    reviewed_half(&mut world, WETH, COIN);
    calls(&mut world, WETH, 0, &withdraw(HALF));
    confirmed(&mut world, WETH, "0x0", &withdraw(HALF));
}

#[test]
fn a_token_that_nobody_may_take_is_unwrapped_exactly_or_not_touched() {
    for (to, value, data) in [
        // Whoever is not the token has no business with it, whatever is called there.
        (ROUTER, 0, withdraw(HALF)),
        (ROUTER, 0, "0x38ed173900".into()),
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
