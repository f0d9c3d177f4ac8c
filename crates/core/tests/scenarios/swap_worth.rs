//! Scenarios of what a swap is worth: prices of both sides, and what is lost between them.

use super::swap::*;
use portico_api::account::Balances;
use portico_api::price::{Fungible, Prices};
use portico_api::swap::SwapQuote;
use portico_core::modal::{Event as Modal, View};
use portico_core::swap::{Impact, Target};
use portico_testkit::World;

/// Makes the server return these prices from now on.
fn prices(world: &mut World, of: &[(&str, Option<f64>)]) {
    let each = |(address, price): &(&str, Option<f64>)| {
        let price = (*price)?.into();
        Some(Fungible { address: id(address), price, ..Fungible::default() })
    };
    let fungibles = of.iter().filter_map(each).collect();
    world.server.serves("/v1/fungible/price", &Prices { fungibles, ..Prices::default() });
}

/// World with the form open for the coin and USDC at these prices in dollars.
fn priced(coin: Option<f64>, usdc: f64) -> World {
    let mut world = market(alpha());
    prices(&mut world, &[(COIN, coin), (USDC, Some(usdc))]);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    world
}

#[test]
fn an_impact_that_nobody_said_is_what_both_sides_are_about_worth() {
    let quoted_at = |coin: Option<f64>, usdc: f64| {
        let mut world = priced(coin, usdc);
        let quote = SwapQuote { price_impact: None, ..quoted(&world, COIN, USDC, ETHER, 3_000_000_000) };
        offers(&mut world, quote);
        typed(&mut world, "1");
        form(&world).quote.unwrap()
    };
    for (coin, usdc, impact, level) in [
        (3000.0, 1.0, "0", Impact::Low),
        (2900.0, 1.0, "0", Impact::Low),
        (3050.5, 1.0, "1.65", Impact::Low),
        (3150.0, 1.0, "4.76", Impact::High),
        (4000.0, 1.0, "25", Impact::Severe),
        (3000.0, 0.5, "50", Impact::Severe),
    ] {
        let quote = quoted_at(Some(coin), usdc);
        assert_eq!(quote.price_impact.as_deref(), Some(impact), "{coin} {usdc}");
        assert_eq!((quote.impact, quote.impact_about), (Some(level), true), "{coin} {usdc}");
    }
    // A price of one side alone is not enough.
    let quote = quoted_at(None, 1.0);
    assert_eq!((quote.price_impact, quote.impact, quote.impact_about), (None, None, false));
}

#[test]
fn the_price_impact_shown_is_the_worse_of_the_one_that_the_provider_tells_and_the_one_that_prices_give() {
    for (told, coin, impact, about, ruinous) in [
        ("0.12", 3000.0, "0.12", false, false),
        ("0", 6000.0, "50", true, true),
        ("20", 3000.0, "20", false, true),
        ("20", 6000.0, "50", true, true),
    ] {
        let mut world = priced(Some(coin), 1.0);
        let quote = quoted(&world, COIN, USDC, ETHER, 3_000_000_000);
        offers(&mut world, SwapQuote { price_impact: Some(told.into()), ..quote });
        typed(&mut world, "1");
        let quote = form(&world).quote.unwrap();
        assert_eq!((quote.price_impact.as_deref(), quote.impact_about), (Some(impact), about), "{told} {coin}");
        assert_eq!(quote.ruinous, ruinous, "{told} {coin}");
    }
    // Without prices it is the provider's.
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    typed(&mut world, "1");
    let quote = form(&world).quote.unwrap();
    assert_eq!((quote.price_impact.as_deref(), quote.impact_about), (Some("0.12"), false));
}

#[test]
fn what_is_worth_less_than_a_cent_is_told_as_that_and_not_as_nothing() {
    let mut world = market(alpha());
    prices(&mut world, &[(COIN, Some(3000.0)), (USDC, Some(1.0))]);
    world.server.serves("/balance", &Balances { balances: vec![held("USDC", USDC, "0.004")], ..Balances::default() });
    world.advance(31_000);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    quotes(&mut world, COIN, USDC, 1_000_000_000_000, 2_999);
    typed(&mut world, "0.000001");
    let swap = form(&world);
    assert_eq!((swap.source_fiat.as_deref(), swap.to_fiat.as_deref()), (Some("<0.01"), Some("<0.01")));
    quotes(&mut world, COIN, USDC, 5_000_000_000_000, 15_000);
    typed(&mut world, "0.000005");
    let swap = form(&world);
    assert_eq!((swap.source_fiat.as_deref(), swap.to_fiat.as_deref()), (Some("0.02"), Some("0.02")));
    let items = world.snapshot().swap_tokens.unwrap().items;
    let usdc = items.iter().find(|item| item.symbol == "USDC").unwrap();
    assert_eq!(usdc.value.as_deref(), Some("<0.01"));
}
