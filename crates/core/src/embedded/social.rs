//! Social login: the window of a service and the way back, or the code of Farcaster (spec 2.22, 2.27, 7.17 to 7.20, 9.12).

use super::event::{Alarm, Purpose, Reason};
use super::fault::{Fault, RequestFault};
use super::frame::Frame;
use super::login::with;
use super::services::{Item, Services, item};
use super::session::Session;
use crate::analytics::{Name, Tracked};
use crate::config::Social;
use crate::cx::Cx;
use crate::effect::{LinkTarget, Operation, StorageArea};
use crate::facts::Facts;
use crate::modal::View as ModalView;
use crate::signal::Signal;
use crate::storage::keys;
use portico_api::frame::FrameEvent;
use portico_json::{Json, Value};
use portico_qr::QrCode;
use portico_terms::link::{is_page, is_web};
use portico_terms::rpc::RpcError;

/// Life of a login on the server, in milliseconds.
const LIFE: u64 = 600_000;

/// Delay after the view of Farcaster was left until the frame starts anew, in milliseconds (spec 2.22).
pub const RELOAD: u64 = 100;

/// Progress of a social login.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SocialPhase")]
pub enum Phase {
    /// None was chosen.
    #[default]
    Idle,
    /// The frame was asked for the page of the service.
    Opening,
    /// The visitor logs in at the service, in the window.
    Away,
    /// The visitor signs in an app, which opens the address as a link or a code.
    Signing,
    /// The visitor came back: the account is on its way.
    Entering,
    /// It failed; the fault says why.
    Failed,
}

/// Social logins for views.
#[derive(Clone, Debug, Default, Json, PartialEq)]
#[json(name = "SocialView")]
pub struct View {
    /// Services that host and server offer, in the host's order; `null` before the server has told.
    pub offered: Option<Vec<Item>>,
    /// Chosen service.
    pub chosen: Option<Item>,
    pub phase: Phase,
    pub fault: Option<Fault>,
    /// Address that the visitor's app opens.
    pub url: Option<String>,
    /// Code of the address.
    pub qr: Option<QrCode>,
    /// Whether this is a phone, which opens the address itself.
    pub mobile: bool,
}

/// Step of a social login that the frame was asked for; each with the number of the login.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    Page(u32),
    Finish(u32),
    /// Address for the visitor's app.
    Channel(u32),
    /// Signature of the visitor's app, which may take minutes.
    Signature(u32),
}

/// State of social logins.
#[derive(Debug, Default)]
pub(super) struct SocialLogin {
    pub services: Services,
    chosen: Option<Item>,
    pub phase: Phase,
    pub fault: Option<Fault>,
    /// Number of the login.
    attempt: u32,
    /// Whether its window is open.
    window: bool,
    /// Whether the next page is told to expect the visitor.
    noted: bool,
    /// Address that the visitor's app opens, and its code.
    channel: Option<(String, Option<QrCode>)>,
    /// Page of the service, where the host leads the visitor itself.
    pub page: Option<String>,
    /// Whether the host asks for each step, in a form of its own, so that no view is shown and no window opened.
    pub hosted: bool,
}

/// Origin of an address.
fn origin_of(address: &str) -> String {
    let end = address.match_indices('/').nth(2).map_or(address.len(), |(place, _)| place);
    address[..end].into()
}

/// Service of an address with which it sent a visitor back: that of a page of the wallet.
pub(super) fn service_of(uri: &str, cx: &Cx) -> Option<Social> {
    let path = uri.strip_prefix(&origin_of(cx.facts.options.embedded_wallet.as_deref().unwrap_or_default()))?;
    Social::from_word(path.strip_prefix("/wallet/callback/")?.split('?').next()?)
}

impl SocialLogin {
    pub fn view(&self, facts: &Facts) -> View {
        View {
            offered: self.services.list(facts),
            chosen: self.chosen.clone(),
            phase: self.phase,
            fault: self.fault.clone(),
            url: self.channel.as_ref().map(|(url, _)| url.clone()),
            qr: self.channel.as_ref().and_then(|(_, code)| code.clone()),
            mobile: facts.environment.mobile,
        }
    }

    /// The visitor chose a service. Browsers only open a window during a visitor's action, so an empty one is opened now and led to the
    /// service later. Webviews have no windows.
    pub fn chosen(&mut self, social: Social, frame: &mut Frame, cx: &mut Cx) {
        let list = self.services.list(cx.facts).unwrap_or_default();
        let Some(item) = list.into_iter().find(|item| item.id == social) else { return };
        if cx.facts.consent_missing {
            return;
        }
        self.begin(item, false, frame, cx);
    }

    /// The visitor tries the chosen service again.
    pub fn retry(&mut self, frame: &mut Frame, cx: &mut Cx) {
        if let Some(item) = self.chosen.clone().filter(|_| self.phase == Phase::Failed) {
            self.begin(item, false, frame, cx);
        }
    }

    pub fn begin(&mut self, item: Item, hosted: bool, frame: &mut Frame, cx: &mut Cx) {
        self.close(cx);
        cx.stop(Alarm::Reload);
        frame.forget(|purpose| matches!(purpose, Purpose::Social(_)), cx);
        self.attempt += 1;
        self.phase = Phase::Opening;
        self.fault = None;
        self.channel = None;
        self.hosted = hosted;
        let farcaster = item.id == Social::Farcaster;
        if farcaster {
            frame.ask(FrameEvent::GetFarcasterUri, Value::Null, Purpose::Social(Step::Channel(self.attempt)), cx);
        } else {
            if !hosted && !cx.facts.environment.telegram {
                cx.ask(Operation::OpenTab { small: true }, Reason::Window(self.attempt));
            }
            let payload = with("provider", item.id.word());
            frame.ask(FrameEvent::GetSocialRedirectUri, payload, Purpose::Social(Step::Page(self.attempt)), cx);
        }
        self.chosen = Some(item);
        self.track(Name::SocialLoginStarted, None, cx);
        if !hosted {
            let view = if farcaster { ModalView::ConnectingFarcaster } else { ModalView::ConnectingSocial };
            cx.signal(Signal::LoginStepShown(view));
        }
    }

    /// Whether the browser opened the window of a login. Without one the service's page takes the place of this page.
    pub fn window_opened(&mut self, attempt: u32, there: bool, cx: &mut Cx) {
        if attempt == self.attempt && self.phase == Phase::Opening {
            self.window = there;
        } else if there {
            cx.order(lead(None, cx));
        }
    }

    /// The frame answered a step. Returns the user once the visitor is logged in.
    pub fn answered(
        &mut self,
        step: Step,
        answer: Result<Value, RpcError>,
        frame: &mut Frame,
        cx: &mut Cx,
    ) -> Option<Value> {
        let (Step::Page(attempt) | Step::Finish(attempt) | Step::Channel(attempt) | Step::Signature(attempt)) = step;
        if attempt != self.attempt {
            return None;
        }
        match (step, answer) {
            (_, Err(error)) => self.failed(Fault::of(&error), cx),
            (Step::Page(_), Ok(answer)) => match answer.get("uri").as_str() {
                Some(uri) if is_page(uri) => self.go(uri.into(), cx),
                _ => self.failed(Fault::Unknown, cx),
            },
            (Step::Channel(_), Ok(answer)) => match answer.get("url").as_str() {
                Some(url) if is_web(url) => {
                    self.phase = Phase::Signing;
                    self.channel = Some((url.into(), portico_qr::encode(url)));
                    if !self.hosted {
                        self.ask_signature(frame, cx);
                    }
                }
                _ => self.failed(Fault::Unknown, cx),
            },
            // The user is asked for.
            (Step::Signature(_), Ok(_)) => {
                self.phase = Phase::Entering;
                self.track(Name::SocialLoginSuccess, None, cx);
                return Some(Value::Null);
            }
            (Step::Finish(_), Ok(user)) => {
                self.track(Name::SocialLoginSuccess, None, cx);
                return Some(user);
            }
        }
        None
    }

    /// Leads the visitor to the service.
    fn go(&mut self, uri: String, cx: &mut Cx) {
        self.phase = Phase::Away;
        // The page to which the visitor comes back starts the core at once. A service may cut its window off from this page, so that the visitor
        // comes back to a page of the host there.
        let until = ["{\"until\":", &(cx.now + LIFE).to_string(), "}"].concat();
        cx.order(Operation::WriteStorage { area: StorageArea::Local, key: keys::PAIRING.into(), value: until });
        self.noted = true;
        if self.window {
            return cx.ask(lead(Some(uri), cx), Reason::Returned(self.attempt));
        }
        if self.hosted {
            self.page = Some(uri);
        } else {
            cx.order(Operation::OpenLink { href: uri, target: LinkTarget::Here });
        }
    }

    /// The window handed over an address, or was closed.
    pub fn window_answered(
        &mut self,
        attempt: u32,
        answer: Result<Value, RpcError>,
        session: &Session,
        frame: &mut Frame,
        cx: &mut Cx,
    ) {
        if attempt != self.attempt || self.phase != Phase::Away {
            return;
        }
        self.window = false;
        match answer.as_ref().map(|answer| answer.as_str()) {
            Ok(Some(uri)) => self.finish(uri, session, frame, cx),
            _ => {
                self.phase = Phase::Failed;
                self.fault = Some(Fault::Closed);
                self.track(Name::SocialLoginCanceled, None, cx);
            }
        }
    }

    /// A page of the wallet sent the visitor back to this page.
    pub fn returned(&mut self, uri: &str, session: &Session, frame: &mut Frame, cx: &mut Cx) {
        let Some(social) = service_of(uri, cx).filter(|_| !cx.facts.is_connected()) else { return };
        cx.signal(Signal::LoginReturned);
        self.handed(uri, social, session, frame, cx);
        self.hosted = false;
    }

    /// The page has the address with which a service sent the visitor back.
    pub fn handed(&mut self, uri: &str, social: Social, session: &Session, frame: &mut Frame, cx: &mut Cx) {
        self.noted = true;
        self.attempt += 1;
        self.chosen = Some(item(social));
        self.hosted = true;
        self.finish(uri, session, frame, cx);
    }

    /// Whether the host may begin a step: none is under way, and the visitor has no login of their own.
    pub fn free(&self) -> Result<(), RequestFault> {
        match self.phase {
            Phase::Opening | Phase::Entering => Err(RequestFault::Busy),
            Phase::Away | Phase::Signing if !self.hosted => Err(RequestFault::Busy),
            _ => Ok(()),
        }
    }

    /// Waits for the signature of Farcaster's app, whose address the host shows.
    pub fn sign(&self, frame: &mut Frame, cx: &mut Cx) -> Result<(), RequestFault> {
        if !self.hosted || self.phase != Phase::Signing {
            return Err(RequestFault::NotBegun);
        }
        self.ask_signature(frame, cx);
        Ok(())
    }

    fn ask_signature(&self, frame: &mut Frame, cx: &mut Cx) {
        let purpose = Purpose::Social(Step::Signature(self.attempt));
        frame.ask(FrameEvent::ConnectFarcaster, Value::Null, purpose, cx);
    }

    /// Address that Farcaster's app opens.
    pub fn url(&self) -> Option<&str> {
        self.channel.as_ref().map(|(url, _)| url.as_str())
    }

    fn finish(&mut self, uri: &str, session: &Session, frame: &mut Frame, cx: &mut Cx) {
        self.unnote(cx);
        self.phase = Phase::Entering;
        self.fault = None;
        self.track(Name::SocialLoginRequestUserData, None, cx);
        let mut payload = session.question(cx);
        if let Value::Object(fields) = &mut payload {
            fields.push(("uri".into(), uri.into()));
        }
        frame.ask(FrameEvent::ConnectSocial, payload, Purpose::Social(Step::Finish(self.attempt)), cx);
    }

    /// No page has to wait for the visitor any more.
    fn unnote(&mut self, cx: &mut Cx) {
        if std::mem::take(&mut self.noted) {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::PAIRING.into() });
        }
    }

    /// A step failed, or had no answer in time.
    pub fn failed(&mut self, fault: Fault, cx: &mut Cx) {
        if matches!(self.phase, Phase::Idle | Phase::Failed) {
            return;
        }
        self.close(cx);
        self.unnote(cx);
        self.track(Name::SocialLoginError, Some(fault.text()), cx);
        self.phase = Phase::Failed;
        self.fault = Some(fault);
    }

    fn close(&mut self, cx: &mut Cx) {
        if std::mem::take(&mut self.window) {
            cx.order(lead(None, cx));
        }
    }

    /// The visitor left the login, or it ended.
    pub fn leave(&mut self, frame: &mut Frame, cx: &mut Cx) {
        self.close(cx);
        self.unnote(cx);
        frame.forget(|purpose| matches!(purpose, Purpose::Social(_)), cx);
        // Answers to what was asked before are of another number.
        self.attempt += 1;
        self.phase = Phase::Idle;
        self.chosen = None;
        self.channel = None;
        self.page = None;
        self.hosted = false;
        self.fault = None;
    }

    /// The visitor left the view of Farcaster: its address is forgotten, and the frame starts anew a moment later (spec 2.22).
    pub fn leave_farcaster(&mut self, frame: &mut Frame, cx: &mut Cx) {
        self.leave(frame, cx);
        if !cx.facts.is_connected() {
            cx.start(Alarm::Reload, RELOAD);
        }
    }

    fn track(&self, name: Name, message: Option<String>, cx: &mut Cx) {
        let word = self.chosen.as_ref().map_or("", |item| item.id.word());
        let tracked = Tracked::new(name).with("provider", word);
        let tracked = match message {
            Some(message) => tracked.with("message", message),
            None => tracked,
        };
        cx.signal(Signal::Track(tracked));
    }
}

/// Leads the login's window to an address, or closes it.
fn lead(href: Option<String>, cx: &Cx) -> Operation {
    let origin = origin_of(cx.facts.options.embedded_wallet.as_deref().unwrap_or_default());
    Operation::LeadLogin { href, origin }
}
