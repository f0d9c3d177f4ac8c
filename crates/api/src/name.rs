//! Names: `/v1/profile/…` (spec 3.24, 4.29, 5.1, 7.3).

use portico_json::{Json, Map};

/// A registered name.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct NameRecord {
    /// Whole: "alice.example.eth".
    pub name: String,
    /// RFC 3339, UTC.
    pub registered: String,
    /// RFC 3339, UTC.
    pub updated: String,
    /// The same as `registered`, for clients that know it by this name.
    #[json(rename = "registered_at")]
    pub registered_at: String,
    /// The same as `updated`, likewise.
    #[json(rename = "updated_at")]
    pub updated_at: String,
    /// By SLIP-44 or ENSIP-11 coin type, as text.
    pub addresses: Map<String, NameAddress>,
    /// "avatar", "bio".
    pub attributes: Map<String, String>,
}

/// See [`NameRecord::addresses`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NameAddress {
    /// As its chain writes it.
    pub address: String,
    /// RFC 3339, UTC.
    pub created: String,
}

/// The answer of `GET /v1/profile/suggestions/{name}`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Suggestions {
    /// The asked one first.
    pub suggestions: Vec<Suggestion>,
}

/// See [`Suggestions::suggestions`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Suggestion {
    /// Whole: "alice.example.eth".
    pub name: String,
    /// Whether somebody has it.
    pub registered: bool,
}

/// The answer of `GET /v1/profile/nonce`: what a message to be signed must carry, once.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Nonce {
    /// 32 hex digits.
    pub nonce: String,
}

/// The body of `POST /v1/profile/account` and of what changes a name. `coin_type` is read as well.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct SignedMessage {
    /// SLIP-44 or ENSIP-11 (spec 5.6).
    pub coin_type: u32,
    /// Who signs.
    pub address: String,
    /// EIP-191, ERC-1271 or ERC-6492 over `message`: 0x and hex.
    pub signature: String,
    /// The JSON text of a [`NameMessage`], exactly as it was signed.
    pub message: String,
}

/// What is signed.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct NameMessage {
    /// Whole: "alice.example.eth". A message without it needs a nonce that was made for the name.
    pub name: Option<String>,
    /// "avatar", "bio": at most 255 letters each.
    pub attributes: Option<Map<String, String>>,
    /// Epoch seconds; within 120 seconds of the server's.
    pub timestamp: u64,
    /// From `GET /v1/profile/nonce`, or `?name=` there.
    pub nonce: Option<String>,
}

/// What is signed to change a name that is registered: its attributes ([`NameMessage`]), or one of the following.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NameChange {
    /// Whole: "alice.example.eth". Needed to transfer and to release; elsewhere the nonce may stand for it.
    pub name: Option<String>,
    /// With `address`: SLIP-44 or ENSIP-11. With `owner`: of the chain on which the new owner is; Ethereum, where it is missing.
    pub coin_type: Option<u32>,
    /// The address of that coin type; empty takes it away.
    pub address: Option<String>,
    /// Transfers: the EVM address whose name it is from now on.
    pub owner: Option<String>,
    /// True releases.
    pub release: Option<bool>,
    /// Epoch seconds; within 120 seconds of the server's.
    pub timestamp: u64,
    /// From `GET /v1/profile/nonce`.
    pub nonce: Option<String>,
}
