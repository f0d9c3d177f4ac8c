use super::{ChainId, Namespace};
use crate::address;
use portico_json::Json;
use std::fmt;
use std::str::FromStr;

/// CAIP-10 account id, `namespace:reference:address` (spec 5.4).
#[derive(Clone, Debug, Eq, Hash, Json, Ord, PartialEq, PartialOrd)]
#[json(text = "eip155:1:0x0000000000000000000000000000000000000000")]
pub struct AccountId {
    chain: ChainId,
    address: String,
}

/// Error for a text that is not a CAIP-10 account id.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AccountIdError {
    /// The parts are well-formed but the address does not fit the namespace (spec 8.30).
    #[error("Invalid CAIP Address")]
    Address,
    /// Not exactly three non-empty parts with a known namespace (spec 8.30).
    #[error("Invalid CAIP-10 address")]
    Shape,
}

impl AccountId {
    /// Combines a chain and an address, if the address fits the chain's namespace.
    pub fn new(chain: ChainId, address: &str) -> Result<AccountId, AccountIdError> {
        // Each namespace has its own address format; Polkadot and Bitcoin addresses are accepted as the wallet sent them (CAIP-10
        // alphabet).
        let fits = match chain.namespace() {
            Namespace::Eip155 => address.starts_with("0x") && address::is_evm(address),
            Namespace::Solana => address::is_solana(address),
            Namespace::Polkadot | Namespace::Bip122 => {
                (1..=128).contains(&address.len())
                    && address.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'%'))
            }
        };
        if fits { Ok(AccountId { chain, address: address.into() }) } else { Err(AccountIdError::Address) }
    }

    pub fn chain(&self) -> &ChainId {
        &self.chain
    }

    /// Returns the address without the chain.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chain.fmt(formatter)?;
        formatter.write_str(":")?;
        formatter.write_str(&self.address)
    }
}

impl FromStr for AccountId {
    type Err = AccountIdError;

    fn from_str(text: &str) -> Result<AccountId, AccountIdError> {
        let (chain, address) = text.rsplit_once(':').ok_or(AccountIdError::Shape)?;
        if address.is_empty() {
            return Err(AccountIdError::Shape);
        }
        AccountId::new(chain.parse().map_err(|_| AccountIdError::Shape)?, address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

    #[test]
    fn spec_5_4_an_account_id_has_exactly_three_non_empty_parts_with_a_known_namespace() {
        let text = format!("eip155:1:{ADDRESS}");
        let account: AccountId = text.parse().unwrap();
        assert_eq!((account.chain().to_string().as_str(), account.address()), ("eip155:1", ADDRESS));
        assert_eq!(account.to_string(), text);
        for text in ["", "::", "eip155:1", "eip155:1:", "eip155::0x1", ":1:0x1", "eip155:1:2:0x1", "cosmos:hub:cosmos1"]
        {
            assert_eq!(text.parse::<AccountId>(), Err(AccountIdError::Shape), "{text}");
        }
    }

    #[test]
    fn spec_8_30_the_errors_say_invalid_caip_address_and_invalid_caip_10_address() {
        assert_eq!("eip155:1:0x12".parse::<AccountId>().unwrap_err().to_string(), "Invalid CAIP Address");
        assert_eq!("eip155:1".parse::<AccountId>().unwrap_err().to_string(), "Invalid CAIP-10 address");
    }
}
