//! Host page that the visitor declines and blocks.

use crate::settings::{choose, concealed, view};
use crate::world::{HOST, OWN, World, json, me};
use portico_frame_core::{Act, Event, FailureKind, NEEDS_APPROVAL, Operation, Outcome, SAFE};

const ABORTED: &str = r#"{"message":"Request was aborted","code":4001}"#;
const BLOCKED: &str =
    r#"{"message":"You blocked this site's requests. Allow them in the wallet's settings.","code":4001}"#;
const HASTY: u64 = 500;

fn ask(world: &mut World) {
    world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
}

fn decline(world: &mut World) {
    let approval = world.approval().unwrap().number;
    world.event(Event::Cancelled { approval });
}

fn block(world: &mut World) {
    let approval = world.approval().unwrap().number;
    world.event(Event::Blocked { approval });
}

/// World whose visitor declined one request and has the next one before them.
fn asked_again() -> World {
    let mut world = World::logged_in();
    ask(&mut world);
    assert_eq!(world.approval().unwrap().block, None);
    decline(&mut world);
    world.take();
    ask(&mut world);
    world
}

/// World whose visitor blocked the page.
fn blocked() -> World {
    let mut world = asked_again();
    world.pass(HASTY);
    block(&mut world);
    world.take();
    world
}

/// The page, or the frame, is loaded anew; what the worker stored stays.
fn loaded_anew(world: World) -> World {
    let mut anew = World::logged_in();
    anew.pass(world.now - anew.now);
    anew.site = world.site;
    anew
}

fn opened_settings(world: &mut World) {
    world.host("SHOW_SETTINGS", "null");
    world.answer(&me());
}

/// Whether a request is refused by the block, and nothing was shown or ordered for it.
fn is_refused(world: &mut World, method: &str, params: &str) -> bool {
    world.take();
    world.rpc(method, params);
    let told = world.take();
    world.approval().is_none() && world.ordered.is_empty() && told.len() == 1 && told[0].ends_with(BLOCKED)
}

#[test]
fn a_page_can_be_blocked_from_the_second_request_within_a_minute_on() {
    let mut world = asked_again();
    assert_eq!(world.approval().unwrap().block, Some(false));
    decline(&mut world);
    world.pass(59_999);
    ask(&mut world);
    assert!(world.approval().unwrap().block.is_some());
    world.pass(60_000);
    assert!(world.approval().unwrap().block.is_some(), "a button that is shown stays");
    decline(&mut world);
    world.pass(60_000);
    ask(&mut world);
    assert_eq!(world.approval().unwrap().block, None);
}

#[test]
fn the_second_click_of_a_double_click_on_decline_blocks_nothing() {
    let mut world = asked_again();
    world.pass(HASTY - 1);
    block(&mut world);
    assert_eq!(world.approval().unwrap().block, Some(false));
    world.pass(1);
    assert_eq!(world.approval().unwrap().block, Some(true));
    block(&mut world);
    assert!(world.approval().is_none());
}

#[test]
fn a_clock_that_is_set_back_blocks_nothing_and_delays_the_button_by_half_a_second_alone() {
    let mut world = asked_again();
    world.now -= 600_000;
    world.pass(0);
    block(&mut world);
    assert_eq!(world.approval().unwrap().block, Some(false));
    world.pass(HASTY);
    assert_eq!(world.approval().unwrap().block, Some(true));
}

#[test]
fn blocking_declines_the_request_and_refuses_each_method_that_needs_an_approval() {
    let mut world = asked_again();
    world.pass(HASTY);
    block(&mut world);
    assert!(world.take()[0].ends_with(ABORTED));
    let built = ["personal_sign", "eth_signTypedData_v4", "eth_sendTransaction", "solana_signMessage"];
    for method in NEEDS_APPROVAL.split(',') {
        let refused = is_refused(&mut world, method, "[]");
        assert!(refused || !built.contains(&method) && world.approval().is_none(), "{method}");
    }
    for method in ["solana_signTransaction", "solana_signAllTransactions", "solana_signAndSendTransaction"] {
        assert!(is_refused(&mut world, method, "{}"), "{method}");
    }
    world.pass(3_600_000);
    assert!(is_refused(&mut world, "personal_sign", &format!(r#"["0x6869","{OWN}"]"#)));
}

#[test]
fn a_blocked_page_reads_on() {
    let mut world = blocked();
    world.rpc("eth_accounts", "[]");
    assert!(world.take()[0].ends_with(&format!(r#"["{OWN}"]"#)));
    assert!(SAFE.contains("eth_getBalance"));
    world.rpc("eth_getBalance", &format!(r#"["{OWN}","latest"]"#));
    assert_eq!(world.calls()[0].method, "eth_getBalance");
    world.answer(r#"[{"jsonrpc":"2.0","id":1,"result":"0x1"}]"#);
    assert!(world.take()[0].ends_with(r#""0x1""#));
}

#[test]
fn block_and_rest_survive_that_the_page_is_loaded_anew() {
    let mut world = loaded_anew(blocked());
    assert!(is_refused(&mut world, "personal_sign", &format!(r#"["0x6869","{OWN}"]"#)));

    let mut world = loaded_anew(World::logged_in());
    for _ in 0..3 {
        ask(&mut world);
        decline(&mut world);
        world = loaded_anew(world);
    }
    ask(&mut world);
    assert!(world.approval().is_none() && world.take()[0].ends_with(ABORTED));
}

#[test]
fn a_block_outlasts_the_session_and_is_the_visitors_own() {
    let mut world = blocked();
    world.host("SIGN_OUT", "null");
    let end = world.only();
    world.resolve(end.id, Outcome::Done);
    // The page of another visitor knows nothing of it: the worker is asked anew.
    world.host("IS_CONNECTED", "null");
    world.answer(&me());
    let stored = std::mem::replace(&mut world.site, json("null"));
    ask(&mut world);
    assert_eq!(world.approval().unwrap().block, None);
    decline(&mut world);
    world.site = stored;
    assert!(is_refused(&mut world, "personal_sign", &format!(r#"["0x6869","{OWN}"]"#)));
}

#[test]
fn the_settings_show_a_block_and_take_it_back() {
    let mut world = asked_again();
    decline(&mut world);
    opened_settings(&mut world);
    assert!(!view(&world).unwrap().blocked);
    choose(&mut world, Act::AllowSite, None);
    assert!(!view(&world).unwrap().busy, "there is nothing to allow");

    let mut world = loaded_anew(blocked());
    opened_settings(&mut world);
    assert!(view(&world).unwrap().blocked);
    choose(&mut world, Act::AllowSite, None);
    concealed(&mut world);
    world.answer(&me());
    assert!(!view(&world).unwrap().blocked);
    world.event(Event::SettingsClosed);
    concealed(&mut world);
    world.take();
    ask(&mut world);
    assert_eq!(world.approval().unwrap().block, None);
    decline(&mut world);
    ask(&mut world);
    assert!(world.approval().is_some(), "the visitor begins anew, without a rest");
}

#[test]
fn while_the_worker_is_asked_another_request_waits_for_nothing_and_the_first_can_be_withdrawn() {
    let mut world = World::logged_in();
    world.holds_site = true;
    ask(&mut world);
    assert!(world.approval().is_none());
    ask(&mut world);
    assert!(world.take()[0].contains(r#""code":-32002"#));
    world.host("RPC_ABORT", "null");
    let told = world.take();
    assert!(told[0].ends_with(ABORTED) && told.len() == 2, "{told:?}");
    let late = world.only();
    ask(&mut world);
    world.resolve(late.id, Outcome::Answered { value: json(r#"{"blocked":false,"declines":[]}"#) });
    assert!(world.approval().is_none() && world.take().is_empty(), "that was the answer to another request");
    let own = world.only();
    assert!(matches!(&own.operation, Operation::ReadSite { site } if *site == format!("AA {HOST}")));
    world.resolve(own.id, Outcome::Answered { value: json(r#"{"blocked":true,"declines":[]}"#) });
    assert!(world.take()[0].ends_with(BLOCKED));
}

#[test]
fn a_visitor_who_logs_out_meanwhile_is_asked_nothing() {
    let mut world = World::logged_in();
    world.holds_site = true;
    ask(&mut world);
    let read = world.only();
    world.host("SIGN_OUT", "null");
    world.resolve(read.id, Outcome::Answered { value: json("null") });
    assert!(world.approval().is_none() && world.take()[0].ends_with(ABORTED));
}

#[test]
fn a_worker_that_cannot_tell_blocks_nobody_and_what_this_page_knows_goes_on() {
    let mut world = blocked();
    world.holds_site = true;
    ask(&mut world);
    world.fail(FailureKind::NoStorage, "");
    assert!(world.take()[0].ends_with(BLOCKED));

    for stored in ["7", r#""x""#, r#"{"blocked":"yes","declines":{}}"#, r#"{"blocked":1}"#, "[]"] {
        let mut world = World::logged_in();
        world.site = json(stored);
        ask(&mut world);
        assert!(world.approval().is_some(), "{stored}");
    }
}

#[test]
fn of_a_long_list_the_last_three_times_count() {
    let mut world = World::logged_in();
    let now = world.now;
    world.site = json(&format!(r#"{{"blocked":false,"declines":[{now},1,{now},{now}]}}"#));
    ask(&mut world);
    assert!(world.approval().unwrap().block.is_some());
}

#[test]
fn a_signature_takes_the_button_away_until_the_next_decline() {
    let mut world = asked_again();
    world.approve();
    world.answer(&format!("\"0x{}\"", "11".repeat(65)));
    ask(&mut world);
    assert_eq!(world.approval().unwrap().block, None);
}

#[test]
fn block_and_clicks_of_another_approval_do_nothing() {
    let mut world = World::logged_in();
    ask(&mut world);
    world.pass(HASTY);
    block(&mut world);
    assert!(world.approval().is_some(), "the first request has no such button");
    let mut world = asked_again();
    world.pass(HASTY);
    let approval = world.approval().unwrap().number;
    world.event(Event::Blocked { approval: approval + 1 });
    assert!(world.approval().is_some());
}
