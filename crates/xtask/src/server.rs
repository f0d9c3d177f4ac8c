//! Builds the server `portico`, and runs it with an explorer for the demo and the tests.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::failure::{OrSay, Result};
use crate::network::Network;
use crate::process::Running;
use crate::services::Urls;
use crate::{place, process, progress, stamp, world};

/// Content security policy of the demo page: as strict as a strict host's.
const CSP: &str = "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; object-src 'none'; \
                   base-uri 'none'";
const START: Duration = Duration::from_secs(20);

/// Policy of the demo's pages. The list of the gallery has each of its states in a frame, and the wallet's frame is on its own origin.
fn policy(wallet: Option<u16>) -> String {
    let wallet = wallet.map(|port| format!(" {}", wallet_origin(port))).unwrap_or_default();
    format!("{CSP}; frame-ancestors 'self'; frame-src 'self'{wallet}")
}

/// Step: builds the server and the explorer, unoptimised because the tests build them so too.
pub fn build() -> Result<()> {
    progress::step("server", |_| {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(place::root()).args([
            "build",
            "--package",
            "portico-server",
            "--package",
            "portico-explorer",
        ]);
        let built = process::run("cargo build of the server", &mut cargo);
        built.map(drop).map_err(|failure| failure.or_no_network("the crate registry"))
    })
}

/// Path of the built server.
pub fn binary() -> PathBuf {
    place::target().join("debug/portico")
}

/// Path of the built explorer.
pub fn explorer() -> PathBuf {
    place::target().join("debug/portico-explorer")
}

/// Starts the explorer of a test chain on this port, 0 for any, and returns its address when it is ready.
pub fn explore(chain_port: u16, port: u16) -> Result<(Running, String)> {
    let mut explorer = Command::new(explorer());
    explorer.arg("--listen").arg(format!("127.0.0.1:{port}"));
    explorer.arg("--rpc").arg(format!("http://127.0.0.1:{chain_port}")).arg("--world").arg(world::folder());
    // The name of the first chain in the demo's list of networks.
    explorer.args(["--name", "Anvil One"]);
    let mut running = process::start("the explorer", &mut explorer)?;
    let address = running.wait_until(START, address_in)?;
    Ok((running, address))
}

/// Starts the server with the demo's page, chains, networks of other namespaces and embedded wallet, and returns its address when it is ready.
/// `explorer` is the address of the first chain's explorer.
pub fn serve(
    port: u16,
    chains: &[(u64, u16)],
    further: &[Network],
    explorer: &str,
    wallet: u16,
) -> Result<(Running, String)> {
    start(None, port, chains, further, explorer, Some(wallet))
}

/// Private key, which everybody knows, of anvil's ninth account, whose signatures the test chain's resolver of names trusts.
const GATEWAY_KEY: &str = "dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97";

/// Starts the server like [`serve`], without an embedded wallet, on PostgreSQL and Redis, or on SQLite if `shared` is `None`.
pub fn serve_on(shared: Option<&Urls>, port: u16, chains: &[(u64, u16)], explorer: &str) -> Result<(Running, String)> {
    start(shared, port, chains, &[], explorer, None)
}

/// Origin of the demo's embedded wallet. It is of the page's own site, because private windows deny frames of other sites all storage, and a name,
/// because browsers have no passkeys for numeric addresses.
pub fn wallet_origin(port: u16) -> String {
    format!("http://localhost:{port}")
}

fn start(
    shared: Option<&Urls>,
    port: u16,
    chains: &[(u64, u16)],
    further: &[Network],
    explorer: &str,
    wallet: Option<u16>,
) -> Result<(Running, String)> {
    // A demo beside another one has files of its own.
    let folder =
        if matches!(port, 0 | 8080) { place::scratch("demo") } else { place::scratch(&format!("demo-{port}")) };
    let page = crate::widget::page();
    let storage = match shared {
        Some(Urls { postgres, redis }) => format!("database = {postgres:?}\nredis = {redis:?}"),
        None => {
            // The chains start anew each time, so names and histories of earlier ones would be wrong.
            for ending in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(folder.join(format!("portico.sqlite{ending}")));
            }
            format!("database = {:?}", folder.join("portico.sqlite"))
        }
    };
    let policy = policy(wallet);
    let mut config =
        format!("listen = \"127.0.0.1:{port}\"\n{storage}\nstatic_dir = {page:?}\nstatic_csp = {policy:?}\n");
    let resolver = world::contract("offchainResolver")?;
    config += &format!(
        "\n[names]\nparent = \"portico.eth\"\nens_chain = \"eip155:31337\"\nresolver = {resolver:?}\nsigner_key = {GATEWAY_KEY:?}\n"
    );
    config += "\n[analytics]\nenabled = true\n\n[relay]\nenabled = true\n";
    config += &format!("\n[sources]\nprice_file = {:?}\n", world::folder().join("prices.json"));
    for (at, (id, port)) in chains.iter().enumerate() {
        let name = if at == 0 { "Anvil One" } else { "Anvil Two" };
        config += &format!(
            "\n[[chains]]\nid = \"eip155:{id}\"\nname = \"{name}\"\nupstreams = [\"http://127.0.0.1:{port}\"]\n"
        );
        if at == 0 {
            let tokens = world::folder().join(world::DEMO_TOKENS);
            config += &format!("explorer = \"{explorer}\"\ntokens = {tokens:?}\n");
        }
    }
    for Network { name, id, url, ws_url } in further {
        let ws_url = ws_url.as_ref().map(|ws_url| format!(", ws_url = {ws_url:?}")).unwrap_or_default();
        config += &format!("\n[[chains]]\nid = {id:?}\nname = {name:?}\nupstreams = [{{ url = {url:?}{ws_url} }}]\n");
    }
    if let Some(port) = wallet {
        let (origin, frame) = (wallet_origin(port), crate::widget::frame());
        config += &format!("\n[wallet]\norigin = {origin:?}\nlisten = \"127.0.0.1:{port}\"\nframe = {frame:?}\n");
        config += "\n[wallet.mail]\noutbox = true\n";
    }
    config += &format!("\n{}", fs::read_to_string(world::folder().join("swap.toml")).or_say("read swap.toml")?);
    let file = folder.join("portico.toml");
    stamp::write(&file, config.as_bytes())?;
    let mut add = Command::new(binary());
    add.current_dir(&folder).args(["project", "add", "--id", "demo", "--any-origin", "--if-absent", "--config"]);
    process::run("the project of the demo", add.arg(&file))?;
    if wallet.is_some() && !folder.join("vault.key").exists() {
        let mut init = Command::new(binary());
        init.current_dir(&folder).args(["vault", "init", "--config"]);
        process::run("the vault of the demo", init.arg(&file))?;
    }
    let mut portico = Command::new(binary());
    portico.current_dir(&folder).args(["serve", "--config"]).arg(&file);
    let mut running = process::start("the server", &mut portico)?;
    let address = running.wait_until(START, address_in)?;
    Ok((running, address))
}

/// Address in the log line of a server that is ready.
fn address_in(said: &str) -> Option<String> {
    // An unfinished line may end in the middle of the address.
    let (_, rest) = said.split_once("listening on ")?;
    let (line, _) = rest.split_once('\n')?;
    line.split_whitespace().next().map(|address| address.trim_matches(['"', ',', '}', '.']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_frames_its_own_pages_and_the_wallet_and_nothing_else_frames_it() {
        assert!(policy(None).ends_with("; frame-ancestors 'self'; frame-src 'self'"));
        assert!(policy(Some(8082)).ends_with("; frame-src 'self' http://localhost:8082"));
        assert_eq!(policy(Some(8082)).matches("frame-src").count(), 1);
    }

    #[test]
    fn the_address_is_read_from_a_finished_line_only() {
        assert_eq!(address_in("INFO listening on http://127.0.0.1:80"), None);
        let ready = "INFO migrated\nINFO listening on http://127.0.0.1:8080\nINFO more\n";
        assert_eq!(address_in(ready).as_deref(), Some("http://127.0.0.1:8080"));
    }
}
