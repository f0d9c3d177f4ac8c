//! Installing and unpacking of Debian packages.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, OrSay, Result};
use crate::{place, process};

/// Whether this is Debian (or a child of it) with apt.
pub fn here() -> bool {
    Path::new("/etc/debian_version").exists() && place::program("apt-get").is_some()
}

/// Whether this process may install packages.
pub fn as_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// Command line that installs packages by hand.
pub fn by_hand(packages: &[&str]) -> String {
    format!("apt-get install -y --no-install-recommends {}", packages.join(" "))
}

/// Installs packages if run as root; for other users it fails with the command to type.
pub fn install(packages: &[&str]) -> Result<()> {
    if !as_root() {
        return Err(Failure::new(format!("Missing: run `sudo {}`, then this again.", by_hand(packages))));
    }
    if apt_get(packages).is_ok() {
        return Ok(());
    }
    // With outdated or missing package lists apt finds no package until they are updated.
    process::run("apt-get update", Command::new("apt-get").arg("update")).map_err(no_network)?;
    apt_get(packages).map_err(no_network)
}

/// Script that Debian runs before an installed package may start its service.
const POLICY: &str = "/usr/sbin/policy-rc.d";

/// Guard: installed packages start no services until it is dropped. An existing policy of the machine is left alone.
pub struct Asleep {
    ours: bool,
}

/// Prevents packages that are installed next from starting their services.
pub fn without_starting() -> Result<Asleep> {
    let ours = as_root() && !Path::new(POLICY).exists();
    if ours {
        // The script denies only while this process lives, so it has no effect if this process is killed.
        let process = std::process::id();
        let policy = format!("#!/bin/sh\nkill -0 {process} 2>/dev/null && exit 101\nrm -f {POLICY}\nexit 0\n");
        fs::write(POLICY, policy).or_say(format_args!("write {POLICY}"))?;
        fs::set_permissions(POLICY, fs::Permissions::from_mode(0o755)).or_say(format_args!("write {POLICY}"))?;
    }
    Ok(Asleep { ours })
}

impl Drop for Asleep {
    fn drop(&mut self) {
        if self.ours {
            // On failure the script stays, but permits everything and removes itself once this process has ended.
            let _ = fs::remove_file(POLICY);
        }
    }
}

fn apt_get(packages: &[&str]) -> Result<()> {
    let mut command = Command::new("apt-get");
    command.args(["install", "-y", "--no-install-recommends"]).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    process::run("apt-get install", &mut command).map(drop)
}

fn no_network(failure: Failure) -> Failure {
    failure.or_no_network("Debian's mirror")
}

/// Fetches packages into `folder` and unpacks them under `root`, without installing anything.
pub fn unpack(packages: &[&str], folder: &Path, root: &Path) -> Result<()> {
    if !here() {
        return Err(Failure::new("This works only on Debian, with apt-get."));
    }
    fs::create_dir_all(root).or_say("make the folder for packages")?;
    let fetch = || {
        let mut fetch = Command::new("apt-get");
        process::run("apt-get download", fetch.current_dir(folder).arg("download").args(packages))
    };
    if fetch().is_err() {
        // Without package lists apt finds no package; only root may update them.
        process::run("apt-get update", Command::new("apt-get").arg("update")).map_err(no_network)?;
        fetch().map_err(no_network)?;
    }
    for entry in fs::read_dir(folder).or_say("read the folder for packages")?.flatten() {
        let file = entry.path();
        if file.extension().is_some_and(|extension| extension == "deb") {
            process::run("dpkg-deb", Command::new("dpkg-deb").arg("-x").arg(&file).arg(root))?;
        }
    }
    Ok(())
}
