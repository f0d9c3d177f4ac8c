//! Token swap on one chain (spec 9.7, 9.10): the pair, the amount, refreshed quotes, the approval of exactly the paid amount, and the
//! transaction, which is checked here before a wallet sees it.

mod build;
mod calls;
mod confirm;
mod event;
mod feature;
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

use crate::modal;
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
use crate::pay::signing::{Payments, Pending};
use crate::pay::tokens::Purse;
use crate::pay::typed::cut;
use crate::signal::Signal;
use flight::{Deal, Signed};
use portico_json::Value;
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{Amount, ChainId, Price};
use quote::Quote;
use tokens::{Coin, Joined};

/// Time between the last keystroke and a quote request, in milliseconds (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// Approximate gas of an approval.
const APPROVAL_GAS: u32 = 60_000;

/// Gas of a swap before a quote reports it.
const SWAP_GAS: u32 = 350_000;

/// Token list of one chain.
#[derive(Debug)]
struct List {
    chain: ChainId,
    coins: Vec<Coin>,
}

/// Form values requested by the host.
#[derive(Debug, Default)]
struct Wanted {
    from: Option<Value>,
    to: Option<Value>,
    amount: String,
    /// Ticket of the host call, which waits for the token list.
    ticket: Option<u32>,
}

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The amount has rested, or the quote expires: a new quote is requested.
    Quote,
    /// Next poll for the receipt of a swap or of its approval.
    Receipt,
    /// The wallet is slow to sign; the modal shows it.
    Slow,
}

/// State of the swap feature.
#[derive(Debug, Default)]
pub struct Swap {
    /// Loaded token lists, one per chain.
    lists: Vec<List>,
    /// Chain of the form.
    chain: Option<ChainId>,
    offer: Offer,
    wanted: Wanted,
    from: Option<Coin>,
    to: Option<Coin>,
    amount: String,
    quote: Option<Quote>,
    quote_fault: Option<QuoteFault>,
    /// A quote request is in flight or waits for the debounce.
    quoting: bool,
    /// Number of the last quote request or form change; a quote for an older one is ignored.
    round: u32,
    /// The quote expired while it was not on the screen.
    expired_unseen: bool,
    /// Balances read from the chain, by address.
    balances: Vec<(String, Amount)>,
    /// Decimals reported by contracts, by address; `None` if the response was not a number.
    decimals: Vec<(String, Option<u8>)>,
    /// Balance for a "max" amount that waits for the fee.
    all: Option<Amount>,
    /// Balance and filled-in amount after "max", with the fee estimated; the quote may report more gas.
    filled: Option<(Amount, Amount)>,
    prices: Vec<(String, Price)>,
    fee: Fee,
    target: Target,
    search: String,
    joined: Joined,
    told: usize,
    /// Counter of changes to the token list view.
    revision: u32,
    phase: Phase,
    fault: Option<Fault>,
    error: Option<RpcError>,
    /// Minimum received that the preview showed.
    promised: Option<Amount>,
    /// Spender and allowance on the chain after the approval.
    allowed: Option<(String, Amount)>,
    /// Number of the last confirmation.
    attempt: u32,
    /// Number of the form.
    form: u32,
    /// A new quote was requested after the server refused to build the previous one.
    requoted: bool,
    /// The visitor pressed "Review": missing values are now shown as errors.
    pressed: bool,
    /// Requests at wallets, and unmined transactions.
    payments: Payments<Deal, Signed>,
    /// Mined approval or revocation whose swap is not signed yet.
    approved: Option<Pending<Signed>>,
    /// The older allowance has to be revoked first.
    revokes_first: bool,
    /// Handle of the wallet that refused a batch of approval and swap.
    unable: Option<String>,
    /// Stored transactions of an earlier page; untrusted until parsed.
    stored: Value,
}

impl Swap {
    /// Initial state from storage.
    pub fn new(stored: &Value) -> Swap {
        Swap { stored: stored.clone(), ..Swap::default() }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, purse: &Purse, cx: &mut Cx) {
        if self.phase.is_busy() && !matches!(event, Event::NetworksAsked) {
            // The form must keep showing what the wallet is asked to sign.
            return;
        }
        let other =
            matches!(event, Event::AmountTyped { .. } | Event::MaxAsked | Event::FlipAsked | Event::TokenChosen { .. });
        if other && self.approved.take().is_some() {
            // A new choice discards the unfinished swap.
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
                cx.signal(Signal::Track(Tracked::new(Name::ClickSelectTokenToSwap)));
                cx.signal(Signal::SwapTokenAsked);
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
                cx.signal(Signal::Track(Tracked::new(Name::ClickSelectNetworkToSwap)));
                cx.signal(Signal::SwapNetworkAsked);
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

    /// The form is opened; a host may fill it in (`open({ view: 'Swap', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        if self.phase.is_busy() && arguments.is_null() {
            // The visitor returns while the wallet still asks.
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
            // Without tokens there is nothing to check against the list.
            cx.resolve_host(self.wanted.ticket.take(), Value::Null);
        }
        if let Some(network) = &cx.facts.active_network {
            cx.signal(Signal::Track(
                Tracked::new(Name::OpenSwap)
                    .with("network", network.caip_network_id.to_string())
                    .flag("isSmartAccount", cx.facts.smart_account),
            ));
        }
        self.begin(cx);
    }

    /// Dispatches one response.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let current = |chain: &ChainId| self.chain.as_ref() == Some(chain);
        match reason {
            Reason::Tokens(chain) => self.on_tokens(chain, answer, cx),
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
            // A failed node says nothing about a token, unlike a contract that reverts.
            Reason::Decimals(form, address)
                if form == self.form && answer.as_ref().map_or_else(is_revert, |_| true) =>
            {
                self.decimals.retain(|(known, _)| *known != address);
                self.decimals.push((address, erc20::decimals_of(&answer)));
            }
            Reason::Prices(form) if form == self.form => self.priced(answer, cx),
            Reason::ApprovalTried(attempt) if attempt == self.attempt && self.phase == Phase::Building => {
                self.approval_tried(&answer, cx)
            }
            Reason::Allowance(attempt, kind) if attempt == self.attempt && self.phase == Phase::ApprovalPending => {
                self.allowance(kind, answer, cx);
            }
            Reason::Built(attempt) if attempt == self.attempt && self.phase == Phase::Building => {
                self.built(answer, cx)
            }
            Reason::Signed(attempt, kind) => self.signed(kind, attempt, answer, cx),
            Reason::Receipt(hash, question) => self.on_receipt(&hash, question, &answer, cx),
            Reason::BatchStatus(name) => self.on_batch_status(&name, answer, cx),
            _ => {}
        }
    }

    /// Dispatches one alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Quote if self.phase.is_busy() => {}
            Alarm::Quote if is_looked_at(cx.facts) => self.refresh(cx),
            Alarm::Quote => self.expired_unseen = true,
            Alarm::Receipt => self.read_receipts(cx),
            Alarm::Slow => self.payments.slow = self.phase.asks_wallet(),
        }
    }

    /// The visitor left the form or closed the modal. While the wallet asks, the form waits for its response.
    pub fn left(&mut self, cx: &mut Cx) {
        if !self.phase.is_busy() {
            self.reset(cx);
        }
    }

    /// The visitor left the token list: a quote that expired meanwhile is requested again.
    pub fn list_left(&mut self, cx: &mut Cx) {
        if self.expired_unseen {
            self.refresh(cx);
        }
    }

    /// The visitor went back from the preview to the form and can retry. The wallet may still answer the first request.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        if self.phase.asks_wallet() {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.attempt += 1;
        (self.phase, self.fault, self.error, self.promised) = (Phase::Editing, None, None, None);
        self.payments.wait_is_over(Alarm::Slow, cx);
        self.wake(cx);
    }

    /// A remote wallet has not acknowledged the request; it may still respond in time.
    pub fn wallet_silent(&mut self) {
        self.payments.silent = self.phase.asks_wallet();
    }

    /// The active chain or account changed: the form no longer applies (spec 4.15). Returns true if it was filled in.
    pub fn switched(&mut self, cx: &mut Cx) -> bool {
        let filled = !self.amount.is_empty() || self.quote.is_some();
        self.reset(cx);
        let forms = [
            modal::View::Swap,
            modal::View::SwapPreview,
            modal::View::SwapSelectToken,
            modal::View::Networks,
            modal::View::SwitchNetwork,
        ];
        if cx.facts.view.is_some_and(|view| forms.contains(&view)) {
            self.begin(cx);
        }
        filled
    }

    /// Clears the form (spec 4.7, 4.15). Signing requests and pending transactions are still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::Quote);
        self.payments.wait_is_over(Alarm::Slow, cx);
        // The host call only opens the view, so it resolves in any case.
        cx.resolve_host(self.wanted.ticket.take(), Value::Null);
        *self = Swap {
            lists: std::mem::take(&mut self.lists),
            payments: std::mem::take(&mut self.payments),
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

/// Whether quotes are on the screen.
fn is_looked_at(facts: &Facts) -> bool {
    matches!(facts.view, Some(modal::View::Swap | modal::View::SwapPreview))
}

/// Whether an error is a contract's revert rather than a node's failure. Many nodes use the general code, so the message counts too.
fn is_revert(error: &RpcError) -> bool {
    error.kind == RpcErrorKind::Reverted || error.message.starts_with("execution reverted")
}

fn quantity(answer: Result<Value, RpcError>) -> Option<Amount> {
    Amount::from_hex(answer.ok()?.as_str()?).ok()
}
