//! Who gets it: names, and addresses that are not what they seem.

use crate::send::{RECEIVER, alpha, fill, sent};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::{Event as Send, ReceiverFault, Warning};
use portico_testkit::{Store, World, options};

const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const OWN: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/// Begins and ends as [`RECEIVER`] does.
const ALIKE: &str = "0x7099000000000000000000000000000000dc79c8";

fn record(name: &str, coin: &str, address: &str) -> String {
    format!(r#"{{"name":"{name}","addresses":{{"{coin}":{{"address":"{address}","created":""}}}},"attributes":{{}}}}"#)
}

/// With a server, and what it says of the account's past.
fn served(past: &str) -> World {
    let options = options()
        .replacen('{', r#"{"endpoints":"https://host.example","#, 1)
        .replace(r#""testnet":true"#, r#""testnet":false"#);
    let mut world = World::with(&options, vec![alpha()], Store::default());
    world.server.answers("/history", 200, past);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world
}

/// A page of the past with nonsense about one payment of the coin.
fn past(from: &str, to: &str) -> String {
    past_of("send", "confirmed", from, to, &moved("out", to, "1.5"))
}

fn past_of(kind: &str, status: &str, from: &str, to: &str, moved: &str) -> String {
    let metadata =
        format!(r#"{{"operationType":"{kind}","status":"{status}","sentFrom":"{from}","sentTo":"{to}","nonce":7}}"#);
    format!(r#"{{"data":[7,{{"id":"1","metadata":{metadata},"transfers":[null,{moved}]}},null],"next":null}}"#)
}

fn moved(direction: &str, to: &str, numeric: &str) -> String {
    format!(r#"{{"direction":"{direction}","recipient":"{to}","quantity":{{"numeric":"{numeric}"}}}}"#)
}

fn fault(world: &World) -> Option<ReceiverFault> {
    world.snapshot().send.receiver_fault
}

fn typed(world: &mut World, receiver: &str) -> Vec<Warning> {
    fill(world, "1", receiver);
    world.snapshot().send.warnings
}

#[test]
fn spec_8_18_a_name_that_cannot_be_looked_up_is_told_apart_from_one_that_nobody_has() {
    for (status, body, expected) in [
        (404, "", ReceiverFault::NameUnknown),
        (200, "[]", ReceiverFault::NameUnknown),
        (200, "{}", ReceiverFault::NameUnknown),
        (
            200,
            r#"{"addresses":{"60":{"address":"7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE"}}}"#,
            ReceiverFault::NameUnknown,
        ),
        (200, r#"{"addresses":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}"#, ReceiverFault::NameUnknown),
        (500, "", ReceiverFault::NameFailed),
        (200, "<html>", ReceiverFault::NameFailed),
        (429, "{}", ReceiverFault::NameFailed),
    ] {
        let mut world = served("");
        world.server.answers("/v1/profile/account/", status, body);
        fill(&mut world, "1", "alice.eth");
        assert_eq!(fault(&world), Some(expected), "{status} {body}");
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_eq!(world.snapshot().modal.view, View::WalletSend);
    }
}

#[test]
fn a_server_that_says_nothing_leaves_the_name_unpaid() {
    let mut world = served("");
    world.server.silent = true;
    fill(&mut world, "1", "alice.eth");
    assert_eq!((fault(&world), world.snapshot().send.ready), (Some(ReceiverFault::Resolving), false));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(sent(&world).is_empty());
}

#[test]
fn a_name_is_looked_up_once_typing_rests_and_an_answer_to_another_name_counts_for_nothing() {
    let mut world = served("");
    world.server.answers("/v1/profile/account/alice.eth", 200, &record("alice.eth", "60", RECEIVER));
    for end in 6..=9 {
        world.dispatch(Event::Send(Send::ReceiverTyped { text: "alice.eth"[..end].into() }));
        world.advance(499);
    }
    assert_eq!(world.server.count("/v1/profile/account/"), 0);
    world.advance(1);
    assert_eq!(world.server.count("/v1/profile/account/alice.eth?"), 1);
    // The amount may be typed meanwhile.
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    world.advance(500);
    assert_eq!(
        (world.server.count("/v1/profile/account/"), world.snapshot().send.receiver_resolved.as_deref()),
        (1, Some(RECEIVER))
    );
    world.dispatch(Event::Send(Send::ReceiverTyped { text: "bob.eth".into() }));
    assert_eq!(world.snapshot().send.receiver_resolved, None);
}

#[test]
fn what_a_name_leads_to_is_paid_and_shown_beside_it() {
    let mut world = served("");
    world.server.answers("/v1/profile/account/", 200, &record("alice.eth", "2147514985", &RECEIVER.to_lowercase()));
    world.server.answers("/v1/identity/", 200, r#"{"name":"alice.eth","avatar":"/v1/avatar/alice.eth"}"#);
    fill(&mut world, "1", "Alice.eth");
    let send = world.snapshot().send;
    assert_eq!(
        (send.receiver_profile_name.as_deref(), send.receiver_resolved.as_deref()),
        (Some("alice.eth"), Some(RECEIVER))
    );
    assert_eq!(
        send.receiver_profile_image_url.as_deref(),
        Some("https://host.example/v1/avatar/alice.eth?projectId=test")
    );
    assert_eq!((send.receiver_short.as_str(), send.ready), ("0x70…dc79C8", true));
    assert!(send.warnings.is_empty(), "{:?}", send.warnings);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(sent(&world)[0].get("to").as_str(), Some(RECEIVER));
}

#[test]
fn a_name_of_oneself_of_nobody_or_of_another_chain_is_said() {
    let mut world = served("");
    for (address, expected) in [
        (OWN, Some(ReceiverFault::OwnAddress)),
        ("0x0000000000000000000000000000000000000000", Some(ReceiverFault::ZeroAddress)),
        (RECEIVER, None),
    ] {
        world.server.answers("/v1/profile/account/", 200, &record("alice.eth", "60", address));
        fill(&mut world, "1", "alice.eth");
        assert_eq!(fault(&world), expected, "{address}");
        fill(&mut world, "1", "");
    }
    // It says where it leads on Ethereum, and this is another chain.
    assert_eq!(typed(&mut world, "alice.eth"), [Warning::NameElsewhere]);
}

#[test]
fn letters_that_look_like_others_are_told() {
    let mut world = served("");
    for (name, warned) in [("vіtalik.eth", true), ("аррӏе.eth", true), ("vitalik.eth", false), ("привет.eth", false)]
    {
        world.server.answers("/v1/profile/account/", 200, &record(name, "2147514985", RECEIVER));
        assert_eq!(typed(&mut world, name).contains(&Warning::NameLetters), warned, "{name}");
    }
}

#[test]
fn an_address_that_begins_and_ends_as_one_that_was_paid_is_told_first() {
    let mut world = served(&past(OWN, RECEIVER));
    assert!(typed(&mut world, RECEIVER).is_empty());
    assert_eq!(typed(&mut world, ALIKE), [Warning::LookAlike]);
    assert_eq!(world.snapshot().send.look_alike.as_deref(), Some(RECEIVER));
    assert_eq!(typed(&mut world, "0x7000000000000000000000000000000000000001"), [Warning::FirstSeen]);
}

#[test]
fn whoever_sends_something_to_the_account_is_not_known_by_it() {
    let mut world = served(&past(ALIKE, OWN));
    assert_eq!(typed(&mut world, ALIKE), [Warning::FirstSeen]);
}

#[test]
fn whoever_has_a_token_tell_that_the_account_sent_them_something_or_nothing_is_not_known_by_it() {
    let own = OWN.to_lowercase();
    for poisoned in [
        // Signed by the poisoner, by nobody who is told, or for nothing; and what the account did not send.
        past_of("send", "confirmed", ALIKE, TOKEN, &moved("out", ALIKE, "0")),
        past_of("send", "confirmed", RECEIVER, TOKEN, &moved("out", ALIKE, "1000")),
        past_of("send", "confirmed", "", TOKEN, &moved("out", ALIKE, "1000")),
        past_of("send", "confirmed", &own, TOKEN, &moved("out", ALIKE, "0.000")),
        past_of("send", "confirmed", &own, TOKEN, &moved("in", ALIKE, "1000")),
        past_of("send", "failed", &own, TOKEN, &moved("out", ALIKE, "1000")),
        past_of("claim", "confirmed", &own, TOKEN, &moved("out", ALIKE, "1000")),
        past_of("send", "confirmed", &own, ALIKE, "7"),
    ] {
        let mut world = served(&poisoned);
        assert_eq!(typed(&mut world, ALIKE), [Warning::FirstSeen], "{poisoned}");
    }
}

#[test]
fn who_got_a_token_was_paid_and_its_contract_was_not() {
    let mut world = served(&past_of("send", "confirmed", OWN, TOKEN, &moved("out", RECEIVER, "42.5")));
    assert!(typed(&mut world, RECEIVER).is_empty());
    assert_eq!(typed(&mut world, ALIKE), [Warning::LookAlike]);
    assert_eq!(typed(&mut world, TOKEN), [Warning::FirstSeen]);
}

#[test]
fn a_past_that_could_not_be_had_is_asked_for_again_and_who_was_paid_meanwhile_stays_known() {
    let mut world = served("<html>");
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.server.answers("/history", 200, r#"{"data":[]}"#);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!(typed(&mut world, ALIKE), [Warning::LookAlike]);
    assert_eq!(typed(&mut world, TOKEN), [Warning::FirstSeen]);
}

#[test]
fn a_past_that_nobody_told_says_nothing_of_anybody() {
    for nonsense in ["", "[]", r#"{"data":7}"#, "<html>"] {
        let mut world = served(nonsense);
        assert!(typed(&mut world, RECEIVER).is_empty(), "{nonsense}");
    }
    let mut world = served(r#"{"data":[]}"#);
    assert_eq!(typed(&mut world, RECEIVER), [Warning::FirstSeen]);
}

#[test]
fn whoever_was_paid_here_is_known_from_then_on() {
    let mut world = served(r#"{"data":[]}"#);
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert!(typed(&mut world, RECEIVER).is_empty());
}

#[test]
fn a_contract_is_told_and_an_account_that_lets_one_act_for_it_is_none() {
    let mut world = served("");
    let address = RECEIVER.to_lowercase();
    for (code, warned) in [
        ("0x6080604052", true),
        ("0x", false),
        ("0xEF01005fbdb2315678afecb367f032d93f642f64180aa3", false),
        ("nonsense", true),
    ] {
        world.node.codes.insert(address.clone(), code.into());
        assert_eq!(typed(&mut world, RECEIVER).contains(&Warning::Contract), warned, "{code}");
    }
}
