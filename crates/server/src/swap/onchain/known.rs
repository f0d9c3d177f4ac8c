//! Built-in exchanges: the deployments in Uniswap's documentation
//! (<https://docs.uniswap.org/contracts/v3/reference/deployments>, `/contracts/v2/reference/smart-contracts/v2-deployments`).

use crate::config::{Exchange, FEE_TIERS, V3};
use alloy_primitives::{Address, address};
use portico_calldata::Protocol;
use portico_terms::ChainId;

/// What a quote needs beside the contracts that are called; those are in `portico_calldata`.
struct Row {
    chain: u64,
    /// QuoterV2
    quoter: Address,
    /// Intermediate tokens of routes.
    bases: &'static [Address],
}

/// QuoterV2 on the chains that share one address.
const SAME: Address = address!("61fFE014bA17989E743c5F6cB21bF9697530B21e");

const KNOWN: [Row; 7] = [
    Row {
        chain: 1,
        quoter: SAME,
        bases: &[
            address!("A0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
            address!("dAC17F958D2ee523a2206206994597C13D831ec7"),
        ],
    },
    Row { chain: 10, quoter: SAME, bases: &[address!("0b2C639c533813f4Aa9D7837CAf62653d097Ff85")] },
    Row {
        chain: 56,
        quoter: address!("78D78E420Da98ad378D7799bE8f4AF69033EB077"),
        bases: &[address!("55d398326f99059fF775485246999027B3197955")],
    },
    Row {
        chain: 137,
        quoter: SAME,
        bases: &[
            address!("3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
            address!("7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"),
        ],
    },
    Row {
        chain: 8453,
        quoter: address!("3d4e44Eb1374240CE5F1B871ab261CD16335B76a"),
        bases: &[address!("833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")],
    },
    Row { chain: 42161, quoter: SAME, bases: &[address!("af88d065e77c8cC2239327C5EDb3A432268e5831")] },
    Row {
        chain: 43114,
        quoter: address!("be0F5544EC67e9B3b2D979aaA43f18Fd87E6257F"),
        bases: &[address!("B97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E")],
    },
];

/// Built-in exchange of a chain, used where the configuration names none.
pub(super) fn known(chain: &ChainId) -> Option<Exchange> {
    let number = chain.number()?;
    let row = KNOWN.iter().find(|row| row.chain == number)?;
    let contract = |protocol| {
        let found = portico_calldata::known(number).find(|contract| contract.protocol == protocol)?;
        Some(Address::from(found.address))
    };
    Some(Exchange {
        name: "Uniswap".into(),
        wrapped: contract(Protocol::WrappedCoin)?,
        v2_router: Some(contract(Protocol::UniswapV2)?),
        v3: Some(V3 { quoter: row.quoter, router: contract(Protocol::SwapRouter02)? }),
        bases: row.bases.to_vec(),
        fee_tiers: FEE_TIERS.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_api::swap::SWAP_CHAINS;

    #[test]
    fn spec_9_10_an_exchange_that_comes_with_the_server_is_of_a_chain_that_swaps() {
        assert!(KNOWN.iter().all(|row| SWAP_CHAINS.contains(&row.chain)));
        assert!(KNOWN.iter().all(|row| known(&ChainId::eip155(row.chain)).is_some()));
        assert_eq!(known(&ChainId::eip155(59144)), None);
    }
}
