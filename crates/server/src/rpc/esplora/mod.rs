//! Bitcoin's nodes: servers with the REST interface of Esplora (<https://github.com/Blockstream/esplora/blob/master/API.md>). Clients call
//! them by JSON-RPC as the other chains; each call is one REST request.

mod answer;
mod params;
mod stats;
mod transaction;

use super::cache::Life;
use axum::body::Bytes;
use portico_terms::ChainId;
use reqwest::{Method, Url};
use serde_json::value::RawValue;
use std::sync::Arc;

pub(super) use answer::{Said, Unread};
pub(crate) use params::CONFIRMED;

/// Reads of a chain. Sorted for binary search.
pub(super) const READS: [&str; 8] = [
    "estimatesmartfee",
    "getaddressbalance",
    "getaddresstransactions",
    "getaddressutxos",
    "getblockcount",
    "getblockhash",
    "getrawtransaction",
    "gettxspendingprevout",
];

/// Submission of a signed transaction.
pub(super) const SEND: &str = "sendrawtransaction";

/// Size limit of a node's response, in bytes: lists of transactions have their inputs and outputs in them.
pub(super) const ANSWER_LIMIT: usize = 16 * 1024 * 1024;

/// Parsed call: each text in it may stand in the path of a URL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum EsploraCall {
    BlockCount,
    BlockHash(u32),
    /// Bytes of the transaction with this id.
    RawTransaction(Arc<str>),
    /// Block of the transaction with this id.
    Transaction(Arc<str>),
    /// Transaction that spends an output.
    Spending(Arc<str>, u32),
    Utxos(Arc<str>),
    Balance(Arc<str>),
    /// Page of an address' transactions, from its start or after another page.
    History(Arc<str>, HistoryStart),
    /// Fee for a confirmation within this number of blocks.
    Fee(u16),
    /// Signed transaction in hex.
    Send(Arc<str>),
}

/// Start of a page of an address' transactions.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum HistoryStart {
    /// Unconfirmed transactions and the newest confirmed ones.
    Newest,
    /// The newest confirmed ones.
    Confirmed,
    /// Confirmed ones that are older than this one.
    After(Arc<str>),
}

impl EsploraCall {
    /// Parses a call of [`READS`] or [`SEND`]. The error is the sentence for the client.
    pub(super) fn read(chain: &ChainId, method: &str, params: Option<&RawValue>) -> Result<EsploraCall, &'static str> {
        params::read(chain, method, params.map_or("[]", RawValue::get))
    }

    /// Request to the node with this base URL; `None` for a URL that can have no path.
    pub(super) fn request(&self, base: &Url) -> Option<(Method, Url, Bytes)> {
        let number;
        let path: Vec<&str> = match self {
            EsploraCall::BlockCount => vec!["blocks", "tip", "height"],
            EsploraCall::BlockHash(height) => {
                number = height.to_string();
                vec!["block-height", &number]
            }
            EsploraCall::RawTransaction(id) => vec!["tx", id, "hex"],
            EsploraCall::Transaction(id) => vec!["tx", id],
            EsploraCall::Spending(id, output) => {
                number = output.to_string();
                vec!["tx", id, "outspend", &number]
            }
            EsploraCall::Utxos(address) => vec!["address", address, "utxo"],
            EsploraCall::Balance(address) => vec!["address", address],
            EsploraCall::History(address, HistoryStart::Newest) => vec!["address", address, "txs"],
            EsploraCall::History(address, HistoryStart::Confirmed) => vec!["address", address, "txs", "chain"],
            EsploraCall::History(address, HistoryStart::After(id)) => vec!["address", address, "txs", "chain", id],
            EsploraCall::Fee(_) => vec!["fee-estimates"],
            EsploraCall::Send(_) => vec!["tx"],
        };
        let mut url = base.clone();
        url.path_segments_mut().ok()?.pop_if_empty().extend(path);
        Some(match self {
            EsploraCall::Send(raw) => (Method::POST, url, Bytes::copy_from_slice(raw.as_bytes())),
            _ => (Method::GET, url, Bytes::new()),
        })
    }

    /// Cache lifetime of the result.
    pub(super) fn life(&self) -> Life {
        match self {
            // The id is a hash of the bytes, and is compared with them.
            EsploraCall::RawTransaction(_) => Life::Ever,
            // The newest blocks may be replaced by others.
            EsploraCall::BlockHash(height) => Life::Numbered(u64::from(*height)),
            EsploraCall::Transaction(_) => Life::Named,
            EsploraCall::Send(_) => Life::None,
            // Unconfirmed transactions change them between two blocks; the lifetime until the next block is short enough for that.
            EsploraCall::BlockCount
            | EsploraCall::Spending(..)
            | EsploraCall::Utxos(_)
            | EsploraCall::Balance(_)
            | EsploraCall::History(..)
            | EsploraCall::Fee(_) => Life::Block,
        }
    }
}

/// Whether a text is an address, with its checksum, of this chain. The error is the sentence for the client.
pub(crate) fn is_bitcoin_address(chain: &ChainId, text: &str) -> Result<(), &'static str> {
    params::on_chain(chain, text).map(|_| ())
}

/// Whether a text is a hash in hex, as ids of transactions and blocks are written.
fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_follows_that_of_the_node_and_its_query_stays() {
        let id: Arc<str> = "ab".repeat(32).into();
        for (base, call, url) in [
            ("https://a.example", EsploraCall::BlockCount, "https://a.example/blocks/tip/height".to_owned()),
            ("https://a.example/api/", EsploraCall::BlockHash(7), "https://a.example/api/block-height/7".into()),
            (
                "https://a.example/testnet4/api?key=1",
                EsploraCall::Spending(id.clone(), 3),
                format!("https://a.example/testnet4/api/tx/{id}/outspend/3?key=1"),
            ),
        ] {
            let (method, asked, _) = call.request(&base.parse().unwrap()).unwrap();
            assert_eq!((method, asked.as_str()), (Method::GET, url.as_str()));
        }
        assert!(READS.is_sorted());
    }
}
