//! Swap form and its quote for views.

use super::last::{InFlight, Swapped};
use super::pricing::Rest;
use super::quote::Quote;
use super::step::Step;
use super::tokens::Coin;
use super::{Fault, Impact, Offer, Phase, QuoteFault, Simulation, Swap, Target, contracts, quote, slippage};
use crate::facts::Facts;
use crate::pay::gas::is_fee_above;
use crate::pay::outcome::page;
use crate::pay::tokens::{Purse, worth};
use crate::pay::typed::{AmountFault, amount_of};
use portico_api::swap::SWAP_CHAINS;
use portico_calldata::{find, hex};
use portico_json::Json;
use portico_terms::address::{shorten, to_checksum};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace, Price};

/// One of the two tokens.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapToken")]
pub struct Side {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// Contract address in lower case.
    pub address: String,
    /// Contract with its checksum, and shortened; `null` for the coin.
    pub contract: Option<String>,
    pub contract_shown: Option<String>,
    /// 6
    pub decimals: u8,
    pub icon_url: Option<String>,
    /// Exact balance; `null` while unknown.
    pub balance: Option<String>,
    /// Balance with three decimals (spec 2.10).
    pub shown: Option<String>,
}

/// Contract of an exchange, by the widget's own table.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapContract")]
pub struct ContractView {
    /// "Uniswap V3"
    pub name: String,
    /// Its address, with the checksum.
    pub address: String,
    /// The address, shortened.
    pub shown: String,
    /// URL of the contract on the explorer.
    pub url: Option<String>,
}

/// Details of a quote.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapQuote")]
pub struct Shown {
    /// Amount to receive with all digits; an expected one unless it was typed.
    pub to_token_amount: String,
    /// Amount to receive, truncated to six digits.
    pub to_token_shown: String,
    /// Expected amount to pay where the amount to receive was typed, with all digits and truncated to six; else `null`.
    pub source_token_amount: Option<String>,
    pub source_token_shown: Option<String>,
    /// Amount of the received token per unit of the paid one.
    pub rate: Option<String>,
    /// Price impact of the amount, in percent.
    pub price_impact: Option<String>,
    /// Severity of the price impact.
    pub impact: Option<Impact>,
    /// Whether so much is lost, or nobody can tell how much, that the swap has to be confirmed twice.
    pub ruinous: bool,
    /// The price impact is an estimate from the value of both sides, only as exact as their prices.
    pub impact_about: bool,
    /// Minimum received: in the preview the one that the visitor was shown (spec 9.7).
    pub minimum_received: String,
    /// Minimum received, truncated to six digits.
    pub minimum_shown: String,
    /// Maximum paid where the amount to receive was typed: in the preview the one that the visitor was shown (spec 9.7); else `null`.
    pub maximum_paid: Option<String>,
    /// Maximum paid, truncated to six digits and rounded up.
    pub maximum_shown: Option<String>,
    /// Slippage tolerance in percent (spec 9.7).
    pub slippage: String,
    /// Name of the swap provider.
    pub provider: String,
    /// Names of the pools on the route.
    pub route: Vec<String>,
    /// Contract that exchanges: the one that takes the token, else that of the built transaction.
    pub contract: Option<ContractView>,
    /// Fee of the pools, in percent.
    pub provider_fee: Option<String>,
    /// Maximum network fee, in coins.
    pub network_fee: Option<String>,
    /// The network fee is far above those of the last blocks.
    pub fee_unusual: bool,
    /// Whether the network's nodes answer for another network, or differ.
    pub nodes_elsewhere: bool,
    /// Maximum network fee in US dollars, if a price is known.
    #[json(rename = "networkFeeInUSD")]
    pub network_fee_in_usd: Option<String>,
    /// Whether the token needs an approval first.
    pub approval_needed: bool,
    /// Whether the wallet batches approval and swap (EIP-5792).
    pub together: bool,
    /// The wallet refused a batch, so approval and swap are two requests.
    pub apart: bool,
}

/// Field of the amount to receive.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapToAmount")]
pub struct ToAmount {
    /// Amount as typed; `null` while the amount to pay is.
    pub typed: Option<String>,
    /// Error of the typed amount.
    pub fault: Option<AmountFault>,
}

/// The swap form for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapView")]
pub struct View {
    /// Whether the active chain supports swaps.
    pub offer: Offer,
    /// CAIP-2 ids of the host's networks that do, if the active one does not (spec 9.10).
    pub networks: Vec<String>,
    /// Token to pay.
    pub source_token: Option<Side>,
    /// Token to receive.
    pub to_token: Option<Side>,
    /// Amount to pay as typed; empty where the amount to receive is.
    pub source_token_amount: String,
    /// Field of the amount to receive; `null` where no swap provider takes one, so that only the amount to pay can be typed.
    pub to_amount: Option<ToAmount>,
    /// Amount to pay in US dollars, if a price is known.
    #[json(rename = "sourceTokenPriceInUSD")]
    pub source_fiat: Option<String>,
    /// Expected amount in US dollars, if a price is known.
    #[json(rename = "toTokenPriceInUSD")]
    pub to_fiat: Option<String>,
    /// The current quote.
    pub quote: Option<Shown>,
    /// A quote is being requested.
    pub loading: bool,
    /// Reason why there is no quote.
    pub quote_fault: Option<QuoteFault>,
    /// Error of the amount to pay.
    pub amount_fault: Option<AmountFault>,
    /// Symbol of a token whose contract reports other decimals than the list, or none.
    pub liar: Option<String>,
    /// Simulation of the swap, while the preview is open.
    pub simulation: Option<Simulation>,
    /// Whether the preview may open.
    pub ready: bool,
    pub phase: Phase,
    /// The wallet takes long to respond.
    pub slow: bool,
    /// The question to agree again is too new to have been read, so the button does not answer it yet.
    pub unread: bool,
    /// Cause of a failure that is not the wallet's.
    pub fault: Option<Fault>,
    /// Error of the wallet.
    pub error: Option<RpcError>,
    pub network_name: Option<String>,
    /// Symbol of the network's coin: "ETH".
    pub network_symbol: Option<String>,
    pub slippage: slippage::View,
    /// Time until the next quote; `null` while one is requested, or there is none.
    pub rest: Option<Rest>,
    /// Unfinished swaps of the account, the newest first.
    pub pending: Vec<InFlight>,
    /// The last signed swap, while its view is open.
    pub sent: Option<Swapped>,
}

impl Swap {
    pub fn view(&self, purse: &Purse, facts: &Facts) -> View {
        let network = facts.active_network.as_ref();
        let fault = self.amount_fault(purse, facts);
        let sound = fault.is_none();
        let liar = self.form.from.iter().chain(&self.form.to).find(|coin| self.readings.is_liar(coin));
        let sure = |coin: &Option<Coin>| coin.as_ref().is_some_and(|coin| self.readings.is_sure(coin));
        let known = sure(&self.form.from) && sure(&self.form.to) && self.readings.fee.price.is_some();
        let fiat = |coin: &Option<Coin>, amount: Option<Amount>| {
            let coin = coin.as_ref()?;
            worth(amount?, coin.decimals, self.price(coin, purse, facts))
        };
        let quote = self.pricing.quote();
        let exact_out = self.form.typed == Target::ToToken;
        let (paid, received) = match exact_out {
            // Once the maximum is shown, the value beside it is that of the maximum.
            true if self.promised.is_some() => {
                let most = |quote: &Quote| if self.step == Step::Outdated { quote.maximum } else { self.most(quote) };
                (quote.map(most), self.amount(&self.form.to).ok())
            }
            true => (quote.map(|quote| quote.amount), self.amount(&self.form.to).ok()),
            false => (self.amount(&self.form.from).ok(), quote.map(|quote| quote.to_amount)),
        };
        let fault = match fault {
            Some(AmountFault::Missing) if self.form.disputed => Some(AmountFault::BalanceDisputed),
            // An empty amount is no error before "Review" was pressed.
            fault => fault.filter(|fault| self.form.review_pressed || *fault != AmountFault::Missing),
        };
        // A balance that is too low belongs to the amount to pay, whichever amount was typed.
        let of_typed = |fault: &AmountFault| !matches!(fault, AmountFault::AboveBalance | AmountFault::InsufficientGas);
        View {
            offer: self.form.offer,
            networks: if self.form.offer == Offer::Unsupported { self.able(facts) } else { Vec::new() },
            source_token: self.form.from.as_ref().map(|coin| self.side(coin, purse)),
            to_token: self.form.to.as_ref().map(|coin| self.side(coin, purse)),
            source_token_amount: if exact_out { String::new() } else { self.form.amount.clone() },
            to_amount: self.takes_received().then(|| ToAmount {
                typed: exact_out.then(|| self.form.amount.clone()),
                fault: fault.filter(|fault| exact_out && of_typed(fault)),
            }),
            source_fiat: fiat(&self.form.from, paid),
            to_fiat: fiat(&self.form.to, received),
            quote: self.quoted_view(purse, facts),
            loading: self.pricing.is_awaited(),
            quote_fault: self.pricing.fault(),
            amount_fault: fault.filter(|fault| !(exact_out && of_typed(fault))),
            liar: liar.map(|coin| coin.symbol.clone()),
            simulation: self.rehearsal.state,
            // The visitor must not agree to an amount with unconfirmed decimals, or to an unknown fee.
            ready: known
                && sound
                && !self.slippage.wrong
                && self.pricing.quote().is_some_and(|quote| self.fee_of(Some(quote)).is_some()),
            phase: if self.payments.silent && self.step.asks_wallet() { Phase::Silent } else { self.step.phase() },
            slow: self.payments.slow,
            unread: self.is_unread(),
            fault: self.step.fault(),
            error: self.step.error().cloned(),
            network_name: network.map(|network| network.name.clone()),
            network_symbol: network.map(|network| network.native_currency.symbol.clone()),
            slippage: self.slippage.view(),
            rest: self.pricing.rest.filter(|_| self.pricing.quote().is_some() && !self.pricing.is_awaited()),
            pending: self.in_flight(facts),
            sent: self.swapped(facts),
        }
    }

    fn side(&self, coin: &Coin, purse: &Purse) -> Side {
        let available = self.available(coin, purse);
        let contract = (!coin.is_native()).then(|| to_checksum(&coin.address));
        Side {
            name: coin.name.clone(),
            symbol: coin.symbol.clone(),
            address: coin.address.clone(),
            contract_shown: contract.as_deref().map(shorten),
            contract,
            decimals: coin.decimals,
            icon_url: coin.icon.clone(),
            shown: available.map(|amount| amount.shown_balance(coin.decimals)),
            balance: available.map(|amount| amount.to_units(coin.decimals)),
        }
    }

    fn quoted_view(&self, purse: &Purse, facts: &Facts) -> Option<Shown> {
        let (quote, from, to) = (self.pricing.quote()?, self.form.from.as_ref()?, self.form.to.as_ref()?);
        let exact = |coin: &Coin, amount: Amount| self.price(coin, purse, facts)?.worth(amount, coin.decimals);
        // Some providers do not report the price impact, and a server could make it up: the worse of both is shown.
        let lost = exact(from, quote.amount).zip(exact(to, quote.to_amount));
        let lost = lost.and_then(|(paid, bought)| quote::lost(&paid, &bought));
        // The wrapped coin is worth the coin, whether or not anybody has a price for it.
        let wraps = self.wraps(from, to, facts) && quote.to_amount == quote.amount;
        let impact = if wraps { Some(Amount::ZERO) } else { quote.impact.max(lost) };
        let fee = self.fee_of(Some(quote));
        let decimals = facts.active_network.as_ref().map_or(18, |network| network.native_currency.decimals);
        let received = quote.to_amount.to_units(to.decimals);
        // The minimum that was shown stays until the visitor agrees to a lower one.
        let promised = self.promised.filter(|_| self.step != Step::Outdated);
        let bounds = promised.unwrap_or(quote.bounds());
        let minimum = bounds.brings.to_units(to.decimals);
        let exact_out = quote.typed == Target::ToToken;
        let paid = exact_out.then(|| quote.amount.to_units(from.decimals));
        let maximum = exact_out.then(|| bounds.pays.to_units(from.decimals));
        Some(Shown {
            to_token_shown: quote::significant(&received),
            to_token_amount: received,
            source_token_shown: paid.as_deref().map(quote::significant),
            source_token_amount: paid,
            maximum_shown: maximum.as_deref().map(quote::significant_above),
            maximum_paid: maximum,
            rate: quote::rate(quote.amount, from.decimals, quote.to_amount, to.decimals),
            price_impact: impact.map(|impact| impact.to_units(2)),
            impact: impact.map(quote::level),
            ruinous: impact.is_none_or(|impact| impact >= Amount::from(quote::RUINOUS)),
            impact_about: !wraps && impact > quote.impact,
            minimum_shown: quote::significant(&minimum),
            minimum_received: minimum,
            slippage: self.slippage.percent(),
            provider: quote.provider.clone(),
            route: quote.route.clone(),
            contract: self.contract_view(quote, facts),
            provider_fee: quote.fee.clone(),
            fee_unusual: self.readings.fee.is_unusual(),
            nodes_elsewhere: self.readings.fee.is_elsewhere(),
            network_fee: fee.map(|fee| fee.to_units(decimals)),
            network_fee_in_usd: fee.and_then(|fee| worth(fee, decimals, facts.price)),
            approval_needed: self.needs_approval(quote),
            together: self.needs_approval(quote) && self.batches(facts),
            apart: facts.batches && !self.batches(facts),
        })
    }

    /// Whether the coin becomes its wrapped form, or the other way round.
    fn wraps(&self, from: &Coin, to: &Coin, facts: &Facts) -> bool {
        let other = match (from.is_native(), to.is_native()) {
            (true, false) => to,
            (false, true) => from,
            _ => return false,
        };
        let Some(chain) = &self.form.chain else { return false };
        let wrapped = portico_calldata::wrapped(&contracts::of(chain, facts));
        wrapped.is_some() && wrapped == hex::address(&other.address)
    }

    fn contract_view(&self, quote: &Quote, facts: &Facts) -> Option<ContractView> {
        let address = quote.spender.as_ref().or(self.target.as_ref())?;
        let chain = self.form.chain.as_ref()?;
        let contracts = contracts::of(chain, facts);
        let contract = find(&contracts, &hex::address(address)?)?;
        let address = to_checksum(address);
        let url = page(chain, "/address/", &address, facts);
        Some(ContractView { name: contract.protocol.name().into(), shown: shorten(&address), url, address })
    }

    fn price(&self, coin: &Coin, purse: &Purse, facts: &Facts) -> Option<Price> {
        self.told_price(coin, facts).or_else(|| coin.held(purse).1)
    }

    /// Price, of the network's coin or as the server answered for the pair.
    pub(super) fn told_price(&self, coin: &Coin, facts: &Facts) -> Option<Price> {
        facts.price.filter(|_| coin.is_native()).or(self.readings.price(coin))
    }

    /// The typed amount, in the smallest unit of its token.
    fn amount(&self, coin: &Option<Coin>) -> Result<Amount, AmountFault> {
        let coin = coin.as_ref().ok_or(AmountFault::Missing)?;
        amount_of(&self.form.amount, coin.decimals)
    }

    /// Error of the amount (spec 5.11). Where the amount to receive is typed, the account has to have the maximum that it may cost.
    fn amount_fault(&self, purse: &Purse, facts: &Facts) -> Option<AmountFault> {
        let from = self.form.from.as_ref()?;
        let exact_out = self.form.typed == Target::ToToken;
        let amount = match self.amount(if exact_out { &self.form.to } else { &self.form.from }) {
            Ok(_) if exact_out => self.most(self.pricing.quote()?),
            Ok(amount) => amount,
            Err(fault) => return Some(fault),
        };
        if self.available(from, purse).is_some_and(|balance| amount > balance) {
            return Some(AmountFault::AboveBalance);
        }
        let fee = self.pricing.quote().and_then(|quote| self.fee_of(Some(quote)));
        // The paid coins are not available for gas.
        let spent = if from.is_native() { amount } else { Amount::ZERO };
        is_fee_above(purse.coin, spent, fee, facts).then_some(AmountFault::InsufficientGas)
    }

    /// Host networks that support swaps: those that its server names, those with a loaded token list, and, if nothing is known of the
    /// server, those of the contract (spec 9.10).
    fn able(&self, facts: &Facts) -> Vec<String> {
        let able = facts.networks.iter().map(|network| &network.caip_network_id).filter(|chain| {
            let known = match facts.offer.swap.as_slice() {
                [] => chain.number().is_some_and(|number| SWAP_CHAINS.contains(&number)),
                named => named.contains(chain),
            };
            let told = self.lists.iter().any(|list| list.chain == **chain);
            chain.namespace() == Namespace::Eip155 && self.form.chain.as_ref() != Some(chain) && (known || told)
        });
        able.map(ToString::to_string).collect()
    }
}
