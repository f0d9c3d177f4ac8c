//! `cargo xtask test`: every check and test there is, in one order, and one sum at the end.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use clap::Args;

use crate::failure::{Failure, Result};
use crate::generate::Generate;
use crate::tally::Tally;
use crate::wasm::Wasm;
use crate::{
    check, contract, generate, licences, npm, place, process, progress, server, services, size, spec, stamp, wasm,
    widget, world,
};

/// What to run.
#[derive(Args)]
pub struct Test {
    /// Names of steps to run (with what they need), words that tests must have in their names, or both; all if none
    #[arg(long_help = help())]
    words: Vec<String>,
}

fn help() -> String {
    let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    format!(
        "Names of steps to run (with what they need), words that tests must have in their names, or both; all if \
         none.\n\nSteps: {}.\n\n`cargo xtask test connect` runs every test about connecting, `cargo xtask test rust \
         connect` those in Rust.",
        names.join(", ")
    )
}

/// What a step came to.
#[derive(Default)]
struct Done {
    tally: Tally,
    failure: Option<Failure>,
}

struct Step {
    name: &'static str,
    /// Steps that must have worked before.
    needs: &'static [&'static str],
    /// Whether there is anything to run yet.
    there: fn() -> bool,
    run: fn(&[String]) -> Done,
    /// Whether it runs tests and takes words.
    runner: bool,
}

const fn step(name: &'static str, needs: &'static [&'static str], run: fn(&[String]) -> Done) -> Step {
    Step { name, needs, there: || true, run, runner: false }
}

impl Step {
    const fn when(self, there: fn() -> bool) -> Self {
        Self { there, ..self }
    }

    const fn runner(self) -> Self {
        Self { runner: true, ..self }
    }
}

const STEPS: [Step; 22] = [
    step("npm", &[], |_| plain(npm::ready())),
    step("format", &[], |_| plain(check::format())),
    step("clippy", &[], |_| plain(check::clippy())),
    step("licences", &[], |_| plain(licences::check())),
    step("world", &["npm"], |_| plain(world::deploy())),
    step("services", &[], |_| plain(services::ready().map(drop))),
    step("rust", &["world"], rust).runner(),
    // The server once more, on what several nodes share.
    step("server-postgres", &["world", "services"], server_postgres).runner(),
    step("generated", &[], |_| plain(generate::command(Generate { check: true }))).when(generate::exists),
    step("spec", &[], |_| plain(spec::check().map(drop))),
    step("wasm", &["npm"], |_| plain(wasm::build(Wasm::default()))),
    step("biome", &["npm"], |_| plain(check::biome())).when(check::has_biome),
    step("types", &["npm", "wasm"], |_| plain(check::types())).when(check::has_types),
    step("widget", &["wasm"], |_| plain(widget::build())).when(widget::has_build),
    // The widget is bundled with the built client of WalletConnect.
    step("vitest", &["npm", "widget", "world"], vitest).when(has_vitest).runner(),
    step("size", &["widget"], |_| plain(size::measure())).when(size::has_budgets),
    step("page", &["widget"], |_| plain(widget::build_page())).when(widget::page_has_build),
    step("server", &[], |_| plain(server::build())),
    step("contract", &["page", "server", "world", "services"], contract),
    // Our sign client and relay with the clients that others made.
    step("peers", &["widget", "server"], peers).when(|| npm::has_script("test", "e2e/peers")).runner(),
    step("e2e", &["page", "server", "world", "services"], e2e).when(|| npm::has_script("test", "e2e")).runner(),
    step("fuzz", &[], fuzz).when(|| place::root().join("crates/fuzz/Cargo.toml").exists()),
];

/// How a step ended, for the table.
enum End {
    Worked(Tally),
    Failed(Tally),
    /// A step it needs did not work.
    Blocked(&'static str),
    /// Nothing to run yet.
    Absent,
}

/// A line of the table.
type Row = (&'static str, End, Duration);

/// The command.
pub fn command(test: &Test) -> ExitCode {
    let (names, words): (Vec<_>, Vec<_>) =
        test.words.iter().cloned().partition(|word| STEPS.iter().any(|step| step.name == word));
    let wanted = wanted(&names, !words.is_empty());
    let mut rows: Vec<Row> = Vec::new();
    for step in STEPS.iter().filter(|step| wanted.contains(&step.name)) {
        let begun = Instant::now();
        let end = run(step, &words, &rows);
        rows.push((step.name, end, begun.elapsed()));
        if process::stopping() {
            // Whoever pressed Ctrl-C wants no table.
            process::close();
        }
    }
    close(&rows)
}

/// The steps to run: those named, or all that can heed the words, or all; and what they need.
fn wanted(names: &[String], words: bool) -> Vec<&'static str> {
    let mut wanted: Vec<_> = STEPS
        .iter()
        .filter(
            |step| if names.is_empty() { step.runner || !words } else { names.iter().any(|name| name == step.name) },
        )
        .map(|step| step.name)
        .collect();
    // A step comes after all it needs, so one pass from the last to the first finds everything.
    for step in STEPS.iter().rev() {
        if wanted.contains(&step.name) {
            wanted.extend(step.needs);
        }
    }
    wanted
}

fn run(step: &Step, words: &[String], before: &[Row]) -> End {
    if !(step.there)() {
        return End::Absent;
    }
    let worked = |need: &str| before.iter().any(|(name, end, _)| *name == need && matches!(end, End::Worked(_)));
    if let Some(need) = step.needs.iter().find(|need| !worked(need)) {
        return End::Blocked(need);
    }
    let done = (step.run)(words);
    match done.failure {
        None => End::Worked(done.tally),
        Some(_) if process::stopping() => End::Failed(done.tally),
        Some(failure) => {
            progress::say(&format!("\n{failure}\n"));
            // Whatever broke before it came to a test is a failure all the same.
            End::Failed(if done.tally.failed == 0 { Tally { failed: 1, ..done.tally } } else { done.tally })
        }
    }
}

/// The table, and the sum as the very last line.
fn close(rows: &[Row]) -> ExitCode {
    let mut sum = Tally::default();
    progress::say("");
    for (name, end, time) in rows {
        let (mark, told) = match end {
            End::Worked(tally) | End::Failed(tally) => {
                sum += *tally;
                let tests = if *tally == Tally::default() { String::new() } else { tally.to_string() };
                (if matches!(end, End::Worked(_)) { '✓' } else { '✗' }, tests)
            }
            End::Blocked(need) => ('-', format!("not run: needs {need}")),
            End::Absent => ('-', "nothing to run yet".into()),
        };
        progress::say(&format!("  {mark} {name:<12} {:>12}  {told}", progress::duration(*time)));
    }
    progress::say("");
    println!("{sum}");
    if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A step without tests.
fn plain(result: Result<()>) -> Done {
    Done { tally: Tally::default(), failure: result.err() }
}

/// A step whose program counts tests.
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

fn rust(words: &[String]) -> Done {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["test", "--workspace", "--no-fail-fast", "--"]).args(words);
    // Whoever runs this may have them set.
    cargo.env_remove("PORTICO_TEST_POSTGRES_URL").env_remove("PORTICO_TEST_REDIS_URL");
    counted("rust tests", &mut cargo, Tally::of_cargo)
}

fn server_postgres(words: &[String]) -> Done {
    let mut cargo = Command::new("cargo");
    // The star also names what is not run by itself: tests that need more than one node.
    cargo.current_dir(place::root()).args([
        "test",
        "--package",
        "portico-server",
        "--no-fail-fast",
        "--test",
        "*",
        "--",
    ]);
    services::tell(cargo.args(words));
    counted("server tests on PostgreSQL and Redis", &mut cargo, Tally::of_cargo)
}

fn vitest(words: &[String]) -> Done {
    counted("vitest", npm::program("vitest").args(["run", "--passWithNoTests"]).args(words), Tally::of_vitest)
}

fn has_vitest() -> bool {
    let ours = stamp::files(&place::root().join("packages"), &["node_modules", "dist"]).unwrap_or_default();
    ours.iter().any(|file| file.to_string_lossy().contains(".test.ts"))
}

fn e2e(words: &[String]) -> Done {
    match world::found() {
        Ok(world) => {
            let mut script = world.script("test");
            services::tell(&mut script);
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

fn fuzz(_: &[String]) -> Done {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["run", "--quiet", "--manifest-path", "crates/fuzz/Cargo.toml"]);
    cargo.arg("--target-dir").arg(place::target().join("fuzz"));
    counted("fuzz", &mut cargo, Tally::of_sums)
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
        assert!(["rust", "vitest", "e2e", "page", "server"].iter().all(|name| wanted.contains(name)));
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

    #[test]
    fn a_step_is_not_run_when_one_it_needs_failed() {
        let failed = [("npm", End::Failed(Tally::default()), Duration::ZERO)];
        let needy = step("types", &["npm"], |_| unreachable!("it must not run"));
        assert!(matches!(run(&needy, &[], &failed), End::Blocked("npm")));
        let later = needy.when(|| false);
        assert!(matches!(run(&later, &[], &failed), End::Absent));
    }
}
