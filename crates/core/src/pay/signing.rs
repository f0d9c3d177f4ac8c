//! Payments from the request at the wallet to the mined transaction, for every feature that pays. A request is asked, then signed or refused;
//! meanwhile the wallet may be slow or silent. A transaction is followed, past a reload too, until it is mined, replaced or given up. The
//! contents of a payment, and the consequences of its end, belong to the feature.

use super::kept::{self, newest};
use super::left_open::LeftOpen;
use super::receipt::{Flight, Question, Step};
use crate::app::Reason;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::notice::Message;
use crate::rpc::Agreement;
use crate::timer::Timer;
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::ChainId;
use portico_terms::rpc::{RpcError, RpcErrorKind, is_transaction_hash};

/// Time after which a wallet without a signature counts as slow, in milliseconds; the modal then shows a hint.
const SLOW: u64 = 8_000;

/// WalletConnect error code for a request that timed out.
const EXPIRED: i64 = 8_000;

/// Maximum number of transactions that a feature follows at a time, also after a reload.
pub const MOST_PENDING: usize = 8;

/// Maximum age of a transaction to follow after a reload, in milliseconds.
pub const LONGEST_PENDING: u64 = 86_400_000;

/// Payments of a feature: `R` is the content of a request at the wallet, `T` what is known of a sent transaction.
#[derive(Debug)]
pub struct Payments<R, T> {
    /// Requests in flight. They outlive the form: the wallet may still send the transaction.
    requests: Vec<R>,
    /// Transactions that are not mined yet, the oldest first.
    pub pending: Vec<Pending<T>>,
    /// Request that the wallet may have sent, here or on an earlier page.
    pub left_open: LeftOpen,
    /// The wallet takes long to answer the request on the screen.
    pub slow: bool,
    /// A remote wallet has not acknowledged the request on the screen; it may still respond in time.
    pub silent: bool,
}

/// A transaction that is not mined yet, or a batch whose status comes from the wallet.
#[derive(Clone, Debug)]
pub struct Pending<T> {
    /// Receipt polling. A batch has its id in place of a hash.
    pub flight: Flight,
    pub content: T,
    /// It takes so long that a higher fee may help.
    pub slow: bool,
}

/// Progress of a transaction after a response about it.
#[derive(Debug)]
pub enum Progress<T> {
    /// Still pending.
    Waits,
    /// Its nonce and content became known, which are worth storing.
    Identified,
    /// It is not followed any more.
    Settled(Box<Pending<T>>, Settlement),
}

/// End of a transaction.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Settlement {
    /// Mined with success.
    Confirmed,
    /// Mined without effect.
    Reverted,
    /// Another transaction with the same nonce was mined.
    Replaced,
    /// The wallet named the hash of another transaction.
    Foreign,
    /// Given up: not mined within the time limit.
    Lost,
}

impl<R, T> Default for Payments<R, T> {
    fn default() -> Self {
        Payments {
            requests: Vec::new(),
            pending: Vec::new(),
            left_open: LeftOpen::default(),
            slow: false,
            silent: false,
        }
    }
}

impl<R, T> Payments<R, T> {
    /// No payments yet; an earlier page may have left a request open.
    pub fn after(left_open: LeftOpen) -> Self {
        Payments { left_open, ..Payments::default() }
    }

    /// Asks a wallet to sign. `alarm` rings when the wallet counts as slow.
    pub fn ask(
        &mut self,
        operation: Operation,
        request: R,
        reason: impl Into<Reason>,
        alarm: impl Into<Timer>,
        cx: &mut Cx,
    ) {
        cx.ask(operation, reason);
        cx.start(alarm, SLOW);
        self.requests.push(request);
    }

    /// Takes out the request that the wallet answered.
    pub fn answered(&mut self, is_it: impl Fn(&R) -> bool) -> Option<R> {
        let index = self.requests.iter().position(is_it)?;
        Some(self.requests.remove(index))
    }

    /// The wallet answered a request to pay: if that tells what became of it, it is not left open.
    pub fn is_told<A>(&mut self, attempt: u32, answer: &Result<A, RpcError>, key: &str, cx: &mut Cx) {
        match answer {
            Err(error) if !is_unsent(error) => self.left_open.stays_unknown(attempt),
            answer => self.left_open.settled(attempt, key, answer.is_ok(), cx),
        }
    }

    /// The request on the screen was answered, or the visitor left it.
    pub fn wait_is_over(&mut self, alarm: impl Into<Timer>, cx: &mut Cx) {
        cx.stop(alarm);
        (self.slow, self.silent) = (false, false);
    }

    /// Follows a transaction. A repeated hash is the same transaction. Returns the oldest one if there are too many.
    pub fn follow(&mut self, flight: Flight, content: T, now: u64) -> Option<Pending<T>> {
        self.pending.retain(|known| !known.flight.hash().eq_ignore_ascii_case(flight.hash()));
        let dropped = (self.pending.len() == MOST_PENDING).then(|| self.pending.remove(0));
        self.pending.push(Pending { slow: flight.is_slow(now), flight, content });
        dropped
    }

    /// Follows stored transactions, the newest ones up to the limit, the oldest of these first. Those of networks that the host does not serve,
    /// and those that are followed already, are left out.
    pub fn resume(&mut self, stored: Vec<(Flight, T)>, cx: &Cx) {
        let room = MOST_PENDING.saturating_sub(self.pending.len());
        for (flight, content) in newest(stored, room, |(flight, _)| (&flight.chain, flight.since), cx.facts) {
            if self.pending.iter().all(|known| !known.flight.hash().eq_ignore_ascii_case(flight.hash())) {
                self.pending.push(Pending { slow: flight.is_slow(cx.now), flight, content });
            }
        }
    }

    /// Handles the response to a read about a transaction. `reason` is that of further reads; `alarm` rings when all are to be read again.
    pub fn on_response(
        &mut self,
        hash: &str,
        question: Question,
        answer: &Result<Value, RpcError>,
        reason: fn(String, Question) -> Reason,
        alarm: impl Into<Timer>,
        cx: &mut Cx,
    ) -> Progress<T> {
        let Some(index) = self.pending.iter().position(|pending| pending.flight.hash() == hash) else {
            return Progress::Waits;
        };
        let pending = &mut self.pending[index];
        pending.slow = pending.flight.is_slow(cx.now);
        let was_known = pending.flight.deed().is_some();
        let settlement = match pending.flight.on_response(question, answer, cx.now) {
            Step::Wait if !was_known && pending.flight.deed().is_some() => return Progress::Identified,
            Step::Wait => return Progress::Waits,
            Step::Again(0) => {
                pending.read(reason, cx);
                return Progress::Waits;
            }
            Step::Again(delay) => {
                cx.start(alarm, delay);
                return Progress::Waits;
            }
            Step::Mined(true) => Settlement::Confirmed,
            Step::Mined(false) => Settlement::Reverted,
            Step::Replaced => Settlement::Replaced,
            Step::Foreign => Settlement::Foreign,
            Step::GivenUp => Settlement::Lost,
        };
        Progress::Settled(Box::new(self.pending.remove(index)), settlement)
    }
}

impl<T> Pending<T> {
    /// Reads from the chain what became of the transaction.
    pub fn read(&self, reason: fn(String, Question) -> Reason, cx: &mut Cx) {
        for (method, params, question) in self.flight.look() {
            let (chain, reason) = (&self.flight.chain, reason(self.flight.hash().into(), question));
            // A visitor who believes that a payment failed or was replaced pays again.
            match question {
                Question::Receipt | Question::Other => cx.call_two(chain, method, params, reason, Agreement::Receipt),
                Question::Count | Question::CountAt(_) | Question::Head => {
                    cx.call_two(chain, method, params, reason, Agreement::Count);
                }
                Question::Transaction => cx.call_two(chain, method, params, reason, Agreement::Transaction),
                Question::Block => cx.call_two(chain, method, params, reason, Agreement::Block),
            }
        }
    }
}

/// Asks two nodes for the receipt of a transaction that the wallet named for a batch.
pub fn read_receipt(chain: &ChainId, hash: &str, reason: impl Into<Reason>, cx: &mut Cx) {
    cx.call_two(chain, eip155::RECEIPT, vec![hash.into()], reason, Agreement::Receipt);
}

/// Asks how many transactions of an account are mined, while the visitor reviews the next one. Of two numbers the lower counts.
pub fn count_transactions(chain: &ChainId, address: &str, reason: impl Into<Reason>, cx: &mut Cx) {
    let params = vec![address.into(), "latest".into()];
    cx.call_two(chain, eip155::TRANSACTION_COUNT, params, reason, Agreement::Count);
}

/// Whether a stored transaction is recent enough to be followed.
pub fn is_recent(since: u64, now: u64) -> bool {
    kept::is_recent(since, now, LONGEST_PENDING)
}

/// Transaction hash in a wallet's answer.
pub fn hash_of(answer: &Value) -> Option<&str> {
    answer.as_str().filter(|hash| is_transaction_hash(hash))
}

/// A wallet's answer without the hash or id that it should have.
pub fn without_hash() -> RpcError {
    RpcError::nonsense("The wallet answered without a transaction hash")
}

/// Whether the visitor refused in the wallet.
pub fn is_refusal(error: &RpcError) -> bool {
    error.kind == RpcErrorKind::UserRejected
}

/// Whether an error proves that the wallet sent no payment: it refused the request before it signed, or the payment is one that the chain
/// does not take. After any other error the visitor may have approved, so confirming again without a look into the wallet could pay twice.
/// That includes a response that did not arrive in time, a session that ended meanwhile (4900), a request that is already open (-32002), and
/// what nodes say of a transaction that they have already ("already known", "nonce too low").
pub fn is_unsent(error: &RpcError) -> bool {
    use RpcErrorKind::{
        InvalidChainId, InvalidInput, InvalidParams, MethodNotFound, MethodNotSupported, TransactionRejected,
        Unauthorized, UnrecognizedChain, UnsupportedMethod, UserRejected,
    };
    match error.kind {
        UserRejected | Unauthorized | UnsupportedMethod | UnrecognizedChain | InvalidChainId | InvalidParams => true,
        MethodNotFound | MethodNotSupported => true,
        InvalidInput | TransactionRejected if error.message.to_ascii_lowercase().contains("insufficient funds") => true,
        _ => error.is_revert(),
    }
}

/// Message about a request without a signature. `failed` suggests a retry, so it is said only where nothing was sent.
pub fn message_of(error: &RpcError, failed: Message) -> Message {
    match error.kind {
        RpcErrorKind::UserRejected => Message::TransactionDeclined,
        _ if error.code == EXPIRED => Message::RequestExpired,
        _ if is_unsent(error) => failed,
        _ => Message::SomethingWentWrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;
    use portico_terms::Network;
    use std::rc::Rc;

    const HASH: &str = "0xabababababababababababababababababababababababababababababababab";

    fn flight(hash: &str, since: u64) -> Flight {
        Flight::new(hash.into(), ChainId::eip155(1), "0x1".into(), since)
    }

    fn hashes(payments: &Payments<u8, u8>) -> Vec<&str> {
        payments.pending.iter().map(|pending| pending.flight.hash()).collect()
    }

    fn facts() -> Facts {
        let network = portico_json::parse(
            r#"{"id":1,"name":"One","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":{"default":{"http":["https://one.example"]}}}"#,
        );
        let network = Network::from_host(&network.unwrap()).unwrap();
        Facts { networks: vec![Rc::new(network)], ..Facts::default() }
    }

    #[test]
    fn a_repeated_hash_is_the_same_transaction_in_either_case() {
        let mut payments = Payments::<u8, u8>::default();
        payments.follow(flight("0xAB", 0), 1, 0);
        payments.follow(flight("0xab", 0), 2, 0);
        assert_eq!(hashes(&payments), ["0xab"]);
        assert_eq!(payments.pending[0].content, 2);
    }

    #[test]
    fn beyond_the_limit_the_oldest_transaction_is_given_back() {
        let mut payments = Payments::<u8, u8>::default();
        let names: Vec<String> = (0..=MOST_PENDING).map(|number| number.to_string()).collect();
        let dropped: Vec<_> = names.iter().filter_map(|name| payments.follow(flight(name, 0), 0, 0)).collect();
        assert_eq!(dropped.iter().map(|pending| pending.flight.hash()).collect::<Vec<_>>(), ["0"]);
        assert_eq!(payments.pending.len(), MOST_PENDING);
    }

    #[test]
    fn of_stored_transactions_the_newest_are_followed_the_oldest_of_them_first() {
        let facts = facts();
        let mut payments = Payments::<u8, u8>::default();
        payments.follow(flight("known", 50), 0, 50);
        let mut stored: Vec<_> = (0..20).rev().map(|since| (flight(&format!("at {since}"), since), 0)).collect();
        stored.push((flight("known", 60), 0));
        stored.push((Flight::new("elsewhere".into(), ChainId::eip155(2), "0x1".into(), 90), 0));
        payments.resume(stored, &Cx::new(100, &facts));
        assert_eq!(hashes(&payments), ["known", "at 14", "at 15", "at 16", "at 17", "at 18", "at 19"]);
    }

    #[test]
    fn a_transaction_of_another_day_is_not_followed_whichever_clock_is_wrong() {
        let now = 10 * LONGEST_PENDING;
        assert!(is_recent(now - LONGEST_PENDING + 1, now) && is_recent(now + LONGEST_PENDING - 1, now));
        assert!(!is_recent(now - LONGEST_PENDING, now) && !is_recent(now + LONGEST_PENDING, now));
    }

    #[test]
    fn only_a_transaction_hash_counts_as_a_signature() {
        assert_eq!(hash_of(&HASH.into()), Some(HASH));
        for nonsense in [Value::Null, "0xab".into(), Value::Number("7".into()), Value::List(vec![HASH.into()])] {
            assert_eq!(hash_of(&nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn only_a_refusal_and_what_the_chain_does_not_take_prove_that_nothing_was_sent() {
        for (code, message) in [
            (4001, ""),
            (4100, ""),
            (4200, ""),
            (4902, ""),
            (32603, ""),
            (-32601, ""),
            (-32602, ""),
            (-32004, ""),
            (3, "execution reverted"),
            (-32000, "execution reverted: no"),
            (-32000, "Insufficient funds for gas * price + value"),
            (-32003, "insufficient funds"),
        ] {
            assert!(is_unsent(&RpcError::new(code, message)), "{code} {message}");
        }
        for (code, message) in [
            (8_000, "The request has expired"),
            (4900, "The wallet ended the session"),
            (4901, ""),
            (-32002, "Already pending"),
            (-32603, "Internal JSON-RPC error."),
            (-32603, "insufficient funds"),
            (5000, "User rejected"),
            (-32005, ""),
            (-32000, "already known"),
            (-32000, "nonce too low"),
            (-32003, ""),
        ] {
            assert!(!is_unsent(&RpcError::new(code, message)), "{code} {message}");
        }
        assert!(!is_unsent(&without_hash()));
    }

    #[test]
    fn the_message_says_whether_the_request_may_still_be_open() {
        let message = |code| message_of(&RpcError::new(code, ""), Message::SwapFailed);
        assert_eq!(message(4001), Message::TransactionDeclined);
        assert_eq!(message(8_000), Message::RequestExpired);
        assert_eq!(message(-32603), Message::SomethingWentWrong);
        assert_eq!(message(-32003), Message::SomethingWentWrong);
        assert_eq!(message(4100), Message::SwapFailed);
        assert!(is_refusal(&RpcError::new(4001, "")) && !is_refusal(&RpcError::new(8_000, "")));
    }
}
