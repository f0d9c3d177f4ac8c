//! From the review to the wallet's signature.

use super::check::simulate;
use super::open_request::Told;
use super::plan::Plan;
use super::trial::{Trouble, tried};
use super::{Alarm, PATIENCE, Phase, Reason, Solana, Trial, network, own};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::HostError;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::signing;
use crate::signal::Signal;
use crate::wallet::solana;
use portico_calldata::solana::{Key, Message as Paying, SIGNATURE, Transaction, fee, key, transaction, verify};
use portico_encoding::base58;
use portico_json::Value;
use portico_terms::ChainId;
use portico_terms::rpc::{RpcError, RpcErrorKind};

/// Time after which a wallet without a signature counts as slow, in milliseconds; the modal then shows a hint.
const SLOW: u64 = 8_000;

/// Time within which a signature is in time whatever the chain does, in milliseconds: a transaction can be in 150 blocks.
const BRISK: u64 = 10_000;

/// Payment that the visitor confirmed.
#[derive(Debug)]
pub struct Request {
    pub plan: Plan,
    pub chain: ChainId,
    /// Address of the sender.
    pub from: String,
    handle: String,
    /// Message that the wallet is asked to sign, and then the one that it signed; empty before there is a recent block.
    pub message: Vec<u8>,
    /// Network fee of the message, in lamports.
    pub fee: u64,
    /// Height of the last block that the transaction may be in.
    pub last_valid: u64,
    /// Time of the answer about that block, in epoch milliseconds.
    since: u64,
    /// Valid signature of a wallet that took long, while a node is asked whether the transaction may still be in a block.
    signature: Option<[u8; SIGNATURE]>,
    /// Amount in coins or tokens, exact.
    pub amount: String,
    pub symbol: String,
    /// Value in US dollars, if a price is known.
    pub value: Option<String>,
    /// Ticket of the host call.
    pub ticket: Option<u32>,
    /// Round in which the wallet was asked.
    pub round: u32,
    /// The wallet was asked to sign and send: nothing can stop it.
    pub sends: bool,
}

impl Request {
    /// Analytics event about it.
    pub fn tracked(&self, name: Name) -> Tracked {
        let tracked = Tracked::new(name).flag("isSmartAccount", false).with("amount", self.amount.as_str());
        tracked.with("network", self.chain.to_string()).with("token", self.symbol.as_str())
    }
}

impl Solana {
    pub(super) fn review(&mut self, cx: &mut Cx) {
        let lost = self.balance_state() == super::TokenState::Unreadable;
        if lost && (self.amount.trim().is_empty() || self.receiver.trim().is_empty()) {
            // The button says "Try again" and means the balance, since there is nothing to review yet.
            return self.read_again(cx);
        }
        self.pressed = true;
        // A second press while the nodes are asked starts no second wait.
        if self.awaited {
            return;
        }
        // The form may have been open for long, and what failed before may succeed now.
        if !matches!(self.trial, Trial::Asked) {
            self.trial = Trial::Due;
        }
        self.awaited = true;
        self.payee = None;
        self.read_again(cx);
        self.go_on(cx);
    }

    /// Reads from the chain again, an unreadable token included.
    fn read_again(&mut self, cx: &mut Cx) {
        if let Some(asset) = self.asset.as_mut().filter(|asset| asset.state == super::TokenState::Unreadable) {
            asset.read(cx);
        }
        self.look(cx);
    }

    /// Opens the preview once the visitor requested it and no result is pending.
    pub(super) fn go_on(&mut self, cx: &mut Cx) {
        self.awaited &= cx.facts.view == Some(View::SolanaSend);
        if !self.awaited {
            return;
        }
        let view = self.view(cx.facts);
        let fields = view.amount_fault.is_none() && view.receiver_fault.is_none();
        let unreadable = self.asset.as_ref().is_some_and(|asset| asset.state == super::TokenState::Unreadable);
        if fields && view.trouble.is_none() && !view.ready && !self.unread && !unreadable {
            // Something is still being read or tried.
            return;
        }
        self.awaited = false;
        if !view.ready {
            let missing = view.amount_fault == Some(super::AmountFault::Missing)
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
        if self.left_open.concerns(cx) {
            self.phase = Phase::Interrupted;
        }
        if let Some((amount, decimals)) = self.units(cx.facts).ok().zip(self.decimals(cx.facts)) {
            self.amount = portico_terms::Amount::from(amount).to_units(decimals);
        }
        cx.signal(Signal::FormStep(View::SolanaSendPreview));
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
        let (Some(plan), Some(network), Some(account)) =
            (self.plan(cx.facts), network(cx.facts).cloned(), cx.facts.account.clone())
        else {
            return self.unready(cx);
        };
        if !view.ready {
            return self.unready(cx);
        }
        self.round += 1;
        self.looks += 1;
        self.phase = Phase::Confirming;
        (self.trouble, self.error) = (None, None);
        self.slow = false;
        let chain = network.caip_network_id.clone();
        let coin = &network.native_currency.symbol;
        let request = Request {
            fee: plan.fee(),
            plan,
            chain: chain.clone(),
            from: account.address.clone(),
            handle: account.handle.clone(),
            message: Vec::new(),
            last_valid: 0,
            since: cx.now,
            signature: None,
            amount: self.amount.clone(),
            symbol: self.asset.as_ref().map_or(coin, |asset| &asset.symbol).clone(),
            value: view.value,
            ticket: self.ticket.take(),
            round: self.round,
            sends: false,
        };
        cx.signal(Signal::Track(request.tracked(Name::SendInitiated)));
        self.request = Some(request);
        // The preview may have been open for long: a transaction lives for about a minute after its block.
        // The block decides on which network the transaction counts, so it is not asked of the host's server where another node is known.
        cx.call_elsewhere(&chain, solana::BLOCK, vec![solana::settings(&[])], Reason::Block(self.round));
        cx.start(Alarm::Unanswered, PATIENCE);
    }

    /// The previewed payment is not valid any more.
    fn unready(&mut self, cx: &mut Cx) {
        self.pressed = true;
        self.preview_left(cx);
        cx.signal(Signal::FormStepLeft(View::SolanaSendPreview));
        cx.say(Variant::Error, Message::EnterValidAmountAndReceiver);
    }

    /// Recent block: the bytes are complete, and are tried once more.
    pub(super) fn on_block(&mut self, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let told = answer.as_ref().ok().map(|answer| answer.get("value"));
        let block: Option<Key> = told.and_then(|told| key(told.get("blockhash").as_str()?));
        let height = told.and_then(|told| told.get("lastValidBlockHeight").as_u64());
        let (Some(request), Some((block, height))) = (&mut self.request, block.zip(height)) else {
            return self.stopped(Trouble::Untried, None, cx);
        };
        request.message = request.plan.message(&block);
        request.last_valid = height;
        request.since = cx.now;
        // A node that does not know the block yet tries the same calls with another one.
        simulate(&request.chain, &request.message, true, Reason::Checked(self.round), cx);
        cx.start(Alarm::Unanswered, PATIENCE);
    }

    /// The bytes were tried: the wallet is asked to sign them.
    pub(super) fn on_checked(&mut self, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        match answer.as_ref().map_or(Err((Trouble::Untried, None)), tried) {
            Ok(_) => self.ask_wallet(false, cx),
            Err((trouble, detail)) => self.stopped(trouble, detail, cx),
        }
    }

    fn ask_wallet(&mut self, sends: bool, cx: &mut Cx) {
        let Some(request) = &mut self.request else { return };
        cx.stop(Alarm::Unanswered);
        request.sends = sends;
        let unsigned = transaction(&[0; SIGNATURE], &request.message);
        let asked = solana::sign_transaction(&unsigned, &request.from, sends).to(&request.handle);
        if sends {
            self.opens(cx);
        }
        cx.ask(asked, Reason::Signed { round: self.round, sends });
        cx.start(Alarm::Slow, SLOW);
    }

    /// The payment is not sent, and the preview says why.
    pub(super) fn stopped(&mut self, trouble: Trouble, detail: Option<String>, cx: &mut Cx) {
        let Some(request) = self.request.take() else { return };
        cx.signal(Signal::Track(request.tracked(Name::SendError)));
        self.ticket = request.ticket;
        self.phase = Phase::Failed;
        self.trouble = Some((trouble, detail));
    }

    pub(super) fn on_signed(&mut self, round: u32, sends: bool, answer: Result<Value, RpcError>, cx: &mut Cx) {
        // The visitor left the preview meanwhile.
        if round != self.round || self.request.is_none() {
            return self.on_late(round, &answer, cx);
        }
        cx.stop(Alarm::Slow);
        self.slow = false;
        let answer = match answer {
            Ok(answer) => answer,
            // A wallet may do nothing but sign and send at once.
            Err(error) if !sends && lacks_method(&error) => return self.ask_wallet(true, cx),
            Err(error) => return self.refused(error, sends, cx),
        };
        let Some(request) = &mut self.request else { return };
        let signature = match own(cx.facts).filter(|own| *own == request.plan.from) {
            Some(own) => signature_in(&answer, request, &own),
            None => Err(Trouble::Unsigned),
        };
        match signature {
            Ok(signature) if !sends && cx.now.saturating_sub(request.since) >= BRISK => {
                request.signature = Some(signature);
                cx.call_elsewhere(&request.chain, solana::HEIGHT, vec![solana::settings(&[])], Reason::Tip(self.round));
                cx.start(Alarm::Unanswered, PATIENCE);
            }
            Ok(signature) => {
                if sends {
                    self.is_told(round, Told::Paid, cx);
                }
                self.started(signature, cx);
            }
            Err(trouble) => {
                self.stopped(trouble, None, cx);
                if sends {
                    self.is_told(round, Told::Nothing, cx);
                    self.phase = Phase::Unsure;
                }
            }
        }
    }

    /// Number of blocks after a wallet took long. Too late, its signature is not sent: the visitor may have the wallet sign a new transaction,
    /// whose recent block and trial are new too.
    pub(super) fn on_tip(&mut self, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some((signature, last)) =
            self.request.as_ref().and_then(|request| Some((request.signature?, request.last_valid)))
        else {
            return;
        };
        cx.stop(Alarm::Unanswered);
        match answer.as_ref().ok().and_then(Value::as_u64) {
            Some(height) if height < last => self.started(signature, cx),
            Some(_) => self.stopped(Trouble::SignedLate, None, cx),
            None => self.stopped(Trouble::Untried, None, cx),
        }
    }

    fn refused(&mut self, error: RpcError, sends: bool, cx: &mut Cx) {
        let Some(request) = self.request.take() else { return };
        let refused = signing::is_refusal(&error);
        let name = if refused { Name::SendRejected } else { Name::SendError };
        cx.signal(Signal::Track(request.tracked(name).with("message", error.message.as_str())));
        cx.reject_host(request.ticket, HostError::from(&error));
        let told = if signing::is_unsent(&error) { Told::Unsent } else { Told::Nothing };
        if sends {
            self.is_told(request.round, told, cx);
        }
        self.phase = match () {
            () if refused => Phase::Refused,
            () if sends && told == Told::Nothing => Phase::Unsure,
            () => Phase::Failed,
        };
        self.error = Some(error);
    }

    fn started(&mut self, signature: [u8; SIGNATURE], cx: &mut Cx) {
        let Some(request) = self.request.take() else { return };
        let name = base58::encode(&signature);
        cx.signal(Signal::Track(request.tracked(Name::SendSuccess).with("hash", name.as_str())));
        cx.resolve_host(request.ticket, Value::Object(vec![("hash".into(), Value::Text(name.clone()))]));
        self.follow(&request, name, &transaction(&signature, &request.message), true, cx);
        self.reset(cx);
        cx.signal(Signal::SendStarted);
        cx.signal(Signal::FormStep(View::SolanaSendConfirmed));
    }
}

fn lacks_method(error: &RpcError) -> bool {
    use RpcErrorKind::{MethodNotFound, MethodNotSupported, UnsupportedMethod};
    matches!(error.kind, UnsupportedMethod | MethodNotFound | MethodNotSupported)
}

/// Signature of the account over the message that was asked for, or over one that does the same: the request has that one from then on.
pub(super) fn signature_in(answer: &Value, request: &mut Request, own: &Key) -> Result<[u8; SIGNATURE], Trouble> {
    let bytes = solana::signed_transaction(answer);
    let (signature, message) = if answer.get("transaction").is_null() {
        let text = solana::signature(answer).ok_or(Trouble::Unsigned)?;
        (base58::decode(text).ok_or(Trouble::Unsigned)?, None)
    } else {
        let signed = bytes.as_deref().and_then(Transaction::read).ok_or(Trouble::Unsigned)?;
        if signed.signed != request.message {
            let asked = Paying::read(&request.message);
            if !asked.is_some_and(|asked| signed.message.keeps_to(&asked)) {
                return Err(Trouble::Changed);
            }
        }
        (signed.signatures.first().ok_or(Trouble::Unsigned)?.to_vec(), Some((signed.signed, fee(&signed.message))))
    };
    let signature = signature.try_into().map_err(|_| Trouble::Unsigned)?;
    if !verify(own, message.map_or(&request.message, |(message, _)| message), &signature) {
        return Err(Trouble::Unsigned);
    }
    if let Some((message, fee)) = message {
        (request.message, request.fee) = (message.to_vec(), fee);
    }
    Ok(signature)
}
