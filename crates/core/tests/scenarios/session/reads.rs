//! Scenarios of reads through a session's provider.

use super::*;
use portico_core::account::Event as Account;

const CHAIN: &str = "eip155:31337";

/// A page with a session, whose node was asked nothing yet.
fn page(options: &str) -> World {
    let mut world = paired(options);
    world.remote_approves();
    world.advance(1);
    world.node.bodies.clear();
    world.node.urls.clear();
    world
}

fn read(world: &mut World, method: &str, params: &str, ticket: u32) {
    let (chain, params) = (CHAIN.into(), parse(params).unwrap().as_list().unwrap().to_vec());
    world.dispatch(Event::Account(Account::ReadAsked { chain, method: method.into(), params, ticket }));
}

fn balance(world: &mut World, ticket: u32) {
    read(world, "eth_getBalance", &format!(r#"["{REMOTE}","latest"]"#), ticket);
}

#[test]
fn spec_8_53_a_read_through_a_session_is_tried_again_after_the_time_of_retry_after() {
    let mut world = page(&options());
    (world.node.status, world.node.retry_after) = (Some(429), Some(3_000));
    balance(&mut world, 1);
    world.advance(0);
    world.node.status = None;
    world.advance(2_999);
    assert_eq!((world.node.bodies.len(), world.answer(1)), (1, None));
    world.advance(1);
    assert_eq!(world.node.bodies.len(), 2);
    let answer = world.answer(1).unwrap();
    assert!(answer.contains(r#""type":"resolved""#) && answer.contains(r#""result":"0x0""#), "{answer}");
}

#[test]
fn spec_8_53_a_read_through_a_session_that_no_node_answers_fails_after_three_retries() {
    let mut world = page(&options());
    world.node.status = Some(503);
    balance(&mut world, 1);
    world.advance(60_000);
    let answer = world.answer(1).unwrap();
    assert!(answer.contains(r#""type":"rejected""#) && answer.contains(r#""code":503"#), "{answer}");
    assert_eq!(world.node.bodies.iter().filter(|body| body.contains("eth_getBalance")).count(), 4);
}

#[test]
fn spec_8_53_and_9_16_reads_of_a_library_travel_in_one_batch_and_each_gets_its_answer() {
    let mut world = page(&options());
    world.node.balances.insert(REMOTE.to_lowercase(), 5);
    balance(&mut world, 1);
    read(&mut world, "eth_gasPrice", "[]", 2);
    read(&mut world, "eth_getBalance", &format!(r#"["{OTHER}","latest"]"#), 3);
    assert!(world.node.bodies.is_empty());
    world.advance(0);
    assert_eq!(world.node.bodies.len(), 1);
    let answers = [1, 2, 3].map(|ticket| world.answer(ticket).unwrap());
    for (answer, result) in answers.iter().zip(["0x5", "0x3b9aca00", "0x0"]) {
        assert!(answer.contains(&format!(r#""result":"{result}""#)), "{answer}");
    }
}

#[test]
fn spec_8_53_a_read_through_a_session_asks_the_node_for_sessions_first_and_then_the_better_one() {
    let named = format!(r#"{{"universalProviderConfigOverride":{{"rpcMap":{{"{CHAIN}":"https://session.example"}}}},"#);
    let mut world = page(&options().replacen('{', &named, 1));
    balance(&mut world, 1);
    world.advance(0);
    assert_eq!(world.node.urls, ["https://session.example"]);
    world.node.status = Some(503);
    balance(&mut world, 2);
    world.advance(0);
    world.node.status = None;
    world.advance(10_000);
    assert!(world.answer(2).unwrap().contains("result"), "another node answered");
    world.node.urls.clear();
    balance(&mut world, 3);
    world.advance(0);
    assert!(!world.node.urls[0].starts_with("https://session.example"), "{:?}", world.node.urls);
    // The core's own reads do not go there.
    world.dispatch(Event::Account(Account::RefreshAsked { ticket: None }));
    assert!(!world.node.urls.contains(&"https://session.example".to_string()), "{:?}", world.node.urls);
}

#[test]
fn revert_data_of_a_read_through_a_session_reaches_the_library() {
    let mut world = page(&options());
    world.node.other_lookup = Some(("", "0x08c379a0".into()));
    let to = portico_calldata::ens::UNIVERSAL_RESOLVER;
    read(&mut world, "eth_call", &format!(r#"[{{"to":"{to}","data":"0x"}},"latest"]"#), 1);
    world.advance(0);
    let answer = world.answer(1).unwrap();
    assert!(answer.contains(r#""type":"resolved""#) && answer.contains(r#""data":"0x08c379a0""#), "{answer}");
    assert_eq!(world.node.bodies.len(), 1);
}

#[test]
fn a_read_on_what_is_no_chain_is_refused() {
    let mut world = page(&options());
    let event = Account::ReadAsked { chain: "x".into(), method: "eth_gasPrice".into(), params: vec![], ticket: 1 };
    world.dispatch(Event::Account(event));
    assert!(world.answer(1).unwrap().contains("rejected"));
}
