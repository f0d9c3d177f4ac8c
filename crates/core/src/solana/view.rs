//! Form, review and transactions of a payment on Solana for views.

use super::payee::{Target, read};
use super::trial::Trouble;
use super::{AmountFault, Phase, Sent, Solana, TokenState, Trial, network};
use crate::facts::Facts;
use crate::pay::kept::{InFlight, in_flight};
use crate::pay::tokens::worth;
use portico_encoding::base58;
use portico_json::Json;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, address::shorten};

/// Error of a receiver.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SolanaReceiverFault")]
pub enum ReceiverFault {
    /// The field is empty.
    Missing,
    /// Not base58.
    NotAnAddress,
    /// Not 32 bytes.
    WrongLength,
    /// An address of another kind of chain.
    OtherNamespace,
    /// The sender's own address.
    OwnAddress,
    /// A token account, instead of the wallet that owns it.
    TokenAccount,
    /// The mint of a token.
    TokenMint,
    /// A program.
    Program,
    /// An account that belongs to a program.
    ProgramAccount,
    /// No node told whether it is a wallet.
    Unread,
}

/// A warning before paying; it does not block the payment.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SolanaWarning")]
pub enum Warning {
    /// It looks like an address that the account paid before.
    LookAlike,
    /// No secret key belongs to the address: it is controlled by a program.
    Keyless,
    /// The chain does not know the address yet.
    NewAddress,
    /// The account never paid the address from this browser.
    FirstSeen,
}

/// Token or coin to send (spec 3.14).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SolanaToken")]
pub struct Token {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// Address of the mint; `null` for the chain's own coin.
    pub address: Option<String>,
    /// Shortened `address`: 4 leading and 6 trailing characters.
    pub address_short: Option<String>,
    /// 9; for a token as its mint reports, `null` before that.
    pub decimals: Option<u8>,
    /// Exact balance; `null` while unknown.
    pub balance: Option<String>,
    /// Balance with two decimals (spec 2.11).
    pub shown: Option<String>,
    pub icon_url: Option<String>,
    /// Progress of the reads from the chain, about a token or the balance of the coin.
    pub state: TokenState,
}

/// A payment on Solana for views (spec 3.14).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SolanaView")]
pub struct View {
    pub token: Option<Token>,
    /// Amount as typed.
    pub amount: String,
    /// Value of the amount in US dollars, with two decimals, if a price is known.
    pub value: Option<String>,
    /// Receiver as typed.
    pub receiver: String,
    /// Shortened `receiver`: 4 leading and 6 trailing characters.
    pub receiver_short: String,
    /// Error of the amount.
    pub amount_fault: Option<AmountFault>,
    /// Error of the receiver.
    pub receiver_fault: Option<ReceiverFault>,
    /// Whether the chain is asked about the receiver.
    pub looking: bool,
    /// Warnings to read before paying, the worst first.
    pub warnings: Vec<Warning>,
    /// Address of an earlier payment that the receiver could be mistaken for.
    pub look_alike: Option<String>,
    /// Addresses that were paid last, while the field is empty.
    pub recent: Vec<String>,
    /// Reason for which the payment would fail, or was not sent.
    pub trouble: Option<Trouble>,
    /// Amount of the coin that belongs to it, exact.
    pub trouble_amount: Option<String>,
    /// Words of a program about it.
    pub trouble_detail: Option<String>,
    /// Highest network fee, in coins.
    pub fee: Option<String>,
    /// Network fee in US dollars, with two decimals, if a price is known.
    pub fee_value: Option<String>,
    /// Symbol of the coin that pays the fee: "SOL".
    pub fee_symbol: String,
    /// Deposit for the receiver's new token account, in coins; `null` if none is made.
    pub deposit: Option<String>,
    /// Fee that the token takes from the amount, in tokens; `null` for a token without one.
    pub token_fee: Option<String>,
    /// Amount that the receiver gets of such a token.
    pub received: Option<String>,
    /// Sum of amount and fee, if the coin is sent.
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

impl Solana {
    /// Whether there is anything to show: the form on a network of Solana, or a receipt on any.
    pub fn is_shown(&self, facts: &Facts) -> bool {
        network(facts).is_some() || self.last.is_some()
    }

    pub fn view(&self, facts: &Facts) -> View {
        let network = network(facts);
        let coin = network.map(|network| &network.native_currency);
        let coins = |lamports: u64| Amount::from(lamports).to_units(coin.map_or(0, |coin| coin.decimals));
        let decimals = self.decimals(facts);
        let units = self.units(facts).ok();
        let price = self.asset.as_ref().map_or(facts.price, |asset| asset.price);
        let plan = self.plan(facts);
        let (amount_fault, receiver_fault) = (self.amount_fault(facts), self.receiver_fault(facts));
        let (trouble, trouble_amount, trouble_detail) = self.trouble(facts);
        let fee = plan.as_ref().map(super::Plan::fee);
        let deposit = plan.as_ref().and_then(|plan| self.deposit(plan)).filter(|deposit| *deposit > 0);
        let token_fee = plan.as_ref().and_then(|plan| plan.token.as_ref()?.fee);
        let tokens = |units: u64| Amount::from(units).to_units(decimals.unwrap_or_default());
        let tried = matches!(self.trial, Trial::Done(Ok(_)));
        let ready = plan.is_some() && tried && amount_fault.is_none() && receiver_fault.is_none();
        let total = fee.zip(units).filter(|_| self.asset.is_none()).map(|(fee, units)| units.saturating_add(fee));
        let key = self.receiver_key(facts).map(|key| base58::encode(&key));
        let (warnings, look_alike) = self.warnings(facts);
        View {
            token: self.token(facts),
            amount: self.amount.clone(),
            value: units.zip(decimals).and_then(|(units, decimals)| worth(units.into(), decimals, price)),
            receiver_short: shorten(key.as_deref().unwrap_or(&self.receiver)),
            receiver: self.receiver.clone(),
            // An empty field is no error before "Review" was pressed.
            amount_fault: amount_fault.filter(|fault| self.pressed || *fault != AmountFault::Missing),
            receiver_fault: receiver_fault.filter(|fault| self.pressed || *fault != ReceiverFault::Missing),
            looking: receiver_fault.is_none() && self.payee.is_none() && key.is_some(),
            warnings,
            look_alike,
            recent: self.paid.recent().filter(|_| self.receiver.is_empty()).map(|one| one.address.clone()).collect(),
            ready: ready && (trouble.is_none() || self.trouble.is_some()),
            trouble,
            trouble_amount: trouble_amount.map(coins),
            trouble_detail,
            fee_value: fee.zip(coin).and_then(|(fee, coin)| worth(fee.into(), coin.decimals, facts.price)),
            fee: fee.map(coins),
            fee_symbol: coin.map(|coin| coin.symbol.clone()).unwrap_or_default(),
            deposit: deposit.map(coins),
            token_fee: token_fee.map(tokens),
            received: token_fee.zip(units).map(|(fee, units)| tokens(units.saturating_sub(fee))),
            total: total.map(coins),
            phase: self.phase,
            slow: self.slow,
            error: self.error.clone(),
            network_name: network.map(|network| network.name.clone()),
            pending: in_flight(self.pending.iter().map(|pending| &pending.one), facts),
            sent: self.sent(facts),
        }
    }

    /// Error of the amount, an empty one included.
    pub(super) fn amount_fault(&self, facts: &Facts) -> Option<AmountFault> {
        if self.decimals(facts).is_none() {
            // Without known decimals only an empty amount is an error.
            return self.amount.trim().is_empty().then_some(AmountFault::Missing);
        }
        match self.units(facts) {
            Err(fault) => Some(fault),
            Ok(amount) => self.balance().is_some_and(|balance| amount > balance).then_some(AmountFault::AboveBalance),
        }
    }

    fn receiver_key(&self, facts: &Facts) -> Option<super::Key> {
        read(&self.receiver, &facts.account.as_ref()?.address).ok()
    }

    /// Error of the receiver, an empty one included.
    pub(super) fn receiver_fault(&self, facts: &Facts) -> Option<ReceiverFault> {
        let Some(account) = &facts.account else { return Some(ReceiverFault::Missing) };
        match read(&self.receiver, &account.address) {
            Err(fault) => Some(fault),
            Ok(_) if self.unread => Some(ReceiverFault::Unread),
            Ok(_) => self.payee.as_ref()?.fault,
        }
    }

    /// Reason for which the payment was not sent or cannot be, with an amount of the coin and a program's words.
    fn trouble(&self, facts: &Facts) -> (Option<Trouble>, Option<u64>, Option<String>) {
        let least = |trouble: Trouble| self.rent.filter(|_| matches!(trouble, Trouble::Rest | Trouble::NewAccount));
        if let Some((trouble, detail)) = &self.trouble {
            return (Some(*trouble), least(*trouble), detail.clone());
        }
        if let Some(trouble) = self.asset.as_ref().and_then(super::Asset::trouble) {
            return (Some(trouble), None, None);
        }
        if self.obstructed(facts) {
            return (None, None, None);
        }
        if let Some((trouble, amount)) = self.plan(facts).and_then(|plan| self.hindrance(&plan)) {
            return (Some(trouble), amount, None);
        }
        match &self.trial {
            Trial::Done(Err((trouble, detail))) => (Some(*trouble), least(*trouble), detail.clone()),
            _ => (None, None, None),
        }
    }

    /// Warnings to read before paying; and the known address that the receiver could be mistaken for.
    fn warnings(&self, facts: &Facts) -> (Vec<Warning>, Option<String>) {
        let Some(payee) = self.payee.as_ref().filter(|payee| payee.fault.is_none()) else { return Default::default() };
        let address = base58::encode(&payee.key);
        let known = self.paid.knows(&address) || facts.accounts.iter().any(|account| account.address == address);
        let alike = self.paid.look_alike(&address).filter(|_| !known).cloned();
        let unpaid = payee.account.is_none_or(|(_, state)| state == Target::Missing);
        let new = !payee.is_keyless() && payee.lamports == 0 && unpaid;
        let told = [
            (alike.is_some(), Warning::LookAlike),
            (payee.is_keyless(), Warning::Keyless),
            (new, Warning::NewAddress),
            (self.paid.read && !known && alike.is_none() && !new, Warning::FirstSeen),
        ];
        (told.into_iter().filter_map(|(told, warning)| told.then_some(warning)).collect(), alike)
    }

    fn token(&self, facts: &Facts) -> Option<Token> {
        let network = network(facts)?;
        let decimals = self.decimals(facts);
        let known = self.balance().map(Amount::from).zip(decimals);
        let balance = known.map(|(balance, decimals)| balance.to_units(decimals));
        let shown = known.map(|(balance, decimals)| balance.shown_balance(decimals));
        let currency = &network.native_currency;
        let asset = self.asset.as_ref();
        Some(Token {
            name: asset.map_or(&currency.name, |asset| &asset.name).clone(),
            symbol: asset.map_or(&currency.symbol, |asset| &asset.symbol).clone(),
            address: asset.map(|asset| asset.address.clone()),
            address_short: asset.map(|asset| shorten(&asset.address)),
            decimals,
            balance,
            shown,
            icon_url: asset.map_or(&network.assets.image_url, |asset| &asset.icon).clone(),
            state: self.balance_state(),
        })
    }
}
