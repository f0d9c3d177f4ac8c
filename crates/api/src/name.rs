//! Registered names: `/v1/profile/…` (spec 3.24, 4.29, 5.1, 7.3).

use portico_json::{Json, Map};

/// A registered name.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct NameRecord {
    /// Full name: "alice.example.eth".
    pub name: String,
    /// Time of registration: RFC 3339, UTC.
    pub registered: String,
    /// Time of the last change: RFC 3339, UTC.
    pub updated: String,
    /// Copy of `registered` for clients that expect this spelling.
    #[json(rename = "registered_at")]
    pub registered_at: String,
    /// Copy of `updated` for clients that expect this spelling.
    #[json(rename = "updated_at")]
    pub updated_at: String,
    /// Addresses by SLIP-44 or ENSIP-11 coin type, as text.
    pub addresses: Map<String, NameAddress>,
    /// Attributes such as "avatar" and "bio".
    pub attributes: Map<String, String>,
}

/// Address of a name for one coin type.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NameAddress {
    /// Address in the notation of its chain.
    pub address: String,
    /// Time when the address was set: RFC 3339, UTC.
    pub created: String,
}

/// Response of `GET /v1/profile/suggestions/{name}`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Suggestions {
    /// Suggested names, the requested one first.
    pub suggestions: Vec<Suggestion>,
}

/// Suggested name.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Suggestion {
    /// Full name: "alice.example.eth".
    pub name: String,
    /// Whether the name is already registered.
    pub registered: bool,
}

/// Response of `GET /v1/profile/nonce`: one-time nonce for a message to be signed.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Nonce {
    /// Nonce in 32 hex digits.
    pub nonce: String,
}

/// Body of `POST /v1/profile/account` and of the routes that change a name. The spelling `coin_type` is accepted as well.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct SignedMessage {
    /// SLIP-44 or ENSIP-11 coin type (spec 5.6).
    pub coin_type: u32,
    /// Address of the signer.
    pub address: String,
    /// EIP-191, ERC-1271 or ERC-6492 signature of `message`: 0x and hex.
    pub signature: String,
    /// JSON text of a [`NameMessage`], exactly as it was signed.
    pub message: String,
}

/// Content of the message signed to register a name.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct NameMessage {
    /// Full name: "alice.example.eth". A message without it needs a nonce that was issued for the name.
    pub name: Option<String>,
    /// Attributes such as "avatar" and "bio", at most 255 letters each.
    pub attributes: Option<Map<String, String>>,
    /// Time of signing in epoch seconds; within 120 seconds of the server's clock.
    pub timestamp: u64,
    /// Nonce from `GET /v1/profile/nonce`, with `?name=` if the message has no name.
    pub nonce: Option<String>,
}

/// Content of the message signed to change a registered name: its attributes ([`NameMessage`]), or one of the changes below.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NameChange {
    /// Full name: "alice.example.eth". Required for a transfer or release; otherwise a nonce issued for the name can replace it.
    pub name: Option<String>,
    /// With `address`: SLIP-44 or ENSIP-11 coin type. With `owner`: coin type of the new owner's chain; Ethereum by default.
    pub coin_type: Option<u32>,
    /// New address for that coin type; an empty text removes the address.
    pub address: Option<String>,
    /// EVM address of the new owner, for a transfer.
    pub owner: Option<String>,
    /// True to release the name.
    pub release: Option<bool>,
    /// Time of signing in epoch seconds; within 120 seconds of the server's clock.
    pub timestamp: u64,
    /// Nonce from `GET /v1/profile/nonce`.
    pub nonce: Option<String>,
}
