//! Table of the contracts that a swap may call, from `crates/calldata/contracts.toml`.

use portico_calldata::Protocol;
use portico_terms::address::to_checksum;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

const SOURCE: &str = include_str!("../../calldata/contracts.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    contract: Vec<Row>,
}

/// Deployments of one contract.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    protocol: String,
    source: String,
    /// Address on each chain.
    #[serde(default)]
    at: BTreeMap<String, String>,
    /// Address on all `chains`.
    same: Option<String>,
    #[serde(default)]
    chains: Vec<u64>,
}

/// `crates/calldata/src/known.rs`
pub fn table() -> String {
    let written: Written = toml::from_str(SOURCE).unwrap_or_else(|error| panic!("contracts.toml: {error}"));
    let mut out = String::from(
        "// Generated from contracts.toml by `cargo xtask gen`; do not edit.\n\n//! Built-in contracts of swaps: protocol, address, and EIP-155 numbers of the chains.\n\nuse crate::{Address, Protocol};\n\n",
    );
    let mut rows = Vec::new();
    for row in &written.contract {
        let protocol = Protocol::ALL.into_iter().find(|protocol| protocol.word() == row.protocol);
        let protocol = protocol.unwrap_or_else(|| panic!("contracts.toml: no protocol is called {}", row.protocol));
        assert!(row.source.starts_with("https://"), "contracts.toml: a source is a web page");
        // The same address on several chains is one row.
        let mut by_address: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (chain, address) in &row.at {
            let chain = chain.parse().unwrap_or_else(|_| panic!("contracts.toml: {chain} is no chain number"));
            by_address.entry(address).or_default().push(chain);
        }
        if let Some(same) = &row.same {
            by_address.entry(same).or_default().extend(&row.chains);
        }
        for (address, mut chains) in by_address {
            assert_eq!(to_checksum(address), address, "contracts.toml: the checksum of an address");
            chains.sort_unstable();
            let bytes: Vec<_> = (1..21).map(|at| format!("0x{}", address[at * 2..at * 2 + 2].to_lowercase())).collect();
            rows.push(format!("    (Protocol::{protocol:?}, [{}], &{chains:?}),\n", bytes.join(", ")));
        }
    }
    let _ = writeln!(
        out,
        "#[rustfmt::skip]\npub const KNOWN: [(Protocol, Address, &[u64]); {}] = [\n{}];",
        rows.len(),
        rows.concat()
    );
    out
}
