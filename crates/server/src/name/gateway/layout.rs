//! Signing and encoding of responses, in the layout that the resolver contract expects.

use crate::config::{Gateway, Layout};
use alloy_primitives::{Address, B256, Bytes, keccak256};
use alloy_sol_types::SolValue;
use std::time::{SystemTime, UNIX_EPOCH};

/// Response for the contract's callback: result, expiry, and our signature over both and the request.
pub(super) fn sign(gateway: &Gateway, request: &[u8], result: &[u8]) -> Option<Vec<u8>> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    sign_until(gateway, (now + gateway.ttl).as_secs(), request, result)
}

fn sign_until(gateway: &Gateway, expires: u64, request: &[u8], result: &[u8]) -> Option<Vec<u8>> {
    let hash = hash(gateway.layout, gateway.resolver, expires, request, result);
    let (signature, parity) = gateway.key.key().sign_prehash_recoverable(hash.as_slice()).ok()?;
    let mut bytes = signature.to_bytes().to_vec();
    bytes.push(27 + parity.to_byte());
    let (result, signature) = (Bytes::copy_from_slice(result), Bytes::from(bytes));
    Some(match gateway.layout {
        Layout::OffchainResolver => (result, expires, signature).abi_encode_params(),
        Layout::TheOffchainResolver => (signature, expires, result).abi_encode_params(),
    })
}

/// Hash to sign. Both contracts hash the same fields, packed; the one of ENS Labs adds the prefix of ERC-191 for an intended validator.
fn hash(layout: Layout, resolver: Address, expires: u64, request: &[u8], result: &[u8]) -> B256 {
    let prefix: &[u8] = match layout {
        Layout::OffchainResolver => &[0x19, 0x00],
        Layout::TheOffchainResolver => &[],
    };
    let expires = expires.to_be_bytes();
    keccak256(
        [prefix, resolver.as_slice(), &expires, keccak256(request).as_slice(), keccak256(result).as_slice()].concat(),
    )
}
