//! Of `[names]`, what is known of other people's names: on which chain they are, and which contract resolves them.

use super::file::Read;
use super::{Chain, SettingSource};
use alloy_primitives::Address;
use portico_terms::ChainId;

pub(super) const SETTINGS: &[&str] = &["names.ens_chain", "names.universal_resolver"];

const DEFAULT_CHAIN: &str = "eip155:1";

/// ENS keeps this address whatever stands behind it.
const DEFAULT_RESOLVER: &str = "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe";

/// Where names of ENS are looked up.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ens {
    /// The chain of the registry.
    pub chain: ChainId,
    /// The Universal Resolver on it.
    pub resolver: Address,
}

impl Read<'_> {
    /// Nothing where the chain is not served, which is a mistake only if it was named.
    pub(super) fn ens(&mut self, chains: &[Chain]) -> Option<Ens> {
        let (text, place) = self.text_or("names.ens_chain", DEFAULT_CHAIN);
        let named = !matches!(place, SettingSource::Default(_));
        let chain =
            text.parse::<ChainId>().map_err(|_| format!("`{text}` is not the CAIP-2 id of a chain, such as eip155:1"));
        let chain = chain.and_then(|chain| {
            let served = chains.iter().any(|served| served.id == chain);
            if served || !named || !self.chains_read {
                Ok(served.then_some(chain))
            } else {
                Err(format!("the chain {chain} of names is none of `[[chains]]`"))
            }
        });
        let chain = self.keep(place, chain);
        let (text, place) = self.text_or("names.universal_resolver", DEFAULT_RESOLVER);
        let resolver = text.parse().map_err(|_| format!("`{text}` is not the address of a contract"));
        let resolver = self.keep(place, resolver);
        Some(Ens { chain: chain??, resolver: resolver? })
    }
}
