//! Rows of the table: what the abuser does, and what the honest visitor does meanwhile.

use crate::http::{Visitor, connect};
use crate::row::{Limit, Row};
use crate::server::{CHAIN, Running, start};
use crate::{other, relay};
use futures_util::StreamExt;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

pub const ROWS: [&str; 10] =
    ["sockets", "bodies", "calls", "mailboxes", "pictures", "egress", "searches", "histories", "analytics", "names"];

const HONEST: [u8; 4] = [127, 0, 0, 7];
const ABUSER: [u8; 4] = [127, 0, 0, 66];

/// Connections of the abuser, each as fast as the server answers.
const ABUSERS: usize = 64;

/// Number of samples, and the pause between two: a visitor's own rate limit allows a hundred requests a second.
const SAMPLES: usize = 400;
const PAUSE: Duration = Duration::from_millis(20);

/// Time the abuser has before the honest visitor comes.
const HEAD_START: Duration = Duration::from_secs(3);

/// The honest visitor gives up here.
const PATIENCE: Duration = Duration::from_secs(10);

pub async fn measure(name: &'static str, abuser: &Handle, others: &Handle) -> Row {
    let other = others.spawn(other::start()).await.unwrap();
    let server = start(other).await;
    // The first requests open files and fill caches.
    honest(name, &server, other, 20).await;
    let quiet = honest(name, &server, other, SAMPLES).await;
    let done = Arc::new(AtomicUsize::new(0));
    // The share of the machine that no server can give back: the same abuser connects to a program that only accepts and closes.
    let floor = match name {
        "sockets" => {
            let elsewhere = others.spawn(other::sink()).await.unwrap();
            let mut abusers = abusers(name, elsewhere, other, &Arc::default(), abuser);
            sleep(HEAD_START).await;
            let heard = honest(name, &server, other, SAMPLES).await;
            abusers.shutdown().await;
            format!("; {:.1} ms while the abuser connects to another program", percentile(&heard.times, 0.99))
        }
        _ => String::new(),
    };
    let mut abusers = abusers(name, server.address, other, &done, abuser);
    sleep(HEAD_START).await;
    let (before, begun) = (done.load(Ordering::Relaxed), Instant::now());
    let loud = honest(name, &server, other, SAMPLES).await;
    let rate = (done.load(Ordering::Relaxed) - before) as f64 / begun.elapsed().as_secs_f64();
    abusers.shutdown().await;
    let [quiet_p99, loud_p99] = [&quiet, &loud].map(|heard| percentile(&heard.times, 0.99));
    let [quiet_p50, loud_p50] = [&quiet, &loud].map(|heard| percentile(&heard.times, 0.5));
    Row {
        what: name,
        limit: Limit::AtMost(if loud.refused > 0 { 0.0 } else { 3.0 }),
        measured: loud_p99 / quiet_p99,
        unit: "times",
        note: format!(
            "p99 {quiet_p99:.1} → {loud_p99:.1} ms, median {quiet_p50:.1} → {loud_p50:.1} ms; {} of {SAMPLES} refused; abuser {rate:.0}/s{floor}",
            loud.refused
        ),
    }
}

#[derive(Default)]
struct Heard {
    /// In milliseconds.
    times: Vec<f64>,
    refused: usize,
}

fn percentile(times: &[f64], part: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * part) as usize]
}

fn picture(other: SocketAddr, name: &str) -> String {
    format!("/v1/image?projectId=bench&url=http%3A%2F%2F{}%3A{}%2F{name}", other.ip(), other.port())
}

fn address(number: usize) -> String {
    format!("0x{number:040x}")
}

fn event(number: usize) -> String {
    json!({"eventId": number.to_string(), "url": "https://a.example", "domain": "a.example", "timestamp": 7,
        "props": {"type": "track", "event": "MODAL_OPEN"}})
    .to_string()
}

/// Number of this sample among all of the process, so that no cache answers.
fn fresh() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// One visit of the honest visitor; whether it got what it came for.
async fn visit(name: &str, visitor: &mut Visitor, other: SocketAddr) -> bool {
    let number = fresh();
    let status = match name {
        "sockets" => {
            visitor.close();
            visitor.get("/health/live").await
        }
        "bodies" => visitor.post(&format!("/v1?chainId={CHAIN}&projectId=bench"), &call(number, 1024)).await,
        "calls" => visitor.post(&format!("/v1?chainId={CHAIN}&projectId=bench"), &call(number, 32)).await,
        "pictures" | "egress" => visitor.get(&picture(other, &format!("small{number}"))).await,
        "searches" => visitor.get(&format!("/getWallets?projectId=bench&search=a{number}")).await,
        "histories" => {
            let account = address(number);
            visitor.get(&format!("/v1/account/{account}/history?projectId=bench&chainId={CHAIN}")).await
        }
        "analytics" => visitor.post("/e?projectId=bench", &event(number)).await,
        "names" => visitor.get(&format!("/v1/profile/suggestions/a{number}?projectId=bench")).await,
        name => unreachable!("{name}"),
    };
    status.is_ok_and(|status| (200..300).contains(&status))
}

fn call(number: usize, length: usize) -> String {
    let data = format!("0x{}{number:016x}", "0".repeat(length.saturating_sub(16)));
    let params = json!([{"to": address(1), "data": data}, "latest"]);
    json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": params}).to_string()
}

async fn honest(name: &str, server: &Running, other: SocketAddr, samples: usize) -> Heard {
    let mut heard = Heard::default();
    let mut visitor = Visitor::new(HONEST, server.address);
    let mut pair = if name == "mailboxes" { Some(Pair::open(server).await) } else { None };
    for _ in 0..samples {
        let begun = Instant::now();
        let done = timeout(PATIENCE, async {
            match &mut pair {
                Some(pair) => pair.exchange().await,
                None => visit(name, &mut visitor, other).await,
            }
        });
        if !done.await.unwrap_or(false) {
            heard.refused += 1;
        }
        heard.times.push(begun.elapsed().as_secs_f64() * 1000.0);
        sleep(PAUSE).await;
    }
    heard
}

/// A page and a wallet that pair: the page subscribes and proposes, the wallet subscribes and takes the proposal.
struct Pair {
    page: relay::Socket,
    wallet: relay::Socket,
}

impl Pair {
    async fn open(server: &Running) -> Pair {
        // New clients for each phase: a client subscribes to so many new topics only.
        let count = 2 * fresh() % 1000 + 2;
        let tokens = relay::tokens(count).split_off(count - 2);
        let address = server.address.to_string();
        let page = relay::open_from(HONEST, &address, &tokens[0]).await.unwrap();
        let wallet = relay::open_from(HONEST, &address, &tokens[1]).await.unwrap();
        Pair { page, wallet }
    }

    async fn exchange(&mut self) -> bool {
        let topic = relay::topic(fresh());
        let proposal = json!({"topic": topic, "message": format!("proposal {topic}"), "ttl": 300, "tag": 1100});
        let done = async {
            relay::ask(&mut self.page, "irn_batchSubscribe", &json!({"topics": [topic]})).await?;
            relay::ask(&mut self.page, "irn_publish", &proposal).await?;
            relay::ask(&mut self.wallet, "irn_batchSubscribe", &json!({"topics": [topic]})).await?;
            loop {
                let text = self.wallet.next().await?.ok()?;
                if text.to_text().ok()?.contains(&topic) {
                    return Some(());
                }
            }
        };
        done.await.is_some()
    }
}

/// The abuser's tasks; `done` counts what the server answered, well or ill.
fn abusers(
    name: &'static str,
    to: SocketAddr,
    other: SocketAddr,
    done: &Arc<AtomicUsize>,
    runtime: &Handle,
) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    for task in 0..ABUSERS {
        let done = done.clone();
        let abuse = async move {
            let mut visitor = Visitor::new(ABUSER, to);
            let mut held = Vec::new();
            let mut mailer = None;
            loop {
                let number = 1_000_000 + fresh();
                let rpc = format!("/v1?chainId={CHAIN}&projectId=bench");
                let answered = match name {
                    // Connections that say half of a head, until they are closed.
                    "sockets" => match connect(ABUSER, to).await {
                        Ok(mut stream) => {
                            let said = stream.write_all(b"GET / HTTP/1.1\r\nhost:").await.is_ok();
                            held.push(stream);
                            if held.len() > 200 {
                                held.remove(0);
                            }
                            said
                        }
                        Err(_) => false,
                    },
                    "bodies" => visitor.post(&rpc, &call(number, 4 * 1024 * 1024)).await.is_ok(),
                    "calls" => {
                        let batch: Vec<String> = (0..100).map(|_| call(1_000_000 + fresh(), 32)).collect();
                        visitor.post(&rpc, &format!("[{}]", batch.join(","))).await.is_ok()
                    }
                    "mailboxes" => mail(&mut mailer, task, to).await,
                    "pictures" => visitor.get(&picture(other, &format!("large{number}"))).await.is_ok(),
                    "egress" => visitor.get(&picture(other, &format!("silent{number}"))).await.is_ok(),
                    "analytics" => {
                        let events: Vec<String> = (0..100).map(|_| event(1_000_000 + fresh())).collect();
                        visitor.post("/batch?projectId=bench", &format!("[{}]", events.join(","))).await.is_ok()
                    }
                    name => visit(name, &mut visitor, other).await || visitor.get("/health/live").await.is_ok(),
                };
                if !answered {
                    // A client that is refused comes back at once, but not in a loop without an await.
                    sleep(Duration::from_millis(1)).await;
                }
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        tasks.spawn_on(abuse, runtime);
    }
    tasks
}

/// Publishes the longest message to a topic that nobody subscribes to.
async fn mail(mailer: &mut Option<relay::Socket>, task: usize, to: SocketAddr) -> bool {
    if mailer.is_none() {
        let token = relay::tokens(100 + task).pop().unwrap();
        *mailer = relay::open_from(ABUSER, &to.to_string(), &token).await;
    }
    let Some(socket) = mailer else { return false };
    let body = format!("{}{}", fresh(), "x".repeat(200_000));
    let message = json!({"topic": relay::topic(1_000_000 + fresh()), "message": body, "ttl": 300, "tag": 1100});
    match relay::ask_any(socket, "irn_publish", &message).await {
        Some(answered) => answered,
        None => {
            *mailer = None;
            false
        }
    }
}
