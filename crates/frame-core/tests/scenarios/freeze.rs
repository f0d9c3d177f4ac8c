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
