//! Scenarios of the embedded wallet's session: its user, its stored keys, the return after a reload, a change of the address.

use portico_api::frame::FrameEvent;
use portico_core::Event as Any;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{Event, Fault, LIMIT, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_json::{Value, to_text};
use portico_testkit::{Store, World, options, with_login};

const EMAIL: &str = "alice@example.org";

fn world() -> World {
    World::with(&with_login(&options()), vec![], Store::default())
}

fn type_code(world: &mut World, code: &str) {
    world.embedded(Event::CodeTyped { text: code.into() });
}

fn logged_in() -> World {
    let mut world = world();
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE);
    type_code(&mut world, "123456");
    world
}

fn view(world: &World) -> View {
    world.snapshot().modal.view
}

fn address(world: &World) -> Option<String> {
    world.snapshot().account.accounts.first().and_then(|account| account.address.clone())
}

#[test]
fn spec_3_4_the_user_of_the_embedded_wallet_is_told_to_the_host() {
    let world = logged_in();
    let user = world.snapshot().account.accounts[0].embedded_wallet_info.clone().unwrap().user;
    assert_eq!(
        to_text(&user),
        r#"{"username":"alice@example.org","authProvider":"email","accountType":"eoa","isSmartAccountDeployed":null}"#
    );
}

#[test]
fn spec_3_31_and_4_37_keys_of_the_login_are_stored_and_go_with_it() {
    let mut world = logged_in();
    let stored = |world: &World, key: &str| {
        world.store.entries().iter().find(|entry| entry.key == key).map(|entry| entry.value.clone())
    };
    assert_eq!(stored(&world, "@appkit-wallet/EMAIL_LOGIN_USED_KEY").as_deref(), Some("true"));
    assert_eq!(stored(&world, "@appkit-wallet/EMAIL").as_deref(), Some(EMAIL));
    assert_eq!(stored(&world, "@appkit-wallet/LAST_USED_CHAIN_KEY").as_deref(), Some("eip155:31337"));
    assert_eq!(stored(&world, "@appkit-wallet/SESSION_TOKEN_KEY"), None, "no token leaves the frame");
    world.dispatch(Any::Connect(Connect::DisconnectAsked { namespace: None, ticket: Some(1) }));
    for key in ["EMAIL_LOGIN_USED_KEY", "EMAIL", "LAST_USED_CHAIN_KEY"] {
        assert_eq!(stored(&world, &format!("@appkit-wallet/{key}")), None, "{key}");
    }
    assert!(stored(&world, "@appkit-wallet/LAST_EMAIL_LOGIN_TIME").is_some());
    assert_eq!(world.frame.payloads(FrameEvent::SignOut).len(), 1);
    assert!(!world.frame.session);
}

#[test]
fn spec_4_6_and_7_22_a_call_to_disconnect_ends_with_the_session_of_the_frame_or_after_three_seconds() {
    const DISCONNECT: Connect = Connect::DisconnectAsked { namespace: None, ticket: Some(9) };
    let mut world = logged_in();
    world.frame.silent.push(FrameEvent::SignOut);
    world.dispatch(Any::Connect(DISCONNECT));
    assert_eq!((address(&world), world.answer(9)), (None, None), "the page could be left before the session ends");
    world.frame_answers(FrameEvent::SignOut, Ok(Value::Null));
    let done = world.answer(9);
    assert!(done.as_deref().is_some_and(|answer| !answer.contains("error")), "{done:?}");

    let mut world = logged_in();
    world.frame.silent.push(FrameEvent::SignOut);
    world.dispatch(Any::Connect(DISCONNECT));
    world.advance(2_999);
    assert_eq!(world.answer(9), None);
    world.advance(1);
    assert_eq!(world.answer(9), done);
}

#[test]
fn spec_4_33_and_7_23_a_visitor_who_comes_back_is_connected_without_a_question() {
    let mut world = logged_in();
    world.reload();
    assert_eq!(world.frame.opened.len(), 2, "the frame is created at the start");
    world.advance(SETTLE);
    assert!(address(&world).is_some());
    assert_eq!(world.frame.payloads(FrameEvent::IsConnected).len(), 1, "one question, by the start and by reconnect");
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_frame_that_is_slow_after_a_reload_has_more_time_than_a_wallet() {
    let mut world = logged_in();
    world.frame.late = 12_000;
    world.reload();
    world.advance(11_000);
    assert_eq!(to_text(&world.snapshot().account.accounts[0].status), r#""connecting""#);
    world.advance(1_000 + SETTLE);
    assert!(address(&world).is_some());
}

#[test]
fn spec_4_36_a_visitor_whose_session_ended_meanwhile_is_not_connected() {
    let mut world = logged_in();
    world.frame.session = false;
    world.reload();
    world.advance(SETTLE);
    assert_eq!(address(&world), None);
    assert!(world.store.entries().iter().all(|entry| entry.key != "@appkit-wallet/EMAIL_LOGIN_USED_KEY"));
    let opened = world.frame.opened.len();
    world.reload();
    world.advance(60_000);
    assert_eq!(world.frame.opened.len(), opened, "the next page asks nobody");
}

#[test]
fn a_frame_that_is_silent_after_a_reload_does_not_end_the_login() {
    let mut world = logged_in();
    world.frame.mute = true;
    world.reload();
    world.advance(2 * LIMIT);
    assert_eq!(address(&world), None);
    world.frame.mute = false;
    world.reload();
    world.advance(SETTLE);
    assert!(address(&world).is_some());
}

#[test]
fn the_host_connects_by_the_id_of_the_embedded_wallet() {
    let mut world = world();
    let asked = Connect::ConnectAsked { connector: Some("AUTH".into()), namespace: None, ticket: 3 };
    world.dispatch(Any::Connect(asked));
    assert_eq!(view(&world), View::Connect);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE);
    type_code(&mut world, "123456");
    assert!(world.answer(3).is_some_and(|answer| answer.contains("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")));
}

#[test]
fn spec_7_29_7_30_and_3_30_the_address_changes_by_the_codes_of_both() {
    let mut world = logged_in();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::UpdateEmailWallet });
    assert!(world.event_names().contains(&"EMAIL_EDIT"));
    world.embedded(Event::NewEmailSubmitted { email: EMAIL.into() });
    assert_eq!(world.snapshot().embedded.update.fault, Some(Fault::Email), "it is the present address");
    world.embedded(Event::NewEmailSubmitted { email: "new@example.org".into() });
    assert_eq!(view(&world), View::UpdateEmailPrimaryOtp);
    type_code(&mut world, "000000");
    assert_eq!(world.snapshot().embedded.update.fault, Some(Fault::Said { words: "Wrong code".into() }));
    type_code(&mut world, "123456");
    assert_eq!(view(&world), View::UpdateEmailSecondaryOtp);
    type_code(&mut world, "123456");
    assert_eq!(view(&world), View::Account);
    assert_eq!(world.snapshot().embedded.user_email.as_deref(), Some("new@example.org"));
    assert!(world.store.entries().iter().any(|entry| entry.value == "new@example.org"));
}
