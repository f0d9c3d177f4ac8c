//! The two tokens and the amount: token list, balances, and the decimals from the contracts.

use super::flight::Signed;
use super::form::Max;
use super::quote::Quote;
use super::tokens::{self, Coin, Joined, View, found, strange};
use super::{List, Offer, Reason, Swap, Target, contracts};
use crate::cx::Cx;
use crate::effect::HttpMethod;
use crate::fault::CallFault;
use crate::http::Request;
use crate::pay::erc20;
use crate::pay::gas::with_margin;
use crate::pay::signing::Pending;
use crate::pay::tokens::Purse;
use crate::rpc::DISAGREED;
use crate::signal::Signal;
use crate::swap::Alarm;
use crate::wallet::eip155;
use portico_api::price::{PriceQuestion, Prices};
use portico_api::swap::SwapTokens;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace, Price};

impl Swap {
    /// Starts the form for the active chain; its token list is loaded once.
    pub(super) fn begin(&mut self, cx: &mut Cx) {
        let network = cx.facts.active_network.as_ref();
        let evm = network.filter(|network| network.chain_namespace == Namespace::Eip155 && cx.facts.account.is_some());
        let Some(network) = evm else { return self.cannot(Offer::Unsupported, cx) };
        self.form.chain = Some(network.caip_network_id.clone());
        contracts::warn(&network.caip_network_id, cx.facts, cx);
        self.ask_gas_price(cx);
        if self.coins().is_empty() {
            self.list(cx);
        } else {
            self.listed(cx);
        }
    }

    /// The chain has no list; the form shows it, and the pending host call resolves.
    pub(super) fn cannot(&mut self, offer: Offer, cx: &mut Cx) {
        self.form.offer = offer;
        cx.resolve_host(self.form.wanted.ticket.take(), Value::Null);
    }

    pub(super) fn list(&mut self, cx: &mut Cx) {
        let Some(chain) = self.form.chain.clone() else { return };
        self.form.offer = Offer::Loading;
        let request = Request::get("/v1/convert/tokens").with("chainId", &chain.to_string());
        if !cx.http(request, Reason::Tokens(chain)) {
            self.cannot(Offer::Unsupported, cx);
        }
    }

    /// Tokens of the active chain.
    pub(super) fn coins(&self) -> &[Coin] {
        let list = self.lists.iter().find(|list| Some(&list.chain) == self.form.chain.as_ref());
        list.map(|list| list.coins.as_slice()).unwrap_or_default()
    }

    /// The token list is loaded. The chain's coin is paid by default. If the host named an unknown token, none of its values is filled in:
    /// its amount may be meant for another token.
    pub(super) fn listed(&mut self, cx: &mut Cx) {
        self.form.offer = Offer::Ready;
        self.picker.revision += 1;
        let wanted = std::mem::take(&mut self.form.wanted);
        let plain = wanted.from.is_none() && wanted.to.is_none() && wanted.amount.is_empty();
        if plain && self.go_on_with_approved(cx) {
            return cx.resolve_host(wanted.ticket, Value::Null);
        }
        let named = |name: &Option<Value>| match (name, &self.form.chain) {
            (None, _) => Some(None),
            (Some(name), Some(chain)) => Some(Some(tokens::named(name.as_str()?.trim(), self.coins(), chain)?)),
            _ => None,
        };
        let pair = named(&wanted.from).zip(named(&wanted.to));
        let pair = pair.filter(|(from, to)| from.is_none() || from != to);
        let (refused, (from, to)) = (pair.is_none(), pair.unwrap_or_default());
        let coin = self.coins().iter().find(|coin| coin.is_native());
        let from = from.or(coin).filter(|from| to.is_none_or(|to| !to.is(&from.address)));
        (self.form.from, self.form.to) = (from.cloned(), to.cloned());
        if refused {
            cx.reject_host(wanted.ticket, CallFault::UnsupportedAsset.into());
        } else {
            cx.resolve_host(wanted.ticket, Value::Null);
            // An amount without a token is dropped.
            self.form.amount = if self.form.from.is_some() { wanted.amount } else { String::new() };
        }
        self.paired(cx);
    }

    pub(super) fn on_tokens(&mut self, chain: ChainId, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let current = self.form.chain.as_ref() == Some(&chain) && self.form.offer == Offer::Loading;
        let unsupported = answer.as_ref().err().is_some_and(|error| matches!(error.code, 400 | 404));
        let list: Option<SwapTokens> = answer.ok().and_then(|answer| cx.read(&answer));
        let exact_out = list.as_ref().and_then(|list| list.exact_out) == Some(true);
        let coins = list.map(|list| tokens::usable(list, &chain, cx.facts)).unwrap_or_default();
        if !coins.is_empty() {
            self.lists.retain(|list| list.chain != chain);
            self.picker.joined = Joined::default();
            self.lists.push(List { chain, coins, exact_out });
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
        if !own || Some(&deal.chain) != self.form.chain.as_ref() || from == to {
            return false;
        }
        // The other amount of the deal was an expected one.
        let exact_out = deal.typed == Target::ToToken && self.takes_received();
        self.form.typed = if exact_out { Target::ToToken } else { Target::SourceToken };
        self.form.amount = if exact_out { deal.to_amount.clone() } else { deal.amount.clone() };
        (self.form.from, self.form.to) = (Some(from), Some(to));
        self.paired(cx);
        true
    }

    /// The pair changed: requests balances, prices and a quote.
    pub(super) fn paired(&mut self, cx: &mut Cx) {
        self.picker.revision += 1;
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
        let (Some(chain), Some(account)) = (&self.form.chain, &cx.facts.account) else { return };
        let mut unpriced = Vec::new();
        for coin in self.form.from.iter().chain(&self.form.to) {
            if self.readings.price(coin).is_none() {
                unpriced.push(coin.id(chain));
            }
            if coin.is_native() {
                continue;
            }
            let address = || coin.address.clone();
            let balance = erc20::params(&coin.address, erc20::balance_of(&account.address));
            cx.call(chain, eip155::CALL, balance, Reason::Balance(self.form.number, address()));
            self.ask_decimals(coin, chain, cx);
        }
        let Some(project) = cx.facts.options.project_id.clone().filter(|_| !unpriced.is_empty()) else { return };
        let body = PriceQuestion { project_id: project, currency: "usd".into(), addresses: unpriced };
        let request = Request::new(HttpMethod::Post, "/v1/fungible/price").body(portico_json::to_text(&body));
        cx.http(request, Reason::Prices(self.form.number));
    }

    pub(super) fn ask_decimals(&self, coin: &Coin, chain: &ChainId, cx: &mut Cx) {
        let decimals = erc20::params(&coin.address, erc20::decimals());
        cx.call_agreed(chain, eip155::CALL, decimals, Reason::Decimals(self.form.number, coin.address.clone()));
    }

    pub(super) fn flip(&mut self, cx: &mut Cx) {
        if let (Some(quote), Some(to)) = (self.pricing.quote(), &self.form.to) {
            self.form.amount = quote.to_amount.to_units(to.decimals);
        }
        std::mem::swap(&mut self.form.from, &mut self.form.to);
        // A typed amount to receive stays with its token, which is paid now.
        self.form.typed = Target::SourceToken;
        self.paired(cx);
    }

    pub(super) fn choose(&mut self, address: &str, purse: &Purse, cx: &mut Cx) {
        let listed = self.coins().iter().find(|coin| coin.is(address)).cloned();
        let payable =
            || strange(address, purse, self.form.chain.as_ref()).filter(|_| self.picker.target == Target::SourceToken);
        let Some(coin) = listed.or_else(payable) else { return };
        let (side, other) = match self.picker.target {
            Target::SourceToken => (&mut self.form.from, &mut self.form.to),
            Target::ToToken => (&mut self.form.to, &mut self.form.from),
        };
        // Choosing the token of the other side flips the two.
        if other.as_ref().is_some_and(|other| other.is(&coin.address)) {
            std::mem::swap(side, other);
            self.form.typed = Target::SourceToken;
        }
        *side = Some(coin);
        cx.signal(Signal::SwapTokenChosen);
        self.paired(cx);
    }

    /// Fills in the maximum: the whole balance, minus the fee for the chain's own coin once it is known.
    pub(super) fn all(&mut self, purse: &Purse, cx: &mut Cx) {
        let Some(balance) = self.form.from.as_ref().and_then(|coin| self.available(coin, purse)) else { return };
        self.pay_all(balance, cx);
        self.ask_whole(cx);
    }

    /// Requests the balance for "max" from two nodes: one that makes it up could lower or raise what is paid.
    fn ask_whole(&self, cx: &mut Cx) {
        let (Some(chain), Some(account), Some(coin)) = (&self.form.chain, &cx.facts.account, &self.form.from) else {
            return;
        };
        let (method, params) = match coin.is_native() {
            true => (eip155::BALANCE, vec![Value::Text(account.address.clone()), "latest".into()]),
            false => (eip155::CALL, erc20::params(&coin.address, erc20::balance_of(&account.address))),
        };
        cx.call_agreed(chain, method, params, Reason::Whole(self.form.number, coin.address.clone()));
    }

    pub(super) fn on_whole(&mut self, address: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let same = self.form.from.as_ref().is_some_and(|coin| coin.is(address));
        let Some(filled) = self.form.whole.filter(|_| same && !self.step.is_busy()) else { return };
        if answer.as_ref().is_err_and(|error| error.code == DISAGREED) {
            self.form.amount.clear();
            self.form.max = Max::Unused;
            self.changed(cx);
            self.form.disputed = true;
        } else if let Some(told) = erc20::number(answer).filter(|told| *told != filled) {
            self.readings.set_balance(address.into(), told);
            self.pay_all(told, cx);
        }
    }

    pub(super) fn pay_all(&mut self, balance: Amount, cx: &mut Cx) {
        let Some(coin) = &self.form.from else { return };
        let kept = if coin.is_native() { self.fee_of(None) } else { Some(Amount::ZERO) };
        let Some(kept) = kept else {
            self.form.max = Max::WaitsForFee { balance };
            self.form.whole = Some(balance);
            return self.ask_gas_price(cx);
        };
        let left = balance.minus(kept).unwrap_or(Amount::ZERO);
        self.form.max = if coin.is_native() { Max::Filled { balance, paid: left } } else { Max::Unused };
        self.fill(left.to_units(coin.decimals), cx);
        self.form.whole = Some(balance);
    }

    /// Fills in an amount and requests a quote without the debounce.
    fn fill(&mut self, amount: String, cx: &mut Cx) {
        self.type_paid(amount);
        self.changed(cx);
        if self.pricing.is_awaited() {
            self.ask_quote(cx);
        }
    }

    /// After "max" for the coin: lowers the amount if this quote takes more gas than was reserved. Returns true if a new quote is
    /// requested; that happens once and with a margin, as the next quote may need a little more gas again.
    pub(super) fn fit(&mut self, quote: &Quote, cx: &mut Cx) -> bool {
        let Some(coin) = self.form.from.as_ref().filter(|coin| coin.is_native()) else { return false };
        let Max::Filled { balance, paid } = self.form.max else { return false };
        self.form.max = Max::Unused;
        let Some(fee) = self.fee_of(Some(quote)).filter(|_| paid == quote.amount) else { return false };
        let left = with_margin(fee).and_then(|kept| balance.minus(kept)).filter(|left| !left.is_zero());
        match left {
            Some(left) if paid.plus(fee).is_none_or(|all| all > balance) => {
                let whole = self.form.whole;
                self.fill(left.to_units(coin.decimals), cx);
                self.form.whole = whole;
                true
            }
            _ => false,
        }
    }

    /// Balance of a token.
    pub(super) fn available(&self, coin: &Coin, purse: &Purse) -> Option<Amount> {
        self.readings.balance(coin).or_else(|| coin.held(purse).0)
    }

    pub(super) fn priced(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(chain) = &self.form.chain else { return };
        let Some(Prices { fungibles, .. }) = answer.ok().and_then(|answer| cx.read(&answer)) else { return };
        for item in fungibles {
            let address = tokens::address_of(&item.address, chain);
            if let Some((address, price)) = address.zip(Price::from_number(item.price.as_str())) {
                self.readings.set_price(address.to_ascii_lowercase(), price);
            }
        }
    }

    /// Number that differs after each change to the token list view.
    pub fn revision(&self, purse: &Purse) -> u32 {
        let coin = purse.coin.map_or(0, |coin| tokens::tag(&coin.to_hex()));
        self.picker.revision.wrapping_add(purse.revision).wrapping_add(coin)
    }

    /// Updates the match of list and account tokens if either changed.
    pub fn join(&mut self, purse: &Purse) {
        if !self.picker.joined.is_of(self.coins(), purse) {
            self.picker.joined = Joined::new(self.coins(), purse, self.form.chain.as_ref());
        }
    }

    /// The token list for views; `None` if the chain has none.
    pub fn tokens_view(&self, purse: &Purse) -> Option<View> {
        if self.form.offer != Offer::Ready {
            return None;
        }
        let fresh;
        let joined = if self.picker.joined.is_of(self.coins(), purse) {
            &self.picker.joined
        } else {
            fresh = Joined::new(self.coins(), purse, self.form.chain.as_ref());
            &fresh
        };
        let mut found = found(self.coins(), joined, self.picker.target, &self.picker.search, purse);
        let hidden = found.iter().filter(|hit| hit.is_hidden()).count();
        if !self.picker.revealed {
            found.truncate(found.len() - hidden);
        }
        let chosen = if self.picker.target == Target::SourceToken { &self.form.from } else { &self.form.to };
        Some(View {
            target: self.picker.target,
            search: self.picker.search.clone(),
            items: found.iter().take(self.picker.rows).map(|hit| tokens::item(hit, chosen.as_ref(), purse)).collect(),
            more: found.len() > self.picker.rows,
            count: found.len() as u32,
            hidden: hidden as u32,
            revealed: self.picker.revealed,
        })
    }
}
