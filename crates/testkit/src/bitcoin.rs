//! Scripted node and wallet of Bitcoin.

use crate::chain::RealChain;
use portico_calldata::bitcoin::{Address, OutPoint, Output, Payment, id_text};
use portico_encoding::base64::{self, Spelling};
use portico_encoding::hex;
use portico_json::{Value, parse};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Public key of the scripted wallet: that of the examples in BIP-173.
const KEY: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

/// Its address for payments.
pub const BITCOIN_ADDRESS: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/// Output of an account, with the transaction that made it.
#[derive(Clone, Debug)]
pub struct BitcoinCoin {
    /// Id of the transaction in hex.
    pub id: String,
    pub satoshis: u64,
    pub confirmed: bool,
}

/// Network of Bitcoin as a node tells it.
#[derive(Clone, Debug, Default)]
pub struct BitcoinNode {
    /// Unspent outputs, as the node tells them.
    pub coins: Vec<BitcoinCoin>,
    /// Transactions in hex, by id.
    pub transactions: BTreeMap<String, String>,
    /// Coins for 1,000 bytes, by blocks; others cost 0.00002.
    pub fees: BTreeMap<u64, &'static str>,
    /// State of every sent transaction: JSON, or `None` for unknown.
    pub status: Option<String>,
    /// Transaction that has spent the outputs.
    pub spender: Option<String>,
    /// Error of a sent transaction.
    pub refusal: Option<(i64, &'static str)>,
    /// Methods without an answer.
    pub missing: Vec<&'static str>,
    /// Methods that were called, with their parameters.
    pub calls: Vec<(String, Value)>,
}

impl BitcoinNode {
    /// Adds an output of an address; the transaction that made it has these satoshis.
    pub fn fund(&mut self, address: &str, satoshis: u64, confirmed: bool) -> String {
        let script = Address::parse(address).map(|address| address.kind.script()).unwrap_or_default();
        let number = self.transactions.len() as u32;
        let payment = Payment {
            inputs: vec![OutPoint { transaction: [9; 32], index: number }],
            outputs: vec![Output { satoshis, script }],
        };
        let id = id_text(&payment.id(&[]));
        self.transactions.insert(id.clone(), hex::encode(&payment.bytes(&[])));
        self.coins.push(BitcoinCoin { id: id.clone(), satoshis, confirmed });
        id
    }

    fn answer(&mut self, method: &str, params: &Value) -> Result<Value, (i64, String)> {
        self.calls.push((method.into(), params.clone()));
        if self.missing.contains(&method) {
            return Err((-32000, "Unavailable".into()));
        }
        let params = params.as_list().unwrap_or_default();
        let first = params.first().cloned().unwrap_or_default();
        let text = match method {
            "getaddressutxos" => {
                let row = |BitcoinCoin { id, satoshis, confirmed }: &BitcoinCoin| {
                    let height = if *confirmed { r#","height":800000"# } else { "" };
                    format!(r#"{{"txid":"{id}","outputIndex":0,"satoshis":{satoshis}{height}}}"#)
                };
                format!("[{}]", self.coins.iter().map(row).collect::<Vec<_>>().join(","))
            }
            "getaddressbalance" => {
                format!(r#"{{"balance":{}}}"#, self.coins.iter().map(|coin| coin.satoshis).sum::<u64>())
            }
            "estimatesmartfee" => {
                let blocks = first.as_u64().unwrap_or_default();
                let fee = self.fees.get(&blocks).unwrap_or(&"0.00002");
                format!(r#"{{"feerate":{fee},"blocks":{blocks}}}"#)
            }
            "getrawtransaction" if params.len() > 1 => {
                self.status.clone().ok_or((-5, "No such mempool or blockchain transaction".into()))?
            }
            "getrawtransaction" => {
                let known = self.transactions.get(first.as_str().unwrap_or_default());
                let text = known.ok_or((-5, String::from("No such mempool or blockchain transaction")))?;
                format!(r#""{text}""#)
            }
            "gettxspendingprevout" => {
                let asked = first.as_list().and_then(<[Value]>::first).cloned().unwrap_or_default();
                let spender = self.spender.as_ref().map(|id| format!(r#","spendingtxid":"{id}""#)).unwrap_or_default();
                format!(r#"[{{"txid":"{}","vout":0{spender}}}]"#, asked.get("txid").as_str().unwrap_or_default())
            }
            "sendrawtransaction" => {
                if let Some((code, message)) = self.refusal {
                    return Err((code, message.into()));
                }
                format!(r#""{}""#, "ab".repeat(32))
            }
            _ => return Err((-32601, "Method not found".into())),
        };
        parse(&text).map_err(|_| (-32603, "Internal error".into()))
    }

    /// Chain for a world's node. What the test changes afterwards counts from then on.
    pub fn chain(self) -> (RealChain, Rc<RefCell<BitcoinNode>>) {
        let shared = Rc::new(RefCell::new(self));
        let node = shared.clone();
        (RealChain::telling(move |method, params| node.borrow_mut().answer(method, params)), shared)
    }

    /// Parameters of the calls of a method.
    pub fn params_of(&self, method: &str) -> Vec<&Value> {
        self.calls.iter().filter(|(called, _)| called == method).map(|(_, params)| params).collect()
    }
}

/// PSBT in base64 with a signature of [`BITCOIN_ADDRESS`] in each input. No curve is behind it: signatures are for the network to verify.
pub fn sign_bitcoin(psbt: &str) -> String {
    let bytes = base64::decode(psbt, Spelling::Standard).unwrap_or_default();
    let key = hex::decode(KEY).unwrap_or_default();
    let signature = [&[0x30; 70][..], &[1]].concat();
    let entry = [&[34, 2][..], &key, &[71], &signature].concat();
    let (mut out, mut rest) = bytes.split_at(bytes.len().min(5));
    let mut signed = out.to_vec();
    let mut maps = 0;
    while !rest.is_empty() {
        let length = map_length(rest);
        (out, rest) = rest.split_at(length.min(rest.len()));
        let filled = out.len() > 1;
        signed.extend(&out[..out.len() - 1]);
        if maps > 0 && filled {
            signed.extend(&entry);
        }
        signed.push(0);
        maps += 1;
    }
    base64::encode(&signed, Spelling::Standard)
}

/// Bytes of the next map, with the zero at its end.
fn map_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    while bytes.get(at).is_some_and(|length| *length != 0) {
        for _ in 0..2 {
            let (length, size) = match bytes.get(at) {
                Some(0xfd) => (usize::from(u16::from_le_bytes([bytes[at + 1], bytes[at + 2]])), 3),
                Some(short) => (usize::from(*short), 1),
                None => return bytes.len(),
            };
            at += size + length;
        }
    }
    at + 1
}
