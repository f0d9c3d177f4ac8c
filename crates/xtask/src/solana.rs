//! Local network of Solana for the demo: surfpool, from the npm registry.

use std::process::Command;
use std::time::Duration;

use crate::failure::{Failure, OrSay, Result};
use crate::process::{self, Running};
use crate::{http, place};

const START: Duration = Duration::from_secs(30);

/// A running network.
pub struct Network {
    /// CAIP-2 id.
    pub id: String,
    /// URL of its node.
    pub url: String,
}

/// Starts the network where surfpool has a program for this machine, and waits until its accounts have coins.
pub fn start() -> Result<Option<(Running, Network)>> {
    if !place::root().join("node_modules/@solana/surfpool-linux-x64-gnu").exists() {
        return Ok(None);
    }
    let mut node = Command::new("node");
    node.current_dir(place::root().join("e2e")).args(["run.mjs", "demo-solana.ts"]);
    let mut running = process::start("the network of Solana", &mut node)?;
    let network = running.wait_until(START, network_in)?;
    Ok(Some((running, network)))
}

/// Network in the line of a node that is ready.
fn network_in(said: &str) -> Option<Network> {
    let line = said.split_inclusive('\n').find(|line| line.starts_with("Solana ") && line.ends_with('\n'))?;
    let (id, url) = line.trim_end().strip_prefix("Solana ")?.split_once(" at ")?;
    Some(Network { id: id.into(), url: url.into() })
}

/// Checks that the JSON-RPC endpoint at `url` answers for this chain, whose id begins its genesis hash (CAIP-30).
pub fn answers(url: &str, chain: &str) -> Result<()> {
    let answer = http::post(url, r#"{"jsonrpc":"2.0","id":1,"method":"getGenesisHash","params":[]}"#)?;
    let value: serde_json::Value = serde_json::from_str(&answer).or_say(format_args!("understand {url}"))?;
    let genesis = value["result"].as_str().unwrap_or_default();
    match chain.strip_prefix("solana:").is_some_and(|id| !id.is_empty() && genesis.starts_with(id)) {
        true => Ok(()),
        false => Err(Failure::new(format!("{url} should answer for {chain} and said: {answer}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_is_read_from_a_finished_line_only() {
        assert!(network_in("Solana solana:abc at http://127.0.0.1:80").is_none());
        let network = network_in("ready\nSolana solana:abc at http://127.0.0.1:8899\n").unwrap();
        assert_eq!((network.id.as_str(), network.url.as_str()), ("solana:abc", "http://127.0.0.1:8899"));
    }
}
