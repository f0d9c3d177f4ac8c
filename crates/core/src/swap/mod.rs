//! Swapping one token for another on one chain (spec 9.7, 9.10): the pair, the amount, quotes that stay fresh, the approval of exactly what is
//! paid, and the transaction, which is checked here before a wallet sees it.

mod build;
mod calls;
mod confirm;
pub(crate) mod door;
mod event;
mod flight;
mod kept;
mod pair;
mod phase;
mod quote;
mod quoting;
#[cfg(test)]
mod tests;
mod tokens;
mod view;

pub use event::{Event, Reason, Target};
pub use phase::{Fault, Offer, Phase, QuoteFault};
pub use quote::{Impact, REFRESH};
pub use tokens::{Item as TokenItem, PAGE, View as TokensView};
pub use view::{InFlight, Shown, Side, View};

use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::gas::Fee;
use crate::pay::tokens::Purse;
use crate::pay::typed::cut;
use crate::signal::Signal;
use crate::timer::Timer;
use flight::{Deal, Pending};
use portico_json::Value;
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{Amount, ChainId, Price};
use quote::Quote;
use tokens::{Coin, Joined};

/// Typing rests so long before a quote is asked for (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// A wallet that did not sign for so long is slow, and the visitor is told what to look for.
const SLOW: u64 = 8_000;

/// What an approval takes, about.
const APPROVAL_GAS: u32 = 60_000;

/// What a swap takes, until a quote has said it.
const SWAP_GAS: u32 = 350_000;

/// The list of one chain.
#[derive(Debug)]
struct List {
    chain: ChainId,
    coins: Vec<Coin>,
}

/// What a host asked for.
#[derive(Debug, Default)]
struct Wanted {
    from: Option<Value>,
    to: Option<Value>,
    amount: String,
    /// The host's call, which waits for the list.
    ticket: Option<u32>,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Swap {
    /// Once each.
    lists: Vec<List>,
    /// The chain of this form.
    chain: Option<ChainId>,
    offer: Offer,
    wanted: Wanted,
    from: Option<Coin>,
    to: Option<Coin>,
    amount: String,
    quote: Option<Quote>,
    quote_fault: Option<QuoteFault>,
    /// A quote is asked for, or will be when the typing rests.
    quoting: bool,
    /// The number of the last request for a quote, or of the last change: an answer to another one is not of what stands there.
    round: u32,
    /// The quote grew old while nobody looked.
    rests: bool,
    /// What was read of the chain, by address.
    balances: Vec<(String, Amount)>,
    /// What contracts said of their decimals, by address; `None` where that was no number.
    decimals: Vec<(String, Option<u8>)>,
    /// All of this is to be paid, less a fee that is not known yet.
    all: Option<Amount>,
    /// All of the first was filled in, less what a swap commonly takes, which is the second: the quote may say that it takes more.
    filled: Option<(Amount, Amount)>,
    prices: Vec<(String, Price)>,
    fee: Fee,
    target: Target,
    search: String,
    joined: Joined,
    told: usize,
    /// Another number whenever the list to choose from may be another.
    revision: u32,
    phase: Phase,
    fault: Option<Fault>,
    error: Option<RpcError>,
    /// What the visitor was shown to receive at least, once the preview was opened.
    promised: Option<Amount>,
    /// What somebody may take, as the chain said after the approval.
    allowed: Option<(String, Amount)>,
    /// The number of the last confirmation.
    attempt: u32,
    /// The number of the form.
    form: u32,
    /// A quote was asked for once more because the server would not build the one before.
    requoted: bool,
    /// The visitor asked to go on: from now on what is missing is said.
    pressed: bool,
    /// The wallet takes long to sign.
    slow: bool,
    /// The wallet is elsewhere, and does not say that it is there.
    silent: bool,
    /// What a wallet was asked to sign. It outlives the form: money moves even when the visitor looks elsewhere.
    signing: Vec<Deal>,
    /// Transactions that are not mined yet.
    pending: Vec<Pending>,
    /// What was approved, or taken back, for a swap that nobody signed yet.
    approved: Option<Pending>,
    /// The older permission has to go first.
    takes_back: bool,
    /// The wallet that was asked to approve and swap in one, and does not: by its handle.
    unable: Option<String>,
    /// Those of the page before this one, as they were stored: hostile until read.
    stored: Value,
}

impl Swap {
    /// With what was stored.
    pub fn new(stored: &Value) -> Swap {
        Swap { stored: stored.clone(), ..Swap::default() }
    }

    /// Whether the page before this one left something on its way.
    pub fn is_to_resume(&self) -> bool {
        self.stored.as_list().is_some_and(|list| !list.is_empty())
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, purse: &Purse, cx: &mut Cx) {
        if self.phase.is_busy() && !matches!(event, Event::NetworksAsked) {
            // What is shown while the wallet asks is what it was asked to sign.
            return;
        }
        let other =
            matches!(event, Event::AmountTyped { .. } | Event::MaxAsked | Event::FlipAsked | Event::TokenChosen { .. });
        if other && self.approved.take().is_some() {
            // What was left half-way is not what the visitor wants any more.
            self.keep(cx);
        }
        match event {
            Event::AmountTyped { text } => {
                self.amount = cut(&text);
                self.changed(cx);
            }
            Event::MaxAsked => self.all(purse, cx),
            Event::FlipAsked => self.flip(cx),
            Event::SelectAsked { target } => {
                (self.target, self.search, self.told) = (target, String::new(), PAGE);
                self.revision += 1;
                cx.tell(Signal::Track(Tracked::new(Name::ClickSelectTokenToSwap)));
                cx.tell(Signal::SwapTokenAsked);
            }
            Event::SearchTyped { text } => {
                (self.search, self.told) = (cut(&text), PAGE);
                self.revision += 1;
            }
            Event::MoreAsked => {
                self.told += PAGE;
                self.revision += 1;
            }
            Event::TokenChosen { address } => self.choose(&address, purse, cx),
            Event::NetworksAsked => {
                cx.tell(Signal::Track(Tracked::new(Name::ClickSelectNetworkToSwap)));
                cx.tell(Signal::SwapNetworkAsked);
            }
            Event::RetryAsked if self.offer == Offer::Unavailable => self.list(cx),
            Event::RetryAsked => self.refresh(cx),
            Event::ReviewAsked => self.review(purse, cx),
            Event::PriceAccepted => {
                if self.phase == Phase::Outdated {
                    self.phase = Phase::Editing;
                    self.promised = self.quote.as_ref().map(|quote| quote.minimum);
                }
            }
            Event::ConfirmAsked => self.confirm(purse, cx),
        }
    }

    /// The form is shown; a host may fill it in (`open({ view: 'Swap', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        if self.phase.is_busy() && arguments.is_null() {
            // The visitor comes back while the wallet still asks.
            return cx.resolve_host(ticket, Value::Null);
        }
        self.reset(cx);
        let named = |name: &str| match arguments.get(name) {
            Value::Null => None,
            Value::Text(text) if text.trim().is_empty() => None,
            told => Some(told.clone()),
        };
        let number = |number: &str| portico_terms::amount::plain(number).unwrap_or_else(|| number.into());
        self.wanted = Wanted {
            from: named("fromToken"),
            to: named("toToken"),
            amount: match arguments.get("amount") {
                Value::Number(told) => cut(&number(told)),
                text => cut(text.as_str().unwrap_or_default().trim()),
            },
            ticket,
        };
        if self.wanted.from.is_none() && self.wanted.to.is_none() {
            // Nothing that the list could contradict.
            cx.resolve_host(self.wanted.ticket.take(), Value::Null);
        }
        if let Some(network) = &cx.facts.active_network {
            cx.tell(Signal::Track(
                Tracked::new(Name::OpenSwap)
                    .with("network", network.caip_network_id.to_string())
                    .flag("isSmartAccount", cx.facts.smart_account),
            ));
        }
        self.begin(cx);
    }

    /// One answer.
    #[inline(never)]
    pub fn answered(&mut self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let current = |chain: &ChainId| self.chain.as_ref() == Some(chain);
        match asked {
            Reason::Tokens(chain) => self.tokens_told(chain, answer, cx),
            Reason::Quote(round) if round == self.round => self.quoted(answer, cx),
            Reason::GasPrice(chain) if current(&chain) => self.gas_priced(quantity(answer), cx),
            Reason::GasPriority(chain) if current(&chain) => self.fee.priority = quantity(answer),
            Reason::DataFee(chain) if current(&chain) => self.fee.data = erc20::number(&answer).or(self.fee.data),
            Reason::Balance(form, address) if form == self.form => {
                if let Some(amount) = erc20::number(&answer) {
                    self.balances.retain(|(known, _)| *known != address);
                    self.balances.push((address, amount));
                }
            }
            // A node that does not answer has said nothing; a contract that reverts has.
            Reason::Decimals(form, address)
                if form == self.form && answer.as_ref().map_or_else(is_revert, |_| true) =>
            {
                self.decimals.retain(|(known, _)| *known != address);
                self.decimals.push((address, erc20::decimals_of(&answer)));
            }
            Reason::Prices(form) if form == self.form => self.priced(&answer.unwrap_or_default()),
            Reason::Tried(attempt) if attempt == self.attempt && self.phase == Phase::Building => {
                self.tried(&answer, cx)
            }
            Reason::Allowance(attempt, kind) if attempt == self.attempt && self.phase == Phase::ApprovalPending => {
                self.allowance(kind, answer, cx);
            }
            Reason::Built(attempt) if attempt == self.attempt && self.phase == Phase::Building => {
                self.built(answer, cx)
            }
            Reason::Signed(attempt, kind) => self.signed(kind, attempt, answer, cx),
            Reason::Looked(hash, question) => self.looked(&hash, question, &answer, cx),
            Reason::Told(name) => self.told(&name, answer, cx),
            _ => {}
        }
    }

    /// One alarm.
    #[inline(never)]
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::SwapQuote if self.phase.is_busy() => {}
            Timer::SwapQuote if is_looked_at(cx.facts) => self.refresh(cx),
            Timer::SwapQuote => self.rests = true,
            Timer::SwapReceipt => self.look(cx),
            Timer::SwapSlow => self.slow = self.phase.asks_wallet(),
            _ => {}
        }
    }

    /// The visitor left the form, or closed the modal. While the wallet asks, the form waits for its answer.
    pub fn left(&mut self, cx: &mut Cx) {
        if !self.phase.is_busy() {
            self.reset(cx);
        }
    }

    /// The visitor left the list of tokens: a quote that grew old meanwhile is asked for anew.
    pub fn list_left(&mut self, cx: &mut Cx) {
        if self.rests {
            self.refresh(cx);
        }
    }

    /// The visitor left the preview for the form: another try is possible. The wallet may still answer the first one.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        if self.phase.asks_wallet() {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.attempt += 1;
        (self.phase, self.fault, self.error, self.promised) = (Phase::Editing, None, None, None);
        (self.slow, self.silent) = (false, false);
        cx.stop(Timer::SwapSlow);
        self.wake(cx);
    }

    /// A wallet that is elsewhere does not say that it is there. It may be back before its time is over.
    pub fn wallet_silent(&mut self) {
        self.silent = self.phase.asks_wallet();
    }

    /// Another chain is in use, or another account: what was filled in is not for it (spec 4.15). True where something was.
    pub fn switched(&mut self, cx: &mut Cx) -> bool {
        let filled = !self.amount.is_empty() || self.quote.is_some();
        self.reset(cx);
        if matches!(cx.facts.view, "Swap" | "SwapPreview" | "SwapSelectToken" | "Networks" | "SwitchNetwork") {
            self.begin(cx);
        }
        filled
    }

    /// Clears the form (spec 4.7, 4.15). What a wallet signs, and what is on its way, is still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        cx.stop(Timer::SwapQuote);
        cx.stop(Timer::SwapSlow);
        // The view was opened, whatever came of it.
        cx.resolve_host(self.wanted.ticket.take(), Value::Null);
        *self = Swap {
            lists: std::mem::take(&mut self.lists),
            signing: std::mem::take(&mut self.signing),
            pending: std::mem::take(&mut self.pending),
            approved: self.approved.take(),
            unable: self.unable.take(),
            stored: std::mem::take(&mut self.stored),
            attempt: self.attempt + 1,
            form: self.form + 1,
            round: self.round + 1,
            revision: self.revision + 1,
            told: PAGE,
            ..Swap::default()
        };
    }
}

/// Whether quotes are looked at.
fn is_looked_at(facts: &Facts) -> bool {
    matches!(facts.view, "Swap" | "SwapPreview")
}

/// Whether a contract refused, rather than a node. Many nodes say so by the general code, and their words tell.
fn is_revert(error: &RpcError) -> bool {
    error.kind == RpcErrorKind::Reverted || error.message.starts_with("execution reverted")
}

fn quantity(answer: Result<Value, RpcError>) -> Option<Amount> {
    Amount::from_hex(answer.ok()?.as_str()?).ok()
}
