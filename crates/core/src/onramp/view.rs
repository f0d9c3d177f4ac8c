//! What views read of a purchase.

use super::quote::{Quote, QuoteState};
use super::{Currency, MONEY_DECIMALS, Onramp, Phase, PurchaseView, State, Token, who};
use crate::facts::Facts;
use portico_json::Json;
use portico_terms::ChainId;
use portico_terms::address::shorten;
use portico_terms::typed::{self, TypedError};

/// What is wrong with an amount of money.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "BuyAmountFault")]
pub enum AmountFault {
    /// Not a number.
    NotANumber,
    /// It has a sign.
    Signed,
    /// It has an exponent.
    Exponent,
    /// `1,000`: a thousand to some, and one to others.
    Ambiguous,
    /// More decimals than money has.
    TooPrecise,
    /// Nothing is bought for nothing.
    Zero,
    /// More than anybody takes.
    TooLarge,
}

/// One who sells, as it is drawn.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampProviderView")]
pub struct ProviderView {
    /// "coinbase"
    pub name: String,
    /// "Coinbase"
    pub label: String,
    /// The least that it usually takes of a purchase, in per cent (spec 9.8).
    pub fee_from: u32,
    /// The most that it usually takes; zero where that is not known.
    pub fee_to: u32,
    /// Whether it sells for this account.
    pub available: bool,
    /// The name of the network on which coins arrive, where it is not the one in use (spec 9.9).
    pub elsewhere: Option<String>,
    /// Whether a quote is asked for.
    pub quoting: bool,
    /// Whether none could be had.
    pub unquoted: bool,
    /// What it costs there.
    pub quote: Option<Quote>,
}

/// What views read.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampView")]
pub struct View {
    /// How the list of providers stands.
    pub state: State,
    /// Who sells.
    pub providers: Vec<ProviderView>,
    /// How the lists of coins and money stand.
    pub offers: State,
    /// Money that can be paid with.
    pub currencies: Vec<Currency>,
    /// What can be bought.
    pub tokens: Vec<Token>,
    /// As typed.
    pub amount: String,
    /// What is wrong with it.
    pub amount_fault: Option<AmountFault>,
    /// The money that was chosen: ISO 4217.
    pub currency: Option<String>,
    /// The coin that was chosen.
    pub token: Option<Token>,
    /// The provider that was chosen.
    pub provider: Option<ProviderView>,
    /// How far.
    pub phase: Phase,
    /// Why not, in the server's words.
    pub problem: Option<String>,
    /// The page, where the browser wants the visitor to open it.
    pub link: Option<String>,
    /// What became of the purchase whose page was opened.
    pub purchase: Option<PurchaseView>,
    /// Where the visitor is: ISO 3166-1.
    pub country: Option<String>,
    /// In which state of it: ISO 3166-2 without the country.
    pub subdivision: Option<String>,
    /// Where somebody sells.
    pub countries: Vec<String>,
    /// The country whose states are listed, where one of them has to be named.
    pub state_of: Option<String>,
    /// Those.
    pub states: Vec<String>,
    /// The account that is paid: 4 leading and 6 trailing characters.
    pub address_short: Option<String>,
    /// The network in use.
    pub network_name: Option<String>,
}

impl Onramp {
    /// What views read.
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
            problem: self.problem.clone(),
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

    /// The list of providers is shown once all that stands above it is known: a row that moves down under a finger would open the page of
    /// another provider.
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

/// The name of a chain: the host's, or that of the one chain to which purchases fall back (spec 9.9).
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
