//! The swap as views read it.

use super::flight::Kind;
use super::tokens::{Coin, SHOWN};
use super::{Fault, Impact, Offer, Phase, QuoteFault, Swap, quote};
use crate::facts::Facts;
use crate::pay::gas::is_gas_insufficient;
use crate::pay::tokens::{Purse, worth};
use crate::pay::typed::{AmountFault, amount_of};
use portico_api::swap::{SLIPPAGE, SWAP_CHAINS};
use portico_json::Json;
use portico_terms::amount::shown_units;
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
    /// Of the contract, in small letters.
    pub address: String,
    /// 6
    pub decimals: u8,
    /// The picture.
    pub icon_url: Option<String>,
    /// What there is, exact; `null` while it is not known.
    pub balance: Option<String>,
    /// What there is, cut.
    pub shown: Option<String>,
}

/// What is known of the amounts once there is a quote.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapQuote")]
pub struct Shown {
    /// What is expected, exact.
    pub to_token_amount: String,
    /// The same with six digits, cut.
    pub to_token_shown: String,
    /// How many of what is received there are for one of what is paid.
    pub rate: Option<String>,
    /// By how many per cent the amount itself worsens its price.
    pub price_impact: Option<String>,
    /// How much that is.
    pub impact: Option<Impact>,
    /// Nobody said it: it is what both sides are worth, and as exact as their prices are.
    pub impact_about: bool,
    /// What is received at least: in the preview that is what the visitor was promised (spec 9.7).
    pub minimum_received: String,
    /// The same with six digits, cut.
    pub minimum_shown: String,
    /// In per cent (spec 9.7).
    pub slippage: u32,
    /// Who gives it.
    pub provider: String,
    /// The pools that are passed.
    pub route: Vec<String>,
    /// What the pools keep, in per cent.
    pub provider_fee: Option<String>,
    /// The most that the network takes, in coins.
    pub network_fee: Option<String>,
    /// The same in US dollars, where a price is known.
    #[json(rename = "networkFeeInUSD")]
    pub network_fee_in_usd: Option<String>,
    /// Whether the token has to be approved first.
    pub approval_needed: bool,
    /// Whether the wallet approves and swaps in one step (EIP-5792).
    pub together: bool,
    /// The wallet was asked to do so, and does one after the other.
    pub apart: bool,
}

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapView")]
pub struct View {
    /// Whether the chain in use can swap.
    pub offer: Offer,
    /// The networks of the host that can, where this one cannot: CAIP-2 (spec 9.10).
    pub networks: Vec<String>,
    /// What is paid.
    pub source_token: Option<Side>,
    /// What is received.
    pub to_token: Option<Side>,
    /// As typed.
    pub source_token_amount: String,
    /// What is paid, in US dollars, where a price is known.
    #[json(rename = "sourceTokenPriceInUSD")]
    pub source_fiat: Option<String>,
    /// What is expected, in US dollars, where a price is known.
    #[json(rename = "toTokenPriceInUSD")]
    pub to_fiat: Option<String>,
    /// What is known of the amounts.
    pub quote: Option<Shown>,
    /// A quote is asked for.
    pub loading: bool,
    /// Why there is none.
    pub quote_fault: Option<QuoteFault>,
    /// What is wrong with the amount.
    pub amount_fault: Option<AmountFault>,
    /// A token's contract says other decimals than the list, or none: which.
    pub liar: Option<String>,
    /// Whether the preview may open.
    pub ready: bool,
    /// How far.
    pub phase: Phase,
    /// The wallet takes long.
    pub slow: bool,
    /// Why it failed, where it was not the wallet that said so.
    pub fault: Option<Fault>,
    /// Why the wallet failed.
    pub error: Option<RpcError>,
    /// The network's name.
    pub network_name: Option<String>,
    /// The network's coin: "ETH".
    pub network_symbol: Option<String>,
    /// The account's swaps that are not mined yet, the newest first.
    pub pending: Vec<InFlight>,
}

/// A swap of the visitor's own that is not mined yet.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapInFlight")]
pub struct InFlight {
    /// In small letters. Of calls that are done together it is the wallet's name for them (EIP-5792).
    pub hash: String,
    /// Its page on the explorer.
    pub url: Option<String>,
    /// What is paid, with three decimals (spec 2.10).
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// What is expected, with three decimals.
    pub to_amount: String,
    /// "USDC"
    pub to_symbol: String,
    /// When it was sent, epoch milliseconds.
    pub since: u64,
    /// It takes so long that a higher fee may help.
    pub slow: bool,
}

impl Swap {
    /// What views read.
    pub fn view(&self, purse: &Purse, facts: &Facts) -> View {
        let network = facts.active_network.as_ref();
        let fault = self.amount_fault(purse, facts);
        let liar = self.from.iter().chain(&self.to).find(|coin| self.is_liar(coin));
        let sure = |coin: &Option<Coin>| coin.as_ref().is_some_and(|coin| self.is_sure(coin));
        let known = sure(&self.from) && sure(&self.to) && self.fee.price.is_some();
        let fiat = |coin: &Option<Coin>, amount: Option<Amount>| {
            let coin = coin.as_ref()?;
            worth(amount?, coin.decimals, self.price(coin, purse, facts))
        };
        let paid = self.from.as_ref().and_then(|from| amount_of(&self.amount, from.decimals).ok());
        View {
            offer: self.offer,
            networks: if self.offer == Offer::Unsupported { self.able(facts) } else { Vec::new() },
            source_token: self.from.as_ref().map(|coin| self.side(coin, purse)),
            to_token: self.to.as_ref().map(|coin| self.side(coin, purse)),
            source_token_amount: self.amount.clone(),
            source_fiat: fiat(&self.from, paid),
            to_fiat: fiat(&self.to, self.quote.as_ref().map(|quote| quote.to_amount)),
            quote: self.quoted_view(purse, facts),
            loading: self.quoting,
            quote_fault: self.quote_fault.filter(|_| self.quote.is_none()),
            // Until "Review" was pressed an empty field is not a mistake.
            amount_fault: fault.filter(|fault| self.pressed || *fault != AmountFault::Missing),
            liar: liar.map(|coin| coin.symbol.clone()),
            // Neither an amount of which the decimals are a guess, nor a fee that nobody knows, is agreed to.
            ready: known
                && fault.is_none()
                && self.quote.as_ref().is_some_and(|quote| self.fee_of(Some(quote)).is_some()),
            phase: if self.silent && self.phase.asks_wallet() { Phase::Silent } else { self.phase },
            slow: self.slow,
            fault: self.fault,
            error: self.error.clone(),
            network_name: network.map(|network| network.name.clone()),
            network_symbol: network.map(|network| network.native_currency.symbol.clone()),
            pending: self.in_flight(facts),
        }
    }

    fn side(&self, coin: &Coin, purse: &Purse) -> Side {
        let balance = self.available(coin, purse).map(|amount| amount.to_units(coin.decimals));
        Side {
            name: coin.name.clone(),
            symbol: coin.symbol.clone(),
            address: coin.address.clone(),
            decimals: coin.decimals,
            icon_url: coin.icon.clone(),
            shown: balance.as_deref().and_then(|balance| shown_units(balance, SHOWN)),
            balance,
        }
    }

    fn quoted_view(&self, purse: &Purse, facts: &Facts) -> Option<Shown> {
        let (quote, from, to) = (self.quote.as_ref()?, self.from.as_ref()?, self.to.as_ref()?);
        let exact = |coin: &Coin, amount: Amount| self.price(coin, purse, facts)?.worth(amount, coin.decimals);
        // Not every provider says by how much the amount worsens its price.
        let lost = || quote::lost(&exact(from, quote.amount)?, &exact(to, quote.to_amount)?);
        let impact = quote.impact.or_else(lost);
        let fee = self.fee_of(Some(quote));
        let decimals = facts.active_network.as_ref().map_or(18, |network| network.native_currency.decimals);
        let received = quote.to_amount.to_units(to.decimals);
        // What was promised stands until the visitor agrees to less.
        let promised = self.promised.filter(|_| self.phase != Phase::Outdated);
        let minimum = promised.unwrap_or(quote.minimum).to_units(to.decimals);
        Some(Shown {
            to_token_shown: quote::significant(&received),
            to_token_amount: received,
            rate: quote::rate(quote.amount, from.decimals, quote.to_amount, to.decimals),
            price_impact: impact.map(|impact| impact.to_units(2)),
            impact: impact.map(quote::level),
            impact_about: quote.impact.is_none() && impact.is_some(),
            minimum_shown: quote::significant(&minimum),
            minimum_received: minimum,
            slippage: SLIPPAGE,
            provider: quote.provider.clone(),
            route: quote.route.clone(),
            provider_fee: quote.fee.clone(),
            network_fee: fee.map(|fee| fee.to_units(decimals)),
            network_fee_in_usd: fee.and_then(|fee| worth(fee, decimals, facts.price)),
            approval_needed: self.needs_approval(quote),
            together: self.needs_approval(quote) && self.batches(facts),
            apart: facts.batches && !self.batches(facts),
        })
    }

    fn price(&self, coin: &Coin, purse: &Purse, facts: &Facts) -> Option<Price> {
        let told = self.prices.iter().find(|(address, _)| coin.is(address)).map(|(_, price)| *price);
        let coins = facts.price.filter(|_| coin.is_native());
        coins.or(told).or_else(|| coin.held(purse).1)
    }

    /// What is wrong with the amount (spec 5.11).
    fn amount_fault(&self, purse: &Purse, facts: &Facts) -> Option<AmountFault> {
        let from = self.from.as_ref()?;
        let amount = match amount_of(&self.amount, from.decimals) {
            Ok(amount) => amount,
            Err(fault) => return Some(fault),
        };
        // Without a balance the wallet is the judge.
        if self.available(from, purse).is_some_and(|balance| amount > balance) {
            return Some(AmountFault::AboveBalance);
        }
        let (coins, fee) = (purse.coin?, self.fee_of(Some(self.quote.as_ref()?))?);
        // What is paid is gone before gas is.
        let left = if from.is_native() { coins.minus(amount).unwrap_or(Amount::ZERO) } else { coins };
        is_gas_insufficient(left, fee, facts.price, facts.smart_account).then_some(AmountFault::InsufficientGas)
    }

    /// The networks of the host that can swap: those that its server names, those whose lists were told, and, where nothing is known of the
    /// server, those of the contract (spec 9.10).
    fn able(&self, facts: &Facts) -> Vec<String> {
        let able = facts.networks.iter().map(|network| &network.caip_network_id).filter(|chain| {
            let known = match facts.offer.swap.as_slice() {
                [] => chain.number().is_some_and(|number| SWAP_CHAINS.contains(&number)),
                named => named.contains(chain),
            };
            let told = self.lists.iter().any(|list| list.chain == **chain);
            chain.namespace() == Namespace::Eip155 && self.chain.as_ref() != Some(chain) && (known || told)
        });
        able.map(ToString::to_string).collect()
    }

    fn in_flight(&self, facts: &Facts) -> Vec<InFlight> {
        let Some(account) = &facts.account else { return Vec::new() };
        let own = self
            .pending
            .iter()
            .rev()
            .filter(|pending| pending.deal.address == account.address && pending.deal.kind.swaps());
        let short = |amount: &str| shown_units(amount, crate::account::BALANCE_DECIMALS).unwrap_or_default();
        own.map(|pending| {
            let hash = pending.flight.hash().to_ascii_lowercase();
            let explorer = facts.network(&pending.deal.chain).and_then(|network| network.explorer_url());
            InFlight {
                // What a wallet calls its calls is on no explorer.
                url: explorer.filter(|_| pending.deal.kind == Kind::Swap).map(|url| [url, "/tx/", &hash].concat()),
                hash,
                amount: short(&pending.deal.amount),
                symbol: pending.deal.symbol.clone(),
                to_amount: short(&pending.deal.to_amount),
                to_symbol: pending.deal.to_symbol.clone(),
                since: pending.flight.since,
                slow: pending.slow,
            }
        })
        .collect()
    }
}
