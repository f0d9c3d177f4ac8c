//! The signature: who is asked for it, and the reasons why there is none.

use super::{Phase, Reason, Refusal, Siwx};
use crate::analytics::Name;
use crate::cx::Cx;
use crate::effect::SignInCall;
use crate::facts::ActiveAccount;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::wallet;
use portico_terms::rpc::{RpcError, RpcErrorKind, is_signature};
use portico_terms::{ConnectorKind, Namespace};

/// Code of an error of the site that found the times of the message invalid: HTTP's "Too Early". The page tells HTTP codes of the site's
/// server as they are.
const TOO_EARLY: i64 = 425;

/// Code of an error of the site that found the message too old: HTTP's "Request Timeout".
const TOO_LATE: i64 = 408;

impl Siwx {
    /// Asks the wallet to sign the message, or the site, if it signs by a function of its own.
    pub(super) fn sign(&mut self, cx: &mut Cx) {
        let (Some(signer), Some(words)) = (&self.signer, &self.words) else { return };
        self.phase = Phase::Signing;
        let reason = Reason::Signed(self.attempt);
        if words.own_signature {
            let message = vec![("message".into(), words.text.as_str().into())];
            self.ask(SignInCall::SignMessage, message, reason, None, cx);
        } else {
            let request = wallet::sign_text(signer.chain.namespace(), &words.text, &signer.address);
            cx.ask(request.to(&signer.handle), reason);
        }
    }

    /// The visitor of the embedded wallet who just logged in is asked nothing more: the frame signs the message of this page then, and else it
    /// does not, and the visitor decides.
    pub(super) fn sign_by_login(&mut self, cx: &mut Cx) {
        self.phase = Phase::Ready;
        let signs =
            |account: &ActiveAccount| account.kind == ConnectorKind::Auth && account.namespace == Namespace::Eip155;
        let embedded = cx.facts.account.as_deref().is_some_and(signs);
        let Some(words) = self.words.as_ref().filter(|words| embedded && !words.own_signature) else { return };
        if !std::mem::replace(&mut self.tried, true) {
            self.phase = Phase::Signing;
            self.by_login = Some(self.attempt);
            cx.signal(Signal::SignInWithLogin { message: words.text.clone() });
        }
    }

    /// The frame signed the message with the login, or did not.
    pub(super) fn login_answered(&mut self, signature: Option<String>, cx: &mut Cx) {
        if self.by_login.take() != Some(self.attempt) || self.phase != Phase::Signing {
            return;
        }
        match signature.filter(|signature| is_signature(signature)) {
            Some(signature) => self.save(signature, None, cx),
            None => self.phase = Phase::Ready,
        }
    }

    /// The visitor, the wallet or the site refused: the view can be used again, with another message (spec 4.27).
    pub(super) fn refused(&mut self, error: RpcError, cx: &mut Cx) {
        let tracked = self.tracked(Name::SiwxAuthError, cx.facts).with("message", error.message.as_str());
        cx.signal(Signal::Track(tracked));
        let by_site = self.phase == Phase::Saving;
        let refusal = match error.code {
            TOO_EARLY if by_site => Refusal::Clock,
            TOO_LATE if by_site => Refusal::Late,
            500..600 if by_site => Refusal::Unavailable,
            _ if error.kind == RpcErrorKind::UserRejected => Refusal::Declined,
            _ => Refusal::Refused { words: error.message },
        };
        if by_site {
            // The view says why; with a message of one click the visitor has not seen it yet.
            cx.signal(Signal::SignInDue);
        }
        if !by_site {
            cx.say(Variant::Error, Message::declined(cx.facts.smart_account));
        }
        self.ahead.clear();
        self.stop(cx);
        self.refusal = Some(refusal);
        self.write(Phase::Preparing, cx);
    }
}
