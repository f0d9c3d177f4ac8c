//! Transactions: their bytes, their blocks, and what they move.

use super::is_hash;
use portico_calldata::bitcoin::{Previous, id_text};
use portico_encoding::hex;
use portico_terms::address::is_bitcoin;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Satoshis that there can ever be.
pub(super) const MOST_SATOSHIS: u64 = 2_100_000_000_000_000;

/// Maximum hex digits of a transaction that nodes pass on.
const LONGEST_HEX: usize = 800_000;

/// Maximum transactions of one page: 50 unconfirmed and 25 confirmed ones.
const MOST: usize = 75;

#[derive(Deserialize)]
pub(super) struct Status {
    confirmed: bool,
    #[serde(default)]
    block_height: Option<u32>,
    #[serde(default)]
    block_hash: Option<String>,
    #[serde(default)]
    block_time: Option<u32>,
}

impl Status {
    /// Height of the block; `Some(None)` while it is unconfirmed.
    pub(super) fn height(&self) -> Option<Option<u32>> {
        if self.confirmed { self.block_height.map(Some) } else { Some(None) }
    }
}

/// Bytes of a transaction in hex, if it has this id.
pub(super) fn raw(id: &str, text: &str) -> Option<String> {
    (id_of(text)? == id).then(|| format!("\"{text}\""))
}

/// Id that these bytes have.
fn id_of(raw: &str) -> Option<String> {
    let bytes = Some(raw).filter(|raw| raw.len() <= LONGEST_HEX).and_then(hex::decode)?;
    Previous::read(&bytes).map(|read| id_text(&read.id))
}

/// Id of a transaction that was sent. One that the server can read has no other id than its own.
pub(super) fn sent(raw: &str, text: &str) -> Option<String> {
    let own = id_of(raw);
    (is_hash(text) && own.is_none_or(|own| own == text)).then(|| format!("\"{text}\""))
}

/// Block of a transaction.
pub(super) fn place(id: &str, text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Transaction {
        txid: String,
        status: Status,
    }
    let Transaction { txid, status } = serde_json::from_str(text).ok()?;
    if txid != id {
        return None;
    }
    let Some(height) = status.height()? else { return Some(json!({ "txid": txid }).to_string()) };
    let (hash, time) = (status.block_hash.filter(|hash| is_hash(hash))?, status.block_time?);
    Some(json!({ "txid": txid, "blockhash": hash, "blockheight": height, "blocktime": time }).to_string())
}

/// Transaction that spends an output, if there is one.
pub(super) fn spending(id: &str, output: u32, text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Outspend {
        spent: bool,
        #[serde(default)]
        txid: Option<String>,
    }
    let Outspend { spent, txid } = serde_json::from_str(text).ok()?;
    if !spent {
        return Some(json!([{ "txid": id, "vout": output }]).to_string());
    }
    let by = txid.filter(|txid| is_hash(txid))?;
    Some(json!([{ "txid": id, "vout": output, "spendingtxid": by }]).to_string())
}

#[derive(Deserialize)]
struct Listed {
    txid: String,
    fee: u64,
    vin: Vec<Input>,
    vout: Vec<Output>,
    status: Status,
}

#[derive(Deserialize)]
struct Input {
    /// Output that is spent; none for newly mined coins.
    prevout: Option<Output>,
}

#[derive(Deserialize)]
struct Output {
    /// None for a script without an address.
    #[serde(default)]
    scriptpubkey_address: Option<String>,
    value: u64,
}

#[derive(Serialize)]
struct Written {
    txid: String,
    fee: u64,
    vin: Vec<Part>,
    vout: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blockheight: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocktime: Option<u32>,
}

#[derive(Serialize)]
struct Part {
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    satoshis: u64,
}

impl Output {
    fn part(self) -> Option<Part> {
        let address = self.scriptpubkey_address.filter(|address| is_bitcoin(address));
        (self.value <= MOST_SATOSHIS).then_some(Part { address, satoshis: self.value })
    }
}

impl Listed {
    fn written(self) -> Option<Written> {
        let height = self.status.height()?;
        let blocktime = if height.is_some() { Some(self.status.block_time?) } else { None };
        let inputs = self.vin.into_iter().filter_map(|input| input.prevout);
        (is_hash(&self.txid) && self.fee <= MOST_SATOSHIS).then_some(Written {
            txid: self.txid,
            fee: self.fee,
            vin: inputs.map(Output::part).collect::<Option<_>>()?,
            vout: self.vout.into_iter().map(Output::part).collect::<Option<_>>()?,
            blockheight: height,
            blocktime,
        })
    }
}

/// Page of an address' transactions.
pub(super) fn history(text: &str) -> Option<String> {
    let all: Vec<Listed> = serde_json::from_str(text).ok()?;
    if all.len() > MOST {
        return None;
    }
    let all: Vec<Written> = all.into_iter().map(Listed::written).collect::<Option<_>>()?;
    serde_json::to_string(&all).ok()
}
