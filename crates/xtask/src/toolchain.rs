//! Which Rust builds for the browser: the active toolchain with its wasm target, or Debian's packaged compiler.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::failure::{Failure, OrSay, Result};
use crate::progress;
use crate::sysroot::{self, Sysroot};
use crate::{apt, place, process};

/// The only target of the browser.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// The variable that settles the choice: `rustup` or `debian`.
pub const ROUTE: &str = "PORTICO_WASM_ROUTE";
/// A download either gets going in this time or is not worth the wait.
const DOWNLOAD: Duration = Duration::from_secs(90);

/// A Rust that can build for wasm.
pub struct Toolchain {
    /// For the reader: where the compiler comes from.
    pub name: &'static str,
    /// Changes whenever the compiler or the way it is used does.
    pub fingerprint: String,
    sysroot: Option<Sysroot>,
}

impl Toolchain {
    /// `cargo`, told to build for wasm this way.
    pub fn cargo(&self) -> Command {
        match &self.sysroot {
            None => Command::new("cargo"),
            Some(sysroot) => sysroot.cargo(),
        }
    }
}

/// Picks the toolchain, and gets what is missing of it.
pub fn choose() -> Result<Toolchain> {
    let wish = env::var(ROUTE).unwrap_or_default();
    match wish.as_str() {
        "" => {}
        "rustup" => return active()?.or_else(|| added().then(active)?.ok()?).ok_or_else(nowhere),
        "debian" => return debian(),
        other => return Err(Failure::new(format!("{ROUTE} is `{other}`; it can be `rustup` or `debian`."))),
    }
    if let Some(active) = active()? {
        return Ok(active);
    }
    // Once Debian's compiler is set up there is no point in asking the network again at every build.
    if sysroot::ready() {
        return debian();
    }
    if added()
        && let Some(active) = active()?
    {
        return Ok(active);
    }
    if sysroot::installed() || apt::here() { debian() } else { Err(nowhere()) }
}

/// Whether the active toolchain has the target.
pub fn has_target() -> bool {
    let libraries = ask("rustc", &["--print", "target-libdir", "--target", TARGET]).unwrap_or_default();
    fs::read_dir(libraries.trim()).is_ok_and(|mut files| files.next().is_some())
}

/// The active toolchain, if it has the target.
fn active() -> Result<Option<Toolchain>> {
    if !has_target() {
        return Ok(None);
    }
    Ok(Some(Toolchain { name: "the active toolchain", fingerprint: ask("rustc", &["-vV"])?, sysroot: None }))
}

/// Whether rustup could add the target.
fn added() -> bool {
    if place::program("rustup").is_none() {
        return false;
    }
    progress::step("rustup target add", |note| {
        let mut rustup = Command::new("rustup");
        rustup.current_dir(place::root()).args(["target", "add", TARGET]);
        let worked = process::run_within(DOWNLOAD, "rustup target add", &mut rustup).is_ok();
        *note = if worked { TARGET.into() } else { "not to be had here; looking for another way".into() };
        Ok(worked)
    })
    .unwrap_or(false)
}

fn debian() -> Result<Toolchain> {
    if !sysroot::installed() {
        if !apt::here() {
            return Err(nowhere());
        }
        progress::step("Debian's Rust for wasm", |_| apt::install(&sysroot::PACKAGES))?;
    }
    let version = ask(sysroot::RUSTC, &["-vV"])?;
    let sysroot = Sysroot::of(&version)?;
    let fingerprint = format!("{version}{}", sysroot.panic());
    Ok(Toolchain { name: "Debian's packaged compiler", fingerprint, sysroot: Some(sysroot) })
}

fn nowhere() -> Failure {
    Failure::new(format!(
        "No Rust here can build for the browser: run `rustup target add {TARGET}` where the network allows it, or on \
         Debian `{}`, then run this again.",
        apt::by_hand(&sysroot::PACKAGES)
    ))
}

/// Asks a compiler something that is answered at once.
pub fn ask(program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).current_dir(place::root()).args(arguments).output();
    let output = output.or_say(format_args!("run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The folder cargo builds the browser's crates into, apart from the rest so that neither waits for the other.
pub fn target_folder() -> PathBuf {
    place::target().join("wasm")
}

/// The module cargo leaves for a crate.
pub fn module(krate: &str) -> PathBuf {
    target_folder().join(Path::new(TARGET)).join("web").join(format!("{krate}.wasm"))
}
