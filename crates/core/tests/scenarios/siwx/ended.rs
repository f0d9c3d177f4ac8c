//! Scenarios of a session that ends while the page is open: on the server, in another tab, or because it expired.

use super::{ACCOUNT, CHAIN, is_connected, phase, shown, signed, snack};
use portico_core::account::Event as Account;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::{Message, Variant};
use portico_core::siwx::{Event as SignIn, FRESH, PATIENCE, Phase, Refusal};
use portico_core::{Event, SignInCall};
use portico_json::Value;
use portico_testkit::World;

/// A visitor whose session the site no longer has.
fn ended(required: bool) -> World {
    let mut world = signed(required);
    world.site.sessions.clear();
    world
}

fn page_shown(world: &mut World) {
    world.dispatch(Event::Account(Account::PageShown));
}

fn asked_for_sessions(world: &World) -> usize {
    world.site.count(SignInCall::GetSessions)
}

#[test]
fn spec_4_25_a_host_that_opens_the_sign_in_after_the_end_of_the_session_renews_it() {
    for required in [true, false] {
        let mut world = ended(required);
        world.open(Some("SIWXSignMessage"));
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
        assert_eq!(world.snapshot().siwx.refusal, Some(Refusal::Ended));
        world.modal(Modal::CloseAsked);
        assert_eq!(world.snapshot().modal.shaking, required, "spec 2.25");
        world.open(Some("SIWXSignMessage"));
        world.sign_in(SignIn::SignAsked);
        assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle));
        assert_eq!(world.site.sessions, [(CHAIN.to_owned(), ACCOUNT.to_owned())]);
    }
}

#[test]
fn spec_4_25_a_visitor_who_comes_back_after_the_end_of_a_required_session_signs_in_again() {
    let mut world = ended(true);
    world.advance(FRESH - 1);
    page_shown(&mut world);
    assert_eq!((shown(&world), asked_for_sessions(&world)), (None, 1), "the site said so a moment ago");
    world.advance(1);
    page_shown(&mut world);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(world.snapshot().siwx.refusal, Some(Refusal::Ended));
    world.modal(Modal::CloseAsked);
    assert!(world.snapshot().modal.shaking && is_connected(&world), "spec 2.25 and 2.28");
    world.sign_in(SignIn::SignAsked);
    assert_eq!((shown(&world), world.snapshot().siwx.refusal), (None, None));
    page_shown(&mut world);
    assert_eq!(asked_for_sessions(&world), 2, "no loop");
}

#[test]
fn a_visitor_who_comes_back_after_the_end_of_an_optional_session_is_told_once() {
    let mut world = ended(false);
    world.advance(FRESH);
    page_shown(&mut world);
    assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SignInEnded))));
    assert_eq!(Message::SignInEnded.text(), "You're signed out. Sign in again.");
    assert_eq!((shown(&world), phase(&world), is_connected(&world)), (None, Phase::Idle, true));
    world.advance(FRESH);
    page_shown(&mut world);
    assert_eq!((snack(&world), asked_for_sessions(&world)), (None, 2));
    world.open(Some("SIWXSignMessage"));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
}

#[test]
fn a_session_that_goes_on_is_asked_for_at_most_once_a_minute_and_changes_nothing() {
    let mut world = signed(true);
    for times in 2..5 {
        world.advance(FRESH);
        page_shown(&mut world);
        page_shown(&mut world);
        assert_eq!((shown(&world), phase(&world), asked_for_sessions(&world)), (None, Phase::Idle, times));
    }
}

#[test]
fn a_site_that_cannot_tell_ends_no_session() {
    for answer in [Err("The server is down".into()), Ok(Value::Null), Ok("text".into())] {
        let mut world = signed(true);
        world.advance(FRESH);
        world.site.answers.push((SignInCall::GetSessions, answer));
        page_shown(&mut world);
        assert_eq!((shown(&world), snack(&world), is_connected(&world)), (None, None, true));
        world.open(Some("SIWXSignMessage"));
        assert_eq!((shown(&world), is_connected(&world)), (None, true), "it may still be open");
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::AuthenticationProblem))));
        assert!(world.alerts[0].1.starts_with("siwx.getSessions: "));
    }
    let mut world = signed(true);
    world.site.silent.push(SignInCall::GetSessions);
    world.open(Some("SIWXSignMessage"));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Checking));
    world.advance(PATIENCE);
    assert_eq!((shown(&world), is_connected(&world)), (None, true));
}

#[test]
fn a_late_answer_about_the_session_of_another_network_is_ignored() {
    let mut world = ended(true);
    world.advance(FRESH);
    world.site.silent.push(SignInCall::GetSessions);
    page_shown(&mut world);
    world.site.silent.clear();
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    world.sign_in(SignIn::SignAsked);
    assert_eq!(shown(&world), None);
    world.site_answers(SignInCall::GetSessions, Ok(Value::List(Vec::new())));
    assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle));
}

#[test]
fn a_visitor_in_the_middle_of_something_is_not_interrupted() {
    let mut world = ended(true);
    world.advance(FRESH);
    world.open(Some("WalletSend"));
    page_shown(&mut world);
    assert_eq!((shown(&world), asked_for_sessions(&world)), (Some(View::WalletSend), 1));
    world.modal(Modal::CloseAsked);
    page_shown(&mut world);
    assert_eq!(shown(&world), Some(View::SIWXSignMessage));
}

#[test]
fn spec_4_25_a_network_whose_session_ended_meanwhile_is_signed_in_to_again() {
    let mut world = signed(true);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    world.sign_in(SignIn::SignAsked);
    world.site.sessions.retain(|(chain, _)| chain != CHAIN);
    world.advance(FRESH);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: CHAIN.into() }));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
}
