//! A Rust that could build for wasm: where it is, and how to call it so that no other gets in between.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, OrSay, Result};
use crate::place;
use crate::toolchain::TARGET;

/// Debian's packages of a compiler for wasm and of the source of its standard library.
pub const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];
const DEBIAN_LINKER: &str = "/usr/bin/wasm-ld";

/// Code generation that costs the fewest bytes after brotli, each measured in `docs/decisions/0002-size-of-the-core.md`.
const LEAN: [&str; 3] = ["--max-store-memcpy=1", "--disable-lsr", "--two-entry-phi-node-folding-threshold=0"];

/// A compiler and the cargo that goes with it.
pub struct Compiler {
    cargo: &'static str,
    rustc: &'static str,
    /// Where the toolchain's own linker is, or one that was brought along.
    linker: PathBuf,
    brought: bool,
}

/// SHA-2 in a loop: what a client hashes is short, and the unrolled rounds weigh 15 KB.
const COMPACT: &str = "--cfg=sha2_backend_soft=\"compact\"";

/// The compiler that everything else is built with.
pub fn active() -> Compiler {
    let host = ask("rustc", &["--print", "target-libdir"]).unwrap_or_default();
    let linker = Path::new(host.trim()).with_file_name("bin").join("rust-lld");
    Compiler { cargo: "cargo", rustc: "rustc", linker, brought: false }
}

/// Debian's packaged compiler, whatever the path says.
pub fn debian() -> Compiler {
    Compiler { cargo: "/usr/bin/cargo", rustc: "/usr/bin/rustc", linker: DEBIAN_LINKER.into(), brought: true }
}

impl Compiler {
    /// All that its `rustc` tells about its version.
    pub fn version(&self) -> Result<String> {
        ask(self.rustc, &["-vV"])
    }

    /// The machine it runs on, as compilers call it.
    pub fn host(&self) -> Result<String> {
        let version = self.version()?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        host.map(str::to_owned)
            .ok_or_else(|| Failure::new("The Rust on the path does not tell what machine it is for."))
    }

    /// Whether it can build a standard library and link for wasm.
    pub fn has_source(&self) -> bool {
        let sysroot = ask(self.rustc, &["--print", "sysroot"]).unwrap_or_default();
        let source = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std/Cargo.toml");
        source.exists() && self.linker.exists() && (!self.brought || Path::new(self.cargo).exists())
    }

    /// Its cargo, with the flags it needs to leave little to load.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(self.cargo);
        // Flags from outside would take the place of ours.
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        if self.brought {
            for foreign in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO"] {
                cargo.env_remove(foreign);
            }
            cargo.env("RUSTC", self.rustc).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &self.linker);
        }
        cargo
    }

    /// Flags for small code. LLVM's are left out where it does not know them: they are its own, and may go with any release of it.
    pub fn lean(&self) -> Vec<String> {
        let flags: Vec<_> = LEAN.iter().map(|flag| format!("-Cllvm-args={flag}")).collect();
        let mut rustc = Command::new(self.rustc);
        // To the standard output: beside a file it would also make folders, and not every user may do that where the file is /dev/null.
        rustc.current_dir(place::root()).args(&flags).args(["--crate-type=lib", "--emit=llvm-ir=-", "-"]);
        let told = rustc.stdin(Stdio::null()).output().map(|output| output.stderr).unwrap_or_default();
        let unknown = String::from_utf8_lossy(&told).contains("Unknown command line argument");
        let mut flags = if unknown { Vec::new() } else { flags };
        flags.push(COMPACT.into());
        flags
    }
}

/// `cargo`'s argument for flags that only the wasm target gets: build scripts and macros run on this machine.
pub fn target_flags(flags: &[String]) -> String {
    format!("target.{TARGET}.rustflags={flags:?}")
}

/// Asks a compiler something that is answered at once.
pub fn ask(program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).current_dir(place::root()).args(arguments).output();
    let output = output.or_say(format_args!("run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
