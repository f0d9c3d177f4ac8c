//! Login by Farcaster: the address for the visitor's app, and the wait for its signature (spec 7.19, 7.20).

use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::login::LONGEST_TRANSACTION;
use crate::message::{DEFAULT, Request, WENT_WRONG, fault, object};
use crate::reason::Reason;
use portico_api::wallet::{FarcasterLogin, FarcasterStarted};
use portico_json::{Read, Value};

/// Time for which the signature is waited for, in milliseconds.
pub(crate) const PATIENCE: u64 = 300_000;
/// Longest address in bytes.
pub(crate) const LONGEST_URL: usize = 4096;

/// Login by Farcaster in progress.
#[derive(Debug)]
pub struct FarcasterAttempt {
    /// Id at the server.
    transaction: String,
    /// `CONNECT_FARCASTER` that waits.
    waiting: Option<Request>,
    /// Time at which the wait is given up.
    until: u64,
}

impl Frame {
    /// Spec 7.19.
    pub(crate) fn get_farcaster_uri(&mut self, request: Request) {
        self.end_login();
        self.end_farcaster();
        let body = FarcasterLogin { project: self.boot.project.clone(), host: self.boot.host.clone() };
        self.ask("login/farcaster", &body, false, Reason::FarcasterStarted { request });
    }

    pub(crate) fn farcaster_started(&mut self, request: Request, answer: Result<Value, Failure>) {
        let reply = match answer.map(|value| FarcasterStarted::read(&value)) {
            Ok(Ok(FarcasterStarted { transaction, url }))
                if (1..=LONGEST_TRANSACTION).contains(&transaction.len()) && url.len() <= LONGEST_URL =>
            {
                self.end_farcaster();
                self.farcaster = Some(FarcasterAttempt { transaction, waiting: None, until: 0 });
                Ok(object(&[("url", url.into())]))
            }
            Ok(_) => Err(fault(DEFAULT)),
            Err(failure) => Err(self.failed(failure)),
        };
        self.reply(request, reply);
    }

    /// Forgets the login; a request that waits for its signature is answered.
    pub(crate) fn end_farcaster(&mut self) {
        if let Some(request) = self.farcaster.take().and_then(|attempt| attempt.waiting) {
            self.reply(request, Err(fault(WENT_WRONG)));
        }
    }

    /// Spec 7.20.
    pub(crate) fn connect_farcaster(&mut self, request: Request) {
        let until = self.now + PATIENCE;
        match &mut self.farcaster {
            Some(attempt) if attempt.waiting.is_none() => {
                attempt.waiting = Some(request);
                attempt.until = until;
                self.wait_for_signature();
            }
            _ => self.reply(request, Err(fault(WENT_WRONG))),
        }
    }

    fn wait_for_signature(&mut self) {
        if let Some(attempt) = &self.farcaster {
            let transaction = attempt.transaction.clone();
            let order = Operation::FinishFarcaster { transaction: transaction.clone() };
            self.order(order, Reason::FarcasterWaited { transaction });
        }
    }

    pub(crate) fn farcaster_waited(&mut self, transaction: &str, answer: Result<Value, Failure>) {
        // The wait of an earlier login says nothing about this one.
        let Some(attempt) = self.farcaster.as_mut().filter(|attempt| attempt.transaction == transaction) else {
            return;
        };
        if matches!(answer, Ok(Value::Null)) && self.now < attempt.until {
            return self.wait_for_signature();
        }
        let Some(request) = self.farcaster.take().and_then(|attempt| attempt.waiting) else { return };
        let reply = match answer {
            Ok(Value::Null) => Err(fault("This login has ended. Start again.")),
            Ok(value) => self.entered(&value).map(|told| match told {
                Value::Null => {
                    self.consent();
                    let name = self.account.as_ref().and_then(|account| account.user.name.clone());
                    object(&[("userName", name.map_or(Value::Null, Value::Text))])
                }
                locked => locked,
            }),
            Err(failure) => Err(self.failed(failure)),
        };
        self.reply(request, reply);
    }
}
