//! Node, npm packages and the scripts of our npm packages.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::failure::{Failure, OrSay, Result};
use crate::stamp::{self, Inputs};
use crate::{place, process, progress};

/// Oldest version of Node that the tools of this repository run on.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Timeout of the request that checks whether the registry is reachable.
const REGISTRY: Duration = Duration::from_secs(30);

/// Step: installs the packages of the lock file if it changed.
pub fn ready() -> Result<()> {
    progress::step("npm packages", |note| {
        node()?;
        let root = place::root();
        let digest = Inputs::default().path(&root.join("package-lock.json"))?.digest();
        let stamp = root.join("node_modules/.portico-lock");
        if fs::read_to_string(&stamp).is_ok_and(|kept| kept == digest) {
            *note = "up to date".into();
            return Ok(());
        }
        if !installed(root).unwrap_or(false) {
            install(root)?;
        }
        stamp::write(&stamp, digest.as_bytes())
    })
}

/// Packages whose install scripts run: each places its binary for this machine. Those of all others are ignored.
const WITH_SCRIPTS: [&str; 2] = ["@foundry-rs/anvil", "esbuild"];

fn install(root: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.current_dir(root).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    // Two retries, with short waits: without a network the default ones take a minute.
    npm.args(["--fetch-retries=2", "--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=6000"]);
    if !registry_answers(root) {
        // Npm's cache may be sufficient. Online, npm would wait a quarter of an hour for a registry that does not respond.
        npm.arg("--offline");
    }
    process::run("npm ci", &mut npm).map_err(|failure| failure.or_no_network("the npm registry"))?;
    process::run("npm rebuild", Command::new("npm").current_dir(root).arg("rebuild").args(WITH_SCRIPTS)).map(drop)
}

/// Whether the registry answers a request for a common package within [`REGISTRY`].
fn registry_answers(root: &Path) -> bool {
    let mut npm = Command::new("npm");
    npm.current_dir(root).args(["view", "react", "version", "--prefer-online", "--fetch-retries=1"]);
    npm.args(["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=1000"]);
    process::run_within(REGISTRY, "npm view", &mut npm).is_ok()
}

/// Whether npm's list of installed packages matches the lock file.
fn installed(root: &Path) -> Option<bool> {
    let read = |file: &str| serde_json::from_str::<Value>(&fs::read_to_string(root.join(file)).ok()?).ok();
    Some(agree(&read("package-lock.json")?, &read("node_modules/.package-lock.json")?))
}

fn agree(lock: &Value, installed: &Value) -> bool {
    let (Some(lock), Some(installed)) = (lock["packages"].as_object(), installed["packages"].as_object()) else {
        return false;
    };
    let placed = |(path, _): &(&String, &Value)| path.starts_with("node_modules/");
    let wanted = lock.iter().filter(placed).all(|(path, entry)| {
        let optional = entry["optional"] == true || entry["peer"] == true;
        installed.get(path).map_or(optional, |found| found["version"] == entry["version"])
    });
    wanted && installed.iter().filter(placed).all(|(path, _)| lock.contains_key(path))
}

/// Version of the installed Node; fails if it is missing or too old.
pub fn node() -> Result<String> {
    let (major, minor) = OLDEST_NODE;
    let needed = format!("install Node {major}.{minor} or later (https://nodejs.org) and run this again");
    let said = Command::new("node").arg("--version").output();
    let said = said.map_err(|_| Failure::new(format!("Node is missing: {needed}.")))?;
    let said = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    match version(&said) {
        Some(found) if found >= OLDEST_NODE => Ok(said),
        Some(_) => Err(Failure::new(format!("Node {} is too old: {needed}.", said.trim_start_matches('v')))),
        None => Err(Failure::new(format!("The node in PATH does not report its version: {needed}."))),
    }
}

/// Major and minor version in a text such as `v20.19.1`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Command `npm run <script>` for one of our packages. It selects the package by name: a path would select nested packages too.
pub fn script(script: &str, package: &str) -> Command {
    let manifest = manifest(package).unwrap_or_default();
    let name = manifest["name"].as_str().unwrap_or(package);
    let mut npm = Command::new("npm");
    npm.current_dir(place::root()).args(["run", script, "-w", name]);
    npm
}

/// Command for a program of an npm package, from `node_modules/.bin`.
pub fn program(name: &str) -> Command {
    let mut command = Command::new(place::root().join("node_modules/.bin").join(name));
    command.current_dir(place::root());
    command
}

/// Whether the manifest of one of our packages has this script.
pub fn has_script(script: &str, package: &str) -> bool {
    let manifest = fs::read_to_string(place::root().join(package).join("package.json")).unwrap_or_default();
    serde_json::from_str::<Value>(&manifest).is_ok_and(|manifest| manifest["scripts"][script].is_string())
}

/// Manifest (`package.json`) of one of our packages.
pub fn manifest(package: &str) -> Result<Value> {
    let file = place::root().join(package).join("package.json");
    let text = fs::read_to_string(&file).or_say(format_args!("read {}", file.display()))?;
    serde_json::from_str(&text).or_say(format_args!("understand {}", file.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::hosts;

    #[test]
    fn the_version_of_node_is_its_first_two_numbers() {
        assert_eq!(version("v20.19.1"), Some((20, 19)));
        assert_eq!(version("22.0.0-nightly"), Some((22, 0)));
        assert_eq!(version("node"), None);
        assert!(version("v18.20.4").unwrap() < OLDEST_NODE);
        assert!(version("v20.9.0").unwrap() < OLDEST_NODE);
    }

    /// Have scripts that would compile them for this machine. Without that they compute in JavaScript.
    const NEED_NO_SCRIPT: [&str; 7] =
        ["bcrypto", "bsip", "bstring", "bufferutil", "mrmr", "secp256k1", "utf-8-validate"];

    #[test]
    fn the_lock_files_name_the_hash_of_each_package_and_no_other_install_script() {
        let locks = [
            (include_str!("../../../package-lock.json"), WITH_SCRIPTS.as_slice()),
            (include_str!("../../../e2e/hosts/apps/package-lock.json"), &hosts::WITH_SCRIPTS),
        ];
        for (lock, with_scripts) in locks {
            let lock: Value = serde_json::from_str(lock).unwrap();
            for (name, package) in lock["packages"].as_object().unwrap() {
                let Some((_, name)) = name.rsplit_once("node_modules/") else { continue };
                let scripts = package["hasInstallScript"] == true && !NEED_NO_SCRIPT.contains(&name);
                assert!(!scripts || with_scripts.contains(&name), "{name} has an install script");
                let hash = package["integrity"].as_str().unwrap_or_default();
                assert!(package["link"] == true || hash.starts_with("sha512-"), "{name} has no hash");
            }
        }
    }

    #[test]
    fn packages_agree_when_all_but_the_optional_are_installed_in_the_locked_version() {
        let lock = json!({ "packages": {
            "": { "name": "portico" },
            "packages/widget": { "version": "0.1.0" },
            "node_modules/@portico/widget": { "link": true },
            "node_modules/react": { "version": "19.0.0" },
            "node_modules/for-another-machine": { "version": "1.0.0", "optional": true },
        }});
        let installed = |react: &str, more: &str| {
            let mut packages = json!({ "node_modules/react": { "version": react } });
            packages[more] = json!({ "link": true });
            json!({ "packages": packages })
        };
        assert!(agree(&lock, &installed("19.0.0", "node_modules/@portico/widget")));
        assert!(!agree(&lock, &installed("18.0.0", "node_modules/@portico/widget")));
        assert!(
            !agree(&lock, &installed("19.0.0", "node_modules/vue")),
            "our own package is not linked, and a stranger is there"
        );
        assert!(!agree(&lock, &json!({ "packages": {} })));
        assert!(!agree(&lock, &json!({})));
    }
}
