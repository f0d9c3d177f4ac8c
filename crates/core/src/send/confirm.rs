//! From the review to the wallet's response.

use super::asset::TokenState;
use super::flight::Transfer;
use super::form::with_prefix;
use super::{AmountFault, Phase, Reason, ReceiverFault, Send};
use crate::analytics::Name;
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::tokens::Purse;
use crate::pay::{erc20, signing};
use crate::send::Alarm;
use crate::signal::Signal;
use crate::storage::keys;
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace};

impl Send {
    pub(super) fn review(&mut self, purse: &Purse, cx: &mut Cx) {
        self.pressed = true;
        // The form may have been open for long, so the price is read again. After "max" it was just read with the amount.
        if self.fee.price.is_none() || self.all.is_none() {
            self.price(cx);
        }
        // Requests that failed before may succeed now.
        self.receiver.refresh(cx.now);
        self.look(cx);
        if let (Some(network), Some(account)) = (&cx.facts.active_network, cx.facts.account.clone()) {
            let (chain, reason) = (network.caip_network_id.clone(), Reason::Nonce(self.attempts));
            if account.namespace == Namespace::Eip155 {
                signing::count_transactions(&chain, &account.address, reason, cx);
            }
        }
        self.reread(cx);
        self.awaited = true;
        self.go_on(true, purse, cx);
    }

    /// Opens the preview once the visitor requested it and no result is pending. A visitor who has left the form stays where they are.
    pub fn go_on(&mut self, shown: bool, purse: &Purse, cx: &mut Cx) {
        self.awaited &= shown;
        if !self.awaited {
            return;
        }
        let view = self.view(purse, cx.facts);
        let fine = view.amount_fault.is_none() && view.receiver_fault.is_none() && !view.reverts;
        let reading = view.token.as_ref().is_some_and(|token| token.state == TokenState::Reading);
        if fine && (reading || self.fee.price.is_none()) || view.receiver_fault == Some(ReceiverFault::Resolving) {
            return;
        }
        self.awaited = false;
        let agreed = self.agreed.take();
        if view.ready {
            if let Some(agreed) = agreed {
                if self.receiver.address().eq_ignore_ascii_case(&agreed) {
                    return self.confirm(purse, cx);
                }
                return cx.say(Variant::Error, Message::NameMoved);
            }
            // From here on the form shows exactly what is sent, in canonical form: `1,5` becomes 1.5, and an address gets its checksum.
            self.value = view.typed_value;
            self.all = None;
            if let Some((amount, decimals)) = self.units(cx.facts).zip(view.token.and_then(|token| token.decimals)) {
                self.amount = amount.to_units(decimals);
            }
            if cx.facts.account.as_ref().is_some_and(|account| account.namespace == Namespace::Eip155) {
                self.receiver.settle();
            }
            if self.payments.left_open.concerns(cx) {
                self.phase = Phase::Interrupted;
            }
            cx.signal(Signal::SendReviewed);
        } else {
            let doubtful = view.token.is_some_and(|token| token.state != TokenState::Ready);
            let told = view.amount_fault.is_some_and(|fault| fault != AmountFault::Missing)
                || view.receiver_fault.is_some_and(|fault| fault != ReceiverFault::Missing);
            // Errors beside their fields are not repeated. What is missing has no words there: this message of the contract says it (spec 8.4).
            if !(told || self.reverts || doubtful || view.fee_missing) {
                cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
            }
        }
    }

    pub(super) fn confirm(&mut self, purse: &Purse, cx: &mut Cx) {
        if self.phase == Phase::Confirming || self.agreed.is_some() {
            return;
        }
        if self.receiver.is_stale(cx.now) {
            // The preview may have been open for long: the name is resolved once more, and has to have the same address.
            self.agreed = Some(self.receiver.address().to_owned());
            return self.review(purse, cx);
        }
        let view = self.view(purse, cx.facts);
        let (Some(amount), Some(account), true) = (self.units(cx.facts), cx.facts.account.clone(), view.ready) else {
            self.pressed = true;
            self.preview_left(cx);
            cx.signal(Signal::SendUnready);
            return cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
        };
        // Wallets of other namespaces need a connector of their own.
        if account.namespace != Namespace::Eip155 {
            return cx.say(Variant::Error, Message::FailedToSendTransaction);
        }
        self.attempts += 1;
        self.phase = Phase::Confirming;
        self.error = None;
        self.payments.wait_is_over(Alarm::Slow, cx);
        let Some(network) = cx.facts.active_network.clone() else { return };
        let number = Amount::from(network.caip_network_id.number().unwrap_or_default());
        // A wallet on another chain must refuse rather than send there.
        let mut transaction = vec![("chainId".into(), Value::Text(number.to_hex()))];
        transaction.extend(self.transfer(&account.address, amount));
        if let Some(coin) = purse.coin {
            let spent = if self.asset.is_none() { amount } else { Amount::ZERO };
            transaction.extend(self.fee.fields_if_tight(coin, spent));
        }
        let params = Value::List(vec![Value::Object(transaction)]);
        let operation = Operation::RequestWallet {
            handle: account.handle.clone(),
            method: eip155::SEND_TRANSACTION.into(),
            params,
        };
        let coin = &network.native_currency.symbol;
        let transfer = Transfer {
            attempt: self.attempts,
            chain: network.caip_network_id.clone(),
            address: account.address.clone(),
            amount: self.amount.clone(),
            target: self
                .asset
                .as_ref()
                .map_or_else(|| with_prefix(self.receiver.address()), |asset| asset.contract.clone()),
            symbol: self.asset.as_ref().map_or(coin, |asset| &asset.symbol).clone(),
            value: view.send_token_value,
            receiver: with_prefix(self.receiver.address()),
            receiver_name: self.receiver.shown_name().cloned(),
            smart_account: cx.facts.smart_account,
            least_nonce: self.least_nonce.take(),
            ticket: self.ticket.take(),
        };
        cx.signal(Signal::Track(transfer.tracked(Name::SendInitiated)));
        self.payments.left_open.asked(self.attempts, keys::ASKED_TO_SEND, cx);
        self.payments.ask(operation, transfer, Reason::Sent(self.attempts), Alarm::Slow, cx);
    }

    /// Transfer fields for wallet and chain requests; `amount` is in the smallest unit.
    pub(super) fn transfer(&self, from: &str, amount: Amount) -> Vec<(String, Value)> {
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

    pub(super) fn sent(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(transfer) = self.payments.answered(|transfer| transfer.attempt == id) else { return };
        // Whether this request is the one on the screen.
        let current = id == self.attempts && self.phase == Phase::Confirming;
        if current {
            self.payments.wait_is_over(Alarm::Slow, cx);
        }
        let hash =
            answer.and_then(|value| signing::hash_of(&value).map(String::from).ok_or_else(signing::without_hash));
        self.payments.is_told(id, &hash, keys::ASKED_TO_SEND, cx);
        match hash {
            Ok(hash) => self.started(transfer, hash, current, cx),
            Err(error) => self.failed(transfer, error, current, cx),
        }
    }

    fn started(&mut self, transfer: Transfer, hash: String, current: bool, cx: &mut Cx) {
        cx.signal(Signal::Track(transfer.tracked(Name::SendSuccess).with("hash", hash.as_str())));
        cx.resolve_host(transfer.ticket, Value::Object(vec![("hash".into(), Value::Text(hash.clone()))]));
        self.dealings.pays(&transfer, cx);
        self.follow(transfer, hash, current, cx);
        if current {
            self.reset(cx);
            cx.signal(Signal::SendStarted);
            cx.signal(Signal::SendShown);
        } else {
            // No receipt shows, so a toast says it (spec 8.2).
            cx.say(Variant::Success, Message::TransactionStarted);
        }
    }

    fn failed(&mut self, transfer: Transfer, error: RpcError, current: bool, cx: &mut Cx) {
        cx.reject_host(transfer.ticket, HostError::from(&error));
        let refused = signing::is_refusal(&error);
        let name = if refused { Name::SendRejected } else { Name::SendError };
        cx.signal(Signal::Track(transfer.tracked(name).with("message", error.message.as_str())));
        if !current {
            return;
        }
        self.phase = match () {
            () if refused => Phase::Refused,
            () if signing::is_unsent(&error) => Phase::Failed,
            () => Phase::Unsure,
        };
        // The preview says itself that the visitor refused, or that the wallet may have sent it.
        let told = self.phase == Phase::Unsure && cx.facts.view == Some(View::WalletSendPreview);
        if !refused && !told {
            cx.say(Variant::Error, signing::message_of(&error, Message::FailedToSendTransaction));
        }
        self.error = Some(error);
    }
}
