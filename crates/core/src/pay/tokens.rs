//! What the account has on the chain in use, as far as it was told: what can be paid with.

pub use crate::account::{BalanceState, Holding};
use portico_terms::amount::shown_units;
use portico_terms::{Amount, Price};

/// What can be paid with. Borrowed from the account, of whose tokens there may be thousands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purse<'a> {
    /// The chain's own coin, where its balance was read.
    pub coin: Option<Amount>,
    /// All that was told, the most valuable first; the coin is among them, without an address.
    pub tokens: &'a [Holding],
    /// How the list stands.
    pub state: BalanceState,
    /// Another number whenever the list may be another.
    pub revision: u32,
}

impl<'a> Purse<'a> {
    /// The token of a contract.
    pub fn token(&self, contract: &str) -> Option<&'a Holding> {
        self.tokens.iter().find(|token| contract_of(token).is_some_and(|other| other.eq_ignore_ascii_case(contract)))
    }
}

/// The contract of a token, without the chain before it; `None` for the chain's own coin.
pub fn contract_of(token: &Holding) -> Option<&str> {
    token.address.as_deref()?.rsplit(':').next()
}

/// Whether a search finds a token: by a part of its name or symbol, or by the beginning of its address. The search is in small letters.
pub fn matches(name: &str, symbol: &str, contract: Option<&str>, search: &str) -> bool {
    // Looked at in place: each letter of a search looks at thousands.
    let holds =
        |text: &str| text.as_bytes().windows(search.len()).any(|part| part.eq_ignore_ascii_case(search.as_bytes()));
    let begins = |address: &str| address.get(..search.len()).is_some_and(|start| start.eq_ignore_ascii_case(search));
    search.is_empty() || holds(symbol) || holds(name) || contract.is_some_and(begins)
}

/// What an amount is worth, with two decimals; what is too little for them is `<0.01`, for it is not nothing.
pub fn worth(amount: Amount, decimals: u8, price: Option<Price>) -> Option<String> {
    shown_units(&price?.worth(amount, decimals)?, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_by_name_symbol_and_the_beginning_of_its_address() {
        let contract = Some("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
        for search in ["", "coin", "usd", "usdc", "0x", "0xa0b8", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"] {
            assert!(matches("USD Coin", "USDC", contract, search), "{search}");
        }
        for search in ["dai", "b86991", "usdcc", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb480"] {
            assert!(!matches("USD Coin", "USDC", contract, search), "{search}");
        }
        assert!(!matches("Ether", "ETH", None, "0x"));
        assert!(!matches("Ether", "ETH", Some("é"), "0"));
    }
}
