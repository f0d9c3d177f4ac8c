/// Whether a text has the form of a Bitcoin address of any network: Bech32 (BIP-173, BIP-350) in lower case, or base58 of a key or a script.
/// Checksums are verified by the page's adapter.
pub fn is_bitcoin(text: &str) -> bool {
    let data = text.strip_prefix("bc1").or_else(|| text.strip_prefix("tb1")).or_else(|| text.strip_prefix("bcrt1"));
    if let Some(data) = data {
        let own = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9') && !matches!(byte, b'1' | b'b' | b'i' | b'o');
        return (11..=87).contains(&data.len()) && data.bytes().all(own);
    }
    (26..=35).contains(&text.len())
        && text.starts_with(['1', '2', '3', 'm', 'n'])
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bitcoin_address_is_bech32_or_base58_of_one_of_its_networks() {
        for text in [
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
            "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
            "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
            "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "3P14159f73E4gFr7JterCCQh9QjiTjiZrG",
            "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
        ] {
            assert!(is_bitcoin(text), "{text}");
        }
        for text in [
            "",
            "bc1",
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdb",
            "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ",
            "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
            "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a",
            "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        ] {
            assert!(!is_bitcoin(text), "{text}");
        }
    }
}
