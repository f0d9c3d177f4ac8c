//! Networks: a chain with its currency, RPC endpoints and explorers.

use crate::coin_type::CoinTypeError;
use crate::{ChainId, link};
use portico_json::{Json, Map, Read, ReadError, Value};
use std::rc::Rc;

/// Native coin of a chain.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Currency {
    /// Name: "Ether".
    pub name: String,
    /// Number of decimals, such as 18.
    pub decimals: u8,
    /// Symbol: "ETH".
    pub symbol: String,
}

/// Block explorer: a site that shows blocks and transactions.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Explorer {
    /// Name: "Etherscan".
    pub name: String,
    /// URL of the site, without a path.
    pub url: String,
}

/// RPC endpoints of a network.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RpcUrls {
    /// Endpoints that are used first.
    pub default: HttpUrls,
    /// The chain's own endpoints, preserved if `default` was replaced.
    pub chain_default: Option<HttpUrls>,
}

/// List of http endpoints.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct HttpUrls {
    /// URLs in the order of preference.
    pub http: Vec<String>,
}

/// Icon of a network.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Assets {
    /// Icon id, from the directory.
    pub image_id: Option<String>,
    /// Icon URL, from the host.
    pub image_url: Option<String>,
}

/// Network: a chain with its currency, RPC endpoints and explorers (spec 3.7), in the field names that hosts read.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Network {
    /// Number of an EVM chain, reference of any other chain; text, since it can be either.
    pub id: String,
    /// CAIP-2 id of the chain.
    pub caip_network_id: ChainId,
    /// Namespace of `caipNetworkId`.
    pub chain_namespace: crate::Namespace,
    /// Name shown to the visitor.
    pub name: String,
    /// Short name that some libraries expect.
    pub network: Option<String>,
    pub native_currency: Currency,
    pub rpc_urls: RpcUrls,
    /// Block explorers by key; the main one has the key `default`.
    pub block_explorers: Map<String, Explorer>,
    /// Whether this is a test network; identities are not looked up on test networks (spec 4.40).
    pub testnet: bool,
    /// Icon.
    pub assets: Assets,
    /// Older CAIP-2 id of the same chain.
    pub deprecated_caip_network_id: Option<String>,
    /// Factor by which the base fee may rise before the next block, in millionths and at least 1 (spec 5.33); `None` for the usual one.
    #[json(skip)]
    pub base_fee_multiplier: Option<u32>,
}

/// Error for a network of a host that cannot be used. Each message says what to fix.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NetworkError {
    /// `id` is neither a number nor a text, or `caipNetworkId` is not CAIP-2.
    #[error("Invalid CAIP-2 network id")]
    Id,
    /// The id of an EVM network is no positive number of 64 bits (spec 8.29).
    #[error("{CoinTypeError}")]
    ChainId,
    /// The name is missing or empty.
    #[error("Add a name to the network")]
    Name,
    /// The currency is missing or incomplete.
    #[error("Add a nativeCurrency with name, symbol and decimals to the network")]
    Currency,
    /// There is no http endpoint.
    #[error("Add at least one URL to rpcUrls.default.http of the network")]
    RpcUrl,
    /// The base fee multiplier is below 1, or no number (spec 5.33).
    #[error("Use a number of at least 1 as fees.baseFeeMultiplier")]
    BaseFee,
}

impl Network {
    /// Reads only the id of a host's network object: its CAIP-2 id, or its number or reference with the namespace (eip155 by default).
    pub fn chain_from_host(value: &Value) -> Result<ChainId, NetworkError> {
        let namespace = value.get("chainNamespace").as_str().unwrap_or("eip155");
        let caip = match value.get("caipNetworkId").as_str() {
            Some(caip) => caip.into(),
            None => [namespace, ":", &id_of(value).ok_or(NetworkError::Id)?].concat(),
        };
        let chain: ChainId = caip.parse().map_err(|_| NetworkError::Id)?;
        let well = chain.namespace() != crate::Namespace::Eip155 || chain.number().is_some_and(|number| number > 0);
        if well { Ok(chain) } else { Err(NetworkError::ChainId) }
    }

    /// Reads a network object of a host: a viem-style chain or a CAIP network. Without `chainNamespace` it is an EVM chain.
    pub fn from_host(value: &Value) -> Result<Network, NetworkError> {
        let id = id_of(value).ok_or(NetworkError::Id)?;
        let chain = Network::chain_from_host(value)?;
        let name = value.get("name").as_str().filter(|name| !name.trim().is_empty()).ok_or(NetworkError::Name)?;
        let rpc_urls = RpcUrls {
            default: http_urls(value.get("rpcUrls").get("default")).ok_or(NetworkError::RpcUrl)?,
            chain_default: http_urls(value.get("rpcUrls").get("chainDefault")),
        };
        Ok(Network {
            id,
            chain_namespace: chain.namespace(),
            caip_network_id: chain,
            name: name.into(),
            network: value.get("network").as_str().map(Into::into),
            native_currency: Currency::read(value.get("nativeCurrency"))
                .map_err(|ReadError(_)| NetworkError::Currency)?,
            rpc_urls,
            block_explorers: explorers(value.get("blockExplorers")),
            testnet: value.get("testnet").as_bool().unwrap_or(false),
            assets: Assets::read(value.get("assets")).unwrap_or_default(),
            deprecated_caip_network_id: value.get("deprecatedCaipNetworkId").as_str().map(Into::into),
            base_fee_multiplier: multiplier(value.get("fees").get("baseFeeMultiplier"))?,
        })
    }

    /// Whether a host's text names this network: by its id, its CAIP-2 id, or the deprecated one.
    pub fn is_named(&self, text: &str) -> bool {
        text == self.id
            || text == self.caip_network_id.to_string()
            || self.deprecated_caip_network_id.as_deref() == Some(text)
    }

    /// Returns the URL of the default explorer, without trailing slashes.
    pub fn explorer_url(&self) -> Option<&str> {
        self.block_explorers.get("default").map(|explorer| explorer.url.trim_end_matches('/'))
    }

    /// Returns the page of the default explorer about a transaction, an account or a token. A query of the explorer's URL, by which explorers of
    /// Solana tell its networks apart, stays at the end.
    pub fn explorer_page(&self, of: &str, what: &str) -> Option<String> {
        let url = self.explorer_url()?;
        let (start, query) = url.split_at(url.find('?').unwrap_or(url.len()));
        Some([start.trim_end_matches('/'), of, what, query].concat())
    }
}

/// Current id of a chain that may be named by the deprecated id of one of these networks.
pub fn current_id(chain: ChainId, networks: &[Rc<Network>]) -> ChainId {
    let text = chain.to_string();
    let is_old = |network: &&Rc<Network>| network.deprecated_caip_network_id.as_ref() == Some(&text);
    if networks.iter().any(|network| network.caip_network_id == chain) {
        return chain;
    }
    networks.iter().find(is_old).map_or(chain, |network| network.caip_network_id.clone())
}

/// Whether a URL is http(s), so that requests can be sent to it.
fn is_http(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// Multiplier in millionths, as viem's `fees.baseFeeMultiplier`. A function does not cross to the core, and so has the value `null` here.
fn multiplier(value: &Value) -> Result<Option<u32>, NetworkError> {
    let Value::Number(text) = value else {
        return if value.is_null() { Ok(None) } else { Err(NetworkError::BaseFee) };
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let missing = "000000".get(fraction.len()..).ok_or(NetworkError::BaseFee)?;
    match [whole, fraction, missing].concat().parse() {
        Ok(millionths) if millionths >= 1_000_000 => Ok(Some(millionths)),
        _ => Err(NetworkError::BaseFee),
    }
}

fn id_of(value: &Value) -> Option<String> {
    match value.get("id") {
        Value::Number(text) | Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn http_urls(value: &Value) -> Option<HttpUrls> {
    let http: Vec<String> = value
        .get("http")
        .as_list()?
        .iter()
        .filter_map(Value::as_str)
        .filter(|url| is_http(url))
        .map(Into::into)
        .collect();
    if http.is_empty() { None } else { Some(HttpUrls { http }) }
}

fn explorers(value: &Value) -> Map<String, Explorer> {
    let fields = value.as_object().unwrap_or_default();
    let known = fields.iter().filter_map(|(name, value)| Some((name.clone(), Explorer::read(value).ok()?)));
    // The visitor opens an explorer; an address for requests may be http elsewhere too.
    known.filter(|(_, explorer)| link::is_page(&explorer.url)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    const MAINNET: &str = r#"{"id":1,"name":"Ethereum","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},
        "rpcUrls":{"default":{"http":["https://eth.example"]}},"blockExplorers":{"default":{"name":"Scan","url":"https://scan.example/"},
        "evil":{"name":"Evil","url":"javascript:alert(1)"}}}"#;

    fn with(change: &str, to: &str) -> Result<Network, NetworkError> {
        Network::from_host(&parse(&MAINNET.replace(change, to)).unwrap())
    }

    #[test]
    fn pages_of_an_explorer_keep_the_query_of_its_url() {
        for (url, page) in [
            ("https://scan.example/", "https://scan.example/tx/5Kx"),
            ("https://scan.example/testnet4", "https://scan.example/testnet4/tx/5Kx"),
            ("https://scan.example/?cluster=devnet", "https://scan.example/tx/5Kx?cluster=devnet"),
        ] {
            let network = with("https://scan.example/", url).unwrap();
            assert_eq!(network.explorer_page("/tx/", "5Kx").as_deref(), Some(page));
        }
    }

    #[test]
    fn spec_3_7_a_network_carries_the_fields_of_the_contract() {
        let network = with("", "").unwrap();
        assert_eq!(network.caip_network_id.to_string(), "eip155:1");
        assert_eq!(network.native_currency.symbol, "ETH");
        assert_eq!(network.explorer_url(), Some("https://scan.example"));
        assert!(!network.testnet);
        let text = portico_json::to_text(&network);
        for field in [
            "id",
            "caipNetworkId",
            "chainNamespace",
            "name",
            "network",
            "nativeCurrency",
            "rpcUrls",
            "chainDefault",
            "blockExplorers",
            "testnet",
            "assets",
            "imageId",
            "imageUrl",
            "deprecatedCaipNetworkId",
        ] {
            assert!(text.contains(&format!("\"{field}\":")), "{field}");
        }
    }

    #[test]
    fn a_network_of_another_namespace_names_it() {
        let network =
            with(r#""id":1,"#, r#""id":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp","chainNamespace":"solana","#).unwrap();
        assert_eq!(network.caip_network_id.to_string(), "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp");
    }

    #[test]
    fn a_network_with_a_fault_is_refused_with_what_to_fix() {
        assert_eq!(with(r#""id":1"#, r#""id":null"#), Err(NetworkError::Id));
        assert_eq!(with(r#""id":1"#, r#""id":0"#), Err(NetworkError::ChainId));
        assert_eq!(with(r#""id":1"#, r#""id":-1"#), Err(NetworkError::ChainId));
        assert_eq!(with(r#""id":1"#, r#""id":"1","chainNamespace":"cosmos""#), Err(NetworkError::Id));
        assert_eq!(with(r#""name":"Ethereum""#, r#""name":" ""#), Err(NetworkError::Name));
        assert_eq!(with(r#""decimals":18"#, r#""decimals":"18""#), Err(NetworkError::Currency));
        assert_eq!(with(r#"["https://eth.example"]"#, "[]"), Err(NetworkError::RpcUrl));
        assert_eq!(with("https://eth.example", "ftp://eth.example"), Err(NetworkError::RpcUrl));
        for fees in ["0.999999", "0", "-2", "4295", "1.0000001", "1e-7", r#""1.5""#, "true", "[]", "{}"] {
            let fees = format!(r#""fees":{{"baseFeeMultiplier":{fees}}},"id":1"#);
            assert_eq!(with(r#""id":1"#, &fees), Err(NetworkError::BaseFee), "{fees}");
        }
    }

    #[test]
    fn spec_5_33_the_base_fee_multiplier_of_a_network_is_at_least_1() {
        let multiplier =
            |fees: &str| with(r#""id":1"#, &format!(r#""fees":{fees},"id":1"#)).unwrap().base_fee_multiplier;
        for (fees, millionths) in [
            ("null", None),
            ("{}", None),
            (r#"{"baseFeeMultiplier":1}"#, Some(1_000_000)),
            (r#"{"baseFeeMultiplier":1.25}"#, Some(1_250_000)),
            (r#"{"baseFeeMultiplier":25}"#, Some(25_000_000)),
        ] {
            assert_eq!(multiplier(fees), millionths, "{fees}");
        }
    }

    #[test]
    fn an_explorer_that_is_no_web_address_is_left_out() {
        assert!(!with("", "").unwrap().block_explorers.contains_key("evil"));
    }
}
