use super::Namespace;
use crate::Amount;
use portico_json::Json;
use std::fmt;
use std::str::FromStr;

/// CAIP-2 chain id, `namespace:reference` (spec 5.5).
#[derive(Clone, Debug, Eq, Hash, Json, Ord, PartialEq, PartialOrd)]
#[json(text = "eip155:1")]
pub struct ChainId {
    namespace: Namespace,
    reference: String,
}

/// Error for a text that is not a CAIP-2 chain id.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ChainIdError {
    /// The namespace is unknown to this product.
    #[error("Unknown CAIP-2 namespace")]
    Namespace,
    /// Not exactly two non-empty parts (spec 5.5, 8.31).
    #[error("Invalid CAIP-2 network id")]
    Shape,
}

impl ChainId {
    /// Creates the id of an EVM chain from its EIP-155 number.
    pub fn eip155(number: u64) -> ChainId {
        ChainId { namespace: Namespace::Eip155, reference: Amount::from(number).to_digits() }
    }

    pub fn namespace(&self) -> Namespace {
        self.namespace
    }

    /// Returns the part after the colon.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// Returns the EIP-155 number of an EVM chain.
    pub fn number(&self) -> Option<u64> {
        if self.namespace == Namespace::Eip155 { self.reference.parse().ok() } else { None }
    }
}

impl fmt::Display for ChainId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.namespace.word())?;
        formatter.write_str(":")?;
        formatter.write_str(&self.reference)
    }
}

impl FromStr for ChainId {
    type Err = ChainIdError;

    fn from_str(text: &str) -> Result<ChainId, ChainIdError> {
        let (namespace, reference) = text.split_once(':').ok_or(ChainIdError::Shape)?;
        // CAIP-2: the reference is [-_a-zA-Z0-9]{1,32}.
        let fits = (1..=32).contains(&reference.len())
            && reference.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        if namespace.is_empty() || !fits {
            return Err(ChainIdError::Shape);
        }
        let namespace = Namespace::from_word(namespace).ok_or(ChainIdError::Namespace)?;
        Ok(ChainId { namespace, reference: reference.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_5_a_network_id_has_exactly_two_parts() {
        assert_eq!("eip155:1".parse::<ChainId>().unwrap().to_string(), "eip155:1");
        assert_eq!(
            "bip122:000000000019d6689c085ae165831e93".parse::<ChainId>().unwrap().namespace(),
            Namespace::Bip122
        );
        for text in
            ["", ":", "eip155", "eip155:", ":1", "eip155:1:2", "eip155:a b", "eip155:123456789012345678901234567890123"]
        {
            assert_eq!(text.parse::<ChainId>(), Err(ChainIdError::Shape), "{text}");
        }
        assert_eq!("cosmos:hub-4".parse::<ChainId>(), Err(ChainIdError::Namespace));
    }

    #[test]
    fn spec_8_31_the_error_says_invalid_caip_2_network_id() {
        assert_eq!("1".parse::<ChainId>().unwrap_err().to_string(), "Invalid CAIP-2 network id");
    }
}
