use crate::chain::RealChain;
use crate::exchange;
use crate::names::Names;
use crate::server::Backend;
use portico_calldata::ens::UNIVERSAL_RESOLVER;
use portico_calldata::{PREVIOUS_SETTLER, REGISTRY, SETTLER, hex};
use portico_core::{HttpMethod, Outcome};
use portico_json::{Value, parse, to_text};
use std::collections::BTreeMap;

/// ERC-20 contract; a call for a missing value reverts.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// Symbol: "TOK".
    pub symbol: Option<&'static str>,
    /// Decimals of the token.
    pub decimals: Option<u16>,
    /// Balance of every account.
    pub balance: Option<u128>,
    /// Whether a transfer returns false instead of reverting.
    pub declines: bool,
}

/// Scripted JSON-RPC node for all chains, over HTTP.
#[derive(Debug)]
pub struct Node {
    /// Balances in wei by address in lower case, on every chain.
    pub balances: BTreeMap<String, u128>,
    /// Receipts by transaction hash: whether the transaction succeeded.
    pub receipts: BTreeMap<String, bool>,
    /// HTTP status returned instead of results.
    pub status: Option<u16>,
    /// Body returned with `status`.
    pub refusal: String,
    /// Gas price in wei.
    pub price: u64,
    /// Priority fee per gas in wei, if the chain has one.
    pub priority: Option<u64>,
    /// Retry-After in milliseconds, returned with `status`.
    pub retry_after: Option<u64>,
    /// Results of `eth_call`, by address in lower case and selector: 0x and hex.
    pub calls: BTreeMap<(String, String), String>,
    /// Whether the node is unreachable.
    pub down: bool,
    /// Part of the URLs at which nothing answers.
    pub unreachable: Option<&'static str>,
    /// Delay of every response, in milliseconds.
    pub late: Option<u64>,
    /// Gas of a transaction without a value, and with one.
    pub gas: [u64; 2],
    /// Method whose calls are never answered.
    pub mute: Option<&'static str>,
    /// ERC-20 contracts by address in lower case.
    pub tokens: BTreeMap<String, Contract>,
    /// Contract code by address in lower case.
    pub codes: BTreeMap<String, String>,
    /// Nonce of any transaction requested by hash, and number of mined transactions of any sender; none if transactions are unknown.
    pub nonces: Option<[u64; 2]>,
    /// Number and transactions of the block in which the sender's count reached that of `nonces`. Ten blocks follow it.
    pub mined: Option<(u64, Vec<Value>)>,
    /// Whether every transfer reverts.
    pub reverts: bool,
    /// Chain that nodes name; none is a node without the method.
    pub chain_id: Option<String>,
    /// Account or contract that the visitor's transactions go to.
    pub sent_to: String,
    /// Value returned instead of a receipt.
    pub forged: Option<Value>,
    /// Bodies of the requests received.
    pub bodies: Vec<String>,
    /// URLs that requests were sent to, in the same order.
    pub urls: Vec<String>,
    /// Answer to a simulation; none is that of contracts that do what the calldata says, and null is a node without the method.
    pub simulation: Option<Value>,
    /// Names on the chain, by name and coin type. Others are unknown to the contract that resolves names.
    pub names: Names,
    /// Addresses that nodes of these URLs tell instead, by part of the URL.
    pub lies: Vec<(&'static str, &'static str)>,
    /// Part of a URL, and decimals that its node reports for every token.
    pub other_decimals: Option<(&'static str, u16)>,
    /// Part of a URL, and the current and the previous Settler in 0x's registry on its node: 0x and hex. The registry reverts where there is none.
    pub settlers: Vec<(&'static str, [Option<String>; 2])>,
    /// Part of a URL, a method, and the result in JSON that its node makes up for it.
    pub made_up: Option<(&'static str, &'static str, String)>,
    /// Part of a URL, and the symbol that its node reports for every token.
    pub other_symbol: Option<(&'static str, &'static str)>,
    /// Part of the URL of a node that serves nobody.
    pub out: Option<&'static str>,
    /// Part of a URL, and revert data with which its node answers every lookup of a name.
    pub other_lookup: Option<(&'static str, String)>,
    /// Answers all requests where it is set.
    pub chain: Option<RealChain>,
    /// Real node that answers all HTTP requests where it is set.
    pub backend: Option<Backend>,
}

impl Default for Node {
    fn default() -> Node {
        let rich = ("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".into(), 10_000 * 10u128.pow(18));
        Node {
            balances: BTreeMap::from([rich]),
            receipts: BTreeMap::new(),
            status: None,
            refusal: String::new(),
            price: 1_000_000_000,
            priority: None,
            retry_after: None,
            calls: BTreeMap::new(),
            down: false,
            unreachable: None,
            late: None,
            gas: [21_000; 2],
            mute: None,
            tokens: BTreeMap::new(),
            codes: BTreeMap::new(),
            nonces: None,
            mined: None,
            reverts: false,
            chain_id: None,
            sent_to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8".into(),
            forged: None,
            simulation: None,
            bodies: Vec::new(),
            urls: Vec::new(),
            names: Names::default(),
            lies: Vec::new(),
            other_decimals: None,
            settlers: Vec::new(),
            made_up: None,
            other_symbol: None,
            out: None,
            other_lookup: None,
            chain: None,
            backend: None,
        }
    }
}

impl Node {
    /// Answers the body of one HTTP request.
    pub fn answer(&mut self, body: &str) -> Outcome {
        self.bodies.push(body.into());
        if let Some(backend) = &mut self.backend {
            let url = self.urls.last().map_or("", String::as_str);
            return backend.answer(HttpMethod::Post, url, Some(body));
        }
        if self.down || self.unreachable.is_some_and(|part| self.url().contains(part)) {
            return Outcome::Failed { error: Value::Text("Failed to fetch".into()) };
        }
        if self.out.is_some_and(|part| self.url().contains(part)) {
            return Outcome::HttpAnswered { status: 429, retry_after: None, body: String::new() };
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

    /// URL of the request that is answered.
    fn url(&self) -> &str {
        self.urls.last().map_or("", String::as_str)
    }

    fn one(&self, item: &Value) -> Value {
        let method = item.get("method").as_str().unwrap_or_default();
        let lie = self.made_up.as_ref().filter(|(part, of, _)| self.url().contains(part) && *of == method);
        if let Some((_, _, result)) = lie {
            return answered(item, parse(result).unwrap_or(Value::Null));
        }
        if let Some(chain) = &self.chain {
            return match chain.answer(method, item.get("params")) {
                Ok(result) => answered(item, result),
                Err((code, message)) => refused(item, &code.to_string(), &message),
            };
        }
        let first = item
            .get("params")
            .as_list()
            .and_then(<[Value]>::first)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_lowercase();
        let transaction = item.get("params").as_list().and_then(<[Value]>::first).cloned().unwrap_or_default();
        let result = match method {
            "eth_call" if transaction.get("to").as_str() == Some(UNIVERSAL_RESOLVER) => {
                let url = self.url();
                if let Some((_, revert)) = self.other_lookup.as_ref().filter(|(part, _)| url.contains(part)) {
                    return reverted_with(item, revert);
                }
                let lie = self.lies.iter().find(|(part, _)| url.contains(part)).map(|(_, address)| *address);
                return match self.names.answer(transaction.get("data").as_str().unwrap_or_default(), lie) {
                    Ok(result) => answered(item, Value::Text(result)),
                    Err(revert) => reverted_with(item, &revert),
                };
            }
            "eth_getBalance" => Value::Text(format!("{:#x}", self.balances.get(&first).copied().unwrap_or_default())),
            "eth_call" => match self.called(&transaction) {
                Some(result) => Value::Text(result),
                None => return reverted(item),
            },
            "eth_simulateV1" => match &self.simulation {
                None => exchange::simulated(item.get("params")),
                Some(Value::Null) => return refused(item, "-32601", "the method does not exist"),
                Some(answer) => answer.clone(),
            },
            "eth_chainId" => self.chain_id.clone().map_or(Value::Null, Value::Text),
            "eth_gasPrice" => Value::Text(format!("{:#x}", self.price)),
            "eth_maxPriorityFeePerGas" => {
                self.priority.map_or(Value::Null, |priority| Value::Text(format!("{priority:#x}")))
            }
            "eth_getCode" => self.codes.get(&first).map_or("0x".into(), |code| Value::Text(code.clone())),
            // A replaced transaction is no longer found.
            "eth_getTransactionByHash" => match self.nonces.filter(|_| self.mined.is_none()) {
                Some([nonce, _]) => Value::Object(vec![
                    ("hash".into(), Value::Text(first)),
                    ("from".into(), "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".into()),
                    ("nonce".into(), Value::Text(format!("{nonce:#x}"))),
                    ("to".into(), Value::Text(self.sent_to.clone())),
                    ("value".into(), "0x14d1120d7b160000".into()),
                    ("input".into(), "0x".into()),
                ]),
                None => Value::Null,
            },
            "eth_getTransactionCount" => self.nonces.map_or(Value::Null, |[nonce, count]| {
                let at = item.get("params").as_list().and_then(|params| block_number(params.get(1)?));
                let before = at.zip(self.mined.as_ref()).is_some_and(|(at, (block, _))| at < *block);
                Value::Text(format!("{:#x}", if before { nonce } else { count }))
            }),
            "eth_blockNumber" => {
                self.mined.as_ref().map_or(Value::Null, |(block, _)| Value::Text(format!("{:#x}", block + 10)))
            }
            "eth_getBlockByNumber" => match &self.mined {
                Some((block, transactions)) if first == format!("{block:#x}") => {
                    Value::Object(vec![("transactions".into(), Value::List(transactions.clone()))])
                }
                _ => Value::Null,
            },
            "eth_estimateGas" if self.reverts => return reverted(item),
            "eth_estimateGas" => {
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
        answered(item, result)
    }

    /// Result of an `eth_call`; `None` if it reverts.
    fn called(&self, transaction: &Value) -> Option<String> {
        let part = |name: &str| transaction.get(name).as_str().unwrap_or_default().to_lowercase();
        let (to, selector) = (part("to"), part("data").chars().take(10).collect::<String>());
        let other = self.other_decimals.filter(|(part, _)| selector == "0x313ce567" && self.url().contains(part));
        if let Some((_, decimals)) = other {
            return Some(format!("0x{decimals:064x}"));
        }
        if to == hex::text(&REGISTRY) {
            let [current, previous] = self.settlers.iter().find(|(part, _)| self.url().contains(part))?.1.clone();
            return match part("data").as_str() {
                SETTLER => current,
                PREVIOUS_SETTLER => previous,
                _ => None,
            };
        }
        let Some(token) = self.tokens.get(&to) else {
            return Some(self.calls.get(&(to, selector)).cloned().unwrap_or_else(|| "0x".into()));
        };
        match selector.as_str() {
            "0x70a08231" => token.balance.map(|balance| format!("0x{balance:064x}")),
            "0x313ce567" => token.decimals.map(|decimals| format!("0x{decimals:064x}")),
            "0x95d89b41" => token.symbol.map(|symbol| {
                let other = self.other_symbol.filter(|(part, _)| self.url().contains(part));
                let symbol = other.map_or(symbol, |(_, other)| other);
                let bytes: String = symbol.bytes().map(|byte| format!("{byte:02x}")).collect();
                format!("0x{:064x}{:064x}{bytes:0<64}", 32, symbol.len())
            }),
            "0xa9059cbb" if self.reverts => None,
            "0xa9059cbb" => Some(format!("0x{:064x}", u8::from(!token.declines))),
            _ => self.calls.get(&(to, selector)).cloned(),
        }
    }
}

fn block_number(hex: &Value) -> Option<u64> {
    u64::from_str_radix(hex.as_str()?.strip_prefix("0x")?, 16).ok()
}

fn answered(item: &Value, result: Value) -> Value {
    Value::Object(vec![
        ("jsonrpc".into(), "2.0".into()),
        ("id".into(), item.get("id").clone()),
        ("result".into(), result),
    ])
}

fn reverted_with(item: &Value, data: &str) -> Value {
    let error = vec![
        ("code".into(), Value::Number("3".into())),
        ("message".into(), "execution reverted".into()),
        ("data".into(), data.into()),
    ];
    Value::Object(vec![
        ("jsonrpc".into(), "2.0".into()),
        ("id".into(), item.get("id").clone()),
        ("error".into(), Value::Object(error)),
    ])
}

fn reverted(item: &Value) -> Value {
    refused(item, "3", "execution reverted")
}

fn refused(item: &Value, code: &str, message: &str) -> Value {
    let error = vec![("code".into(), Value::Number(code.into())), ("message".into(), message.into())];
    Value::Object(vec![
        ("jsonrpc".into(), "2.0".into()),
        ("id".into(), item.get("id").clone()),
        ("error".into(), Value::Object(error)),
    ])
}
