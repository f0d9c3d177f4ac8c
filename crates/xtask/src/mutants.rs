//! `cargo xtask mutants`: runs a fixed sample of code mutations, and lists those that no test catches.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::failure::{Failure, OrSay, Result};
use crate::stamp::Inputs;
use crate::{place, process, progress};

/// `cargo xtask mutants`
#[derive(Args)]
pub struct Mutants {
    /// Areas to test; all if none is named
    areas: Vec<String>,
    /// Seed of the sample: another number selects other mutants
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Release of cargo-mutants that the numbers in docs/benchmarks.md were measured with.
const RELEASE: &str = "27.1.0";

/// Part of the code with its own sample of mutants.
struct Area {
    name: &'static str,
    package: &'static str,
    /// Glob of its files, in the form of cargo-mutants.
    files: &'static str,
    count: usize,
    /// Arguments of `cargo test` that select the tests to run.
    tests: &'static [&'static str],
}

const CORE: &[&str] = &["--lib", "--test", "scenarios", "--test", "rules"];
const RELAY: &[&str] = &["--lib", "--test", "stateful", "--", "relay"];
const GUARD: &[&str] = &["--lib", "--test", "stateful", "--", "guard", "limits", "project", "relay_refused"];

const AREAS: [Area; 7] = [
    Area { name: "terms", package: "portico-terms", files: "crates/terms/src/**/*.rs", count: 30, tests: &[] },
    Area { name: "core::pay", package: "portico-core", files: "crates/core/src/pay/*.rs", count: 20, tests: CORE },
    Area { name: "core::send", package: "portico-core", files: "crates/core/src/send/*.rs", count: 30, tests: CORE },
    Area { name: "core::swap", package: "portico-core", files: "crates/core/src/swap/*.rs", count: 40, tests: CORE },
    Area {
        name: "core::connect",
        package: "portico-core",
        files: "crates/core/src/connect/**/*.rs",
        count: 40,
        tests: CORE,
    },
    Area {
        name: "server::relay",
        package: "portico-server",
        files: "crates/server/src/relay/**/*.rs",
        count: 20,
        tests: RELAY,
    },
    Area {
        name: "server::guard",
        package: "portico-server",
        files: "crates/server/src/guard/**/*.rs",
        count: 15,
        tests: GUARD,
    },
];

/// Time limit of one area.
const PATIENCE: Duration = Duration::from_secs(3 * 60 * 60);

/// Counts from cargo-mutants.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
struct Outcome {
    caught: usize,
    missed: usize,
    timeout: usize,
    /// Mutants that do not compile; they are not counted as tried.
    unviable: usize,
}

/// Runs the command on a clone of the last commit, so that an interrupted run leaves no mutation in the working tree.
pub fn command(mutants: &Mutants) -> Result<()> {
    let known: Vec<_> = AREAS.iter().map(|area| area.name).collect();
    if let Some(stranger) = mutants.areas.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::new(format!("Unknown area {stranger}; the areas are {}.", known.join(", "))));
    }
    let tool = tool()?;
    let copy = copy()?;
    let mut rows = vec!["| Area | Tried | Caught | Missed | Share |".to_owned(), "|---|---|---|---|---|".to_owned()];
    let mut survivors = Vec::new();
    for area in
        AREAS.iter().filter(|area| mutants.areas.is_empty() || mutants.areas.iter().any(|name| name == area.name))
    {
        let outcome = progress::step(area.name, |note| {
            let chosen = sample(area, mutants.seed, list(&tool, &copy, area)?);
            let (outcome, missed) = run(&tool, &copy, area, &chosen)?;
            survivors.extend(missed);
            *note = format!("{} caught, {} missed", outcome.caught + outcome.timeout, outcome.missed);
            Ok(outcome)
        })?;
        rows.push(row(area.name, &outcome));
    }
    println!("{}\n", rows.join("\n"));
    for survivor in survivors {
        println!("- {survivor}");
    }
    Ok(())
}

/// Table row of an area. A mutant that times out counts as caught.
fn row(name: &str, outcome: &Outcome) -> String {
    let caught = outcome.caught + outcome.timeout;
    let tried = caught + outcome.missed;
    let share = (100 * caught).checked_div(tried).unwrap_or(100);
    format!("| `{name}` | {tried} | {caught} | {} | {share} % |", outcome.missed)
}

/// Path of cargo-mutants, installed into the cache if it is missing.
fn tool() -> Result<PathBuf> {
    let folder = place::cache().join(format!("cargo-mutants-{RELEASE}"));
    let program = folder.join("bin/cargo-mutants");
    if !program.exists() {
        progress::step("cargo-mutants", |_| {
            let mut cargo = Command::new("cargo");
            cargo.args(["install", "--locked", "--root"]).arg(&folder).arg(format!("cargo-mutants@{RELEASE}"));
            process::run("cargo install", &mut cargo)
                .map(drop)
                .map_err(|failure| failure.or_no_network("the crate registry"))
        })?;
    }
    Ok(program)
}

/// Clone of the repository. It is in the cache: below the repository, tools would treat it as a part of it.
fn copy() -> Result<PathBuf> {
    let root = Inputs::default().text(&place::root().to_string_lossy()).digest();
    let copy = place::cache().join(format!("mutants-{root}"));
    progress::step("a copy of the last commit", |_| {
        if copy.exists() {
            let git = |arguments: &[&str]| {
                process::run("git", Command::new("git").current_dir(&copy).args(arguments)).map(drop)
            };
            git(&["fetch", "--quiet", "origin", "HEAD"])?;
            return git(&["reset", "--quiet", "--hard", "FETCH_HEAD"]);
        }
        let mut clone = Command::new("git");
        clone.args(["clone", "--quiet", "--shared"]).arg(place::root()).arg(&copy);
        process::run("git clone", &mut clone).map(drop)
    })?;
    Ok(copy)
}

/// Names of all mutants of an area.
fn list(tool: &Path, copy: &Path, area: &Area) -> Result<Vec<String>> {
    let mut command = Command::new(tool);
    command.current_dir(copy).args(["mutants", "--list", "--colors", "never", "--package", area.package]);
    let said = process::run(&format!("list of {}", area.name), command.args(["--file", area.files]))?;
    Ok(said.lines().map(str::trim).filter(|line| line.contains(".rs:")).map(str::to_owned).collect())
}

/// Mutants of the sample, chosen by the seed and their names without line and column, so that changes elsewhere alter it little.
fn sample(area: &Area, seed: u64, mut names: Vec<String>) -> Vec<String> {
    names.sort_by_cached_key(|name| {
        let mut digest = Sha256::new();
        digest.update(format!("{seed} {}", without_place(name)).as_bytes());
        digest.finalize().to_vec()
    });
    names.truncate(area.count);
    names
}

/// Name such as `crates/a/src/b.rs:12:5: replace …` without line and column.
fn without_place(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    let file = parts.next().unwrap_or_default();
    format!("{file}{}", parts.nth(2).unwrap_or_default())
}

fn run(tool: &Path, copy: &Path, area: &Area, chosen: &[String]) -> Result<(Outcome, Vec<String>)> {
    let out = place::target().join("mutants").join(area.name.replace("::", "-"));
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).or_say(format_args!("make {}", out.display()))?;
    let names: Vec<_> = chosen.iter().map(|name| escaped(name)).collect();
    let mut command = Command::new(tool);
    command.current_dir(copy).args(["mutants", "--in-place", "--baseline", "skip", "--timeout", "180"]);
    command.args(["--colors", "never", "--no-times", "--package", area.package, "--test-package", area.package]);
    command.args(["--file", area.files, "--re", &format!("^({})$", names.join("|"))]).arg("--output").arg(&out);
    command.env("CARGO_TARGET_DIR", place::target().join("mutants/build")).env("CARGO_INCREMENTAL", "1");
    command.arg("--").args(area.tests);
    let ended = process::run_to_end_within(PATIENCE, &format!("mutants of {}", area.name), &mut command)?;
    let told = fs::read_to_string(out.join("mutants.out/outcomes.json"));
    let outcome = told.ok().and_then(|told| serde_json::from_str(&told).ok());
    let Some(outcome) = outcome else {
        return Err(ended.failure.unwrap_or_else(|| Failure::new("Cargo-mutants left no outcome.")));
    };
    let missed = fs::read_to_string(out.join("mutants.out/missed.txt")).unwrap_or_default();
    Ok((outcome, missed.lines().map(str::to_owned).collect()))
}

/// Escapes a text so that it matches itself as a regular expression.
fn escaped(text: &str) -> String {
    let special = |letter: char| "\\.+*?()|[]{}^$#&-~".contains(letter);
    text.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_for_the_same_seed_wherever_the_lines_stand() {
        let names = |line: usize| -> Vec<String> {
            (0..40).map(|at| format!("crates/a/src/b.rs:{line}:{at}: replace f{at} with ()")).collect()
        };
        let area = Area { count: 5, ..AREAS[0] };
        let taken =
            |seed, line| sample(&area, seed, names(line)).iter().map(|one| without_place(one)).collect::<Vec<_>>();
        assert_eq!(taken(1, 10), taken(1, 99));
        assert_ne!(taken(1, 10), taken(2, 10));
        assert_eq!(taken(1, 10).len(), 5);
    }

    #[test]
    fn a_name_with_brackets_is_itself_as_an_expression() {
        assert_eq!(escaped("a.rs:1:2: replace f -> Vec<(u8)>"), r"a\.rs:1:2: replace f \-> Vec<\(u8\)>");
    }

    #[test]
    fn one_that_runs_without_end_counts_as_caught() {
        let outcome = Outcome { caught: 2, missed: 1, timeout: 1, unviable: 4 };
        assert_eq!(row("terms", &outcome), "| `terms` | 4 | 3 | 1 | 75 % |");
    }
}
