//! Shares of visitors in the relay's room and in its answers.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, WALLET, peer, post};
use crate::support::relay::{Peer, RELAY, message, path, topic};
use crate::support::socket::Serving;
use crate::support::{self, Server, status_and_text, within};
use axum::body::Body;
use axum::http::{Response, StatusCode};
use futures_util::future::join_all;
use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

async fn ask(server: &Server, visitor: &str, key: u8, method: &str, params: &Value) -> Response<Body> {
    let asked = json!({"id": 1_700_000_000_000_000_000_u64, "jsonrpc": "2.0", "method": method, "params": params});
    post(server, visitor, &path(key).replace("/?", "/relay/rpc?"), asked.to_string()).await
}

#[tokio::test]
async fn pages_that_a_visitor_does_not_read_count_in_its_memory_and_leave_its_neighbour_room() {
    let relay = RELAY.replace("limits.client_per_second = 0\n", "");
    let server = Server::configured(&format!("max_body_memory_mib = 4\n{BEHIND_A_PROXY}{relay}")).await;
    for letter in ["a", "b", "c"] {
        let sent = ask(&server, ABUSER, 1, "irn_publish", &message(&topic(1), &letter.repeat(200_000))).await;
        assert_eq!(status_and_text(sent).await.0, StatusCode::OK);
    }
    let fetch = async |visitor, key| ask(&server, visitor, key, "irn_fetchMessages", &json!({"topic": topic(1)})).await;
    // A page has more than half of what one visitor may have, and seven would fill the memory of all.
    let mut unread = vec![fetch(ABUSER, 2).await];
    for key in 3..10 {
        let refused = fetch(ABUSER, key).await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        unread.push(refused);
    }
    let (status, page) = status_and_text(fetch(NEIGHBOUR, 20).await).await;
    assert_eq!((status, page.len() > 600_000), (StatusCode::OK, true));
    drop(unread);
    // What was refused has stayed in the mailbox.
    let (status, page) = status_and_text(fetch(ABUSER, 3).await).await;
    assert_eq!((status, page.len() > 600_000), (StatusCode::OK, true));
}

#[tokio::test]
async fn an_honest_pairing_succeeds_while_one_address_floods_and_has_filled_all_the_room_it_may() {
    let relay = RELAY.replace("limits.client_per_second = 0\n", "");
    let most = "mib_total = 4\nmib_per_visitor = 1\nsubscriptions_total = 40\nsubscriptions_per_visitor = 10\n";
    let serving = Serving::configured(&format!("{BEHIND_A_PROXY}{relay}{most}")).await;
    let mut refused = Vec::new();
    for key in 10..20 {
        let mut abuser = peer(&serving, ABUSER, key).await;
        for number in 0..5 {
            let topic = topic(1000 * usize::from(key) + number);
            let subscribed = abuser.ask("irn_subscribe", &json!({"topic": topic})).await;
            let sent = abuser.ask("irn_publish", &message(&topic, &format!("{key}{number}").repeat(60_000))).await;
            refused.extend([&subscribed, &sent].map(|answer| answer["error"]["data"].as_str().map(str::to_owned)));
        }
    }
    let count = |why: &str| refused.iter().filter(|refused| refused.as_deref() == Some(why)).count();
    // The limits are 10 subscriptions and 5 messages. Each one stored during the first count of the tables is counted twice, so at least
    // half of them fit.
    let refused = (count("SubscriberLimitExceeded"), count("MailboxLimitExceeded"));
    assert!(matches!(refused, (40..=45, 45..=47)), "{refused:?}");
    // The flood goes on during the pairing.
    let sent = Arc::new(AtomicUsize::new(0));
    let floods: Vec<_> = join_all((20..28).map(|key| peer(&serving, ABUSER, key)))
        .await
        .into_iter()
        .enumerate()
        .map(|(abuser, peer)| tokio::spawn(flood(peer, 1_000_000 * (1 + abuser), sent.clone())))
        .collect();
    let flooded = || sent.load(Ordering::Relaxed);
    within("a flood", async {
        while flooded() < 20 {
            tokio::task::yield_now().await
        }
    })
    .await;
    let before = flooded();
    let (mut page, mut wallet) = (peer(&serving, NEIGHBOUR, 1).await, peer(&serving, WALLET, 2).await);
    // The page proposes before the phone has scanned the code.
    page.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    page.done("irn_publish", &message(&topic(1), "proposal")).await;
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!(wallet.takes().await, "proposal");
    wallet.done("irn_publish", &message(&topic(1), "approval")).await;
    assert_eq!(page.takes().await, "approval");
    assert!(flooded() > before, "the flood has ended");
    assert!(floods.iter().all(|flood| !flood.is_finished()));
    floods.into_iter().for_each(|flood| flood.abort());
}

/// Subscribes and publishes without end, to one new topic after the other.
async fn flood(mut peer: Peer, first: usize, sent: Arc<AtomicUsize>) {
    for number in first.. {
        peer.ask("irn_subscribe", &json!({"topic": topic(number)})).await;
        peer.ask("irn_publish", &message(&topic(number), &format!("{number}").repeat(10_000))).await;
        sent.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_visitor_with_many_sockets_has_long_messages_on_few_of_them() {
    let relay = RELAY.replace("limits.client_per_second = 0\n", "");
    let serving = Serving::configured(&format!("{BEHIND_A_PROXY}{relay}")).await;
    let long = message(&topic(1), &"x".repeat(100_000));
    let mut sockets = Vec::new();
    for key in 100..132 {
        sockets.push(peer(&serving, ABUSER, key).await);
    }
    let mut further = peer(&serving, ABUSER, 200).await;
    further.done("irn_publish", &message(&topic(1), &"x".repeat(50_000))).await;
    further.say("irn_publish", &long).await;
    assert_eq!(further.client.next().await, Err((1009, "Send a shorter message, as text".into())));
    sockets[31].done("irn_publish", &long).await;
    peer(&serving, NEIGHBOUR, 1).await.done("irn_publish", &long).await;
}

#[tokio::test]
async fn a_client_above_its_rate_is_not_heard_for_a_second_and_its_neighbour_is() {
    let serving = Serving::configured(&format!("{RELAY}publishes_per_second = 1\npublish_burst = 2\n")).await;
    let (mut hasty, mut calm) = (Peer::open(&serving, 1).await, Peer::open(&serving, 2).await);
    // A message of 32 KiB costs two.
    hasty.done("irn_publish", &message(&topic(1), &"x".repeat(32 * 1024))).await;
    assert_eq!(hasty.refused("irn_publish", &message(&topic(1), "y")).await.1, "TooManyRequests");
    let later = hasty.say("irn_subscribe", &json!({"topic": topic(2)})).await;
    for number in 10..15 {
        calm.done("irn_subscribe", &json!({"topic": topic(number)})).await;
    }
    assert!(hasty.client.0.next().now_or_never().is_none());
    support::pass(Duration::from_secs(1)).await;
    assert!(hasty.answer(&later).await["error"].is_null());
}
