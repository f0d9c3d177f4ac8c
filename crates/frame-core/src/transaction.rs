//! `eth_sendTransaction`: read what the host asks for, complete it by reads of the chain, show it, sign exactly that, and send it.

use crate::account::fault_of;
use crate::approval::Approval;
use crate::completed::Completed;
use crate::decode::{self, coin_text};
use crate::effect::{Failure, FailureKind, Operation, RpcCall, SigningOrder, TransactionOrder};
use crate::expected::{self, Simulation};
use crate::frame::Frame;
use crate::message::{DEFAULT, Request, coded, object};
use crate::paid::Paid;
use crate::reason::Reason;
use crate::rpc::{invalid, not_own};
use crate::text::holds;
use crate::token::{self, Named};
use crate::view::Stage;
use portico_api::frame::FrameFault;
use portico_calldata::{Address, hex};
use portico_json::{Value, find_word};
use portico_terms::address::{keccak256, with_checksum};
use portico_terms::rpc::{RpcError, result_of};
use portico_terms::{Amount, ChainId};

/// Fields of a transaction that are read; a transaction with another one is refused, because it would not be what the host meant.
const FIELDS: &str = "from,to,value,data,input,gas,gasLimit,gasPrice,maxFeePerGas,maxPriorityFeePerGas,nonce,chainId,type,\
accessList";

/// Gas of a plain transfer.
const TRANSFER: u32 = 21_000;

/// Rise of the base fee that is allowed for, and margin of a gas estimate: 1.2 (spec 9.19), in percent.
const MARGIN: u32 = 120;

/// Multiple of the network's price from which on a host's price is unusual.
const FAR: u32 = 10;

/// Transaction as the host asked for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    pub to: Option<Address>,
    pub value: Amount,
    pub data: Vec<u8>,
    gas: Option<Amount>,
    gas_price: Option<Amount>,
    max_fee: Option<Amount>,
    priority: Option<Amount>,
    pub nonce: Option<Amount>,
}

/// Quantity of a transaction: hex text, or a JSON number; absent if it is `null`.
fn quantity(transaction: &Value, field: &str) -> Result<Option<Amount>, FrameFault> {
    let read = match transaction.get(field) {
        Value::Null => return Ok(None),
        Value::Text(text) => Amount::from_hex(text).ok(),
        Value::Number(text) => text.parse().ok(),
        _ => None,
    };
    read.map(Some).ok_or_else(|| invalid("The transaction isn't valid"))
}

/// Quantity that has to fit 64 bits.
fn small(transaction: &Value, field: &str) -> Result<Option<Amount>, FrameFault> {
    let read = quantity(transaction, field)?;
    match read.is_some_and(|read| read > Amount::from(u64::MAX)) {
        true => Err(invalid("The transaction isn't valid")),
        false => Ok(read),
    }
}

fn bytes(transaction: &Value) -> Result<Vec<u8>, FrameFault> {
    let read = |field: &str| match transaction.get(field) {
        Value::Null => Ok(None),
        value => value.as_str().and_then(hex::bytes).map(Some).ok_or_else(|| invalid("The transaction isn't valid")),
    };
    match (read("data")?, read("input")?) {
        (Some(data), Some(input)) if data != input => Err(invalid("The transaction isn't valid")),
        (data, input) => Ok(data.or(input).unwrap_or_default()),
    }
}

impl Frame {
    /// Reads the transaction of a host.
    pub(crate) fn draft(&self, params: &[Value], chain: u64, own: &str) -> Result<Draft, FrameFault> {
        let transaction = params.first().ok_or_else(|| invalid("The transaction is missing"))?;
        let fields = transaction.as_object().ok_or_else(|| invalid("The transaction isn't valid"))?;
        if fields.iter().any(|(name, value)| find_word(FIELDS, name).is_none() && !value.is_null()) {
            return Err(invalid("The transaction has a field that isn't supported"));
        }
        if transaction.get("accessList").as_list().is_some_and(|list| !list.is_empty()) {
            return Err(invalid("Access lists aren't supported"));
        }
        match transaction.get("type") {
            Value::Null => {}
            kind if kind.as_str().is_some_and(|kind| matches!(kind, "0x0" | "0x2" | "0x00" | "0x02")) => {}
            _ => return Err(invalid("The transaction's type isn't supported")),
        }
        if !transaction.get("from").as_str().is_some_and(|from| from.eq_ignore_ascii_case(own)) {
            return Err(not_own());
        }
        if quantity(transaction, "chainId")?.is_some_and(|told| told != Amount::from(chain)) {
            return Err(invalid("The transaction is for another network"));
        }
        let to = match transaction.get("to") {
            Value::Null => None,
            to => Some(
                to.as_str()
                    .filter(|to| with_checksum(to).is_ok())
                    .and_then(hex::address)
                    .ok_or_else(|| invalid("The receiver's address isn't valid"))?,
            ),
        };
        let draft = Draft {
            to,
            value: quantity(transaction, "value")?.unwrap_or_default(),
            data: bytes(transaction)?,
            gas: small(transaction, "gas")?.or(small(transaction, "gasLimit")?),
            gas_price: quantity(transaction, "gasPrice")?,
            max_fee: quantity(transaction, "maxFeePerGas")?,
            priority: quantity(transaction, "maxPriorityFeePerGas")?,
            nonce: small(transaction, "nonce")?,
        };
        match draft.to.is_none() && draft.data.is_empty() {
            true => Err(invalid("The receiver is missing")),
            false => Ok(draft),
        }
    }

    /// Opens the approval and reads from the chain what is missing.
    pub(crate) fn prepare(&mut self, request: Request, chain: u64, address: String, draft: Draft) {
        let calls = reads(&draft, &address, chain);
        let content = decode::call(&draft, chain, &address, &Named::new());
        let chain = ChainId::eip155(chain);
        let number = self.show_approval(request, chain.clone(), address, content, false);
        if let Some(approval) = &mut self.approval {
            approval.draft = Some(draft);
        }
        self.order(Operation::SendRpc { chain, calls }, Reason::Prepared { approval: number });
    }

    /// The worker told whom the account paid; where it cannot, every receiver is new.
    pub(crate) fn paid_read(&mut self, number: u32, answer: Result<Value, Failure>) {
        let Some(approval) = self.approval.as_mut().filter(|approval| approval.number == number) else { return };
        approval.paid = Some(answer.map(|list| Paid::read(&list)).unwrap_or_default());
        match approval.draft.is_some() {
            true => self.explain(number),
            false => self.complete(number),
        }
    }

    pub(crate) fn prepared(&mut self, number: u32, answer: Result<Value, Failure>) {
        let Some(approval) = self.approval.as_mut().filter(|approval| approval.number == number) else { return };
        let Some(draft) = &approval.draft else { return };
        let completed = match answer {
            Ok(list) => {
                complete(draft, approval.number_of_chain(), &approval.address, list.as_list().unwrap_or_default())
            }
            Err(failure) => Err(fault_of(failure)),
        };
        match completed {
            Ok(completed) => {
                let (chain, calls) = (approval.chain.clone(), completed.questions(draft, &approval.address));
                approval.completed = Some(completed);
                approval.answered = calls.is_empty();
                match approval.answered {
                    true => self.explain(number),
                    false => self.order(Operation::SendRpc { chain, calls }, Reason::Explained { approval: number }),
                }
            }
            Err(fault) => self.settle(number, Err(fault)),
        }
    }

    /// The tokens of the simulation told their names; without them it is shown all the same.
    pub(crate) fn explained(&mut self, number: u32, answer: Result<Value, Failure>) {
        let Some(approval) = self.approval.as_mut().filter(|approval| approval.number == number) else { return };
        if let (Some(completed), Ok(list)) = (&mut approval.completed, answer) {
            completed.take_answers(list.as_list().unwrap_or_default());
        }
        approval.answered = true;
        self.explain(number);
    }

    /// Shows the whole transaction for the visitor to decide, once all is read.
    fn explain(&mut self, number: u32) {
        let read = |approval: &&mut Approval| approval.number == number && approval.answered;
        let Some(approval) = self.approval.as_mut().filter(read) else { return };
        let (Some(paid), Some(draft)) = (&approval.paid, &approval.draft) else { return };
        let Some(completed) = approval.completed.take() else { return };
        approval.content = completed.content(draft, approval.number_of_chain(), &approval.address, paid);
        approval.fee = Some(coin_text(completed.fee, approval.number_of_chain()));
        approval.order = Some(completed.order);
        approval.stage = Stage::Ready;
        approval.changed();
    }

    /// Sends a signed transaction. Its hash is computed from its bytes, so that no node can name another one.
    pub(crate) fn broadcast(&mut self, number: u32, signed: &[u8]) {
        let Some(approval) = self.approval.as_mut().filter(|approval| approval.number == number) else { return };
        approval.stage = Stage::Sending;
        let chain = approval.chain.clone();
        self.keep_paid(number);
        let calls = vec![RpcCall::new("eth_sendRawTransaction", vec![hex::of(signed).into()])];
        let hash = hex::of(&keccak256(signed));
        self.order(Operation::SendRpc { chain, calls }, Reason::Sent { approval: number, answer: hash.into() });
    }

    /// A node took a signed transaction, or did not. `told` is what the host gets.
    pub(crate) fn sent(&mut self, number: u32, told: Value, answer: Result<Value, Failure>) {
        const UNSURE: &str =
            "Couldn't confirm that the network took the transaction. Check your activity before you try again.";
        /// EIP-1193: the wallet cannot reach the chain. EIP-1474: the node refuses the transaction.
        const CHAIN_DISCONNECTED: i64 = 4901;
        const REJECTED: i64 = -32003;
        // Another node of the same server took it before.
        const TAKEN: [&str; 2] = ["already known", "already been processed"];
        let unsure = || coded(CHAIN_DISCONNECTED, UNSURE);
        let on_solana = self.approval.as_ref().is_some_and(|approval| approval.solana.is_some());
        let reply = match answer {
            Ok(list) => match list.as_list().and_then(<[Value]>::first).map(result_of) {
                Some(Ok(_)) => Ok(told),
                Some(Err(error)) if TAKEN.iter().any(|taken| holds(&error.message.to_ascii_lowercase(), taken)) => {
                    Ok(told)
                }
                // Nodes of Solana have codes of their own, which mean something else to a host.
                Some(Err(error)) if on_solana && (-32099..=-32000).contains(&error.code) => {
                    Err(coded(REJECTED, of_node(&error).message.as_str()))
                }
                Some(Err(error)) => Err(of_node(&error)),
                None => Err(unsure()),
            },
            Err(failure) if failure.kind == FailureKind::Refused => Err(fault_of(failure)),
            Err(_) => Err(unsure()),
        };
        self.settle(number, reply);
    }
}

fn of_node(error: &RpcError) -> FrameFault {
    coded(error.code, if error.message.is_empty() { DEFAULT } else { &error.message })
}

/// A transaction as parameter of a call.
pub fn call_of(draft: &Draft, own: &str) -> Value {
    let mut fields =
        vec![("from", own.into()), ("value", draft.value.to_hex().into()), ("data", hex::of(&draft.data).into())];
    fields.extend(draft.to.map(|to| ("to", hex::text(&to).into())));
    object(&fields)
}

/// Places in [`reads`].
const CODE: usize = 7;
const SIMULATION: usize = 8;
const TOKENS: usize = 9;

/// Calls that complete a transaction, in the order that [`complete`] reads.
fn reads(draft: &Draft, own: &str, chain: u64) -> Vec<RpcCall> {
    let mut calls = vec![
        RpcCall::new("eth_chainId", vec![]),
        RpcCall::new("eth_getTransactionCount", vec![own.into(), "pending".into()]),
        RpcCall::new("eth_getBlockByNumber", vec!["latest".into(), Value::Bool(false)]),
        RpcCall::new("eth_gasPrice", vec![]),
        RpcCall::new("eth_getBalance", vec![own.into(), "latest".into()]),
        RpcCall::new("eth_estimateGas", vec![call_of(draft, own)]),
        RpcCall::new("eth_maxPriorityFeePerGas", vec![]),
    ];
    if let Some(to) = draft.to {
        calls.push(RpcCall::new("eth_getCode", vec![hex::text(&to).into(), "latest".into()]));
        calls.push(expected::call(draft, own));
        calls.extend(token::calls(&decode::tokens_of(draft, chain, own)));
    }
    calls
}

/// Prices of gas.
struct Prices {
    /// Maximum price of one gas.
    most: Amount,
    /// Priority fee of one gas; absent on chains without a base fee, and where the host asks for one price.
    priority: Option<Amount>,
}

fn complete(draft: &Draft, chain: u64, own: &str, answers: &[Value]) -> Result<Completed, FrameFault> {
    let told = |index: usize| answers.get(index).unwrap_or(&Value::Null);
    let number = |index: usize| result_of(told(index)).ok().and_then(hex_of);
    let missing = || coded(-32603, "Couldn't read the network. Try again.");
    if number(0) != Some(Amount::from(chain)) {
        return Err(coded(-32603, "The node answers for another network"));
    }
    let base = result_of(told(2)).ok().map(|block| hex_of(block.get("baseFeePerGas")));
    let price = number(3).ok_or_else(missing)?;
    let prices = prices(draft, base.ok_or_else(missing)?, price, number(6)).ok_or_else(missing)?;
    let nonce = draft.nonce.or(number(1)).filter(|nonce| *nonce <= Amount::from(u64::MAX)).ok_or_else(missing)?;
    let estimate = result_of(told(5));
    let gas = match (&estimate, draft.gas) {
        (_, Some(gas)) => gas,
        (Ok(gas), None) => gas_limit(hex_of(gas).ok_or_else(missing)?).ok_or_else(missing)?,
        (Err(error), None) => return Err(of_node(error)),
    };
    let fee = gas.by(prices.most).ok_or_else(missing)?;
    let simulation = match draft.to {
        Some(_) => expected::read(told(SIMULATION), own, chain),
        None => Simulation::Unknown,
    };
    let balance = number(4).ok_or_else(missing)?;
    let tokens = decode::tokens_of(draft, chain, own);
    let transaction = order_of(draft, chain, nonce, gas, &prices);
    Ok(Completed {
        fails: estimate.is_err() || simulation == Simulation::Fails,
        is_far: price.times(FAR).is_some_and(|far| prices.most > far),
        is_short: fee.plus(draft.value).is_none_or(|cost| balance < cost),
        has_code: result_of(told(CODE)).ok().and_then(|code| Some(!hex::bytes(code.as_str()?)?.is_empty())),
        balance,
        named: token::read(&tokens, answers.get(TOKENS..).unwrap_or_default()),
        fee,
        simulation,
        order: SigningOrder::Transaction { address: own.into(), transaction },
    })
}

fn hex_of(value: &Value) -> Option<Amount> {
    Amount::from_hex(value.as_str()?).ok()
}

fn with_margin(amount: Amount) -> Option<Amount> {
    Some(amount.times(MARGIN)?.divided(100)?.0)
}

/// Gas limit by an estimate: a plain transfer needs no margin.
fn gas_limit(estimate: Amount) -> Option<Amount> {
    let limit = if estimate == Amount::from(TRANSFER) { estimate } else { with_margin(estimate)? };
    (limit <= Amount::from(u64::MAX)).then_some(limit)
}

/// Prices by the wishes of the host, or else by the chain.
fn prices(draft: &Draft, base: Option<Amount>, price: Amount, tip: Option<Amount>) -> Option<Prices> {
    let Some(base) = base.filter(|_| draft.gas_price.is_none()) else {
        let most = draft.gas_price.or(draft.max_fee).unwrap_or(price);
        return Some(Prices { most, priority: None });
    };
    // Not every node knows the method; the difference of the prices is the same.
    let tip = draft.priority.or(tip).or(price.minus(base)).unwrap_or_default();
    let most = match draft.max_fee {
        Some(most) => most,
        None => with_margin(base)?.plus(tip)?,
    };
    Some(Prices { most, priority: Some(tip.min(most)) })
}

fn order_of(draft: &Draft, chain: u64, nonce: Amount, gas: Amount, prices: &Prices) -> TransactionOrder {
    let dynamic = prices.priority.is_some();
    TransactionOrder {
        chain_id: Amount::from(chain).to_hex(),
        nonce: nonce.to_hex(),
        gas: gas.to_hex(),
        to: draft.to.map(|to| hex::text(&to)),
        value: draft.value.to_hex(),
        data: hex::of(&draft.data),
        max_fee_per_gas: dynamic.then(|| prices.most.to_hex()),
        max_priority_fee_per_gas: prices.priority.map(Amount::to_hex),
        gas_price: (!dynamic).then(|| prices.most.to_hex()),
    }
}
