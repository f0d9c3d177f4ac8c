//! Metrics of the relay for operators.

use crate::support;
use serde_json::json;
use support::node::{Measured, ask, said};
use support::relay::{Peer, RELAY, message, topic, traffic};

#[tokio::test]
async fn the_metrics_of_the_relay_count_what_it_did_and_name_no_topic_and_no_client() {
    let server = Measured::start(RELAY).await;
    let _peers = traffic(&server.address).await;
    let told = server.metrics().await;
    for line in [
        "portico_relay_sockets 2",
        "portico_relay_requests_total{method=\"subscribe\",outcome=\"done\"} 1",
        "portico_relay_requests_total{method=\"publish\",outcome=\"done\"} 1",
        "portico_relay_messages_total{what=\"published\"} 1",
        "portico_relay_messages_total{what=\"pushed\"} 1",
        "portico_relay_messages_total{what=\"acknowledged\"} 1",
        "portico_relay_refused_sockets_total{why=\"ProjectNotFound\"} 1",
    ] {
        assert!(told.lines().any(|said| said == line), "{line} is not in {told}");
    }
    assert!(told.contains("portico_relay_store_seconds_count"), "{told}");
    for secret in [topic(1), support::relay::did(1), "hello".into(), "stranger".into()] {
        assert!(!told.contains(&secret), "{secret} is in {told}");
    }
}

#[tokio::test]
async fn a_relay_without_clients_has_its_number_of_sockets_from_the_start() {
    let told = Measured::start(RELAY).await.metrics().await;
    assert!(told.lines().any(|line| line == "portico_relay_sockets 0"), "{told}");
    let told = Measured::start("").await.metrics().await;
    assert!(!told.contains("portico_relay_sockets 0"), "{told}");
}

#[tokio::test]
async fn a_relay_without_room_says_so_in_metrics_health_and_doctor() {
    let server = Measured::start(&format!("{RELAY}mib_total = 1\nsubscriptions_total = 2\n")).await;
    let address = server.address.as_str();
    assert!(ask(address, "GET /health/ready", "").await.unwrap().1.ends_with("\r\n\r\nready\n"));

    // The wallet subscribes, and acknowledges nothing.
    let (mut dapp, mut wallet) = (Peer::at(address, 1).await, Peer::at(address, 2).await);
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1), topic(2)]})).await;
    for number in 0..7 {
        dapp.done("irn_publish", &message(&topic(1), &format!("{number}{}", "x".repeat(140_000)))).await;
    }
    let full = dapp.refused("irn_publish", &message(&topic(1), &"y".repeat(140_000))).await;
    assert_eq!(full.1, "MailboxLimitExceeded");

    let told = server.metrics().await;
    assert!(told.lines().any(|line| line == "portico_full_ratio{of=\"relay_subscriptions\"} 1"), "{told}");
    let part = told.lines().find_map(|line| line.strip_prefix("portico_full_ratio{of=\"relay_messages\"} "));
    assert!((0.9..=1.0).contains(&part.unwrap().parse::<f64>().unwrap()), "{part:?}");
    let (status, ready) = ask(address, "GET /health/ready", "").await.unwrap();
    assert_eq!(status, 200);
    assert!(ready.ends_with("ready, but little room is left. See portico_full_ratio in the metrics.\n"), "{ready}");
    let doctor = said(server.folder.path(), &["doctor"]).await.1;
    let room = "messages waiting: 7, subscriptions: 2 (93% of `relay.mib_total`, 100% of `relay.subscriptions_total`)";
    assert!(doctor.contains(room), "{doctor}");
}
