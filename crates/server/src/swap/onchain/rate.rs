//! Price impact of an amount, and the total fee of several pools.

use crate::price::plain;
use alloy_primitives::{U256, U512};

/// Minimum of each amount of the small quote from which the price impact is computed; below it, rounding outweighs the price impact.
pub(super) const FINE: U256 = U256::from_limbs([10_000, 0, 0, 0]);

/// The whole, in basis points.
const WHOLE: U512 = U512::from_limbs([10_000, 0, 0, 0, 0, 0, 0, 0]);

/// Price impact in percent: how much worse the rate of the whole amount is than that of a small part. Both are (paid, received).
pub(super) fn impact(whole: (U256, U256), part: (U256, U256)) -> Option<String> {
    if part.0.is_zero() || part.1 < FINE {
        return None;
    }
    // The products have up to 512 bits; another factor would overflow.
    let got = U512::from(whole.1) * U512::from(part.0);
    let hoped = U512::from(part.1) * U512::from(whole.0);
    let lost = hoped.checked_sub(got).unwrap_or(U512::ZERO);
    let step = (hoped / WHOLE).max(U512::from(1));
    let points = (lost / step).min(WHOLE);
    Some(plain(&points.to_string(), 2))
}

/// Total fee of consecutive pools in percent, from the fee of each in millionths.
pub(super) fn fee(fees: &[u32]) -> String {
    const MILLION: u64 = 1_000_000;
    let left = fees.iter().fold(MILLION, |left, fee| left * (MILLION - u64::from(*fee)) / MILLION);
    plain(&(MILLION - left).to_string(), 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(number: u64) -> U256 {
        U256::from(number)
    }

    #[test]
    fn an_amount_that_gets_the_rate_of_a_small_one_has_no_impact() {
        assert_eq!(impact((number(100), number(10_000_000)), (number(1), number(100_000))).as_deref(), Some("0"));
        assert_eq!(impact((number(100), number(9_850_000)), (number(1), number(100_000))).as_deref(), Some("1.5"));
        assert_eq!(impact((number(100), U256::ZERO), (number(1), number(100_000))).as_deref(), Some("100"));
        // Rounding may make the rate of the small part the worse one.
        assert_eq!(impact((number(100), number(10_000_001)), (number(1), number(100_000))).as_deref(), Some("0"));
    }

    #[test]
    fn where_rounding_says_more_than_the_pool_nothing_is_said() {
        assert_eq!(impact((number(99), number(99)), (number(0), number(0))), None);
        assert_eq!(impact((number(1_000), number(990_000)), (number(10), number(9_999))), None);
    }

    #[test]
    fn fees_of_pools_in_a_row_are_of_what_is_left() {
        assert_eq!(fee(&[]), "0");
        assert_eq!(fee(&[3_000]), "0.3");
        assert_eq!(fee(&[500]), "0.05");
        assert_eq!(fee(&[3_000, 3_000]), "0.5991");
        assert_eq!(fee(&[999_999, 999_999]), "100");
    }

    proptest! {
        /// A constant-product pool (Uniswap V2) has the price impact `x / (R + x)`.
        #[test]
        fn the_impact_of_a_pool_is_that_of_its_formula(reserve in 1_000_000u64..u64::MAX / 2, share in 1u64..10_000) {
            let wide = |number: u64| U512::from(number) * U512::from(1_000_000_000_000_000u64);
            let (pool, amount) = (wide(reserve), wide(reserve) * U512::from(share) / U512::from(10_000));
            let out = |paid: U512| (pool * paid / (pool + paid)).to::<U256>();
            let part = amount / U512::from(100);
            let told = impact((amount.to(), out(amount)), (part.to(), out(part))).unwrap();
            let told: f64 = told.parse().unwrap();
            let right = 100.0 * (share as f64 / 10_000.0) / (1.0 + share as f64 / 10_000.0);
            // The small part, a hundredth of the amount, has about a hundredth of the impact itself.
            prop_assert!(told <= right + 0.02 && told >= right * 0.985 - 0.02, "{told} {right}");
        }

        #[test]
        fn no_answer_of_a_pool_makes_it_panic(a in any::<[u8; 32]>(), b in any::<[u8; 32]>(), c in any::<[u8; 32]>(), d in any::<[u8; 32]>()) {
            let number = U256::from_be_bytes;
            let _ = impact((number(a), number(b)), (number(c), number(d)));
        }
    }
}
