//! Base64 (RFC 4648): padded on the relay, the URL alphabet without padding in tokens and links, unpadded in ReCaps.

/// Alphabet and padding of a base64 text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Spelling {
    /// `+`, `/` and padding: envelopes on the relay.
    Standard,
    /// `-`, `_` and no padding: tokens and link mode.
    Url,
    /// `+`, `/` and no padding: ReCap resources.
    Bare,
}

impl Spelling {
    fn last_two(self) -> [u8; 2] {
        if self == Spelling::Url { *b"-_" } else { *b"+/" }
    }
}

/// Encodes bytes.
pub fn encode(bytes: &[u8], spelling: Spelling) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut word = 0;
        for index in 0..3 {
            word = word << 8 | u32::from(group.get(index).copied().unwrap_or(0));
        }
        for index in 0..4 {
            if index <= group.len() {
                out.push(letter((word >> (18 - 6 * index)) as u8 & 63, spelling) as char);
            } else if spelling == Spelling::Standard {
                out.push('=');
            }
        }
    }
    out
}

fn letter(value: u8, spelling: Spelling) -> u8 {
    match value {
        0..26 => b'A' + value,
        26..52 => b'a' + value - 26,
        52..62 => b'0' + value - 52,
        _ => spelling.last_two()[usize::from(value - 62)],
    }
}

fn value(letter: u8, spelling: Spelling) -> Option<u32> {
    let [plus, slash] = spelling.last_two();
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        _ if letter == plus => 62,
        _ if letter == slash => 63,
        _ => return None,
    }))
}

/// Decodes a text in exactly that spelling: no white space, no missing or superfluous padding, no bits left over.
pub fn decode(text: &str, spelling: Spelling) -> Option<Vec<u8>> {
    let mut letters = text.as_bytes();
    if spelling == Spelling::Standard {
        if !letters.len().is_multiple_of(4) {
            return None;
        }
        letters = letters.strip_suffix(b"=").unwrap_or(letters);
        letters = letters.strip_suffix(b"=").unwrap_or(letters);
        // `A===` and `====` are not valid groups.
        if text.len() - letters.len() == 2 && letters.len() % 4 != 2 {
            return None;
        }
    }
    let mut out = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    for group in letters.chunks(4) {
        let mut word = 0;
        for index in 0..4 {
            word = word << 6 | group.get(index).map_or(Some(0), |letter| value(*letter, spelling))?;
        }
        let whole = match group.len() {
            4 => 3,
            3 if word & 0xff == 0 => 2,
            2 if word & 0xffff == 0 => 1,
            _ => return None,
        };
        out.extend_from_slice(&word.to_be_bytes()[1..=whole]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_vectors_of_rfc_4648_hold() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes(), Spelling::Standard), coded);
            assert_eq!(decode(coded, Spelling::Standard).as_deref(), Some(plain.as_bytes()));
            assert_eq!(encode(plain.as_bytes(), Spelling::Url), coded.trim_end_matches('='));
        }
        assert_eq!(encode(&[0xfb, 0xff], Spelling::Url), "-_8");
        assert_eq!(encode(&[0xfb, 0xff], Spelling::Bare), "+/8");
    }

    #[test]
    fn another_spelling_of_the_same_bytes_is_refused() {
        for bad in [
            "Zg", "Zg=", "Zh==", "Zm9=", "=", "==", "====", "A===", "Zg==\n", " Zg=", "Zm9v====", "Zg==Zg==", "Z",
            "-_8=",
        ] {
            assert_eq!(decode(bad, Spelling::Standard), None, "{bad:?}");
        }
        for bad in ["Zg==", "Zh", "A", "+/8", "Zm8=", "é"] {
            assert_eq!(decode(bad, Spelling::Url), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_and_what_is_read_is_written_the_same(bytes: Vec<u8>, text in "[A-Za-z0-9+/=_-]{0,24}") {
            for spelling in [Spelling::Standard, Spelling::Url, Spelling::Bare] {
                prop_assert_eq!(decode(&encode(&bytes, spelling), spelling), Some(bytes.clone()));
                if let Some(read) = decode(&text, spelling) {
                    prop_assert_eq!(encode(&read, spelling), text.clone());
                }
            }
        }
    }
}
