//! A name of ENS: normalised once (ENSIP-15), then in the two forms that contracts take.

use alloy_primitives::{B256, keccak256};
use ens_normalize_rs::EnsNameNormalizer;
use std::fmt;
use std::sync::LazyLock;

/// RFC 1035, 2.3.4. No label can be longer than DNS form can say.
const LONGEST: usize = 255;

/// Its tables are read once.
static NORMALIZER: LazyLock<EnsNameNormalizer> = LazyLock::new(EnsNameNormalizer::default);

/// A normalised name: "alice.eth".
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EnsName(String);

/// Why a text is no name.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NotAName {
    /// Of the text as it is typed, or of the name that it becomes.
    #[error("A name has 1 to 255 bytes")]
    Length,
    /// ENSIP-15 refuses it: characters that nobody can see or that look like others, scripts mixed, empty labels.
    #[error("This is not a name that can be registered")]
    Form,
}

impl EnsName {
    /// Normalises what was typed.
    pub fn parse(typed: &str) -> Result<EnsName, NotAName> {
        let fits = |text: &str| (1..=LONGEST).contains(&text.len());
        if !fits(typed) {
            return Err(NotAName::Length);
        }
        let name = NORMALIZER.normalize(typed).map_err(|_| NotAName::Form)?;
        if name.split('.').any(str::is_empty) {
            return Err(NotAName::Form);
        }
        // In DNS form it is longer by two.
        if fits(&name) && name.len() + 2 <= LONGEST { Ok(EnsName(name)) } else { Err(NotAName::Length) }
    }

    /// A name that somebody says is one: it counts only in the form that it would be normalised to.
    pub fn claimed(text: &str) -> Option<EnsName> {
        EnsName::parse(text).ok().filter(|name| name.0 == text)
    }

    /// As it is shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Each label after its length, and a zero at the end.
    pub(super) fn dns(&self) -> Vec<u8> {
        let mut dns = Vec::with_capacity(self.0.len() + 2);
        for label in self.0.split('.') {
            // The whole is not longer than a byte can say.
            dns.push(u8::try_from(label.len()).unwrap_or(u8::MAX));
            dns.extend_from_slice(label.as_bytes());
        }
        dns.push(0);
        dns
    }

    /// EIP-137.
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
                // What is normal stays so, and only that is a name that somebody may claim.
                assert_eq!(EnsName::claimed(&normal), found, "{text:?}");
                assert_eq!(EnsName::claimed(&text).is_some(), text == normal, "{text:?}");
            }
            count += 1;
        }
        assert!(count > 9_000, "{count}");
    }
}
