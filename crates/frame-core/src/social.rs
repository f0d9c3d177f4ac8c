//! Login at another service: its page, and the code with which the visitor comes back (spec 5.27, 7.17, 7.18).

use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::login::LONGEST_TRANSACTION;
use crate::message::{DEFAULT, Request, fault, object, payload, text_of};
use crate::network;
use crate::reason::Reason;
use crate::text::split_last;
use portico_api::frame::{FrameFault, UserQuestion};
use portico_api::wallet::{SocialLogin, SocialStarted};
use portico_json::{Read, Value};
use portico_terms::ChainId;

/// Longest word of a service.
const LONGEST_WORD: usize = 16;
/// Longest address in bytes.
const LONGEST_URI: usize = 4096;
/// Longest token of a host in bytes.
pub(crate) const LONGEST_JWT: usize = 16 * 1024;
/// Word of the login by a host's own token.
pub(crate) const JWT: &str = "jwt";
/// Letters of a code: 32 bytes in base64url.
const CODE: usize = 43;

/// Login at another service in progress.
#[derive(Debug)]
pub struct SocialAttempt {
    /// Id at the server.
    transaction: String,
    /// "google"
    provider: String,
}

/// Error for an address that does not belong to the login in progress.
fn ended() -> FrameFault {
    fault("This login has ended. Start again.")
}

/// Service and code of the address with which the visitor came back; the code is absent where the visitor or the service refused.
fn returned(uri: &str) -> Option<(&str, Option<&str>)> {
    let (page, rest) = split_last(uri, b'/')?;
    let (provider, code) = match rest.split_once('?') {
        Some((provider, query)) => (provider, Some(query.strip_prefix("code=")?)),
        None => (rest, None),
    };
    let is_code = |code: &str| {
        code.len() == CODE && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let is_ours = page.ends_with("/wallet/callback") && is_word(provider) && code.is_none_or(is_code);
    is_ours.then_some((provider, code))
}

/// Reads the host's question about the user, and the chain in it.
fn question_of(value: &Value) -> Result<(UserQuestion, Option<ChainId>), FrameFault> {
    payload::<UserQuestion>(value).and_then(|question| match &question.chain_id {
        Some(chain) if !chain.is_null() => network::chosen(chain).map(|chain| (question, Some(chain))),
        _ => Ok((question, None)),
    })
}

fn is_word(word: &str) -> bool {
    (1..=LONGEST_WORD).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

impl Frame {
    /// Spec 7.18.
    pub(crate) fn get_social_redirect_uri(&mut self, request: Request, value: &Value) {
        let provider = text_of(value, "provider", LONGEST_WORD).ok().filter(|word| is_word(word));
        let back = match value.get("back") {
            Value::Null => Ok(None),
            _ => text_of(value, "back", LONGEST_URI).map(|back| Some(back.to_owned())),
        };
        let (Some(provider), Ok(back)) = (provider, back) else { return self.reply(request, Err(fault(DEFAULT))) };
        self.end_login();
        self.social = None;
        let body = SocialLogin {
            provider: provider.into(),
            project: self.boot.project.clone(),
            host: self.boot.host.clone(),
            back,
        };
        let provider = body.provider.clone();
        self.ask("login/social", &body, false, Reason::SocialStarted { request, provider });
    }

    pub(crate) fn social_started(&mut self, request: Request, provider: String, answer: Result<Value, Failure>) {
        let reply = match answer.map(|value| SocialStarted::read(&value)) {
            Ok(Ok(SocialStarted { transaction, uri }))
                if (1..=LONGEST_TRANSACTION).contains(&transaction.len()) && uri.len() <= LONGEST_URI =>
            {
                self.social = Some(SocialAttempt { transaction, provider });
                Ok(object(&[("uri", uri.into())]))
            }
            Ok(_) => Err(fault(DEFAULT)),
            Err(failure) => Err(self.failed(failure)),
        };
        self.reply(request, reply);
    }

    /// Login by the host's own token, which the vault checks.
    pub(crate) fn connect_jwt(&mut self, request: Request, value: &Value) {
        let token = text_of(value, "jwt", LONGEST_JWT).ok().filter(|token| !token.is_empty());
        let (Some(token), Ok((question, chain))) = (token, question_of(value)) else {
            return self.reply(request, Err(fault(DEFAULT)));
        };
        self.end_login();
        self.social = None;
        self.chain = chain.unwrap_or_else(|| self.chain.clone());
        let order = Operation::LogInByJwt {
            project: self.boot.project.clone(),
            host: self.boot.host.clone(),
            token: token.into(),
        };
        self.order(order, Reason::SocialFinished { request, question, visitor: false });
    }

    /// Spec 7.17. The login is over with its first return, whatever that brings.
    pub(crate) fn connect_social(&mut self, request: Request, value: &Value) {
        let (question, chain) = match question_of(value) {
            Ok(read) => read,
            Err(fault) => return self.reply(request, Err(fault)),
        };
        let uri = text_of(value, "uri", LONGEST_URI);
        let Some((provider, code)) = uri.ok().and_then(returned) else {
            return self.reply(request, Err(fault(DEFAULT)));
        };
        if self.social.as_ref().is_some_and(|attempt| attempt.provider != provider) {
            return self.reply(request, Err(ended()));
        }
        let attempt = self.social.take();
        let Some(code) = code else { return self.reply(request, Err(fault("Login was canceled"))) };
        self.chain = chain.unwrap_or_else(|| self.chain.clone());
        let order = Operation::FinishSocial {
            transaction: attempt.map(|attempt| attempt.transaction),
            provider: provider.into(),
            code: code.into(),
        };
        self.order(order, Reason::SocialFinished { request, question, visitor: true });
    }

    pub(crate) fn social_finished(
        &mut self,
        request: Request,
        question: &UserQuestion,
        visitor: bool,
        answer: Result<Value, Failure>,
    ) {
        match answer.map_err(|failure| self.failed(failure)).and_then(|value| self.entered(&value)) {
            Ok(Value::Null) => {
                if visitor {
                    self.consent();
                }
                self.tell_user(request, question);
            }
            reply => self.reply(request, reply),
        }
    }
}
