//! Numbers of 256 bits, as 32 bytes, the highest first.

use portico_encoding::hex;

/// Unsigned number below 2^256.
pub type Number = [u8; 32];

/// Reads a JSON-RPC quantity: `0x` and 1 to 64 hex digits.
pub fn from_quantity(text: &str) -> Option<Number> {
    let digits = text.strip_prefix("0x").filter(|digits| (1..=64).contains(&digits.len()))?;
    hex::decode32(&["0".repeat(64 - digits.len()).as_str(), digits].concat())
}

/// Reads decimal digits.
pub fn from_decimal(text: &str) -> Option<Number> {
    // 2^256 has 78 digits.
    if text.is_empty() || text.len() > 78 {
        return None;
    }
    let mut number = [0; 32];
    for digit in text.bytes() {
        let mut carry = u32::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
        for byte in number.iter_mut().rev() {
            carry += u32::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return None;
        }
    }
    Some(number)
}

/// Two's complement of a number.
pub fn negate(number: &Number) -> Number {
    let mut carry = true;
    let mut out = *number;
    for byte in out.iter_mut().rev() {
        (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
    }
    out
}

/// Whether a number is below 2^`bits`, for multiples of eight.
pub fn fits(number: &Number, bits: usize) -> bool {
    significant(number).len() <= bits / 8
}

/// Bytes without leading zeros.
pub fn significant(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    &number[zeros..]
}

/// Number below 2^64.
pub fn to_u64(number: &Number) -> Option<u64> {
    let (high, low) = number.split_last_chunk()?;
    high.iter().all(|byte| *byte == 0).then(|| u64::from_be_bytes(*low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_quantities_and_decimals_of_256_bits_are_numbers() {
        let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(from_decimal(most), Some([255; 32]));
        assert_eq!(from_quantity(&["0x", &"f".repeat(64)].concat()), Some([255; 32]));
        for bad in [
            "",
            "+1",
            "-1",
            "1e3",
            "1.0",
            " 1",
            "0x1",
            &most.replace("935", "936"),
            &["1", most].concat(),
            &"9".repeat(78),
        ] {
            assert_eq!(from_decimal(bad), None, "{bad}");
        }
        for bad in ["", "0x", "1", "0xg", "-0x1", "0X1", "0x-1", &["0x", &"0".repeat(65)].concat()] {
            assert_eq!(from_quantity(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn both_notations_agree(number: u64) {
            let read = from_decimal(&number.to_string());
            prop_assert_eq!(read, from_quantity(&format!("0x{number:x}")));
            prop_assert_eq!(read.and_then(|read| to_u64(&read)), Some(number));
            prop_assert_eq!(read.map(|read| negate(&negate(&read))), read);
        }
    }
}
