//! Snapshots of swaps whose amount to receive was typed.

use crate::snapshots::Cases;
use crate::swapping::{ADDRESS, COIN, ETHER, USDC, act, alpha, choose, confirmed, form, id, list, quoted};
use portico_api::swap::{BuiltSwap, SwapQuote, SwapQuotes, SwapTokens, SwapTransaction};
use portico_core::notice::Event as Notice;
use portico_core::swap::{Event as Swap, Target};
use portico_core::{Event, Snapshot};
use portico_testkit::World;
use portico_testkit::exchange::{ROUTER, buy_call};

/// Makes the server quote and build a swap for an exact amount.
fn sells(world: &mut World, from: &str, to: &str, paid: u128, out: u128) {
    let most = paid + paid / 100;
    let tx = SwapTransaction {
        from: id(ADDRESS),
        to: id(ROUTER),
        data: buy_call(ADDRESS, from, to, most, out),
        amount: most.to_string(),
        value: if from == COIN { most } else { 0 }.to_string(),
        ..SwapTransaction::default()
    };
    let expiry = world.now / 1_000 + 600;
    let built = BuiltSwap { tx, to_amount_min: out.to_string(), from_amount_max: Some(most.to_string()), expiry };
    world.server.serves("/v1/convert/build-transaction", &built);
    let quote = SwapQuote {
        to_amount_min: out.to_string(),
        from_amount_max: Some(most.to_string()),
        ..quoted(world, from, to, paid, out, "0.04")
    };
    world.server.serves(&format!("toAmount={out}&userAddress"), &SwapQuotes { quotes: vec![quote] });
}

/// World with the form for exactly 3,900 USDC.
fn wanted() -> World {
    let mut world = form(alpha(), |_| {});
    choose(&mut world, Target::ToToken, USDC);
    sells(&mut world, COIN, USDC, ETHER * 5 / 4 + 250_614_012_345_678, 3_900_000_000);
    act(&mut world, Swap::ToAmountTyped { text: "3900".into() });
    world.advance(500);
    world
}

/// World with the preview for exactly 0.32 coins, which needs an approval first.
fn approval() -> World {
    let mut world = form(alpha(), |_| {});
    choose(&mut world, Target::ToToken, USDC);
    act(&mut world, Swap::FlipAsked);
    sells(&mut world, USDC, COIN, 999_012_345, ETHER * 32 / 100);
    act(&mut world, Swap::ToAmountTyped { text: "0.32".into() });
    world.advance(500);
    act(&mut world, Swap::ReviewAsked);
    world
}

fn reviewed() -> World {
    let mut world = wanted();
    act(&mut world, Swap::ReviewAsked);
    world
}

fn outdated() -> Snapshot {
    let mut world = reviewed();
    sells(&mut world, COIN, USDC, ETHER * 13 / 10, 3_900_000_000);
    world.advance(15_000);
    world.advance(1_000);
    world.snapshot()
}

/// Form on a network whose swap providers take no amount to receive.
fn one_way() -> Snapshot {
    let tokens = SwapTokens { exact_out: Some(false), ..list() };
    let mut world = form(alpha(), |world| world.server.serves("/v1/convert/tokens", &tokens));
    choose(&mut world, Target::ToToken, USDC);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

fn fault() -> Snapshot {
    let mut world = form(alpha(), |_| {});
    choose(&mut world, Target::ToToken, USDC);
    act(&mut world, Swap::ToAmountTyped { text: "1e3".into() });
    world.snapshot()
}

fn quoting() -> Snapshot {
    let mut world = form(alpha(), |_| {});
    choose(&mut world, Target::ToToken, USDC);
    world.server.silent = true;
    act(&mut world, Swap::ToAmountTyped { text: "3900".into() });
    world.advance(500);
    world.snapshot()
}

/// Returns the form, the preview and the receipt.
pub fn cases() -> Cases {
    vec![
        ("Swap.wanted", wanted().snapshot()),
        ("Swap.wantedQuoting", quoting()),
        ("Swap.wantedFault", fault()),
        ("Swap.oneWay", one_way()),
        ("SwapPreview.wanted", reviewed().snapshot()),
        ("SwapPreview.wantedApproval", approval().snapshot()),
        ("SwapPreview.wantedOutdated", outdated()),
        ("SwapConfirmed.wanted", confirmed(reviewed())),
    ]
}
