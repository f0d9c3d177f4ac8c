//! Types of the sign client that the browser's driver and the tests use.

use crate::namespaces::{ProposalNamespaces, SessionNamespaces};
use portico_json::{Json, Value};

/// Configuration of a client.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "ClientConfig")]
pub struct Config {
    /// Relays in order of preference. Each pairing is offered on all of them.
    pub relays: Vec<RelayOption>,
    /// Description of this side for peers.
    pub metadata: Metadata,
    /// User agent sent to relays: `wc-2/<sdk>/<os>/<environment>`.
    pub user_agent: Option<String>,
    /// Origin of the page, sent to relays in the socket URL.
    pub origin: Option<String>,
}

/// A relay, and the project under which it is used.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RelayOption {
    /// URL of the relay, `wss://…`.
    pub relay_url: String,
    /// Project id of 32 hex digits; a self-hosted relay may need none.
    pub project_id: Option<String>,
    /// Wallet: did:key with which the relay signs statements about the pages of dapps. Without it, all dapps of the relay are unverified.
    #[cfg(feature = "wallet")]
    pub attestation_key: Option<String>,
}

/// Whether the relay confirms that a message comes from the page that its dapp names.
#[cfg(feature = "wallet")]
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
#[json(tag = "status")]
pub enum Verification {
    /// The relay confirms the origin that the dapp names.
    Verified {
        /// Origin of the page.
        origin: String,
    },
    /// The message comes from another page than the dapp names.
    Mismatch {
        /// Origin of the page.
        origin: String,
    },
    /// The relay said nothing about the page that can be checked.
    #[default]
    Unverified,
}

/// Description of a side by itself. Unverified.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Metadata {
    /// Name of the app or the wallet.
    pub name: String,
    /// Description in a sentence.
    pub description: String,
    /// URL of its website.
    pub url: String,
    /// URLs of its icons.
    pub icons: Vec<String>,
    /// Links that bring it to the front.
    pub redirect: Option<Redirect>,
}

/// Links that bring a peer to the front.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Redirect {
    /// Native link, `scheme://`.
    pub native: Option<String>,
    /// Universal link, `https://…`.
    pub universal: Option<String>,
    /// Whether it accepts messages in links (link mode).
    pub link_mode: Option<bool>,
}

/// One of the two sides of a session.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Participant {
    /// X25519 public key, 64 hex digits.
    pub public_key: String,
    /// Description of this side by itself.
    pub metadata: Metadata,
}

/// A session between a dapp and a wallet.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Session {
    /// Topic of the session's messages.
    pub topic: String,
    /// Topic of the pairing that led to the session.
    pub pairing_topic: String,
    /// Relay of the session's messages.
    pub relay_url: String,
    /// Expiry in seconds since 1970.
    pub expiry: u64,
    /// Whether the dapp has confirmed the settlement.
    pub acknowledged: bool,
    /// Public key of the wallet, the only side that may update and extend.
    pub controller: String,
    /// Namespaces that the wallet allows.
    pub namespaces: SessionNamespaces,
    /// Namespaces that the dapp required.
    pub required_namespaces: ProposalNamespaces,
    /// Namespaces that the dapp requested as optional.
    pub optional_namespaces: ProposalNamespaces,
    /// Properties of the whole session, sent by the wallet.
    pub session_properties: Option<Value>,
    /// Properties of single scopes, sent by the wallet.
    pub scoped_properties: Option<Value>,
    /// Preferences of the wallet for the session.
    pub session_config: Option<SessionConfig>,
    /// Our side.
    #[json(rename = "self")]
    pub own: Participant,
    /// The other side.
    pub peer: Participant,
}

/// Preferences of a wallet for a session.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionConfig {
    /// Whether the dapp should not bring the wallet to the front for each request.
    pub disable_deep_link: Option<bool>,
}

/// Session proposal of a dapp, as the wallet sees it.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Proposal {
    /// Id of the message.
    pub id: u64,
    /// Topic of the pairing on which it arrived.
    pub pairing_topic: String,
    /// Dapp that proposes. Unverified.
    pub proposer: Participant,
    /// Namespaces that must be allowed.
    pub required_namespaces: ProposalNamespaces,
    /// Namespaces that may be allowed.
    pub optional_namespaces: ProposalNamespaces,
    /// Properties of the whole session.
    pub session_properties: Option<Value>,
    /// Properties of single scopes.
    pub scoped_properties: Option<Value>,
    /// Expiry in seconds since 1970.
    pub expiry_timestamp: u64,
    /// Whether the proposal comes from the page that the proposer names.
    #[cfg(feature = "wallet")]
    pub verification: Verification,
}

/// A request that a wallet has to answer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionRequest {
    /// Topic of the session.
    pub topic: String,
    /// Id of the message.
    pub id: u64,
    /// CAIP-2 chain.
    pub chain_id: String,
    /// JSON-RPC method, for instance `personal_sign`.
    pub method: String,
    /// Parameters of the method. Unverified.
    pub params: Value,
    /// Expiry in seconds since 1970.
    pub expiry_timestamp: u64,
    /// Dapp that sent the request.
    pub peer: Participant,
    /// Whether the request comes from the page that the dapp named when it connected.
    #[cfg(feature = "wallet")]
    pub verification: Verification,
}

/// A one-click authentication that a wallet has to answer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct AuthenticateRequest {
    /// Id of the message.
    pub id: u64,
    /// Topic of the pairing on which it arrived.
    pub pairing_topic: String,
    /// Dapp that requests the sign-in. Unverified.
    pub requester: Participant,
    /// Payload to sign, per chain (CAIP-222).
    pub auth_payload: AuthPayload,
    /// Expiry in seconds since 1970.
    pub expiry_timestamp: u64,
    /// Whether the request comes from the page that the requester and the payload name.
    #[cfg(feature = "wallet")]
    pub verification: Verification,
}

/// Sign-in payload that a dapp requests to be signed (CAIP-222).
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct AuthPayload {
    /// CAIP-2 chains in order of preference.
    pub chains: Vec<String>,
    /// Host of the page.
    pub domain: String,
    /// URI of the resource to sign in to.
    pub aud: String,
    /// Nonce of at least 8 letters and digits.
    pub nonce: String,
    /// Version of the message, always `1`.
    pub version: String,
    /// Time of the request, ISO 8601.
    pub iat: String,
    /// Format of the message, `caip122`.
    #[json(rename = "type")]
    pub kind: Option<String>,
    /// Text for the visitor.
    pub statement: Option<String>,
    /// End of validity, ISO 8601.
    pub exp: Option<String>,
    /// Start of validity, ISO 8601.
    pub nbf: Option<String>,
    /// Request id that the dapp chose.
    pub request_id: Option<String>,
    /// URIs; the last may be a ReCap.
    pub resources: Option<Vec<String>>,
}

/// A JSON-RPC error.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RpcError {
    /// Code of EIP-1193, EIP-1474 or WalletConnect.
    pub code: i64,
    /// Message for people.
    pub message: String,
    /// Data that the wallet added.
    pub data: Option<Value>,
}
