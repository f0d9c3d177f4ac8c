//! What the visitor knows as a wallet.

use portico_json::Json;

/// What the visitor knows as a wallet (spec 3.10): the form of the directory, read by the list of all wallets once that is there.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Wallet {
    /// The id in the directory, or the connector's id.
    pub id: String,
    /// What the visitor reads.
    pub name: String,
    /// Reverse domain name (EIP-6963).
    pub rdns: Option<String>,
    /// A picture by address.
    #[json(rename = "image_url")]
    pub image_url: Option<String>,
    /// A picture by id.
    #[json(rename = "image_id")]
    pub image_id: Option<String>,
    /// Whether it can be used in this browser now.
    pub installed: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_3_10_a_wallet_has_the_fields_of_the_contract() {
        let wallet = Wallet {
            id: "a".into(),
            name: "A".into(),
            rdns: None,
            image_url: None,
            image_id: None,
            installed: Some(true),
        };
        assert_eq!(
            portico_json::to_text(&wallet),
            r#"{"id":"a","name":"A","rdns":null,"image_url":null,"image_id":null,"installed":true}"#
        );
    }
}
