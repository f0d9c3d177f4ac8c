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
    /// Address in the format of its chain.
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
    /// Whether the name cannot be registered: it is taken or reserved.
    pub registered: bool,
    /// Whether the server keeps the name for itself, so that nobody has it. Older servers leave it out.
    pub reserved: Option<bool>,
}

/// Response of `GET /v1/profile/nonce`: one-time nonce for a message to be signed.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Nonce {
    /// Nonce in 32 hex digits, valid for ten minutes.
    pub nonce: String,
}

/// Body of `POST /v1/profile/account` and of the routes that change a name.
///
/// The server builds the sign-in text (EIP-4361) of the request from these fields and its path, and accepts no other `message`. The
/// spelling `coin_type` is accepted as well. A registration in the form of older clients has only the first four fields.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct SignedName {
    /// SLIP-44 or ENSIP-11 coin type of the account that signs (spec 5.6); the text has its chain as `Chain ID`.
    pub coin_type: u32,
    /// EVM address of the account that signs.
    pub address: String,
    /// EIP-191, ERC-1271 or ERC-6492 signature of `message`: 0x and hex.
    pub signature: String,
    /// The text as it was signed. Of older clients, for a registration: a JSON object with `name`, `attributes` and `timestamp` (epoch seconds,
    /// within 120 seconds of the server's clock), accepted once.
    pub message: String,
    /// Origin of the page, such as "https://app.example:8443". It must be the origin of the request, if that has one, and allowed for the project.
    pub uri: Option<String>,
    /// Nonce from `GET /v1/profile/nonce`.
    pub nonce: Option<String>,
    /// Epoch seconds of `Issued At`. `Expiration Time` is 300 seconds later.
    pub issued_at: Option<u64>,
    /// Full name to register: "alice.example.eth". A change has the name in its path.
    pub name: Option<String>,
    /// To register a name, or to set its attributes: "avatar" and "bio", at most 255 letters each; an empty text removes one.
    pub attributes: Option<Map<String, String>>,
    /// To set an address, or to transfer.
    pub to: Option<NameTarget>,
}

/// Account that a name points to, or that becomes its owner.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NameTarget {
    /// Address in the format of its chain. An empty text removes the address of the coin type; a new owner has an EVM address.
    pub address: String,
    /// SLIP-44 or ENSIP-11 coin type of that account; of a new owner, the coin type of one EVM chain. Ethereum (60) by default.
    pub coin_type: Option<u32>,
}
