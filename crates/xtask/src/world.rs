//! What the browser tests, the benchmarks and the screenshots are given: everything built, and where it is.

use std::path::PathBuf;
use std::process::Command;

use crate::failure::Result;
use crate::stamp::{Inputs, Stamp};
use crate::{browser, chain, npm, parallel, place, process, progress, server, widget};

/// What the chain with a past is made from.
const SOURCES: [&str; 7] = [
    "packages/testkit/contracts",
    "packages/testkit/package.json",
    "packages/testkit/src/anvil.ts",
    "packages/testkit/src/world",
    "e2e/make-world.ts",
    "e2e/run.mjs",
    "package-lock.json",
];

/// The command: the packages it takes, then the chain.
pub fn command() -> Result<()> {
    npm::ready()?;
    deploy()
}

/// The step: contracts, names and accounts with a past, on a chain whose state every test can load.
pub fn deploy() -> Result<()> {
    progress::step("world on a chain", |note| {
        let mut inputs = Inputs::default();
        for source in SOURCES {
            inputs = inputs.path(&place::root().join(source))?;
        }
        let digest = inputs.digest();
        let stamp = Stamp::of("world");
        let files = ["state.json", "addresses.json", "tokens.json", "prices.json", "swap.toml"];
        let made = files.map(|file| folder().join(file));
        if stamp.note(&digest, &made.each_ref().map(|file| file.as_path())).is_some() {
            *note = "up to date".into();
            return Ok(());
        }
        stamp.forget();
        let mut script = npm::script("world", "e2e");
        process::run("npm run world", script.env("PORTICO_WORLD", folder()))?;
        stamp.keep(&digest, "")
    })
}

/// Where the state of the chain and its addresses are; this clone's own, wherever cargo builds.
pub fn folder() -> PathBuf {
    place::root().join("target/world")
}

/// What a chain that begins with that state is started with.
pub fn state() -> PathBuf {
    folder().join("state.json")
}

/// The parts of the world under e2e.
pub struct World {
    chromium: PathBuf,
}

/// All steps up to a world to drive.
pub fn ready() -> Result<World> {
    let page = || {
        widget::ready()?;
        deploy()?;
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
            .env("EXPLORER_BIN", server::explorer())
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
