//! `[swap]`: the swap providers, and the exchange contracts on chains without built-in ones.

use super::Chain;
use super::file::Read;
use super::sources::{Keyed, Secret};
use alloy_primitives::Address;
use portico_terms::{ChainId, Namespace};
use reqwest::Url;
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use toml::Spanned;

pub(super) const SETTINGS: &[&str] = &[
    "swap.providers",
    "swap.lifi_key",
    "swap.lifi_key_file",
    "swap.lifi_url",
    "swap.zerox_key",
    "swap.zerox_key_file",
    "swap.zerox_url",
    "swap.oneinch_key",
    "swap.oneinch_key_file",
    "swap.oneinch_url",
];

/// Maximum number of intermediate tokens; more would need more pools than one call can query.
const MOST_BASES: usize = 4;

/// Fee tiers of Uniswap V3, in millionths; no pools with other fees exist.
pub(crate) const FEE_TIERS: [u32; 4] = [100, 500, 3_000, 10_000];

/// Settings of swaps.
#[derive(Clone, Debug, Default)]
pub struct Swap {
    /// Providers to query, the preferred one first.
    pub providers: Vec<SwapProvider>,
    /// Exchanges of `[swap.onchain]`, which override the built-in ones.
    pub exchanges: HashMap<ChainId, Exchange>,
    /// API address of <https://li.fi>.
    pub lifi: Option<Url>,
    /// Optional key for LI.FI.
    pub lifi_key: Option<Secret>,
    /// Access to <https://0x.org>.
    pub zerox: Option<Keyed>,
    /// Access to <https://1inch.com>.
    pub oneinch: Option<Keyed>,
}

/// Swap provider.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SwapProvider {
    /// Exchanges on the chain itself, queried through its nodes.
    Onchain,
    /// Needs no key, but receives the visitor's address.
    Lifi,
    /// Needs a key.
    Zerox,
    /// Needs a key.
    Oneinch,
}

/// Contracts of a Uniswap-like exchange.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Exchange {
    /// Display name of its pools.
    pub name: String,
    /// Wrapped native coin.
    pub wrapped: Address,
    /// Address of UniswapV2Router02, if the exchange has V2 pools.
    pub v2_router: Option<Address>,
    /// Contracts for V3 pools, if the exchange has any.
    pub v3: Option<V3>,
    /// Intermediate tokens of routes.
    pub bases: Vec<Address>,
    /// Fees of the V3 pools, in millionths.
    pub fee_tiers: Vec<u32>,
}

/// Contracts of Uniswap V3.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct V3 {
    /// Address of QuoterV2.
    pub quoter: Address,
    /// Address of SwapRouter02.
    pub router: Address,
}

/// Tables of `[swap]` as written in the file.
#[derive(Default, Deserialize)]
pub(super) struct WrittenSwap {
    #[serde(default)]
    onchain: HashMap<String, Spanned<WrittenExchange>>,
}

/// Exchange as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenExchange {
    #[serde(default)]
    name: Option<String>,
    wrapped: Spanned<String>,
    v2_router: Option<Spanned<String>>,
    v3_quoter: Option<Spanned<String>>,
    v3_router: Option<Spanned<String>>,
    #[serde(default)]
    bases: Vec<Spanned<String>>,
    fee_tiers: Option<Vec<u32>>,
}

impl SwapProvider {
    const ALL: [SwapProvider; 4] =
        [SwapProvider::Onchain, SwapProvider::Lifi, SwapProvider::Zerox, SwapProvider::Oneinch];

    /// Id in the configuration and in API responses.
    pub(crate) fn word(self) -> &'static str {
        match self {
            SwapProvider::Onchain => "onchain",
            SwapProvider::Lifi => "lifi",
            SwapProvider::Zerox => "zerox",
            SwapProvider::Oneinch => "oneinch",
        }
    }
}

impl Swap {
    fn has(&self, provider: SwapProvider) -> bool {
        match provider {
            SwapProvider::Onchain => true,
            SwapProvider::Lifi => self.lifi.is_some(),
            SwapProvider::Zerox => self.zerox.is_some(),
            SwapProvider::Oneinch => self.oneinch.is_some(),
        }
    }

    /// API addresses of the providers.
    pub(crate) fn urls(&self) -> impl Iterator<Item = &Url> {
        self.providers.iter().filter_map(|provider| match provider {
            SwapProvider::Onchain => None,
            SwapProvider::Lifi => self.lifi.as_ref(),
            SwapProvider::Zerox => self.zerox.as_ref().map(|keyed| &keyed.url),
            SwapProvider::Oneinch => self.oneinch.as_ref().map(|keyed| &keyed.url),
        })
    }
}

impl Read<'_> {
    pub(super) fn swap(&mut self, chains: &[Chain]) -> Swap {
        let lifi = self.url("swap.lifi_url", "https://li.quest");
        let lifi_key = self.key("swap.lifi_key", "swap.lifi_key_file");
        let zerox = self.keyed("swap.zerox_key", "swap.zerox_key_file", "swap.zerox_url", "https://api.0x.org");
        let oneinch =
            self.keyed("swap.oneinch_key", "swap.oneinch_key_file", "swap.oneinch_url", "https://api.1inch.com");
        let exchanges = self.exchanges(chains);
        let mut swap = Swap { providers: Vec::new(), exchanges, lifi, lifi_key, zerox, oneinch };
        swap.providers = self.swap_providers(&swap);
        swap
    }

    /// Providers that the setting names; else the chain itself and every provider with a key. LI.FI, which needs no key, must be named,
    /// because it receives visitors' addresses.
    fn swap_providers(&mut self, swap: &Swap) -> Vec<SwapProvider> {
        let Some((words, place)) = self.texts("swap.providers") else {
            let asked = |provider: &SwapProvider| *provider != SwapProvider::Lifi && swap.has(*provider);
            return SwapProvider::ALL.into_iter().filter(asked).collect();
        };
        let mut providers = Vec::new();
        for word in words.iter().filter(|word| !word.is_empty()) {
            let checked = match SwapProvider::ALL.into_iter().find(|provider| provider.word() == word) {
                None => {
                    Err(format!("use a list of onchain, lifi, zerox and oneinch as `swap.providers`, not `{word}`"))
                }
                Some(provider) if !swap.has(provider) => {
                    Err(format!("`swap.providers` names {word}, which needs `swap.{word}_key`"))
                }
                Some(provider) if providers.contains(&provider) => Err(format!("`swap.providers` names {word} twice")),
                Some(provider) => Ok(provider),
            };
            providers.extend(self.keep(place.clone(), checked));
        }
        providers
    }

    fn exchanges(&mut self, chains: &[Chain]) -> HashMap<ChainId, Exchange> {
        let mut exchanges = HashMap::new();
        for (text, written) in std::mem::take(&mut self.swap.onchain) {
            let mut place = self.line(written.span());
            let id = text.parse::<ChainId>().ok().filter(|id| id.namespace() == Namespace::Eip155);
            let checked = match id {
                None => Err(format!("use the CAIP-2 id of an EVM chain, such as eip155:1, not `{text}`")),
                Some(id) if self.chains_read && !chains.iter().any(|chain| chain.id == id) => {
                    Err(format!("add the chain {id} of `swap.onchain` to `[[chains]]`"))
                }
                Some(id) => written.into_inner().read().map(|exchange| (id, exchange)).map_err(|(span, sentence)| {
                    if let Some(span) = span {
                        place = self.line(span);
                    }
                    sentence
                }),
            };
            exchanges.extend(self.keep(place, checked));
        }
        exchanges
    }
}

impl WrittenExchange {
    /// An error has the place of a setting, or none for that of the table.
    fn read(self) -> Result<Exchange, (Option<Range<usize>>, String)> {
        let address = |name: &str, text: Spanned<String>| {
            let parsed = text.get_ref().parse::<Address>().ok().filter(|address| !address.is_zero());
            let wrong = || format!("use the address of a contract as `{name}`, not `{}`", text.get_ref());
            parsed.ok_or_else(|| (Some(text.span()), wrong()))
        };
        let v3 = match (self.v3_quoter, self.v3_router) {
            (Some(quoter), Some(router)) => {
                Some(V3 { quoter: address("v3_quoter", quoter)?, router: address("v3_router", router)? })
            }
            (None, None) => None,
            _ => return Err((None, "set both `v3_quoter` and `v3_router`, or neither".into())),
        };
        let v2_router = self.v2_router.map(|text| address("v2_router", text)).transpose()?;
        if v2_router.is_none() && v3.is_none() {
            return Err((None, "set a `v2_router`, or a `v3_quoter` and a `v3_router`, for each exchange".into()));
        }
        if self.bases.len() > MOST_BASES {
            return Err((None, format!("use at most {MOST_BASES} `bases` for an exchange")));
        }
        let fee_tiers = self.fee_tiers.unwrap_or_else(|| FEE_TIERS.to_vec());
        if fee_tiers.len() > FEE_TIERS.len() {
            return Err((None, "use at most four `fee_tiers`".into()));
        }
        if let Some(fee) = fee_tiers.iter().find(|fee| !(1..1_000_000).contains(*fee)) {
            return Err((None, format!("use millionths from 1 to 999999 as `fee_tiers`, not `{fee}`")));
        }
        let name = self.name.unwrap_or_else(|| "Uniswap".into());
        if !(1..=32).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            return Err((None, "use at most 32 letters as `name` of an exchange".into()));
        }
        let bases = self.bases.into_iter().map(|text| address("bases", text)).collect::<Result<_, _>>()?;
        Ok(Exchange { name, wrapped: address("wrapped", self.wrapped)?, v2_router, v3, bases, fee_tiers })
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    #[test]
    fn a_wrong_value_of_an_exchange_is_told_at_its_line() {
        let wrapped = format!("0x{}", "1".repeat(40));
        let told = |lines: &str| {
            let toml = format!(
                "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"https://node.example\"]\n\
                 [swap.onchain.\"eip155:1\"]\nwrapped = {wrapped:?}\n{lines}"
            );
            Config::parse(Path::new("a"), &toml, [], &Flags::default()).unwrap_err()[0].to_string()
        };
        let sentence = "use the address of a contract as";
        assert_eq!(told("\nv2_router = \"x\"\n"), format!("a, line 7: {sentence} `v2_router`, not `x`."));
        let bases = format!("v2_router = {wrapped:?}\nbases = [\n  {wrapped:?},\n  \"y\",\n]\n");
        assert_eq!(told(&bases), format!("a, line 9: {sentence} `bases`, not `y`."));
        assert!(told("v3_quoter = \"x\"\n").starts_with("a, line 4: set both "));
        let fees = told(&format!("v2_router = {wrapped:?}\nfee_tiers = [500, 1_000_000]\n"));
        assert_eq!(fees, "a, line 4: use millionths from 1 to 999999 as `fee_tiers`, not `1000000`.");
    }
}
