//! `cargo xtask test --changed`: selects the tests that a change can break, from the paths of the changed files.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use crate::failure::{Failure, OrSay, Result};
use crate::schedule::{self, Done, Row, Step};
use crate::wasm::{self, Wasm};
use crate::{build, check, generate, npm, place, process, progress, rust, server, services, test, widget, world};

/// Tests to run for a change.
#[derive(Debug, Default, PartialEq)]
struct Plan {
    /// Rust packages to test.
    packages: BTreeSet<String>,
    /// Path filters for Vitest.
    views: BTreeSet<String>,
    /// Prefixes of the names of e2e test files.
    journeys: BTreeSet<String>,
    /// Whether the server tests on PostgreSQL and Redis run.
    shared: bool,
    /// Whether all tests run.
    everything: bool,
}

static PLAN: OnceLock<Plan> = OnceLock::new();

fn plan() -> &'static Plan {
    PLAN.get_or_init(Plan::default)
}

/// Browser tests of the folders whose own tests, the files in `e2e` that begin with the folder's name, are not all.
const JOURNEYS: [(&str, &[&str]); 15] = [
    ("account", &["account", "holdings", "receive"]),
    ("activity", &["holdings"]),
    ("analytics", &["connect"]),
    ("config", &["options"]),
    ("connect", &["connect", "first-frame", "wallets", "walletconnect", "sessions"]),
    ("frame", &["wallet-frame"]),
    ("host", &["connect", "first-frame", "idle", "options", "providers"]),
    ("modal", &["modal", "lost-view"]),
    ("pay", &["send", "swap", "hostile"]),
    ("relay", &["walletconnect", "sessions"]),
    ("shell", &["connect", "first-frame"]),
    ("siwx", &["sign-in"]),
    ("walletconnect", &["walletconnect", "sessions"]),
    ("wallet", &["connect"]),
    ("rpc", &["holdings"]),
];

/// Names of all browser tests.
fn journey_files() -> Vec<String> {
    let files = fs::read_dir(place::root().join("e2e")).into_iter().flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".spec.ts")).collect()
}

/// Browser tests of a folder of the core or the widget, as prefixes of file names in `e2e`.
fn journeys_of(folder: &str) -> Vec<String> {
    match JOURNEYS.iter().find(|(known, _)| *known == folder) {
        Some((_, journeys)) => journeys.iter().map(|&journey| journey.to_owned()).collect(),
        None if journey_files().iter().any(|file| file.starts_with(folder)) => vec![folder.to_owned()],
        None => Vec::new(),
    }
}

/// Runs the tests for the files changed since a commit; if none changed since `HEAD`, for those of the last commit.
pub fn run(since: &str) -> Result<Vec<Row>> {
    let mut files = changed_since(since)?;
    if files.is_empty() && since == "HEAD" {
        files = changed_since("HEAD~1")?;
    }
    let plan = PLAN.get_or_init(|| planned(&files, &manifests()));
    if plan.everything {
        progress::say("  The change may break anything: all tests are run.");
        return Ok(test::everything());
    }
    progress::say(&format!("  {} files changed: {}", files.len(), summary(plan)));
    let rust = !plan.packages.is_empty();
    let journeys = !plan.journeys.is_empty();
    let views = !plan.views.is_empty() || journeys;
    let wanted = |step: &&Step| match step.name {
        "npm" | "biome" | "format" => true,
        "build" | "clippy" | "rust" => rust,
        "generated" => plan.packages.contains("portico-gen"),
        "world" => rust || views,
        "services" => plan.shared || journeys,
        "server-postgres" => plan.shared,
        "wasm" | "widget" | "types" => views,
        "vitest" => !plan.views.is_empty(),
        "server" | "page" | "e2e" => journeys,
        _ => false,
    };
    let steps: Vec<_> = STEPS.iter().filter(wanted).collect();
    Ok(schedule::run(&steps, &[]))
}

const fn step(name: &'static str, needs: &'static [&'static str], halves: usize, run: fn(&[String]) -> Done) -> Step {
    Step { name, needs, halves, cargo: false, run, runner: false }
}

const STEPS: [Step; 17] = [
    step("npm", &[], 2, |_| test::plain(npm::ready())),
    Step { cargo: true, ..step("build", &[], 3, |_| test::plain(build::tests_of(&plan().packages))) },
    step("services", &[], 1, |_| test::plain(services::ready().map(drop))),
    step("world", &["npm"], 1, |_| test::plain(world::deploy())),
    // Without wasm-opt, which only affects the size.
    step("wasm", &["npm"], 2, |_| test::plain(wasm::build(Wasm { dev: true, signer: false }))),
    step("widget", &["wasm"], 1, |_| test::plain(widget::build())),
    step("page", &["widget"], 1, |_| test::plain(widget::build_quick_page())),
    Step { cargo: true, ..step("server", &[], 2, |_| test::plain(server::build())) },
    step("e2e", &["page", "server", "world", "services"], 4, journeys),
    step("vitest", &["widget", "world"], 2, |_| test::vitest(&plan().views.iter().cloned().collect::<Vec<_>>())),
    Step { cargo: true, ..step("rust", &["build", "world"], 3, rust::quick) },
    step("server-postgres", &["build", "world", "services"], 2, rust::on_postgres),
    step("clippy", &["build"], 1, |_| test::plain(build::lints())),
    step("generated", &["build"], 1, |_| test::plain(generate::check())),
    step("format", &[], 1, |_| test::plain(check::format())),
    step("types", &["widget"], 1, |_| test::plain(check::types())),
    step("biome", &["npm"], 1, |_| test::plain(check::biome())),
];

fn journeys(_: &[String]) -> Done {
    let wanted = |name: &String| plan().journeys.iter().any(|journey| name.starts_with(journey));
    test::e2e(&journey_files().into_iter().filter(wanted).collect::<Vec<_>>())
}

fn summary(plan: &Plan) -> String {
    let part = |what: &str, names: Vec<&str>| match names.is_empty() {
        true => None,
        false => Some(format!("{what} {}", names.join(", "))),
    };
    let parts = [
        part("Rust:", plan.packages.iter().map(String::as_str).collect()),
        part("views and shell:", plan.views.iter().map(String::as_str).collect()),
        part("browser:", plan.journeys.iter().map(String::as_str).collect()),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "no test is concerned".into() } else { parts.join("; ") }
}

/// Paths of the changed and untracked files, relative to the root of the repository.
fn changed_since(commit: &str) -> Result<Vec<String>> {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(place::root()).args(["-c", "core.quotePath=false"]).args(arguments);
        let output = git.output().or_say("run git")?;
        if !output.status.success() {
            let said = process::plain(&String::from_utf8_lossy(&output.stderr));
            return Err(Failure::new(format!("Git cannot list the changes since {commit}.")).with_details(said));
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let mut files = git(&["diff", "--name-only", commit])?;
    files.extend(git(&["ls-files", "--others", "--exclude-standard"])?);
    Ok(files)
}

/// Name and manifest of each folder in `crates`.
fn manifests() -> Vec<(String, String)> {
    let folders = fs::read_dir(place::root().join("crates")).into_iter().flatten().flatten();
    let read = |folder: fs::DirEntry| {
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).ok()?;
        Some((folder.file_name().to_string_lossy().into_owned(), manifest))
    };
    folders.filter_map(read).collect()
}

fn planned(files: &[String], manifests: &[(String, String)]) -> Plan {
    let mut plan = Plan::default();
    for file in files {
        let parts: Vec<_> = file.split('/').collect();
        match parts.as_slice() {
            ["docs", ..] | [_] if file.ends_with(".md") => {}
            ["fixtures", "snapshots", ..] => {
                plan.packages.insert("portico-gen".into());
                plan.views.insert("packages/widget".into());
            }
            ["fixtures", "api", ..] => drop(plan.packages.insert("portico-server".into())),
            ["fixtures", "replays", ..] => plan.packages.extend(["portico-core".into(), "portico-fuzz".into()]),
            ["crates", "fuzz", "libfuzzer", ..] => {}
            ["crates", "core", kind @ ("src" | "tests"), rest @ ..] => {
                plan.rust("core", manifests);
                plan.views.insert("packages/widget/src/shell".into());
                plan.feature(if *kind == "src" { rest } else { &rest[1.min(rest.len())..] });
            }
            ["crates", "server", rest @ ..] => {
                plan.packages.insert("portico-server".into());
                let kept =
                    |part: &&str| matches!(*part, "db" | "shared" | "migrations" | "table" | "table.rs" | "relay");
                plan.shared |= rest.iter().any(kept);
            }
            ["crates", krate, ..] => {
                plan.rust(krate, manifests);
                // These are compiled into the modules that the browser loads.
                if matches!(
                    *krate,
                    "calldata"
                        | "core"
                        | "encoding"
                        | "json"
                        | "qr"
                        | "terms"
                        | "walletconnect"
                        | "wasm"
                        | "wasm-walletconnect"
                ) {
                    plan.views.insert("packages/widget/src/shell".into());
                    plan.feature(&["shell"]);
                }
            }
            ["packages", package, "src", rest @ ..] => {
                plan.views.insert(folder_of(file));
                plan.feature(if *package == "widget" { rest } else { &parts[1..2] });
            }
            ["packages", package, ..] => drop(plan.views.insert(format!("packages/{package}"))),
            ["e2e", journey] if journey.ends_with(".spec.ts") => {
                plan.journeys.insert(journey.trim_end_matches(".spec.ts").to_owned());
            }
            _ => plan.everything = true,
        }
    }
    plan
}

impl Plan {
    /// Adds a workspace crate and all crates that depend on it.
    fn rust(&mut self, krate: &str, manifests: &[(String, String)]) {
        let name = if krate == "xtask" { krate.to_owned() } else { format!("portico-{krate}") };
        if !self.packages.insert(name.clone()) {
            return;
        }
        for (above, manifest) in manifests {
            let named = manifest.lines().any(|line| line.trim_start().starts_with(&name) && !line.contains("name ="));
            // The wasm crates have no tests of their own; the widget's tests cover them.
            if named && !above.starts_with("wasm") {
                self.rust(above, manifests);
            }
        }
    }

    /// Adds the views and browser tests of the feature that a path (within a crate or package) begins with.
    fn feature(&mut self, path: &[&str]) {
        let [first, ..] = path else { return };
        let word = first.split(['.', '_']).next().unwrap_or_default();
        let journeys = journeys_of(word);
        if !journeys.is_empty() {
            self.views.insert(format!("packages/widget/src/{word}"));
            self.journeys.extend(journeys);
        }
    }
}

fn folder_of(file: &str) -> String {
    file.rsplit_once('/').map_or(file, |(folder, _)| folder).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feature_of_the_core_has_its_journeys_in_the_browser() {
        let rows = include_str!("../../core/src/table.rs").lines();
        let features = rows.filter_map(|line| line.split_once(") in ")?.1.split_once(" {")).map(|(folder, _)| folder);
        let missing: Vec<_> = features.filter(|name| journeys_of(name).is_empty()).collect();
        assert!(missing.is_empty(), "no browser test: add e2e/<name>.spec.ts, or a line to JOURNEYS, for {missing:?}");
    }

    fn manifest(depends_on: &[&str]) -> String {
        let lines = depends_on.iter().map(|name| format!("portico-{name}.workspace = true\n"));
        format!("[package]\nname = \"x\"\n[dependencies]\n{}", lines.collect::<String>())
    }

    fn plan_of(files: &[&str]) -> Plan {
        let crates =
            [("core", &["terms"][..]), ("testkit", &["core"]), ("wasm", &["core"]), ("terms", &[]), ("qr", &[])];
        let crates = crates.map(|(name, below)| (name.to_owned(), manifest(below)));
        planned(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>(), &crates)
    }

    #[test]
    fn a_feature_of_the_core_brings_what_stands_on_it_its_views_and_its_journeys() {
        let plan = plan_of(&["crates/core/src/send/form.rs"]);
        assert_eq!(plan.packages, ["portico-core", "portico-testkit"].map(String::from).into());
        assert_eq!(plan.journeys, ["send".to_owned()].into());
        assert!(plan.views.contains("packages/widget/src/send") && !plan.everything);
        assert_eq!(plan_of(&["crates/core/tests/scenarios/send_token.rs"]).journeys, plan.journeys);
    }

    #[test]
    fn a_crate_brings_all_that_stand_on_it_and_nothing_beside() {
        let plan = plan_of(&["crates/terms/src/amount.rs"]);
        assert_eq!(plan.packages, ["portico-core", "portico-terms", "portico-testkit"].map(String::from).into());
        assert_eq!(plan_of(&["crates/qr/src/lib.rs"]).packages, ["portico-qr".to_owned()].into());
    }

    #[test]
    fn a_crate_that_the_browser_loads_brings_the_shell_and_its_journeys() {
        for file in ["crates/terms/src/amount.rs", "crates/wasm/src/lib.rs", "crates/core/Cargo.toml"] {
            let plan = plan_of(&[file]);
            assert!(plan.views.contains("packages/widget/src/shell") && plan.journeys.contains("connect"), "{file}");
        }
        assert!(plan_of(&["crates/server/src/lib.rs"]).views.is_empty());
    }

    #[test]
    fn a_table_of_the_server_is_tried_on_postgresql_as_well() {
        assert!(plan_of(&["crates/server/src/name/table.rs"]).shared);
        assert!(!plan_of(&["crates/server/src/swap/ask.rs"]).shared);
    }

    #[test]
    fn pages_break_nothing_and_what_is_not_known_may_break_anything() {
        assert_eq!(plan_of(&["docs/guides/host.md", "README.md"]), Plan::default());
        assert!(plan_of(&["package-lock.json"]).everything);
        assert!(plan_of(&["e2e/world/visit.ts"]).everything);
    }

    #[test]
    fn each_journey_is_the_beginning_of_a_file() {
        let files = journey_files();
        for journey in JOURNEYS.iter().flat_map(|(_, journeys)| *journeys) {
            assert!(files.iter().any(|name| name.starts_with(journey)), "{journey}");
        }
    }
}
