//! Benchmark of fairness: one abuser at full speed on each thing that visitors share, and an honest visitor beside it. Prints a Markdown
//! table; `cargo xtask bench neighbour` runs it.
//!
//! The server is the released one with default limits. Both visitors connect directly, from loopback addresses of their own.
//! `BENCH_ROWS` selects rows by prefix of their name.

#![allow(clippy::disallowed_methods, reason = "benches read their settings")]

mod http;
mod other;
#[path = "../relay/client.rs"]
#[allow(dead_code, reason = "shared with the benchmark of the relay")]
mod relay;
#[path = "../server/row.rs"]
#[allow(dead_code, reason = "shared with the benchmark of the server")]
mod row;
mod rows;
mod server;

fn main() {
    let picked = std::env::var("BENCH_ROWS").unwrap_or_default();
    println!("{}", row::HEAD);
    // The abuser and everybody else have a thread of their own each: the honest visitor does not wait for them in this process.
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (abuser, others) = (runtime(), runtime());
    let honest = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    honest.block_on(async {
        for name in rows::ROWS.into_iter().filter(|name| name.starts_with(&picked)) {
            println!("{}", rows::measure(name, abuser.handle(), others.handle()).await);
        }
    });
}
