//! `cargo xtask screens`: a picture of every view, into docs/screens.

use crate::failure::Result;
use crate::world;

/// The command.
pub fn command() -> Result<()> {
    world::run("screens")
}
