//! Login by e-mail: the address, the approval of the device, the code (spec 3.29, 7.14 to 7.16).

use super::event::{Alarm, Purpose};
use super::fault::Fault;
use super::frame::Frame;
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::modal::View;
use crate::signal::Signal;
use crate::storage::keys;
use portico_api::frame::{EmailConnected, FrameEvent};
use portico_api::wallet::LoginAction;
use portico_json::{Json, Read, Value};
use portico_terms::is_email;
use portico_terms::rpc::RpcError;

/// Time between two mails, in milliseconds (spec 9.11).
pub const COOLDOWN: u64 = 30_000;

/// Life of a login on the server, in milliseconds: so long the approval of the device is waited for.
const LIFE: u64 = 600_000;

/// Digits of a code.
const DIGITS: usize = 6;

/// Longest text of the e-mail field that is kept.
const LONGEST: usize = 320;

/// Progress of a login.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "LoginPhase")]
pub enum Phase {
    /// The visitor types the address.
    #[default]
    Typing,
    /// The frame was asked to send a mail.
    Sending,
    /// The visitor has to approve this device.
    Device,
    /// The visitor types the code.
    Code,
    /// The code is being checked.
    Checking,
    /// The code was right: the account is on its way.
    Entering,
}

/// Step of a login that the frame was asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    Email,
    Device,
    Code,
}

/// State of the login.
#[derive(Default)]
pub(super) struct Login {
    pub email: String,
    pub phase: Phase,
    pub number: Option<String>,
    pub code: String,
    /// Failure of the step under way.
    pub fault: Option<Fault>,
    /// Why the address that the visitor submitted begins no login. It is no failure of a login that the host leads meanwhile.
    pub refused: Option<Fault>,
    /// Time of the last mail, in epoch milliseconds; it outlives a reload.
    pub mailed: Option<u64>,
    /// Time at which the approval of the device is no longer waited for.
    until: u64,
    /// Whether the choice of this login was tracked.
    selected: bool,
    /// Whether the host asks for each step, in a form of its own, so that no view is shown.
    pub hosted: bool,
}

/// Digits of what was typed or pasted, as many as a code has.
pub(super) fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).take(DIGITS).collect()
}

pub(super) fn is_whole(code: &str) -> bool {
    code.len() == DIGITS
}

/// Text of an e-mail field as it is kept.
pub(super) fn kept(email: &str) -> String {
    email.trim().chars().take(LONGEST).collect()
}

/// Object with one text.
pub(super) fn with(name: &str, text: &str) -> Value {
    Value::Object(vec![(name.into(), text.into())])
}

impl Login {
    /// The login as earlier pages left it.
    pub fn restored(email: String, mailed: Option<u64>) -> Login {
        Login { email, mailed, ..Login::default() }
    }

    /// Seconds until another mail may be asked for.
    pub fn rest(&self, now: u64) -> u32 {
        let until = self.mailed.map_or(0, |mailed| mailed.saturating_add(COOLDOWN));
        // A clock that was set back must not lock the visitor out.
        until.saturating_sub(now).min(COOLDOWN).div_ceil(1_000) as u32
    }

    /// Why no login begins with an address now (spec 5.26, 8.35); `None` if one does.
    pub fn refusal(&self, email: &str, now: u64) -> Option<Fault> {
        if !is_email(&kept(email)) {
            return Some(Fault::Email);
        }
        let seconds = self.rest(now);
        (seconds > 0).then_some(Fault::Cooldown { seconds })
    }

    /// The visitor typed an address. A login that the host leads keeps its own.
    pub fn typed(&mut self, email: &str, cx: &mut Cx) {
        self.refused = None;
        if !self.hosted {
            self.email = kept(email);
            self.fault = None;
        }
        if !std::mem::replace(&mut self.selected, true) {
            cx.signal(Signal::Track(Tracked::new(Name::EmailLoginSelected)));
        }
    }

    /// The visitor continues with an address.
    pub fn submitted(&mut self, email: &str, frame: &mut Frame, cx: &mut Cx) {
        if self.phase == Phase::Sending && !self.hosted || cx.facts.consent_missing {
            return;
        }
        self.typed(email, cx);
        self.refused = self.refusal(email, cx.now);
        if self.refused != Some(Fault::Email) {
            cx.signal(Signal::Track(Tracked::new(Name::EmailSubmitted)));
        }
        if self.refused.is_none() {
            self.send(Phase::Sending, frame, cx);
        }
    }

    /// The host continues with an address that is not refused.
    pub fn led(&mut self, email: &str, frame: &mut Frame, cx: &mut Cx) {
        self.hosted = false;
        self.typed(email, cx);
        self.hosted = true;
        cx.signal(Signal::Track(Tracked::new(Name::EmailSubmitted)));
        self.send(Phase::Sending, frame, cx);
    }

    /// The visitor wants another mail.
    pub fn resend(&mut self, frame: &mut Frame, cx: &mut Cx) {
        if matches!(self.phase, Phase::Device | Phase::Code) {
            let phase = self.phase;
            self.send(phase, frame, cx);
        }
    }

    fn send(&mut self, phase: Phase, frame: &mut Frame, cx: &mut Cx) {
        match self.rest(cx.now) {
            0 => {
                self.phase = phase;
                self.fault = None;
                frame.forget(|purpose| matches!(purpose, Purpose::Login(_)), cx);
                frame.ask(FrameEvent::ConnectEmail, with("email", &self.email), Purpose::Login(Step::Email), cx);
            }
            seconds => self.fault = Some(Fault::Cooldown { seconds }),
        }
    }

    pub fn code_typed(&mut self, text: &str, frame: &mut Frame, cx: &mut Cx) {
        if self.phase != Phase::Code {
            return;
        }
        self.code = digits(text);
        self.fault = None;
        if is_whole(&self.code) {
            self.phase = Phase::Checking;
            frame.ask(FrameEvent::ConnectOtp, with("otp", &self.code), Purpose::Login(Step::Code), cx);
        }
    }

    /// The frame answered a step. Returns true once the visitor is logged in.
    pub fn answered(&mut self, step: Step, answer: Result<Value, RpcError>, frame: &mut Frame, cx: &mut Cx) -> bool {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                self.failed(step, Fault::of(&error), frame, cx);
                return false;
            }
        };
        match step {
            Step::Email => match EmailConnected::read(&answer) {
                Ok(connected) => self.mailed(connected, frame, cx),
                Err(_) => {
                    self.failed(step, Fault::Unknown, frame, cx);
                    false
                }
            },
            Step::Device => {
                cx.signal(Signal::Track(Tracked::new(Name::DeviceRegisteredForEmail)));
                self.ask_code(cx);
                false
            }
            Step::Code => {
                cx.signal(Signal::Track(Tracked::new(Name::EmailVerificationCodePass)));
                self.enter();
                true
            }
        }
    }

    fn mailed(&mut self, connected: EmailConnected, frame: &mut Frame, cx: &mut Cx) -> bool {
        if connected.action == LoginAction::Connect {
            self.enter();
            return true;
        }
        self.mailed = Some(cx.now);
        cx.order(Operation::WriteStorage {
            area: StorageArea::Local,
            key: keys::EMAIL_TIME.into(),
            value: cx.now.to_string(),
        });
        cx.start(Alarm::Countdown, 1_000);
        if connected.action == LoginAction::VerifyOtp {
            self.ask_code(cx);
        } else {
            let is_number = |number: &String| number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
            self.number = connected.number.filter(is_number);
            self.phase = Phase::Device;
            self.until = cx.now + LIFE;
            self.fault = None;
            if !self.hosted {
                cx.signal(Signal::LoginStepShown(View::EmailVerifyDevice));
                frame.ask(FrameEvent::ConnectDevice, Value::Null, Purpose::Login(Step::Device), cx);
            }
        }
        false
    }

    fn ask_code(&mut self, cx: &mut Cx) {
        self.phase = Phase::Code;
        self.code.clear();
        self.fault = None;
        cx.signal(Signal::Track(Tracked::new(Name::EmailVerificationCodeSent)));
        if !self.hosted {
            cx.signal(Signal::LoginStepShown(View::EmailVerifyOtp));
        }
    }

    fn enter(&mut self) {
        self.phase = Phase::Entering;
        self.code.clear();
    }

    /// A step failed, or had no answer in time.
    pub fn failed(&mut self, step: Step, fault: Fault, frame: &mut Frame, cx: &mut Cx) {
        // The visitor may read the mail minutes later: the wait for the device goes on while the login lives.
        if step == Step::Device && fault == Fault::Late && cx.now < self.until && !self.hosted {
            frame.ask(FrameEvent::ConnectDevice, Value::Null, Purpose::Login(Step::Device), cx);
            return;
        }
        if step == Step::Code {
            let tracked = Tracked::new(Name::EmailVerificationCodeFail);
            cx.signal(Signal::Track(tracked.with("message", fault.text())));
            self.code.clear();
            self.phase = Phase::Code;
        } else if step == Step::Device {
            // The link and its number belong to a login that is over.
            self.number = None;
        } else if self.phase == Phase::Sending {
            self.phase = Phase::Typing;
        }
        self.fault = Some(fault);
    }

    /// The user could not be read after the login.
    pub fn not_entered(&mut self, fault: Fault) {
        self.phase = Phase::Typing;
        self.fault = Some(fault);
    }

    /// One second of the countdown has passed.
    pub fn counted(&mut self, cx: &mut Cx) {
        if self.rest(cx.now) > 0 && matches!(self.phase, Phase::Device | Phase::Code | Phase::Checking) {
            cx.start(Alarm::Countdown, 1_000);
        }
    }

    /// The visitor left the login, or it ended: the address stays for another try.
    pub fn leave(&mut self, frame: &mut Frame, cx: &mut Cx) {
        frame.forget(|purpose| matches!(purpose, Purpose::Login(_)), cx);
        cx.stop(Alarm::Countdown);
        let Login { email, mailed, .. } = std::mem::take(self);
        *self = Login::restored(email, mailed);
    }
}
