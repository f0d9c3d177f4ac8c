//! From the review to the signed transaction.

use super::flight::{Last, Pending};
use super::kept::End;
use super::plan::Plan;
use super::view::Trouble;
use super::{Alarm, Bitcoin, PATIENCE, Phase, Reason, network};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::HostError;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::signing;
use crate::pay::typed::AmountFault;
use crate::signal::Signal;
use crate::wallet::bip122;
use portico_calldata::bitcoin::{Funding, LARGEST, Previous, SignFault, complete, id_text, unsigned};
use portico_encoding::hex;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId};

/// Time after which a wallet without a signature counts as slow, in milliseconds; the modal then shows a hint.
const SLOW: u64 = 8_000;

/// Payment that the visitor confirmed.
#[derive(Debug)]
pub struct Request {
    pub plan: Plan,
    pub chain: ChainId,
    /// Address of the sender.
    pub from: String,
    handle: String,
    /// Address of the receiver.
    pub to: String,
    /// Transactions whose outputs are spent: ids in hex, each with its bytes once they were read.
    previous: Vec<(String, Option<Vec<u8>>)>,
    /// Amount in coins, exact.
    pub amount: String,
    pub symbol: String,
    /// Value in US dollars, if a price is known.
    pub value: Option<String>,
    /// Ticket of the host call.
    pub ticket: Option<u32>,
    /// The transaction, once it is signed.
    pub signed: Option<Pending>,
}

impl Request {
    /// Analytics event about it.
    pub fn tracked(&self, name: Name) -> Tracked {
        let tracked = Tracked::new(name).flag("isSmartAccount", false).with("amount", self.amount.as_str());
        tracked.with("network", self.chain.to_string()).with("token", self.symbol.as_str())
    }

    /// PSBT for the wallet. The amounts and scripts of what is spent are those of the transactions themselves: a wallet signs what an output
    /// has, and a node that tells less would have the rest paid as a fee.
    fn psbt(&self, key: Option<&[u8]>) -> Result<Vec<u8>, Trouble> {
        let script = self.plan.from.script();
        let mut read = Vec::new();
        for coin in &self.plan.coins {
            let id = coin.at.id();
            let bytes = self.previous.iter().find(|(known, _)| *known == id).and_then(|(_, bytes)| bytes.as_deref());
            let bytes = bytes.ok_or(Trouble::Untried)?;
            let mut outputs = Previous::read(bytes).ok_or(Trouble::Untrue)?.outputs;
            let at = coin.at.index as usize;
            if outputs.get(at).is_none_or(|output| output.satoshis != coin.satoshis || output.script != script) {
                return Err(Trouble::Untrue);
            }
            read.push((bytes, outputs.swap_remove(at)));
        }
        let funding: Vec<Funding> = read.iter().map(|(previous, output)| Funding { previous, output }).collect();
        unsigned(&self.plan.payment(), &self.plan.from, key, &funding).ok_or(Trouble::Account)
    }
}

impl Bitcoin {
    pub(super) fn review(&mut self, cx: &mut Cx) {
        self.pressed = true;
        // A second press while the nodes are asked starts no second wait.
        if self.awaited {
            return;
        }
        // The form may have been open for long.
        self.awaited = true;
        self.coins = None;
        self.told = [None; 3];
        self.look(cx);
        self.reread(cx);
        self.go_on(cx);
    }

    /// Opens the preview once the visitor requested it and no result is pending.
    pub(super) fn go_on(&mut self, cx: &mut Cx) {
        self.awaited &= cx.facts.view == Some(View::BitcoinSend);
        if !self.awaited || self.is_reading() {
            return;
        }
        self.awaited = false;
        let view = self.view(cx.facts);
        if !view.ready {
            let missing = view.amount_fault == Some(AmountFault::Missing)
                || view.receiver_fault == Some(super::ReceiverFault::Missing);
            // Errors beside their fields are not repeated. What is missing has no words there: this message of the contract says it
            // (spec 5.9, 5.10).
            if missing {
                cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
            }
            return;
        }
        // From here on the form shows exactly what is sent, in canonical form: `1,5` becomes 1.5.
        self.all = false;
        if let Ok(amount) = self.satoshis() {
            self.amount = Amount::from(amount).to_units(super::DECIMALS);
        }
        cx.signal(Signal::FormStep(View::BitcoinSendPreview));
    }

    /// Ends the request, and returns the ticket of the host call. A wallet that signs now signs for nothing: this page would send the
    /// transaction. One that is signed is with the nodes already, and is followed.
    pub(super) fn leave_request(&mut self, cx: &mut Cx) -> Option<u32> {
        let mut request = self.request.take()?;
        if request.signed.is_some() {
            self.sent_off(&mut request, cx);
            cx.say(Variant::Success, Message::TransactionStarted);
        }
        request.ticket
    }

    /// The visitor went back from the preview to the form and can retry.
    pub fn preview_left(&mut self, cx: &mut Cx) {
        if self.request.is_some() {
            self.ticket = self.leave_request(cx);
        }
        self.round += 1;
        self.phase = Phase::Editing;
        (self.trouble, self.error) = (None, None);
        self.awaited = false;
        self.slow = false;
        cx.stop(Alarm::Unanswered);
        cx.stop(Alarm::Slow);
    }

    pub(super) fn confirm(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Confirming {
            return;
        }
        let view = self.view(cx.facts);
        let plan = self.plan(cx.facts).and_then(Result::ok).filter(|_| view.ready);
        let (Some(plan), Some(network), Some(account)) = (plan, network(cx.facts).cloned(), cx.facts.account.clone())
        else {
            self.pressed = true;
            self.preview_left(cx);
            cx.signal(Signal::FormStepLeft(View::BitcoinSendPreview));
            return cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
        };
        self.round += 1;
        self.phase = Phase::Confirming;
        (self.trouble, self.error) = (None, None);
        self.slow = false;
        let chain = network.caip_network_id.clone();
        let mut previous: Vec<(String, Option<Vec<u8>>)> = Vec::new();
        for coin in &plan.coins {
            let id = coin.at.id();
            if previous.iter().all(|(known, _)| *known != id) {
                cx.call(
                    &chain,
                    bip122::TRANSACTION,
                    vec![Value::Text(id.clone())],
                    Reason::Previous(self.round, id.clone()),
                );
                previous.push((id, None));
            }
        }
        let request = Request {
            plan,
            chain,
            from: account.address.clone(),
            handle: account.handle.clone(),
            to: super::payee::address_in(&self.receiver),
            previous,
            amount: self.amount.clone(),
            symbol: network.native_currency.symbol.clone(),
            value: view.value,
            ticket: self.ticket.take(),
            signed: None,
        };
        cx.signal(Signal::Track(request.tracked(Name::SendInitiated)));
        self.request = Some(request);
        cx.start(Alarm::Unanswered, PATIENCE);
    }

    /// Bytes of a transaction whose outputs are spent. Their hash is its id, whatever node tells them.
    pub(super) fn on_previous(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(request) = &mut self.request else { return };
        let text = answer.as_ref().ok().and_then(Value::as_str).filter(|text| text.len() <= 2 * LARGEST);
        let Some(bytes) = text.and_then(hex::decode) else { return self.stopped(Trouble::Untried, None, cx) };
        if Previous::read(&bytes).is_none_or(|previous| id_text(&previous.id) != *id) {
            return self.stopped(Trouble::Untrue, None, cx);
        }
        if let Some((_, place)) = request.previous.iter_mut().find(|(known, _)| known == id) {
            *place = Some(bytes);
        }
        if request.previous.iter().all(|(_, bytes)| bytes.is_some()) {
            self.ask_wallet(cx);
        }
    }

    fn ask_wallet(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::Unanswered);
        let Some(request) = &self.request else { return };
        match request.psbt(self.key.as_deref()) {
            Ok(psbt) => {
                let asked = bip122::sign_psbt(&psbt, &request.from, request.plan.coins.len());
                cx.ask(asked.to(&request.handle), Reason::Signed(self.round));
                cx.start(Alarm::Slow, SLOW);
            }
            Err(trouble) => self.stopped(trouble, None, cx),
        }
    }

    /// The payment is not sent, and the preview says why.
    pub(super) fn stopped(&mut self, trouble: Trouble, detail: Option<String>, cx: &mut Cx) {
        let Some(request) = self.request.take() else { return };
        cx.stop(Alarm::Unanswered);
        cx.signal(Signal::Track(request.tracked(Name::SendError)));
        self.ticket = request.ticket;
        self.phase = Phase::Failed;
        self.trouble = Some((trouble, detail));
    }

    pub(super) fn on_signed(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        cx.stop(Alarm::Slow);
        self.slow = false;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return self.refused(error, cx),
        };
        let Some(request) = &mut self.request else { return };
        let psbt = bip122::signed_psbt(&answer).ok_or(SignFault::Unsigned);
        let whole = psbt.and_then(|psbt| complete(&request.plan.payment(), &request.plan.from, &psbt));
        match whole {
            Ok((bytes, id)) => {
                let signed = Pending::new(request, id_text(&id), hex::encode(&bytes), cx.now);
                // The page may be gone before a node has answered.
                signed.keep(None, cx);
                cx.call(&request.chain, bip122::SEND, vec![signed.wire()], Reason::Taken(self.round));
                self.bound.retain(|bound| bound.one.id != signed.one.id);
                self.bound.push(signed.clone());
                request.signed = Some(signed);
                cx.start(Alarm::Unanswered, PATIENCE);
            }
            Err(SignFault::Changed) => self.stopped(Trouble::Changed, None, cx),
            Err(SignFault::Unsigned) => self.stopped(Trouble::Unsigned, None, cx),
        }
    }

    fn refused(&mut self, error: RpcError, cx: &mut Cx) {
        let Some(request) = self.request.take() else { return };
        let refused = signing::is_refusal(&error);
        let name = if refused { Name::SendRejected } else { Name::SendError };
        cx.signal(Signal::Track(request.tracked(name).with("message", error.message.as_str())));
        cx.reject_host(request.ticket, HostError::from(&error));
        self.phase = if refused { Phase::Refused } else { Phase::Failed };
        self.error = Some(error);
    }

    /// A node took the signed transaction, or said why not. Without an answer it may have been taken, and is sent again.
    pub(super) fn on_taken(&mut self, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        match answer {
            Err(error) if bip122::is_refused(error) => {
                if let Some(signed) = self.request.as_ref().and_then(|request| request.signed.as_ref()) {
                    signed.keep(Some(End { at: cx.now }), cx);
                }
                self.stopped(Trouble::Refused, Some(error.message.clone()), cx);
            }
            _ => self.started(cx),
        }
    }

    pub(super) fn started(&mut self, cx: &mut Cx) {
        let Some(mut request) = self.request.take() else { return };
        self.last = request.signed.as_ref().map(|signed| Last::new(&request, signed));
        self.sent_off(&mut request, cx);
        self.reset(cx);
        cx.signal(Signal::SendStarted);
        cx.signal(Signal::FormStep(View::BitcoinSendConfirmed));
    }

    /// The signed transaction is with the nodes: the host gets its id, and it is followed. A receipt on the screen stays as it is.
    fn sent_off(&mut self, request: &mut Request, cx: &mut Cx) {
        let Some(signed) = request.signed.take() else { return };
        let id = &signed.one.id;
        cx.signal(Signal::Track(request.tracked(Name::SendSuccess).with("hash", id.as_str())));
        cx.resolve_host(request.ticket.take(), Value::Object(vec![("hash".into(), Value::Text(id.clone()))]));
        // An output is spent once: payments that were given up and spend one of this payment's outputs can't count beside it.
        self.bound.retain(|bound| {
            let free = bound.first().is_none_or(|at| !signed.spends(at));
            if !free && bound.one.id != *id {
                bound.one.forget(cx);
            }
            free
        });
        self.follow(request, signed, cx);
    }
}
