//! Change of the e-mail address: the code of the present one, then that of the new one (spec 3.30, 7.29, 7.30).

use super::event::Purpose;
use super::fault::Fault;
use super::frame::Frame;
use super::login::{digits, is_whole, kept, with};
use super::view::UpdateView;
use crate::cx::Cx;
use crate::modal::View;
use crate::signal::Signal;
use portico_api::frame::FrameEvent;
use portico_api::wallet::{UpdateAction, UpdateStarted};
use portico_json::{Json, Read, Value};
use portico_terms::is_email;
use portico_terms::rpc::RpcError;

/// Progress of a change of the address.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "EmailUpdatePhase")]
pub enum Phase {
    /// The visitor types the new address.
    #[default]
    Typing,
    /// The frame was asked to send a mail.
    Sending,
    /// The visitor types the code of the present address.
    Primary,
    /// The visitor types the code of the new address.
    Secondary,
    /// A code is being checked.
    Checking,
}

/// Step of a change that the frame was asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    Begin,
    Primary,
    Secondary,
}

/// State of a change of the address.
#[derive(Default)]
pub(super) struct Update {
    pub email: String,
    pub phase: Phase,
    pub code: String,
    /// Failure of the step under way.
    pub fault: Option<Fault>,
    /// Whether the address that the visitor submitted cannot be the new one. It is no failure of a change that the host leads meanwhile.
    pub refused: bool,
    /// Whose code is typed or checked.
    secondary: bool,
    /// Whether the host asks for each step, in a form of its own, so that no view is shown.
    pub hosted: bool,
}

/// Whether an address can take the place of the present one (spec 5.26).
pub(super) fn is_new(email: &str, present: Option<&str>) -> bool {
    let email = kept(email);
    is_email(&email) && !present.is_some_and(|present| present.eq_ignore_ascii_case(&email))
}

impl Update {
    /// The visitor typed an address. A change that the host leads keeps its own.
    pub fn typed(&mut self, email: &str) {
        self.refused = false;
        if !self.hosted {
            self.email = kept(email);
            self.fault = None;
        }
    }

    /// The visitor continues with an address.
    pub fn submitted(&mut self, email: &str, present: Option<&str>, frame: &mut Frame, cx: &mut Cx) {
        if self.phase == Phase::Sending && !self.hosted {
            return;
        }
        self.typed(email);
        self.refused = !is_new(email, present);
        if !self.refused {
            self.send(email, frame, cx);
        }
    }

    /// Asks for the mail of an address that is not refused.
    pub fn send(&mut self, email: &str, frame: &mut Frame, cx: &mut Cx) {
        self.email = kept(email);
        self.fault = None;
        self.phase = Phase::Sending;
        frame.ask(FrameEvent::UpdateEmail, with("email", &self.email), Purpose::Update(Step::Begin), cx);
    }

    pub fn code_typed(&mut self, text: &str, frame: &mut Frame, cx: &mut Cx) {
        let (event, step) = match self.phase {
            Phase::Primary => (FrameEvent::UpdateEmailPrimaryOtp, Step::Primary),
            Phase::Secondary => (FrameEvent::UpdateEmailSecondaryOtp, Step::Secondary),
            _ => return,
        };
        self.code = digits(text);
        self.fault = None;
        if is_whole(&self.code) {
            self.phase = Phase::Checking;
            frame.ask(event, with("otp", &self.code), Purpose::Update(step), cx);
        }
    }

    /// The frame answered a step. Returns the new address once the change is done.
    pub fn answered(&mut self, step: Step, answer: Result<Value, RpcError>, cx: &mut Cx) -> Option<String> {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                self.failed(Fault::of(&error));
                return None;
            }
        };
        match step {
            Step::Begin => match UpdateStarted::read(&answer) {
                Ok(started) => self.ask_code(started.action == UpdateAction::VerifySecondaryOtp, cx),
                Err(_) => self.failed(Fault::Unknown),
            },
            Step::Primary => self.ask_code(true, cx),
            Step::Secondary => {
                let told = answer.get("newEmail").as_str().filter(|email| is_email(email)).map(String::from);
                return Some(told.unwrap_or_else(|| std::mem::take(&mut self.email)));
            }
        }
        None
    }

    fn ask_code(&mut self, secondary: bool, cx: &mut Cx) {
        self.secondary = secondary;
        self.phase = if secondary { Phase::Secondary } else { Phase::Primary };
        self.code.clear();
        self.fault = None;
        let view = if secondary { View::UpdateEmailSecondaryOtp } else { View::UpdateEmailPrimaryOtp };
        if !self.hosted {
            cx.signal(Signal::LoginStepShown(view));
        }
    }

    pub fn failed(&mut self, fault: Fault) {
        self.code.clear();
        self.fault = Some(fault);
        self.phase = match (self.phase, self.secondary) {
            (Phase::Sending | Phase::Typing, _) => Phase::Typing,
            (_, true) => Phase::Secondary,
            (_, false) => Phase::Primary,
        };
    }

    /// Whether a change that the host leads is under way.
    pub fn is_led(&self) -> bool {
        self.hosted && self.phase != Phase::Typing
    }

    /// The change for views. They show the steps of the visitor's own change, and of the host's only that it is under way.
    pub fn view(&self) -> UpdateView {
        let fault = self.refused.then_some(Fault::Email);
        if self.hosted {
            return UpdateView { fault, hosted: self.is_led().then(|| self.email.clone()), ..UpdateView::default() };
        }
        UpdateView {
            email: self.email.clone(),
            phase: self.phase,
            code: self.code.clone(),
            fault: fault.or_else(|| self.fault.clone()),
            hosted: None,
        }
    }

    /// The visitor is not at the form any more, or is there anew. A change that the host leads goes on.
    pub fn put_down(&mut self, frame: &mut Frame, cx: &mut Cx) {
        self.refused = false;
        if !self.is_led() {
            self.leave(frame, cx);
        }
    }

    pub fn leave(&mut self, frame: &mut Frame, cx: &mut Cx) {
        frame.forget(|purpose| matches!(purpose, Purpose::Update(_)), cx);
        *self = Update::default();
    }
}
