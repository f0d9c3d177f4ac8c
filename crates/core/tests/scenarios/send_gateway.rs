//! Scenarios of a receiver's name that a gateway resolves (EIP-3668): the page asks the gateway, and the contract checks its answer.

use crate::send::{RECEIVER, fill};
use crate::send_name::*;
use crate::send_receiver::served;
use portico_api::identity::Identity;
use portico_calldata::ens::{Lookup, Name, UNIVERSAL_RESOLVER};
use portico_core::send::ReceiverFault;
use portico_testkit::{World, names};

/// Revert data of a lookup at these gateways, from ENS Labs' `OffchainResolver` behind the Universal Resolver.
fn lookup(url: &str) -> String {
    let word = |number: usize| format!("{number:064x}");
    let bytes = |bytes: &[u8]| {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let end = bytes.len().next_multiple_of(32) * 2;
        format!("{}{digits:0<end$}", word(bytes.len()))
    };
    let list = |text: &str| format!("{}{}{}", word(1), word(32), bytes(text.as_bytes()));
    let address = |address: &str| format!("{:0>64}", &address[2..]);
    let (urls, data) = (list(url), bytes(&[0xab]));
    let query = format!("{}{}{}{urls}{data}", address(RECEIVER), word(96), word(96 + urls.len() / 2));
    let query = format!("a780bab6{}{}{}{query}", word(32), word(1), word(32));
    let query: Vec<u8> =
        (0..query.len() / 2).map(|at| u8::from_str_radix(&query[2 * at..2 * at + 2], 16).unwrap()).collect();
    let (gateways, query) = (list("x-batch-gateway:true"), bytes(&query));
    let (first, second) = (160 + gateways.len() / 2, 160 + (gateways.len() + query.len()) / 2);
    let head = [address(UNIVERSAL_RESOLVER), word(160), word(first), format!("{:0<64}", "b4a85801"), word(second)];
    format!("0x556f1830{}{gateways}{query}{}", head.concat(), bytes(&[7; 5]))
}

/// World in which a gateway resolves `alice.eth`.
fn with_gateway() -> World {
    let mut world = served("");
    let revert = lookup("https://gateway.example/v1/{sender}/{data}.json");
    let callback = Lookup::read(&revert, UNIVERSAL_RESOLVER).unwrap().callback(&[Ok(vec![0x0a])]).unwrap();
    let question = Name::new("alice.eth").unwrap().question(HERE);
    world.node.names.calls.insert(question, Err(revert));
    world.node.names.calls.insert(callback, Ok(names::resolved(RECEIVER, HERE)));
    world
}

#[test]
fn a_gateway_is_asked_by_the_page_and_its_answer_goes_to_the_contract() {
    let mut world = with_gateway();
    world.server.answers("gateway.example", 200, r#"{"data":"0x0a"}"#);
    fill(&mut world, "1", "alice.eth");
    let url = format!("GET https://gateway.example/v1/{}/0xab.json", RECEIVER.to_lowercase());
    assert!(world.server.heard.iter().any(|(heard, _)| *heard == url), "{:?}", world.server.heard);
    assert_eq!(paid(&mut world), [RECEIVER]);
}

#[test]
fn a_gateway_that_refuses_fails_or_answers_nonsense_leaves_the_name_unpaid_and_warns_of_no_project() {
    for (status, body) in [(404, ""), (401, "{}"), (403, "{}"), (500, ""), (200, "<html>"), (200, r#"{"data":"0a"}"#)] {
        let mut world = with_gateway();
        world.server.answers("gateway.example", status, body);
        fill(&mut world, "1", "alice.eth");
        world.advance(5_000);
        assert!(fault(&world).is_some(), "{status} {body}");
        assert!(paid(&mut world).is_empty() && world.alerts.is_empty(), "{status} {body}");
    }
}

#[test]
fn a_node_that_sends_the_page_to_another_gateway_is_contradicted_by_the_other() {
    let mut world = with_gateway();
    world.server.answers("gateway.example", 200, r#"{"data":"0x0a"}"#);
    world.server.answers("evil.example", 200, r#"{"data":"0x0b"}"#);
    world.node.other_lookup = Some((NODE, lookup("https://evil.example/v1/{sender}/{data}.json")));
    fill(&mut world, "1", "alice.eth");
    assert_eq!(fault(&world), Some(ReceiverFault::NameDisputed));
    assert_eq!(world.server.count("evil.example"), 0);
    assert!(paid(&mut world).is_empty());
}

#[test]
fn a_pasted_address_sends_nothing_to_the_gateway_of_a_name_that_the_server_gives_it() {
    let mut world = with_gateway();
    world.server.answers("gateway.example", 200, r#"{"data":"0x0a"}"#);
    let name = Some("alice.eth".into());
    world.server.serves("/v1/identity/", &Identity { name, ..Identity::default() });
    fill(&mut world, "1", RECEIVER);
    assert_eq!((world.server.count("gateway.example"), world.snapshot().send.receiver_profile_name), (0, None));
    assert_eq!(paid(&mut world).len(), 1);
}

#[test]
fn a_contract_that_asks_for_lookups_without_end_is_left() {
    let mut world = served("");
    world.server.answers("gateway.example", 200, r#"{"data":"0x0a"}"#);
    let revert = lookup("https://gateway.example/v1/{sender}/{data}.json");
    let callback = Lookup::read(&revert, UNIVERSAL_RESOLVER).unwrap().callback(&[Ok(vec![0x0a])]).unwrap();
    for call in [Name::new("alice.eth").unwrap().question(HERE), callback] {
        world.node.names.calls.insert(call, Err(revert.clone()));
    }
    fill(&mut world, "1", "alice.eth");
    assert_eq!(fault(&world), Some(ReceiverFault::NameFailed));
    assert_eq!(world.server.count("gateway.example"), 4);
}
