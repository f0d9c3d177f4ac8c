//! Scenarios of the relay's states and messages.

use super::*;

#[test]
fn a_relay_that_takes_long_is_slow_and_one_that_cannot_be_reached_is_said() {
    let mut world = shown(desktop(), "walletConnect");
    world.advance(7_999);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.advance(1);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.relay_tells(RelayState::Closed, Some("1006"));
    assert_eq!(world.pairing().phase, PairingPhase::Unreachable);
    world.relay_tells(RelayState::Connecting, None);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.relay_tells(RelayState::Open, None);
    assert_eq!((world.pairing().phase, world.pairing().error), (PairingPhase::Ready, None));
    // The relay disconnects again, and returns in time.
    world.relay_tells(RelayState::Closed, None);
    world.advance(7_000);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.relay_tells(RelayState::Open, None);
    world.advance(7_000);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
}

#[test]
fn a_relay_that_goes_and_comes_does_not_put_off_what_is_said() {
    let mut world = shown(desktop(), "walletConnect");
    for _ in 0..8 {
        world.relay_tells(RelayState::Connecting, None);
        world.advance(500);
        world.relay_tells(RelayState::Closed, None);
        world.advance(500);
    }
    assert_eq!(world.pairing().phase, PairingPhase::Unreachable);
}

#[test]
fn one_relay_of_several_is_enough() {
    let mut world = shown(desktop(), "walletConnect");
    world.relay_tells(RelayState::Closed, Some("1006"));
    world.advance(8_000);
    assert_eq!(world.pairing().error.unwrap().code, 4900);
    world.relay_tells(RelayState::Refused, Some("Unauthorized: invalid key"));
    assert_eq!(world.pairing().phase, PairingPhase::Unreachable);
    assert_eq!(world.pairing().error.unwrap().code, 3000, "a better line would not help");
    let relay = "wss://other.example".into();
    world.connecting(Connect::RelayTold { relay, state: RelayState::Open, reason: None });
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
}

#[test]
fn spec_8_49_what_a_relay_says_becomes_the_alert_of_its_meaning_once() {
    for (said, key) in [
        ("Unauthorized: origin not allowed", AlertKey::OriginNotAllowed),
        ("JWT validation error: JWT Token is not yet valid", AlertKey::JwtTokenNotValid),
        ("Unauthorized: invalid key", AlertKey::InvalidProjectId),
    ] {
        let mut world = shown(desktop(), "walletConnect");
        world.relay_tells(RelayState::Refused, Some(said));
        world.relay_tells(RelayState::Refused, Some(said));
        assert_eq!(world.alerts, [(key, String::from("https://host.example"))]);
        let pairing = world.pairing();
        assert_eq!((pairing.phase, pairing.error.unwrap().message.as_str()), (PairingPhase::Unreachable, said));
        // Another try clears the earlier error.
        world.connecting(Connect::PairingRetryAsked);
        assert_eq!(world.pairing().phase, PairingPhase::Ready);
    }
}

#[test]
fn spec_8_46_a_relay_that_misses_the_project_id_raises_the_alert_for_it() {
    let mut world = shown(desktop(), "walletConnect");
    world.relay_tells(RelayState::Refused, Some("Unauthorized: Project ID is missing"));
    assert_eq!(world.alerts[0].0, AlertKey::ProjectIdNotConfigured);
}
