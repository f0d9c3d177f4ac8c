//! `cargo xtask wasm`: the core as the browser loads it, a module and its glue.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use wasm_bindgen_cli_support::Bindgen;

use crate::failure::{Failure, OrSay, Result};
use crate::size::{brotli, kilobytes};
use crate::stamp::{self, Inputs, Stamp};
use crate::toolchain::{self, TARGET, Toolchain};
use crate::{npm, place, process, progress, split};

const MADE: [&str; 4] = ["portico.js", "portico.d.ts", "portico_bg.wasm", "portico_home.wasm"];

/// What the compiler may have used and every browser we support has.
const WASM_OPT: [&str; 11] = [
    "-Oz",
    // A browser compiles a function when it is first called, whole: what a first open does not need stays apart.
    "--one-caller-inline-max-function-size=50",
    "--converge",
    // The first kilobyte is the far end of the stack: no value has its address there.
    "--low-memory-unused",
    "--strip-producers",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// How to build the core.
#[derive(Args, Clone, Copy, Default)]
pub struct Wasm {
    /// Skip wasm-opt: quicker to build, larger to load
    #[arg(long)]
    pub dev: bool,
}

/// The command: npm brings wasm-opt, so it comes first.
pub fn command(wasm: Wasm) -> Result<()> {
    if !wasm.dev {
        npm::ready()?;
    }
    build(wasm)
}

/// Where the module and its glue are written.
pub fn folder() -> PathBuf {
    place::root().join("packages/widget/wasm")
}

/// The step: builds the module unless nothing it is made of changed.
pub fn build(wasm: Wasm) -> Result<()> {
    let toolchain = toolchain::choose()?;
    progress::step("core as WebAssembly", |note| {
        let digest = inputs(&toolchain, wasm)?;
        let stamp = Stamp::of("wasm");
        let made = MADE.map(|file| folder().join(file));
        if let Some(kept) = stamp.note(&digest, &made.each_ref().map(PathBuf::as_path)) {
            *note = format!("up to date: {kept}");
            return Ok(());
        }
        stamp.forget();
        compile(&toolchain)?;
        let half = bind()?;
        let modules = ["portico_bg.wasm", "portico_home.wasm"].map(|file| half.join(file));
        // Before wasm-opt, which may make one of two functions that are alike.
        split::split(&modules[0], &modules[1])?;
        if !wasm.dev {
            modules.iter().try_for_each(|module| optimise(module))?;
        }
        *note = sizes(&half, toolchain.name)?;
        put(&half)?;
        stamp.keep(&digest, note)
    })
}

fn inputs(toolchain: &Toolchain, wasm: Wasm) -> Result<String> {
    let root = place::root();
    let mut inputs = Inputs::default().text(&toolchain.fingerprint).text(if wasm.dev { "dev" } else { "opt" });
    for file in ["Cargo.toml", "Cargo.lock"] {
        inputs = inputs.path(&root.join(file))?;
    }
    for name in crates_below("wasm", &root.join("crates")) {
        inputs = inputs.path(&root.join("crates").join(name))?;
    }
    Ok(inputs.text(&WASM_OPT.join(" ")).text(include_str!("split.rs")).digest())
}

/// A crate and those of ours it is built from, so that a new floor below the core is never forgotten.
fn crates_below(name: &str, crates: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = vec![name.to_owned()];
    while let Some(name) = left.pop() {
        let manifest = fs::read_to_string(crates.join(&name).join("Cargo.toml")).unwrap_or_default();
        if found.insert(name) {
            left.extend(own_dependencies(&manifest));
        }
    }
    found
}

/// The crates of ours that a manifest depends on, other than for its tests.
fn own_dependencies(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let counts = section.contains("dependencies") && !section.contains("dev-dependencies");
        if let (true, Some(rest)) = (counts, line.trim_start_matches("[dependencies.").strip_prefix("portico-")) {
            found.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect());
        }
    }
    found
}

fn compile(toolchain: &Toolchain) -> Result<()> {
    let mut cargo = toolchain.cargo();
    cargo
        .current_dir(place::root())
        .args(["build", "--package", "portico-wasm", "--profile", "web", "--target", TARGET, "--target-dir"])
        .arg(toolchain::target_folder());
    let built = process::run("cargo build for wasm", &mut cargo);
    built.map(drop).map_err(|failure| failure.or_no_network("the crate registry"))
}

/// Writes the glue and the module it goes with to a folder of their own.
fn bind() -> Result<PathBuf> {
    let half = toolchain::target_folder().join("bound");
    // What an earlier release of the tool wrote must not stay beside what this one writes.
    let _ = fs::remove_dir_all(&half);
    let mut bindgen = Bindgen::new();
    bindgen.input_path(toolchain::module("portico_wasm")).out_name("portico");
    bindgen.web(true).or_say("bind the core for the browser")?;
    // The split goes by names; wasm-opt leaves them out.
    bindgen.typescript(true).remove_name_section(false).remove_producers_section(true);
    // The widget says where the module is, so bundlers need not look for it in the glue.
    bindgen.omit_default_module_path(true);
    // An instance that trapped is never called again: the shell starts a fresh one from the same module.
    bindgen.reset_state_function(true);
    bindgen
        .generate(&half)
        .map_err(|error| Failure::new(format!("Could not bind the core for the browser: {error:#}")))?;
    Ok(half)
}

/// Makes the module as small as wasm-opt can; the same module is never worked on twice on this machine.
fn optimise(module: &Path) -> Result<()> {
    let bytes = fs::read(module).or_say(format_args!("read {}", module.display()))?;
    let tool = place::root().join("node_modules/binaryen");
    let inputs = Inputs::default().path(&tool.join("package.json"))?.path(module)?.text(&WASM_OPT.join(" "));
    let kept = place::cache().join("wasm-opt").join(format!("{}.wasm", inputs.digest()));
    if !kept.exists() {
        let small = module.with_extension("small");
        let mut node = Command::new("node");
        node.arg(tool.join("bin/wasm-opt")).arg(module).arg("-o").arg(&small).args(WASM_OPT);
        process::run("wasm-opt", &mut node)?;
        let small = fs::read(&small).or_say("read what wasm-opt wrote")?;
        stamp::write(&kept, if small.len() < bytes.len() { &small } else { &bytes })?;
    }
    fs::copy(&kept, module).or_say(format_args!("write {}", module.display()))?;
    Ok(())
}

fn sizes(half: &Path, toolchain: &str) -> Result<String> {
    let mut said = Vec::new();
    for (what, file) in [("module", "portico_bg.wasm"), ("second half", "portico_home.wasm"), ("glue", "portico.js")] {
        let bytes = fs::read(half.join(file)).or_say(format_args!("read {file}"))?;
        said.push(format!("{what} {} ({} brotli)", kilobytes(bytes.len()), kilobytes(brotli(&bytes))));
    }
    Ok(format!("{}, by {toolchain}", said.join(", ")))
}

/// Moves the finished files to where the widget reads them.
fn put(half: &Path) -> Result<()> {
    for file in MADE {
        let bytes = fs::read(half.join(file)).or_say(format_args!("read {file}"))?;
        stamp::write(&folder().join(file), &bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_below_one_are_found_in_its_manifest() {
        let manifest = "[package]\nname = \"portico-wasm\"\n[dependencies]\nportico-core.workspace = true\n\
            portico-json-derive = { workspace = true }\nserde = \"1\"\n[dependencies.portico-api]\n\
            [dev-dependencies]\nportico-testkit.workspace = true\n";
        assert_eq!(own_dependencies(manifest), ["core", "json-derive", "api"]);
    }
}
