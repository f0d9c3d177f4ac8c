//! `cargo xtask gen`: writes what is derived from the Rust types, or says that it is stale.

use std::process::Command;

use clap::Args;

use crate::failure::Result;
use crate::{place, process, progress};

/// What to do with the generated files.
#[derive(Args, Clone, Copy, Default)]
pub struct Generate {
    /// Write nothing and fail when a file is stale
    #[arg(long)]
    pub check: bool,
}

/// The command and the step.
pub fn command(generate: Generate) -> Result<()> {
    progress::step("generated files", |_| {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(place::root()).args(["run", "--quiet", "--package", "portico-gen", "--"]);
        if generate.check {
            cargo.arg("--check");
        }
        process::run("generated files", &mut cargo).map(drop).map_err(|mut failure| {
            if generate.check {
                failure.sentence = format!("{} If files are stale, run `cargo xtask gen`.", failure.sentence);
            }
            failure
        })
    })
}

/// Whether there is a generator yet.
pub fn exists() -> bool {
    place::root().join("crates/gen/src/main.rs").exists()
}
