//! Sending the chain's own coin: the form, the fee, the signature, the receipt.

mod form;
mod gas;
#[cfg(test)]
mod tests;

pub use form::{AmountFault, FormFault, ReceiverFault, check_evm, check_solana};
pub use gas::{BASE_FEE_MULTIPLIER, is_gas_insufficient, with_margin};

use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::facts::Facts;
use crate::network::NetworkFault;
use crate::notice::{Message, Variant};
use crate::rpc::{POLLING_INTERVAL, Receipt};
use crate::signal::Signal;
use crate::timer::Timer;
use gas::Fee;
use portico_json::{Json, Value};
use portico_terms::rpc::{RpcError, RpcErrorKind, is_transaction_hash};
use portico_terms::{Amount, ChainId, Namespace};

/// Typing rests so long before the fee is estimated (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// What the visitor does with the form.
#[derive(Clone, Debug, Json)]
#[json(name = "SendEvent")]
pub enum Event {
    /// The form is shown.
    FormOpened,
    /// The amount was typed.
    AmountTyped {
        /// As typed.
        text: String,
    },
    /// The receiver was typed or pasted.
    ReceiverTyped {
        /// As typed.
        text: String,
    },
    /// All that can be sent.
    MaxAsked,
    /// On to the preview.
    ReviewAsked,
    /// The visitor agrees; the wallet is asked.
    ConfirmAsked,
}

/// Why something was asked.
#[derive(Clone, Debug)]
pub enum Asked {
    /// The price of gas, for this chain.
    GasPrice(ChainId),
    /// How much gas this transfer takes.
    GasLimit(u32),
    /// The wallet's signature.
    Sent(u32),
    /// The receipt of this hash.
    Receipt(String),
}

/// How far a send is.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SendPhase")]
pub enum Phase {
    /// The form is being filled in.
    #[default]
    Editing,
    /// The wallet was asked.
    Confirming,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet could not.
    Failed,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Send {
    amount: String,
    receiver: String,
    fee: Fee,
    phase: Phase,
    error: Option<RpcError>,
    attempts: u32,
    /// The visitor asked to go on: from now on what is missing is said.
    pressed: bool,
    ticket: Option<u32>,
    pending: Option<(Receipt, ChainId)>,
    last_hash: Option<String>,
}

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
    /// Where a price of the coin is known.
    #[json(rename = "gasPriceInUSD")]
    pub gas_price_in_usd: Option<String>,
    /// Where a price of the coin is known.
    #[json(rename = "networkBalanceInUSD")]
    pub network_balance_in_usd: Option<String>,
    /// Whether the wallet was asked and has not answered.
    pub loading: bool,
    /// The most that the fee can be, in coins.
    pub fee: Option<String>,
    /// Amount and fee together, in coins.
    pub total: Option<String>,
    /// What is wrong with the amount.
    pub amount_fault: Option<AmountFault>,
    /// What is wrong with the receiver.
    pub receiver_fault: Option<ReceiverFault>,
    /// Whether the preview may open.
    pub ready: bool,
    /// How far.
    pub phase: Phase,
    /// Why the wallet failed.
    pub error: Option<RpcError>,
    /// The network's name.
    pub network_name: Option<String>,
    /// A transaction that is not mined yet.
    pub pending_hash: Option<String>,
    /// Its page on the explorer.
    pub pending_url: Option<String>,
}

impl Send {
    /// One event.
    pub fn update(&mut self, event: Event, balance: Option<Amount>, cx: &mut Cx) {
        match event {
            Event::FormOpened => self.opened(cx),
            Event::AmountTyped { text } => {
                self.amount = text.chars().take(form::LONGEST_INPUT).collect();
                self.typed(cx);
            }
            Event::ReceiverTyped { text } => {
                self.receiver = text.trim().chars().take(form::LONGEST_INPUT).collect();
                self.typed(cx);
            }
            Event::MaxAsked => self.max(balance, cx),
            Event::ReviewAsked => self.review(balance, cx),
            Event::ConfirmAsked => self.confirm(balance, cx),
        }
    }

    fn typed(&mut self, cx: &mut Cx) {
        if self.phase != Phase::Confirming {
            self.phase = Phase::Editing;
            self.error = None;
            cx.start(Timer::SendEstimate, DEBOUNCE);
        }
    }

    fn opened(&mut self, cx: &mut Cx) {
        if let Some(network) = &cx.facts.active_network {
            let chain = network.caip_network_id.clone();
            cx.call(&chain, "eth_gasPrice", Vec::new(), Asked::GasPrice(chain.clone()));
            self.estimate(cx);
        }
    }

    /// The host fills the form in (`open({ view: 'WalletSend', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        self.reset(cx);
        if cx.facts.account.is_none() {
            return cx.reject_host(ticket, crate::connect::ConnectFault::NotConnected.into());
        }
        let Some(network) = &cx.facts.active_network else {
            return cx.reject_host(ticket, NetworkFault::CaipNetworkNotFound.into());
        };
        if arguments.is_null() {
            // The visitor fills the form in; nobody waits for a hash.
            cx.resolve_host(ticket, Value::Null);
        } else {
            let wanted = arguments.get("chainId");
            let number = wanted.as_str().map(Into::into).or(wanted.as_u64().map(|number| number.to_string()));
            if number.is_some_and(|number| number != network.id && number != network.caip_network_id.to_string()) {
                return cx.reject_host(ticket, NetworkFault::UnsupportedChain.into());
            }
            if !arguments.get("assetAddress").is_null() {
                return cx.reject_host(
                    ticket,
                    HostError::new("unsupportedAsset", "Only the network's own coin can be sent"),
                );
            }
            let text = |value: &Value| match value {
                Value::Text(text) | Value::Number(text) => text.clone(),
                _ => String::new(),
            };
            self.amount = text(arguments.get("amount")).chars().take(form::LONGEST_INPUT).collect();
            self.receiver = text(arguments.get("to")).chars().take(form::LONGEST_INPUT).collect();
            self.ticket = ticket;
        }
        cx.tell(Signal::Track(
            Tracked::new(Name::OpenSend)
                .with("network", network.caip_network_id.to_string())
                .flag("isSmartAccount", false),
        ));
        self.opened(cx);
    }

    /// Clears the form (spec 4.7, 4.15). A transaction on its way is still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        cx.stop(Timer::SendEstimate);
        cx.reject_host(self.ticket.take(), crate::connect::ConnectFault::Cancelled.into());
        let pending = self.pending.take();
        let last_hash = self.last_hash.take();
        *self = Send { attempts: self.attempts + 1, pending, last_hash, ..Send::default() };
    }

    /// The visitor left the form: the host's call is over.
    pub fn left(&mut self, cx: &mut Cx) {
        if self.phase != Phase::Confirming {
            self.reset(cx);
        }
    }

    /// The visitor left the preview for the form.
    pub fn preview_left(&mut self) {
        if self.phase != Phase::Confirming {
            self.phase = Phase::Editing;
            self.error = None;
        }
    }

    fn max(&mut self, balance: Option<Amount>, cx: &mut Cx) {
        let (Some(balance), Some(network)) = (balance, &cx.facts.active_network) else { return };
        let fee = self.fee.most().unwrap_or(Amount::ZERO);
        self.amount = balance.minus(fee).unwrap_or(Amount::ZERO).to_units(network.native_currency.decimals);
        self.typed(cx);
    }

    /// The amount in the smallest unit, where it is one.
    fn wei(&self, facts: &Facts) -> Option<Amount> {
        let decimals = facts.active_network.as_ref()?.native_currency.decimals;
        Amount::from_units(&self.amount, decimals).ok()
    }

    fn review(&mut self, balance: Option<Amount>, cx: &mut Cx) {
        self.pressed = true;
        let view = self.view(balance, cx.facts);
        if view.ready {
            cx.tell(Signal::SendReviewed);
        } else {
            cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
        }
    }

    fn confirm(&mut self, balance: Option<Amount>, cx: &mut Cx) {
        let view = self.view(balance, cx.facts);
        let (Some(amount), Some(account)) = (self.wei(cx.facts), cx.facts.account.clone()) else {
            return cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
        };
        if !view.ready || self.phase == Phase::Confirming {
            return;
        }
        self.attempts += 1;
        self.phase = Phase::Confirming;
        self.error = None;
        let transaction = vec![
            ("from".into(), Value::Text(account.address.clone())),
            ("to".into(), Value::Text(form::with_prefix(&self.receiver))),
            ("value".into(), Value::Text(amount.to_hex())),
        ];
        let params = Value::List(vec![Value::Object(transaction)]);
        let operation =
            Operation::RequestWallet { handle: account.handle.clone(), method: "eth_sendTransaction".into(), params };
        cx.ask(operation, Asked::Sent(self.attempts));
        cx.tell(Signal::Track(self.tracked(Name::SendInitiated, cx.facts)));
    }

    fn tracked(&self, name: Name, facts: &Facts) -> Tracked {
        let mut tracked = Tracked::new(name).flag("isSmartAccount", false).with("amount", self.amount.as_str());
        if let Some(network) = &facts.active_network {
            tracked = tracked
                .with("network", network.caip_network_id.to_string())
                .with("token", network.native_currency.symbol.as_str());
        }
        tracked
    }

    /// One answer of the wallet or the chain.
    pub fn answered(&mut self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Asked::GasPrice(chain) => {
                if cx.facts.active_network.as_ref().is_some_and(|network| network.caip_network_id == chain) {
                    self.fee.price = answer.ok().and_then(|value| Amount::from_hex(value.as_str()?).ok());
                }
            }
            Asked::GasLimit(id) => {
                if id == self.attempts {
                    self.fee.limit =
                        answer.ok().and_then(|value| Amount::from_hex(value.as_str()?).ok()).or(self.fee.limit);
                }
            }
            Asked::Sent(id) => self.sent(id, answer, cx),
            Asked::Receipt(hash) => self.receipt(&hash, answer, cx),
        }
    }

    fn sent(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if id != self.attempts || self.phase != Phase::Confirming {
            return;
        }
        let hash = answer.and_then(|value| match value.as_str() {
            Some(hash) if is_transaction_hash(hash) => Ok(String::from(hash)),
            _ => Err(RpcError::nonsense("The wallet answered without a transaction hash")),
        });
        match hash {
            Ok(hash) => self.started(hash, cx),
            Err(error) => self.failed(error, cx),
        }
    }

    fn started(&mut self, hash: String, cx: &mut Cx) {
        let tracked = self.tracked(Name::SendSuccess, cx.facts).with("hash", hash.as_str());
        cx.tell(Signal::Track(tracked));
        cx.resolve_host(self.ticket.take(), Value::Object(vec![("hash".into(), Value::Text(hash.clone()))]));
        if let Some(network) = &cx.facts.active_network {
            self.pending = Some((Receipt::new(hash.clone(), cx.now), network.caip_network_id.clone()));
            self.look(cx);
        }
        self.last_hash = Some(hash);
        self.phase = Phase::Editing;
        self.reset(cx);
        cx.say(Variant::Success, Message::TransactionStarted);
        cx.tell(Signal::SendStarted);
    }

    fn failed(&mut self, error: RpcError, cx: &mut Cx) {
        cx.reject_host(self.ticket.take(), HostError::from(&error));
        let refused = error.kind == RpcErrorKind::UserRejected;
        self.phase = if refused { Phase::Refused } else { Phase::Failed };
        let name = if refused { Name::SendRejected } else { Name::SendError };
        cx.tell(Signal::Track(self.tracked(name, cx.facts).with("message", error.message.as_str())));
        // Nonsense from the wallet is "something"; a failure that the wallet named is worth another try.
        let message = match error.kind {
            RpcErrorKind::UserRejected => Message::TransactionDeclined,
            RpcErrorKind::Internal | RpcErrorKind::Unknown => Message::SomethingWentWrong,
            _ => Message::FailedToSendTransaction,
        };
        cx.say(Variant::Error, message);
        self.error = Some(error);
    }

    fn look(&mut self, cx: &mut Cx) {
        if let Some((receipt, chain)) = &self.pending {
            let asked = Asked::Receipt(receipt.hash.clone());
            cx.call(&chain.clone(), "eth_getTransactionReceipt", vec![receipt.hash.as_str().into()], asked);
        }
    }

    fn receipt(&mut self, hash: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some((receipt, _)) = self.pending.as_mut().filter(|(receipt, _)| receipt.hash == hash) else { return };
        let again = match &answer {
            Ok(Value::Null) => receipt.not_yet(cx.now),
            Ok(found) => return self.mined(found.get("status").as_str() != Some("0x0"), cx),
            Err(_) => receipt.failed(cx.now),
        };
        match again {
            Some(delay) => cx.start(Timer::ReceiptPoll, delay.min(POLLING_INTERVAL)),
            None => {
                self.pending = None;
                cx.say(Variant::Error, Message::TransactionPending);
                cx.tell(Signal::SendSettled);
            }
        }
    }

    fn mined(&mut self, well: bool, cx: &mut Cx) {
        self.pending = None;
        if well {
            cx.say(Variant::Success, Message::TransactionConfirmed);
        } else {
            cx.say(Variant::Error, Message::FailedToSendTransaction);
        }
        cx.tell(Signal::SendSettled);
    }

    /// One alarm.
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::SendEstimate => self.estimate(cx),
            Timer::ReceiptPoll => self.look(cx),
            _ => {}
        }
    }

    /// A plain transfer takes 21,000 gas; a receiver that is a contract may take more, so the chain is asked.
    fn estimate(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        if account.namespace != Namespace::Eip155
            || form::receiver_fault(&self.receiver, account).is_some()
            || self.receiver.is_empty()
        {
            return;
        }
        let chain = network.caip_network_id.clone();
        let transaction = vec![
            ("from".into(), Value::Text(account.address.clone())),
            ("to".into(), Value::Text(form::with_prefix(&self.receiver))),
            // Not the amount: an amount beyond the balance would fail the estimate and hide the fee.
            ("value".into(), "0x0".into()),
        ];
        cx.call(&chain, "eth_estimateGas", vec![Value::Object(transaction)], Asked::GasLimit(self.attempts));
    }

    /// What views read.
    pub fn view(&self, balance: Option<Amount>, facts: &Facts) -> View {
        let network = facts.active_network.as_ref();
        let currency = network.map(|network| &network.native_currency);
        let decimals = currency.map_or(18, |currency| currency.decimals);
        let fee = self.fee.most();
        let checked = form::check(&self.amount, &self.receiver, decimals, balance, fee, facts);
        let amount = self.wei(facts);
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
            gas_price_in_usd: None,
            network_balance_in_usd: None,
            loading: self.phase == Phase::Confirming,
            fee: fee.map(units),
            total: amount.and_then(|amount| amount.plus(fee?)).map(units),
            // Until "Preview" was pressed an empty field is not a mistake.
            amount_fault: checked.amount.filter(|fault| self.pressed || *fault != AmountFault::Missing),
            receiver_fault: checked.receiver.filter(|fault| self.pressed || *fault != ReceiverFault::Missing),
            ready: checked.is_ready() && self.form_is_complete(facts),
            phase: self.phase,
            error: self.error.clone(),
            network_name: network.map(|network| network.name.clone()),
            pending_hash: self.pending.as_ref().map(|(receipt, _)| receipt.hash.clone()),
            pending_url: self.pending.as_ref().and_then(|(receipt, chain)| {
                let url = facts.options.network(chain)?.explorer_url()?;
                Some([url, "/tx/", &receipt.hash].concat())
            }),
        }
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
