//! Sending the chain's own coin, or a token: the form (here), how it begins (`open`), the fee (`cost`), the signature (`confirm`), the receipt
//! (`flight`).

mod asset;
mod confirm;
mod cost;
pub(crate) mod door;
mod flight;
mod form;
mod letters;
mod open;
mod receiver;
#[cfg(test)]
mod tests;
mod view;

pub use crate::pay::gas::{BASE_FEE_MULTIPLIER, is_gas_insufficient, with_margin};
pub use asset::{Choice, Choices, PAGE, TokenState};
pub use flight::{InFlight, Sent, SentState};
pub use form::{AmountFault, FormFault, ReceiverFault, check_evm, check_solana};
pub use receiver::Warning;
pub use view::{Token, View};

use crate::CallFault;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::gas::Fee;
use crate::pay::receipt;
use crate::pay::tokens::Purse;
use crate::pay::typed::{amount_of, cut};
use crate::signal::Signal;
use crate::timer::Timer;
use asset::{Asset, Question, Search};
use flight::{Last, Pending, Signing};
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId};
use receiver::{Dealings, Receiver};

/// Typing rests so long before the fee is estimated (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// What the visitor does with the form.
#[derive(Clone, Debug, Json)]
#[json(name = "SendEvent")]
pub enum Event {
    /// The amount was typed.
    AmountTyped {
        /// As typed.
        text: String,
    },
    /// The receiver was typed or pasted.
    ReceiverTyped {
        /// As typed.
        text: String,
    },
    /// All that can be sent.
    MaxAsked,
    /// A token is looked for.
    TokenSearched {
        /// As typed.
        text: String,
    },
    /// The end of the tokens was seen, and there are more.
    MoreAsked,
    /// A token was chosen, or the coin.
    TokenChosen {
        /// The contract; `null` is the coin.
        address: Option<String>,
    },
    /// On to the preview.
    ReviewAsked,
    /// The visitor agrees; the wallet is asked.
    ConfirmAsked,
}

/// Why something was asked.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The price of gas, for this chain.
    GasPrice(ChainId),
    /// The part of it that goes to whoever makes the block, for this chain.
    GasPriority(ChainId),
    /// What the data of a transfer costs beside its gas, for this chain.
    DataFee(ChainId),
    /// How much gas this transfer takes.
    GasLimit(u32),
    /// The wallet's signature.
    Sent(u32),
    /// Whether the transfer would do what it is to do.
    Trial(u32),
    /// What a token's contract says, by the number of the choice.
    Token(u32, Question),
    /// Where a name leads.
    Name(String),
    /// Who this address says it is.
    Identity(String),
    /// The code of this address.
    Code(String),
    /// What this account did before.
    Past(String),
    /// Whom the account paid from here before: under which keys that is stored.
    Paid(String),
    /// Whether the transaction of this hash is still kept for pages to come.
    Kept(String),
    /// What became of the transaction of this hash.
    Receipt(String, receipt::Question),
}

/// How far a send is.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SendPhase")]
pub enum Phase {
    /// The form is being filled in.
    #[default]
    Editing,
    /// The wallet was asked.
    Confirming,
    /// As it was, but it is elsewhere and does not say that it is there. Only told.
    Silent,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet could not.
    Failed,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Send {
    amount: String,
    /// What is sent; `None` is the coin.
    asset: Option<Asset>,
    receiver: Receiver,
    dealings: Dealings,
    /// What is looked for among the tokens.
    search: Search,
    fee: Fee,
    /// The chain says that the transfer would fail.
    reverts: bool,
    /// The balance of which all is to be sent: the amount follows the fee until it is typed, or reviewed.
    all: Option<Amount>,
    phase: Phase,
    error: Option<RpcError>,
    attempts: u32,
    /// The visitor asked to go on: from now on what is missing is said.
    pressed: bool,
    /// The preview comes as soon as all it needs is known.
    awaited: bool,
    ticket: Option<u32>,
    /// The wallet takes long to sign.
    slow: bool,
    /// The wallet is elsewhere, and does not say that it is there.
    silent: bool,
    /// Transactions that a wallet was asked to sign. They outlive the form: money moves even when the visitor looks elsewhere.
    signing: Vec<Signing>,
    /// Transactions that are not mined yet.
    pending: Vec<Pending>,
    /// Those of pages before this one, and of other tabs, as they were stored under their hashes.
    stored: Vec<(String, String)>,
    /// What was sent last.
    last: Option<Last>,
}

impl Send {
    /// With what was stored.
    pub fn new(stored: Vec<(String, String)>) -> Send {
        Send { stored, ..Send::default() }
    }

    /// Whether a page before this one left something on its way.
    pub fn is_to_resume(&self) -> bool {
        !self.stored.is_empty()
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, purse: &Purse, cx: &mut Cx) {
        match event {
            // What is shown while the wallet asks is what it was asked to sign.
            Event::AmountTyped { .. } | Event::ReceiverTyped { .. } | Event::MaxAsked | Event::TokenChosen { .. }
                if self.phase == Phase::Confirming => {}
            Event::AmountTyped { text } => {
                self.amount = cut(&text);
                self.all = None;
                self.typed(cx);
            }
            Event::ReceiverTyped { text } => {
                self.receiver = Receiver::typed(&text, cx.facts);
                self.fee.limit = None;
                self.typed(cx);
                self.fit(cx.facts);
            }
            Event::MaxAsked => {
                self.all = self.funds(purse, cx.facts).balance;
                self.price(cx);
                self.typed(cx);
                self.fit(cx.facts);
                // No other keys are to be waited for.
                cx.stop(Timer::SendEstimate);
                self.estimate(cx);
            }
            Event::TokenSearched { text } => self.search = Search { text: cut(&text), further: 0 },
            Event::MoreAsked => self.search.further += PAGE,
            Event::TokenChosen { address } => self.token_chosen(address.as_deref(), purse, cx),
            Event::ReviewAsked => self.review(purse, cx),
            Event::ConfirmAsked => self.confirm(purse, cx),
        }
    }

    /// So many of one thing are not so many of another: the amount goes.
    fn token_chosen(&mut self, address: Option<&str>, purse: &Purse, cx: &mut Cx) {
        cx.tell(Signal::SendTokenChosen);
        self.search = Search::default();
        let chosen = self.asset.as_ref().map(|asset| asset.contract.as_str());
        let same = match (chosen, address) {
            (Some(chosen), Some(address)) => chosen.eq_ignore_ascii_case(address),
            (chosen, address) => chosen.is_none() && address.is_none(),
        };
        // A list that changed meanwhile may not have it any more.
        if same || address.is_some_and(|address| purse.token(address).is_none()) {
            return;
        }
        self.amount.clear();
        self.all = None;
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

    /// An estimate that is still under way is of what was there before.
    fn typed(&mut self, cx: &mut Cx) {
        self.attempts += 1;
        self.awaited = false;
        self.fee.sure = false;
        self.reverts = false;
        self.phase = Phase::Editing;
        self.error = None;
        cx.start(Timer::SendEstimate, DEBOUNCE);
    }

    /// Clears the form (spec 4.7, 4.15). What a wallet signs, and what is on its way, is still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        cx.stop(Timer::SendEstimate);
        cx.stop(Timer::SendSlow);
        cx.reject_host(self.ticket.take(), CallFault::SendCancelled.into());
        let attempts = self.attempts;
        let Send { signing, pending, stored, last, dealings, .. } = std::mem::take(self);
        let attempts = attempts + 1;
        *self = Send { attempts, signing, pending, stored, last, dealings, ..Send::default() };
    }

    /// The visitor left the form, or closed the modal. While the wallet asks, the form waits for its answer.
    pub fn left(&mut self, cx: &mut Cx) {
        if self.phase != Phase::Confirming {
            self.reset(cx);
        }
    }

    /// The visitor left the list of tokens.
    pub fn choices_left(&mut self) {
        self.search = Search::default();
    }

    /// The visitor has seen what was sent.
    pub fn sent_seen(&mut self) {
        self.last = None;
    }

    /// A wallet that is elsewhere does not say that it is there. It may be back before its time is over.
    pub fn wallet_silent(&mut self) {
        self.silent = self.phase == Phase::Confirming;
    }

    /// The visitor left the preview for the form: another try is possible. The wallet may still answer the first one.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Confirming {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.phase = Phase::Editing;
        self.error = None;
        self.slow = false;
        self.silent = false;
        cx.stop(Timer::SendSlow);
    }

    /// The amount in the smallest unit, where it is one.
    fn units(&self, facts: &Facts) -> Option<Amount> {
        let decimals = match &self.asset {
            Some(asset) => asset.decimals?,
            None => facts.active_network.as_ref()?.native_currency.decimals,
        };
        amount_of(&self.amount, decimals).ok()
    }

    /// One answer of the wallet or the chain.
    #[inline(never)]
    pub fn answered(&mut self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            // A price that could not be read again is still the last one known.
            Reason::GasPrice(chain) if is_active(&chain, cx.facts) => {
                self.fee.price = quantity(answer).or(self.fee.price);
                // Without one there is no preview: the form says so.
                self.awaited &= self.fee.price.is_some();
            }
            Reason::GasPriority(chain) if is_active(&chain, cx.facts) => {
                self.fee.priority = quantity(answer).or(self.fee.priority);
            }
            Reason::DataFee(chain) if is_active(&chain, cx.facts) => {
                self.fee.data = erc20::number(&answer).or(self.fee.data);
            }
            Reason::GasPrice(_) | Reason::GasPriority(_) | Reason::DataFee(_) => {}
            Reason::GasLimit(id) if id == self.attempts => {
                self.reverts |= answer.as_ref().is_err_and(RpcError::is_revert);
                self.fee.limit = quantity(answer);
                self.fee.sure = self.fee.limit.is_some();
            }
            // A token may refuse by answering "no" where another one reverts (EIP-20).
            Reason::Trial(id) if id == self.attempts => {
                self.reverts |= erc20::number(&answer).is_some_and(|told| told.is_zero());
            }
            Reason::GasLimit(_) | Reason::Trial(_) => {}
            Reason::Token(number, question) => self.token_told(number, question, &answer, cx),
            Reason::Name(text) => {
                if self.receiver.named(&text, answer, cx.facts) {
                    self.receiver.look(cx);
                    self.estimate(cx);
                }
            }
            Reason::Identity(address) => self.receiver.identified(&address, answer, cx.facts),
            Reason::Code(address) => self.receiver.coded(&address, answer),
            Reason::Past(address) => self.dealings.told(&address, answer),
            Reason::Paid(prefix) => self.dealings.kept(&prefix, &answer.unwrap_or_default(), cx),
            Reason::Sent(id) => return self.sent(id, answer, cx),
            Reason::Kept(hash) => self.kept(&hash, &answer.unwrap_or_default(), cx),
            Reason::Receipt(hash, question) => return self.receipt(&hash, question, answer, cx),
        }
        self.fit(cx.facts);
    }

    fn token_told(&mut self, number: u32, question: Question, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(asset) = self.asset.as_mut().filter(|asset| asset.number == number) {
            asset.told(question, answer);
            if asset.state == TokenState::Ready {
                self.estimate(cx);
            }
        }
    }

    /// One alarm.
    #[inline(never)]
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::SendEstimate => {
                self.receiver.look(cx);
                self.estimate(cx);
            }
            Timer::ReceiptPoll => self.look(cx),
            Timer::SendSlow => self.slow = self.phase == Phase::Confirming,
            _ => {}
        }
    }
}

fn is_active(chain: &ChainId, facts: &Facts) -> bool {
    facts.active_network.as_ref().is_some_and(|network| network.caip_network_id == *chain)
}

fn quantity(answer: Result<Value, RpcError>) -> Option<Amount> {
    Amount::from_hex(answer.ok()?.as_str()?).ok()
}
