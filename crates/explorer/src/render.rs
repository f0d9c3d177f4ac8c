//! JSON objects of the API, with the fields of its public documentation.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};

use crate::index::{InnerCall, Mined, Transfer};
use crate::method;
use crate::time::rfc3339;
use crate::token::Token;
use crate::transfer::Standard;

/// Formats an address with its EIP-55 checksum.
pub(crate) fn hash(address: Address) -> String {
    address.to_checksum(None)
}

/// Reference to an account within another object.
pub(crate) fn account(address: Address) -> Value {
    json!({
        "hash": hash(address), "name": null, "ens_domain_name": null, "is_contract": false, "is_verified": false,
        "is_scam": false, "implementations": [], "proxy_type": null, "metadata": null,
        "private_tags": [], "public_tags": [], "watchlist_names": []
    })
}

/// JSON of a token, with the old and the new field names, since instances of both ages are in use.
pub(crate) fn token(token: &Token, rate: Option<&String>, icon: Option<&String>) -> Value {
    json!({
        "address": hash(token.address), "address_hash": hash(token.address),
        "name": token.name, "symbol": token.symbol, "type": token.standard.name(),
        "decimals": token.decimals.map(decimal), "total_supply": token.total_supply.map(decimal),
        "exchange_rate": rate, "icon_url": icon, "circulating_market_cap": null, "volume_24h": null,
        "holders": null, "holders_count": null, "reputation": "ok"
    })
}

/// JSON of a transaction in a list; `height` is the number of the chain's latest block.
pub(crate) fn transaction(mined: &Mined, height: u64) -> Value {
    let Mined { transaction, receipt, .. } = mined;
    let succeeded = receipt.status == U256::from(1);
    let gas_price = receipt.effective_gas_price;
    let base_fee = mined.base_fee.unwrap_or_default();
    let fee = receipt.gas_used * gas_price;
    json!({
        "hash": transaction.hash, "block_number": mined.block, "timestamp": rfc3339(mined.timestamp),
        "confirmations": height.saturating_sub(mined.block) + 1, "position": mined.index,
        "status": if succeeded { "ok" } else { "error" },
        "result": if succeeded { "success" } else { "execution reverted" },
        "from": account(transaction.from), "to": transaction.to.map(account),
        "created_contract": receipt.contract_address.filter(|_| transaction.to.is_none()).map(account),
        "value": decimal(transaction.value), "method": method::name(&transaction.input).filter(|_| transaction.to.is_some()),
        "raw_input": transaction.input, "decoded_input": null, "transaction_types": kinds(mined),
        "nonce": transaction.nonce.saturating_to::<u64>(), "type": transaction.kind.saturating_to::<u64>(),
        "gas_limit": decimal(transaction.gas), "gas_used": decimal(receipt.gas_used), "gas_price": decimal(gas_price),
        "max_fee_per_gas": transaction.max_fee_per_gas.map(decimal),
        "max_priority_fee_per_gas": transaction.max_priority_fee_per_gas.map(decimal),
        "base_fee_per_gas": decimal(base_fee), "transaction_burnt_fee": decimal(receipt.gas_used * base_fee),
        "priority_fee": decimal(receipt.gas_used * gas_price.saturating_sub(base_fee)),
        "fee": { "type": "actual", "value": decimal(fee) },
        "token_transfers": null, "token_transfers_overflow": null, "actions": [], "revert_reason": null,
        "exchange_rate": null, "historic_exchange_rate": null, "transaction_tag": null,
        "has_error_in_internal_transactions": false, "is_pending_update": false, "authorization_list": []
    })
}

fn kinds(mined: &Mined) -> Vec<&'static str> {
    let called = !mined.transaction.input.is_empty();
    let moved = mined.receipt.logs.iter().any(|log| !crate::transfer::moves(log).is_empty());
    let kinds = [
        (mined.transaction.to.is_none(), "contract_creation"),
        (mined.transaction.to.is_some() && called, "contract_call"),
        (moved, "token_transfer"),
        (!mined.transaction.value.is_zero(), "coin_transfer"),
    ];
    kinds.iter().filter(|(is, _)| *is).map(|(_, kind)| *kind).collect()
}

/// JSON of an inner call in a list.
pub(crate) fn call(call: &InnerCall) -> Value {
    let trace = &call.trace;
    json!({
        "transaction_hash": trace.transaction_hash, "transaction_index": trace.transaction_position,
        "block_number": call.block, "index": call.index, "block_index": call.index, "timestamp": rfc3339(call.timestamp),
        "type": trace.action.call_type.as_deref().unwrap_or("create"), "success": trace.error.is_none(),
        "error": trace.error, "from": trace.action.from.map(account), "to": trace.action.to.map(account),
        "created_contract": null, "gas_limit": trace.action.gas.map(decimal), "value": trace.action.value.map(decimal)
    })
}

/// JSON of a token transfer in a list.
pub(crate) fn transfer(transfer: &Transfer, token: Value, decimals: Option<U256>, metadata: Option<Value>) -> Value {
    let tokens = &transfer.tokens;
    let decimals = decimals.map(decimal);
    let total = match (tokens.standard, tokens.id) {
        (Standard::Erc721, Some(id)) => json!({ "token_id": decimal(id), "token_instance": instance(id, metadata) }),
        (_, Some(id)) => json!({
            "token_id": decimal(id), "value": decimal(tokens.value), "decimals": decimals,
            "token_instance": instance(id, metadata)
        }),
        (_, None) => json!({ "value": decimal(tokens.value), "decimals": decimals }),
    };
    let kind = match () {
        () if tokens.from.is_zero() => "token_minting",
        () if tokens.to.is_zero() => "token_burning",
        () => "token_transfer",
    };
    json!({
        "transaction_hash": transfer.transaction, "block_hash": transfer.block_hash, "block_number": transfer.block,
        "timestamp": rfc3339(transfer.timestamp), "log_index": transfer.log_index,
        "from": account(tokens.from), "to": account(tokens.to), "method": method::name(&transfer.input),
        "token": token, "token_type": tokens.standard.name(), "total": total, "type": kind
    })
}

/// JSON of one NFT of a contract.
pub(crate) fn instance(id: U256, metadata: Option<Value>) -> Value {
    let text = |field: &str| metadata.as_ref().and_then(|found| found.get(field)).cloned().filter(Value::is_string);
    json!({
        "id": decimal(id), "image_url": text("image"), "media_url": text("image"), "media_type": null,
        "animation_url": text("animation_url"), "external_app_url": text("external_url"),
        "is_unique": true, "owner": null, "thumbnails": null, "metadata": metadata
    })
}

/// Formats a number of any size in decimal.
pub(crate) fn decimal(number: U256) -> String {
    number.to_string()
}
