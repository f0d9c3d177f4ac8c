//! Sending the chain's own coin or a token: the form (here), its start (`open`), the fee (`cost`), the signature (`confirm`), the receipt
//! (`flight`).

mod asset;
mod confirm;
mod cost;
mod event;
mod feature;
mod flight;
mod form;
mod known;
mod open;
mod receiver;
mod resolution;
#[cfg(test)]
mod tests;
mod value;
mod view;

pub use crate::pay::gas::{BASE_FEE_MULTIPLIER, is_gas_insufficient, with_margin};
pub use crate::pay::kept::InFlight;
pub use crate::pay::outcome::{Receipt, SentState};
pub use asset::{Choice, Choices, PAGE, TokenState};
pub use event::{Event, Reason};
pub use flight::Sent;
pub use form::{AmountFault, FormFault, ReceiverFault, check_evm, check_solana};
pub use receiver::Warning;
pub use view::{Token, View};

use crate::CallFault;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::gas::Fee;
use crate::pay::left_open::LeftOpen;
use crate::pay::signing::Payments;
use crate::pay::tokens::Purse;
use crate::pay::typed::{amount_of, cut};
use crate::signal::Signal;
use crate::storage::Stored;
use asset::{Asset, Question, Search};
use flight::{Last, Paid, Transfer};
use form::with_prefix;
use known::KnownReceivers;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace};
use receiver::Receiver;

/// Time between the last keystroke and the fee estimate, in milliseconds (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// Amount and receiver have rested: the fee is estimated.
    Estimate,
    /// Next poll for the receipt (spec 9.17, 9.18).
    Receipt,
    /// The wallet is slow to sign; the modal shows it.
    Slow,
}

/// Progress of a send.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SendPhase")]
pub enum Phase {
    /// The visitor fills in the form.
    #[default]
    Editing,
    /// The wallet is asked to sign.
    Confirming,
    /// A remote wallet has not acknowledged the request. Set in views only.
    Silent,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet failed before it sent the transaction.
    Failed,
    /// No answer, or one that does not tell whether the wallet sent the transaction.
    Unsure,
    /// The wallet may have sent an earlier request: its page was left, or the answer does not tell.
    Interrupted,
}

/// State of the send feature.
#[derive(Debug, Default)]
pub struct Send {
    amount: String,
    /// Value of the amount as typed, in US dollars; `None` while the visitor types the amount itself.
    value: Option<String>,
    /// Error of the typed value.
    value_fault: Option<AmountFault>,
    /// Selected token; `None` is the coin.
    asset: Option<Asset>,
    receiver: Receiver,
    dealings: KnownReceivers,
    /// Search in the token list.
    search: Search,
    fee: Fee,
    /// The trial call of the transfer reverts.
    reverts: bool,
    /// Balance after "max": the amount follows the fee until it is edited or reviewed.
    all: Option<Amount>,
    /// Two nodes reported different balances for "max"; until the amount is edited.
    disputed: bool,
    phase: Phase,
    error: Option<RpcError>,
    attempts: u32,
    /// The visitor pressed "Preview": missing values are now shown as errors.
    pressed: bool,
    /// The preview opens as soon as all values for it are known.
    awaited: bool,
    /// Number of the account's mined transactions at the review.
    least_nonce: Option<Amount>,
    /// Address that the visitor confirmed, while its name is resolved once more.
    agreed: Option<String>,
    ticket: Option<u32>,
    /// Requests at wallets, and unmined transactions.
    payments: Payments<Transfer, Paid>,
    /// Stored transactions of earlier pages and other tabs: hash and text.
    stored: Vec<(String, String)>,
    /// The last sent transaction.
    last: Option<Last>,
}

impl Send {
    /// Initial state from storage.
    pub fn new(stored: &Stored) -> Send {
        let payments = Payments::after(LeftOpen::read(&stored.asked[0]));
        Send { stored: stored.pending_of(Namespace::Eip155), payments, ..Send::default() }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, purse: &Purse, cx: &mut Cx) {
        match event {
            // The form must keep showing what the wallet is asked to sign.
            Event::AmountTyped { .. }
            | Event::ValueTyped { .. }
            | Event::UnitSwitched
            | Event::ReceiverTyped { .. }
            | Event::MaxAsked
            | Event::TokenChosen { .. }
                if self.phase == Phase::Confirming => {}
            Event::AmountTyped { text } => {
                self.amount = cut(&text);
                (self.value, self.value_fault) = (None, None);
                self.all = None;
                self.typed(cx);
            }
            Event::ValueTyped { text } => self.value_typed(&text, purse, cx),
            Event::UnitSwitched => self.unit_switched(purse, cx),
            Event::ReceiverTyped { text } => {
                self.receiver = Receiver::typed(&text, cx.facts);
                self.fee.limit = None;
                self.typed(cx);
                self.fit(cx.facts);
            }
            Event::MaxAsked => {
                self.all = self.funds(purse, cx.facts).balance;
                self.value_fault = None;
                self.price(cx);
                self.typed(cx);
                self.fit(cx.facts);
                if self.all.is_some() {
                    self.ask_whole(cx);
                }
                // Estimates now, without the debounce.
                cx.stop(Alarm::Estimate);
                self.estimate(cx);
            }
            Event::TokenSearched { text } => self.search = Search { text: cut(&text), further: 0, ..self.search },
            Event::MoreAsked => self.search.further += PAGE,
            Event::HiddenAsked => self.search.revealed = !self.search.revealed,
            Event::TokenChosen { address } => self.token_chosen(address.as_deref(), purse, cx),
            Event::ReviewAsked => self.review(purse, cx),
            Event::ConfirmAsked => {
                self.mended(cx);
                self.confirm(purse, cx);
            }
        }
    }

    /// The visitor mends what a message asked for, so the message is over.
    fn mended(&self, cx: &mut Cx) {
        if self.pressed {
            cx.signal(Signal::SendMended);
        }
    }

    /// Selects a token. The amount is cleared, as it was meant for another token.
    fn token_chosen(&mut self, address: Option<&str>, purse: &Purse, cx: &mut Cx) {
        cx.signal(Signal::SendTokenChosen);
        self.search = Search::default();
        let chosen = self.asset.as_ref().map(|asset| asset.contract.as_str());
        let same = match (chosen, address) {
            (Some(chosen), Some(address)) => chosen.eq_ignore_ascii_case(address),
            (chosen, address) => chosen.is_none() && address.is_none(),
        };
        // The list may have changed and lost the token.
        if same || address.is_some_and(|address| purse.token(address).is_none()) {
            return;
        }
        self.amount.clear();
        (self.value, self.value_fault) = (None, None);
        self.all = None;
        self.mended(cx);
        self.pressed = false;
        self.fee.limit = None;
        self.choose(address, purse, cx);
        self.typed(cx);
    }

    fn choose(&mut self, contract: Option<&str>, purse: &Purse, cx: &mut Cx) {
        self.attempts += 1;
        self.asset = contract.map(|contract| Asset::new(contract, purse, self.attempts));
        if let Some(asset) = &mut self.asset {
            asset.read(cx);
        }
    }

    /// Resets all results for the previous input; an estimate in flight is ignored.
    fn typed(&mut self, cx: &mut Cx) {
        self.mended(cx);
        self.attempts += 1;
        self.awaited = false;
        self.fee.sure = false;
        (self.least_nonce, self.agreed) = (None, None);
        self.reverts = false;
        self.disputed = false;
        self.phase = Phase::Editing;
        self.error = None;
        cx.start(Alarm::Estimate, DEBOUNCE);
    }

    /// Clears the form (spec 4.7, 4.15). Signing requests and pending transactions are still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::Estimate);
        self.payments.wait_is_over(Alarm::Slow, cx);
        cx.reject_host(self.ticket.take(), CallFault::SendCancelled.into());
        let attempts = self.attempts;
        let Send { payments, stored, last, dealings, .. } = std::mem::take(self);
        let attempts = attempts + 1;
        *self = Send { attempts, payments, stored, last, dealings, ..Send::default() };
    }

    /// The visitor left the form or closed the modal. While the wallet asks, the form waits for its response.
    pub fn left(&mut self, cx: &mut Cx) {
        if self.phase != Phase::Confirming {
            self.reset(cx);
        }
    }

    /// The visitor left the token list.
    pub fn choices_left(&mut self) {
        self.search = Search::default();
    }

    /// The visitor left the view of the sent transaction.
    pub fn sent_seen(&mut self) {
        self.last = None;
    }

    /// Whether the wallet is asked to sign the payment on the screen.
    pub fn wallet_is_asked(&self) -> bool {
        self.phase == Phase::Confirming
    }

    /// A remote wallet has not acknowledged the request; it may still respond in time.
    pub fn wallet_silent(&mut self) {
        self.payments.silent = self.wallet_is_asked();
    }

    /// The visitor went back from the preview to the form and can retry. The wallet may still answer the first request.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        if self.wallet_is_asked() {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.phase = Phase::Editing;
        self.error = None;
        (self.agreed, self.awaited) = (None, false);
        self.payments.wait_is_over(Alarm::Slow, cx);
    }

    /// Amount in the smallest unit; `None` if it is invalid.
    fn units(&self, facts: &Facts) -> Option<Amount> {
        let decimals = match &self.asset {
            Some(asset) => asset.decimals?,
            None => facts.active_network.as_ref()?.native_currency.decimals,
        };
        amount_of(&self.amount, decimals).ok()
    }

    /// Dispatches one response.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::GasPrice(chain) if is_active(&chain, cx.facts) => {
                self.fee.take_price(quantity(answer), cx.facts.network(&chain));
                // Without a price there is no preview; the form shows that.
                self.awaited &= self.fee.price.is_some();
            }
            Reason::GasPriority(chain) if is_active(&chain, cx.facts) => {
                self.fee.priority = quantity(answer).or(self.fee.priority);
            }
            Reason::DataFee(chain) if is_active(&chain, cx.facts) => {
                self.fee.data = erc20::number(&answer).or(self.fee.data);
            }
            Reason::FeeHistory(chain) if is_active(&chain, cx.facts) => self.fee.take_history(&answer),
            Reason::Chain(chain) => self.fee.take_chain(&answer, &chain),
            Reason::GasPrice(_) | Reason::GasPriority(_) | Reason::DataFee(_) | Reason::FeeHistory(_) => {}
            Reason::Whole(asset) => self.on_whole(asset, &answer, cx),
            Reason::GasLimit(id) if id == self.attempts => {
                self.reverts |= answer.as_ref().is_err_and(RpcError::is_revert);
                self.fee.limit = quantity(answer);
                self.fee.sure = self.fee.limit.is_some();
            }
            // A token may return false instead of reverting (EIP-20).
            Reason::Trial(id) if id == self.attempts => {
                self.reverts |= erc20::number(&answer).is_some_and(|told| told.is_zero());
            }
            Reason::GasLimit(_) | Reason::Trial(_) => {}
            Reason::Token(number, question) => self.on_contract_read(number, question, &answer, cx),
            Reason::Name(text) => {
                self.receiver.named(&text, answer, cx);
            }
            Reason::Resolved(text, step) => {
                if self.receiver.resolved(&text, step, answer, cx) {
                    self.look(cx);
                    self.estimate(cx);
                }
            }
            Reason::Gateway(text, step, query) => self.receiver.fetched(&text, step, query, answer, cx),
            Reason::Identity(address) => self.receiver.identified(&address, answer, cx),
            Reason::Code(address) => self.receiver.coded(&address, answer),
            Reason::Past(address) => {
                self.dealings.on_history(&address, answer, cx);
                self.dealings.check(&with_prefix(self.receiver.address()), cx);
            }
            Reason::Payment(to, hash) => self.dealings.on_payment(&to, &hash, &answer),
            Reason::Paid(prefix) => self.dealings.kept(&prefix, &answer.unwrap_or_default(), cx),
            Reason::Sent(id) => return self.sent(id, answer, cx),
            Reason::Nonce(id) if id == self.attempts => self.least_nonce = quantity(answer),
            Reason::Nonce(_) => {}
            Reason::Kept(hash) => self.kept(&hash, &answer.unwrap_or_default(), cx),
            Reason::Receipt(hash, question) => return self.receipt(&hash, question, &answer, cx),
        }
        self.fit(cx.facts);
    }

    /// Requests anew what the form lacks because a request failed.
    pub fn complete(&mut self, cx: &mut Cx) {
        if self.phase != Phase::Editing {
            return;
        }
        self.reread(cx);
        self.dealings.ask(cx);
        self.look(cx);
        if self.fee.price.is_none() || !self.fee.sure {
            self.estimate(cx);
        }
    }

    /// Reads a token's contract anew if it could not be read.
    fn reread(&mut self, cx: &mut Cx) {
        let unread = |asset: &&mut Asset| matches!(asset.state, TokenState::Unreadable | TokenState::Disputed);
        if let Some(asset) = self.asset.as_mut().filter(unread) {
            asset.read(cx);
        }
    }

    /// Requests what is missing about the receiver.
    fn look(&mut self, cx: &mut Cx) {
        self.receiver.look(cx);
        self.dealings.check(&with_prefix(self.receiver.address()), cx);
    }

    fn on_contract_read(&mut self, number: u32, question: Question, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(asset) = self.asset.as_mut().filter(|asset| asset.number == number) {
            asset.on_contract_read(question, answer);
            asset.compare(cx.facts);
            if asset.state == TokenState::Ready {
                self.estimate(cx);
            }
        }
    }

    /// Dispatches one alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Estimate => {
                self.look(cx);
                self.estimate(cx);
            }
            Alarm::Receipt => self.read_receipts(cx),
            Alarm::Slow => self.payments.slow = self.phase == Phase::Confirming,
        }
    }
}

fn is_active(chain: &ChainId, facts: &Facts) -> bool {
    facts.active_network.as_ref().is_some_and(|network| network.caip_network_id == *chain)
}

fn quantity(answer: Result<Value, RpcError>) -> Option<Amount> {
    Amount::from_hex(answer.ok()?.as_str()?).ok()
}
