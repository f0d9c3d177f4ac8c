//! Measures the server beside nginx before the same upstream, and prints a Markdown table. `cargo xtask bench server` runs it.
//!
//! Whoever is measured has one core, those who ask and answer have another: with more than one core shared, the load would be measured.
//! `BENCH_NGINX` and `BENCH_WRK` name the programs; `BENCH_ROWS` picks rows by the beginning of their name.

#![allow(clippy::disallowed_methods, reason = "benches read their settings")]

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
