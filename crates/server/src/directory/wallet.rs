//! Wallet of the directory.

use super::fold::is_invisible;
use super::{AppLink, WebLink};
use portico_terms::{ChainId, Namespace};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Wallet of the directory (spec 3.10), with the links to open or install it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(try_from = "Record")]
pub struct Wallet {
    /// Id; the rdns, if the wallet has one.
    pub id: String,
    /// Other ids and reverse domain names that a host may use for it.
    pub aliases: Vec<String>,
    /// Display name.
    pub name: String,
    /// Web page about the wallet.
    pub homepage: Option<WebLink>,
    /// Id of the picture.
    pub image_id: Option<String>,
    /// Position in the list, the smallest first.
    pub order: u32,
    /// Prefix before `wc?uri=…` of links that open the app on a phone.
    pub mobile_link: Option<AppLink>,
    /// Web link that opens the app on a phone.
    pub link_mode: Option<WebLink>,
    /// Prefix before `wc?uri=…` of links that open the desktop program.
    pub desktop_link: Option<AppLink>,
    /// Prefix before `wc?uri=…` of links that open the web wallet.
    pub webapp_link: Option<WebLink>,
    /// Page in the App Store.
    pub app_store: Option<WebLink>,
    /// Page in Google Play.
    pub play_store: Option<WebLink>,
    /// Page in the Chrome Web Store.
    pub chrome_store: Option<WebLink>,
    /// Reverse domain name that it announces in a browser (EIP-6963).
    pub rdns: Option<String>,
    /// Namespaces in which it supports every chain.
    pub namespaces: Vec<Namespace>,
    /// Further chains that it supports.
    pub chains: Vec<ChainId>,
    /// Providers that it injects into a page.
    pub injected: Vec<Injected>,
    /// Origins of the record: package, version, licence.
    pub provenance: Vec<String>,
}

/// Provider that a wallet injects into a page.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Injected {
    /// Namespace of its chains.
    pub namespace: Namespace,
    /// Flag or path below `window` that identifies it: `isMetaMask`, `backpack.ethereum`.
    pub injected_id: String,
}

/// Reason why a record is not a valid wallet.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum WalletError {
    /// Invalid id or alias.
    #[error("use 1 to 64 letters, digits, dots, hyphens and underscores as id, not `{0}`")]
    Id(String),
    /// Invalid name.
    #[error("use 1 to 64 visible characters as name of `{0}`, without spaces around them")]
    Name(String),
    /// Invalid reverse domain name.
    #[error("use a reverse domain name such as io.metamask as rdns, not `{0}`")]
    Rdns(String),
    /// Invalid id of a picture.
    #[error("use 1 to 64 letters, digits, hyphens and underscores as image_id, not `{0}`")]
    Image(String),
    /// Invalid namespace.
    #[error("use eip155, solana, polkadot or bip122 as namespace, not `{0}`")]
    Namespace(String),
    /// Invalid chain id.
    #[error("use the CAIP-2 id of a chain such as eip155:1, not `{0}`")]
    Chain(String),
    /// Invalid id of an injected provider.
    #[error("use 1 to 64 letters, digits, dots, dollars and underscores as injected_id, not `{0}`")]
    Injected(String),
}

/// Wallet as written in a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    id: String,
    #[serde(default)]
    aliases: Vec<String>,
    name: String,
    homepage: Option<WebLink>,
    image_id: Option<String>,
    #[serde(default)]
    order: u32,
    mobile_link: Option<AppLink>,
    link_mode: Option<WebLink>,
    desktop_link: Option<AppLink>,
    webapp_link: Option<WebLink>,
    app_store: Option<WebLink>,
    play_store: Option<WebLink>,
    chrome_store: Option<WebLink>,
    rdns: Option<String>,
    #[serde(default)]
    namespaces: Vec<String>,
    #[serde(default)]
    chains: Vec<String>,
    injected: Option<Vec<InjectedRecord>>,
    #[serde(default)]
    provenance: Vec<String>,
    /// Picture in an operator's list; read by the import.
    #[serde(rename = "image")]
    _image: Option<IgnoredAny>,
}

/// Injected provider as written in a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InjectedRecord {
    namespace: String,
    injected_id: String,
}

impl TryFrom<Record> for Wallet {
    type Error = WalletError;

    fn try_from(record: Record) -> Result<Wallet, WalletError> {
        for id in record.aliases.iter().chain([&record.id]) {
            check(is_made_of(id, "._-"), WalletError::Id, id)?;
        }
        check(is_readable(&record.name), WalletError::Name, &record.id)?;
        if let Some(image) = &record.image_id {
            check(is_made_of(image, "_-"), WalletError::Image, image)?;
        }
        if let Some(rdns) = &record.rdns {
            let parts = rdns.split('.').count() > 1 && rdns.split('.').all(|part| !part.is_empty());
            check(is_made_of(rdns, "._-") && parts, WalletError::Rdns, rdns)?;
        }
        let chains: Vec<ChainId> = record.chains.iter().map(|text| chain(text)).collect::<Result<_, _>>()?;
        let mut namespaces: Vec<Namespace> =
            record.namespaces.iter().map(|word| namespace(word)).collect::<Result<_, _>>()?;
        // A record without chains is an EVM wallet, as most are.
        if namespaces.is_empty() && chains.is_empty() {
            namespaces.push(Namespace::Eip155);
        }
        Ok(Wallet {
            id: record.id,
            aliases: record.aliases,
            name: record.name,
            homepage: record.homepage,
            image_id: record.image_id,
            order: record.order,
            mobile_link: record.mobile_link,
            link_mode: record.link_mode,
            desktop_link: record.desktop_link,
            webapp_link: record.webapp_link,
            app_store: record.app_store,
            play_store: record.play_store,
            chrome_store: record.chrome_store,
            rdns: record.rdns,
            namespaces,
            chains,
            injected: record.injected.into_iter().flatten().map(Injected::try_from).collect::<Result<_, _>>()?,
            provenance: record.provenance,
        })
    }
}

impl TryFrom<InjectedRecord> for Injected {
    type Error = WalletError;

    fn try_from(record: InjectedRecord) -> Result<Injected, WalletError> {
        check(is_made_of(&record.injected_id, "._$"), WalletError::Injected, &record.injected_id)?;
        Ok(Injected { namespace: namespace(&record.namespace)?, injected_id: record.injected_id })
    }
}

fn check(holds: bool, error: fn(String) -> WalletError, text: &str) -> Result<(), WalletError> {
    if holds { Ok(()) } else { Err(error(text.chars().take(64).collect())) }
}

fn is_made_of(text: &str, signs: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || signs.contains(letter))
}

/// Whether a name is readable as written: no invisible characters, no direction changes.
fn is_readable(name: &str) -> bool {
    (1..=64).contains(&name.chars().count()) && name.trim() == name && !name.contains(is_invisible)
}

fn namespace(word: &str) -> Result<Namespace, WalletError> {
    Namespace::from_word(word).ok_or_else(|| WalletError::Namespace(word.chars().take(64).collect()))
}

fn chain(text: &str) -> Result<ChainId, WalletError> {
    text.parse().map_err(|_| WalletError::Chain(text.chars().take(64).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> String {
        serde_json::from_str::<Wallet>(json).unwrap_err().to_string()
    }

    #[test]
    fn a_record_that_is_no_wallet_says_why() {
        for (json, why) in [
            ("null", "invalid type"),
            ("[]", "invalid length"),
            (r#"{"name":"A"}"#, "missing field `id`"),
            (r#"{"id":"a"}"#, "missing field `name`"),
            (r#"{"id":"","name":"A"}"#, "as id, not ``"),
            (r#"{"id":"a","name":""}"#, "as name of `a`"),
            (r#"{"id":"a","name":" A"}"#, "as name of `a`"),
            (r#"{"id":"a","name":"A\u0000"}"#, "as name of `a`"),
            (r#"{"id":"a","name":"\u202eksaMateM"}"#, "as name of `a`"),
            (r#"{"id":"a","name":"A","nmae":"B"}"#, "unknown field `nmae`"),
            (r#"{"id":"a","name":"A","aliases":["b c"]}"#, "as id, not `b c`"),
            (r#"{"id":"a","name":"A","image_id":"../../etc/passwd"}"#, "as image_id"),
            (r#"{"id":"a","name":"A","rdns":"metamask"}"#, "as rdns, not `metamask`"),
            (r#"{"id":"a","name":"A","rdns":"io..metamask"}"#, "as rdns"),
            (r#"{"id":"a","name":"A","homepage":"javascript:alert(1)"}"#, "use a link that starts with https://"),
            (r#"{"id":"a","name":"A","mobile_link":"https://a.example"}"#, "use a link with the app's own scheme"),
            (r#"{"id":"a","name":"A","chains":["1"]}"#, "not `1`"),
            (r#"{"id":"a","name":"A","namespaces":["cosmos"]}"#, "as namespace, not `cosmos`"),
            (r#"{"id":"a","name":"A","injected":[{"namespace":"eip155","injected_id":"a b"}]}"#, "as injected_id"),
            (r#"{"id":"a","name":"A","order":-1}"#, "invalid value"),
        ] {
            let said = error(json);
            assert!(said.contains(why), "{json}: {said}");
        }
        let long = format!(r#"{{"id":"a","name":"{}"}}"#, "A".repeat(65));
        assert!(error(&long).contains("as name of `a`"));
    }

    #[test]
    fn an_id_and_a_name_are_enough() {
        let wallet: Wallet = serde_json::from_str(r#"{"id":"io.metamask","name":"MetaMask"}"#).unwrap();
        assert_eq!((wallet.id.as_str(), wallet.name.as_str(), wallet.order), ("io.metamask", "MetaMask", 0));
        assert_eq!(wallet.namespaces, [Namespace::Eip155]);
    }

    #[test]
    fn a_wallet_of_single_chains_serves_no_namespace_whole() {
        let wallet: Wallet = serde_json::from_str(r#"{"id":"a","name":"A","chains":["eip155:2020"]}"#).unwrap();
        assert_eq!((wallet.namespaces, wallet.chains), (vec![], vec![ChainId::eip155(2020)]));
    }
}
