//! The send state as views read it (spec 3.14).

use super::{AmountFault, Phase, ReceiverFault, Send, check_evm, check_solana, form};
use crate::facts::Facts;
use portico_json::Json;
use portico_terms::amount::shown_units;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace};

/// The token of a send (spec 3.14).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Token {
    /// "Ether"
    pub name: String,
    /// "ETH"
    pub symbol: String,
    /// 18
    pub decimals: u8,
    /// What there is, exact; `null` while it is not known.
    pub balance: Option<String>,
    /// What there is, with three decimals.
    pub shown: Option<String>,
}

/// What views read (spec 3.14).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SendView")]
pub struct View {
    /// The coin.
    pub token: Option<Token>,
    /// As typed.
    pub send_token_amount: String,
    /// As typed.
    pub receiver_address: String,
    /// 4 leading and 6 trailing characters.
    pub receiver_short: String,
    /// Where the receiver is a name.
    pub receiver_profile_name: Option<String>,
    /// Where the receiver is a name.
    pub receiver_profile_image_url: Option<String>,
    /// Price of one gas, in the coin's smallest unit.
    pub gas_price: Option<Amount>,
    /// The most that the fee can be, where a price of the coin is known.
    #[json(rename = "gasPriceInUSD")]
    pub gas_price_in_usd: Option<String>,
    /// What there is, where a price of the coin is known.
    #[json(rename = "networkBalanceInUSD")]
    pub network_balance_in_usd: Option<String>,
    /// Whether the wallet was asked and has not answered.
    pub loading: bool,
    /// Whether it takes long to answer.
    pub slow: bool,
    /// The most that the fee can be, in coins.
    pub fee: Option<String>,
    /// Amount and fee together, in coins.
    pub total: Option<String>,
    /// What is wrong with the amount.
    pub amount_fault: Option<AmountFault>,
    /// What is wrong with the receiver.
    pub receiver_fault: Option<ReceiverFault>,
    /// Whether nothing is missing but the price of gas, of which the network says nothing: none of the fields is to blame.
    pub fee_missing: bool,
    /// Whether the preview may open.
    pub ready: bool,
    /// How far.
    pub phase: Phase,
    /// Why the wallet failed.
    pub error: Option<RpcError>,
    /// The network's name.
    pub network_name: Option<String>,
    /// The account's transactions that are not mined yet, the newest first.
    pub pending: Vec<InFlight>,
}

/// A transaction of the visitor's own that is not mined yet.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct InFlight {
    /// In small letters.
    pub hash: String,
    /// Its page on the explorer.
    pub url: Option<String>,
    /// With three decimals (spec 2.10).
    pub amount: String,
    /// "ETH"
    pub symbol: String,
}

impl Send {
    /// What views read.
    pub fn view(&self, balance: Option<Amount>, facts: &Facts) -> View {
        let network = facts.active_network.as_ref();
        let currency = network.map(|network| &network.native_currency);
        let decimals = currency.map_or(18, |currency| currency.decimals);
        let fee = self.fee.most();
        let checked = form::check(&self.amount, &self.receiver, decimals, balance, fee, facts);
        let amount = self.wei(facts);
        let complete = self.form_is_complete(facts);
        let usd = |amount: Amount| facts.price?.worth(amount, decimals);
        let units = |amount: Amount| amount.to_units(decimals);
        View {
            token: currency.map(|currency| Token {
                name: currency.name.clone(),
                symbol: currency.symbol.clone(),
                decimals: currency.decimals,
                balance: balance.map(units),
                shown: balance.map(|balance| balance.to_units_fixed(decimals, crate::account::BALANCE_DECIMALS)),
            }),
            send_token_amount: self.amount.clone(),
            receiver_address: self.receiver.clone(),
            receiver_short: portico_terms::address::shorten(&self.receiver),
            receiver_profile_name: None,
            receiver_profile_image_url: None,
            gas_price: self.fee.price,
            gas_price_in_usd: fee.and_then(usd),
            network_balance_in_usd: balance.and_then(usd),
            loading: self.phase == Phase::Confirming,
            slow: self.slow,
            fee: fee.map(units),
            total: amount.and_then(|amount| amount.plus(fee?)).map(units),
            // Until "Preview" was pressed an empty field is not a mistake.
            amount_fault: checked.amount.filter(|fault| self.pressed || *fault != AmountFault::Missing),
            receiver_fault: checked.receiver.filter(|fault| self.pressed || *fault != ReceiverFault::Missing),
            fee_missing: self.pressed && checked.is_ready() && !complete && self.fee.price.is_none(),
            ready: checked.is_ready() && complete,
            phase: self.phase,
            error: self.error.clone(),
            network_name: network.map(|network| network.name.clone()),
            pending: self.in_flight(facts),
        }
    }

    fn in_flight(&self, facts: &Facts) -> Vec<InFlight> {
        let Some(account) = &facts.account else { return Vec::new() };
        let own = self.pending.iter().rev().filter(|pending| pending.address == account.address);
        own.map(|pending| {
            let hash = pending.receipt.hash.to_ascii_lowercase();
            InFlight {
                url: facts
                    .network(&pending.chain)
                    .and_then(|network| network.explorer_url())
                    .map(|url| [url, "/tx/", &hash].concat()),
                hash,
                amount: shown_units(&pending.amount, crate::account::BALANCE_DECIMALS).unwrap_or_default(),
                symbol: pending.symbol.clone(),
            }
        })
        .collect()
    }

    fn form_is_complete(&self, facts: &Facts) -> bool {
        let network = facts.active_network.as_ref();
        match facts.account.as_ref().map(|account| account.namespace) {
            Some(Namespace::Eip155) => check_evm(
                network.is_some(),
                &self.amount,
                &self.receiver,
                self.fee.price.is_some(),
                network.map(|network| network.native_currency.decimals),
            )
            .is_ok(),
            Some(Namespace::Solana) => check_solana(&self.amount, &self.receiver).is_ok(),
            _ => false,
        }
    }
}
