//! Buying coins with money (spec 1.4, 9.8, 9.9): who sells them, what of, for how much, and the page of theirs on which it is done.

pub(crate) mod door;
mod offer;
mod page;
mod place;
mod price;
mod quote;
#[cfg(test)]
mod tests;
mod view;
mod watch;

pub use offer::{Currency, Token};
pub use price::DEBOUNCE;
pub use quote::{Quote, QuoteState};
pub use view::{AmountFault, ProviderView, View};
pub use watch::{LIFE, Progress, PurchaseView};

use crate::config::supported_on;
use crate::cx::Cx;
use crate::facts::{ActiveAccount, Facts};
use crate::http::Request;
use crate::signal::Signal;
use crate::storage::Stored;
use crate::timer::Timer;
use offer::Provider;
use place::{Country, Region};
use portico_json::{Json, Value};
use portico_terms::ChainId;
use portico_terms::rpc::RpcError;
use price::{LONGEST_TYPED, MONEY_DECIMALS};
use watch::Watch;

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
    /// Where the visitor is was chosen.
    CountryChosen {
        /// ISO 3166-1.
        id: String,
    },
    /// In which state of it.
    StateChosen {
        /// ISO 3166-2 without the country.
        id: String,
    },
    /// Who sells was chosen: their page is opened.
    ProviderChosen {
        /// Its name.
        name: String,
    },
    /// What could not be had is asked for again.
    RetryAsked,
    /// The page is opened once more.
    OpenAsked,
    /// The visitor followed the link to the page, for the browser opened none by itself.
    LinkFollowed,
    /// Look now what became of the purchase.
    CheckAsked,
    /// Who sells led the visitor back to this page.
    Returned,
    /// The visitor is back from it.
    DoneAsked,
}

/// Why something was asked.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Who sells.
    Providers(u32),
    /// What of, and for what money.
    Options(u32),
    /// Where.
    Countries(u32),
    /// What it costs with the provider of this place, as of this attempt.
    Quote(u32, usize),
    /// Where it is bought, as of this attempt.
    Url(u32),
    /// An empty tab, for this attempt.
    Tab(u32),
    /// The tab was led to this page.
    Led(u32),
    /// What became of the purchase of this reference.
    Purchase(String),
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
    /// The same of another place.
    listed: u32,
    providers: Vec<Provider>,
    state: State,
    currencies: Vec<Currency>,
    tokens: Vec<Token>,
    offers: State,
    /// Whether the countries are asked for.
    countries_asked: bool,
    amount: String,
    currency: Option<String>,
    token: Option<String>,
    quotes: Vec<QuoteState>,
    /// Counts what is asked for, so that what was changed meanwhile is not answered.
    attempt: u32,
    chosen: Option<usize>,
    phase: Phase,
    problem: Option<String>,
    /// Where it is bought, and by what the purchase is known.
    url: Option<(String, Option<String>)>,
    /// Whether an empty tab waits for the address.
    tab: bool,
    /// What outlives another account or chain.
    kept: Kept,
}

/// What is not of one account on one chain.
#[derive(Debug, Default)]
struct Kept {
    /// As stored, until it is read.
    stored: Option<String>,
    /// A purchase that another page began, as stored.
    begun: Value,
    /// Where the visitor is.
    place: Option<Region>,
    /// A country of which the state is yet to be chosen.
    choosing: Option<String>,
    countries: Vec<Country>,
    /// The purchase that is looked at.
    watch: Option<Watch>,
}

impl Onramp {
    /// Before anybody buys, with what was stored.
    pub fn new(stored: &Stored) -> Onramp {
        let kept = Kept { stored: stored.place.clone(), begun: stored.purchase.clone(), ..Kept::default() };
        Onramp { kept, ..Onramp::default() }
    }

    /// Their list is shown. What is known of the account in use stays, but for what it costs.
    pub fn shown(&mut self, cx: &mut Cx) {
        let of = who(cx.facts).map(|(account, chain)| (chain, account.address.clone()));
        if of != self.of || self.state == State::Unavailable || self.offers == State::Unavailable {
            let amount = if of == self.of { std::mem::take(&mut self.amount) } else { String::new() };
            self.close_tab(cx);
            cx.stop(Timer::OnrampQuote);
            self.renew();
            (self.of, self.amount) = (of, amount);
            return self.ask(cx);
        }
        if self.phase == Phase::Choosing {
            self.ask_quotes(cx);
        }
    }

    /// Forgets what is of one account on one chain.
    fn renew(&mut self) {
        let (round, listed, attempt) = (self.round + 1, self.listed + 1, self.attempt + 1);
        let kept = std::mem::take(&mut self.kept);
        *self = Onramp { round, listed, attempt, kept, ..Onramp::default() };
    }

    fn ask(&mut self, cx: &mut Cx) {
        if self.of.is_none() {
            self.state = State::Ready;
            return;
        }
        self.recall();
        // Without a server of the host nobody sells here.
        self.state = if cx.http(Request::get("/v1/onramp/providers"), Reason::Providers(self.round)) {
            if self.kept.countries.is_empty() {
                self.countries_asked = cx.http(Request::get("/v1/onramp/countries"), Reason::Countries(self.round));
            }
            self.ask_options(cx);
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
            Event::CountryChosen { id } => self.choose_country(id, cx),
            Event::StateChosen { id } => self.choose_state(id, cx),
            Event::ProviderChosen { name } => self.choose(&name, cx),
            Event::RetryAsked => match self.phase {
                Phase::Choosing => self.shown(cx),
                _ => self.open(cx),
            },
            Event::OpenAsked => self.open(cx),
            Event::LinkFollowed => self.link_followed(cx),
            Event::CheckAsked => self.look(cx),
            Event::Returned => self.returned(cx),
            Event::DoneAsked => {
                self.leave(cx);
                cx.tell(Signal::Bought);
            }
        }
    }

    /// Typing rests, the page of a purchase is over, or it is time to look what became of one.
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::OnrampLook => self.look_again(cx),
            Timer::OnrampPage => self.page_over(cx),
            _ => self.ask_quotes(cx),
        }
    }

    /// One answer.
    #[inline(never)]
    pub fn answered(&mut self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Reason::Providers(round) if round == self.round => {
                (self.providers, self.state) = match answer.as_ref().map(offer::providers) {
                    Ok(Some(providers)) => (providers, State::Ready),
                    _ => (Vec::new(), State::Unavailable),
                };
                self.quotes = vec![QuoteState::None; self.providers.len()];
                self.ask_quotes(cx);
            }
            Reason::Options(listed) if listed == self.listed => {
                self.offers = match answer.as_ref().map(|answer| offer::options(answer, cx.facts)) {
                    Ok(Some((currencies, tokens))) => {
                        self.take(currencies, tokens, cx);
                        State::Ready
                    }
                    _ => State::Unavailable,
                };
                self.placed(answer.as_ref().ok());
                self.ask_quotes(cx);
            }
            Reason::Countries(round) if round == self.round => {
                self.countries_asked = false;
                self.kept.countries = answer.as_ref().map(place::countries).unwrap_or_default();
            }
            Reason::Quote(attempt, place) if attempt == self.attempt => self.quoted(place, answer),
            Reason::Tab(attempt) => self.tab_opened(attempt, answer.is_ok(), cx),
            Reason::Url(attempt) if attempt == self.attempt => self.url_told(answer, cx),
            Reason::Led(attempt) if attempt == self.attempt => self.led(answer.is_ok(), cx),
            Reason::Purchase(reference) => self.seen(&reference, answer, cx),
            _ => {}
        }
    }

    /// The visitor left the purchase, or closed the modal. What was begun is looked at all the same.
    pub fn leave(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.close_tab(cx);
        cx.stop(Timer::OnrampPage);
        self.chosen = None;
        self.url = None;
        self.problem = None;
        self.phase = Phase::Choosing;
        self.kept.choosing = None;
        self.kept.watch = self.kept.watch.take().filter(Watch::is_open);
    }

    /// The visitor went back from the purchase to the list: what it costs is asked for anew.
    pub fn left(&mut self, cx: &mut Cx) {
        self.leave(cx);
        self.ask_quotes(cx);
    }

    /// The visitor went back from the states of a country.
    pub fn state_left(&mut self) {
        self.kept.choosing = None;
    }

    /// What was filled in is not for another account, or another network.
    pub fn reset(&mut self, cx: &mut Cx) {
        self.leave(cx);
        cx.stop(Timer::OnrampQuote);
        self.renew();
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
