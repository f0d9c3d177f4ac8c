//! Builds the standard library for wasm from the compiler's source, optimised for size, and caches it for later builds on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::Compiler;
use crate::failure::{OrSay, Result};
use crate::stamp::{self, Inputs};
use crate::toolchain::TARGET;
use crate::{place, process, progress};

/// Flags for a panic that aborts at once, without its message, which would be a tenth of the module.
const IMMEDIATE: &str = "-Cpanic=immediate-abort -Zunstable-options";
/// Flags that a standard library must be built with to be accepted by its compiler.
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

/// Whether the library for the compiler of this version is in the cache.
pub fn ready(version: &str) -> bool {
    flags_of(&folder(version)).is_some()
}

/// Flags to compile with the library of this compiler, which is built first if it is not cached.
pub fn flags(compiler: &Compiler) -> Result<Vec<String>> {
    let folder = folder(&compiler.version()?);
    if flags_of(&folder).is_none() {
        progress::step("std for wasm", |note| {
            *note = "kept for later builds".into();
            match build(compiler, &folder, IMMEDIATE) {
                Err(_) if !process::stopping() => build(compiler, &folder, ""),
                built => built,
            }
        })?;
    }
    // A crate must be compiled with the same panic flags as its standard library.
    let panic = flags_of(&folder).unwrap_or_default();
    let own = ["--sysroot".to_owned(), folder.to_string_lossy().into_owned()];
    Ok(own.into_iter().chain(panic.split_whitespace().map(Into::into)).collect())
}

fn folder(version: &str) -> PathBuf {
    place::cache().join(format!("sysroot-{}", Inputs::default().text(version).digest()))
}

/// Panic flags that the library was built with. Their file is written last, so it marks a complete library.
fn flags_of(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("panic")).ok()
}

fn build(compiler: &Compiler, folder: &Path, panic: &str) -> Result<()> {
    // Below the repository, so that rustup selects the same toolchain as for the rest.
    let shim = place::scratch("shim").join(std::process::id().to_string());
    let result = build_in(compiler, &shim, folder, panic);
    // A folder that cannot be removed only takes disk space.
    let _ = fs::remove_dir_all(&shim);
    result
}

fn build_in(compiler: &Compiler, shim: &Path, folder: &Path, panic: &str) -> Result<()> {
    stamp::write(&shim.join("Cargo.toml"), SHIM.as_bytes())?;
    stamp::write(&shim.join("lib.rs"), b"#![no_std]\n")?;
    let mut cargo = compiler.cargo();
    cargo
        .current_dir(shim)
        .args(["build", "--release", "--target", TARGET, "--target-dir", "target"])
        .args(["-Zbuild-std=core,alloc,std,panic_abort,proc_macro", "-Zbuild-std-features=optimize_for_size"])
        .env("RUSTC_BOOTSTRAP", "1")
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
    put(&made, folder)
}

/// Moves the library into the cache, which may be on another disk.
fn put(made: &Path, folder: &Path) -> Result<()> {
    let half = folder.with_extension(std::process::id().to_string());
    for file in stamp::files(made, &[])? {
        let bytes = fs::read(&file).or_say(format_args!("read {}", file.display()))?;
        stamp::write(&half.join(file.strip_prefix(made).unwrap_or(&file)), &bytes)?;
    }
    if fs::rename(&half, folder).is_err() && flags_of(folder).is_none() {
        // The folder exists, but is the rest of an interrupted attempt.
        fs::remove_dir_all(folder).or_say(format_args!("remove {}", folder.display()))?;
        fs::rename(&half, folder).or_say(format_args!("write {}", folder.display()))?;
    }
    // If another run was quicker, this copy is left over.
    let _ = fs::remove_dir_all(&half);
    Ok(())
}
