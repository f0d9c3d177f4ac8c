//! `[sources]`: upstreams for balances, history, NFTs and prices.

use super::file::{Read, text_of};
use super::tokens::Token;
use crate::money::PriceTable;
use portico_terms::Currency;
use reqwest::Url;
use std::fmt;

pub(super) const SETTINGS: &[&str] = &[
    "sources.balances",
    "sources.history",
    "sources.nfts",
    "sources.prices",
    "sources.price_file",
    "sources.exchange_url",
    "sources.defillama_url",
    "sources.coingecko_key",
    "sources.coingecko_key_file",
    "sources.coingecko_url",
    "sources.zerion_key",
    "sources.zerion_key_file",
    "sources.zerion_url",
    "sources.alchemy_key",
    "sources.alchemy_key_file",
    "sources.alchemy_url",
    "sources.etherscan_key",
    "sources.etherscan_key_file",
    "sources.etherscan_url",
    "sources.goldrush_key",
    "sources.goldrush_key_file",
    "sources.goldrush_url",
    "sources.helius_key",
    "sources.helius_key_file",
    "sources.helius_url",
];

/// Upstreams for account data and prices.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Vendors queried for balances, in this order.
    pub balances: Vec<Vendor>,
    /// Vendors queried for history, in this order.
    pub history: Vec<Vendor>,
    /// Vendors queried for NFTs, in this order.
    pub nfts: Vec<Vendor>,
    /// Source of token prices.
    pub prices: PriceSource,
    /// Exchange rates of the European Central Bank.
    pub exchange_url: Option<Url>,
    /// Access to <https://www.zerion.io>.
    pub zerion: Option<Keyed>,
    /// Access to <https://www.alchemy.com>.
    pub alchemy: Option<Keyed>,
    /// Access to <https://etherscan.io>.
    pub etherscan: Option<Keyed>,
    /// Access to <https://goldrush.dev>.
    pub goldrush: Option<Keyed>,
    /// Access to <https://www.helius.dev>.
    pub helius: Option<Keyed>,
}

/// Vendor of account data.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Vendor {
    /// Nodes of the chain.
    Rpc,
    /// Explorer of the chain.
    Explorer,
    /// Needs a key.
    Zerion,
    /// Needs a key.
    Alchemy,
    /// Needs a key.
    Etherscan,
    /// Needs a key.
    GoldRush,
    /// Needs a key.
    Helius,
}

/// Source of token prices.
#[derive(Clone, Debug)]
pub enum PriceSource {
    /// No prices.
    None,
    /// File of the operator.
    File(PriceTable),
    /// <https://defillama.com>, without a key.
    DefiLlama(Url),
    /// <https://www.coingecko.com>, with a key or without.
    CoinGecko {
        url: Url,
        /// Key of a demo account, or of a paid one if the host begins with `pro-`.
        key: Option<Secret>,
    },
}

/// API address with its key.
#[derive(Clone, Debug)]
pub struct Keyed {
    /// API address without a path.
    pub url: Url,
    pub key: Secret,
}

/// Text that never appears in logs.
#[derive(Clone, Eq, PartialEq)]
pub struct Secret(String);

impl Secret {
    pub(crate) fn new(text: String) -> Secret {
        Secret(text)
    }

    /// Plain text of the secret.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// Coin, tokens and lookup services of a chain.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Assets {
    /// Native coin.
    pub coin: Currency,
    /// Address of Multicall3, which calls many contracts at once.
    pub multicall: String,
    /// Tokens whose balances are queried.
    pub tokens: Vec<Token>,
    /// Explorer with Blockscout's API.
    pub explorer: Option<Url>,
}

/// Address of Multicall3 on every chain that has it (<https://www.multicall3.com>).
pub(super) const MULTICALL3: &str = "0xcA11bde05977b3631167028862bE2a173976CA11";

const EXCHANGE: &str = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";

const BALANCES: &[Vendor] = &[Vendor::Zerion, Vendor::Alchemy, Vendor::GoldRush, Vendor::Helius, Vendor::Rpc];
/// History vendors, the most complete first: Alchemy reports neither approvals nor failed transactions, the nodes of an EVM chain no
/// payments.
const HISTORY: &[Vendor] = &[
    Vendor::Zerion,
    Vendor::Etherscan,
    Vendor::GoldRush,
    Vendor::Helius,
    Vendor::Explorer,
    Vendor::Alchemy,
    Vendor::Rpc,
];
const NFTS: &[Vendor] = &[Vendor::Alchemy, Vendor::Helius, Vendor::Explorer];

impl Vendor {
    /// Id in the configuration and in API responses.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Vendor::Rpc => "rpc",
            Vendor::Explorer => "explorer",
            Vendor::Zerion => "zerion",
            Vendor::Alchemy => "alchemy",
            Vendor::Etherscan => "etherscan",
            Vendor::GoldRush => "goldrush",
            Vendor::Helius => "helius",
        }
    }

    /// Whether it is asked with a key of the operator.
    pub(crate) fn is_keyed(self) -> bool {
        !matches!(self, Vendor::Rpc | Vendor::Explorer)
    }
}

impl Sources {
    fn has(&self, vendor: Vendor) -> bool {
        match vendor {
            Vendor::Rpc | Vendor::Explorer => true,
            Vendor::Zerion => self.zerion.is_some(),
            Vendor::Alchemy => self.alchemy.is_some(),
            Vendor::Etherscan => self.etherscan.is_some(),
            Vendor::GoldRush => self.goldrush.is_some(),
            Vendor::Helius => self.helius.is_some(),
        }
    }

    /// API addresses of the configured vendors; those of the chains' explorers are not included.
    pub(crate) fn urls(&self) -> Vec<&Url> {
        let keyed = [&self.zerion, &self.alchemy, &self.etherscan, &self.goldrush, &self.helius];
        keyed.into_iter().flatten().map(|keyed| &keyed.url).collect()
    }
}

impl Read<'_> {
    pub(super) fn sources(&mut self) -> Sources {
        let mut sources = Sources {
            balances: Vec::new(),
            history: Vec::new(),
            nfts: Vec::new(),
            prices: self.prices().unwrap_or(PriceSource::None),
            exchange_url: self.url("sources.exchange_url", EXCHANGE),
            zerion: self.keyed(
                "sources.zerion_key",
                "sources.zerion_key_file",
                "sources.zerion_url",
                "https://api.zerion.io",
            ),
            alchemy: self.keyed(
                "sources.alchemy_key",
                "sources.alchemy_key_file",
                "sources.alchemy_url",
                "https://api.g.alchemy.com",
            ),
            etherscan: self.keyed(
                "sources.etherscan_key",
                "sources.etherscan_key_file",
                "sources.etherscan_url",
                "https://api.etherscan.io",
            ),
            goldrush: self.keyed(
                "sources.goldrush_key",
                "sources.goldrush_key_file",
                "sources.goldrush_url",
                "https://api.covalenthq.com",
            ),
            helius: self.keyed(
                "sources.helius_key",
                "sources.helius_key_file",
                "sources.helius_url",
                "https://mainnet.helius-rpc.com",
            ),
        };
        sources.balances = self.vendors("sources.balances", BALANCES, &sources);
        sources.history = self.vendors("sources.history", HISTORY, &sources);
        sources.nfts = self.vendors("sources.nfts", NFTS, &sources);
        sources
    }

    /// Vendors that the setting names, or else all that are configured.
    fn vendors(&mut self, name: &'static str, able: &[Vendor], sources: &Sources) -> Vec<Vendor> {
        let Some((words, place)) = self.texts(name) else {
            return able.iter().copied().filter(|vendor| sources.has(*vendor)).collect();
        };
        let mut vendors = Vec::new();
        for word in words {
            let found = able.iter().copied().find(|vendor| vendor.word() == word);
            let checked = match found {
                None => {
                    let words: Vec<&str> = able.iter().map(|vendor| vendor.word()).collect();
                    Err(format!("use a list of {} as `{name}`, not `{word}`", words.join(", ")))
                }
                Some(vendor) if !sources.has(vendor) => {
                    Err(format!("`{name}` names {word}, which needs `sources.{word}_key`"))
                }
                Some(vendor) => Ok(vendor),
            };
            vendors.extend(self.keep(place.clone(), checked));
        }
        vendors
    }

    fn prices(&mut self) -> Option<PriceSource> {
        let file = self.text("sources.price_file");
        let defillama = self.url("sources.defillama_url", "https://coins.llama.fi")?;
        let coingecko = self.url("sources.coingecko_url", "https://api.coingecko.com")?;
        let key = self.key("sources.coingecko_key", "sources.coingecko_key_file");
        let default = match (&file, &key) {
            (Some(_), _) => "file",
            (None, Some(_)) => "coingecko",
            (None, None) => "defillama",
        };
        let (word, place) = self.text_or("sources.prices", default);
        let source = match (word.as_str(), file) {
            ("none", _) => Ok(PriceSource::None),
            ("defillama", _) => Ok(PriceSource::DefiLlama(defillama)),
            ("coingecko", _) => Ok(PriceSource::CoinGecko { url: coingecko, key }),
            ("file", Some((path, place))) => {
                let table = text_of(&path, "sources.price_file")
                    .and_then(|text| PriceTable::parse(&text).map_err(|fault| format!("{path} {fault}")));
                return self.keep(place, table.map(PriceSource::File));
            }
            ("file", None) => Err("name the file of `sources.prices` with `sources.price_file`".to_owned()),
            _ => Err(format!("use defillama, coingecko, file or none as `sources.prices`, not `{word}`")),
        };
        self.keep(place, source)
    }

    pub(super) fn keyed(
        &mut self,
        name: &'static str,
        file: &'static str,
        url: &'static str,
        default: &str,
    ) -> Option<Keyed> {
        let url = self.url(url, default)?;
        Some(Keyed { url, key: self.key(name, file)? })
    }

    /// Reads an optional key.
    pub(super) fn key(&mut self, name: &'static str, file: &'static str) -> Option<Secret> {
        let (text, place) = self.secret_at(name, file)?;
        let usable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        // The error must not repeat the key.
        let wrong = || format!("`{name}` is empty or has characters that aren't allowed");
        self.keep(place, usable.then_some(Secret(text)).ok_or_else(wrong))
    }

    /// Reads an http or https address.
    pub(super) fn url(&mut self, name: &'static str, default: &str) -> Option<Url> {
        let (text, place) = self.text_or(name, default);
        let parsed = http_url(&text).ok_or_else(|| format!("use an http or https URL as `{name}`"));
        self.keep(place, parsed)
    }
}

/// Parses an http or https URL without user, query and fragment.
pub(super) fn http_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let plain =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    (matches!(url.scheme(), "http" | "https") && url.has_host() && plain).then_some(url)
}
