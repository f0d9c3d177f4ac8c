//! Tracked events (spec 8.54), as a subscription of the host. Nothing is sent anywhere.

use crate::cx::Cx;
use crate::effect::Operation;
use portico_json::{Json, Value};

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
    /// Connecting failed.
    #[json(rename = "CONNECT_ERROR")]
    ConnectError,
    /// The visitor refused in the wallet.
    #[json(rename = "USER_REJECTED")]
    UserRejected,
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
    /// The visitor refused to sign.
    #[json(rename = "SEND_REJECTED")]
    SendRejected,
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

    /// The event with one more field.
    pub fn flag(mut self, name: &str, value: bool) -> Tracked {
        self.properties.push((name.into(), Value::Bool(value)));
        self
    }
}

/// Hands an event to the host.
pub fn publish(tracked: Tracked, cx: &mut Cx) {
    let mut properties = tracked.properties;
    if let Some(network) = &cx.facts.active_network {
        properties.push(("caipNetworkId".into(), Value::Text(network.caip_network_id.to_string())));
    }
    let address = cx.facts.account.as_ref().map(|account| account.address.clone());
    cx.order(Operation::PublishEvent {
        event: tracked.name.word().into(),
        properties: Value::Object(properties),
        address,
    });
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

    #[test]
    fn an_event_goes_to_the_host_and_nowhere_else() {
        let facts = Facts::default();
        let mut cx = Cx::new(0, &facts);
        publish(Tracked::new(Name::ModalOpen).flag("connected", false), &mut cx);
        assert_eq!(cx.asks.len(), 1);
        assert_eq!(
            portico_json::to_text(&cx.asks[0].0),
            r#"{"type":"publishEvent","event":"MODAL_OPEN","properties":{"connected":false},"address":null}"#
        );
    }
}
