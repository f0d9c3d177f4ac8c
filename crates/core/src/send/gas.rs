//! The fee of a transfer.

use portico_json::Value;
use portico_terms::Amount;

/// The base fee may rise by so much before the next block: 1.2 (spec 9.19), as a fraction, for no float touches an amount.
pub const BASE_FEE_MULTIPLIER: (u32, u32) = (12, 10);

/// What a plain transfer takes.
const TRANSFER: u32 = 21_000;

/// What is known of the fee.
#[derive(Debug, Default)]
pub struct Fee {
    /// Of one gas.
    pub price: Option<Amount>,
    /// Of this transfer.
    pub limit: Option<Amount>,
}

impl Fee {
    /// Where little more than the fee would be left, the wallet is told the fee that was kept back: its own guess may be higher, and
    /// the transaction would not be accepted. Elsewhere the wallet knows better.
    pub fn fields_if_tight(&self, balance: Amount, amount: Amount, fee: Amount) -> Vec<(String, Value)> {
        let left = balance.minus(amount).unwrap_or(Amount::ZERO);
        let price = self.price.and_then(with_margin);
        match (price, fee.times(4)) {
            (Some(price), Some(ample)) if left < ample => {
                let limit = self.limit.unwrap_or(Amount::from(TRANSFER));
                vec![("gas".into(), Value::Text(limit.to_hex())), ("gasPrice".into(), Value::Text(price.to_hex()))]
            }
            _ => Vec::new(),
        }
    }

    /// The most that the fee can be, with the margin for a rising base fee.
    pub fn most(&self) -> Option<Amount> {
        with_margin(self.price?.by(self.limit.unwrap_or(Amount::from(TRANSFER)))?)
    }
}

/// An amount with the margin of the base fee multiplier, which is never below 1 (spec 5.33).
pub fn with_margin(amount: Amount) -> Option<Amount> {
    let (factor, divisor) = BASE_FEE_MULTIPLIER;
    Some(amount.times(factor)?.divided(divisor)?.0)
}

/// Whether gas cannot be paid: the network balance is zero or below the price of gas (spec 5.11). Both in one unit, whichever: a
/// coin's price is a common factor of both sides. Smart accounts are exempt.
pub fn is_gas_insufficient(balance: Amount, gas: Amount, smart_account: bool) -> bool {
    !smart_account && (balance.is_zero() || balance < gas)
}
