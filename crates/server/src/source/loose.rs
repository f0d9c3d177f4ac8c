//! Lenient parsing of upstream values: numbers as text, texts as numbers, words of any length.

use crate::picture_link::LONGEST_PICTURE;
use portico_json::Value;
use portico_terms::{Amount, address};

/// Sanitizes a word for display: no control characters, no change of direction, at most 64 characters.
pub(crate) fn word(value: &Value) -> Option<String> {
    let text: String = value.as_str()?.chars().filter(|letter| is_plain(*letter)).take(LONGEST).collect();
    let text = text.trim();
    if text.is_empty() { None } else { Some(text.into()) }
}

const LONGEST: usize = 64;

/// Excludes invisible and direction-changing characters, which make one token look like another (Unicode TR 36).
fn is_plain(letter: char) -> bool {
    !letter.is_control()
        && !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Text of a string or a number.
pub(crate) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) | Value::Number(text) => Some(text),
        _ => None,
    }
}

/// Whole number, not negative.
pub(crate) fn number(value: &Value) -> Option<u64> {
    let text = text(value)?;
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Number of decimals of a coin.
pub(crate) fn decimals(value: &Value) -> Option<u8> {
    u8::try_from(number(value)?).ok()
}

/// Amount in the smallest unit, decimal or hexadecimal.
pub(crate) fn amount(value: &Value) -> Option<Amount> {
    let text = text(value)?;
    if text.starts_with("0x") { Amount::from_hex(text).ok() } else { text.parse().ok() }
}

/// EVM address, converted to checksum case.
pub(crate) fn evm(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| text.starts_with("0x"))?;
    address::with_checksum(&text.to_ascii_lowercase()).ok()
}

/// Transaction hash.
pub(crate) fn hash(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let fits = text.len() == 66 && text.starts_with("0x") && text.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| text.to_ascii_lowercase())
}

/// Signature that identifies a Solana transaction: 64 bytes in base58.
pub(crate) fn signature(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| is_signature(text))
}

/// Whether a text has the form of a Solana signature.
pub(crate) fn is_signature(text: &str) -> bool {
    let is_base58 = |byte: u8| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l');
    (64..=88).contains(&text.len()) && text.bytes().all(is_base58)
}

/// URL of a picture, for the server's own image proxy.
pub(crate) fn picture(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    let is_web = ["https://", "http://", "ipfs://", "data:image/"].iter().any(|scheme| text.starts_with(scheme));
    // A picture that is its own address, as on-chain art, has as much room as a page gives it.
    let longest = if text.starts_with("data:") { LONGEST_PICTURE } else { LONGEST_URL };
    if is_web && text.len() <= longest { text.into() } else { String::new() }
}

const LONGEST_URL: usize = 2048;

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn value(text: &str) -> Value {
        parse(text).unwrap()
    }

    #[test]
    fn what_is_no_number_is_none_and_a_number_may_be_a_text() {
        for text in ["null", "\"\"", "-1", "1.5", "1e3", "\"x\"", "[1]", "{}", "18446744073709551616", "\"0x\""] {
            assert_eq!(number(&value(text)), None, "{text}");
        }
        for text in ["18", "\"18\"", "\"0x12\""] {
            assert_eq!(number(&value(text)), Some(18), "{text}");
        }
        assert_eq!(decimals(&value("256")), None);
        assert_eq!(amount(&value("1e18")), None);
        assert_eq!(amount(&value("\"1000000000000000000000\"")), amount(&value("1000000000000000000000")));
    }

    #[test]
    fn a_signature_is_64_to_88_base58_characters() {
        for length in [0, 63, 89] {
            assert!(!is_signature(&"1".repeat(length)), "{length}");
        }
        for letter in ["0", "O", "I", "l", "é", "\"", " "] {
            assert!(!is_signature(&format!("{}{letter}", "1".repeat(70))), "{letter}");
        }
        assert!(is_signature(&"1".repeat(64)) && is_signature(&"z".repeat(88)));
    }

    #[test]
    fn a_word_is_short_and_plain() {
        assert_eq!(word(&value("7")), None);
        assert_eq!(word(&value(r#"" \n ""#)), None);
        assert_eq!(word(&value("\"U\u{202e}SD\u{200b}C\\u0000\"")).as_deref(), Some("USDC"));
        assert_eq!(word(&value(&format!("\"{}\"", "a".repeat(900)))).unwrap().len(), 64);
    }

    #[test]
    fn a_picture_in_its_own_address_may_be_as_long_as_a_page_shows_and_no_longer() {
        let art = |length: usize| format!("data:image/png;base64,{}", "A".repeat(length - 22));
        for (text, kept) in [
            (art(LONGEST_PICTURE), true),
            (art(LONGEST_PICTURE + 1), false),
            (format!("https://a.example/{}", "b".repeat(LONGEST_URL)), false),
        ] {
            assert_eq!(!picture(&Value::Text(text.clone())).is_empty(), kept, "{}", text.len());
        }
    }

    #[test]
    fn a_picture_has_an_address_of_the_web() {
        assert_eq!(picture(&value("\"javascript:alert(1)\"")), "");
        assert_eq!(picture(&value("\"data:text/html,x\"")), "");
        assert_eq!(picture(&value("\"https://a.example/b.png\"")), "https://a.example/b.png");
    }
}
