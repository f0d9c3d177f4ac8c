//! `cargo xtask screens`: takes screenshots of all views into target/screens, or with `--docs` those of the docs into docs/screens.

use clap::Args;

use crate::failure::Result;
use crate::{process, progress, world};

/// `cargo xtask screens`
#[derive(Args)]
pub struct Screens {
    /// Part of the names of the screenshots to take; all if none is given
    of: Option<String>,
    /// Take the screenshots of the documentation, and write them into docs/screens
    #[arg(long, conflicts_with = "of")]
    docs: bool,
}

/// Runs the command.
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
