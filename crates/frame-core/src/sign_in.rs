//! The sign-in message of the page (EIP-4361), signed in the same step as a login: the visitor who just logged in has agreed to be known to this
//! page, so one text that says only that needs no click of its own. What else a text could say is left to an approval, or refused.

use crate::account::Account;
use crate::decode::{sign_in_faults, shown};
use crate::effect::{Failure, Operation, SigningOrder};
use crate::frame::Frame;
use crate::message::{DEFAULT, Request, as_value, fault};
use crate::reason::Reason;
use crate::view::Flag;
use portico_api::frame::{FrameFault, FrameUser, SiwxMessage, UserQuestion};
use portico_calldata::hex;
use portico_json::{Read, Value};
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

    /// Answers a question about the user, with the signature of the message that came with it. Without a login a moment ago there is none, and
    /// the page asks for an approval as for any other message.
    pub(crate) fn tell_user(&mut self, request: Request, question: &UserQuestion) {
        let Some(user) = self.user(question) else { return self.reply(request, Err(fault(DEFAULT))) };
        let Some(asked) = question.siwx_message.as_ref().filter(|asked| !asked.is_null()) else {
            return self.reply(request, Ok(as_value(&user)));
        };
        let checked = self.account.as_ref().ok_or_else(|| fault(DEFAULT)).and_then(|account| {
            let message = SiwxMessage::read(asked).map_err(|_| fault(DEFAULT))?;
            checked(&message, &self.boot.host, account, &self.chain)
        });
        let (text, address) = match checked {
            Ok(checked) => checked,
            Err(fault) => return self.reply(request, Err(fault)),
        };
        if self.consent.take().is_none_or(|until| self.now > until) {
            return self.reply(request, Ok(as_value(&user)));
        }
        let order = SigningOrder::Message { address, message: hex::of(text.as_bytes()) };
        let reason = Reason::SignedIn { request, user, text, asked: asked.clone() };
        self.order(Operation::Sign { order }, reason);
    }

    pub(crate) fn signed_in(
        &mut self,
        request: Request,
        user: FrameUser,
        (text, asked): (String, Value),
        answer: Result<Value, Failure>,
    ) {
        let mut told = as_value(&user);
        // The login itself succeeded: without a signature the page asks for an approval.
        if let (Ok(Value::Text(signature)), Value::Object(fields)) = (answer, &mut told) {
            fields.push(("signature".into(), signature.into()));
            fields.push(("message".into(), text.into()));
            fields.push(("siwxMessage".into(), asked));
        }
        self.reply(request, Ok(told));
    }
}

/// The text to sign and the account that signs it, if it is for this page and this account on the chain in use, and says nothing else.
fn checked(
    message: &SiwxMessage,
    host: &str,
    account: &Account,
    chain: &ChainId,
) -> Result<(String, String), FrameFault> {
    let address = account.address_on(chain).filter(|_| chain.namespace() == Namespace::Eip155);
    let address = address.ok_or_else(|| fault("This sign-in is for another network"))?;
    let own = message.account_address.as_deref().is_none_or(|told| told.eq_ignore_ascii_case(address));
    let domain = message.domain.as_deref().is_none_or(|told| host.split_once("://").is_some_and(|(_, own)| told == own));
    let text = match &message.serialized_message {
        Some(text) => text.clone(),
        None => text_of(message, address, chain).ok_or_else(|| fault(DEFAULT))?,
    };
    let faults = sign_in_faults(&text, host, address, chain);
    let has = |flag| faults.contains(&flag);
    // Capabilities (EIP-5573) are more than a sign-in, and so may be what stands behind letters that steer the screen.
    let more = text.len() > LONGEST || shown(&text) != text || text.contains("urn:recap:");
    let why = if has(Flag::WrongDomain) || has(Flag::WrongUri) || !domain {
        "This sign-in is for another site"
    } else if has(Flag::WrongAccount) || !own {
        "This sign-in is for another account"
    } else if has(Flag::WrongChain) {
        "This sign-in is for another network"
    } else if more || !faults.is_empty() {
        "This sign-in isn't valid"
    } else {
        return Ok((text, address.into()));
    };
    Err(fault(why))
}

/// The text of the fields (EIP-4361).
fn text_of(message: &SiwxMessage, address: &str, chain: &ChainId) -> Option<String> {
    let SiwxMessage { domain: Some(domain), uri: Some(uri), version: Some(version), nonce: Some(nonce), .. } = message
    else {
        return None;
    };
    let mut text = format!("{domain} wants you to sign in with your Ethereum account:\n{address}\n\n");
    if let Some(statement) = &message.statement {
        text.extend([statement, "\n"]);
    }
    let chain = chain.reference();
    text.push_str(&format!("\nURI: {uri}\nVersion: {version}\nChain ID: {chain}\nNonce: {nonce}"));
    let rest = [
        ("Issued At", &message.issued_at),
        ("Expiration Time", &message.expiration_time),
        ("Not Before", &message.not_before),
        ("Request ID", &message.request_id),
    ];
    for (name, value) in rest {
        if let Some(value) = value {
            text.push_str(&format!("\n{name}: {value}"));
        }
    }
    if let Some(resources) = &message.resources {
        text.push_str("\nResources:");
        resources.iter().for_each(|resource| text.extend(["\n- ", resource]));
    }
    Some(text)
}
