//! History of an account: signatures that mention it, then their transactions. Transfers into one of its token accounts that do not
//! mention the account itself are missing.

use super::{COMMITMENT, transaction};
use crate::activity::{Of, Page};
use crate::source::{Fault, loose};
use crate::upstream::{Question, nodes};
use portico_api::account::Transaction;
use serde_json::json;

/// Rows per page; each needs a call of its own, and public nodes limit calls.
const ROWS: usize = 25;

pub(in crate::upstream) async fn history(asked: Question<'_>) -> Result<Page<Transaction>, Fault> {
    if asked.place.is_some_and(|place| !loose::is_signature(place)) {
        return Err(Fault::Cursor);
    }
    let chain = asked.chain()?;
    let mut wanted = json!({ "limit": ROWS, "commitment": COMMITMENT });
    if let Some(place) = asked.place {
        wanted["before"] = place.into();
    }
    let listed = vec![("getSignaturesForAddress", json!([asked.account.address(), wanted]))];
    let listed = nodes::all(asked.state, &chain.id, listed).await?;
    let listed = listed.first().and_then(|list| list.as_list()).ok_or(Fault::Nonsense)?;
    let mut signatures: Vec<&str> = Vec::new();
    for signature in listed.iter().take(ROWS).filter_map(|item| loose::signature(item.get("signature"))) {
        if !signatures.contains(&signature) && Some(signature) != asked.place {
            signatures.push(signature);
        }
    }
    let how = json!({ "encoding": "jsonParsed", "commitment": COMMITMENT, "maxSupportedTransactionVersion": 0 });
    let calls = signatures.iter().map(|signature| ("getTransaction", json!([signature, how]))).collect();
    let told = nodes::each(asked.state, &chain.id, calls).await;
    if !told.is_empty() && told.iter().all(Result::is_err) {
        return Err(Fault::Unreachable);
    }
    let of = Of { account: asked.account, coin: &chain.assets.coin };
    // A response for another transaction than the requested one is dropped.
    let rows = signatures
        .iter()
        .zip(told)
        .filter_map(|(signature, told)| transaction(of, &told.ok()?).filter(|row| row.metadata.hash == *signature));
    let next = signatures.last().filter(|_| listed.len() >= ROWS).map(|last| (*last).to_owned());
    Ok(Page { rows: rows.collect(), next })
}
