//! Rust compilers that can build for wasm: where they are, and how to call exactly one of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, OrSay, Result};
use crate::place;
use crate::toolchain::TARGET;

/// Debian packages with a compiler for wasm and the source of its standard library.
pub const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];
const DEBIAN_LINKER: &str = "/usr/bin/wasm-ld";

/// LLVM arguments that save bytes after brotli; `docs/decisions/0002-size-of-the-core.md` has the measurement of each.
const LEAN: [&str; 3] = ["--max-store-memcpy=1", "--disable-lsr", "--two-entry-phi-node-folding-threshold=0"];

/// Compiler with its cargo.
pub struct Compiler {
    cargo: &'static str,
    rustc: &'static str,
    /// Path of the linker: the toolchain's own, or Debian's.
    linker: PathBuf,
    brought: bool,
}

/// SHA-2 as a loop: clients hash short inputs, and unrolled rounds add 15 KB.
const COMPACT: &str = "--cfg=sha2_backend_soft=\"compact\"";

/// Active compiler, which also builds everything else.
pub fn active() -> Compiler {
    let host = ask("rustc", &["--print", "target-libdir"]).unwrap_or_default();
    let linker = Path::new(host.trim()).with_file_name("bin").join("rust-lld");
    Compiler { cargo: "cargo", rustc: "rustc", linker, brought: false }
}

/// Debian's packaged compiler, regardless of `PATH`.
pub fn debian() -> Compiler {
    Compiler { cargo: "/usr/bin/cargo", rustc: "/usr/bin/rustc", linker: DEBIAN_LINKER.into(), brought: true }
}

impl Compiler {
    /// Output of `rustc -vV`.
    pub fn version(&self) -> Result<String> {
        ask(self.rustc, &["-vV"])
    }

    /// Target triple of the machine that the compiler runs on.
    pub fn host(&self) -> Result<String> {
        let version = self.version()?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        host.map(str::to_owned).ok_or_else(|| Failure::new("The Rust compiler in PATH does not report its host."))
    }

    /// Whether the source of the standard library and a linker for wasm are installed.
    pub fn has_source(&self) -> bool {
        let sysroot = ask(self.rustc, &["--print", "sysroot"]).unwrap_or_default();
        let source = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std/Cargo.toml");
        source.exists() && self.linker.exists() && (!self.brought || Path::new(self.cargo).exists())
    }

    /// Command for this compiler's cargo, with an environment in which no other compiler or flags interfere.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(self.cargo);
        // Flags from the environment would replace ours.
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        if self.brought {
            for foreign in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO"] {
                cargo.env_remove(foreign);
            }
            cargo.env("RUSTC", self.rustc).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &self.linker);
        }
        cargo
    }

    /// Compiler flags for small code. LLVM arguments are omitted if this LLVM rejects them: any release may drop them.
    pub fn lean(&self) -> Vec<String> {
        let flags: Vec<_> = LEAN.iter().map(|flag| format!("-Cllvm-args={flag}")).collect();
        let mut rustc = Command::new(self.rustc);
        // Output goes to stdout: for /dev/null rustc would create a folder beside the file, which not every user may do.
        rustc.current_dir(place::root()).args(&flags).args(["--crate-type=lib", "--emit=llvm-ir=-", "-"]);
        let told = rustc.stdin(Stdio::null()).output().map(|output| output.stderr).unwrap_or_default();
        let unknown = String::from_utf8_lossy(&told).contains("Unknown command line argument");
        let mut flags = if unknown { Vec::new() } else { flags };
        flags.push(COMPACT.into());
        flags
    }
}

/// Argument of `cargo --config` that sets flags for the wasm target only, because build scripts and macros run on this machine.
pub fn target_flags(flags: &[String]) -> String {
    format!("target.{TARGET}.rustflags={flags:?}")
}

/// Runs a short program, such as `rustc --print`, and returns its output.
pub fn ask(program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).current_dir(place::root()).args(arguments).output();
    let output = output.or_say(format_args!("run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
