//! Builds the fuzz targets with coverage and runs each for a bounded time. Ends with `N passed, N failed`.
//!
//! `cargo run --manifest-path crates/fuzz/Cargo.toml [-- SECONDS]`. libFuzzer guides itself by coverage that stable Rust can emit;
//! no nightly is needed. Each target begins with the texts of `corpus/` in a folder of its name, `replay` with `fixtures/replays/`. A crash is
//! left in `crates/fuzz/artifacts/`: put it there with its fix.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const TARGETS: [&str; 7] =
    ["replay", "terms", "pairing_uri", "envelope", "relay_jwt", "relay_frame", "namespaces"];

/// What libFuzzer wants from the compiler (as cargo-fuzz sets it, without the sanitizer that only nightly has).
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

fn main() -> ExitCode {
    let seconds = env::args().nth(1).and_then(|text| text.parse::<u32>().ok()).unwrap_or(15);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = target_folder(here);
    if !build(here, &built) {
        println!("0 passed, {} failed", TARGETS.len());
        return ExitCode::FAILURE;
    }
    let failed = TARGETS.iter().filter(|target| !run(here, &built, target, seconds)).count();
    println!("{} passed, {failed} failed", TARGETS.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn target_folder(here: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| here.join("../../target"), PathBuf::from).join("fuzz-coverage")
}

fn build(here: &Path, built: &Path) -> bool {
    // A target triple keeps the flags away from build scripts and macros.
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--release", "--features", "targets", "--target", &host()]);
    cargo.args(TARGETS.iter().flat_map(|target| ["--bin", target]));
    cargo.arg("--manifest-path").arg(here.join("Cargo.toml")).arg("--target-dir").arg(built);
    cargo.env("RUSTFLAGS", FLAGS).env_remove("CARGO_ENCODED_RUSTFLAGS").status().is_ok_and(|status| status.success())
}

/// The triple of this machine.
fn host() -> String {
    let output = Command::new("rustc").args(["--print", "host-tuple"]).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// What a target begins with.
fn seeds(here: &Path, target: &str) -> PathBuf {
    match target {
        "replay" => here.join("../../fixtures/replays"),
        _ => here.join("corpus").join(target),
    }
}

fn run(here: &Path, built: &Path, target: &str, seconds: u32) -> bool {
    let artifacts = here.join("artifacts");
    let corpus = built.join("corpus").join(target);
    let _ = std::fs::create_dir_all(&artifacts);
    let _ = std::fs::create_dir_all(&corpus);
    let mut fuzzer = Command::new(built.join(host()).join("release").join(target));
    fuzzer.arg(format!("-max_total_time={seconds}")).args(["-timeout=5", "-rss_limit_mb=2048", "-verbosity=0", "-max_len=65536"]);
    fuzzer.arg(format!("-artifact_prefix={}/", artifacts.display())).arg(&corpus).arg(seeds(here, target));
    let well = fuzzer.status().is_ok_and(|status| status.success());
    println!("{target}: {}", if well { "nothing found" } else { "FAILED" });
    well
}
