//! Where balances, history, collections and prices come from.

use super::file::Read;
use super::tokens::Token;
use super::{Mistake, SettingSource};
use crate::price::PriceTable;
use portico_terms::Currency;
use reqwest::Url;
use std::fmt;
use std::path::Path;

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

/// What answers for an account beside the chain itself.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Who is asked for balances, in this order.
    pub balances: Vec<Vendor>,
    /// Who is asked for history.
    pub history: Vec<Vendor>,
    /// Who is asked for tokens by piece.
    pub nfts: Vec<Vendor>,
    /// Who knows what a token is worth.
    pub prices: PriceSource,
    /// The rates of the European Central Bank.
    pub exchange_url: Option<Url>,
    /// <https://www.zerion.io>
    pub zerion: Option<Keyed>,
    /// <https://www.alchemy.com>
    pub alchemy: Option<Keyed>,
    /// <https://etherscan.io>
    pub etherscan: Option<Keyed>,
    /// <https://goldrush.dev>
    pub goldrush: Option<Keyed>,
    /// <https://www.helius.dev>
    pub helius: Option<Keyed>,
}

/// Who may be asked about an account.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Vendor {
    /// The nodes of the chain.
    Rpc,
    /// The chain's explorer.
    Explorer,
    /// With a key.
    Zerion,
    /// With a key.
    Alchemy,
    /// With a key.
    Etherscan,
    /// With a key.
    GoldRush,
    /// With a key.
    Helius,
}

/// Who knows what a token is worth.
#[derive(Clone, Debug)]
pub enum PriceSource {
    /// Nobody.
    None,
    /// A file of the operator.
    File(PriceTable),
    /// <https://defillama.com>, without a key.
    DefiLlama(Url),
    /// <https://www.coingecko.com>, with a key or without.
    CoinGecko {
        /// Its address.
        url: Url,
        /// Of a demo account, or of a paid one where the address begins with `pro-`.
        key: Option<Secret>,
    },
}

/// An address and the key that opens it.
#[derive(Clone, Debug)]
pub struct Keyed {
    /// Without a path.
    pub url: Url,
    /// What it asks for.
    pub key: Secret,
}

/// A text that never gets into a log.
#[derive(Clone, Eq, PartialEq)]
pub struct Secret(String);

impl Secret {
    /// The text, for the one who asks for it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// What is known of a chain beside its nodes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Assets {
    /// Its own coin.
    pub coin: Currency,
    /// Multicall3, which asks many contracts at once.
    pub multicall: String,
    /// What an account may hold.
    pub tokens: Vec<Token>,
    /// An explorer that speaks as Blockscout does.
    pub explorer: Option<Url>,
}

/// The same on every chain that has it (<https://www.multicall3.com>).
pub(super) const MULTICALL3: &str = "0xcA11bde05977b3631167028862bE2a173976CA11";

const EXCHANGE: &str = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";

const BALANCES: &[Vendor] = &[Vendor::Zerion, Vendor::Alchemy, Vendor::GoldRush, Vendor::Helius, Vendor::Rpc];
/// Those that tell more come first: Alchemy tells neither permissions nor what failed, the nodes of an EVM chain no payments.
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
    /// What a configuration and an answer call it.
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

    /// The addresses that will be asked, whatever the chains are.
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

    /// Those that are named, or all that can be asked.
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
                    Err(format!("`{name}` cannot be `{word}`; it is a list of {}", words.join(", ")))
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
        let key = self.secret("sources.coingecko_key", "sources.coingecko_key_file").map(Secret);
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
            ("file", Some((path, _))) => PriceTable::read(Path::new(&path)).map(PriceSource::File),
            ("file", None) => Err("`sources.prices` is a file; name it with `sources.price_file`".to_owned()),
            _ => Err(format!("`sources.prices` is defillama, coingecko, file or none, not `{word}`")),
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

    /// A key, where one is given.
    pub(super) fn key(&mut self, name: &'static str, file: &'static str) -> Option<Secret> {
        let key = Secret(self.secret(name, file)?);
        if key.reveal().is_empty() || !key.reveal().bytes().all(|byte| byte.is_ascii_graphic()) {
            let sentence = format!("the key `{name}` is empty or holds characters that no key has");
            self.mistakes.push(Mistake::new(SettingSource::Default(name), sentence));
            return None;
        }
        Some(key)
    }

    /// An http or https address.
    pub(super) fn url(&mut self, name: &'static str, default: &str) -> Option<Url> {
        let (text, place) = self.text_or(name, default);
        let parsed = http_url(&text).ok_or_else(|| format!("`{name}` is not an http or https URL"));
        self.keep(place, parsed)
    }
}

/// An address of a server, without user, query and fragment.
pub(super) fn http_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let plain =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    (matches!(url.scheme(), "http" | "https") && url.has_host() && plain).then_some(url)
}
