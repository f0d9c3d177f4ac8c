//! Debian packages a compiler for wasm and the source of its standard library, but not the library built.
//! We build it once, for size, and keep it for every later build on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{OrSay, Result};
use crate::stamp::{self, Inputs};
use crate::toolchain::TARGET;
use crate::{place, process, progress};

/// What Debian calls it.
pub const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];
/// Where its compiler is, whatever the path says.
pub const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";
const LINKER: &str = "/usr/bin/wasm-ld";

/// A panic that ends at once, without the words nobody in a browser reads: a tenth of the module.
const IMMEDIATE: &str = "-Cpanic=immediate-abort -Zunstable-options";
/// What the standard library of a compiler must be built with to be taken for its own.
const OWN: &str = "-Cembed-bitcode=yes -Zforce-unstable-if-unmarked";

const SHIM: &str = r#"[package]
name = "shim"
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"

[workspace]

[profile.release]
opt-level = "z"
panic = "abort"
codegen-units = 1
"#;

/// Whether the packages are installed.
pub fn installed() -> bool {
    [RUSTC, CARGO, SOURCE, LINKER].iter().all(|file| Path::new(file).exists())
}

/// Whether the library was built before.
pub fn ready() -> bool {
    installed() && crate::toolchain::ask(RUSTC, &["-vV"]).is_ok_and(|version| flags_of(&folder(&version)).is_some())
}

/// A standard library built for wasm.
pub struct Sysroot {
    folder: PathBuf,
    panic: String,
}

fn folder(version: &str) -> PathBuf {
    place::cache().join(format!("sysroot-{}", Inputs::default().text(version).digest()))
}

/// The panic flags the library was built with; the file that holds them is written last.
fn flags_of(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("panic")).ok()
}

impl Sysroot {
    /// The library of the compiler that tells this version, built if it was not.
    pub fn of(version: &str) -> Result<Self> {
        let folder = folder(version);
        if let Some(panic) = flags_of(&folder) {
            return Ok(Self { folder, panic });
        }
        progress::step("std for wasm", |note| {
            *note = "kept for later builds".into();
            match build(&folder, IMMEDIATE) {
                Err(_) if !process::stopping() => build(&folder, ""),
                built => built,
            }
        })?;
        let panic = flags_of(&folder).unwrap_or_default();
        Ok(Self { folder, panic })
    }

    /// The flags about panics, which a crate must share with its library.
    pub fn panic(&self) -> &str {
        &self.panic
    }

    /// Debian's cargo, set up to use this library.
    pub fn cargo(&self) -> Command {
        let folder = self.folder.to_string_lossy();
        let flags: Vec<_> = ["--sysroot", &folder].into_iter().chain(self.panic.split_whitespace()).collect();
        // The target's own flags: build scripts and macros, which run on this machine, do without.
        let mut cargo = cargo();
        cargo.arg("--config").arg(format!("target.{TARGET}.rustflags={flags:?}"));
        cargo
    }
}

/// Debian's cargo and compiler, away from the toolchain this program was built and started with.
fn cargo() -> Command {
    let mut cargo = Command::new(CARGO);
    for foreign in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        cargo.env_remove(foreign);
    }
    // The flags that name a library and build one are unstable ones.
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", RUSTC).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", LINKER);
    cargo
}

fn build(folder: &Path, panic: &str) -> Result<()> {
    let shim = place::cache().join(format!("shim-{}", std::process::id()));
    let result = build_in(&shim, folder, panic);
    // Left behind it only takes room.
    let _ = fs::remove_dir_all(&shim);
    result
}

fn build_in(shim: &Path, folder: &Path, panic: &str) -> Result<()> {
    stamp::write(&shim.join("Cargo.toml"), SHIM.as_bytes())?;
    stamp::write(&shim.join("lib.rs"), b"#![no_std]\n")?;
    let mut cargo = cargo();
    cargo
        .current_dir(shim)
        .args(["build", "--release", "--target", TARGET, "--target-dir", "target"])
        .args(["-Zbuild-std=core,alloc,std,panic_abort,proc_macro", "-Zbuild-std-features=optimize_for_size"])
        .env("RUSTFLAGS", format!("{OWN} {panic}"));
    process::run("std for wasm", &mut cargo)?;

    let made = shim.join("sysroot");
    let libraries = made.join("lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&libraries).or_say(format_args!("write {}", libraries.display()))?;
    for library in stamp::files(&shim.join("target").join(TARGET).join("release/deps"), &[])? {
        let name = library.file_name().unwrap_or_default();
        let built = library.extension().is_some_and(|extension| extension == "rlib");
        if built && !name.to_string_lossy().starts_with("libshim") {
            fs::copy(&library, libraries.join(name)).or_say(format_args!("copy {}", library.display()))?;
        }
    }
    stamp::write(&made.join("panic"), panic.as_bytes())?;
    if fs::rename(&made, folder).is_err() && flags_of(folder).is_none() {
        // In the way is half of an attempt that was cut off.
        fs::remove_dir_all(folder).or_say(format_args!("remove {}", folder.display()))?;
        fs::rename(&made, folder).or_say(format_args!("write {}", folder.display()))?;
    }
    Ok(())
}
