//! Settings of a visitor whose wallet is not open here: nobody logged in, or the wallet is locked.

use super::{account, choose, concealed, go_on, kit, locked, operation, page, part, passkey, view};
use crate::world::{HOST, World, me};
use portico_frame_core::{Act, Event, FailureKind, Operation, Page};

#[test]
fn without_a_login_there_is_only_the_login_by_passkey() {
    let mut world = World::new();
    world.host("SHOW_SETTINGS", "null");
    assert_eq!(page(&world), Page::Login);
    assert!(world.ordered.is_empty());
    choose(&mut world, Act::Export, None);
    world.event(Event::KitTyped { code: "0000".into() });
    go_on(&mut world, false);
    assert_eq!((page(&world), world.ordered.len()), (Page::Login, 0));
    world.event(Event::PasskeyUsed);
    let login = Operation::LogInByPasskey { project: "demo".into(), host: HOST.into() };
    assert_eq!(operation(&mut world), login);
    world.fail(FailureKind::Refused, "This passkey isn't for this wallet");
    assert_eq!(view(&world).unwrap().fault.as_deref(), Some("This passkey isn't for this wallet"));
    world.event(Event::PasskeyUsed);
    world.answer(&format!(r#"{{"user":{},"addresses":{}}}"#, part("user"), part("wallet")));
    assert!(concealed(&mut world));
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 1 {"connected":true}"#]);
}

#[test]
fn a_visitor_without_a_wallet_makes_one_with_a_passkey() {
    let mut world = World::new();
    world.host("SHOW_SETTINGS", "null");
    let create = Operation::CreateByPasskey { project: "demo".into(), host: HOST.into() };
    world.event(Event::PasskeyWanted);
    // Once at a time.
    world.event(Event::PasskeyWanted);
    world.event(Event::PasskeyUsed);
    assert_eq!((world.ordered.len(), operation(&mut world)), (1, create));
    world.fail(FailureKind::Refused, "The passkey wasn't used. Try again.");
    assert_eq!(view(&world).unwrap().fault.as_deref(), Some("The passkey wasn't used. Try again."));
    world.event(Event::PasskeyWanted);
    assert_eq!(view(&world).unwrap().fault, None);
    world.answer(&format!(r#"{{"user":{},"addresses":{}}}"#, part("user"), part("wallet")));
    assert!(concealed(&mut world));
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 1 {"connected":true}"#]);
}

#[test]
fn a_locked_wallet_has_no_address_until_a_kit_or_a_passkey_opened_it() {
    let mut world = locked();
    world.host("GET_USER", "null");
    world.answer(&me());
    assert!(world.take()[0].contains("Open your wallet first"));
    world.host("IS_CONNECTED", "null");
    world.answer(&me());
    assert_eq!(world.take(), [r#"@w3m-frame/IS_CONNECTED_SUCCESS 4 {"isConnected":false}"#]);
    world.rpc("eth_accounts", "[]");
    assert_eq!(world.take(), ["@w3m-frame/RPC_REQUEST_SUCCESS 5 []"]);
    world.host("SHOW_SETTINGS", "null");
    world.answer(&account(&[kit(), passkey()]));
    assert_eq!(page(&world), Page::Locked);
    world.event(Event::KitTyped { code: "wrong".into() });
    world.fail(FailureKind::Refused, "This code has a typing error. Check each letter.");
    assert!(view(&world).unwrap().fault.unwrap().contains("typing error"));
    world.event(Event::PasskeyUsed);
    assert!(matches!(operation(&mut world), Operation::OpenByPasskey { passkeys } if passkeys.len() == 1));
    let opened = format!(r#"{{"user":{},"addresses":{}}}"#, part("user"), part("wallet"));
    world.answer(&opened);
    assert!(concealed(&mut world));
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 6 {"connected":true}"#]);
    world.host("GET_USER", "null");
    world.answer(&me());
    assert!(world.take()[0].starts_with("@w3m-frame/GET_USER_SUCCESS"));
}

#[test]
fn a_locked_wallet_that_is_left_ends_its_session() {
    let mut world = locked();
    world.host("SHOW_SETTINGS", "null");
    world.answer(&account(&[kit()]));
    world.event(Event::SettingsClosed);
    concealed(&mut world);
    assert_eq!(world.only().operation, Operation::EndSession);
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 3 {"connected":false}"#]);
}
