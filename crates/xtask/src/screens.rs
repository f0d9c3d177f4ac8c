//! `cargo xtask screens`: a picture of every view, into docs/screens.

use clap::Args;

use crate::failure::Result;
use crate::{process, progress, world};

/// `cargo xtask screens`
#[derive(Args)]
pub struct Screens {
    /// Part of the names of those to take; all where nothing is said
    of: Option<String>,
}

/// The command.
pub fn command(screens: &Screens) -> Result<()> {
    let mut script = world::ready()?.script("screens");
    script.env("SCREENS", screens.of.as_deref().unwrap_or_default());
    let said = progress::step("screens", |_| process::run("npm run screens", &mut script))?;
    print!("{said}");
    Ok(())
}
