//! Which methods are passed on.
//!
//! Any web page may call the proxy, so what steers a node or looks into it stays with its operator.

/// The methods that a configuration lets through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Methods {
    development: bool,
}

const NEVER: [&str; 7] = ["admin_", "personal_", "miner_", "debug_", "engine_", "clique_", "txpool_"];

/// They rewrite the state of a chain on a developer's machine.
const DEVELOPMENT: [&str; 3] = ["anvil_", "hardhat_", "evm_"];

impl Methods {
    pub(crate) fn new(development: bool) -> Methods {
        Methods { development }
    }

    pub(super) fn serve(self, method: &str) -> bool {
        let is_in = |prefix: &&str| method.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        !NEVER.iter().any(is_in) && (self.development || !DEVELOPMENT.iter().any(is_in))
    }
}
