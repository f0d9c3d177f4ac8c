//! Helpers shared by the aggregators: supported chains, numbers and addresses as texts, calldata as hex, and the names of the pools on a
//! route.

use super::supported;
use super::trade::{Found, Hop, Routers, Trade, wide};
use crate::config::Chain;
use crate::source::loose;
use alloy_primitives::{Address, U256, hex};
use portico_calldata::Protocol;
use portico_json::Value;

/// Gas estimate for a swap whose quote states none.
const USUAL_GAS: u64 = 400_000;

/// Maximum number of pools that a route names.
const MOST_NAMES: usize = 4;

/// Whether the vendor has a contract on this chain and spec 9.10 lists it.
pub(super) fn serves(protocol: Protocol, chain: &Chain) -> bool {
    supported(chain) && !routers(protocol, chain).targets.is_empty()
}

/// Built-in contracts of a vendor on a chain: each is called, and takes tokens by an approval.
pub(super) fn routers(protocol: Protocol, chain: &Chain) -> Routers {
    let known = chain.id.number().into_iter().flat_map(portico_calldata::known);
    let targets: Vec<Address> =
        known.filter(|contract| contract.protocol == protocol).map(|contract| contract.address.into()).collect();
    Routers { spenders: targets.clone(), targets }
}

pub(super) fn number(value: &Value) -> Option<U256> {
    loose::amount(value).map(wide)
}

pub(super) fn at(value: &Value) -> Option<Address> {
    loose::evm(value)?.parse().ok()
}

/// Calldata from hex.
pub(super) fn bytes(value: &Value) -> Option<Vec<u8>> {
    hex::decode(value.as_str()?.strip_prefix("0x")?).ok()
}

/// Names of the pools on a route, without duplicates.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Pools(Vec<String>);

impl Pools {
    pub(super) fn are_enough(&self) -> bool {
        self.0.len() >= MOST_NAMES
    }

    /// Adds a pool by the vendor's name for it, such as "Uniswap_V3".
    pub(super) fn add(&mut self, name: &Value) {
        let Some(name) = loose::word(name).map(|name| name.replace('_', " ")) else { return };
        if !self.are_enough() && !self.0.contains(&name) {
            self.0.push(name);
        }
    }
}

/// Quote of a vendor that states neither its fee nor its price impact. Several pools may share the amount, so all of them are one step of
/// the route, named after the vendor where no pool is named.
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
        paid: trade.amount,
        out,
        route: vec![Hop { name, from: trade.from, to: trade.to }],
        impact: None,
        fee: None,
        spender,
        // Filled in later by a query to the token (`allowance::fill`).
        allowance: None,
        gas: loose::number(gas).unwrap_or(USUAL_GAS),
        plan: String::new(),
    }
}
