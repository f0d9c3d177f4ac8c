//! Benchmark of the server next to nginx, with the same upstream; prints a Markdown table. `cargo xtask bench server` runs it.
//!
//! The measured server has one core, load and upstream share another, so that they do not slow the server down.
//! `BENCH_NGINX` and `BENCH_WRK` name the programs; `BENCH_ROWS` selects rows by prefix of their name.

#![allow(clippy::disallowed_methods, reason = "benches read their settings")]

mod admin;
mod batch;
mod load;
mod process;
mod row;
mod rows;
mod upstream;

fn main() {
    let picked = std::env::var("BENCH_ROWS").unwrap_or_default();
    println!("{}", row::HEAD);
    for (name, measure) in rows::ROWS {
        if !name.starts_with(&picked) {
            continue;
        }
        for row in measure() {
            println!("{row}");
        }
    }
}
