//! Scenarios of sessions that outlive their page, or should not.

use super::*;

#[test]
fn spec_4_2_a_session_that_is_still_there_comes_back_after_a_reload_without_asking_the_wallet() {
    let mut world = everywhere();
    world.reload();
    for place in 0..4 {
        assert_eq!(account(&world, place).0, Status::Connected);
    }
    assert!(world.remote.requests.is_empty());
    let again = tracked(&world, "CONNECT_SUCCESS");
    assert_eq!((again.len(), again[1].get("reconnect").as_bool()), (2, Some(true)));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_4_2_a_session_that_is_gone_after_a_reload_is_disconnected_and_said() {
    let mut world = connected();
    world.remote.sessions.clear();
    world.reload();
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::SessionEnded));
    world.reload();
    assert_eq!(world.snapshot().notice.snack, None, "once");
}

#[test]
fn spec_4_2_a_session_is_connecting_until_its_client_is_there_and_not_waited_for_without_end() {
    let mut world = connected();
    world.remote.silent = true;
    world.reload();
    assert_eq!(account(&world, 0), (Status::Connecting, None));
    world.advance(60_000);
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    // The next load may find the session.
    world.remote.silent = false;
    world.reload();
    assert_eq!(account(&world, 0).0, Status::Connected);
}

#[test]
fn spec_4_2_a_client_that_comes_late_still_brings_the_session_back() {
    let mut world = connected();
    world.remote.late = 20_000;
    world.reload();
    world.advance(19_999);
    assert_eq!(account(&world, 0).0, Status::Connecting);
    world.advance(1);
    assert_eq!(account(&world, 0).0, Status::Connected);
    world.remote.late = 40_000;
    world.reload();
    world.advance(50_000);
    assert_eq!((account(&world, 0).0, world.snapshot().notice.snack), (Status::Disconnected, None));
}

#[test]
fn a_client_that_cannot_be_had_after_a_reload_costs_no_session() {
    let mut world = connected();
    world.remote.missing = 1;
    world.reload();
    world.advance(60_000);
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    world.reload();
    assert_eq!(account(&world, 0).0, Status::Connected);
}

#[test]
fn a_session_whose_time_was_over_while_the_page_was_closed_does_not_come_back() {
    let mut world = connected();
    world.now += 604_800_000;
    world.reload();
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
}

#[test]
fn spec_4_3_of_several_sessions_the_latest_comes_back_and_nonsense_among_them_costs_nothing() {
    let mut world = connected();
    let newer = world.remote.sessions[0].replace(REMOTE, OTHER).replace("5e55", "aaaa");
    let newer = newer.replace(r#""expiry":17"#, r#""expiry":18"#);
    world.remote.sessions.extend([newer, "7".into(), r#"{"topic":"x"}"#.into()]);
    world.reload();
    assert_eq!(account(&world, 0).1.as_deref(), Some(OTHER));
}

#[test]
fn a_host_that_wants_no_connection_back_has_none() {
    let mut world = connected();
    let store = std::mem::take(&mut world.store);
    let mut world = World::with(&with_relay(&fleeting()), vec![], store);
    assert_eq!((account(&world, 0).0, world.remote.fetched), (Status::Disconnected, 1));
    world.reload();
    assert_eq!((account(&world, 0).0, world.remote.fetched), (Status::Disconnected, 1));
}

/// Options of a host whose connections do not outlive their page.
fn fleeting() -> String {
    options().replacen('{', r#"{"enableReconnect":false,"#, 1)
}

#[test]
fn a_host_that_wants_no_connection_back_leaves_none_in_the_wallet() {
    let mut world = paired(&fleeting());
    world.remote_approves();
    let first = world.remote.sessions[0].clone();
    world.remote.sessions.push(first.replace("5e55", "aaaa"));
    world.reload();
    assert_eq!(world.remote.ended.len(), 2);
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    assert_eq!(world.snapshot().notice.snack, None, "nobody misses it");
}

#[test]
fn a_session_that_nobody_wants_back_ends_as_soon_as_the_client_can_be_had() {
    let mut world = paired(&fleeting());
    world.remote_approves();
    world.remote.missing = 1;
    world.reload();
    assert!(world.remote.ended.is_empty());
    world.open(None);
    assert_eq!(world.remote.ended.len(), 1);
}

#[test]
fn a_session_of_another_tab_is_left_to_it_where_none_is_wanted_back() {
    let mut world = paired(&fleeting());
    world.remote_approves();
    world.remote.shared = true;
    world.reload();
    assert_eq!((world.remote.fetched > 1, world.remote.ended.len()), (true, 0));
}

#[test]
fn a_session_that_a_wallet_approved_when_its_page_was_gone_is_taken_up_and_only_one() {
    let gone = |shared: bool, options: &str| {
        let mut world = connected();
        let first = world.remote.sessions[0].clone();
        let older = first.replace("5e55", "aaaa");
        let newest = first.replace("5e55", "bbbb").replace(REMOTE, OTHER);
        let newest = newest.replace(r#""expiry":17"#, r#""expiry":18"#);
        world.remote.sessions = vec![older, newest, "7".into(), r#"{"topic":"x"}"#.into()];
        let remote = world.remote.clone();
        let mut world = World::with(&with_relay(options), vec![], Store::default());
        world.remote = remote;
        world.remote.shared = shared;
        world.open(None);
        world
    };
    let world = gone(false, &options());
    assert_eq!(account(&world, 0), (Status::Connected, Some(OTHER.into())));
    assert!(!world.snapshot().modal.open);
    assert_eq!(world.remote.ended.len(), 2, "{:?}", world.remote.ended);
    assert!(world.remote.ended.iter().all(|topic| !topic.starts_with("bbbb")));
    // Another tab may use one of the sessions.
    let world = gone(true, &options());
    assert_eq!((account(&world, 0).0, world.remote.ended.len()), (Status::Disconnected, 0));
    // A host that makes its own codes manages its own sessions.
    let world = gone(false, &options().replacen('{', r#"{"manualWCControl":true,"#, 1));
    assert_eq!((account(&world, 0).0, world.remote.ended.len()), (Status::Disconnected, 0));
}
