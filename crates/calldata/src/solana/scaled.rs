//! Fees and rents: shares of an amount.

/// `amount * by / of`, rounded up, or the highest number. In two steps it needs no division of 128 bits, which is a large function in the browser.
/// The product of `by` and `of` must be a number of 64 bits, or the share of a rest below `of` may be too low.
pub fn scaled(amount: u64, by: u64, of: u64) -> u64 {
    let (whole, rest) = (amount / of, amount % of);
    whole.saturating_mul(by).saturating_add(rest.saturating_mul(by).div_ceil(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_share_is_that_of_one_division(amount: u64, by: u32, of in 1..u64::from(u32::MAX)) {
            let whole = (u128::from(amount) * u128::from(by)).div_ceil(u128::from(of));
            assert_eq!(scaled(amount, by.into(), of), u64::try_from(whole).unwrap_or(u64::MAX));
        }
    }

    #[test]
    fn a_share_is_rounded_up_and_ends_at_the_highest_number() {
        assert_eq!((scaled(1, 1, 1_000_000), scaled(1_000_000, 1, 1_000_000), scaled(0, 1, 10)), (1, 1, 0));
        assert_eq!(scaled(u64::MAX, 1_400_000, 1_000_000), u64::MAX);
    }
}
