/// Whether a text is a Solana address: 32 to 44 base58 characters (spec 5.3).
pub fn is_solana(text: &str) -> bool {
    (32..=44).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_3_a_solana_address_is_32_to_44_base58_characters() {
        assert!(is_solana("11111111111111111111111111111111"));
        assert!(is_solana("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE"));
        for text in [
            "",
            "1111111111111111111111111111111",
            "0VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE",
            "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmEx",
        ] {
            assert!(!is_solana(text), "{text}");
        }
    }
}
