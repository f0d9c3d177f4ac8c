//! Messages that no honest host sends.

use crate::world::{OWN, World};

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
    for name in
        ["GET_SOCIAL_REDIRECT_URI", "CONNECT_SOCIAL", "GET_FARCASTER_URI", "CONNECT_FARCASTER", "INIT_SMART_ACCOUNT"]
    {
        let mut world = World::new();
        world.host(name, "{}");
        assert!(world.take()[0].contains("set up"), "{name}");
    }
}
