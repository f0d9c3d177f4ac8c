//! Scenarios of a swap while the wallet is asked, and after it may have signed unseen.

use super::swap::*;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::swap::{Event as Swap, Phase, REFRESH};
use portico_json::parse;
use portico_testkit::{Behaviour, World};

/// Opens the form anew, and goes to the confirmation of one coin.
fn confirmed_again(world: World) -> World {
    let mut world = opened_in(world);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    world
}

#[test]
fn a_visitor_whose_network_or_form_changes_while_the_wallet_asks_hears_that_it_may_still_sign() {
    let asked = || {
        let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(form(&world).phase, Phase::Confirming);
        world
    };
    let mut world = asked();
    world.wallet_switches(31338);
    world.advance(1_000);
    assert_eq!((view(&world), world.snack()), (View::Swap, Some(Message::MayStillSend)));
    let mut world = asked();
    let arguments = parse(r#"{"fromToken":"USDC"}"#).unwrap();
    world.modal(Modal::OpenAsked { view: Some("Swap".into()), namespace: None, uri: None, arguments, ticket: None });
    world.advance(1_000);
    assert_eq!(world.snack(), Some(Message::MayStillSend));
}

#[test]
fn a_lower_price_does_not_take_away_that_the_wallet_may_have_sent_the_swap() {
    let fault = throws(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#);
    let mut world = reviewed(alpha().when(SEND, fault));
    act(&mut world, Swap::ConfirmAsked);
    quotes(&mut world, COIN, USDC, ETHER, 2_900_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_871_000_000);
    world.advance(16_000);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Unsure, 1));
    // Having looked, the visitor is asked about the price.
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 2);
}

#[test]
fn a_swap_that_the_wallet_may_have_sent_is_asked_about_after_the_modal_was_closed() {
    let fault = throws(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#);
    let mut world = reviewed(alpha().when(SEND, fault));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::Unsure);
    world.modal(Modal::CloseAsked);
    let world = confirmed_again(world);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Interrupted, 1));
}

#[test]
fn a_visitor_who_reloads_while_the_wallet_asks_is_told_to_look_there_before_swapping_again() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Confirming, 1));
    world.reload();
    let mut world = confirmed_again(world);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Interrupted, 1));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1, "a double click answers nothing");
    world.advance(1_000);
    world.wallet().behaviours.clear();
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 2);
    world.reload();
    let world = confirmed_again(world);
    assert_eq!(sent(&world).len(), 3, "the wallet answered the last one");
}

#[test]
fn a_quote_that_comes_while_the_wallet_asks_leads_to_no_second_request() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
    // The server holds the quote of the refresh until the wallet is asked; then it says that the price fell.
    (world.server.late, world.server.late_part) = (2_000, QUOTES);
    quotes(&mut world, COIN, USDC, ETHER, 2_000_000_000);
    world.advance(REFRESH);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Confirming, 1));
    world.advance(5_000);
    assert_eq!(form(&world).phase, Phase::Confirming);
    act(&mut world, Swap::PriceAccepted);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Confirming, 1));
}

#[test]
fn a_quote_that_expires_while_the_wallet_asks_is_asked_for_anew() {
    let approved = |second: u128| {
        let mut world = reviewed_token(alpha());
        quotes(&mut world, USDC, COIN, 1_000_000_000, ETHER / 3);
        world.advance(15_000);
        act(&mut world, Swap::ConfirmAsked);
        allows(&mut world, USDC, 1_000_000_000);
        world.advance(60_000);
        let before = asked(&world);
        quotes(&mut world, USDC, COIN, 1_000_000_000, second);
        signs(&mut world, "bb");
        world.node.receipts.insert(hash("ab"), true);
        world.advance(4_100);
        assert_eq!(asked(&world), before + 1);
        world
    };
    // Slightly worse, but above the promised minimum: the promise stays.
    let world = approved(ETHER / 3 - ETHER / 1_000);
    assert_eq!(sent(&world).len(), 2);
    let (_, body) = world.server.heard.iter().find(|(request, _)| request.contains(BUILD)).unwrap();
    assert!(body.as_ref().unwrap().contains(&format!(r#""toAmountMin":"{}""#, ETHER / 3 - ETHER / 300)));
    // Below the promised minimum: the visitor must confirm again, and a press meant for the old price does not count.
    let mut world = approved(ETHER / 4);
    builds(&mut world, ROUTER, 1_000_000_000, 0, ETHER / 4 - ETHER / 400);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    assert_eq!(form(&world).quote.unwrap().minimum_received, "0.2475");
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::SwapConfirmed));
}

#[test]
fn what_is_shown_while_the_wallet_asks_cannot_be_changed_and_no_quote_is_asked_for() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
    act(&mut world, Swap::ConfirmAsked);
    let before = asked(&world);
    for event in [
        Swap::AmountTyped { text: "5".into() },
        Swap::MaxAsked,
        Swap::FlipAsked,
        Swap::ConfirmAsked,
        Swap::ReviewAsked,
        Swap::TokenChosen { address: DAI.into() },
    ] {
        act(&mut world, event);
    }
    world.advance(60_000);
    assert_eq!((form(&world).source_token_amount.as_str(), sent(&world).len(), asked(&world)), ("1", 1, before));
    assert!(form(&world).slow && form(&world).phase == Phase::Confirming);
    world.modal(Modal::BackAsked);
    assert_eq!(
        (view(&world), form(&world).phase, world.snack()),
        (View::Swap, Phase::Editing, Some(Message::MayStillSend))
    );
}

#[test]
fn a_swap_that_is_signed_after_the_visitor_left_is_still_followed() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Late(30_000)));
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::CloseAsked);
    world.advance(30_000);
    assert_eq!(form(&world).pending.len(), 1);
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
}
