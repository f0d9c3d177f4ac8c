//! The modal: whether it is open, and its stack of views.

mod close;
mod feature;
mod open;
mod stack;
#[cfg(test)]
mod tests;
mod view;

pub use view::{OPENABLE, View};

use crate::CallFault;
use crate::analytics::{Name, Tracked};
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::notice::AlertKey;
use crate::paged::PagedFault;
use crate::part::Part;
use crate::signal::Signal;
use close::may_close;
use open::{allowed, clicked, first_view, on_namespace, sign_in_fault, switched_off};
use portico_json::{Json, Value};
use portico_terms::Namespace;
use stack::Stack;

/// Duration of the shake, in milliseconds (spec 2.28, 9.3).
pub const SHAKE: u64 = 500;

/// Durations of a view's fade and of the card's entry and exit, in milliseconds (spec 9.4). The theme draws them.
pub const ANIMATION: [u64; 3] = [120, 150, 150];

/// Width of the card in CSS pixels (spec 2.7). The theme draws it.
pub const WIDTH: u32 = 360;

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The modal stops shaking (spec 2.28).
    ShakeEnd,
}

/// Modal: events of visitor and host.
#[derive(Clone, Json)]
#[json(name = "ModalEvent")]
pub enum Event {
    /// The visitor or the host opens the modal (spec 2.3).
    OpenAsked {
        /// Name of a view.
        view: Option<String>,
        /// Name of a namespace.
        namespace: Option<String>,
        /// WalletConnect pairing URI.
        uri: Option<String>,
        /// Arguments of the view.
        arguments: Value,
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
    /// The modal should close: the close button, Escape, a click beside the card, or the host.
    CloseAsked,
    /// The visitor pressed the back button.
    BackAsked,
    /// The visitor followed a link to another view.
    ViewAsked { view: View },
    /// The host opens another view on top.
    RedirectAsked {
        /// Name of a view.
        view: String,
    },
    /// The host replaces the view on top (spec 2.20).
    ReplaceAsked {
        /// Name of a view.
        view: String,
    },
    /// The host shows or hides its loading state.
    LoadingSet { loading: bool },
}

/// State of the modal.
#[derive(Debug, Default)]
pub struct Modal {
    open: bool,
    stack: Stack,
    shaking: bool,
    loading: bool,
    /// Namespace that the modal was opened for.
    namespace: Option<Namespace>,
    /// Whether the visitor wanted another view than the sign-in that is shown.
    kept_back: bool,
}

/// The modal for views.
#[derive(Clone, Json, PartialEq)]
#[json(name = "ModalView")]
pub struct Picture {
    /// Whether the modal is open.
    pub open: bool,
    /// The view on top.
    pub view: View,
    /// Data of the view (spec 2.4).
    pub data: Value,
    /// Number of views below.
    pub depth: u32,
    /// Whether the header has a back button.
    pub can_go_back: bool,
    /// Whether the modal may be closed (spec 2.25).
    pub closable: bool,
    /// Whether the modal shakes (spec 2.28).
    pub shaking: bool,
    /// Whether the host shows its loading state.
    pub loading: bool,
    /// Whether the part of the core that the view belongs to is still loading: what is typed before would be lost.
    pub part_missing: bool,
}

impl Modal {
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Namespace that the open modal was opened for.
    pub fn namespace(&self) -> Option<Namespace> {
        self.namespace.filter(|_| self.open)
    }

    /// The view on top.
    pub fn top(&self) -> View {
        self.stack.top()
    }

    /// Whether a view is anywhere in the stack.
    pub fn holds(&self, view: View) -> bool {
        self.stack.holds(view)
    }

    /// Whether a view with a pairing code or link for a remote wallet is anywhere in the stack.
    pub fn holds_code(&self) -> bool {
        self.holds(View::ConnectingWalletConnect) || self.holds(View::ConnectingWalletConnectBasic)
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::OpenAsked { view, namespace, uri, arguments, ticket } => {
                let namespace = self.asked_namespace(namespace, cx);
                self.namespace = namespace;
                // A pairing URI needs the view that shows it, unless an account is already connected (spec 2.6).
                let pairs = uri.is_some() && view.is_none() && !cx.facts.is_connected();
                let view = if pairs { Some(View::ConnectingWalletConnectBasic.word().into()) } else { view };
                let data = uri.map_or(arguments, |uri| Value::Object(vec![("uri".into(), Value::Text(uri))]));
                self.open_asked(view, namespace, data, ticket, cx);
            }
            // Another view would be a way around the sign-in (spec 6.3).
            Event::ViewAsked { .. } | Event::RedirectAsked { .. } | Event::ReplaceAsked { .. }
                if cx.facts.sign_in_due => {}
            Event::CloseAsked => self.close_asked(cx),
            Event::BackAsked => self.back(cx),
            Event::ViewAsked { view } => {
                let view = on_namespace(view, cx.facts.active_namespace);
                if self.takes(view, cx) {
                    clicked(view, cx);
                }
                self.push(view, cx);
            }
            Event::RedirectAsked { view } => {
                if let Some(view) = self.known(&view, cx) {
                    let view = on_namespace(view, cx.facts.active_namespace);
                    self.push(agreed(view, cx.facts), cx);
                }
            }
            Event::ReplaceAsked { view } => {
                if let Some(view) = self.known(&view, cx).filter(|view| allowed(*view, cx.facts)) {
                    let view = agreed(on_namespace(view, cx.facts.active_namespace), cx.facts);
                    self.enter(view, cx);
                    let held = self.awaited();
                    self.replace(view);
                    self.awaited_left(held, cx);
                    self.shown(cx);
                }
            }
            Event::LoadingSet { loading } => self.loading = loading,
        }
    }

    /// View of a name from the host; an unknown name raises a warning.
    fn known(&self, name: &str, cx: &mut Cx) -> Option<View> {
        let view = View::from_host(name);
        if view.is_none() {
            cx.signal(Signal::Warn(AlertKey::InvalidOptions, ["Unknown view '", name, "'"].concat()));
        }
        view
    }

    /// Namespace of a name from the host, if the host serves it (spec 2.3); else raises a warning. An account that has to sign in stays
    /// active: it would be connected without a session (spec 6.3).
    fn asked_namespace(&self, name: Option<String>, cx: &mut Cx) -> Option<Namespace> {
        let name = name?;
        let namespace = Namespace::from_word(&name).filter(|namespace| cx.facts.serves(*namespace));
        match namespace {
            Some(namespace) => cx.signal(Signal::NamespaceAsked(namespace)),
            None => cx.signal(Signal::Warn(AlertKey::InvalidOptions, ["open: unknown namespace ", &name].concat())),
        }
        namespace.filter(|_| !cx.facts.sign_in_due)
    }

    fn open_asked(
        &mut self,
        name: Option<String>,
        namespace: Option<Namespace>,
        data: Value,
        ticket: Option<u32>,
        cx: &mut Cx,
    ) {
        let known = name.as_deref().and_then(|name| self.known(name, cx));
        let explicit = known.map(|view| on_namespace(view, namespace.or(cx.facts.active_namespace)));
        let mut view = first_view(explicit, namespace, cx.facts);
        // A host with a pairing URI of its own is also responsible for the consent.
        if data.get("uri").as_str().is_none() {
            view = agreed(view, cx.facts);
        }
        clicked(view, cx);
        self.show(view, data.clone(), cx);
        self.kept_back = cx.facts.sign_in_due && explicit != Some(View::SIWXSignMessage);
        let form = view.form_of().filter(|part| part.takes_arguments());
        match (name, explicit, form) {
            (Some(name), None, _) => {
                cx.reject_host(ticket, CallFault::UnknownView(name).into());
            }
            (_, _, Some(part)) => cx.signal(Signal::FormAsked { part, arguments: data, ticket }),
            (_, Some(View::SIWXSignMessage), _) => match sign_in_fault(namespace, cx.facts) {
                Some(fault) => cx.reject_host(ticket, fault.into()),
                None => cx.resolve_host(ticket, Value::Null),
            },
            (_, Some(asked), None) if switched_off(asked, &cx.facts.options.features) => {
                cx.reject_host(ticket, CallFault::FeatureOff.into());
            }
            (_, Some(asked), None) if asked.form_of().is_some_and(Part::takes_arguments) => {
                cx.reject_host(ticket, ConnectFault::NotConnected.into());
            }
            (_, Some(View::Transactions), None) if !cx.facts.is_connected() => {
                cx.reject_host(ticket, PagedFault::AddressRequired.into());
            }
            _ => cx.resolve_host(ticket, Value::Null),
        }
    }

    /// Opens the modal at a view; an open modal starts again there (spec 2.19).
    pub fn show(&mut self, view: View, data: Value, cx: &mut Cx) {
        let held = self.awaited();
        self.kept_back = false;
        self.stack.reset(view, data);
        self.awaited_left(held, cx);
        self.shown(cx);
        // The visitor returns to an attempt that is pending or was just refused.
        if view == View::Connect && cx.facts.attempting {
            self.stack.push(View::ConnectingExternal);
        }
        if !self.open {
            self.open = true;
            cx.signal(Signal::ModalOpened);
            // An embedded modal is always visible, so its opening is not tracked.
            if !cx.facts.options.embedded {
                cx.signal(Signal::Track(Tracked::new(Name::ModalOpen).flag("connected", cx.facts.is_connected())));
            }
        }
    }

    /// Puts a view on top (spec 2.18). A view of an account requires one (spec 6.2).
    pub fn push(&mut self, view: View, cx: &mut Cx) {
        if self.takes(view, cx) {
            self.enter(view, cx);
            self.stack.push(view);
            self.shown(cx);
        }
    }

    /// Offers the wallets of a namespace.
    pub fn offer_wallets(&mut self, namespace: Namespace, cx: &mut Cx) {
        self.namespace = Some(namespace);
        self.push(View::Connect, cx);
        cx.signal(Signal::WalletsOffered);
    }

    /// Starts the form of a view, however the visitor got there.
    fn enter(&self, view: View, cx: &mut Cx) {
        let begins = match view {
            View::WalletSend | View::SolanaSend | View::BitcoinSend => self.stack.top() != view,
            // Coming back from a list, a form keeps its state.
            _ => !self.stack.holds(view),
        };
        if let Some(part) = view.form_of().filter(|part| begins && part.takes_arguments()) {
            cx.signal(Signal::FormAsked { part, arguments: Value::Null, ticket: None });
        }
    }

    /// Starts the content of some views when they are on top, however the visitor got there: the wallet list, the pairing code, account
    /// data.
    fn shown(&self, cx: &mut Cx) {
        match self.stack.top() {
            View::AllWallets => cx.signal(Signal::AllWalletsShown),
            View::OnRampProviders => {
                cx.signal(Signal::FormAsked { part: Part::Onramp, arguments: Value::Null, ticket: None });
            }
            View::WalletReceive | View::Transactions => cx.signal(Signal::AccountShown),
            View::SIWXSignMessage => {
                cx.signal(Signal::FormAsked { part: Part::Siwx, arguments: Value::Null, ticket: None })
            }
            view if view.pairs() => cx.signal(Signal::PairingShown),
            _ => {}
        }
    }

    /// Pairing URI with which the host opened the modal (spec 2.3).
    pub fn uri(&self) -> Option<&str> {
        self.stack.data().get("uri").as_str()
    }

    /// Views in the stack that a call of the host or of a library waits for.
    fn awaited(&self) -> [View; 4] {
        [View::WalletSend, View::SolanaSend, View::BitcoinSend, View::ApproveTransaction]
            .map(|view| if self.holds(view) { view } else { View::Connect })
    }

    /// Reports awaited views that were replaced by others.
    fn awaited_left(&self, held: [View; 4], cx: &mut Cx) {
        for view in held.into_iter().filter(|view| *view != View::Connect && !self.holds(*view)) {
            cx.signal(Signal::ViewLeft(view));
        }
    }

    fn takes(&self, view: View, cx: &Cx) -> bool {
        allowed(view, cx.facts) && (self.open || cx.facts.options.embedded)
    }

    /// Replaces the view on top (spec 2.20).
    pub fn replace(&mut self, view: View) {
        self.stack.replace(view);
    }

    /// Replaces the stack with one view.
    pub fn reset(&mut self, view: View) {
        self.stack.reset(view, Value::Null);
    }

    /// Removes a view if it is on top.
    pub fn leave(&mut self, view: View) {
        if self.stack.top() == view && self.stack.depth() > 0 {
            self.stack.pop();
        }
    }

    /// Whether this is the only view of the stack.
    pub fn is_last(&self, view: View) -> bool {
        self.stack.top() == view && self.stack.depth() == 0
    }

    /// Dispatches one alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm) {
        if alarm == Alarm::ShakeEnd {
            self.shaking = false;
        }
    }

    /// The modal for views.
    pub fn view(&self, facts: &Facts) -> Picture {
        let view = self.stack.top();
        Picture {
            open: self.open,
            view,
            data: self.stack.data().clone(),
            depth: self.stack.depth(),
            can_go_back: self.can_go_back(facts),
            closable: may_close(facts),
            shaking: self.shaking,
            loading: self.loading,
            part_missing: view.part().is_some_and(|part| !facts.parts.open(part)),
        }
    }
}

/// Without consent to the legal pages, views with a pairing code or a wallet list are replaced by the Connect view, which asks for it (spec
/// 6.6).
fn agreed(view: View, facts: &Facts) -> View {
    let chooses = view.pairs() || view == View::AllWallets;
    if chooses && facts.consent_missing { View::Connect } else { view }
}
