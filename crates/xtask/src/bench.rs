//! `cargo xtask bench`: the numbers of docs/benchmarks.md, measured on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Args, ValueEnum};

use crate::failure::{Failure, OrSay, Result};
use crate::{apt, place, process, progress, world};

/// `cargo xtask bench`
#[derive(Args)]
pub struct Bench {
    /// Which numbers; all where nothing is said
    what: Option<What>,
}

#[derive(Clone, Copy, Eq, PartialEq, ValueEnum)]
enum What {
    /// The page and the core, in a browser
    Page,
    /// The server beside nginx
    Server,
}

/// Where the server's numbers stand.
const SECTION: &str = "\n## Server\n";
const HISTORY: &str = "\n### History\n";

/// What the server is measured beside and with, and what that needs.
const PACKAGES: [&str; 4] = ["nginx", "wrk", "libluajit-5.1-2", "libluajit-5.1-common"];

/// The command.
pub fn command(bench: &Bench) -> Result<()> {
    if bench.what != Some(What::Server) {
        world::run("bench")?;
    }
    if bench.what != Some(What::Page) {
        server()?;
    }
    Ok(())
}

fn server() -> Result<()> {
    let tools = tools()?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["bench", "--package", "portico-server", "--bench", "server"]);
    cargo.env("BENCH_NGINX", &tools.nginx).env("BENCH_WRK", &tools.wrk).env("LD_LIBRARY_PATH", &tools.libraries);
    let said = progress::step("the server beside nginx", |_| process::run("cargo bench", &mut cargo))?;
    let table = said.lines().filter(|line| line.starts_with('|')).collect::<Vec<_>>().join("\n");
    if table.lines().count() < 3 {
        return Err(Failure::new(format!("cargo bench measured nothing:\n{said}")));
    }
    let section = format!("{SECTION}\n{}\n\n{table}\n", about());
    let file = place::root().join("docs/benchmarks.md");
    let text = fs::read_to_string(&file).or_say("read docs/benchmarks.md")?;
    let page = text.split(SECTION).next().unwrap_or_default().trim_end();
    // Below it stands what a test measures.
    let below = text.split_once(HISTORY).map(|(_, below)| format!("{HISTORY}{below}")).unwrap_or_default();
    fs::write(&file, format!("{page}\n{section}{below}")).or_say("write docs/benchmarks.md")?;
    println!("{table}");
    match table.lines().filter(|line| line.contains("| missed |")).count() {
        0 => Ok(()),
        missed => Err(Failure::new(format!("{missed} of the server's budgets are missed."))),
    }
}

fn about() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
    };
    format!(
        "`cargo xtask bench server`, {}, {} cores, Linux {}. The server as released and Debian's nginx have one core, wrk and the\n\
         upstream another. Rates and medians are those of the middle one of three runs, turn by turn; the 99th percentiles are of\n\
         eight seconds each.",
        said("date", &["+%F"]),
        said("nproc", &[]),
        said("uname", &["-r"]),
    )
}

struct Tools {
    nginx: PathBuf,
    wrk: PathBuf,
    libraries: PathBuf,
}

/// From Debian's packages, unpacked here: nothing is installed, and no service starts.
fn tools() -> Result<Tools> {
    let folder = place::root().join("target/bench");
    let unpacked = folder.join("tools");
    let tools = Tools {
        nginx: unpacked.join("usr/sbin/nginx"),
        wrk: unpacked.join("usr/bin/wrk"),
        libraries: libraries(&unpacked),
    };
    if tools.nginx.exists() && tools.wrk.exists() {
        return Ok(tools);
    }
    progress::step("nginx and wrk", |_| apt::unpack(&PACKAGES, &folder, &unpacked))?;
    Ok(Tools { libraries: libraries(&unpacked), ..tools })
}

/// Debian names the folder after the architecture.
fn libraries(unpacked: &Path) -> PathBuf {
    let folder = unpacked.join("usr/lib");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let named = entries.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with("linux-gnu"));
    named.unwrap_or(folder)
}
