//! Scenarios of the creation and the lifetime of a pairing, and of a URI supplied by the host.

use super::*;

#[test]
fn a_code_that_is_wanted_before_the_client_is_there_comes_with_it() {
    let mut world = desktop();
    world.remote.missing = 1;
    let mut world = shown(world, "walletConnect");
    // The choice of the wallet loaded the client again after the first failure.
    assert_eq!((world.remote.fetched, count(&world)), (2, 1));
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.modal(Modal::BackAsked);
    assert_eq!(world.remote.closed, world.remote.topics);
}

#[test]
fn a_client_that_cannot_be_had_is_said_and_another_try_may_do_better() {
    let mut world = desktop();
    world.remote.missing = 2;
    let mut world = shown(world, "walletConnect");
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.error.unwrap().message.as_str()), (PairingPhase::Failed, "Failed to fetch"));
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    assert!(world.event_names().contains(&"CONNECT_ERROR"));
    world.connecting(Connect::PairingRetryAsked);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
}

#[test]
fn a_client_that_never_comes_is_slow_then_failed_and_leaves_the_ways_back_and_anew_open() {
    let mut world = desktop();
    world.remote.silent = true;
    let mut world = shown(world, "walletConnect");
    world.advance(7_999);
    assert_eq!(world.pairing().phase, PairingPhase::Opening);
    world.advance(1);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.advance(21_999);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.advance(1);
    assert_eq!(world.pairing().phase, PairingPhase::Failed);
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    world.connecting(Connect::PairingRetryAsked);
    assert_eq!(world.pairing().phase, PairingPhase::Opening);
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().pairing), (View::Connect, None));
    world.advance(600_000);
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
}

#[test]
fn an_answer_that_is_no_code_is_a_failure_and_never_a_blank_screen() {
    let nonsense = [
        Ok(Value::Null),
        Ok(parse(r#"{"uri":"javascript:alert(1)","topic":"a"}"#).unwrap()),
        Ok(parse(r#"{"uri":"wc:a b","topic":"a"}"#).unwrap()),
        Ok(parse(r#"{"uri":"wc:a@2"}"#).unwrap()),
        Ok(parse(&format!(r#"{{"uri":"wc:{}","topic":"a"}}"#, "a".repeat(3_000))).unwrap()),
        Err(Value::Text("out of order".into())),
    ];
    for answer in nonsense {
        let mut world = desktop();
        world.remote.pairing = Some(answer.clone());
        let world = shown(world, "walletConnect");
        assert_eq!(world.pairing().phase, PairingPhase::Failed, "{answer:?}");
        assert_eq!(world.snapshot().countdown, None);
    }
}

#[test]
fn a_code_too_long_for_a_picture_can_still_be_copied_and_opened() {
    let mut world = desktop();
    let long = format!("wc:a@2?symKey={}", "b".repeat(1_700));
    world.remote.pairing = Some(Ok(parse(&format!(r#"{{"uri":"{long}","topic":"a"}}"#)).unwrap()));
    let mut world = shown(world, "walletConnect");
    assert_eq!((world.pairing().phase, world.pairing().qr), (PairingPhase::Ready, None));
    world.connecting(Connect::UriCopyAsked);
    assert_eq!(world.clipboard, [long]);
}

#[test]
fn spec_4_5_a_code_lives_four_minutes_and_counts_as_expired_with_ten_seconds_left() {
    let mut world = shown(desktop(), "walletConnect");
    let first = uri(&world);
    assert_eq!(world.snapshot().countdown, Some(230));
    world.advance(229_999);
    assert_eq!((uri(&world), world.snapshot().countdown), (first.clone(), Some(1)));
    world.advance(1);
    assert_ne!(uri(&world), first);
    assert_eq!((world.pairing().phase, world.snapshot().countdown), (PairingPhase::Ready, Some(230)));
}

#[test]
fn spec_9_1_the_pairing_lifetime_is_four_minutes_and_the_margin_ten_seconds() {
    use portico_core::connect::{PAIRING_LIFE, PAIRING_MARGIN};
    assert_eq!((PAIRING_LIFE, PAIRING_MARGIN), (4 * 60_000, 10_000));
}

#[test]
fn a_code_that_the_client_gives_less_time_counts_as_long_as_that() {
    let mut world = desktop();
    let end = world.now / 1_000 + 60;
    let answer = format!(r#"{{"uri":"wc:a@2","topic":"a","expiryTimestamp":{end}}}"#);
    world.remote.pairing = Some(Ok(parse(&answer).unwrap()));
    let world = shown(world, "walletConnect");
    assert_eq!(world.snapshot().countdown, Some(50));
}

#[test]
fn a_client_whose_clock_is_behind_is_not_asked_for_code_after_code() {
    let mut world = desktop();
    world.remote.pairing = Some(Ok(parse(r#"{"uri":"wc:a@2","topic":"a","expiryTimestamp":1}"#).unwrap()));
    let mut world = shown(world, "walletConnect");
    world.advance(10_000);
    assert!(world.remote.asked.len() < 15, "{}", world.remote.asked.len());
}

#[test]
fn the_seconds_are_counted_while_the_code_is_looked_at_and_no_longer() {
    let mut world = shown(desktop(), "walletConnect");
    world.advance(5_000);
    assert_eq!(world.snapshot().countdown, Some(225));
    world.modal(Modal::CloseAsked);
    world.relay_tells(RelayState::Open, None);
    world.advance(10_000);
    let next = world.app.next_timeout();
    assert!(next.is_none_or(|at| at > world.now + 1_000), "no alarm each second: {next:?}");
    assert_eq!((world.snapshot().countdown, count(&world)), (None, 1));
}

#[test]
fn a_page_that_slept_through_the_life_of_a_code_shows_another_one_when_it_wakes() {
    let mut world = shown(desktop(), "walletConnect");
    let first = uri(&world);
    world.now += 3_600_000;
    world.app.tick(world.now);
    world.settle();
    assert_ne!(uri(&world), first);
    assert_eq!(world.snapshot().countdown, Some(230));
}

#[test]
fn the_wallet_that_read_the_code_before_may_still_approve() {
    let mut world = shown(desktop(), "walletConnect");
    let first = world.remote.topics[0].clone();
    world.advance(231_000);
    assert_eq!(count(&world), 2);
    assert!(world.remote.closed.is_empty());
    let session = world.remote.session_for(&first, world.now);
    world.connecting(Connect::SessionSettled { session });
    assert!(world.snapshot().account.accounts[0].is_connected);
}

#[test]
fn spec_2_3_a_uri_of_the_host_is_drawn_and_is_the_hosts_to_keep_alive() {
    let open = |world: &mut World, uri: &str| {
        let uri = Some(uri.into());
        world.modal(Modal::OpenAsked { view: None, namespace: None, uri, arguments: Value::Null, ticket: None });
    };
    let mut world = World::new(vec![]);
    open(&mut world, "wc:abc@2?relay-protocol=irn&symKey=def");
    let pairing = world.pairing();
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(pairing.uri.as_deref(), Some("wc:abc@2?relay-protocol=irn&symKey=def"));
    assert!(pairing.qr.is_some() && world.snapshot().countdown.is_none());
    world.advance(600_000);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.modal(Modal::CloseAsked);
    assert!(world.remote.closed.is_empty() && world.remote.fetched == 0);

    let mut world = World::new(vec![]);
    open(&mut world, "javascript:alert(1)");
    assert_eq!(world.snapshot().pairing, None);
}

#[test]
fn a_uri_that_cannot_be_drawn_is_there_to_be_copied() {
    let uri = format!("wc:abc@2?symKey={}", "d".repeat(2_000));
    let mut world = World::new(vec![]);
    world.modal(Modal::OpenAsked {
        view: None,
        namespace: None,
        uri: Some(uri.clone()),
        arguments: Value::Null,
        ticket: None,
    });
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.uri, pairing.qr), (PairingPhase::Ready, Some(uri), None));
}

#[test]
fn a_host_that_pairs_by_itself_is_not_interfered_with() {
    let mut world = with(r#"{"manualWCControl":true,"#);
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(count(&world), 0);
}
