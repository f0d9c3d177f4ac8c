//! Requested and allowed chains, methods and events of a session (CAIP-25; `clients/sign/namespaces.md`).

use crate::search::split_last;
use portico_json::{Json, Map};

/// Namespaces that a dapp requests, by namespace (`eip155`) or chain (`eip155:1`).
pub type ProposalNamespaces = Map<String, ProposalNamespace>;

/// Namespaces that a wallet allows, by namespace or chain.
pub type SessionNamespaces = Map<String, SessionNamespace>;

/// Chains, methods and events that a dapp requests in a namespace.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct ProposalNamespace {
    /// CAIP-2 chains; not needed if the key is a chain.
    pub chains: Option<Vec<String>>,
    /// JSON-RPC methods, for instance `personal_sign`.
    pub methods: Vec<String>,
    /// Events, for instance `accountsChanged`.
    pub events: Vec<String>,
}

/// Accounts, methods and events that a wallet allows in a namespace.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionNamespace {
    /// CAIP-2 chains; by default those of the accounts.
    pub chains: Option<Vec<String>>,
    /// CAIP-10 accounts.
    pub accounts: Vec<String>,
    /// JSON-RPC methods, for instance `personal_sign`.
    pub methods: Vec<String>,
    /// Events, for instance `accountsChanged`.
    pub events: Vec<String>,
}

/// Reason why namespaces are refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NamespaceFault {
    /// A key is neither a CAIP-2 namespace nor a CAIP-2 chain.
    Key,
    /// A namespace lists no chains, and its key is not a chain.
    ChainsEmpty,
    /// A chain is not a CAIP-2 id.
    ChainForm,
    /// A chain is listed under the key of another namespace.
    ChainPlace,
    /// A namespace lists no accounts.
    AccountsEmpty,
    /// An account is not a CAIP-10 id.
    AccountForm,
    /// An account is listed under the key of another namespace.
    AccountPlace,
    /// A required chain has no account.
    ChainMissing,
    /// A required namespace is missing, or the session has no namespaces.
    NamespaceMissing,
    /// A required method is missing.
    MethodMissing,
    /// A required event is missing.
    EventMissing,
}

impl NamespaceFault {
    /// Error code of WalletConnect.
    pub fn code(self) -> i64 {
        match self {
            NamespaceFault::Key => 5104,
            NamespaceFault::ChainsEmpty | NamespaceFault::ChainForm | NamespaceFault::ChainPlace => 5100,
            NamespaceFault::AccountsEmpty | NamespaceFault::AccountForm | NamespaceFault::ChainMissing => 5001,
            NamespaceFault::AccountPlace => 5103,
            NamespaceFault::NamespaceMissing => 5000,
            NamespaceFault::MethodMissing => 5002,
            NamespaceFault::EventMissing => 5003,
        }
    }

    /// Error text of the specification.
    pub fn text(self) -> &'static str {
        match self {
            NamespaceFault::Key => "Namespace formatting must match CAIP-2",
            NamespaceFault::ChainsEmpty => "Chains must not be empty",
            NamespaceFault::ChainForm => "Chains must be CAIP-2 compliant",
            NamespaceFault::ChainPlace => "Chains must be defined in matching namespace",
            NamespaceFault::AccountsEmpty => "Accounts must not be empty",
            NamespaceFault::AccountForm => "Accounts must be CAIP-10 compliant",
            NamespaceFault::AccountPlace => "Accounts must be defined in matching namespace",
            NamespaceFault::ChainMissing => "All chains must have at least one account",
            NamespaceFault::NamespaceMissing => "All namespaces must be approved",
            NamespaceFault::MethodMissing => "All methods must be approved",
            NamespaceFault::EventMissing => "All events must be approved",
        }
    }
}

/// Checks that a proposal is well formed. An empty one is valid: it requests whatever the wallet has.
pub fn check_proposal(namespaces: &ProposalNamespaces) -> Result<(), NamespaceFault> {
    for (key, namespace) in namespaces.iter() {
        check_key(key)?;
        match &namespace.chains {
            Some(chains) if !chains.is_empty() => check_chains(key, chains)?,
            None if key.contains(':') => {}
            _ => return Err(NamespaceFault::ChainsEmpty),
        }
    }
    Ok(())
}

/// Checks that the namespaces of a wallet are well formed and have all that is required. They may have more.
pub fn check_session(namespaces: &SessionNamespaces, required: &ProposalNamespaces) -> Result<(), NamespaceFault> {
    for (key, namespace) in namespaces.iter() {
        check_key(key)?;
        check_chains(key, namespace.chains.as_deref().unwrap_or_default())?;
        if namespace.accounts.is_empty() {
            return Err(NamespaceFault::AccountsEmpty);
        }
        for account in &namespace.accounts {
            let chain = chain_of(account).ok_or(NamespaceFault::AccountForm)?;
            if !belongs(chain, key) {
                return Err(NamespaceFault::AccountPlace);
            }
        }
    }
    for (key, asked) in required.iter() {
        check_required(namespaces, key, asked)?;
    }
    if namespaces.iter().next().is_none() { Err(NamespaceFault::NamespaceMissing) } else { Ok(()) }
}

fn check_required(namespaces: &SessionNamespaces, key: &str, asked: &ProposalNamespace) -> Result<(), NamespaceFault> {
    if !namespaces.iter().any(|(allowed, _)| namespace_of(allowed) == namespace_of(key)) {
        return Err(NamespaceFault::NamespaceMissing);
    }
    let own = [key.to_owned()];
    for chain in asked.chains.as_deref().unwrap_or(&own) {
        let covering = || covering(namespaces, chain);
        if !covering().any(|namespace| namespace.accounts.iter().any(|account| chain_of(account) == Some(chain))) {
            return Err(NamespaceFault::ChainMissing);
        }
        if !asked.methods.iter().all(|method| covering().any(|namespace| namespace.methods.contains(method))) {
            return Err(NamespaceFault::MethodMissing);
        }
        if !asked.events.iter().all(|event| covering().any(|namespace| namespace.events.contains(event))) {
            return Err(NamespaceFault::EventMissing);
        }
    }
    Ok(())
}

/// Namespaces that apply to a chain: the one under its own key, and that of its namespace if it lists the chain or an account on it.
fn covering<'a>(namespaces: &'a SessionNamespaces, chain: &'a str) -> impl Iterator<Item = &'a SessionNamespace> {
    namespaces.iter().filter_map(move |(key, namespace)| {
        let listed = (key == chain && is_chain(chain))
            || (key == namespace_of(chain)
                && (namespace.chains.iter().flatten().any(|known| known == chain)
                    || namespace.accounts.iter().any(|account| chain_of(account) == Some(chain))));
        listed.then_some(namespace)
    })
}

/// Whether a session includes a chain.
pub fn allows_chain(namespaces: &SessionNamespaces, chain: &str) -> bool {
    covering(namespaces, chain).next().is_some()
}

/// Whether a session allows a method on a chain.
pub fn allows_method(namespaces: &SessionNamespaces, chain: &str, method: &str) -> bool {
    covering(namespaces, chain).any(|namespace| namespace.methods.iter().any(|known| known == method))
}

/// Whether a session allows an event on a chain.
pub fn allows_event(namespaces: &SessionNamespaces, chain: &str, event: &str) -> bool {
    covering(namespaces, chain).any(|namespace| namespace.events.iter().any(|known| known == event))
}

fn check_key(key: &str) -> Result<(), NamespaceFault> {
    if is_namespace(key) || is_chain(key) { Ok(()) } else { Err(NamespaceFault::Key) }
}

fn check_chains(key: &str, chains: &[String]) -> Result<(), NamespaceFault> {
    for chain in chains {
        if !is_chain(chain) {
            return Err(NamespaceFault::ChainForm);
        }
        if !belongs(chain, key) {
            return Err(NamespaceFault::ChainPlace);
        }
    }
    Ok(())
}

fn belongs(chain: &str, key: &str) -> bool {
    chain == key || namespace_of(chain) == key
}

/// Namespace of a chain or a key: `eip155` for `eip155:1` and for `eip155`.
pub fn namespace_of(chain: &str) -> &str {
    chain.split_once(':').map_or(chain, |parts| parts.0)
}

/// Whether a text is a CAIP-2 namespace, `[-a-z0-9]{3,8}`.
fn is_namespace(text: &str) -> bool {
    (3..=8).contains(&text.len())
        && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Whether a text is a CAIP-2 chain: a namespace and `[-_a-zA-Z0-9]{1,32}`.
pub fn is_chain(text: &str) -> bool {
    text.split_once(':').is_some_and(|(namespace, reference)| {
        is_namespace(namespace)
            && (1..=32).contains(&reference.len())
            && reference.bytes().all(|byte| matches!(byte, b'-' | b'_') || byte.is_ascii_alphanumeric())
    })
}

/// Chain of a CAIP-10 account, whose address is `[-.%a-zA-Z0-9]{1,128}`; `None` if the text is not an account.
pub fn chain_of(account: &str) -> Option<&str> {
    let (chain, address) = split_last(account)?;
    let fits = is_chain(chain)
        && (1..=128).contains(&address.len())
        && address.bytes().all(|byte| matches!(byte, b'-' | b'.' | b'%') || byte.is_ascii_alphanumeric());
    fits.then_some(chain)
}
