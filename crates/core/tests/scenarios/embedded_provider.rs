//! Scenarios of the methods of the embedded wallet's provider: a host leads login and change of the address in a form of its own.

use portico_api::frame::FrameEvent;
use portico_core::Event as Any;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{COOLDOWN, Event, Fault, LIMIT, LoginPhase, Method, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_json::{Value, parse};
use portico_testkit::{Store, World, options, with_login};

pub(crate) const ADDRESS: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

pub(crate) fn value(text: &str) -> Value {
    parse(text).unwrap()
}

pub(crate) fn world() -> World {
    World::with(&with_login(&options()), vec![], Store::default())
}

pub(crate) fn call(world: &mut World, method: Method, payload: &str, ticket: u32) {
    world.embedded(Event::MethodCalled { method, payload: value(payload), ticket });
    world.advance(SETTLE);
}

pub(crate) fn answer(world: &World, ticket: u32) -> String {
    world.answer(ticket).unwrap_or_default()
}

pub(crate) fn email(world: &mut World, ticket: u32) {
    call(world, Method::ConnectEmail, r#"{"email":"alice@example.org"}"#, ticket);
}

pub(crate) fn otp(world: &mut World, code: &str, ticket: u32) {
    call(world, Method::ConnectOtp, &format!(r#"{{"otp":"{code}"}}"#), ticket);
}

/// A page whose host logged its visitor in.
pub(crate) fn logged_in() -> World {
    let mut world = world();
    email(&mut world, 1);
    otp(&mut world, "123456", 2);
    world
}

pub(crate) fn address(world: &World) -> Option<String> {
    world.snapshot().account.accounts.first().and_then(|account| account.address.clone())
}

/// Events that listeners of the host heard, with their payloads.
fn heard(world: &World) -> Vec<(String, Value)> {
    let answers = value(&world.answer(0).unwrap_or("[]".into()));
    let told = answers.as_list().unwrap().iter().map(|answer| answer.get("value").as_list().unwrap());
    told.map(|told| (told[0].as_str().unwrap().into(), told[1].clone())).collect()
}

pub(crate) fn told(world: &World) -> Vec<String> {
    heard(world).into_iter().map(|(event, _)| event).collect()
}

#[test]
fn spec_7_14_to_7_16_a_host_logs_its_visitor_in_step_by_step_and_no_view_opens() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    email(&mut world, 1);
    assert!(answer(&world, 1).contains(r#"{"action":"VERIFY_DEVICE","number":"42"}"#), "{}", answer(&world, 1));
    assert!(world.frame.payloads(FrameEvent::ConnectDevice).is_empty(), "the host asks when its form is ready");
    otp(&mut world, "123456", 2);
    assert!(answer(&world, 2).contains("Finish the previous step first"), "{}", answer(&world, 2));
    assert!(world.frame.payloads(FrameEvent::ConnectOtp).is_empty(), "no code counts before the device does");
    call(&mut world, Method::ConnectDevice, "null", 3);
    assert_eq!(answer(&world, 3), "");
    world.frame_answers(FrameEvent::ConnectDevice, Ok(Value::Null));
    assert!(answer(&world, 3).contains("resolved"), "{}", answer(&world, 3));
    otp(&mut world, "123 456", 4);
    assert_eq!(world.frame.payloads(FrameEvent::ConnectOtp), [&value(r#"{"otp":"123456"}"#)]);
    assert!(answer(&world, 4).contains(ADDRESS), "{}", answer(&world, 4));
    let snapshot = world.snapshot();
    assert_eq!(address(&world).as_deref(), Some(ADDRESS));
    assert_eq!((snapshot.modal.open, snapshot.embedded.phase), (false, LoginPhase::Typing));
    assert_eq!(told(&world), ["connect"]);
    assert_eq!(heard(&world)[0].1.get("address").as_str(), Some(ADDRESS));
    let names = world.event_names();
    for name in ["EMAIL_SUBMITTED", "EMAIL_VERIFICATION_CODE_SENT", "EMAIL_VERIFICATION_CODE_PASS", "CONNECT_SUCCESS"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

#[test]
fn a_known_device_needs_only_the_code_and_one_with_a_session_nothing() {
    let mut world = world();
    email(&mut world, 1);
    assert!(answer(&world, 1).contains("VERIFY_OTP"));
    call(&mut world, Method::ConnectDevice, "null", 2);
    assert!(answer(&world, 2).contains("resolved"));
    let mut world = self::world();
    world.frame.action = "CONNECT".into();
    email(&mut world, 1);
    assert!(answer(&world, 1).contains(ADDRESS), "{}", answer(&world, 1));
    assert_eq!(address(&world).as_deref(), Some(ADDRESS));
}

#[test]
fn spec_8_35_5_26_and_5_27_the_rules_of_the_form_are_those_of_the_view() {
    let mut world = world();
    call(&mut world, Method::ConnectEmail, r#"{"email":"alice@example"}"#, 1);
    assert!(answer(&world, 1).contains("Use a valid email address"), "{}", answer(&world, 1));
    call(&mut world, Method::ConnectEmail, r#"{"email":7}"#, 2);
    assert!(answer(&world, 2).contains("Check the parameters"), "{}", answer(&world, 2));
    assert_eq!(world.frame.asked, []);
    email(&mut world, 3);
    email(&mut world, 4);
    assert!(answer(&world, 4).contains("Please try again after 30 seconds"), "{}", answer(&world, 4));
    otp(&mut world, "12", 5);
    call(&mut world, Method::ConnectOtp, r#"{"otp":123456}"#, 6);
    for ticket in [5, 6] {
        assert!(answer(&world, ticket).contains("-32602"), "{}", answer(&world, ticket));
    }
    otp(&mut world, "000000", 7);
    assert!(answer(&world, 7).contains("Wrong code"), "{}", answer(&world, 7));
    world.advance(COOLDOWN);
    email(&mut world, 8);
    assert!(answer(&world, 8).contains("VERIFY_OTP"), "{}", answer(&world, 8));
    otp(&mut world, "123456", 9);
    assert!(answer(&world, 9).contains(ADDRESS));
    email(&mut world, 10);
    assert!(answer(&world, 10).contains("already connected"), "{}", answer(&world, 10));
}

#[test]
fn spec_9_12_and_8_38_each_step_of_a_login_is_given_up_after_30_seconds_and_may_be_tried_again() {
    let mut world = world();
    world.frame.silent.extend([FrameEvent::ConnectEmail, FrameEvent::ConnectOtp, FrameEvent::GetSocialRedirectUri]);
    email(&mut world, 1);
    email(&mut world, 2);
    assert!(answer(&world, 2).contains("Finish the open request first"), "{}", answer(&world, 2));
    world.advance(LIMIT);
    let late = |world: &World, ticket: u32| assert!(answer(world, ticket).contains("Something went wrong"), "{ticket}");
    late(&world, 1);
    world.frame.silent.retain(|event| *event != FrameEvent::ConnectEmail);
    world.frame.action = "VERIFY_DEVICE".into();
    email(&mut world, 3);
    call(&mut world, Method::ConnectDevice, "null", 4);
    world.advance(LIMIT);
    late(&world, 4);
    call(&mut world, Method::ConnectDevice, "null", 5);
    call(&mut world, Method::ConnectDevice, "null", 6);
    late(&world, 5);
    for earlier in ["", "", "resolved"] {
        assert_eq!(answer(&world, 6), "", "answers to what was given up do not count");
        world.frame_answers(FrameEvent::ConnectDevice, Ok(Value::Null));
        assert!(answer(&world, 6).contains(earlier));
    }
    assert!(answer(&world, 6).contains("resolved"), "{}", answer(&world, 6));
    otp(&mut world, "123456", 7);
    world.advance(LIMIT);
    late(&world, 7);
    call(&mut world, Method::GetSocialRedirectUri, r#"{"provider":"google"}"#, 8);
    world.advance(LIMIT);
    late(&world, 8);
    assert_eq!(address(&world), None);
}

#[test]
fn spec_8_40_and_8_43_a_frame_that_does_not_load_rejects_the_call_and_is_told() {
    let mut world = world();
    world.frame.broken = true;
    email(&mut world, 1);
    assert!(answer(&world, 1).contains("Unable to load email login dependency"), "{}", answer(&world, 1));
    assert_eq!(world.alerts.len(), 1);
    let mut none = World::with(&options(), vec![], Store::default());
    email(&mut none, 1);
    assert!(answer(&none, 1).contains("Unable to load email login dependency"), "{}", answer(&none, 1));
}

#[test]
fn a_login_that_the_visitor_begins_takes_the_place_of_the_hosts() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    email(&mut world, 1);
    world.advance(COOLDOWN);
    call(&mut world, Method::ConnectDevice, "null", 2);
    world.open(None);
    world.modal(Modal::CloseAsked);
    assert_eq!(answer(&world, 2), "", "a modal that opens and closes is none of its business");
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: "bob@example.org".into() });
    assert!(answer(&world, 2).contains("The visitor began this in the modal"), "{}", answer(&world, 2));
    assert_eq!(world.snapshot().modal.view, View::EmailVerifyDevice);
    email(&mut world, 3);
    assert!(answer(&world, 3).contains("Finish the open request first"), "{}", answer(&world, 3));
    call(&mut world, Method::ConnectDevice, "null", 4);
    assert!(answer(&world, 4).contains("previous step"), "{}", answer(&world, 4));
    call(&mut world, Method::Reload, "null", 5);
    assert!(answer(&world, 5).contains("Finish the open request first"), "{}", answer(&world, 5));
}

#[test]
fn what_begins_no_login_of_the_visitor_leaves_the_hosts_alone() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    email(&mut world, 1);
    call(&mut world, Method::ConnectDevice, "null", 2);
    world.embedded(Event::SocialReturned { uri: "https://evil.example/wallet/callback/google?code=a".into() });
    assert_eq!(answer(&world, 2), "");
    world.frame_answers(FrameEvent::ConnectDevice, Ok(Value::Null));
    otp(&mut world, "123456", 3);
    assert!(answer(&world, 3).contains(ADDRESS), "{}", answer(&world, 3));
    email(&mut world, 4);
    assert!(answer(&world, 4).contains("already connected"), "{}", answer(&world, 4));
    // The account is there: nobody logs in by a passkey, and the change of the address that the host leads goes on.
    call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 5);
    assert!(answer(&world, 5).contains("VERIFY_PRIMARY_OTP"), "{}", answer(&world, 5));
    world.embedded(Event::PasskeyAsked);
    call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#, 6);
    assert!(answer(&world, 6).contains("resolved"), "{}", answer(&world, 6));
}

#[test]
fn spec_5_26_a_mistyped_address_is_told_and_the_hosts_login_goes_on() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    email(&mut world, 1);
    call(&mut world, Method::ConnectDevice, "null", 2);
    world.open(None);
    world.embedded(Event::EmailTyped { email: "bob@example".into() });
    world.embedded(Event::EmailSubmitted { email: "bob@example".into() });
    assert_eq!(world.snapshot().embedded.fault, Some(Fault::Email));
    assert_eq!(answer(&world, 2), "");
    world.embedded(Event::EmailTyped { email: "bob@example.org".into() });
    assert_eq!(world.snapshot().embedded.fault, None);
    world.embedded(Event::EmailSubmitted { email: "bob@example.org".into() });
    assert_eq!(world.snapshot().embedded.fault, Some(Fault::Cooldown { seconds: 30 }), "the host's mail was just sent");
    call(&mut world, Method::ConnectEmail, r#"{"email":"alice@example"}"#, 3);
    assert!(answer(&world, 3).contains("Use a valid email address"), "{}", answer(&world, 3));
    email(&mut world, 4);
    assert!(answer(&world, 4).contains("Please try again after"), "{}", answer(&world, 4));
    assert_eq!(answer(&world, 2), "");
    world.frame_answers(FrameEvent::ConnectDevice, Ok(Value::Null));
    assert!(answer(&world, 2).contains("resolved"), "{}", answer(&world, 2));
    otp(&mut world, "000000", 5);
    assert!(answer(&world, 5).contains("Wrong code"), "{}", answer(&world, 5));
    assert_eq!(world.snapshot().embedded.fault, Some(Fault::Cooldown { seconds: 29 }), "the host's form tells its own");
    otp(&mut world, "12345", 6);
    assert!(answer(&world, 6).contains("Check the parameters"), "{}", answer(&world, 6));
    otp(&mut world, "123456", 7);
    assert!(answer(&world, 7).contains(ADDRESS), "{}", answer(&world, 7));
    assert_eq!(world.frame.payloads(FrameEvent::ConnectEmail), [&value(r#"{"email":"alice@example.org"}"#)]);
}

#[test]
fn a_host_that_waits_for_a_connection_gets_the_account_of_a_corrected_address_and_code() {
    let mut world = world();
    let ask = Connect::ConnectAsked { connector: None, namespace: None, ticket: 1 };
    world.dispatch(Any::Connect(ask));
    for address in ["", "bob@example", "bob@example.org"] {
        assert_eq!((answer(&world, 1).as_str(), world.snapshot().modal.view), ("", View::Connect), "{address}");
        world.embedded(Event::EmailSubmitted { email: address.into() });
    }
    world.advance(SETTLE);
    for code in ["12", "000000", "123456"] {
        assert_eq!((answer(&world, 1).as_str(), world.snapshot().modal.view), ("", View::EmailVerifyOtp), "{code}");
        world.embedded(Event::CodeTyped { text: code.into() });
    }
    assert!(answer(&world, 1).contains(ADDRESS), "{}", answer(&world, 1));
}

#[test]
fn a_locked_wallet_is_opened_in_the_frame_and_nowhere_else() {
    let locked = || {
        let mut world = world();
        world.frame.answers.push((FrameEvent::ConnectOtp, Ok(value(r#"{"locked":true}"#))));
        email(&mut world, 1);
        otp(&mut world, "123456", 2);
        world
    };
    let mut world = locked();
    assert_eq!((world.snapshot().modal.open, world.snapshot().modal.view), (true, View::UpgradeEmailWallet));
    assert_eq!((answer(&world, 2).as_str(), address(&world)), ("", None));
    world.modal(Modal::CloseAsked);
    assert!(answer(&world, 2).contains("aborted"), "{}", answer(&world, 2));
    let mut world = locked();
    world.frame.session = true;
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    assert!(answer(&world, 2).contains(ADDRESS), "{}", answer(&world, 2));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_7_17_and_7_18_the_host_opens_the_page_of_a_service_itself() {
    let mut world = world();
    call(&mut world, Method::GetSocialRedirectUri, r#"{"provider":"farcaster"}"#, 1);
    assert!(answer(&world, 1).contains("Check the parameters"), "{}", answer(&world, 1));
    call(&mut world, Method::GetSocialRedirectUri, r#"{"provider":"google"}"#, 2);
    assert!(answer(&world, 2).contains(r#"{"uri":"https://login.example/?state=1"}"#), "{}", answer(&world, 2));
    assert_eq!((world.tabs.len(), world.remote.links.len()), (0, 0));
    assert!(!world.snapshot().modal.open);
    call(&mut world, Method::ConnectSocial, r#"{"uri":"https://evil.example/wallet/callback/google?code=a"}"#, 3);
    assert!(answer(&world, 3).contains("Check the parameters"), "{}", answer(&world, 3));
    call(&mut world, Method::ConnectSocial, r#"{"uri":"https://wallet.example/wallet/callback/google?code=a"}"#, 4);
    assert!(answer(&world, 4).contains(ADDRESS), "{}", answer(&world, 4));
    assert_eq!(told(&world), ["socialConnected", "connect"]);
    assert_eq!(world.frame.payloads(FrameEvent::ConnectSocial).len(), 1);
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_social_login_that_the_frame_refuses_rejects_the_call_and_another_may_follow() {
    let mut world = world();
    world.frame.answers.push((FrameEvent::ConnectSocial, Err(value(r#"{"message":"That login is over"}"#))));
    let uri = r#"{"uri":"https://wallet.example/wallet/callback/google?code=a"}"#;
    call(&mut world, Method::ConnectSocial, uri, 1);
    assert!(answer(&world, 1).contains("That login is over"), "{}", answer(&world, 1));
    assert_eq!(address(&world), None);
    world.frame.answers.clear();
    call(&mut world, Method::ConnectSocial, uri, 2);
    assert!(answer(&world, 2).contains(ADDRESS), "{}", answer(&world, 2));
}

#[test]
fn spec_7_19_and_7_20_the_host_shows_the_address_of_farcaster_and_waits_for_the_signature() {
    let mut world = world();
    call(&mut world, Method::ConnectFarcaster, "null", 1);
    assert!(answer(&world, 1).contains("previous step"), "{}", answer(&world, 1));
    let url = value(r#"{"url":"https://farcaster.example/~/siwf?channelToken=a"}"#);
    world.frame.answers.push((FrameEvent::GetFarcasterUri, Ok(url)));
    world.frame.silent.push(FrameEvent::ConnectFarcaster);
    call(&mut world, Method::GetFarcasterUri, "null", 2);
    assert!(answer(&world, 2).contains("https://farcaster.example"), "{}", answer(&world, 2));
    assert!(world.frame.payloads(FrameEvent::ConnectFarcaster).is_empty());
    call(&mut world, Method::ConnectFarcaster, "null", 3);
    world.advance(10 * LIMIT);
    assert_eq!(answer(&world, 3), "", "the visitor has all the time");
    world.frame.session = true;
    world.frame_answers(FrameEvent::ConnectFarcaster, Ok(value(r#"{"userName":"alice"}"#)));
    assert!(answer(&world, 3).contains(ADDRESS), "{}", answer(&world, 3));
    assert!(!world.snapshot().modal.open);
}
