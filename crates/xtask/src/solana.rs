//! Local network of Solana for the demo: surfpool, from the npm registry, where it has a program for this machine.

use crate::failure::{Failure, OrSay, Result};
use crate::http;
use crate::network::{self, Starting};

/// Starts the network.
pub fn start() -> Result<Option<Starting>> {
    network::start("Solana", "@solana/surfpool-linux-x64-gnu", "demo-solana.ts")
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
