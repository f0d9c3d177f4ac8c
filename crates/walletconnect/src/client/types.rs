//! The nouns of the sign client, as the browser's driver and the tests see them.

use crate::namespaces::{ProposalNamespaces, SessionNamespaces};
use portico_json::{Json, Value};

/// How a client is set up.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "ClientConfig")]
pub struct Config {
    /// In the order of preference. Each pairing is offered on all of them.
    pub relays: Vec<RelayOption>,
    /// What peers are shown about this side.
    pub metadata: Metadata,
    /// `wc-2/<sdk>/<os>/<environment>`, told to relays.
    pub user_agent: Option<String>,
    /// The page's origin, told to relays where no browser tells it.
    pub origin: Option<String>,
}

/// A relay and the project under which it is used.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RelayOption {
    /// `wss://…`
    pub relay_url: String,
    /// 32 hex digits; a relay of one's own may need none.
    pub project_id: Option<String>,
}

/// What a side tells about itself. Unverified.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Metadata {
    /// Name of the app or the wallet.
    pub name: String,
    /// In a sentence.
    pub description: String,
    /// Its page.
    pub url: String,
    /// URLs of pictures.
    pub icons: Vec<String>,
    /// How to bring it to front.
    pub redirect: Option<Redirect>,
}

/// How to bring a peer to front.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Redirect {
    /// `scheme://`
    pub native: Option<String>,
    /// `https://…`
    pub universal: Option<String>,
    /// Whether it takes messages in links.
    pub link_mode: Option<bool>,
}

/// One of the two sides of a session.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Participant {
    /// X25519, 64 hex digits.
    pub public_key: String,
    /// What it tells about itself.
    pub metadata: Metadata,
}

/// A session between a dapp and a wallet.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Session {
    /// Where both speak.
    pub topic: String,
    /// Of the pairing it came from.
    pub pairing_topic: String,
    /// The relay on which both speak.
    pub relay_url: String,
    /// Seconds since 1970.
    pub expiry: u64,
    /// Whether the dapp has confirmed the settlement.
    pub acknowledged: bool,
    /// Public key of the wallet, which alone may update and extend.
    pub controller: String,
    /// What the wallet allows.
    pub namespaces: SessionNamespaces,
    /// What was asked and must be allowed.
    pub required_namespaces: ProposalNamespaces,
    /// What was asked and may be allowed.
    pub optional_namespaces: ProposalNamespaces,
    /// Facts about the whole session, as the wallet told them.
    pub session_properties: Option<Value>,
    /// Facts about single scopes, as the wallet told them.
    pub scoped_properties: Option<Value>,
    /// The wallet's wishes for the session.
    pub session_config: Option<SessionConfig>,
    /// This side.
    #[json(rename = "self")]
    pub own: Participant,
    /// The other side.
    pub peer: Participant,
}

/// The wallet's wishes for a session.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionConfig {
    /// The wallet does not want to be brought to front for each request.
    pub disable_deep_link: Option<bool>,
}

/// What a dapp asks for, as the wallet sees it.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Proposal {
    /// Of the message.
    pub id: u64,
    /// Where it came.
    pub pairing_topic: String,
    /// Who asks. Unverified.
    pub proposer: Participant,
    /// What must be allowed.
    pub required_namespaces: ProposalNamespaces,
    /// What may be allowed.
    pub optional_namespaces: ProposalNamespaces,
    /// Facts about the whole session.
    pub session_properties: Option<Value>,
    /// Facts about single scopes.
    pub scoped_properties: Option<Value>,
    /// Seconds since 1970.
    pub expiry_timestamp: u64,
}

/// A request that a wallet has to answer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionRequest {
    /// Of the session.
    pub topic: String,
    /// Of the message.
    pub id: u64,
    /// CAIP-2.
    pub chain_id: String,
    /// For instance `personal_sign`.
    pub method: String,
    /// Unverified.
    pub params: Value,
    /// Seconds since 1970.
    pub expiry_timestamp: u64,
    /// Who asks.
    pub peer: Participant,
}

/// A one-click authentication that a wallet has to answer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct AuthenticateRequest {
    /// Of the message.
    pub id: u64,
    /// Where it came.
    pub pairing_topic: String,
    /// Who asks. Unverified.
    pub requester: Participant,
    /// What is to be signed, per chain (CAIP-222).
    pub auth_payload: AuthPayload,
    /// Seconds since 1970.
    pub expiry_timestamp: u64,
}

/// What a dapp wants to have signed (CAIP-222).
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct AuthPayload {
    /// CAIP-2, in the order of preference.
    pub chains: Vec<String>,
    /// Host of the page.
    pub domain: String,
    /// URI of what is signed in to.
    pub aud: String,
    /// At least 8 letters and digits.
    pub nonce: String,
    /// Always `1`.
    pub version: String,
    /// ISO 8601.
    pub iat: String,
    /// `caip122`
    #[json(rename = "type")]
    pub kind: Option<String>,
    /// In words.
    pub statement: Option<String>,
    /// ISO 8601.
    pub exp: Option<String>,
    /// ISO 8601.
    pub nbf: Option<String>,
    /// Of the dapp.
    pub request_id: Option<String>,
    /// URIs; the last may be a ReCap.
    pub resources: Option<Vec<String>>,
}

/// A JSON-RPC error.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RpcError {
    /// EIP-1193, EIP-1474 or one of WalletConnect's codes.
    pub code: i64,
    /// For people.
    pub message: String,
    /// Whatever the wallet adds.
    pub data: Option<Value>,
}
