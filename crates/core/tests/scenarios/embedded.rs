//! Scenarios of the embedded wallet: login by e-mail, requests through the frame, return after a reload.

use portico_api::frame::FrameEvent;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{COOLDOWN, Event, Fault, LIMIT, LoginPhase, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::AlertKey;
use portico_core::{Event as Any, Part};
use portico_json::{Value, parse, to_text};
use portico_terms::Namespace;
use portico_testkit::{ScriptedWallet, Store, World, every_namespace, options, with_login};

const EMAIL: &str = "alice@example.org";

fn value(text: &str) -> Value {
    parse(text).unwrap()
}

fn world() -> World {
    World::with(&with_login(&options()), vec![], Store::default())
}

/// A page whose visitor continued with an e-mail address.
fn submitted(world: &mut World) {
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE);
}

fn type_code(world: &mut World, code: &str) {
    world.embedded(Event::CodeTyped { text: code.into() });
}

fn view(world: &World) -> View {
    world.snapshot().modal.view
}

fn fault(world: &World) -> Option<Fault> {
    world.snapshot().embedded.fault
}

fn address(world: &World) -> Option<String> {
    world.snapshot().account.accounts.first().and_then(|account| account.address.clone())
}

#[test]
fn spec_2_14_e_mail_is_offered_only_where_the_host_names_a_frame() {
    let methods = |world: &World| to_text(&world.snapshot().connect.methods);
    let mut with = world();
    with.open(None);
    assert_eq!(methods(&with), r#"["email","social","wallet"]"#);
    assert_eq!(with.loads, [Part::Home, Part::Embedded], "windows open within a click, so the part is there before it");
    assert_eq!(with.frame.opened, [], "no frame is created for a login that nobody begins");
    let mut without = World::new(vec![]);
    without.open(None);
    assert_eq!(methods(&without), r#"["wallet"]"#);
    let beside = World::with(&with_login(&options()), vec![ScriptedWallet::named("Alpha")], Store::default());
    assert_eq!(methods(&beside), r#"["wallet","email","social"]"#);
}

#[test]
fn a_connection_in_a_namespace_without_embedded_accounts_offers_wallets_alone() {
    let bitcoin = ScriptedWallet::named("Sats").of(Namespace::Bip122, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
    let mut world = World::with(&with_login(&every_namespace()), vec![bitcoin], Store::default());
    let open = |world: &mut World, namespace: Option<&str>| {
        let namespace = namespace.map(Into::into);
        world.modal(Modal::OpenAsked { view: None, namespace, uri: None, arguments: Value::Null, ticket: None });
        to_text(&world.snapshot().connect.methods)
    };
    assert_eq!(open(&mut world, Some("bip122")), r#"["wallet"]"#);
    world.modal(Modal::CloseAsked);
    assert_eq!(open(&mut world, None), r#"["wallet","email","social"]"#);
}

#[test]
fn a_host_that_asks_for_e_mail_without_a_frame_is_told() {
    for wrong in [
        r#"{"features":{"email":true},"#,
        r#"{"features":{"socials":["google"]},"#,
        r#"{"embeddedWallet":{"url":"http://wallet.example"},"#,
        r#"{"embeddedWallet":{"url":"https://wallet.example/?a=b"},"#,
        r#"{"embeddedWallet":{"url":"javascript:alert(1)"},"#,
        r#"{"embeddedWallet":{},"#,
        r#"{"embeddedWallet":"https://wallet.example","#,
    ] {
        let world = World::with(&options().replacen('{', wrong, 1), vec![], Store::default());
        assert!(world.alerts.iter().any(|(key, _)| *key == AlertKey::InvalidOptions), "{wrong}");
    }
    for right in [
        r#"{"#,
        r#"{"features":{"email":false},"#,
        r#"{"embeddedWallet":{"url":"https://wallet.example/"},"#,
        r#"{"embeddedWallet":{"url":"http://localhost:8080"},"features":{"email":true},"#,
    ] {
        let world = World::with(&options().replacen('{', right, 1), vec![], Store::default());
        assert_eq!(world.alerts, [], "{right}");
    }
}

#[test]
fn spec_5_26_an_invalid_address_is_told_and_no_frame_is_asked() {
    let mut world = world();
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: "alice@example".into() });
    assert_eq!(fault(&world), Some(Fault::Email));
    assert_eq!(view(&world), View::Connect);
    world.advance(60_000);
    assert_eq!(world.frame.asked, []);
    world.embedded(Event::EmailTyped { email: EMAIL.into() });
    assert_eq!(fault(&world), None);
}

#[test]
fn spec_4_33_the_frame_is_created_on_first_use() {
    let mut world = world();
    world.open(None);
    world.advance(60_000);
    assert!(world.frame.opened.is_empty());
    world.embedded(Event::EmailTyped { email: "a".into() });
    assert_eq!(world.frame.opened, [Some("eip155:31337".to_string())]);
    world.embedded(Event::EmailTyped { email: "al".into() });
    assert_eq!(world.frame.opened.len(), 1);
}

#[test]
fn spec_4_34_and_9_13_half_a_second_after_the_frame_is_ready_it_hears_of_the_host_and_then_the_request() {
    let mut world = world();
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE - 1);
    assert_eq!(world.frame.asked, []);
    world.advance(1);
    let events: Vec<_> = world.frame.asked.iter().map(|(event, _)| *event).collect();
    assert_eq!(events, [FrameEvent::SyncDappData, FrameEvent::ConnectEmail]);
    assert_eq!(world.frame.payloads(FrameEvent::ConnectEmail), [&value(r#"{"email":"alice@example.org"}"#)]);
    assert_eq!(SETTLE, 500);
}

#[test]
fn spec_7_16_and_4_35_a_code_leads_to_a_connected_account_and_the_modal_closes() {
    let mut world = world();
    submitted(&mut world);
    assert_eq!(view(&world), View::EmailVerifyOtp);
    type_code(&mut world, "12 34");
    assert_eq!(world.snapshot().embedded.code, "1234");
    assert!(world.frame.payloads(FrameEvent::ConnectOtp).is_empty());
    type_code(&mut world, "123-456");
    let snapshot = world.snapshot();
    let account = &snapshot.account.accounts[0];
    assert_eq!(account.address.as_deref(), Some("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
    assert_eq!(account.connector.as_deref(), Some("AUTH"));
    assert!(!snapshot.modal.open);
    assert_eq!(snapshot.embedded.code, "", "the code is forgotten");
    let names = world.event_names();
    for name in [
        "EMAIL_LOGIN_SELECTED",
        "EMAIL_SUBMITTED",
        "EMAIL_VERIFICATION_CODE_SENT",
        "EMAIL_VERIFICATION_CODE_PASS",
        "CONNECT_SUCCESS",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

#[test]
fn spec_7_15_a_new_device_shows_its_number_and_goes_on_to_the_code_once_approved() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    submitted(&mut world);
    assert_eq!(view(&world), View::EmailVerifyDevice);
    assert_eq!(world.snapshot().embedded.number.as_deref(), Some("42"));
    world.frame_answers(FrameEvent::ConnectDevice, Ok(Value::Null));
    assert_eq!(view(&world), View::EmailVerifyOtp);
    assert_eq!(world.snapshot().modal.depth, 1, "back leads to the address, not to the device");
    assert!(world.event_names().contains(&"DEVICE_REGISTERED_FOR_EMAIL"));
}

#[test]
fn the_wait_for_the_device_goes_on_past_its_time_limit_while_the_login_lives() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    submitted(&mut world);
    world.advance(2 * LIMIT);
    assert_eq!(world.frame.payloads(FrameEvent::ConnectDevice).len(), 3);
    assert_eq!(fault(&world), None);
    world.advance(20 * LIMIT);
    assert_eq!(fault(&world), Some(Fault::Late));
    assert_eq!(view(&world), View::EmailVerifyDevice);
}

#[test]
fn a_refused_device_is_told_in_the_words_of_the_frame() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    submitted(&mut world);
    world.frame_answers(FrameEvent::ConnectDevice, Err(value(r#"{"message":"This device was declined"}"#)));
    assert_eq!(fault(&world), Some(Fault::Said { words: "This device was declined".into() }));
    assert_eq!(world.snapshot().embedded.number, None, "its link is over");
}

#[test]
fn spec_3_29_a_device_with_a_session_connects_at_once() {
    let mut world = world();
    world.frame.action = "CONNECT".into();
    submitted(&mut world);
    assert!(address(&world).is_some());
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_wrong_code_is_told_and_another_can_be_typed() {
    let mut world = world();
    submitted(&mut world);
    type_code(&mut world, "000000");
    let snapshot = world.snapshot();
    assert_eq!(snapshot.embedded.fault, Some(Fault::Said { words: "Wrong code".into() }));
    assert_eq!((snapshot.embedded.phase, snapshot.embedded.code.as_str()), (LoginPhase::Code, ""));
    assert!(world.event_names().contains(&"EMAIL_VERIFICATION_CODE_FAIL"));
    type_code(&mut world, "123456");
    assert!(address(&world).is_some());
}

#[test]
fn spec_8_39_a_failure_without_a_reason_says_that_an_error_occurred() {
    let mut world = world();
    world.frame.answers.push((FrameEvent::ConnectEmail, Err(value("{}"))));
    submitted(&mut world);
    assert_eq!(fault(&world).map(|fault| fault.to_string()).as_deref(), Some("An error occurred"));
    assert_eq!(view(&world), View::Connect);
}

#[test]
fn an_answer_that_makes_no_sense_is_a_failure() {
    for (event, answer) in [
        (FrameEvent::ConnectEmail, r#"{"action":"TRUST_ME"}"#),
        (FrameEvent::ConnectEmail, "7"),
        (FrameEvent::GetUser, r#"{"address":"0x12","chainId":1,"accounts":[]}"#),
        (FrameEvent::GetUser, r#"{"address":"javascript:alert(1)","chainId":1,"accounts":[]}"#),
    ] {
        let mut world = world();
        world.frame.answers.push((event, Ok(value(answer))));
        submitted(&mut world);
        type_code(&mut world, "123456");
        assert_eq!(address(&world), None, "{answer}");
        assert_eq!(fault(&world), Some(Fault::Unknown), "{answer}");
    }
}

#[test]
fn spec_9_12_and_8_38_a_silent_frame_is_given_up_after_30_seconds() {
    assert_eq!(LIMIT, 30_000);
    let mut world = world();
    world.frame.silent.push(FrameEvent::ConnectEmail);
    submitted(&mut world);
    world.advance(LIMIT - SETTLE - 1);
    assert_eq!(world.snapshot().embedded.phase, LoginPhase::Sending);
    world.advance(1);
    assert_eq!(fault(&world).map(|fault| fault.to_string()).as_deref(), Some("Something went wrong"));
    assert_eq!(world.snapshot().embedded.phase, LoginPhase::Typing);
    // A late answer changes nothing.
    world.frame_answers(FrameEvent::ConnectEmail, Ok(value(r#"{"action":"VERIFY_OTP"}"#)));
    assert_eq!(view(&world), View::Connect);
}

#[test]
fn spec_8_40_8_43_and_8_47_a_frame_that_does_not_load_is_told_to_visitor_and_host_and_created_anew() {
    for broken in [false, true] {
        let mut world = world();
        (world.frame.mute, world.frame.broken) = (!broken, broken);
        world.open(None);
        world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
        world.advance(LIMIT);
        assert_eq!(
            fault(&world).map(|fault| fault.to_string()).as_deref(),
            Some("Unable to load email login dependency")
        );
        assert!(world.alerts.iter().any(|(key, _)| *key == AlertKey::SocialsTimeout));
        (world.frame.mute, world.frame.broken) = (false, false);
        world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
        world.advance(SETTLE);
        assert_eq!(view(&world), View::EmailVerifyOtp);
        assert_eq!(world.frame.opened.len(), 2);
    }
}

#[test]
fn the_alert_about_a_frame_that_did_not_load_ends_as_soon_as_one_loads() {
    let mut world = world();
    world.frame.broken = true;
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    let alert = |world: &World| world.snapshot().notice.alert.map(|alert| alert.key);
    assert_eq!(alert(&world), Some(AlertKey::SocialsTimeout));
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    assert_eq!(alert(&world), Some(AlertKey::SocialsTimeout), "the second frame is broken too");
    world.frame.broken = false;
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    assert_eq!(alert(&world), None);
}

#[test]
fn spec_8_35_and_9_11_another_mail_has_to_wait_30_seconds_even_after_a_reload() {
    assert_eq!(COOLDOWN, 30_000);
    let mut world = world();
    submitted(&mut world);
    assert_eq!(world.snapshot().embedded.rest, 30);
    world.advance(10_000);
    assert_eq!(world.snapshot().embedded.rest, 20);
    world.embedded(Event::ResendAsked);
    assert_eq!(fault(&world).map(|fault| fault.to_string()).as_deref(), Some("Please try again after 20 seconds"));
    world.come_back();
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    assert_eq!(fault(&world).map(|fault| fault.to_string()).as_deref(), Some("Please try again after 20 seconds"));
    world.advance(20_000);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE);
    assert_eq!(view(&world), View::EmailVerifyOtp);
}

#[test]
fn spec_8_35_the_seconds_are_counted_down_after_a_way_back_and_the_failure_ends_with_them() {
    let mut world = world();
    submitted(&mut world);
    world.modal(Modal::BackAsked);
    world.advance(1_500);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    assert_eq!((view(&world), fault(&world)), (View::Connect, Some(Fault::Cooldown { seconds: 29 })));
    world.advance(10_000);
    assert_eq!(fault(&world), Some(Fault::Cooldown { seconds: 19 }));
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(19_000);
    assert_eq!(fault(&world), None);
}

#[test]
fn spec_8_35_the_seconds_that_the_frame_tells_are_counted_down_too() {
    let mut world = world();
    world.frame.silent.push(FrameEvent::ConnectEmail);
    submitted(&mut world);
    let said = |seconds: &str| Err(value(&format!(r#"{{"message":"Please try again after {seconds} seconds"}}"#)));
    world.frame_answers(FrameEvent::ConnectEmail, said("510"));
    assert_eq!(fault(&world), Some(Fault::Cooldown { seconds: 510 }));
    world.advance(500_000);
    assert_eq!(fault(&world), Some(Fault::Cooldown { seconds: 10 }));
    // Leaving the list ends the countdown, and a later one begins anew.
    world.modal(Modal::CloseAsked);
    world.open(None);
    assert_eq!(fault(&world), None);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.frame_answers(FrameEvent::ConnectEmail, said("40"));
    world.advance(1_000);
    assert_eq!(fault(&world), Some(Fault::Cooldown { seconds: 39 }));
    world.advance(39_000);
    assert_eq!(fault(&world), None);
    for odd in ["0", "-1", "1e3", "86401", "many"] {
        world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
        world.frame_answers(FrameEvent::ConnectEmail, said(odd));
        let words = format!("Please try again after {odd} seconds");
        assert_eq!(fault(&world), Some(Fault::Said { words }));
    }
}

#[test]
fn another_mail_may_ask_for_the_device_first() {
    let mut world = world();
    submitted(&mut world);
    world.advance(COOLDOWN);
    assert_eq!(world.snapshot().embedded.rest, 0);
    world.frame.action = "VERIFY_DEVICE".into();
    world.embedded(Event::ResendAsked);
    assert_eq!(view(&world), View::EmailVerifyDevice);
    assert_eq!(world.frame.payloads(FrameEvent::ConnectEmail).len(), 2);
}

#[test]
fn a_login_that_the_visitor_left_does_not_come_back() {
    let mut world = world();
    world.frame.silent.push(FrameEvent::ConnectOtp);
    submitted(&mut world);
    type_code(&mut world, "123456");
    world.modal(Modal::BackAsked);
    assert_eq!((view(&world), world.snapshot().embedded.phase), (View::Connect, LoginPhase::Typing));
    world.frame_answers(FrameEvent::ConnectOtp, Ok(Value::Null));
    assert_eq!((view(&world), address(&world)), (View::Connect, None));
    let mut world = self::world();
    world.frame.action = "VERIFY_DEVICE".into();
    submitted(&mut world);
    world.modal(Modal::CloseAsked);
    world.frame_answers(FrameEvent::ConnectDevice, Ok(Value::Null));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn without_consent_to_the_legal_pages_no_mail_is_asked_for() {
    let legal = r#"{"termsConditionsUrl":"https://host.example/terms","features":{"legalCheckbox":true},"#;
    let mut world = World::with(&with_login(&options().replacen('{', legal, 1)), vec![], Store::default());
    submitted(&mut world);
    assert!(world.frame.payloads(FrameEvent::ConnectEmail).is_empty());
    world.dispatch(Any::Connect(Connect::LegalTicked { ticked: true }));
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE);
    assert_eq!(view(&world), View::EmailVerifyOtp);
}

#[test]
fn what_is_typed_before_the_code_is_there_is_kept() {
    let mut world = world();
    world.open(None);
    world.part_missing = 1;
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    assert_eq!(world.loaded(Part::Embedded), 1);
    world.advance(3_000 + SETTLE);
    assert_eq!(view(&world), View::EmailVerifyOtp);
}
