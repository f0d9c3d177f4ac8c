//! Typed data (EIP-712), read strictly: all that is shown is signed, and all that is signed has a type.

mod kind;
mod types;
mod value;

use super::Signature;
use crate::refusal::Refusal;
use k256::ecdsa::SigningKey;
use portico_json::{Value, parse};
use portico_terms::address::keccak256;
use std::borrow::Cow;
use types::Types;

/// Longest typed data as text, in bytes: that of a message of the host page.
const LONGEST: usize = 256 * 1024;

/// Name of the domain's type.
const DOMAIN: &str = "EIP712Domain";

/// Fields that a domain may have, with their types.
const DOMAIN_FIELDS: [(&str, &str); 5] = [
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
    ("salt", "bytes32"),
];

/// Signs typed data: an object of `types`, `primaryType`, `domain` and `message`, or its JSON text.
pub fn sign_typed(key: &SigningKey, data: &Value) -> Result<Signature, Refusal> {
    Ok(Signature::of(key, &typed_digest(data)?))
}

/// Digest of typed data.
pub fn typed_digest(data: &Value) -> Result<[u8; 32], Refusal> {
    let data = match data {
        Value::Text(text) if text.len() > LONGEST => return Err(Refusal::params("typedData")),
        Value::Text(text) => Cow::Owned(parse(text).map_err(|_| Refusal::params("typedData"))?),
        data => Cow::Borrowed(data),
    };
    let [types, primary, domain, message] =
        value::fields(&data, &["types", "primaryType", "domain", "message"]).ok_or(Refusal::params("typedData"))?[..]
    else {
        return Err(Refusal::params("typedData"));
    };
    let types = Types::read(types).ok_or(Refusal::params("types"))?;
    let primary = primary.as_str().filter(|name| *name != DOMAIN).and_then(|name| types.find(name));
    let primary = primary.ok_or(Refusal::params("primaryType"))?;
    let domain_type = types.domain().ok_or(Refusal::params("EIP712Domain"))?;
    let separator = types.hash(domain_type, domain).ok_or(Refusal::params("domain"))?;
    let message = types.hash(primary, message).ok_or(Refusal::params("message"))?;
    Ok(keccak256(&[b"\x19\x01", &separator[..], &message].concat()))
}

#[cfg(test)]
mod tests;
