//! Requests to the Solana account: a message, or transactions whose bytes the host made. They are read, shown, and signed as they are.

use crate::decode;
use crate::effect::{Failure, Operation, RpcCall, SigningOrder};
use crate::foreseen::{self, Part};
use crate::frame::Frame;
use crate::message::{DEFAULT, Request, coded, fault, object};
use crate::reason::Reason;
use crate::rpc::{invalid, not_own};
use crate::view::Stage;
use portico_api::frame::{FrameFault, FrameRpc};
use portico_calldata::solana::{self, LONGEST_MESSAGE, MOST_TRANSACTIONS, Message, Transaction, key};
use portico_encoding::base58;
use portico_encoding::base64::{self, Spelling};
use portico_json::Value;
use portico_terms::ChainId;

/// What becomes of a signature.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// The host gets the signature of a message.
    Message,
    /// The host gets the signed transaction.
    Transaction,
    /// The host gets all signed transactions.
    Transactions,
    /// The transaction is sent with these options.
    Send(Value),
}

impl Frame {
    /// Opens the approval of a request, or refuses it.
    pub(crate) fn ask_on_solana(&mut self, request: Request, chain: &ChainId, address: String, call: &FrameRpc) {
        let read = match call.method.as_str() {
            "solana_signMessage" => self.solana_message(&call.params, chain, address.clone()),
            _ => read(&call.method, &call.params, &address, chain),
        };
        match read {
            Ok(Read { content, order, task, fee, parts, calls }) => {
                let number = self.show_approval(request, chain.clone(), address, content, calls.is_empty());
                if let Some(approval) = &mut self.approval {
                    approval.order = Some(order);
                    approval.solana = Some(task);
                    approval.fee = fee.map(decode::sol);
                }
                if !calls.is_empty() {
                    let reason = Reason::Foreseen { approval: number, parts };
                    self.order(Operation::SendRpc { chain: chain.clone(), calls }, reason);
                }
            }
            Err(fault) => self.reply(request, Err(fault)),
        }
    }

    /// `solana_signMessage`: message and account, both in base58.
    fn solana_message(&self, params: &Value, chain: &ChainId, address: String) -> Result<Read, FrameFault> {
        if params.get("pubkey").as_str() != Some(&address) {
            return Err(not_own());
        }
        let message = params.get("message").as_str().unwrap_or_default();
        let bytes = base58::decode_within(message, LONGEST_MESSAGE).filter(|bytes| !bytes.is_empty());
        let bytes = bytes.ok_or_else(|| invalid("The message isn't valid"))?;
        // Its signature would be one of the transaction.
        if Message::read(&bytes).is_some() {
            return Err(invalid("The message is a transaction"));
        }
        let content = decode::solana_message(&bytes, &self.boot.host, &address, chain);
        let order = SigningOrder::SolanaMessage { address, message: message.into() };
        Ok(Read { content, order, task: Task::Message, fee: None, parts: Vec::new(), calls: Vec::new() })
    }

    /// A node answered about the transactions, or did not: what the bytes say is shown all the same.
    pub(crate) fn foreseen(&mut self, number: u32, parts: &[Part], answer: Result<Value, Failure>) {
        let Some(approval) = self.approval.as_mut().filter(|approval| approval.number == number) else { return };
        let list = answer.unwrap_or_default();
        let answers = list.as_list().unwrap_or_default();
        if foreseen::is_elsewhere(answers, &approval.chain) {
            return self.settle(number, Err(coded(-32603, "The node answers for another network")));
        }
        foreseen::read(&mut approval.content, answers, parts, &approval.chain, &approval.address);
        approval.answered = true;
        self.complete(number);
    }

    /// The worker signed. What it answers is what the visitor approved, with one signature more.
    pub(crate) fn solana_signed(&mut self, number: u32, value: &Value) {
        let Some(approval) = self.approval.as_ref().filter(|approval| approval.number == number) else { return };
        let Some(task) = approval.solana.clone() else { return };
        let chain = approval.chain.clone();
        let address = approval.address.clone();
        self.keep_paid(number);
        let signature = |told: &Value| {
            let bytes = base64::decode(told.as_str()?, Spelling::Standard)?;
            let own = key(&address)?;
            let read = Transaction::read(&bytes)?;
            Some(base58::encode(read.signatures.get(read.place_of(&own)?)?))
        };
        let first = value.as_list().and_then(<[Value]>::first);
        let answer = match task {
            Task::Message => value.as_str().map(|signature| object(&[("signature", signature.into())])),
            Task::Transactions => value.as_list().map(|_| object(&[("transactions", value.clone())])),
            Task::Transaction => first.and_then(|signed| {
                Some(object(&[("signature", signature(signed)?.into()), ("transaction", signed.clone())]))
            }),
            Task::Send(options) => {
                // The signature is the transaction's id, which no node can tell otherwise.
                let Some((signed, id)) = first.and_then(|signed| Some((signed, signature(signed)?))) else {
                    return self.settle(number, Err(fault(DEFAULT)));
                };
                let calls = vec![RpcCall::new("sendTransaction", vec![signed.clone(), options])];
                if let Some(approval) = &mut self.approval {
                    approval.stage = Stage::Sending;
                }
                let answer = object(&[("signature", id.into())]);
                return self.order(Operation::SendRpc { chain, calls }, Reason::Sent { approval: number, answer });
            }
        };
        self.settle(number, answer.ok_or_else(|| fault(DEFAULT)));
    }
}

/// Request that was read.
struct Read {
    content: decode::Content,
    order: SigningOrder,
    task: Task,
    /// Highest network fee in lamports, if the account pays one.
    fee: Option<u64>,
    parts: Vec<Part>,
    /// Questions to a node.
    calls: Vec<RpcCall>,
}

/// Reads the transactions of a request: bytes in base64, of which the account is a signer.
fn read(method: &str, params: &Value, address: &str, chain: &ChainId) -> Result<Read, FrameFault> {
    let unreadable = || invalid("The transaction can't be read");
    let one = std::slice::from_ref(params.get("transaction"));
    let (given, task) = match method {
        "solana_signTransaction" => (one, Task::Transaction),
        "solana_signAndSendTransaction" => (one, Task::Send(options(params.get("sendOptions")))),
        "solana_signAllTransactions" => (params.get("transactions").as_list().unwrap_or_default(), Task::Transactions),
        _ => return Err(unreadable()),
    };
    if !(1..=MOST_TRANSACTIONS).contains(&given.len()) {
        return Err(invalid("The number of transactions isn't valid"));
    }
    let (mut bytes, mut transactions) = (Vec::new(), Vec::new());
    for text in given {
        let text = text.as_str().ok_or_else(unreadable)?;
        bytes.push(base64::decode(text, Spelling::Standard).ok_or_else(unreadable)?);
        transactions.push(text.to_owned());
    }
    let list: Vec<Transaction<'_>> =
        bytes.iter().map(|bytes| Transaction::read(bytes)).collect::<Option<_>>().ok_or_else(unreadable)?;
    let own = key(address).ok_or_else(not_own)?;
    let places: Option<Vec<usize>> = list.iter().map(|transaction| transaction.place_of(&own)).collect();
    let Some(places) = places else {
        return Err(coded(4100, "The transaction doesn't need a signature of this account"));
    };
    let is_unsigned = |transaction: &Transaction<'_>| {
        let mut signers = transaction.message.signers().iter().zip(&transaction.signatures);
        signers.any(|(signer, signature)| *signer != own && signature.iter().all(|byte| *byte == 0))
    };
    if matches!(task, Task::Send(_)) && list.iter().any(is_unsigned) {
        return Err(invalid("The signature of another account is missing"));
    }
    let paid = list.iter().map(|transaction| &transaction.message).filter(|message| message.signers()[0] == own);
    let fee = paid.map(solana::fee).reduce(u64::saturating_add);
    let mut content = decode::transactions(&list, &own, chain);
    decode::weigh(&mut content, "SOL", 9, fee.unwrap_or_default());
    let parts = foreseen::parts(&list, &places, &own);
    let calls = foreseen::calls(&list, &transactions, &parts);
    Ok(Read { content, order: SigningOrder::SolanaTransactions { transactions }, task, fee, parts, calls })
}

/// Options of `sendTransaction`: those of the host that nodes know.
fn options(given: &Value) -> Value {
    let mut options = vec![("encoding", "base64".into())];
    if let Value::Bool(skip) = given.get("skipPreflight") {
        options.push(("skipPreflight", Value::Bool(*skip)));
    }
    let levels = ["processed", "confirmed", "finalized"];
    let level = given.get("preflightCommitment").as_str().filter(|level| levels.contains(level));
    options.push(("preflightCommitment", level.unwrap_or("confirmed").into()));
    for name in ["maxRetries", "minContextSlot"] {
        if let number @ Value::Number(_) = given.get(name) {
            options.push((name, number.clone()));
        }
    }
    object(&options)
}
