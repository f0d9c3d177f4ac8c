//! Local networks of other namespaces for the demo, each on a node of the npm registry that a script of `e2e` starts.

use std::process::Command;
use std::time::Duration;

use crate::failure::Result;
use crate::place;
use crate::process::{self, Running};

const START: Duration = Duration::from_secs(30);

/// A running network.
pub struct Network {
    pub name: &'static str,
    /// CAIP-2 id.
    pub id: String,
    /// URL of its node.
    pub url: String,
    /// URL of its node's WebSocket, if it has one.
    pub ws_url: Option<String>,
}

/// A network whose node has been started.
pub struct Starting {
    name: &'static str,
    running: Running,
}

/// Starts the network with this name by a script of `e2e`, if its package is there.
pub fn start(name: &'static str, package: &str, script: &str) -> Result<Option<Starting>> {
    if !place::root().join("node_modules").join(package).exists() {
        return Ok(None);
    }
    let mut node = Command::new("node");
    node.current_dir(place::root().join("e2e")).args(["run.mjs", script]);
    Ok(Some(Starting { name, running: process::start(&format!("the network of {name}"), &mut node)? }))
}

impl Starting {
    /// Waits until its accounts have coins.
    pub fn ready(mut self) -> Result<(Running, Network)> {
        let network = self.running.wait_until(START, |said| network_in(said, self.name))?;
        Ok((self.running, network))
    }
}

/// Network in the line of a node that is ready.
fn network_in(said: &str, name: &'static str) -> Option<Network> {
    let ready = said.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let mut described =
        ready.filter_map(|line| line.trim_end().strip_prefix(name)?.strip_prefix(' ')?.split_once(" at "));
    let (id, urls) = described.next()?;
    let (url, ws_url) = urls.split_once(" and ").map_or((urls, None), |(url, ws_url)| (url, Some(ws_url.into())));
    Some(Network { name, id: id.into(), url: url.into(), ws_url })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_is_read_from_a_finished_line_only() {
        assert!(network_in("Solana solana:abc at http://127.0.0.1:80", "Solana").is_none());
        let said = "ready\nSolana solana:abc at http://127.0.0.1:8899\n";
        assert!(network_in(said, "Bitcoin").is_none());
        let network = network_in(said, "Solana").unwrap();
        assert_eq!((network.id.as_str(), network.url.as_str()), ("solana:abc", "http://127.0.0.1:8899"));
        assert_eq!(network.ws_url, None);
        let said = "Solana solana:abc at http://127.0.0.1:8899 and ws://127.0.0.1:8900\n";
        let network = network_in(said, "Solana").unwrap();
        assert_eq!(
            (network.url.as_str(), network.ws_url.as_deref()),
            ("http://127.0.0.1:8899", Some("ws://127.0.0.1:8900"))
        );
    }
}
