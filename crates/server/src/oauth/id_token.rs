//! Checking of ID tokens (OpenID Connect Core 3.1.3.7) and of a host's own tokens.

use super::keys::{Algorithm, KeySet};
use super::{LoginFault, decode};
use portico_json::{Value, parse};
use reqwest::Client;

/// Seconds by which the clocks of the service and of this server may differ.
pub(super) const LEEWAY: i64 = 120;
/// Longest token in bytes.
const LONGEST: usize = 16 * 1024;
/// Longest id of a person.
const LONGEST_SUBJECT: usize = 255;
/// Claim that says who a person is, unless another is agreed on.
pub(super) const SUBJECT: &str = "sub";

/// What a token has to say.
pub(crate) struct Expected<'a> {
    /// Name of the service, for faults.
    pub(crate) service: &'a str,
    pub(crate) issuer: &'a str,
    /// Client id of this server at the service.
    pub(crate) audience: &'a str,
    /// Claim that says who the person is.
    pub(crate) subject: &'a str,
    pub(crate) binding: Binding<'a>,
    /// Epoch milliseconds.
    pub(crate) now: i64,
}

/// Bond between a token and its login.
pub(crate) enum Binding<'a> {
    /// The nonce of the login, which the token repeats.
    Nonce(&'a str),
    /// A host's own token knows no login: it is at most this many seconds old.
    Age(i64),
}

/// Claims of a token that is signed by the service, for this client, for this login, and of now.
pub(crate) async fn verify(
    client: &Client,
    keys: &KeySet,
    token: &str,
    expected: &Expected<'_>,
) -> Result<Value, LoginFault> {
    let refused = |why| LoginFault::Token(expected.service.to_owned(), why);
    let parts = (token.len() <= LONGEST).then(|| parts(token)).flatten().ok_or_else(|| refused("it isn't a JWS"))?;
    let algorithm = parts.header.get("alg").as_str().and_then(Algorithm::parse);
    let algorithm = algorithm.ok_or_else(|| refused("its algorithm is neither RS256 nor ES256"))?;
    if !parts.header.get("crit").is_null() {
        return Err(refused("it asks for an extension"));
    }
    let id = parts.header.get("kid").as_str();
    let unread = |fault| LoginFault::Unread("keys", expected.issuer.to_owned(), fault);
    let keys = keys.candidates(client, id, expected.now).await.map_err(unread)?;
    if !keys.iter().any(|key| key.signed(algorithm, parts.signed.as_bytes(), &parts.signature)) {
        return Err(refused("no key of the service signed it"));
    }
    claims(&parts.claims, expected).map_err(refused)?;
    Ok(parts.claims)
}

struct Parts<'a> {
    signed: &'a str,
    header: Value,
    claims: Value,
    signature: Vec<u8>,
}

/// Part of a token that its signature covers. Unlike the signature, nobody but the issuer can write it in another way.
pub(super) fn signed_part(token: &str) -> &str {
    token.rsplit_once('.').map_or(token, |(signed, _)| signed)
}

/// Issuer that a token names, before anything of it is believed.
pub(super) fn named_issuer(token: &str) -> Option<String> {
    let parts = (token.len() <= LONGEST).then(|| parts(token)).flatten()?;
    parts.claims.get("iss").as_str().map(String::from)
}

fn parts(token: &str) -> Option<Parts<'_>> {
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let json = |part: &str| parse(std::str::from_utf8(&decode(part)?).ok()?).ok();
    Some(Parts { signed, header: json(header)?, claims: json(claims)?, signature: decode(signature)? })
}

fn claims(claims: &Value, expected: &Expected<'_>) -> Result<(), &'static str> {
    let text = |name: &str| claims.get(name).as_str();
    let now = expected.now.div_euclid(1000);
    let audience = claims.get("aud");
    let listed = audience.as_list().unwrap_or_default();
    let only = audience.as_str() == Some(expected.audience)
        || matches!(listed, [one] if one.as_str() == Some(expected.audience));
    let among =
        listed.iter().any(|one| one.as_str() == Some(expected.audience)) && text("azp") == Some(expected.audience);
    let subject = text(expected.subject).unwrap_or_default();
    let time = |name: &str| claims.get(name).as_i64();
    match () {
        () if text("iss") != Some(expected.issuer) => Err("it is of another issuer"),
        () if !only && !among => Err("it is for another client"),
        () if text("azp").is_some_and(|party| party != expected.audience) => Err("it was issued to another client"),
        () if time("exp").is_none_or(|end| end.saturating_add(LEEWAY) <= now) => Err("it has expired"),
        () if time("iat").is_some_and(|made| made.saturating_sub(LEEWAY) > now) => Err("it is from the future"),
        () if time("nbf").is_some_and(|start| start.saturating_sub(LEEWAY) > now) => Err("it isn't valid yet"),
        () if subject.is_empty() || subject.len() > LONGEST_SUBJECT => Err("it has no subject"),
        () => match expected.binding {
            Binding::Nonce(nonce) if text("nonce") != Some(nonce) => Err("it is for another login"),
            Binding::Age(most)
                if time("iat").is_none_or(|made| made.saturating_add(most).saturating_add(LEEWAY) <= now) =>
            {
                Err("it is too old")
            }
            _ => Ok(()),
        },
    }
}
