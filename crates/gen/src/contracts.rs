//! Tables of the contracts that a swap may call, from `crates/calldata/contracts.toml`, and of known tokens, from `tokens.toml` beside it.

use portico_calldata::Protocol;
use portico_terms::address::to_checksum;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

const SOURCE: &str = include_str!("../../calldata/contracts.toml");
const TOKENS: &str = include_str!("../../calldata/tokens.toml");

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
            chains.sort_unstable();
            rows.push(format!("    (Protocol::{protocol:?}, {}, &{chains:?}),\n", bytes_of(address)));
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

/// Address as a Rust array; panics if its checksum is wrong.
fn bytes_of(address: &str) -> String {
    assert_eq!(to_checksum(address), address, "the checksum of an address");
    let bytes: Vec<_> = (1..21).map(|at| format!("0x{}", address[at * 2..at * 2 + 2].to_lowercase())).collect();
    format!("[{}]", bytes.join(", "))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTokens {
    token: Vec<Token>,
}

/// A token that people know by its symbol.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Token {
    symbol: String,
    source: String,
    /// Contract on each chain.
    at: BTreeMap<String, String>,
    /// Bridged form on some chains.
    #[serde(default)]
    also: BTreeMap<String, String>,
}

/// `crates/calldata/src/named.rs`
pub fn named() -> String {
    let written: WrittenTokens = toml::from_str(TOKENS).unwrap_or_else(|error| panic!("tokens.toml: {error}"));
    let mut rows = Vec::new();
    for token in &written.token {
        assert!(token.source.starts_with("https://"), "tokens.toml: a source is a web page");
        // The same address on several chains is one row.
        let mut by_address: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (chain, address) in token.at.iter().chain(&token.also) {
            let chain = chain.parse().unwrap_or_else(|_| panic!("tokens.toml: {chain} is no chain number"));
            by_address.entry(address).or_default().push(chain);
        }
        for (address, mut chains) in by_address {
            chains.sort_unstable();
            rows.push(format!("    ({:?}, {}, &{chains:?}),\n", token.symbol, bytes_of(address)));
        }
    }
    format!(
        "// Generated from tokens.toml by `cargo xtask gen`; do not edit.\n\n//! Known tokens: symbol, contract, and EIP-155 numbers of the chains.\n\nuse crate::Address;\n\n#[rustfmt::skip]\npub const NAMED: [(&str, Address, &[u64]); {}] = [\n{}];\n",
        rows.len(),
        rows.concat()
    )
}
