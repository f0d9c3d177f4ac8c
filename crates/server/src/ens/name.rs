//! ENS name: normalised once (ENSIP-15), then encoded in the two forms that contracts take.

use alloy_primitives::{B256, keccak256};
use ens_normalize_rs::EnsNameNormalizer;
use std::fmt;
use std::sync::LazyLock;

/// Maximum length of a name in DNS encoding, in bytes (RFC 1035, 2.3.4).
const LONGEST: usize = 255;

/// Loads its tables once.
static NORMALIZER: LazyLock<EnsNameNormalizer> = LazyLock::new(EnsNameNormalizer::default);

/// Normalised name: "alice.eth".
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EnsName(String);

/// Reason why a text is not a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NotAName {
    /// Too long or empty, as typed or after normalisation.
    #[error("Use 1 to 255 bytes as name")]
    Length,
    /// Invalid under ENSIP-15: invisible or confusable characters, mixed scripts, empty labels.
    #[error("Can't register this name. Try another.")]
    Form,
}

impl EnsName {
    /// Normalises a typed name.
    pub fn parse(typed: &str) -> Result<EnsName, NotAName> {
        let fits = |text: &str| (1..=LONGEST).contains(&text.len());
        if !fits(typed) {
            return Err(NotAName::Length);
        }
        let name = NORMALIZER.normalize(typed).map_err(|_| NotAName::Form)?;
        if name.split('.').any(str::is_empty) {
            return Err(NotAName::Form);
        }
        // DNS encoding adds two bytes.
        if fits(&name) && name.len() + 2 <= LONGEST { Ok(EnsName(name)) } else { Err(NotAName::Length) }
    }

    /// Name from an untrusted source, such as a reverse record: valid only if it is already normalised.
    pub fn claimed(text: &str) -> Option<EnsName> {
        EnsName::parse(text).ok().filter(|name| name.0 == text)
    }

    /// Name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// DNS encoding: each label after its length, and a zero at the end.
    pub(super) fn dns(&self) -> Vec<u8> {
        let mut dns = Vec::with_capacity(self.0.len() + 2);
        for label in self.0.split('.') {
            // Always fits: the whole name has at most 255 bytes.
            dns.push(u8::try_from(label.len()).unwrap_or(u8::MAX));
            dns.extend_from_slice(label.as_bytes());
        }
        dns.push(0);
        dns
    }

    /// Namehash (EIP-137).
    pub(super) fn node(&self) -> B256 {
        self.0.rsplit('.').fold(B256::ZERO, |node, label| keccak256([node, keccak256(label)].concat()))
    }
}

impl fmt::Display for EnsName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::normal::vectors;

    #[test]
    fn all_vectors_of_ensip_15_are_normalised_or_refused_as_they_say() {
        let mut count = 0;
        for (text, normal) in vectors::all() {
            let fits = (1..=LONGEST).contains(&text.len());
            let normal = normal.filter(|normal| fits && !normal.is_empty() && normal.len() + 2 <= LONGEST);
            let found = EnsName::parse(&text).ok();
            assert_eq!(found.as_ref().map(EnsName::as_str), normal.as_deref(), "{text:?}");
            if let Some(normal) = normal {
                // Normalised names stay unchanged, and only they are accepted as claimed.
                assert_eq!(EnsName::claimed(&normal), found, "{text:?}");
                assert_eq!(EnsName::claimed(&text).is_some(), text == normal, "{text:?}");
            }
            count += 1;
        }
        assert!(count > 9_000, "{count}");
    }
}
