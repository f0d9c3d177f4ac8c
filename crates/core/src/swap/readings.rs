//! Values of the form's tokens that the chain and the price source report.

use super::tokens::Coin;
use crate::pay::gas::Fee;
use portico_terms::{Amount, Price};

/// Values read for the current form.
#[derive(Debug, Default)]
pub struct Readings {
    /// Balances read from the chain, by address.
    balances: Vec<(String, Amount)>,
    /// Decimals reported by contracts, by address; `None` if the response was not a number.
    decimals: Vec<(String, Option<u8>)>,
    /// Prices in US dollars, by address.
    prices: Vec<(String, Price)>,
    pub fee: Fee,
    /// Number of the account's mined transactions at the review.
    pub mined: Option<Amount>,
}

/// Stores a value under its address, in place of an earlier one.
fn set<T>(known: &mut Vec<(String, T)>, address: String, value: T) {
    known.retain(|(other, _)| !other.eq_ignore_ascii_case(&address));
    known.push((address, value));
}

fn of<'a, T>(known: &'a [(String, T)], coin: &Coin) -> Option<&'a T> {
    known.iter().find(|(address, _)| coin.is(address)).map(|(_, value)| value)
}

impl Readings {
    pub fn set_balance(&mut self, address: String, balance: Amount) {
        set(&mut self.balances, address, balance);
    }

    pub fn set_decimals(&mut self, address: String, decimals: Option<u8>) {
        set(&mut self.decimals, address, decimals);
    }

    pub fn set_price(&mut self, address: String, price: Price) {
        set(&mut self.prices, address, price);
    }

    pub fn balance(&self, coin: &Coin) -> Option<Amount> {
        of(&self.balances, coin).copied()
    }

    pub fn price(&self, coin: &Coin) -> Option<Price> {
        of(&self.prices, coin).copied()
    }

    /// Decimals that the token's contract reported, if it responded.
    pub fn decimals(&self, coin: &Coin) -> Option<&Option<u8>> {
        of(&self.decimals, coin)
    }

    /// Whether the contract contradicts the list.
    pub fn is_liar(&self, coin: &Coin) -> bool {
        !coin.is_native() && self.decimals(coin).is_some_and(|told| *told != Some(coin.decimals))
    }

    /// Whether the decimals are confirmed by the chain itself.
    pub fn is_sure(&self, coin: &Coin) -> bool {
        coin.is_native() || self.decimals(coin) == Some(&Some(coin.decimals))
    }
}
