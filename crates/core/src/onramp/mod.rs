//! Buying coins with money (spec 1.4, 9.8, 9.9): who sells them, what of, for how much, and the page of theirs on which it is done.

pub(crate) mod door;
mod offer;
mod quote;
#[cfg(test)]
mod tests;
mod view;

pub use offer::{Currency, Token};
pub use quote::{Quote, QuoteState};
pub use view::{AmountFault, ProviderView, View};

use crate::analytics::{Name, Tracked};
use crate::config::supported_on;
use crate::cx::Cx;
use crate::effect::{HttpMethod, LinkTarget, Operation};
use crate::facts::{ActiveAccount, Facts};
use crate::http::Request;
use crate::signal::Signal;
use crate::timer::Timer;
use offer::Provider;
use portico_api::onramp::{DestinationWallet, OnrampQuestion, OnrampUrlQuestion};
use portico_json::{Json, Value, to_text};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, typed};

/// Typing rests so long before quotes are asked for (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// A page of a provider can be opened for five minutes; it is not opened in the last one.
const URL_LIFE: u64 = 240_000;

/// No amount of money needs more letters.
const LONGEST_TYPED: usize = 24;

/// Money has so many decimals here; no currency that is taken has more.
const MONEY_DECIMALS: u8 = 2;

/// What the visitor does.
#[derive(Clone, Debug, Json)]
#[json(name = "OnrampEvent")]
pub enum Event {
    /// An amount of money was typed.
    AmountTyped {
        /// As typed.
        text: String,
    },
    /// What is bought was chosen.
    TokenChosen {
        /// Its id.
        id: String,
    },
    /// What is paid with was chosen.
    CurrencyChosen {
        /// ISO 4217.
        id: String,
    },
    /// Who sells was chosen: their page is opened.
    ProviderChosen {
        /// Its name.
        name: String,
    },
    /// What could not be had is asked for again.
    RetryAsked,
    /// The page is opened, or opened once more.
    OpenAsked,
    /// The visitor is back from it.
    DoneAsked,
}

/// Why something was asked.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Who sells.
    Providers(u32),
    /// What of, and for what money.
    Options(u32),
    /// What it costs with the provider of this place, as of this attempt.
    Quote(u32, usize),
    /// Where it is bought, as of this attempt.
    Url(u32),
    /// An empty tab, for this attempt.
    Tab(u32),
    /// The tab was led to this page.
    Led(u32),
}

/// How a list stands.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "OnrampState")]
pub enum State {
    /// It is asked for.
    #[default]
    Loading,
    /// It is there.
    Ready,
    /// It could not be had.
    Unavailable,
}

/// How far a purchase is.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "BuyPhase")]
pub enum Phase {
    /// Nothing was chosen.
    #[default]
    Choosing,
    /// The provider's page is asked for.
    Preparing,
    /// It is there, and not opened yet: the browser wants the visitor to do it.
    Ready,
    /// It was opened.
    Opened,
    /// It could not be had.
    Failed,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Onramp {
    /// Whose offers these are: an account on a chain.
    of: Option<(ChainId, String)>,
    /// What is under way for another account or chain is not heard any more.
    round: u32,
    providers: Vec<Provider>,
    state: State,
    currencies: Vec<Currency>,
    tokens: Vec<Token>,
    offers: State,
    amount: String,
    currency: Option<String>,
    token: Option<String>,
    quotes: Vec<QuoteState>,
    /// Counts what is asked for, so that what was changed meanwhile is not answered.
    attempt: u32,
    chosen: Option<usize>,
    phase: Phase,
    problem: Option<String>,
    /// Where it is bought, and until when it can be opened.
    url: Option<(String, u64)>,
    /// Whether an empty tab waits for the address.
    tab: bool,
}

impl Onramp {
    /// Their list is shown. What is known of the account in use stays, but for what it costs.
    pub fn shown(&mut self, cx: &mut Cx) {
        let of = who(cx.facts).map(|(account, chain)| (chain, account.address.clone()));
        if of != self.of || self.state == State::Unavailable || self.offers == State::Unavailable {
            let amount = if of == self.of { std::mem::take(&mut self.amount) } else { String::new() };
            self.close_tab(cx);
            cx.stop(Timer::OnrampQuote);
            *self = Onramp { of, amount, round: self.round + 1, attempt: self.attempt + 1, ..Onramp::default() };
            return self.ask(cx);
        }
        if self.phase == Phase::Choosing {
            self.ask_quotes(cx);
        }
    }

    fn ask(&mut self, cx: &mut Cx) {
        let Some((chain, _)) = &self.of else {
            self.state = State::Ready;
            return;
        };
        let options = Request::get("/v1/onramp/options").with("chainId", &chain.to_string());
        // Without a server of the host nobody sells here.
        self.state = if cx.http(Request::get("/v1/onramp/providers"), Asked::Providers(self.round)) {
            cx.http(options, Asked::Options(self.round));
            State::Loading
        } else {
            State::Ready
        };
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::AmountTyped { text } => {
                self.amount = text.trim().chars().take(LONGEST_TYPED).collect();
                self.changed(cx);
            }
            Event::TokenChosen { id } => {
                if self.tokens.iter().any(|token| token.id == id) {
                    self.token = Some(id);
                }
                self.picked(cx);
            }
            Event::CurrencyChosen { id } => {
                if self.currencies.iter().any(|currency| currency.id == id) {
                    self.currency = Some(id);
                }
                self.picked(cx);
            }
            Event::ProviderChosen { name } => self.choose(&name, cx),
            Event::RetryAsked => match self.phase {
                Phase::Choosing => self.shown(cx),
                _ => self.open(cx),
            },
            Event::OpenAsked => self.open(cx),
            Event::DoneAsked => {
                self.leave(cx);
                cx.tell(Signal::Bought);
            }
        }
    }

    /// Quotes of what was there before are not shown.
    fn changed(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.quotes = vec![QuoteState::None; self.providers.len()];
        cx.start(Timer::OnrampQuote, DEBOUNCE);
    }

    fn picked(&mut self, cx: &mut Cx) {
        self.changed(cx);
        cx.tell(Signal::OnrampPicked);
        // No other choice is to be waited for.
        cx.stop(Timer::OnrampQuote);
        self.ask_quotes(cx);
    }

    /// Typing rests.
    pub fn alarm(&mut self, cx: &mut Cx) {
        self.ask_quotes(cx);
    }

    /// The amount of money, where one stands there.
    fn money(&self) -> Option<Amount> {
        typed::read(&self.amount, MONEY_DECIMALS).ok().filter(|amount| !amount.is_zero())
    }

    fn ask_quotes(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.quotes = vec![QuoteState::None; self.providers.len()];
        let (Some(money), Some(token), Some(currency)) = (self.money(), &self.token, &self.currency) else { return };
        let Some((account, chain)) = who(cx.facts) else { return };
        for place in 0..self.providers.len() {
            let provider = &self.providers[place];
            let Some(network) = provider.network(&chain, account, cx.facts).filter(|_| {
                let sells = self.tokens.iter().any(|one| one.id == *token && one.providers.contains(&provider.name));
                let takes = |one: &Currency| one.id == *currency && one.providers.contains(&provider.name);
                sells && self.currencies.iter().any(takes)
            }) else {
                continue;
            };
            let body = OnrampQuestion {
                purchase_currency: token.clone(),
                payment_currency: currency.clone(),
                amount: money.to_units(MONEY_DECIMALS),
                network: Some(network.to_string()),
                provider: Some(provider.name.clone()),
                ..OnrampQuestion::default()
            };
            let request = Request::new(HttpMethod::Post, "/v1/onramp/quote").body(to_text(&body));
            if cx.http(request, Asked::Quote(self.attempt, place)) {
                self.quotes[place] = QuoteState::Loading;
            }
        }
    }

    fn choose(&mut self, name: &str, cx: &mut Cx) {
        let Some(place) = self.providers.iter().position(|provider| provider.name == name) else { return };
        let reaches = who(cx.facts)
            .is_some_and(|(account, chain)| self.providers[place].network(&chain, account, cx.facts).is_some());
        if !reaches {
            return;
        }
        cx.tell(Signal::Track(
            Tracked::new(Name::SelectBuyProvider).with("provider", name).flag("isSmartAccount", cx.facts.smart_account),
        ));
        self.close_tab(cx);
        self.url = None;
        self.chosen = Some(place);
        cx.tell(Signal::OnrampChosen);
        self.open(cx);
    }

    /// Opens the page that is there, or asks for one. Browsers only let a tab be opened while the visitor does something: so it is opened
    /// at once and led to the address when that comes. On a phone a page behind another may not go on, so there the visitor opens it.
    fn open(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Preparing {
            return;
        }
        if let Some((url, _)) = self.url.take().filter(|(_, end)| cx.now < *end) {
            cx.order(Operation::OpenLink { href: url, target: LinkTarget::Apart });
            self.phase = Phase::Opened;
            return;
        }
        let Some((account, chain)) = who(cx.facts) else { return };
        let Some(provider) = self.chosen.and_then(|place| self.providers.get(place)) else { return };
        let Some(network) = provider.network(&chain, account, cx.facts) else { return };
        self.attempt += 1;
        self.problem = None;
        self.phase = Phase::Preparing;
        if !cx.facts.mobile {
            cx.ask(Operation::OpenTab, Asked::Tab(self.attempt));
        }
        let sold =
            |id: &&String| self.tokens.iter().any(|token| token.id == **id && token.providers.contains(&provider.name));
        let token = self.token.as_ref().filter(sold).cloned();
        let body = OnrampUrlQuestion {
            destination_wallets: vec![DestinationWallet {
                address: account.address.clone(),
                blockchains: Some(vec![network.to_string()]),
                assets: None,
            }],
            provider: Some(provider.name.clone()),
            default_network: Some(network.to_string()),
            purchase_currency: token,
            payment_currency: self.currency.clone(),
            preset_fiat_amount: self.money().map(|money| money.to_units(MONEY_DECIMALS)),
            default_experience: Some("buy".into()),
            ..OnrampUrlQuestion::default()
        };
        let request = Request::new(HttpMethod::Post, "/v1/generators/onrampurl").body(to_text(&body));
        if !cx.http(request, Asked::Url(self.attempt)) {
            self.failed(None, cx);
        }
    }

    /// One answer.
    #[inline(never)]
    pub fn answered(&mut self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Asked::Providers(round) if round == self.round => {
                (self.providers, self.state) = match answer.as_ref().map(offer::providers) {
                    Ok(Some(providers)) => (providers, State::Ready),
                    _ => (Vec::new(), State::Unavailable),
                };
                self.quotes = vec![QuoteState::None; self.providers.len()];
                self.ask_quotes(cx);
            }
            Asked::Options(round) if round == self.round => {
                self.offers = match answer.as_ref().map(|answer| offer::options(answer, cx.facts)) {
                    Ok(Some((currencies, tokens))) => {
                        self.take(currencies, tokens, cx);
                        State::Ready
                    }
                    _ => State::Unavailable,
                };
                self.ask_quotes(cx);
            }
            Asked::Quote(attempt, place) if attempt == self.attempt => {
                let read = |answer| quote::read(&answer, self.token.as_deref()?, self.currency.as_deref()?);
                let state = match answer.map(read) {
                    Ok(Some(quote)) => QuoteState::Ready(quote),
                    _ => QuoteState::Unavailable,
                };
                if let Some(quote) = self.quotes.get_mut(place) {
                    *quote = state;
                }
            }
            Asked::Tab(attempt) => {
                let waits = attempt == self.attempt && self.phase == Phase::Preparing && answer.is_ok();
                self.tab = waits;
                if !waits && answer.is_ok() {
                    cx.order(Operation::LeadTab { href: None });
                }
            }
            Asked::Url(attempt) if attempt == self.attempt => self.url_told(answer, cx),
            // A tab that was closed meanwhile: the address is still good.
            Asked::Led(attempt) if attempt == self.attempt => {
                self.phase = if answer.is_ok() { Phase::Opened } else { Phase::Ready };
                if answer.is_ok() {
                    self.url = None;
                }
            }
            _ => {}
        }
    }

    fn take(&mut self, currencies: Vec<Currency>, tokens: Vec<Token>, cx: &Cx) {
        let coin = cx.facts.active_network.as_ref().map(|network| network.native_currency.symbol.as_str());
        let own = tokens.iter().find(|token| Some(token.symbol.as_str()) == coin).or(tokens.first());
        self.token = own.map(|token| token.id.clone());
        self.currency = currencies.first().map(|currency| currency.id.clone());
        (self.currencies, self.tokens) = (currencies, tokens);
    }

    fn url_told(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let url = match answer {
            Ok(answer) => answer.get("url").as_str().filter(|url| is_page(url)).map(String::from),
            Err(error) => return self.failed(Some(error.message), cx),
        };
        let Some(url) = url else { return self.failed(None, cx) };
        self.url = Some((url.clone(), cx.now + URL_LIFE));
        self.phase = Phase::Ready;
        if std::mem::take(&mut self.tab) {
            cx.ask(Operation::LeadTab { href: Some(url) }, Asked::Led(self.attempt));
        }
    }

    fn failed(&mut self, problem: Option<String>, cx: &mut Cx) {
        self.phase = Phase::Failed;
        self.problem = problem.map(|problem| offer::reason(&problem));
        self.close_tab(cx);
    }

    fn close_tab(&mut self, cx: &mut Cx) {
        if std::mem::take(&mut self.tab) {
            cx.order(Operation::LeadTab { href: None });
        }
    }

    /// The visitor left the purchase, or closed the modal.
    pub fn leave(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.close_tab(cx);
        self.chosen = None;
        self.url = None;
        self.problem = None;
        self.phase = Phase::Choosing;
    }

    /// The visitor went back from the purchase to the list: what it costs is asked for anew.
    pub fn left(&mut self, cx: &mut Cx) {
        self.leave(cx);
        self.ask_quotes(cx);
    }

    /// What was filled in is not for another account, or another network.
    pub fn reset(&mut self, cx: &mut Cx) {
        self.leave(cx);
        cx.stop(Timer::OnrampQuote);
        *self = Onramp { round: self.round + 1, attempt: self.attempt, ..Onramp::default() };
    }
}

/// The account in use and the chain it is on, where coins can be bought for it (spec 6.9).
fn who(facts: &Facts) -> Option<(&ActiveAccount, ChainId)> {
    let account = facts.account.as_deref()?;
    let chain = facts.active_network.as_ref()?.caip_network_id.clone();
    let there = facts.options.features.onramp
        && chain.namespace() == account.namespace
        && supported_on(crate::config::Feature::Onramp, account.namespace);
    there.then_some((account, chain))
}

/// Whether an address is a page that may be opened: https, and nothing that hides whose it is.
fn is_page(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let named = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(&byte));
    named && !host.is_empty() && url.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}
