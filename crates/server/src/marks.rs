//! Pictures of networks, tokens and connectors that come with the server; `crates/server/marks/PROVENANCE.md` says where they are from.

use crate::picture_link::picture;
use portico_calldata::hex::address;
use portico_calldata::solana::known_mint;
use portico_calldata::symbol_of;
use portico_terms::{ChainId, Namespace};
use rust_embed::Embed;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Embed)]
#[folder = "marks/images"]
#[allow(missing_docs, reason = "the derive writes them")]
struct Images;

/// Ids of the pictures, each by what it shows.
#[derive(Deserialize)]
struct Marks {
    /// By CAIP-2 id with `-` for `:`.
    networks: HashMap<String, String>,
    /// By symbol.
    tokens: HashMap<String, String>,
    /// By the connector's id.
    connectors: HashMap<String, String>,
}

/// Path of a picture, without its id.
const PATH: &str = "/public/getAssetImage/";

static MARKS: LazyLock<Marks> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../marks/marks.json")).expect("the committed list is valid, which a test reads")
});

/// WebP picture with this id.
pub(crate) fn bundled(id: &str) -> Option<Cow<'static, [u8]>> {
    Images::get(&format!("{id}.webp")).map(|file| file.data)
}

/// Id of the picture of a network or connector.
pub(crate) fn id_of(name: &str) -> Option<&'static str> {
    MARKS.networks.get(name).or_else(|| MARKS.connectors.get(name)).map(String::as_str)
}

/// Path of the picture of a token: the one of its source, else ours, else empty.
pub(crate) fn picture_of(source: &str, chain: &ChainId, contract: &str) -> String {
    let path = picture(source);
    if path.is_empty() { of_token(chain, contract) } else { path }
}

/// Path of our picture of a chain's own coin, whose symbol is the operator's word.
pub(crate) fn of_coin(symbol: &str) -> String {
    MARKS.tokens.get(symbol).map(|id| format!("{PATH}{id}")).unwrap_or_default()
}

/// Whether this is the path of a picture of ours.
pub(crate) fn is_own(path: &str) -> bool {
    path.starts_with(PATH)
}

/// Path of our picture of a token; empty if it is none that we know by its contract. Its symbol proves nothing: anybody may choose it.
fn of_token(chain: &ChainId, contract: &str) -> String {
    let known = match chain.namespace() {
        Namespace::Eip155 => {
            chain.reference().parse().ok().zip(address(contract)).and_then(|(id, at)| symbol_of(id, &at))
        }
        // A mint on Solana is made with the key of its address, so the same mint on another network is of the same issuer.
        Namespace::Solana => known_mint(contract).map(|known| known.symbol),
        _ => None,
    };
    // A wrapped coin is shown as what it is exchanged for.
    known.map(|symbol| of_coin(unwrapped(symbol))).unwrap_or_default()
}

fn unwrapped(symbol: &str) -> &str {
    match symbol {
        "WETH" => "ETH",
        "WSOL" => "SOL",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::path::Path;

    const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

    #[test]
    fn each_picture_is_a_small_webp_that_the_list_names_and_each_in_the_list_is_there() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("marks/images");
        let mut files = HashSet::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes.starts_with(b"RIFF") && bytes[8..].starts_with(b"WEBP"), "{}", path.display());
            assert!(bytes.len() < 12 * 1024, "{}", path.display());
            files.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
        let named = [&MARKS.networks, &MARKS.tokens, &MARKS.connectors].map(|kind| kind.values().cloned());
        assert_eq!(named.into_iter().flatten().collect::<HashSet<_>>(), files);
    }

    #[test]
    fn each_network_of_the_list_is_a_caip_2_id() {
        for name in MARKS.networks.keys() {
            let id = name.replacen('-', ":", 1);
            assert!(id.parse::<ChainId>().is_ok(), "{id}");
            assert!(bundled(id_of(name).unwrap()).is_some(), "{id}");
        }
    }

    #[test]
    fn a_token_is_known_by_chain_and_contract_and_by_nothing_else() {
        let chain = |text: &str| text.parse::<ChainId>().unwrap();
        let dollar = of_token(&chain("eip155:1"), USDC);
        assert_eq!(dollar, format!("/public/getAssetImage/{}", MARKS.tokens["USDC"]));
        assert_eq!(of_token(&chain("eip155:1"), &USDC.to_lowercase()), dollar);
        let wrapped = of_token(&chain("eip155:8453"), "0x4200000000000000000000000000000000000006");
        assert_eq!(wrapped, format!("/public/getAssetImage/{}", MARKS.tokens["ETH"]));
        // A local network of Solana has the same mints.
        for id in ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana:11111111111111111111111111111111"] {
            assert_eq!(of_token(&chain(id), "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"), dollar);
            let sol = format!("/public/getAssetImage/{}", MARKS.tokens["SOL"]);
            assert_eq!(of_token(&chain(id), "So11111111111111111111111111111111111111112"), sol);
        }
        for (id, contract) in [
            // The same contract on another chain, another contract, and what is none.
            ("eip155:10", USDC),
            ("eip155:1", "0x0000000000000000000000000000000000000007"),
            ("eip155:1", "USDC"),
            ("eip155:1", ""),
            ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", USDC),
        ] {
            assert_eq!(of_token(&chain(id), contract), "", "{id} {contract}");
        }
    }
}
