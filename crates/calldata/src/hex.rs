//! Addresses and calldata as hex text.

use crate::Address;

/// Reads hex after `0x`, in either case.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?.as_bytes();
    let digit = |digit: u8| char::from(digit).to_digit(16);
    digits.len().is_multiple_of(2).then_some(())?;
    digits.chunks_exact(2).map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8)).collect()
}

/// Reads an address.
pub fn address(text: &str) -> Option<Address> {
    bytes(text)?.try_into().ok()
}

/// Writes an address in lower case.
pub fn text(address: &Address) -> String {
    of(address)
}

/// Writes bytes in lower case, after `0x`.
pub fn of(bytes: &[u8]) -> String {
    let mut out = String::from("0x");
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            out.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_read_in_either_case_and_nothing_else_is() {
        assert_eq!(bytes("0x"), Some(vec![]));
        assert_eq!(bytes("0x00fFA1"), Some(vec![0, 255, 161]));
        for wrong in ["", "00", "0x0", "0xg0", "0x0g", "0x+1", "0x\u{e9}", " 0x00"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
        let written = "0x00000000000000000000000000000000000000c0";
        assert_eq!(address(written).map(|address| text(&address)).as_deref(), Some(written));
        assert_eq!(address("0x00"), None);
    }
}
