//! Universal Resolver of a scripted chain.

use portico_calldata::ens::{ETHER, Name};
use std::collections::BTreeMap;

/// Revert data of a name without a resolver: `ResolverNotFound(bytes)`.
const NOT_FOUND: &str = "0x77209fe8";

/// Names with addresses, and answers to calls that are given as they are.
#[derive(Clone, Debug, Default)]
pub struct Names {
    addresses: BTreeMap<(String, u64), String>,
    /// Results of calls by calldata; an error is revert data.
    pub calls: BTreeMap<String, Result<String, String>>,
}

impl Names {
    /// Gives a name, in normal form, an address of a coin type.
    pub fn set(&mut self, name: &str, coin: u64, address: &str) {
        self.addresses.insert((name.into(), coin), address.into());
    }

    /// Removes all addresses of names.
    pub fn clear(&mut self) {
        self.addresses.clear();
    }

    /// Result of a call, or revert data. A lie takes the place of an address.
    pub fn answer(&self, data: &str, lie: Option<&str>) -> Result<String, String> {
        if let Some(answer) = self.calls.get(data) {
            return answer.clone();
        }
        let asked = |(name, coin): &(String, u64)| Name::new(name).is_some_and(|name| name.question(*coin) == data);
        let ((_, coin), address) =
            self.addresses.iter().find(|(key, _)| asked(key)).ok_or_else(|| String::from(NOT_FOUND))?;
        Ok(resolved(lie.unwrap_or(address), *coin))
    }
}

/// Encodes what the contract returns for an address of a coin type.
pub fn resolved(address: &str, coin: u64) -> String {
    let digits = address.trim_start_matches("0x").to_lowercase();
    let record = match coin {
        ETHER => format!("{digits:0>64}"),
        _ => format!("{:064x}{:064x}{digits:0<64}", 32, 20),
    };
    format!("0x{:064x}{:0>64}{:064x}{record}", 64, "09", record.len() / 2)
}
