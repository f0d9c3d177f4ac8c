//! JSON-RPC client for the chain.

use alloy_primitives::{Address, B256, Bytes, U256};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Number of requests in one batch.
const BATCH: usize = 100;

/// Time limit of a batch; a chain that takes longer counts as unreachable.
const PATIENCE: Duration = Duration::from_secs(60);

/// Error of a request to the chain.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The chain could not be reached, or the connection broke off.
    #[error("couldn't reach the chain: {0}")]
    Unreachable(#[from] reqwest::Error),
    /// The response is not valid JSON-RPC.
    #[error("the chain sent an invalid response: {0}")]
    Nonsense(String),
}

pub(crate) struct Chain {
    client: reqwest::Client,
    url: String,
}

#[derive(Deserialize)]
struct Answer {
    id: usize,
    result: Option<Value>,
}

impl Chain {
    pub fn new(url: &str) -> Self {
        // Fails if a provider is already installed, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self { client: reqwest::Client::new(), url: url.to_owned() }
    }

    /// Returns the results in the order of the requests; a request that the node refused yields `None`.
    pub async fn ask(&self, questions: &[(&str, Value)]) -> Result<Vec<Option<Value>>, ChainError> {
        let mut answers = Vec::with_capacity(questions.len());
        for part in questions.chunks(BATCH) {
            let ask = |(id, (method, params)): (usize, &(&str, Value))| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            let body = Value::from(part.iter().enumerate().map(ask).collect::<Vec<_>>()).to_string();
            let request =
                self.client.post(&self.url).timeout(PATIENCE).header("content-type", "application/json").body(body);
            let said = request.send().await?.bytes().await?;
            let mut found: Vec<Answer> = parse(&said)?;
            found.sort_by_key(|answer| answer.id);
            if found.iter().map(|answer| answer.id).ne(0..part.len()) {
                return Err(ChainError::Nonsense("other ids than asked for".into()));
            }
            answers.extend(found.into_iter().map(|answer| answer.result));
        }
        Ok(answers)
    }

    /// Returns the number of the latest block.
    pub async fn height(&self) -> Result<u64, ChainError> {
        let answer = self.ask(&[("eth_blockNumber", json!([]))]).await?.remove(0);
        let text = answer.as_ref().and_then(Value::as_str).unwrap_or_default();
        quantity(text).ok_or_else(|| ChainError::Nonsense(format!("block number `{text}`")))
    }

    /// Reads whole blocks; the list ends before a block that has disappeared meanwhile.
    pub async fn blocks(&self, numbers: impl Iterator<Item = u64>) -> Result<Vec<FullBlock>, ChainError> {
        let numbers = numbers.map(|number| format!("0x{number:x}"));
        let ask = |number: String| {
            [
                ("eth_getBlockByNumber", json!([number, true])),
                ("eth_getBlockReceipts", json!([number])),
                ("trace_block", json!([number])),
            ]
        };
        let questions: Vec<_> = numbers.flat_map(ask).collect();
        let answers = self.ask(&questions).await?;
        let mut blocks = Vec::with_capacity(answers.len() / 3);
        for one in answers.chunks(3) {
            let [Some(block), Some(receipts), traces] = one else { break };
            // Nodes without tracing report no inner calls.
            let traces = traces.as_ref().map_or(Ok(Vec::new()), value)?;
            blocks.push(FullBlock { block: value(block)?, receipts: value(receipts)?, traces });
        }
        Ok(blocks)
    }

    /// Returns the hash of the block with this number, if there is one.
    pub async fn hash(&self, number: u64) -> Result<Option<B256>, ChainError> {
        let question = ("eth_getBlockByNumber", json!([format!("0x{number:x}"), false]));
        let answer = self.ask(&[question]).await?.remove(0);
        Ok(answer.and_then(|block| block["hash"].as_str()?.parse().ok()))
    }

    /// Calls contracts and returns their results; a call that reverts yields `None`.
    pub async fn read(&self, calls: &[(Address, Bytes)]) -> Result<Vec<Option<Bytes>>, ChainError> {
        let question = |(to, data): &(Address, Bytes)| ("eth_call", json!([{ "to": to, "data": data }, "latest"]));
        let answers = self.ask(&calls.iter().map(question).collect::<Vec<_>>()).await?;
        Ok(answers.into_iter().map(|answer| answer?.as_str()?.parse().ok()).collect())
    }
}

fn parse<T: for<'a> Deserialize<'a>>(said: &[u8]) -> Result<T, ChainError> {
    serde_json::from_slice(said).map_err(|error| ChainError::Nonsense(error.to_string()))
}

fn value<T: for<'a> Deserialize<'a>>(value: &Value) -> Result<T, ChainError> {
    T::deserialize(value).map_err(|error| ChainError::Nonsense(error.to_string()))
}

/// Parses a JSON-RPC quantity: `0x` and hexadecimal digits.
fn quantity(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// Block with the receipts and the traces of its transactions.
pub(crate) struct FullBlock {
    pub block: Block,
    pub receipts: Vec<Receipt>,
    pub traces: Vec<Trace>,
}

/// Trace of one call of a transaction; the outermost call has a trace too.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trace {
    #[serde(default)]
    pub action: Action,
    #[serde(default)]
    pub error: Option<String>,
    /// Position in the tree of calls; empty for the outermost call.
    pub trace_address: Vec<u64>,
    pub transaction_hash: Option<B256>,
    #[serde(default)]
    pub transaction_position: u64,
}

/// Caller, callee and value of a call; empty for other kinds of traces.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Action {
    pub from: Option<Address>,
    pub to: Option<Address>,
    pub call_type: Option<String>,
    pub gas: Option<U256>,
    pub value: Option<U256>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Block {
    pub number: U256,
    pub hash: B256,
    pub timestamp: U256,
    #[serde(default)]
    pub base_fee_per_gas: Option<U256>,
    pub transactions: Vec<Transaction>,
}

/// Transaction as it was sent.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Transaction {
    pub hash: B256,
    pub from: Address,
    pub to: Option<Address>,
    pub value: U256,
    pub input: Bytes,
    pub nonce: U256,
    pub gas: U256,
    #[serde(rename = "type", default)]
    pub kind: U256,
    #[serde(default)]
    pub max_fee_per_gas: Option<U256>,
    #[serde(default)]
    pub max_priority_fee_per_gas: Option<U256>,
}

/// Receipt of a transaction.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Receipt {
    pub transaction_hash: B256,
    pub status: U256,
    pub gas_used: U256,
    pub effective_gas_price: U256,
    pub contract_address: Option<Address>,
    pub logs: Vec<Log>,
}

/// Event log of a contract.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Log {
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Bytes,
    pub log_index: U256,
}
