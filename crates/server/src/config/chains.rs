//! `[[chains]]`: the chains of a configuration.

mod reference;

use super::file::{Lists, Read};
use super::sources::{MULTICALL3, http_url};
use super::upstreams::{ChainDefaults, WrittenUpstream};
use super::{Assets, Chain, Method, Mistake, SettingSource, tokens};
use crate::near::nearest;
use portico_terms::address::ChecksumError;
use portico_terms::{ChainId, Currency, Namespace, address};
pub(crate) use reference::checked;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use toml::Spanned;

/// Chains with the public nodes that the widget uses without a server, in the form of a configuration.
const PUBLIC: &str = include_str!("../../chains/public.toml");

/// Chain as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenChain {
    id: Spanned<String>,
    #[serde(default)]
    name: Option<String>,
    upstreams: Spanned<Vec<Spanned<WrittenUpstream>>>,
    #[serde(default)]
    methods: Vec<Spanned<String>>,
    block_time_ms: Option<Spanned<u64>>,
    finality_depth: Option<u64>,
    cache: Option<bool>,
    max_block_range: Option<Spanned<u64>>,
    max_logs_range: Option<Spanned<u64>>,
    #[serde(default)]
    coin: Option<WrittenCoin>,
    #[serde(default)]
    multicall: Option<Spanned<String>>,
    #[serde(default)]
    tokens: Option<Spanned<String>>,
    #[serde(default)]
    explorer: Option<Spanned<String>>,
}

/// Native coin of a chain as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCoin {
    name: String,
    symbol: String,
    decimals: u8,
}

/// Asset settings of a chain as written in the file.
struct WrittenAssets {
    coin: Option<WrittenCoin>,
    multicall: Option<Spanned<String>>,
    tokens: Option<Spanned<String>>,
    explorer: Option<Spanned<String>>,
}

/// Sentence to append where a text is no CAIP-2 id, but the name or the number of a chain: ". Did you mean eip155:1 (Ethereum)?"
pub(crate) fn meant(text: &str) -> String {
    if text.parse::<ChainId>().is_ok() {
        return String::new();
    }
    let known = toml::from_str::<Lists>(PUBLIC).map(|lists| lists.chains).unwrap_or_default();
    let names: Vec<(&str, &str)> =
        known.iter().map(|chain| (chain.name.as_deref().unwrap_or_default(), chain.id.get_ref().as_str())).collect();
    let by_id = |id: &str| names.iter().find(|(_, other)| *other == id).copied();
    let by_name = || {
        let name = nearest(text, names.iter().map(|(name, _)| *name))?;
        names.iter().find(|(other, _)| *other == name).copied()
    };
    let number = text.rsplit(':').next().and_then(|number| number.parse::<u64>().ok());
    let found = match number {
        Some(number) => by_id(&format!("eip155:{number}")),
        None => by_name().or_else(|| by_id(nearest(text, names.iter().map(|(_, id)| *id))?)),
    };
    found.map_or_else(String::new, |(name, id)| format!(". Did you mean {id} ({name})?"))
}

impl Read<'_> {
    pub(super) fn chains(&mut self) -> Vec<Chain> {
        let mut lines: HashMap<ChainId, SettingSource> = HashMap::new();
        let mut chains = Vec::new();
        let mut all = std::mem::take(&mut self.chains);
        let public = toml::from_str::<Lists>(PUBLIC).map(|lists| lists.chains).unwrap_or_default();
        for chain in &mut all {
            let known = public.iter().find(|known| known.id.get_ref() == chain.id.get_ref());
            chain.name = chain.name.take().or_else(|| known?.name.clone());
        }
        if self.switch("public_nodes", false) == Some(true) {
            let own: Vec<String> = all.iter().map(|chain| chain.id.get_ref().clone()).collect();
            all.extend(public.into_iter().filter(|chain| !own.contains(chain.id.get_ref())));
        }
        for written in all {
            let place = self.line(written.id.span());
            let text = written.id.into_inner();
            let id = text
                .parse::<ChainId>()
                .map_err(|_| format!("use the CAIP-2 id of a chain, such as eip155:1, not `{text}`{}", meant(&text)))
                .and_then(checked);
            let id = self.keep(place.clone(), id);
            let mut upstreams = self.upstreams(&text, written.upstreams);
            let max_block_range = self.blocks("max_block_range", written.max_block_range);
            for upstream in &mut upstreams {
                upstream.max_block_range = upstream.max_block_range.or(max_block_range);
            }
            let max_logs_range = self.blocks("max_logs_range", written.max_logs_range);
            let methods = self.methods(written.methods);
            let block_time = written.block_time_ms.and_then(|millis| self.block_time(&millis));
            let Some(id) = id else { continue };
            let subscribes = matches!(id.namespace(), Namespace::Eip155 | Namespace::Solana);
            if !subscribes && upstreams.iter_mut().filter_map(|upstream| upstream.ws_url.take()).count() > 0 {
                let told = format!("`ws_url` is for EVM chains and Solana alone, so remove it from {id}");
                self.warnings.push(Mistake::new(place.clone(), told));
            }
            if id.namespace() != Namespace::Eip155 {
                let given = [
                    ("max_block_range", upstreams.iter().any(|upstream| upstream.max_block_range.is_some())),
                    ("max_logs_range", max_logs_range.is_some()),
                ];
                for (name, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
                    let told = format!("`{name}` is for EVM chains alone, so remove it from {id}");
                    self.warnings.push(Mistake::new(place.clone(), told));
                }
            }
            if id.namespace() == Namespace::Bip122 && !methods.is_empty() {
                let told = format!("nodes of {id} have no further methods, so remove `methods` of this chain");
                self.warnings.push(Mistake::new(place.clone(), told));
            }
            let WrittenChain { name, coin, multicall, tokens, explorer, .. } = written;
            let assets = self.assets(&id, WrittenAssets { coin, multicall, tokens, explorer });
            if let Some(first) = lines.get(&id) {
                let sentence = format!("the chain {id} is listed twice, first at {first}");
                self.mistakes.push(Mistake::new(place, sentence));
                continue;
            }
            lines.insert(id.clone(), place);
            let usual = ChainDefaults::of(&id);
            chains.push(Chain {
                id,
                name,
                upstreams,
                methods,
                assets,
                block_time: block_time.or(usual.block_time),
                finality_depth: written.finality_depth.unwrap_or(usual.finality_depth),
                cache: written.cache.unwrap_or(usual.cache),
                max_logs_range,
            });
        }
        chains
    }

    fn assets(&mut self, chain: &ChainId, written: WrittenAssets) -> Assets {
        let multicall = written.multicall.and_then(|text| {
            let place = self.line(text.span());
            let text = text.into_inner();
            let checked = address::with_checksum(&text).map_err(|error| match error {
                ChecksumError::Mismatch => {
                    format!("the checksum of the address `{text}` of multicall doesn't match. Paste the address again.")
                }
                ChecksumError::Shape => format!("use an address as multicall, not `{text}`"),
            });
            self.keep(place, checked)
        });
        let mut named = written.tokens.map_or_else(Vec::new, |path| {
            let place = self.line(path.span());
            self.keep(place, tokens::from_file(Path::new(path.get_ref()), chain)).unwrap_or_default()
        });
        for token in tokens::known(chain) {
            if named.iter().all(|other| other.address != token.address) {
                named.push(token);
            }
        }
        let explorer = written.explorer.and_then(|text| {
            let place = self.line(text.span());
            let text = text.into_inner();
            let parsed = http_url(&text)
                .ok_or_else(|| format!("use a URL that starts with http:// or https:// as explorer, not `{text}`"));
            self.keep(place, parsed)
        });
        let coin = written.coin.map(|WrittenCoin { name, symbol, decimals }| Currency { name, symbol, decimals });
        Assets {
            coin: coin.unwrap_or_else(|| tokens::coin(chain)),
            multicall: multicall.unwrap_or_else(|| MULTICALL3.into()),
            tokens: named,
            explorer,
        }
    }

    pub(super) fn methods(&mut self, written: Vec<Spanned<String>>) -> Vec<Method> {
        let mut methods = Vec::new();
        for text in written {
            let place = self.line(text.span());
            let parsed = Method::parse(text.get_ref());
            methods.extend(self.keep(place, parsed));
        }
        methods
    }
}

#[cfg(test)]
mod tests {
    use super::meant;
    use crate::config::{Config, Flags};
    use std::path::Path;

    #[test]
    fn a_wrong_letter_in_the_address_of_multicall_is_told_apart_from_what_is_no_address() {
        for (address, told) in [
            (
                "0xCA11bde05977b3631167028862bE2a173976CA11",
                "the checksum of the address `0xCA11bde05977b3631167028862bE2a173976CA11` of multicall doesn't match. Paste the address again.",
            ),
            ("0xca11", "use an address as multicall, not `0xca11`."),
        ] {
            let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"https://a.example\"]\n";
            let text = format!("{chain}multicall = {address:?}\n");
            let mistakes = Config::parse(Path::new("portico.toml"), &text, [], &Flags::default()).unwrap_err();
            let told = format!("portico.toml, line 4: {told}");
            assert_eq!(mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
        }
    }

    #[test]
    fn methods_of_a_chain_of_bitcoin_have_no_effect_and_a_warning_says_so() {
        let chain =
            "[[chains]]\nid = \"bip122:000000000019d6689c085ae165831e93\"\nupstreams = [\"https://a.example\"]\n";
        let warnings = |text: &str| {
            let config = Config::parse(Path::new("portico.toml"), text, [], &Flags::default()).unwrap();
            config.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let told = "portico.toml, line 2: nodes of bip122:000000000019d6689c085ae165831e93 have no further methods, so remove `methods` of this chain.";
        assert_eq!(warnings(&format!("{chain}methods = [\"getblock\"]\n")), [told]);
        assert_eq!(warnings(chain), [""; 0]);
    }

    #[test]
    fn options_of_evm_chains_have_no_effect_elsewhere_and_a_warning_says_so() {
        let (solana, bitcoin) = ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "bip122:000000000019d6689c085ae165831e93");
        let chain = |id: &str| {
            let node = |name: &str| {
                format!(r#"{{ url = "https://{name}.example", ws_url = "wss://{name}.example", max_block_range = 5 }}"#)
            };
            let nodes = [node("a"), node("b")].join(", ");
            format!("[[chains]]\nid = \"{id}\"\nmax_logs_range = 9\nupstreams = [{nodes}]\n")
        };
        let config = |id: &str| Config::parse(Path::new("portico.toml"), &chain(id), [], &Flags::default()).unwrap();
        let sockets = |config: &Config| config.chains[0].upstreams.iter().filter(|node| node.ws_url.is_some()).count();
        let told = |id: &str, name: &str, chains: &str| {
            format!("portico.toml, line 2: `{name}` is for {chains} alone, so remove it from {id}.")
        };
        for (id, mut expected, kept) in [
            ("eip155:1", vec![], 2),
            (solana, vec![], 2),
            (bitcoin, vec![told(bitcoin, "ws_url", "EVM chains and Solana")], 0),
        ] {
            if id != "eip155:1" {
                expected.extend(["max_block_range", "max_logs_range"].map(|name| told(id, name, "EVM chains")));
            }
            let config = config(id);
            assert_eq!(config.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
            assert_eq!(sockets(&config), kept, "{id}");
        }
    }

    #[test]
    fn the_name_or_the_number_of_a_chain_is_answered_with_its_id() {
        for (typed, id) in [
            ("ethereum", "eip155:1 (Ethereum)"),
            ("etherum", "eip155:1 (Ethereum)"),
            ("8453", "eip155:8453 (Base)"),
            ("eip:10", "eip155:10 (OP Mainnet)"),
        ] {
            assert_eq!(meant(typed), format!(". Did you mean {id}?"));
        }
        assert_eq!(meant("frobnicate"), "");
        assert_eq!(meant("eip155:1"), "");
        assert_eq!(meant("123456789"), "");
    }
}
