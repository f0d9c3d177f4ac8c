const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Whether a text is a Solana address: 32 bytes in base58, which are 32 to 44 characters (spec 5.3).
pub fn is_solana(text: &str) -> bool {
    // Longer texts are refused before their value is computed.
    if text.len() > 44 {
        return false;
    }
    // The value of the text, its lowest byte first.
    let mut value = [0_u8; 32];
    for letter in text.bytes() {
        let Some(digit) = ALPHABET.iter().position(|known| *known == letter) else { return false };
        let mut carry = digit as u32;
        for byte in &mut value {
            carry += u32::from(*byte) * 58;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return false;
        }
    }
    // Base58 writes each zero byte at the start as a 1, so there are 32 bytes if the zeros left above the value are as many as these.
    let ones = text.bytes().take_while(|letter| *letter == b'1').count();
    value.iter().rev().take_while(|byte| **byte == 0).count() == ones
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

    #[test]
    fn a_solana_address_is_32_bytes() {
        for text in [
            // 2^256 - 1, and a key that begins with zero bytes.
            "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG",
            "1thX6LZfHDZZKUs92febYZhYRcXddmzfzF2NvTkPNE",
            "So11111111111111111111111111111111111111112",
            "SysvarC1ock11111111111111111111111111111111",
        ] {
            assert!(is_solana(text), "{text}");
        }
        for text in [
            // 2^256, and the largest text of 44 letters.
            "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH",
            "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
            // 31 bytes.
            "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4B",
            // 33 bytes.
            "111111111111111111111111111111111",
            "17VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4Bm",
            // An address of Bitcoin, whose letters are those of base58 too.
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        ] {
            assert!(!is_solana(text), "{text}");
        }
    }
}
