//! Rows of the table, each with the function that measures it.

use crate::batch;
use crate::load::{Body, run};
use crate::process::{nginx, portico};
use crate::row::{Limit, Row, median};
use crate::upstream::{self, Manner};
use portico_server::directory::{Directory, Query, Wallet};
use std::time::{Duration, Instant};

type Measure = fn() -> Vec<Row>;

pub const ROWS: [(&str, Measure); 7] = [
    ("wallets", wallets),
    ("start", start),
    ("cached", cached),
    ("batch", large_batch),
    ("passed", passed_through),
    ("sick", one_sick),
    ("admin", crate::admin::page),
];

/// Number of runs; the median counts.
const RUNS: usize = 3;

const AT_ONCE: Manner = Manner { delay: Duration::ZERO, sick: false };
const USUAL: Manner = Manner { delay: Duration::from_millis(20), sick: false };
const SICK: Manner = Manner { sick: true, ..USUAL };

fn start() -> Vec<Row> {
    let upstream = upstream::start(AT_ONCE);
    let runs: Vec<(f64, f64)> = (0..5)
        .map(|_| {
            let portico = portico(&[upstream]);
            (portico.ready_after.as_secs_f64() * 1000.0, portico.memory())
        })
        .collect();
    let after_load = {
        let portico = portico(&[upstream]);
        run(portico.port, &portico.path(), &Body::New, 64, 3);
        portico.memory()
    };
    vec![
        Row {
            what: "From the start of the process to its first answer",
            limit: Limit::AtMost(300.0),
            measured: median(runs.iter().map(|run| run.0).collect()),
            unit: "ms",
            note: "of an SQLite file that is there".into(),
        },
        Row {
            what: "Resident memory, idle",
            limit: Limit::AtMost(60.0),
            measured: median(runs.iter().map(|run| run.1).collect()),
            unit: "MiB",
            note: format!("{after_load:.0} MiB after three seconds of load"),
        },
    ]
}

fn cached() -> Vec<Row> {
    let upstream = upstream::start(AT_ONCE);
    let (portico, nginx) = (portico(&[upstream]), nginx(upstream, true));
    let rate = |port, path: &str| run(port, path, &Body::Same, 32, 4).per_second;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // Alternating, since the machine is not always equally fast.
    for _ in 0..RUNS {
        ours.push(rate(portico.port, &portico.path()));
        theirs.push(rate(nginx.port, &portico.path()));
    }
    let (ours, theirs) = (median(ours), median(theirs));
    vec![Row {
        what: "Answers from the cache, of what nginx answers from its own",
        limit: Limit::AtLeast(60.0),
        measured: 100.0 * ours / theirs,
        unit: "%",
        note: format!("{ours:.0} a second on one core; nginx {theirs:.0}"),
    }]
}

fn large_batch() -> Vec<Row> {
    let upstream = upstream::start(AT_ONCE);
    let portico = portico(&[upstream]);
    let mut stream = batch::connect(portico.port);
    let line = format!("POST {}", portico.path());
    let body = batch::of(1000);
    let times: Vec<f64> = (0..100)
        .map(|_| {
            let start = Instant::now();
            let answer = batch::exchange(&mut stream, &line, &body);
            assert!(answer.len() > 1_000_000, "{}", String::from_utf8_lossy(&answer[..200]));
            start.elapsed().as_secs_f64() * 1000.0
        })
        .skip(10)
        .collect();
    vec![Row {
        what: "A batch of 1,000 calls parsed and answered from the cache",
        limit: Limit::AtMost(5.0),
        measured: median(times),
        unit: "ms",
        note: "from the first byte sent to the last of 1.1 MB read".into(),
    }]
}

fn passed_through() -> Vec<Row> {
    let mut rows = Vec::new();
    let at_once = ("Added to the median beyond nginx, upstream answers at once", AT_ONCE);
    let usual = ("Added to the median beyond nginx, upstream answers after 20 ms", USUAL);
    for (what, manner) in [at_once, usual] {
        let upstream = upstream::start(manner);
        let (portico, nginx) = (portico(&[upstream]), nginx(upstream, false));
        let time = |port| run(port, &portico.path(), &Body::New, 4, 4).median;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            ours.push(time(portico.port));
            theirs.push(time(nginx.port));
        }
        let (ours, theirs, direct) = (median(ours), median(theirs), time(upstream));
        rows.push(Row {
            what,
            limit: Limit::AtMost(0.5),
            measured: ours - theirs,
            unit: "ms",
            note: format!("{ours:.2} ms; nginx {theirs:.2} ms; without a proxy {direct:.2} ms; 4 clients"),
        });
    }
    rows
}

fn one_sick() -> Vec<Row> {
    let (healthy, other, sick) = (upstream::start(USUAL), upstream::start(USUAL), upstream::start(SICK));
    let load = |upstreams: &[u16]| {
        let portico = portico(upstreams);
        // Warm-up: the server learns which nodes are fast.
        run(portico.port, &portico.path(), &Body::New, 32, 1);
        run(portico.port, &portico.path(), &Body::New, 32, 8)
    };
    let (well, ill) = (load(&[healthy, other]), load(&[sick, healthy]));
    vec![Row {
        what: "99th percentile with one of two upstreams sick, of that with both healthy",
        limit: Limit::AtMost(1.5),
        measured: ill.ninety_nine / well.ninety_nine,
        unit: "times",
        note: format!(
            "{:.1} ms against {:.1} ms; {:.0} failed; the sick one stands first, 1 % of its answers are errors and 1 % take 800 ms",
            ill.ninety_nine, well.ninety_nine, ill.failed
        ),
    }]
}

/// Typical searches: a prefix, a typo, a word within names, no match, a long text.
const SEARCHES: [&str; 5] = ["meta", "metamsk", "wallet", "zzqqxx", "the quick brown fox jumps over the lazy dog"];

fn wallets() -> Vec<Row> {
    let bundled = Directory::bundled();
    let copies = (0..2).flat_map(|copy| {
        bundled.wallets().iter().cloned().map(move |wallet| Wallet { id: format!("{}-{copy}", wallet.id), ..wallet })
    });
    let directory = Directory::new(copies.collect()).expect("ids are new");
    let slowest = SEARCHES
        .map(|search| {
            let query = Query { search: search.into(), ..Query::default() };
            median(
                (0..500)
                    .map(|_| {
                        let begun = Instant::now();
                        std::hint::black_box(directory.find(&query).count);
                        begun.elapsed().as_secs_f64() * 1000.0
                    })
                    .collect(),
            )
        })
        .into_iter()
        .fold(0.0, f64::max);
    vec![Row {
        what: "A search over the wallets",
        limit: Limit::AtMost(1.0),
        measured: slowest,
        unit: "ms",
        note: format!("the slowest of {} searches over {} wallets", SEARCHES.len(), directory.wallets().len()),
    }]
}
