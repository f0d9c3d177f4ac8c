//! Name and avatar of an address (spec 3.23, 4.40).

use super::Reason;
use super::state::OneAccount;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::http::{Request, encode, picture};
use crate::shown::clean;
use crate::storage::{self, StoredIdentity, keys};
use portico_api::identity::Identity;
use portico_json::{Map, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Namespace, Network};

/// Lifetime of a name, in milliseconds (spec 9.5).
pub const IDENTITY_CACHE: u64 = 300_000;

/// Longest wait for an avatar that is loaded before it is shown, in milliseconds (spec 9.3).
///
/// Other pictures are not loaded beforehand, because their tiles have a fixed size and nothing moves when they come. Those of wallets are
/// data of one request. Those of tokens and collectibles load with the rows that are scrolled to; loading them beforehand would fetch the
/// whole list. Few networks have one, and it is at an address of the host. Only an avatar takes the place of another picture.
pub const PRELOAD: u32 = 2_000;

/// Maximum number of cached addresses.
pub const MOST_KNOWN: usize = 8;

/// Whether names are looked up on a network: EVM chains only, and no test networks (spec 4.40).
pub fn is_looked_up(network: &Network) -> bool {
    network.chain_namespace == Namespace::Eip155 && !network.testnet
}

/// Cache of names and avatars, the latest first; stored across reloads.
#[derive(Debug, Default)]
pub struct Identities {
    known: Vec<StoredIdentity>,
    /// Addresses with a lookup in flight.
    asked: Vec<String>,
}

impl Identities {
    /// Initial cache from storage; untrusted.
    pub fn new(stored: &[StoredIdentity]) -> Identities {
        Identities { known: stored.iter().take(MOST_KNOWN).cloned().collect(), asked: Vec::new() }
    }

    /// Cached name and avatar of an address; requests them again if the entry is older than its lifetime.
    pub fn of(&mut self, address: &str, cx: &mut Cx) -> (Option<String>, Option<String>) {
        // An entry with a future time is ignored.
        let known = self.known.iter().find(|known| known.address == address && known.at <= cx.now);
        let fresh = known.is_some_and(|known| cx.now - known.at < IDENTITY_CACHE);
        if !fresh && !self.asked.iter().any(|asked| asked == address) {
            let request = Request::get(["/v1/identity/", &encode(address)].concat());
            if cx.http(request, Reason::Identity(address.into())) {
                self.asked.push(address.into());
            }
        }
        known.map(|known| name_and_avatar(known, cx.facts)).unwrap_or_default()
    }

    /// Adds the cached names of accounts.
    pub fn names(&self, accounts: &[OneAccount], names: &mut Map<String, String>) {
        for OneAccount { address, .. } in accounts {
            let known = self.known.iter().find(|known| known.address == *address);
            if let Some(name) = known.and_then(StoredIdentity::clean_name) {
                names.insert(address.clone(), name);
            }
        }
    }

    /// Response to a lookup; after a failure the cached entry stays.
    pub fn answered(
        &mut self,
        address: &str,
        answer: Result<Value, RpcError>,
        cx: &mut Cx,
    ) -> Option<(Option<String>, Option<String>)> {
        self.asked.retain(|asked| asked != address);
        let Identity { name, avatar, .. } = cx.read(&answer.ok()?)?;
        let known = StoredIdentity { address: address.into(), name, avatar, at: cx.now };
        let (name, avatar) = name_and_avatar(&known, cx.facts);
        self.keep(StoredIdentity { name: name.clone(), avatar: avatar.clone(), ..known }, cx);
        Some((name, avatar))
    }

    /// Sets a new name of an address; its avatar stays.
    pub fn named(&mut self, address: &str, name: &str, cx: &mut Cx) {
        let avatar = self.known.iter().find(|known| known.address == address).and_then(|known| known.avatar.clone());
        self.keep(StoredIdentity { address: address.into(), name: Some(name.into()), avatar, at: cx.now }, cx);
    }

    fn keep(&mut self, known: StoredIdentity, cx: &mut Cx) {
        self.known.retain(|other| other.address != known.address);
        self.known.insert(0, known);
        self.known.truncate(MOST_KNOWN);
        for (key, value) in [(keys::VERSION, storage::VERSION.into()), (keys::IDENTITIES, storage::text(&self.known))] {
            cx.order(Operation::WriteStorage { area: StorageArea::Local, key: key.into(), value });
        }
    }
}

/// Name and avatar, cleaned for display.
fn name_and_avatar(known: &StoredIdentity, facts: &Facts) -> (Option<String>, Option<String>) {
    let avatar = known.avatar.as_deref().and_then(|url| picture(url, facts));
    (known.clean_name(), avatar)
}

impl StoredIdentity {
    fn clean_name(&self) -> Option<String> {
        self.name.as_deref().map(clean).filter(|name| !name.is_empty())
    }
}
