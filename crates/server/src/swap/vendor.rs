//! What those who compare exchanges for others have in common: the chains that they name, numbers and addresses as texts, a call as hex, and
//! the names of the pools that they pass.

use super::supported;
use super::trade::{Found, Hop, Trade, wide};
use crate::config::Chain;
use crate::upstream::loose;
use alloy_primitives::{Address, U256, hex};
use portico_json::Value;

/// About what a swap takes where it is not said.
const USUAL_GAS: u64 = 400_000;

/// More pools are not named.
const MOST_NAMES: usize = 4;

/// Whether a vendor that names these chains swaps on this one, which is one of spec 9.10.
pub(super) fn serves(chains: &[u64], chain: &Chain) -> bool {
    supported(chain) && chain.id.number().is_some_and(|number| chains.contains(&number))
}

pub(super) fn number(value: &Value) -> Option<U256> {
    loose::amount(value).map(wide)
}

pub(super) fn at(value: &Value) -> Option<Address> {
    loose::evm(value)?.parse().ok()
}

/// The bytes of a call.
pub(super) fn bytes(value: &Value) -> Option<Vec<u8>> {
    hex::decode(value.as_str()?.strip_prefix("0x")?).ok()
}

/// The pools that are passed, by name, each once.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Pools(Vec<String>);

impl Pools {
    pub(super) fn are_enough(&self) -> bool {
        self.0.len() >= MOST_NAMES
    }

    /// One more, as the vendor writes it: "Uniswap_V3".
    pub(super) fn add(&mut self, name: &Value) {
        let Some(name) = loose::word(name).map(|name| name.replace('_', " ")) else { return };
        if !self.are_enough() && !self.0.contains(&name) {
            self.0.push(name);
        }
    }
}

/// What a vendor gives that says neither its fee nor by how much the amount worsens its price. Several pools may share one amount: all of
/// them are one step, which has the vendor's name where no pool is named.
pub(super) fn found(
    trade: &Trade,
    out: U256,
    pools: Pools,
    vendor: &str,
    spender: Option<Address>,
    gas: &Value,
) -> Found {
    let name = if pools.0.is_empty() { vendor.into() } else { pools.0.join(", ") };
    Found {
        out,
        route: vec![Hop { name, from: trade.from, to: trade.to }],
        impact: None,
        fee: None,
        spender,
        // Asked of the token itself.
        allowance: None,
        gas: loose::number(gas).unwrap_or(USUAL_GAS),
        plan: String::new(),
    }
}
