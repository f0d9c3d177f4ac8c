//! Holdings of the account on the active chain, as known so far.

pub use crate::account::{BalanceState, Holding};
use portico_terms::amount::shown_units;
use portico_terms::{Amount, Price};

/// Balances to pay with. Borrowed from the account, which may have thousands of tokens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purse<'a> {
    /// Balance of the chain's own coin, if it was read.
    pub coin: Option<Amount>,
    /// All known holdings, the most valuable first, including the coin, which has no address.
    pub tokens: &'a [Holding],
    /// Loading state of the list.
    pub state: BalanceState,
    /// Counter of changes to the list.
    pub revision: u32,
}

impl<'a> Purse<'a> {
    /// Holding of the token with this contract.
    pub fn token(&self, contract: &str) -> Option<&'a Holding> {
        self.tokens.iter().find(|token| contract_of(token).is_some_and(|other| other.eq_ignore_ascii_case(contract)))
    }
}

/// Contract address of a token, without the chain; `None` for the chain's own coin.
pub fn contract_of(token: &Holding) -> Option<&str> {
    token.address.as_deref()?.rsplit(':').next()
}

/// Whether a token matches a search: part of its name or symbol, or start of its address. The search text is in lower case.
pub fn matches(name: &str, symbol: &str, contract: Option<&str>, search: &str) -> bool {
    // Compared without copies: each keystroke of a search visits thousands of tokens.
    let holds =
        |text: &str| text.as_bytes().windows(search.len()).any(|part| part.eq_ignore_ascii_case(search.as_bytes()));
    let begins = |address: &str| address.get(..search.len()).is_some_and(|start| start.eq_ignore_ascii_case(search));
    search.is_empty() || holds(symbol) || holds(name) || contract.is_some_and(begins)
}

/// Value of an amount in US dollars, to the nearest cent; `<0.01` if it is less than that.
pub fn worth(amount: Amount, decimals: u8, price: Option<Price>) -> Option<String> {
    let price = price?;
    let cents = price.nearest_cents(amount, decimals)?;
    if cents > Amount::from(1u32) {
        return Some(cents.dollars());
    }
    let cut = shown_units(&price.worth(amount, decimals)?, 2)?;
    Some(if cut.starts_with('<') { cut } else { cents.dollars() })
}

/// Value of two amounts together in US dollars, as the sum of what [`worth`] shows of each.
pub fn worth_together(amounts: [Amount; 2], decimals: u8, price: Option<Price>) -> Option<String> {
    let [one, other] = amounts.map(|amount| price?.nearest_cents(amount, decimals));
    Some(one?.plus(other?)?.dollars())
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
