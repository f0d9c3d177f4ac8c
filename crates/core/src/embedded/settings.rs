//! Settings of the wallet, which the frame draws: the modal makes room and learns that the visitor is done. They also open the wallet of a login
//! for which the server has no share.

use super::Embedded;
use super::event::Purpose;
use super::fault::{Fault, RequestFault};
use super::login::with;
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::modal::View;
use crate::signal::Signal;
use portico_api::frame::{FrameEvent, SettingsClosed};
use portico_json::{Read, Value};
use portico_terms::rpc::RpcError;

/// State of the settings.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Whether the frame shows them.
    pub shown: bool,
    /// Whether they open the wallet of a login.
    opening: bool,
    /// Ticket of the call by which the host adds the login of its site.
    adding: Option<u32>,
}

impl Embedded {
    /// The visitor opens the settings.
    pub(super) fn settings_asked(&mut self, cx: &mut Cx) {
        if self.session.address.is_some() && !self.settings.shown {
            cx.signal(Signal::Track(Tracked::new(Name::EmailUpgradeFromModal)));
            self.show_settings(Settings::default(), Value::Null, cx);
        }
    }

    /// The host adds the login of its site, once the visitor agrees there.
    pub(super) fn login_given(&mut self, jwt: &str, ticket: u32, cx: &mut Cx) {
        self.show_settings(Settings { adding: Some(ticket), ..Settings::default() }, with("jwt", jwt), cx);
    }

    /// The visitor logs in by a passkey.
    pub(super) fn passkey_asked(&mut self, cx: &mut Cx) {
        if self.session.address.is_none() && !self.settings.shown && !cx.facts.consent_missing {
            self.show_settings(Settings { opening: true, ..Settings::default() }, Value::Null, cx);
        }
    }

    /// The code of a login was right, and a passkey or a kit has to open the wallet.
    pub(super) fn login_locked(&mut self, cx: &mut Cx) {
        self.show_settings(Settings { opening: true, ..Settings::default() }, Value::Null, cx);
    }

    fn show_settings(&mut self, settings: Settings, payload: Value, cx: &mut Cx) {
        self.settings = Settings { shown: true, ..settings };
        self.offer_over(cx);
        self.frame.tell(FrameEvent::SyncTheme, Value::Null, cx);
        self.frame.ask(FrameEvent::ShowSettings, payload, Purpose::Settings, cx);
        cx.signal(Signal::LoginStepShown(View::UpgradeEmailWallet));
    }

    /// The visitor is done. Whoever signed out there is logged out here too.
    pub(super) fn settings_closed(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Settings { opening, adding, .. } = std::mem::take(&mut self.settings);
        let closed = answer.ok().and_then(|answer| SettingsClosed::read(&answer).ok());
        if closed.as_ref().is_some_and(|closed| closed.added == Some(true)) {
            cx.resolve_host(adding, Value::Null);
        } else {
            cx.reject_host(adding, RequestFault::Aborted.into());
        }
        match closed {
            Some(SettingsClosed { connected: true, .. }) if opening => {
                self.session.entering = true;
                self.ask_user(cx);
            }
            Some(SettingsClosed { connected: false, .. }) if !opening => {
                cx.signal(Signal::SettingsClosed);
                self.session.end(cx);
                cx.signal(Signal::LoginLost);
            }
            _ => self.settings_over(opening, false, cx),
        }
    }

    /// The frame is gone.
    pub(super) fn settings_lost(&mut self, cx: &mut Cx) {
        let Settings { opening, adding, .. } = std::mem::take(&mut self.settings);
        cx.reject_host(adding, RequestFault::Late.into());
        self.settings_over(opening, true, cx);
    }

    fn settings_over(&mut self, opening: bool, lost: bool, cx: &mut Cx) {
        cx.signal(Signal::SettingsClosed);
        if opening {
            self.refuse_given(RequestFault::Aborted, cx);
            self.login.leave(&mut self.frame, cx);
            self.social.leave(&mut self.frame, cx);
            if lost {
                self.login.not_entered(Fault::Late);
            }
        }
    }

    /// The visitor left their view, or closed the modal.
    pub(super) fn settings_left(&mut self, cx: &mut Cx) {
        let Settings { shown, opening, adding } = std::mem::take(&mut self.settings);
        cx.reject_host(adding, RequestFault::Aborted.into());
        if shown {
            self.frame.forget(|purpose| *purpose == Purpose::Settings, cx);
            self.frame.tell(FrameEvent::HideSettings, Value::Null, cx);
        }
        if opening {
            self.refuse_given(RequestFault::Aborted, cx);
            self.login.leave(&mut self.frame, cx);
            self.social.leave(&mut self.frame, cx);
        }
    }
}
