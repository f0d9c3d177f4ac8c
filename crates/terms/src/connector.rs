//! Our way to a wallet.

use crate::Namespace;
use portico_json::Json;

/// How a wallet is reached (spec 3.9).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ConnectorKind {
    /// A wallet that the host brought.
    #[json(rename = "EXTERNAL")]
    External,
    /// A remote session.
    #[json(rename = "WALLET_CONNECT")]
    WalletConnect,
    /// `window.ethereum` or a wallet found by a flag.
    #[json(rename = "INJECTED")]
    Injected,
    /// A wallet that presented itself (EIP-6963, Wallet Standard).
    #[json(rename = "ANNOUNCED")]
    Announced,
    /// The embedded wallet.
    #[json(rename = "AUTH")]
    Auth,
    /// One wallet on several namespaces.
    #[json(rename = "MULTI_CHAIN")]
    MultiChain,
    /// A login without a wallet.
    #[json(rename = "ID_AUTH")]
    IdAuth,
}

/// Our way to a wallet (spec 3.8). The live provider stays in the page, under this id.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Connector {
    /// Unique in the page; for an announced wallet its rdns, so that it is the same after a reload.
    pub id: String,
    /// What the visitor reads.
    pub name: String,
    /// How the wallet is reached.
    #[json(rename = "type")]
    pub kind: ConnectorKind,
    /// The namespace that it serves.
    pub chain: Namespace,
    /// A picture by address, from the host.
    pub image_url: Option<String>,
    /// A picture by id, from the directory.
    pub image_id: Option<String>,
    /// The wallet's id in the directory.
    pub explorer_id: Option<String>,
    /// Reverse domain name (EIP-6963).
    pub rdns: Option<String>,
    /// The name under which the page keeps the live provider and the announced picture.
    pub handle: String,
    /// Whether the wallet announced a picture that may be drawn. The picture itself stays in the page.
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
