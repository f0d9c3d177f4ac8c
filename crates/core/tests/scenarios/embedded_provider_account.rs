//! Scenarios of the provider's methods about an account: session, user, change of the address, reload and sign-out.

use crate::embedded_provider::{ADDRESS, address, answer, call, email, logged_in, told, value, world};
use portico_api::frame::FrameEvent;
use portico_core::Event as Any;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{Event, Fault, LIMIT, Method, SETTLE, UpdatePhase};
use portico_core::modal::{Event as Modal, View};
use portico_json::Value;
use portico_terms::AccountKind;
use portico_testkit::World;

#[test]
fn spec_8_22_a_method_about_an_account_needs_one() {
    let mut world = world();
    let payloads = [
        (Method::Connect, "null"),
        (Method::GetUser, "null"),
        (Method::SetPreferredAccount, r#"{"type":"eoa"}"#),
        (Method::UpdateEmail, r#"{"email":"new@example.org"}"#),
        (Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#),
        (Method::UpdateEmailSecondaryOtp, r#"{"otp":"123456"}"#),
    ];
    for (ticket, (method, payload)) in (1..).zip(payloads) {
        call(&mut world, method, payload, ticket);
        assert_eq!(
            answer(&world, ticket),
            r#"[{"type":"rejected","error":{"reason":"unauthorized","message":"Address or auth connector not found","code":4100}}]"#
        );
    }
    let events: Vec<_> = world.frame.asked.iter().map(|(event, _)| *event).collect();
    assert_eq!(events, [FrameEvent::SyncDappData, FrameEvent::IsConnected], "the frame knows nobody");
}

#[test]
fn spec_7_21_and_4_35_the_user_is_what_the_widget_knows() {
    let mut world = logged_in();
    call(&mut world, Method::GetUser, "null", 3);
    assert!(answer(&world, 3).contains(&format!(r#""address":"{ADDRESS}","chainId":31337"#)), "{}", answer(&world, 3));
    // A user without a valid address is not passed on, and the session ends only if the frame says so.
    world.frame.answers.push((FrameEvent::GetUser, Ok(value(r#"{"address":"0x12"}"#))));
    call(&mut world, Method::GetUser, "null", 4);
    assert!(answer(&world, 4).contains("An error occurred"), "{}", answer(&world, 4));
    assert_eq!(address(&world).as_deref(), Some(ADDRESS));
    world.frame.answers = vec![(FrameEvent::GetUser, Err(value(r#"{"message":"Your session ended. Log in again."}"#)))];
    world.frame.session = false;
    call(&mut world, Method::GetUser, "null", 5);
    assert!(answer(&world, 5).contains("Your session ended"), "{}", answer(&world, 5));
    assert_eq!(address(&world), None);
    assert_eq!(told(&world).last(), Some(&"notConnected".to_string()));
}

#[test]
fn spec_7_23_4_36_and_4_37_the_frame_says_whether_there_is_a_session_and_page_and_provider_agree() {
    let mut world = world();
    call(&mut world, Method::IsConnected, "null", 1);
    assert!(answer(&world, 1).contains(r#"{"isConnected":false}"#), "{}", answer(&world, 1));
    assert_eq!(told(&world), ["notConnected"]);
    let mut world = logged_in();
    call(&mut world, Method::IsConnected, "null", 3);
    assert!(answer(&world, 3).contains(r#"{"isConnected":true}"#), "{}", answer(&world, 3));
    assert_eq!(told(&world).last(), Some(&"isConnected".to_string()));
    world.frame.session = false;
    call(&mut world, Method::IsConnected, "null", 4);
    assert!(answer(&world, 4).contains(r#"{"isConnected":false}"#), "{}", answer(&world, 4));
    assert_eq!(address(&world), None);
    assert_eq!(told(&world).last(), Some(&"notConnected".to_string()));
}

#[test]
fn a_session_of_an_earlier_page_is_connected_by_connect_and_ended_by_signing_out() {
    let mut world = world();
    world.frame.session = true;
    call(&mut world, Method::Connect, "null", 1);
    assert!(answer(&world, 1).contains(ADDRESS), "{}", answer(&world, 1));
    assert_eq!(address(&world).as_deref(), Some(ADDRESS));
    call(&mut world, Method::Connect, "null", 2);
    assert!(answer(&world, 2).contains("resolved"), "{}", answer(&world, 2));
    let mut world = self::world();
    world.frame.session = true;
    call(&mut world, Method::IsConnected, "null", 1);
    call(&mut world, Method::SignOut, "null", 2);
    assert!(answer(&world, 2).contains("resolved"), "{}", answer(&world, 2));
    assert!(!world.frame.session);
    call(&mut world, Method::GetUser, "null", 3);
    assert!(answer(&world, 3).contains("Address or auth connector not found"), "{}", answer(&world, 3));
}

#[test]
fn whoever_signs_out_while_the_user_is_asked_for_is_logged_out() {
    let mut world = world();
    world.frame.session = true;
    call(&mut world, Method::IsConnected, "null", 1);
    world.frame.silent.push(FrameEvent::GetUser);
    call(&mut world, Method::Connect, "null", 2);
    call(&mut world, Method::SignOut, "null", 3);
    assert!(answer(&world, 2).contains("Request was aborted"), "{}", answer(&world, 2));
    let user = format!(r#"{{"address":"{ADDRESS}","chainId":31337,"accounts":[]}}"#);
    world.frame_answers(FrameEvent::GetUser, Ok(value(&user)));
    assert_eq!(address(&world), None);
    call(&mut world, Method::GetUser, "null", 4);
    assert!(answer(&world, 4).contains("Address or auth connector not found"), "{}", answer(&world, 4));
}

#[test]
fn an_answer_that_comes_after_the_end_of_the_session_does_not_bring_it_back() {
    for (late, payload) in [
        (Method::GetUser, format!(r#"{{"address":"{ADDRESS}","chainId":31337,"accounts":[]}}"#)),
        (Method::IsConnected, r#"{"isConnected":true}"#.into()),
    ] {
        let mut world = world();
        world.frame.session = true;
        call(&mut world, Method::IsConnected, "null", 1);
        let event = if late == Method::GetUser { FrameEvent::GetUser } else { FrameEvent::IsConnected };
        world.frame.silent.push(event);
        call(&mut world, late, "null", 2);
        call(&mut world, Method::SignOut, "null", 3);
        assert!(answer(&world, 2).contains("Request was aborted"), "{late:?}: {}", answer(&world, 2));
        world.frame_answers(event, Ok(value(&payload)));
        call(&mut world, Method::GetUser, "null", 4);
        assert!(answer(&world, 4).contains("Address or auth connector not found"), "{late:?}: {}", answer(&world, 4));
    }
}

#[test]
fn a_session_that_nobody_can_ask_for_rejects_what_waits_for_it() {
    let mut world = world();
    world.frame.silent.push(FrameEvent::IsConnected);
    call(&mut world, Method::GetUser, "null", 1);
    world.advance(LIMIT);
    assert!(answer(&world, 1).contains("Something went wrong"), "{}", answer(&world, 1));
}

#[test]
fn spec_7_29_and_7_30_the_address_changes_by_the_codes_of_both_and_no_view_opens() {
    let mut world = logged_in();
    call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#, 3);
    assert!(answer(&world, 3).contains("previous step"), "{}", answer(&world, 3));
    call(&mut world, Method::UpdateEmail, r#"{"email":"ALICE@example.org"}"#, 4);
    assert!(answer(&world, 4).contains("Use a valid email address"), "{}", answer(&world, 4));
    call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 5);
    assert!(answer(&world, 5).contains("VERIFY_PRIMARY_OTP"), "{}", answer(&world, 5));
    call(&mut world, Method::UpdateEmailSecondaryOtp, r#"{"otp":"123456"}"#, 6);
    assert!(answer(&world, 6).contains("previous step"), "{}", answer(&world, 6));
    call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"000000"}"#, 7);
    assert!(answer(&world, 7).contains("Wrong code"), "{}", answer(&world, 7));
    call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#, 8);
    assert!(answer(&world, 8).contains("resolved"), "{}", answer(&world, 8));
    call(&mut world, Method::UpdateEmailSecondaryOtp, r#"{"otp":"123456"}"#, 9);
    assert!(answer(&world, 9).contains(r#"{"newEmail":"new@example.org"}"#), "{}", answer(&world, 9));
    let snapshot = world.snapshot();
    assert_eq!(snapshot.embedded.user_email.as_deref(), Some("new@example.org"));
    assert_eq!((snapshot.modal.open, snapshot.embedded.update.phase), (false, UpdatePhase::Typing));
}

const REPLACED: &str = r#"{"reason":"userRejected","message":"The visitor began this in the modal","code":4001}"#;

#[test]
fn a_change_that_the_host_leads_goes_on_while_the_visitor_looks_at_the_form_and_the_form_tells_it() {
    let mut world = logged_in();
    call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 3);
    world.frame.silent.push(FrameEvent::UpdateEmailPrimaryOtp);
    call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#, 4);
    world.open(Some("Account"));
    world.modal(Modal::ViewAsked { view: View::UpdateEmailWallet });
    let update = world.snapshot().embedded.update;
    assert_eq!(update.hosted.as_deref(), Some("new@example.org"));
    assert_eq!((update.phase, update.email.as_str(), update.code.as_str()), (UpdatePhase::Typing, "", ""));
    world.embedded(Event::NewEmailTyped { email: "bob@example.org".into() });
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, answer(&world, 4)), (View::Account, String::new()));
    world.modal(Modal::ViewAsked { view: View::UpdateEmailWallet });
    world.frame_answers(FrameEvent::UpdateEmailPrimaryOtp, Ok(value("null")));
    assert!(answer(&world, 4).contains("resolved"), "{}", answer(&world, 4));
    assert_eq!(world.snapshot().modal.view, View::UpdateEmailWallet, "the steps of the host show no view");
    call(&mut world, Method::UpdateEmailSecondaryOtp, r#"{"otp":"123456"}"#, 5);
    assert!(answer(&world, 5).contains("new@example.org"), "{}", answer(&world, 5));
    assert_eq!(world.snapshot().embedded.update.hosted, None);
}

#[test]
fn a_change_that_the_visitor_begins_takes_the_place_of_the_hosts_and_the_host_learns_it() {
    for waits in [true, false] {
        let mut world = logged_in();
        call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 3);
        if waits {
            world.frame.silent.push(FrameEvent::UpdateEmailPrimaryOtp);
            call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#, 4);
        }
        world.open(Some("Account"));
        world.modal(Modal::ViewAsked { view: View::UpdateEmailWallet });
        world.embedded(Event::NewEmailSubmitted { email: "bob@example.org".into() });
        if waits {
            assert!(answer(&world, 4).contains(REPLACED), "{}", answer(&world, 4));
        }
        let snapshot = world.snapshot();
        assert_eq!((snapshot.modal.view, snapshot.embedded.update.hosted), (View::UpdateEmailPrimaryOtp, None));
        assert_eq!(snapshot.embedded.update.email, "bob@example.org");
        for (ticket, method) in [(5, Method::UpdateEmailPrimaryOtp), (6, Method::UpdateEmailSecondaryOtp)] {
            call(&mut world, method, r#"{"otp":"123456"}"#, ticket);
            assert!(answer(&world, ticket).contains(REPLACED), "{}", answer(&world, ticket));
        }
        call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 7);
        assert!(answer(&world, 7).contains("Finish the open request first"), "{}", answer(&world, 7));
        world.modal(Modal::CloseAsked);
        call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 8);
        call(&mut world, Method::UpdateEmailSecondaryOtp, r#"{"otp":"123456"}"#, 9);
        assert!(answer(&world, 9).contains("previous step"), "another change has begun: {}", answer(&world, 9));
    }
}

#[test]
fn a_change_of_the_host_that_failed_or_was_replaced_before_another_login_leaves_no_trace() {
    let mut world = logged_in();
    world.frame.answers = vec![(FrameEvent::UpdateEmail, Err(value(r#"{"message":"Too many requests at once."}"#)))];
    call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 3);
    assert!(answer(&world, 3).contains("Too many requests"), "{}", answer(&world, 3));
    world.open(Some("Account"));
    world.modal(Modal::ViewAsked { view: View::UpdateEmailWallet });
    assert_eq!(world.snapshot().embedded.update.hosted, None);
    world.frame.answers.clear();
    call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 4);
    world.embedded(Event::NewEmailSubmitted { email: "bob@example.org".into() });
    world.dispatch(Any::Connect(Connect::DisconnectAsked { namespace: None, ticket: Some(5) }));
    world.frame.session = true;
    call(&mut world, Method::IsConnected, "null", 6);
    call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#, 7);
    assert!(answer(&world, 7).contains("previous step"), "{}", answer(&world, 7));
}

#[test]
fn spec_5_26_a_mistyped_new_address_is_told_and_the_hosts_change_goes_on() {
    let mut world = logged_in();
    world.open(Some("Account"));
    world.modal(Modal::ViewAsked { view: View::UpdateEmailWallet });
    call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 3);
    world.frame.silent.push(FrameEvent::UpdateEmailPrimaryOtp);
    call(&mut world, Method::UpdateEmailPrimaryOtp, r#"{"otp":"123456"}"#, 4);
    for wrong in ["bob@example", "alice@example.org"] {
        world.embedded(Event::NewEmailTyped { email: wrong.into() });
        world.embedded(Event::NewEmailSubmitted { email: wrong.into() });
        assert_eq!(world.snapshot().embedded.update.fault, Some(Fault::Email), "{wrong}");
        assert_eq!(answer(&world, 4), "", "{wrong}");
    }
    world.frame_answers(FrameEvent::UpdateEmailPrimaryOtp, Ok(value("null")));
    assert!(answer(&world, 4).contains("resolved"), "{}", answer(&world, 4));
    call(&mut world, Method::UpdateEmail, r#"{"email":"bob@example"}"#, 5);
    assert!(answer(&world, 5).contains("Use a valid email address"), "{}", answer(&world, 5));
    call(&mut world, Method::UpdateEmailSecondaryOtp, r#"{"otp":"123456"}"#, 6);
    assert!(answer(&world, 6).contains("new@example.org"), "{}", answer(&world, 6));
    world.embedded(Event::NewEmailSubmitted { email: "bob@example.org".into() });
    assert_eq!(world.snapshot().embedded.update.fault, None);
}

#[test]
fn disconnecting_ends_what_the_host_waits_for() {
    let mut world = logged_in();
    world.frame.silent.push(FrameEvent::UpdateEmail);
    call(&mut world, Method::UpdateEmail, r#"{"email":"new@example.org"}"#, 3);
    world.dispatch(Any::Connect(Connect::DisconnectAsked { namespace: None, ticket: Some(4) }));
    assert!(answer(&world, 3).contains("Something went wrong"), "{}", answer(&world, 3));
    assert_eq!(told(&world).last(), Some(&"notConnected".to_string()));
    assert!(!world.frame.session);
}

#[test]
fn spec_7_24_7_25_7_31_and_7_32_the_frame_is_read_and_told() {
    let mut world = world();
    world.frame.answers.push((FrameEvent::GetChainId, Ok(value(r#"{"chainId":31337}"#))));
    world.frame.answers.push((FrameEvent::GetSmartAccountEnabledNetworks, Err(value("{}"))));
    call(&mut world, Method::GetChainId, "null", 1);
    assert!(answer(&world, 1).contains(r#"{"chainId":31337}"#), "{}", answer(&world, 1));
    call(&mut world, Method::GetSmartAccountEnabledNetworks, "null", 2);
    assert!(answer(&world, 2).contains("An error occurred"), "{}", answer(&world, 2));
    call(&mut world, Method::SyncTheme, "null", 3);
    call(&mut world, Method::SyncDappData, "null", 4);
    for ticket in [3, 4] {
        assert!(answer(&world, ticket).contains("resolved"), "{}", answer(&world, ticket));
    }
    let count = |event| world.frame.payloads(event).len();
    assert_eq!((count(FrameEvent::SyncTheme), count(FrameEvent::SyncDappData)), (1, 2));
}

#[test]
fn spec_7_31_another_theme_reaches_a_frame_that_is_there_at_once() {
    let mut world = world();
    let theme = |world: &mut World, variables: &str| {
        let mode = Some(portico_core::config::ThemeMode::Light);
        let event = portico_core::config::Event::ThemeChanged { mode, variables: value(variables) };
        world.dispatch(Any::Config(event));
        world.frame.payloads(FrameEvent::SyncTheme).into_iter().cloned().collect::<Vec<_>>()
    };
    assert!(theme(&mut world, "null").is_empty(), "nothing is told to a frame that is not there");
    email(&mut world, 1);
    let told = theme(&mut world, r##"{"--w3m-accent":"#ff0000"}"##);
    assert_eq!(told, [value(r##"{"themeMode":"light","themeVariables":{"--w3m-accent":"#ff0000"}}"##)]);
}

#[test]
fn spec_7_27_the_kind_of_account_is_the_frames_to_give() {
    let mut world = logged_in();
    let refused = value(r#"{"message":"Smart accounts aren't set up"}"#);
    world.frame.answers.push((FrameEvent::SetPreferredAccount, Err(refused)));
    call(&mut world, Method::SetPreferredAccount, r#"{"type":"smartAccount"}"#, 3);
    assert!(answer(&world, 3).contains("Smart accounts aren't set up"), "{}", answer(&world, 3));
    call(&mut world, Method::SetPreferredAccount, r#"{"type":"vault"}"#, 4);
    assert!(answer(&world, 4).contains("Check the parameters"), "{}", answer(&world, 4));
    let given = format!(r#"{{"type":"eoa","address":"{ADDRESS}"}}"#);
    world.frame.answers = vec![(FrameEvent::SetPreferredAccount, Ok(value(&given)))];
    call(&mut world, Method::SetPreferredAccount, r#"{"type":"eoa"}"#, 5);
    assert!(answer(&world, 5).contains(&given), "{}", answer(&world, 5));
    assert!(told(&world).contains(&"setPreferredAccount".to_string()));
}

/// Preferred kind of account: as the host reads it, and as stored.
fn preferred(world: &World) -> (AccountKind, Option<&str>) {
    let stored = world.store.values.get("@appkit-wallet/PREFERRED_ACCOUNT_TYPE");
    (world.snapshot().account.accounts[0].preferred_account_types, stored.map(String::as_str))
}

fn tracked_choices(world: &World) -> Vec<&Value> {
    let choices = world.events.iter().filter(|(event, _)| event == "SET_PREFERRED_ACCOUNT_TYPE");
    choices.map(|(_, properties)| properties).collect()
}

#[test]
fn spec_4_23_and_8_54_a_chosen_kind_of_account_is_stored_and_tracked_and_the_account_taken_over_anew() {
    let mut world = logged_in();
    assert_eq!(preferred(&world), (AccountKind::SmartAccount, None), "the default of spec 3.6");
    let asked = world.frame.payloads(FrameEvent::GetUser).len();
    let given = format!(r#"{{"type":"eoa","address":"{ADDRESS}"}}"#);
    world.frame.answers = vec![(FrameEvent::SetPreferredAccount, Ok(value(&given)))];
    call(&mut world, Method::SetPreferredAccount, r#"{"type":"eoa"}"#, 3);
    assert_eq!(preferred(&world), (AccountKind::Eoa, Some("eoa")));
    let tracked = tracked_choices(&world);
    let told = tracked.iter().map(|choice| (choice.get("accountType").as_str(), choice.get("network").as_str()));
    assert_eq!(told.collect::<Vec<_>>(), [(Some("eoa"), Some("eip155:31337"))]);
    let questions = world.frame.payloads(FrameEvent::GetUser);
    assert_eq!(questions.len(), asked + 1);
    assert_eq!(questions[asked].get("preferredAccountType").as_str(), Some("eoa"));
    // The next page asks for the same kind.
    world.reload();
    world.advance(SETTLE);
    let questions = world.frame.payloads(FrameEvent::GetUser);
    assert_eq!(questions.last().unwrap().get("preferredAccountType").as_str(), Some("eoa"));
    assert_eq!(preferred(&world), (AccountKind::Eoa, Some("eoa")));
}

/// Address of an account that is another than the one of the login.
const OF_KEY: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

#[test]
fn spec_4_23_a_kind_of_account_that_the_wallet_refuses_or_never_gives_falls_back_to_that_of_a_key() {
    let refused = value(r#"{"message":"Smart accounts aren't set up"}"#);
    for answers in [vec![(FrameEvent::SetPreferredAccount, Err(refused))], vec![]] {
        let mut world = logged_in();
        if answers.is_empty() {
            world.frame.silent.push(FrameEvent::SetPreferredAccount);
        }
        world.frame.answers = answers;
        // Each kind of account may have an address of its own.
        world.frame.address = OF_KEY.into();
        call(&mut world, Method::SetPreferredAccount, r#"{"type":"smartAccount"}"#, 3);
        world.advance(LIMIT);
        assert!(answer(&world, 3).contains("rejected"), "{}", answer(&world, 3));
        assert_eq!(preferred(&world), (AccountKind::Eoa, Some("eoa")));
        assert!(tracked_choices(&world).is_empty());
        assert_eq!(address(&world).as_deref(), Some(OF_KEY), "the account of the stored kind is in use");
        world.reload();
        world.advance(SETTLE);
        assert_eq!((preferred(&world).0, address(&world).as_deref()), (AccountKind::Eoa, Some(OF_KEY)));
    }
}

#[test]
fn spec_7_33_a_reload_ends_steps_of_the_host_and_leaves_the_account_connected() {
    let mut world = world();
    world.frame.action = "VERIFY_DEVICE".into();
    email(&mut world, 1);
    call(&mut world, Method::ConnectDevice, "null", 2);
    call(&mut world, Method::Reload, "null", 3);
    assert!(answer(&world, 2).contains("Something went wrong"), "{}", answer(&world, 2));
    assert!(answer(&world, 3).contains("resolved"), "{}", answer(&world, 3));
    let mut world = logged_in();
    let asked = world.frame.payloads(FrameEvent::GetUser).len();
    call(&mut world, Method::Reload, "null", 3);
    assert!(answer(&world, 3).contains("resolved"));
    assert_eq!(world.frame.payloads(FrameEvent::GetUser).len(), asked + 1, "the frame knows the account again");
    assert_eq!(address(&world).as_deref(), Some(ADDRESS));
}

#[test]
fn spec_8_37_the_host_withdraws_its_request() {
    let mut world = logged_in();
    let params = value(&format!(r#"["0x68","{ADDRESS}"]"#));
    world.embedded(Event::RequestAsked { method: "personal_sign".into(), params, chain: None, ticket: 3 });
    assert!(world.snapshot().modal.open);
    call(&mut world, Method::RejectRpcRequests, "null", 4);
    assert!(answer(&world, 3).contains("Request was aborted"), "{}", answer(&world, 3));
    assert!(answer(&world, 4).contains("resolved"));
    assert!(!world.snapshot().modal.open);
    assert_eq!(world.frame.payloads(FrameEvent::RpcAbort).len(), 1);
}

#[test]
fn a_restored_account_is_told_as_a_session_that_goes_on() {
    let mut world = logged_in();
    world.reload();
    world.advance(SETTLE);
    assert_eq!(address(&world).as_deref(), Some(ADDRESS));
    assert_eq!(told(&world).last(), Some(&"isConnected".to_string()));
}
