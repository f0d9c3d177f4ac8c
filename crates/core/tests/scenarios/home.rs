//! The second half of the core (decision 7): when it is asked for, what waits for it, and what happens where it cannot be had.

use portico_core::modal::View;
use portico_core::notice::AlertKey;
use portico_core::{Event, account, modal, network};
use portico_json::parse;
use portico_testkit::{ScriptedWallet, World};

fn world() -> World {
    World::new(vec![ScriptedWallet::named("Alpha")])
}

#[test]
fn a_page_on_which_nobody_connects_never_asks_for_the_second_half() {
    let mut world = world();
    world.open(None);
    world.dispatch(Event::Modal(modal::Event::CloseAsked));
    world.advance(60_000);
    assert_eq!(world.homes, 0);
}

#[test]
fn it_is_asked_for_once_when_an_account_is_there() {
    let mut world = world();
    world.open(None);
    world.choose("example.alpha");
    assert_eq!(world.homes, 1);
    world.dispatch(Event::Account(account::Event::RefreshAsked { ticket: None }));
    assert_eq!(world.homes, 1);
    assert!(world.snapshot().account.accounts[0].balance.is_some());
}

#[test]
fn where_it_cannot_be_had_the_visitor_is_connected_all_the_same_and_hears_of_it_once() {
    let mut world = world();
    world.home_missing = 2;
    world.open(None);
    world.choose("example.alpha");
    let snapshot = world.snapshot();
    assert!(snapshot.account.accounts[0].is_connected);
    assert!(!snapshot.modal.open, "the modal has done its work");
    assert_eq!(snapshot.account.accounts[0].balance, None);
    world.advance(3_000);
    assert_eq!(world.homes, 2);
    assert_eq!(world.alerts.iter().filter(|(key, _)| *key == AlertKey::HomeUnavailable).count(), 1);
}

#[test]
fn it_is_asked_for_again_and_what_waited_goes_on_in_its_order() {
    let mut world = world();
    world.home_missing = 1;
    world.open(None);
    world.choose("example.alpha");
    world.dispatch(Event::Account(account::Event::RefreshAsked { ticket: Some(7) }));
    assert_eq!(world.homes, 1, "what waits already is not asked for twice");
    assert!(!world.answers.contains_key(&7));
    world.advance(2_999);
    assert_eq!(world.homes, 1);
    world.advance(1);
    assert_eq!(world.homes, 2);
    assert!(world.snapshot().account.accounts[0].balance.is_some());
    assert_eq!(world.answers[&7].len(), 1);
}

#[test]
fn what_stays_missing_is_asked_for_ever_more_seldom_and_at_least_every_minute() {
    let mut world = world();
    world.home_missing = 9;
    world.open(None);
    world.choose("example.alpha");
    for (place, wait) in [3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000].into_iter().enumerate() {
        let asked = place as u32 + 1;
        world.advance(wait - 1);
        assert_eq!(world.homes, asked, "{wait}");
        world.advance(1);
        assert_eq!(world.homes, asked + 1, "{wait}");
    }
}

#[test]
fn a_call_of_the_host_that_waits_for_half_a_minute_is_refused_and_nothing_comes_of_it_later() {
    let mut world = world();
    world.home_missing = 5;
    world.open(None);
    world.choose("example.alpha");
    world.dispatch(Event::Account(account::Event::RefreshAsked { ticket: Some(7) }));
    world.advance(10_000);
    world.dispatch(Event::Account(account::Event::RefreshAsked { ticket: Some(8) }));
    world.advance(19_999);
    assert_eq!((world.answer(7), world.answer(8)), (None, None));
    world.advance(1);
    let answer = world.answer(7).unwrap();
    assert!(answer.contains("rejected") && answer.contains("loadFailed"), "{answer}");
    assert_eq!(world.answer(8), None);
    world.advance(10_000);
    assert!(world.answer(8).unwrap().contains("loadFailed"));
    world.advance(60_000);
    assert!(world.snapshot().account.accounts[0].balance.is_some());
    assert_eq!((world.answers[&7].len(), world.answers[&8].len()), (1, 1));
}

#[test]
fn a_network_chosen_meanwhile_is_the_one_whose_balance_is_shown() {
    let mut world = world();
    world.home_missing = 1;
    world.open(None);
    world.choose("example.alpha");
    world.dispatch(Event::Network(network::Event::NetworkChosen { chain: "eip155:31338".into() }));
    world.advance(3_000);
    let snapshot = world.snapshot();
    assert_eq!(snapshot.network.active.as_ref().unwrap().id, "31338");
    assert!(snapshot.account.accounts[0].balance.is_some());
}

const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/// Connected, and asked by the host for a send (ticket 7) that waits for the second half.
fn asked_to_send() -> World {
    let mut world = world();
    world.home_missing = 1;
    world.open(None);
    world.choose("example.alpha");
    world.dispatch(Event::Modal(modal::Event::OpenAsked {
        view: Some("WalletSend".into()),
        namespace: None,
        uri: None,
        arguments: parse(&format!(r#"{{"amount":"1","to":"{OTHER}"}}"#)).unwrap(),
        ticket: Some(7),
    }));
    assert_eq!((world.snapshot().modal.view, world.answer(7)), (View::WalletSend, None));
    world
}

#[test]
fn a_send_that_was_asked_for_meanwhile_is_filled_in() {
    let mut world = asked_to_send();
    world.advance(3_000);
    assert_eq!(world.snapshot().send.send_token_amount, "1");
    assert_eq!(world.answer(7), None);
}

#[test]
fn a_send_asked_for_meanwhile_is_not_for_who_comes_after() {
    let left: [fn(&mut World); 5] = [
        |world| world.wallet_shows(&[OTHER]),
        |world| world.wallet_switches(31338),
        |world| world.modal(modal::Event::CloseAsked),
        |world| world.modal(modal::Event::BackAsked),
        |world| {
            world.dispatch(Event::Connect(portico_core::connect::Event::DisconnectAsked {
                namespace: None,
                ticket: None,
            }))
        },
    ];
    for (place, leave) in left.into_iter().enumerate() {
        let mut world = asked_to_send();
        leave(&mut world);
        world.advance(3_000);
        assert_eq!(world.homes, 2, "{place}");
        assert_eq!(world.snapshot().send.send_token_amount, "", "{place}");
        let answer = world.answer(7).unwrap_or_else(|| panic!("{place}: the host waits for ever"));
        assert!(answer.contains("rejected"), "{place}: {answer}");
    }
}
