//! Rows of the table.

use crate::login::{Mails, Visitor};
use crate::mail;
use crate::post::Line;
use crate::row::{Limit, Row, median};
use crate::server::{Running, start};
use axum::http::StatusCode;
use serde_json::json;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Visitors who log in for the first time and again; with the tries of codes, below what all visitors may try at once.
const VISITORS: u32 = 1000;
/// Visitors at once.
const LINES: usize = 48;
/// Logins with wrong codes, and wrong codes of each kind in one.
const GUESSED: u32 = 200;
/// Logins with known addresses, and as many with unknown ones.
const ASKED: u32 = 500;
/// Time after a mail in which its address gets no other one.
const PAUSE: Duration = Duration::from_secs(31);
/// Shares that are released one after another.
const RELEASES: u32 = 1000;
/// Beyond this, two kinds of samples differ in their time (the bound of dudect).
const DIFFERENT: f64 = 4.5;

pub async fn measure() -> Vec<Row> {
    let (address, arrived) = mail::sink(0).await;
    let mails = Mails::of(arrived);
    let server = start(address).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let memory = memory(&server);
    let visitors = (0..VISITORS).map(Visitor::new).collect();
    let (first, visitors) = logins(&server, &mails, visitors).await;
    let mailed = Instant::now();
    let (again, visitors) = logins(&server, &mails, visitors).await;
    let rate = Row {
        what: "Logins of known devices: a mail, a code, the shares",
        limit: Limit::AtLeast(500.0),
        measured: again,
        unit: "a second",
        note: format!(
            "{VISITORS} logins, {LINES} at once; first logins, with an approval and two mails: {first:.0} a second"
        ),
    };
    let released = releases(&server, &visitors).await;
    let wrong = wrong_codes(&server, &mails).await;
    tokio::time::sleep(PAUSE.saturating_sub(mailed.elapsed())).await;
    let asked = addresses(&server, &visitors).await;
    server.stop().await;
    vec![rate, released, wrong, asked, memory]
}

fn memory(server: &Running) -> Row {
    let (web, vault) = server.resident();
    Row {
        what: "Resident memory of server and vault, idle",
        limit: Limit::AtMost(80.0),
        measured: web + vault,
        unit: "MiB",
        note: format!("{web:.0} MiB and {vault:.0} MiB"),
    }
}

/// Logs all in, and returns how many in a second.
async fn logins(server: &Running, mails: &Mails, visitors: Vec<Visitor>) -> (f64, Vec<Visitor>) {
    let (count, begun) = (visitors.len(), Instant::now());
    let (waiting, done) = (Mutex::new(VecDeque::from(visitors)), Mutex::new(Vec::with_capacity(count)));
    let lines = (0..LINES).map(|_| async {
        let mut line = Line::open(server).await;
        loop {
            let next = waiting.lock().unwrap().pop_front();
            let Some(mut visitor) = next else { return };
            visitor.log_in(&mut line, mails).await;
            done.lock().unwrap().push(visitor);
        }
    });
    futures_util::future::join_all(lines).await;
    (count as f64 / begun.elapsed().as_secs_f64(), done.into_inner().unwrap())
}

/// Shares of a device, sealed to its worker.
async fn releases(server: &Running, visitors: &[Visitor]) -> Row {
    let mut line = Line::open(server).await;
    for visitor in visitors {
        let (status, made) =
            line.ask(visitor.address, &visitor.device, "/wallet/v1/wallet", &visitor.device.wallet()).await;
        assert_eq!(status, StatusCode::OK, "{made}");
    }
    let mut times = Vec::new();
    for visitor in visitors.iter().cycle().take(RELEASES as usize) {
        let (body, begun) = (json!({"key": visitor.device.worker_key()}), Instant::now());
        let (status, unlocked) = line.ask(visitor.address, &visitor.device, "/wallet/v1/unlock", &body).await;
        times.push(milliseconds(begun));
        assert_eq!(status, StatusCode::OK, "{unlocked}");
    }
    times.sort_by(f64::total_cmp);
    Row {
        what: "Release of a share, 99th percentile",
        limit: Limit::AtMost(10.0),
        measured: times[times.len() * 99 / 100],
        unit: "ms",
        note: format!(
            "{RELEASES} one after another, from the request of the browser on; median {:.2} ms",
            median(times)
        ),
    }
}

/// Whether the time of a refusal tells how much of a code is right: codes with one wrong digit against those with six, turn by turn.
async fn wrong_codes(server: &Running, mails: &Mails) -> Row {
    let mut line = Line::open(server).await;
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for number in 0..GUESSED {
        let visitor = Visitor::new(VISITORS + number);
        let (transaction, code) = visitor.begin(&mut line, mails).await;
        for turn in 0..4 {
            // Which comes first changes from login to login.
            let is_near = (turn + number) % 2 == 0;
            let guess = off(&code, if is_near { 5 } else { 0 });
            let begun = Instant::now();
            let (status, _) = visitor.try_code(&mut line, &transaction, &guess).await;
            if is_near { &mut near } else { &mut far }.push(milliseconds(begun));
            assert_eq!(status, StatusCode::BAD_REQUEST);
        }
    }
    Row {
        what: "Wrong codes, one digit wrong or all: difference of the times, Welch's t",
        limit: Limit::AtMost(DIFFERENT),
        measured: welch(&near, &far).abs(),
        unit: "",
        note: format!(
            "{} of each; medians {:.3} ms and {:.3} ms",
            near.len(),
            median(near.clone()),
            median(far.clone())
        ),
    }
}

/// Whether the time of the beginning of a login tells if an address has a wallet: strangers ask for known and unknown ones, turn by turn.
async fn addresses(server: &Running, known: &[Visitor]) -> Row {
    let mut line = Line::open(server).await;
    let (mut kept, mut new) = (Vec::new(), Vec::new());
    for (number, owner) in (0..ASKED).zip(known) {
        let stranger = Visitor::new(VISITORS + GUESSED + number);
        for turn in 0..2 {
            // Which comes first changes from stranger to stranger.
            let is_known = (turn + number) % 2 == 0;
            let email = if is_known { &owner.email } else { &stranger.email };
            let begun = Instant::now();
            let status = stranger.begin_with(&mut line, email).await;
            if is_known { &mut kept } else { &mut new }.push(milliseconds(begun));
            assert_eq!(status, StatusCode::OK);
        }
    }
    Row {
        what: "Logins with known and unknown addresses: difference of the times, Welch's t",
        limit: Limit::AtMost(DIFFERENT),
        measured: welch(&kept, &new).abs(),
        unit: "",
        note: format!(
            "{} of each; medians {:.3} ms and {:.3} ms",
            kept.len(),
            median(kept.clone()),
            median(new.clone())
        ),
    }
}

/// A code whose digits from this one on are wrong.
fn off(code: &str, from: usize) -> String {
    let digits = code.bytes().enumerate();
    digits.map(|(at, digit)| if at < from { digit } else { b'0' + (digit - b'0' + 1) % 10 } as char).collect()
}

/// Welch's t of two kinds of samples, each without its slowest twentieth, which the machine's other work made.
fn welch(one: &[f64], other: &[f64]) -> f64 {
    let moments = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values.truncate(values.len() * 19 / 20);
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0) / count)
    };
    let ((mean, spread), (other_mean, other_spread)) = (moments(one), moments(other));
    (mean - other_mean) / (spread + other_spread).sqrt()
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}
