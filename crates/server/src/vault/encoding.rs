//! Bytes as text: base64url without padding, as the wire has them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};

pub(super) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Exactly this many bytes; `None` if the text is not the one form in which they are written.
pub(super) fn decode<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    // Longer texts are not decoded at all.
    (text.len() == (BYTES * 8).div_ceil(6)).then(|| decode_any(text))??.try_into().ok()
}

pub(super) fn decode_any(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// SHA-256 as text.
pub(super) fn hash(bytes: impl AsRef<[u8]>) -> String {
    encode(digest(&SHA256, bytes.as_ref()))
}

/// Bytes that nobody can guess. Without a source of randomness nothing here may go on.
pub(super) fn random<const BYTES: usize>() -> Result<[u8; BYTES], getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_one_text_of_one_length() {
        for length in 0..5 {
            let text = encode(vec![0xff; length]);
            assert_eq!((decode::<1>(&text).is_some(), decode::<2>(&text).is_some()), (length == 1, length == 2));
            assert_eq!((decode::<3>(&text).is_some(), decode::<4>(&text).is_some()), (length == 3, length == 4));
        }
        assert_eq!(decode::<1>("AA"), Some([0]));
        for other in ["AB", "AA==", "A+", "A"] {
            assert_eq!(decode::<1>(other), None, "{other}");
        }
    }
}
