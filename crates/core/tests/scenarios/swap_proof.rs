//! Scenarios of what the chain says of a swap before the wallet is asked: its simulation, and the contracts that may be called.

use super::swap::*;
use portico_core::modal::View;
use portico_core::swap::{Event as Swap, Fault, Phase, Target};
use portico_json::Value;
use portico_terms::Amount;
use portico_testkit::World;
use portico_testkit::exchange::{WRAPPED, done, log, swap_call, transfer};

const THIEF: &str = "0x00000000000000000000000000000000000000ee";
const LEAST: u128 = 2_970_000_000;

fn amount(number: u128) -> Amount {
    Amount::from_hex(&format!("{number:#x}")).unwrap()
}

/// Result of a simulation of one call with these logs.
fn shows(logs: Vec<Value>) -> Value {
    Value::List(vec![Value::Object(vec![("calls".into(), Value::List(vec![done(logs)]))])])
}

/// Logs of the swap of one coin for the minimum in USDC.
fn honest() -> Vec<Value> {
    vec![transfer(COIN, ADDRESS, ROUTER, amount(ETHER)), transfer(USDC, ROUTER, ADDRESS, amount(LEAST))]
}

/// Confirms the swap of one coin on a node that answers this simulation.
fn confirmed(simulation: Value) -> World {
    let mut world = reviewed(alpha());
    world.node.simulation = Some(simulation);
    act(&mut world, Swap::ConfirmAsked);
    // Another node is asked where the first lacks the method.
    world.advance(1_000);
    world
}

#[test]
fn a_swap_goes_to_the_wallet_where_the_chain_shows_what_was_promised_and_no_more() {
    let mut gifts = honest();
    // Further tokens received, and transfers between others, are no reason to refuse.
    gifts.push(transfer(DAI, THIEF, ADDRESS, amount(1)));
    gifts.push(transfer(DAI, ROUTER, THIEF, amount(1)));
    for logs in [honest(), gifts] {
        assert_eq!(sent(&confirmed(shows(logs))).len(), 1);
    }
}

#[test]
fn a_swap_that_takes_permits_or_brings_something_else_never_reaches_the_wallet() {
    let topic = |name: &str| format!("0x{name}");
    let approval = topic("8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925");
    let all = topic("17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31");
    let permit = topic("c6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec");
    let badges = topic("4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb");
    let badge = topic("c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62");
    let sends = topic("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
    let withdrawal = topic("7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65");
    let more = [
        transfer(DAI, ADDRESS, THIEF, amount(1)),
        transfer(USDC, ADDRESS, THIEF, amount(1)),
        transfer(COIN, ADDRESS, THIEF, amount(1)),
        log(DAI, &[&approval, ADDRESS, THIEF], &word(1)),
        log(USDC, &[&approval, ADDRESS, ROUTER], &word(1)),
        log(DAI, &[&all, ADDRESS, THIEF], &word(1)),
        log(DAI, &[&permit, ADDRESS, DAI, THIEF], &word(1)),
        log(DAI, &[&badges, THIEF, ADDRESS, THIEF], "0x"),
        log(DAI, &[&badge, THIEF, ADDRESS, THIEF], "0x"),
        // A unique token, and one that indexes nothing.
        log(DAI, &[&sends, ADDRESS, THIEF, &word(7)], "0x"),
        log(DAI, &[&sends], &format!("0x{:0>64}{:0>64}{:064x}", &ADDRESS[2..], &THIEF[2..], 1)),
        log(WRAPPED, &[&withdrawal, ADDRESS], &word(1)),
    ];
    for extra in more {
        let world = confirmed(shows(honest().into_iter().chain([extra.clone()]).collect()));
        let told = (form(&world).phase, form(&world).fault);
        assert_eq!(told, (Phase::Failed, Some(Fault::TakesMore)), "{extra:?}");
        assert!(sent(&world).is_empty());
    }
    let less = vec![honest()[0].clone(), transfer(USDC, ROUTER, ADDRESS, amount(LEAST - 1))];
    let elsewhere = vec![honest()[0].clone(), transfer(USDC, ROUTER, THIEF, amount(LEAST))];
    for logs in [less, elsewhere, vec![]] {
        let world = confirmed(shows(logs));
        assert_eq!((form(&world).fault, sent(&world).len()), (Some(Fault::TakesMore), 0));
    }
}

#[test]
fn a_swap_that_would_fail_is_not_signed() {
    let failed = Value::Object(vec![("status".into(), "0x0".into()), ("logs".into(), Value::List(vec![]))]);
    let world = confirmed(Value::List(vec![Value::Object(vec![("calls".into(), Value::List(vec![failed]))])]));
    assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Fails)));
    assert!(sent(&world).is_empty());
}

#[test]
fn where_nothing_can_simulate_the_preview_says_so_and_asks_once_more() {
    let odd = Value::List(vec![Value::Object(vec![("calls".into(), Value::List(vec![]))])]);
    for simulation in [Value::Null, Value::Bool(true), Value::List(vec![]), odd] {
        let mut world = confirmed(simulation);
        assert_eq!((form(&world).phase, view(&world)), (Phase::Unproven, View::SwapPreview));
        assert!(sent(&world).is_empty());
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(sent(&world).len(), 1);
        // The consent is for this swap alone.
        let mut world = confirmed(Value::Null);
        act(&mut world, Swap::AmountTyped { text: "1".into() });
        world.advance(500);
        act(&mut world, Swap::ReviewAsked);
        act(&mut world, Swap::ConfirmAsked);
        world.advance(1_000);
        assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Unproven, 0));
    }
}

#[test]
fn an_approval_goes_to_the_wallet_only_after_the_whole_swap_was_tried() {
    let failed = Value::Object(vec![("status".into(), "0x0".into()), ("logs".into(), Value::List(vec![]))]);
    let both = Value::List(vec![done(vec![]), failed]);
    let mut world = reviewed_token(alpha());
    world.node.simulation = Some(Value::List(vec![Value::Object(vec![("calls".into(), both)])]));
    act(&mut world, Swap::ConfirmAsked);
    world.advance(1_000);
    assert_eq!((form(&world).fault, sent(&world).len()), (Some(Fault::Fails), 0));
}

#[test]
fn where_nothing_can_simulate_the_approval_waits_for_a_second_consent_and_the_swap_needs_no_third() {
    let mut world = reviewed_token(alpha());
    world.node.simulation = Some(Value::Null);
    act(&mut world, Swap::ConfirmAsked);
    world.advance(1_000);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Unproven, 0));
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::ApprovalPending, 1));
    signs(&mut world, "bb");
    allows(&mut world, USDC, 1_000_000_000);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::SwapConfirmed));
}

#[test]
fn the_hosts_own_server_does_not_vouch_for_its_swap_where_the_networks_node_fails() {
    let mut world = reviewed(alpha());
    // The network's node knows nothing of the method; the server would show what was promised.
    let shown = portico_json::to_text(&shows(honest()));
    world.node.simulation = Some(Value::Null);
    world.node.made_up = Some(("host.example/v1?", "eth_simulateV1", shown));
    act(&mut world, Swap::ConfirmAsked);
    world.advance(30_000);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Unproven, 0));
    let asked = world.node.bodies.iter().zip(&world.node.urls);
    let ours = |(body, url): (&String, &String)| body.contains("eth_simulateV1") && url.contains("host.example");
    assert!(!asked.into_iter().any(ours));
}

#[test]
fn a_simulation_is_asked_of_an_address_that_the_network_names_before_the_hosts_own_server() {
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    let asked = world.node.bodies.iter().zip(&world.node.urls);
    let urls: Vec<_> = asked.filter(|(body, _)| body.contains("eth_simulateV1")).map(|(_, url)| url.as_str()).collect();
    // One for the preview, one for the wallet.
    assert_eq!(urls, ["https://rpc-31337.example"; 2]);
}

#[test]
fn a_node_of_another_network_is_warned_of_before_a_swap() {
    for (node, chain, warned) in [
        ("", r#""0x7a69""#, false),
        ("", r#""0x1""#, true),
        ("host.example/v1?", r#""0x1""#, true),
        ("rpc-31337.example", r#""0x1""#, true),
        ("", "null", false),
    ] {
        let mut world = market(alpha());
        world.node.chain_id = Some("0x7a69".into());
        world.node.made_up = Some((node, "eth_chainId", chain.into()));
        let mut world = opened_in(world);
        quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
        typed(&mut world, "1");
        assert_eq!(form(&world).quote.unwrap().nodes_elsewhere, warned, "{node} {chain}");
        act(&mut world, Swap::ReviewAsked);
        assert_eq!(form(&world).quote.unwrap().nodes_elsewhere, warned, "{node} {chain}");
    }
}

#[test]
fn a_contract_that_the_host_did_not_name_is_called_by_nobody() {
    let mut world = opened(alpha());
    choose(&mut world, Target::ToToken, USDC);
    // The bytes are those of an honest swap; only the contract is another one.
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    builds_call(&mut world, THIEF, &swap_call(ADDRESS, COIN, USDC, None, LEAST), ETHER, ETHER, LEAST);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).fault, sent(&world).len()), (Some(Fault::Mismatch), 0));
}
