//! Polling until a transaction is mined (spec 9.17, 9.18), by its receipt, or until another one replaced it: wallets let their owners speed
//! up or cancel a transaction, which is then mined with the same nonce under another hash.

use super::replaced::{Search, TransactionContent, found_in};
use crate::rpc::{POLLING_INTERVAL, Receipt};
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId};

/// Number of equal results in a row that count as certain: the nodes behind one URL may be a block apart.
const SURE: u8 = 2;

/// Age at which a transaction may need a higher fee, in milliseconds.
pub const SLOW: u64 = 60_000;

/// Chain reads about a transaction.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Question {
    /// The transaction with its nonce; read once.
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
    /// The hash is that of another account's transaction, or of one to another contract.
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
    /// Search for the replacement.
    search: Option<Search>,
    other: Option<String>,
    /// The account itself sends it, so that its receipt has to name the account. A relayer sends those of a smart account.
    direct: bool,
    /// Account or contract that it was sent to, if known.
    target: Option<String>,
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
            search: None,
            other: None,
            direct: false,
            target: None,
        }
    }

    /// Marks a transaction that the account itself sends, to this account or contract if known.
    pub fn sent_by_account(self, target: Option<String>) -> Flight {
        Flight { direct: true, target, ..self }
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
                // For a smart account a relayer is the sender, whose nonces are unrelated.
                if let Ok(found) = answer
                    && is_of(found, "hash", &self.wait.hash)
                    && is_of(found, "from", &self.from)
                {
                    self.deed = TransactionContent::read(found);
                }
                Step::Wait
            }
            Question::Count => {
                let count = answer.as_ref().ok().and_then(quantity);
                self.used = count.zip(self.deed.as_ref()).is_some_and(|(count, deed)| count > deed.nonce);
                Step::Wait
            }
            Question::Receipt => self.receipt(answer, now),
            Question::Block => self.looked_through(answer),
            Question::Head | Question::CountAt(_) => {
                let nonce = self.deed.as_ref().map_or(Amount::ZERO, |deed| deed.nonce);
                let more = self.search.as_mut().is_some_and(|search| search.on_response(question, answer, nonce));
                if more { Step::Again(0) } else { Step::Wait }
            }
            Question::Other => {
                let other = self.other.as_deref().unwrap_or_default();
                answer.as_ref().ok().and_then(|receipt| outcome_of(receipt, other)).map_or(Step::Replaced, Step::Mined)
            }
        }
    }

    /// Looks for the transaction that replaced this one (same sender and nonce) in the block that must contain it.
    fn looked_through(&mut self, answer: &Result<Value, RpcError>) -> Step {
        let found = answer.as_ref().ok().zip(self.deed.as_ref());
        let Some(found) = found.and_then(|(block, deed)| found_in(block, &self.from, deed)) else {
            return Step::Replaced;
        };
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

    /// Whether a receipt is that of another transaction than the one that the wallet was asked to send: the wallet chose the hash.
    fn is_foreign(&self, receipt: &Value) -> bool {
        let other =
            |field: &str, own: &str| receipt.get(field).as_str().is_some_and(|told| !told.eq_ignore_ascii_case(own));
        self.direct && (other("from", &self.from) || self.target.as_ref().is_some_and(|target| other("to", target)))
    }

    fn receipt(&mut self, answer: &Result<Value, RpcError>, now: u64) -> Step {
        let again = match answer {
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
            Ok(receipt) => match outcome_of(receipt, &self.wait.hash) {
                Some(_) if self.is_foreign(receipt) => return Step::Foreign,
                Some(well) => return Step::Mined(well),
                // A receipt of another transaction is ignored.
                None => self.wait.failed(now),
            },
            Err(_) => self.wait.failed(now),
        };
        again.map_or(Step::GivenUp, Step::Again)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    const HASH: &str = "0xAB12";
    const FROM: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

    fn flight() -> Flight {
        Flight::new(HASH.into(), ChainId::eip155(1), FROM.into(), 1_000)
    }

    fn json(text: &str) -> Result<Value, RpcError> {
        Ok(parse(text).unwrap())
    }

    fn transaction(from: &str, nonce: &str) -> Result<Value, RpcError> {
        json(&format!(r#"{{"hash":"0xab12","from":"{from}","nonce":{nonce}}}"#))
    }

    fn methods(flight: &Flight) -> Vec<&'static str> {
        flight.look().into_iter().map(|(method, _, _)| method).collect()
    }

    #[test]
    fn a_receipt_of_something_else_is_a_failed_look() {
        for receipt in [
            r#"{"transactionHash":"0xcd","status":"0x1"}"#,
            r#"{"transactionHash":"0xab12"}"#,
            r#"{"transactionHash":"0xab12","status":1}"#,
            r#""0x1""#,
            "[]",
        ] {
            assert_eq!(flight().on_response(Question::Receipt, &json(receipt), 1_000), Step::Again(200), "{receipt}");
        }
        assert_eq!(flight().on_response(Question::Receipt, &Err(RpcError::nonsense("down")), 1_000), Step::Again(200));
    }

    #[test]
    fn a_receipt_of_another_account_or_to_another_contract_is_foreign_unless_a_relayer_sends() {
        let receipt = |from: &str, to: &str| {
            json(&format!(r#"{{"transactionHash":"0xab12","status":"0x1","from":"{from}","to":"{to}"}}"#))
        };
        let step = |flight: Flight, receipt| flight.clone().on_response(Question::Receipt, &receipt, 1_000);
        let direct = || flight().sent_by_account(Some("0xCC".into()));
        assert_eq!(step(direct(), receipt(&FROM.to_lowercase(), "0xcc")), Step::Mined(true));
        assert_eq!(step(direct(), receipt("0x1", "0xcc")), Step::Foreign);
        assert_eq!(step(direct(), receipt(FROM, "0xdd")), Step::Foreign);
        assert_eq!(step(flight().sent_by_account(None), receipt(FROM, "0xdd")), Step::Mined(true));
        assert_eq!(step(flight(), receipt("0x1", "0xdd")), Step::Mined(true));
    }

    #[test]
    fn spec_9_17_six_failed_looks_in_a_row_are_forgiven_and_three_minutes_are_the_end() {
        let mut flight = flight();
        let steps: Vec<Step> =
            (0..7).map(|_| flight.on_response(Question::Receipt, &Err(RpcError::nonsense("down")), 1_000)).collect();
        let delays = [200, 400, 800, 1_600, 3_200, 6_400].map(Step::Again);
        assert_eq!(steps[..6], delays);
        assert_eq!(steps[6], Step::GivenUp);
        assert_eq!(
            super::tests::flight().on_response(Question::Receipt, &Ok(Value::Null), 177_000),
            Step::Again(4_000)
        );
        assert_eq!(super::tests::flight().on_response(Question::Receipt, &Ok(Value::Null), 177_001), Step::GivenUp);
    }

    #[test]
    fn a_used_nonce_without_a_receipt_is_a_replacement_once_it_was_seen_twice() {
        let mut flight = flight();
        assert_eq!(methods(&flight), ["eth_getTransactionByHash", "eth_getTransactionReceipt"]);
        assert_eq!(
            flight.on_response(Question::Transaction, &transaction(&FROM.to_lowercase(), r#""0x7""#), 1_000),
            Step::Wait
        );
        assert_eq!(methods(&flight), ["eth_getTransactionCount", "eth_getTransactionReceipt"]);
        let mut look = |count: &str| {
            assert_eq!(flight.on_response(Question::Count, &json(count), 5_000), Step::Wait);
            flight.on_response(Question::Receipt, &Ok(Value::Null), 5_000)
        };
        assert_eq!(look(r#""0x7""#), Step::Again(4_000));
        assert_eq!(look(r#""0x8""#), Step::Again(4_000));
        // The next node is behind: the result of the one before is discarded.
        assert_eq!(look(r#""nonsense""#), Step::Again(4_000));
        assert_eq!(look(r#""0x8""#), Step::Again(4_000));
        // The replacement is searched for, and not found if no node returns the latest block.
        assert_eq!(look(r#""0x9""#), Step::Again(0));
        assert_eq!(methods(&flight), ["eth_blockNumber"]);
        assert_eq!(flight.on_response(Question::Receipt, &Ok(Value::Null), 5_000), Step::Wait, "of the look before");
        assert_eq!(flight.on_response(Question::Head, &Err(RpcError::nonsense("down")), 5_000), Step::Again(0));
        assert_eq!(methods(&flight), ["eth_getBlockByNumber"]);
        assert_eq!(flight.on_response(Question::Block, &Ok(Value::Null), 5_000), Step::Replaced);
        assert_eq!(flight.other(), None);
    }

    #[test]
    fn what_took_its_place_and_does_the_same_is_believed_by_its_own_receipt() {
        let found = |input: &str| {
            json(&format!(
                r#"{{"hash":"0xab12","from":"{FROM}","nonce":"0x7","to":"0xCC","value":"0x1","input":"{input}"}}"#
            ))
        };
        let other = format!("0x{}", "CD".repeat(32));
        let block = |input: &str| {
            let transaction = portico_json::to_text(&found(input).unwrap()).replace("0xab12", &other);
            json(&format!(r#"{{"transactions":[{transaction}]}}"#))
        };
        for (input, receipt, expected) in [
            ("0xEE", r#"{"transactionHash":"HASH","status":"0x1"}"#, Step::Mined(true)),
            ("0xee", r#"{"transactionHash":"HASH","status":"0x0"}"#, Step::Mined(false)),
            ("0xee", r#"{"transactionHash":"0xab12","status":"0x1"}"#, Step::Replaced),
            ("0xee", "null", Step::Replaced),
        ] {
            let mut flight = flight();
            flight.on_response(Question::Transaction, &found("0xee"), 1_000);
            flight.search = Some(Search::Block(9));
            assert_eq!(flight.on_response(Question::Block, &block(input), 1_000), Step::Again(0));
            assert_eq!(methods(&flight), ["eth_getTransactionReceipt"]);
            assert_eq!(flight.on_response(Question::Other, &json(&receipt.replace("HASH", &other)), 1_000), expected);
            assert_eq!(flight.other(), Some(&other.to_lowercase()));
        }
        let mut flight = flight();
        flight.on_response(Question::Transaction, &found("0xee"), 1_000);
        flight.search = Some(Search::Block(9));
        assert_eq!(flight.on_response(Question::Block, &block("0xef"), 1_000), Step::Replaced);
    }

    #[test]
    fn a_receipt_is_believed_whatever_the_nonce_says() {
        let mut flight = flight();
        flight.on_response(Question::Transaction, &transaction(FROM, r#""0x7""#), 1_000);
        flight.on_response(Question::Count, &json(r#""0x8""#), 1_000);
        let mined = json(r#"{"transactionHash":"0xab12","status":"0x1"}"#);
        assert_eq!(flight.on_response(Question::Receipt, &mined, 1_000), Step::Mined(true));
        let failed = json(r#"{"transactionHash":"0xab12","status":"0x0"}"#);
        assert_eq!(flight.on_response(Question::Receipt, &failed, 1_000), Step::Mined(false));
    }

    #[test]
    fn nonces_of_somebody_else_and_nonsense_say_nothing() {
        for answer in [
            transaction("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", r#""0x7""#),
            transaction(FROM, "7"),
            transaction(FROM, r#""seven""#),
            json(r#"{"hash":"0xcd","from":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","nonce":"0x7"}"#),
            json("null"),
            Err(RpcError::nonsense("down")),
        ] {
            let mut flight = flight();
            flight.on_response(Question::Transaction, &answer, 1_000);
            assert_eq!(methods(&flight)[0], "eth_getTransactionByHash", "{answer:?}");
        }
    }

    #[test]
    fn after_a_minute_it_is_slow() {
        assert!(!flight().is_slow(60_999));
        assert!(flight().is_slow(61_000));
        assert!(!flight().is_slow(0));
    }
}
