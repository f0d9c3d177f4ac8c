//! Scenarios of a sign-in whose code does not load while the modal is open, or before the visitor disconnects.

use super::{ACCOUNT, CHAIN, is_connected, phase, shown, signed};
use portico_core::modal::{Event as Modal, View};
use portico_core::onramp::Event as Onramp;
use portico_core::siwx::{Event as SignIn, Phase};
use portico_core::{Event, StorageArea};
use portico_testkit::{Behaviour, World};

/// A visitor who signed in, and then began a purchase.
fn bought() -> World {
    let mut world = signed(true);
    let purchase = format!(
        r#"{{"provider":"coinbase","label":"Coinbase","reference":"1","address":"{ACCOUNT}","chain":"{CHAIN}","since":{}}}"#,
        world.now
    );
    world.store.write(StorageArea::Local, "@portico/purchase", &purchase);
    world
}

/// Tries to leave the sign-in while its code is missing, then waits for the code and signs in.
fn is_asked_in_the_end(world: &mut World) {
    assert_eq!(shown(world), Some(View::SIWXSignMessage));
    world.modal(Modal::CloseAsked);
    world.modal(Modal::BackAsked);
    assert_eq!(shown(world), Some(View::SIWXSignMessage));
    world.part_missing = 0;
    world.advance(60_000);
    assert_eq!((shown(world), phase(world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::SignAsked);
    assert_eq!((shown(world), is_connected(world)), (None, true));
}

#[test]
fn spec_6_3_a_visitor_who_returns_from_a_purchase_signs_in_once_the_code_of_the_sign_in_loads() {
    let mut world = bought();
    world.site.sessions.clear();
    // The sign-in does not load, and the purchase does.
    world.part_missing = 1;
    world.reload();
    world.dispatch(Event::Onramp(Onramp::Returned));
    assert!(world.snapshot().onramp.purchase.is_some());
    is_asked_in_the_end(&mut world);
}

#[test]
fn spec_6_3_a_view_that_was_open_before_the_code_of_the_sign_in_did_not_load_makes_room_for_it() {
    let mut world = signed(true);
    world.wallet().behaviours.insert("eth_accounts".into(), Behaviour::Late(1_000));
    world.site.sessions.clear();
    world.part_missing = 9;
    world.reload();
    world.open(Some("WhatIsAWallet"));
    assert_eq!(shown(&world), Some(View::WhatIsAWallet));
    world.advance(1_000);
    assert!(is_connected(&world));
    is_asked_in_the_end(&mut world);
}

#[test]
fn a_purchase_whose_visitor_has_a_session_is_shown_on_the_return() {
    let mut world = bought();
    world.reload();
    world.dispatch(Event::Onramp(Onramp::Returned));
    assert_eq!(shown(&world), Some(View::BuyInProgress));
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), None);
}
