//! Sign-in with a wallet: `/auth/v1/…` and `/.well-known/jwks.json` (spec 3.17, 3.18, 4.24).

use portico_json::Json;

/// Response of `GET /auth/v1/nonce`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SiwxNonce {
    /// Letters and digits for one sign-in, valid for ten minutes on the page and for the project that asked.
    pub nonce: String,
}

/// Body of `POST /auth/v1/authenticate`. Other fields, such as `data` and `walletInfo` of AppKit, are ignored.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SignedMessage {
    /// The text as it was signed: EIP-4361, or CAIP-122 of Solana, Bitcoin or Polkadot.
    pub message: String,
    /// EVM accounts: EIP-191, ERC-1271 or ERC-6492 signature, 0x and hex. Solana: Ed25519 signature in base58. Bitcoin: BIP-137
    /// or BIP-322 in base64 or hex. Polkadot: sr25519, ed25519 or ecdsa, 0x and hex.
    pub signature: String,
    /// Whether the token is also set as the cookie `__Host-portico-session`, which scripts cannot read. `false` by default. With `others`, the cookie
    /// has the token of `message`.
    pub cookie: Option<bool>,
    /// Further messages that were signed by the same approval, nine at most: of the same page and with the same nonce, each for another account or
    /// chain. All sessions are opened, or none.
    pub others: Option<Vec<FurtherMessage>>,
}

/// Further message of `POST /auth/v1/authenticate`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FurtherMessage {
    /// The text as it was signed.
    pub message: String,
    /// Its signature, in the form of that of the first message.
    pub signature: String,
}

/// Response of `POST /auth/v1/authenticate`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionToken {
    /// JSON Web Token (ES256), valid for at most an hour, and not beyond the end of the message.
    pub token: String,
    /// Tokens of the further messages, in their order; left out if the request has no `others`.
    pub others: Option<Vec<String>>,
}

/// Response of `GET /auth/v1/me`: the claims of the token.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionAccount {
    /// Public URL of this server.
    pub iss: String,
    /// Project id.
    pub aud: String,
    /// Account (CAIP-10).
    pub sub: String,
    /// Start of the session in epoch seconds.
    pub iat: u64,
    /// End of the session in epoch seconds.
    pub exp: u64,
    /// Id of the session. It is no secret: `/auth/v1/revoked/{project}` lists those of ended sessions.
    pub jti: String,
    /// Address of the account.
    pub address: String,
    /// Reference of the chain: "1".
    pub chain_id: String,
    /// Namespace of the chain: "eip155".
    pub chain_namespace: String,
    /// Chain (CAIP-2).
    #[json(rename = "caip2Network")]
    pub caip2_network: String,
    /// URI of the message.
    pub uri: String,
    /// Domain of the message.
    pub domain: String,
    /// Nonce of the message.
    pub nonce: String,
}

/// Response of `GET /auth/v1/revoked/{project}`: sessions that were ended before their tokens expire.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RevokedSessions {
    /// Ended sessions, those with the latest start first. Each leaves the list a minute after its token expired.
    pub revoked: Vec<RevokedSession>,
    /// 0, unless more sessions were ended than the list has room for. Then it has all that began (`iat`) at this epoch second or later;
    /// of a token that began earlier, `GET /auth/v1/me` tells whether its session is open.
    pub complete_from: u64,
}

/// Ended session.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct RevokedSession {
    /// Id of the session: the claim `jti` of its token.
    pub jti: String,
    /// End of the token in epoch seconds: its claim `exp`.
    pub exp: u64,
}

/// Public keys (RFC 7517).
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct KeySet {
    /// Keys that sign, will sign, or signed sessions that may still be open.
    pub keys: Vec<PublicKey>,
}

/// Public key of ES256 (RFC 7518, 6.2).
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PublicKey {
    /// Always "EC".
    pub kty: String,
    /// Always "P-256".
    pub crv: String,
    /// Coordinate in base64url.
    pub x: String,
    /// Coordinate in base64url.
    pub y: String,
    /// Always "sig".
    #[json(rename = "use")]
    pub usage: String,
    /// Always "ES256".
    pub alg: String,
    /// Id of the key: its thumbprint (RFC 7638).
    pub kid: String,
}
