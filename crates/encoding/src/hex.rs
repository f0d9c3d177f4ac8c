//! Hexadecimal: lower case when written, either case when read.

/// Encodes bytes in lower case.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(digit(byte >> 4));
        out.push(digit(byte & 15));
    }
    out
}

fn digit(value: u8) -> char {
    (if value < 10 { b'0' + value } else { b'a' + value - 10 }) as char
}

/// Decodes exactly 32 bytes from 64 digits.
pub fn decode32(text: &str) -> Option<[u8; 32]> {
    let mut out = [0; 32];
    decode_into(text, &mut out)?;
    Some(out)
}

/// Decodes an even number of digits.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = vec![0; text.len() / 2];
    decode_into(text, &mut out)?;
    Some(out)
}

fn decode_into(text: &str, out: &mut [u8]) -> Option<()> {
    let digits = text.as_bytes();
    if digits.len() != out.len() * 2 {
        return None;
    }
    for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
        let high = (pair[0] as char).to_digit(16)?;
        let low = (pair[1] as char).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sixty_four_digits_are_a_key() {
        for bad in ["", "0", &"0".repeat(63), &"0".repeat(65), &("g".to_owned() + &"0".repeat(63)), &"é".repeat(32)] {
            assert_eq!(decode32(bad), None, "{bad}");
        }
        let text = "00ff".repeat(16);
        assert_eq!(decode32(&text).map(|bytes| encode(&bytes)), Some(text.clone()));
        assert_eq!(decode32(&text.to_uppercase()), decode32(&text));
    }

    #[test]
    fn bytes_of_any_number_are_read_from_whole_pairs_of_digits() {
        assert_eq!(decode(""), Some(vec![]));
        assert_eq!(decode("00fF"), Some(vec![0, 255]));
        for bad in ["0", "0g", "0x00", "+1", "é", " 0"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
