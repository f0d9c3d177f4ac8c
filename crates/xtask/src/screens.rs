//! `cargo xtask screens`: a picture of every view, into target/screens; the few that the pages show go into docs/screens.

use clap::Args;

use crate::failure::Result;
use crate::{process, progress, world};

/// `cargo xtask screens`
#[derive(Args)]
pub struct Screens {
    /// Part of the names of those to take; all where nothing is said
    of: Option<String>,
    /// Take those that the pages of docs show, and put them there
    #[arg(long, conflicts_with = "of")]
    docs: bool,
}

/// The command.
pub fn command(screens: &Screens) -> Result<()> {
    let mut script = world::ready()?.script("screens");
    script.env("SCREENS", screens.of.as_deref().unwrap_or_default());
    if screens.docs {
        script.env("SCREENS_DOCS", "1");
    }
    let said = progress::step("screens", |_| process::run("npm run screens", &mut script))?;
    print!("{said}");
    Ok(())
}
