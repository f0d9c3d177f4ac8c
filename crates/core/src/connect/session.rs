//! Approvals of a session, untrusted until parsed (CAIP-25), and the request for one (spec 9.20).

use crate::facts::Facts;
use crate::shown::clean;
use crate::wallet;
use portico_json::{Map, Value};
use portico_terms::address::read_address;
use portico_terms::network::current_id;
use portico_terms::rpc::{EVENTS, RpcError};
use portico_terms::{AccountId, ChainId, Namespace};

/// Maximum number of entries read from a list.
const MOST: usize = 1_000;

/// A usable session.
#[derive(Debug)]
pub struct Session {
    pub topic: String,
    /// Name that the wallet gives itself, cleaned for display.
    pub name: String,
    /// Expiry in epoch seconds.
    pub expiry: u64,
    /// The wallet comes to the front by itself.
    pub no_link: bool,
    /// Approvals for the host's namespaces, the active namespace last. Never empty.
    pub approved: Vec<Approved>,
}

/// Approvals of a session for one namespace.
#[derive(Debug)]
pub struct Approved {
    pub namespace: Namespace,
    /// Addresses, those on `stands` first. Never empty.
    pub accounts: Vec<String>,
    pub chains: Vec<ChainId>,
    /// Chain to use: the active one if approved, else the first approved one of the host.
    pub stands: ChainId,
}

/// Whether a session can connect a namespace: the host has an adapter and a network for it.
pub fn serves(namespace: Namespace, facts: &Facts) -> bool {
    facts.options.has_adapter(namespace) && facts.networks.iter().any(|network| network.chain_namespace == namespace)
}

fn texts(items: impl Iterator<Item = String>) -> Value {
    Value::List(items.map(Value::Text).collect())
}

/// Namespaces to request of a session, all optional: every network of the host, or the host's own selection.
pub fn asked(facts: &Facts) -> Value {
    let mut namespaces = Vec::new();
    for namespace in Namespace::ALL.iter().filter(|namespace| serves(**namespace, facts)) {
        let methods = wallet::session_methods(*namespace);
        let own = |part: &str| {
            let given = facts.options.asked.get(part).get(namespace.word());
            given.as_list().filter(|given| !given.is_empty()).map(|given| Value::List(given.to_vec()))
        };
        let networks = facts.networks.iter().filter(|network| network.chain_namespace == *namespace);
        let chains = networks.flat_map(|network| {
            let old = network.deprecated_caip_network_id.iter().cloned();
            std::iter::once(network.caip_network_id.to_string()).chain(old)
        });
        let fields = vec![
            (String::from("chains"), own("chains").unwrap_or_else(|| texts(chains))),
            ("methods".into(), own("methods").unwrap_or_else(|| texts(methods.map(String::from)))),
            ("events".into(), own("events").unwrap_or_else(|| texts(EVENTS.iter().map(|event| (*event).into())))),
        ];
        namespaces.push((namespace.word().into(), Value::Object(fields)));
    }
    Value::Object(namespaces)
}

fn list(value: &Value) -> impl Iterator<Item = &str> {
    value.as_list().unwrap_or_default().iter().take(MOST).filter_map(Value::as_str)
}

/// Parses a session. Invalid parts are skipped; a session without any valid part is an error.
pub fn read(value: &Value, facts: &Facts) -> Result<Session, RpcError> {
    let topic = value.get("topic").as_str().filter(|topic| is_topic(topic));
    let mut found: Map<Namespace, (Vec<ChainId>, Vec<AccountId>)> = Map::default();
    for (key, part) in value.get("namespaces").as_object().unwrap_or_default().iter().take(MOST) {
        // CAIP-217: the key is a namespace, or one chain of it.
        let namespace = key.split(':').next().and_then(Namespace::from_word).filter(|known| serves(*known, facts));
        let Some(namespace) = namespace else { continue };
        let (chains, accounts) = found.or_default(namespace);
        let read = list(part.get("accounts")).filter_map(|text| text.parse::<AccountId>().ok());
        accounts.extend(read.filter(|account| account.chain().namespace() == namespace));
        let named = list(part.get("chains")).filter_map(|text| text.parse::<ChainId>().ok());
        let named = named.chain(accounts.iter().map(|account| account.chain().clone()));
        for chain in
            named.filter(|chain| chain.namespace() == namespace).map(|chain| current_id(chain, &facts.networks))
        {
            if !chains.contains(&chain) && chains.len() < MOST {
                chains.push(chain);
            }
        }
    }
    let mut approved: Vec<Approved> = Vec::new();
    for (namespace, (chains, accounts)) in found.iter() {
        let current = facts.chains.iter().find(|chain| chain.namespace() == *namespace);
        let own = facts.networks.iter().map(|network| &network.caip_network_id);
        let served = current.into_iter().chain(own).find(|chain| chains.contains(chain));
        let Some(stands) = served.or(chains.first()).cloned() else { continue };
        let here = |account: &&AccountId| current_id(account.chain().clone(), &facts.networks) == stands;
        let (near, far): (Vec<_>, Vec<_>) = accounts.iter().partition(here);
        let mut addresses: Vec<String> = Vec::new();
        for address in near.iter().chain(&far).filter_map(|account| read_address(*namespace, account.address())) {
            if !addresses.contains(&address) && addresses.len() < MOST {
                addresses.push(address);
            }
        }
        if !addresses.is_empty() {
            let one = Approved { namespace: *namespace, accounts: addresses, chains: chains.clone(), stands };
            // The last connection becomes the active one.
            match facts.active_namespace == Some(*namespace) {
                true => approved.push(one),
                false => approved.insert(0, one),
            }
        }
    }
    match topic {
        Some(topic) if !approved.is_empty() => Ok(Session {
            topic: topic.into(),
            name: clean(value.get("peer").get("metadata").get("name").as_str().unwrap_or_default()),
            expiry: value.get("expiry").as_u64().unwrap_or_default(),
            no_link: value.get("sessionConfig").get("disableDeepLink").as_bool() == Some(true),
            approved,
        }),
        _ => Err(RpcError::nonsense("The wallet didn't share an account on this site's networks")),
    }
}

fn is_topic(topic: &str) -> bool {
    (1..=128).contains(&topic.len()) && topic.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
