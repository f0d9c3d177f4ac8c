//! Quote and network fee of the form: requested after the amount has rested, refreshed while on the screen, fixed by the review.

use super::event::Target;
use super::form::Max;
use super::pricing::{Request, Rest};
use super::quote::{self, Question, Quote};
use super::step::Step;
use super::tokens::Coin;
use super::{APPROVAL_GAS, DEBOUNCE, Fault, QuoteFault, REFRESH, Reason, SWAP_GAS, Swap, contracts};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::http;
use crate::pay::erc20;
use crate::pay::gas::{SWAP_SIZE, data_fee_params_of, history_params, with_margin};
use crate::pay::signing;
use crate::pay::tokens::Purse;
use crate::pay::typed::amount_of;
use crate::signal::Signal;
use crate::swap::Alarm;
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace};

impl Swap {
    pub(super) fn ask_gas_price(&self, cx: &mut Cx) {
        let Some(chain) = &self.form.chain else { return };
        // Requested first, so that a pending "max" amount has the data fee too once the gas price arrives.
        if let Some(params) = data_fee_params_of(chain, SWAP_SIZE) {
            cx.call(chain, eip155::CALL, params, Reason::DataFee(chain.clone()));
        }
        cx.call_agreed(chain, eip155::CHAIN, Vec::new(), Reason::Chain(chain.clone()));
        cx.call_lower(chain, eip155::GAS_PRICE, Reason::GasPrice(chain.clone()));
        cx.call_lower(chain, eip155::PRIORITY_FEE, Reason::GasPriority(chain.clone()));
        cx.call_elsewhere(chain, eip155::FEE_HISTORY, history_params(), Reason::FeeHistory(chain.clone()));
    }

    /// Stores the gas price; a failed request keeps the previous one.
    pub(super) fn gas_priced(&mut self, price: Option<Amount>, chain: &ChainId, cx: &mut Cx) {
        let fee = &mut self.readings.fee;
        fee.take_price(price, cx.facts.network(chain));
        if fee.price.is_some()
            && let Max::WaitsForFee { balance } = self.form.max
        {
            self.pay_all(balance, cx);
        }
    }

    /// Maximum network fee, including an approval and a revocation before it where needed.
    pub(super) fn fee_of(&self, quote: Option<&Quote>) -> Option<Amount> {
        let gas = quote.and_then(|quote| quote.gas).unwrap_or(Amount::from(SWAP_GAS));
        // The pools may change before the swap is mined, so its gas gets a margin as well.
        let gas = with_margin(gas)?;
        let approvals = match quote.filter(|quote| self.needs_approval(quote)) {
            None => 0,
            Some(quote) if self.permitted(quote).is_zero() => 1,
            Some(_) => 2,
        };
        let fee = &self.readings.fee;
        fee.with_data(fee.most_per_gas()?.by(gas.plus(Amount::from(approvals * APPROVAL_GAS))?)?)
    }

    /// Current ERC-20 allowance of the quote's spender.
    pub(super) fn permitted(&self, quote: &Quote) -> Amount {
        let own = |known: &&(String, Amount)| Some(&known.0) == quote.spender.as_ref();
        self.allowed.as_ref().filter(own).map_or(Amount::ZERO, |(_, amount)| *amount)
    }

    pub(super) fn needs_approval(&self, quote: &Quote) -> bool {
        quote.spender.is_some() && self.permitted(quote) < self.most(quote)
    }

    /// Whether the allowance of the quote's spender is known, or none is needed.
    pub(super) fn knows_allowance(&self) -> bool {
        let spender = self.pricing.quote().and_then(|quote| quote.spender.as_ref());
        spender.is_none_or(|spender| self.allowed.as_ref().is_some_and(|(of, _)| of == spender))
    }

    /// Reads the allowance of the quote's spender from the chain.
    pub(super) fn ask_allowance(&self, cx: &mut Cx) {
        let (Some(question), Some(quote)) = (self.question(cx.facts), self.pricing.quote()) else { return };
        if let Some(spender) = &quote.spender {
            let params = erc20::params(&question.from.address, erc20::allowance(&question.address, spender));
            cx.call(&question.chain, eip155::CALL, params, Reason::Permitted(self.form.number, spender.clone()));
        }
    }

    pub(super) fn on_permitted(&mut self, spender: String, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let waits = self.step.is_building() && !self.knows_allowance();
        match erc20::number(answer) {
            // The allowance read after an approval is newer.
            Some(amount) if !self.step.is_busy() || waits => self.allowed = Some((spender, amount)),
            None if waits => return self.fail(Fault::NotBuilt, None, cx),
            _ => {}
        }
        if waits && self.knows_allowance() {
            self.go_on(cx);
        } else if !self.step.is_busy() {
            self.rehearse(cx);
        }
    }

    /// Whether the active wallet batches approval and swap (EIP-5792): it announced the capability and has not refused a batch.
    pub(super) fn batches(&self, facts: &Facts) -> bool {
        facts.batches && facts.account.as_ref().is_some_and(|account| self.unable.as_ref() != Some(&account.handle))
    }

    /// Quote request for the form; `None` while the form is incomplete.
    pub(super) fn question(&self, facts: &Facts) -> Option<Question> {
        let (chain, from, to) = (self.form.chain.clone()?, self.form.from.clone()?, self.form.to.clone()?);
        let account = facts.account.as_ref().filter(|account| account.namespace == Namespace::Eip155)?;
        let typed = self.form.typed;
        let decimals = if typed == Target::ToToken { to.decimals } else { from.decimals };
        let amount = amount_of(&self.form.amount, decimals).ok()?;
        Some(Question { chain, address: account.address.clone(), from, to, amount, typed })
    }

    /// The pair or the amount changed: drops the quote, ignores one in flight, and requests a new one after the debounce.
    pub(super) fn changed(&mut self, cx: &mut Cx) {
        self.pricing.drop_quote();
        (self.step, self.promised, self.allowed) = (Step::Editing, None, None);
        (self.unproven, self.costly, self.looked) = (false, false, false);
        self.target = None;
        (self.form.whole, self.form.disputed) = (None, false);
        self.rehearsal.drop();
        if matches!(self.form.max, Max::WaitsForFee { .. }) {
            self.form.max = Max::Unused;
        }
        if self.question(cx.facts).is_some() {
            self.pricing.request = Request::Awaited;
            cx.start(Alarm::Quote, DEBOUNCE);
        } else {
            cx.stop(Alarm::Quote);
        }
    }

    /// Requests a new quote, and repeats chain reads that failed before.
    pub(super) fn refresh(&mut self, cx: &mut Cx) {
        if self.readings.fee.price.is_none() {
            self.ask_gas_price(cx);
        }
        if let Some(chain) = &self.form.chain {
            let unknown = |coin: &&Coin| !coin.is_native() && self.readings.decimals(coin).is_none();
            self.form
                .from
                .iter()
                .chain(&self.form.to)
                .filter(unknown)
                .for_each(|coin| self.ask_decimals(coin, chain, cx));
        }
        self.ask_quote(cx);
    }

    /// Requests a quote now. One request serves all purposes and replaces the one in flight.
    pub(super) fn ask_quote(&mut self, cx: &mut Cx) {
        let Some(question) = self.question(cx.facts) else { return };
        self.pricing.round += 1;
        cx.stop(Alarm::Quote);
        let chain = question.chain.to_string();
        let request = http::Request::get("/v1/convert/quotes")
            .with(if question.typed == Target::ToToken { "toAmount" } else { "amount" }, &question.amount.to_string())
            .with("userAddress", &[&chain, ":", &question.address].concat())
            .with("from", &question.from.id(&question.chain))
            .with("to", &question.to.id(&question.chain));
        let sent = cx.http(request, Reason::Quote(self.pricing.round));
        self.pricing.request = if sent { Request::Awaited } else { Request::Idle };
    }

    pub(super) fn quoted(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.pricing.request = Request::Idle;
        let Some(question) = self.question(cx.facts) else { return };
        let found = match &answer {
            Ok(answer) => {
                let quotes = cx.read(answer);
                let contracts = contracts::of(&question.chain, cx.facts);
                let best = |quotes| quote::best(quotes, &question, &contracts, cx.now);
                quotes.and_then(best).ok_or(QuoteFault::Unavailable)
            }
            Err(error) if matches!(error.code, 400 | 404 | 422) => Err(QuoteFault::NoRoute),
            Err(_) => Err(QuoteFault::Unavailable),
        };
        self.refresh_after(found.as_ref().map_or(REFRESH, |quote| quote.rest(cx.now)), cx);
        match found {
            Ok(quote) if self.fit(&quote, cx) => {}
            Ok(mut quote) => {
                self.slippage.apply(&mut quote);
                let amounts = |quote: &Quote| (quote.amount, quote.to_amount);
                let moved = self.pricing.quote().is_none_or(|before| amounts(before) != amounts(&quote));
                let worse = self.promised.is_some_and(|promised| promised.are_broken_by(&quote));
                self.pricing.take(Ok(quote), cx.now);
                if !self.knows_allowance() {
                    self.ask_allowance(cx);
                }
                if worse && matches!(self.step, Step::Unsure(_)) {
                    // The visitor has to look into the wallet first; a press tells of the price then.
                    self.rehearsal.drop();
                } else if worse {
                    self.rehearsal.drop();
                    self.ask_again(Step::Outdated, cx);
                } else if self.step.is_building() {
                    self.go_on(cx);
                } else if moved {
                    self.rehearse(cx);
                }
            }
            Err(fault) => {
                self.pricing.take(Err(fault), cx.now);
                if self.step.is_building() {
                    self.fail(Fault::NotBuilt, None, cx);
                }
            }
        }
    }

    /// Requests the next quote after this time, in milliseconds.
    pub(super) fn refresh_after(&mut self, delay: u64, cx: &mut Cx) {
        cx.start(Alarm::Quote, delay);
        self.pricing.rest = Some(Rest { from: cx.now, until: cx.now + delay });
    }

    pub(super) fn review(&mut self, purse: &Purse, cx: &mut Cx) {
        self.form.review_pressed = true;
        // The form may have been open for long: the visitor agrees to the fee of now.
        self.ask_gas_price(cx);
        if self.view(purse, cx.facts).ready {
            if let Some(question) = self.question(cx.facts) {
                let side = if question.typed == Target::ToToken { &question.to } else { &question.from };
                self.form.amount = question.amount.to_units(side.decimals);
                signing::count_transactions(&question.chain, &question.address, Reason::Nonce(self.form.number), cx);
            }
            self.promised = self.pricing.quote().map(Quote::bounds);
            // A balance for "max" that comes later must not change what the preview shows.
            self.form.whole = None;
            self.rehearsal.watch(purse);
            self.rehearse(cx);
            cx.signal(Signal::SwapReviewed);
        }
    }
}
