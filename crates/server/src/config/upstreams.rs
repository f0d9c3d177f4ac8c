//! Upstreams of a chain, and default settings of known chains.

use super::file::Read;
use super::{Mistake, SettingSource, Upstream};
use portico_terms::{ChainId, Namespace};
use reqwest::Url;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;
use std::time::Duration;
use toml::Spanned;

/// Maximum number of upstreams per chain, because a set of them is stored in 64 bits.
const MOST_UPSTREAMS: usize = 64;

/// Upstream as written in the file: a URL, or a table with more settings.
pub(super) struct WrittenUpstream {
    url: String,
    more: More,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct More {
    url: Option<String>,
    ws_url: Option<Spanned<String>>,
    #[serde(default)]
    tier: u8,
    rps: Option<Spanned<u32>>,
    #[serde(default)]
    methods: Vec<Spanned<String>>,
    #[serde(default)]
    archive: bool,
    max_block_range: Option<Spanned<u64>>,
}

impl<'de> Deserialize<'de> for WrittenUpstream {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WrittenUpstream, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = WrittenUpstream;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a URL or a table with a `url`")
            }

            fn visit_str<E: serde::de::Error>(self, url: &str) -> Result<WrittenUpstream, E> {
                Ok(WrittenUpstream { url: url.into(), more: More::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WrittenUpstream, A::Error> {
                let mut more = More::deserialize(MapAccessDeserializer::new(map))?;
                let url = more.url.take().ok_or_else(|| serde::de::Error::missing_field("url"))?;
                Ok(WrittenUpstream { url, more })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl Read<'_> {
    pub(super) fn upstreams(&mut self, chain: &str, written: Spanned<Vec<Spanned<WrittenUpstream>>>) -> Vec<Upstream> {
        let wrong = match written.get_ref().len() {
            0 => Some(format!("add an upstream to the chain {chain}")),
            1..=MOST_UPSTREAMS => None,
            _ => Some(format!("keep at most {MOST_UPSTREAMS} upstreams of the chain {chain}")),
        };
        if let Some(sentence) = wrong {
            self.mistakes.push(Mistake::new(self.line(written.span()), sentence));
        }
        written.into_inner().into_iter().filter_map(|upstream| self.upstream(upstream)).collect()
    }

    fn upstream(&mut self, written: Spanned<WrittenUpstream>) -> Option<Upstream> {
        let place = self.line(written.span());
        let WrittenUpstream { url, more } = written.into_inner();
        let url = self.node_url(place, "upstream", &url, ["http", "https"]);
        let ws_url = more.ws_url.and_then(|text| {
            let place = self.line(text.span());
            self.node_url(place, "ws_url", text.get_ref(), ["ws", "wss"])
        });
        let rps = more.rps.and_then(|rps| {
            let place = self.line(rps.span());
            let rps = rps.into_inner();
            self.keep(place, if rps > 0 { Ok(rps) } else { Err("use at least 1 request a second as `rps`".into()) })
        });
        let methods = self.methods(more.methods);
        let max_block_range = self.blocks("max_block_range", more.max_block_range);
        Some(Upstream { url: url?, ws_url, tier: more.tier, rps, methods, archive: more.archive, max_block_range })
    }

    fn node_url(&mut self, place: SettingSource, what: &str, text: &str, schemes: [&str; 2]) -> Option<Url> {
        let parsed = match Url::parse(text) {
            Ok(url) if schemes.contains(&url.scheme()) => Ok(url),
            _ => Err(format!(
                "use a URL that starts with {}:// or {}:// as {what}, not `{text}`",
                schemes[0], schemes[1]
            )),
        };
        self.keep(place, parsed)
    }

    /// Checks a number of blocks, at least 1.
    pub(super) fn blocks(&mut self, name: &str, written: Option<Spanned<u64>>) -> Option<u64> {
        let written = written?;
        let place = self.line(written.span());
        let blocks = written.into_inner();
        self.keep(place, if blocks > 0 { Ok(blocks) } else { Err(format!("use at least 1 block as `{name}`")) })
    }

    pub(super) fn block_time(&mut self, millis: &Spanned<u64>) -> Option<Duration> {
        let place = self.line(millis.span());
        let checked = match *millis.get_ref() {
            millis @ 1..=3_600_000 => Ok(Duration::from_millis(millis)),
            _ => Err("use 1 to 3600000 milliseconds as `block_time_ms`".to_owned()),
        };
        self.keep(place, checked)
    }
}

/// Default settings of a chain.
pub(super) struct ChainDefaults {
    pub(super) block_time: Option<Duration>,
    pub(super) finality_depth: u64,
    pub(super) cache: bool,
}

impl ChainDefaults {
    pub(super) fn of(id: &ChainId) -> ChainDefaults {
        let (millis, finality_depth, cache) = match (id.namespace(), id.reference()) {
            // Two epochs to finality, and one as a margin.
            (Namespace::Eip155, "1" | "11155111" | "17000" | "560048") => (Some(12_000), 96, true),
            (Namespace::Eip155, "100") => (Some(5_000), 96, true),
            (Namespace::Eip155, "10" | "8453" | "137" | "43114" | "59144") => (Some(2_000), 256, true),
            (Namespace::Eip155, "324" | "534352") => (Some(1_000), 256, true),
            (Namespace::Eip155, "56") => (Some(750), 256, true),
            (Namespace::Eip155, "42161") => (Some(250), 256, true),
            // A development chain restarts, so even final blocks change.
            (Namespace::Eip155, "1337" | "31337") => (None, 256, false),
            (Namespace::Solana, _) => (Some(400), 32, true),
            (Namespace::Bip122, "0f9188f13cb7b2c71f2a335e3a4fc328") => (None, 6, false),
            (Namespace::Bip122, _) => (Some(600_000), 6, true),
            _ => (None, 256, true),
        };
        ChainDefaults { block_time: millis.map(Duration::from_millis), finality_depth, cache }
    }
}
