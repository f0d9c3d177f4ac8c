//! Check of one node: whether it responds, serves the chain, and has a recent block.

use crate::config::{Chain, Config, Upstream};
use crate::db::Database;
use crate::error::in_words;
use crate::outbound::ConnectFault;
use crate::rpc::inside::{CallFailed, call};
use crate::rpc::socket::opens;
use crate::shared::Shared;
use crate::state::AppState;
use portico_terms::Namespace;
use reqwest::Url;
use serde_json::{Value, json};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Age of the last block from which a chain is reported, whatever its block time.
const OLD: Duration = Duration::from_secs(600);

/// Difference between this clock and a chain's that is reported: signatures and sessions carry times.
const SKEW: Duration = Duration::from_secs(120);

/// Line about one node.
pub(super) enum Check {
    Ok(String),
    Note(String),
    Wrong(String),
    /// The node gives no usable response; the cause is a sentence about "it".
    Silent {
        host: String,
        cause: String,
    },
}

impl Check {
    /// Host and cause of a silent node.
    pub(super) fn silence(&self) -> Option<String> {
        let Check::Silent { host, cause } = self else { return None };
        Some(format!("{host} ({cause})"))
    }

    /// Whether the node answered by an HTTP status, so that the network works.
    pub(super) fn is_status(&self) -> bool {
        matches!(self, Check::Silent { cause, .. } if status(cause).is_some())
    }
}

/// Asks one node alone: the others of its chain would answer in its place.
pub(super) async fn check_node(config: &Config, chain: &Chain, node: &Upstream) -> Check {
    let host = host(&node.url);
    let (method, params) = match chain.id.namespace() {
        Namespace::Eip155 => ("eth_getBlockByNumber", json!(["latest", false])),
        Namespace::Solana => ("getHealth", json!([])),
        Namespace::Bip122 => ("getblockcount", json!([])),
        other => {
            let said = format!("{host} wasn't asked: the server has no requests of its own on {}", other.word());
            return if chain.methods.is_empty() {
                Check::Note(said + ", and refuses those of pages. List what it passes on in the chain's `methods`.")
            } else {
                Check::Ok(said + ", and passes on only `methods`")
            };
        }
    };
    if !node.methods.is_empty() && !node.methods.iter().any(|allowed| allowed.covers(method)) {
        return Check::Ok(format!("{host} is only for its `methods`, and wasn't asked"));
    }
    let alone = Upstream { tier: 0, rps: None, methods: Vec::new(), ..node.clone() };
    let config = Config { chains: vec![Chain { upstreams: vec![alone], ..chain.clone() }], ..config.clone() };
    let state = match Database::empty().await {
        Ok(database) => AppState::new(&config, database, Shared::in_memory()).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let state = match state {
        Ok(state) => state,
        Err(error) => return Check::Wrong(error),
    };
    let begun = Instant::now();
    let block = match call(&state, &chain.id, method, &params).await {
        Ok(block) => block,
        Err(CallFailed::Refused { code, message, .. }) => return Check::Wrong(refused(&host, code, &message)),
        Err(_) => {
            let cause = state.chain(&chain.id).and_then(|chain| chain.reports().into_iter().find_map(|it| it.failing));
            return Check::Silent { host, cause: cause.unwrap_or_else(|| "it doesn't respond".into()) };
        }
    };
    let took = begun.elapsed().as_millis();
    let wrong = match chain.id.namespace() {
        Namespace::Eip155 => wrong_chain(&state, chain, &host).await,
        Namespace::Solana => wrong_cluster(&state, chain, &host).await,
        Namespace::Bip122 => wrong_network(&state, chain, &host).await,
        Namespace::Polkadot => None,
    };
    if let Some(said) = wrong {
        return Check::Wrong(said);
    }
    if !opens(&state, &chain.id).await {
        let socket = node.ws_url.as_ref().map_or(host, self::host);
        return Check::Wrong(format!("{socket} opens no WebSocket. Check this `ws_url`, or remove it."));
    }
    match age(&block) {
        Some((age, true)) => {
            Check::Wrong(format!("the last block of {host} is {} in the future. Set this machine's clock.", words(age)))
        }
        Some((age, _)) if age > OLD => {
            Check::Note(format!("{host} responds in {took} ms, but its last block is {} old", words(age)))
        }
        _ => Check::Ok(format!("{host} responds in {took} ms")),
    }
}

/// Sentence about a node that answered with an error, with what to do.
fn refused(host: &str, code: i64, message: &str) -> String {
    let message = message.trim_end_matches('.');
    let said = match (code, message) {
        // An error that isn't one of JSON-RPC has neither.
        (0, "") => return format!("{host} answered with an error that isn't JSON-RPC. Check its URL."),
        (_, "") => format!("{host} refused with {code}"),
        _ => format!("{host} refused with {code}: {message}"),
    };
    let next = match code {
        // The node doesn't know the method, or reads requests of another kind (JSON-RPC, section 5.1).
        -32601 | -32600 | -32700 => "Check that its URL in [[chains]] is that of a JSON-RPC node of this chain.",
        -32603 => TROUBLE,
        _ => KEY,
    };
    let stop = if said.ends_with(['!', '?']) { "" } else { "." };
    format!("{said}{stop} {next}")
}

const KEY: &str = "Check the key in its URL, and that your plan there includes this chain and has requests left.";
const TROUBLE: &str = "Try again later, or use another upstream.";

/// HTTP status in the cause of a silent node.
fn status(cause: &str) -> Option<u16> {
    cause.strip_prefix("it answered with status ")?.parse().ok()
}

/// Sentences about a silent node.
pub(super) fn silent(host: &str, cause: &str, is_public: bool) -> String {
    let next = next_step(cause, is_public);
    match cause.strip_prefix("it ") {
        Some(words) if ConnectFault::told(cause).is_some() => format!("{host} {words}. {next}"),
        _ => format!("{host} can't be used: {cause}. {next}"),
    }
}

/// Sentence about a silent node that says what to do. The URL of a public node isn't the operator's.
fn next_step(cause: &str, is_public: bool) -> String {
    if let Some(fault) = ConnectFault::told(cause).filter(|_| !is_public) {
        return fault.next("[[chains]]");
    }
    let next = match status(cause) {
        Some(_) if is_public => "Try again later, or add a node of your own to [[chains]].",
        None if is_public => "Check this machine's network.",
        Some(401 | 402 | 403 | 429) => KEY,
        Some(500..) => TROUBLE,
        Some(_) => "Check its URL in [[chains]].",
        None => "Check its URL in [[chains]], and this machine's network.",
    };
    next.into()
}

/// Sentence about silent nodes of several chains; `answered` says whether all of them gave an HTTP status.
pub(super) fn next_step_for_all(answered: bool, are_public: bool) -> &'static str {
    match (answered, are_public) {
        (_, true) => "Check this machine's network, firewall and DNS, or add nodes of your own to [[chains]].",
        (true, false) => {
            "Check the keys in their URLs, and that your plans there include these chains and have requests left."
        }
        (false, false) => {
            "Check that they run, their URLs in [[chains]], and this machine's network, firewall and DNS."
        }
    }
}

/// Sentence about a second question that a node didn't answer.
fn unanswered(host: &str, error: CallFailed) -> String {
    match error {
        CallFailed::Refused { code, message, .. } => refused(host, code, &message),
        error => format!("{host}: {error}"),
    }
}

fn words(age: Duration) -> String {
    in_words(u32::try_from(age.as_secs()).unwrap_or(u32::MAX))
}

/// Host of a node, without the rest of its URL, which may have a key in it.
pub(super) fn host(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    url.host_str().unwrap_or_default().to_owned() + &port
}

/// Age of a block; true if it is in the future by more than [`SKEW`].
fn age(block: &Value) -> Option<(Duration, bool)> {
    let text = block.get("timestamp")?.as_str()?;
    let at = Duration::from_secs(u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(match now.checked_sub(at) {
        Some(age) => (age, false),
        None => (at - now, at - now > SKEW),
    })
}

/// Sentence about a node of another network of Solana, whose id begins its genesis hash (CAIP-30).
async fn wrong_cluster(state: &AppState, chain: &Chain, host: &str) -> Option<String> {
    other_genesis(state, chain, host, "getGenesisHash", &json!([])).await
}

/// Sentence about a node of another network of Bitcoin, whose id begins the hash of its first block (CAIP-4).
async fn wrong_network(state: &AppState, chain: &Chain, host: &str) -> Option<String> {
    other_genesis(state, chain, host, "getblockhash", &json!([0])).await
}

/// Sentence about a node whose first block, which this call asks for, is not that of the chain.
async fn other_genesis(state: &AppState, chain: &Chain, host: &str, method: &str, params: &Value) -> Option<String> {
    const ID: usize = 32;
    match call(state, &chain.id, method, params).await {
        Ok(said) => {
            let id: String = said.as_str().unwrap_or_default().chars().take(ID).collect();
            let word = chain.id.namespace().word();
            (id != chain.id.reference())
                .then(|| format!("its node serves {word}:{id}, not {}. Use another upstream than {host}.", chain.id))
        }
        Err(error) => Some(unanswered(host, error)),
    }
}

/// Sentence about a node of another chain.
async fn wrong_chain(state: &AppState, chain: &Chain, host: &str) -> Option<String> {
    let (expected, reference) = (&chain.id, chain.id.reference());
    match call(state, expected, "eth_chainId", &json!([])).await {
        Ok(said) => {
            let id = said.as_str().and_then(|text| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok());
            if id.is_some_and(|id| reference.parse() == Ok(id)) {
                return None;
            }
            let served = id.map_or_else(|| format!("no chain: its id is {said}"), |id| format!("eip155:{id}"));
            Some(format!("its node serves {served}, not {expected}. Use another upstream than {host}."))
        }
        Err(error) => Some(unanswered(host, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Flags;
    use std::path::Path;

    #[test]
    fn words_of_a_node_that_end_as_a_sentence_get_no_full_stop() {
        for (words, told) in
            [("Must be authenticated!", "Must be authenticated!"), ("no key.", "no key."), ("no", "no.")]
        {
            assert_eq!(refused("a", -32000, words), format!("a refused with -32000: {told} {KEY}"));
        }
    }

    #[test]
    fn advice_about_public_nodes_names_no_url_because_no_file_has_it() {
        let only_public = |toml: &str| {
            Config::parse(Path::new("portico.toml"), toml, [], &Flags::default()).unwrap().only_public_nodes
        };
        let own = "public_nodes = true\n[[chains]]\nid = \"eip155:7\"\nupstreams = [\"https://node.example\"]\n";
        assert_eq!((only_public("public_nodes = true\n"), only_public(own)), (true, false));
        let refused = "it answered with status 401";
        let unknown = "its name can't be found";
        for told in [next_step(refused, true), next_step(unknown, true), next_step_for_all(true, true).into()] {
            assert!(!told.contains("URL") && !told.contains("key"), "{told}");
        }
        assert!(next_step(refused, false).starts_with("Check the key in its URL"));
        assert!(next_step_for_all(true, false).starts_with("Check the keys in their URLs"));
    }
}
