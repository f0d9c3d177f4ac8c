//! Environment of browser tests, benchmarks and screenshots: builds all they need, and passes them the paths.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::browser::CHROMIUM;
use crate::failure::{Failure, OrSay, Result};
use crate::stamp::{Inputs, Stamp};
use crate::{chain, npm, parallel, place, process, progress, server, widget};

/// Inputs of the test chain's state.
const SOURCES: [&str; 7] = [
    "packages/testkit/contracts",
    "packages/testkit/package.json",
    "packages/testkit/src/anvil.ts",
    "packages/testkit/src/world",
    "e2e/make-world.ts",
    "e2e/run.mjs",
    "package-lock.json",
];

/// Runs the command: installs the npm packages and creates the chain.
pub fn command() -> Result<()> {
    npm::ready()?;
    deploy()
}

/// File of the tokens that the demo lists: those that have a price.
pub const DEMO_TOKENS: &str = "demo-tokens.json";

/// Step: creates a chain with contracts, names and accounts with a history, and stores its state for the tests to load.
pub fn deploy() -> Result<()> {
    progress::step("world on a chain", |note| {
        let mut inputs = Inputs::default();
        for source in SOURCES {
            inputs = inputs.path(&place::root().join(source))?;
        }
        let digest = inputs.digest();
        let stamp = Stamp::of("world");
        let files = ["state.json", "addresses.json", "tokens.json", DEMO_TOKENS, "prices.json", "swap.toml"];
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

/// Folder of the chain's state and addresses. It is in this clone, even if cargo's target folder is elsewhere.
pub fn folder() -> PathBuf {
    place::root().join("target/world")
}

/// Address of a contract of the chain.
pub fn contract(name: &str) -> Result<String> {
    address(&["contracts", name])
}

/// Address of one of the chain's accounts.
pub fn account(index: usize) -> Result<String> {
    address(&["accounts", &index.to_string()])
}

fn address(path: &[&str]) -> Result<String> {
    let file = folder().join("addresses.json");
    let text = fs::read_to_string(&file).or_say(format_args!("read {}", file.display()))?;
    let found: serde_json::Value = serde_json::from_str(&text).or_say("read the addresses of the chain")?;
    let pointer = format!("/{}", path.join("/"));
    let address = found.pointer(&pointer).and_then(serde_json::Value::as_str);
    address.map(Into::into).ok_or_else(|| Failure::new(format!("{} has no {pointer}.", file.display())))
}

/// File with the stored state of the chain.
pub fn state() -> PathBuf {
    folder().join("state.json")
}

/// Environment of the scripts in e2e.
pub struct World {
    chromium: PathBuf,
}

/// Runs all steps that the scripts of e2e need.
pub fn ready() -> Result<World> {
    let page = || {
        widget::ready()?;
        deploy()?;
        widget::build_page()
    };
    parallel::both(page, server::build)?;
    found()
}

/// Returns the environment when everything else is already built.
pub fn found() -> Result<World> {
    Ok(World { chromium: CHROMIUM.ready()? })
}

impl World {
    /// Command for a script of e2e, with the paths of the built programs as environment variables.
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

/// Runs a command that is a script of e2e: builds what it needs, runs it and prints its output.
pub fn run(script: &str) -> Result<()> {
    let world = ready()?;
    let said = progress::step(script, |_| process::run(&format!("npm run {script}"), &mut world.script(script)))?;
    print!("{said}");
    Ok(())
}
