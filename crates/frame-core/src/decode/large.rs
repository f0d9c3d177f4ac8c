//! Large values: amounts of about a thousand dollars and more, which the visitor confirms twice.
//!
//! The limits came with the release, in whole coins, because no price that a server tells decides about money. Tokens count by the table of
//! known ones, with its own decimals. Other tokens and items have no limit; a chain's own coin without one counts by its share of the balance.

use super::Content;
use crate::network;
use crate::view::Flag;
use portico_calldata::{Address, NATIVE, symbol_of};
use portico_terms::Amount;

/// Limit of a coin in thousandths.
pub fn limit(symbol: &str) -> Option<u32> {
    Some(match symbol {
        "WBTC" => 10,
        "ETH" | "WETH" => 250,
        "BNB" => 1_000,
        "SOL" | "WSOL" => 6_000,
        "HYPE" => 25_000,
        "AVAX" => 40_000,
        "USDC" | "USDT" | "DAI" | "xDAI" => 1_000_000,
        "POL" | "CELO" => 4_000_000,
        _ => return None,
    })
}

/// Decimals of a token of the table; no node is asked for them.
pub fn decimals_of(chain: u64, token: &Address) -> Option<u8> {
    symbol_of(chain, token).map(|symbol| decimals(symbol, chain))
}

/// Decimals of a known token on a chain.
fn decimals(symbol: &str, chain: u64) -> u8 {
    /// BNB Smart Chain, whose dollars have 18.
    const BNB: u64 = 56;
    match symbol {
        "USDC" | "USDT" if chain != BNB => 6,
        "WBTC" => 8,
        _ => 18,
    }
}

/// Whether an amount of a coin with so many decimals reaches its limit.
pub fn is_large(symbol: &str, decimals: u8, amount: Amount) -> bool {
    let one = (3..decimals).try_fold(Amount::from(1u32), |sum, _| sum.times(10));
    let most = limit(symbol).and_then(|limit| one?.times(limit));
    most.is_some_and(|most| amount >= most)
}

impl Content {
    /// Flags an amount that leaves the account, or may be taken from it, if it is large.
    pub fn weigh(&mut self, amount: Amount, token: &Address, chain: u64) {
        let (symbol, decimals) = match *token == NATIVE {
            true => (network::coin(chain), 18),
            false => {
                let symbol = symbol_of(chain, token);
                (symbol, decimals(symbol.unwrap_or_default(), chain))
            }
        };
        if is_large(symbol.unwrap_or_default(), decimals, amount) {
            self.flag(Flag::Large);
        }
    }

    /// Flags a payment of a coin without a limit that takes half of the balance or more.
    pub fn weigh_share(&mut self, value: Amount, balance: Amount, chain: u64) {
        let known = network::coin(chain).is_some_and(|coin| limit(coin).is_some());
        if !known && !value.is_zero() && value.times(2).is_none_or(|twice| twice >= balance) {
            self.flag(Flag::Large);
        }
    }
}
