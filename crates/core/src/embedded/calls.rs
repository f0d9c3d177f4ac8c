//! Calls of the host's own login form: each waits for the end of its step, as the views do.

use super::Embedded;
use super::event::{Event, Purpose};
use super::fault::{Fault, RequestFault};
use super::login::{Phase, with};
use super::method::Method;
use super::session::Known;
use super::social::{Phase as SocialPhase, service_of};
use super::update::{Phase as UpdatePhase, is_new};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::HostError;
use crate::signal::Signal;
use portico_api::frame::FrameEvent;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{AccountKind, ConnectorKind};

/// Step whose end a call waits for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Wait {
    Mail,
    Device,
    Code,
    Page,
    Channel,
    Social,
    Begun,
    Primary,
    Secondary,
}

/// Question to the frame that a call asks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Question {
    Session,
    User,
    /// The account on another namespace's chain, which changes nothing.
    Other,
    Preferred,
}

/// Calls of the host.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub waiting: Vec<(u32, Wait)>,
    /// Step on which the login of the call in `given` depends.
    pub entry: Option<Wait>,
    /// The visitor began a change of the address in place of the host's, whose next steps are told so.
    pub replaced: bool,
    /// Calls that wait until it is known whether there is a session.
    pub held: Vec<(Method, Value, u32)>,
}

/// Ticket of no call: its answers are `[event, payload]` for the host's listeners at the provider.
const LISTENERS: u32 = 0;

/// Tells the host's listeners of an event.
pub(super) fn tell_listeners(event: &str, payload: Value, cx: &mut Cx) {
    cx.resolve_host(Some(LISTENERS), Value::List(vec![event.into(), payload]));
}

/// Object with one value.
fn object(name: &str, value: Value) -> Value {
    Value::Object(vec![(name.into(), value)])
}

/// A step without an answer: its time is over, or it was withdrawn (spec 8.38).
fn over(fault: Option<&Fault>) -> Option<Result<Value, HostError>> {
    Some(Err(fault.map_or_else(|| RequestFault::Late.into(), HostError::from)))
}

fn done(value: Value) -> Option<Result<Value, HostError>> {
    Some(Ok(value))
}

impl Embedded {
    /// Whether the visitor begins a login or a change of the address, in place of one that the host leads. What begins nothing, such as a mistyped
    /// e-mail address, or an address of the page that is none of the wallet's, ends nothing either.
    pub(super) fn begins(&self, event: &Event, cx: &Cx) -> bool {
        match event {
            Event::EmailSubmitted { email } => !cx.facts.consent_missing && self.login.refusal(email, cx.now).is_none(),
            Event::SocialChosen { .. } => !cx.facts.consent_missing,
            Event::SocialReturned { uri } => service_of(uri, cx).is_some() && !cx.facts.is_connected(),
            Event::NewEmailSubmitted { email } => is_new(email, self.session.user.email.as_deref()),
            Event::PasskeyAsked => self.session.address.is_none() && !self.settings.shown && !cx.facts.consent_missing,
            _ => false,
        }
    }

    /// The visitor begins a step of their own: the host's calls for it are over.
    pub(super) fn take_over(&mut self, cx: &mut Cx) {
        self.calls.end(|_| true, RequestFault::Replaced, cx);
        if self.calls.entry.take().is_some() {
            cx.reject_host(self.given.take(), RequestFault::Replaced.into());
        }
        if self.login.hosted {
            self.login.leave(&mut self.frame, cx);
        }
        if self.social.hosted {
            self.social.leave(&mut self.frame, cx);
        }
        if self.update.hosted {
            self.calls.replaced = self.update.is_led();
            self.update.leave(&mut self.frame, cx);
        }
    }

    /// Answers the calls whose steps have ended.
    pub(super) fn settle(&mut self, cx: &mut Cx) {
        if matches!(self.session.known, Known::In | Known::Out) {
            for (method, payload, ticket) in std::mem::take(&mut self.calls.held) {
                self.called(method, payload, ticket, cx);
            }
        }
        for (ticket, wait) in std::mem::take(&mut self.calls.waiting) {
            if wait == Wait::Mail && self.login.phase == Phase::Entering {
                // This device has a session: the account is on its way. It ends another login that the host began meanwhile.
                cx.reject_host(self.given.take(), RequestFault::Late.into());
                (self.given, self.calls.entry) = (Some(ticket), Some(Wait::Code));
                continue;
            }
            match self.end_of(wait) {
                None => self.calls.waiting.push((ticket, wait)),
                Some(Ok(value)) => cx.resolve_host(Some(ticket), value),
                Some(Err(error)) => cx.reject_host(Some(ticket), error),
            }
        }
        let entry = self.calls.entry.filter(|_| self.given.is_some());
        self.calls.entry = entry;
        if let Some(Some(Err(error))) = entry.map(|entry| self.end_of(entry)) {
            self.calls.entry = None;
            cx.reject_host(self.given.take(), error);
        }
    }

    /// How a step ended; `None` while it goes on.
    fn end_of(&self, wait: Wait) -> Option<Result<Value, HostError>> {
        let Embedded { login, social, update, .. } = self;
        let fault = match wait {
            Wait::Mail | Wait::Device | Wait::Code => &login.fault,
            Wait::Page | Wait::Channel | Wait::Social => &social.fault,
            Wait::Begun | Wait::Primary | Wait::Secondary => &update.fault,
        };
        let action = |word: &str| object("action", word.into());
        let goes_on = match wait {
            Wait::Mail => login.phase == Phase::Sending,
            Wait::Device => login.phase == Phase::Device,
            Wait::Code => matches!(login.phase, Phase::Checking | Phase::Entering),
            Wait::Page | Wait::Channel => social.phase == SocialPhase::Opening,
            Wait::Social => matches!(social.phase, SocialPhase::Signing | SocialPhase::Entering),
            Wait::Begun => update.phase == UpdatePhase::Sending,
            Wait::Primary | Wait::Secondary => update.phase == UpdatePhase::Checking,
        };
        if fault.is_some() {
            return over(fault.as_ref());
        }
        match (wait, login.phase, social.phase, update.phase) {
            _ if goes_on => None,
            (Wait::Mail, Phase::Device, ..) => {
                let mut answer = vec![("action".into(), "VERIFY_DEVICE".into())];
                answer.extend(login.number.as_deref().map(|number| ("number".into(), number.into())));
                done(Value::Object(answer))
            }
            (Wait::Mail, Phase::Code, ..) => done(action("VERIFY_OTP")),
            (Wait::Device, Phase::Code | Phase::Checking | Phase::Entering, ..) => done(Value::Null),
            (Wait::Page, _, SocialPhase::Away, _) => {
                done(object("uri", social.page.as_deref().unwrap_or_default().into()))
            }
            (Wait::Channel, _, SocialPhase::Signing, _) => done(object("url", social.url().unwrap_or_default().into())),
            (Wait::Begun, .., UpdatePhase::Primary) => done(action("VERIFY_PRIMARY_OTP")),
            (Wait::Begun, .., UpdatePhase::Secondary) => done(action("VERIFY_SECONDARY_OTP")),
            (Wait::Primary, .., UpdatePhase::Secondary) => done(Value::Null),
            _ => over(None),
        }
    }

    /// The address was changed.
    pub(super) fn address_changed(&mut self, email: &str, cx: &mut Cx) {
        for (ticket, _) in self.calls.waiting.extract_if(.., |(_, wait)| *wait == Wait::Secondary) {
            cx.resolve_host(Some(ticket), with("newEmail", email));
        }
    }

    /// The frame answered the question of a call.
    pub(super) fn call_answered(
        &mut self,
        question: Question,
        ticket: Option<u32>,
        answer: Result<Value, RpcError>,
        cx: &mut Cx,
    ) {
        if let Err(error) = &answer {
            cx.reject_host(ticket, super::request::said(error));
        }
        match question {
            Question::Session => {
                if let Ok(answer) = &answer {
                    let connected = answer.get("isConnected").as_bool() == Some(true);
                    cx.resolve_host(ticket, object("isConnected", Value::Bool(connected)));
                }
                self.session_told(answer, cx);
            }
            Question::User => match answer {
                Ok(answer) if self.session.take(&answer, cx) => {
                    let user = self.session.user.clone();
                    cx.signal(Signal::EmbeddedUserKnown { user, entering: false, ticket: None });
                    cx.signal(Signal::LoginMoved(self.session.address.clone().unwrap_or_default()));
                    cx.resolve_host(ticket, self.session.told());
                }
                answer => {
                    if answer.is_ok() {
                        cx.reject_host(ticket, HostError::from(&Fault::Unknown));
                    }
                    // Perhaps the session is over.
                    self.frame.ask(FrameEvent::IsConnected, Value::Null, Purpose::Session, cx);
                }
            },
            Question::Other => {
                let Ok(answer) = answer else { return };
                match self.session.told_on_solana(&answer) {
                    Some(user) => cx.resolve_host(ticket, user),
                    None => cx.reject_host(ticket, HostError::from(&Fault::Unknown)),
                }
            }
            Question::Preferred => {
                let Ok(answer) = answer else { return self.fall_back(true, cx) };
                let Some(kind) = answer.get("type").as_str().and_then(AccountKind::from_word) else {
                    cx.reject_host(ticket, HostError::from(&Fault::Unknown));
                    return self.fall_back(true, cx);
                };
                self.preferred(kind, cx);
                // The account is taken over anew, of the kind that was chosen.
                self.ask_user_for(None, cx);
                let network = cx.facts.active_network.as_ref().map(|network| network.caip_network_id.to_string());
                let tracked = Tracked::new(Name::SetPreferredAccountType).with("accountType", kind.word());
                cx.signal(Signal::Track(tracked.with("network", network.unwrap_or_default())));
                tell_listeners("setPreferredAccount", answer.clone(), cx);
                cx.resolve_host(ticket, answer);
            }
        }
    }

    /// The frame did not take the kind of account that was asked for (spec 4.23). If it is `there`, the account is taken over anew: the next page
    /// would ask for this kind, and show another account.
    pub(super) fn fall_back(&mut self, there: bool, cx: &mut Cx) {
        self.preferred(AccountKind::Eoa, cx);
        if there && self.session.known == Known::In {
            self.ask_user_for(None, cx);
        }
    }

    /// Another kind of account is preferred.
    fn preferred(&mut self, kind: AccountKind, cx: &mut Cx) {
        self.session.prefer(kind, cx);
        let user = self.session.user.clone();
        cx.signal(Signal::EmbeddedUserKnown { user, entering: false, ticket: None });
    }

    /// Calls that wait for a session get no answer.
    pub(super) fn refuse_held(&mut self, fault: RequestFault, cx: &mut Cx) {
        for (.., ticket) in std::mem::take(&mut self.calls.held) {
            cx.reject_host(Some(ticket), fault.into());
        }
    }

    /// The user is known: listeners of the host hear it (spec 4.35), and a login of the host's own is over.
    pub(super) fn tell_entered(&mut self, entering: bool, cx: &mut Cx) {
        if entering && self.social.phase == SocialPhase::Entering {
            self.tell_user("socialConnected", cx);
        }
        self.tell_user(if entering { "connect" } else { "isConnected" }, cx);
        if self.login.hosted {
            self.login.leave(&mut self.frame, cx);
        }
        if self.social.hosted {
            self.social.leave(&mut self.frame, cx);
        }
    }

    pub(super) fn tell_user(&self, event: &str, cx: &mut Cx) {
        tell_listeners(event, self.session.told(), cx);
    }
}

impl Calls {
    /// Rejects the calls that wait for these steps.
    pub fn end(&mut self, is_over: impl Fn(Wait) -> bool, fault: RequestFault, cx: &mut Cx) {
        for (ticket, _) in self.waiting.extract_if(.., |(_, wait)| is_over(*wait)) {
            cx.reject_host(Some(ticket), fault.into());
        }
    }
}

/// Whether the account of this wallet is connected.
pub(super) fn is_connected(cx: &Cx) -> bool {
    cx.facts.accounts.iter().any(|account| account.kind == ConnectorKind::Auth)
}
