//! Second confirmation of a large value in a window, where the browser doesn't tell what covers the frame.

use crate::settings::{account, slot};
use crate::transaction::{batch, chain};
use crate::world::{OTHER, OWN, World};
use portico_frame_core::{Event, FailureKind, Operation, Outcome, Proof, SigningOrder, Stage};

const QUARTER: &str = "3782dace9d90000";
const LITTLE: &str = "1";

/// World whose visitor is asked for a payment of wei, given in hex.
fn paying(wei: &str, sees_covers: bool, ways: &[String]) -> World {
    let mut world = World::in_browser(sees_covers);
    world.host("IS_CONNECTED", "null");
    world.answer(&crate::world::me());
    world.told.clear();
    world.me = account(ways);
    world.rpc("eth_sendTransaction", &format!(r#"[{{"from":"{OWN}","to":"{OTHER}","value":"0x{wei}"}}]"#));
    world.answer(&batch(&chain()));
    world
}

/// World whose visitor opened the window of a large payment, the id of its effect, and what it decides about.
fn opened(ways: &[String]) -> (World, u32, SigningOrder) {
    let mut world = paying(QUARTER, false, ways);
    world.approve();
    let effect = world.only();
    let Operation::OpenWindow { approval, order } = effect.operation else { panic!("{effect:?}") };
    assert_eq!(approval, world.approval().unwrap().number);
    (world, effect.id, order)
}

/// Whether the window is open; absent if none is needed.
fn window(world: &mut World) -> Option<bool> {
    let view = world.approval().unwrap();
    view.window.then_some(view.confirm.is_some())
}

/// The visitor sees the approval in the window, and confirms it there after a time in milliseconds.
fn confirm(world: &mut World, wait: u64) {
    let view = world.approval().unwrap();
    world.event(Event::ApprovalPainted { approval: view.number, revision: view.revision });
    world.pass(wait);
    world.event(Event::Decided { approval: view.number, revision: view.revision });
}

#[test]
fn a_large_payment_is_confirmed_in_a_window_where_the_browser_tells_no_covers() {
    let (mut world, _, decided) = opened(&[]);
    assert_eq!(window(&mut world), Some(true));
    confirm(&mut world, 999);
    assert!(world.ordered.is_empty(), "the window has to stand still for a second too");
    confirm(&mut world, 1);
    let Operation::Sign { order, proof } = world.only().operation else { panic!() };
    assert_eq!((order, proof), (decided, Proof::Click));
    assert_eq!(world.approval().unwrap().stage, Stage::Signing);
    confirm(&mut world, 1_000);
    assert!(world.ordered.is_empty(), "a decision counts once");
}

#[test]
fn no_window_is_needed_for_a_small_payment_or_where_the_browser_tells_covers() {
    for (wei, sees_covers) in [(LITTLE, false), (QUARTER, true)] {
        let mut world = paying(wei, sees_covers, &[]);
        assert_eq!(window(&mut world), None);
        world.approve();
        if sees_covers {
            world.approve();
        }
        assert!(matches!(world.only().operation, Operation::Sign { .. }), "{wei}");
    }
}

#[test]
fn clicks_in_the_frame_sign_nothing_that_needs_the_window() {
    let (mut world, _, _) = opened(&[]);
    world.approve();
    world.approve();
    assert!(world.ordered.is_empty());
}

#[test]
fn a_window_that_is_not_open_decides_nothing() {
    for (wei, needed) in [(LITTLE, None), (QUARTER, Some(false))] {
        let mut world = paying(wei, false, &[]);
        assert_eq!(window(&mut world), needed);
        confirm(&mut world, 1_000);
        confirm(&mut world, 1_000);
        assert!(world.ordered.is_empty(), "{wei}");
    }
}

#[test]
fn the_window_decides_about_what_it_showed_last() {
    let (mut world, _, _) = opened(&[]);
    let shown = world.approval().unwrap();
    world.event(Event::ApprovalPainted { approval: shown.number, revision: shown.revision });
    world.pass(1_000);
    for (number, revision) in [(shown.number, shown.revision - 1), (shown.number + 1, shown.revision)] {
        world.event(Event::Decided { approval: number, revision });
        assert!(world.ordered.is_empty());
    }
    world.event(Event::Decided { approval: shown.number, revision: shown.revision });
    assert!(matches!(world.only().operation, Operation::Sign { .. }));
}

#[test]
fn a_window_that_is_closed_without_a_decision_leaves_the_request_in_the_frame() {
    let (mut world, id, _) = opened(&[]);
    world.resolve(id, Outcome::Done);
    let view = world.approval().unwrap();
    assert_eq!((view.window, view.confirm, view.fault), (true, None, None));
    assert!(!view.armed && world.take().is_empty(), "the host waits");
    world.approve();
    assert!(matches!(world.only().operation, Operation::OpenWindow { .. }));
}

#[test]
fn a_window_that_the_browser_blocks_is_told_and_can_be_opened_again() {
    let (mut world, id, _) = opened(&[]);
    let sentence = "Your browser blocked the window. Allow pop-ups for this site, then try again.";
    world.resolve(id, Outcome::Failed { kind: FailureKind::Refused, message: sentence.into() });
    let view = world.approval().unwrap();
    assert_eq!((view.confirm, view.fault.as_deref()), (None, Some(sentence)));
    world.approve();
    assert_eq!(world.approval().unwrap().fault, None);
    assert!(matches!(world.only().operation, Operation::OpenWindow { .. }));
}

#[test]
fn a_request_that_is_declined_or_withdrawn_has_no_window_and_takes_no_decision() {
    for by_host in [true, false] {
        let (mut world, id, _) = opened(&[]);
        let view = world.approval().unwrap();
        match by_host {
            true => world.host("RPC_ABORT", "null"),
            false => world.event(Event::Cancelled { approval: view.number }),
        }
        assert!(world.approval().is_none());
        world.event(Event::Decided { approval: view.number, revision: view.revision });
        world.resolve(id, Outcome::Done);
        assert!(world.ordered.is_empty() && world.approval().is_none());
    }
}

#[test]
fn a_passkey_that_failed_is_asked_for_again_in_the_window() {
    let passkey = slot("p", "passkey", r#""{\"credential\":\"AAAA\",\"salt\":\"BBBB\",\"key\":\"CCCC\"}""#);
    let (mut world, id, _) = opened(&[passkey]);
    for _ in 0..2 {
        confirm(&mut world, 1_000);
        let effect = world.only();
        assert!(matches!(effect.operation, Operation::Sign { proof: Proof::Passkey { .. }, .. }));
        let message = "The passkey wasn't used. Try again.".into();
        world.resolve(effect.id, Outcome::Failed { kind: FailureKind::Unproved, message });
        assert_eq!(window(&mut world), Some(true));
    }
    confirm(&mut world, 1_000);
    let effect = world.only();
    world.resolve(id, Outcome::Done);
    assert_eq!(world.approval().unwrap().stage, Stage::Signing, "what was decided goes on without the window");
    world.resolve(effect.id, Outcome::Failed { kind: FailureKind::Unproved, message: "No".into() });
    assert_eq!(window(&mut world), Some(false));
}
