//! Form, review and transactions of a payment on Bitcoin for views.

use super::plan::{Lack, Speed, rates_of};
use super::{AmountFault, Bitcoin, DECIMALS, Phase, Plan, Sent, form, network, own, payee};
use crate::facts::Facts;
use crate::pay::kept::{InFlight, in_flight};
use crate::pay::tokens::worth;
use portico_calldata::bitcoin::OutPoint;
use portico_json::Json;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, address::shorten};

/// Part of the amount above which a fee is said to be high: a fifth.
const HIGH_FEE: u64 = 5;

/// Error of a receiver.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "BitcoinReceiverFault")]
pub enum ReceiverFault {
    /// The field is empty.
    Missing,
    /// No address of Bitcoin, or one with a typing error.
    NotAnAddress,
    /// An address of another kind of chain.
    OtherNamespace,
    /// An address of another network of Bitcoin.
    OtherNetwork,
    /// A kind of address that has no meaning yet.
    UnknownVersion,
    /// The sender's own address.
    OwnAddress,
}

/// A warning before paying; it does not block the payment.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "BitcoinWarning")]
pub enum Warning {
    /// It looks like an address that the account paid before.
    LookAlike,
    /// A payment that was signed before may still arrive, and this one would not take its place.
    EarlierPayment,
    /// The account never paid the address from this browser.
    FirstSeen,
    /// The payment spends coins that are in no block yet.
    Unconfirmed,
    /// The wallet names no other address for inscriptions and runes, so that the payment could spend them.
    MayHoldOrdinals,
    /// The fee is large beside the amount.
    HighFee,
}

/// Reason for which a payment cannot be sent, or was not.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "BitcoinTrouble")]
pub enum Trouble {
    /// Not enough for the fee.
    Coin,
    /// The network does not take so small an amount.
    Dust,
    /// The amount needs more outputs than one payment may spend.
    Inputs,
    /// Payments from this kind of account cannot be made here.
    Account,
    /// The nodes did not answer.
    Untried,
    /// The answers of the nodes contradict each other.
    Untrue,
    /// The wallet answered with another transaction.
    Changed,
    /// The wallet did not sign.
    Unsigned,
    /// A node did not take the transaction.
    Refused,
}

/// Fee of a speed.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "BitcoinSpeedRow")]
pub struct SpeedRow {
    pub speed: Speed,
    /// Satoshis for a byte, with one decimal: "12.3".
    pub rate: String,
    /// Network fee in coins, once amount and receiver are known.
    pub fee: Option<String>,
}

/// A payment on Bitcoin for views (spec 3.14).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "BitcoinView")]
pub struct View {
    /// "BTC"
    pub symbol: String,
    pub icon_url: Option<String>,
    /// Coins that can be sent, exact; `null` while unknown.
    pub balance: Option<String>,
    /// The same with three decimals.
    pub shown: Option<String>,
    /// No node told the account's coins or the fees.
    pub unread: bool,
    /// Amount as typed.
    pub amount: String,
    /// Value of the amount in US dollars, with two decimals, if a price is known.
    pub value: Option<String>,
    /// Receiver as typed.
    pub receiver: String,
    /// Address of the receiver; that of a payment link without the rest of it.
    pub receiver_address: String,
    /// Shortened `receiver_address`: 4 leading and 6 trailing characters.
    pub receiver_short: String,
    /// Error of the amount.
    pub amount_fault: Option<AmountFault>,
    /// Error of the receiver.
    pub receiver_fault: Option<ReceiverFault>,
    /// Warnings to read before paying, the worst first.
    pub warnings: Vec<Warning>,
    /// Address of an earlier payment that the receiver could be mistaken for.
    pub look_alike: Option<String>,
    /// Addresses that were paid last, while the field is empty.
    pub recent: Vec<String>,
    /// Reason for which the payment would fail, or was not sent.
    pub trouble: Option<Trouble>,
    /// Amount in coins that belongs to it, exact.
    pub trouble_amount: Option<String>,
    /// Words of a node about it.
    pub trouble_detail: Option<String>,
    /// Fees, the slowest speed first; empty while unknown.
    pub speeds: Vec<SpeedRow>,
    pub speed: Speed,
    /// Network fee, in coins.
    pub fee: Option<String>,
    /// Network fee in US dollars, with two decimals, if a price is known.
    pub fee_value: Option<String>,
    /// Coins that return to the account, exact.
    pub change: Option<String>,
    /// Coins that are too few to return, and stay with the network, exact.
    pub added: Option<String>,
    /// Sum of amount and fee.
    pub total: Option<String>,
    /// Whether the preview may open.
    pub ready: bool,
    pub phase: Phase,
    /// Whether the wallet takes long to respond.
    pub slow: bool,
    /// Error of the wallet.
    pub error: Option<RpcError>,
    pub network_name: Option<String>,
    /// Transactions on their way, the newest first, those that an earlier page sent included.
    pub pending: Vec<InFlight>,
    /// The last sent transaction, while its view is open.
    pub sent: Option<Sent>,
}

impl Bitcoin {
    /// Whether there is anything to show: the form on a network of Bitcoin, or a receipt on any.
    pub fn is_shown(&self, facts: &Facts) -> bool {
        network(facts).is_some() || self.last.is_some()
    }

    pub fn view(&self, facts: &Facts) -> View {
        let network = network(facts);
        let coins = |satoshis: u64| Amount::from(satoshis).to_units(DECIMALS);
        let money = |satoshis: u64| worth(satoshis.into(), DECIMALS, facts.price);
        let satoshis = self.satoshis().ok();
        let planned = self.plan(facts);
        let plan = planned.as_ref().and_then(|plan| plan.as_ref().ok());
        let (amount_fault, receiver_fault) = (self.amount_fault(facts), self.receiver_fault(facts));
        let (trouble, trouble_amount, trouble_detail) = self.trouble(facts);
        let fee = plan.map(|plan| plan.fee);
        let address = payee::address_in(&self.receiver);
        let (warnings, look_alike) = self.warnings(plan, &address, facts);
        let balance = self.balance(facts);
        let fields = amount_fault.is_none() && receiver_fault.is_none();
        View {
            symbol: network.map(|network| network.native_currency.symbol.clone()).unwrap_or_default(),
            icon_url: network.and_then(|network| network.assets.image_url.clone()),
            balance: balance.map(coins),
            shown: balance.and_then(|balance| {
                portico_terms::amount::shown_units(&coins(balance), portico_terms::amount::AMOUNT_DECIMALS)
            }),
            unread: self.unread,
            amount: self.amount.clone(),
            value: satoshis.and_then(money),
            receiver_short: shorten(&address),
            receiver_address: address,
            receiver: self.receiver.clone(),
            // An empty field is no error before "Review" was pressed.
            amount_fault: amount_fault.filter(|fault| self.pressed || *fault != AmountFault::Missing),
            receiver_fault: receiver_fault.filter(|fault| self.pressed || *fault != ReceiverFault::Missing),
            warnings,
            look_alike,
            recent: self.paid.recent().filter(|_| self.receiver.is_empty()).map(|one| one.address.clone()).collect(),
            ready: plan.is_some() && fields && (trouble.is_none() || self.trouble.is_some()),
            trouble,
            trouble_amount: trouble_amount.map(coins),
            trouble_detail,
            speeds: self.speeds(facts),
            speed: self.speed,
            fee_value: fee.and_then(money),
            fee: fee.map(coins),
            change: plan.and_then(|plan| plan.change).map(coins),
            added: plan.map(|plan| plan.added).filter(|added| *added > 0).map(coins),
            total: plan.map(|plan| coins(plan.amount.saturating_add(plan.fee))),
            phase: self.phase,
            slow: self.slow,
            error: self.error.clone(),
            network_name: network.map(|network| network.name.clone()),
            pending: in_flight(self.pending.iter().map(|pending| &pending.one), facts),
            sent: self.sent(facts),
        }
    }

    /// Satoshis that can be sent.
    fn balance(&self, facts: &Facts) -> Option<u64> {
        let from = own(facts)?;
        let coins = self.coins.as_deref()?;
        Some(super::Means { from: &from, coins, bound: Vec::new(), rate: 0 }.balance())
    }

    /// Error of the amount, an empty one included.
    fn amount_fault(&self, facts: &Facts) -> Option<AmountFault> {
        match self.satoshis() {
            Err(fault) => Some(fault),
            Ok(amount) => self.balance(facts).filter(|balance| amount > *balance).map(|_| AmountFault::AboveBalance),
        }
    }

    /// Error of the receiver, an empty one included.
    fn receiver_fault(&self, facts: &Facts) -> Option<ReceiverFault> {
        let (Some(account), Some(form)) = (&facts.account, form(facts)) else { return Some(ReceiverFault::Missing) };
        payee::read(&self.receiver, &account.address, form).err()
    }

    /// Reason for which the payment was not sent or cannot be, with an amount and a node's words.
    fn trouble(&self, facts: &Facts) -> (Option<Trouble>, Option<u64>, Option<String>) {
        if let Some((trouble, detail)) = &self.trouble {
            return (Some(*trouble), None, detail.clone());
        }
        let Some(from) = own(facts) else { return (Some(Trouble::Account), None, None) };
        if from.input_weight().is_none() {
            return (Some(Trouble::Account), None, None);
        }
        if self.amount_fault(facts).is_some() {
            return (None, None, None);
        }
        // So small an amount is wrong whatever it costs.
        if let (Ok(amount), Some(to)) = (self.satoshis(), self.to(facts))
            && amount < to.dust()
        {
            return (Some(Trouble::Dust), Some(to.dust()), None);
        }
        match self.plan(facts) {
            Some(Err(Lack::Coins(fee))) => (Some(Trouble::Coin), Some(fee).filter(|fee| *fee > 0), None),
            Some(Err(Lack::Inputs)) => {
                let most = self.to(facts).and_then(|to| self.means(&from, facts)?.most(&to));
                (Some(Trouble::Inputs), most, None)
            }
            Some(Err(Lack::Script)) => (Some(Trouble::Account), None, None),
            Some(Ok(_)) | None => (self.unread.then_some(Trouble::Untried), None, None),
        }
    }

    fn speeds(&self, facts: &Facts) -> Vec<SpeedRow> {
        let (Some(rates), Some(from)) = (rates_of(self.told), own(facts)) else { return Vec::new() };
        let fee = |rate: u64| {
            let means = super::Means { rate, ..self.means(&from, facts)? };
            let plan = means.plan(&self.to(facts)?, self.satoshis().ok()?).ok()?;
            Some(Amount::from(plan.fee).to_units(DECIMALS))
        };
        let row = |(speed, rate): (Speed, u64)| SpeedRow {
            speed,
            // Satoshis for 1,000 bytes have three decimals for one byte.
            rate: Amount::from(rate / 100).to_units_fixed(1, 1),
            fee: fee(rate),
        };
        Speed::ALL.iter().copied().zip(rates).map(row).collect()
    }

    /// Warnings to read before paying; and the known address that the receiver could be mistaken for.
    fn warnings(&self, plan: Option<&Plan>, address: &str, facts: &Facts) -> (Vec<Warning>, Option<String>) {
        if self.receiver_fault(facts).is_some() {
            return Default::default();
        }
        let known = self.paid.knows(address) || facts.accounts.iter().any(|account| account.address == *address);
        let alike = self.paid.look_alike(address).filter(|_| !known).cloned();
        let listed = |at: &OutPoint| self.coins.iter().flatten().any(|coin| coin.at == *at);
        let earlier = self.coins.is_some() && self.bound(facts).iter().any(|at| !listed(at));
        let told = [
            (earlier, Warning::EarlierPayment),
            (alike.is_some(), Warning::LookAlike),
            (plan.is_some_and(|plan| plan.fee > plan.amount / HIGH_FEE), Warning::HighFee),
            (self.ordinals_apart != Some(true), Warning::MayHoldOrdinals),
            (plan.is_some_and(Plan::is_unconfirmed), Warning::Unconfirmed),
            (self.paid.read && !known && alike.is_none(), Warning::FirstSeen),
        ];
        (told.into_iter().filter_map(|(told, warning)| told.then_some(warning)).collect(), alike)
    }
}
