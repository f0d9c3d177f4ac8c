//! Scenarios of a sign-out by a disconnection.

use super::{ACCOUNT, CHAIN, alpha, is_connected, phase, shown, signed};
use portico_core::connect::{Event as Connect, LONGEST_SIGN_OUT, MOST_SIGN_OUTS};
use portico_core::modal::View;
use portico_core::siwx::{Event as SignIn, Phase};
use portico_core::{Event, SignInCall};
use portico_json::Value;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace, options, with_sign_in};

fn disconnect(world: &mut World) {
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
}

#[test]
fn disconnecting_ends_the_session_unless_the_site_keeps_it() {
    let disconnected = |kept: bool| {
        let mut options = with_sign_in(&options(), true);
        if kept {
            options = options.replace(r#""signsOut":true"#, r#""signsOut":false"#);
        }
        let mut world = World::with(&options, vec![alpha()], Store::default());
        world.connect_first();
        world.sign_in(SignIn::SignAsked);
        disconnect(&mut world);
        world.site.sessions.len()
    };
    assert_eq!((disconnected(false), disconnected(true)), (0, 1));
}

#[test]
fn disconnecting_while_the_code_of_the_sign_in_is_missing_ends_the_session_of_an_earlier_page() {
    for (required, home) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut world = signed(required);
        *(if home { &mut world.home_missing } else { &mut world.part_missing }) = 9;
        world.reload();
        assert_eq!((is_connected(&world), world.site.sessions.len()), (true, 1));
        disconnect(&mut world);
        let (_, given) = world.site.asked.last().unwrap();
        assert_eq!((given.get("chainId").as_str(), world.site.sessions.len()), (Some(CHAIN), 0), "{required} {home}");
        world.home_missing = 0;
        world.part_missing = 0;
        world.advance(60_000);
        assert_eq!(world.site.count(SignInCall::RevokeSession), 1);
        world.connect_first();
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready), "{required} {home}");
    }
}

#[test]
fn a_wallet_that_ends_the_connection_while_the_code_of_the_sign_in_is_missing_ends_the_session_too() {
    let mut world = signed(true);
    world.part_missing = 9;
    world.reload();
    world.wallet_shows(&[]);
    assert_eq!((is_connected(&world), world.site.sessions.len()), (false, 0));
}

#[test]
fn a_site_that_keeps_its_sessions_keeps_them_without_the_code_of_the_sign_in_too() {
    let options = with_sign_in(&options(), true).replace(r#""signsOut":true"#, r#""signsOut":false"#);
    let mut world = World::with(&options, vec![alpha()], Store::default());
    world.connect_first();
    world.sign_in(SignIn::SignAsked);
    world.part_missing = 9;
    world.reload();
    disconnect(&mut world);
    assert_eq!((is_connected(&world), world.site.sessions.len()), (false, 1));
}

const SOLANA_ACCOUNT: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";

/// Storage keys of the sessions that are to end, without their prefix.
fn due(world: &World) -> Vec<&str> {
    world.store.values.keys().filter_map(|key| key.strip_prefix("@portico/sign_out/")).collect()
}

/// Accounts whose sessions the site was asked to end.
fn ended(world: &World) -> Vec<&str> {
    let asked = world.site.asked.iter().filter(|(call, _)| *call == SignInCall::RevokeSession);
    asked.map(|(_, given)| given.get("accountAddress").as_str().unwrap()).collect()
}

/// Site whose code does not load, or whose server is not reached.
fn unreachable(world: &mut World) {
    world.site.answers = vec![(SignInCall::RevokeSession, Err("Failed to fetch".into()))];
}

/// A visitor who signed in with wallets of two namespaces on an earlier page; the one of EVM chains is active.
fn of_an_earlier_page() -> World {
    let sol = ScriptedWallet::named("Sol").of(Namespace::Solana, SOLANA_ACCOUNT).through(ConnectorKind::External);
    let signed = Value::Object(vec![("signature".into(), Value::Text("2".repeat(88)))]);
    let sol = sol.when("solana_signMessage", Behaviour::Nonsense(signed));
    let mut world = World::with(&with_sign_in(&every_namespace(), false), vec![alpha(), sol], Store::default());
    for wallet in ["example.sol", "example.alpha"] {
        world.choose(wallet);
        world.sign_in(SignIn::SignAsked);
    }
    assert_eq!(world.site.sessions.len(), 2);
    world.reload();
    world
}

fn solana_leaves(world: &mut World) {
    let handle = world.wallets[1].handle();
    world.connecting(Connect::AccountsChanged { handle, accounts: Value::List(Vec::new()) });
}

#[test]
fn an_inactive_account_of_an_earlier_page_that_its_wallet_withdraws_loses_its_session() {
    let mut world = of_an_earlier_page();
    solana_leaves(&mut world);
    assert_eq!((ended(&world), due(&world).len()), (vec![SOLANA_ACCOUNT], 0));
    assert_eq!(world.site.sessions.len(), 1, "the active account keeps its own");
}

#[test]
fn accounts_that_leave_together_lose_their_sessions_once_each() {
    let mut world = of_an_earlier_page();
    disconnect(&mut world);
    let mut ended = ended(&world);
    ended.sort_unstable();
    assert_eq!((ended, world.site.sessions.len()), (vec![ACCOUNT, SOLANA_ACCOUNT], 0));
}

#[test]
fn a_session_whose_end_the_site_did_not_hear_of_is_ended_by_the_next_page() {
    let mut world = signed(true);
    unreachable(&mut world);
    disconnect(&mut world);
    assert_eq!((due(&world), world.site.sessions.len()), (vec![format!("{CHAIN}:{ACCOUNT}").as_str()], 1));
    world.reload();
    assert_eq!((ended(&world).len(), due(&world).len()), (2, 1), "the site is still not reached");
    world.site.answers.clear();
    world.reload();
    assert_eq!((due(&world).len(), world.site.sessions.len()), (0, 0));
    world.reload();
    assert_eq!(ended(&world).len(), 3, "it is over");
}

#[test]
fn a_page_that_is_left_before_the_site_answered_asks_again_on_the_next_one() {
    let mut world = signed(true);
    world.site.silent.push(SignInCall::RevokeSession);
    disconnect(&mut world);
    world.site.silent.clear();
    world.reload();
    assert_eq!((due(&world).len(), world.site.sessions.len()), (0, 0));
}

#[test]
fn an_account_that_signs_in_anew_keeps_its_session_whatever_was_to_end_before() {
    for options in [with_sign_in(&options(), true), with_sign_in(&options(), true).replace("siwx", "siweConfig")] {
        let mut world = World::with(&options, vec![alpha()], Store::default());
        world.connect_first();
        world.sign_in(SignIn::SignAsked);
        unreachable(&mut world);
        disconnect(&mut world);
        assert_eq!(due(&world).len(), 1, "{options}");
        world.connect_first();
        world.sign_in(SignIn::SignAsked);
        world.site.answers.clear();
        world.reload();
        assert_eq!((due(&world).len(), ended(&world).len()), (0, 1), "{options}");
        assert!(is_connected(&world) && !world.site.sessions.is_empty(), "{options}");
    }
}

#[test]
fn stored_ends_of_sessions_are_untrusted_few_and_not_old() {
    let mut world = signed(false);
    let key = |name: &str| format!("@portico/sign_out/{name}");
    let other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    let old = world.now - LONGEST_SIGN_OUT;
    for (name, text) in [
        ("nonsense", "[[[".into()),
        ("without", format!("{CHAIN}:{other}")),
        ("timeless", format!("soon {CHAIN}:{other}")),
        ("strange", format!("{} {CHAIN}:nobody", world.now)),
        ("old", format!("{old} {CHAIN}:{other}")),
    ] {
        world.store.values.insert(key(name), text);
    }
    world.reload();
    assert_eq!((due(&world).len(), ended(&world).len()), (0, 0));
    unreachable(&mut world);
    for number in 0..=MOST_SIGN_OUTS as u64 {
        let text = format!("{} {CHAIN}:0x{number:040x}", world.now + 100 - number);
        world.store.values.insert(key(&number.to_string()), text);
    }
    world.reload();
    let due = due(&world);
    assert_eq!((due.len(), due.contains(&"0"), due.contains(&MOST_SIGN_OUTS.to_string().as_str())), (16, true, false));
}

#[test]
fn a_page_without_the_sign_in_leaves_what_is_to_end_to_one_that_has_it() {
    let mut world = signed(true);
    unreachable(&mut world);
    disconnect(&mut world);
    let world = World::with(&options(), vec![alpha()], world.store.clone());
    assert_eq!((due(&world).len(), world.site.asked.len()), (1, 0));
}
