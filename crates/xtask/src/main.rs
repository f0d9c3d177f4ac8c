//! `cargo xtask`: every task of the repository, each in the file of its name.

mod aiosmtpd;
mod apt;
mod bench;
mod bitcoin;
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
mod network;
mod npm;
mod parallel;
mod parts;
mod place;
mod port;
mod process;
mod progress;
mod proxy;
mod rust;
mod schedule;
mod screens;
mod server;
mod services;
mod size;
mod softhsm;
mod solana;
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

/// Build, test and run Portico. Each command first installs or builds what it needs, and prints its steps.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "New here? `cargo xtask demo` shows the product, `cargo xtask test` runs all tests.\n\
                  `cargo xtask <command> --help` has the details of one command."
)]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Start two chains, the server and a page with the widget, and print its address
    Demo(demo::Demo),
    /// Run every check and test: Rust, TypeScript, browser
    Test(test::Test),
    /// Run the quick checks: format, clippy, licences, types, biome
    Check,
    /// Compare the size of the files that the browser downloads with the budgets
    Size,
    /// Measure speed and size, and write docs/benchmarks.md
    Bench(bench::Bench),
    /// List which requirements of the specification have a test
    Spec(spec::Spec),
    /// Write the files that are generated from the Rust types
    Gen(generate::Generate),
    /// Take a screenshot of every view into target/screens
    Screens(screens::Screens),
    /// Search with libFuzzer for untrusted inputs that break a parser
    Fuzz(fuzz::Fuzz),
    /// Run mutation tests, and list the mutants that no test catches
    Mutants(mutants::Mutants),
    /// Build the core and the WalletConnect client as WebAssembly
    #[command(after_help = "PORTICO_WASM_ROUTE selects the toolchain: rust-src is the active one with std built \
                            for size, plain the active one with its prebuilt std, debian Debian's package. If unset, \
                            the first that is installed or can be installed is used.")]
    Wasm(wasm::Wasm),
    /// Start a private PostgreSQL and Redis for the server's tests, and print their addresses
    Services,
    /// Create the test chain that tests and demo start from: contracts, names, accounts with a history
    World,
    /// List installed and missing tools, and how to install them
    Doctor,
}

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let result = process::watch_for_the_end().and_then(|()| run(line.task));
    process::close();
    result.unwrap_or_else(|failure| {
        progress::say(&format!("\n{failure}"));
        ExitCode::FAILURE
    })
}

fn run(task: Task) -> Result<ExitCode> {
    let done = match task {
        Task::Test(test) => return Ok(test::command(&test)),
        Task::Demo(demo) => demo::command(demo),
        Task::Check => check::command(),
        Task::Size => size::command(),
        Task::Bench(bench) => bench::command(&bench),
        Task::Spec(spec) => spec::command(spec),
        Task::Gen(generate) => generate::command(generate),
        Task::Screens(screens) => screens::command(&screens),
        Task::Fuzz(fuzz) => fuzz::command(&fuzz),
        Task::Mutants(mutants) => mutants::command(&mutants),
        Task::Wasm(wasm) => wasm::command(wasm),
        Task::Services => services::command(),
        Task::World => world::command(),
        Task::Doctor => doctor::command(),
    };
    done.map(|()| ExitCode::SUCCESS)
}
