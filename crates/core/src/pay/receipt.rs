//! Polling until a transaction is mined (spec 9.17, 9.18), by its receipt, or until another one replaced it: wallets let their owners speed
//! up or cancel a transaction, which is then mined with the same nonce under another hash.

use super::replaced::{Search, TransactionContent, found_in};
use crate::rpc::{POLLING_INTERVAL, Receipt, lone};
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId};

/// Number of equal results in a row that count as certain: the nodes behind one URL may be a block apart.
const SURE: u8 = 2;

/// Number of polls for which a success that one of two nodes misses is not believed: honest nodes are seconds apart.
const PATIENCE: u8 = 5;

/// Time between two reads of a receipt, in milliseconds (spec 9.18).
pub const INTERVAL: u64 = POLLING_INTERVAL;

/// Age at which a transaction may need a higher fee, in milliseconds.
pub const SLOW: u64 = 60_000;

/// Chain reads about a transaction.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Question {
    /// The transaction with its nonce; read until two nodes agree on it.
    Transaction,
    /// Number of mined transactions of its sender.
    Count,
    /// Its receipt; always the last read of a poll.
    Receipt,
    /// Number of the latest block.
    Head,
    /// Number of transactions of its sender mined up to this block.
    CountAt(u64),
    /// A block with its transactions.
    Block,
    /// Receipt of a replacement with the same content.
    Other,
}

/// Result of a response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Step {
    /// Another response of this poll is still pending.
    Wait,
    /// Poll again after this time, in milliseconds.
    Again(u64),
    /// Mined, with success or not; or a replacement with the same content and a higher fee was ([`Flight::other`]).
    Mined(bool),
    /// Another transaction with its nonce was mined: [`Flight::other`], if it was found.
    Replaced,
    /// The hash is that of another account's transaction, of one to another contract, or of an older one.
    Foreign,
    /// Not mined within the time limit.
    GivenUp,
}

/// A pending transaction.
#[derive(Clone, Debug)]
pub struct Flight {
    wait: Receipt,
    pub chain: ChainId,
    /// Address of the sender.
    pub from: String,
    /// Time of sending, in epoch milliseconds.
    pub since: u64,
    /// Nonce and content, once a node returned them.
    deed: Option<TransactionContent>,
    /// Number of polls in a row that found its nonce used but no receipt.
    passed: u8,
    used: bool,
    /// Number of polls in which only one of two nodes had a receipt.
    alone: u8,
    /// Search for the replacement.
    search: Option<Search>,
    other: Option<String>,
    /// Fee that the account paid, once it is mined.
    fee: Option<Amount>,
    /// The account itself sends it, so that its receipt has to name the account. A relayer sends those of a smart account.
    direct: bool,
    /// Account or contract that it was sent to, if known.
    target: Option<String>,
    /// Number of the account's mined transactions before the wallet was asked, if known: an older transaction has a lower nonce.
    least_nonce: Option<Amount>,
}

impl Flight {
    /// A transaction sent at `since`, which is now or, after a reload, earlier.
    pub fn new(hash: String, chain: ChainId, from: String, since: u64) -> Flight {
        let wait = Receipt::new(hash, since);
        Flight {
            wait,
            chain,
            from,
            since,
            deed: None,
            passed: 0,
            used: false,
            alone: 0,
            search: None,
            other: None,
            fee: None,
            direct: false,
            target: None,
            least_nonce: None,
        }
    }

    /// Marks a transaction that the account itself sends, to this account or contract if known.
    pub fn sent_by_account(self, target: Option<String>, least_nonce: Option<Amount>) -> Flight {
        Flight { direct: true, target, least_nonce, ..self }
    }

    /// Hash as the wallet returned it.
    pub fn hash(&self) -> &str {
        &self.wait.hash
    }

    /// Nonce and content, once known. They are worth storing: nodes forget a transaction that was replaced.
    pub fn deed(&self) -> Option<&TransactionContent> {
        self.deed.as_ref()
    }

    /// Sets nonce and content stored before a reload.
    pub fn with_deed(self, deed: Option<TransactionContent>) -> Flight {
        Flight { deed, ..self }
    }

    /// Hash of the replacing transaction, in lower case.
    pub fn other(&self) -> Option<&String> {
        self.other.as_ref()
    }

    /// Fee that the account paid, as the receipt says; `None` if somebody else paid it, or the receipt does not say.
    pub fn fee(&self) -> Option<Amount> {
        self.fee
    }

    /// Whether it takes so long that a higher fee may help.
    pub fn is_slow(&self, now: u64) -> bool {
        now.saturating_sub(self.since) >= SLOW
    }

    /// Requests of one poll, in this order: method, parameters, and kind of the read.
    pub fn look(&self) -> Vec<(&'static str, Vec<Value>, Question)> {
        if let Some(other) = &self.other {
            return vec![(eip155::RECEIPT, vec![Value::Text(other.clone())], Question::Other)];
        }
        if let Some(search) = &self.search {
            return search.look(&self.from);
        }
        let hash = || vec![Value::Text(self.wait.hash.clone())];
        let first = match self.deed {
            Some(_) => {
                let params = vec![Value::Text(self.from.clone()), "latest".into()];
                (eip155::TRANSACTION_COUNT, params, Question::Count)
            }
            None => (eip155::TRANSACTION, hash(), Question::Transaction),
        };
        vec![first, (eip155::RECEIPT, hash(), Question::Receipt)]
    }

    /// Response to one read.
    pub fn on_response(&mut self, question: Question, answer: &Result<Value, RpcError>, now: u64) -> Step {
        match question {
            Question::Transaction => {
                let Some(found) = answer.as_ref().ok().filter(|found| is_of(found, "hash", &self.wait.hash)) else {
                    return Step::Wait;
                };
                let content = TransactionContent::read(found);
                let older =
                    content.as_ref().zip(self.least_nonce).is_some_and(|(content, least)| content.nonce < least);
                // The wallet chose the hash: it may be that of another transaction, or of an older one.
                if self.direct && older || self.is_foreign(found) {
                    return Step::Foreign;
                }
                // For a smart account a relayer is the sender, whose nonces are unrelated.
                if is_of(found, "from", &self.from) {
                    self.deed = content;
                }
                Step::Wait
            }
            Question::Count => {
                let count = answer.as_ref().ok().and_then(quantity);
                self.used = count.zip(self.deed.as_ref()).is_some_and(|(count, deed)| count > deed.nonce);
                Step::Wait
            }
            Question::Receipt => self.receipt(answer, now),
            Question::Block => self.looked_through(answer, now),
            Question::Head | Question::CountAt(_) => {
                let nonce = self.deed.as_ref().map_or(Amount::ZERO, |deed| deed.nonce);
                let more = self.search.as_mut().is_some_and(|search| search.on_response(question, answer, nonce));
                if more { Step::Again(0) } else { Step::Wait }
            }
            Question::Other => {
                let other = self.other.clone().unwrap_or_default();
                let early = answer.as_ref().is_ok_and(|told| lone(told).is_some() && self.is_early());
                let receipt = answer.as_ref().ok().filter(|_| !early).map(|told| lone(told).unwrap_or(told));
                let outcome = receipt.and_then(|receipt| outcome_of(receipt, &other));
                self.fee = receipt.and_then(|receipt| fee_of(receipt, &self.from));
                // Two nodes have its block, so its receipt is only late.
                outcome.map_or_else(|| again(self.wait.failed(now)), Step::Mined)
            }
        }
    }

    /// Looks for the transaction that replaced this one (same sender and nonce) in the block that must contain it.
    fn looked_through(&mut self, answer: &Result<Value, RpcError>, now: u64) -> Step {
        let Some((block, deed)) = answer.as_ref().ok().zip(self.deed.as_ref()) else {
            // Nodes that do not answer, or answer differently, prove nothing.
            (self.search, self.passed) = (None, 0);
            return again(self.wait.failed(now));
        };
        let Some(found) = found_in(block, &self.from, deed) else { return Step::Replaced };
        let own = found.hash.eq_ignore_ascii_case(&self.wait.hash);
        if !own {
            self.other = Some(found.hash);
        }
        match (own, found.same) {
            // The transaction itself was mined; only its receipt is late.
            (true, _) => {
                self.search = None;
                self.passed = 0;
                Step::Again(POLLING_INTERVAL)
            }
            (false, true) => Step::Again(0),
            (false, false) => Step::Replaced,
        }
    }

    /// Whether a transaction or its receipt is another one than the wallet was asked to send.
    fn is_foreign(&self, told: &Value) -> bool {
        let other =
            |field: &str, own: &str| told.get(field).as_str().is_some_and(|told| !told.eq_ignore_ascii_case(own));
        self.direct && (other("from", &self.from) || self.target.as_ref().is_some_and(|target| other("to", target)))
    }

    /// Whether the other one of two nodes may still get the receipt that the one has.
    fn is_early(&mut self) -> bool {
        self.alone = self.alone.saturating_add(1);
        self.alone <= PATIENCE
    }

    /// Whether a receipt leaves open who sent what to whom.
    fn is_vague(&self, receipt: &Value) -> bool {
        let missing = |field: &str| receipt.get(field).as_str().is_none();
        self.direct && (missing("from") || self.target.is_some() && missing("to"))
    }

    fn receipt(&mut self, answer: &Result<Value, RpcError>, now: u64) -> Step {
        let next = match answer {
            Ok(Value::Null) => {
                self.passed = if self.used { self.passed + 1 } else { 0 };
                if self.search.is_some() {
                    return Step::Wait;
                }
                if self.passed >= SURE {
                    self.search = Some(Search::Head);
                    return Step::Again(0);
                }
                self.wait.not_yet(now)
            }
            Ok(told) => {
                let receipt = lone(told).unwrap_or(told);
                match outcome_of(receipt, &self.wait.hash) {
                    // One node alone may make up that of somebody else: the other one does not know it yet.
                    Some(_) if self.is_foreign(receipt) => self.wait.not_yet(now),
                    Some(_) if lone(told).is_some() && (self.is_vague(receipt) || self.is_early()) => {
                        self.wait.not_yet(now)
                    }
                    Some(well) => {
                        self.fee = fee_of(receipt, &self.from);
                        return Step::Mined(well);
                    }
                    // A receipt of another transaction is ignored.
                    None => self.wait.failed(now),
                }
            }
            Err(_) => self.wait.failed(now),
        };
        again(next)
    }
}

/// The next poll after this time; without one the transaction is given up.
fn again(delay: Option<u64>) -> Step {
    delay.map_or(Step::GivenUp, Step::Again)
}

/// A number in hex, as nodes write it.
pub fn quantity(value: &Value) -> Option<Amount> {
    Amount::from_hex(value.as_str()?).ok()
}

/// Whether a field has this text, ignoring case.
pub fn is_of(value: &Value, field: &str, text: &str) -> bool {
    value.get(field).as_str().is_some_and(|told| told.eq_ignore_ascii_case(text))
}

/// Whether the transaction of this hash succeeded; `None` if this is not its receipt.
fn outcome_of(receipt: &Value, hash: &str) -> Option<bool> {
    let own = is_of(receipt, "transactionHash", hash);
    match receipt.get("status").as_str() {
        Some("0x1") if own => Some(true),
        Some("0x0") if own => Some(false),
        _ => None,
    }
}

/// Fee in a receipt of this sender's transaction: gas at its price, and what a rollup adds for the data (`l1Fee` of OP Stack).
pub fn fee_of(receipt: &Value, from: &str) -> Option<Amount> {
    if !is_of(receipt, "from", from) {
        return None;
    }
    let gas = quantity(receipt.get("gasUsed"))?.by(quantity(receipt.get("effectiveGasPrice"))?)?;
    match receipt.get("l1Fee") {
        Value::Null => Some(gas),
        data => gas.plus(quantity(data)?),
    }
}

#[cfg(test)]
mod tests;
