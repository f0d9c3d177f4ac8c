//! Checks whether an account signed a message: EIP-191 by recovery, otherwise ERC-1271 and ERC-6492 by a call to the chain.

use crate::AppState;
use crate::rpc::inside::{self, CallFailed};
use alloy_primitives::{Address, B256, Bytes, Signature, eip191_hash_message, hex};
use alloy_sol_types::SolValue;
use portico_terms::ChainId;
use serde_json::{Value, json};

/// Creation code of `contracts/SignatureValidator.sol`, in hex; runs only in `eth_call`.
const VALIDATOR: &str = include_str!("../../contracts/SignatureValidator.hex");

/// Result of a signature check.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Checked {
    /// Signed by the key of the address.
    Key,
    /// Accepted by the contract at the address, on the given chain.
    Contract,
    /// Not signed by the account.
    Wrong,
    /// Unknown: the chain did not respond.
    NoSourceAnswered,
}

/// Checks a signature of `signer` over the text; `chain` is the chain of its contract, if it is one.
pub(crate) async fn check(
    state: &AppState,
    chain: Option<&ChainId>,
    signer: Address,
    message: &str,
    signature: &[u8],
) -> Checked {
    let hash = eip191_hash_message(message);
    match chain {
        _ if recover(signature, &hash) == Some(signer) => Checked::Key,
        Some(chain) => ask(state, chain, signer, hash, signature).await,
        None => Checked::Wrong,
    }
}

/// Signer of a signature of 65 bytes, or of 64 (EIP-2098). Only signatures with the low `s` are accepted (EIP-2), and a parity
/// of 0, 1, 27 or 28.
pub(crate) fn recover(signature: &[u8], hash: &B256) -> Option<Address> {
    let signature = match signature {
        [_, .., 0 | 1 | 27 | 28] if signature.len() == 65 => Signature::from_raw(signature).ok()?,
        _ if signature.len() == 64 => Signature::from_erc2098(signature),
        _ => return None,
    };
    if signature.normalize_s().is_some() {
        return None;
    }
    signature.recover_address_from_prehash(hash).ok()
}

async fn ask(state: &AppState, chain: &ChainId, signer: Address, hash: B256, signature: &[u8]) -> Checked {
    let arguments = (signer, hash, Bytes::copy_from_slice(signature)).abi_encode_params();
    let data = format!("0x{}{}", VALIDATOR.trim_end(), hex::encode(arguments));
    match inside::call(state, chain, "eth_call", &json!([{ "data": data }, "latest"])).await {
        Ok(Value::String(answer)) if answer == "0x01" => Checked::Contract,
        // A revert means that the contract rejects the signature.
        Ok(_) | Err(CallFailed::Refused { .. } | CallFailed::NotServed(_)) => Checked::Wrong,
        Err(CallFailed::NoResult(reason)) => {
            tracing::warn!(%chain, reason, "couldn't check a signature");
            Checked::NoSourceAnswered
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::U256;
    use k256::ecdsa::SigningKey;

    const MESSAGE: &str = "{\"name\":\"alice.example.eth\"}";

    fn signed() -> (Address, B256, Signature) {
        let key = SigningKey::from_slice(&[7; 32]).unwrap();
        let hash = eip191_hash_message(MESSAGE);
        let (signature, parity) = key.sign_prehash_recoverable(hash.as_slice()).unwrap();
        (Address::from_private_key(&key), hash, (signature, parity).into())
    }

    #[test]
    fn a_signature_of_65_or_64_bytes_leads_to_who_made_it() {
        let (signer, hash, signature) = signed();
        let long = signature.as_bytes();
        assert_eq!(recover(&long, &hash), Some(signer));
        assert_eq!(recover(&signature.as_rsy(), &hash), Some(signer));
        assert_eq!(recover(&signature.as_erc2098(), &hash), Some(signer));
        assert_ne!(recover(&long, &eip191_hash_message("another")), Some(signer));
    }

    #[test]
    fn no_second_form_of_a_signature_counts() {
        let (_, hash, signature) = signed();
        let order: U256 = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141".parse().unwrap();
        let high = Signature::new(signature.r(), order - signature.s(), !signature.v());
        assert!(high.recover_address_from_prehash(&hash).is_ok());
        assert_eq!(recover(&high.as_bytes(), &hash), None);
        let mut bytes = signature.as_bytes();
        for parity in [2, 26, 29, 37, 38, 255] {
            bytes[64] = parity;
            assert_eq!(recover(&bytes, &hash), None, "{parity}");
        }
    }

    #[test]
    fn nonsense_leads_to_nobody() {
        let (_, hash, signature) = signed();
        let bytes = signature.as_bytes();
        for nonsense in
            [&bytes[..0], &bytes[..1], &bytes[..63], &[bytes.as_slice(), &[0]].concat(), &[0; 65], &[0; 64], &[255; 64]]
        {
            assert_eq!(recover(nonsense, &hash), None);
        }
    }
}
