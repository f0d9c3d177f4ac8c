//! Metrics of the relay for operators.

use crate::support;
use serde_json::json;
use std::process::Stdio;
use support::node::{ask, portico, said};
use support::relay::{Peer, RELAY, message, path, topic};
use support::socket::Client;
use support::within;
use tokio::io::{AsyncBufReadExt, BufReader};

#[tokio::test]
async fn the_metrics_of_the_relay_count_what_it_did_and_name_no_topic_and_no_client() {
    let folder = tempfile::tempdir().unwrap();
    let toml = format!("listen = \"127.0.0.1:0\"\nadmin_listen = \"127.0.0.1:0\"\n{RELAY}");
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
    let mut child = portico(folder.path(), &["serve"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let admin = within("a line", lines.next_line()).await.unwrap().unwrap();
    let admin = admin.strip_prefix("metrics on http://").unwrap().strip_suffix("/metrics").unwrap().to_owned();
    let address = within("a line", lines.next_line()).await.unwrap().unwrap();
    let address = address.strip_prefix("listening on http://").unwrap();

    let (mut dapp, mut wallet) = (Peer::at(address, 1).await, Peer::at(address, 2).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_publish", &message(&topic(1), "hello")).await;
    assert_eq!(wallet.takes().await, "hello");
    // Requests are processed in order, so earlier ones are done after this response.
    wallet.refused("irn_nothing", &json!({})).await;
    let refused = path(3).replace("projectId=demo", "projectId=stranger");
    let mut stranger = Client::at(&format!("ws://{address}{refused}")).await;
    assert_eq!(stranger.next().await.unwrap_err().0, 3000);

    let (status, told) = ask(&admin, "GET /metrics", "").await.unwrap();
    assert_eq!(status, 200);
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
async fn a_relay_without_room_says_so_in_metrics_health_and_doctor() {
    let folder = tempfile::tempdir().unwrap();
    let toml = format!(
        "listen = \"127.0.0.1:0\"\nadmin_listen = \"127.0.0.1:0\"\n{RELAY}mib_total = 1\nsubscriptions_total = 2\n"
    );
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
    let mut child = portico(folder.path(), &["serve"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let admin = within("a line", lines.next_line()).await.unwrap().unwrap();
    let admin = admin.strip_prefix("metrics on http://").unwrap().strip_suffix("/metrics").unwrap().to_owned();
    let address = within("a line", lines.next_line()).await.unwrap().unwrap();
    let address = address.strip_prefix("listening on http://").unwrap();
    assert!(ask(address, "GET /health/ready", "").await.unwrap().1.ends_with("\r\n\r\nready\n"));

    // The wallet subscribes, and acknowledges nothing.
    let (mut dapp, mut wallet) = (Peer::at(address, 1).await, Peer::at(address, 2).await);
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1), topic(2)]})).await;
    for number in 0..7 {
        dapp.done("irn_publish", &message(&topic(1), &format!("{number}{}", "x".repeat(140_000)))).await;
    }
    let full = dapp.refused("irn_publish", &message(&topic(1), &"y".repeat(140_000))).await;
    assert_eq!(full.1, "MailboxLimitExceeded");

    let (_, told) = ask(&admin, "GET /metrics", "").await.unwrap();
    assert!(told.lines().any(|line| line == "portico_full_ratio{of=\"relay_subscriptions\"} 1"), "{told}");
    let part = told.lines().find_map(|line| line.strip_prefix("portico_full_ratio{of=\"relay_messages\"} "));
    assert!((0.9..=1.0).contains(&part.unwrap().parse::<f64>().unwrap()), "{part:?}");
    let (status, ready) = ask(address, "GET /health/ready", "").await.unwrap();
    assert_eq!(status, 200);
    assert!(ready.ends_with("ready, but little room is left. See portico_full_ratio in the metrics.\n"), "{ready}");
    let doctor = said(folder.path(), &["doctor"]).await.1;
    let room =
        "7 messages wait, 2 subscriptions are kept: 93% of `relay.mib_total`, 100% of `relay.subscriptions_total`";
    assert!(doctor.contains(room), "{doctor}");
}
