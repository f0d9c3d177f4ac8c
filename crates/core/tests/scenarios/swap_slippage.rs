//! Scenarios of the slippage tolerance that the visitor chooses: the minimum follows it in the core, whatever the server says.

use super::swap::*;
use portico_core::swap::{Event as Swap, Fault, Phase};
use portico_json::parse;
use portico_testkit::World;

const KEY: &str = "@portico/swap_slippage";

/// World with the form for one coin to 3,000 USDC, quoted.
fn quoted_form() -> World {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    typed(&mut world, "1");
    world
}

fn tolerate(world: &mut World, text: &str) {
    act(world, Swap::SlippageTyped { text: text.into() });
}

fn minimum(world: &World) -> String {
    form(world).quote.unwrap().minimum_received
}

#[test]
fn spec_9_7_the_minimum_that_is_shown_asked_for_and_enforced_follows_the_tolerance() {
    let mut world = quoted_form();
    assert_eq!((form(&world).slippage.percent.as_str(), minimum(&world).as_str()), ("1", "2970"));
    for (text, least) in [("0.5", "2985"), ("0,1", "2997"), ("5", "2850"), ("", "2970"), ("0.5", "2985")] {
        tolerate(&mut world, text);
        assert_eq!(minimum(&world), least, "{text}");
    }
    assert_eq!(form(&world).quote.unwrap().slippage, "0.5");
    // The next quote is held to it as well.
    world.advance(15_000);
    assert_eq!(minimum(&world), "2985");
    builds(&mut world, ROUTER, ETHER, ETHER, 2_985_000_000);
    act(&mut world, Swap::ReviewAsked);
    let (_, body) = world.server.heard.iter().rfind(|(request, _)| request.contains(BUILD)).unwrap();
    let order = parse(body.as_ref().unwrap()).unwrap();
    assert_eq!(order.get("eip155").get("slippage"), &portico_json::Value::Number("0.5".into()));
    assert_eq!(order.get("toAmountMin").as_str(), Some("2985000000"));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
}

#[test]
fn a_transaction_that_pays_less_than_the_tolerance_leaves_is_not_signed() {
    let mut world = quoted_form();
    act(&mut world, Swap::SlippageChosen { percent: "0.1".into() });
    // The server builds what the default tolerance would leave.
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    act(&mut world, Swap::ReviewAsked);
    assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)));
    act(&mut world, Swap::ConfirmAsked);
    assert!(sent(&world).is_empty());
}

#[test]
fn what_was_shown_in_the_preview_stands() {
    let mut world = quoted_form();
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    act(&mut world, Swap::ReviewAsked);
    tolerate(&mut world, "50");
    act(&mut world, Swap::SlippageChosen { percent: "0.1".into() });
    assert_eq!((form(&world).slippage.percent.as_str(), minimum(&world).as_str()), ("1", "2970"));
}

#[test]
fn a_text_that_is_no_tolerance_holds_the_review_and_a_high_one_is_warned_of() {
    let mut world = quoted_form();
    for (text, wrong, high) in
        [("51", true, false), ("x", true, false), ("0", true, false), ("5", false, false), ("5.01", false, true)]
    {
        tolerate(&mut world, text);
        let swap = form(&world);
        assert_eq!((swap.slippage.wrong, swap.slippage.high, swap.ready), (wrong, high, !wrong), "{text}");
        assert_eq!(swap.slippage.typed.as_deref(), Some(text));
    }
    // Only offered ones are chosen without typing.
    act(&mut world, Swap::SlippageChosen { percent: "20".into() });
    assert_eq!(form(&world).slippage.percent, "5.01");
    act(&mut world, Swap::SlippageChosen { percent: "0.5".into() });
    assert_eq!((form(&world).slippage.percent.as_str(), form(&world).slippage.typed), ("0.5", None));
}

#[test]
fn the_choice_is_kept_in_this_browser_unless_it_is_high() {
    let again = |world: &mut World| {
        world.reload();
        let market = std::mem::replace(world, World::new(vec![]));
        *world = opened_in(market);
        form(world).slippage
    };
    let mut world = quoted_form();
    tolerate(&mut world, "2.5");
    assert_eq!(world.store.values.get(KEY).map(String::as_str), Some("2.5"));
    assert_eq!((again(&mut world).percent.as_str(), form(&world).slippage.typed.as_deref()), ("2.5", Some("2.5")));
    tolerate(&mut world, "30");
    assert_eq!(world.store.values.get(KEY).map(String::as_str), Some("2.5"), "a high one is for one swap");
    act(&mut world, Swap::SlippageChosen { percent: "0.1".into() });
    assert_eq!((again(&mut world).percent.as_str(), form(&world).slippage.typed.as_deref()), ("0.1", None));
    for nonsense in ["", "x", "30", "-1", "1e9"] {
        world.store.values.insert(KEY.into(), nonsense.into());
        assert_eq!(again(&mut world).percent, "1", "{nonsense}");
    }
}
