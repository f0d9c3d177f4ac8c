//! Scripted node and keys of Solana.

use crate::chain::RealChain;
use ed25519_dalek::{Signer, SigningKey};
use portico_calldata::solana::{Account, Call, Key, Message, SIGNATURE, Transaction, key, message, transaction};
use portico_encoding::base58;
use portico_encoding::base64::{self, Spelling};
use portico_json::{Value, parse};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

const SYSTEM: &str = "11111111111111111111111111111111";

/// Account of the scripted node.
#[derive(Clone, Debug)]
pub struct SolanaAccount {
    pub lamports: u64,
    /// Address of the program that owns it.
    pub owner: String,
    pub executable: bool,
    pub data: Vec<u8>,
}

impl SolanaAccount {
    /// Wallet with coins.
    pub fn wallet(lamports: u64) -> SolanaAccount {
        SolanaAccount { lamports, owner: SYSTEM.into(), executable: false, data: Vec::new() }
    }

    /// Account of a program, with data.
    pub fn of(owner: &str, data: Vec<u8>) -> SolanaAccount {
        SolanaAccount { lamports: 2_039_280, owner: owner.into(), executable: false, data }
    }

    fn value(&self) -> String {
        let data = base64::encode(&self.data, Spelling::Standard);
        let SolanaAccount { lamports, owner, executable, .. } = self;
        format!(
            r#"{{"lamports":{lamports},"owner":"{owner}","executable":{executable},"data":["{data}","base64"],"rentEpoch":0}}"#
        )
    }
}

/// Network of Solana as a node tells it.
#[derive(Clone, Debug)]
pub struct SolanaNode {
    /// Accounts by address.
    pub accounts: BTreeMap<String, SolanaAccount>,
    /// Token accounts that it lists for an owner.
    pub tokens: Vec<String>,
    /// `value` of every simulation.
    pub simulation: String,
    /// State of every transaction: JSON, or `null` for unknown.
    pub status: String,
    /// Number of final blocks.
    pub height: u64,
    /// Byte of which the recent block's hash consists, and the last block that a transaction with it may be in.
    pub block: (u8, u64),
    /// Methods without an answer.
    pub missing: Vec<&'static str>,
    /// Methods that were called, with the JSON of their parameters.
    pub calls: Vec<(String, Value)>,
}

impl Default for SolanaNode {
    fn default() -> SolanaNode {
        SolanaNode {
            accounts: BTreeMap::new(),
            tokens: Vec::new(),
            simulation: r#"{"err":null,"logs":[],"unitsConsumed":30000}"#.into(),
            status: "null".into(),
            height: 100,
            block: (3, 150),
            missing: Vec::new(),
            calls: Vec::new(),
        }
    }
}

impl SolanaNode {
    fn account(&self, address: &str) -> String {
        self.accounts.get(address).map_or_else(|| "null".into(), SolanaAccount::value)
    }

    fn answer(&mut self, method: &str, params: &Value) -> Option<Value> {
        self.calls.push((method.into(), params.clone()));
        if self.missing.contains(&method) {
            return None;
        }
        let first = params.as_list().and_then(<[Value]>::first).cloned().unwrap_or_default();
        let value = |value: String| format!(r#"{{"context":{{"slot":1}},"value":{value}}}"#);
        let text = match method {
            "getMultipleAccounts" => {
                let addresses = first.as_list().unwrap_or_default().iter().filter_map(Value::as_str);
                value(format!("[{}]", addresses.map(|address| self.account(address)).collect::<Vec<_>>().join(",")))
            }
            "getTokenAccountsByOwner" => {
                let row = |address: &String| format!(r#"{{"pubkey":"{address}","account":{}}}"#, self.account(address));
                value(format!("[{}]", self.tokens.iter().map(row).collect::<Vec<_>>().join(",")))
            }
            "getMinimumBalanceForRentExemption" => "890880".into(),
            "getRecentPrioritizationFees" => r#"[{"slot":1,"prioritizationFee":20000}]"#.into(),
            "getEpochInfo" => r#"{"epoch":10}"#.into(),
            "getLatestBlockhash" => {
                let (byte, last) = self.block;
                let block = base58::encode(&[byte; 32]);
                value(format!(r#"{{"blockhash":"{block}","lastValidBlockHeight":{last}}}"#))
            }
            "simulateTransaction" => value(self.simulation.clone()),
            "sendTransaction" => r#""anything""#.into(),
            "getSignatureStatuses" => value(format!("[{}]", self.status)),
            "getBlockHeight" => self.height.to_string(),
            _ => return None,
        };
        parse(&text).ok()
    }

    /// Chain for a world's node. What the test changes afterwards counts from then on.
    pub fn chain(self) -> (RealChain, Rc<RefCell<SolanaNode>>) {
        let shared = Rc::new(RefCell::new(self));
        let node = shared.clone();
        (RealChain::new(move |method, params| node.borrow_mut().answer(method, params)), shared)
    }

    /// Parameters of the calls of a method.
    pub fn params_of(&self, method: &str) -> Vec<&Value> {
        self.calls.iter().filter(|(called, _)| called == method).map(|(_, params)| params).collect()
    }
}

/// Address of a secret key of 32 equal bytes.
pub fn solana_address(secret: u8) -> String {
    base58::encode(&SigningKey::from_bytes(&[secret; 32]).verifying_key().to_bytes())
}

/// Signs a transaction of one signer with a secret key of 32 equal bytes. Returns the signature and the transaction.
pub fn sign_solana(transaction: &[u8], secret: u8) -> ([u8; 64], Vec<u8>) {
    let message = transaction.get(65..).unwrap_or_default();
    let signature = SigningKey::from_bytes(&[secret; 32]).sign(message).to_bytes();
    (signature, [&[1], signature.as_slice(), message].concat())
}

/// Unsigned transaction with other calls, as a wallet changes them before it signs.
pub fn with_calls(unsigned: &[u8], change: impl FnOnce(&mut Vec<Call>)) -> Vec<u8> {
    let read = Transaction::read(unsigned).map(|read| read.message).expect("a transaction");
    let mut calls = calls_of(&read);
    change(&mut calls);
    transaction(&[0; SIGNATURE], &message(&read.signers()[0], &read.blockhash, &calls))
}

fn calls_of(message: &Message<'_>) -> Vec<Call> {
    let is_written = |key: &Key| message.written().any(|known| known == key);
    let accounts = |key: Key| Account { key, writable: is_written(&key) };
    let call = |call: &portico_calldata::solana::Instruction<'_>| Call {
        program: call.program,
        accounts: message.accounts(call).map(accounts).collect(),
        data: call.data.to_vec(),
    };
    message.instructions.iter().map(call).collect()
}

/// Call of the program whose assertions Phantom adds on the main network.
pub fn lighthouse(data: &[u8], accounts: &[Account]) -> Call {
    let program = key("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95").unwrap_or_default();
    Call { program, accounts: accounts.to_vec(), data: data.to_vec() }
}

/// Assertion that an account belongs to the System program and has no data, as Phantom adds it.
pub fn is_plain(account: Key) -> Call {
    lighthouse(&[6, 4, 2, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], &[Account::readonly(account)])
}

/// Unsigned transaction with assertions, as Phantom adds them after the limit and price of compute units, and after the payment.
pub fn with_assertions(unsigned: &[u8]) -> Vec<u8> {
    let payer = Transaction::read(unsigned).map(|read| read.message.signers()[0]).unwrap_or_default();
    with_calls(unsigned, |calls| {
        calls.insert(2, is_plain(payer));
        calls.push(is_plain(payer));
        calls.push(lighthouse(&[15, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], &[]));
    })
}
