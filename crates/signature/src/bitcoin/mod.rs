//! Bitcoin: "Bitcoin Signed Message" (BIP-137) and BIP-322, for addresses of one key.

mod proof;
mod reader;
mod recovered;

use crate::Refusal;
use portico_calldata::bitcoin::{Address, AddressFault, Kind, form_of, sha256};
use portico_encoding::base64::{self, Spelling};
use portico_encoding::hex;
use proof::Proof;

/// Words before a signature by its form (BIP-322, since 2025); older wallets write none.
const SIMPLE: &str = "smp";
const FULL: &str = "ful";

pub(crate) fn check(reference: &str, address: &str, text: &str, signature: &str) -> Result<(), Refusal> {
    let form = form_of(reference).ok_or(Refusal::Network)?;
    let address = Address::parse(address).map_err(|fault| match fault {
        AddressFault::Spelling => Refusal::Address,
        AddressFault::Version => Refusal::Script,
    })?;
    if matches!(address.kind, Kind::P2wsh(_)) {
        return Err(Refusal::Script);
    }
    if !address.is_on(form) {
        return Err(Refusal::OtherNetwork);
    }
    let signed = match Signed::read(signature).ok_or(Refusal::Form("base64 or hex of BIP-137 or BIP-322"))? {
        Signed::Recoverable(bytes) => recovered::is_of(&bytes, &address.kind, text),
        Signed::Proof(proof) => proof.is_of(&address.kind, text),
    };
    if signed { Ok(()) } else { Err(Refusal::Forged) }
}

/// Signature of a text, by its form.
enum Signed {
    /// Header and two numbers (BIP-137).
    Recoverable([u8; 65]),
    /// BIP-322.
    Proof(Proof),
}

impl Signed {
    fn read(text: &str) -> Option<Signed> {
        if let Some(text) = text.strip_prefix(SIMPLE) {
            return Proof::simple(&bytes_of(text)?).map(Signed::Proof);
        }
        if let Some(text) = text.strip_prefix(FULL) {
            return Proof::full(&bytes_of(text)?).map(Signed::Proof);
        }
        let bytes = bytes_of(text)?;
        if let Ok(bytes) = <[u8; 65]>::try_from(bytes.as_slice())
            && recovered::HEADERS.contains(&bytes[0])
        {
            return Some(Signed::Recoverable(bytes));
        }
        // A witness that begins as a transaction has an empty element, and the signature of a key has none.
        Proof::full(&bytes).or_else(|| Proof::simple(&bytes)).map(Signed::Proof)
    }
}

fn bytes_of(text: &str) -> Option<Vec<u8>> {
    hex::decode(text).or_else(|| base64::decode(text, Spelling::Standard)).filter(|bytes| !bytes.is_empty())
}

/// Hash with a tag (BIP-340).
fn tagged(tag: &str, bytes: &[u8]) -> [u8; 32] {
    let tag = sha256(tag.as_bytes());
    sha256(&[&tag, &tag, bytes].concat())
}

/// Bytes after their length, in Bitcoin's form. Lengths here are below 65,536.
fn vector(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    let mut out = match u8::try_from(length) {
        Ok(short @ 0..=0xfc) => vec![short],
        _ => [&[0xfd][..], &length.to_le_bytes()].concat(),
    };
    out.extend_from_slice(bytes);
    out
}
