//! Readers of the single options. Each returns a value that needs no further check, and adds a fault for what it left out.

use crate::notice::AlertKey;
use portico_json::{Map, Value};
use portico_terms::link::is_page;
use portico_terms::network::{NetworkError, current_id};
use portico_terms::{AccountKind, ChainId, Namespace, Network};
use std::rc::Rc;

/// A fault in the options.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// The alert it raises.
    pub alert: AlertKey,
    /// Name of the option, and the remedy.
    pub detail: String,
}

/// Adds a fault of the options. Out of line, because it has many callers and the visitor fetches this code.
#[inline(never)]
pub(super) fn refuse(detail: &str, faults: &mut Vec<Fault>) {
    faults.push(Fault { alert: AlertKey::InvalidOptions, detail: detail.into() });
}

/// Adds a fault for each option that was given although it has no effect, once.
#[inline(never)]
pub(super) fn without_effect(options: &[(bool, &str)], faults: &mut Vec<Fault>) {
    for (given, detail) in options {
        if *given && faults.iter().all(|fault| fault.detail != *detail) {
            refuse(detail, faults);
        }
    }
}

/// Whether an option was given at all: an object, or `true` if the shell found an object with methods.
pub(super) fn given(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

/// A project id is 1 to 64 letters, digits, hyphens or underscores.
pub(super) fn project_id(value: &Value, faults: &mut Vec<Fault>) -> Option<String> {
    let text = match value {
        Value::Null => "",
        Value::Text(text) => text.trim(),
        _ => "?",
    };
    let fits =
        text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let alert = match text {
        "" => AlertKey::ProjectIdNotConfigured,
        _ if !fits => AlertKey::InvalidProjectId,
        _ => return Some(text.into()),
    };
    faults.push(Fault { alert, detail: "projectId".into() });
    None
}

/// Parses a network. An icon in `chainImages`, by CAIP-2 id or chain id, takes precedence over the network's own.
pub(super) fn read_network(value: &Value, images: &Map<String, String>) -> Result<Network, NetworkError> {
    let mut network = Network::from_host(value)?;
    if let Some(image) = images.get(&network.caip_network_id.to_string()).or(images.get(&network.id)) {
        network.assets.image_url = Some(image.clone());
    }
    Ok(network)
}

pub(super) fn networks(value: &Value, images: &Map<String, String>, faults: &mut Vec<Fault>) -> Vec<Rc<Network>> {
    let mut networks: Vec<Rc<Network>> = Vec::new();
    let items = value.as_list().unwrap_or_default();
    for (index, item) in items.iter().enumerate() {
        match read_network(item, images) {
            // A duplicate network is not added (spec 4.20).
            Ok(network) if networks.iter().any(|known| known.caip_network_id == network.caip_network_id) => {
                refuse(&["networks[", &index.to_string(), "]: listed twice, used once"].concat(), faults);
            }
            Ok(network) => networks.push(Rc::new(network)),
            Err(error) => refuse(&["networks[", &index.to_string(), "]: ", &error.to_string()].concat(), faults),
        }
    }
    if networks.is_empty() && faults.is_empty() {
        let detail = match value {
            Value::Null | Value::List(_) => "networks: add at least one network",
            _ => "networks: use a list of networks",
        };
        refuse(detail, faults);
    }
    networks
}

pub(super) fn adapters(value: &Value, faults: &mut Vec<Fault>) -> Vec<Namespace> {
    let items = value.as_list();
    if items.is_none() && !value.is_null() {
        refuse("adapters: use a list of adapters", faults);
    }
    let mut adapters = Vec::new();
    for item in items.unwrap_or_default() {
        match Namespace::from_word(item.get("namespace").as_str().unwrap_or_default()) {
            Some(namespace) if adapters.contains(&namespace) => {}
            Some(namespace) => adapters.push(namespace),
            None => refuse("adapters: an adapter has no known namespace", faults),
        }
    }
    adapters
}

/// Network to use when none is stored; must be one of the host's.
pub(super) fn default_network(value: &Value, networks: &[Rc<Network>], faults: &mut Vec<Fault>) -> Option<ChainId> {
    value.as_object()?;
    let wanted = Network::from_host(value).ok().map(|network| current_id(network.caip_network_id, networks));
    let known = wanted.filter(|wanted| networks.iter().any(|network| network.caip_network_id == *wanted));
    if known.is_none() {
        refuse("defaultNetwork: not one of the networks", faults);
    }
    known
}

/// One base URL, as text or under `base`; each service has its path below it.
pub(super) fn endpoint(value: &Value, faults: &mut Vec<Fault>) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let text = value.as_str().or(value.get("base").as_str()).unwrap_or_default();
    if link(&Value::Text(text.into())).is_some() || text.starts_with('/') {
        return Some(text.trim_end_matches('/').into());
    }
    refuse("endpoints: use a URL or a path", faults);
    None
}

/// Base address of the embedded wallet's frame: https, or http on this machine. It needs a project. A host that asks for a login by e-mail or
/// for socials without it has to know that nobody is offered one.
pub(super) fn embedded_wallet(value: &Value, project: bool, faults: &mut Vec<Fault>) -> Option<String> {
    let url = value.get("embeddedWallet").get("url");
    let named = url.as_str().filter(|text| is_frame(text)).map(|text| text.trim_end_matches('/').to_string());
    let features = value.get("features");
    let asked = features.get("email").as_bool() == Some(true)
        || features.get("socials").as_list().is_some_and(|socials| !socials.is_empty());
    let detail = match (&named, url) {
        (Some(_), _) if project => return named,
        (Some(_), _) => "embeddedWallet: needs a projectId",
        (None, Value::Null) if !asked && value.get("embeddedWallet").is_null() => return None,
        (None, Value::Null) if asked => "features.email, features.socials: need embeddedWallet: { url }",
        _ => "embeddedWallet.url: use an https URL",
    };
    refuse(detail, faults);
    None
}

/// Whether an address can be that of the frame: a page of its own origin that no one between can change.
fn is_frame(url: &str) -> bool {
    let local = ["http://localhost", "http://127.0.0.1", "http://[::1]"]
        .iter()
        .any(|start| url.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/'])));
    is_page(url) && (url.starts_with("https://") || local) && !url.contains(['?', '#', '@'])
}

/// Whether there is a valid relay: each needs a URL, and a project of its own if the host has none.
pub(super) fn relays(value: &Value, project: bool, faults: &mut Vec<Fault>) -> bool {
    let is_one = |relay: &&Value| {
        let url = relay.get("relayUrl").as_str().unwrap_or_default();
        url.starts_with("wss://") || url.starts_with("ws://")
    };
    let items = value.as_list().unwrap_or_default();
    let (mut there, mut count) = (false, 0);
    for relay in items.iter().filter(is_one) {
        count += 1;
        there |= project || relay.get("projectId").as_str().is_some();
    }
    if count < items.len() || !value.is_null() && value.as_list().is_none() {
        refuse("relays: use a list of { relayUrl, projectId } with wss URLs", faults);
    }
    there
}

/// Chain on which names are resolved: Ethereum, if the host names no other.
pub(super) fn ens_chain(value: &Value, faults: &mut Vec<Fault>) -> ChainId {
    let chain = value.as_str().and_then(|text| text.parse::<ChainId>().ok());
    let chain = chain.filter(|chain| chain.namespace() == Namespace::Eip155);
    if chain.is_none() && !value.is_null() {
        refuse("ensChain: use the CAIP-2 id of an EVM chain, such as eip155:1", faults);
    }
    chain.unwrap_or_else(|| ChainId::eip155(1))
}

/// RPC URLs by CAIP-2 id; invalid ones are skipped.
pub(super) fn custom_rpc_urls(
    value: &Value,
    networks: &[Rc<Network>],
    ens_chain: &ChainId,
    faults: &mut Vec<Fault>,
) -> Map<String, Vec<String>> {
    let mut fault = |place: &[&str]| refuse(&[&["customRpcUrls"], place].concat().concat(), faults);
    if !value.is_null() && value.as_object().is_none() {
        fault(&[": use { 'eip155:1': [{ url }] }"]);
    }
    let mut all = Map::default();
    for (chain, listed) in value.as_object().unwrap_or_default().iter() {
        let known = networks.iter().any(|network| network.caip_network_id.to_string() == *chain);
        if !known && ens_chain.to_string() != *chain {
            fault(&[".", chain, ": not the CAIP-2 id of one of the networks"]);
        }
        let items = listed.as_list().unwrap_or_default();
        let urls: Vec<String> = items.iter().filter_map(|item| link(item.get("url"))).collect();
        if urls.is_empty() || urls.len() < items.len() {
            fault(&[".", chain, ": use a list of { url } with http URLs"]);
        }
        all.insert(chain.clone(), urls);
    }
    all
}

pub(super) fn account_kinds(value: &Value) -> Map<Namespace, AccountKind> {
    let fields = value.as_object().unwrap_or_default().iter();
    let named =
        |(name, kind): &(String, Value)| Some((Namespace::from_word(name)?, AccountKind::from_word(kind.as_str()?)?));
    fields.filter_map(named).collect()
}

pub(super) fn texts(value: &Value) -> Vec<String> {
    value.as_list().unwrap_or_default().iter().filter_map(Value::as_str).map(Into::into).collect()
}

pub(super) fn pictures(value: &Value) -> Map<String, String> {
    let fields = value.as_object().unwrap_or_default().iter();
    fields.filter_map(|(id, url)| Some((id.clone(), url.as_str()?.into()))).collect()
}

/// Page that the visitor may open.
pub(super) fn page(value: &Value) -> Option<String> {
    value.as_str().filter(|url| is_page(url)).map(Into::into)
}

/// Address for requests.
fn link(value: &Value) -> Option<String> {
    value.as_str().filter(|url| url.starts_with("https://") || url.starts_with("http://")).map(Into::into)
}
