//! Tests the packed widget in sample host applications, outside of this repository so that only installed packages are found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::browser::CHROMIUM;
use crate::failure::{OrSay, Result};
use crate::stamp::{self, Inputs};
use crate::{npm, place, process, progress, server};

const APPS: &str = "e2e/hosts/apps";

/// Packages of the applications whose install scripts run. Those of all others are ignored.
pub(crate) const WITH_SCRIPTS: [&str; 1] = ["esbuild"];

/// Prepares the sample applications and returns the command that builds and opens each of them.
pub fn command() -> Result<Command> {
    let folder = place::cache().join("hosts");
    progress::step("applications of hosts", |note| {
        lay_out(&folder)?;
        *note = "packages installed".into();
        install(&folder)?;
        pack(&folder)
    })?;
    // Through a symbolic link some bundlers treat their own files as outside of the project.
    let folder = folder.canonicalize().or_say(format_args!("find {}", folder.display()))?;
    let mut script = npm::script("test", "e2e");
    script.env("HOSTS", &folder).env("CHROMIUM", CHROMIUM.ready()?).env("PORTICO_BIN", server::binary());
    script.args(["--", "--config", "hosts/vitest.config.ts"]);
    Ok(script)
}

/// Copies the applications into the folder, after removing everything there but the installed packages.
fn lay_out(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).or_say(format_args!("make {}", folder.display()))?;
    for entry in fs::read_dir(folder).or_say(format_args!("read {}", folder.display()))?.flatten() {
        let path = entry.path();
        match entry.file_name().to_str() {
            Some("node_modules" | "installed") => {}
            _ if path.is_dir() => fs::remove_dir_all(&path).or_say(format_args!("remove {}", path.display()))?,
            _ => fs::remove_file(&path).or_say(format_args!("remove {}", path.display()))?,
        }
    }
    let apps = place::root().join(APPS);
    for file in stamp::files(&apps, &["node_modules"])? {
        let inside = file.strip_prefix(&apps).or_say("find an application")?;
        stamp::write(&folder.join(inside), &fs::read(&file).or_say(format_args!("read {}", file.display()))?)?;
    }
    Ok(())
}

fn install(folder: &Path) -> Result<()> {
    let lock = fs::read_to_string(folder.join("package-lock.json")).or_say("read the lock file of the applications")?;
    let digest = Inputs::default().text(&lock).digest();
    let installed = folder.join("installed");
    if fs::read_to_string(&installed).is_ok_and(|kept| kept == digest) && folder.join("node_modules").exists() {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]);
    process::run("npm ci of the applications", &mut npm)
        .map_err(|failure| failure.or_no_network("the npm registry"))?;
    let mut rebuild = Command::new("npm");
    rebuild.current_dir(folder).arg("rebuild").args(WITH_SCRIPTS);
    process::run("npm rebuild of the applications", &mut rebuild)?;
    stamp::write(&installed, digest.as_bytes())
}

/// Packs the widget as for publication, and unpacks it into `node_modules`.
fn pack(folder: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.current_dir(place::root()).args(["pack", "--workspace", "packages/widget", "--json", "--pack-destination"]);
    process::run("npm pack", npm.arg(folder))?;
    let packed = fs::read_dir(folder).or_say("look for the packed widget")?.flatten().map(|entry| entry.path());
    let packed: Vec<PathBuf> = packed.filter(|path| path.extension().is_some_and(|ending| ending == "tgz")).collect();
    for tarball in packed {
        let widget = folder.join("node_modules/@portico/widget");
        // Removes an earlier build, and what a bundler cached of it.
        for old in [&widget, &folder.join("node_modules/.vite")] {
            let _ = fs::remove_dir_all(old);
        }
        fs::create_dir_all(&widget).or_say(format_args!("make {}", widget.display()))?;
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(&tarball).arg("--strip-components=1").arg("-C").arg(&widget);
        process::run("tar", &mut tar)?;
    }
    Ok(())
}
