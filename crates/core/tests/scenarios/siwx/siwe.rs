//! Scenarios of a `siweConfig`, whose site has one session at a time: another one takes its place, and so does a question for another account.

use super::one_click::{REMOTE, SECOND, session};
use super::{ACCOUNT, CHAIN, OTHER, alpha, is_connected, phase, shown};
use portico_core::connect::Event as Connect;
use portico_core::modal::View;
use portico_core::network::Event as Network;
use portico_core::siwx::{Event as SignIn, Phase};
use portico_core::{Event, SignInCall};
use portico_json::{Value, parse};
use portico_testkit::{Store, World, options, with_relay, with_sign_in};

fn site(required: bool) -> String {
    with_sign_in(&options(), required).replace("\"siwx\"", "\"siweConfig\"")
}

/// A visitor who signed in.
fn signed(required: bool) -> World {
    let mut world = World::with(&site(required), vec![alpha()], Store::default());
    world.connect_first();
    world.sign_in(SignIn::SignAsked);
    assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle));
    world
}

fn choose(world: &mut World, chain: &str) {
    world.dispatch(Event::Network(Network::NetworkChosen { chain: chain.into() }));
}

fn use_account(world: &mut World, account: &str) {
    let handle = world.wallet().handle();
    let accounts = parse(&format!(r#"["{account}"]"#)).unwrap();
    world.dispatch(Event::Connect(Connect::AccountsChanged { handle, accounts }));
}

/// Signs in, after which the site has this session alone.
fn sign_in(world: &mut World) {
    assert_eq!((shown(world), phase(world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::SignAsked);
    world.site.sessions.drain(..world.site.sessions.len() - 1);
}

#[test]
fn spec_4_25_a_visitor_who_comes_back_to_a_network_or_account_at_once_signs_in_there_again() {
    let mut world = signed(true);
    choose(&mut world, SECOND);
    sign_in(&mut world);
    choose(&mut world, CHAIN);
    sign_in(&mut world);
    use_account(&mut world, OTHER);
    sign_in(&mut world);
    use_account(&mut world, ACCOUNT);
    sign_in(&mut world);
    assert_eq!(world.site.sessions, [(CHAIN.to_owned(), ACCOUNT.to_owned())]);
}

#[test]
fn spec_4_28_cancelling_on_another_network_finds_no_session_to_go_back_to() {
    for required in [true, false] {
        let mut world = signed(required);
        world.site.sessions.clear();
        choose(&mut world, SECOND);
        world.sign_in(SignIn::CancelAsked);
        let expected = if required { (Some(View::Connect), false) } else { (None, true) };
        assert_eq!((shown(&world), is_connected(&world)), expected);
        assert_eq!(world.site.count(SignInCall::RevokeSession), 0, "the site ended it when it was asked");
    }
}

#[test]
fn disconnecting_signs_out_once_after_sign_ins_on_two_networks() {
    let mut world = signed(true);
    choose(&mut world, SECOND);
    sign_in(&mut world);
    world.connecting(Connect::DisconnectAsked { namespace: None, ticket: None });
    assert_eq!((world.site.count(SignInCall::RevokeSession), world.site.sessions.len()), (1, 0));
}

#[test]
fn of_the_sessions_that_a_wallet_signed_with_its_connection_the_one_of_its_network_is_saved() {
    let mut world = World::with(&with_relay(&site(true)), vec![alpha()], Store::default());
    world.open(None);
    world.choose("walletConnect");
    let sessions = Value::List(vec![session(CHAIN, REMOTE), session(SECOND, REMOTE)]);
    world.sign_in(SignIn::WalletSigned { sessions });
    world.remote_approves();
    assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle));
    assert_eq!(world.site.sessions, [(CHAIN.to_owned(), REMOTE.to_owned())]);
    assert_eq!(world.site.asked[0].1.get("others"), &Value::Null);
}

#[test]
fn a_message_is_written_anew_from_the_age_that_the_site_sets() {
    let asked = |life: &str| {
        let mut world = World::with(&site(true), vec![alpha()], Store::default());
        let said = parse(&format!(r#"{{"data":{{"nonce":"12345678"}},"message":"text","life":{life}}}"#)).unwrap();
        world.site.answers.push((SignInCall::CreateMessage, Ok(said)));
        world.connect_first();
        world
    };
    for (set, age, written) in [
        ("30000", 29_999, 1),
        ("30000", 30_000, 2),
        ("9007199254740991", 119_999, 1),
        ("9007199254740991", 120_000, 2),
        ("null", 119_999, 1),
        ("\"soon\"", 120_000, 2),
    ] {
        let mut world = asked(set);
        world.advance(age);
        world.sign_in(SignIn::SignAsked);
        assert_eq!(world.site.count(SignInCall::CreateMessage), written, "{set} {age}");
        assert_eq!(shown(&world), None);
    }
}
