//! Scenarios of a host that waits for an account on Solana while the visitor logs in: the modal closes with the login, before the page tells
//! the account.

use super::{OURS, THEIRS, active, address, disconnect, log_in, tell, world};
use portico_api::frame::FrameEvent;
use portico_core::Event as Any;
use portico_core::connect::{Event as Connect, Status};
use portico_core::embedded::{Event, LIMIT, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{SOLANA, ScriptedWallet, World};

const NONE: &str = r#"{"reason":"accountNotFound","message":"Account not found for connector","code":null}"#;

fn connect(world: &mut World, connector: Option<&str>, namespace: &str, ticket: u32) {
    let (connector, namespace) = (connector.map(String::from), Some(namespace.into()));
    world.dispatch(Any::Connect(Connect::ConnectAsked { connector, namespace, ticket }));
}

/// The visitor logs in by email in the modal that the host's call opened.
fn log_in_there(world: &mut World) {
    world.embedded(Event::EmailSubmitted { email: "alice@example.org".into() });
    world.advance(SETTLE);
    world.embedded(Event::CodeTyped { text: "123456".into() });
}

/// World in which the host waits for an account of a namespace, under ticket 7, and the visitor logged in.
fn awaited(namespace: &str) -> World {
    let mut world = world(vec![]);
    connect(&mut world, None, namespace, 7);
    assert_eq!(world.snapshot().modal.view, View::Connect);
    log_in_there(&mut world);
    assert!(address(&world, Namespace::Eip155).is_some());
    assert!(!world.snapshot().modal.open);
    world
}

fn ours() -> String {
    format!("{SOLANA}:{OURS}")
}

#[test]
fn spec_4_35_a_login_answers_the_host_that_waits_for_an_account_on_solana() {
    for connector in [None, Some("AUTH")] {
        let mut world = world(vec![]);
        connect(&mut world, connector, "solana", 7);
        log_in_there(&mut world);
        assert!(!world.snapshot().modal.open);
        assert_eq!(world.answer(7), None, "the page has not told the account");
        tell(&mut world, &[OURS]);
        assert!(world.answer(7).unwrap().contains(&ours()), "{:?}", world.answer(7));
        assert_eq!(active(&world).as_deref(), Some(SOLANA), "the host asked for this namespace");
        assert!(!world.snapshot().modal.open);
        world.advance(LIMIT);
        assert!(world.answer(7).unwrap().contains(&ours()), "one answer");
    }
}

#[test]
fn a_login_without_an_account_on_solana_rejects_the_host_that_waits_for_one() {
    for told in [&[][..], &["not an address"]] {
        let mut world = awaited("solana");
        tell(&mut world, told);
        assert!(world.answer(7).unwrap().contains(NONE), "{:?}", world.answer(7));
        assert!(address(&world, Namespace::Eip155).is_some(), "the login stays");
    }
}

#[test]
fn a_page_that_tells_no_account_on_solana_in_time_rejects_the_host_that_waits_for_one() {
    let mut world = awaited("solana");
    world.advance(LIMIT - 1);
    assert_eq!(world.answer(7), None);
    world.advance(1);
    assert!(world.answer(7).unwrap().contains(NONE), "{:?}", world.answer(7));
    tell(&mut world, &[OURS]);
    assert_eq!(address(&world, Namespace::Solana).as_deref(), Some(OURS), "late is not never");
}

#[test]
fn a_login_rejects_at_once_the_host_that_waits_for_an_account_it_never_has() {
    for connector in [None, Some("AUTH")] {
        let mut world = world(vec![]);
        connect(&mut world, connector, "bip122", 7);
        log_in_there(&mut world);
        assert!(world.answer(7).unwrap().contains(NONE), "{connector:?}: {:?}", world.answer(7));
    }
}

#[test]
fn another_wallet_in_the_place_of_the_login_rejects_the_host_that_waits_for_its_account() {
    let mut world = world(vec![ScriptedWallet::named("Evm")]);
    connect(&mut world, None, "solana", 7);
    log_in_there(&mut world);
    world.choose("example.evm");
    assert_ne!(address(&world, Namespace::Eip155).as_deref(), Some(super::EVM));
    world.advance(LIMIT);
    assert!(world.answer(7).unwrap().contains(NONE), "{:?}", world.answer(7));
}

#[test]
fn the_end_of_the_login_rejects_the_host_that_waits_for_its_account() {
    for namespace in [None, Some("eip155")] {
        let mut world = awaited("solana");
        disconnect(&mut world, namespace);
        assert!(world.answer(7).unwrap().contains(r#""reason":"cancelled""#), "{:?}", world.answer(7));
    }
    let mut world = awaited("solana");
    world.frame.session = false;
    world.frame.answers = vec![(FrameEvent::ShowSettings, Ok(portico_json::parse(r#"{"connected":false}"#).unwrap()))];
    world.open(Some("Account"));
    world.embedded(Event::SettingsAsked);
    assert_eq!(address(&world, Namespace::Eip155), None);
    assert!(world.answer(7).unwrap().contains(r#""reason":"cancelled""#), "{:?}", world.answer(7));
}

#[test]
fn a_modal_that_opens_and_closes_meanwhile_ends_nothing() {
    let mut world = awaited("solana");
    world.open(None);
    world.modal(Modal::CloseAsked);
    assert_eq!(world.answer(7), None);
    tell(&mut world, &[OURS]);
    assert!(world.answer(7).unwrap().contains(&ours()), "{:?}", world.answer(7));
}

#[test]
fn a_login_without_an_account_leaves_the_visitor_who_sees_the_modal_the_choice() {
    for chosen in [true, false] {
        let mut world =
            world(vec![ScriptedWallet::named("Sol").of(Namespace::Solana, THEIRS).through(ConnectorKind::External)]);
        connect(&mut world, None, "solana", 7);
        log_in_there(&mut world);
        connect(&mut world, None, "solana", 8);
        tell(&mut world, &[]);
        assert_eq!((world.answer(7), world.answer(8)), (None, None), "the list of wallets is open");
        assert_eq!(world.snapshot().modal.view, View::Connect);
        if chosen {
            world.choose("example.sol");
            for ticket in [7, 8] {
                assert!(world.answer(ticket).unwrap().contains(THEIRS), "{:?}", world.answer(ticket));
            }
        } else {
            world.modal(Modal::CloseAsked);
            assert!(world.answer(7).unwrap().contains(NONE), "{:?}", world.answer(7));
            assert!(world.answer(8).unwrap().contains(r#""reason":"modalClosed""#), "{:?}", world.answer(8));
        }
    }
}

#[test]
fn a_host_that_waits_for_any_account_gets_that_of_the_login() {
    let mut world = world(vec![]);
    world.dispatch(Any::Connect(Connect::ConnectAsked { connector: None, namespace: None, ticket: 7 }));
    log_in_there(&mut world);
    assert!(world.answer(7).unwrap().contains("eip155:31337:"), "{:?}", world.answer(7));
    tell(&mut world, &[OURS]);
    assert_eq!(active(&world).as_deref(), Some("eip155:31337"), "nobody asked for Solana");
}

#[test]
fn the_list_of_wallets_closes_once_the_account_is_there_that_it_was_opened_for() {
    let mut world = world(vec![]);
    log_in(&mut world);
    connect(&mut world, None, "solana", 7);
    assert_eq!((world.snapshot().modal.open, world.snapshot().modal.view), (true, View::Connect));
    tell(&mut world, &[OURS]);
    assert!(world.answer(7).unwrap().contains(&ours()), "{:?}", world.answer(7));
    assert!(!world.snapshot().modal.open);
    assert_eq!(super::state(&world, Namespace::Solana).status, Status::Connected);
}

#[test]
fn the_login_of_a_form_of_the_host_answers_its_wait_for_an_account_on_solana() {
    let mut world = world(vec![]);
    world.dispatch(Any::Embedded(Event::JwtGiven { jwt: "a.b.c".into(), ticket: 6 }));
    connect(&mut world, None, "solana", 7);
    world.advance(SETTLE);
    assert!(address(&world, Namespace::Eip155).is_some(), "{:?}", world.answer(6));
    assert_eq!(world.snapshot().modal.view, View::Connect);
    tell(&mut world, &[OURS]);
    assert!(world.answer(7).unwrap().contains(&ours()), "{:?}", world.answer(7));
    assert!(!world.snapshot().modal.open);
}
