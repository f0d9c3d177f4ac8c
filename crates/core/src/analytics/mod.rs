//! Tracked events (spec 8.54): told to the host's subscribers, and, unless the host turned analytics off, to the host's own server
//! (spec 7.2).

mod feature;

use crate::cx::Cx;
use crate::effect::{HttpMethod, Operation};
use crate::http::Request;
use portico_api::analytics::{AnalyticsEvent, AnalyticsProps};
use portico_json::{Json, Value, to_text};
use portico_terms::rpc::RpcError;

/// The name of a tracked event.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Name {
    /// The modal opened.
    #[json(rename = "MODAL_OPEN")]
    ModalOpen,
    /// The modal closed.
    #[json(rename = "MODAL_CLOSE")]
    ModalClose,
    /// Another network is active.
    #[json(rename = "SWITCH_NETWORK")]
    SwitchNetwork,
    /// Disconnected.
    #[json(rename = "DISCONNECT_SUCCESS")]
    DisconnectSuccess,
    /// A wallet did not let go.
    #[json(rename = "DISCONNECT_ERROR")]
    DisconnectError,
    /// Connected.
    #[json(rename = "CONNECT_SUCCESS")]
    ConnectSuccess,
    /// The kind of account was changed.
    #[json(rename = "SET_PREFERRED_ACCOUNT_TYPE")]
    SetPreferredAccountType,
    /// A send was handed to the wallet.
    #[json(rename = "SEND_INITIATED")]
    SendInitiated,
    /// The wallet answered with a hash.
    #[json(rename = "SEND_SUCCESS")]
    SendSuccess,
    /// It did not.
    #[json(rename = "SEND_ERROR")]
    SendError,
    /// Transactions could not be fetched.
    #[json(rename = "ERROR_FETCH_TRANSACTIONS")]
    ErrorFetchTransactions,
    /// Signed in.
    #[json(rename = "SIWX_AUTH_SUCCESS")]
    SiwxAuthSuccess,
    /// Not signed in.
    #[json(rename = "SIWX_AUTH_ERROR")]
    SiwxAuthError,
    /// The visitor did not want to sign in.
    #[json(rename = "CLICK_CANCEL_SIWX")]
    ClickCancelSiwx,
    /// A wallet was chosen.
    #[json(rename = "SELECT_WALLET")]
    SelectWallet,
    /// A link to a wallet was followed.
    #[json(rename = "GET_WALLET")]
    GetWallet,
    /// A wallet that was opened by its link could not connect.
    #[json(rename = "CONNECT_PROXY_ERROR")]
    ConnectProxyError,
    /// Connecting failed.
    #[json(rename = "CONNECT_ERROR")]
    ConnectError,
    /// The visitor refused in the wallet.
    #[json(rename = "USER_REJECTED")]
    UserRejected,
    /// The list of all wallets was opened.
    #[json(rename = "CLICK_ALL_WALLETS")]
    ClickAllWallets,
    /// The list of networks was opened.
    #[json(rename = "CLICK_NETWORKS")]
    ClickNetworks,
    /// The page about wallets was opened.
    #[json(rename = "CLICK_WALLET_HELP")]
    ClickWalletHelp,
    /// The page about networks was opened.
    #[json(rename = "CLICK_NETWORK_HELP")]
    ClickNetworkHelp,
    /// The send form was opened.
    #[json(rename = "OPEN_SEND")]
    OpenSend,
    /// The list of transactions was opened.
    #[json(rename = "CLICK_TRANSACTIONS")]
    ClickTransactions,
    /// Its next page was asked for.
    #[json(rename = "LOAD_MORE_TRANSACTIONS")]
    LoadMoreTransactions,
    /// The form for a name was opened.
    #[json(rename = "OPEN_ENS_FLOW")]
    OpenEnsFlow,
    /// A registration of a name began.
    #[json(rename = "REGISTER_NAME_INITIATED")]
    RegisterNameInitiated,
    /// A name was registered.
    #[json(rename = "REGISTER_NAME_SUCCESS")]
    RegisterNameSuccess,
    /// It was not.
    #[json(rename = "REGISTER_NAME_ERROR")]
    RegisterNameError,
    /// The visitor went to the swap form.
    #[json(rename = "CLICK_CONVERT")]
    ClickConvert,
    /// The swap form was opened.
    #[json(rename = "OPEN_SWAP")]
    OpenSwap,
    /// A token is to be chosen for a swap.
    #[json(rename = "CLICK_SELECT_TOKEN_TO_SWAP")]
    ClickSelectTokenToSwap,
    /// A network is to be chosen for a swap.
    #[json(rename = "CLICK_SELECT_NETWORK_TO_SWAP")]
    ClickSelectNetworkToSwap,
    /// A swap was confirmed.
    #[json(rename = "INITIATE_SWAP")]
    InitiateSwap,
    /// A swap was mined.
    #[json(rename = "SWAP_SUCCESS")]
    SwapSuccess,
    /// It was not.
    #[json(rename = "SWAP_ERROR")]
    SwapError,
    /// Its token was not approved.
    #[json(rename = "SWAP_APPROVAL_ERROR")]
    SwapApprovalError,
    /// The visitor refused to sign.
    #[json(rename = "SEND_REJECTED")]
    SendRejected,
    /// The list of those who sell coins was opened.
    #[json(rename = "SELECT_BUY_CRYPTO")]
    SelectBuyCrypto,
    /// One of them was chosen.
    #[json(rename = "SELECT_BUY_PROVIDER")]
    SelectBuyProvider,
    /// The page about buying was opened.
    #[json(rename = "SELECT_WHAT_IS_A_BUY")]
    SelectWhatIsABuy,
}

/// One event with its own fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    name: Name,
    properties: Vec<(String, Value)>,
}

impl Tracked {
    /// An event.
    pub fn new(name: Name) -> Tracked {
        Tracked { name, properties: Vec::new() }
    }

    /// The event with one more field.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Tracked {
        self.properties.push((name.into(), value.into()));
        self
    }

    /// The event with one more field, where that is known.
    pub fn number(mut self, name: &str, value: Option<u64>) -> Tracked {
        self.properties.extend(value.map(|value| (name.into(), Value::Number(value.to_string()))));
        self
    }

    /// The event with one more field.
    pub fn flag(mut self, name: &str, value: bool) -> Tracked {
        self.properties.push((name.into(), Value::Bool(value)));
        self
    }
}

/// Why something was asked.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// The server, about one event.
    Taken,
}

/// The page as the events tell it.
#[derive(Clone, Debug, Default)]
pub struct PageInfo {
    /// Makes the ids of this page's events unlike all others.
    pub seed: String,
    /// The page's address without query and fragment.
    pub page: String,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Analytics {
    sent: u32,
    /// The server takes none, or not from here: it is not asked again on this page.
    refused: bool,
}

impl Analytics {
    /// Hands an event to the host and to its server.
    pub fn publish(&mut self, tracked: Tracked, place: &PageInfo, cx: &mut Cx) {
        let mut properties = tracked.properties;
        if let Some(network) = &cx.facts.active_network {
            properties.push(("caipNetworkId".into(), Value::Text(network.caip_network_id.to_string())));
        }
        let properties = Value::Object(properties);
        let event: String = tracked.name.word().into();
        let address = cx.facts.account.as_ref().map(|account| account.address.clone());
        if cx.facts.options.features.analytics && !self.refused {
            let properties = Some(properties.clone());
            let props =
                AnalyticsProps { kind: "track".into(), event: event.clone(), properties, address: address.clone() };
            self.send(props, place, cx);
        }
        cx.order(Operation::PublishEvent { event, properties, address });
    }

    fn send(&mut self, props: AnalyticsProps, place: &PageInfo, cx: &mut Cx) {
        self.sent += 1;
        let event = AnalyticsEvent {
            event_id: [&place.seed, "-", &self.sent.to_string()].concat(),
            url: place.page.clone(),
            domain: domain(&cx.facts.origin).into(),
            timestamp: cx.now,
            props,
        };
        cx.http(Request::new(HttpMethod::Post, "/e").body(to_text(&event)), Reason::Taken);
    }

    /// What the server said. A server that cannot be reached now may be there for the next event; one that refuses will refuse again
    /// (spec 8.48: of a 403 the host hears once).
    pub fn answered(&mut self, answer: Result<Value, RpcError>) {
        self.refused |= match answer {
            Ok(answer) => answer.get("taken").as_u64() == Some(0),
            Err(error) => (400..500).contains(&error.code) && error.code != 429,
        };
    }
}

/// The host name of an origin.
fn domain(origin: &str) -> &str {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    host.rsplit_once(':').map_or(host, |(name, port)| if port.ends_with(']') { host } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;

    #[test]
    fn spec_8_54_every_event_of_the_contract_has_its_name_also_those_that_nothing_tells_yet() {
        for name in [
            "MODAL_OPEN",
            "MODAL_CLOSE",
            "SWITCH_NETWORK",
            "DISCONNECT_SUCCESS",
            "DISCONNECT_ERROR",
            "CONNECT_SUCCESS",
            "SET_PREFERRED_ACCOUNT_TYPE",
            "SEND_INITIATED",
            "SEND_SUCCESS",
            "SEND_ERROR",
            "ERROR_FETCH_TRANSACTIONS",
            "SIWX_AUTH_SUCCESS",
            "SIWX_AUTH_ERROR",
            "CLICK_CANCEL_SIWX",
        ] {
            assert!(Name::from_word(name).is_some(), "{name}");
        }
    }

    fn place() -> PageInfo {
        PageInfo { seed: "ab12".into(), page: "https://shop.example:8443/cart".into() }
    }

    fn facts(options: &str) -> Facts {
        let options = crate::config::Options::read(&portico_json::parse(options).unwrap());
        Facts { options: options.into(), origin: "https://shop.example:8443".into(), ..Facts::default() }
    }

    fn published(analytics: &mut Analytics, facts: &Facts) -> Vec<String> {
        let mut cx = Cx::new(1_000, facts);
        analytics.publish(Tracked::new(Name::ModalOpen).flag("connected", false), &place(), &mut cx);
        cx.asks.iter().map(|(operation, _)| portico_json::to_text(operation)).collect()
    }

    const SERVED: &str = r#"{"projectId":"abc","endpoints":"https://api.example"}"#;

    #[test]
    fn spec_7_2_an_event_is_posted_with_id_page_domain_time_and_props_and_told_to_the_host() {
        let mut analytics = Analytics::default();
        let told = published(&mut analytics, &facts(SERVED));
        let body = r#"{\"eventId\":\"ab12-1\",\"url\":\"https://shop.example:8443/cart\",\"domain\":\"shop.example\",\"timestamp\":1000,\"props\":{\"type\":\"track\",\"event\":\"MODAL_OPEN\",\"properties\":{\"connected\":false},\"address\":null}}"#;
        let url = "https://api.example/e?projectId=abc&st=appkit&sv=html-portico-0.1.0";
        let sent =
            [r#"{"type":"sendHttp","method":"POST","url":""#, url, r#"","body":""#, body, r#"","timeout":10000}"#]
                .concat();
        let host = r#"{"type":"publishEvent","event":"MODAL_OPEN","properties":{"connected":false},"address":null}"#;
        assert_eq!(told, [sent.as_str(), host]);
        assert!(published(&mut analytics, &facts(SERVED))[0].contains("ab12-2"));
    }

    #[test]
    fn spec_7_2_nothing_is_sent_when_analytics_is_off_or_no_server_is_named() {
        for options in [
            r#"{"projectId":"abc"}"#,
            r#"{"projectId":"abc","endpoints":"https://api.example","features":{"analytics":false}}"#,
        ] {
            let told = published(&mut Analytics::default(), &facts(options));
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].contains("publishEvent"));
        }
    }

    #[test]
    fn spec_8_48_a_server_that_refuses_or_takes_none_is_not_asked_again() {
        let refusal = |code| Err(RpcError::new(code, ""));
        let none = portico_json::parse(r#"{"taken":0}"#).unwrap();
        for (answer, sent) in
            [(refusal(403), 1), (refusal(404), 1), (Ok(none), 1), (refusal(429), 2), (refusal(503), 2)]
        {
            let mut analytics = Analytics::default();
            analytics.answered(answer);
            assert_eq!(published(&mut analytics, &facts(SERVED)).len(), sent);
        }
        let mut analytics = Analytics::default();
        analytics.answered(Ok(portico_json::parse(r#"{"taken":1}"#).unwrap()));
        assert_eq!(published(&mut analytics, &facts(SERVED)).len(), 2);
    }

    #[test]
    fn the_domain_is_the_host_name_of_the_page() {
        for (origin, name) in [
            ("https://a.example", "a.example"),
            ("http://localhost:3000", "localhost"),
            ("http://[::1]", "[::1]"),
            ("http://[::1]:80", "[::1]"),
            ("", ""),
        ] {
            assert_eq!(domain(origin), name);
        }
    }
}
