//! The on-ramp for views.

use super::quote::{Quote, QuoteState};
use super::{Currency, MONEY_DECIMALS, Onramp, Phase, Problem, PurchaseView, State, Token, who};
use crate::facts::Facts;
use portico_json::Json;
use portico_terms::ChainId;
use portico_terms::address::shorten;
use portico_terms::typed::{self, TypedError};

/// Error of an amount of money.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "BuyAmountFault")]
pub enum AmountFault {
    NotANumber,
    /// The number has a sign.
    Signed,
    /// The number has an exponent.
    Exponent,
    /// `1,000` is a thousand in some countries and one in others.
    Ambiguous,
    /// More decimals than money has.
    TooPrecise,
    /// The amount is zero.
    Zero,
    /// The amount is too large for any provider.
    TooLarge,
}

/// An on-ramp provider for views.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampProviderView")]
pub struct ProviderView {
    /// Id: "coinbase"
    pub name: String,
    /// Name to display: "Coinbase"
    pub label: String,
    /// Minimum of its usual fee, in percent (spec 9.8).
    pub fee_from: u32,
    /// Maximum of its usual fee, in percent; zero if unknown.
    pub fee_to: u32,
    /// Whether it sells to this account.
    pub available: bool,
    /// Name of the network on which the coins arrive, if it is not the active one (spec 9.9).
    pub elsewhere: Option<String>,
    /// Whether a quote is being requested.
    pub quoting: bool,
    /// Whether the quote request failed.
    pub unquoted: bool,
    /// Its current quote.
    pub quote: Option<Quote>,
}

/// The on-ramp form for views.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampView")]
pub struct View {
    /// Loading state of the providers.
    pub state: State,
    pub providers: Vec<ProviderView>,
    /// Loading state of coins and currencies.
    pub offers: State,
    /// Currencies to pay with.
    pub currencies: Vec<Currency>,
    /// Coins to buy.
    pub tokens: Vec<Token>,
    /// Amount of money as typed.
    pub amount: String,
    /// Error of the amount.
    pub amount_fault: Option<AmountFault>,
    /// ISO 4217 code of the selected currency.
    pub currency: Option<String>,
    /// Selected coin.
    pub token: Option<Token>,
    /// Selected provider.
    pub provider: Option<ProviderView>,
    pub phase: Phase,
    /// Kind of the server's failure, if the URL request failed.
    pub problem: Option<Problem>,
    /// URL of the provider's page, if the visitor has to open it.
    pub link: Option<String>,
    /// Status of the purchase whose page was opened.
    pub purchase: Option<PurchaseView>,
    /// Country of the visitor: ISO 3166-1.
    pub country: Option<String>,
    /// State of the visitor: ISO 3166-2 without the country.
    pub subdivision: Option<String>,
    /// Countries with on-ramp providers.
    pub countries: Vec<String>,
    /// Country whose state has to be chosen.
    pub state_of: Option<String>,
    /// States of that country.
    pub states: Vec<String>,
    /// Shortened address of the receiving account: 4 leading and 6 trailing characters.
    pub address_short: Option<String>,
    /// Name of the active network.
    pub network_name: Option<String>,
}

impl Onramp {
    pub fn view(&self, facts: &Facts) -> View {
        let providers: Vec<ProviderView> = (0..self.providers.len()).map(|place| self.provider(place, facts)).collect();
        let (country, subdivision) = self.whereabouts();
        View {
            state: self.list_state(),
            provider: self.chosen.and_then(|place| providers.get(place)).cloned(),
            providers,
            offers: self.offers,
            currencies: self.currencies.clone(),
            tokens: self.tokens.clone(),
            amount: self.amount.clone(),
            amount_fault: fault(&self.amount),
            currency: self.currency.clone(),
            token: self.tokens.iter().find(|token| Some(&token.id) == self.token.as_ref()).cloned(),
            phase: self.phase,
            problem: self.problem,
            link: self.link(),
            purchase: self.purchase_view(facts),
            country,
            subdivision,
            countries: self.kept.countries.iter().map(|country| country.id.clone()).collect(),
            state_of: self.asked_country().filter(|_| !self.states().is_empty()).map(String::from),
            states: self.states().to_vec(),
            address_short: who(facts).map(|(account, _)| shorten(&account.address)),
            network_name: facts.active_network.as_ref().map(|network| network.name.clone()),
        }
    }

    /// Loading state of the providers. It stays loading until the form above the list is complete: a row that moves down under a finger
    /// would open the page of another provider.
    fn list_state(&self) -> State {
        let settled = !self.countries_asked && self.offers != State::Loading;
        if self.state == State::Ready && !self.providers.is_empty() && !settled { State::Loading } else { self.state }
    }

    fn provider(&self, place: usize, facts: &Facts) -> ProviderView {
        let provider = &self.providers[place];
        let found = who(facts).and_then(|(account, chain)| Some((provider.network(&chain, account, facts)?, chain)));
        let quote = self.quotes.get(place);
        ProviderView {
            name: provider.name.clone(),
            label: provider.label.clone(),
            fee_from: provider.fee.0,
            fee_to: provider.fee.1,
            available: found.is_some(),
            elsewhere: found.filter(|(network, chain)| network != chain).map(|(network, _)| named(&network, facts)),
            quoting: quote == Some(&QuoteState::Loading),
            unquoted: quote == Some(&QuoteState::Unavailable),
            quote: match quote {
                Some(QuoteState::Ready(quote)) => Some(quote.clone()),
                _ => None,
            },
        }
    }
}

/// Name of a chain: the host's, or that of the one fallback chain of purchases (spec 9.9).
pub(super) fn named(chain: &ChainId, facts: &Facts) -> String {
    let text = chain.to_string();
    match facts.network(chain) {
        Some(network) => network.name.clone(),
        None if text == "eip155:1" => "Ethereum".into(),
        None => text,
    }
}

fn fault(text: &str) -> Option<AmountFault> {
    match typed::read(text, MONEY_DECIMALS) {
        Ok(amount) if amount.is_zero() => Some(AmountFault::Zero),
        Ok(_) | Err(TypedError::Missing) => None,
        Err(TypedError::Shape) => Some(AmountFault::NotANumber),
        Err(TypedError::Signed) => Some(AmountFault::Signed),
        Err(TypedError::Exponent) => Some(AmountFault::Exponent),
        Err(TypedError::Ambiguous) => Some(AmountFault::Ambiguous),
        Err(TypedError::Precision) => Some(AmountFault::TooPrecise),
        Err(TypedError::Overflow) => Some(AmountFault::TooLarge),
    }
}
