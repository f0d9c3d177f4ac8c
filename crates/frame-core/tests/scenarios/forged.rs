//! Messages that no honest host sends.

use crate::world::{OWN, World, json};
use portico_frame_core::{Event, FailureKind, Outcome};

#[test]
fn what_is_no_envelope_of_the_page_is_dropped_without_an_answer() {
    let long = format!(r#"{{"type":"@w3m-app/GET_CHAIN_ID","id":"{}"}}"#, "a".repeat(65));
    let deep =
        format!(r#"{{"type":"@w3m-app/GET_CHAIN_ID","id":"1","payload":{}{}}}"#, "[".repeat(100), "]".repeat(100));
    for text in [
        "",
        "null",
        "[]",
        "\"@w3m-app/GET_CHAIN_ID\"",
        r#"{"type":"@w3m-app/GET_CHAIN_ID"}"#,
        r#"{"type":"@w3m-app/GET_CHAIN_ID","id":""}"#,
        r#"{"type":"@w3m-app/GET_CHAIN_ID","id":1}"#,
        r#"{"type":"@w3m-app/GET_CHAIN_ID","id":"a b"}"#,
        r#"{"type":"@w3m-frame/GET_CHAIN_ID","id":"1"}"#,
        r#"{"type":"@w3m-frame/READY","id":"1"}"#,
        r#"{"type":"GET_CHAIN_ID","id":"1"}"#,
        r#"{"type":"@w3m-app/","id":"1"}"#,
        r#"{"type":"@w3m-app/get_chain_id","id":"1"}"#,
        r#"{"type":"@w3m-app/GET_CHAIN_ID","id":"1"} trailing"#,
        &long,
        &deep,
    ] {
        let mut world = World::new();
        world.raw(text);
        assert!(world.told.is_empty() && world.ordered.is_empty(), "{text}");
    }
}

#[test]
fn a_message_above_256_kib_is_dropped() {
    let mut world = World::new();
    let message = |size: usize| {
        let head = r#"{"type":"@w3m-app/GET_CHAIN_ID","id":"1","payload":""#;
        format!("{head}{}\"}}", "a".repeat(size - head.len() - 2))
    };
    world.raw(&message(256 * 1024 + 1));
    assert!(world.told.is_empty());
    world.raw(&message(256 * 1024));
    assert_eq!(world.take().len(), 1);
}

#[test]
fn a_message_that_was_sent_before_is_handled_once() {
    let mut world = World::logged_in();
    let text = format!(
        r#"{{"type":"@w3m-app/RPC_REQUEST","id":"same","payload":{{"method":"personal_sign","params":["0x6869","{OWN}"]}}}}"#
    );
    world.raw(&text);
    world.raw(&text);
    assert!(world.take().is_empty(), "the second one was dropped");
    world.host("RPC_ABORT", "null");
    world.take();
    world.raw(&text);
    assert!(world.approval().is_none() && world.take().is_empty(), "and so was one after the answer");
}

#[test]
fn spec_8_39_an_unknown_event_is_answered_with_the_default_error() {
    for name in ["APPROVE", "SIGN", "READY", "AWAIT_UPDATE_EMAIL", "SESSION_UPDATE"] {
        let mut world = World::logged_in();
        world.host(name, "null");
        let told = format!(r#"@w3m-frame/{name}_ERROR 2 {{"message":"An error occurred","code":null}}"#);
        assert_eq!(world.take(), [told]);
        assert!(world.ordered.is_empty());
    }
}

#[test]
fn payloads_of_wrong_types_are_refused_and_change_nothing() {
    for (name, payload) in [
        ("SWITCH_NETWORK", "null"),
        ("SWITCH_NETWORK", r#"{"chainId":{}}"#),
        ("SWITCH_NETWORK", r#"{"chainId":"cosmos:hub"}"#),
        ("SWITCH_NETWORK", r#"{"chainId":-1}"#),
        ("SWITCH_NETWORK", r#"{"chainId":0}"#),
        ("GET_USER", "[]"),
        ("GET_USER", r#"{"chainId":"x"}"#),
        ("SET_PREFERRED_ACCOUNT", r#"{"type":"payment"}"#),
        ("SET_PREFERRED_ACCOUNT", r#"{"type":"smartAccount"}"#),
        ("SYNC_THEME", "1"),
        ("SYNC_DAPP_DATA", "\"x\""),
        ("RPC_REQUEST", "null"),
        ("RPC_REQUEST", r#"{"method":1,"params":[]}"#),
        ("RPC_REQUEST", r#"{"method":"eth_call","params":"x"}"#),
        ("RPC_REQUEST", r#"{"method":"personal_sign","params":[],"chainNamespace":"solana"}"#),
    ] {
        let mut world = World::logged_in();
        world.host(name, payload);
        let told = world.take();
        assert!(
            told.len() == 1 && told[0].starts_with(&format!("@w3m-frame/{name}_ERROR 2 ")),
            "{name} {payload}: {told:?}"
        );
        world.host("GET_CHAIN_ID", "null");
        assert_eq!(world.take(), [r#"@w3m-frame/GET_CHAIN_ID_SUCCESS 3 {"chainId":1}"#]);
    }
}

#[test]
fn a_flood_of_requests_is_refused_and_can_still_be_withdrawn() {
    let mut world = World::logged_in();
    for _ in 0..100 {
        world.rpc("eth_blockNumber", "[]");
    }
    assert_eq!(world.ordered.len(), 32);
    assert_eq!(world.take().iter().filter(|told| told.contains("Too many requests are open")).count(), 68);
    world.host("RPC_ABORT", "null");
    assert_eq!(world.take(), ["@w3m-frame/RPC_ABORT_SUCCESS 102"]);
}

#[test]
fn what_is_not_built_says_so() {
    let mut world = World::new();
    world.host("INIT_SMART_ACCOUNT", "{}");
    assert!(world.take()[0].contains("set up"));
}

/// Names of all events of the page.
const EVENTS: &str = "SWITCH_NETWORK CONNECT_EMAIL CONNECT_DEVICE CONNECT_OTP CONNECT_SOCIAL GET_SOCIAL_REDIRECT_URI \
    GET_FARCASTER_URI CONNECT_FARCASTER GET_USER SIGN_OUT IS_CONNECTED GET_CHAIN_ID \
    GET_SMART_ACCOUNT_ENABLED_NETWORKS INIT_SMART_ACCOUNT SET_PREFERRED_ACCOUNT RPC_REQUEST RPC_ABORT UPDATE_EMAIL \
    UPDATE_EMAIL_PRIMARY_OTP UPDATE_EMAIL_SECONDARY_OTP SYNC_THEME SYNC_DAPP_DATA RELOAD UNKNOWN";

#[test]
fn spec_7_11_each_request_is_answered_exactly_once_whatever_host_worker_and_chain_say() {
    let payloads = [
        "null".to_owned(),
        "{}".into(),
        "[]".into(),
        r#"{"chainId":1,"email":"a@example.org","otp":"123456","type":"eoa","provider":"google","uri":"x"}"#.into(),
        format!(r#"{{"method":"personal_sign","params":["0x6869","{OWN}"]}}"#),
        format!(r#"{{"method":"eth_sendTransaction","params":[{{"from":"{OWN}","to":"{OWN}","data":"0xa9059cbb"}}]}}"#),
        r#"{"method":"eth_call","params":null}"#.into(),
    ];
    let answers = [
        "null",
        "{}",
        "[]",
        "[null]",
        "\"0x\"",
        r#"[{"result":"0x1"}]"#,
        r#"{"transaction":"t","action":"VERIFY_OTP"}"#,
    ];
    for name in EVENTS.split_whitespace() {
        for payload in &payloads {
            for (index, answer) in answers.iter().enumerate() {
                let mut world = World::logged_in();
                world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
                world.answer(r#"{"transaction":"t","action":"VERIFY_OTP"}"#);
                world.take();
                world.host(name, payload);
                let mut turns = 0;
                while let Some(effect) = world.ordered.pop() {
                    let failed = || Outcome::Failed { kind: FailureKind::Broken, message: "x".repeat(9) };
                    let value = Outcome::Answered { value: json(answer) };
                    world.resolve(effect.id, if index == 0 { failed() } else { value });
                    turns += 1;
                    assert!(turns < 9, "{name} {payload} {answer}");
                }
                if world.approval().is_some() {
                    world.event(Event::Cancelled { approval: 1 });
                }
                let told = world.take();
                assert!(
                    told.len() == 1 && told[0].starts_with(&format!("@w3m-frame/{name}_")),
                    "{name} {payload} {answer}: {told:?}"
                );
            }
        }
    }
}
