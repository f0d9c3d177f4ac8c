//! Local EVM chains: anvil, from the npm registry.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::failure::{Failure, OrSay, Result};
use crate::process::Running;
use crate::{http, place, process};

const START: Duration = Duration::from_secs(20);

/// Path of anvil's binary for this machine, or of the npm package's launcher, which searches for the binary itself.
pub fn binary() -> PathBuf {
    let modules = place::root().join("node_modules");
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let processor = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let native = modules.join(format!("@foundry-rs/anvil-{system}-{processor}/bin/anvil"));
    if native.exists() { native } else { modules.join(".bin/anvil") }
}

/// Starts a chain, from a stored state if there is one, and waits until it answers with its id.
pub fn start(id: u64, port: u16, state: Option<&Path>) -> Result<Running> {
    let mut anvil = Command::new(binary());
    anvil.args(["--chain-id", &id.to_string(), "--port", &port.to_string()]);
    if let Some(state) = state {
        anvil.arg("--load-state").arg(state);
    }
    let mut running = process::start(&format!("chain {id}"), &mut anvil)?;
    running.wait_until(START, |said| said.contains("Listening on").then_some(()))?;
    answers(&format!("http://127.0.0.1:{port}"), id)?;
    Ok(running)
}

/// Checks that the JSON-RPC endpoint at `url` answers with this chain id.
pub fn answers(url: &str, id: u64) -> Result<()> {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}"#;
    let answer = http::post(url, body)?;
    let value: serde_json::Value = serde_json::from_str(&answer).or_say(format_args!("understand {url}"))?;
    if value["result"] == format!("0x{id:x}") {
        return Ok(());
    }
    Err(Failure::new(format!("{url} should answer for chain {id} and said: {answer}")))
}
