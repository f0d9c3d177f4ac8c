//! The price of what is filled in, and its fee: asked for when the typing rests, kept fresh while it is looked at, agreed to by a review.

use super::quote::{self, Question, Quote};
use super::tokens::Coin;
use super::{APPROVAL_GAS, DEBOUNCE, Fault, Phase, QuoteFault, REFRESH, Reason, SWAP_GAS, Swap};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::http::Request;
use crate::pay::gas::{SWAP_SIZE, data_fee_params_of, with_margin};
use crate::pay::tokens::Purse;
use crate::pay::typed::amount_of;
use crate::signal::Signal;
use crate::timer::Timer;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace};

impl Swap {
    pub(super) fn ask_gas_price(&self, cx: &mut Cx) {
        let Some(chain) = &self.chain else { return };
        // First, so that who waits for the price to pay all of the coin has this as well.
        if let Some(params) = data_fee_params_of(chain, SWAP_SIZE) {
            cx.call(chain, "eth_call", params, Reason::DataFee(chain.clone()));
        }
        cx.call(chain, "eth_gasPrice", Vec::new(), Reason::GasPrice(chain.clone()));
        cx.call(chain, "eth_maxPriorityFeePerGas", Vec::new(), Reason::GasPriority(chain.clone()));
    }

    /// A price that cannot be had anew leaves the one before.
    pub(super) fn gas_priced(&mut self, price: Option<Amount>, cx: &mut Cx) {
        self.fee.price = price.or(self.fee.price);
        if self.fee.price.is_some()
            && let Some(balance) = self.all.take()
        {
            self.pay_all(balance, cx);
        }
    }

    /// The most that the fee can be, an approval included where one is needed, and what may have to go before it.
    pub(super) fn fee_of(&self, quote: Option<&Quote>) -> Option<Amount> {
        let gas = quote.and_then(|quote| quote.gas).unwrap_or(Amount::from(SWAP_GAS));
        // A swap goes through pools that others change meanwhile: what it takes has a margin as well.
        let gas = with_margin(gas)?;
        let approvals = match quote.filter(|quote| self.needs_approval(quote)) {
            None => 0,
            Some(quote) if self.permitted(quote).is_zero() => 1,
            Some(_) => 2,
        };
        self.fee.with_data(self.fee.most_per_gas()?.by(gas.plus(Amount::from(approvals * APPROVAL_GAS))?)?)
    }

    /// How much may be taken of what is paid.
    pub(super) fn permitted(&self, quote: &Quote) -> Amount {
        let own = |known: &&(String, Amount)| Some(&known.0) == quote.spender.as_ref();
        self.allowed.as_ref().filter(own).map_or(quote.allowance, |(_, amount)| *amount)
    }

    pub(super) fn needs_approval(&self, quote: &Quote) -> bool {
        quote.spender.is_some() && self.permitted(quote) < quote.amount
    }

    /// Whether the wallet in use approves and swaps in one (EIP-5792), as far as it said, and did not refuse to.
    pub(super) fn batches(&self, facts: &Facts) -> bool {
        facts.batches && facts.account.as_ref().is_some_and(|account| self.unable.as_ref() != Some(&account.handle))
    }

    /// What is to be quoted, where the form says it all.
    pub(super) fn question(&self, facts: &Facts) -> Option<Question> {
        let (chain, from, to) = (self.chain.clone()?, self.from.clone()?, self.to.clone()?);
        let account = facts.account.as_ref().filter(|account| account.namespace == Namespace::Eip155)?;
        let amount = amount_of(&self.amount, from.decimals).ok()?;
        Some(Question { chain, address: account.address.clone(), from, to, amount })
    }

    /// Something of the pair or the amount is another: a quote that is still under way is of what was there before.
    pub(super) fn changed(&mut self, cx: &mut Cx) {
        self.round += 1;
        (self.quote, self.quote_fault, self.promised) = (None, None, None);
        (self.phase, self.fault, self.error) = (Phase::Editing, None, None);
        (self.rests, self.allowed, self.all) = (false, None, None);
        self.quoting = self.question(cx.facts).is_some();
        if self.quoting {
            cx.start(Timer::SwapQuote, DEBOUNCE);
        } else {
            cx.stop(Timer::SwapQuote);
        }
    }

    /// A fresh quote, and what the chain did not answer before.
    pub(super) fn refresh(&mut self, cx: &mut Cx) {
        if self.fee.price.is_none() {
            self.ask_gas_price(cx);
        }
        if let Some(chain) = &self.chain {
            let unknown = |coin: &&Coin| !coin.is_native() && self.told_of(coin).is_none();
            self.from.iter().chain(&self.to).filter(unknown).for_each(|coin| self.ask_decimals(coin, chain, cx));
        }
        self.ask_quote(cx);
    }

    /// One request, whatever it is for (a refresh makes no other).
    pub(super) fn ask_quote(&mut self, cx: &mut Cx) {
        let Some(question) = self.question(cx.facts) else { return };
        self.round += 1;
        self.rests = false;
        cx.stop(Timer::SwapQuote);
        let chain = question.chain.to_string();
        let request = Request::get("/v1/convert/quotes")
            .with("amount", &question.amount.to_string())
            .with("userAddress", &[&chain, ":", &question.address].concat())
            .with("from", &question.from.id(&question.chain))
            .with("to", &question.to.id(&question.chain));
        self.quoting = cx.http(request, Reason::Quote(self.round));
    }

    pub(super) fn quoted(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.quoting = false;
        let Some(question) = self.question(cx.facts) else { return };
        let found = match &answer {
            Ok(answer) => quote::best(answer, &question, cx.now).ok_or(QuoteFault::Unavailable),
            Err(error) if matches!(error.code, 400 | 404 | 422) => Err(QuoteFault::NoRoute),
            Err(_) => Err(QuoteFault::Unavailable),
        };
        cx.start(Timer::SwapQuote, found.as_ref().map_or(REFRESH, |quote| quote.rest(cx.now)));
        match found {
            Ok(quote) if self.fit(&quote, cx) => {}
            Ok(quote) => {
                let worse = self.promised.is_some_and(|promised| quote.to_amount < promised);
                (self.quote, self.quote_fault) = (Some(quote), None);
                if worse {
                    (self.phase, self.fault, self.error) = (Phase::Outdated, None, None);
                } else if self.phase == Phase::Building {
                    self.go_on(cx);
                }
            }
            Err(fault) => {
                self.quote_fault = Some(fault);
                // What was quoted before stands until it is over.
                self.quote = self.quote.take().filter(|quote| !quote.is_over(cx.now));
                if self.phase == Phase::Building {
                    self.fail(Fault::NotBuilt, cx);
                }
            }
        }
    }

    pub(super) fn review(&mut self, purse: &Purse, cx: &mut Cx) {
        self.pressed = true;
        // The form may have been open for long: the fee that is agreed to is that of now.
        self.ask_gas_price(cx);
        if self.view(purse, cx.facts).ready {
            if let Some(question) = self.question(cx.facts) {
                self.amount = question.amount.to_units(question.from.decimals);
            }
            self.promised = self.quote.as_ref().map(|quote| quote.minimum);
            cx.tell(Signal::SwapReviewed);
        }
    }
}
