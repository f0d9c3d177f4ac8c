//! The list of ways and devices that is read again while the visitor goes on.

use super::{account, choose, concealed, go_on, kit, opened, page, passkey, recovery, view};
use crate::world::{World, json};
use portico_frame_core::{Act, Event, FailureKind, Outcome, Page};

/// World with the overview of a wallet with two slots, whose list is on its way again because the visitor came back from an explanation.
fn reading_again() -> World {
    let mut world = opened(&[recovery(), kit()]);
    choose(&mut world, Act::Export, None);
    world.event(Event::SettingsLeft);
    assert!(concealed(&mut world));
    world
}

#[test]
fn a_click_while_the_list_is_read_again_is_not_lost() {
    let mut world = reading_again();
    assert_eq!((page(&world), view(&world).unwrap().busy), (Page::Overview, false));
    choose(&mut world, Act::RemoveRecovery, None);
    assert_eq!(page(&world), Page::Explain);
    // The list that arrives behind the explanation leaves the visitor there.
    world.answer(&account(&[recovery(), kit(), passkey()]));
    assert_eq!((page(&world), view(&world).unwrap().ways.len()), (Page::Explain, 3));
    go_on(&mut world, false);
    assert!(world.asked().starts_with("/wallet/v1/confirm "));
}

#[test]
fn a_list_that_arrives_after_an_action_began_is_outdated() {
    let mut world = reading_again();
    let read = world.only();
    choose(&mut world, Act::Freeze, None);
    assert_eq!(world.asked(), "/wallet/v1/freeze {} true");
    let late = json(&account(&[recovery()]));
    world.frame.resolve(read.id, Outcome::Answered { value: late }, world.now);
    assert_eq!((view(&world).unwrap().ways.len(), view(&world).unwrap().busy), (2, true));
}

#[test]
fn a_list_that_cannot_be_read_behind_a_page_disturbs_nobody_there() {
    for broken in [true, false] {
        let mut world = reading_again();
        choose(&mut world, Act::Export, None);
        match broken {
            true => world.answer("{}"),
            false => world.fail(FailureKind::Unreachable, ""),
        }
        assert_eq!((page(&world), view(&world).unwrap().fault), (Page::Explain, None));
    }
}

#[test]
fn an_action_that_failed_reads_the_list_whose_answer_it_made_outdated() {
    let mut world = reading_again();
    let read = world.only();
    choose(&mut world, Act::Freeze, None);
    world.fail(FailureKind::Unreachable, "");
    let late = json(&account(&[recovery()]));
    world.frame.resolve(read.id, Outcome::Answered { value: late }, world.now);
    world.answer(&account(&[recovery()]));
    let shown = view(&world).unwrap();
    assert_eq!((shown.ways.len(), shown.fault.is_some()), (1, true));
}
