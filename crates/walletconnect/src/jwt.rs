//! Token with which a client opens a relay: a did-jwt with an Ed25519 key (`relay-client-auth.md`, RFC 8037).

use crate::did;
use crate::encoding::base64::{Spelling, decode, encode};
use crate::search::split;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use portico_json::{Value, Write, parse, write_text};

/// Lifetime of a client's token, in seconds.
pub const LIFETIME: u64 = 86_400;

/// Seconds by which clocks may differ.
pub const LEEWAY: u64 = 120;

const HEADER: &str = r#"{"alg":"EdDSA","typ":"JWT"}"#;

/// Largest token that is parsed, in bytes.
const MAX_TOKEN: usize = 8192;

/// Ed25519 key of a client. Has no `Debug`: keys never reach a log.
pub struct ClientKey(SigningKey);

impl ClientKey {
    /// Derives the key from a seed.
    pub fn from_seed(seed: &[u8; 32]) -> ClientKey {
        ClientKey(SigningKey::from_bytes(seed))
    }

    /// Id of the client: the did:key of its public key.
    pub fn did(&self) -> String {
        did::encode(self.0.verifying_key().as_bytes())
    }

    /// Signs a token for an audience. `subject` is 32 random bytes in hex, drawn once when the app starts; times are in seconds.
    pub fn sign(&self, subject: &str, audience: &str, issued: u64, lifetime: u64) -> String {
        let mut claims = String::from("{\"iss\":");
        write_text(&self.did(), &mut claims);
        claims.push_str(",\"sub\":");
        write_text(subject, &mut claims);
        claims.push_str(",\"aud\":");
        write_text(audience, &mut claims);
        claims.push_str(",\"iat\":");
        issued.write(&mut claims);
        claims.push_str(",\"exp\":");
        (issued + lifetime).write(&mut claims);
        claims.push('}');
        self.sign_claims(&claims)
    }

    /// Signs claims given as the JSON text of an object. Relays use it for their webhooks.
    pub fn sign_claims(&self, claims: &str) -> String {
        let mut token = encode(HEADER.as_bytes(), Spelling::Url);
        token.push('.');
        token.push_str(&encode(claims.as_bytes(), Spelling::Url));
        let signature = self.0.sign(token.as_bytes()).to_bytes();
        token.push('.');
        token.push_str(&encode(&signature, Spelling::Url));
        token
    }
}

/// Claims of a verified token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Claims {
    /// Id of the client, a did:key (`iss`).
    pub issuer: String,
    /// Subject of the token: random for clients, a service URL for webhooks (`sub`).
    pub subject: String,
    /// URL of the relay, as the client wrote it (`aud`).
    pub audience: String,
    /// Time of issue in seconds since 1970 (`iat`).
    pub issued: u64,
    /// Expiry in seconds since 1970 (`exp`).
    pub expires: u64,
    /// All claims as JSON.
    pub payload: Value,
}

/// Reason why a token was refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum JwtFault {
    /// Not three parts of base64url that hold JSON objects, or too long.
    Format,
    /// The algorithm is not EdDSA, or the type is not JWT.
    Header,
    /// A claim is missing or of the wrong type.
    Claims,
    /// The issuer is not a did:key of an Ed25519 key.
    Issuer,
    /// Not signed by its issuer.
    Signature,
    /// The token is for another relay.
    Audience,
    /// The token is not valid yet. Times in seconds.
    NotYetValid {
        /// Time of issue, `iat`.
        issued: u64,
        /// Latest time of issue that is accepted, `now` + leeway.
        limit: u64,
    },
    /// The token has expired. Times in seconds.
    Expired {
        /// Expiry, `exp`.
        expires: u64,
        /// Earliest expiry that is accepted, `now` - leeway.
        limit: u64,
    },
}

impl JwtFault {
    /// Reason of the relay's close frame, in the words that clients look for (spec 8.49).
    pub fn close_text(&self) -> String {
        let mut text = String::from("JWT validation error: ");
        match self {
            JwtFault::Format => text.push_str("Invalid format"),
            JwtFault::Header => text.push_str("Invalid JWT signing algorithm"),
            JwtFault::Claims => text.push_str("Invalid claims"),
            JwtFault::Issuer => text.push_str("Invalid issuer"),
            JwtFault::Signature => text.push_str("Invalid signature"),
            JwtFault::Audience => text.push_str("Invalid audience"),
            JwtFault::NotYetValid { issued, limit } => {
                text.push_str("JWT Token is not yet valid: basic.iat: ");
                issued.write(&mut text);
                text.push_str(", now + time_leeway: ");
                limit.write(&mut text);
                text.push_str(", time_leeway: ");
                LEEWAY.write(&mut text);
            }
            JwtFault::Expired { expires, limit } => {
                text.push_str("JWT Token is expired: basic.exp: ");
                expires.write(&mut text);
                text.push_str(", now - time_leeway: ");
                limit.write(&mut text);
                text.push_str(", time_leeway: ");
                LEEWAY.write(&mut text);
            }
        }
        text
    }
}

/// Verifies a token as received. `audiences` are the URLs of this relay, `now` is in seconds.
pub fn verify<A: AsRef<str>>(token: &str, audiences: &[A], now: u64) -> Result<Claims, JwtFault> {
    let claims = verify_signature(token)?;
    // https://host and wss://host, with and without a slash or /rpc at the end, name one relay.
    if !audiences.iter().any(|known| same_relay(known.as_ref(), &claims.audience)) {
        return Err(JwtFault::Audience);
    }
    if claims.issued > now + LEEWAY {
        return Err(JwtFault::NotYetValid { issued: claims.issued, limit: now + LEEWAY });
    }
    let limit = now.saturating_sub(LEEWAY);
    if claims.expires < limit {
        return Err(JwtFault::Expired { expires: claims.expires, limit });
    }
    Ok(claims)
}

/// Verifies only form, issuer and signature. The caller checks audience and times.
pub fn verify_signature(token: &str) -> Result<Claims, JwtFault> {
    let (issuer, payload) = signed_claims(token)?;
    let text = |name: &str| payload.get(name).as_str().map(str::to_owned).ok_or(JwtFault::Claims);
    let number = |name: &str| payload.get(name).as_u64().ok_or(JwtFault::Claims);
    Ok(Claims {
        issuer,
        subject: text("sub")?,
        audience: text("aud")?,
        issued: number("iat")?,
        expires: number("exp")?,
        payload: payload.clone(),
    })
}

/// Issuer and claims of a token that its issuer has signed. The caller checks all other claims.
pub fn signed_claims(token: &str) -> Result<(String, Value), JwtFault> {
    if token.len() > MAX_TOKEN {
        return Err(JwtFault::Format);
    }
    let (signed, signature) = token.rsplit_once('.').ok_or(JwtFault::Format)?;
    let (header, payload) = signed.split_once('.').ok_or(JwtFault::Format)?;
    let header = object(header)?;
    if header.get("alg").as_str() != Some("EdDSA") || header.get("typ").as_str().unwrap_or("JWT") != "JWT" {
        return Err(JwtFault::Header);
    }
    let payload = object(payload)?;
    let issuer = payload.get("iss").as_str().ok_or(JwtFault::Claims)?.to_owned();
    let key = did::decode(&issuer).ok_or(JwtFault::Issuer)?;
    let key = VerifyingKey::from_bytes(&key).map_err(|_| JwtFault::Issuer)?;
    let signature = decode(signature, Spelling::Url).ok_or(JwtFault::Format)?;
    let signature = Signature::from_slice(&signature).map_err(|_| JwtFault::Signature)?;
    key.verify_strict(signed.as_bytes(), &signature).map_err(|_| JwtFault::Signature)?;
    Ok((issuer, payload))
}

fn object(part: &str) -> Result<Value, JwtFault> {
    let bytes = decode(part, Spelling::Url).ok_or(JwtFault::Format)?;
    let text = String::from_utf8(bytes).map_err(|_| JwtFault::Format)?;
    parse(&text).ok().filter(|value| value.as_object().is_some()).ok_or(JwtFault::Format)
}

/// Whether two URLs name the same relay: `wss` equals `https`, `ws` equals `http`, and a final `/` or `/rpc` is ignored.
pub fn same_relay(one: &str, other: &str) -> bool {
    let (one, other) = (relay_name(one), relay_name(other));
    one.0 == other.0 && one.1.eq_ignore_ascii_case(other.1)
}

fn relay_name(url: &str) -> (bool, &str) {
    let (scheme, rest) = split(url, "://").unwrap_or(("", url));
    let rest = rest.trim_end_matches('/');
    (matches!(scheme, "wss" | "https"), rest.strip_suffix("/rpc").unwrap_or(rest).trim_end_matches('/'))
}
