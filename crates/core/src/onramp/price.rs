//! How much money, of which kind, for what: and what it costs with each who sells.

use super::quote::{self, QuoteState};
use super::{Currency, Onramp, Reason, Token, who};
use crate::cx::Cx;
use crate::effect::HttpMethod;
use crate::http::Request;
use crate::signal::Signal;
use crate::timer::Timer;
use portico_api::onramp::OnrampQuestion;
use portico_json::{Value, to_text};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, typed};

/// Typing rests so long before quotes are asked for (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// No amount of money needs more letters.
pub(super) const LONGEST_TYPED: usize = 24;

/// Money has so many decimals here; no currency that is taken has more.
pub(super) const MONEY_DECIMALS: u8 = 2;

impl Onramp {
    /// Quotes of what was there before are not shown.
    pub(super) fn changed(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.quotes = vec![QuoteState::None; self.providers.len()];
        cx.start(Timer::OnrampQuote, DEBOUNCE);
    }

    pub(super) fn picked(&mut self, cx: &mut Cx) {
        self.changed(cx);
        cx.tell(Signal::OnrampPicked);
        // No other choice is to be waited for.
        cx.stop(Timer::OnrampQuote);
        self.ask_quotes(cx);
    }

    /// The amount of money, where one stands there.
    pub(super) fn money(&self) -> Option<Amount> {
        typed::read(&self.amount, MONEY_DECIMALS).ok().filter(|amount| !amount.is_zero())
    }

    pub(super) fn ask_quotes(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.quotes = vec![QuoteState::None; self.providers.len()];
        let (Some(money), Some(token), Some(currency)) = (self.money(), &self.token, &self.currency) else { return };
        let Some((account, chain)) = who(cx.facts) else { return };
        // Of nobody who is nowhere a price is asked: it would be that of a country of which they are not.
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

    pub(super) fn quoted(&mut self, place: usize, answer: Result<Value, RpcError>) {
        let read = |answer| quote::read(&answer, self.token.as_deref()?, self.currency.as_deref()?);
        let state = match answer.map(read) {
            Ok(Some(quote)) => QuoteState::Ready(quote),
            _ => QuoteState::Unavailable,
        };
        if let Some(quote) = self.quotes.get_mut(place) {
            *quote = state;
        }
    }

    /// What is sold. A coin that was chosen before stays chosen where it is sold as well.
    pub(super) fn take(&mut self, currencies: Vec<Currency>, tokens: Vec<Token>, cx: &Cx) {
        let coin = cx.facts.active_network.as_ref().map(|network| network.native_currency.symbol.as_str());
        let chosen = tokens.iter().find(|token| Some(&token.id) == self.token.as_ref());
        let own = || tokens.iter().find(|token| Some(token.symbol.as_str()) == coin).or(tokens.first());
        self.token = chosen.or_else(own).map(|token| token.id.clone());
        self.currency = currencies.first().map(|currency| currency.id.clone());
        (self.currencies, self.tokens) = (currencies, tokens);
    }
}
