//! Chooses the Rust toolchain for wasm: the active one, preferably with the source of its standard library, or Debian's compiler.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::compiler::{self, Compiler, PACKAGES, ask, target_flags};
use crate::failure::{Failure, Result};
use crate::stamp::{self, Inputs};
use crate::{apt, place, process, progress, sysroot};

/// Target triple for the browser.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// Environment variable that selects the toolchain: `rust-src`, `plain` or `debian`.
pub const ROUTE: &str = "PORTICO_WASM_ROUTE";
/// Time limit of a download by rustup.
const DOWNLOAD: Duration = Duration::from_secs(90);
/// Time after a failed attempt until it is tried again.
const REFUSAL: Duration = Duration::from_secs(24 * 60 * 60);

/// Compiler with its flags for wasm.
pub struct Toolchain {
    /// Description for messages: the value of [`ROUTE`], and the origin of the compiler.
    pub name: &'static str,
    /// Text that changes whenever the compiler or its flags change.
    pub fingerprint: String,
    compiler: Compiler,
    flags: Vec<String>,
    /// Whether a flag is unstable, so that a stable compiler needs `RUSTC_BOOTSTRAP`.
    unstable: bool,
}

impl Toolchain {
    /// Command for `cargo` that builds for wasm with this toolchain.
    pub fn cargo(&self) -> Command {
        let mut cargo = self.compiler.cargo();
        cargo.arg("--config").arg(target_flags(&self.flags));
        if self.unstable {
            cargo.env("RUSTC_BOOTSTRAP", "1");
        }
        cargo
    }
}

/// Chooses the toolchain, and installs its missing parts.
pub fn choose() -> Result<Toolchain> {
    let wish = env::var(ROUTE).unwrap_or_default();
    match wish.as_str() {
        "" => {}
        "rust-src" if compiler::active().has_source() || got("component", "rust-src") => return with_own_library(),
        "plain" if has_target() || got("target", TARGET) => return plain(),
        "debian" => return debian(),
        "rust-src" | "plain" => return Err(nowhere()),
        other => {
            let sentence = format!("{ROUTE} is `{other}`; it must be `rust-src`, `plain` or `debian`.");
            return Err(Failure::new(sentence));
        }
    }
    if (compiler::active().has_source() || once("rust-src", || got("component", "rust-src")))
        && let Some(toolchain) = small()?
    {
        return Ok(toolchain);
    }
    let version = compiler::debian().version().unwrap_or_default();
    // Once Debian's compiler is set up, builds use it without trying the network again.
    if !has_target() && compiler::debian().has_source() && sysroot::ready(&version) {
        return debian();
    }
    if has_target() || got("target", TARGET) {
        return plain();
    }
    debian()
}

/// Whether the active toolchain has the wasm target installed.
pub fn has_target() -> bool {
    let libraries = ask("rustc", &["--print", "target-libdir", "--target", TARGET]).unwrap_or_default();
    fs::read_dir(libraries.trim()).is_ok_and(|mut files| files.next().is_some())
}

/// Active toolchain with std built for size; `None` if std cannot be built here, for its dependencies are downloaded.
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

/// Curve arithmetic in 64-bit words: its code has half as many multiplications, and it is needed only a few times per session.
const WIDE_CURVES: &str = "--cfg=curve25519_dalek_bits=\"64\"";

/// Adds a component or target to the active toolchain with rustup; false if that fails.
fn got(kind: &str, part: &str) -> bool {
    if place::program("rustup").is_none() {
        return false;
    }
    let label = format!("rustup {kind} add");
    progress::step(&label, |note| {
        let mut rustup = Command::new("rustup");
        rustup.current_dir(place::root()).args([kind, "add", part]);
        let worked = process::run_within(DOWNLOAD, &label, &mut rustup).is_ok();
        *note = if worked { part.into() } else { "not available here; trying another toolchain".into() };
        Ok(worked)
    })
    .unwrap_or(false)
}

/// Tries something that may be slow to fail; after a failure it is not tried again for [`REFUSAL`].
fn once(what: &str, work: impl FnOnce() -> bool) -> bool {
    let version = compiler::active().version().unwrap_or_default();
    let refused = place::cache().join(format!("refused-{what}-{}", Inputs::default().text(&version).digest()));
    let age = fs::metadata(&refused).and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
    if age.is_some_and(|age| age < REFUSAL) {
        return false;
    }
    let worked = work();
    if !worked && !process::stopping() {
        // Without this file the attempt is only repeated.
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

/// Target folder of the wasm crates, separate from the others so that neither build waits for cargo's lock.
pub fn target_folder() -> PathBuf {
    place::target().join("wasm")
}

/// Path of the module that cargo builds for a crate.
pub fn module(krate: &str) -> PathBuf {
    target_folder().join(Path::new(TARGET)).join("web").join(format!("{krate}.wasm"))
}
