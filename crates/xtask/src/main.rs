//! The only door: `cargo xtask` and one of its commands, each in the file of its name.

mod apt;
mod bench;
mod browser;
mod build;
mod chain;
mod changed;
mod check;
mod compiler;
mod contract;
mod demo;
mod doctor;
mod failure;
mod fuzz;
mod generate;
mod hosts;
mod http;
mod licences;
mod mutants;
mod npm;
mod parallel;
mod parts;
mod place;
mod process;
mod progress;
mod rust;
mod schedule;
mod screens;
mod server;
mod services;
mod size;
mod spec;
mod split;
mod stamp;
mod sysroot;
mod tally;
mod test;
mod toolchain;
mod wasm;
mod widget;
mod world;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Result;

/// Everything one does in this repository. Each command gets what it needs first and tells what it does.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "New here? `cargo xtask demo` shows the product, `cargo xtask test` proves it.\n\
                  `cargo xtask <command> --help` says more about one."
)]
struct Door {
    #[command(subcommand)]
    way: Way,
}

#[derive(Subcommand)]
enum Way {
    /// Start two chains, the server and a page with the widget, and print its address
    Demo(demo::Demo),
    /// Run every check and test there is: Rust, TypeScript, browser
    Test(test::Test),
    /// Run the quick checks: format, clippy, licences, types, biome
    Check,
    /// Measure what the browser downloads against the budgets
    Size,
    /// Measure speed and size, and write docs/benchmarks.md
    Bench(bench::Bench),
    /// Say which numbered requirements have a test
    Spec(spec::Spec),
    /// Write the files that are derived from the Rust types
    Gen(generate::Generate),
    /// Take a picture of every view into target/screens
    Screens(screens::Screens),
    /// Look for texts that break a reader of what others say, by libFuzzer
    Fuzz(fuzz::Fuzz),
    /// Break the code in many small ways, and say which of them no test notices
    Mutants(mutants::Mutants),
    /// Build the core as WebAssembly, with its glue
    #[command(after_help = "PORTICO_WASM_ROUTE settles how: rust-src is the active toolchain with its library built \
                            for size, plain the same with the library as it comes, debian Debian's package. Otherwise \
                            it is the first of them that is here or can be got.")]
    Wasm(wasm::Wasm),
    /// Start PostgreSQL and Redis of our own for the server's tests, and print where they are
    Services,
    /// Make the chain that tests and demo begin with: contracts, names, accounts with a past
    World,
    /// Say what is installed here, what is missing and how to get it
    Doctor,
}

fn main() -> ExitCode {
    let door = Door::parse();
    let result = process::watch_for_the_end().and_then(|()| enter(door.way));
    process::close();
    result.unwrap_or_else(|failure| {
        progress::say(&format!("\n{failure}"));
        ExitCode::FAILURE
    })
}

fn enter(way: Way) -> Result<ExitCode> {
    let done = match way {
        Way::Test(test) => return Ok(test::command(&test)),
        Way::Demo(demo) => demo::command(demo),
        Way::Check => check::command(),
        Way::Size => size::command(),
        Way::Bench(bench) => bench::command(&bench),
        Way::Spec(spec) => spec::command(spec),
        Way::Gen(generate) => generate::command(generate),
        Way::Screens(screens) => screens::command(&screens),
        Way::Fuzz(fuzz) => fuzz::command(&fuzz),
        Way::Mutants(mutants) => mutants::command(&mutants),
        Way::Wasm(wasm) => wasm::command(wasm),
        Way::Services => services::command(),
        Way::World => world::command(),
        Way::Doctor => doctor::command(),
    };
    done.map(|()| ExitCode::SUCCESS)
}
