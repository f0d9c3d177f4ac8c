//! The two tokens and the amount: token list, balances, and the decimals from the contracts.

use super::flight::Signed;
use super::quote::Quote;
use super::tokens::{self, Coin, Joined, View, found, strange};
use super::{List, Offer, Reason, Swap, Target};
use crate::cx::Cx;
use crate::effect::HttpMethod;
use crate::fault::CallFault;
use crate::http::Request;
use crate::pay::erc20;
use crate::pay::gas::with_margin;
use crate::pay::signing::Pending;
use crate::pay::tokens::Purse;
use crate::signal::Signal;
use crate::swap::Alarm;
use crate::wallet::eip155;
use portico_api::price::{PriceQuestion, Prices};
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace, Price};

impl Swap {
    /// Starts the form for the active chain; its token list is loaded once.
    pub(super) fn begin(&mut self, cx: &mut Cx) {
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

    /// The chain has no list; the form shows it, and the pending host call resolves.
    pub(super) fn cannot(&mut self, offer: Offer, cx: &mut Cx) {
        self.offer = offer;
        cx.resolve_host(self.wanted.ticket.take(), Value::Null);
    }

    pub(super) fn list(&mut self, cx: &mut Cx) {
        let Some(chain) = self.chain.clone() else { return };
        self.offer = Offer::Loading;
        let request = Request::get("/v1/convert/tokens").with("chainId", &chain.to_string());
        if !cx.http(request, Reason::Tokens(chain)) {
            self.cannot(Offer::Unsupported, cx);
        }
    }

    /// Tokens of the active chain.
    pub(super) fn coins(&self) -> &[Coin] {
        let list = self.lists.iter().find(|list| Some(&list.chain) == self.chain.as_ref());
        list.map(|list| list.coins.as_slice()).unwrap_or_default()
    }

    /// The token list is loaded. The chain's coin is paid by default. If the host named an unknown token, none of its values is filled in:
    /// its amount may be meant for another token.
    pub(super) fn listed(&mut self, cx: &mut Cx) {
        self.offer = Offer::Ready;
        self.revision += 1;
        let wanted = std::mem::take(&mut self.wanted);
        let plain = wanted.from.is_none() && wanted.to.is_none() && wanted.amount.is_empty();
        if plain && self.go_on_with_approved(cx) {
            return cx.resolve_host(wanted.ticket, Value::Null);
        }
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
            // An amount without a token is dropped.
            self.amount = if self.from.is_some() { wanted.amount } else { String::new() };
        }
        self.paired(cx);
    }

    pub(super) fn on_tokens(&mut self, chain: ChainId, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let current = self.chain.as_ref() == Some(&chain) && self.offer == Offer::Loading;
        let unsupported = answer.as_ref().err().is_some_and(|error| matches!(error.code, 400 | 404));
        let list = answer.ok().and_then(|answer| cx.read(&answer));
        let coins = list.map(|list| tokens::usable(list, &chain, cx.facts)).unwrap_or_default();
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

    /// Fills in an approved but unfinished swap, from another page or from before the visitor left. Returns false if there is none for this
    /// account and chain.
    fn go_on_with_approved(&mut self, cx: &mut Cx) -> bool {
        let Some(Pending { content: Signed { deal, .. }, .. }) = &self.approved else { return false };
        let own = cx.facts.account.as_ref().is_some_and(|account| account.address.eq_ignore_ascii_case(&deal.address));
        let coin = |address: &str| self.coins().iter().find(|coin| coin.is(address)).cloned();
        let (Some(from), Some(to)) = (coin(&deal.pair.0), coin(&deal.pair.1)) else { return false };
        if !own || Some(&deal.chain) != self.chain.as_ref() || from == to {
            return false;
        }
        self.amount = deal.amount.clone();
        (self.from, self.to) = (Some(from), Some(to));
        self.paired(cx);
        true
    }

    /// The pair changed: requests balances, prices and a quote.
    pub(super) fn paired(&mut self, cx: &mut Cx) {
        self.read_balances(cx);
        self.changed(cx);
        if self.question(cx.facts).is_some() {
            // Requests the quote now, without the debounce.
            cx.stop(Alarm::Quote);
            self.ask_quote(cx);
        }
    }

    /// Requests balances and decimals from the contracts themselves; these are newer than the index. Requests missing prices too.
    pub(super) fn read_balances(&mut self, cx: &mut Cx) {
        let (Some(chain), Some(account)) = (&self.chain, &cx.facts.account) else { return };
        let mut unpriced = Vec::new();
        for coin in self.from.iter().chain(&self.to) {
            if !self.prices.iter().any(|(address, _)| *address == coin.address) {
                unpriced.push(coin.id(chain));
            }
            if coin.is_native() {
                continue;
            }
            let address = || coin.address.clone();
            let balance = erc20::params(&coin.address, erc20::balance_of(&account.address));
            cx.call(chain, eip155::CALL, balance, Reason::Balance(self.form, address()));
            self.ask_decimals(coin, chain, cx);
        }
        let Some(project) = cx.facts.options.project_id.clone().filter(|_| !unpriced.is_empty()) else { return };
        let body = PriceQuestion { project_id: project, currency: "usd".into(), addresses: unpriced };
        let request = Request::new(HttpMethod::Post, "/v1/fungible/price").body(portico_json::to_text(&body));
        cx.http(request, Reason::Prices(self.form));
    }

    pub(super) fn ask_decimals(&self, coin: &Coin, chain: &ChainId, cx: &mut Cx) {
        let decimals = erc20::params(&coin.address, erc20::decimals());
        cx.call(chain, eip155::CALL, decimals, Reason::Decimals(self.form, coin.address.clone()));
    }

    /// Decimals that the token's contract reported, if it responded.
    pub(super) fn decimals_on_chain(&self, coin: &Coin) -> Option<&Option<u8>> {
        self.decimals.iter().find(|(address, _)| coin.is(address)).map(|(_, told)| told)
    }

    /// Whether the contract contradicts the list.
    pub(super) fn is_liar(&self, coin: &Coin) -> bool {
        !coin.is_native() && self.decimals_on_chain(coin).is_some_and(|told| *told != Some(coin.decimals))
    }

    /// Whether the decimals are confirmed by the chain itself.
    pub(super) fn is_sure(&self, coin: &Coin) -> bool {
        coin.is_native() || self.decimals_on_chain(coin) == Some(&Some(coin.decimals))
    }

    pub(super) fn flip(&mut self, cx: &mut Cx) {
        if let (Some(quote), Some(to)) = (&self.quote, &self.to) {
            self.amount = quote.to_amount.to_units(to.decimals);
        }
        std::mem::swap(&mut self.from, &mut self.to);
        self.paired(cx);
    }

    pub(super) fn choose(&mut self, address: &str, purse: &Purse, cx: &mut Cx) {
        let listed = self.coins().iter().find(|coin| coin.is(address)).cloned();
        let payable = || strange(address, purse).filter(|_| self.target == Target::SourceToken);
        let Some(coin) = listed.or_else(payable) else { return };
        let (side, other) = match self.target {
            Target::SourceToken => (&mut self.from, &mut self.to),
            Target::ToToken => (&mut self.to, &mut self.from),
        };
        // Choosing the token of the other side flips the two.
        if other.as_ref().is_some_and(|other| other.is(&coin.address)) {
            std::mem::swap(side, other);
        }
        *side = Some(coin);
        self.revision += 1;
        cx.signal(Signal::SwapTokenChosen);
        self.paired(cx);
    }

    /// Fills in the maximum: the whole balance, minus the fee for the chain's own coin once it is known.
    pub(super) fn all(&mut self, purse: &Purse, cx: &mut Cx) {
        let Some(balance) = self.from.as_ref().and_then(|coin| self.available(coin, purse)) else { return };
        self.pay_all(balance, cx);
    }

    pub(super) fn pay_all(&mut self, balance: Amount, cx: &mut Cx) {
        let Some(coin) = &self.from else { return };
        let kept = if coin.is_native() { self.fee_of(None) } else { Some(Amount::ZERO) };
        let Some(kept) = kept else {
            self.all = Some(balance);
            return self.ask_gas_price(cx);
        };
        let left = balance.minus(kept).unwrap_or(Amount::ZERO);
        self.filled = coin.is_native().then_some((balance, left));
        self.fill(left.to_units(coin.decimals), cx);
    }

    /// Fills in an amount and requests a quote without the debounce.
    fn fill(&mut self, amount: String, cx: &mut Cx) {
        self.amount = amount;
        self.changed(cx);
        if self.quoting {
            self.ask_quote(cx);
        }
    }

    /// After "max" for the coin: lowers the amount if this quote takes more gas than was reserved. Returns true if a new quote is
    /// requested; that happens once and with a margin, as the next quote may need a little more gas again.
    pub(super) fn fit(&mut self, quote: &Quote, cx: &mut Cx) -> bool {
        let Some(coin) = self.from.as_ref().filter(|coin| coin.is_native()) else { return false };
        let filled = self.filled.take().filter(|(_, paid)| *paid == quote.amount);
        let (Some((balance, paid)), Some(fee)) = (filled, self.fee_of(Some(quote))) else { return false };
        let left = with_margin(fee).and_then(|kept| balance.minus(kept)).filter(|left| !left.is_zero());
        match left {
            Some(left) if paid.plus(fee).is_none_or(|all| all > balance) => {
                self.fill(left.to_units(coin.decimals), cx);
                true
            }
            _ => false,
        }
    }

    /// Balance of a token.
    pub(super) fn available(&self, coin: &Coin, purse: &Purse) -> Option<Amount> {
        let read = self.balances.iter().find(|(address, _)| coin.is(address)).map(|(_, amount)| *amount);
        read.or_else(|| coin.held(purse).0)
    }

    pub(super) fn priced(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(chain) = &self.chain else { return };
        let Some(Prices { fungibles, .. }) = answer.ok().and_then(|answer| cx.read(&answer)) else { return };
        for item in fungibles {
            let address = tokens::address_of(&item.address, chain);
            if let Some((address, price)) = address.zip(Price::from_number(item.price.as_str())) {
                self.prices.retain(|(known, _)| !known.eq_ignore_ascii_case(address));
                self.prices.push((address.to_ascii_lowercase(), price));
            }
        }
    }

    /// Counter of changes to the token list view.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Updates the match of list and account tokens if either changed.
    pub fn join(&mut self, purse: &Purse) {
        if !self.joined.is_of(self.coins(), purse) {
            self.joined = Joined::new(self.coins(), purse);
        }
    }

    /// The token list for views; `None` if the chain has none.
    pub fn tokens_view(&self, purse: &Purse) -> Option<View> {
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
        Some(View {
            target: self.target,
            search: self.search.clone(),
            items: found.iter().take(self.told).map(|hit| tokens::item(hit, chosen.as_ref(), purse)).collect(),
            more: found.len() > self.told,
            count: found.len() as u32,
        })
    }
}
