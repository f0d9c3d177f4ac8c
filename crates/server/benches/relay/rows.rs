//! Rows of the table, each with the function that measures it.

use crate::client::{Socket, ask, listen, open, request, tokens, topic};
use crate::process::{DataFolder, Running};
use crate::row::{Limit, Row, median};
use futures_util::stream::iter;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::{sleep, sleep_until};
use tokio_tungstenite::tungstenite::Message;

pub const ROWS: [&str; 3] = ["sockets", "publishes", "killed"];

pub async fn measure(name: &str) -> Vec<Row> {
    match name {
        "sockets" => sockets().await,
        "publishes" => publishes().await,
        _ => killed().await,
    }
}

const SOCKETS: usize = 10_000;

/// Number of sockets that are being opened at the same time.
const AT_ONCE: usize = 1000;

/// Connects all clients, each with a topic of its own; returns the sockets and the total time.
async fn come(relay: &Running, tokens: &[String]) -> (Vec<Socket>, Duration) {
    let begun = Instant::now();
    let opening = tokens.iter().enumerate().map(|(number, token)| listen(&relay.address, token, number));
    let opened: Vec<Option<Socket>> = iter(opening).buffer_unordered(AT_ONCE).collect().await;
    let took = begun.elapsed();
    let sockets: Vec<Socket> = opened.into_iter().flatten().collect();
    assert_eq!(sockets.len(), tokens.len());
    (sockets, took)
}

async fn sockets() -> Vec<Row> {
    let tokens = tokens(SOCKETS);
    let place = DataFolder::new("").await;
    let relay = place.start().await;
    let empty = relay.memory();
    let (sockets, first) = come(&relay, &tokens).await;
    // Longer than the 5 s after which clients receive the messages of earlier subscriptions.
    sleep(Duration::from_secs(8)).await;
    let idle = relay.memory();
    relay.kill().await;
    drop(sockets);
    let relay = place.start().await;
    let (_sockets, again) = come(&relay, &tokens).await;
    vec![
        Row {
            what: "Resident memory with 10,000 idle sockets",
            limit: Limit::AtMost(300.0),
            measured: idle,
            unit: "MiB",
            note: format!("{empty:.0} MiB without; each listens to one topic"),
        },
        Row {
            what: "10,000 clients come back after the relay was killed and started again",
            limit: Limit::AtMost(10.0),
            measured: again.as_secs_f64(),
            unit: "s",
            note: format!(
                "until the last one's subscription is answered, tokens verified, {AT_ONCE} at once; when they first came {:.1} s",
                first.as_secs_f64()
            ),
        },
    ]
}

/// Offered load, a little above the required one: 5,100 messages a second.
const PAIRS: usize = 255;
const EACH_SECOND: u64 = 20;
const SECONDS: u64 = 20;

/// Latencies from the due time of a message, in milliseconds.
#[derive(Default)]
struct Times {
    told: Mutex<Vec<f64>>,
    stored: Mutex<Vec<f64>>,
}

async fn publishes() -> Vec<Row> {
    let place = DataFolder::new("").await;
    let relay = place.start().await;
    let tokens = tokens(2 * PAIRS);
    let times = Arc::new(Times::default());
    let mut sockets = Vec::new();
    for pair in 0..PAIRS {
        let wallet = listen(&relay.address, &tokens[2 * pair], pair).await.unwrap();
        sockets.push((open(&relay.address, &tokens[2 * pair + 1]).await.unwrap(), wallet));
    }
    let begin = Instant::now() + Duration::from_millis(500);
    let pairs: Vec<_> = sockets
        .into_iter()
        .enumerate()
        .map(|(pair, (dapp, wallet))| tokio::spawn(converse(pair, begin, dapp, wallet, times.clone())))
        .collect();
    for pair in pairs {
        pair.await.unwrap();
    }
    let took = begin.elapsed().as_secs_f64();
    let (told, stored) = (sorted(&times.told), sorted(&times.stored));
    let at = |times: &[f64], part: f64| times[((times.len() - 1) as f64 * part) as usize];
    let count = stored.len() as f64;
    vec![
        Row {
            what: "Messages published, acknowledged, told and taken",
            limit: Limit::AtLeast(5000.0),
            measured: count / took,
            unit: "a second",
            note: format!(
                "{} a second are sent for {SECONDS} s by {PAIRS} clients to as many others, 1 KB each; {count} in all",
                PAIRS as u64 * EACH_SECOND
            ),
        },
        Row {
            what: "99th percentile from its publication to its delivery",
            limit: Limit::AtMost(50.0),
            measured: at(&told, 0.99),
            unit: "ms",
            note: format!(
                "median {:.1} ms; until the publisher is told that it is stored: median {:.1} ms, 99th percentile {:.1} ms; {:.0} MiB",
                median(told.clone()),
                median(stored.clone()),
                at(&stored, 0.99),
                relay.memory()
            ),
        },
    ]
}

fn sorted(times: &Mutex<Vec<f64>>) -> Vec<f64> {
    let mut times = std::mem::take(&mut *times.lock().unwrap());
    times.sort_by(f64::total_cmp);
    times
}

/// The dapp publishes on schedule, whatever happens; the wallet acknowledges what it receives.
async fn converse(pair: usize, begin: Instant, dapp: Socket, wallet: Socket, times: Arc<Times>) {
    let all = EACH_SECOND * SECONDS;
    let between = Duration::from_secs(1) / u32::try_from(EACH_SECOND).unwrap();
    let offset = between.mul_f64(pair as f64 / PAIRS as f64);
    let due = move |number: u64| begin + offset + between * u32::try_from(number).unwrap();
    let since = move |number: u64| due(number).elapsed().as_secs_f64() * 1000.0;
    let (mut publish, mut answers) = dapp.split();
    let (mut acknowledge, mut told) = wallet.split();
    let body = "A".repeat(1000);
    let publishing = tokio::spawn(async move {
        for number in 0..all {
            sleep_until(due(number).into()).await;
            let params = json!({"topic": topic(pair), "message": format!("{number} {body}"), "ttl": 300, "tag": 1108});
            publish.send(request(number, "irn_publish", &params)).await.unwrap();
        }
    });
    let taking = tokio::spawn(async move {
        let mut took = Vec::new();
        while (took.len() as u64) < all {
            let Message::Text(text) = told.next().await.unwrap().unwrap() else { continue };
            let number = after(&text, "\"message\":\"").parse().unwrap();
            took.push(since(number));
            let id = after(&text, "\"id\":");
            let answer = format!(r#"{{"id":{id},"jsonrpc":"2.0","result":true}}"#);
            acknowledge.send(Message::text(answer)).await.unwrap();
        }
        took
    });
    let mut stored = Vec::new();
    while (stored.len() as u64) < all {
        let Message::Text(text) = answers.next().await.unwrap().unwrap() else { continue };
        assert!(text.contains("\"result\":true"), "{text}");
        let id: u64 = after(&text, "\"id\":").parse().unwrap();
        stored.push(since(id - 1_700_000_000_000_000));
    }
    publishing.await.unwrap();
    let took = taking.await.unwrap();
    times.told.lock().unwrap().extend(took);
    times.stored.lock().unwrap().extend(stored);
}

/// Digits after a word.
fn after<'t>(text: &'t str, word: &str) -> &'t str {
    let rest = text.split_once(word).unwrap().1;
    &rest[..rest.find(|character: char| !character.is_ascii_digit()).unwrap()]
}

const STORED: usize = 100_000;
const WRITERS: usize = 8;
const BATCH: usize = 50;
const TOPICS: usize = 200;

async fn killed() -> Vec<Row> {
    let place = DataFolder::new("publishes_per_second = 0\n").await;
    let relay = place.start().await;
    let acknowledged = Arc::new(Mutex::new(HashSet::new()));
    let count = Arc::new(AtomicUsize::new(0));
    let enough = Arc::new(Notify::new());
    let begun = Instant::now();
    let writers: Vec<_> = tokens(WRITERS)
        .into_iter()
        .enumerate()
        .map(|(writer, token)| {
            let address = relay.address.clone();
            tokio::spawn(write(writer, address, token, acknowledged.clone(), count.clone(), enough.clone()))
        })
        .collect();
    enough.notified().await;
    relay.kill().await;
    let took = begun.elapsed().as_secs_f64();
    for writer in writers {
        writer.await.unwrap();
    }
    let begun = Instant::now();
    let relay = place.start().await;
    let found = found(&relay).await;
    let acknowledged = acknowledged.lock().unwrap();
    let lost = acknowledged.difference(&found).count();
    vec![Row {
        what: "Acknowledged messages lost where the relay is killed with 100,000 of them stored",
        limit: Limit::AtMost(0.0),
        measured: lost as f64,
        unit: "messages",
        note: format!(
            "of {} acknowledged in {took:.0} s; killed while {WRITERS} clients published, all read again in {:.0} s",
            acknowledged.len(),
            begun.elapsed().as_secs_f64()
        ),
    }]
}

/// Publishes until the relay is gone.
async fn write(
    writer: usize,
    address: String,
    token: String,
    acknowledged: Arc<Mutex<HashSet<String>>>,
    count: Arc<AtomicUsize>,
    enough: Arc<Notify>,
) {
    let mut socket = open(&address, &token).await.unwrap();
    let body = "A".repeat(1000);
    for batch in 0.. {
        // A topic holds a thousand messages, so each batch goes to the next topic.
        let on = topic((batch * WRITERS + writer) % TOPICS);
        let names: Vec<String> = (0..BATCH).map(|number| format!("{writer}-{batch}-{number} ")).collect();
        let message =
            |name: &String| json!({"topic": on, "message": format!("{name}{body}"), "ttl": 86_400, "tag": 1108});
        let messages: Vec<_> = names.iter().map(message).collect();
        if ask(&mut socket, "irn_batchPublish", &json!({"messages": messages})).await.is_none() {
            return;
        }
        acknowledged.lock().unwrap().extend(names);
        if count.fetch_add(BATCH, Ordering::Relaxed) + BATCH >= STORED {
            enough.notify_one();
        }
    }
}

/// Stored messages, read by new clients.
async fn found(relay: &Running) -> HashSet<String> {
    let readers = tokens(2 * WRITERS).split_off(WRITERS).into_iter().enumerate().map(|(reader, token)| async move {
        let mut socket = open(&relay.address, &token).await.unwrap();
        let topics: Vec<String> = (reader..TOPICS).step_by(WRITERS).map(topic).collect();
        let mut found = Vec::new();
        loop {
            let page = ask(&mut socket, "irn_batchFetchMessages", &json!({"topics": topics})).await.unwrap();
            let messages = page["messages"].as_array().unwrap();
            let name = |text: &str| format!("{} ", text.split_once(' ').unwrap().0);
            found.extend(messages.iter().map(|message| name(message["message"].as_str().unwrap())));
            if page["hasMore"] == false {
                return found;
            }
        }
    });
    iter(readers).buffer_unordered(WRITERS).collect::<Vec<_>>().await.into_iter().flatten().collect()
}
