//! A chain plus currency, RPC urls and explorers.

use crate::ChainId;
use portico_json::{Json, Map, Read, ReadError, Value};

/// The coin of a chain.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Currency {
    /// "Ether"
    pub name: String,
    /// 18
    pub decimals: u8,
    /// "ETH"
    pub symbol: String,
}

/// A site that shows blocks and transactions.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Explorer {
    /// "Etherscan"
    pub name: String,
    /// Its address, without a path.
    pub url: String,
}

/// Addresses of RPC endpoints.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RpcUrls {
    /// Asked first.
    pub default: HttpUrls,
    /// The chain's own, kept where `default` was replaced.
    pub chain_default: Option<HttpUrls>,
}

/// A list of http addresses.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct HttpUrls {
    /// In the order of preference.
    pub http: Vec<String>,
}

/// The picture of a network.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Assets {
    /// By id, from the directory.
    pub image_id: Option<String>,
    /// By address, from the host.
    pub image_url: Option<String>,
}

/// A chain plus currency, RPC urls and explorers (spec 3.7), in the field names that hosts read.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Network {
    /// The number of an EVM chain, else the reference; as text, for it names both.
    pub id: String,
    /// CAIP-2.
    pub caip_network_id: ChainId,
    /// The namespace of `caipNetworkId`.
    pub chain_namespace: crate::Namespace,
    /// What the visitor reads.
    pub name: String,
    /// A short name that some libraries want.
    pub network: Option<String>,
    /// The coin.
    pub native_currency: Currency,
    /// Endpoints.
    pub rpc_urls: RpcUrls,
    /// The first explorer under `default`.
    pub block_explorers: Map<String, Explorer>,
    /// A chain for tests: no identity is looked up (spec 4.40).
    pub testnet: bool,
    /// The picture.
    pub assets: Assets,
    /// An older CAIP-2 id of the same chain.
    pub deprecated_caip_network_id: Option<String>,
}

/// Why a host's network cannot be taken. Each names what to fix.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NetworkError {
    /// `id` is neither a number nor a text, or `caipNetworkId` is not CAIP-2.
    #[error("Invalid CAIP-2 network id")]
    Id,
    /// No name.
    #[error("A network needs a name")]
    Name,
    /// No usable currency.
    #[error("A network needs a nativeCurrency with name, symbol and decimals")]
    Currency,
    /// No http address to ask.
    #[error("A network needs at least one http address in rpcUrls.default.http")]
    RpcUrl,
}

impl Network {
    /// The chain that a host means by a network object, of which only the id is read: its CAIP-2 id, or the number or reference with the
    /// namespace, which is eip155 where none is named.
    pub fn chain_from_host(value: &Value) -> Option<ChainId> {
        let chain: ChainId = match value.get("caipNetworkId").as_str() {
            Some(caip) => caip.parse(),
            None => [value.get("chainNamespace").as_str().unwrap_or("eip155"), ":", &id_of(value)?].concat().parse(),
        }
        .ok()?;
        let well = chain.namespace() != crate::Namespace::Eip155 || chain.number().is_some_and(|number| number > 0);
        well.then_some(chain)
    }

    /// Reads a network as a host gives it: a viem-style chain or a CAIP network. One without `chainNamespace` is an EVM chain.
    pub fn from_host(value: &Value) -> Result<Network, NetworkError> {
        let id = id_of(value).ok_or(NetworkError::Id)?;
        let chain = Network::chain_from_host(value).ok_or(NetworkError::Id)?;
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
        })
    }

    /// The page of a transaction on the default explorer.
    pub fn explorer_url(&self) -> Option<&str> {
        self.block_explorers.get("default").map(|explorer| explorer.url.trim_end_matches('/'))
    }
}

/// A link that is not http(s) would run script where the visitor clicks it.
fn is_http(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
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
    known.filter(|(_, explorer)| is_http(&explorer.url)).collect()
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
        assert_eq!(with(r#""id":1"#, r#""id":0"#), Err(NetworkError::Id));
        assert_eq!(with(r#""id":1"#, r#""id":-1"#), Err(NetworkError::Id));
        assert_eq!(with(r#""id":1"#, r#""id":"1","chainNamespace":"cosmos""#), Err(NetworkError::Id));
        assert_eq!(with(r#""name":"Ethereum""#, r#""name":" ""#), Err(NetworkError::Name));
        assert_eq!(with(r#""decimals":18"#, r#""decimals":"18""#), Err(NetworkError::Currency));
        assert_eq!(with(r#"["https://eth.example"]"#, "[]"), Err(NetworkError::RpcUrl));
        assert_eq!(with("https://eth.example", "ftp://eth.example"), Err(NetworkError::RpcUrl));
    }

    #[test]
    fn an_explorer_that_is_no_web_address_is_left_out() {
        assert!(!with("", "").unwrap().block_explorers.contains_key("evil"));
    }
}
