//! Embedded wallet: login by e-mail, and the frame that holds the keys (spec 1.2, 4.32 to 4.41, decision 19). The frame is asked by effects;
//! its provider in the page asks by events, so that every rule about methods and windows is here.

mod calls;
mod cooldown;
mod event;
mod fault;
mod feature;
mod frame;
mod jwt;
mod login;
mod method;
mod offer;
mod request;
mod services;
mod session;
mod settings;
mod social;
mod update;
mod view;

pub use event::{Alarm, Event, Reason};
pub use fault::{Fault, RequestFault};
pub use frame::{LIMIT, SETTLE};
pub use login::{COOLDOWN, Phase as LoginPhase};
pub use method::Method;
pub use request::REFUSED;
pub use services::Item as SocialItem;
pub use social::{Phase as SocialPhase, RELOAD, View as SocialView};
pub use update::Phase as UpdatePhase;
pub use view::{UpdateView, View};

use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::HostError;
use crate::modal::View as ModalView;
use crate::notice::AlertKey;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::storage::{Stored, StoredLogin};
use calls::{Calls, Question};
use event::Purpose;
use frame::{Frame, State};
use login::Login;
use offer::Offer;
use portico_api::frame::FrameEvent;
use portico_json::Value;
use portico_terms::ConnectorKind;
use portico_terms::rpc::RpcError;
use session::{Known, Session};
use settings::Settings;
use social::SocialLogin;
use std::fmt;
use update::Update;

/// State of the embedded wallet.
#[derive(Default)]
pub struct Embedded {
    frame: Frame,
    session: Session,
    login: Login,
    social: SocialLogin,
    update: Update,
    settings: Settings,
    offer: Offer,
    /// Ticket of the call that the visitor decides about in the frame.
    approving: Option<u32>,
    /// Ticket of the call by which the host logs its visitor in.
    given: Option<u32>,
    calls: Calls,
    /// Seconds until another mail may be asked for, as last shown.
    rest: u32,
    /// End of the cooldown that a failure tells, in epoch milliseconds.
    cooled: Option<u64>,
}

impl fmt::Debug for Embedded {
    /// Without the codes that are typed.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Embedded").field("frame", &self.frame).finish_non_exhaustive()
    }
}

/// Whether a login ended at a wallet that only the visitor can open.
fn is_locked(answer: &Result<Value, RpcError>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.get("locked").as_bool() == Some(true))
}

impl Embedded {
    fn restored(stored: &Stored) -> Embedded {
        let StoredLogin { email, mailed, .. } = &stored.login;
        let email = email.clone().unwrap_or_default();
        Embedded {
            session: Session::restored(&stored.login),
            login: Login::restored(email, *mailed),
            ..Embedded::default()
        }
    }

    /// An earlier page logged in: the frame is created at the start (spec 4.33).
    fn resume(&mut self, cx: &mut Cx) {
        if cx.facts.options.embedded_wallet.is_some() && self.session.known == Known::Unknown {
            self.check_session(cx);
        }
    }

    /// The visitor opens the form to change the address. It begins empty, but begins no change: one that the host leads goes on.
    fn edited(&mut self, cx: &mut Cx) {
        self.update.put_down(&mut self.frame, cx);
        cx.signal(Signal::Track(Tracked::new(Name::EmailEdit)));
        self.settle(cx);
    }

    fn update(&mut self, event: Event, cx: &mut Cx) {
        if self.begins(&event, cx) {
            self.take_over(cx);
        }
        let Embedded { frame, login, update, session, .. } = self;
        match event {
            // The host did not name a frame.
            _ if cx.facts.options.embedded_wallet.is_none() => {
                if let Event::RequestAsked { ticket, .. }
                | Event::JwtGiven { ticket, .. }
                | Event::MethodCalled { ticket, .. } = event
                {
                    cx.reject_host(Some(ticket), RequestFault::Unloadable.into());
                }
            }
            Event::EmailTyped { email } => {
                login.typed(&email, cx);
                // It is ready by the time the address is typed (spec 4.33).
                frame.open(cx);
            }
            Event::EmailSubmitted { email } => login.submitted(&email, frame, cx),
            Event::SocialChosen { social } => self.social.chosen(social, frame, cx),
            Event::SocialRetryAsked => self.social.retry(frame, cx),
            Event::SocialReturned { uri } => self.social.returned(&uri, session, frame, cx),
            Event::JwtGiven { jwt, ticket } => self.jwt_given(jwt, ticket, cx),
            Event::ResendAsked => login.resend(frame, cx),
            Event::CodeTyped { text } if update.phase != UpdatePhase::Typing => update.code_typed(&text, frame, cx),
            Event::CodeTyped { text } => login.code_typed(&text, frame, cx),
            Event::NewEmailTyped { email } => update.typed(&email),
            Event::NewEmailSubmitted { email } => update.submitted(&email, session.user.email.as_deref(), frame, cx),
            Event::SettingsAsked => self.settings_asked(cx),
            Event::PasskeyAsked => self.passkey_asked(cx),
            Event::PasskeyDeclined => self.offer_over(cx),
            Event::RequestAsked { method, params, chain, ticket } => {
                self.requested(method, params, chain.as_deref(), ticket, cx);
            }
            Event::MethodCalled { method, payload, ticket } => self.called(method, payload, ticket, cx),
            Event::FrameRestarted if frame.state() == State::Ready => {
                for purpose in frame.lost(State::Settling, cx) {
                    self.gave_up(purpose, Fault::Late, cx);
                }
            }
            Event::FrameRestarted => {}
        }
        self.count(cx);
    }

    fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::Opened(number) => match answer {
                Ok(_) if self.frame.opened(number, cx) => cx.signal(Signal::FrameLoaded),
                Ok(_) => {}
                Err(_) if self.frame.state() == State::Opening => self.unloadable(cx),
                Err(_) => {}
            },
            Reason::Frame(number) => {
                if let Some(purpose) = self.frame.answered(number, cx) {
                    self.frame_answered(purpose, answer, cx);
                }
            }
            Reason::PasskeyOffer { due } => self.offer_read(due, &answer.unwrap_or_default(), cx),
            Reason::Offer => self.social.services.answered(answer, cx),
            Reason::Window(attempt) => self.social.window_opened(attempt, answer.is_ok(), cx),
            Reason::Returned(attempt) => {
                self.social.window_answered(attempt, answer, &self.session, &mut self.frame, cx);
            }
            Reason::Read(ticket) => tell(ticket, answer.map(|answer| result_of(&answer)).and_then(|read| read), cx),
        }
        self.count(cx);
    }

    fn frame_answered(&mut self, purpose: Purpose, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match purpose {
            Purpose::SignOut => cx.signal(Signal::LoggedOut),
            Purpose::Login(step) => {
                let locked = is_locked(&answer);
                if self.login.answered(step, answer, &mut self.frame, cx) {
                    if locked {
                        return self.login_locked(cx);
                    }
                    self.session.entering = true;
                    self.ask_user(cx);
                }
            }
            Purpose::Settings => self.settings_closed(answer, cx),
            Purpose::Jwt => self.jwt_answered(answer, cx),
            Purpose::Social(step) => {
                let locked = is_locked(&answer);
                if let Some(user) = self.social.answered(step, answer, &mut self.frame, cx) {
                    if locked {
                        return self.login_locked(cx);
                    }
                    self.session.entering = true;
                    if user.is_null() {
                        self.ask_user(cx);
                    } else if self.session.take(&user, cx) {
                        self.entered(cx);
                    } else {
                        self.not_connected(cx);
                    }
                }
            }
            Purpose::SignIn => {
                let signature = answer.ok().and_then(|answer| answer.get("signature").as_str().map(String::from));
                cx.signal(Signal::SignedWithLogin { signature });
            }
            Purpose::Session => self.session_told(answer, cx),
            Purpose::Call(question, ticket) => self.call_answered(question, ticket, answer, cx),
            Purpose::User => {
                if answer.is_ok_and(|answer| self.session.take(&answer, cx)) {
                    self.entered(cx);
                } else {
                    self.not_connected(cx);
                }
            }
            Purpose::Switch(ticket, chain) => match answer {
                Ok(_) => {
                    self.session.moved(chain, cx);
                    cx.resolve_host(Some(ticket), Value::Null);
                }
                Err(error) => cx.reject_host(Some(ticket), request::said(&error)),
            },
            Purpose::Read(ticket) => match answer {
                Ok(value) => cx.resolve_host(Some(ticket), value),
                Err(error) => cx.reject_host(Some(ticket), request::said(&error)),
            },
            Purpose::Approval => self.decided(answer, cx),
            Purpose::Update(step) => {
                if let Some(email) = self.update.answered(step, answer, cx) {
                    self.address_changed(&email, cx);
                    self.session.user.email = Some(email);
                    self.session.keep_email(cx);
                    let user = self.session.user.clone();
                    cx.signal(Signal::EmbeddedUserKnown { user, entering: false, ticket: None });
                    if !self.update.hosted {
                        cx.signal(Signal::EmailUpdated);
                    }
                    self.update.leave(&mut self.frame, cx);
                }
            }
        }
    }

    fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Settled => self.frame.settled(cx),
            Alarm::Late if self.frame.state() == State::Opening => self.unloadable(cx),
            Alarm::Late => {
                for purpose in self.frame.late(cx) {
                    self.gave_up(purpose, Fault::Late, cx);
                }
            }
            Alarm::Countdown => {
                self.login.counted(cx);
                self.count_down(cx);
            }
            Alarm::Reload => self.frame.tell(FrameEvent::Reload, Value::Null, cx),
            Alarm::Refused => cx.say(Variant::Error, Message::ActionNotAllowed),
        }
        self.count(cx);
    }

    /// The frame did not load: whatever waits for it fails, and the next request creates it anew (spec 8.40, 8.43, 8.47).
    fn unloadable(&mut self, cx: &mut Cx) {
        cx.signal(Signal::Warn(AlertKey::SocialsTimeout, String::new()));
        for purpose in self.frame.lost(State::Closed, cx) {
            self.gave_up(purpose, Fault::Unloadable, cx);
        }
    }

    /// A request had no answer.
    fn gave_up(&mut self, purpose: Purpose, fault: Fault, cx: &mut Cx) {
        let request = if fault == Fault::Unloadable { RequestFault::Unloadable } else { RequestFault::Late };
        match purpose {
            Purpose::SignOut => cx.signal(Signal::LoggedOut),
            Purpose::Login(step) => self.login.failed(step, fault, &mut self.frame, cx),
            Purpose::Social(_) => self.social.failed(fault, cx),
            Purpose::Jwt => self.refuse_given(request, cx),
            Purpose::Update(_) => self.update.failed(fault),
            Purpose::Switch(ticket, _) | Purpose::Read(ticket) => cx.reject_host(Some(ticket), request.into()),
            Purpose::Call(question, ticket) => {
                cx.reject_host(ticket, request.into());
                if question == Question::Preferred {
                    self.fall_back(fault != Fault::Unloadable, cx);
                }
            }
            Purpose::Approval => {
                if let Some(ticket) = self.approving.take() {
                    cx.reject_host(Some(ticket), request.into());
                    cx.signal(Signal::ApprovalSettled { done: false });
                }
            }
            Purpose::Settings => self.settings_lost(cx),
            Purpose::SignIn => cx.signal(Signal::SignedWithLogin { signature: None }),
            // Silence says nothing about the session: the stored login stays for the next page.
            Purpose::Session | Purpose::User => {
                if self.session.known != Known::In {
                    self.session.known = Known::Unknown;
                }
                if std::mem::take(&mut self.session.entering) {
                    self.login.not_entered(fault.clone());
                    self.social.failed(fault, cx);
                    self.refuse_given(request, cx);
                }
                self.refuse_held(request, cx);
                for (ticket, _) in std::mem::take(&mut self.session.waiting) {
                    cx.reject_host(Some(ticket), request.into());
                }
            }
        }
    }

    /// The visitor left a view: what it asked for is withdrawn.
    fn left(&mut self, view: ModalView, cx: &mut Cx) {
        match view {
            ModalView::ApproveTransaction => self.abort(cx),
            ModalView::UpgradeEmailWallet => self.settings_left(cx),
            ModalView::ConnectingFarcaster => self.social.leave_farcaster(&mut self.frame, cx),
            ModalView::ConnectingSocial => self.social.leave(&mut self.frame, cx),
            ModalView::EmailVerifyDevice | ModalView::EmailVerifyOtp => self.login.leave(&mut self.frame, cx),
            ModalView::UpdateEmailWallet | ModalView::UpdateEmailPrimaryOtp | ModalView::UpdateEmailSecondaryOtp => {
                self.update.put_down(&mut self.frame, cx);
            }
            _ => {}
        }
        self.count(cx);
    }

    /// The modal closed: logins and approvals are withdrawn, but for the account of a right code.
    fn closed(&mut self, cx: &mut Cx) {
        self.abort(cx);
        self.settings_left(cx);
        // A login or change that the host leads in a form of its own goes on without the modal.
        self.update.put_down(&mut self.frame, cx);
        if !self.login.hosted {
            self.login.leave(&mut self.frame, cx);
        }
        if !self.social.hosted {
            self.social.leave(&mut self.frame, cx);
        }
        self.count(cx);
    }

    /// The modal offers social logins.
    fn offered(&mut self, cx: &mut Cx) {
        self.social.services.ask(cx);
    }

    /// Namespaces were disconnected: without an account of this wallet its session ends too (spec 7.22).
    fn reset(&mut self, cx: &mut Cx) {
        let connected = cx.facts.accounts.iter().any(|account| account.kind == ConnectorKind::Auth);
        if self.session.known == Known::In && !self.session.entering && !connected {
            self.abort(cx);
            self.frame.ask(FrameEvent::SignOut, Value::Null, Purpose::SignOut, cx);
            self.end_session(cx);
            self.login.email.clear();
        } else if !connected {
            cx.signal(Signal::LoggedOut);
        }
        self.update.leave(&mut self.frame, cx);
        self.calls.replaced = false;
        self.count(cx);
    }

    fn count(&mut self, cx: &mut Cx) {
        self.settle(cx);
        self.rest = self.login.rest(cx.now);
        self.begin_cooldown(cx);
    }
}

/// Answers a call with what a node said.
fn tell(ticket: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
    match answer {
        Ok(value) => cx.resolve_host(Some(ticket), value),
        Err(error) => cx.reject_host(Some(ticket), HostError::from(&error)),
    }
}

/// Result of a node's JSON-RPC response.
fn result_of(response: &Value) -> Result<Value, RpcError> {
    match response.get("error") {
        Value::Null => Ok(response.get("result").clone()),
        error => Err(RpcError::from_thrown(error)),
    }
}
