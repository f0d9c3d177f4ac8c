//! `[names]`: registration of names on this server.

use super::file::Read;
use super::{Mistake, SettingSource};
use alloy_primitives::Address;
use k256::ecdsa::SigningKey;
use portico_terms::Label;
use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

pub(super) const SETTINGS: &[&str] = &[
    "names.parent",
    "names.signer_key",
    "names.signer_key_file",
    "names.resolver",
    "names.resolver_layout",
    "names.ttl_seconds",
    "names.reserved",
    "names.per_address",
    "names.changes_per_client_per_hour",
];

const DEFAULT_LAYOUT: &str = "offchain-resolver";
const DEFAULT_TTL: &str = "300";
const DEFAULT_PER_ADDRESS: &str = "1";
const DEFAULT_CHANGES: &str = "30";
const MOST_SECONDS: usize = 7 * 24 * 3600;
const MOST_NAMES: usize = 1_000_000;
/// Maximum length of the parent name: a whole name has at most 255 bytes on the wire (RFC 1035, 2.3.4), of which the label and both ends
/// take up to 65.
const LONGEST_PARENT: usize = 190;

/// Built-in reserved labels: names of parts of a site and of its operators.
const RESERVED: &str = include_str!("../name/reserved.txt");

/// Settings of the names that this server registers.
#[derive(Clone, Debug)]
pub struct Names {
    /// Names are `<label>.<parent>`.
    pub parent: String,
    /// Settings of the EIP-3668 gateway, if enabled.
    pub gateway: Option<Gateway>,
    /// Labels that cannot be registered.
    pub reserved: HashSet<String>,
    /// Maximum number of names per address.
    pub per_address: u32,
    /// Maximum number of signed changes per client and hour.
    pub changes_per_client_per_hour: u32,
}

/// Settings of the EIP-3668 gateway.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Contract that verifies the responses.
    pub resolver: Address,
    /// Response format of that contract.
    pub layout: Layout,
    /// Validity of a response.
    pub ttl: Duration,
    /// Key that signs the responses; the contract trusts its address.
    pub key: SignerKey,
}

/// Response format of a resolver contract: fields and their order.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Layout {
    /// `OffchainResolver` of ENS Labs.
    OffchainResolver,
    /// `TheOffchainResolver` of resolverworks.
    TheOffchainResolver,
}

/// secp256k1 key that never appears in logs.
#[derive(Clone)]
pub struct SignerKey(SigningKey);

impl SignerKey {
    fn parse(text: &str) -> Option<SignerKey> {
        let text = text.trim();
        let bytes: [u8; 32] = alloy_primitives::hex::decode_to_array(text).ok()?;
        SigningKey::from_bytes(&bytes.into()).ok().map(SignerKey)
    }

    pub(crate) fn key(&self) -> &SigningKey {
        &self.0
    }
}

impl fmt::Debug for SignerKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the key of {}", Address::from_private_key(&self.0))
    }
}

impl Read<'_> {
    /// `None` without `names.parent`; a gateway without it is a mistake.
    pub(super) fn names(&mut self) -> Option<Names> {
        let parent = self.parent();
        let written = ["names.resolver", "names.signer_key", "names.signer_key_file"].map(|name| self.place(name));
        let gateway = self.gateway();
        let reserved = self.reserved();
        let per_address = self.number("names.per_address", DEFAULT_PER_ADDRESS, MOST_NAMES, "names");
        let changes = self.number("names.changes_per_client_per_hour", DEFAULT_CHANGES, MOST_NAMES, "changes");
        let parent = match parent {
            Some(parent) => parent?,
            None if gateway.is_some() => {
                let sentence = "set `names.parent` to the name below which names are registered, such as example.eth";
                let place = written.into_iter().find(|place| !matches!(place, SettingSource::Default(_)));
                self.mistakes.push(Mistake::new(place.unwrap_or(SettingSource::Default("names.parent")), sentence));
                return None;
            }
            None => return None,
        };
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Some(Names {
            parent,
            gateway: gateway.flatten(),
            reserved,
            per_address: count(per_address?),
            changes_per_client_per_hour: count(changes?),
        })
    }

    /// Outer `None`: not set; inner `None`: invalid.
    fn parent(&mut self) -> Option<Option<String>> {
        let (text, place) = self.text("names.parent")?;
        let part = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        let fits = text.contains('.') && text.len() <= LONGEST_PARENT && text.split('.').all(part);
        let checked = if fits {
            Ok(text)
        } else {
            Err(format!("use a name of yours in lower case such as example.eth or names.example.org, not `{text}`"))
        };
        Some(self.keep(place, checked))
    }

    fn gateway(&mut self) -> Option<Option<Gateway>> {
        let (layout, place) = self
            .text("names.resolver_layout")
            .unwrap_or((DEFAULT_LAYOUT.into(), SettingSource::Default("names.resolver_layout")));
        let layout = match layout.as_str() {
            "offchain-resolver" => Ok(Layout::OffchainResolver),
            "the-offchain-resolver" => Ok(Layout::TheOffchainResolver),
            other => Err(format!("use offchain-resolver or the-offchain-resolver, not `{other}`")),
        };
        let layout = self.keep(place, layout);
        let ttl = self.number("names.ttl_seconds", DEFAULT_TTL, MOST_SECONDS, "seconds");
        let resolver = self.text("names.resolver");
        let Some(key) = self.secret_given("names.signer_key", "names.signer_key_file") else { return Some(None) };
        let (resolver, key) = match (resolver, key) {
            (None, None) => return None,
            (Some(resolver), Some(key)) => (resolver, key),
            (Some((_, place)), None) => {
                let sentence =
                    "the gateway for names also needs `names.signer_key`, the key that signs its answers".to_owned();
                self.mistakes.push(Mistake::new(place, sentence));
                return Some(None);
            }
            (None, Some((_, place))) => {
                let sentence =
                    "the gateway for names also needs `names.resolver`, the contract that checks its answers"
                        .to_owned();
                self.mistakes.push(Mistake::new(place, sentence));
                return Some(None);
            }
        };
        let (text, place) = resolver;
        let address = text.parse().map_err(|_| format!("use the address of a contract, not `{text}`"));
        let resolver = self.keep(place, address);
        // The error must not repeat even an invalid key.
        let sentence = || "use a secp256k1 key of 64 hex digits as `names.signer_key`".to_owned();
        let (text, place) = key;
        let key = self.keep(place, SignerKey::parse(&text).ok_or_else(sentence));
        Some((|| {
            let ttl = Duration::from_secs(u64::try_from(ttl?).unwrap_or(u64::MAX));
            Some(Gateway { resolver: resolver?, layout: layout?, ttl, key: key? })
        })())
    }

    fn reserved(&mut self) -> HashSet<String> {
        let mut reserved: HashSet<String> = RESERVED.split_whitespace().map(str::to_owned).collect();
        let Some((own, place)) = self.texts("names.reserved") else { return reserved };
        for text in own {
            match Label::parse(&text) {
                Ok(label) => {
                    reserved.insert(label.as_str().to_owned());
                }
                Err(error) => {
                    let why = error.to_string();
                    let why = why[..1].to_lowercase() + &why[1..];
                    let sentence =
                        format!("remove the reserved name `{text}`, which can't be registered anyway: {why}");
                    self.mistakes.push(Mistake::new(place.clone(), sentence));
                }
            }
        }
        reserved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_could_be_had_otherwise() {
        for word in RESERVED.split_whitespace() {
            assert_eq!(Label::parse(word).as_ref().map(Label::as_str), Ok(word));
        }
    }

    #[test]
    fn a_key_is_shown_as_its_address() {
        let key = SignerKey::parse("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80").unwrap();
        assert_eq!(format!("{key:?}"), "the key of 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
        for text in ["", "0x", "ac", &"0".repeat(64), &"f".repeat(64), &"g".repeat(64)] {
            assert!(SignerKey::parse(text).is_none(), "{text}");
        }
    }
}
