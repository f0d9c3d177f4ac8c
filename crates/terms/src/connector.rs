//! Connectors: ways to reach a wallet.

use crate::Namespace;
use portico_json::Json;

/// Kind of a connector (spec 3.9).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ConnectorKind {
    /// Wallet supplied by the host.
    #[json(rename = "EXTERNAL")]
    External,
    /// Remote session over WalletConnect.
    #[json(rename = "WALLET_CONNECT")]
    WalletConnect,
    /// `window.ethereum` or a wallet detected by a flag.
    #[json(rename = "INJECTED")]
    Injected,
    /// Wallet that announced itself (EIP-6963, Wallet Standard).
    #[json(rename = "ANNOUNCED")]
    Announced,
    /// Embedded wallet.
    #[json(rename = "AUTH")]
    Auth,
    /// One wallet for several namespaces.
    #[json(rename = "MULTI_CHAIN")]
    MultiChain,
    /// Login without a wallet.
    #[json(rename = "ID_AUTH")]
    IdAuth,
}

/// Connector: one way to reach a wallet (spec 3.8). The live provider stays in the page, under this id.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Connector {
    /// Identifier, unique in the page; an announced wallet's rdns, so that it is the same after a reload.
    pub id: String,
    /// Name shown to the visitor.
    pub name: String,
    /// Kind of the connector.
    #[json(rename = "type")]
    pub kind: ConnectorKind,
    /// Namespace that the connector serves.
    pub chain: Namespace,
    /// Icon URL, from the host.
    pub image_url: Option<String>,
    /// Icon id, from the directory.
    pub image_id: Option<String>,
    /// Id of the wallet in the directory.
    pub explorer_id: Option<String>,
    /// Reverse domain name of the wallet (EIP-6963).
    pub rdns: Option<String>,
    /// Key under which the page stores the live provider and the announced icon.
    pub handle: String,
    /// Whether the wallet announced an icon that may be drawn. The icon itself stays in the page.
    pub icon: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_3_9_a_connector_has_one_of_seven_types() {
        let words: Vec<_> = ConnectorKind::ALL.iter().map(ConnectorKind::word).collect();
        assert_eq!(words, ["EXTERNAL", "WALLET_CONNECT", "INJECTED", "ANNOUNCED", "AUTH", "MULTI_CHAIN", "ID_AUTH"]);
    }

    #[test]
    fn spec_3_8_a_connector_has_the_fields_of_the_contract() {
        let connector = Connector {
            id: "com.example".into(),
            name: "Example".into(),
            kind: ConnectorKind::Announced,
            chain: Namespace::Eip155,
            image_url: None,
            image_id: None,
            explorer_id: None,
            rdns: Some("com.example".into()),
            handle: "uuid".into(),
            icon: true,
        };
        assert_eq!(
            portico_json::to_text(&connector),
            r#"{"id":"com.example","name":"Example","type":"ANNOUNCED","chain":"eip155","imageUrl":null,"imageId":null,"explorerId":null,"rdns":"com.example","handle":"uuid","icon":true}"#
        );
    }
}
