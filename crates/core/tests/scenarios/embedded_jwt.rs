//! Scenarios of the login by the host's own token.

use portico_api::frame::FrameEvent;
use portico_core::Event as Any;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{Event, LIMIT, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_json::{Value, parse};
use portico_testkit::{Store, World, options, with_login};

const ADDRESS: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

fn value(text: &str) -> Value {
    parse(text).unwrap()
}

fn world() -> World {
    let mut world = World::with(&with_login(&options()), vec![], Store::default());
    world.frame.provider = Some("jwt".into());
    world
}

fn give(world: &mut World, ticket: u32) {
    world.dispatch(Any::Embedded(Event::JwtGiven { jwt: "a.b.c".into(), ticket }));
    world.advance(SETTLE);
}

fn address(world: &World) -> Option<String> {
    world.snapshot().account.accounts.first().and_then(|account| account.address.clone())
}

fn answer(world: &World, ticket: u32) -> String {
    world.answer(ticket).unwrap_or_default()
}

#[test]
fn the_hosts_token_connects_the_account_without_a_modal_and_answers_the_call_with_it() {
    let mut world = world();
    give(&mut world, 7);
    assert_eq!(world.frame.payloads(FrameEvent::ConnectJwt)[0].get("jwt").as_str(), Some("a.b.c"));
    assert_eq!(address(&world).as_deref(), Some(ADDRESS));
    assert!(answer(&world, 7).contains(&format!(r#""address":"{ADDRESS}""#)), "{}", answer(&world, 7));
    let snapshot = world.snapshot();
    assert!(!snapshot.modal.open);
    assert_eq!(snapshot.account.accounts[0].user.as_ref().map(|user| user.auth_provider.as_str()), Some("jwt"));
    assert_eq!(snapshot.embedded.user_provider.as_deref(), Some(""), "its address is the host's to change");
}

#[test]
fn a_token_that_the_vault_refuses_rejects_the_call_in_its_words_and_another_one_may_follow() {
    let mut world = world();
    let words = "The site's login wasn't accepted. Log in to the site again.";
    let refused = value(&format!(r#"{{"message":"{words}"}}"#));
    world.frame.answers.push((FrameEvent::ConnectJwt, Err(refused)));
    give(&mut world, 7);
    assert!(answer(&world, 7).contains(words), "{}", answer(&world, 7));
    assert_eq!(address(&world), None);
    world.frame.answers.clear();
    give(&mut world, 8);
    assert!(answer(&world, 8).contains(ADDRESS));
}

#[test]
fn a_token_changes_no_account_that_is_connected_and_waits_for_no_other_token() {
    let mut world = world();
    world.frame.silent.push(FrameEvent::ConnectJwt);
    give(&mut world, 7);
    give(&mut world, 8);
    assert!(answer(&world, 8).contains("Finish the open request first"), "{}", answer(&world, 8));
    world.advance(LIMIT);
    assert!(answer(&world, 7).contains("Something went wrong"), "{}", answer(&world, 7));
    world.frame.silent.clear();
    give(&mut world, 9);
    assert!(answer(&world, 9).contains(ADDRESS));
    give(&mut world, 10);
    assert!(answer(&world, 10).contains("already connected"), "{}", answer(&world, 10));
    assert_eq!(world.frame.payloads(FrameEvent::ConnectJwt).len(), 2);
    world.dispatch(Any::Connect(Connect::DisconnectAsked { namespace: None, ticket: Some(11) }));
    give(&mut world, 12);
    assert!(answer(&world, 12).contains(ADDRESS));
}

#[test]
fn a_locked_wallet_is_opened_in_the_settings_and_a_visitor_who_leaves_them_is_not_connected() {
    let locked = || {
        let mut world = world();
        world.frame.answers.push((FrameEvent::ConnectJwt, Ok(value(r#"{"locked":true}"#))));
        give(&mut world, 7);
        world
    };
    let mut world = locked();
    assert_eq!((world.snapshot().modal.open, world.snapshot().modal.view), (true, View::UpgradeEmailWallet));
    assert_eq!(answer(&world, 7), "");
    world.modal(Modal::CloseAsked);
    assert!(answer(&world, 7).contains("aborted"), "{}", answer(&world, 7));
    let mut world = locked();
    world.frame.session = true;
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    assert!(answer(&world, 7).contains(ADDRESS), "{}", answer(&world, 7));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_host_without_an_embedded_wallet_is_told_so() {
    let mut world = World::with(&options(), vec![], Store::default());
    give(&mut world, 7);
    assert!(answer(&world, 7).contains("Unable to load"), "{}", answer(&world, 7));
}
