//! Tracked events (spec 8.54): sent to the host's subscribers and, unless the host turned analytics off, to the host's own server (spec
//! 7.2).

mod feature;

use crate::cx::Cx;
use crate::effect::{HttpMethod, Operation};
use crate::http::Request;
use portico_api::analytics::{AnalyticsEvent, AnalyticsProps};
use portico_json::{Json, Value, to_text};
use portico_terms::rpc::RpcError;

/// Name of a tracked event.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Name {
    /// The modal opened.
    #[json(rename = "MODAL_OPEN")]
    ModalOpen,
    /// The modal closed.
    #[json(rename = "MODAL_CLOSE")]
    ModalClose,
    /// The active network changed.
    #[json(rename = "SWITCH_NETWORK")]
    SwitchNetwork,
    /// A wallet was disconnected.
    #[json(rename = "DISCONNECT_SUCCESS")]
    DisconnectSuccess,
    /// A wallet failed to disconnect.
    #[json(rename = "DISCONNECT_ERROR")]
    DisconnectError,
    /// A wallet was connected.
    #[json(rename = "CONNECT_SUCCESS")]
    ConnectSuccess,
    /// The preferred kind of account changed.
    #[json(rename = "SET_PREFERRED_ACCOUNT_TYPE")]
    SetPreferredAccountType,
    /// A send was requested from the wallet.
    #[json(rename = "SEND_INITIATED")]
    SendInitiated,
    /// The wallet returned the hash of a send.
    #[json(rename = "SEND_SUCCESS")]
    SendSuccess,
    /// A send failed.
    #[json(rename = "SEND_ERROR")]
    SendError,
    /// Transactions could not be fetched.
    #[json(rename = "ERROR_FETCH_TRANSACTIONS")]
    ErrorFetchTransactions,
    /// The visitor signed in.
    #[json(rename = "SIWX_AUTH_SUCCESS")]
    SiwxAuthSuccess,
    /// The sign-in failed.
    #[json(rename = "SIWX_AUTH_ERROR")]
    SiwxAuthError,
    /// The visitor pressed the button that signs.
    #[json(rename = "CLICK_SIGN_SIWX_MESSAGE")]
    ClickSignSiwx,
    /// The visitor cancelled the sign-in.
    #[json(rename = "CLICK_CANCEL_SIWX")]
    ClickCancelSiwx,
    /// The visitor chose a wallet.
    #[json(rename = "SELECT_WALLET")]
    SelectWallet,
    /// The visitor followed a link to install a wallet.
    #[json(rename = "GET_WALLET")]
    GetWallet,
    /// A wallet that was opened by its link failed to connect.
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
    /// The help page about wallets was opened.
    #[json(rename = "CLICK_WALLET_HELP")]
    ClickWalletHelp,
    /// The help page about networks was opened.
    #[json(rename = "CLICK_NETWORK_HELP")]
    ClickNetworkHelp,
    /// The send form was opened.
    #[json(rename = "OPEN_SEND")]
    OpenSend,
    /// The list of transactions was opened.
    #[json(rename = "CLICK_TRANSACTIONS")]
    ClickTransactions,
    /// The next page of transactions was requested.
    #[json(rename = "LOAD_MORE_TRANSACTIONS")]
    LoadMoreTransactions,
    /// The form to register a name was opened.
    #[json(rename = "OPEN_ENS_FLOW")]
    OpenEnsFlow,
    /// A registration of a name started.
    #[json(rename = "REGISTER_NAME_INITIATED")]
    RegisterNameInitiated,
    /// A name was registered.
    #[json(rename = "REGISTER_NAME_SUCCESS")]
    RegisterNameSuccess,
    /// A registration of a name failed.
    #[json(rename = "REGISTER_NAME_ERROR")]
    RegisterNameError,
    /// The visitor went to the swap form.
    #[json(rename = "CLICK_CONVERT")]
    ClickConvert,
    /// The swap form started.
    #[json(rename = "OPEN_SWAP")]
    OpenSwap,
    /// The token list of a swap was opened.
    #[json(rename = "CLICK_SELECT_TOKEN_TO_SWAP")]
    ClickSelectTokenToSwap,
    /// The network list of a swap was opened.
    #[json(rename = "CLICK_SELECT_NETWORK_TO_SWAP")]
    ClickSelectNetworkToSwap,
    /// A swap was confirmed.
    #[json(rename = "INITIATE_SWAP")]
    InitiateSwap,
    /// A swap was mined.
    #[json(rename = "SWAP_SUCCESS")]
    SwapSuccess,
    /// A swap failed.
    #[json(rename = "SWAP_ERROR")]
    SwapError,
    /// The approval for a swap failed.
    #[json(rename = "SWAP_APPROVAL_ERROR")]
    SwapApprovalError,
    /// The visitor refused to sign a send.
    #[json(rename = "SEND_REJECTED")]
    SendRejected,
    /// The list of on-ramp providers was opened.
    #[json(rename = "SELECT_BUY_CRYPTO")]
    SelectBuyCrypto,
    /// An on-ramp provider was chosen.
    #[json(rename = "SELECT_BUY_PROVIDER")]
    SelectBuyProvider,
    /// The help page about buying was opened.
    #[json(rename = "SELECT_WHAT_IS_A_BUY")]
    SelectWhatIsABuy,
    /// The visitor began to type an e-mail address.
    #[json(rename = "EMAIL_LOGIN_SELECTED")]
    EmailLoginSelected,
    /// The visitor continued with an e-mail address.
    #[json(rename = "EMAIL_SUBMITTED")]
    EmailSubmitted,
    /// The visitor approved this device.
    #[json(rename = "DEVICE_REGISTERED_FOR_EMAIL")]
    DeviceRegisteredForEmail,
    /// A code was mailed.
    #[json(rename = "EMAIL_VERIFICATION_CODE_SENT")]
    EmailVerificationCodeSent,
    /// The code was right.
    #[json(rename = "EMAIL_VERIFICATION_CODE_PASS")]
    EmailVerificationCodePass,
    /// The code was refused.
    #[json(rename = "EMAIL_VERIFICATION_CODE_FAIL")]
    EmailVerificationCodeFail,
    /// The form to change the e-mail address was opened.
    #[json(rename = "EMAIL_EDIT")]
    EmailEdit,
    /// The settings of the embedded wallet were opened.
    #[json(rename = "EMAIL_UPGRADE_FROM_MODAL")]
    EmailUpgradeFromModal,
    /// A social login was chosen.
    #[json(rename = "SOCIAL_LOGIN_STARTED")]
    SocialLoginStarted,
    /// The visitor came back from the page of a social login.
    #[json(rename = "SOCIAL_LOGIN_REQUEST_USER_DATA")]
    SocialLoginRequestUserData,
    /// The visitor logged in.
    #[json(rename = "SOCIAL_LOGIN_SUCCESS")]
    SocialLoginSuccess,
    /// A social login failed.
    #[json(rename = "SOCIAL_LOGIN_ERROR")]
    SocialLoginError,
    /// The visitor closed the window of a social login.
    #[json(rename = "SOCIAL_LOGIN_CANCELED")]
    SocialLoginCanceled,
}

/// A tracked event with its fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    name: Name,
    properties: Vec<(String, Value)>,
}

impl Tracked {
    /// Event without fields.
    pub fn new(name: Name) -> Tracked {
        Tracked { name, properties: Vec::new() }
    }

    /// Adds a field.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Tracked {
        self.properties.push((name.into(), value.into()));
        self
    }

    /// Adds a number, if known.
    pub fn number(mut self, name: &str, value: Option<u64>) -> Tracked {
        self.properties.extend(value.map(|value| (name.into(), Value::Number(value.to_string()))));
        self
    }

    /// Adds a flag.
    pub fn flag(mut self, name: &str, value: bool) -> Tracked {
        self.properties.push((name.into(), Value::Bool(value)));
        self
    }
}

/// Reasons of the feature's requests.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// Upload of one event to the server.
    Taken,
}

/// Page information in events.
#[derive(Clone, Debug, Default)]
pub struct PageInfo {
    /// Prefix that makes the event ids of this page unique.
    pub seed: String,
    /// URL of the page without query and fragment.
    pub page: String,
}

/// State of the analytics feature.
#[derive(Debug, Default)]
pub struct Analytics {
    sent: u32,
    /// The server refuses events of this page; no more are sent.
    refused: bool,
}

impl Analytics {
    /// Sends an event to the host and to its server.
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
            domain: domain(&cx.facts.environment.origin).into(),
            timestamp: cx.now,
            props,
        };
        cx.http(Request::new(HttpMethod::Post, "/e").body(to_text(&event)), Reason::Taken);
    }

    /// Response of the server. An unreachable server is tried again with the next event; one that refuses is not (spec 8.48: a 403 is
    /// reported to the host once).
    pub fn answered(&mut self, answer: Result<Value, RpcError>) {
        self.refused |= match answer {
            Ok(answer) => answer.get("taken").as_u64() == Some(0),
            Err(error) => (400..500).contains(&error.code) && error.code != 429,
        };
    }
}

/// Host name of an origin.
fn domain(origin: &str) -> &str {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    host.rsplit_once(':').map_or(host, |(name, port)| if port.ends_with(']') { host } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boot::Environment;
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
            "CLICK_SIGN_SIWX_MESSAGE",
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
        let environment = Environment { origin: "https://shop.example:8443".into(), ..Environment::default() };
        Facts { options: options.into(), environment: environment.into(), ..Facts::default() }
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
