//! History from the nodes of a chain: token transfers in the last blocks, for chains without an explorer. Transfers of the native coin
//! leave no log and are missing. Needs no key.

use super::multicall::{self, ContractRead};
use super::transfer::{TRANSFER, Transfer};
use super::{Fault, Question, SourceAnswer, loose, nodes};
use crate::AppState;
use crate::activity::{self, Leaf, Page, Params, Piece, PieceContent, Stream, doubt_coin, rfc3339};
use crate::config::{Chain, Token};
use alloy_sol_types::{SolCall, sol};
use futures_util::FutureExt;
use portico_api::account::Transaction;
use portico_json::Value;
use serde_json::json;
use std::collections::BTreeSet;

sol! {
    function name() external view returns (string);
    function symbol() external view returns (string);
    function decimals() external view returns (uint8);
}

/// Block range of one request for logs; nodes refuse wider ones.
const WINDOW: u64 = 2000;

/// Maximum number of windows; older history needs an explorer.
const WINDOWS: u64 = 5;

/// Maximum number of logs per window.
const MOST: usize = 200;

pub(super) async fn history(asked: Question<'_>) -> Result<Page<Transaction>, Fault> {
    let chain = asked.chain()?;
    let windows = Windows { state: asked.state, chain: &chain, account: asked.account.address() };
    let mut page = asked.merged(&[&windows]).await?;
    page.rows.iter_mut().for_each(doubt_coin);
    Ok(page)
}

struct Windows<'a> {
    state: &'a AppState,
    chain: &'a Chain,
    account: &'a str,
}

impl Stream for Windows<'_> {
    fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf> {
        async move {
            let given = |name: &str| params.iter().find(|(key, _)| key == name).map(|(_, value)| value.parse::<u64>());
            let (to, left) = match (given("to"), given("left")) {
                (Some(Ok(to)), Some(Ok(left))) => (to, left.min(WINDOWS)),
                (None, None) => (self.head().await?, WINDOWS),
                _ => return Err(Fault::Cursor),
            };
            let from = to.saturating_sub(WINDOW - 1);
            let pieces = self.pieces(from, to).await?;
            let next = from.checked_sub(1).filter(|_| left > 1);
            let next = next.map(|to| vec![("to".into(), to.to_string()), ("left".into(), (left - 1).to_string())]);
            Ok(Leaf { pieces, next })
        }
        .boxed()
    }
}

impl Windows<'_> {
    async fn ask(&self, calls: Vec<(&str, serde_json::Value)>) -> Result<Vec<Value>, Fault> {
        nodes::all(self.state, &self.chain.id, calls).await
    }

    async fn head(&self) -> Result<u64, Fault> {
        let answers = self.ask(vec![("eth_blockNumber", json!([]))]).await?;
        answers.first().and_then(loose::number).ok_or(Fault::Nonsense)
    }

    async fn pieces(&self, from: u64, to: u64) -> Result<Vec<Piece>, Fault> {
        let own = format!("0x{:0>64}", self.account.trim_start_matches("0x").to_ascii_lowercase());
        let range = |topics: serde_json::Value| json!([{ "fromBlock": format!("{from:#x}"), "toBlock": format!("{to:#x}"), "topics": topics }]);
        let calls = vec![
            ("eth_getLogs", range(json!([TRANSFER, own]))),
            ("eth_getLogs", range(json!([TRANSFER, serde_json::Value::Null, own]))),
        ];
        let mut logs: Vec<Log> = Vec::new();
        for answer in self.ask(calls).await? {
            for log in answer.as_list().ok_or(Fault::Nonsense)?.iter().filter_map(Log::read) {
                // A transfer from the account to itself is in both lists.
                if !logs.contains(&log) {
                    logs.push(log);
                }
            }
        }
        logs.sort_by_key(|log| std::cmp::Reverse((log.block, log.index)));
        logs.truncate(MOST);
        let blocks: Vec<u64> = logs.iter().map(|log| log.block).collect::<BTreeSet<_>>().into_iter().collect();
        let hashes: Vec<&str> = logs.iter().map(|log| &*log.hash).collect::<BTreeSet<_>>().into_iter().collect();
        let asked = blocks.iter().map(|block| ("eth_getBlockByNumber", json!([format!("{block:#x}"), false])));
        let asked = asked.chain(hashes.iter().map(|hash| ("eth_getTransactionByHash", json!([hash])))).collect();
        let answers = self.ask(asked).await?;
        let (told_blocks, told_calls) = answers.split_at_checked(blocks.len()).ok_or(Fault::Nonsense)?;
        let at = |block: u64| {
            let place = blocks.binary_search(&block).ok()?;
            loose::number(told_blocks.get(place)?.get("timestamp")).and_then(rfc3339)
        };
        let tokens = self.tokens(&logs).await;
        let mut pieces = Vec::new();
        for (hash, told) in hashes.iter().zip(told_calls) {
            let block = logs.iter().find(|log| log.hash == **hash).map(|log| log.block);
            let (Some(block), Some(call)) = (block, call(told)) else { continue };
            let Some(at) = at(block) else { continue };
            pieces.push(Piece { block, hash: (*hash).into(), at, what: PieceContent::Call(call) });
        }
        pieces.extend(logs.iter().filter_map(|log| {
            let moved = log.transfer.of(tokens.iter().find(|token| token.address == log.token)?);
            Some(Piece {
                block: log.block,
                hash: log.hash.clone(),
                at: at(log.block)?,
                what: PieceContent::Moved(moved),
            })
        }));
        Ok(pieces)
    }

    /// Tokens of the transfers: configured ones, and others with the metadata of their contracts.
    async fn tokens(&self, logs: &[Log]) -> Vec<Token> {
        let mut tokens = self.chain.assets.tokens.clone();
        let unknown: BTreeSet<&str> = logs.iter().map(|log| &*log.token).collect();
        let unknown: Vec<&str> =
            unknown.into_iter().filter(|address| tokens.iter().all(|token| token.address != **address)).collect();
        let selectors = [nameCall {}.abi_encode(), symbolCall {}.abi_encode(), decimalsCall {}.abi_encode()];
        let calls: Vec<ContractRead> = unknown
            .iter()
            .filter_map(|address| address.parse().ok())
            .flat_map(|to| selectors.iter().map(move |data| ContractRead { to, data: data.clone() }))
            .collect();
        let told = multicall::ask(self.state, self.chain, &calls).await.unwrap_or_default();
        for (address, told) in unknown.iter().zip(told.chunks(selectors.len())) {
            let [name, symbol, decimals] = told else { continue };
            let word = |text: Option<String>| loose::word(&Value::Text(text?));
            let name = word(name.as_ref().and_then(|bytes| nameCall::abi_decode_returns(bytes).ok()));
            let symbol = word(symbol.as_ref().and_then(|bytes| symbolCall::abi_decode_returns(bytes).ok()));
            let decimals = decimals.as_ref().and_then(|bytes| decimalsCall::abi_decode_returns(bytes).ok());
            tokens.push(Token {
                address: (*address).into(),
                name: name.unwrap_or_default(),
                symbol: symbol.unwrap_or_default(),
                decimals: decimals.unwrap_or(0),
                picture: String::new(),
            });
        }
        tokens
    }
}

/// Log of a token transfer.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Log {
    block: u64,
    index: u64,
    hash: String,
    token: String,
    transfer: Transfer,
}

impl Log {
    fn read(log: &Value) -> Option<Log> {
        Some(Log {
            block: loose::number(log.get("blockNumber"))?,
            index: loose::number(log.get("logIndex"))?,
            hash: loose::hash(log.get("transactionHash"))?,
            token: loose::evm(log.get("address"))?,
            transfer: Transfer::read(log.get("topics"), log.get("data"))?,
        })
    }
}

/// Parses a transaction. It did not fail, because it left a transfer log.
fn call(told: &Value) -> Option<activity::SignedCall> {
    let input = told.get("input").as_str().unwrap_or_default();
    Some(activity::SignedCall {
        from: loose::evm(told.get("from"))?,
        to: loose::evm(told.get("to")).unwrap_or_default(),
        value: loose::amount(told.get("value"))?,
        nonce: loose::number(told.get("nonce")).unwrap_or(0),
        method: input.get(..10).unwrap_or_default().into(),
        ..activity::SignedCall::default()
    })
}
