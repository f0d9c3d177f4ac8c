//! `cargo xtask gen`: writes the files that are generated from the Rust types, or checks that they are up to date.

use std::process::Command;

use clap::Args;

use crate::failure::Result;
use crate::{place, process, progress};

/// Arguments of `cargo xtask gen`.
#[derive(Args, Clone, Copy, Default)]
pub struct Generate {
    /// Write nothing and fail when a file is stale
    #[arg(long)]
    pub check: bool,
}

/// Runs the command.
pub fn command(generate: Generate) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["run", "--quiet", "--package", "portico-gen", "--"]);
    run(&mut cargo, generate.check)
}

/// Step: checks the generated files with the generator that was already built.
pub fn check() -> Result<()> {
    let mut built = Command::new(place::target().join("debug/portico-gen"));
    run(built.current_dir(place::root()), true)
}

fn run(command: &mut Command, check: bool) -> Result<()> {
    progress::step("generated files", |_| {
        if check {
            command.arg("--check");
        }
        process::run("generated files", command).map(drop).map_err(|mut failure| {
            if check {
                failure.sentence = format!("{} If files are stale, run `cargo xtask gen`.", failure.sentence);
            }
            failure
        })
    })
}
