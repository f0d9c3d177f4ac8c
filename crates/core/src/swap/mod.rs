//! Swapping one token for another on one chain (spec 9.7, 9.10): the pair, the amount, quotes that stay fresh, the approval of exactly what is
//! paid, and the transaction, which is checked here before a wallet sees it.

mod build;
mod confirm;
pub(crate) mod door;
mod event;
mod flight;
mod phase;
mod quote;
#[cfg(test)]
mod tests;
mod tokens;
mod view;

pub use event::{Asked, Event, Target};
pub use phase::{Fault, Offer, Phase, QuoteFault};
pub use quote::{Impact, REFRESH};
pub use tokens::{Item as TokenItem, PAGE, View as TokensView};
pub use view::{InFlight, Shown, Side, View};

use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::HttpMethod;
use crate::facts::Facts;
use crate::fault::CallFault;
use crate::http::Request;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::gas::{Fee, with_margin};
use crate::pay::tokens::Purse;
use crate::pay::typed::{amount_of, cut};
use crate::signal::Signal;
use crate::timer::Timer;
use flight::{Deal, Pending};
use portico_json::Value;
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{Amount, ChainId, Namespace, Price};
use quote::{Question, Quote};
use tokens::{Coin, Joined, found, strange};

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

    /// The form of the chain in use: its list is asked for once.
    fn begin(&mut self, cx: &mut Cx) {
        let network = cx.facts.active_network.as_ref();
        let evm = network.filter(|network| network.chain_namespace == Namespace::Eip155 && cx.facts.account.is_some());
        let Some(network) = evm else { return self.cannot(Offer::Unsupported, cx) };
        self.chain = Some(network.caip_network_id.clone());
        self.ask_gas_price(cx);
        if self.coins().is_empty() {
            self.list(cx);
        } else {
            self.listed(cx);
        }
    }

    /// There is no list, and the form says so: that is all that a host's call could bring.
    fn cannot(&mut self, offer: Offer, cx: &mut Cx) {
        self.offer = offer;
        cx.resolve_host(self.wanted.ticket.take(), Value::Null);
    }

    fn ask_gas_price(&self, cx: &mut Cx) {
        let Some(chain) = &self.chain else { return };
        cx.call(chain, "eth_gasPrice", Vec::new(), Asked::GasPrice(chain.clone()));
        cx.call(chain, "eth_maxPriorityFeePerGas", Vec::new(), Asked::GasPriority(chain.clone()));
    }

    fn list(&mut self, cx: &mut Cx) {
        let Some(chain) = self.chain.clone() else { return };
        self.offer = Offer::Loading;
        let request = Request::get("/v1/convert/tokens").with("chainId", &chain.to_string());
        if !cx.http(request, Asked::Tokens(chain)) {
            self.cannot(Offer::Unsupported, cx);
        }
    }

    /// The list of the chain in use.
    fn coins(&self) -> &[Coin] {
        let list = self.lists.iter().find(|list| Some(&list.chain) == self.chain.as_ref());
        list.map(|list| list.coins.as_slice()).unwrap_or_default()
    }

    /// The list is there: the coin is what most people pay with. A host that named what is no token of this chain filled nothing in: its
    /// amount may be of something else.
    fn listed(&mut self, cx: &mut Cx) {
        self.offer = Offer::Ready;
        self.revision += 1;
        let wanted = std::mem::take(&mut self.wanted);
        let named = |name: &Option<Value>| match (name, &self.chain) {
            (None, _) => Some(None),
            (Some(name), Some(chain)) => Some(Some(tokens::named(name.as_str()?.trim(), self.coins(), chain)?)),
            _ => None,
        };
        let pair = named(&wanted.from).zip(named(&wanted.to));
        let pair = pair.filter(|(from, to)| from.is_none() || from != to);
        let (refused, (from, to)) = (pair.is_none(), pair.unwrap_or_default());
        let coin = self.coins().iter().find(|coin| coin.is_native());
        let from = from.or(coin).filter(|from| to.is_none_or(|to| !to.is(&from.address)));
        (self.from, self.to) = (from.cloned(), to.cloned());
        if refused {
            cx.reject_host(wanted.ticket, CallFault::UnsupportedAsset.into());
        } else {
            cx.resolve_host(wanted.ticket, Value::Null);
            // An amount of nothing is none.
            self.amount = if self.from.is_some() { wanted.amount } else { String::new() };
        }
        self.paired(cx);
    }

    /// The pair is another one: what there is of it, and what it is worth, is read.
    fn paired(&mut self, cx: &mut Cx) {
        self.read_balances(cx);
        self.changed(cx);
        if self.question(cx.facts).is_some() {
            // No other keys are to be waited for.
            cx.stop(Timer::SwapQuote);
            self.ask_quote(cx);
        }
    }

    /// What a contract says itself goes before what an index once saw.
    fn read_balances(&mut self, cx: &mut Cx) {
        let (Some(chain), Some(account)) = (&self.chain, &cx.facts.account) else { return };
        let mut unpriced = Vec::new();
        for coin in self.from.iter().chain(&self.to) {
            if !self.prices.iter().any(|(address, _)| *address == coin.address) {
                unpriced.push(Value::Text(coin.id(chain)));
            }
            if coin.is_native() {
                continue;
            }
            let address = || coin.address.clone();
            let balance = erc20::params(&coin.address, erc20::balance_of(&account.address));
            cx.call(chain, "eth_call", balance, Asked::Balance(self.form, address()));
            self.ask_decimals(coin, chain, cx);
        }
        let Some(project) = cx.facts.options.project_id.clone().filter(|_| !unpriced.is_empty()) else { return };
        let body = Value::Object(vec![
            ("projectId".into(), Value::Text(project)),
            ("currency".into(), "usd".into()),
            ("addresses".into(), Value::List(unpriced)),
        ]);
        let request = Request::new(HttpMethod::Post, "/v1/fungible/price").body(portico_json::to_text(&body));
        cx.http(request, Asked::Prices(self.form));
    }

    fn ask_decimals(&self, coin: &Coin, chain: &ChainId, cx: &mut Cx) {
        let decimals = erc20::params(&coin.address, erc20::decimals());
        cx.call(chain, "eth_call", decimals, Asked::Decimals(self.form, coin.address.clone()));
    }

    /// What the contract of a token said of its decimals, if anything.
    fn told_of(&self, coin: &Coin) -> Option<&Option<u8>> {
        self.decimals.iter().find(|(address, _)| coin.is(address)).map(|(_, told)| told)
    }

    /// Whether a contract contradicts the list.
    fn is_liar(&self, coin: &Coin) -> bool {
        !coin.is_native() && self.told_of(coin).is_some_and(|told| *told != Some(coin.decimals))
    }

    /// Whether its decimals are known from the chain itself.
    fn is_sure(&self, coin: &Coin) -> bool {
        coin.is_native() || self.told_of(coin) == Some(&Some(coin.decimals))
    }

    /// A fresh quote, and what the chain did not answer before.
    fn refresh(&mut self, cx: &mut Cx) {
        if self.fee.price.is_none() {
            self.ask_gas_price(cx);
        }
        if let Some(chain) = &self.chain {
            let unknown = |coin: &&Coin| !coin.is_native() && self.told_of(coin).is_none();
            self.from.iter().chain(&self.to).filter(unknown).for_each(|coin| self.ask_decimals(coin, chain, cx));
        }
        self.ask_quote(cx);
    }

    /// Something of the pair or the amount is another: a quote that is still under way is of what was there before.
    fn changed(&mut self, cx: &mut Cx) {
        self.round += 1;
        (self.quote, self.quote_fault, self.promised) = (None, None, None);
        (self.phase, self.fault, self.error) = (Phase::Editing, None, None);
        (self.rests, self.allowed, self.all) = (false, None, None);
        self.quoting = self.question(cx.facts).is_some();
        if self.quoting {
            cx.start(Timer::SwapQuote, DEBOUNCE);
        } else {
            cx.stop(Timer::SwapQuote);
        }
    }

    fn flip(&mut self, cx: &mut Cx) {
        if let (Some(quote), Some(to)) = (&self.quote, &self.to) {
            self.amount = quote.to_amount.to_units(to.decimals);
        }
        std::mem::swap(&mut self.from, &mut self.to);
        self.paired(cx);
    }

    fn choose(&mut self, address: &str, purse: &Purse, cx: &mut Cx) {
        let listed = self.coins().iter().find(|coin| coin.is(address)).cloned();
        let payable = || strange(address, purse).filter(|_| self.target == Target::SourceToken);
        let Some(coin) = listed.or_else(payable) else { return };
        let (side, other) = match self.target {
            Target::SourceToken => (&mut self.from, &mut self.to),
            Target::ToToken => (&mut self.to, &mut self.from),
        };
        // Nobody swaps a token for itself: the two change their places.
        if other.as_ref().is_some_and(|other| other.is(&coin.address)) {
            std::mem::swap(side, other);
        }
        *side = Some(coin);
        self.revision += 1;
        cx.tell(Signal::SwapTokenChosen);
        self.paired(cx);
    }

    /// All of the token; of the chain's own coin what the fee leaves, once that is known.
    fn all(&mut self, purse: &Purse, cx: &mut Cx) {
        let Some(balance) = self.from.as_ref().and_then(|coin| self.available(coin, purse)) else { return };
        self.pay_all(balance, cx);
    }

    fn pay_all(&mut self, balance: Amount, cx: &mut Cx) {
        let Some(coin) = &self.from else { return };
        let kept = if coin.is_native() { self.fee_of(None) } else { Some(Amount::ZERO) };
        let Some(kept) = kept else {
            self.all = Some(balance);
            return self.ask_gas_price(cx);
        };
        self.amount = balance.minus(kept).unwrap_or(Amount::ZERO).to_units(coin.decimals);
        self.changed(cx);
        if self.quoting {
            self.ask_quote(cx);
        }
    }

    /// How much of a token there is.
    fn available(&self, coin: &Coin, purse: &Purse) -> Option<Amount> {
        let read = self.balances.iter().find(|(address, _)| coin.is(address)).map(|(_, amount)| *amount);
        read.or_else(|| coin.held(purse).0)
    }

    /// The most that the fee can be, an approval included where one is needed, and what may have to go before it.
    fn fee_of(&self, quote: Option<&Quote>) -> Option<Amount> {
        let gas = quote.and_then(|quote| quote.gas).unwrap_or(Amount::from(SWAP_GAS));
        // A swap goes through pools that others change meanwhile: what it takes has a margin as well.
        let gas = with_margin(gas)?;
        let approvals = match quote.filter(|quote| self.needs_approval(quote)) {
            None => 0,
            Some(quote) if self.permitted(quote).is_zero() => 1,
            Some(_) => 2,
        };
        self.fee.most_per_gas()?.by(gas.plus(Amount::from(approvals * APPROVAL_GAS))?)
    }

    /// How much may be taken of what is paid.
    fn permitted(&self, quote: &Quote) -> Amount {
        let own = |known: &&(String, Amount)| Some(&known.0) == quote.spender.as_ref();
        self.allowed.as_ref().filter(own).map_or(quote.allowance, |(_, amount)| *amount)
    }

    fn needs_approval(&self, quote: &Quote) -> bool {
        quote.spender.is_some() && self.permitted(quote) < quote.amount
    }

    /// What is to be quoted, where the form says it all.
    fn question(&self, facts: &Facts) -> Option<Question> {
        let (chain, from, to) = (self.chain.clone()?, self.from.clone()?, self.to.clone()?);
        let account = facts.account.as_ref().filter(|account| account.namespace == Namespace::Eip155)?;
        let amount = amount_of(&self.amount, from.decimals).ok()?;
        Some(Question { chain, address: account.address.clone(), from, to, amount })
    }

    /// One request, whatever it is for (a refresh makes no other).
    fn ask_quote(&mut self, cx: &mut Cx) {
        let Some(question) = self.question(cx.facts) else { return };
        self.round += 1;
        self.rests = false;
        cx.stop(Timer::SwapQuote);
        let chain = question.chain.to_string();
        let request = Request::get("/v1/convert/quotes")
            .with("amount", &question.amount.to_string())
            .with("userAddress", &[&chain, ":", &question.address].concat())
            .with("from", &question.from.id(&question.chain))
            .with("to", &question.to.id(&question.chain));
        self.quoting = cx.http(request, Asked::Quote(self.round));
    }

    fn quoted(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.quoting = false;
        let Some(question) = self.question(cx.facts) else { return };
        let found = match &answer {
            Ok(answer) => quote::best(answer, &question, cx.now).ok_or(QuoteFault::Unavailable),
            Err(error) if matches!(error.code, 400 | 404 | 422) => Err(QuoteFault::NoRoute),
            Err(_) => Err(QuoteFault::Unavailable),
        };
        cx.start(Timer::SwapQuote, found.as_ref().map_or(REFRESH, |quote| quote.rest(cx.now)));
        match found {
            Ok(quote) => {
                let worse = self.promised.is_some_and(|promised| quote.to_amount < promised);
                (self.quote, self.quote_fault) = (Some(quote), None);
                if worse {
                    (self.phase, self.fault, self.error) = (Phase::Outdated, None, None);
                } else if self.phase == Phase::Building {
                    self.go_on(cx);
                }
            }
            Err(fault) => {
                self.quote_fault = Some(fault);
                // What was quoted before stands until it is over.
                self.quote = self.quote.take().filter(|quote| !quote.is_over(cx.now));
                if self.phase == Phase::Building {
                    self.fail(Fault::NotBuilt, cx);
                }
            }
        }
    }

    fn review(&mut self, purse: &Purse, cx: &mut Cx) {
        self.pressed = true;
        // The form may have been open for long: the fee that is agreed to is that of now.
        self.ask_gas_price(cx);
        if self.view(purse, cx.facts).ready {
            if let Some(question) = self.question(cx.facts) {
                self.amount = question.amount.to_units(question.from.decimals);
            }
            self.promised = self.quote.as_ref().map(|quote| quote.minimum);
            cx.tell(Signal::SwapReviewed);
        }
    }

    /// One answer.
    #[inline(never)]
    pub fn answered(&mut self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let current = |chain: &ChainId| self.chain.as_ref() == Some(chain);
        match asked {
            Asked::Tokens(chain) => self.tokens_told(chain, answer, cx),
            Asked::Quote(round) if round == self.round => self.quoted(answer, cx),
            Asked::GasPrice(chain) if current(&chain) => self.gas_priced(quantity(answer), cx),
            Asked::GasPriority(chain) if current(&chain) => self.fee.priority = quantity(answer),
            Asked::Balance(form, address) if form == self.form => {
                if let Some(amount) = erc20::number(&answer) {
                    self.balances.retain(|(known, _)| *known != address);
                    self.balances.push((address, amount));
                }
            }
            // A node that does not answer has said nothing; a contract that reverts has.
            Asked::Decimals(form, address) if form == self.form && answer.as_ref().map_or_else(is_revert, |_| true) => {
                self.decimals.retain(|(known, _)| *known != address);
                self.decimals.push((address, erc20::decimals_of(&answer)));
            }
            Asked::Prices(form) if form == self.form => self.priced(&answer.unwrap_or_default()),
            Asked::Tried(attempt) if attempt == self.attempt && self.phase == Phase::Building => {
                self.tried(&answer, cx)
            }
            Asked::Allowance(attempt, kind) if attempt == self.attempt && self.phase == Phase::ApprovalPending => {
                self.allowance(kind, answer, cx);
            }
            Asked::Built(attempt) if attempt == self.attempt && self.phase == Phase::Building => self.built(answer, cx),
            Asked::Signed(attempt, kind) => self.signed(kind, attempt, answer, cx),
            Asked::Looked(hash, question) => self.looked(&hash, question, &answer, cx),
            _ => {}
        }
    }

    fn tokens_told(&mut self, chain: ChainId, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let current = self.chain.as_ref() == Some(&chain) && self.offer == Offer::Loading;
        let unsupported = answer.as_ref().err().is_some_and(|error| matches!(error.code, 400 | 404));
        let coins = answer.ok().and_then(|answer| tokens::read(&answer, &chain, cx.facts)).unwrap_or_default();
        if !coins.is_empty() {
            self.lists.retain(|list| list.chain != chain);
            self.joined = Joined::default();
            self.lists.push(List { chain, coins });
            if current {
                self.listed(cx);
            }
        } else if current {
            self.cannot(if unsupported { Offer::Unsupported } else { Offer::Unavailable }, cx);
        }
    }

    /// A price that cannot be had anew leaves the one before.
    fn gas_priced(&mut self, price: Option<Amount>, cx: &mut Cx) {
        self.fee.price = price.or(self.fee.price);
        if self.fee.price.is_some()
            && let Some(balance) = self.all.take()
        {
            self.pay_all(balance, cx);
        }
    }

    fn priced(&mut self, answer: &Value) {
        let Some(chain) = &self.chain else { return };
        for item in answer.get("fungibles").as_list().unwrap_or_default() {
            let address = item.get("address").as_str().and_then(|id| tokens::address_of(id, chain));
            let price = match item.get("price") {
                Value::Number(number) => Price::from_number(number),
                _ => None,
            };
            if let Some((address, price)) = address.zip(price) {
                self.prices.retain(|(known, _)| !known.eq_ignore_ascii_case(address));
                self.prices.push((address.to_ascii_lowercase(), price));
            }
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
            stored: std::mem::take(&mut self.stored),
            attempt: self.attempt + 1,
            form: self.form + 1,
            round: self.round + 1,
            revision: self.revision + 1,
            told: PAGE,
            ..Swap::default()
        };
    }

    /// Another number whenever the list to choose from may be another.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// What the list to choose from is made of is put together, where it is another.
    pub fn join(&mut self, purse: &Purse) {
        if !self.joined.is_of(self.coins(), purse) {
            self.joined = Joined::new(self.coins(), purse);
        }
    }

    /// What views read of the list to choose from; `None` where there is none.
    pub fn tokens_view(&self, purse: &Purse) -> Option<TokensView> {
        if self.offer != Offer::Ready {
            return None;
        }
        let fresh;
        let joined = if self.joined.is_of(self.coins(), purse) {
            &self.joined
        } else {
            fresh = Joined::new(self.coins(), purse);
            &fresh
        };
        let found = found(self.coins(), joined, self.target, &self.search, purse);
        let chosen = if self.target == Target::SourceToken { &self.from } else { &self.to };
        Some(TokensView {
            target: self.target,
            search: self.search.clone(),
            items: found.iter().take(self.told).map(|hit| tokens::item(hit, chosen.as_ref(), purse)).collect(),
            more: found.len() > self.told,
            count: found.len() as u32,
        })
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
