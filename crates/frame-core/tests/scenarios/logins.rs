//! Logins that open the wallet, in the settings: one more is added, one is removed.

use crate::settings::{account, choose, concealed, confirm, done, go_on, page, recovery, view};
use crate::world::{OWN, World};
use portico_frame_core::{Act, FailureKind, Operation, Page};

/// Operation of the only effect that waits.
fn operation(world: &World) -> &Operation {
    let [effect] = &world.ordered[..] else { panic!("{:?}", world.ordered) };
    &effect.operation
}

/// World with the settings of a wallet with two logins, and a service at which one can be added.
fn with_logins() -> World {
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    let logins = r#""logins":[{"id":"email","provider":"email","name":"a@example.org"},{"id":"g1","provider":"google","name":"Ada"}],"services":[{"id":"github","name":null}]"#;
    world.answer(&account(&[recovery()]).replace(r#""logins":[],"services":[]"#, logins));
    world
}

#[test]
fn a_login_is_added_after_a_confirmation_and_a_click_which_opens_its_window() {
    let mut world = with_logins();
    let shown = view(&world).unwrap();
    assert_eq!((shown.logins.len(), shown.services.len()), (2, 1));
    choose(&mut world, Act::AddLogin, Some("google"));
    assert_eq!(page(&world), Page::Overview, "a service that the server does not have");
    choose(&mut world, Act::AddLogin, Some("github"));
    assert_eq!(view(&world).unwrap().chosen.as_deref(), Some("github"));
    go_on(&mut world, false);
    assert_eq!(world.asked(), r#"/wallet/v1/confirm {"deed":"change","language":"en","mail":true} true"#);
    confirm(&mut world, "approved");
    assert_eq!((page(&world), world.ordered.len()), (Page::Explain, 0), "a window opens upon a click alone");
    go_on(&mut world, false);
    assert_eq!(operation(&world), &Operation::AddLogin { provider: "github".into() });
    world.fail(FailureKind::Refused, "This login opens another wallet already. Use another account there.");
    assert_eq!(
        view(&world).unwrap().fault.as_deref(),
        Some("This login opens another wallet already. Use another account there.")
    );
    go_on(&mut world, false);
    done(&mut world);
    assert_eq!(page(&world), Page::Overview);
    assert!(concealed(&mut world));
    assert!(world.asked().starts_with("/wallet/v1/me "), "the list is read anew");
}

#[test]
fn the_settings_of_one_wallet_close_when_another_one_is_logged_in() {
    for (user, open) in [("AA", true), ("BB", false)] {
        let mut world = with_logins();
        choose(&mut world, Act::AddLogin, Some("github"));
        world.host("CONNECT_JWT", r#"{"jwt":"a.b.c"}"#);
        let own = OWN.to_lowercase();
        world.answer(&format!(
            r#"{{"user":{{"id":"{user}","email":null,"name":null,"provider":"jwt"}},"addresses":{{"eip155":"{own}"}}}}"#
        ));
        assert_eq!(view(&world).is_some(), open, "{user}");
    }
}

#[test]
fn a_login_is_removed_after_a_confirmation_and_the_last_one_is_not() {
    let mut world = with_logins();
    choose(&mut world, Act::RemoveLogin, Some("g2"));
    assert_eq!(page(&world), Page::Overview);
    choose(&mut world, Act::RemoveLogin, Some("g1"));
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    assert_eq!(world.asked(), r#"/wallet/v1/login/unlink {"id":"g1"} true"#);
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    let one = r#""logins":[{"id":"email","provider":"email","name":null}]"#;
    world.answer(&account(&[recovery()]).replace(r#""logins":[]"#, one));
    choose(&mut world, Act::RemoveLogin, Some("email"));
    assert_eq!(page(&world), Page::Overview);
}
