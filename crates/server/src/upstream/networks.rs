//! Vendors' names of chains.

use crate::price::market::is_solana;
use portico_terms::ChainId;

/// Vendors' names of a chain; empty where a vendor does not support it.
struct Names {
    number: u64,
    zerion: &'static str,
    goldrush: &'static str,
    alchemy: &'static str,
}

const fn names(number: u64, zerion: &'static str, goldrush: &'static str, alchemy: &'static str) -> Names {
    Names { number, zerion, goldrush, alchemy }
}

const NAMES: [Names; 13] = [
    names(1, "ethereum", "eth-mainnet", "eth-mainnet"),
    names(10, "optimism", "optimism-mainnet", "opt-mainnet"),
    names(56, "binance-smart-chain", "bsc-mainnet", "bnb-mainnet"),
    names(100, "xdai", "gnosis-mainnet", "gnosis-mainnet"),
    names(137, "polygon", "matic-mainnet", "polygon-mainnet"),
    names(324, "zksync-era", "zksync-mainnet", "zksync-mainnet"),
    names(5000, "mantle", "mantle-mainnet", "mantle-mainnet"),
    names(8453, "base", "base-mainnet", "base-mainnet"),
    names(42161, "arbitrum", "arbitrum-mainnet", "arb-mainnet"),
    names(43114, "avalanche", "avalanche-mainnet", "avax-mainnet"),
    names(59144, "linea", "linea-mainnet", "linea-mainnet"),
    names(81457, "blast", "blast-mainnet", "blast-mainnet"),
    names(534_352, "scroll", "scroll-mainnet", "scroll-mainnet"),
];

fn of(chain: &ChainId) -> Option<&'static Names> {
    let number = chain.number()?;
    NAMES.iter().find(|names| names.number == number)
}

pub(super) fn zerion(chain: &ChainId) -> Option<&'static str> {
    if is_solana(chain) { Some("solana") } else { of(chain).map(|names| names.zerion) }
}

pub(super) fn goldrush(chain: &ChainId) -> Option<&'static str> {
    of(chain).map(|names| names.goldrush)
}

pub(super) fn alchemy(chain: &ChainId) -> Option<&'static str> {
    of(chain).map(|names| names.alchemy)
}
