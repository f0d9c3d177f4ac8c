//! Relays that lie, stay silent or break, and clocks that are wrong.

use crate::net;
use net::{DAPP, Net, RELAY, WALLET};
use portico_walletconnect::client::{Event, Input};
use portico_walletconnect::relay::RelayFault;

#[test]
fn a_relay_that_says_everything_twice_in_the_wrong_order_and_with_echoes_is_borne() {
    let mut net = Net::new();
    net.relay().twice = true;
    net.relay().reversed = true;
    net.relay().echoes = true;
    let topic = net.session();
    for _ in 0..3 {
        assert!(net.serves(&topic));
    }
    assert_eq!(net.requests().len(), 3);
}

#[test]
fn a_message_that_the_relay_lost_is_said_again_on_the_same_socket() {
    let mut net = Net::new();
    let topic = net.session();
    net.relay().swallows = 1;
    net.sign(&topic);
    net.pass(9_999);
    assert!(net.requests().is_empty());
    net.pass(1);
    assert_eq!(net.requests().len(), 1);
    assert_eq!(net.nodes[DAPP].opened.len(), 1);
}

#[test]
fn a_relay_that_never_answers_is_left_and_tried_again() {
    let mut net = Net::new();
    let topic = net.session();
    net.relay().deaf = true;
    let ticket = net.sign(&topic);
    net.pass(100_000);
    let tries = net.nodes[DAPP].opened.len();
    assert!((4..12).contains(&tries), "{tries} sockets");
    net.relay().deaf = false;
    net.pass(60_000);
    let request = net.requests().first().cloned().expect("the request arrived");
    net.respond(&request, "1");
    assert!(net.given(DAPP, ticket).unwrap().is_ok());
}

#[test]
fn a_relay_that_refuses_this_client_is_not_asked_again_until_something_changes() {
    for (reason, tries) in [
        ("Unauthorized: invalid key", 1..2),
        ("Project ID is missing", 1..2),
        ("Unauthorized: origin not allowed", 1..2),
        ("JWT validation error: Invalid signature", 5..20),
    ] {
        let mut net = Net::new();
        net.relay().refuses = Some((3000, reason.into()));
        net.propose(None);
        net.pass(120_000);
        let opened = net.nodes[DAPP].opened.len();
        assert!(tries.contains(&opened), "{reason}: {opened}");
        let told = net.nodes[DAPP].told.iter();
        let said = told.filter(|event| matches!(event, Event::Relay { reason: Some(text), .. } if text == reason));
        assert_eq!(said.count(), opened);
        net.relay().refuses = None;
        net.input(DAPP, Input::Wake);
        assert_eq!(net.nodes[DAPP].sockets.len(), 1);
    }
}

#[test]
fn a_client_whose_clock_is_wrong_learns_the_relays_time() {
    let mut net = Net::new();
    let reason = "JWT validation error: JWT Token is not yet valid: basic.iat: 1700000600, \
        now + time_leeway: 1700000120, time_leeway: 120";
    net.relay().refuses = Some((3000, reason.into()));
    net.nodes[DAPP].ahead = 600_000;
    net.propose(None);
    net.relay().refuses = None;
    net.pass(3000);
    let token = net.nodes[DAPP].opened[1].split("auth=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    let claims = portico_walletconnect::jwt::verify(&token, &[RELAY], net.now / 1000).expect("in time");
    assert!(claims.issued.abs_diff(net.now / 1000) <= 3);
}

#[test]
fn clocks_that_are_minutes_apart_settle_and_serve() {
    for ahead in [-110_000, 110_000] {
        let mut net = Net::new();
        net.nodes[WALLET].ahead = ahead;
        let topic = net.session();
        assert!(net.serves(&topic), "{ahead}");
    }
}

#[test]
fn a_message_that_the_relay_refuses_is_given_up_and_told() {
    for (fault, wait) in [(RelayFault::PayloadSizeExceeded, 0), (RelayFault::TooManyRequests, 60_000)] {
        let mut net = Net::new();
        let topic = net.session();
        net.relay().fault = Some(fault);
        let ticket = net.ticket();
        net.input(WALLET, Input::Extend { ticket, topic: topic.clone() });
        assert_eq!(net.given(WALLET, ticket).is_some(), wait == 0);
        net.pass(wait);
        assert_eq!(net.given(WALLET, ticket).unwrap().unwrap_err().0, 4900);
        net.relay().fault = None;
        assert!(net.serves(&topic));
    }
}

#[test]
fn sockets_that_break_are_opened_again_and_nothing_is_lost() {
    let mut net = Net::new();
    let topic = net.session();
    for _ in 0..5 {
        net.relay().down = true;
        net.cut(&[DAPP, WALLET]);
        let ticket = net.sign(&topic);
        let before = net.requests().len();
        net.pass(20_000);
        net.relay().down = false;
        net.pass(31_000);
        let request = net.requests().get(before).cloned().expect("the request arrived");
        net.respond(&request, "1");
        assert!(net.given(DAPP, ticket).unwrap().is_ok());
    }
}

#[test]
fn a_request_that_the_relay_refuses_for_good_is_refused_at_once() {
    let mut net = Net::new();
    let topic = net.session();
    net.relay().fault = Some(RelayFault::PayloadSizeExceeded);
    let ticket = net.sign(&topic);
    assert_eq!(net.given(DAPP, ticket).expect("refused").unwrap_err().0, 4900);
    let given = net.command(DAPP, |ticket| Input::Ping { ticket, topic });
    assert_eq!(given.expect("refused").unwrap_err().0, 4900);
}

#[test]
fn a_request_that_no_relay_can_carry_is_refused_and_the_others_pass() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign_text(&topic, &"0".repeat(300_000));
    assert_eq!(net.given(DAPP, ticket).expect("refused").unwrap_err().0, 4900);
    net.relay().longest = Some(100_000);
    let ticket = net.sign_text(&topic, &"0".repeat(100_000));
    net.pass(5000);
    assert_eq!(net.given(DAPP, ticket).expect("refused").unwrap_err().0, 4900);
    assert!(net.serves(&topic));
}

#[test]
fn a_clock_that_is_set_back_stops_nothing() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    net.cut(&[DAPP]);
    net.nodes[DAPP].ahead = -3_600_000;
    net.input(DAPP, Input::Tick);
    net.pass(60_000);
    assert_eq!(net.nodes[DAPP].sockets.len(), 1);
    net.pass(240_000);
    assert_eq!(net.given(DAPP, ticket).expect("over its time").unwrap_err().0, 8000);
}

#[test]
fn a_socket_that_died_unnoticed_is_left_while_an_answer_is_awaited() {
    for request in [true, false] {
        let mut net = Net::new();
        if request {
            let topic = net.session();
            net.sign(&topic);
        } else {
            net.propose(None);
        }
        net.relay().deaf = true;
        net.pass(60_000);
        assert!(net.nodes[DAPP].opened.len() > 1, "{request}");
    }
}

#[test]
fn a_socket_that_may_be_dead_is_not_asked_for_what_it_would_lose() {
    let mut net = Net::new();
    net.session();
    let before = net.relay().fetches;
    net.relay().deaf = true;
    net.input(DAPP, Input::Wake);
    net.input(DAPP, Input::Wake);
    net.pass(4000);
    assert_eq!(net.relay().fetches, before);
    net.pass(2000);
    assert_eq!(net.nodes[DAPP].opened.len(), 2);
    net.relay().deaf = false;
    net.pass(60_000);
    assert_eq!(net.relay().fetches, before + 1);
    net.input(DAPP, Input::Wake);
    assert_eq!(net.relay().fetches, before + 2);
}

#[test]
fn clocks_that_are_six_minutes_apart_pair_settle_and_serve() {
    for ahead in [-360_000, 360_000] {
        let mut net = Net::new();
        net.nodes[WALLET].ahead = ahead;
        let topic = net.session();
        assert!(net.serves(&topic), "{ahead}");
    }
}

#[test]
fn a_relay_that_refuses_for_now_is_asked_less_and_less_often() {
    let mut net = Net::new();
    let topic = net.session();
    net.relay().fault = Some(RelayFault::StorageError);
    net.sign(&topic);
    net.pass(290_000);
    let asked = net.relay().publishes;
    assert!((10..20).contains(&asked), "{asked}");
}

#[test]
fn a_subscription_that_the_relay_did_not_hear_is_made_again_on_the_same_socket() {
    let mut net = Net::new();
    let session = net.session();
    net.pass(1000);
    let sockets = net.nodes[DAPP].opened.len();
    net.relay().unwilling = true;
    let (_, pairing) = net.propose(None);
    for _ in 0..3 {
        // Other calls are answered, so the relay is alive.
        net.pass(9000);
        net.command(DAPP, |ticket| Input::Ping { ticket, topic: session.clone() });
    }
    net.relay().unwilling = false;
    net.pass(9000);
    net.command(DAPP, |ticket| Input::Ping { ticket, topic: session.clone() });
    assert!(net.relay().subscriptions.iter().any(|(topic, node)| *topic == pairing && *node == DAPP));
    assert_eq!(net.nodes[DAPP].opened.len(), sockets);
}
