//! `cargo xtask check`: checks of the source without running it, in seconds.

use std::process::Command;

use crate::failure::Result;
use crate::{licences, npm, place, process, progress, widget};

/// Runs the command: every check, even after a failed one, so that one run shows all problems.
pub fn command() -> Result<()> {
    let mut first = None;
    for step in [format, clippy, licences::check] {
        first = first.or(step().err());
    }
    match npm::ready() {
        Err(failure) => first = first.or(Some(failure)),
        Ok(()) => {
            first = first.or(biome().err());
            // The types need the glue of the core's module.
            first = first.or(widget::ready().and_then(|()| types()).err());
        }
    }
    first.map_or(Ok(()), Err)
}

/// Step: fails if rustfmt would change a file.
pub fn format() -> Result<()> {
    let mut cargo = Command::new("cargo");
    step("format", cargo.args(["fmt", "--all", "--check"]), "Run `cargo fmt`.")
}

/// Step: fails if clippy reports a lint.
pub fn clippy() -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    step("clippy", &mut cargo, "Fix the lints above.")
}

/// Step: fails if biome reports a problem.
pub fn biome() -> Result<()> {
    step("biome", npm::program("biome").arg("ci"), "Run `npx biome check --write`, then fix what is left.")
}

/// Step: fails if the TypeScript compiler reports an error.
pub fn types() -> Result<()> {
    step("types", npm::program("tsc").args(["-p", ".", "--noEmit"]), "Fix the errors above.")
}

fn step(label: &str, command: &mut Command, advice: &str) -> Result<()> {
    progress::step(label, |_| {
        process::run(label, command.current_dir(place::root())).map(drop).map_err(|mut failure| {
            failure.sentence = format!("{} {advice}", failure.sentence);
            failure
        })
    })
}
