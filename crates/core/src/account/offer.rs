//! Features of the host's server from its project configuration: requested once, and read by all features through the facts.

use super::Reason;
use crate::config::{Feature, Features, SWAP_CHAINS, WalletFeature, supported_on};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::http::{Request, encode};
use portico_api::project::SwapConfig;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace, Network};
use std::rc::Rc;

/// The fields of a [`ProjectConfig`](portico_api::project::ProjectConfig) that are read here: what is not read costs no code.
#[derive(Clone, Debug, Default, Json)]
struct Served {
    chains: Vec<String>,
    features: Vec<String>,
    names: Option<String>,
    swap: Option<SwapConfig>,
}

/// Features of the server; empty until it responded.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Offer {
    /// Parent of names that can be registered: "example.eth".
    pub names: Option<String>,
    /// Chains with swaps.
    pub swap: Vec<ChainId>,
    /// Whether on-ramp providers are configured.
    pub onramp: bool,
    /// Networks of Bitcoin that the server asks. There are no other nodes for them: see [`crate::rpc`].
    pub bitcoin: Vec<ChainId>,
}

impl Offer {
    /// Whether the server supports a feature on this chain.
    pub fn has(&self, feature: WalletFeature, chain: &ChainId) -> bool {
        match feature {
            WalletFeature::Swaps => self.swap.contains(chain),
            WalletFeature::Onramp => self.onramp,
            WalletFeature::Send => self.reads(chain),
            WalletFeature::Receive => true,
        }
    }

    /// Whether an account on this chain can be read: on Bitcoin, only by the server.
    pub fn reads(&self, chain: &ChainId) -> bool {
        chain.namespace() != Namespace::Bip122 || self.bitcoin.contains(chain)
    }

    fn new(config: Served) -> Offer {
        let has = |word: &str| config.features.iter().any(|known| known == word);
        let swap = match &config.swap {
            _ if !has("swap") => Vec::new(),
            Some(swap) => swap.chains.iter().filter_map(|chain| chain.parse().ok()).collect(),
            // A server without a list of chains supports those of the contract (spec 9.10).
            None => SWAP_CHAINS.iter().map(|id| ChainId::eip155(*id)).collect(),
        };
        // The parent is part of a text that the visitor signs.
        let plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
        let names = config.names.filter(|parent| !parent.is_empty() && parent.bytes().all(plain));
        let chains = config.chains.iter().filter_map(|chain| chain.parse().ok());
        let bitcoin = chains.filter(|chain: &ChainId| chain.namespace() == Namespace::Bip122).collect();
        Offer { names, swap, onramp: has("onramp"), bitcoin }
    }
}

/// Features of the server, and whether they were requested.
#[derive(Debug, Default)]
pub struct Offered {
    asked: bool,
    known: Rc<Offer>,
}

impl Offered {
    /// Features known so far.
    pub fn known(&self) -> Rc<Offer> {
        self.known.clone()
    }

    /// Requests the features, once, as soon as there is an account.
    pub fn ask(&mut self, cx: &mut Cx) {
        let project = cx.facts.options.project_id.clone().filter(|_| cx.facts.account.is_some() && !self.asked);
        if let Some(project) = project {
            let path = ["/v1/project/", &encode(&project), "/config"].concat();
            self.asked = cx.http(Request::get(path), Reason::Offer);
        }
    }

    /// Response of the server. After a failure the request is repeated the next time the account is shown.
    pub fn answered(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match answer {
            Ok(config) => self.known = Rc::new(cx.read(&config).map(Offer::new).unwrap_or_default()),
            Err(_) => self.asked = false,
        }
    }
}

/// Buttons of an account in the host's order (spec 6.8): enabled (spec 6.4), supported by the namespace (spec 6.9), and available on the
/// server.
pub fn wallet_features(
    namespace: Namespace,
    network: Option<&Network>,
    features: &Features,
    offer: &Offer,
) -> Vec<WalletFeature> {
    let Some(network) = network else { return Vec::new() };
    let there = |feature: &WalletFeature| {
        let possible = match feature {
            WalletFeature::Onramp => features.onramp && supported_on(Feature::Onramp, namespace),
            WalletFeature::Swaps => features.swaps && namespace == Namespace::Eip155,
            WalletFeature::Receive => features.receive,
            WalletFeature::Send => features.send && namespace != Namespace::Polkadot,
        };
        possible && offer.has(*feature, &network.caip_network_id)
    };
    features.wallet_features_order.iter().copied().filter(there).collect()
}

impl Facts {
    /// Whether the active account has a button for this feature.
    pub fn has(&self, feature: WalletFeature) -> bool {
        self.account.as_ref().is_some_and(|account| {
            wallet_features(account.namespace, self.active_network.as_deref(), &self.options.features, &self.offer)
                .contains(&feature)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    const ALL: [WalletFeature; 4] =
        [WalletFeature::Onramp, WalletFeature::Swaps, WalletFeature::Receive, WalletFeature::Send];

    fn network(id: &str, namespace: &str) -> Network {
        let text = format!(
            r#"{{"id":"{id}","chainNamespace":"{namespace}","name":"Net","nativeCurrency":{{"name":"Coin","symbol":"C","decimals":9}},"rpcUrls":{{"default":{{"http":["https://node.example"]}}}}}}"#
        );
        Network::from_host(&parse(&text).unwrap()).unwrap()
    }

    fn offer(features: &[&str], swap: Option<SwapConfig>) -> Offer {
        let features = features.iter().map(|word| String::from(*word)).collect();
        Offer::new(Served { features, swap, ..Served::default() })
    }

    fn on_chains(chains: &[&str]) -> Option<SwapConfig> {
        let chains = chains.iter().map(|chain| String::from(*chain)).collect();
        Some(SwapConfig { chains, ..SwapConfig::default() })
    }

    fn features_on(network: &Network, offer: &Offer) -> Vec<WalletFeature> {
        wallet_features(network.chain_namespace, Some(network), &Features::default(), offer)
    }

    const SOLANA: &str = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
    const BITCOIN: &str = "000000000019d6689c085ae165831e93";

    #[test]
    fn spec_6_8_the_default_order_is_onramp_swaps_receive_send_and_the_host_may_give_another() {
        let everything = offer(&["swap", "onramp"], None);
        let mainnet = network("1", "eip155");
        assert_eq!(features_on(&mainnet, &everything), ALL);
        let features = Features { wallet_features_order: vec![ALL[3], ALL[0]], ..Features::default() };
        assert_eq!(wallet_features(Namespace::Eip155, Some(&mainnet), &features, &everything), [ALL[3], ALL[0]]);
    }

    #[test]
    fn spec_6_4_each_of_them_can_be_switched_off() {
        let everything = offer(&["swap", "onramp"], None);
        let mainnet = network("1", "eip155");
        let on = Features::default();
        let without = [
            Features { onramp: false, ..on.clone() },
            Features { swaps: false, ..on.clone() },
            Features { receive: false, ..on.clone() },
            Features { send: false, ..on },
        ];
        for (feature, features) in ALL.iter().zip(without) {
            let shown = wallet_features(Namespace::Eip155, Some(&mainnet), &features, &everything);
            assert!(shown.len() == 3 && !shown.contains(feature), "{feature:?}: {shown:?}");
        }
    }

    #[test]
    fn spec_6_9_onramp_and_sending_are_there_on_eip155_and_solana_and_swaps_on_eip155() {
        let everything = offer(&["swap", "onramp"], None);
        assert_eq!(features_on(&network(SOLANA, "solana"), &everything), [ALL[0], ALL[2], ALL[3]]);
        assert_eq!(features_on(&network(BITCOIN, "bip122"), &everything), [ALL[2]]);
    }

    #[test]
    fn sending_on_bitcoin_is_there_where_the_server_asks_nodes_of_the_network() {
        let chains = vec!["eip155:1".into(), "nonsense".into(), format!("bip122:{BITCOIN}")];
        let serving = Offer::new(Served { chains, ..Served::default() });
        assert_eq!(features_on(&network(BITCOIN, "bip122"), &serving), [ALL[2], ALL[3]]);
        assert_eq!(features_on(&network("00000008819873e925422c1ff0f99f7c", "bip122"), &serving), [ALL[2]]);
    }

    #[test]
    fn spec_9_10_swaps_are_offered_on_the_chains_that_the_server_names_or_else_on_those_of_the_contract() {
        let anywhere = offer(&["swap"], None);
        for (id, there) in [("1", true), ("1313161554", true), ("56", true), ("5", false), ("31337", false)] {
            assert_eq!(features_on(&network(id, "eip155"), &anywhere).contains(&ALL[1]), there, "{id}");
        }
        let named = offer(&["swap"], on_chains(&["eip155:31337", "nonsense"]));
        assert!(features_on(&network("31337", "eip155"), &named).contains(&ALL[1]));
        assert!(!features_on(&network("1", "eip155"), &named).contains(&ALL[1]));
    }

    #[test]
    fn what_the_server_does_not_say_that_it_has_is_hidden_whatever_else_it_says() {
        let mainnet = network("1", "eip155");
        for silent in [offer(&[], None), offer(&["swaps", ""], None), offer(&[], on_chains(&["eip155:1"]))] {
            assert_eq!(features_on(&mainnet, &silent), [ALL[2], ALL[3]], "{silent:?}");
        }
        // A config that is none offers nothing, and parts of lists that are none cost only themselves.
        let mut offered = Offered::default();
        let facts = Facts::default();
        let mut cx = Cx::new(0, &facts);
        for (text, buttons) in [
            ("null", &[ALL[2], ALL[3]] as &[_]),
            ("{}", &[ALL[2], ALL[3]]),
            (r#"{"features":"swap"}"#, &[ALL[2], ALL[3]]),
            (
                r#"{"id":"a","originAllowed":true,"chains":[],"features":[["swap"],{"onramp":true},7,"onramp"],"limits":{}}"#,
                &[ALL[0], ALL[2], ALL[3]],
            ),
        ] {
            offered.answered(Ok(parse(text).unwrap()), &mut cx);
            assert_eq!(features_on(&mainnet, &offered.known()), buttons, "{text}");
        }
        assert_eq!(cx.skipped, 3);
    }

    #[test]
    fn spec_4_21_on_a_chain_that_the_host_does_not_serve_there_are_none() {
        let everything = offer(&["swap", "onramp"], None);
        assert!(wallet_features(Namespace::Eip155, None, &Features::default(), &everything).is_empty());
    }
}
