//! Scenarios of the embedded wallet: login by e-mail, requests through the frame, return after a reload.

use portico_api::frame::FrameEvent;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{COOLDOWN, Event, Fault, LIMIT, LoginPhase, REFUSED, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::{AlertKey, Message};
use portico_core::{Event as Any, Part};
use portico_json::{Value, parse, to_text};
use portico_testkit::{ScriptedWallet, Store, World, options, with_login};

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

fn logged_in() -> World {
    let mut world = world();
    submitted(&mut world);
    type_code(&mut world, "123456");
    world
}

fn request(world: &mut World, method: &str, params: &str, ticket: u32) {
    world.embedded(Event::RequestAsked { method: method.into(), params: value(params), ticket });
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
    assert_eq!(with.loads, [], "nothing is fetched for a login that nobody begins");
    let mut without = World::new(vec![]);
    without.open(None);
    assert_eq!(methods(&without), r#"["wallet"]"#);
    let beside = World::with(&with_login(&options()), vec![ScriptedWallet::named("Alpha")], Store::default());
    assert_eq!(methods(&beside), r#"["wallet","email","social"]"#);
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
fn spec_3_4_the_user_of_the_embedded_wallet_is_told_to_the_host() {
    let world = logged_in();
    let user = world.snapshot().account.accounts[0].embedded_wallet_info.clone().unwrap().user;
    assert_eq!(
        to_text(&user),
        r#"{"username":"alice@example.org","authProvider":"email","accountType":"eoa","isSmartAccountDeployed":null}"#
    );
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
fn spec_8_40_and_8_43_a_frame_that_does_not_load_is_told_to_visitor_and_host_and_created_anew() {
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
fn spec_8_35_and_9_11_another_mail_has_to_wait_30_seconds_even_after_a_reload() {
    assert_eq!(COOLDOWN, 30_000);
    let mut world = world();
    submitted(&mut world);
    assert_eq!(world.snapshot().embedded.rest, 30);
    world.advance(10_000);
    assert_eq!(world.snapshot().embedded.rest, 20);
    world.embedded(Event::ResendAsked);
    assert_eq!(fault(&world).map(|fault| fault.to_string()).as_deref(), Some("Please try again after 20 seconds"));
    world.reload();
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    assert_eq!(fault(&world).map(|fault| fault.to_string()).as_deref(), Some("Please try again after 20 seconds"));
    world.advance(20_000);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE);
    assert_eq!(view(&world), View::EmailVerifyOtp);
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
fn spec_2_26_a_request_that_needs_approval_opens_the_frame_and_its_answer_closes_it() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", r#"["0x68","0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]"#, 7);
    let snapshot = world.snapshot();
    assert!(snapshot.modal.open && snapshot.embedded.approving);
    assert_eq!(snapshot.modal.view, View::ApproveTransaction);
    assert_eq!(
        world.frame.payloads(FrameEvent::RpcRequest),
        [&value(
            r#"{"method":"personal_sign","params":["0x68","0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],"chainId":31337,"chainNamespace":"eip155"}"#
        )]
    );
    world.advance(10 * LIMIT);
    assert_eq!(world.answer(7), None, "the visitor has all the time");
    world.frame_answers(FrameEvent::RpcRequest, Ok("0xsigned".into()));
    assert_eq!(world.answer(7).as_deref(), Some(r#"[{"type":"resolved","value":"0xsigned"}]"#));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_4_39_after_an_approval_the_modal_shows_what_it_showed_before_and_the_balance_is_read_again() {
    let mut world = logged_in();
    world.open(None);
    world.advance(60_000);
    let reads = world.node.urls.len();
    request(&mut world, "eth_sendTransaction", r#"[{"to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}]"#, 7);
    assert_eq!(view(&world), View::ApproveTransaction);
    world.frame_answers(FrameEvent::RpcRequest, Ok("0x11".into()));
    assert_eq!(view(&world), View::Account);
    assert!(world.node.urls.len() > reads);
}

#[test]
fn spec_4_38_after_an_error_the_modal_goes_back_or_closes() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    world.frame_answers(FrameEvent::RpcRequest, Err(value(r#"{"message":"Declined","code":4001}"#)));
    assert_eq!(
        world.answer(7).as_deref(),
        Some(r#"[{"type":"rejected","error":{"reason":"userRejected","message":"Declined","code":4001}}]"#)
    );
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_8_37_a_request_whose_window_is_closed_was_aborted() {
    for leave in [Modal::CloseAsked, Modal::BackAsked] {
        let mut world = logged_in();
        world.open(None);
        request(&mut world, "personal_sign", "[]", 7);
        world.modal(leave);
        assert_eq!(
            world.answer(7).as_deref(),
            Some(
                r#"[{"type":"rejected","error":{"reason":"userRejected","message":"Request was aborted","code":4001}}]"#
            )
        );
        assert_eq!(world.frame.payloads(FrameEvent::RpcAbort).len(), 1);
        world.frame_answers(FrameEvent::RpcRequest, Ok("0xsigned".into()));
        assert_eq!(world.answers[&7].len(), 1);
    }
}

#[test]
fn a_host_that_opens_another_view_aborts_the_request() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    world.open(Some("Networks"));
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Request was aborted")));
    assert_eq!(view(&world), View::Networks);
}

#[test]
fn one_request_is_decided_at_a_time() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    request(&mut world, "personal_sign", "[]", 8);
    assert!(world.answer(8).is_some_and(|answer| answer.contains("-32002")));
    assert_eq!(world.frame.payloads(FrameEvent::RpcRequest).len(), 1);
}

#[test]
fn spec_4_41_and_8_36_a_method_that_is_not_accepted_opens_the_modal_and_is_told_after_300_milliseconds() {
    assert_eq!(REFUSED, 300);
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    request(&mut world, "eth_sign", "[]", 8);
    assert!(world.answer(8).is_some_and(|answer| answer.contains("Requested RPC call is not allowed")));
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Request was aborted")));
    world.advance(REFUSED - 1);
    assert_eq!(world.snapshot().notice.snack, None);
    world.advance(1);
    assert_eq!(world.snapshot().notice.snack.and_then(|snack| snack.message), Some(Message::ActionNotAllowed));
    assert!(world.snapshot().modal.open);
    assert_eq!(Message::ActionNotAllowed.text(), "Action not allowed");
}

#[test]
fn spec_5_28_malformed_calls_never_reach_the_frame() {
    let mut world = logged_in();
    request(&mut world, "wallet_sendCalls", r#"[{"calls":[{"to":"nobody"}]}]"#, 7);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("-32602")));
    let long = format!(r#"["0x{}"]"#, "00".repeat(130_000));
    request(&mut world, "personal_sign", &long, 8);
    assert!(world.answer(8).is_some_and(|answer| answer.contains("-32602")));
    assert!(world.frame.payloads(FrameEvent::RpcRequest).is_empty());
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_5_30_reads_go_to_a_node_and_open_no_window() {
    let mut world = logged_in();
    request(&mut world, "eth_getBalance", r#"["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]"#, 7);
    request(&mut world, "eth_chainId", "null", 8);
    request(&mut world, "net_version", "null", 9);
    world.advance(1_000);
    assert_eq!(world.answer(7).as_deref(), Some(r#"[{"type":"resolved","value":"0x0"}]"#));
    assert_eq!(world.answer(8).as_deref(), Some(r#"[{"type":"resolved","value":"0x7a69"}]"#));
    assert_eq!(world.answer(9).as_deref(), Some(r#"[{"type":"resolved","value":"31337"}]"#));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_7_13_another_chain_is_chosen_in_the_frame() {
    let mut world = logged_in();
    request(&mut world, "wallet_switchEthereumChain", r#"[{"chainId":"0x7a6a"}]"#, 7);
    assert_eq!(world.answer(7).as_deref(), Some(r#"[{"type":"resolved","value":null}]"#));
    request(&mut world, "eth_chainId", "null", 8);
    assert_eq!(world.answer(8).as_deref(), Some(r#"[{"type":"resolved","value":"0x7a6a"}]"#));
    request(&mut world, "wallet_switchEthereumChain", r#"[{"chainId":"0x99"}]"#, 9);
    assert!(world.answer(9).is_some_and(|answer| answer.contains("Chain is not supported") && answer.contains("4902")));
}

#[test]
fn spec_8_41_a_chain_cannot_be_added() {
    let mut world = logged_in();
    request(&mut world, "wallet_addEthereumChain", r#"[{"chainId":"0x7a6a"}]"#, 7);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Chain is not supported")));
}

#[test]
fn nobody_signs_before_a_login() {
    let mut world = world();
    request(&mut world, "personal_sign", "[]", 7);
    request(&mut world, "eth_accounts", "null", 8);
    request(&mut world, "eth_requestAccounts", "null", 9);
    world.advance(SETTLE);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("4100")));
    assert_eq!(world.answer(8).as_deref(), Some(r#"[{"type":"resolved","value":[]}]"#));
    assert!(world.answer(9).is_some_and(|answer| answer.contains("4100")));
}

#[test]
fn a_session_that_the_frame_ended_disconnects() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    world.frame_answers(FrameEvent::RpcRequest, Err(value(r#"{"message":"Log in again","code":4100}"#)));
    assert_eq!(address(&world), None);
    assert!(world.store.entries().iter().all(|entry| entry.key != "@appkit-wallet/EMAIL_LOGIN_USED_KEY"));
}

#[test]
fn a_frame_that_loads_anew_loses_its_requests_and_serves_the_next() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    world.embedded(Event::FrameRestarted);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Something went wrong")));
    assert!(!world.snapshot().modal.open);
    request(&mut world, "personal_sign", "[]", 8);
    world.advance(SETTLE);
    assert_eq!(world.frame.payloads(FrameEvent::RpcRequest).len(), 2);
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
fn what_is_typed_before_the_code_is_there_is_kept() {
    let mut world = world();
    world.open(None);
    world.part_missing = 1;
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    assert_eq!(world.loaded(Part::Embedded), 1);
    world.advance(3_000 + SETTLE);
    assert_eq!(view(&world), View::EmailVerifyOtp);
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
