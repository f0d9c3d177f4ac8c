use portico_core::Outcome;
use portico_json::{Value, parse, to_text};
use std::collections::BTreeMap;

/// Every chain that can be asked, behind HTTP.
#[derive(Clone, Debug)]
pub struct Node {
    /// Wei by address in lower case, on every chain.
    pub balances: BTreeMap<String, u128>,
    /// Receipts by hash: whether the transaction succeeded.
    pub receipts: BTreeMap<String, bool>,
    /// This status instead of an answer.
    pub status: Option<u16>,
    /// With that status: the body.
    pub refusal: String,
    /// The priority fee of one gas, where the chain has one.
    pub priority: Option<u64>,
    /// With that status: Retry-After in milliseconds.
    pub retry_after: Option<u64>,
    /// Nobody answers.
    pub down: bool,
    /// How much gas a transfer takes without a value, and with one.
    pub gas: [u64; 2],
    /// Calls of this method are never answered.
    pub mute: Option<&'static str>,
    /// This instead of a receipt.
    pub forged: Option<Value>,
    /// The bodies that came.
    pub bodies: Vec<String>,
}

impl Default for Node {
    fn default() -> Node {
        let rich = ("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".into(), 10_000 * 10u128.pow(18));
        Node {
            balances: BTreeMap::from([rich]),
            receipts: BTreeMap::new(),
            status: None,
            refusal: String::new(),
            priority: None,
            retry_after: None,
            down: false,
            gas: [21_000; 2],
            mute: None,
            forged: None,
            bodies: Vec::new(),
        }
    }
}

impl Node {
    /// Answers one request.
    pub fn answer(&mut self, body: &str) -> Outcome {
        self.bodies.push(body.into());
        if self.down {
            return Outcome::Failed { error: Value::Text("Failed to fetch".into()) };
        }
        if let Some(status) = self.status {
            return Outcome::HttpAnswered { status, retry_after: self.retry_after, body: self.refusal.clone() };
        }
        let answer = match parse(body) {
            Ok(Value::List(items)) => to_text(&items.iter().map(|item| self.one(item)).collect::<Vec<_>>()),
            Ok(item) => to_text(&self.one(&item)),
            Err(_) => String::new(),
        };
        Outcome::HttpAnswered { status: 200, retry_after: None, body: answer }
    }

    fn one(&self, item: &Value) -> Value {
        let first = item
            .get("params")
            .as_list()
            .and_then(<[Value]>::first)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_lowercase();
        let result = match item.get("method").as_str().unwrap_or_default() {
            "eth_getBalance" => Value::Text(format!("{:#x}", self.balances.get(&first).copied().unwrap_or_default())),
            "eth_gasPrice" => "0x3b9aca00".into(),
            "eth_maxPriorityFeePerGas" => {
                self.priority.map_or(Value::Null, |priority| Value::Text(format!("{priority:#x}")))
            }
            "eth_estimateGas" => {
                let transaction = item.get("params").as_list().and_then(<[Value]>::first).cloned().unwrap_or_default();
                let valued = transaction.get("value").as_str().is_some_and(|value| value != "0x0");
                Value::Text(format!("{:#x}", self.gas[usize::from(valued)]))
            }
            "eth_getTransactionReceipt" if self.forged.is_some() => self.forged.clone().unwrap_or_default(),
            "eth_getTransactionReceipt" => match self.receipts.get(&first) {
                Some(well) => Value::Object(vec![
                    ("transactionHash".into(), Value::Text(first)),
                    ("status".into(), if *well { "0x1" } else { "0x0" }.into()),
                ]),
                None => Value::Null,
            },
            _ => Value::Null,
        };
        Value::Object(vec![
            ("jsonrpc".into(), "2.0".into()),
            ("id".into(), item.get("id").clone()),
            ("result".into(), result),
        ])
    }
}
