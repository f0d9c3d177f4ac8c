//! Confirmations of an action: by mail, by passkey, declined, or too late.

use super::{account, choose, concealed, confirm, done, go_on, kit, opened, operation, page, passkey, recovery, view};
use crate::world::json;
use portico_frame_core::{Act, Event, Operation, Outcome, Page};

#[test]
fn a_declined_confirmation_does_nothing_and_says_so() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::Export, None);
    go_on(&mut world, false);
    confirm(&mut world, "refused");
    assert!(world.ordered.is_empty());
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.fault.as_deref()), (Page::Explain, Some("This request was declined")));
}

#[test]
fn a_late_confirmation_of_a_request_that_was_left_does_nothing() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::Export, None);
    go_on(&mut world, false);
    world.answer(r#"{"transaction":"tx","number":"42"}"#);
    let wait = world.only();
    world.event(Event::SettingsLeft);
    concealed(&mut world);
    world.resolve(wait.id, Outcome::Answered { value: json(r#"{"answer":"approved","until":1}"#) });
    assert_eq!(world.asked(), "/wallet/v1/me {} true");
    assert_eq!(page(&world), Page::Overview);
}

#[test]
fn one_confirmation_is_good_for_changes_that_follow_it() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::MakeKit, None);
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    assert_eq!(operation(&mut world), Operation::MakeKit);
    done(&mut world);
    assert_eq!(page(&world), Page::Kit);
    world.event(Event::SettingsLeft);
    assert!(concealed(&mut world));
    world.answer(&account(&[recovery(), kit()]));
    choose(&mut world, Act::RemoveRecovery, None);
    go_on(&mut world, false);
    assert_eq!(world.asked(), r#"/wallet/v1/slot/remove {"id":"r"} true"#);
    done(&mut world);
    concealed(&mut world);
    world.answer(&account(&[kit()]));
    world.pass(9 * 60_000);
    choose(&mut world, Act::RestoreRecovery, None);
    go_on(&mut world, false);
    assert!(world.asked().starts_with("/wallet/v1/confirm "), "it is over");
}

#[test]
fn a_passkey_confirms_in_the_place_of_a_mail() {
    let mut world = opened(&[recovery(), passkey()]);
    choose(&mut world, Act::Export, None);
    go_on(&mut world, true);
    assert_eq!(world.asked(), r#"/wallet/v1/confirm {"deed":"export","language":"en","mail":false} true"#);
    world.answer(r#"{"transaction":"tx","number":null}"#);
    match operation(&mut world) {
        Operation::SignByPasskey { challenge, passkeys } => {
            assert_eq!((challenge.as_str(), passkeys[0].credential.as_str()), ("tx", "AAAA"));
        }
        other => panic!("{other:?}"),
    }
    world.answer(r#"{"transaction":"","credential":"AAAA","authenticator":"A","client":"C","signature":"S"}"#);
    assert_eq!(
        world.asked(),
        r#"/wallet/v1/confirm/passkey {"transaction":"tx","credential":"AAAA","authenticator":"A","client":"C","signature":"S"} true"#
    );
    world.answer(r#"{"answer":"approved","until":1}"#);
    assert_eq!(operation(&mut world), Operation::Export { password: false });
}

#[test]
fn a_passkey_is_made_by_a_click_of_its_own_after_the_confirmation() {
    let mut world = opened(&[recovery(), passkey()]);
    choose(&mut world, Act::AddPasskey, None);
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    assert!(world.ordered.is_empty(), "browsers ask for a click");
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.confirmed), (Page::Explain, true));
    go_on(&mut world, false);
    let known = vec!["AAAA".into()];
    assert_eq!(operation(&mut world), Operation::AddPasskey { label: "a@example.org".into(), known });
}
