//! ENS settings in `[names]`: the chain of the registry, and the contract that resolves names.

use super::file::Read;
use super::{Chain, SettingSource};
use alloy_primitives::Address;
use portico_terms::ChainId;

pub(super) const SETTINGS: &[&str] = &["names.ens_chain", "names.universal_resolver"];

const DEFAULT_CHAIN: &str = "eip155:1";

/// Universal Resolver, whose address ENS keeps across upgrades.
const DEFAULT_RESOLVER: &str = "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe";

/// Resolver of ENS names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ens {
    /// Chain of the registry.
    pub chain: ChainId,
    /// Universal Resolver on that chain.
    pub resolver: Address,
}

impl Read<'_> {
    /// `None` if the chain is not served, which is a mistake only if the configuration names it.
    pub(super) fn ens(&mut self, chains: &[Chain]) -> Option<Ens> {
        let (text, place) = self.text_or("names.ens_chain", DEFAULT_CHAIN);
        let named = !matches!(place, SettingSource::Default(_));
        let chain = text.parse::<ChainId>().map_err(|_| {
            format!("use the CAIP-2 id of a chain, such as eip155:1, not `{text}`{}", super::meant(&text))
        });
        let chain = chain.and_then(|chain| {
            let served = chains.iter().any(|served| served.id == chain);
            if served || !named || !self.chains_read {
                Ok(served.then_some(chain))
            } else {
                Err(format!("add the chain {chain} of names to `[[chains]]`"))
            }
        });
        let chain = self.keep(place, chain);
        let (text, place) = self.text_or("names.universal_resolver", DEFAULT_RESOLVER);
        let resolver = text.parse().map_err(|_| format!("use the address of a contract, not `{text}`"));
        let resolver = self.keep(place, resolver);
        Some(Ens { chain: chain??, resolver: resolver? })
    }
}
