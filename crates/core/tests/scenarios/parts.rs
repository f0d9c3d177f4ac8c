//! Scenarios of the parts of the core (decision 7): when each is requested, what waits for it, and what happens if it fails to load.

use portico_core::modal::View;
use portico_core::notice::AlertKey;
use portico_core::{Event, Part, account, modal, network, send};
use portico_json::parse;
use portico_testkit::{ScriptedWallet, Store, World, options};

fn world() -> World {
    World::new(vec![ScriptedWallet::named("Alpha")])
}

#[test]
fn a_page_on_which_nobody_connects_never_asks_for_a_part() {
    let mut world = world();
    world.open(None);
    world.dispatch(Event::Modal(modal::Event::CloseAsked));
    world.advance(60_000);
    assert_eq!(world.loads, []);
}

#[test]
fn home_is_asked_for_once_when_an_account_is_there_and_no_other_part() {
    let mut world = world();
    world.open(None);
    world.choose("example.alpha");
    assert_eq!(world.loaded(Part::Home), 1);
    world.dispatch(Event::Account(account::Event::RefreshAsked { ticket: None }));
    assert_eq!(world.loaded(Part::Home), 1);
    assert!(world.snapshot().account.accounts[0].balance.is_some());
    assert_eq!(world.loads, [Part::Home]);
}

#[test]
fn where_home_cannot_be_had_the_visitor_is_connected_all_the_same_and_hears_of_it_once() {
    let mut world = world();
    world.home_missing = 2;
    world.open(None);
    world.choose("example.alpha");
    let snapshot = world.snapshot();
    assert!(snapshot.account.accounts[0].is_connected);
    assert!(!snapshot.modal.open, "the modal has done its work");
    assert_eq!(snapshot.account.accounts[0].balance, None);
    world.advance(3_000);
    assert_eq!(world.loaded(Part::Home), 2);
    assert_eq!(world.alerts.iter().filter(|(key, _)| *key == AlertKey::HomeUnavailable).count(), 1);
}

#[test]
fn home_is_asked_for_again_and_what_waited_goes_on_in_its_order() {
    let mut world = world();
    world.home_missing = 1;
    world.open(None);
    world.choose("example.alpha");
    world.dispatch(Event::Account(account::Event::RefreshAsked { ticket: Some(7) }));
    assert_eq!(world.loaded(Part::Home), 1, "what waits already is not asked for twice");
    assert!(!world.answers.contains_key(&7));
    assert!(world.snapshot().notice.alert.is_some());
    world.advance(2_999);
    assert_eq!(world.loaded(Part::Home), 1);
    world.advance(1);
    assert_eq!(world.loaded(Part::Home), 2);
    assert!(world.snapshot().account.accounts[0].balance.is_some());
    assert_eq!(world.answers[&7].len(), 1);
    assert_eq!(world.snapshot().notice.alert, None, "the alert ends with its cause");
}

#[test]
fn what_stays_missing_is_asked_for_ever_more_seldom_and_at_least_every_minute() {
    let mut world = world();
    world.home_missing = 9;
    world.open(None);
    world.choose("example.alpha");
    for (place, wait) in [3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000].into_iter().enumerate() {
        let asked = place + 1;
        world.advance(wait - 1);
        assert_eq!(world.loaded(Part::Home), asked, "{wait}");
        world.advance(1);
        assert_eq!(world.loaded(Part::Home), asked + 1, "{wait}");
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

/// Requests a send as the host (ticket 7).
fn ask_to_send(world: &mut World) {
    world.dispatch(Event::Modal(modal::Event::OpenAsked {
        view: Some("WalletSend".into()),
        namespace: None,
        uri: None,
        arguments: parse(&format!(r#"{{"amount":"1","to":"{OTHER}"}}"#)).unwrap(),
        ticket: Some(7),
    }));
}

/// World of a connected page with a send requested by the host, waiting for this part.
fn asked_to_send(missing: Part) -> World {
    let mut world = world();
    match missing {
        Part::Home => world.home_missing = 1,
        _ => world.part_missing = 1,
    }
    world.open(None);
    world.choose("example.alpha");
    ask_to_send(&mut world);
    assert_eq!((world.snapshot().modal.view, world.answer(7)), (View::WalletSend, None));
    assert_eq!(world.snapshot().send.token, None, "{missing:?}: as on an idle page");
    world
}

#[test]
fn a_send_that_was_asked_for_meanwhile_is_filled_in() {
    for missing in [Part::Home, Part::Send] {
        let mut world = asked_to_send(missing);
        world.dispatch(Event::Send(send::Event::AmountTyped { text: "1.5".into() }));
        world.advance(3_000);
        let snapshot = world.snapshot();
        assert_eq!((snapshot.send.send_token_amount.as_str(), snapshot.send.receiver_address.as_str()), ("1.5", OTHER));
        assert_eq!(world.answer(7), None);
        assert_eq!(world.loaded(missing), 2, "{missing:?}");
    }
}

#[test]
fn a_form_says_that_its_part_is_missing_until_letters_can_be_kept() {
    for missing in [Part::Home, Part::Send] {
        let mut world = asked_to_send(missing);
        let modal = world.snapshot().modal;
        assert!(modal.view == View::WalletSend && modal.part_missing, "{missing:?}");
        world.advance(3_000);
        let modal = world.snapshot().modal;
        assert!(modal.view == View::WalletSend && !modal.part_missing, "{missing:?}");
    }
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
    let cases = left.into_iter().enumerate().flat_map(|left| [(left, Part::Home), (left, Part::Send)]);
    for ((place, leave), missing) in cases {
        let mut world = asked_to_send(missing);
        leave(&mut world);
        world.advance(3_000);
        assert_eq!(world.loaded(missing), 2, "{place}");
        assert_eq!(world.snapshot().send.send_token_amount, "", "{place}");
        let answer = world.answer(7).unwrap_or_else(|| panic!("{place}: the host waits for ever"));
        assert!(answer.contains("rejected"), "{place}: {answer}");
    }
}

#[test]
fn send_is_asked_for_once_when_its_form_is_and_never_where_the_host_does_not_want_it() {
    let mut world = world();
    world.connect_first();
    world.open(Some("Account"));
    assert_eq!(world.loads, [Part::Home]);
    for _ in 0..2 {
        world.modal(modal::Event::ViewAsked { view: View::WalletSend });
        world.modal(modal::Event::BackAsked);
    }
    assert_eq!(world.loads, [Part::Home, Part::Send]);

    let off = options().replacen('{', r#"{"features":{"send":false},"#, 1);
    let mut world = World::with(&off, vec![ScriptedWallet::named("Alpha")], Store::default());
    world.connect_first();
    ask_to_send(&mut world);
    world.dispatch(Event::Send(send::Event::AmountTyped { text: "1".into() }));
    world.advance(60_000);
    assert_eq!(world.loads, [Part::Home]);
    assert!(world.answer(7).unwrap().contains("rejected"));
}

#[test]
fn a_part_that_stays_missing_takes_nothing_from_what_is_there_and_a_call_that_waited_is_refused() {
    let mut world = asked_to_send(Part::Send);
    world.part_missing = 9;
    world.dispatch(Event::Account(account::Event::RefreshAsked { ticket: Some(8) }));
    assert!(world.answer(8).unwrap().contains("resolved"), "home answers");
    assert!(world.snapshot().account.accounts[0].balance.is_some());
    world.advance(29_999);
    assert_eq!(world.answer(7), None);
    world.advance(1);
    assert!(world.answer(7).unwrap().contains("loadFailed"));
    assert_eq!((world.loaded(Part::Home), world.loaded(Part::Send)), (1, 4));
    assert_eq!(world.alerts.iter().filter(|(key, _)| *key == AlertKey::HomeUnavailable).count(), 1);
    world.part_missing = 0;
    world.advance(60_000);
    assert_eq!((world.snapshot().send.send_token_amount.as_str(), world.answers[&7].len()), ("", 1));
}

#[test]
fn an_event_of_a_part_is_read_there_and_nonsense_changes_nothing() {
    let mut world = world();
    world.connect_first();
    world.open(Some("WalletSend"));
    let mut hear = |text: &str| world.app.dispatch_json(&parse(text).unwrap(), world.now);
    for nonsense in [
        r#"{"feature":"send"}"#,
        r#"{"feature":"send","event":null}"#,
        r#"{"feature":"send","event":{"type":"nonsense"}}"#,
        r#"{"feature":"send","event":{"type":"amountTyped","text":7}}"#,
    ] {
        assert_eq!(hear(nonsense), Ok(()), "{nonsense}");
    }
    for refused in [r#"{"feature":"home","event":{}}"#, r#"{"feature":"modal","event":{"type":"nonsense"}}"#, "7"] {
        assert!(hear(refused).is_err(), "{refused}");
    }
    assert_eq!(hear(r#"{"feature":"send","event":{"type":"amountTyped","text":"2.5"}}"#), Ok(()));
    world.settle();
    assert_eq!(world.snapshot().send.send_token_amount, "2.5");
}
