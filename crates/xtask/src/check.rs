//! `cargo xtask check`: what a machine can say about the text alone, in seconds.

use std::process::Command;

use crate::failure::Result;
use crate::{licences, npm, place, process, progress};

/// The command: every check, even after one that failed, so that one run shows all there is to mend.
pub fn command() -> Result<()> {
    let mut first = None;
    for step in [format, clippy, licences::check] {
        first = first.or(step().err());
    }
    match npm::ready() {
        Err(failure) => first = first.or(Some(failure)),
        Ok(()) => {
            for step in [biome, types] {
                first = first.or(step().err());
            }
        }
    }
    first.map_or(Ok(()), Err)
}

/// The step: rustfmt would change nothing.
pub fn format() -> Result<()> {
    let mut cargo = Command::new("cargo");
    step("format", cargo.args(["fmt", "--all", "--check"]), "Run `cargo fmt`.")
}

/// The step: clippy has nothing to say.
pub fn clippy() -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    step("clippy", &mut cargo, "Mend what clippy says.")
}

/// The step: biome has nothing to say.
pub fn biome() -> Result<()> {
    step("biome", npm::program("biome").arg("ci"), "Run `npx biome check --write`, then mend what is left.")
}

/// The step: the types of TypeScript hold.
pub fn types() -> Result<()> {
    step("types", npm::program("tsc").args(["-p", ".", "--noEmit"]), "Mend what tsc says.")
}

fn step(label: &str, command: &mut Command, advice: &str) -> Result<()> {
    progress::step(label, |_| {
        process::run(label, command.current_dir(place::root())).map(drop).map_err(|mut failure| {
            failure.sentence = format!("{} {advice}", failure.sentence);
            failure
        })
    })
}
