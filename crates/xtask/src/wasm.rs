//! `cargo xtask wasm`: builds the Rust code for the browser, the core, the WalletConnect client, the frame and its signer, each as a module
//! with its glue.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use wasm_bindgen_cli_support::Bindgen;

use crate::failure::{Failure, OrSay, Result};
use crate::size::{brotli, kilobytes};
use crate::split::{self, Statics};
use crate::stamp::{self, Inputs, Stamp};
use crate::toolchain::{self, TARGET, Toolchain};
use crate::{npm, parts, place, process, progress};

/// Wasm module to build from a crate.
struct Artefact {
    /// Name of the step.
    label: &'static str,
    /// Folder of the crate in `crates`.
    krate: &'static str,
    /// Arguments of cargo that select the features.
    features: &'static [&'static str],
    /// Package that the files are written to, in its folder `wasm`.
    package: &'static str,
    /// Base name of the glue.
    name: &'static str,
    /// File name of the module.
    module: &'static str,
    /// Parts of the core, each a module of its own: home first (decision 7).
    parts: &'static [&'static str],
}

const CORE: Artefact = Artefact {
    label: "core as WebAssembly",
    krate: "wasm",
    features: &[],
    package: "packages/widget",
    name: "portico",
    module: "portico_bg.wasm",
    parts: &parts::PARTS,
};

/// WalletConnect module for the widget: the application side only.
const WALLETCONNECT: Artefact = Artefact {
    label: "WalletConnect as WebAssembly",
    krate: "wasm-walletconnect",
    features: &["--no-default-features"],
    package: "packages/walletconnect",
    name: "walletconnect",
    module: "walletconnect_bg.wasm",
    parts: &[],
};

/// WalletConnect module for the widget of pages with a sign-in, with the same glue.
const SIGN_IN: Artefact = Artefact {
    label: "the sign-in as well",
    features: &["--no-default-features", "--features", "sign-in"],
    module: "sign_in_bg.wasm",
    ..WALLETCONNECT
};

/// WalletConnect module for wallets: both sides, with the same glue.
const WALLET: Artefact =
    Artefact { label: "the wallet's side as well", features: &[], module: "wallet_bg.wasm", ..WALLETCONNECT };

/// Machine of the embedded wallet's frame.
const FRAME: Artefact = Artefact {
    label: "frame as WebAssembly",
    krate: "wasm-frame",
    features: &[],
    package: "packages/frame",
    name: "frame",
    module: "frame_bg.wasm",
    parts: &[],
};

/// Signer of the embedded wallet, for the worker of its frame.
const SIGNER: Artefact = Artefact {
    label: "signer as WebAssembly",
    krate: "wasm-signer",
    features: &[],
    package: "packages/frame",
    name: "signer",
    module: "signer_bg.wasm",
    parts: &[],
};

/// Password of the embedded wallet, which the worker loads when one is set or typed.
const PASSWORD: Artefact = Artefact {
    label: "password as WebAssembly",
    krate: "wasm-password",
    features: &[],
    package: "packages/frame",
    name: "password",
    module: "password_bg.wasm",
    parts: &[],
};

/// WalletConnect module for the widget with the benchmark functions added.
const BENCH: Artefact = Artefact {
    label: "WalletConnect to be measured",
    features: &["--no-default-features", "--features", "bench"],
    package: "target/bench",
    module: "bench_bg.wasm",
    ..WALLETCONNECT
};

impl Artefact {
    /// Folder of the module and its glue.
    fn folder(&self) -> PathBuf {
        place::root().join(self.package).join("wasm")
    }

    /// Name of its build folder and its stamp.
    fn key(&self) -> &str {
        self.module.trim_end_matches(".wasm")
    }

    fn glue(&self) -> String {
        format!("{}.js", self.name)
    }

    /// File name of a part's module.
    fn file_of(&self, part: &str) -> String {
        format!("{}_{part}.wasm", self.name)
    }

    fn modules(&self) -> Vec<String> {
        std::iter::once(String::from(self.module)).chain(self.parts.iter().map(|part| self.file_of(part))).collect()
    }

    fn made(&self) -> Vec<String> {
        let glue = [self.glue(), format!("{}.d.ts", self.name)];
        self.modules().into_iter().chain(glue).collect()
    }
}

/// First arguments of wasm-opt for the first module of several, which every visitor fetches: control flow that is built anew from single steps has
/// fewer blocks, in four times the time.
const ANEW: [&str; 5] = ["-Oz", "--flatten", "--rereloop", "-Oz", "-Oz"];

/// Arguments of wasm-opt: optimisations, and the wasm features that the compiler may use and all supported browsers have.
const WASM_OPT: [&str; 12] = [
    "-Oz",
    // Browsers compile a whole function at its first call: code that the first open does not need stays in functions of its own.
    "--one-caller-inline-max-function-size=50",
    "--converge",
    // Browsers do not read the section with the features that the compiler might use.
    "--strip-target-features",
    // The first kilobyte of memory is the far end of the stack, where no value is addressed.
    "--low-memory-unused",
    "--strip-producers",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Arguments of `cargo xtask wasm`.
#[derive(Args, Clone, Copy, Default)]
pub struct Wasm {
    /// Skip wasm-opt: faster to build, larger files
    #[arg(long)]
    pub dev: bool,
    /// Build the modules of the embedded wallet only: its signer, its password and its frame
    #[arg(long)]
    pub signer: bool,
}

/// Runs the command; installs the npm packages first, because wasm-opt is one of them.
pub fn command(wasm: Wasm) -> Result<()> {
    if !wasm.dev {
        npm::ready()?;
    }
    build(wasm)
}

/// Steps: builds each module whose inputs changed.
pub fn build(wasm: Wasm) -> Result<()> {
    let toolchain = toolchain::choose()?;
    let all = [SIGNER, PASSWORD, FRAME, CORE, WALLETCONNECT, SIGN_IN, WALLET];
    let wanted = if wasm.signer { &all[..3] } else { &all };
    wanted.iter().try_for_each(|artefact| make(artefact, &toolchain, wasm))
}

/// Builds the module that `cargo xtask bench chunk` measures, with the same settings.
pub fn bench() -> Result<()> {
    make(&BENCH, &toolchain::choose()?, Wasm::default())
}

fn make(artefact: &Artefact, toolchain: &Toolchain, wasm: Wasm) -> Result<()> {
    progress::step(artefact.label, |note| {
        let digest = inputs(artefact, toolchain, wasm)?;
        let stamp = Stamp::of(artefact.key());
        let made: Vec<_> = artefact.made().iter().map(|file| artefact.folder().join(file)).collect();
        if let Some(kept) = stamp.note(&digest, &made.iter().map(PathBuf::as_path).collect::<Vec<_>>()) {
            *note = format!("up to date: {kept}");
            return Ok(());
        }
        stamp.forget();
        compile(artefact, toolchain)?;
        let folder = bind(artefact)?;
        if !artefact.parts.is_empty() {
            let linked = linked_module(artefact);
            let linked = fs::read(&linked).or_say(format_args!("read {}", linked.display()))?;
            // Before wasm-opt, which may merge identical functions.
            let files: Vec<_> =
                artefact.parts.iter().map(|part| (*part, folder.join(artefact.file_of(part)))).collect();
            let files: Vec<_> = files.iter().map(|(part, file)| (*part, file.as_path())).collect();
            split::split(&folder.join(artefact.module), &files, &Statics::read(&linked)?)?;
            for module in artefact.modules() {
                fs::copy(folder.join(&module), folder.join(format!("{module}.named"))).or_say("keep names")?;
            }
        }
        if !wasm.dev {
            for module in artefact.modules() {
                let first = module == artefact.module && !artefact.parts.is_empty();
                optimise(&folder.join(&module), if first { &ANEW } else { &[] })?;
            }
        }
        *note = sizes(artefact, &folder, toolchain.name)?;
        put(artefact, &folder)?;
        stamp.keep(&digest, note)
    })
}

fn inputs(artefact: &Artefact, toolchain: &Toolchain, wasm: Wasm) -> Result<String> {
    let root = place::root();
    let mut inputs = Inputs::default().text(&toolchain.fingerprint).text(if wasm.dev { "dev" } else { "opt" });
    for file in ["Cargo.toml", "Cargo.lock"] {
        inputs = inputs.path(&root.join(file))?;
    }
    for name in crates_below(artefact.krate, &root.join("crates")) {
        inputs = inputs.path(&root.join("crates").join(name))?;
    }
    Ok(inputs
        .text(&artefact.features.join(" "))
        .text(&ANEW.join(" "))
        .text(&WASM_OPT.join(" "))
        .text(include_str!("split.rs"))
        .text(include_str!("split/names.rs"))
        .text(include_str!("split/statics.rs"))
        .digest())
}

/// Folder names of a crate and of all workspace crates it depends on.
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

/// Workspace crates that a manifest depends on, without dev-dependencies.
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

fn compile(artefact: &Artefact, toolchain: &Toolchain) -> Result<()> {
    let mut cargo = toolchain.cargo();
    cargo
        .current_dir(place::root())
        .args(["rustc", "--lib", "--profile", "web", "--target", TARGET])
        .args(["--package", &format!("portico-{}", artefact.krate)])
        .args(artefact.features)
        .arg("--target-dir")
        .arg(toolchain::target_folder());
    if !artefact.parts.is_empty() {
        // The split needs the table of symbols and the places that refer to them.
        cargo.args(["--", "-Clink-arg=--emit-relocs"]);
    }
    let built = process::run("cargo build for wasm", &mut cargo);
    built.map(drop).map_err(|failure| failure.or_no_network("the crate registry"))
}

/// Path of the module as the linker wrote it.
fn linked_module(artefact: &Artefact) -> PathBuf {
    toolchain::module(&format!("portico_{}", artefact.krate.replace('-', "_")))
}

/// Writes the glue and its module to a build folder.
fn bind(artefact: &Artefact) -> Result<PathBuf> {
    let folder = toolchain::target_folder().join("bound").join(artefact.key());
    // Files of an earlier release of wasm-bindgen must not stay.
    let _ = fs::remove_dir_all(&folder);
    let mut bindgen = Bindgen::new();
    let module = linked_module(artefact);
    bindgen.input_path(&module).out_name(artefact.name);
    bindgen.web(true).or_say("bind for the browser")?;
    // The split needs the names; wasm-opt removes them later.
    bindgen.typescript(true).remove_name_section(false).remove_producers_section(true);
    // The packages pass the module's URL, so bundlers need not find it in the glue.
    bindgen.omit_default_module_path(true);
    // An instance that trapped is never called again: the shell starts a new one from the same module.
    bindgen.reset_state_function(true);
    bindgen
        .generate(&folder)
        .map_err(|error| Failure::new(format!("Could not bind {} for the browser: {error:#}", module.display())))?;
    let bound = folder.join(format!("{}_bg.wasm", artefact.name));
    fs::rename(&bound, folder.join(artefact.module)).or_say(format_args!("rename {}", bound.display()))?;
    Ok(folder)
}

/// Shrinks the module with wasm-opt, which gets these arguments before its usual ones; the result is cached on this machine.
fn optimise(module: &Path, before: &[&str]) -> Result<()> {
    let bytes = fs::read(module).or_say(format_args!("read {}", module.display()))?;
    let tool = place::root().join("node_modules/binaryen");
    let inputs = Inputs::default()
        .path(&tool.join("package.json"))?
        .path(module)?
        .text(&before.join(" "))
        .text(&WASM_OPT.join(" "));
    let kept = place::cache().join("wasm-opt").join(format!("{}.wasm", inputs.digest()));
    if !kept.exists() {
        let small = module.with_extension("small");
        let mut node = Command::new("node");
        node.arg(tool.join("bin/wasm-opt")).arg(module).arg("-o").arg(&small).args(before).args(WASM_OPT);
        process::run("wasm-opt", &mut node)?;
        let small = fs::read(&small).or_say("read what wasm-opt wrote")?;
        stamp::write(&kept, if small.len() < bytes.len() { &small } else { &bytes })?;
    }
    fs::copy(&kept, module).or_say(format_args!("write {}", module.display()))?;
    Ok(())
}

fn sizes(artefact: &Artefact, folder: &Path, toolchain: &str) -> Result<String> {
    let mut said = Vec::new();
    let parts = artefact.parts.iter().map(|part| (*part, artefact.file_of(part)));
    for (what, file) in
        [("module", String::from(artefact.module))].into_iter().chain(parts).chain([("glue", artefact.glue())])
    {
        let bytes = fs::read(folder.join(&file)).or_say(format_args!("read {file}"))?;
        said.push(format!("{what} {} ({} brotli)", kilobytes(bytes.len()), kilobytes(brotli(&bytes))));
    }
    Ok(format!("{}, by {toolchain}", said.join(", ")))
}

/// Copies the finished files to the folder that their package reads.
fn put(artefact: &Artefact, folder: &Path) -> Result<()> {
    for file in artefact.made() {
        let bytes = fs::read(folder.join(&file)).or_say(format_args!("read {file}"))?;
        let place = artefact.folder().join(&file);
        let shared =
            artefact.module != WALLETCONNECT.module && artefact.name == WALLETCONNECT.name && file == artefact.glue();
        if shared && fs::read(&place).is_ok_and(|there| there != bytes) {
            return Err(Failure::new(
                "Both WalletConnect modules share one glue file, but the build made different ones.",
            ));
        }
        stamp::write(&place, &bytes)?;
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
