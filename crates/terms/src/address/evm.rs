use sha3::{Digest, Keccak256};

/// Whether a text is an EVM address: an optional `0x`, then 40 hex digits (spec 5.2).
pub fn is_evm(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Error for an address that cannot be accepted.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ChecksumError {
    /// Mixed case that does not match EIP-55: a letter was mistyped.
    #[error("Checksum doesn't match. Copy the address again.")]
    Mismatch,
    /// Not an EVM address at all.
    #[error("Use an EVM address")]
    Shape,
}

/// Keccak-256, the hash of EVM chains.
pub fn keccak256(bytes: &[u8]) -> [u8; 32] {
    Keccak256::digest(bytes).into()
}

/// Converts an address to its EIP-55 form. All lower or all upper case has no checksum; mixed case must match.
pub fn with_checksum(text: &str) -> Result<String, ChecksumError> {
    if !is_evm(text) {
        return Err(ChecksumError::Shape);
    }
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let lower = digits.to_ascii_lowercase();
    let hash = keccak256(lower.as_bytes());
    let mut out = String::from("0x");
    for (index, letter) in lower.chars().enumerate() {
        let nibble = hash[index / 2] >> (if index % 2 == 0 { 4 } else { 0 }) & 15;
        out.push(if nibble >= 8 { letter.to_ascii_uppercase() } else { letter });
    }
    let mixed =
        digits.bytes().any(|byte| byte.is_ascii_lowercase()) && digits.bytes().any(|byte| byte.is_ascii_uppercase());
    if mixed && digits != &out[2..] { Err(ChecksumError::Mismatch) } else { Ok(out) }
}

/// Converts an address of any case to its EIP-55 form, without checking. A text that is no EVM address is returned unchanged.
pub fn to_checksum(text: &str) -> String {
    with_checksum(&text.to_ascii_lowercase()).unwrap_or_else(|_| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_2_an_evm_address_is_an_optional_0x_and_40_hex_digits() {
        assert!(is_evm("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"));
        assert!(is_evm("f39Fd6e51aad88F6F4ce6aB8827279cffFb92266"));
        for text in [
            "",
            "0x",
            "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb9226",
            "0xg39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "0Xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        ] {
            assert!(!is_evm(text), "{text}");
        }
    }

    /// Test vectors of EIP-55.
    #[test]
    fn the_checksum_is_that_of_eip_55() {
        for address in [
            "0x52908400098527886E0F7030069857D2E4169EE7",
            "0xde709f2102306220921060314715629080e2fb77",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
            "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ] {
            assert_eq!(with_checksum(&address.to_ascii_lowercase()).as_deref(), Ok(address));
            assert_eq!(with_checksum(address).as_deref(), Ok(address));
        }
        assert_eq!(with_checksum("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"), Err(ChecksumError::Mismatch));
        assert_eq!(with_checksum("0x5a"), Err(ChecksumError::Shape));
    }

    #[test]
    fn any_case_of_letters_becomes_the_checksum_and_other_text_stays() {
        let right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        for text in [
            right,
            "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
            "5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed",
        ] {
            assert_eq!(to_checksum(text), right);
        }
        assert_eq!(to_checksum("Somebody.eth"), "Somebody.eth");
    }
}
