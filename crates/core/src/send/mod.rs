//! Sending the chain's own coin, or a token: the form, the fee, the signature, the receipt. A little longer than other files, so that the one
//! story of a send, from typing to the signature, is read in one place.

mod asset;
pub(crate) mod door;
mod flight;
mod form;
mod letters;
mod receiver;
#[cfg(test)]
mod tests;
mod view;

pub use crate::pay::gas::{BASE_FEE_MULTIPLIER, is_gas_insufficient, with_margin};
pub use asset::{Choice, Choices, PAGE, TokenState};
pub use flight::{InFlight, Sent, SentState};
pub use form::{AmountFault, FormFault, ReceiverFault, check_evm, check_solana};
pub use receiver::Warning;
pub use view::{Token, View};

use crate::CallFault;
use crate::analytics::{Name, Tracked};
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::facts::Facts;
use crate::network::NetworkFault;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::gas::{Fee, data_fee_params};
use crate::pay::receipt;
use crate::pay::tokens::Purse;
use crate::pay::typed::{amount_of, cut};
use crate::signal::Signal;
use crate::timer::Timer;
use asset::{Asset, Question, Search, contract_on};
use flight::{Last, Pending, Signing};
use form::with_prefix;
use portico_json::{Json, Value};
use portico_terms::rpc::{RpcError, RpcErrorKind, is_transaction_hash};
use portico_terms::{Amount, ChainId, Namespace, Network};
use receiver::{Dealings, Receiver};

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
    /// A token is looked for.
    TokenSearched {
        /// As typed.
        text: String,
    },
    /// The end of the tokens was seen, and there are more.
    MoreAsked,
    /// A token was chosen, or the coin.
    TokenChosen {
        /// The contract; `null` is the coin.
        address: Option<String>,
    },
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
    /// What the data of a transfer costs beside its gas, for this chain.
    DataFee(ChainId),
    /// How much gas this transfer takes.
    GasLimit(u32),
    /// The wallet's signature.
    Sent(u32),
    /// Whether the transfer would do what it is to do.
    Trial(u32),
    /// What a token's contract says, by the number of the choice.
    Token(u32, Question),
    /// Where a name leads.
    Name(String),
    /// Who this address says it is.
    Identity(String),
    /// The code of this address.
    Code(String),
    /// What this account did before.
    Past(String),
    /// What became of the transaction of this hash.
    Receipt(String, receipt::Question),
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
    /// As it was, but it is elsewhere and does not say that it is there. Only told.
    Silent,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet could not.
    Failed,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Send {
    amount: String,
    /// What is sent; `None` is the coin.
    asset: Option<Asset>,
    receiver: Receiver,
    dealings: Dealings,
    /// What is looked for among the tokens.
    search: Search,
    fee: Fee,
    /// The chain says that the transfer would fail.
    reverts: bool,
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
    /// The wallet is elsewhere, and does not say that it is there.
    silent: bool,
    /// Transactions that a wallet was asked to sign. They outlive the form: money moves even when the visitor looks elsewhere.
    signing: Vec<Signing>,
    /// Transactions that are not mined yet.
    pending: Vec<Pending>,
    /// Those of the page before this one.
    stored: Option<String>,
    /// What was sent last.
    last: Option<Last>,
}

/// A wallet that did not sign for so long is slow, and the visitor is told what to look for.
const SLOW: u64 = 8_000;

/// The code with which WalletConnect says that a request was not answered in its time.
const EXPIRED: i64 = 8_000;

impl Send {
    /// With what was stored.
    pub fn new(stored: Option<&String>) -> Send {
        Send { stored: stored.cloned(), ..Send::default() }
    }

    /// Whether the page before this one left something on its way.
    pub fn is_to_resume(&self) -> bool {
        self.stored.is_some()
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, purse: &Purse, cx: &mut Cx) {
        match event {
            // What is shown while the wallet asks is what it was asked to sign.
            Event::AmountTyped { .. } | Event::ReceiverTyped { .. } | Event::MaxAsked | Event::TokenChosen { .. }
                if self.phase == Phase::Confirming => {}
            Event::AmountTyped { text } => {
                self.amount = cut(&text);
                self.all = None;
                self.typed(cx);
            }
            Event::ReceiverTyped { text } => {
                self.receiver = Receiver::typed(&text, cx.facts);
                self.fee.limit = None;
                self.typed(cx);
                self.fit(cx.facts);
            }
            Event::MaxAsked => {
                self.all = self.funds(purse, cx.facts).balance;
                self.price(cx);
                self.typed(cx);
                self.fit(cx.facts);
                // No other keys are to be waited for.
                cx.stop(Timer::SendEstimate);
                self.estimate(cx);
            }
            Event::TokenSearched { text } => self.search = Search { text: cut(&text), further: 0 },
            Event::MoreAsked => self.search.further += PAGE,
            Event::TokenChosen { address } => self.token_chosen(address.as_deref(), purse, cx),
            Event::ReviewAsked => self.review(purse, cx),
            Event::ConfirmAsked => self.confirm(purse, cx),
        }
    }

    /// So many of one thing are not so many of another: the amount goes.
    fn token_chosen(&mut self, address: Option<&str>, purse: &Purse, cx: &mut Cx) {
        cx.tell(Signal::SendTokenChosen);
        self.search = Search::default();
        let chosen = self.asset.as_ref().map(|asset| asset.contract.as_str());
        let same = match (chosen, address) {
            (Some(chosen), Some(address)) => chosen.eq_ignore_ascii_case(address),
            (chosen, address) => chosen.is_none() && address.is_none(),
        };
        // A list that changed meanwhile may not have it any more.
        if same || address.is_some_and(|address| purse.token(address).is_none()) {
            return;
        }
        self.amount.clear();
        self.all = None;
        self.pressed = false;
        self.fee.limit = None;
        self.choose(address, purse, cx);
        self.typed(cx);
    }

    fn choose(&mut self, contract: Option<&str>, purse: &Purse, cx: &mut Cx) {
        self.attempts += 1;
        self.asset = contract.map(|contract| Asset::new(contract, purse, self.attempts));
        if let Some(asset) = &mut self.asset {
            asset.read(cx);
        }
    }

    /// An estimate that is still under way is of what was there before.
    fn typed(&mut self, cx: &mut Cx) {
        self.attempts += 1;
        self.fee.sure = false;
        self.reverts = false;
        self.phase = Phase::Editing;
        self.error = None;
        cx.start(Timer::SendEstimate, DEBOUNCE);
    }

    fn opened(&mut self, cx: &mut Cx) {
        self.fee.price = None;
        self.price(cx);
        self.dealings.ask(cx);
        self.receiver.look(cx);
        self.estimate(cx);
    }

    fn price(&mut self, cx: &mut Cx) {
        if let Some(network) = &cx.facts.active_network {
            let chain = network.caip_network_id.clone();
            cx.call(&chain, "eth_gasPrice", Vec::new(), Asked::GasPrice(chain.clone()));
            cx.call(&chain, "eth_maxPriorityFeePerGas", Vec::new(), Asked::GasPriority(chain.clone()));
            if let Some(params) = data_fee_params(&chain) {
                cx.call(&chain, "eth_call", params, Asked::DataFee(chain.clone()));
            }
        }
    }

    /// The form is shown; a host may fill it in (`open({ view: 'WalletSend', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, purse: &Purse, cx: &mut Cx) {
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
            let asset = arguments.get("assetAddress");
            let contract = asset.as_str().and_then(|text| contract_on(text, &network.caip_network_id));
            let evm = network.chain_namespace == Namespace::Eip155;
            if !asset.is_null() && (contract.is_none() || !evm) {
                return cx.reject_host(ticket, CallFault::UnsupportedAsset.into());
            }
            if let Some(contract) = contract.filter(|contract| !contract.is_empty()) {
                self.choose(Some(&contract), purse, cx);
            }
            self.amount = match arguments.get("amount") {
                Value::Number(number) => cut(&portico_terms::amount::plain(number).unwrap_or_else(|| number.clone())),
                text => cut(text.as_str().unwrap_or_default()),
            };
            self.receiver = Receiver::typed(arguments.get("to").as_str().unwrap_or_default(), cx.facts);
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
        let attempts = self.attempts;
        let Send { signing, pending, stored, last, dealings, .. } = std::mem::take(self);
        let attempts = attempts + 1;
        *self = Send { attempts, signing, pending, stored, last, dealings, ..Send::default() };
    }

    /// The visitor left the form, or closed the modal. While the wallet asks, the form waits for its answer.
    pub fn left(&mut self, cx: &mut Cx) {
        if self.phase != Phase::Confirming {
            self.reset(cx);
        }
    }

    /// The visitor left the list of tokens.
    pub fn choices_left(&mut self) {
        self.search = Search::default();
    }

    /// The visitor has seen what was sent.
    pub fn sent_seen(&mut self) {
        self.last = None;
    }

    /// A wallet that is elsewhere does not say that it is there. It may be back before its time is over.
    pub fn wallet_silent(&mut self) {
        self.silent = self.phase == Phase::Confirming;
    }

    /// The visitor left the preview for the form: another try is possible. The wallet may still answer the first one.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Confirming {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.attempts += 1;
        self.phase = Phase::Editing;
        self.error = None;
        self.slow = false;
        self.silent = false;
        cx.stop(Timer::SendSlow);
    }

    /// All that can be sent is what the fee leaves; of a token, whose fee is paid in the coin, it is all.
    fn fit(&mut self, facts: &Facts) {
        let Some(balance) = self.all else { return };
        if let Some(asset) = &self.asset {
            self.amount = balance.to_units(asset.decimals.unwrap_or_default());
        } else if let Some(network) = &facts.active_network {
            let fee = self.fee.kept().unwrap_or(Amount::ZERO);
            self.amount = balance.minus(fee).unwrap_or(Amount::ZERO).to_units(network.native_currency.decimals);
        }
    }

    /// The amount in the smallest unit, where it is one.
    fn units(&self, facts: &Facts) -> Option<Amount> {
        let decimals = match &self.asset {
            Some(asset) => asset.decimals?,
            None => facts.active_network.as_ref()?.native_currency.decimals,
        };
        amount_of(&self.amount, decimals).ok()
    }

    fn review(&mut self, purse: &Purse, cx: &mut Cx) {
        self.pressed = true;
        // The form may have stood for long. All that can be sent is what that price leaves, so there it was read anew with it.
        if self.fee.price.is_none() || self.all.is_none() {
            self.price(cx);
        }
        // What could not be had before may be there now.
        self.receiver.look(cx);
        if let Some(asset) = self.asset.as_mut().filter(|asset| asset.state == TokenState::Unreadable) {
            asset.read(cx);
        }
        let view = self.view(purse, cx.facts);
        if view.ready {
            // From here on it is what will be sent, in the form in which people compare: `1,5` is 1.5, and small letters carry no
            // checksum.
            self.all = None;
            if let Some((amount, decimals)) = self.units(cx.facts).zip(view.token.and_then(|token| token.decimals)) {
                self.amount = amount.to_units(decimals);
            }
            if cx.facts.account.as_ref().is_some_and(|account| account.namespace == Namespace::Eip155) {
                self.receiver.settle();
            }
            cx.tell(Signal::SendReviewed);
        } else {
            cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
        }
    }

    /// The transfer as the wallet and the chain are asked about it; `amount` is in the smallest unit.
    fn transfer(&self, from: &str, amount: Amount) -> Vec<(String, Value)> {
        let receiver = with_prefix(self.receiver.address());
        let mut fields = vec![("from".into(), from.into())];
        match &self.asset {
            None => {
                fields.extend([("to".into(), Value::Text(receiver)), ("value".into(), Value::Text(amount.to_hex()))])
            }
            Some(asset) => fields.extend([
                ("to".into(), asset.contract.as_str().into()),
                ("value".into(), "0x0".into()),
                ("data".into(), Value::Text(erc20::transfer(&receiver, amount))),
            ]),
        }
        fields
    }

    fn confirm(&mut self, purse: &Purse, cx: &mut Cx) {
        if self.phase == Phase::Confirming {
            return;
        }
        let ready = self.view(purse, cx.facts).ready;
        let (Some(amount), Some(account), true) = (self.units(cx.facts), cx.facts.account.clone(), ready) else {
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
        self.silent = false;
        let Some(network) = cx.facts.active_network.clone() else { return };
        let number = Amount::from(network.caip_network_id.number().unwrap_or_default());
        // A wallet that stands elsewhere must refuse rather than send there.
        let mut transaction = vec![("chainId".into(), Value::Text(number.to_hex()))];
        transaction.extend(self.transfer(&account.address, amount));
        if let Some(coin) = purse.coin {
            let spent = if self.asset.is_none() { amount } else { Amount::ZERO };
            transaction.extend(self.fee.fields_if_tight(coin, spent));
        }
        let params = Value::List(vec![Value::Object(transaction)]);
        let operation =
            Operation::RequestWallet { handle: account.handle.clone(), method: "eth_sendTransaction".into(), params };
        cx.ask(operation, Asked::Sent(self.attempts));
        cx.start(Timer::SendSlow, SLOW);
        let coin = &network.native_currency.symbol;
        let signing = Signing {
            attempt: self.attempts,
            chain: network.caip_network_id.clone(),
            address: account.address.clone(),
            amount: self.amount.clone(),
            symbol: self.asset.as_ref().map_or(coin, |asset| &asset.symbol).clone(),
            receiver: with_prefix(self.receiver.address()),
            receiver_name: self.receiver.shown_name().cloned(),
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
            // A price that could not be read again is still the last one known.
            Asked::GasPrice(chain) if is_active(&chain, cx.facts) => {
                self.fee.price = quantity(answer).or(self.fee.price)
            }
            Asked::GasPriority(chain) if is_active(&chain, cx.facts) => {
                self.fee.priority = quantity(answer).or(self.fee.priority);
            }
            Asked::DataFee(chain) if is_active(&chain, cx.facts) => {
                self.fee.data = erc20::number(&answer).or(self.fee.data);
            }
            Asked::GasPrice(_) | Asked::GasPriority(_) | Asked::DataFee(_) => {}
            Asked::GasLimit(id) if id == self.attempts => {
                self.reverts |= answer.as_ref().is_err_and(RpcError::is_revert);
                self.fee.limit = quantity(answer);
                self.fee.sure = self.fee.limit.is_some();
            }
            // A token may refuse by answering "no" where another one reverts (EIP-20).
            Asked::Trial(id) if id == self.attempts => {
                self.reverts |= erc20::number(&answer).is_some_and(|told| told.is_zero());
            }
            Asked::GasLimit(_) | Asked::Trial(_) => {}
            Asked::Token(number, question) => self.token_told(number, question, &answer, cx),
            Asked::Name(text) => {
                if self.receiver.named(&text, answer, cx.facts) {
                    self.receiver.look(cx);
                    self.estimate(cx);
                }
            }
            Asked::Identity(address) => self.receiver.identified(&address, answer, cx.facts),
            Asked::Code(address) => self.receiver.coded(&address, answer),
            Asked::Past(address) => self.dealings.told(&address, answer),
            Asked::Sent(id) => return self.sent(id, answer, cx),
            Asked::Receipt(hash, question) => return self.receipt(&hash, question, answer, cx),
        }
        self.fit(cx.facts);
    }

    fn token_told(&mut self, number: u32, question: Question, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(asset) = self.asset.as_mut().filter(|asset| asset.number == number) {
            asset.told(question, answer);
            if asset.state == TokenState::Ready {
                self.estimate(cx);
            }
        }
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
        self.dealings.paid(&signing.receiver);
        self.follow(signing, hash, current, cx);
        cx.say(Variant::Success, Message::TransactionStarted);
        if current {
            self.reset(cx);
            cx.tell(Signal::SendStarted);
            cx.tell(Signal::SendShown);
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
            // The wallet may have it open all the same: who sends again without a look could pay twice.
            _ if error.code == EXPIRED => Message::RequestExpired,
            RpcErrorKind::Internal | RpcErrorKind::Unknown => Message::SomethingWentWrong,
            _ => Message::FailedToSendTransaction,
        };
        cx.say(Variant::Error, message);
        self.error = Some(error);
    }

    /// One alarm.
    #[inline(never)]
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::SendEstimate => {
                self.receiver.look(cx);
                self.estimate(cx);
            }
            Timer::ReceiptPoll => self.look(cx),
            Timer::SendSlow => self.slow = self.phase == Phase::Confirming,
            _ => {}
        }
    }

    /// A plain transfer takes 21,000 gas; a receiver that is a contract, and a token, may take more, so the chain is asked.
    fn estimate(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        if self.fee.price.is_none() {
            self.price(cx);
        }
        if account.namespace != Namespace::Eip155 || self.receiver_fault(cx.facts).is_some() {
            return;
        }
        let chain = network.caip_network_id.clone();
        let amount = self.units(cx.facts);
        let held = self.asset.as_ref().map(|asset| asset.balance.unwrap_or_default());
        let transfer = match (amount, held) {
            // More than there is of a token fails, and that is no word on the token.
            (Some(amount), Some(held)) if amount <= held => self.transfer(&account.address, amount),
            (_, Some(_)) => return,
            // A contract may take more gas with a value than without.
            (amount, None) => self.transfer(&account.address, amount.unwrap_or(Amount::from(1u32))),
        };
        let transfer = Value::Object(transfer);
        cx.call(&chain, "eth_estimateGas", vec![transfer.clone()], Asked::GasLimit(self.attempts));
        if self.asset.is_some() {
            cx.call(&chain, "eth_call", vec![transfer, "latest".into()], Asked::Trial(self.attempts));
        }
    }
}

fn is_active(chain: &ChainId, facts: &Facts) -> bool {
    facts.active_network.as_ref().is_some_and(|network| network.caip_network_id == *chain)
}

fn quantity(answer: Result<Value, RpcError>) -> Option<Amount> {
    Amount::from_hex(answer.ok()?.as_str()?).ok()
}
