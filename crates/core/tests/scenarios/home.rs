//! The second half of the core (decision 7): when it is asked for, what waits for it, and what happens where it cannot be had.

use portico_core::notice::AlertKey;
use portico_core::{Event, account, modal, network};
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
