//! `cargo xtask test`: runs every check and test as a graph of steps, and prints one sum at the end.

use std::process::{Command, ExitCode};

use clap::Args;

use crate::browser::{CHROMIUM, FIREFOX, SHELL};
use crate::failure::Result;
use crate::generate;
use crate::schedule::{self, Done, End, Row, Step};
use crate::tally::Tally;
use crate::wasm::Wasm;
use crate::{
    build, changed, check, contract, hosts, licences, npm, process, progress, rust, server, services, size, spec, wasm,
    widget, world,
};

/// Arguments of `cargo xtask test`.
#[derive(Args)]
pub struct Test {
    /// Steps to run (with those they need), words to filter tests by name, or both; everything if none is given
    #[arg(long_help = help())]
    words: Vec<String>,
    /// Run only the tests that the files changed since COMMIT can break; without a value, since the last commit
    #[arg(long, value_name = "COMMIT", num_args = 0..=1, default_missing_value = "HEAD", conflicts_with = "words")]
    changed: Option<String>,
}

fn help() -> String {
    let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    format!(
        "Steps to run (with those they need), words to filter tests by name, or both; everything if none is \
         given.\n\nSteps: {}.\n\n`cargo xtask test connect` runs every test about connecting, `cargo xtask test rust \
         connect` only those in Rust.",
        names.join(", ")
    )
}

const fn step(name: &'static str, needs: &'static [&'static str], halves: usize, run: fn(&[String]) -> Done) -> Step {
    Step { name, needs, halves, cargo: false, run, runner: false }
}

/// Steps of the test run, each after those it needs. Steps that could start at the same time start in this order.
const STEPS: [Step; 23] = [
    step("npm", &[], 2, |_| plain(npm::ready())),
    Step { cargo: true, ..step("build", &[], 3, |_| plain(build::all())) },
    step("services", &[], 1, |_| plain(services::ready().map(drop))),
    step("world", &["npm"], 1, |_| plain(world::deploy())),
    step("wasm", &["npm"], 2, |_| plain(wasm::build(Wasm::default()))),
    step("widget", &["wasm"], 1, |_| plain(widget::build())),
    step("page", &["widget"], 1, |_| plain(widget::build_page())),
    Step { runner: true, ..step("e2e", &["page", "build", "world", "services"], 4, e2e) },
    // Our sign client and relay with WalletConnect's own clients, and hosts' back ends with our server. They run alone: on a busy machine the oldest
    // client, sign-client 2.17.0, does not hear an answer for more than a minute.
    Step { runner: true, ..step("peers", &["widget", "build"], 4, peers) },
    Step { runner: true, ..step("vitest", &["widget", "world"], 2, vitest) },
    Step { runner: true, cargo: true, ..step("rust", &["build", "world"], 3, rust::all) },
    // The server's storage tests once more, on PostgreSQL and Redis.
    Step { runner: true, ..step("server-postgres", &["build", "world", "services"], 2, rust::on_postgres) },
    // The configuration of a proxy in front of the server.
    Step { runner: true, ..step("proxy", &["build"], 1, rust::behind_caddy) },
    step("contract", &["page", "build", "world", "services"], 2, contract),
    // The packed widget in sample host applications, and one of them with the server.
    step("hosts", &["widget", "build"], 2, hosts),
    step("clippy", &["build"], 1, |_| plain(build::lints())),
    step("generated", &["build"], 1, |_| plain(generate::check())),
    step("format", &[], 1, |_| plain(check::format())),
    step("licences", &["npm"], 1, |_| plain(licences::check())),
    step("spec", &[], 1, |_| plain(spec::check().map(drop))),
    step("biome", &["npm"], 1, |_| plain(check::biome())),
    step("types", &["widget"], 2, |_| plain(check::types())),
    step("size", &["widget"], 1, |_| plain(size::measure())),
];

/// Runs the command.
pub fn command(test: &Test) -> ExitCode {
    let rows = match &test.changed {
        Some(since) => match changed::run(since) {
            Ok(rows) => rows,
            Err(failure) => {
                progress::say(&format!("\n{failure}"));
                return ExitCode::FAILURE;
            }
        },
        None => {
            let (names, words): (Vec<_>, Vec<_>) =
                test.words.iter().cloned().partition(|word| STEPS.iter().any(|step| step.name == word));
            let wanted = wanted(&names, !words.is_empty());
            let steps: Vec<_> = STEPS.iter().filter(|step| wanted.contains(&step.name)).collect();
            schedule::run(&steps, &words)
        }
    };
    if process::stopping() {
        // After Ctrl-C no table is printed.
        process::close();
    }
    close(&rows)
}

/// Runs all steps.
pub fn everything() -> Vec<Row> {
    schedule::run(&STEPS.iter().collect::<Vec<_>>(), &[])
}

/// Names of the steps to run: the named ones, or all that apply filter words, or all; and the steps that those need.
fn wanted(names: &[String], words: bool) -> Vec<&'static str> {
    let mut wanted: Vec<_> = STEPS
        .iter()
        .filter(
            |step| if names.is_empty() { step.runner || !words } else { names.iter().any(|name| name == step.name) },
        )
        .map(|step| step.name)
        .collect();
    // Each step is listed after those it needs, so one pass from last to first finds all of them.
    for step in STEPS.iter().rev() {
        if wanted.contains(&step.name) {
            wanted.extend(step.needs);
        }
    }
    wanted
}

/// Prints the table, and the sum as the last line.
fn close(rows: &[Row]) -> ExitCode {
    let mut sum = Tally::default();
    progress::say("");
    for Row { name, end, time } in rows {
        let (mark, told) = match end {
            End::Worked(tally) | End::Failed(tally) => {
                sum += *tally;
                let tests = if *tally == Tally::default() { String::new() } else { tally.to_string() };
                (if matches!(end, End::Worked(_)) { '✓' } else { '✗' }, tests)
            }
            End::Blocked(need) => ('-', format!("not run: needs {need}")),
        };
        progress::say(&format!("  {mark} {name:<15} {:>12}  {told}", progress::duration(*time)));
    }
    progress::say("");
    println!("{sum}");
    if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Result of a step without tests.
pub fn plain(result: Result<()>) -> Done {
    Done { tally: Tally::default(), failure: result.err() }
}

/// Runs the program of a step and counts its tests.
fn counted(label: &str, command: &mut Command, count: fn(&str) -> Tally) -> Done {
    let mut tally = Tally::default();
    let result = progress::step(label, |note| {
        let ended = process::run_to_end(label, command)?;
        tally = count(&ended.said);
        *note = tally.to_string();
        ended.failure.map_or(Ok(()), Err)
    });
    Done { tally, failure: result.err() }
}

pub fn vitest(words: &[String]) -> Done {
    counted("vitest", npm::program("vitest").args(["run", "--passWithNoTests"]).args(words), Tally::of_vitest)
}

pub fn e2e(words: &[String]) -> Done {
    let browsers = || Ok((SHELL.ready_or(&CHROMIUM)?, FIREFOX.ready()?));
    match world::found().and_then(|world| Ok((world, browsers()?))) {
        Ok((world, (shell, firefox))) => {
            let mut script = world.script("test");
            script.env("CHROMIUM_SHELL", shell).env("FIREFOX", firefox);
            services::set_variables(&mut script);
            counted("e2e", script.arg("--").args(words), Tally::of_sums)
        }
        Err(failure) => Done { failure: Some(failure), ..Done::default() },
    }
}

fn peers(words: &[String]) -> Done {
    let mut script = npm::script("test", "e2e/peers");
    script.env("PORTICO_BIN", server::binary());
    counted("peers", script.args(["--", "--passWithNoTests"]).args(words), Tally::of_sums)
}

fn contract(_: &[String]) -> Done {
    let (tally, failure) = contract::run();
    Done { tally, failure }
}

fn hosts(_: &[String]) -> Done {
    match hosts::command() {
        Ok(mut script) => counted("hosts", &mut script, Tally::of_sums),
        Err(failure) => Done { failure: Some(failure), ..Done::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_step_brings_all_it_needs() {
        let mut wanted = wanted(&["size".into()], false);
        wanted.sort_unstable();
        assert_eq!(wanted, ["npm", "size", "wasm", "widget"]);
    }

    #[test]
    fn words_alone_choose_the_steps_that_run_tests() {
        let wanted = wanted(&[], true);
        assert!(["rust", "vitest", "e2e", "page", "build"].iter().all(|name| wanted.contains(name)));
        assert!(!wanted.contains(&"clippy"));
    }

    #[test]
    fn a_step_comes_after_all_it_needs() {
        for (at, step) in STEPS.iter().enumerate() {
            assert!(
                step.needs.iter().all(|need| STEPS[..at].iter().any(|before| before.name == *need)),
                "{}",
                step.name
            );
        }
    }
}
