//! Requests by their methods.

use super::SignRequest;
use crate::account::Keys;
use crate::evm::{self, Transaction};
use crate::refusal::{Reason, Refusal};
use crate::solana;
use portico_calldata::solana::{LONGEST_MESSAGE, MOST_TRANSACTIONS};
use portico_encoding::base64::{self, Spelling};
use portico_encoding::{base58, hex};
use portico_json::Value;

/// Signs a request.
pub(super) fn sign(keys: &Keys, request: &SignRequest) -> Result<Value, Refusal> {
    let params = &request.params;
    match request.method.as_str() {
        "personal_sign" => {
            let [message, address] = list(params)?;
            is_own(keys, address)?;
            let message = message.as_str().ok_or(Refusal::params("message"))?;
            Ok(evm::sign_message(&keys.evm, &evm::message_bytes(message)).text().into())
        }
        "eth_signTypedData_v4" => {
            let [address, data] = list(params)?;
            is_own(keys, address)?;
            Ok(evm::sign_typed(&keys.evm, data)?.text().into())
        }
        "eth_sendTransaction" | "eth_signTransaction" => {
            let [transaction] = list(params)?;
            is_own(keys, transaction.get("from"))?;
            evm_transaction(keys, transaction, request.chain_id.as_deref())
        }
        "solana_signMessage" => {
            if params.get("pubkey").as_str() != Some(keys.solana_address().as_str()) {
                return Err(Refusal::new(Reason::Account, "pubkey"));
            }
            let message = params.get("message").as_str().and_then(|text| base58::decode_within(text, LONGEST_MESSAGE));
            let signature = solana::sign_message(&keys.solana, &message.ok_or(Refusal::params("message"))?)?;
            Ok(object(&[("signature", base58::encode(&signature).into())]))
        }
        "solana_signTransaction" | "solana_signAndSendTransaction" => {
            let signed = solana_transaction(keys, params.get("transaction"))?;
            let transaction = base64::encode(&signed.transaction, Spelling::Standard);
            let signature = base58::encode(&signed.signature);
            Ok(object(&[("signature", signature.into()), ("transaction", transaction.into())]))
        }
        "solana_signAllTransactions" => {
            let given = params.get("transactions").as_list().filter(|given| given.len() <= MOST_TRANSACTIONS);
            let given = given.filter(|given| !given.is_empty()).ok_or(Refusal::params("transactions"))?;
            let signed = given.iter().map(|transaction| {
                let signed = solana_transaction(keys, transaction)?;
                Ok(Value::from(base64::encode(&signed.transaction, Spelling::Standard)))
            });
            Ok(object(&[("transactions", signed.collect::<Result<Vec<Value>, Refusal>>()?.into())]))
        }
        _ => Err(Refusal::new(Reason::Method, "method")),
    }
}

/// Parameters of a method that takes `N` of them.
fn list<const N: usize>(params: &Value) -> Result<&[Value; N], Refusal> {
    params.as_list().and_then(|list| list.try_into().ok()).ok_or(Refusal::params("params"))
}

/// Checks that an address is the wallet's own.
fn is_own(keys: &Keys, address: &Value) -> Result<(), Refusal> {
    let bytes = address.as_str().and_then(evm::address).ok_or(Refusal::params("address"))?;
    if bytes == keys.evm_address() { Ok(()) } else { Err(Refusal::new(Reason::Account, "address")) }
}

fn evm_transaction(keys: &Keys, transaction: &Value, chain: Option<&str>) -> Result<Value, Refusal> {
    let transaction = Transaction::read(transaction)?;
    if chain.is_some_and(|chain| chain != ["eip155:", &transaction.chain().to_string()].concat()) {
        return Err(Refusal::new(Reason::Chain, "chainId"));
    }
    let signed = transaction.sign(&keys.evm);
    let text = |bytes: &[u8]| Value::from(["0x", &hex::encode(bytes)].concat());
    Ok(object(&[("raw", text(&signed.raw)), ("hash", text(&signed.hash))]))
}

fn solana_transaction(keys: &Keys, transaction: &Value) -> Result<solana::SignedTransaction, Refusal> {
    let bytes = transaction.as_str().and_then(|text| base64::decode(text, Spelling::Standard));
    solana::sign_transaction(&keys.solana, &bytes.ok_or(Refusal::params("transaction"))?)
}

fn object(fields: &[(&str, Value)]) -> Value {
    Value::Object(fields.iter().map(|(name, value)| (String::from(*name), value.clone())).collect())
}
