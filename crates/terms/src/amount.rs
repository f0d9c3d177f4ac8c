//! Amounts of coins: unsigned 256-bit integers in the smallest unit, never a float.

use portico_json::Json;
use std::fmt;
use std::str::FromStr;

const LIMBS: usize = 8;

/// Unsigned 256-bit integer, as in the EVM; least significant limb first. It crosses the bridge as a decimal string.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Json, PartialEq)]
#[json(text = "0")]
pub struct Amount([u32; LIMBS]);

/// Error for a text that is not an amount.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AmountError {
    /// The amount exceeds 256 bits.
    #[error("Use a smaller amount")]
    Overflow,
    /// More decimals than the coin has; amounts are never rounded.
    #[error("Use fewer decimals")]
    Precision,
    /// Not a number in plain notation.
    #[error("Use a number as amount")]
    Shape,
}

impl Amount {
    pub const ZERO: Amount = Amount([0; LIMBS]);

    /// Reads a JSON-RPC quantity: `0x` and 1 to 64 hex digits (leading zeros are accepted, since wallets send them).
    pub fn from_hex(text: &str) -> Result<Amount, AmountError> {
        let digits = text.strip_prefix("0x").filter(|digits| !digits.is_empty()).ok_or(AmountError::Shape)?;
        let mut amount = Amount::ZERO;
        for letter in digits.chars() {
            let digit = letter.to_digit(16).ok_or(AmountError::Shape)?;
            amount = amount.times(16).and_then(|amount| amount.plus(digit.into())).ok_or(AmountError::Overflow)?;
        }
        Ok(amount)
    }

    /// Reads a word of calldata.
    pub fn from_be_bytes(word: [u8; 32]) -> Amount {
        let mut amount = Amount::ZERO;
        for (limb, bytes) in amount.0.iter_mut().rev().zip(word.chunks_exact(4)) {
            *limb = bytes.iter().fold(0, |limb, byte| limb << 8 | u32::from(*byte));
        }
        amount
    }

    /// Writes a word of calldata.
    pub fn to_be_bytes(self) -> [u8; 32] {
        let mut word = [0; 32];
        for (limb, bytes) in self.0.iter().rev().zip(word.chunks_exact_mut(4)) {
            bytes.copy_from_slice(&limb.to_be_bytes());
        }
        word
    }

    /// Writes a JSON-RPC quantity: `0x`, no leading zeros.
    pub fn to_hex(self) -> String {
        let mut out = String::from("0x");
        let mut leading = true;
        for index in (0..LIMBS * 8).rev() {
            let digit = self.0[index / 8] >> (index % 8 * 4) & 15;
            leading = leading && digit == 0 && index > 0;
            if !leading {
                out.push(char::from_digit(digit, 16).unwrap_or('0'));
            }
        }
        out
    }

    /// Reads an amount in whole coins, with `decimals` being those of the coin: `1`, `0.5`, `.5`, `1.`; a comma may replace the point, but
    /// not in `1,000`, which is a thousand to some readers and one to others.
    pub fn from_units(text: &str, decimals: u8) -> Result<Amount, AmountError> {
        let text = text.trim();
        let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
        if whole.is_empty() && fraction.is_empty() {
            return Err(AmountError::Shape);
        }
        if text.contains(',') && fraction.len() == 3 && !matches!(whole, "" | "0") {
            return Err(AmountError::Shape);
        }
        // Trailing zeros do not count: "1.50" of a coin with one decimal is exact.
        let fraction_kept = fraction.trim_end_matches('0');
        let mut amount = Amount::ZERO;
        for letter in whole.chars().chain(fraction.chars()) {
            letter.to_digit(10).ok_or(AmountError::Shape)?;
        }
        if fraction_kept.len() > usize::from(decimals) {
            return Err(AmountError::Precision);
        }
        let padding = std::iter::repeat_n('0', usize::from(decimals) - fraction_kept.len());
        for letter in whole.chars().chain(fraction_kept.chars()).chain(padding) {
            let digit = letter.to_digit(10).ok_or(AmountError::Shape)?;
            amount = amount.times(10).and_then(|amount| amount.plus(digit.into())).ok_or(AmountError::Overflow)?;
        }
        Ok(amount)
    }

    /// Writes the number in decimal digits. `to_string` is the same, with the machinery of `fmt`, which is large in the browser.
    pub fn to_digits(self) -> String {
        let (mut digits, mut left) = (Vec::new(), self);
        while let Some((quotient, digit)) = left.divided(10) {
            digits.push(char::from(b'0' + digit as u8));
            if quotient.is_zero() {
                break;
            }
            left = quotient;
        }
        digits.into_iter().rev().collect()
    }

    /// Writes the exact amount in whole coins: no rounding, no trailing zeros.
    pub fn to_units(self, decimals: u8) -> String {
        let (whole, fraction) = self.split(decimals);
        let fraction = fraction.trim_end_matches('0');
        if fraction.is_empty() { whole } else { [&whole, ".", fraction].concat() }
    }

    /// Writes the amount in whole coins with exactly `shown` decimals, cut and never rounded up, so that no more is shown than there is.
    pub fn to_units_fixed(self, decimals: u8, shown: usize) -> String {
        let (whole, mut fraction) = self.split(decimals);
        fraction.truncate(shown);
        while fraction.len() < shown {
            fraction.push('0');
        }
        if shown == 0 { whole } else { [&whole, ".", &fraction].concat() }
    }

    fn split(self, decimals: u8) -> (String, String) {
        let digits = self.to_digits();
        let decimals = usize::from(decimals);
        let padding = (decimals + 1).saturating_sub(digits.len());
        let mut padded = String::new();
        (0..padding).for_each(|_| padded.push('0'));
        padded.push_str(&digits);
        let fraction = padded.split_off(padded.len() - decimals);
        (padded, fraction)
    }

    /// Whether the amount is zero.
    pub fn is_zero(&self) -> bool {
        *self == Amount::ZERO
    }

    /// Multiplies by a small factor; returns none on overflow of 256 bits.
    pub fn times(self, factor: u32) -> Option<Amount> {
        let mut out = self;
        let mut carry = 0u64;
        for limb in &mut out.0 {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry == 0 { Some(out) } else { None }
    }

    /// Divides by a small number and returns quotient and remainder; none if the divisor is 0.
    pub fn divided(self, divisor: u32) -> Option<(Amount, u32)> {
        if divisor == 0 {
            return None;
        }
        let mut out = self;
        let mut rest = 0u64;
        for limb in out.0.iter_mut().rev() {
            let part = rest << 32 | u64::from(*limb);
            *limb = (part / u64::from(divisor)) as u32;
            rest = part % u64::from(divisor);
        }
        Some((out, rest as u32))
    }

    /// Adds; returns none on overflow of 256 bits.
    pub fn plus(self, other: Amount) -> Option<Amount> {
        let mut out = self;
        let mut carry = 0u64;
        for (limb, other) in out.0.iter_mut().zip(other.0) {
            let sum = u64::from(*limb) + u64::from(other) + carry;
            *limb = sum as u32;
            carry = sum >> 32;
        }
        if carry == 0 { Some(out) } else { None }
    }

    /// Subtracts; returns none if the difference is negative.
    pub fn minus(self, other: Amount) -> Option<Amount> {
        let mut out = self;
        let mut borrow = 0i64;
        for (limb, other) in out.0.iter_mut().zip(other.0) {
            let difference = i64::from(*limb) - i64::from(other) + borrow;
            *limb = difference as u32;
            borrow = difference >> 32;
        }
        if borrow == 0 { Some(out) } else { None }
    }

    /// Multiplies two amounts; returns none on overflow of 256 bits.
    pub fn by(self, other: Amount) -> Option<Amount> {
        let mut out = Amount::ZERO;
        for limb in other.0.iter().rev() {
            // Two factors of 2^16 shift by one limb, since the factor of `times` cannot be 2^32.
            out = out.times(1 << 16)?.times(1 << 16)?.plus(self.times(*limb)?)?;
        }
        Some(out)
    }

    /// Divides two amounts, rounded down; returns none if the divisor is 0.
    pub fn over(self, divisor: Amount) -> Option<Amount> {
        if divisor.is_zero() {
            return None;
        }
        // Multiples of the divisor by powers of two; those that fit are subtracted, the largest first.
        let mut steps = vec![divisor];
        while let Some(next) = steps.last()?.times(2).filter(|next| *next <= self) {
            steps.push(next);
        }
        let (mut left, mut out) = (self, Amount::ZERO);
        for step in steps.into_iter().rev() {
            out = out.times(2)?;
            if let Some(rest) = left.minus(step) {
                left = rest;
                out = out.plus(Amount::from(1u32))?;
            }
        }
        Some(out)
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Amount) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Amount) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl From<u32> for Amount {
    fn from(number: u32) -> Amount {
        Amount::from(u64::from(number))
    }
}

impl From<u64> for Amount {
    fn from(number: u64) -> Amount {
        let mut limbs = [0; LIMBS];
        limbs[0] = number as u32;
        limbs[1] = (number >> 32) as u32;
        Amount(limbs)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_digits())
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Amount, AmountError> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(AmountError::Shape);
        }
        Amount::from_units(text, 0)
    }
}

/// Converts a JSON number with an exponent to plain notation: `1e-7` is 0.0000001. Returns none without an exponent.
pub fn plain(number: &str) -> Option<String> {
    const DECIMALS: u8 = 38;
    let (digits, exponent) = number.split_once(['e', 'E'])?;
    let decimals = i64::from(DECIMALS).checked_sub(exponent.parse().ok()?)?;
    Some(Amount::from_units(digits, DECIMALS).ok()?.to_units(decimals.try_into().ok()?))
}

/// Decimals of displayed amounts: what moves, the coin in the head of the account (spec 2.10).
pub const AMOUNT_DECIMALS: usize = 3;

/// Decimals of a token's balance in every list and form (spec 2.11), and of money.
pub const BALANCE_DECIMALS: usize = 2;

impl Amount {
    /// Balance of a token for display in a list or form (spec 2.11).
    pub fn shown_balance(self, decimals: u8) -> String {
        shown_units(&self.to_units(decimals), BALANCE_DECIMALS).unwrap_or_default()
    }

    /// US cents as dollars.
    pub fn dollars(self) -> String {
        self.to_units_fixed(2, BALANCE_DECIMALS)
    }
}

/// Formats a plain decimal with exactly `shown` decimals, cut and never rounded up, so that no more is shown than can be spent; a smaller
/// positive number becomes `<0.01`.
pub fn shown_units(text: &str, shown: usize) -> Option<String> {
    with_decimals(text, shown, false)
}

/// Formats a plain decimal with exactly `shown` decimals, rounded to the nearest, for what has moved already; a smaller positive number
/// becomes `<0.01`.
pub fn nearest_units(text: &str, shown: usize) -> Option<String> {
    with_decimals(text, shown, true)
}

fn with_decimals(text: &str, shown: usize, nearest: bool) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let cut = fraction.get(..shown).unwrap_or(fraction);
    let up = nearest && fraction.as_bytes().get(shown).is_some_and(|digit| *digit >= b'5');
    let decimals = shown as u8;
    let amount = Amount::from_units(&[whole, ".", cut].concat(), decimals).ok()?.plus(u32::from(up).into())?;
    let units = amount.to_units_fixed(decimals, shown);
    let little = amount.is_zero() && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if little { Some(["<", &units[..units.len() - 1], "1"].concat()) } else { Some(units) }
}

#[cfg(test)]
mod tests;
