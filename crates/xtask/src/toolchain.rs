//! Which Rust builds for the browser: the active toolchain, best with the source of its standard library, or Debian's compiler.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::compiler::{self, Compiler, PACKAGES, ask, target_flags};
use crate::failure::{Failure, Result};
use crate::stamp::{self, Inputs};
use crate::{apt, place, process, progress, sysroot};

/// The only target of the browser.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// The variable that settles the choice: `rust-src`, `plain` or `debian`.
pub const ROUTE: &str = "PORTICO_WASM_ROUTE";
/// A download either gets going in this time or is not worth the wait.
const DOWNLOAD: Duration = Duration::from_secs(90);
/// How long what was not to be had is not asked for again.
const REFUSAL: Duration = Duration::from_secs(24 * 60 * 60);

/// A Rust that can build for wasm.
pub struct Toolchain {
    /// For the reader: the route, and where the compiler comes from.
    pub name: &'static str,
    /// Changes whenever the compiler or the way it is used does.
    pub fingerprint: String,
    compiler: Compiler,
    flags: Vec<String>,
    /// Whether its flags include such as a release of Rust only takes when it is told to.
    unstable: bool,
}

impl Toolchain {
    /// `cargo`, told to build for wasm this way.
    pub fn cargo(&self) -> Command {
        let mut cargo = self.compiler.cargo();
        cargo.arg("--config").arg(target_flags(&self.flags));
        if self.unstable {
            cargo.env("RUSTC_BOOTSTRAP", "1");
        }
        cargo
    }
}

/// Picks the toolchain, and gets what is missing of it.
pub fn choose() -> Result<Toolchain> {
    let wish = env::var(ROUTE).unwrap_or_default();
    match wish.as_str() {
        "" => {}
        "rust-src" if compiler::active().has_source() || got("component", "rust-src") => return with_own_library(),
        "plain" if has_target() || got("target", TARGET) => return plain(),
        "debian" => return debian(),
        "rust-src" | "plain" => return Err(nowhere()),
        other => {
            let sentence = format!("{ROUTE} is `{other}`; it can be `rust-src`, `plain` or `debian`.");
            return Err(Failure::new(sentence));
        }
    }
    if (compiler::active().has_source() || once("rust-src", || got("component", "rust-src")))
        && let Some(toolchain) = small()?
    {
        return Ok(toolchain);
    }
    let version = compiler::debian().version().unwrap_or_default();
    // Once Debian's compiler is set up there is no point in asking the network again at every build.
    if !has_target() && compiler::debian().has_source() && sysroot::ready(&version) {
        return debian();
    }
    if has_target() || got("target", TARGET) {
        return plain();
    }
    debian()
}

/// Whether the active toolchain has the target.
pub fn has_target() -> bool {
    let libraries = ask("rustc", &["--print", "target-libdir", "--target", TARGET]).unwrap_or_default();
    fs::read_dir(libraries.trim()).is_ok_and(|mut files| files.next().is_some())
}

/// The active toolchain with a library of its own, unless that cannot be built here: the crates it needs come over the network.
fn small() -> Result<Option<Toolchain>> {
    let mut built = None;
    let worked = sysroot::ready(&compiler::active().version()?)
        || once("std", || {
            built = with_own_library().ok();
            built.is_some()
        });
    if !worked || process::stopping() {
        return Ok(None);
    }
    built.map_or_else(with_own_library, Ok).map(Some)
}

fn with_own_library() -> Result<Toolchain> {
    own_library("rust-src, the active toolchain with std built for size", compiler::active())
}

fn own_library(name: &'static str, compiler: Compiler) -> Result<Toolchain> {
    let flags = sysroot::flags(&compiler)?;
    toolchain(name, compiler, flags, true)
}

fn plain() -> Result<Toolchain> {
    toolchain("plain, the active toolchain with std as it comes", compiler::active(), Vec::new(), false)
}

fn debian() -> Result<Toolchain> {
    if !compiler::debian().has_source() {
        if !apt::here() {
            return Err(nowhere());
        }
        progress::step("Debian's Rust for wasm", |_| apt::install(&PACKAGES))?;
    }
    own_library("debian, Debian's compiler with std built for size", compiler::debian())
}

fn toolchain(name: &'static str, compiler: Compiler, mut flags: Vec<String>, unstable: bool) -> Result<Toolchain> {
    flags.extend(compiler.lean());
    flags.push(WIDE_CURVES.into());
    let fingerprint = format!("{name}{}{flags:?}", compiler.version()?);
    Ok(Toolchain { name, fingerprint, compiler, flags, unstable })
}

/// Curves in words of 64 bits: half as many products to write down, and they are needed a few times a session.
const WIDE_CURVES: &str = "--cfg=curve25519_dalek_bits=\"64\"";

/// Whether rustup could add a part to the active toolchain.
fn got(kind: &str, part: &str) -> bool {
    if place::program("rustup").is_none() {
        return false;
    }
    let label = format!("rustup {kind} add");
    progress::step(&label, |note| {
        let mut rustup = Command::new("rustup");
        rustup.current_dir(place::root()).args([kind, "add", part]);
        let worked = process::run_within(DOWNLOAD, &label, &mut rustup).is_ok();
        *note = if worked { part.into() } else { "not to be had here; looking for another way".into() };
        Ok(worked)
    })
    .unwrap_or(false)
}

/// Tries something that may take long to fail, and not again for a while where it did.
fn once(what: &str, work: impl FnOnce() -> bool) -> bool {
    let version = compiler::active().version().unwrap_or_default();
    let refused = place::cache().join(format!("refused-{what}-{}", Inputs::default().text(&version).digest()));
    let age = fs::metadata(&refused).and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
    if age.is_some_and(|age| age < REFUSAL) {
        return false;
    }
    let worked = work();
    if !worked && !process::stopping() {
        // Unwritten it only means to try again.
        let _ = stamp::write(&refused, b"");
    }
    worked
}

fn nowhere() -> Failure {
    Failure::new(format!(
        "No Rust here can build for the browser: run `rustup target add {TARGET}` where the network allows it, or on \
         Debian `{}`, then run this again.",
        apt::by_hand(&PACKAGES)
    ))
}

/// The folder cargo builds the browser's crates into, apart from the rest so that neither waits for the other.
pub fn target_folder() -> PathBuf {
    place::target().join("wasm")
}

/// The module cargo leaves for a crate.
pub fn module(krate: &str) -> PathBuf {
    target_folder().join(Path::new(TARGET)).join("web").join(format!("{krate}.wasm"))
}
