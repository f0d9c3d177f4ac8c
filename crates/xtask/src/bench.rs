//! `cargo xtask bench`: the numbers of docs/benchmarks.md, measured on this machine.

use crate::failure::Result;
use crate::world;

/// The command.
pub fn command() -> Result<()> {
    world::run("bench")
}
