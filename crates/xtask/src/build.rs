//! Builds all Rust code at once, binaries and tests, with clippy as the compiler, so that each crate is compiled only once.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;

use crate::failure::{Failure, Result};
use crate::{place, process, progress};

/// This package. It is built separately because its dependencies are already compiled with its own set of features.
pub(crate) const OURS: &str = "xtask";

/// Program that cargo built from the tests of one target.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TestBinary {
    /// Package under test: `portico-core`.
    pub package: String,
    /// Name of the target: `scenarios`, or the name of the package for unit tests.
    pub target: String,
    /// Path of the program.
    pub program: PathBuf,
    /// Folder of the package, in which cargo would run the program.
    pub folder: PathBuf,
}

#[derive(Default)]
struct Built {
    tests: Vec<TestBinary>,
    lints: Vec<String>,
}

static BUILT: Mutex<Option<Built>> = Mutex::new(None);

/// Step: compiles all packages with clippy, which reports lints beside the compiler's errors.
pub fn all() -> Result<()> {
    progress::step("build", |note| {
        let mut built = Built::default();
        take(cargo().args(["--workspace", "--exclude", OURS]).arg("--all-targets"), &mut built)?;
        take(cargo().args(["--package", OURS]).arg("--all-targets"), &mut built)?;
        // "All targets" leaves out those that say `test = false`, because a plain `cargo test` could not run them. The packages are named as above:
        // one alone has other features of its dependencies, and the server would be compiled a second time.
        take(cargo().args(["--workspace", "--exclude", OURS, "--test", "services", "--test", "proxy"]), &mut built)?;
        *note = format!("{} programs with tests", built.tests.len());
        *BUILT.lock().unwrap_or_else(PoisonError::into_inner) = Some(built);
        Ok(())
    })
}

/// Step: fails if clippy reported a lint during the build.
pub fn lints() -> Result<()> {
    progress::step("clippy", |_| {
        let built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        let lints: &[String] = built.as_ref().map_or(&[], |built| &built.lints);
        if lints.is_empty() {
            return Ok(());
        }
        Err(Failure::new("Clippy failed. Fix the lints above.").with_details(lints.join("\n")))
    })
}

/// Test programs of the last build; empty before it.
pub fn tests() -> Vec<TestBinary> {
    let built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.as_ref().map(|built| built.tests.clone()).unwrap_or_default()
}

/// Step: builds the tests of some packages only.
pub fn tests_of(packages: &BTreeSet<String>) -> Result<()> {
    progress::step("build", |note| {
        let mut built = Built::default();
        let mut cargo = cargo();
        for package in packages {
            cargo.args(["--package", package]);
        }
        take(cargo.args(["--lib", "--bins", "--tests"]), &mut built)?;
        *note = format!("{} programs with tests", built.tests.len());
        *BUILT.lock().unwrap_or_else(PoisonError::into_inner) = Some(built);
        Ok(())
    })
}

fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["build", "--keep-going", "--message-format=json"]);
    cargo
}

fn take(cargo: &mut Command, built: &mut Built) -> Result<()> {
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    let ended = process::run_to_end("cargo build", cargo)?;
    let mut errors = Vec::new();
    for message in ended.said.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()) {
        match message {
            Message::Artifact { package_id, executable: Some(program), profile: Profile { test: true }, target }
                if target.kind.iter().all(|kind| kind != "bench") =>
            {
                let (package, folder) = package_of(&package_id)?;
                built.tests.push(TestBinary { package, target: target.name, program, folder });
            }
            Message::Diagnostic { message } => match message.level.as_str() {
                "warning" => built.lints.extend(message.rendered),
                _ => errors.extend(message.rendered),
            },
            _ => {}
        }
    }
    let told = |failure: Failure| match errors.is_empty() {
        true => failure.or_no_network("the crate registry"),
        false => Failure::new("The Rust code does not compile.").with_details(errors.join("\n")),
    };
    ended.failure.map_or(Ok(()), |failure| Err(told(failure)))
}

/// Message of cargo about its progress, one line of JSON.
#[derive(Deserialize)]
#[serde(tag = "reason")]
enum Message {
    #[serde(rename = "compiler-artifact")]
    Artifact { package_id: String, executable: Option<PathBuf>, profile: Profile, target: Target },
    #[serde(rename = "compiler-message")]
    Diagnostic { message: Diagnostic },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    rendered: Option<String>,
}

/// Name and folder of a workspace package from its id, such as `path+file:///folder/crates/core#portico-core@0.1.0`. Cargo omits the name
/// where it equals that of the folder.
fn package_of(id: &str) -> Result<(String, PathBuf)> {
    let read = || {
        let (folder, rest) = id.strip_prefix("path+file://")?.split_once('#')?;
        let folder = PathBuf::from(percent_decoded(folder)?);
        let name = match rest.split_once('@') {
            Some((name, _)) => name.to_owned(),
            None => folder.file_name()?.to_str()?.to_owned(),
        };
        Some((name, folder))
    };
    read().ok_or_else(|| Failure::new(format!("Cargo reported a package id of an unknown form: {id}")))
}

/// Decodes `%20` and the like: file URLs escape spaces and letters beyond ASCII.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_told_by_its_folder_and_its_name() {
        let core = package_of("path+file:///a%20b/caf%C3%A9/crates/core#portico-core@0.1.0").unwrap();
        assert_eq!(core, ("portico-core".into(), PathBuf::from("/a b/café/crates/core")));
        assert_eq!(package_of("path+file:///a/xtask#0.1.0").unwrap().0, "xtask");
        assert!(package_of("registry+https://example.org#serde@1.0.0").is_err());
    }

    #[test]
    fn what_cargo_tells_of_other_things_is_passed_over() {
        let told = r#"{"reason":"build-script-executed","package_id":"a"}"#;
        assert!(matches!(serde_json::from_str(told), Ok(Message::Other)));
    }
}
