//! Polkadot: signatures of sr25519, ed25519 and ecdsa keys, and addresses (SS58).

use crate::Refusal;
use blake2::digest::consts::U32;
use blake2::{Blake2b, Blake2b512, Digest};
use ed25519_dalek::{Signature as EdSignature, VerifyingKey as EdKey};
use k256::ecdsa::{RecoveryId, Signature as EcdsaSignature, VerifyingKey as EcdsaKey};
use k256::elliptic_curve::scalar::IsHigh;
use portico_encoding::{base58, hex};
use schnorrkel::{PublicKey, Signature as SrSignature};

/// SS58 prefixes of the networks whose CAIP-2 references are known here: Polkadot, Kusama and Westend.
const PREFIXES: [(&str, u16); 3] = [
    ("91b171bb158e2d3848fa23a9f1c25182", 0),
    ("b0a8d493285c2df73290dfb7e61f870f", 2),
    ("e143f23803ac50e8f6f8e62695d1ce9e", 42),
];

/// Context of the signatures of sr25519 accounts.
const CONTEXT: &[u8] = b"substrate";

pub(crate) fn check(reference: &str, address: &str, text: &str, signature: &str) -> Result<(), Refusal> {
    // CAIP-13: the first 32 digits of the genesis block's hash.
    if reference.len() != 32 || !reference.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(Refusal::Network);
    }
    let (prefix, account) = read_address(address).ok_or(Refusal::Address)?;
    // Other networks have a prefix that only the page knows; the account is the same under each.
    if PREFIXES.iter().any(|(known, own)| *known == reference && *own != prefix) {
        return Err(Refusal::OtherNetwork);
    }
    let bytes = signature.strip_prefix("0x").filter(|digits| digits.len() <= 2 * 66).and_then(hex::decode);
    let bytes = bytes.filter(|bytes| (64..=66).contains(&bytes.len())).ok_or(Refusal::Form("0x and hex"))?;
    // Extensions wrap what is not a transaction; other wallets sign the text alone.
    let wrapped = ["<Bytes>", text, "</Bytes>"].concat();
    let signed = [text.as_bytes(), wrapped.as_bytes()].iter().any(|signed| is_signed(&account, signed, &bytes));
    if signed { Ok(()) } else { Err(Refusal::Forged) }
}

/// Whether the key of an account signed bytes. A byte before the signature tells the kind of key, where a wallet writes it (`MultiSignature`).
fn is_signed(account: &[u8; 32], bytes: &[u8], signature: &[u8]) -> bool {
    match signature {
        // An ecdsa signature without that byte may begin like the other two.
        [0, rest @ ..] if rest.len() == 64 => is_ed25519(account, bytes, rest) || is_ecdsa(account, bytes, signature),
        [1, rest @ ..] if rest.len() == 64 => is_sr25519(account, bytes, rest) || is_ecdsa(account, bytes, signature),
        [2, rest @ ..] if rest.len() == 65 => is_ecdsa(account, bytes, rest),
        _ => match signature.len() {
            64 => is_sr25519(account, bytes, signature) || is_ed25519(account, bytes, signature),
            65 => is_ecdsa(account, bytes, signature),
            _ => false,
        },
    }
}

fn is_sr25519(account: &[u8; 32], bytes: &[u8], signature: &[u8]) -> bool {
    // The neutral point is the key of the account of zeros: anybody can sign for it.
    if *account == [0; 32] {
        return false;
    }
    let (Ok(key), Ok(signature)) = (PublicKey::from_bytes(account), SrSignature::from_bytes(signature)) else {
        return false;
    };
    key.verify_simple(CONTEXT, bytes, &signature).is_ok()
}

fn is_ed25519(account: &[u8; 32], bytes: &[u8], signature: &[u8]) -> bool {
    let (Ok(key), Ok(signature)) = (EdKey::from_bytes(account), EdSignature::from_slice(signature)) else {
        return false;
    };
    // Strict: a key of small order, which no one owns, would accept signatures of anybody.
    key.verify_strict(bytes, &signature).is_ok()
}

/// Whether the key that is recovered from a signature is that of the account, which is its hash.
fn is_ecdsa(account: &[u8; 32], bytes: &[u8], signature: &[u8]) -> bool {
    let Some((recovery, numbers)) = signature.split_last() else { return false };
    let (Some(recovery), Ok(numbers)) = (RecoveryId::from_byte(*recovery), EcdsaSignature::from_slice(numbers)) else {
        return false;
    };
    if numbers.s().is_high().into() {
        return false;
    }
    let key = EcdsaKey::recover_from_prehash(&blake2(bytes), &numbers, recovery);
    key.is_ok_and(|key| blake2(key.to_sec1_point(true).as_bytes()) == *account)
}

fn blake2(bytes: &[u8]) -> [u8; 32] {
    Blake2b::<U32>::digest(bytes).into()
}

/// Prefix and account id of 32 bytes in an address (SS58), verified by its checksum. Each account has one address for a prefix.
fn read_address(text: &str) -> Option<(u16, [u8; 32])> {
    let bytes = base58::decode_within(text, 50)?;
    let (body, sum) = bytes.split_last_chunk::<2>()?;
    let (prefix, account) = match body {
        [prefix @ 0..=63, account @ ..] => (u16::from(*prefix), account),
        [first @ 64..=127, second, account @ ..] => {
            let low = (first & 0b0011_1111) << 2 | second >> 6;
            (u16::from_le_bytes([low, second & 0b0011_1111]), account)
        }
        _ => return None,
    };
    let account = account.try_into().ok()?;
    // A smaller prefix has the shorter spelling alone.
    let spelt = prefix >= 64 || body.len() == 33;
    let hash = Blake2b512::new().chain_update(b"SS58PRE").chain_update(body).finalize();
    (spelt && hash[..2] == *sum).then_some((prefix, account))
}
