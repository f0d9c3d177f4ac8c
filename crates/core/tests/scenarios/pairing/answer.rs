//! Scenarios of a wallet's responses to a pairing.

use super::*;

#[test]
fn a_visitor_who_refuses_in_the_wallet_hears_so_and_may_try_again() {
    for code in [5000, 4001] {
        let mut world = shown(desktop(), "io.metamask");
        world.remote_refuses(code, "User rejected.");
        let pairing = world.pairing();
        assert_eq!((pairing.phase, pairing.uri), (PairingPhase::Refused, None));
        assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
        assert!(world.event_names().contains(&"USER_REJECTED"));
        world.connecting(Connect::PairingRetryAsked);
        assert_eq!(world.pairing().phase, PairingPhase::Ready);
        assert_eq!(world.pairing().wallet.unwrap().name, "MetaMask");
    }
}

#[test]
fn a_wallet_that_cannot_says_why() {
    let mut world = shown(desktop(), "walletConnect");
    world.remote_refuses(5100, "Unsupported chains.");
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.error.unwrap().message.as_str()), (PairingPhase::Failed, "Unsupported chains."));
    assert!(world.event_names().contains(&"CONNECT_ERROR"));
}

#[test]
fn what_is_said_of_a_code_that_is_not_ours_or_not_shown_is_not_heard() {
    let mut world = shown(desktop(), "walletConnect");
    let before = to_text(&world.snapshot());
    for topic in ["", "stranger"] {
        world.connecting(Connect::PairingRejected { topic: topic.into(), code: 5000, message: "No".into() });
    }
    let session = world.remote.session_for("stranger", world.now);
    world.connecting(Connect::SessionSettled { session });
    assert_eq!(to_text(&world.snapshot()), before);
    assert!(world.remote.ended.is_empty(), "another tab's session is left to it");
    let first = world.remote.topics[0].clone();
    world.advance(461_000);
    world.connecting(Connect::PairingRejected { topic: first, code: 5000, message: "No".into() });
    assert_eq!(world.pairing().phase, PairingPhase::Ready, "an old code says nothing of the one on the screen");
}

#[test]
fn who_read_the_code_in_its_last_seconds_and_refused_hears_so() {
    let mut world = shown(desktop(), "walletConnect");
    let first = world.remote.topics[0].clone();
    world.advance(231_000);
    assert_eq!(count(&world), 2);
    let refused = Connect::PairingRejected { topic: first, code: 5000, message: "No".into() };
    world.connecting(refused.clone());
    assert_eq!(world.pairing().phase, PairingPhase::Refused);
    world.connecting(Connect::PairingRetryAsked);
    world.connecting(refused);
    assert_eq!((world.pairing().phase, count(&world)), (PairingPhase::Ready, 3));
}

#[test]
fn a_visitor_who_takes_none_of_the_chains_methods_or_events_has_refused() {
    for code in [5000, 5001, 5002, 5003, 4001] {
        let mut world = shown(desktop(), "walletConnect");
        world.remote_refuses(code, "User disapproved.");
        let pairing = world.pairing();
        assert_eq!((pairing.phase, pairing.error.unwrap().code), (PairingPhase::Refused, 4001), "{code}");
        assert!(world.event_names().contains(&"USER_REJECTED"), "{code}");
    }
}

#[test]
fn the_codes_that_were_on_the_screen_before_are_taken_back_once_a_wallet_is_connected() {
    let mut world = shown(desktop(), "walletConnect");
    world.advance(231_000);
    world.remote_approves();
    assert_eq!(world.remote.closed, world.remote.topics[..1]);
    let late = world.remote.session_for(&world.remote.topics[0], world.now);
    world.connecting(Connect::SessionSettled { session: late.clone() });
    assert_eq!(world.remote.ended, [late.get("topic").as_str().unwrap()]);
    assert!(world.snapshot().account.accounts[0].is_connected);
}

#[test]
fn a_code_that_was_taken_back_connects_nobody() {
    let mut world = shown(desktop(), "walletConnect");
    world.modal(Modal::BackAsked);
    world.remote_approves();
    assert!(!world.snapshot().account.accounts[0].is_connected);
    assert_eq!(world.remote.ended.len(), 1);
}

#[test]
fn who_closed_the_modal_after_reading_the_code_may_still_approve() {
    let mut world = shown(desktop(), "walletConnect");
    world.modal(Modal::CloseAsked);
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    world.remote_approves();
    assert!(world.snapshot().account.accounts[0].is_connected && !world.snapshot().modal.open);
}

#[test]
fn a_link_that_was_opened_in_vain_says_when_its_time_is_over() {
    let mut world = shown(world(phone), "io.metamask");
    world.relay_tells(RelayState::Open, None);
    tap(&mut world);
    world.advance(229_999);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.advance(1);
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.href, pairing.error), (PairingPhase::Expired, None, None));
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    world.advance(60_000);
    assert_eq!(count(&world), 1);
    world.connecting(Connect::PairingRetryAsked);
    assert!(world.pairing().href.is_some() && !world.pairing().opened);
}

#[test]
fn a_code_that_was_answered_by_an_invalid_session_while_hidden_is_not_shown_again() {
    // Telegram keeps a code for the visitor's return.
    let mut world = shown(world(|environment| environment.telegram = true), "io.metamask");
    world.modal(Modal::CloseAsked);
    world.remote.accounts = vec!["eip155:31337:nonsense".into()];
    world.remote_approves();
    assert!(world.event_names().contains(&"CONNECT_ERROR") && world.snapshot().pairing.is_none());
    world.open(None);
    world.choose("io.metamask");
    assert_eq!((world.pairing().phase, count(&world)), (PairingPhase::Ready, 2));
}
