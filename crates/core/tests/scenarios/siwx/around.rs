//! Scenarios of the ways around a required sign-in: an unsupported network, code that does not load, a site that is slow, another namespace.

use super::{alpha, asked, is_connected, phase, shown, signed, snack, visit};
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::{Message, Variant};
use portico_core::siwx::{Event as SignIn, PATIENCE, Phase, Refusal};
use portico_core::{Event, SignInCall};
use portico_json::Value;
use portico_testkit::{Store, World, options, with_sign_in};

fn disconnect(world: &mut World) {
    world.connecting(Connect::DisconnectAsked { namespace: Some("eip155".into()), ticket: None });
}

/// Tries to close the modal and to reach another view.
fn cannot_be_passed(world: &mut World, view: View) {
    assert_eq!(shown(world), Some(view));
    assert!(!world.snapshot().modal.closable, "{view:?}");
    for event in [Modal::CloseAsked, Modal::BackAsked] {
        world.modal(event);
        assert_eq!(shown(world), Some(view));
        assert!(world.snapshot().modal.shaking, "{view:?}");
        world.advance(500);
    }
    for asked in [None, Some("Account"), Some("Networks"), Some("WalletSend"), Some("SIWXSignMessage")] {
        world.open(asked);
        assert_eq!(shown(world), Some(view), "{asked:?}");
    }
    for event in [
        Modal::ViewAsked { view: View::Account },
        Modal::RedirectAsked { view: "Account".into() },
        Modal::ReplaceAsked { view: "Account".into() },
    ] {
        world.modal(event);
        assert_eq!(shown(world), Some(view));
    }
}

#[test]
fn spec_2_25_and_6_3_the_screen_of_an_unsupported_network_is_no_way_around_a_required_sign_in() {
    let mut world = asked(true);
    world.wallet_switches(999);
    cannot_be_passed(&mut world, View::UnsupportedChain);
    world.reload();
    cannot_be_passed(&mut world, View::UnsupportedChain);
    disconnect(&mut world);
    assert_eq!((is_connected(&world), shown(&world)), (false, None), "the visitor can always disconnect");
}

#[test]
fn spec_2_21_and_6_3_a_switch_that_the_wallet_refuses_leads_back_to_the_unsupported_network() {
    let mut world = asked(true);
    world.wallet_switches(999);
    world.wallet().behaviours.insert("wallet_switchEthereumChain".into(), portico_testkit::Behaviour::Refuse);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: super::CHAIN.into() }));
    assert_eq!(shown(&world), Some(View::SwitchNetwork));
    assert!(world.snapshot().modal.can_go_back);
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), Some(View::SwitchNetwork));
    world.modal(Modal::BackAsked);
    assert_eq!(shown(&world), Some(View::UnsupportedChain));
}

#[test]
fn spec_6_3_an_unsupported_network_without_a_screen_of_its_own_is_no_way_around_a_required_sign_in() {
    for option in [r#""enableNetworkSwitch":false,"#, r#""basic":true,"#] {
        let options = options().replacen('{', &format!("{{{option}"), 1);
        let mut world = World::with(&with_sign_in(&options, true), vec![alpha()], Store::default());
        world.connect_first();
        world.wallet_switches(999);
        cannot_be_passed(&mut world, View::SIWXSignMessage);
        assert_eq!((phase(&world), world.snapshot().siwx.refusal), (Phase::Idle, Some(Refusal::Network)), "{option}");
        world.sign_in(SignIn::SignAsked);
        assert_eq!(world.wallet().requests.iter().filter(|(method, _)| method == "personal_sign").count(), 0);
        world.wallet_switches(31338);
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready), "{option}");
        assert_eq!(world.snapshot().siwx.refusal, None);
        world.wallet_switches(999);
        world.sign_in(SignIn::CancelAsked);
        assert_eq!((is_connected(&world), shown(&world)), (false, Some(View::Connect)), "{option}");
        world.modal(Modal::CloseAsked);
        assert_eq!(shown(&world), None);
    }
}

/// World of a visitor who connected while the first module, or else the part of the sign-in, does not load.
fn without_code(home: bool) -> World {
    let mut world = visit(true);
    *(if home { &mut world.home_missing } else { &mut world.part_missing }) = 9;
    world.connect_first();
    world
}

#[test]
fn spec_6_3_while_the_code_of_the_sign_in_is_missing_a_required_one_cannot_be_passed() {
    for home in [true, false] {
        let mut world = without_code(home);
        assert!(world.snapshot().modal.part_missing);
        cannot_be_passed(&mut world, View::SIWXSignMessage);
        world.reload();
        cannot_be_passed(&mut world, View::SIWXSignMessage);
        world.home_missing = 0;
        world.part_missing = 0;
        world.advance(60_000);
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    }
}

#[test]
fn spec_6_3_where_the_code_of_the_sign_in_does_not_load_the_visitor_can_disconnect() {
    for home in [true, false] {
        let mut world = without_code(home);
        disconnect(&mut world);
        assert_eq!((is_connected(&world), shown(&world)), (false, None));
        world.open(None);
        assert_eq!(shown(&world), Some(View::Connect));
        world.modal(Modal::CloseAsked);
        assert_eq!(shown(&world), None);
    }
}

#[test]
fn spec_2_25_and_6_3_while_the_site_is_asked_for_its_sessions_a_required_sign_in_cannot_be_passed() {
    let mut world = visit(true);
    world.site.silent.push(SignInCall::GetSessions);
    world.connect_first();
    assert_eq!(phase(&world), Phase::Checking);
    cannot_be_passed(&mut world, View::SIWXSignMessage);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((is_connected(&world), shown(&world)), (false, Some(View::Connect)));
}

#[test]
fn spec_6_3_a_reload_is_no_way_around_a_required_sign_in_of_a_slow_site() {
    let mut world = asked(true);
    world.site.silent.push(SignInCall::GetSessions);
    world.reload();
    assert_eq!((shown(&world), phase(&world)), (None, Phase::Checking));
    world.open(Some("WalletSend"));
    cannot_be_passed(&mut world, View::SIWXSignMessage);
}

#[test]
fn spec_4_25_a_visitor_who_opens_the_account_before_the_site_confirms_the_session_gets_there() {
    let mut world = signed(true);
    world.site.silent.push(SignInCall::GetSessions);
    world.come_back();
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Checking));
    world.site_answers(SignInCall::GetSessions, Ok(Value::List(vec![Value::Null])));
    assert_eq!((shown(&world), phase(&world)), (Some(View::Account), Phase::Idle));
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), None);
}

#[test]
fn spec_6_3_a_site_that_cannot_tell_after_a_reload_neither_ends_nor_replaces_the_required_session() {
    for answer in [None, Some(Err("Server down".into())), Some(Ok(Value::Null))] {
        let mut world = signed(true);
        match answer.clone() {
            None => world.site.silent.push(SignInCall::GetSessions),
            Some(answer) => world.site.answers.push((SignInCall::GetSessions, answer)),
        }
        world.reload();
        world.advance(PATIENCE);
        assert!(is_connected(&world), "{answer:?}");
        assert_eq!(world.snapshot().siwx.refusal, Some(Refusal::Silent), "{answer:?}");
        assert!(world.alerts[0].1.starts_with("siwx.getSessions: "));
        cannot_be_passed(&mut world, View::SIWXSignMessage);
        world.sign_in(SignIn::SignAsked);
        world.advance(PATIENCE);
        assert_eq!(world.site.count(SignInCall::CreateMessage), 1, "the one before the reload");
        assert_eq!((shown(&world), is_connected(&world)), (Some(View::SIWXSignMessage), true));
        world.site.silent.clear();
        world.site.answers.clear();
        world.sign_in(SignIn::SignAsked);
        assert_eq!((shown(&world), phase(&world), is_connected(&world)), (None, Phase::Idle, true), "{answer:?}");
    }
}

#[test]
fn spec_4_28_and_6_3_where_the_site_cannot_tell_after_a_reload_cancelling_disconnects() {
    let mut world = signed(true);
    world.site.silent.push(SignInCall::GetSessions);
    world.reload();
    world.advance(PATIENCE);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((shown(&world), is_connected(&world)), (Some(View::Connect), false));
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), None);
}

#[test]
fn disconnecting_ends_a_session_that_the_site_has_not_told_yet() {
    for wait in [0, PATIENCE] {
        let mut world = signed(true);
        world.site.silent.push(SignInCall::GetSessions);
        world.reload();
        world.advance(wait);
        assert_eq!(world.site.sessions.len(), 1);
        disconnect(&mut world);
        assert_eq!((is_connected(&world), world.site.sessions.len()), (false, 0), "{wait}");
    }
}

#[test]
fn a_site_that_cannot_tell_after_a_reload_leaves_an_optional_sign_in_as_it_was() {
    for silent in [true, false] {
        let mut world = signed(false);
        match silent {
            true => world.site.silent.push(SignInCall::GetSessions),
            false => world.site.answers.push((SignInCall::GetSessions, Err("Server down".into()))),
        }
        world.reload();
        if silent {
            world.advance(PATIENCE);
        }
        assert_eq!((shown(&world), phase(&world), is_connected(&world)), (None, Phase::Idle, true));
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::AuthenticationProblem))));
        world.open(None);
        assert_eq!(shown(&world), Some(View::Account));
    }
}

#[test]
fn spec_6_3_a_form_that_a_change_of_network_leaves_open_waits_for_the_site() {
    let mut world = signed(true);
    world.site.sessions.push(("eip155:31338".into(), super::ACCOUNT.into()));
    world.open(Some("Swap"));
    assert_eq!(shown(&world), Some(View::Swap));
    world.site.silent.push(SignInCall::GetSessions);
    world.wallet_switches(31338);
    cannot_be_passed(&mut world, View::SIWXSignMessage);
    world.open(None);
    world.site_answers(SignInCall::GetSessions, Ok(Value::List(vec![Value::Null])));
    assert_eq!(shown(&world), Some(View::Account));
}
