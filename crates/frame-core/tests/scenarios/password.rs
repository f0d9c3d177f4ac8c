//! The password: set in the settings, and typed for a locked wallet.

use crate::settings::{
    account, choose, concealed, confirm, done, go_on, locked, opened, operation, page, part, recovery, slot, view,
};
use portico_frame_core::{Act, Event, FailureKind, Operation, Page};

fn password() -> String {
    slot("w", "password", "null")
}

#[test]
fn a_password_is_typed_after_the_confirmation_and_never_comes_here() {
    let mut world = opened(&[recovery()]);
    world.event(Event::PasswordTyped);
    assert!(world.ordered.is_empty(), "nobody asked for it");
    choose(&mut world, Act::SetPassword, None);
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    assert_eq!((page(&world), world.ordered.len()), (Page::Password, 0));
    world.event(Event::PasswordTyped);
    assert_eq!(operation(&mut world), Operation::SetPassword);
    world.event(Event::PasswordTyped);
    assert_eq!(world.ordered.len(), 1, "one at a time");
    world.fail(FailureKind::Refused, "Use at least 12 characters");
    assert_eq!(view(&world).unwrap().fault.as_deref(), Some("Use at least 12 characters"));
    assert_eq!(page(&world), Page::Password);
    world.event(Event::PasswordTyped);
    assert_eq!((operation(&mut world), view(&world).unwrap().fault), (Operation::SetPassword, None));
    done(&mut world);
    assert!(concealed(&mut world));
    world.answer(&account(&[recovery(), password()]));
    assert_eq!(page(&world), Page::Overview);
    choose(&mut world, Act::RemoveRecovery, None);
    go_on(&mut world, false);
    assert_eq!(world.asked(), r#"/wallet/v1/slot/remove {"id":"r"} true"#);
    done(&mut world);
    concealed(&mut world);
    world.answer(&account(&[password()]));
    choose(&mut world, Act::RemoveWay, Some("w"));
    assert_eq!(page(&world), Page::Overview, "the last way stays");
}

#[test]
fn keys_of_a_wallet_with_a_password_are_shown_after_the_confirmation_and_the_password() {
    let mut world = opened(&[recovery(), password()]);
    choose(&mut world, Act::Export, None);
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    assert_eq!((page(&world), world.ordered.len()), (Page::Password, 0), "the mailbox alone shows nothing");
    world.event(Event::PasswordTyped);
    assert_eq!(operation(&mut world), Operation::Export { password: true });
    world.fail(FailureKind::Refused, "This password is wrong. Check it and try again.");
    let shown = view(&world).unwrap();
    assert_eq!(
        (shown.page, shown.act, shown.fault.as_deref()),
        (Page::Password, Some(Act::Export), Some("This password is wrong. Check it and try again."))
    );
    world.event(Event::PasswordTyped);
    assert_eq!(operation(&mut world), Operation::Export { password: true });
    done(&mut world);
    assert_eq!(page(&world), Page::Words);
}

#[test]
fn keys_are_shown_without_the_password_where_a_passkey_confirmed_it() {
    let passkey = slot("p", "passkey", r#""{\"credential\":\"AAAA\",\"salt\":\"BBBB\"}""#);
    let mut world = opened(&[passkey, password()]);
    choose(&mut world, Act::Export, None);
    go_on(&mut world, true);
    world.answer(r#"{"transaction":"tx","number":null}"#);
    assert!(matches!(operation(&mut world), Operation::SignByPasskey { .. }));
    world.answer(r#"{"transaction":"","credential":"AAAA","authenticator":"A","client":"C","signature":"S"}"#);
    world.answer(r#"{"answer":"approved","until":1}"#);
    assert_eq!(operation(&mut world), Operation::Export { password: false });
}

#[test]
fn a_locked_wallet_is_opened_by_its_password_and_a_wrong_one_is_told() {
    let mut world = locked();
    world.host("SHOW_SETTINGS", "null");
    world.answer(&account(&[password()]));
    world.event(Event::PasswordTyped);
    assert_eq!(operation(&mut world), Operation::OpenByPassword);
    world.fail(FailureKind::Refused, "Please try again after 600 seconds");
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.fault.as_deref()), (Page::Locked, Some("Please try again after 600 seconds")));
    world.event(Event::PasswordTyped);
    operation(&mut world);
    world.answer(&format!(r#"{{"user":{},"addresses":{}}}"#, part("user"), part("wallet")));
    assert!(concealed(&mut world));
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 3 {"connected":true}"#]);
}
