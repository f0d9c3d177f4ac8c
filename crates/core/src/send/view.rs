//! Send form and its transactions for views (spec 3.14).

use super::asset::TokenState;
use super::flight::Sent;
use super::form::amount_fault;
use super::receiver::Warning;
use super::{AmountFault, Phase, ReceiverFault, Send, check_evm, check_solana};
use crate::facts::Facts;
use crate::pay::gas::{TOKEN_TRANSFER, TRANSFER};
use crate::pay::kept::InFlight;
use crate::pay::paid::Recent;
use crate::pay::tokens::{Purse, worth, worth_together};
use portico_json::Json;
use portico_terms::address::{shorten, to_checksum};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace};

/// Token or coin to send (spec 3.14).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Token {
    /// "Ether"
    pub name: String,
    /// "ETH"
    pub symbol: String,
    /// Address of the contract; `null` for the chain's own coin.
    pub address: Option<String>,
    /// Shortened `address`: 4 leading and 6 trailing characters.
    pub address_short: Option<String>,
    /// Symbol as the contract says, where the list has another one.
    pub own_symbol: Option<String>,
    /// 18; for a token as its contract reports, `null` before that.
    pub decimals: Option<u8>,
    /// Exact balance; `null` while unknown.
    pub balance: Option<String>,
    /// Balance with three decimals (spec 2.10).
    pub shown: Option<String>,
    pub icon_url: Option<String>,
    /// Progress of the reads from its contract.
    pub state: TokenState,
}

/// The send form for views (spec 3.14).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SendView")]
pub struct View {
    /// Coin or token to send.
    pub token: Option<Token>,
    /// Amount as typed.
    pub send_token_amount: String,
    /// Value of the amount in US dollars, with two decimals, if a price is known.
    pub send_token_value: Option<String>,
    /// Value as typed, in US dollars; `null` while the visitor types the amount itself.
    pub typed_value: Option<String>,
    /// Whether the visitor can type a value instead: the price and the decimals are known.
    pub value_known: bool,
    /// Receiver as typed: an address or a name.
    pub receiver_address: String,
    /// Address that is paid, with its checksum: typed, or the resolved address of the name.
    pub receiver_resolved: Option<String>,
    /// Shortened `receiver_resolved`: 4 leading and 6 trailing characters.
    pub receiver_short: String,
    /// Name of the receiver: typed, or the one that the address has.
    pub receiver_profile_name: Option<String>,
    /// URL of the receiver's avatar.
    pub receiver_profile_image_url: Option<String>,
    /// Addresses that the account paid last from this browser, with their checksum; empty once a receiver is typed.
    pub recent: Vec<Recent>,
    /// Warnings to read before paying, the worst first.
    pub warnings: Vec<Warning>,
    /// Address paid before that the receiver could be mistaken for.
    pub look_alike: Option<String>,
    /// Price of one gas, in the coin's smallest unit.
    pub gas_price: Option<Amount>,
    /// Maximum fee in US dollars, if a price of the coin is known.
    #[json(rename = "gasPriceInUSD")]
    pub gas_price_in_usd: Option<String>,
    /// Coin balance in US dollars, if a price of the coin is known.
    #[json(rename = "networkBalanceInUSD")]
    pub network_balance_in_usd: Option<String>,
    /// Whether the wallet's response is pending.
    pub loading: bool,
    /// Whether the wallet takes long to respond.
    pub slow: bool,
    /// Maximum fee, in coins.
    pub fee: Option<String>,
    /// Maximum fee in US dollars, with two decimals, if a price is known.
    pub fee_value: Option<String>,
    /// Symbol of the coin that pays the fee: "ETH".
    pub fee_symbol: String,
    /// Sum of amount and fee, if the coin itself is sent.
    pub total: Option<String>,
    /// `total` in US dollars, with two decimals, if a price is known.
    pub total_value: Option<String>,
    /// Error of the amount.
    pub amount_fault: Option<AmountFault>,
    /// Error of the receiver.
    pub receiver_fault: Option<ReceiverFault>,
    /// Whether the trial call of this transfer reverts.
    pub reverts: bool,
    /// Whether only the gas price is missing because the network did not report it; no field is wrong.
    pub fee_missing: bool,
    /// Whether the preview may open.
    pub ready: bool,
    pub phase: Phase,
    /// Error of the wallet.
    pub error: Option<RpcError>,
    pub network_name: Option<String>,
    /// Unmined transactions of the account, the newest first.
    pub pending: Vec<InFlight>,
    /// The last sent transaction, while its view is open.
    pub sent: Option<Sent>,
}

impl Send {
    pub fn view(&self, purse: &Purse, facts: &Facts) -> View {
        let network = facts.active_network.as_ref();
        let currency = network.map(|network| &network.native_currency);
        let decimals = currency.map_or(18, |currency| currency.decimals);
        let funds = self.funds(purse, facts);
        let fee = self.fee.most_of(if funds.native { TRANSFER } else { TOKEN_TRANSFER });
        let amount_fault = match amount_fault(&self.amount, &funds, fee, facts) {
            // "Max" was chosen, and the fee exceeds the balance.
            Some(AmountFault::Zero) if funds.native && self.all.is_some_and(|all| !all.is_zero()) => {
                Some(AmountFault::InsufficientGas)
            }
            Some(AmountFault::Missing) if self.disputed => Some(AmountFault::BalanceDisputed),
            fault => self.value_fault.or(fault),
        };
        let receiver_fault = self.receiver_fault(facts);
        let fine = amount_fault.is_none() && receiver_fault.is_none() && !self.reverts;
        let amount = self.units(facts);
        let complete = self.form_is_complete(facts);
        let usd = |amount: Amount| facts.price?.worth(amount, decimals);
        let total = amount.filter(|_| funds.native).and_then(|amount| amount.plus(fee?));
        let resolved = Some(self.receiver.shown_address()).filter(|address| portico_terms::address::is_evm(address));
        let open = [None, Some(ReceiverFault::Missing), Some(ReceiverFault::Resolving)];
        let refused = !open.contains(&receiver_fault);
        let (warnings, look_alike) = self.warnings(refused, facts);
        View {
            token: self.token(purse, facts),
            send_token_amount: self.amount.clone(),
            send_token_value: amount.zip(funds.decimals).and_then(|(amount, unit)| worth(amount, unit, funds.price)),
            typed_value: self.value_field(funds.price, funds.decimals),
            value_known: funds.price.is_some() && funds.decimals.is_some(),
            receiver_address: self.receiver.text.clone(),
            receiver_resolved: resolved.map(to_checksum),
            receiver_short: shorten(self.receiver.shown_address()),
            receiver_profile_name: self.receiver.shown_name().filter(|_| !refused).cloned(),
            receiver_profile_image_url: self.receiver.image().cloned(),
            recent: if self.receiver.text.is_empty() { self.dealings.recent() } else { Vec::new() },
            warnings,
            look_alike,
            gas_price: self.fee.price,
            gas_price_in_usd: fee.and_then(usd),
            network_balance_in_usd: purse.coin.and_then(usd),
            loading: self.phase == Phase::Confirming || self.agreed.is_some(),
            slow: self.payments.slow,
            fee: fee.map(|fee| fee.to_units(decimals)),
            fee_value: fee.and_then(|fee| worth(fee, decimals, facts.price)),
            fee_symbol: currency.map(|currency| currency.symbol.clone()).unwrap_or_default(),
            total: total.map(|total| total.to_units(decimals)),
            total_value: total
                .and(amount.zip(fee))
                .and_then(|(amount, fee)| worth_together([amount, fee], decimals, facts.price)),
            // An empty field is no error before "Preview" was pressed.
            amount_fault: amount_fault.filter(|fault| self.pressed || *fault != AmountFault::Missing),
            receiver_fault: receiver_fault.filter(|fault| self.pressed || *fault != ReceiverFault::Missing),
            reverts: self.reverts,
            fee_missing: self.pressed && fine && !complete && self.fee.price.is_none(),
            ready: fine && complete,
            phase: if self.payments.silent && self.phase == Phase::Confirming { Phase::Silent } else { self.phase },
            error: self.error.clone(),
            network_name: network.map(|network| network.name.clone()),
            pending: self.in_flight(facts),
            sent: self.sent_last(facts),
        }
    }

    fn token(&self, purse: &Purse, facts: &Facts) -> Option<Token> {
        let network = facts.active_network.as_ref()?;
        let funds = self.funds(purse, facts);
        let known = funds.balance.zip(funds.decimals);
        let balance = known.map(|(balance, decimals)| balance.to_units(decimals));
        let shown = known.map(|(balance, decimals)| balance.shown_balance(decimals));
        Some(match &self.asset {
            None => Token {
                name: network.native_currency.name.clone(),
                symbol: network.native_currency.symbol.clone(),
                address: None,
                address_short: None,
                own_symbol: None,
                icon_url: network.assets.image_url.clone(),
                state: TokenState::Ready,
                decimals: funds.decimals,
                balance,
                shown,
            },
            Some(asset) => Token {
                name: asset.name.clone(),
                symbol: asset.symbol.clone(),
                address: Some(asset.contract.clone()),
                address_short: Some(shorten(&asset.contract)),
                own_symbol: asset.own_symbol.clone(),
                icon_url: asset.icon.clone(),
                state: asset.state,
                decimals: funds.decimals,
                balance,
                shown,
            },
        })
    }

    /// Error of the receiver, with an empty one included.
    pub fn receiver_fault(&self, facts: &Facts) -> Option<ReceiverFault> {
        let Some(account) = &facts.account else { return Some(ReceiverFault::Missing) };
        let contract = self.asset.as_ref().map(|asset| asset.contract.as_str());
        self.receiver.fault(account, contract, facts)
    }

    fn form_is_complete(&self, facts: &Facts) -> bool {
        let network = facts.active_network.as_ref();
        match facts.account.as_ref().map(|account| account.namespace) {
            Some(Namespace::Eip155) => {
                let readable = self.asset.as_ref().is_none_or(|asset| asset.state == TokenState::Ready);
                readable
                    && check_evm(
                        network.is_some(),
                        self.asset.is_none(),
                        &self.amount,
                        self.receiver.address(),
                        self.fee.price.is_some(),
                        network.map(|network| network.native_currency.decimals),
                    )
                    .is_ok()
            }
            Some(Namespace::Solana) => check_solana(&self.amount, self.receiver.address()).is_ok(),
            _ => false,
        }
    }
}
