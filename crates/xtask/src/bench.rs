//! `cargo xtask bench`: measures the numbers of docs/benchmarks.md on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Args, ValueEnum};

use crate::failure::{Failure, OrSay, Result};
use crate::{apt, npm, place, process, progress, size, wasm, widget, world};

/// `cargo xtask bench`
#[derive(Args)]
pub struct Bench {
    /// Benchmark to run; all if none is given
    what: Option<What>,
    /// Measure the page and the server that are built, without building them: for `account`, `connect` and `login`
    #[arg(long)]
    built: bool,
}

#[derive(Clone, Copy, Eq, PartialEq, ValueEnum)]
enum What {
    /// Size of the files that the browser downloads
    Size,
    /// Speed of the page and the core, in a browser
    Page,
    /// Waiting times of a connected visitor, in a browser
    Account,
    /// Waiting times between the choice of a wallet and its account, in a browser
    Connect,
    /// Waiting times of a visitor with an embedded wallet, in a browser
    Login,
    /// Speed of the server, compared with nginx
    Server,
    /// Speed of the WalletConnect relay
    Relay,
    /// An honest visitor of the server beside one abuser at full speed
    Neighbour,
    /// Logins by e-mail, and the vault
    Vault,
    /// Verified signatures of sign-ins
    Signature,
    /// The WalletConnect chunk, compared with WalletConnect's own client
    Chunk,
}

/// Heading of the server's section in docs/benchmarks.md.
const SECTION: &str = "\n## Server\n";
const HISTORY: &str = "\n### History\n";

/// Heading of the section with the waiting times of a connected visitor.
const ACCOUNT: &str = "\n## Account\n";
/// Beginnings of lines that a benchmark in a browser adds to the text of its section.
const ADDED: [&str; 2] = ["A field alone", "The load was"];
const ACCOUNT_ABOUT: &str = "An account with 2,000 tokens and 5,000 transactions, in the demo's page.\n\
    Typing: the processor seems 4 times slower, and each text is typed seven times, a letter every 80 ms. A letter blocks for as long as script\n\
    runs in one task of the main thread, React's handlers, the core and React's drawing together, in the thread's own time; that of each letter\n\
    is the median, and the table has the letter that takes longest. The longest task whole has with it what the browser does itself: it sets\n\
    the letter, and lays out and paints the frame. The views of a feature and its part of the core are files of their own,\n\
    and each is judged by itself.";

/// Heading of the section with the waiting times of a connection.
const CONNECT: &str = "\n## Connecting\n";
const CONNECT_ABOUT: &str = "The demo's page with EVM networks and those of the row, and its browser wallets, which answer at once. From the click on the\n\
    wallet's row, on which the pointer rests in a modal that has come to rest, to the frame in which the page's button shows the account and the\n\
    modal has closed; it fades out after that. The code that asks the wallets of another namespace than EVM is fetched when the pointer reaches\n\
    the row, and so before the click. The time in which the wallet's own functions ran is left out. 30 fresh profiles: cold is the first\n\
    connection, whose requests are those begun within it, and warm the second, after a disconnection. The limit is Solana's; the others are held to it, too.";

/// Heading of the section with the waiting times of a visitor with an embedded wallet.
const LOGIN: &str = "\n## Login\n";
const LOGIN_ABOUT: &str = "The demo's page, the frame on an origin of its own, the server, its vault and its mails, all on this machine. Medians of\n\
    seven visitors who approved their browser before and were logged out. A time with the server's responses apart is that in which no request\n\
    was open.";

/// Heading of the relay's section.
const RELAY: &str = "\n## Relay\n";
const RELAY_ABOUT: &str = "The relay as released, with SQLite; it and those who load it share all cores.";

/// Heading of the section of visitors that share the server.
const NEIGHBOUR: &str = "\n## Neighbours\n";
const NEIGHBOUR_ABOUT: &str = "The server as released, with its default limits and SQLite. One abuser has 64 connections and sends as fast as\n\
    it is answered, to what the row names; an honest visitor at another address does the same thing 400 times, one after another.\n\
    Measured is its 99th percentile, as a multiple of that without the abuser; a row is missed as well if anything was refused to it.\n\
    Server, abuser, visitor and everybody else share the cores.";

/// Heading of the vault's section.
const VAULT: &str = "\n## Vault\n";
const VAULT_ABOUT: &str = "The server as released, with its vault as a process of its own on SQLite, and a mail server. A login begins with\n\
    the request of its mail and ends with the shares; server, vault, mail server and visitors share the cores.";

/// Heading of the section of verified sign-ins.
const SIGNATURE: &str = "\n## Sign-in\n";
const SIGNATURE_ABOUT: &str = "Verified signatures of sign-in messages of about 300 letters, on one core, in the code as released, without the HTTP request and the database around them. Medians of five runs.";

/// Raises the limit of file descriptors: each of the 10,000 clients needs one at either end.
const DESCRIPTORS: &str = "ulimit -n 20000 && exec cargo bench --package portico-server --bench relay";

/// Debian packages of the server benchmark: nginx for comparison, wrk as load generator, and their libraries.
const PACKAGES: [&str; 4] = ["nginx", "wrk", "libluajit-5.1-2", "libluajit-5.1-common"];

/// Runs the command.
pub fn command(bench: &Bench) -> Result<()> {
    let all = bench.what.is_none();
    if all || bench.what == Some(What::Size) {
        sizes()?;
    }
    if all || bench.what == Some(What::Page) {
        world::run("bench")?;
    }
    if all || bench.what == Some(What::Account) {
        account(bench.built)?;
    }
    if all || bench.what == Some(What::Connect) {
        connect(bench.built)?;
    }
    if all || bench.what == Some(What::Login) {
        login(bench.built)?;
    }
    if all || bench.what == Some(What::Server) {
        server()?;
    }
    if all || bench.what == Some(What::Relay) {
        relay()?;
    }
    if all || bench.what == Some(What::Neighbour) {
        neighbour()?;
    }
    if all || bench.what == Some(What::Vault) {
        vault()?;
    }
    if all || bench.what == Some(What::Signature) {
        signature()?;
    }
    if all || bench.what == Some(What::Chunk) {
        chunk()?;
    }
    Ok(())
}

fn sizes() -> Result<()> {
    widget::ready()?;
    let table = size::table()?;
    let about = format!(
        "`cargo xtask bench size`, {}. {} Each with all it imports statically, and after the ones before it.",
        said_by("date", &["+%F"]),
        "`cargo xtask test` fails where this table and what is built differ by more than 1 %.",
    );
    write_section(size::SECTION, &format!("{about}\n\n{table}"))?;
    println!("{table}");
    kept(&table, "size")
}

fn account(built: bool) -> Result<()> {
    browser_bench(built, "account", "waiting times of a connected visitor", ACCOUNT, ACCOUNT_ABOUT)
}

fn connect(built: bool) -> Result<()> {
    browser_bench(built, "connect", "waiting times of a connection", CONNECT, CONNECT_ABOUT)
}

fn login(built: bool) -> Result<()> {
    browser_bench(built, "login", "waiting times of a login", LOGIN, LOGIN_ABOUT)
}

/// Runs a benchmark in a browser and writes its section.
fn browser_bench(built: bool, name: &str, step: &'static str, heading: &str, about: &str) -> Result<()> {
    let world = if built { world::found() } else { world::ready() }?;
    let mut script = world.script(&format!("bench-{name}"));
    let said = progress::step(step, |_| process::run("npm run bench", &mut script))?;
    let added = said.lines().find(|line| ADDED.iter().any(|start| line.starts_with(start))).unwrap_or_default();
    write_table(name, heading, &format!("{about} {added}"), &said)
}

/// Writes the section of a benchmark with the table in its output.
fn write_table(name: &str, heading: &str, about: &str, said: &str) -> Result<()> {
    let table = table(said)?;
    let about = format!(
        "`cargo xtask bench {name}`, {}, {} cores, Linux {}. {about}",
        said_by("date", &["+%F"]),
        said_by("nproc", &[]),
        release(),
    );
    write_section(heading, &format!("{}\n\n{table}", about.trim_end()))?;
    println!("{table}");
    kept(&table, name)
}

fn write_section(heading: &str, section: &str) -> Result<()> {
    let file = place::root().join("docs/benchmarks.md");
    let text = fs::read_to_string(&file).or_say("read docs/benchmarks.md")?;
    fs::write(&file, with_section(&text, heading, section)).or_say("write docs/benchmarks.md")
}

/// Returns the page with the section of this heading replaced, or appended if there is none.
fn with_section(page: &str, heading: &str, section: &str) -> String {
    let (above, rest) = page.split_once(heading).unwrap_or((page, ""));
    let below = rest.find("\n## ").map_or("", |at| &rest[at..]);
    format!("{}\n{heading}\n{section}\n{below}", above.trim_end())
}

fn chunk() -> Result<()> {
    widget::ready()?;
    wasm::bench()?;
    let table = progress::step("the WalletConnect chunk", |_| {
        process::run("npm run bench", &mut npm::script("bench", "e2e/peers"))
    })?;
    println!("{table}");
    Ok(())
}

fn relay() -> Result<()> {
    let mut shell = Command::new("sh");
    shell.current_dir(place::root()).args(["-c", DESCRIPTORS]);
    let said = progress::step("the relay", |_| process::run("cargo bench", &mut shell))?;
    write_table("relay", RELAY, RELAY_ABOUT, &said)
}

fn neighbour() -> Result<()> {
    cargo_bench("neighbour", "an honest visitor beside an abuser", NEIGHBOUR, NEIGHBOUR_ABOUT)
}

fn vault() -> Result<()> {
    cargo_bench("vault", "logins by e-mail", VAULT, VAULT_ABOUT)
}

fn signature() -> Result<()> {
    bench_of("portico-signature", "signature", "verified signatures", SIGNATURE, SIGNATURE_ABOUT)
}

/// Runs a benchmark of the server and writes its section.
fn cargo_bench(name: &str, step: &'static str, heading: &str, about: &str) -> Result<()> {
    bench_of("portico-server", name, step, heading, about)
}

/// Runs a benchmark of a crate and writes its section.
fn bench_of(package: &str, name: &str, step: &'static str, heading: &str, about: &str) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["bench", "--package", package, "--bench", name]);
    let said = progress::step(step, |_| process::run("cargo bench", &mut cargo))?;
    write_table(name, heading, about, &said)
}

/// Table rows in the output of a benchmark.
fn table(said: &str) -> Result<String> {
    let table = said.lines().filter(|line| line.starts_with('|')).collect::<Vec<_>>().join("\n");
    if table.lines().count() < 3 {
        return Err(Failure::new(format!("cargo bench measured nothing:\n{said}")));
    }
    Ok(table)
}

fn kept(table: &str, of: &str) -> Result<()> {
    match table.lines().filter(|line| line.contains("| missed |") || line.contains("| **missed** |")).count() {
        0 => Ok(()),
        missed => Err(Failure::new(format!("{missed} of the {of}'s budgets are missed."))),
    }
}

fn server() -> Result<()> {
    let tools = tools()?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["bench", "--package", "portico-server", "--bench", "server"]);
    cargo.env("BENCH_NGINX", &tools.nginx).env("BENCH_WRK", &tools.wrk).env("LD_LIBRARY_PATH", &tools.libraries);
    let said = progress::step("the server beside nginx", |_| process::run("cargo bench", &mut cargo))?;
    let table = table(&said)?;
    let section = format!("{SECTION}\n{}\n\n{table}\n", about());
    let file = place::root().join("docs/benchmarks.md");
    let text = fs::read_to_string(&file).or_say("read docs/benchmarks.md")?;
    let page = text.split(SECTION).next().unwrap_or_default().trim_end();
    // The section below is written by a test and stays.
    let below = text.split_once(HISTORY).map(|(_, below)| format!("{HISTORY}{below}")).unwrap_or_default();
    fs::write(&file, format!("{page}\n{section}{below}")).or_say("write docs/benchmarks.md")?;
    println!("{table}");
    kept(&table, "server")
}

fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// Major and minor version of the kernel, without its build number.
fn release() -> String {
    said_by("uname", &["-r"]).split('.').take(2).collect::<Vec<_>>().join(".")
}

fn about() -> String {
    format!(
        "`cargo xtask bench server`, {}, {} cores, Linux {}. The server as released and Debian's nginx have one core, wrk and the\n\
         upstream another. Rates and medians are those of the middle one of three runs, turn by turn; the 99th percentiles are of\n\
         eight seconds each.",
        said_by("date", &["+%F"]),
        said_by("nproc", &[]),
        release(),
    )
}

struct Tools {
    nginx: PathBuf,
    wrk: PathBuf,
    libraries: PathBuf,
}

/// Programs from Debian packages, unpacked below `target`: no package is installed, and no service starts.
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

/// Folder of the unpacked libraries, which Debian names after the architecture.
fn libraries(unpacked: &Path) -> PathBuf {
    let folder = unpacked.join("usr/lib");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let named = entries.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with("linux-gnu"));
    named.unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_written_in_its_place() {
        let page = "# Page\n\n## One\n\n1\n\n### Part\n\n## Two\n\n2\n";
        assert_eq!(with_section(page, "\n## One\n", "one"), "# Page\n\n## One\n\none\n\n## Two\n\n2\n");
        assert_eq!(with_section(page, "\n## Two\n", "two"), "# Page\n\n## One\n\n1\n\n### Part\n\n## Two\n\ntwo\n");
        assert_eq!(with_section("# Page\n", "\n## New\n", "new"), "# Page\n\n## New\n\nnew\n");
    }
}
