//! What the browser tests, the benchmarks and the screenshots are given: everything built, and where it is.

use std::path::PathBuf;
use std::process::Command;

use crate::failure::Result;
use crate::{browser, chain, npm, parallel, process, progress, server, widget};

/// The parts of the world under e2e.
pub struct World {
    chromium: PathBuf,
}

/// All steps up to a world to drive.
pub fn ready() -> Result<World> {
    let page = || {
        widget::ready()?;
        widget::build_page()
    };
    parallel::both(page, server::build)?;
    found()
}

/// The world when all else is built.
pub fn found() -> Result<World> {
    Ok(World { chromium: browser::ready()? })
}

impl World {
    /// A script of e2e, told where the world is.
    pub fn script(&self, script: &str) -> Command {
        let mut npm = npm::script(script, "e2e");
        npm.env("PORTICO_BIN", server::binary())
            .env("ANVIL_BIN", chain::binary())
            .env("CHROMIUM", &self.chromium)
            .env("DEMO_DIST", widget::page());
        npm
    }
}

/// The commands that are a script of e2e: builds the world, runs the script, hands on what it says.
pub fn run(script: &str) -> Result<()> {
    let world = ready()?;
    let said = progress::step(script, |_| process::run(&format!("npm run {script}"), &mut world.script(script)))?;
    print!("{said}");
    Ok(())
}
