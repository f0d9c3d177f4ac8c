//! Debian packages, where we may install them.

use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::{place, process};

/// Whether this is Debian (or a child of it) with apt.
pub fn here() -> bool {
    Path::new("/etc/debian_version").exists() && place::program("apt-get").is_some()
}

/// What to type to get packages by hand.
pub fn by_hand(packages: &[&str]) -> String {
    format!("apt-get install -y --no-install-recommends {}", packages.join(" "))
}

/// Installs packages, as root; anybody else is told what to type.
pub fn install(packages: &[&str]) -> Result<()> {
    if !nix::unistd::geteuid().is_root() {
        return Err(Failure::new(format!("Missing: run `sudo {}`, then this again.", by_hand(packages))));
    }
    if apt_get(packages).is_ok() {
        return Ok(());
    }
    // A machine whose package lists are old or absent finds nothing until they are fetched.
    process::run("apt-get update", Command::new("apt-get").arg("update")).map_err(no_network)?;
    apt_get(packages).map_err(no_network)
}

fn apt_get(packages: &[&str]) -> Result<()> {
    let mut command = Command::new("apt-get");
    command.args(["install", "-y", "--no-install-recommends"]).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    process::run("apt-get install", &mut command).map(drop)
}

fn no_network(failure: Failure) -> Failure {
    failure.or_no_network("Debian's mirror")
}
