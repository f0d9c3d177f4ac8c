//! Proofs by a device's key (RFC 9449, with a hash of the body): who holds a copied token or a recorded request can do nothing with it.

use super::encoding::{decode, decode_any, hash};
use crate::Failure;
use axum::http::{HeaderMap, StatusCode};
use portico_api::wallet::{Proof, ProofHeader};
use portico_json::{Read, parse, to_text};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

/// Seconds before and after its time in which a proof is good.
const GOOD: i64 = 300;
/// Longest proof in bytes.
const LONGEST: usize = 2048;
const HEADER: &str = "dpop";

/// Request that a proof is for.
pub(super) struct Proved<'a> {
    pub(super) path: &'a str,
    pub(super) body: &'a [u8],
    /// Access token of the request, if there is one.
    pub(super) access: Option<&'a str>,
}

/// Times in milliseconds: of this moment, and of the start of this process.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) now: i64,
    pub(super) started: i64,
}

/// A proof that is right, and may have been used before.
pub(super) struct Verified {
    /// Thumbprint (RFC 7638) of the key that signed it.
    pub(super) thumbprint: String,
    /// Id of the proof among those of all keys.
    pub(super) id: [u8; 16],
    /// Second after which it is good no more.
    pub(super) end: i64,
}

/// Checks the proof in the headers.
pub(super) fn verify(headers: &HeaderMap, proved: &Proved<'_>, times: Times) -> Result<Verified, Failure> {
    let mut all = headers.get_all(HEADER).iter();
    let (Some(text), None) = (all.next(), all.next()) else { return Err(refused("Add a proof")) };
    let text = text.to_str().ok().filter(|text| text.len() <= LONGEST).ok_or_else(|| refused("Use a JWS as proof"))?;
    let (thumbprint, proof) = signed(text).ok_or_else(|| refused("Sign the proof with its key"))?;
    let fits = proof.htm == "POST" && proof.htu == proved.path && proof.bh == hash(proved.body);
    let fits = fits && proof.ath == proved.access.map(hash) && decode::<16>(&proof.jti).is_some();
    if !fits {
        return Err(refused("The proof is for another request"));
    }
    let now = times.now.div_euclid(1000);
    // Ids of proofs from before the start are not known any more.
    if now.abs_diff(proof.iat) > GOOD.unsigned_abs() || proof.iat < times.started.div_euclid(1000) {
        return Err(clock(now));
    }
    let id = decode::<32>(&hash(format!("{thumbprint}{}", proof.jti))).unwrap_or_default();
    let id = std::array::from_fn(|at| id[at]);
    Ok(Verified { thumbprint, id, end: proof.iat.saturating_add(GOOD) })
}

/// Thumbprint and claims of a JWS whose signature is right.
fn signed(text: &str) -> Option<(String, Proof)> {
    let (signed, signature) = text.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let json = |part: &str| parse(std::str::from_utf8(&decode_any(part)?).ok()?).ok();
    let header = ProofHeader::read(&json(header)?).ok()?;
    let (jwk, x, y) = (&header.jwk, decode::<32>(&header.jwk.x)?, decode::<32>(&header.jwk.y)?);
    if header.typ != "dpop+jwt" || header.alg != "ES256" || jwk.crv != "P-256" || jwk.kty != "EC" {
        return None;
    }
    let point = [&[4][..], &x, &y].concat();
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
    key.verify(signed.as_bytes(), &decode::<64>(signature)?).ok()?;
    Some((hash(to_text(jwk)), Proof::read(&json(claims)?).ok()?))
}

pub(super) fn refused(sentence: &str) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, HEADER, sentence)
}

/// The device's clock is wrong; the sentence ends with the time of the server in seconds, so that the device can correct its own.
fn clock(now: i64) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "clock", format!("The clock of this device is off: the time is {now}"))
}
