//! On-ramp: buying coins with money (spec 1.4, 9.8, 9.9). Providers, coins, currencies and quotes, and the provider's page for the
//! purchase.

mod feature;
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
use offer::Provider;
use place::{Country, Region};
use portico_api::onramp::OnrampOptions;
use portico_json::{Json, Value};
use portico_terms::ChainId;
use portico_terms::rpc::RpcError;
use price::{LONGEST_TYPED, MONEY_DECIMALS};
use watch::Watch;

/// On-ramp: events of the visitor.
#[derive(Clone, Debug, Json)]
#[json(name = "OnrampEvent")]
pub enum Event {
    /// The visitor typed the amount of money.
    AmountTyped { text: String },
    /// The visitor chose the coin to buy.
    TokenChosen {
        /// Id of the coin.
        id: String,
    },
    /// The visitor chose the currency to pay with.
    CurrencyChosen {
        /// ISO 4217.
        id: String,
    },
    /// The visitor chose their country.
    CountryChosen {
        /// ISO 3166-1.
        id: String,
    },
    /// The visitor chose their state.
    StateChosen {
        /// ISO 3166-2 without the country.
        id: String,
    },
    /// The visitor chose an on-ramp provider: its page is opened.
    ProviderChosen {
        /// Name of the provider.
        name: String,
    },
    /// The visitor retries what failed.
    RetryAsked,
    /// The visitor opens the page again.
    OpenAsked,
    /// The visitor followed the link to the page, as the browser did not open it by itself.
    LinkFollowed,
    /// The visitor checks the status of the purchase.
    CheckAsked,
    /// The provider sent the visitor back to this page.
    Returned,
    /// The visitor has finished on the provider's page.
    DoneAsked,
}

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The amount has rested: quotes are requested.
    Quote,
    /// The provider page expires.
    Page,
    /// Next poll for the status of a purchase.
    Look,
}

/// Reasons of the feature's requests.
#[derive(Clone, Debug)]
pub enum Reason {
    /// List of on-ramp providers, by round.
    Providers(u32),
    /// Coins and currencies, by listing number.
    Options(u32),
    /// Countries, by round.
    Countries(u32),
    /// Quote, by attempt number and index of the provider.
    Quote(u32, usize),
    /// URL of the provider's page, by attempt number.
    Url(u32),
    /// Opening of an empty tab, by attempt number.
    Tab(u32),
    /// Navigation of the tab to the provider's page, by attempt number.
    Led(u32),
    /// Status of the purchase with this reference.
    Purchase(String),
}

/// Loading state of a list.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "OnrampState")]
pub enum State {
    #[default]
    Loading,
    Ready,
    /// The request failed.
    Unavailable,
}

/// Progress of a purchase.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "BuyPhase")]
pub enum Phase {
    /// The visitor fills in the form.
    #[default]
    Choosing,
    /// The URL of the provider's page is being requested.
    Preparing,
    /// The URL is ready; the visitor has to open it, as the browser did not.
    Ready,
    /// The page was opened.
    Opened,
    /// The URL could not be loaded.
    Failed,
}

/// Kind of a failure of the server, when it was asked for the provider's page.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "BuyProblem")]
pub enum Problem {
    /// The provider does not sell this coin for this amount and currency, in this country.
    Refused,
    /// The provider or the server was asked too often.
    Busy,
    /// The provider or the server does not respond.
    Unanswered,
}

impl Problem {
    /// Kind of an error of the server, by the status of HTTP; an error without one is one of the connection.
    fn of(error: &RpcError) -> Option<Problem> {
        match error.code {
            404 | 422 => Some(Problem::Refused),
            429 | 503 => Some(Problem::Busy),
            400..500 => None,
            _ => Some(Problem::Unanswered),
        }
    }
}

/// State of the on-ramp feature.
#[derive(Debug, Default)]
pub struct Onramp {
    /// Account and chain that the lists are for.
    of: Option<(ChainId, String)>,
    /// Number of the account or chain change; responses to an older one are ignored.
    round: u32,
    /// Number of the coin and currency request; responses to an older one are ignored.
    listed: u32,
    providers: Vec<Provider>,
    state: State,
    currencies: Vec<Currency>,
    tokens: Vec<Token>,
    offers: State,
    /// The countries are being requested.
    countries_asked: bool,
    amount: String,
    currency: Option<String>,
    token: Option<String>,
    quotes: Vec<QuoteState>,
    /// Number of the last request or form change; responses to an older one are ignored.
    attempt: u32,
    chosen: Option<usize>,
    phase: Phase,
    problem: Option<Problem>,
    /// URL of the provider's page, and the reference of the purchase.
    url: Option<(String, Option<String>)>,
    /// An empty tab waits for the URL.
    tab: bool,
    /// State that survives a change of account or chain.
    kept: Kept,
}

/// State that does not depend on account and chain.
#[derive(Debug, Default)]
struct Kept {
    /// Stored country and state, until parsed.
    stored: Option<String>,
    /// Stored purchase of another page, until parsed.
    begun: Value,
    /// Country and state of the visitor.
    place: Option<Region>,
    /// Country whose state the visitor has yet to choose.
    choosing: Option<String>,
    countries: Vec<Country>,
    /// The purchase whose status is polled.
    watch: Option<Watch>,
}

impl Onramp {
    /// Initial state from storage.
    pub fn new(stored: &Stored) -> Onramp {
        let kept = Kept { stored: stored.place.clone(), begun: stored.purchase.clone(), ..Kept::default() };
        Onramp { kept, ..Onramp::default() }
    }

    /// The list of providers is shown. Lists of the same account and chain stay, but quotes are requested again.
    pub fn shown(&mut self, cx: &mut Cx) {
        let of = who(cx.facts).map(|(account, chain)| (chain, account.address.clone()));
        if of != self.of || self.state == State::Unavailable || self.offers == State::Unavailable {
            let amount = if of == self.of { std::mem::take(&mut self.amount) } else { String::new() };
            self.close_tab(cx);
            cx.stop(Alarm::Quote);
            self.renew();
            (self.of, self.amount) = (of, amount);
            return self.ask(cx);
        }
        if self.phase == Phase::Choosing {
            self.ask_quotes(cx);
        }
    }

    /// Resets all state of the account and chain.
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
        // Without a server of the host there are no providers.
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

    /// Dispatches one event.
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
                cx.signal(Signal::Bought);
            }
        }
    }

    /// Dispatches one alarm.
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Look => self.look_again(cx),
            Alarm::Page => self.page_over(cx),
            Alarm::Quote => self.ask_quotes(cx),
        }
    }

    /// Dispatches one response.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::Providers(round) if round == self.round => {
                let providers = answer.ok().and_then(|answer| cx.read(&answer)).map(offer::providers);
                self.state = if providers.is_some() { State::Ready } else { State::Unavailable };
                self.providers = providers.unwrap_or_default();
                self.quotes = vec![QuoteState::None; self.providers.len()];
                self.ask_quotes(cx);
            }
            Reason::Options(listed) if listed == self.listed => {
                let options: Option<OnrampOptions> = answer.ok().and_then(|answer| cx.read(&answer));
                self.placed(options.as_ref().and_then(|options| options.country.as_deref()));
                self.offers = if options.is_some() { State::Ready } else { State::Unavailable };
                if let Some(options) = options {
                    let (currencies, tokens) = offer::options(options, cx.facts);
                    self.take(currencies, tokens, cx);
                }
                self.ask_quotes(cx);
            }
            Reason::Countries(round) if round == self.round => {
                self.countries_asked = false;
                let countries = answer.ok().and_then(|answer| cx.read(&answer));
                self.kept.countries = countries.map(place::countries).unwrap_or_default();
            }
            Reason::Quote(attempt, place) if attempt == self.attempt => self.quoted(place, answer, cx),
            Reason::Tab(attempt) => self.tab_opened(attempt, answer.is_ok(), cx),
            Reason::Url(attempt) if attempt == self.attempt => self.on_url(answer, cx),
            Reason::Led(attempt) if attempt == self.attempt => self.led(answer.is_ok(), cx),
            Reason::Purchase(reference) => self.seen(&reference, answer, cx),
            _ => {}
        }
    }

    /// The visitor left the purchase or closed the modal. An opened purchase is still polled.
    pub fn leave(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.close_tab(cx);
        cx.stop(Alarm::Page);
        self.chosen = None;
        self.url = None;
        self.problem = None;
        self.phase = Phase::Choosing;
        self.kept.choosing = None;
        self.kept.watch = self.kept.watch.take().filter(Watch::is_open);
    }

    /// The visitor went back from the purchase to the list: quotes are requested again.
    pub fn left(&mut self, cx: &mut Cx) {
        self.leave(cx);
        self.ask_quotes(cx);
    }

    /// The visitor went back from the list of states.
    pub fn state_left(&mut self) {
        self.kept.choosing = None;
    }

    /// Clears the form after a change of account or network.
    pub fn reset(&mut self, cx: &mut Cx) {
        self.leave(cx);
        cx.stop(Alarm::Quote);
        self.renew();
    }
}

/// Active account and chain, if the on-ramp supports them (spec 6.9).
fn who(facts: &Facts) -> Option<(&ActiveAccount, ChainId)> {
    let account = facts.account.as_deref()?;
    let chain = facts.active_network.as_ref()?.caip_network_id.clone();
    let there = facts.options.features.onramp
        && chain.namespace() == account.namespace
        && supported_on(crate::config::Feature::Onramp, account.namespace);
    there.then_some((account, chain))
}
