//! Scenarios of a receiver's name: the chain says whose it is, and two nodes have to agree.

use crate::send::{OWN, RECEIVER, alpha, fill, sent};
use crate::send_receiver::{served, typed};
use portico_api::identity::Identity;
use portico_api::name::{NameAddress, NameRecord};
use portico_calldata::ens::{ETHER, Name};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::{Event as Send, ReceiverFault, Warning};
use portico_json::{Map, to_text};
use portico_testkit::{Store, World, options};

pub(crate) const THIEF: &str = "0x00000000000000000000000000000000000bad00";
/// Coin type of the chain (ENSIP-11).
pub(crate) const HERE: u64 = 0x8000_0000 | 31337;
/// Node of the network, beside the host's server.
pub(crate) const NODE: &str = "rpc-31337.example";
pub(crate) const SERVER: &str = "host.example/v1?";

/// Record of a name at the host's server.
pub(crate) fn record(name: &str, address: &str) -> String {
    let mut addresses = Map::default();
    addresses.insert(HERE.to_string(), NameAddress { address: address.into(), ..NameAddress::default() });
    to_text(&NameRecord { name: name.into(), addresses, ..NameRecord::default() })
}

/// World in which `alice.eth` is the receiver on the chain.
pub(crate) fn named() -> World {
    let mut world = served("");
    world.node.names.set("alice.eth", HERE, RECEIVER);
    world
}

pub(crate) fn fault(world: &World) -> Option<ReceiverFault> {
    world.snapshot().send.receiver_fault
}

/// Presses through to the wallet, and returns whom the wallet was asked to pay.
pub(crate) fn paid(world: &mut World) -> Vec<String> {
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    sent(world).iter().filter_map(|call| call.get("to").as_str().map(String::from)).collect()
}

#[test]
fn a_server_that_names_its_own_address_for_a_name_is_paid_nothing() {
    let mut world = named();
    world.server.answers("/v1/profile/account/", 200, &record("alice.eth", THIEF));
    fill(&mut world, "1", "alice.eth");
    assert_eq!(world.snapshot().send.receiver_resolved.as_deref(), Some(RECEIVER));
    assert_eq!(paid(&mut world), [RECEIVER]);
}

#[test]
fn the_servers_address_is_shown_early_and_cannot_be_paid() {
    let mut world = named();
    world.node.late = Some(5_000);
    world.server.answers("/v1/profile/account/", 200, &record("alice.eth", THIEF));
    fill(&mut world, "1", "alice.eth");
    let send = world.snapshot().send;
    assert_eq!(send.receiver_resolved.map(|address| address.to_lowercase()).as_deref(), Some(THIEF));
    assert_eq!((send.receiver_fault, send.ready), (Some(ReceiverFault::Resolving), false));
    assert!(paid(&mut world).is_empty());
    world.advance(10_000);
    assert_eq!(world.snapshot().send.receiver_resolved.as_deref(), Some(RECEIVER));
}

#[test]
fn an_address_that_the_server_tells_after_the_chain_knew_none_is_not_shown() {
    let mut world = served("");
    world.server.late = 2_000;
    world.server.answers("/v1/profile/account/", 200, &record("alice.eth", THIEF));
    fill(&mut world, "1", "alice.eth");
    assert_eq!(fault(&world), Some(ReceiverFault::NameUnknown));
    world.advance(2_000);
    assert_eq!((fault(&world), world.snapshot().send.receiver_resolved), (Some(ReceiverFault::NameUnknown), None));
}

#[test]
fn a_name_that_moved_while_the_form_was_open_is_resolved_again_before_the_preview() {
    let mut world = named();
    fill(&mut world, "1", "alice.eth");
    world.node.names.set("alice.eth", HERE, OWN);
    world.advance(60_000);
    assert_eq!(fault(&world), None);
    world.advance(1);
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(fault(&world), Some(ReceiverFault::OwnAddress));
    world.node.names.set("alice.eth", HERE, RECEIVER);
    world.advance(60_001);
    fill(&mut world, "1", "alice.eth");
    assert_eq!(paid(&mut world), [RECEIVER]);
}

#[test]
fn a_name_that_moved_while_the_preview_was_open_is_paid_only_after_another_confirmation() {
    let other = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
    for (now, first) in [(RECEIVER, &[RECEIVER][..]), (other, &[])] {
        let mut world = named();
        fill(&mut world, "1", "alice.eth");
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.node.names.set("alice.eth", HERE, now);
        world.advance(60_001);
        world.dispatch(Event::Send(Send::ConfirmAsked));
        let to =
            |world: &World| sent(world).iter().filter_map(|call| call.get("to").as_str().map(String::from)).collect();
        let paid: Vec<String> = to(&world);
        assert_eq!(paid, first, "{now}");
        if first.is_empty() {
            assert_eq!(world.snack(), Some(Message::NameMoved));
            assert_eq!(world.snapshot().send.receiver_resolved.as_deref(), Some(other));
            world.dispatch(Event::Send(Send::ConfirmAsked));
            let paid: Vec<String> = to(&world);
            assert_eq!(paid, [other]);
        }
    }
    // Nodes that do not answer leave the preview open for another try.
    let mut world = named();
    fill(&mut world, "1", "alice.eth");
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.advance(60_001);
    world.node.down = true;
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.advance(60_000);
    assert!(sent(&world).is_empty() && !world.snapshot().send.loading);
}

#[test]
fn an_answer_to_an_earlier_lookup_of_the_same_name_does_not_count() {
    let mut world = named();
    world.node.names.set("alice.eth", HERE, THIEF);
    world.node.late = Some(5_000);
    fill(&mut world, "1", "alice.eth");
    world.dispatch(Event::Send(Send::ReceiverTyped { text: "bob.eth".into() }));
    // The name has moved, and its owner says so while the first lookup is on its way.
    world.node.names.set("alice.eth", HERE, RECEIVER);
    world.node.late = Some(10_000);
    fill(&mut world, "1", "alice.eth");
    world.advance(5_000);
    assert_eq!((fault(&world), world.snapshot().send.receiver_resolved), (Some(ReceiverFault::Resolving), None));
    world.advance(10_000);
    assert_eq!(world.snapshot().send.receiver_resolved.as_deref(), Some(RECEIVER));
    assert_eq!(fault(&world), None);
}

#[test]
fn a_server_cannot_confirm_a_raw_name_that_its_owner_registered() {
    for raw in ["Ünal.eth", "ＡＢＣ.eth", "e\u{301}va.eth"] {
        let mut world = served("");
        world.node.names.set(raw, HERE, THIEF);
        world.server.answers("/v1/profile/account/", 200, &record(raw, THIEF));
        fill(&mut world, "1", raw);
        assert_eq!(fault(&world), Some(ReceiverFault::NameUnknown), "{raw}");
        assert!(paid(&mut world).is_empty());
    }
    // Phones write emoji with a selector that no name has.
    let mut world = served("");
    world.node.names.set("❤.eth", HERE, RECEIVER);
    world.server.answers("/v1/profile/account/", 200, &record("❤.eth", RECEIVER));
    fill(&mut world, "1", "❤\u{fe0f}.eth");
    assert_eq!(paid(&mut world), [RECEIVER]);
}

#[test]
fn a_node_that_lies_about_a_name_is_contradicted_by_the_other() {
    for liar in [NODE, SERVER] {
        let mut world = named();
        world.node.lies = vec![(liar, THIEF)];
        fill(&mut world, "1", "alice.eth");
        assert_eq!(fault(&world), Some(ReceiverFault::NameDisputed), "{liar}");
        assert!(paid(&mut world).is_empty(), "{liar}");
    }
}

#[test]
fn the_hosts_server_alone_is_not_believed_about_a_name() {
    // No other node of the chain of names is known; another path of the server is still the server.
    for more in ["", r#""customRpcUrls":{"eip155:1":[{"url":"https://HOST.example/rpc"}]},"#] {
        let options = options().replacen('{', r#"{"endpoints":"https://host.example","ensChain":"eip155:1","#, 1);
        let options = options.replacen('{', &format!("{{{more}"), 1);
        let mut world = World::with(&options, vec![alpha()], Store::default());
        world.node.names.set("alice.eth", HERE, THIEF);
        world.server.answers("/v1/profile/account/", 200, &record("alice.eth", THIEF));
        world.connect_first();
        world.open(None);
        world.modal(Modal::ViewAsked { view: View::WalletSend });
        fill(&mut world, "1", "alice.eth");
        assert_eq!(fault(&world), Some(ReceiverFault::NameUnproven), "{more}");
        assert!(paid(&mut world).is_empty());
    }
    // One that the host names is enough.
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","ensChain":"eip155:1","#, 1).replacen(
        '{',
        r#"{"customRpcUrls":{"eip155:1":[{"url":"https://one.example"}]},"#,
        1,
    );
    let mut world = World::with(&options, vec![alpha()], Store::default());
    world.node.names.set("alice.eth", HERE, RECEIVER);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "1", "alice.eth");
    assert_eq!(paid(&mut world), [RECEIVER]);
    assert!(world.alerts.is_empty(), "{:?}", world.alerts);
}

#[test]
fn names_are_resolved_where_the_host_has_no_server() {
    let options = options().replacen('{', r#"{"ensChain":"eip155:31337","#, 1);
    let mut world = World::with(&options, vec![alpha()], Store::default());
    world.node.names.set("alice.eth", HERE, RECEIVER);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "1", "Alice.eth");
    assert_eq!(world.snapshot().send.receiver_profile_name.as_deref(), Some("alice.eth"));
    assert_eq!(paid(&mut world), [RECEIVER]);
}

#[test]
fn spec_8_18_a_name_that_cannot_be_looked_up_is_told_apart_from_one_that_nobody_has() {
    let mut world = served("");
    fill(&mut world, "1", "alice.eth");
    assert_eq!(fault(&world), Some(ReceiverFault::NameUnknown));
    for (status, body) in [(Some(500), ""), (Some(200), "<html>"), (Some(429), "{}"), (Some(200), "[]")] {
        let mut world = named();
        (world.node.status, world.node.refusal) = (status, body.into());
        fill(&mut world, "1", "alice.eth");
        world.advance(5_000);
        assert_eq!(fault(&world), Some(ReceiverFault::NameFailed), "{status:?} {body}");
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_eq!(world.snapshot().modal.view, View::WalletSend);
        // The next attempt may succeed.
        world.node.status = None;
        world.advance(5_000);
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_eq!(fault(&world), None, "{status:?} {body}");
    }
    // The button beside the fault types the same name again.
    let mut world = named();
    world.node.status = Some(500);
    fill(&mut world, "1", "alice.eth");
    world.advance(5_000);
    assert_eq!(fault(&world), Some(ReceiverFault::NameFailed));
    world.node.status = None;
    world.dispatch(Event::Send(Send::ReceiverTyped { text: "alice.eth".into() }));
    world.advance(5_000);
    assert_eq!(fault(&world), None);
}

#[test]
fn a_chain_without_the_contract_resolves_no_name() {
    let mut world = served("");
    let question = Name::new("alice.eth").unwrap().question(HERE);
    world.node.names.calls.insert(question, Ok("0x".into()));
    fill(&mut world, "1", "alice.eth");
    assert_eq!(fault(&world), Some(ReceiverFault::NameFailed));
}

#[test]
fn a_name_is_looked_up_once_typing_rests_and_an_answer_to_another_name_counts_for_nothing() {
    let mut world = named();
    for end in 6..=9 {
        world.dispatch(Event::Send(Send::ReceiverTyped { text: "alice.eth"[..end].into() }));
        world.advance(499);
    }
    let asked = |world: &World| {
        (
            world.server.count("/v1/profile/account/"),
            world.node.bodies.iter().filter(|body| body.contains("eeee")).count(),
        )
    };
    assert_eq!(asked(&world), (0, 0));
    world.advance(1);
    assert_eq!(asked(&world), (1, 2), "one record, and two nodes");
    // Typing the amount meanwhile does not disturb the lookup.
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    world.advance(500);
    assert_eq!(asked(&world), (1, 2));
    assert_eq!(world.snapshot().send.receiver_resolved.as_deref(), Some(RECEIVER));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: "bob.eth".into() }));
    assert_eq!(world.snapshot().send.receiver_resolved, None);
}

#[test]
fn what_a_name_leads_to_is_paid_and_shown_beside_it() {
    let mut world = named();
    let (name, avatar) = (Some("alice.eth".into()), Some("/v1/avatar/alice.eth".into()));
    world.server.serves("/v1/identity/", &Identity { name, avatar, ..Identity::default() });
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
    assert_eq!(send.warnings, [Warning::FirstSeen]);
    assert_eq!(paid(&mut world), [RECEIVER]);
}

#[test]
fn a_name_of_oneself_of_nobody_or_of_another_chain_is_said() {
    let mut world = served("");
    for (address, expected) in [
        (OWN, Some(ReceiverFault::OwnAddress)),
        ("0x0000000000000000000000000000000000000000", Some(ReceiverFault::NameUnknown)),
        (RECEIVER, None),
    ] {
        world.node.names.clear();
        world.node.names.set("alice.eth", ETHER, address);
        fill(&mut world, "1", "alice.eth");
        assert_eq!(fault(&world), expected, "{address}");
        fill(&mut world, "1", "");
    }
    // The name has an address for Ethereum only, and this is another chain.
    assert_eq!(typed(&mut world, "alice.eth"), [Warning::NameElsewhere, Warning::FirstSeen]);
}

#[test]
fn letters_that_look_like_others_are_told() {
    let mut world = served("");
    for (name, warned) in [("vіtalik.eth", true), ("аррӏе.eth", true), ("vitalik.eth", false), ("привет.eth", false)]
    {
        world.node.names.set(name, HERE, RECEIVER);
        world.server.answers("/v1/profile/account/", 200, &record(name, THIEF));
        assert_eq!(typed(&mut world, name).contains(&Warning::NameLetters), warned, "{name}");
        assert_eq!(world.snapshot().send.receiver_resolved.as_deref(), Some(RECEIVER), "{name}");
    }
}

#[test]
fn a_server_cannot_replace_a_name_by_the_one_that_it_calls_its_normal_form() {
    let mut world = named();
    world.node.names.set("ñandú.eth", HERE, RECEIVER);
    world.node.names.set("thief.eth", HERE, THIEF);
    for (status, told, expected) in [
        (200, record("ñandú.eth", THIEF), None),
        (200, record("thief.eth", THIEF), Some(ReceiverFault::NameUnknown)),
        (404, String::new(), Some(ReceiverFault::NameUnknown)),
        (500, String::new(), Some(ReceiverFault::NameFailed)),
    ] {
        world.server.answers("/v1/profile/account/", status, &told);
        fill(&mut world, "1", "ñandú.eth");
        assert_eq!(fault(&world), expected, "{told}");
        assert_ne!(world.snapshot().send.receiver_resolved.as_deref(), Some(THIEF));
        fill(&mut world, "1", "");
    }
}

#[test]
fn whatever_its_server_calls_it_the_name_that_was_typed_is_shown() {
    let mut world = named();
    for (typed, told, shown) in [("Alice.eth", "alice.eth", "alice.eth"), ("alice.eth", "bob.eth", "alice.eth")] {
        world.server.answers("/v1/profile/account/", 200, &record(told, RECEIVER));
        fill(&mut world, "1", typed);
        assert_eq!(world.snapshot().send.receiver_profile_name.as_deref(), Some(shown), "{typed}");
    }
    // A space that nobody sees.
    let hidden = "vita\u{200b}lik.eth";
    world.server.answers("/v1/profile/account/", 200, &record("vitalik.eth", RECEIVER));
    assert!(typed(&mut world, hidden).contains(&Warning::NameLetters));
    assert_eq!(fault(&world), Some(ReceiverFault::NameUnknown));
}
