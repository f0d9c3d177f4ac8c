//! Wallets as the visitor knows them.

use portico_json::Json;

/// Wallet as the visitor knows it (spec 3.10), in the directory's format; the list of all wallets reads it once that list is loaded.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Wallet {
    /// Id in the directory, or the connector's id.
    pub id: String,
    /// Name shown to the visitor.
    pub name: String,
    /// Reverse domain name (EIP-6963).
    pub rdns: Option<String>,
    /// Icon URL.
    #[json(rename = "image_url")]
    pub image_url: Option<String>,
    /// Icon id.
    #[json(rename = "image_id")]
    pub image_id: Option<String>,
    /// Whether the wallet can be used in this browser now.
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
