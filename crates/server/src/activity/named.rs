//! Names of called contracts that the server knows itself.

use crate::AppState;
use crate::config::Chain;
use alloy_primitives::Address;
use portico_api::account::{Application, Transaction};

/// Kinds whose other party is a person or a collection, not the called contract.
const DIRECT: [&str; 5] = ["send", "receive", "mint", "burn", "deploy"];

/// Names the contract that a transaction calls, if the server knows it: a swap contract, or the token that an approval is about. The name
/// replaces that of the source, where anybody may name a contract.
pub(crate) fn name_contract(state: &AppState, chain: &Chain, row: &mut Transaction) {
    let metadata = &mut row.metadata;
    if DIRECT.contains(&metadata.operation_type.as_str()) {
        return;
    }
    let approved = metadata.operation_type == "approve";
    let token = chain.assets.tokens.iter().find(|token| token.address.eq_ignore_ascii_case(&metadata.sent_to));
    if let Some(approval) = &mut row.approval {
        approval.symbol = token.map(|token| token.symbol.clone());
        approval.decimals = token.map(|token| token.decimals.into());
        approval.spender_name =
            approval.spender.parse::<Address>().ok().and_then(|spender| state.swaps().name_of(chain, spender));
    }
    let swap = || state.swaps().name_of(chain, metadata.sent_to.parse::<Address>().ok()?);
    if let Some(name) = swap().or_else(|| Some(token?.symbol.clone()).filter(|_| approved)) {
        metadata.application = Some(Application { name, icon_url: String::new() });
    }
}
