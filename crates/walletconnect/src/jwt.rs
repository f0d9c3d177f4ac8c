//! The token with which a client opens a relay: a did-jwt with an Ed25519 key (`relay-client-auth.md`, RFC 8037).

use crate::did;
use crate::encoding::base64::{Spelling, decode, encode};
use crate::search::split;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use portico_json::{Value, Write, parse, write_text};

/// Seconds that a client's token lives.
pub const LIFETIME: u64 = 86_400;

/// Seconds by which clocks may differ.
pub const LEEWAY: u64 = 120;

const HEADER: &str = r#"{"alg":"EdDSA","typ":"JWT"}"#;

/// Bytes of a token that are looked at.
const MAX_TOKEN: usize = 8192;

/// The Ed25519 key of a client. Has no `Debug`: keys never reach a log.
pub struct ClientKey(SigningKey);

impl ClientKey {
    /// The key of a seed.
    pub fn from_seed(seed: &[u8; 32]) -> ClientKey {
        ClientKey(SigningKey::from_bytes(seed))
    }

    /// The client id: the did:key of the public key.
    pub fn did(&self) -> String {
        did::encode(self.0.verifying_key().as_bytes())
    }

    /// A token for an audience. `subject` is 32 random bytes in hex, drawn once when the app starts; times in seconds.
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

    /// A token with these claims, the JSON text of an object: what a relay signs for its webhooks.
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

/// What a verified token says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Claims {
    /// The client id, a did:key.
    pub issuer: String,
    /// Who or what it is about: random for clients, a service URL for webhooks.
    pub subject: String,
    /// The relay's URL, as the client wrote it.
    pub audience: String,
    /// Seconds since 1970.
    pub issued: u64,
    /// Seconds since 1970.
    pub expires: u64,
    /// All claims.
    pub payload: Value,
}

/// Why a token was refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum JwtFault {
    /// Not three parts of base64url that hold JSON objects, or too long.
    Format,
    /// Another algorithm than EdDSA, or another type than JWT.
    Header,
    /// A claim is missing or of another kind.
    Claims,
    /// The issuer is no did:key of an Ed25519 key.
    Issuer,
    /// Not signed by its issuer.
    Signature,
    /// The token is for another relay.
    Audience,
    /// Seconds: when it was issued, and what `now` and the leeway allow.
    NotYetValid {
        /// `iat`
        issued: u64,
        /// `now` + leeway
        limit: u64,
    },
    /// Seconds: when it ended, and what `now` and the leeway allow.
    Expired {
        /// `exp`
        expires: u64,
        /// `now` - leeway
        limit: u64,
    },
}

impl JwtFault {
    /// The text with which a relay closes, in the words that clients look for (spec 8.49).
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

/// Verifies a token over the bytes as they came. `audiences` are the URLs by which this relay is known, `now` is in seconds.
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

/// Verifies form, issuer and signature alone; audience and times remain to be looked at.
pub fn verify_signature(token: &str) -> Result<Claims, JwtFault> {
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
    let text = |name: &str| payload.get(name).as_str().map(str::to_owned).ok_or(JwtFault::Claims);
    let number = |name: &str| payload.get(name).as_u64().ok_or(JwtFault::Claims);
    let claims = Claims {
        issuer: text("iss")?,
        subject: text("sub")?,
        audience: text("aud")?,
        issued: number("iat")?,
        expires: number("exp")?,
        payload: payload.clone(),
    };
    let key = did::decode(&claims.issuer).ok_or(JwtFault::Issuer)?;
    let key = VerifyingKey::from_bytes(&key).map_err(|_| JwtFault::Issuer)?;
    let signature = decode(signature, Spelling::Url).ok_or(JwtFault::Format)?;
    let signature = Signature::from_slice(&signature).map_err(|_| JwtFault::Signature)?;
    key.verify_strict(signed.as_bytes(), &signature).map_err(|_| JwtFault::Signature)?;
    Ok(claims)
}

fn object(part: &str) -> Result<Value, JwtFault> {
    let bytes = decode(part, Spelling::Url).ok_or(JwtFault::Format)?;
    let text = String::from_utf8(bytes).map_err(|_| JwtFault::Format)?;
    parse(&text).ok().filter(|value| value.as_object().is_some()).ok_or(JwtFault::Format)
}

/// Whether two URLs name one relay: the schemes of sockets and of HTTP are one, an end of `/` or `/rpc` does not count.
pub fn same_relay(one: &str, other: &str) -> bool {
    let (one, other) = (relay_name(one), relay_name(other));
    one.0 == other.0 && one.1.eq_ignore_ascii_case(other.1)
}

fn relay_name(url: &str) -> (bool, &str) {
    let (scheme, rest) = split(url, "://").unwrap_or(("", url));
    let rest = rest.trim_end_matches('/');
    (matches!(scheme, "wss" | "https"), rest.strip_suffix("/rpc").unwrap_or(rest).trim_end_matches('/'))
}
