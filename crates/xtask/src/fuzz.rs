//! `cargo xtask fuzz`: searches with libFuzzer for inputs that break a parser. Known inputs (the corpus) are run by the ordinary tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use crate::failure::{Failure, OrSay, Result};
use crate::{place, process, progress};

/// `cargo xtask fuzz`
#[derive(Args)]
pub struct Fuzz {
    /// Minutes for each target
    #[arg(default_value_t = 5)]
    minutes: u32,
    /// Targets to run; all if none is named
    targets: Vec<String>,
    /// Build with AddressSanitizer, which finds reads and writes outside of memory; half as many runs a second
    #[arg(long)]
    address: bool,
}

const FOLDER: &str = "crates/fuzz";

/// Compiler flags that libFuzzer needs, as cargo-fuzz sets them: stable Rust can emit coverage too.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

/// Flag of the sanitizer. Only nightly takes it, but the stable toolchain carries its runtime, and `RUSTC_BOOTSTRAP` lets it through.
const ADDRESS: &str = "-Zsanitizer=address";

/// Runs the command. Inputs that break a target are written to `crates/fuzz/artifacts`; add each to the target's corpus with its fix.
pub fn command(fuzz: &Fuzz) -> Result<()> {
    let known = targets()?;
    if let Some(stranger) = fuzz.targets.iter().find(|target| !known.contains(target)) {
        return Err(Failure::new(format!("Unknown target {stranger}; the targets are {}.", known.join(", "))));
    }
    let program = build(fuzz.address)?;
    let wanted: Vec<_> =
        known.into_iter().filter(|one| fuzz.targets.is_empty() || fuzz.targets.contains(one)).collect();
    let mut broken = Vec::new();
    for target in wanted {
        let result = progress::step(&format!("fuzz {target}"), |_| run(&program, &target, fuzz.minutes));
        if let Err(failure) = result {
            progress::say(&format!("\n{failure}\n"));
            broken.push(target);
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    let sentence = format!("Broken: {}. The inputs are in {FOLDER}/artifacts.", broken.join(", "));
    Err(Failure::new(sentence))
}

/// Names of the targets: the folders of the corpus, and `replay`, whose inputs are fixtures.
fn targets() -> Result<Vec<String>> {
    let corpus = place::root().join(FOLDER).join("corpus");
    let folders = fs::read_dir(&corpus).or_say(format_args!("read {}", corpus.display()))?.flatten();
    let mut names: Vec<_> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.push("replay".into());
    names.sort();
    Ok(names)
}

fn texts(target: &str) -> PathBuf {
    match target {
        "replay" => place::root().join("fixtures/replays"),
        _ => place::root().join(FOLDER).join("corpus").join(target),
    }
}

fn build(address: bool) -> Result<PathBuf> {
    let built = place::target().join(if address { "fuzz-address" } else { "fuzz" });
    let host = crate::compiler::active().host()?;
    let manifest = place::root().join(FOLDER).join("libfuzzer/Cargo.toml");
    progress::step("targets with coverage", |_| {
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--locked", "--manifest-path"]).arg(manifest);
        // With an explicit target triple the flags do not apply to build scripts and macros.
        cargo.args(["--target", &host]).arg("--target-dir").arg(&built);
        cargo.env("RUSTFLAGS", FLAGS).env_remove("CARGO_ENCODED_RUSTFLAGS");
        if address {
            cargo.env("RUSTFLAGS", format!("{ADDRESS} {FLAGS}")).env("RUSTC_BOOTSTRAP", "1");
        }
        process::run("cargo build of the fuzz targets", &mut cargo).map(drop)
    })?;
    Ok(built.join(host).join("release/portico-libfuzzer"))
}

fn run(program: &Path, target: &str, minutes: u32) -> Result<()> {
    let artifacts = place::root().join(FOLDER).join("artifacts");
    let found = place::target().join("fuzz/corpus").join(target);
    for folder in [&artifacts, &found] {
        fs::create_dir_all(folder).or_say(format_args!("make {}", folder.display()))?;
    }
    let mut fuzzer = Command::new(program);
    fuzzer.env("PORTICO_FUZZ_TARGET", target).arg(format!("-max_total_time={}", minutes * 60));
    fuzzer.args(["-timeout=5", "-rss_limit_mb=2048", "-verbosity=0", "-max_len=65536"]);
    fuzzer.arg(format!("-artifact_prefix={}/", artifacts.display())).arg(&found).arg(texts(target));
    // The fuzzer ends by itself; the extra 300 s are for starting and reading the corpus.
    let limit = Duration::from_secs(u64::from(minutes) * 60 + 300);
    let ended = process::run_to_end_within(limit, &format!("fuzz {target}"), &mut fuzzer)?;
    ended.failure.map_or(Ok(()), Err)
}
