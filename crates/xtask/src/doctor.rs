//! `cargo xtask doctor`: lists installed and missing tools, with the command that installs each.

use std::path::PathBuf;
use std::process::Command;

use crate::browser::{Browser, CHROMIUM, FIREFOX};
use crate::failure::{Failure, Result};
use crate::toolchain::{self, TARGET};
use crate::{aiosmtpd, apt, chain, compiler, npm, place, proxy, services, softhsm};

/// Version or path of an installed tool, or the way to install it.
type Finding = std::result::Result<String, String>;

/// Runs the command; the exit code is 1 if a tool must be installed by hand.
pub fn command() -> Result<()> {
    let [caddy, nginx] = proxy::found();
    let findings = [
        ("Rust", version("rustc", "install it from https://rustup.rs")),
        ("rustfmt", version("rustfmt", "rustup component add rustfmt")),
        ("clippy", version("cargo-clippy", "rustup component add clippy")),
        ("Rust for wasm", wasm()),
        ("Node", npm::node().map_err(|failure| failure.sentence)),
        ("npm", version("npm", "it comes with Node: https://nodejs.org")),
        ("anvil", there(chain::binary().exists(), chain::binary(), "comes with `npm ci`, which the commands run")),
        (CHROMIUM.name, browser(&CHROMIUM)),
        (FIREFOX.name, browser(&FIREFOX)),
        ("PostgreSQL", service(services::postgres_found(), "postgresql")),
        ("Redis", service(services::redis_found(), "redis-server")),
        ("Caddy", unpacked(caddy, "cargo xtask test proxy")),
        ("nginx", unpacked(nginx, "cargo xtask test proxy")),
        ("SoftHSM", unpacked(softhsm::found(), "cargo xtask test rust")),
        ("aiosmtpd", unpacked(aiosmtpd::found().map(|python| python.program), "cargo xtask test rust")),
        ("Cache", Ok(place::cache().display().to_string())),
    ];
    for (name, finding) in &findings {
        match finding {
            Ok(found) => println!("  ✓ {name:<14} {found}"),
            Err(way) => println!("  ✗ {name:<14} missing: {way}"),
        }
    }
    let missing: Vec<_> = findings.iter().filter(|(_, finding)| finding.is_err()).map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("Missing: {}. The lines above say how to get it.", missing.join(", "))))
}

fn version(program: &str, way: &str) -> Finding {
    let output = Command::new(program).arg("--version").output().map_err(|_| way.to_owned())?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !said.is_empty() { Ok(said) } else { Err(way.to_owned()) }
}

fn there(is: bool, path: PathBuf, way: &str) -> Finding {
    if is { Ok(place::shown(&path)) } else { Ok(way.to_owned()) }
}

fn wasm() -> Finding {
    if compiler::active().has_source() {
        return Ok("the active toolchain with rust-src".into());
    }
    if toolchain::has_target() {
        return Ok(format!("{TARGET} in the active toolchain; smaller with `rustup component add rust-src`"));
    }
    if compiler::debian().has_source() {
        return Ok("Debian's packaged compiler".into());
    }
    let debian = if apt::here() { format!(", or `{}`", apt::by_hand(&compiler::PACKAGES)) } else { String::new() };
    Err(format!("`rustup target add {TARGET}`{debian}; the commands try both"))
}

fn browser(browser: &Browser) -> Finding {
    match browser.found() {
        Some(program) => Ok(program.display().to_string()),
        None if apt::here() => Err(format!("`{}`; as root the commands do", apt::by_hand(&[browser.package]))),
        None => Err(format!("install {}, or set {} to its program", browser.name, browser.variable)),
    }
}

/// Finding for what a command unpacks from Debian's package.
fn unpacked(found: Option<PathBuf>, command: &str) -> Finding {
    match found {
        Some(path) => Ok(path.display().to_string()),
        None if apt::here() => Err(format!("`{command}` gets it")),
        None => Err("install it".into()),
    }
}

/// Finding for a service that `cargo xtask test` starts for the server's tests.
fn service(found: Option<PathBuf>, package: &str) -> Finding {
    match found {
        Some(path) => Ok(path.display().to_string()),
        None if apt::here() => Err(format!("`{}`; as root `cargo xtask test` does", apt::by_hand(&[package]))),
        None => Err("install it with its programs on the path".into()),
    }
}
