//! Token swap on one chain (spec 9.7, 9.10): the pair, the amount, refreshed quotes, the approval of exactly the paid amount, and the
//! transaction, which is checked here before a wallet sees it.

mod bounds;
mod build;
mod calls;
mod confirm;
mod contracts;
mod event;
mod feature;
mod flight;
mod form;
mod kept;
mod last;
mod moved;
mod pair;
mod phase;
mod picker;
mod pricing;
mod probe;
mod quote;
mod quoting;
mod readings;
mod rehearsal;
mod simulation;
mod slippage;
mod step;
#[cfg(test)]
mod tests;
mod tokens;
mod view;

use crate::modal::View as ModalView;
pub use event::{Event, Reason, Target, Trial};
pub use last::{InFlight, InFlightStep, Swapped};
pub use phase::{Fault, Offer, Phase, QuoteFault};
pub use quote::{Impact, REFRESH};
pub use rehearsal::Simulation;
pub use tokens::{Item as TokenItem, PAGE, View as TokensView};
pub use view::{Shown, Side, ToAmount, View};

use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::left_open::LeftOpen;
use crate::pay::signing::{Payments, Pending};
use crate::pay::tokens::Purse;
use crate::pay::typed::cut;
use crate::rpc::DISAGREED;
use crate::signal::Signal;
use crate::storage::Stored;
use bounds::Bounds;
use flight::{Deal, Signed};
use form::{Form, Max, Wanted};
use last::Last;
use picker::Picker;
use portico_json::Value;
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{Amount, ChainId};
use pricing::{Pricing, Request};
use quote::Quote;
use readings::Readings;
use rehearsal::Rehearsal;
use slippage::Slippage;
use step::Step;
use tokens::Coin;

/// Time between the last keystroke and a quote request, in milliseconds (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// Time in milliseconds before a question to agree again can be answered.
const READING: u64 = 1_000;

/// Approximate gas of an approval.
const APPROVAL_GAS: u32 = 60_000;

/// Gas of a swap before a quote reports it.
const SWAP_GAS: u32 = 350_000;

/// Token list of one chain.
#[derive(Debug)]
struct List {
    chain: ChainId,
    coins: Vec<Coin>,
    /// Whether a quote can be had for an amount to receive.
    exact_out: bool,
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
    /// The visitor has had the time to read a question to agree again.
    Read,
}

/// State of the swap feature.
#[derive(Debug, Default)]
pub struct Swap {
    /// Loaded token lists, one per chain.
    lists: Vec<List>,
    form: Form,
    pricing: Pricing,
    readings: Readings,
    picker: Picker,
    slippage: Slippage,
    /// The last signed swap, while its view is open.
    last: Option<Last>,
    /// Number of the last confirmation.
    attempt: u32,
    step: Step,
    /// A new quote was requested after the server refused to build the previous one; once per confirmation.
    requoted: bool,
    /// Bounds that the preview showed.
    promised: Option<Bounds>,
    /// Spender and its allowance on the chain.
    allowed: Option<(String, Amount)>,
    /// Contract that the built transaction calls.
    target: Option<String>,
    /// Trial of the swap in the preview.
    rehearsal: Rehearsal,
    /// The visitor agreed to swap although no node could simulate the transaction.
    unproven: bool,
    /// The visitor agreed to lose a large part of what is paid.
    costly: bool,
    /// The visitor was told that the wallet may have sent an earlier request, and goes on.
    looked: bool,
    /// The question to agree again is too new to have been read.
    unread: bool,
    /// Requests at wallets, and unmined transactions.
    payments: Payments<Deal, Signed>,
    /// Mined approval or revocation whose swap is not signed yet.
    approved: Option<Pending<Signed>>,
    /// Handle of the wallet that refused a batch of approval and swap.
    unable: Option<String>,
    /// Stored transactions of an earlier page; untrusted until parsed.
    stored: Value,
}

impl Swap {
    /// Initial state from storage.
    pub fn new(stored: &Stored) -> Swap {
        let payments = Payments::after(LeftOpen::read(&stored.asked[1]));
        Swap { stored: stored.swaps.clone(), payments, ..Swap::default() }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, purse: &Purse, cx: &mut Cx) {
        if self.step.is_busy() && !matches!(event, Event::NetworksAsked) {
            // The form must keep showing what the wallet is asked to sign.
            return;
        }
        use Event::{AmountTyped, FlipAsked, MaxAsked, ToAmountTyped, TokenChosen};
        let other =
            matches!(event, AmountTyped { .. } | ToAmountTyped { .. } | MaxAsked | FlipAsked | TokenChosen { .. });
        if other && self.approved.take().is_some() {
            // A new choice discards the unfinished swap.
            self.keep(cx);
        }
        match event {
            Event::AmountTyped { text } => {
                self.type_paid(cut(&text));
                self.changed(cx);
            }
            Event::ToAmountTyped { text } => self.type_received(&text, cx),
            Event::MaxAsked => self.all(purse, cx),
            Event::FlipAsked => self.flip(cx),
            Event::SelectAsked { target } => self.select(target, cx),
            Event::SearchTyped { text } => self.picker.show(self.picker.target, cut(&text)),
            Event::MoreAsked => {
                self.picker.rows += PAGE;
                self.picker.revision += 1;
            }
            Event::HiddenAsked => {
                self.picker.revealed = !self.picker.revealed;
                self.picker.revision += 1;
            }
            Event::TokenChosen { address } => self.choose(&address, purse, cx),
            Event::NetworksAsked => {
                cx.signal(Signal::Track(Tracked::new(Name::ClickSelectNetworkToSwap)));
                cx.signal(Signal::SwapNetworkAsked);
            }
            Event::RetryAsked if self.form.offer == Offer::Unavailable => self.list(cx),
            Event::RetryAsked => self.refresh(cx),
            // The button says "Select token" there.
            Event::ReviewAsked if self.form.from.is_none() => self.select(Target::SourceToken, cx),
            Event::ReviewAsked if self.form.to.is_none() => self.select(Target::ToToken, cx),
            Event::ReviewAsked => self.review(purse, cx),
            Event::PriceAccepted => {
                if self.step == Step::Outdated && !self.is_unread() {
                    (self.step, self.costly) = (Step::Editing, false);
                    self.promised = self.pricing.quote().map(Quote::bounds);
                    self.rehearse(cx);
                }
            }
            Event::ConfirmAsked => self.confirm(purse, cx),
            Event::SlippageChosen { percent } => self.slippage_chosen(&percent, false, cx),
            Event::SlippageTyped { text } => self.slippage_chosen(&text, true, cx),
        }
    }

    /// Opens the list of tokens for one side.
    fn select(&mut self, target: Target, cx: &mut Cx) {
        self.picker.show(target, String::new());
        self.picker.revealed = false;
        cx.signal(Signal::Track(Tracked::new(Name::ClickSelectTokenToSwap)));
        cx.signal(Signal::SwapTokenAsked);
    }

    /// The form is opened; a host may fill it in (`open({ view: 'Swap', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        if self.step.is_busy() && arguments.is_null() {
            // The visitor opens the form again while a swap is being signed: it still shows that swap.
            return cx.resolve_host(ticket, Value::Null);
        }
        if self.wallet_is_asked() {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.reset(cx);
        let named = |name: &str| match arguments.get(name) {
            Value::Null => None,
            Value::Text(text) if text.trim().is_empty() => None,
            told => Some(told.clone()),
        };
        let number = |number: &str| portico_terms::amount::plain(number).unwrap_or_else(|| number.into());
        self.form.wanted = Wanted {
            from: named("fromToken"),
            to: named("toToken"),
            amount: match arguments.get("amount") {
                Value::Number(told) => cut(&number(told)),
                text => cut(text.as_str().unwrap_or_default().trim()),
            },
            ticket,
        };
        if self.form.wanted.from.is_none() && self.form.wanted.to.is_none() {
            // Without tokens there is nothing to check against the list.
            cx.resolve_host(self.form.wanted.ticket.take(), Value::Null);
        }
        if let Some(network) = &cx.facts.active_network {
            cx.signal(Signal::Track(
                Tracked::new(Name::OpenSwap)
                    .with("network", network.caip_network_id.to_string())
                    .flag("isSmartAccount", cx.facts.smart_account),
            ));
        }
        self.read_slippage(cx);
        self.begin(cx);
    }

    /// Dispatches one response.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let current = |chain: &ChainId| self.form.chain.as_ref() == Some(chain);
        match reason {
            Reason::Tokens(chain) => self.on_tokens(chain, answer, cx),
            Reason::Quote(round) if round == self.pricing.round => self.quoted(answer, cx),
            Reason::Chain(chain) if current(&chain) => self.readings.fee.take_chain(&answer, &chain),
            Reason::GasPrice(chain) if current(&chain) => self.gas_priced(quantity(answer), &chain, cx),
            Reason::GasPriority(chain) if current(&chain) => self.readings.fee.priority = quantity(answer),
            Reason::FeeHistory(chain) if current(&chain) => self.readings.fee.take_history(&answer),
            Reason::Whole(form, address) if form == self.form.number => self.on_whole(&address, &answer, cx),
            Reason::DataFee(chain) if current(&chain) => {
                let fee = &mut self.readings.fee;
                fee.data = erc20::number(&answer).or(fee.data);
            }
            Reason::Balance(form, address) if form == self.form.number => {
                if let Some(amount) = erc20::number(&answer) {
                    self.readings.set_balance(address, amount);
                }
            }
            // A failed node says nothing about a token, unlike a contract that reverts, or two nodes that disagree.
            Reason::Decimals(form, address)
                if form == self.form.number
                    && answer.as_ref().map_or_else(|error| is_revert(error) || error.code == DISAGREED, |_| true) =>
            {
                self.readings.set_decimals(address, erc20::decimals_of(&answer));
            }
            Reason::Prices(form) if form == self.form.number => self.priced(answer, cx),
            Reason::ApprovalTried(attempt) if attempt == self.attempt && self.step.is_building() => {
                self.approval_tried(&answer, cx)
            }
            Reason::Allowance(attempt, kind) if attempt == self.attempt && self.step == Step::ApprovalPending => {
                self.allowance(kind, answer, cx);
            }
            Reason::Permitted(form, spender) if form == self.form.number => self.on_permitted(spender, &answer, cx),
            Reason::Settler(attempt, age) if attempt == self.attempt => self.on_settler(age, &answer, cx),
            Reason::Simulated(trial, number) if number == self.number_of(trial) => self.simulated(trial, answer, cx),
            Reason::Probed(trial, number) if number == self.number_of(trial) => self.probed(trial, &answer, cx),
            Reason::Built(Trial::Preview, number) if number == self.rehearsal.number => self.rehearsed(answer, cx),
            Reason::Built(Trial::Confirmation, attempt) if attempt == self.attempt && self.step.is_building() => {
                self.built(answer, cx)
            }
            Reason::Nonce(form) if form == self.form.number => self.readings.mined = quantity(answer),
            Reason::Signed(attempt, kind) => self.signed(kind, attempt, answer, cx),
            Reason::Receipt(hash, question) => self.on_receipt(&hash, question, &answer, cx),
            Reason::BatchStatus(name) => self.on_batch_status(&name, answer, cx),
            Reason::BatchReceipt(hash) => self.on_batch_receipt(&hash, &answer, cx),
            Reason::Slippage => self.slippage_read(&answer.unwrap_or_default()),
            _ => {}
        }
    }

    /// Dispatches one alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Quote if self.step.is_busy() => {}
            Alarm::Quote if is_looked_at(cx.facts) => self.refresh(cx),
            Alarm::Quote => self.pricing.request = Request::Overdue,
            Alarm::Receipt => self.read_receipts(cx),
            Alarm::Slow => self.payments.slow = self.step.asks_wallet(),
            Alarm::Read => self.unread = false,
        }
    }

    /// The visitor left the form or closed the modal. While the wallet asks, the form waits for its response.
    pub fn left(&mut self, cx: &mut Cx) {
        if !self.step.is_busy() {
            self.reset(cx);
        }
    }

    /// The visitor left the token list: a quote that expired meanwhile is requested again.
    pub fn list_left(&mut self, cx: &mut Cx) {
        if self.pricing.request == Request::Overdue {
            self.refresh(cx);
        }
    }

    /// The visitor went back from the preview to the form and can retry. The wallet may still answer the first request.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        if self.step.asks_wallet() {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.attempt += 1;
        (self.step, self.promised, self.unproven) = (Step::Editing, None, false);
        (self.costly, self.looked) = (false, false);
        self.rehearsal.drop();
        self.payments.wait_is_over(Alarm::Slow, cx);
        self.wake(cx);
    }

    /// Asks the visitor to agree again.
    fn ask_again(&mut self, step: Step, cx: &mut Cx) {
        (self.step, self.unread) = (step, true);
        cx.start(Alarm::Read, READING);
    }

    /// Whether nobody can have read the question to agree again: the same button answers it, so a double click would.
    fn is_unread(&self) -> bool {
        self.unread && self.step.asks_visitor()
    }

    /// Whether the wallet is asked to sign the swap on the screen.
    pub fn wallet_is_asked(&self) -> bool {
        self.step.asks_wallet()
    }

    /// A remote wallet has not acknowledged the request; it may still respond in time.
    pub fn wallet_silent(&mut self) {
        self.payments.silent = self.wallet_is_asked();
    }

    /// The active chain or account changed: the form no longer applies (spec 4.15). Returns true if it was filled in.
    pub fn switched(&mut self, cx: &mut Cx) -> bool {
        let filled = !self.form.amount.is_empty() || self.pricing.quote().is_some();
        self.reset(cx);
        let forms = [
            ModalView::Swap,
            ModalView::SwapPreview,
            ModalView::SwapSelectToken,
            ModalView::Networks,
            ModalView::SwitchNetwork,
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
        cx.resolve_host(self.form.wanted.ticket.take(), Value::Null);
        self.pricing.drop_quote();
        *self = Swap {
            lists: std::mem::take(&mut self.lists),
            payments: std::mem::take(&mut self.payments),
            approved: self.approved.take(),
            unable: self.unable.take(),
            stored: std::mem::take(&mut self.stored),
            slippage: self.slippage.kept(),
            last: self.last.take(),
            attempt: self.attempt + 1,
            rehearsal: self.rehearsal.next(),
            form: Form { number: self.form.number + 1, ..Form::default() },
            pricing: std::mem::take(&mut self.pricing),
            picker: Picker { revision: self.picker.revision + 1, ..Picker::default() },
            ..Swap::default()
        };
    }
}

/// Whether quotes are on the screen.
fn is_looked_at(facts: &Facts) -> bool {
    matches!(facts.view, Some(ModalView::Swap | ModalView::SwapPreview))
}

/// Whether an error is a contract's revert rather than a node's failure. Many nodes use the general code, so the message counts too.
fn is_revert(error: &RpcError) -> bool {
    error.kind == RpcErrorKind::Reverted || error.message.starts_with("execution reverted")
}

fn quantity(answer: Result<Value, RpcError>) -> Option<Amount> {
    Amount::from_hex(answer.ok()?.as_str()?).ok()
}
