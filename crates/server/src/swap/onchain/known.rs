//! Built-in exchanges: the deployments in Uniswap's documentation
//! (<https://docs.uniswap.org/contracts/v3/reference/deployments>, `/contracts/v2/reference/smart-contracts/v2-deployments`).

use crate::config::{Exchange, FEE_TIERS, V3};
use alloy_primitives::{Address, address};
use portico_terms::ChainId;

struct Row {
    chain: u64,
    wrapped: Address,
    v2_router: Address,
    v3: V3,
    bases: &'static [Address],
}

const SAME: V3 = V3 {
    quoter: address!("61fFE014bA17989E743c5F6cB21bF9697530B21e"),
    router: address!("68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"),
};

/// V2 router on the chains that share one address.
const V2_ROUTER: Address = address!("4752ba5DBc23f44D87826276BF6Fd6b1C372aD24");

/// Wrapped coin on OP Stack chains.
const WETH: Address = address!("4200000000000000000000000000000000000006");

const KNOWN: [Row; 7] = [
    Row {
        chain: 1,
        wrapped: address!("C02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
        v2_router: address!("7a250d5630B4cF539739dF2C5dAcb4c659F2488D"),
        v3: SAME,
        bases: &[
            address!("A0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
            address!("dAC17F958D2ee523a2206206994597C13D831ec7"),
        ],
    },
    Row {
        chain: 10,
        wrapped: WETH,
        v2_router: address!("4A7b5Da61326A6379179b40d00F57E5bbDC962c2"),
        v3: SAME,
        bases: &[address!("0b2C639c533813f4Aa9D7837CAf62653d097Ff85")],
    },
    Row {
        chain: 56,
        wrapped: address!("bb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"),
        v2_router: V2_ROUTER,
        v3: V3 {
            quoter: address!("78D78E420Da98ad378D7799bE8f4AF69033EB077"),
            router: address!("B971eF87ede563556b2ED4b1C0b0019111Dd85d2"),
        },
        bases: &[address!("55d398326f99059fF775485246999027B3197955")],
    },
    Row {
        chain: 137,
        wrapped: address!("0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270"),
        v2_router: address!("edf6066a2b290C185783862C7F4776A2C8077AD1"),
        v3: SAME,
        bases: &[
            address!("3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
            address!("7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"),
        ],
    },
    Row {
        chain: 8453,
        wrapped: WETH,
        v2_router: V2_ROUTER,
        v3: V3 {
            quoter: address!("3d4e44Eb1374240CE5F1B871ab261CD16335B76a"),
            router: address!("2626664c2603336E57B271c5C0b26F421741e481"),
        },
        bases: &[address!("833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")],
    },
    Row {
        chain: 42161,
        wrapped: address!("82aF49447D8a07e3bd95BD0d56f35241523fBab1"),
        v2_router: V2_ROUTER,
        v3: SAME,
        bases: &[address!("af88d065e77c8cC2239327C5EDb3A432268e5831")],
    },
    Row {
        chain: 43114,
        wrapped: address!("B31f66AA3C1e785363F0875A1B74E27b85FD66c7"),
        v2_router: V2_ROUTER,
        v3: V3 {
            quoter: address!("be0F5544EC67e9B3b2D979aaA43f18Fd87E6257F"),
            router: address!("bb00FF08d01D300023C629E8fFfFcb65A5a578cE"),
        },
        bases: &[address!("B97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E")],
    },
];

/// Built-in exchange of a chain, used where the configuration names none.
pub(super) fn known(chain: &ChainId) -> Option<Exchange> {
    let number = chain.number()?;
    let row = KNOWN.iter().find(|row| row.chain == number)?;
    Some(Exchange {
        name: "Uniswap".into(),
        wrapped: row.wrapped,
        v2_router: Some(row.v2_router),
        v3: Some(row.v3),
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
        assert_eq!(known(&ChainId::eip155(59144)), None);
    }
}
