//! Freezing in one click, and the end of it.

use crate::settings::{account, choose, concealed, confirm, done, go_on, opened, page, recovery, view};
use crate::world::{OWN, World};
use portico_frame_core::{Act, FailureKind, Flag, Page};

/// A frozen wallet, by the visitor or by the operator.
fn frozen(held: bool) -> String {
    let account = account(&[recovery()]).replace(r#""frozen":false"#, r#""frozen":true"#);
    account.replace(r#""held":false"#, &format!(r#""held":{held}"#))
}

#[test]
fn freezing_takes_one_click_and_its_end_a_confirmation() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::Freeze, None);
    assert_eq!(world.asked(), "/wallet/v1/freeze {} true");
    choose(&mut world, Act::Freeze, None);
    assert_eq!(world.ordered.len(), 1, "a second click does nothing while the first is under way");
    done(&mut world);
    concealed(&mut world);
    world.answer(&frozen(false));
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.frozen, shown.held), (Page::Overview, true, false));
    choose(&mut world, Act::Thaw, None);
    assert_eq!(page(&world), Page::Explain);
    go_on(&mut world, false);
    assert_eq!(world.asked(), r#"/wallet/v1/confirm {"deed":"change","language":"en","mail":true} true"#);
    confirm(&mut world, "approved");
    assert_eq!(world.asked(), "/wallet/v1/thaw {} true");
}

#[test]
fn a_freeze_that_failed_is_told_on_the_overview() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::Freeze, None);
    world.fail(FailureKind::Unreachable, "");
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.busy, shown.fault.is_some()), (Page::Overview, false, true));
}

#[test]
fn a_wallet_that_the_operator_froze_cannot_be_unfrozen_here() {
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    world.answer(&frozen(true));
    choose(&mut world, Act::Thaw, None);
    assert_eq!((page(&world), view(&world).unwrap().held), (Page::Overview, true));
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::Thaw, None);
    assert_eq!(page(&world), Page::Overview, "one that is not frozen");
}

#[test]
fn an_approval_of_a_frozen_wallet_says_so_at_once_and_signs_nothing() {
    for (held, flag) in [(false, Flag::Frozen), (true, Flag::Held)] {
        let mut world = World::logged_in();
        world.me = frozen(held);
        world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
        let shown = world.approval().unwrap();
        assert_eq!((shown.blocked, shown.flags), (true, vec![flag]));
        world.approve();
        assert!(world.ordered.is_empty() && !world.is_armed());
    }
}

#[test]
fn spec_8_35_a_rest_that_the_vault_asks_for_is_counted_down_and_its_failure_ends_with_it() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::MakeKit, None);
    go_on(&mut world, false);
    world.fail(FailureKind::Refused, "Please try again after 344 seconds");
    let told = |world: &World| {
        let due = world.frame.next_timeout().map(|due| due - world.now);
        (view(world).unwrap().fault, due)
    };
    let rest = |seconds: u64| Some(format!("Please try again after {seconds} seconds"));
    assert_eq!(told(&world), (rest(344), Some(1_000)));
    world.pass(1_000);
    assert_eq!(told(&world), (rest(343), Some(1_000)));
    world.pass(341_500);
    assert_eq!(told(&world), (rest(2), Some(500)));
    world.now -= 60_000;
    world.pass(0);
    assert_eq!(told(&world).0, rest(62), "a clock that was set back");
    world.pass(62_000);
    assert_eq!(told(&world), (None, None));
    // Another failure is told until the visitor goes on.
    go_on(&mut world, false);
    world.fail(FailureKind::Refused, "Please try again after no seconds");
    world.pass(600_000);
    assert_eq!(told(&world), (Some("Please try again after no seconds".into()), None));
}
