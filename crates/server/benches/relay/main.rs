//! Benchmark of the released relay; prints a Markdown table. `cargo xtask bench relay` runs it, with enough file descriptors.
//!
//! The relay and the load share both cores. `BENCH_ROWS` selects rows by prefix of their name.

#![allow(clippy::disallowed_methods, reason = "benches read their settings")]

#[allow(dead_code, reason = "shared with the benchmark of neighbours")]
mod client;
mod process;
#[path = "../server/row.rs"]
mod row;
mod rows;

fn main() {
    let picked = std::env::var("BENCH_ROWS").unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    println!("{}", row::HEAD);
    runtime.block_on(async {
        for name in rows::ROWS.into_iter().filter(|name| name.starts_with(&picked)) {
            for row in rows::measure(name).await {
                println!("{row}");
            }
        }
    });
}
