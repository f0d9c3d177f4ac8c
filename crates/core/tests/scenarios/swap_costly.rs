//! Scenarios of a swap that loses a large part of what is paid, or an unknown one: it is confirmed twice.

use super::swap::*;
use portico_api::swap::SwapQuote;
use portico_core::modal::Event as Modal;
use portico_core::swap::{Event as Swap, Phase, REFRESH};
use portico_testkit::{Behaviour, ScriptedWallet, World};

/// Makes the server offer one coin for so many millionths of a USDC, with this loss in percent, from now on.
fn offers_at(world: &mut World, impact: Option<&str>, to_amount: u128) {
    let quote = SwapQuote { price_impact: impact.map(Into::into), ..quoted(world, COIN, USDC, ETHER, to_amount) };
    offers(world, quote);
}

/// World with the preview for one coin to 3,000 USDC, with this loss in percent.
fn reviewed_at(wallet: ScriptedWallet, impact: Option<&str>) -> World {
    let mut world = opened(wallet);
    offers_at(&mut world, impact, 3_000_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    world
}

/// As [`reviewed_at`], after the first confirmation.
fn confirmed_at(wallet: ScriptedWallet, impact: Option<&str>) -> World {
    let mut world = reviewed_at(wallet, impact);
    act(&mut world, Swap::ConfirmAsked);
    world
}

#[test]
fn a_swap_that_loses_a_large_part_is_confirmed_twice_before_the_wallet_is_asked() {
    assert_eq!(sent(&confirmed_at(alpha(), Some("14.99"))).len(), 1);
    let mut world = confirmed_at(alpha(), Some("15"));
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
    // The second click of a double click is no answer, because nobody can have read the question.
    world.advance(999);
    assert!(form(&world).unread);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
    world.advance(1);
    assert!(!form(&world).unread);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
    // A visitor who goes back, or is offered a lower price, is asked again.
    let mut world = confirmed_at(alpha(), Some("15"));
    world.modal(Modal::BackAsked);
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
    offers_at(&mut world, Some("20"), 2_800_000_000);
    world.advance(REFRESH);
    assert_eq!(form(&world).phase, Phase::Outdated);
    act(&mut world, Swap::PriceAccepted);
    assert_eq!(form(&world).phase, Phase::Outdated);
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
}

#[test]
fn a_visitor_who_declined_a_large_loss_in_the_wallet_is_asked_about_it_again() {
    let mut world = confirmed_at(alpha().when(SEND, Behaviour::Refuse), Some("97"));
    world.advance(1_000);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Refused, 1));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 1));
    world.advance(1_000);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 2);
}

#[test]
fn a_swap_whose_loss_nobody_can_tell_is_confirmed_twice_before_the_wallet_is_asked() {
    let mut world = confirmed_at(alpha(), None);
    assert_eq!((form(&world).phase, form(&world).quote.unwrap().price_impact), (Phase::Costly, None));
    assert!(sent(&world).is_empty());
    world.advance(1_000);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
}

#[test]
fn a_swap_without_a_quote_waits_for_one_so_that_a_loss_is_confirmed_twice() {
    let mut world = reviewed_at(alpha(), Some("60"));
    world.server.answers("amount=1000000000000000000&userAddress", 503, "");
    world.advance(90_000);
    assert!(form(&world).quote.is_none());
    offers_at(&mut world, Some("60"), 3_000_000_000);
    act(&mut world, Swap::ConfirmAsked);
    assert!(sent(&world).is_empty());
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
}
