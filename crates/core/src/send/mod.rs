//! Sending the chain's own coin: the form, the fee, the signature, the receipt. A little longer than other files, so that the one story of
//! a send, from typing to the receipt, is read in one place.

mod flight;
mod form;
mod gas;
#[cfg(test)]
mod tests;
mod view;

pub use form::{AmountFault, FormFault, ReceiverFault, check_evm, check_solana};
pub use gas::{BASE_FEE_MULTIPLIER, is_gas_insufficient, with_margin};
pub use view::{InFlight, Token, View};

use crate::CallFault;
use crate::analytics::{Name, Tracked};
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::facts::Facts;
use crate::network::NetworkFault;
use crate::notice::{Message, Variant};
use crate::rpc::Receipt;
use crate::signal::Signal;
use crate::timer::Timer;
use flight::{Pending, Signing, outcome_of};
use gas::Fee;
use portico_json::{Json, Value};
use portico_terms::address::to_checksum;
use portico_terms::rpc::{RpcError, RpcErrorKind, is_transaction_hash};
use portico_terms::{Amount, ChainId, Namespace, Network};

/// Typing rests so long before the fee is estimated (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// What the visitor does with the form.
#[derive(Clone, Debug, Json)]
#[json(name = "SendEvent")]
pub enum Event {
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
    /// The part of it that goes to whoever makes the block, for this chain.
    GasPriority(ChainId),
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
    /// The balance of which all is to be sent: the amount follows the fee until it is typed, or reviewed.
    all: Option<Amount>,
    phase: Phase,
    error: Option<RpcError>,
    attempts: u32,
    /// The visitor asked to go on: from now on what is missing is said.
    pressed: bool,
    ticket: Option<u32>,
    /// The wallet takes long to sign.
    slow: bool,
    /// Transactions that a wallet was asked to sign. They outlive the form: money moves even when the visitor looks elsewhere.
    signing: Vec<Signing>,
    /// Transactions that are not mined yet.
    pending: Vec<Pending>,
}

/// A wallet that did not sign for so long is slow, and the visitor is told what to look for.
const SLOW: u64 = 8_000;

impl Send {
    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, balance: Option<Amount>, cx: &mut Cx) {
        match event {
            // What is shown while the wallet asks is what it was asked to sign.
            Event::AmountTyped { .. } | Event::ReceiverTyped { .. } | Event::MaxAsked
                if self.phase == Phase::Confirming => {}
            Event::AmountTyped { text } => {
                self.amount = form::cut(&text);
                self.all = None;
                self.typed(cx);
            }
            Event::ReceiverTyped { text } => {
                self.receiver = form::cut(text.trim());
                self.fee.limit = None;
                self.typed(cx);
                self.fit(cx.facts);
            }
            Event::MaxAsked => {
                self.all = balance;
                self.typed(cx);
                self.fit(cx.facts);
                // No other keys are to be waited for.
                cx.stop(Timer::SendEstimate);
                self.estimate(cx);
            }
            Event::ReviewAsked => self.review(balance, cx),
            Event::ConfirmAsked => self.confirm(balance, cx),
        }
    }

    /// An estimate that is still under way is of what was there before.
    fn typed(&mut self, cx: &mut Cx) {
        self.attempts += 1;
        self.fee.sure = false;
        self.phase = Phase::Editing;
        self.error = None;
        cx.start(Timer::SendEstimate, DEBOUNCE);
    }

    fn opened(&mut self, cx: &mut Cx) {
        self.fee.price = None;
        self.price(cx);
        self.estimate(cx);
    }

    fn price(&mut self, cx: &mut Cx) {
        if let Some(network) = &cx.facts.active_network {
            let chain = network.caip_network_id.clone();
            cx.call(&chain, "eth_gasPrice", Vec::new(), Asked::GasPrice(chain.clone()));
            cx.call(&chain, "eth_maxPriorityFeePerGas", Vec::new(), Asked::GasPriority(chain.clone()));
        }
    }

    /// The form is shown; a host may fill it in (`open({ view: 'WalletSend', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        if self.phase == Phase::Confirming && arguments.is_null() {
            // The visitor comes back while the wallet still asks.
            return cx.resolve_host(ticket, Value::Null);
        }
        self.reset(cx);
        if cx.facts.account.is_none() {
            return cx.reject_host(ticket, ConnectFault::NotConnected.into());
        }
        let Some(network) = &cx.facts.active_network else {
            return cx.reject_host(ticket, NetworkFault::CaipNetworkNotFound.into());
        };
        if arguments.is_null() {
            // The visitor fills the form in; nobody waits for a hash.
            cx.resolve_host(ticket, Value::Null);
        } else {
            let namespace = arguments.get("namespace");
            let other = !namespace.is_null() && namespace.as_str() != Some(network.chain_namespace.word());
            if arguments.as_object().is_none() || other {
                return cx.reject_host(ticket, CallFault::InvalidArgument.into());
            }
            let wanted = arguments.get("chainId");
            let number = wanted.as_str().map(Into::into).or(wanted.as_u64().map(|number| number.to_string()));
            let is = |network: &Network, number: &String| {
                *number == network.id || *number == network.caip_network_id.to_string()
            };
            if let Some(number) = number.filter(|number| !is(network, number)) {
                let known = cx.facts.networks.iter().any(|network| is(network, &number));
                let error =
                    if known { ConnectFault::ChainMismatch.into() } else { NetworkFault::UnsupportedChain.into() };
                return cx.reject_host(ticket, error);
            }
            if !arguments.get("assetAddress").is_null() {
                return cx.reject_host(ticket, CallFault::UnsupportedAsset.into());
            }
            self.amount = match arguments.get("amount") {
                Value::Number(number) => {
                    form::cut(&portico_terms::amount::plain(number).unwrap_or_else(|| number.clone()))
                }
                text => form::cut(text.as_str().unwrap_or_default()),
            };
            self.receiver = form::cut(arguments.get("to").as_str().unwrap_or_default().trim());
            self.ticket = ticket;
        }
        cx.tell(Signal::Track(
            Tracked::new(Name::OpenSend)
                .with("network", network.caip_network_id.to_string())
                .flag("isSmartAccount", cx.facts.smart_account),
        ));
        self.opened(cx);
    }

    /// Clears the form (spec 4.7, 4.15). What a wallet signs, and what is on its way, is still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        cx.stop(Timer::SendEstimate);
        cx.stop(Timer::SendSlow);
        cx.reject_host(self.ticket.take(), CallFault::SendCancelled.into());
        let signing = std::mem::take(&mut self.signing);
        let pending = std::mem::take(&mut self.pending);
        *self = Send { attempts: self.attempts + 1, signing, pending, ..Send::default() };
    }

    /// The visitor left the form, or closed the modal. While the wallet asks, the form waits for its answer.
    pub fn left(&mut self, cx: &mut Cx) {
        if self.phase != Phase::Confirming {
            self.reset(cx);
        }
    }

    /// The visitor left the preview for the form: another try is possible. The wallet may still answer the first one.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        self.attempts += 1;
        self.phase = Phase::Editing;
        self.error = None;
        self.slow = false;
        cx.stop(Timer::SendSlow);
    }

    /// All that can be sent is what the fee leaves.
    fn fit(&mut self, facts: &Facts) {
        if let (Some(balance), Some(network)) = (self.all, &facts.active_network) {
            let fee = self.fee.kept().unwrap_or(Amount::ZERO);
            self.amount = balance.minus(fee).unwrap_or(Amount::ZERO).to_units(network.native_currency.decimals);
        }
    }

    /// The amount in the smallest unit, where it is one.
    fn wei(&self, facts: &Facts) -> Option<Amount> {
        let decimals = facts.active_network.as_ref()?.native_currency.decimals;
        Amount::from_units(&self.amount, decimals).ok()
    }

    fn review(&mut self, balance: Option<Amount>, cx: &mut Cx) {
        self.pressed = true;
        if self.fee.price.is_none() {
            self.price(cx);
        }
        let view = self.view(balance, cx.facts);
        if view.ready {
            // From here on it is what will be sent, in the form in which people compare: `1,5` is 1.5, and small letters carry no
            // checksum.
            self.all = None;
            if let Some((amount, token)) = self.wei(cx.facts).zip(view.token) {
                self.amount = amount.to_units(token.decimals);
            }
            if cx.facts.account.as_ref().is_some_and(|account| account.namespace == Namespace::Eip155) {
                self.receiver = to_checksum(&self.receiver);
            }
            cx.tell(Signal::SendReviewed);
        } else {
            cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
        }
    }

    fn confirm(&mut self, balance: Option<Amount>, cx: &mut Cx) {
        if self.phase == Phase::Confirming {
            return;
        }
        let ready = self.view(balance, cx.facts).ready;
        let (Some(amount), Some(account), true) = (self.wei(cx.facts), cx.facts.account.clone(), ready) else {
            self.pressed = true;
            self.preview_left(cx);
            cx.tell(Signal::SendUnready);
            return cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
        };
        // How a wallet of another namespace is asked, its own connector will know.
        if account.namespace != Namespace::Eip155 {
            return cx.say(Variant::Error, Message::FailedToSendTransaction);
        }
        self.attempts += 1;
        self.phase = Phase::Confirming;
        self.error = None;
        self.slow = false;
        let Some(network) = cx.facts.active_network.clone() else { return };
        let mut transaction = vec![
            // A wallet that stands elsewhere must refuse rather than send there.
            (
                "chainId".into(),
                Value::Text(Amount::from(network.caip_network_id.number().unwrap_or_default()).to_hex()),
            ),
            ("from".into(), Value::Text(account.address.clone())),
            ("to".into(), Value::Text(form::with_prefix(&self.receiver))),
            ("value".into(), Value::Text(amount.to_hex())),
        ];
        if let Some(balance) = balance {
            transaction.extend(self.fee.fields_if_tight(balance, amount));
        }
        let params = Value::List(vec![Value::Object(transaction)]);
        let operation =
            Operation::RequestWallet { handle: account.handle.clone(), method: "eth_sendTransaction".into(), params };
        cx.ask(operation, Asked::Sent(self.attempts));
        cx.start(Timer::SendSlow, SLOW);
        let signing = Signing {
            attempt: self.attempts,
            chain: network.caip_network_id.clone(),
            address: account.address.clone(),
            amount: self.amount.clone(),
            symbol: network.native_currency.symbol.clone(),
            smart_account: cx.facts.smart_account,
            ticket: self.ticket.take(),
        };
        cx.tell(Signal::Track(signing.tracked(Name::SendInitiated)));
        self.signing.push(signing);
    }

    /// One answer of the wallet or the chain.
    #[inline(never)]
    pub fn answered(&mut self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Asked::GasPrice(chain) if is_active(&chain, cx.facts) => self.fee.price = quantity(answer),
            Asked::GasPriority(chain) if is_active(&chain, cx.facts) => self.fee.priority = quantity(answer),
            Asked::GasPrice(_) | Asked::GasPriority(_) => {}
            Asked::GasLimit(id) => {
                if id == self.attempts {
                    self.fee.limit = quantity(answer);
                    self.fee.sure = self.fee.limit.is_some();
                }
            }
            Asked::Sent(id) => return self.sent(id, answer, cx),
            Asked::Receipt(hash) => return self.receipt(&hash, answer, cx),
        }
        self.fit(cx.facts);
    }

    fn sent(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(index) = self.signing.iter().position(|signing| signing.attempt == id) else { return };
        let signing = self.signing.remove(index);
        // Whether the visitor still looks at this very send.
        let current = id == self.attempts && self.phase == Phase::Confirming;
        if current {
            cx.stop(Timer::SendSlow);
        }
        let hash = answer.and_then(|value| match value.as_str() {
            Some(hash) if is_transaction_hash(hash) => Ok(String::from(hash)),
            _ => Err(RpcError::nonsense("The wallet answered without a transaction hash")),
        });
        match hash {
            Ok(hash) => self.started(signing, hash, current, cx),
            Err(error) => self.failed(signing, error, current, cx),
        }
    }

    fn started(&mut self, signing: Signing, hash: String, current: bool, cx: &mut Cx) {
        cx.tell(Signal::Track(signing.tracked(Name::SendSuccess).with("hash", hash.as_str())));
        cx.resolve_host(signing.ticket, Value::Object(vec![("hash".into(), Value::Text(hash.clone()))]));
        // A wallet that tells one hash twice sent one transaction.
        self.pending.retain(|known| !known.receipt.hash.eq_ignore_ascii_case(&hash));
        self.pending.push(Pending {
            receipt: Receipt::new(hash, cx.now),
            chain: signing.chain,
            address: signing.address,
            amount: signing.amount,
            symbol: signing.symbol,
        });
        self.look(cx);
        cx.say(Variant::Success, Message::TransactionStarted);
        if current {
            self.reset(cx);
            cx.tell(Signal::SendStarted);
        }
    }

    fn failed(&mut self, signing: Signing, error: RpcError, current: bool, cx: &mut Cx) {
        cx.reject_host(signing.ticket, HostError::from(&error));
        let refused = error.kind == RpcErrorKind::UserRejected;
        let name = if refused { Name::SendRejected } else { Name::SendError };
        cx.tell(Signal::Track(signing.tracked(name).with("message", error.message.as_str())));
        if !current {
            return;
        }
        self.phase = if refused { Phase::Refused } else { Phase::Failed };
        self.slow = false;
        // Nonsense from the wallet is "something"; a failure that the wallet named is worth another try.
        let message = match error.kind {
            RpcErrorKind::UserRejected => Message::TransactionDeclined,
            RpcErrorKind::Internal | RpcErrorKind::Unknown => Message::SomethingWentWrong,
            _ => Message::FailedToSendTransaction,
        };
        cx.say(Variant::Error, message);
        self.error = Some(error);
    }

    /// Asks for the receipts of all that is not mined yet.
    fn look(&mut self, cx: &mut Cx) {
        for pending in &self.pending {
            let asked = Asked::Receipt(pending.receipt.hash.clone());
            cx.call(&pending.chain, "eth_getTransactionReceipt", vec![pending.receipt.hash.as_str().into()], asked);
        }
    }

    fn receipt(&mut self, hash: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(index) = self.pending.iter().position(|pending| pending.receipt.hash == hash) else { return };
        let receipt = &mut self.pending[index].receipt;
        let again = match answer.as_ref().map(|found| outcome_of(found, hash)) {
            Ok(Some(well)) => return self.mined(index, well, cx),
            Ok(None) if answer.as_ref().is_ok_and(Value::is_null) => receipt.not_yet(cx.now),
            // A receipt of something else says nothing of this transaction.
            Ok(None) | Err(_) => receipt.failed(cx.now),
        };
        match again {
            Some(delay) => cx.start(Timer::ReceiptPoll, delay),
            None => {
                self.pending.remove(index);
                cx.say(Variant::Error, Message::TransactionPending);
                cx.tell(Signal::SendSettled);
            }
        }
    }

    fn mined(&mut self, index: usize, well: bool, cx: &mut Cx) {
        self.pending.remove(index);
        if well {
            cx.say(Variant::Success, Message::TransactionConfirmed);
        } else {
            cx.say(Variant::Error, Message::FailedToSendTransaction);
        }
        cx.tell(Signal::SendSettled);
    }

    /// One alarm.
    #[inline(never)]
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::SendEstimate => self.estimate(cx),
            Timer::ReceiptPoll => self.look(cx),
            Timer::SendSlow => self.slow = self.phase == Phase::Confirming,
            _ => {}
        }
    }

    /// A plain transfer takes 21,000 gas; a receiver that is a contract may take more, so the chain is asked.
    fn estimate(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        if self.fee.price.is_none() {
            self.price(cx);
        }
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
            // A contract may take more gas with a value than without.
            ("value".into(), Value::Text(self.wei(cx.facts).unwrap_or(Amount::from(1u32)).to_hex())),
        ];
        cx.call(&chain, "eth_estimateGas", vec![Value::Object(transaction)], Asked::GasLimit(self.attempts));
    }
}

fn is_active(chain: &ChainId, facts: &Facts) -> bool {
    facts.active_network.as_ref().is_some_and(|network| network.caip_network_id == *chain)
}

fn quantity(answer: Result<Value, RpcError>) -> Option<Amount> {
    Amount::from_hex(answer.ok()?.as_str()?).ok()
}
