//! Login by e-mail: the address, the approval of an unknown device, the code (spec 3.29).

use crate::account::Account;
use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::message::{DEFAULT, Request, WENT_WRONG, as_value, fault, text_of};
use crate::reason::Reason;
use crate::text::split_last;
use portico_api::frame::{EmailConnected, FrameFault, LoginLocked};
use portico_api::wallet::{DeviceAnswer, DeviceWait, DeviceWaited, EmailLogin, Empty, LoginAction, LoginStarted};
use portico_json::{Read, Value};

/// Longest address in bytes (RFC 5321).
pub const LONGEST_EMAIL: usize = 254;

/// Digits of a code.
const DIGITS: usize = 6;

/// Longest id of a login that is accepted: 32 bytes in base64url have 43 letters.
pub const LONGEST_TRANSACTION: usize = 64;

/// Login in progress.
#[derive(Debug)]
pub struct Login {
    /// Id at the server.
    transaction: String,
    /// `CONNECT_DEVICE` that waits.
    waiting: Option<Request>,
    /// Whether a wait for the approval is under way at the server.
    polling: bool,
}

/// Code as it was typed, without white space; `None` if it is not six digits, so that no try is wasted.
pub fn code_of(value: &Value) -> Option<String> {
    let typed = text_of(value, "otp", 32).ok()?;
    let code: String = typed.chars().filter(|letter| !letter.is_whitespace()).collect();
    (code.len() == DIGITS && code.bytes().all(|byte| byte.is_ascii_digit())).then_some(code)
}

/// Address without white space around it, if it has a name and a domain. The server decides whether it is one (spec 5.26).
pub fn email_of(value: &Value) -> Option<String> {
    let email = text_of(value, "email", LONGEST_EMAIL).ok()?.trim();
    let (name, domain) = split_last(email, b'@')?;
    (!name.is_empty() && !domain.is_empty() && !email.contains(char::is_control)).then(|| email.into())
}

impl Frame {
    /// Spec 7.14.
    pub(crate) fn connect_email(&mut self, request: Request, value: &Value) {
        let Some(email) = email_of(value) else {
            return self.reply(request, Err(fault("Enter a valid email address")));
        };
        self.end_login();
        let body = EmailLogin {
            email,
            project: self.boot.project.clone(),
            host: self.boot.host.clone(),
            language: self.boot.language.clone(),
        };
        self.ask("login/email", &body, false, Reason::LoginStarted { request });
    }

    pub(crate) fn login_started(&mut self, request: Request, answer: Result<Value, Failure>) {
        let value = match answer {
            Ok(value) => value,
            Err(failure) => {
                let fault = self.failed(failure);
                return self.reply(request, Err(fault));
            }
        };
        let started = LoginStarted::read(&value).ok();
        let started = started.filter(|started| (1..=LONGEST_TRANSACTION).contains(&started.transaction.len()));
        let Some(started) = started else { return self.reply(request, Err(fault(DEFAULT))) };
        self.end_login();
        if started.action == LoginAction::Connect {
            return self.ask("me", &Empty {}, true, Reason::SessionTaken { request });
        }
        self.login = Some(Login { transaction: started.transaction, waiting: None, polling: false });
        let connected = EmailConnected { action: started.action, number: started.number };
        self.reply(request, Ok(as_value(&connected)));
    }

    /// Forgets the login; a request that waits for its approval is answered.
    pub(crate) fn end_login(&mut self) {
        if let Some(request) = self.login.take().and_then(|login| login.waiting) {
            self.reply(request, Err(fault(WENT_WRONG)));
        }
    }

    /// Spec 7.15. The host asks again after its own time limit: the later request takes the place of the earlier one.
    pub(crate) fn connect_device(&mut self, request: Request) {
        let Some(login) = &mut self.login else { return self.reply(request, Err(fault(WENT_WRONG))) };
        let earlier = login.waiting.replace(request);
        if let Some(earlier) = earlier {
            self.reply(earlier, Err(fault(WENT_WRONG)));
        }
        self.poll_device();
    }

    fn poll_device(&mut self) {
        let Some(login) = &mut self.login else { return };
        if login.polling || login.waiting.is_none() {
            return;
        }
        login.polling = true;
        let transaction = login.transaction.clone();
        let body = DeviceWait { transaction: transaction.clone() };
        self.ask("login/device", &body, false, Reason::DeviceWaited { transaction });
    }

    pub(crate) fn device_waited(&mut self, transaction: &str, answer: Result<Value, Failure>) {
        // The wait of an earlier login says nothing about this one.
        let Some(login) = self.login.as_mut().filter(|login| login.transaction == transaction) else { return };
        login.polling = false;
        let Some(request) = login.waiting.take() else { return };
        let reply = match answer.map(|value| DeviceWaited::read(&value)) {
            Ok(Ok(DeviceWaited { device: DeviceAnswer::Approved })) => Ok(Value::Null),
            Ok(Ok(DeviceWaited { device: DeviceAnswer::Waiting })) => {
                login.waiting = Some(request);
                return self.poll_device();
            }
            Ok(Ok(DeviceWaited { device: DeviceAnswer::Refused })) => {
                self.login = None;
                Err(fault("This login was declined. Start again."))
            }
            Ok(Err(_)) => Err(fault(DEFAULT)),
            Err(failure) => Err(self.failed(failure)),
        };
        self.reply(request, reply);
    }

    /// Spec 7.16.
    pub(crate) fn connect_otp(&mut self, request: Request, value: &Value) {
        let Some(login) = &self.login else { return self.reply(request, Err(fault(WENT_WRONG))) };
        let Some(code) = code_of(value) else {
            return self.reply(request, Err(fault("Enter the 6-digit code")));
        };
        let transaction = login.transaction.clone();
        let reason = Reason::CodeChecked { request, transaction: transaction.clone() };
        self.order(Operation::FinishLogin { transaction, code }, reason);
    }

    pub(crate) fn code_checked(&mut self, request: Request, transaction: &str, answer: Result<Value, Failure>) {
        let value = match answer {
            Ok(value) => value,
            Err(failure) => {
                let fault = self.failed(failure);
                return self.reply(request, Err(fault));
            }
        };
        let reply = self.entered(&value);
        if reply == Ok(Value::Null) {
            self.consent();
        }
        if reply.is_ok() && self.login.as_ref().is_some_and(|login| login.transaction == transaction) {
            self.end_login();
        }
        self.reply(request, reply);
    }

    /// The worker finished a login: the account is there, or its wallet is locked.
    pub(crate) fn entered(&mut self, value: &Value) -> Result<Value, FrameFault> {
        // The consent of an earlier login does not hold for this one.
        self.consent = None;
        let locked = LoginLocked::read(value).is_ok_and(|login| login.locked);
        self.locked = locked;
        if locked {
            self.account = None;
            return Ok(as_value(&LoginLocked { locked }));
        }
        let account = Account::parse(value).ok_or_else(|| fault(DEFAULT))?;
        // The settings show the earlier wallet, and a choice in them would change the later one.
        if self.account.as_ref().is_some_and(|before| before.user.id != account.user.id) {
            self.close_settings();
        }
        self.account = Some(account);
        Ok(Value::Null)
    }
}
