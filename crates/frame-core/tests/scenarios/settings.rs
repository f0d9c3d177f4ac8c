//! Settings: what is explained, done, shown and hidden.

mod confirmed;
mod list;
mod locked;

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

pub fn part(name: &str) -> String {
    let me = json(&me());
    let found = me.get(name);
    to_text(if name == "wallet" { found.get("addresses") } else { found })
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
