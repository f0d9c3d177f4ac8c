/// Whether a text has the form of an SS58 address of an account id of 32 bytes: 46 to 50 base58 characters. The checksum is verified by the
/// page's adapter (<https://docs.polkadot.com/reference/parachains/accounts/>).
pub fn is_polkadot(text: &str) -> bool {
    (46..=50).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polkadot_address_is_46_to_50_base58_characters() {
        for text in [
            "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
            "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F",
            "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
        ] {
            assert!(is_polkadot(text), "{text}");
        }
        for text in [
            "",
            "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE",
            "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKut0Y",
            "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQYQYQ",
        ] {
            assert!(!is_polkadot(text), "{text}");
        }
    }
}
