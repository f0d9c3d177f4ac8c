//! Scenarios of swaps and approvals that outlive the page: an unfinished swap is reported and can be continued.

use super::swap::*;
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::{Event as Notice, Message, Variant};
use portico_core::swap::{Event as Swap, InFlightStep, Phase};
use portico_testkit::{Behaviour, Store, World, options};

#[test]
fn a_swap_that_is_on_its_way_is_followed_past_a_reload() {
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    let before = form(&world).pending;
    world.reload();
    assert_eq!(form(&world).pending, before);
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
    world.reload();
    assert!(form(&world).pending.is_empty());
}

#[test]
fn stored_swaps_are_hostile_and_old_ones_are_not_looked_for() {
    let good = r#"{"kind":"swap","hash":"HASH","chain":"eip155:31337","address":"0x1","amount":"1","symbol":"A","toAmount":"2","toSymbol":"B","from":"0x00000000000000000000000000000000000000c0","to":"0x00000000000000000000000000000000000000da","smartAccount":false,"since":1699999999000}"#
        .replace("HASH", &hash("cd"));
    let stored = |text: &str| {
        let mut store = Store::default();
        let area = portico_core::StorageArea::Local;
        store.write(area, "@portico/version", "1");
        store.write(area, "@portico/pending_swaps", text);
        let world = World::with(&options(), vec![alpha()], store);
        world.node.bodies.iter().any(|body| body.contains(&hash("cd")))
    };
    assert!(stored(&format!("[7,null,{good}]")));
    for (part, other) in [
        (r#""kind":"swap""#, r#""kind":"loan""#),
        (r#""kind":"swap""#, r#""kind":7"#),
        (r#""from":"0x00"#, r#""from":"0x"#),
        (r#""to":"0x00"#, r#""to":"00"#),
        ("eip155:31337", "eip155:999"),
        ("eip155:31337", "nonsense"),
        ("1699999999000", "1600000000000"),
        ("1699999999000", "1800000000000"),
        (r#""amount":"1""#, r#""amount":"-1""#),
        (r#""toAmount":"2""#, r#""toAmount":2"#),
        (r#""smartAccount":false"#, r#""smartAccount":0"#),
        ("cd", "xy"),
    ] {
        assert!(!stored(&format!("[{}]", good.replacen(part, other, 1))), "{other}");
    }
    for nonsense in ["", "{", "{}", "7", "[]", "[[]]"] {
        assert!(!stored(nonsense), "{nonsense}");
    }
}

/// World with an approval pending, after a reload of the page.
fn reloaded() -> World {
    let mut world = reviewed_token(alpha());
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::ApprovalPending);
    world.reload();
    world
}

fn reopened(world: &mut World) {
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
}

/// Content of the form: symbols of both tokens, and the amount.
fn filled(world: &World) -> (Option<String>, Option<String>, String) {
    let swap = form(world);
    let symbol = |side: portico_core::swap::Side| side.symbol;
    (swap.source_token.map(symbol), swap.to_token.map(symbol), swap.source_token_amount)
}

fn half_way() -> (Option<String>, Option<String>, String) {
    (Some("USDC".into()), Some("ETH".into()), "1000".into())
}

#[test]
fn an_approval_that_was_left_half_way_is_followed_past_a_reload_said_and_gone_on_with() {
    let mut world = reloaded();
    let step = |world: &World| form(world).pending.into_iter().map(|one| one.step).collect::<Vec<_>>();
    assert_eq!(step(&world), [InFlightStep::Approval]);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!(world.snack(), Some(Message::SwapUnfinished));
    assert_eq!(step(&world), [InFlightStep::Approved], "the visitor can go on with it");
    let said = world.snapshot().notice.snack.unwrap();
    assert_eq!(said.variant, Variant::Error, "what is not done wears no tick");
    // The visitor finds it again after a reload.
    world.reload();
    allows(&mut world, USDC, 1_000_000_000);
    let permitted = quoted(&world, USDC, COIN, 1_000_000_000, ETHER / 3);
    offers(&mut world, permitted);
    reopened(&mut world);
    world.advance(500);
    assert_eq!(filled(&world), half_way());
    act(&mut world, Swap::ReviewAsked);
    assert!(!form(&world).quote.unwrap().approval_needed);
    signs(&mut world, "bb");
    let before = sent(&world).len();
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), before + 1);
    assert_eq!(sent(&world).last().unwrap().get("to").as_str(), Some(ROUTER));
    // Once the swap is signed, no unfinished swap is left.
    world.reload();
    reopened(&mut world);
    assert_eq!(filled(&world), (Some("ETH".into()), None, String::new()));
}

#[test]
fn an_approval_whose_swap_was_not_signed_when_the_page_was_loaded_anew_is_not_forgotten() {
    let mut world = reviewed_token(alpha());
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    allows(&mut world, USDC, 1_000_000_000);
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Silent);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!(form(&world).phase, Phase::Confirming);
    world.reload();
    assert_eq!(world.snack(), Some(Message::SwapUnfinished));
    reopened(&mut world);
    assert_eq!(filled(&world), half_way());
}

#[test]
fn an_approval_that_came_to_nothing_past_a_reload_is_said_and_not_gone_on_with() {
    for (receipt, said) in [(Some(false), Message::SwapFailed), (None, Message::TransactionPending)] {
        let mut world = reloaded();
        world.dispatch(Event::Notice(Notice::SnackDismissed));
        if let Some(well) = receipt {
            world.node.receipts.insert(hash("aa"), well);
        }
        for _ in 0..50 {
            world.advance(4_000);
            if world.snack().is_some() {
                break;
            }
        }
        assert_eq!(world.snack(), Some(said));
        reopened(&mut world);
        assert_eq!(filled(&world), (Some("ETH".into()), None, String::new()));
    }
}

#[test]
fn an_approval_that_was_replaced_past_a_reload_is_said_and_not_gone_on_with() {
    let mut world = reloaded();
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.node.nonces = Some([7, 7]);
    world.advance(8_100);
    world.node.nonces = Some([7, 8]);
    world.advance(8_000);
    assert_eq!(world.snack(), Some(Message::TransactionReplaced));
    reopened(&mut world);
    assert_eq!(filled(&world), (Some("ETH".into()), None, String::new()));
}

#[test]
fn who_fills_in_something_else_or_is_somebody_else_is_not_led_back_to_what_was_left_half_way() {
    let done = || {
        let mut world = reloaded();
        world.node.receipts.insert(hash("aa"), true);
        world.advance(4_100);
        world
    };
    let mut world = done();
    reopened(&mut world);
    assert_eq!(filled(&world), half_way());
    typed(&mut world, "20");
    world.reload();
    reopened(&mut world);
    assert_eq!(filled(&world), (Some("ETH".into()), None, String::new()));
    let mut world = done();
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    reopened(&mut world);
    assert_eq!(filled(&world), (Some("ETH".into()), None, String::new()));
    // A pair named by the host takes precedence.
    let mut world = done();
    let arguments = portico_json::parse(r#"{"fromToken":"DAI"}"#).unwrap();
    let (view, namespace) = (Some("Swap".into()), None);
    world.modal(Modal::OpenAsked { view, namespace, uri: None, arguments, ticket: Some(9) });
    assert_eq!(filled(&world).0.as_deref(), Some("DAI"));
}

#[test]
fn an_approval_that_is_mined_after_the_visitor_left_says_that_nothing_was_swapped() {
    let mut world = reviewed_token(alpha());
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::BackAsked);
    assert_eq!(view(&world), View::Swap);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!((world.snack(), sent(&world).len()), (Some(Message::SwapUnfinished), 1));
}
