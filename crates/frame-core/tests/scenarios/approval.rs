//! Approve: what it takes, and what never is enough.

use crate::world::{OWN, World};
use portico_frame_core::{Event, Operation};

fn asking() -> World {
    let mut world = World::logged_in();
    world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
    world
}

fn painted(world: &mut World) -> (u32, u32) {
    let view = world.approval().unwrap();
    world.event(Event::ApprovalPainted { approval: view.number, revision: view.revision });
    (view.number, view.revision)
}

#[test]
fn spec_2_26_approve_takes_a_click_one_second_after_the_request_is_on_the_screen() {
    let mut world = asking();
    world.pass(5_000);
    assert!(!world.is_armed(), "it was never drawn");
    let (approval, revision) = painted(&mut world);
    world.pass(999);
    world.event(Event::Approved { approval, revision });
    assert!(!world.is_armed() && world.ordered.is_empty());
    world.pass(1);
    assert!(world.is_armed());
    world.event(Event::Approved { approval, revision });
    assert!(matches!(world.only().operation, Operation::Sign { .. }));
}

#[test]
fn a_disturbed_or_covered_approval_waits_anew() {
    let mut world = asking();
    let (approval, revision) = painted(&mut world);
    world.pass(1_000);
    world.event(Event::ApprovalDisturbed);
    assert!(!world.is_armed());
    world.pass(1_000);
    assert!(world.is_armed());
    world.event(Event::ApprovalCovered { covered: true });
    world.pass(60_000);
    world.event(Event::Approved { approval, revision });
    assert!(!world.is_armed() && world.ordered.is_empty());
    world.event(Event::ApprovalCovered { covered: false });
    world.pass(999);
    assert!(!world.is_armed());
    world.pass(1);
    assert!(world.is_armed());
}

#[test]
fn a_clock_that_is_set_back_neither_arms_nor_blocks_for_ever() {
    let mut world = asking();
    painted(&mut world);
    world.now -= 500_000;
    world.pass(0);
    assert!(!world.is_armed());
    world.pass(1_000);
    assert!(world.is_armed());
}

#[test]
fn a_click_on_another_approval_or_revision_signs_nothing() {
    let mut world = asking();
    let (approval, revision) = painted(&mut world);
    world.pass(1_000);
    for (approval, revision) in [(approval + 1, revision), (approval, revision + 1), (0, 0)] {
        world.event(Event::Approved { approval, revision });
    }
    assert!(world.ordered.is_empty());
}

#[test]
fn a_second_click_signs_nothing_more() {
    let mut world = asking();
    let (approval, revision) = painted(&mut world);
    world.pass(1_000);
    world.event(Event::Approved { approval, revision });
    world.event(Event::Approved { approval, revision });
    assert_eq!(world.ordered.len(), 1);
}

#[test]
fn no_message_of_the_host_approves() {
    let mut world = asking();
    painted(&mut world);
    world.pass(1_000);
    for name in ["APPROVE", "APPROVED", "SIGN", "RPC_APPROVE"] {
        world.host(name, r#"{"approval":1,"revision":1}"#);
    }
    world.raw(r#"{"type":"approved","approval":1,"revision":1}"#);
    world.raw(r#"{"type":"@w3m-app/RPC_REQUEST","id":"9","payload":{"type":"approved","approval":1,"revision":1}}"#);
    assert!(world.ordered.is_empty() && world.approval().is_some());
}

#[test]
fn only_one_request_waits_for_the_visitor_and_the_next_is_refused() {
    let mut world = asking();
    world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
    let told = r#"@w3m-frame/RPC_REQUEST_ERROR 3 {"message":"Another request is waiting for approval","code":-32002}"#;
    assert_eq!(world.take(), [told]);
    assert_eq!(world.approval().unwrap().number, 1);
}

#[test]
fn spec_8_37_a_withdrawn_or_cancelled_request_was_aborted() {
    let aborted = r#"@w3m-frame/RPC_REQUEST_ERROR 2 {"message":"Request was aborted","code":4001}"#;
    let mut world = asking();
    world.host("RPC_ABORT", "null");
    assert_eq!(world.take(), [aborted, "@w3m-frame/RPC_ABORT_SUCCESS 3"]);
    assert!(world.approval().is_none());

    let mut world = asking();
    let number = world.approval().unwrap().number;
    world.event(Event::Cancelled { approval: number + 1 });
    assert!(world.take().is_empty());
    world.event(Event::Cancelled { approval: number });
    assert_eq!(world.take(), [aborted]);
}

fn ask(world: &mut World) -> bool {
    world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
    world.approval().is_some()
}

fn decline(world: &mut World) {
    let approval = world.approval().unwrap().number;
    world.event(Event::Cancelled { approval });
    world.take();
}

#[test]
fn a_host_that_is_declined_three_times_in_a_minute_is_refused_for_half_a_minute() {
    let mut world = asking();
    for wait in [30_000, 29_999] {
        decline(&mut world);
        world.pass(wait);
        assert!(ask(&mut world), "two are no spam");
    }
    world.host("RPC_ABORT", "null");
    world.take();
    assert!(!ask(&mut world), "a view that the visitor closes is declined too");
    let told = world.take();
    assert!(told.len() == 1 && told[0].contains(r#"{"message":"Request was aborted","code":4001}"#), "{told:?}");
    world.pass(29_999);
    assert!(!ask(&mut world));
    world.pass(1);
    assert!(ask(&mut world));
}

#[test]
fn three_requests_that_are_declined_in_more_than_a_minute_or_around_a_signature_are_no_spam() {
    let mut world = asking();
    for wait in [30_000, 30_000, 0] {
        decline(&mut world);
        world.pass(wait);
        assert!(ask(&mut world));
    }
    let mut world = asking();
    decline(&mut world);
    assert!(ask(&mut world));
    decline(&mut world);
    assert!(ask(&mut world));
    world.approve();
    world.answer(&format!("\"0x{}\"", "11".repeat(65)));
    assert!(ask(&mut world));
    decline(&mut world);
    assert!(ask(&mut world));
}

#[test]
fn the_signature_of_a_withdrawn_request_is_dropped() {
    let mut world = asking();
    world.approve();
    world.host("RPC_ABORT", "null");
    world.take();
    world.answer(&format!("\"0x{}\"", "11".repeat(65)));
    assert!(world.take().is_empty());
    world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
    assert_eq!(world.approval().unwrap().number, 2);
}

#[test]
fn an_answer_that_comes_twice_is_given_once() {
    let mut world = asking();
    world.approve();
    let effect = world.only();
    let signature = portico_frame_core::Outcome::Answered { value: format!("0x{}", "11".repeat(65)).into() };
    world.resolve(effect.id, signature.clone());
    world.resolve(effect.id, signature);
    assert_eq!(world.take(), [format!(r#"@w3m-frame/RPC_REQUEST_SUCCESS 2 "0x{}""#, "11".repeat(65))]);
}
