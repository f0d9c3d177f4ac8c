//! By how much an amount worsens its price, and what pools keep of it.

use crate::price::plain;
use alloy_primitives::{U256, U512};

/// Below this, rounding says more than the pool does.
const FINE: U256 = U256::from_limbs([10_000, 0, 0, 0]);

/// In hundredths of a per cent.
const WHOLE: U512 = U512::from_limbs([10_000, 0, 0, 0, 0, 0, 0, 0]);

/// By how many per cent less one gets for each unit of the amount than for each of a small part of it: what is paid and what it brings.
pub(super) fn impact(whole: (U256, U256), part: (U256, U256)) -> Option<String> {
    if part.0.is_zero() || part.1 < FINE {
        return None;
    }
    // The products have up to 512 bits; a factor on top would not fit.
    let got = U512::from(whole.1) * U512::from(part.0);
    let hoped = U512::from(part.1) * U512::from(whole.0);
    let lost = hoped.checked_sub(got).unwrap_or(U512::ZERO);
    let step = (hoped / WHOLE).max(U512::from(1));
    let points = (lost / step).min(WHOLE);
    Some(plain(&points.to_string(), 2))
}

/// What pools in a row keep in all, in per cent, of what each keeps in millionths.
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
        // Rounding of the part may make its rate the worse one.
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
        /// Of a pool of a constant product (Uniswap V2), whose impact is `x / (R + x)`.
        #[test]
        fn the_impact_of_a_pool_is_that_of_its_formula(reserve in 1_000_000u64..u64::MAX / 2, share in 1u64..10_000) {
            let wide = |number: u64| U512::from(number) * U512::from(1_000_000_000_000_000u64);
            let (pool, amount) = (wide(reserve), wide(reserve) * U512::from(share) / U512::from(10_000));
            let out = |paid: U512| (pool * paid / (pool + paid)).to::<U256>();
            let part = amount / U512::from(100);
            let told = impact((amount.to(), out(amount)), (part.to(), out(part))).unwrap();
            let told: f64 = told.parse().unwrap();
            let right = 100.0 * (share as f64 / 10_000.0) / (1.0 + share as f64 / 10_000.0);
            // A hundredth of the amount has a hundredth of the impact itself.
            prop_assert!(told <= right + 0.02 && told >= right * 0.985 - 0.02, "{told} {right}");
        }

        #[test]
        fn no_answer_of_a_pool_makes_it_panic(a in any::<[u8; 32]>(), b in any::<[u8; 32]>(), c in any::<[u8; 32]>(), d in any::<[u8; 32]>()) {
            let number = U256::from_be_bytes;
            let _ = impact((number(a), number(b)), (number(c), number(d)));
        }
    }
}
