//! Contract test of the server: schemathesis generates valid and invalid requests from `/openapi.json`; a real chain is the upstream.

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::Command;

use crate::failure::{Failure, OrSay, Result};
use crate::services::Urls;
use crate::stamp::{Inputs, Stamp};
use crate::tally::Tally;
use crate::{apt, chain, place, process, progress, server, services, stamp, world};

/// Python packages with their versions, in pip's format.
const PACKAGES: &str = include_str!("contract.txt");

/// Number of random requests for each route.
const EXAMPLES: &str = "40";

/// Requests that follow from the description.
const DESCRIBED: &str = "examples,coverage";

/// Id of the test chain.
const CHAIN: u64 = 31337;

/// Schemathesis checks that every response must pass.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

/// Step: tests a server on SQLite, then one on PostgreSQL and Redis.
pub fn run() -> (Tally, Option<Failure>) {
    let mut tally = Tally::default();
    let Some(urls) = services::started() else {
        return (tally, Some(Failure::new("PostgreSQL and Redis were not started.")));
    };
    for (name, shared) in [("SQLite", None), ("PostgreSQL and Redis", Some(&urls))] {
        let result = progress::step(&format!("the server against its description, on {name}"), |note| {
            let (found, failure) = against(shared)?;
            *note = found.to_string();
            tally = Tally { passed: tally.passed + found.passed, failed: tally.failed + found.failed };
            failure.map_or(Ok(()), Err)
        });
        if let Err(failure) = result {
            return (tally, Some(failure));
        }
    }
    (tally, None)
}

/// Tests one server, on the given storage or on SQLite.
fn against(shared: Option<&Urls>) -> Result<(Tally, Option<Failure>)> {
    let program = schemathesis()?;
    let chain_port = free_port()?;
    let _chain = chain::start(CHAIN, chain_port, Some(&world::state()))?;
    let (_explorer, explorer) = server::explore(chain_port, 0)?;
    let (_server, address) = server::serve_on(shared, 0, &[(CHAIN, chain_port)], &explorer)?;
    let folder = place::scratch("contract");
    let settings = folder.join("schemathesis.toml");
    stamp::write(&settings, b"[parameters]\n\"query.projectId\" = \"demo\"\n\"query.chainId\" = [\"eip155:31337\"]\n")?;
    let mut command = Command::new(program);
    command.current_dir(&folder).arg("--config-file").arg(settings).arg("run").arg(format!("{address}/openapi.json"));
    command.args(["--checks", CHECKS]);
    // What a request may look like does not depend on the storage, so random ones are sent once.
    match shared {
        None => command.args(["--phases", &format!("{DESCRIBED},fuzzing"), "--max-examples", EXAMPLES]),
        Some(_) => command.args(["--phases", DESCRIBED]),
    };
    // Deterministic, so that every run sends the same requests and a failure can be reproduced elsewhere.
    command.args(["--generation-deterministic", "--request-timeout", "15", "--no-color"]);
    // A WebSocket is not a request with one response.
    command.args(["--exclude-path", "/v1/ws", "--exclude-path", "/relay"]);
    let ended = process::run_to_end("schemathesis", &mut command)?;
    Ok((tally_of(&ended.said), ended.failure))
}

/// Counts each route as a test, and each unique failure as a failed one.
fn tally_of(said: &str) -> Tally {
    let number = |after: &str| {
        let (_, rest) = said.split_once(after)?;
        rest.trim_start().split(|letter: char| !letter.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    let tested = number("Tested:").unwrap_or(0);
    let failed = failures(said).unwrap_or(0);
    Tally { passed: tested.saturating_sub(failed), failed }
}

/// Number of failures in a line such as "911 generated, 7 found 7 unique failures".
fn failures(said: &str) -> Option<u64> {
    let (before, _) = said.split_once(" unique failure")?;
    before.rsplit(' ').next()?.parse().ok()
}

/// Path of schemathesis, installed into a cached virtual environment.
fn schemathesis() -> Result<PathBuf> {
    let folder = place::cache().join("schemathesis");
    let program = folder.join("bin/schemathesis");
    let digest = Inputs::default().text(PACKAGES).text(&folder.display().to_string()).digest();
    let stamp = Stamp::of("schemathesis");
    if stamp.note(&digest, &[&program]).is_some() {
        return Ok(program);
    }
    stamp.forget();
    let python = python()?;
    let list = place::scratch("contract").join("packages.txt");
    stamp::write(&list, PACKAGES.as_bytes())?;
    process::run("python3 -m venv", Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--requirement"])
        .arg(list);
    process::run("pip install", &mut pip).map_err(|failure| failure.or_no_network("the Python package registry"))?;
    stamp.keep(&digest, "")?;
    Ok(program)
}

/// Path of a Python with venv and ensurepip, which Debian packages separately.
fn python() -> Result<PathBuf> {
    let whole =
        |python: &PathBuf| process::run("python3", Command::new(python).args(["-c", "import venv, ensurepip"])).is_ok();
    if let Some(python) = place::program("python3").filter(whole) {
        return Ok(python);
    }
    if !apt::here() {
        return Err(Failure::new("Missing: Python 3.10 or later, with venv. Install it, then run this again."));
    }
    apt::install(&["python3-venv"])?;
    place::program("python3").ok_or_else(|| Failure::new("Python was installed and cannot be found."))
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).or_say("find a free port")?;
    Ok(listener.local_addr().or_say("find a free port")?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_route_is_a_test_and_each_kind_of_failure_counts() {
        let good = "API Operations:\n  Selected: 28/29\n  Tested: 28\n\nTest cases:\n  911 generated, 911 passed\n";
        assert_eq!(tally_of(good), Tally { passed: 28, failed: 0 });
        let bad = "  Tested: 28\n\nTest cases:\n  911 generated, 7 found 7 unique failures\n";
        assert_eq!(tally_of(bad), Tally { passed: 21, failed: 7 });
        assert_eq!(tally_of("it did not start"), Tally::default());
    }
}
