//! Requests at a wallet that sends by itself: until it tells what became of one, the payment may be on its way.

use super::Solana;
use super::confirm::{Request, signature_in};
use crate::cx::Cx;
use crate::notice::{Message, Variant};
use crate::pay::signing;
use crate::storage::keys;
use portico_calldata::solana::transaction;
use portico_encoding::base58;
use portico_json::Value;
use portico_terms::rpc::RpcError;

/// Outcome of a request, as far as the answer of a wallet that sends by itself tells it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Told {
    /// The payment was sent.
    Paid,
    /// The payment was not sent.
    Unsent,
    /// Not whether the payment was sent.
    Nothing,
}

impl Solana {
    /// Whether a wallet is asked that sends by itself.
    pub fn wallet_sends(&self) -> bool {
        self.request.as_ref().is_some_and(|request| request.sends)
    }

    /// A wallet that sends by itself is asked: the request is open until its outcome is known, on the next page too.
    pub(super) fn opens(&mut self, cx: &mut Cx) {
        self.left_open.asked(self.round, keys::ASKED_TO_SEND_ON_SOLANA, cx);
    }

    /// The wallet answered a request.
    pub(super) fn is_told(&mut self, round: u32, told: Told, cx: &mut Cx) {
        match told {
            Told::Nothing => self.left_open.stays_unknown(round),
            told => self.left_open.settled(round, keys::ASKED_TO_SEND_ON_SOLANA, told == Told::Paid, cx),
        }
    }

    /// Ends the request to the wallet, and returns the ticket of the host call. A wallet that only signs now signs for nothing: this page
    /// would send the transaction. One that sends by itself may still do so, and then the payment is followed.
    pub(super) fn leave_request(&mut self, cx: &mut Cx) -> Option<u32> {
        let mut request = self.request.take()?;
        let ticket = request.ticket.take();
        if request.sends {
            cx.say(Variant::Error, Message::MayStillSend);
            self.late.push(request);
        }
        ticket
    }

    /// Answer to a request that the visitor left: what the wallet sent by itself is followed. The receipt on the screen may be that of a later
    /// payment.
    pub(super) fn on_late(&mut self, round: u32, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(at) = self.late.iter().position(|request| request.round == round) else { return };
        let mut request: Request = self.late.remove(at);
        let from = request.plan.from;
        let unsent = answer.as_ref().is_err_and(signing::is_unsent);
        let answer = answer.as_ref().ok();
        let signed = answer.and_then(|answer| signature_in(answer, &mut request, &from).ok());
        let told = match signed {
            Some(_) => Told::Paid,
            None if unsent => Told::Unsent,
            None => Told::Nothing,
        };
        self.is_told(round, told, cx);
        if let Some(signature) = signed {
            let wire = transaction(&signature, &request.message);
            self.follow(&request, base58::encode(&signature), &wire, false, cx);
            cx.say(Variant::Success, Message::TransactionStarted);
        }
    }
}
