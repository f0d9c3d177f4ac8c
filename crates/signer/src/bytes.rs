//! Bytes that cross as text (base64url without padding), and random bytes that came with a command.

use crate::refusal::{Reason, Refusal};
use portico_encoding::base64::{self, Spelling};
use zeroize::Zeroizing;

/// Writes bytes as the wire has them.
pub(crate) fn encode(bytes: &[u8]) -> String {
    base64::encode(bytes, Spelling::Url)
}

/// Reads bytes of any number.
pub(crate) fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    base64::decode(text, Spelling::Url).map(Zeroizing::new)
}

/// Reads exactly `N` bytes.
pub(crate) fn decode_exact<const N: usize>(text: &str) -> Option<Zeroizing<[u8; N]>> {
    let bytes = decode(text)?;
    <[u8; N]>::try_from(bytes.as_slice()).ok().map(Zeroizing::new)
}

/// Random bytes, each given out once.
pub(crate) struct Random {
    bytes: Zeroizing<Vec<u8>>,
    at: usize,
}

impl Random {
    /// Reads exactly `length` bytes. Eight equal bytes in a row are refused: a broken source shows itself so, a sound one once in 10^17 calls.
    pub(crate) fn read(text: &str, length: usize) -> Result<Random, Refusal> {
        let bytes = decode(text).filter(|bytes| bytes.len() == length);
        let bytes = bytes.ok_or(Refusal::new(Reason::Command, "random"))?;
        if bytes.windows(8).any(|window| window.iter().all(|byte| *byte == window[0])) {
            return Err(Refusal::new(Reason::Command, "random"));
        }
        Ok(Random { bytes, at: 0 })
    }

    /// Next `N` bytes. Zeros beyond the end cannot occur: each command reads as many bytes as it uses.
    pub(crate) fn take<const N: usize>(&mut self) -> Zeroizing<[u8; N]> {
        let mut out = Zeroizing::new([0; N]);
        let end = self.at + N;
        assert!(end <= self.bytes.len(), "a command uses more random bytes than it reads");
        out.copy_from_slice(&self.bytes[self.at..end]);
        self.at = end;
        out
    }
}
