//! Scenarios of the trial of a swap in the preview, and of nodes without `eth_simulateV1`, which tell balances before and after instead.

use super::swap::*;
use portico_core::swap::{Event as Swap, Fault, Phase, REFRESH, Simulation, Target};
use portico_json::{Value, parse};
use portico_testkit::World;

const LEAST: u128 = 2_970_000_000;

/// Simulation on the screen.
fn shown(world: &World) -> Option<Simulation> {
    form(world).simulation
}

/// Makes nodes lack `eth_simulateV1`, and answer the program at the account with this text of words.
fn answers_probe(world: &mut World, words: &str) {
    world.node.simulation = Some(Value::Null);
    world.node.calls.insert((ADDRESS.to_lowercase(), "0x".into()), words.into());
}

/// Answer of the program: 1, then balances before and after.
fn balances(before: &[u128], after: &[u128]) -> String {
    let words = before.iter().chain(after).map(|number| format!("{number:064x}"));
    format!("0x{:064x}{}", 1, words.collect::<String>())
}

/// Preview of one coin for USDC on nodes without `eth_simulateV1` that answer the program with this text. The coin and USDC are watched.
fn probed(words: &str) -> World {
    let mut world = reviewed(alpha());
    answers_probe(&mut world, words);
    act(&mut world, Swap::ConfirmAsked);
    world.advance(1_000);
    world
}

#[test]
fn the_preview_tests_the_swap_before_anything_is_signed() {
    let world = reviewed(alpha());
    assert_eq!(shown(&world), Some(Simulation::Done));
    assert!(sent(&world).is_empty());
    // A token is approved within the trial, so that it shows the swap before anything is signed.
    let world = reviewed_token(alpha());
    assert_eq!(shown(&world), Some(Simulation::Done));
    assert!(sent(&world).is_empty());
}

#[test]
fn a_swap_that_fails_or_takes_more_is_told_in_the_preview_before_the_visitor_confirms() {
    let result = |calls: &str| parse(&format!(r#"[{{"calls":[{calls}]}}]"#)).unwrap();
    for (calls, fault) in
        [(r#"{"status":"0x0","logs":[]}"#, Fault::Fails), (r#"{"status":"0x1","logs":[]}"#, Fault::TakesMore)]
    {
        let mut world = opened(alpha());
        world.node.simulation = Some(result(calls));
        quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
        builds(&mut world, ROUTER, ETHER, ETHER, LEAST);
        typed(&mut world, "1");
        act(&mut world, Swap::ReviewAsked);
        assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(fault)));
        assert!(sent(&world).is_empty());
    }
    // A price that fell makes the amounts of before void.
    let mut world = reviewed(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 2_900_000_000);
    world.advance(REFRESH);
    assert_eq!((form(&world).phase, shown(&world)), (Phase::Outdated, None));
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    assert!(shown(&world).is_some());
    // A transaction that differs from the preview, too.
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, LEAST - 1);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)));
}

#[test]
fn a_newer_quote_is_tried_again() {
    let mut world = reviewed(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_100_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, 3_069_000_000);
    world.node.late = Some(1_000);
    world.advance(REFRESH);
    assert_eq!(shown(&world), Some(Simulation::Running));
    world.advance(1_000);
    assert_eq!(shown(&world), Some(Simulation::Done));
    // The same quote again is not.
    let before = world.server.count(BUILD);
    world.advance(REFRESH);
    assert_eq!(world.server.count(BUILD), before);
    // Another amount has none yet.
    act(&mut world, Swap::AmountTyped { text: "2".into() });
    assert_eq!(shown(&world), None);
}

#[test]
fn where_no_node_can_simulate_the_preview_says_so_at_once() {
    let mut world = opened(alpha());
    world.node.simulation = Some(Value::Null);
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, LEAST);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    world.advance(1_000);
    assert_eq!((shown(&world), form(&world).phase), (Some(Simulation::Unavailable), Phase::Editing));
}

#[test]
fn a_node_without_the_simulation_tells_the_balances_before_and_after_instead() {
    // A gift beside the swap harms nobody.
    for words in [balances(&[5 * ETHER, 7], &[4 * ETHER, 7 + LEAST]), balances(&[ETHER, 0], &[ETHER / 2, 2 * LEAST])] {
        assert_eq!(sent(&probed(&words)).len(), 1);
    }
    let asked = probed("0x").node.bodies.into_iter().rfind(|body| body.contains("\"code\"")).unwrap();
    let asked = parse(&asked).unwrap();
    let params = asked.get("params").as_list().or_else(|| asked.as_list()?[0].get("params").as_list()).unwrap();
    assert_eq!(params[0].get("to").as_str(), params[0].get("from").as_str());
    assert!(!params[2].get(ADDRESS).get("code").is_null());
}

#[test]
fn balances_that_show_more_than_was_promised_never_reach_the_wallet() {
    for (words, fault) in [
        (format!("0x{:064x}", 0), Fault::Fails),
        (balances(&[5 * ETHER, 7], &[4 * ETHER - 1, 7 + LEAST]), Fault::TakesMore),
        (balances(&[5 * ETHER, 7], &[4 * ETHER, 6 + LEAST]), Fault::TakesMore),
        (balances(&[5 * ETHER, 7], &[4 * ETHER, 0]), Fault::TakesMore),
    ] {
        let world = probed(&words);
        assert_eq!((form(&world).phase, form(&world).fault, sent(&world).len()), (Phase::Failed, Some(fault), 0));
    }
    let mut world = market(alpha());
    // Another token of the account is watched too.
    world.server.serves(
        "/balance",
        &portico_api::account::Balances { balances: vec![held("DAI", DAI, "5")], ..Default::default() },
    );
    world.open(None);
    world.modal(portico_core::modal::Event::ViewAsked { view: portico_core::modal::View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, LEAST);
    typed(&mut world, "1");
    for (dai, phase) in [(9, Phase::Editing), (8, Phase::Failed)] {
        answers_probe(&mut world, &balances(&[5 * ETHER, 7, 9], &[4 * ETHER, 7 + LEAST, dai]));
        act(&mut world, Swap::ReviewAsked);
        world.advance(1_000);
        assert_eq!((form(&world).phase, sent(&world).len()), (phase, 0), "{dai}");
        world.modal(portico_core::modal::Event::BackAsked);
    }
}

#[test]
fn a_node_that_ignores_the_program_proves_nothing() {
    let whole = balances(&[5 * ETHER, 7], &[4 * ETHER, 7 + LEAST]);
    for words in ["0x", "", "0x01", &whole[..whole.len() - 64], &whole.replacen("0x", "", 1), &format!("{whole}00")] {
        let world = probed(words);
        assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Unproven, 0), "{words}");
    }
}
