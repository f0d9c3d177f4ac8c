//! Scenarios of a request to send whose answer comes late or never, as after a reload: the next one neither repeats it nor hears its answer.

use crate::send::{OWN, RECEIVER, SEND, alpha, confirmed, fill, opened};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::{Event as Send, Phase};
use portico_json::parse;
use portico_testkit::{Behaviour, World};

#[test]
fn a_visitor_who_reloads_while_the_wallet_asks_is_told_to_look_there_before_paying_again() {
    let reopened = |world: &mut World| {
        world.come_back();
        world.modal(Modal::ViewAsked { view: View::WalletSend });
        fill(world, "1.5", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        (world.snapshot().modal.view, world.snapshot().send.phase)
    };
    let mut world = confirmed(alpha().when(SEND, Behaviour::Silent));
    assert_eq!(reopened(&mut world), (View::WalletSendPreview, Phase::Interrupted));
    // Reloaded once more without an answer, and back in the form.
    assert_eq!(reopened(&mut world), (View::WalletSendPreview, Phase::Interrupted));
    world.modal(Modal::BackAsked);
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snapshot().send.phase, Phase::Interrupted);
    // The visitor looked, and sends.
    world.wallet().behaviours.clear();
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(world.snapshot().modal.view, View::WalletSendConfirmed);
    assert_eq!(reopened(&mut world), (View::WalletSendPreview, Phase::Editing), "the wallet answered");
}

#[test]
fn a_payment_that_the_wallet_may_have_sent_is_asked_about_after_the_form_was_left() {
    let fault = Behaviour::Throw(parse(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#).unwrap());
    let mut world = confirmed(alpha().when(SEND, fault));
    assert_eq!(world.snapshot().send.phase, Phase::Unsure);
    world.modal(Modal::CloseAsked);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "1.5", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snapshot().send.phase, Phase::Interrupted);
    // The wallet refuses the next one, which tells nothing about the one before.
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Refuse);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::BackAsked);
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!((world.snapshot().send.phase, marks(&world).len()), (Phase::Interrupted, 1));
    assert_eq!(reviewed(&mut world), Phase::Interrupted);
    // The visitor looked, and pays.
    world.wallet().behaviours.clear();
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!((world.snapshot().modal.view, marks(&world).len()), (View::WalletSendConfirmed, 0));
}

#[test]
fn a_late_refusal_settles_no_later_request_that_the_wallet_may_have_sent() {
    let refusal = parse(r#"{"code":4001}"#).unwrap();
    let mut world = confirmed(alpha().when(SEND, Behaviour::LateThrow(60_000, refusal)));
    world.advance(8_000);
    world.modal(Modal::BackAsked);
    world.dispatch(Event::Send(Send::ReviewAsked));
    let fault = Behaviour::Throw(parse(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#).unwrap());
    world.wallet().behaviours.insert(SEND.into(), fault);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(world.snapshot().send.phase, Phase::Unsure);
    world.advance(60_000);
    assert_eq!((marks(&world).len(), reviewed(&mut world)), (1, Phase::Interrupted));
}

/// Asks the wallet once more while it is slow to answer; it will answer the new request like this.
fn asks_again(world: &mut World, answer: Behaviour) {
    world.advance(8_000);
    world.modal(Modal::BackAsked);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.wallet().behaviours.insert(SEND.into(), answer);
    world.dispatch(Event::Send(Send::ConfirmAsked));
}

/// World whose wallet answers after a minute, but not whether it paid.
fn unsure_in_a_minute() -> World {
    let fault = parse(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#).unwrap();
    confirmed(alpha().when(SEND, Behaviour::LateThrow(60_000, fault)))
}

#[test]
fn a_payment_settles_the_request_before_it_whose_answer_came_meanwhile_without_an_outcome() {
    let mut world = unsure_in_a_minute();
    asks_again(&mut world, Behaviour::Late(90_000));
    world.advance(60_000);
    assert_eq!(marks(&world).len(), 1);
    world.advance(90_000);
    world.wallet().behaviours.clear();
    assert_eq!((marks(&world).len(), reviewed(&mut world)), (0, Phase::Editing));
}

#[test]
fn a_refusal_does_not_settle_the_request_before_it_whose_answer_came_meanwhile_without_an_outcome() {
    let mut world = unsure_in_a_minute();
    asks_again(&mut world, Behaviour::LateThrow(90_000, parse(r#"{"code":4001}"#).unwrap()));
    world.advance(60_000);
    world.advance(90_000);
    assert_eq!((marks(&world).len(), reviewed(&mut world)), (1, Phase::Interrupted));
}

#[test]
fn a_late_payment_does_not_settle_a_later_request_whose_outcome_is_unknown() {
    let mut world = confirmed(alpha().when(SEND, Behaviour::Late(60_000)));
    let fault = parse(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#).unwrap();
    asks_again(&mut world, Behaviour::Throw(fault));
    assert_eq!(world.snapshot().send.phase, Phase::Unsure);
    world.advance(60_000);
    assert_eq!((marks(&world).len(), reviewed(&mut world)), (1, Phase::Interrupted));
}

#[test]
fn a_payment_settles_no_request_that_the_wallet_still_asks_about_beside_one_whose_outcome_is_unknown() {
    let mut world = unsure_in_a_minute();
    asks_again(&mut world, Behaviour::Silent);
    world.advance(60_000);
    asks_again(&mut world, Behaviour::Late(1_000));
    world.advance(1_000);
    assert_eq!((marks(&world).len(), reviewed(&mut world)), (1, Phase::Interrupted));
}

#[test]
fn a_request_that_a_page_left_open_concerns_its_account_and_network_for_a_day_and_is_hostile_when_read() {
    let request = |chain: &str, address: &str, since: u64| {
        format!(r#"{{"chain":"{chain}","address":"{address}","since":{since}}}"#)
    };
    let now = 1_700_000_000_000;
    for (text, concerns) in [
        (request("eip155:31337", OWN, now), true),
        (request("eip155:31337", &OWN.to_lowercase(), now), true),
        (request("eip155:31338", OWN, now), false),
        (request("eip155:31337", RECEIVER, now), false),
        (request("eip155:31337", OWN, now - 90_000_000), false),
        (request("eip155:31337", OWN, u64::MAX), false),
        ("[[[".into(), false),
        (r#"{"chain":7}"#.into(), false),
    ] {
        let mut world = World::new(vec![alpha()]);
        world.connect_first();
        world.store.values.insert("@portico/asked_to_send/1".into(), text.clone());
        world.come_back();
        world.modal(Modal::ViewAsked { view: View::WalletSend });
        fill(&mut world, "1.5", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        let snapshot = world.snapshot();
        assert_eq!(snapshot.modal.view, View::WalletSendPreview, "{text}");
        assert_eq!(snapshot.send.phase == Phase::Interrupted, concerns, "{text}");
    }
}

/// Stored requests whose wallet has not answered.
fn marks(world: &World) -> Vec<&str> {
    world.store.values.keys().filter_map(|key| key.strip_prefix("@portico/asked_to_send/")).collect()
}

/// Lets another tab store a request of an account.
fn another_tab_asks(world: &mut World, address: &str) {
    let text = format!(r#"{{"chain":"eip155:31337","address":"{address}","since":{}}}"#, world.now);
    world.store.values.insert("@portico/asked_to_send/other".into(), text);
}

/// Reloads, and reviews a payment.
fn reviewed(world: &mut World) -> Phase {
    world.come_back();
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(world, "1.5", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.snapshot().send.phase
}

#[test]
fn an_answer_in_this_tab_leaves_the_request_of_another_tab_open() {
    for answer in [Behaviour::Late(5_000), Behaviour::LateThrow(5_000, parse(r#"{"code":4001}"#).unwrap())] {
        let mut world = confirmed(alpha().when(SEND, answer));
        another_tab_asks(&mut world, OWN);
        assert_eq!(marks(&world).len(), 2);
        world.advance(5_000);
        assert_eq!(marks(&world), ["other"]);
        world.wallet().behaviours.clear();
        assert_eq!(reviewed(&mut world), Phase::Interrupted);
    }
}

#[test]
fn a_refusal_does_not_settle_a_request_that_was_open_before_the_page() {
    let mut world = World::new(vec![alpha().when(SEND, Behaviour::Refuse)]);
    world.connect_first();
    another_tab_asks(&mut world, OWN);
    assert_eq!(reviewed(&mut world), Phase::Interrupted);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!((world.snapshot().send.phase, marks(&world)), (Phase::Refused, vec!["other"]));
    assert_eq!(reviewed(&mut world), Phase::Interrupted);
}

#[test]
fn a_payment_settles_no_request_of_another_account() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    another_tab_asks(&mut world, RECEIVER);
    assert_eq!(reviewed(&mut world), Phase::Editing);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!((world.snapshot().modal.view, marks(&world)), (View::WalletSendConfirmed, vec!["other"]));
}

#[test]
fn stored_requests_that_are_old_or_unreadable_are_removed_with_the_next_one() {
    let mut world = World::new(vec![alpha().when(SEND, Behaviour::Silent)]);
    world.connect_first();
    for (name, text) in [
        ("1", "[[[".into()),
        ("2", format!(r#"{{"chain":"eip155:31337","address":"{OWN}","since":{}}}"#, world.now - 90_000_000)),
    ] {
        world.store.values.insert(format!("@portico/asked_to_send/{name}"), text);
    }
    assert_eq!(reviewed(&mut world), Phase::Editing);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(marks(&world), [world.now.to_string()]);
}

#[test]
fn a_late_answer_to_the_send_before_leaves_the_one_that_the_wallet_asks_about() {
    let mut world = confirmed(alpha().when(SEND, Behaviour::Late(60_000)));
    world.advance(8_000);
    world.modal(Modal::BackAsked);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.advance(52_000);
    // The first one is pending on the chain; the second still waits for the wallet, and the view shows it.
    assert_eq!(world.snapshot().send.pending.len(), 1);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.send.phase), (View::WalletSendPreview, Phase::Confirming));
    assert_eq!((snapshot.send.send_token_amount.as_str(), snapshot.send.slow), ("1.5", true));
}

#[test]
fn a_late_answer_to_a_send_before_the_network_changed_leaves_the_one_that_the_wallet_asks_about() {
    let mut world = confirmed(alpha().when(SEND, Behaviour::Late(60_000)));
    world.wallet_switches(31338);
    world.wallet_switches(31337);
    world.advance(8_000);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "2", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.advance(52_000);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.send.pending.len(), snapshot.modal.view), (1, View::WalletSendPreview));
    assert_eq!((snapshot.send.phase, snapshot.send.send_token_amount.as_str()), (Phase::Confirming, "2"));
}

/// Asks the wallet to pay from this account.
fn asks_from(world: &mut World, address: &str) {
    world.node.balances.insert(address.to_lowercase(), 10u128.pow(20));
    world.wallet_shows(&[address]);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(world, "1.5", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
}

/// World with a form to send, whose wallet answers a minute after it was asked.
fn slow(answer: Option<&str>) -> World {
    let answer = match answer {
        Some(error) => Behaviour::LateThrow(60_000, parse(error).unwrap()),
        None => Behaviour::Late(60_000),
    };
    opened(alpha().when(SEND, answer))
}

const OTHER: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

#[test]
fn an_answer_settles_the_request_of_its_account_while_the_wallet_asks_about_one_of_another_account() {
    for answer in [Some(r#"{"code":4001}"#), None] {
        let mut world = slow(answer);
        asks_from(&mut world, OWN);
        let first = marks(&world).concat();
        world.wallet().behaviours.insert(SEND.into(), Behaviour::Silent);
        asks_from(&mut world, OTHER);
        assert_eq!(marks(&world).len(), 2);
        world.advance(60_000);
        assert_eq!(marks(&world).len(), 1);
        assert!(!marks(&world).contains(&first.as_str()));
        assert_eq!(reviewed(&mut world), Phase::Interrupted, "{answer:?}");
        world.wallet_shows(&[OWN]);
        assert_eq!(reviewed(&mut world), Phase::Editing, "{answer:?}");
    }
}

#[test]
fn an_answer_that_tells_no_outcome_leaves_the_request_of_its_account_open_and_no_other() {
    let mut world = slow(Some(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#));
    asks_from(&mut world, OWN);
    let first = marks(&world).concat();
    world.wallet().behaviours.insert(SEND.into(), Behaviour::LateThrow(90_000, parse(r#"{"code":4001}"#).unwrap()));
    asks_from(&mut world, OTHER);
    world.advance(90_000);
    assert_eq!(marks(&world), [first]);
}

#[test]
fn of_two_requests_of_an_account_both_have_to_be_refused() {
    let mut world = slow(Some(r#"{"code":4001}"#));
    asks_from(&mut world, OWN);
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Refuse);
    asks_from(&mut world, OTHER);
    asks_from(&mut world, OWN);
    assert_eq!(marks(&world).len(), 1);
    world.advance(60_000);
    assert_eq!(marks(&world).len(), 0);
}

#[test]
fn of_nine_requests_of_different_accounts_the_outcome_of_the_first_stays_unknown() {
    let mut world = slow(Some(r#"{"code":4001}"#));
    let accounts: Vec<String> = (1..=9).map(|number| format!("0x{number:040x}")).collect();
    for account in &accounts {
        asks_from(&mut world, account);
    }
    let first = marks(&world)[0].to_owned();
    assert_eq!(marks(&world).len(), 9);
    world.advance(60_000);
    assert_eq!(marks(&world), [first]);
}
