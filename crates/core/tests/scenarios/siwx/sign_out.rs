//! Scenarios of a sign-out by a disconnection.

use super::{CHAIN, alpha, is_connected, phase, shown, signed};
use portico_core::connect::Event as Connect;
use portico_core::modal::View;
use portico_core::siwx::{Event as SignIn, Phase};
use portico_core::{Event, SignInCall};
use portico_testkit::{Store, World, options, with_sign_in};

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
