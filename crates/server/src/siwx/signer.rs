//! Account that signed a message.

use super::message::Message;
use crate::guard::project::Project;
use crate::name::signature::{self, Checked};
use crate::{AppState, Failure};
use alloy_primitives::{Address, hex};
use axum::http::StatusCode;
use ed25519_dalek::{Signature, VerifyingKey};
use portico_encoding::base58;
use portico_terms::{Namespace, address};

/// Cost of a signature that a chain is asked about.
const ASKING: usize = 9;

/// Address of the account that signed; with its checksum on EVM chains.
pub(super) async fn signer(
    state: &AppState,
    project: &Project,
    message: &Message,
    text: &str,
    signed: &str,
) -> Result<String, Failure> {
    let wrong = |told: String| Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "signature", told);
    let other = || wrong("The signature isn't from this account. Sign again.".into());
    if matches!(message.chain.namespace(), Namespace::Bip122 | Namespace::Polkadot) {
        let checked = portico_signature::check(&message.chain, &message.address, text, signed);
        return checked.map(|()| message.address.clone()).map_err(|refusal| match refusal.field() {
            "signature" => wrong(refusal.to_string()),
            field => Failure::parameter(field, refusal.to_string()),
        });
    }
    if message.chain.namespace() == Namespace::Solana {
        let key: Option<[u8; 32]> = base58::decode(&message.address).and_then(|bytes| bytes.try_into().ok());
        let key = key.ok_or_else(|| Failure::parameter("address", "The address isn't one of Solana"))?;
        return if is_signed_by(&key, text, signed) { Ok(message.address.clone()) } else { Err(other()) };
    }
    let checksum = address::with_checksum(&message.address).ok().filter(|checksum| *checksum == message.address);
    let parsed = checksum.as_ref().and_then(|address| address.parse::<Address>().ok());
    let (Some(checksum), Some(account)) = (checksum, parsed) else {
        return Err(Failure::parameter("address", "Use an EVM address with its checksum (EIP-55)"));
    };
    let bytes = signed.strip_prefix("0x").and_then(|text| hex::decode(text).ok()).filter(|bytes| !bytes.is_empty());
    let bytes = bytes.ok_or_else(|| wrong("Use 0x and hex as signature".into()))?;
    let chain = Some(&message.chain);
    if signature::check(state, None, account, text, &bytes).await == Checked::Key {
        return Ok(checksum);
    }
    if state.chain(&message.chain).is_none() {
        return Err(wrong(format!(
            "The signature isn't from this account's key, and this server can't check contracts on {}. Sign again.",
            message.chain
        )));
    }
    project.spend(state, ASKING).await?;
    match signature::check(state, chain, account, text, &bytes).await {
        Checked::Key | Checked::Contract => Ok(checksum),
        Checked::Wrong => Err(other()),
        Checked::NoSourceAnswered => {
            let told = "The chain doesn't respond, so the signature can't be verified now. Try again.";
            Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "signature", told).again_after(5))
        }
    }
}

/// Whether a key of Solana made a signature, in base58, of a text.
pub(super) fn is_signed_by(key: &[u8; 32], text: &str, signature: &str) -> bool {
    let signature: Option<[u8; 64]> = base58::decode(signature).and_then(|bytes| bytes.try_into().ok());
    let (Ok(key), Some(signature)) = (VerifyingKey::from_bytes(key), signature) else { return false };
    // Strict: a key of small order, which no one owns, would accept signatures of anybody.
    key.verify_strict(text.as_bytes(), &Signature::from_bytes(&signature)).is_ok()
}
