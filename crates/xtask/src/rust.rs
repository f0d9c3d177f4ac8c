//! Rust tests: runs the test programs in parallel, each with the folder and environment that cargo would set.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

use crate::build::{self, TestBinary};
use crate::failure::{Failure, Result};
use crate::schedule::Done;
use crate::tally::Tally;
use crate::{aiosmtpd, place, process, progress, proxy, services, softhsm};

/// Test targets of the server that run on PostgreSQL and Redis: those that depend on the storage, and those that need both services.
const ON_POSTGRES: [&str; 2] = ["stateful", "services"];

/// Test targets that have steps of their own.
const ELSEWHERE: [&str; 2] = ["services", "proxy"];

/// Number of threads of one test program. Most server tests wait for a socket or a process.
const THREADS: &str = "4";

/// Step: runs all tests except those that need PostgreSQL and Redis, or Caddy and nginx.
pub fn all(words: &[String]) -> Done {
    let python = match softhsm::ready().and_then(|()| aiosmtpd::ready()) {
        Ok(python) => python,
        Err(failure) => return Done { failure: Some(failure), ..Done::default() },
    };
    let programs = build::tests().into_iter().filter(|one| !ELSEWHERE.contains(&one.target.as_str())).collect();
    let mut done = run("rust tests", programs, words, |command| {
        // The user may have set these.
        command.env_remove("PORTICO_TEST_POSTGRES_URL").env_remove("PORTICO_TEST_REDIS_URL");
        softhsm::set_variables(command);
        python.set_variables(command);
    });
    if done.failure.is_none() && words.is_empty() {
        match examples() {
            Ok(tally) => done.tally += tally,
            Err(failure) => done.failure = Some(failure),
        }
    }
    done
}

/// Step: runs the tests of [`all`] with a quarter of the random inputs of each property test, and no documentation examples.
pub fn quick(words: &[String]) -> Done {
    let python = match softhsm::ready().and_then(|()| aiosmtpd::ready()) {
        Ok(python) => python,
        Err(failure) => return Done { failure: Some(failure), ..Done::default() },
    };
    let programs = build::tests().into_iter().filter(|one| !ELSEWHERE.contains(&one.target.as_str())).collect();
    run("rust tests", programs, words, |command| {
        command
            .env_remove("PORTICO_TEST_POSTGRES_URL")
            .env_remove("PORTICO_TEST_REDIS_URL")
            .env("PROPTEST_CASES", "64");
        softhsm::set_variables(command);
        python.set_variables(command);
    })
}

/// Step: runs the server's storage tests on PostgreSQL and Redis.
pub fn on_postgres(words: &[String]) -> Done {
    let programs = build::tests().into_iter().filter(|one| ON_POSTGRES.contains(&one.target.as_str())).collect();
    run("server tests on PostgreSQL and Redis", programs, words, services::set_variables)
}

/// Step: starts the server behind a real Caddy, and lets a real nginx parse our files for it.
pub fn behind_caddy(words: &[String]) -> Done {
    let [caddy, nginx] = match proxy::ready() {
        Ok(programs) => programs,
        Err(failure) => return Done { failure: Some(failure), ..Done::default() },
    };
    let programs = build::tests().into_iter().filter(|one| one.target == "proxy").collect();
    run("the server behind Caddy", programs, words, |command| {
        command.env("PORTICO_TEST_CADDY", &caddy).env("PORTICO_TEST_NGINX", &nginx);
    })
}

fn run(label: &str, mut programs: Vec<TestBinary>, words: &[String], tell: impl Fn(&mut Command) + Sync) -> Done {
    // The largest program runs first, so that it is not the last to end.
    programs.sort_by_key(|one| std::cmp::Reverse(fs::metadata(&one.program).map_or(0, |file| file.len())));
    let lanes = thread::available_parallelism().map_or(2, usize::from);
    let left = Mutex::new(VecDeque::from(programs));
    let sum = Mutex::new((Tally::default(), Vec::new()));
    let result = progress::step(label, |note| {
        thread::scope(|scope| {
            for _ in 0..lanes {
                scope.spawn(|| {
                    while let Some(program) = lock(&left).pop_front() {
                        let (tally, failure) = one(&program, words, &tell);
                        let mut sum = lock(&sum);
                        sum.0 += tally;
                        sum.1.extend(failure);
                    }
                });
            }
        });
        let mut sum = lock(&sum);
        *note = sum.0.to_string();
        let failures = std::mem::take(&mut sum.1);
        for failure in failures.iter().skip(1) {
            progress::say(&format!("\n{failure}\n"));
        }
        failures.into_iter().next().map_or(Ok(()), Err)
    });
    Done { tally: lock(&sum).0, failure: result.err() }
}

fn lock<T>(held: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

fn one(program: &TestBinary, words: &[String], tell: impl Fn(&mut Command)) -> (Tally, Option<Failure>) {
    let TestBinary { package, target, program, folder } = program;
    let mut command = Command::new(program);
    command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder).env("CARGO_PKG_NAME", package);
    command.env("LD_LIBRARY_PATH", libraries()).args(["--test-threads", THREADS]).args(words);
    tell(&mut command);
    match process::run_to_end(&format!("{package} {target}"), &mut command) {
        Err(failure) => (Tally::default(), Some(failure)),
        Ok(ended) => {
            let tally = Tally::of_cargo(&ended.said);
            (tally, ended.failure)
        }
    }
}

/// Library path with the compiler's own libraries, which tests of a macro crate are linked to.
fn libraries() -> OsString {
    let told = Command::new("rustc").args(["--print", "target-libdir"]).output();
    let own = told.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_owned()).unwrap_or_default();
    let others = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let paths = [own.into()].into_iter().chain(env::split_paths(&others));
    env::join_paths(paths).unwrap_or_default()
}

/// Runs the examples in the documentation.
fn examples() -> Result<Tally> {
    // All packages of the build, also those without an example: fewer have other features of their dependencies, which would be compiled again.
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["test", "--doc", "--quiet", "--workspace", "--exclude", build::OURS]);
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    let said = process::run("examples in documentation", &mut cargo)?;
    Ok(Tally::of_cargo(&said))
}
