//! The form: amount, currency and coin; and the quotes of all providers.

use super::quote::{self, QuoteState};
use super::{Currency, Onramp, Reason, Token, who};
use crate::cx::Cx;
use crate::effect::HttpMethod;
use crate::http::Request;
use crate::onramp::Alarm;
use crate::signal::Signal;
use portico_api::onramp::OnrampQuestion;
use portico_json::{Value, to_text};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, typed};

/// Time between the last keystroke and the quote requests, in milliseconds (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// Maximum length of a typed amount of money.
pub(super) const LONGEST_TYPED: usize = 24;

/// Number of decimals of money; no supported currency has more.
pub(super) const MONEY_DECIMALS: u8 = 2;

impl Onramp {
    /// Drops the quotes, and requests new ones after the debounce.
    pub(super) fn changed(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.quotes = vec![QuoteState::None; self.providers.len()];
        cx.start(Alarm::Quote, DEBOUNCE);
    }

    pub(super) fn picked(&mut self, cx: &mut Cx) {
        self.changed(cx);
        cx.signal(Signal::OnrampPicked);
        // Requests the quotes now, without the debounce.
        cx.stop(Alarm::Quote);
        self.ask_quotes(cx);
    }

    /// Amount of money; `None` if it is invalid or zero.
    pub(super) fn money(&self) -> Option<Amount> {
        typed::read(&self.amount, MONEY_DECIMALS).ok().filter(|amount| !amount.is_zero())
    }

    pub(super) fn ask_quotes(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.quotes = vec![QuoteState::None; self.providers.len()];
        let (Some(money), Some(token), Some(currency)) = (self.money(), &self.token, &self.currency) else { return };
        let Some((account, chain)) = who(cx.facts) else { return };
        // Without a known country no quotes are requested: they would be for the wrong one.
        if self.kept.place.is_none() {
            return;
        }
        let (country, subdivision) = self.whereabouts();
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
                country: country.clone(),
                subdivision: subdivision.clone(),
            };
            let request = Request::new(HttpMethod::Post, "/v1/onramp/quote").body(to_text(&body));
            if cx.http(request, Reason::Quote(self.attempt, place)) {
                self.quotes[place] = QuoteState::Loading;
            }
        }
    }

    pub(super) fn quoted(&mut self, place: usize, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let quote = answer.ok().and_then(|answer| cx.read(&answer));
        let read = |quote| quote::read(quote, self.token.as_deref()?, self.currency.as_deref()?);
        let state = quote.and_then(read).map_or(QuoteState::Unavailable, QuoteState::Ready);
        if let Some(quote) = self.quotes.get_mut(place) {
            *quote = state;
        }
    }

    /// Stores coins and currencies. The selected coin stays selected if it is still listed.
    pub(super) fn take(&mut self, currencies: Vec<Currency>, tokens: Vec<Token>, cx: &Cx) {
        let coin = cx.facts.active_network.as_ref().map(|network| network.native_currency.symbol.as_str());
        let chosen = tokens.iter().find(|token| Some(&token.id) == self.token.as_ref());
        let own = || tokens.iter().find(|token| Some(token.symbol.as_str()) == coin).or(tokens.first());
        self.token = chosen.or_else(own).map(|token| token.id.clone());
        self.currency = currencies.first().map(|currency| currency.id.clone());
        (self.currencies, self.tokens) = (currencies, tokens);
    }
}
