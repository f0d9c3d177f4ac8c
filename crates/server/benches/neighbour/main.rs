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
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        for name in rows::ROWS.into_iter().filter(|name| name.starts_with(&picked)) {
            println!("{}", rows::measure(name).await);
        }
    });
}
