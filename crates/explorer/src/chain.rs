//! JSON-RPC to the chain.

use alloy_primitives::{Address, B256, Bytes, U256};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// How many questions travel together.
const BATCH: usize = 100;

/// A chain that takes longer is told as one that does not answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why the chain told nothing.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// It could not be reached, or broke off.
    #[error("the chain cannot be reached: {0}")]
    Unreachable(#[from] reqwest::Error),
    /// What it said is no answer.
    #[error("the chain answered with something else: {0}")]
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
        // Already chosen by another is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self { client: reqwest::Client::new(), url: url.to_owned() }
    }

    /// The answers in the order of the questions; what was refused is `None`.
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

    /// The latest block's number.
    pub async fn height(&self) -> Result<u64, ChainError> {
        let answer = self.ask(&[("eth_blockNumber", json!([]))]).await?.remove(0);
        let text = answer.as_ref().and_then(Value::as_str).unwrap_or_default();
        quantity(text).ok_or_else(|| ChainError::Nonsense(format!("block number `{text}`")))
    }

    /// Blocks with all that is in them; one that went away meanwhile ends the list.
    pub async fn blocks(&self, numbers: impl Iterator<Item = u64>) -> Result<Vec<Whole>, ChainError> {
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
            // A node that does not trace tells of no calls within.
            let traces = traces.as_ref().map_or(Ok(Vec::new()), value)?;
            blocks.push(Whole { block: value(block)?, receipts: value(receipts)?, traces });
        }
        Ok(blocks)
    }

    /// The hash of a block, if there is one with this number.
    pub async fn hash(&self, number: u64) -> Result<Option<B256>, ChainError> {
        let question = ("eth_getBlockByNumber", json!([format!("0x{number:x}"), false]));
        let answer = self.ask(&[question]).await?.remove(0);
        Ok(answer.and_then(|block| block["hash"].as_str()?.parse().ok()))
    }

    /// What contracts say; one that reverts says nothing.
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

/// A JSON-RPC quantity: `0x` and hexadecimal digits.
fn quantity(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// A block, what became of its transactions, and what they called.
pub(crate) struct Whole {
    pub block: Block,
    pub receipts: Vec<Receipt>,
    pub traces: Vec<Trace>,
}

/// A call of a transaction, the outermost included.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trace {
    #[serde(default)]
    pub action: Action,
    #[serde(default)]
    pub error: Option<String>,
    /// Where it stands among the calls; nothing for the outermost.
    pub trace_address: Vec<u64>,
    pub transaction_hash: Option<B256>,
    #[serde(default)]
    pub transaction_position: u64,
}

/// Who called whom; other kinds of traces leave it empty.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Action {
    pub from: Option<Address>,
    pub to: Option<Address>,
    pub call_type: Option<String>,
    pub gas: Option<U256>,
    pub value: Option<U256>,
}

/// A block with its transactions.
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

/// A transaction as it was sent.
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

/// What became of it.
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

/// One event of a contract.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Log {
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Bytes,
    pub log_index: U256,
}
