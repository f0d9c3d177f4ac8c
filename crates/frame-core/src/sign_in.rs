//! The sign-in message of the page (EIP-4361), signed in the same step as a login: the visitor who just logged in has agreed to be known to this
//! page, so one text that says only that needs no click of its own. What else a text could say is left to an approval, or refused.

use crate::account::Account;
use crate::decode::{is_bare, sign_in_faults};
use crate::effect::{Failure, Operation, SigningOrder};
use crate::frame::Frame;
use crate::message::{DEFAULT, Request, as_value, fault};
use crate::proof::Proof;
use crate::reason::Reason;
use crate::text::holds;
use portico_api::frame::UserQuestion;
use portico_calldata::hex;
use portico_json::Value;
use portico_terms::{ChainId, Namespace};

/// Milliseconds after a login in which its message is signed.
const GOOD: u64 = 60_000;
/// Longest message in bytes.
const LONGEST: usize = 8_192;

impl Frame {
    /// The visitor logged in: one message of this page may be signed.
    pub(crate) fn consent(&mut self) {
        self.consent = Some(self.now + GOOD);
    }

    /// Answers a question about the user, with the signature of the message that came with it. Without a login a moment ago, or for a message
    /// that is refused, there is none, and the page asks for an approval as for any other message. Either way the consent is used up.
    pub(crate) fn tell_user(&mut self, request: Request, question: &UserQuestion) {
        let Some(user) = self.user(question).map(|user| as_value(&user)) else {
            return self.reply(request, Err(fault(DEFAULT)));
        };
        let Some(asked) = question.siwx_message.as_ref().filter(|asked| !asked.is_null()) else {
            return self.reply(request, Ok(user));
        };
        let agreed = self.consent.take().is_some_and(|until| self.now <= until);
        let account = self.account.as_ref().filter(|_| agreed);
        let checked = account.and_then(|account| checked(asked, &self.boot.host, account, &self.chain, self.now));
        let Some((text, address)) = checked else { return self.reply(request, Ok(user)) };
        let order = SigningOrder::Message { address, message: hex::of(text.as_bytes()) };
        let reason = Reason::SignedIn { request, user, text, asked: asked.clone() };
        self.order(Operation::Sign { order, proof: Proof::Click }, reason);
    }

    pub(crate) fn signed_in(
        &mut self,
        request: Request,
        mut user: Value,
        (text, asked): (String, Value),
        answer: Result<Value, Failure>,
    ) {
        // The login itself succeeded: without a signature the page asks for an approval.
        if let (Ok(Value::Text(signature)), Value::Object(fields)) = (answer, &mut user) {
            fields.push(("signature".into(), signature.into()));
            fields.push(("message".into(), text.into()));
            fields.push(("siwxMessage".into(), asked));
        }
        self.reply(request, Ok(user));
    }
}

/// The text to sign and the account that signs it, if it is for this page and this account on the chain in use, and says nothing else.
fn checked(asked: &Value, host: &str, account: &Account, chain: &ChainId, now: u64) -> Option<(String, String)> {
    let address = account.address_on(chain).filter(|_| chain.namespace() == Namespace::Eip155)?;
    let of = |name| asked.get(name).as_str();
    let own = of("accountAddress").is_none_or(|told| told.eq_ignore_ascii_case(address));
    let text = of("serializedMessage").map_or_else(|| text_of(asked, address, chain), String::from);
    // Capabilities (EIP-5573) are more than a sign-in.
    let more = text.len() > LONGEST || !is_bare(&text, now) || holds(&text.to_ascii_lowercase(), "urn:recap:");
    (own && !more && sign_in_faults(&text, host, address, chain).is_empty()).then(|| (text, address.into()))
}

/// The text of the fields (EIP-4361), which is checked like one that the page wrote. One with resources is for the page to write.
fn text_of(asked: &Value, address: &str, chain: &ChainId) -> String {
    let of = |name| asked.get(name).as_str();
    let domain = of("domain").unwrap_or_default();
    let mut text = [domain, " wants you to sign in with your Ethereum account:\n", address, "\n\n"].concat();
    if let Some(statement) = of("statement") {
        text.extend([statement, "\n"]);
    }
    let fields = [
        ("\nURI: ", of("uri")),
        ("\nVersion: ", of("version")),
        ("\nChain ID: ", Some(chain.reference())),
        ("\nNonce: ", of("nonce")),
        ("\nIssued At: ", of("issuedAt")),
        ("\nExpiration Time: ", of("expirationTime")),
        ("\nNot Before: ", of("notBefore")),
        ("\nRequest ID: ", of("requestId")),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            text.extend([name, value]);
        }
    }
    text
}
