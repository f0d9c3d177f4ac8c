//! Settings: what is explained, confirmed, done and hidden.

use crate::world::{World, json, me};
use portico_frame_core::{Act, Event, FailureKind, Operation, Outcome, Page, SettingsView};
use portico_json::{Read, to_text};

const SHOWN: u64 = 60_000;

pub fn slot(id: &str, kind: &str, hint: &str) -> String {
    format!(r#"{{"id":"{id}","kind":"{kind}","wrapped":"AA","device":null,"hint":{hint},"created":1}}"#)
}

pub fn account(slots: &[String]) -> String {
    let device = |id: &str, current: bool| {
        format!(
            r#"{{"id":"{id}","label":"Firefox on Linux","host":"https://shop.example.org","place":"203.0.113.0/24","approved":1,"used":2,"current":{current}}}"#
        )
    };
    let devices = format!(r#""devices":[{},{}]"#, device("here", true), device("there", false));
    me().replace(r#""slots":[]"#, &format!(r#""slots":[{}]"#, slots.join(","))).replace(r#""devices":[]"#, &devices)
}

fn kit() -> String {
    slot("k", "kit", r#""{\"mark\":\"01020304\"}""#)
}

fn passkey() -> String {
    slot("p", "passkey", r#""{\"credential\":\"AAAA\",\"salt\":\"BBBB\"}""#)
}

pub fn recovery() -> String {
    slot("r", "recovery", "null")
}

pub fn view(world: &World) -> Option<SettingsView> {
    let snapshot = json(&world.frame.snapshot_text());
    Option::<SettingsView>::read(snapshot.get("settings")).unwrap()
}

pub fn page(world: &World) -> Page {
    view(world).unwrap().page
}

/// World with the settings of a wallet with these slots.
pub fn opened(slots: &[String]) -> World {
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    assert_eq!(page(&world), Page::Loading);
    world.answer(&account(slots));
    assert_eq!(page(&world), Page::Overview);
    world
}

pub fn choose(world: &mut World, act: Act, id: Option<&str>) {
    world.event(Event::SettingsActed { act, id: id.map(String::from) });
}

pub fn go_on(world: &mut World, passkey: bool) {
    world.event(Event::SettingsContinued { passkey });
}

/// Answers the confirmation of a mail.
pub fn confirm(world: &mut World, answer: &str) {
    world.answer(r#"{"transaction":"tx","number":"42"}"#);
    assert_eq!((page(world), view(world).unwrap().number.as_deref()), (Page::Confirm, Some("42")));
    assert_eq!(world.asked(), r#"/wallet/v1/confirm/wait {"transaction":"tx"} true"#);
    world.answer(r#"{"answer":"waiting","until":0}"#);
    world.answer(&format!(r#"{{"answer":"{answer}","until":1}}"#));
}

pub fn operation(world: &mut World) -> Operation {
    let effect = world.only();
    let operation = effect.operation.clone();
    world.ordered.push(effect);
    operation
}

pub fn done(world: &mut World) {
    let effect = world.only();
    world.resolve(effect.id, Outcome::Done);
}

/// Takes the order to forget what is shown.
pub fn concealed(world: &mut World) -> bool {
    let before = world.ordered.len();
    world.ordered.retain(|effect| effect.operation != Operation::Conceal);
    before != world.ordered.len()
}

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
    let login = Operation::LogInByPasskey { project: "demo".into(), host: crate::world::HOST.into() };
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
    let create = Operation::CreateByPasskey { project: "demo".into(), host: crate::world::HOST.into() };
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
fn the_host_learns_that_the_visitor_is_done_and_nothing_else() {
    let mut world = opened(&[recovery(), kit()]);
    let shown = view(&world).unwrap();
    assert_eq!(shown.email.as_deref(), Some("a@example.org"));
    assert_eq!((shown.ways.len(), shown.devices.len()), (2, 2));
    assert_eq!(shown.ways[1].mark.as_deref(), Some("01020304"));
    assert!(world.take().is_empty());
    world.event(Event::SettingsClosed);
    assert!(concealed(&mut world));
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 2 {"connected":true}"#]);
    assert_eq!(view(&world), None);
}

#[test]
fn keys_are_shown_after_an_explanation_and_a_confirmation_and_for_a_minute() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::Export, None);
    assert_eq!(page(&world), Page::Explain);
    assert!(world.ordered.is_empty(), "an explanation asks nobody");
    go_on(&mut world, false);
    assert_eq!(world.asked(), r#"/wallet/v1/confirm {"deed":"export","language":"en","mail":true} true"#);
    confirm(&mut world, "approved");
    assert_eq!(operation(&mut world), Operation::Export { password: false });
    done(&mut world);
    assert_eq!(page(&world), Page::Words);
    world.pass(SHOWN - 1);
    assert_eq!(page(&world), Page::Words);
    world.pass(1);
    assert_eq!(page(&world), Page::Overview);
    assert!(concealed(&mut world));
    // The next export asks anew.
    world.answer(&account(&[recovery()]));
    choose(&mut world, Act::Export, None);
    go_on(&mut world, false);
    assert!(world.asked().starts_with("/wallet/v1/confirm "));
}

#[test]
fn hiding_the_settings_forgets_the_keys_at_once() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::Export, None);
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    done(&mut world);
    world.take();
    world.host("HIDE_SETTINGS", "null");
    assert!(concealed(&mut world));
    let told = world.take();
    assert_eq!(
        told,
        [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 2 {"connected":true}"#, "@w3m-frame/HIDE_SETTINGS_SUCCESS 3"]
    );
}

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

#[test]
fn the_last_way_to_the_wallet_stays() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::RemoveRecovery, None);
    choose(&mut world, Act::RemoveWay, Some("r"));
    choose(&mut world, Act::RestoreRecovery, None);
    choose(&mut world, Act::RemoveDevice, Some("here"));
    choose(&mut world, Act::RemoveDevice, Some("nowhere"));
    assert_eq!(page(&world), Page::Overview);
    let mut world = opened(&[kit()]);
    choose(&mut world, Act::RemoveWay, Some("k"));
    assert_eq!(page(&world), Page::Overview);
}

#[test]
fn a_device_is_removed_and_signing_out_everywhere_ends_the_session_here() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::RemoveDevice, Some("there"));
    go_on(&mut world, false);
    assert_eq!(world.asked(), r#"/wallet/v1/confirm {"deed":"change","language":"en","mail":true} true"#);
    confirm(&mut world, "approved");
    assert_eq!(world.asked(), r#"/wallet/v1/device/remove {"id":"there"} true"#);
    done(&mut world);
    concealed(&mut world);
    world.answer(&account(&[recovery()]));
    choose(&mut world, Act::SignOutEverywhere, None);
    go_on(&mut world, false);
    assert_eq!(world.asked(), "/wallet/v1/devices/end {} true");
    done(&mut world);
    concealed(&mut world);
    assert_eq!(world.only().operation, Operation::EndSession);
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 2 {"connected":false}"#]);
}

#[test]
fn a_session_that_ended_meanwhile_closes_the_settings() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::RemoveDevice, Some("there"));
    go_on(&mut world, false);
    world.fail(FailureKind::NoSession, "");
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 2 {"connected":false}"#]);
}

#[test]
fn a_refusal_is_told_in_the_words_of_the_vault() {
    let mut world = opened(&[recovery()]);
    choose(&mut world, Act::MakeKit, None);
    go_on(&mut world, false);
    world.fail(FailureKind::Refused, "Please try again after 12 seconds");
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.busy), (Page::Explain, false));
    assert_eq!(shown.fault.as_deref(), Some("Please try again after 12 seconds"));
}

/// World whose visitor typed the code of a login for which the server has no share.
pub fn locked() -> World {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(r#"{"transaction":"tx1","action":"VERIFY_OTP","number":null}"#);
    world.host("CONNECT_OTP", r#"{"otp":"123456"}"#);
    world.answer(r#"{"locked":true}"#);
    assert_eq!(world.take()[1..], [r#"@w3m-frame/CONNECT_OTP_SUCCESS 2 {"locked":true}"#]);
    world
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

pub fn part(name: &str) -> String {
    let me = json(&me());
    let found = me.get(name);
    to_text(if name == "wallet" { found.get("addresses") } else { found })
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

#[test]
fn blocked_storage_is_told_with_what_to_do() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.fail(FailureKind::NoStorage, "");
    let told = world.take();
    assert!(told[0].contains("Your browser blocks this wallet's storage. Leave private browsing"), "{told:?}");
}
