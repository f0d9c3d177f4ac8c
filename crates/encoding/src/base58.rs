//! Base58 in the alphabet of Bitcoin, for did:key and other short inputs: the run time grows with the square of the length.

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Encodes bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut digits: Vec<u8> = Vec::new();
    for byte in bytes {
        add(&mut digits, u32::from(*byte), 256, 58);
    }
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let mut out = "1".repeat(zeros);
    out.extend(digits.iter().rev().map(|digit| ALPHABET[usize::from(*digit)] as char));
    out
}

/// Decodes a text of at most 128 letters.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    decode_within(text, 128)
}

/// Decodes a text of at most so many letters.
pub fn decode_within(text: &str, limit: usize) -> Option<Vec<u8>> {
    if text.len() > limit {
        return None;
    }
    let mut bytes: Vec<u8> = Vec::new();
    for letter in text.bytes() {
        let value = ALPHABET.iter().position(|known| *known == letter)?;
        add(&mut bytes, value as u32, 58, 256);
    }
    bytes.resize(bytes.len() + text.bytes().take_while(|letter| *letter == b'1').count(), 0);
    bytes.reverse();
    Some(bytes)
}

/// `number = number * from + carry`, where `number` is in base `to`, the lowest digit first.
fn add(number: &mut Vec<u8>, mut carry: u32, from: u32, to: u32) {
    for digit in number.iter_mut() {
        carry += u32::from(*digit) * from;
        *digit = (carry % to) as u8;
        carry /= to;
    }
    while carry > 0 {
        number.push((carry % to) as u8);
        carry /= to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_values_hold_and_foreign_letters_are_refused() {
        assert_eq!(encode(b"Hello World!"), "2NEpo7TZRRrLZSi2U");
        assert_eq!(encode(&[0, 0, 0x28, 0x7f, 0xb4, 0xcd]), "11233QC4");
        for bad in ["0", "O", "I", "l", "é", &"1".repeat(129)] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }
}
