//! The overlay: whether it is open, and its stack of views.

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
use crate::part::Part;
use crate::signal::Signal;
use close::may_close;
use open::{allowed, first_view, switched_off};
use portico_json::{Json, Value};
use portico_terms::Namespace;
use stack::Stack;

/// The modal shakes so long (spec 2.28, 9.3).
pub const SHAKE: u64 = 500;

/// How long a view fades, the card rises, and the card leaves, in milliseconds (spec 9.4). Drawn by the theme.
pub const ANIMATION: [u64; 3] = [120, 150, 150];

/// The width of the card in CSS pixels (spec 2.7). Drawn by the theme.
pub const WIDTH: u32 = 360;

/// Alarms of this feature; starting one that runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The modal stops shaking (spec 2.28).
    ShakeEnd,
}

/// What visitor and host do with the modal.
#[derive(Clone, Json)]
#[json(name = "ModalEvent")]
pub enum Event {
    /// Opening was asked for (spec 2.3).
    OpenAsked {
        /// A view by its name.
        view: Option<String>,
        /// A namespace by its name.
        namespace: Option<String>,
        /// A connection uri.
        uri: Option<String>,
        /// What the view wants to know.
        arguments: Value,
        /// The host's call.
        ticket: Option<u32>,
    },
    /// Closing was asked for: the button, Escape, a click beside the card, or the host.
    CloseAsked,
    /// The back button.
    BackAsked,
    /// A link to another view of the modal.
    ViewAsked {
        /// Which.
        view: View,
    },
    /// The host goes on to another view.
    RedirectAsked {
        /// A view by its name.
        view: String,
    },
    /// The host puts another view in the place of the one on top (spec 2.20).
    ReplaceAsked {
        /// A view by its name.
        view: String,
    },
    /// The host shows that it works on something.
    LoadingSet {
        /// Whether it does.
        loading: bool,
    },
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Modal {
    open: bool,
    stack: Stack,
    shaking: bool,
    loading: bool,
}

/// What views read.
#[derive(Clone, Json, PartialEq)]
#[json(name = "ModalView")]
pub struct Picture {
    /// Whether it is there.
    pub open: bool,
    /// The view on top.
    pub view: View,
    /// What came with the view (spec 2.4).
    pub data: Value,
    /// How many views lie below.
    pub depth: u32,
    /// Whether the header has a back button.
    pub can_go_back: bool,
    /// Whether it may be closed (spec 2.25).
    pub closable: bool,
    /// Whether it shakes (spec 2.28).
    pub shaking: bool,
    /// Whether the host works on something.
    pub loading: bool,
}

impl Modal {
    /// Whether it is there.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The view on top.
    pub fn top(&self) -> View {
        self.stack.top()
    }

    /// Whether a view lies anywhere in the stack.
    pub fn holds(&self, view: View) -> bool {
        self.stack.holds(view)
    }

    /// Whether a view that shows a code for a remote wallet, or a link to one, lies anywhere in the stack.
    pub fn holds_code(&self) -> bool {
        self.holds(View::ConnectingWalletConnect) || self.holds(View::ConnectingWalletConnectBasic)
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::OpenAsked { view, namespace, uri, arguments, ticket } => {
                let namespace = self.namespace(namespace, cx);
                // A connection uri is for the view that draws it; an account that is there needs no other (spec 2.6).
                let pairs = uri.is_some() && view.is_none() && !cx.facts.is_connected();
                let view = if pairs { Some(View::ConnectingWalletConnectBasic.word().into()) } else { view };
                let data = uri.map_or(arguments, |uri| Value::Object(vec![("uri".into(), Value::Text(uri))]));
                self.open_asked(view, namespace, data, ticket, cx);
            }
            Event::CloseAsked => self.close_asked(cx),
            Event::BackAsked => self.back(cx),
            Event::ViewAsked { view } => {
                if self.takes(view, cx) {
                    clicked(view, cx);
                }
                self.push(view, cx);
            }
            Event::RedirectAsked { view } => {
                if let Some(view) = self.known(&view, cx) {
                    self.push(agreed(view, cx.facts), cx);
                }
            }
            Event::ReplaceAsked { view } => {
                if let Some(view) = self.known(&view, cx).filter(|view| allowed(*view, cx.facts)) {
                    let view = agreed(view, cx.facts);
                    self.enter(view, cx);
                    let sending = self.holds(View::WalletSend);
                    self.replace(view);
                    self.send_left(sending, cx);
                    self.shown(cx);
                }
            }
            Event::LoadingSet { loading } => self.loading = loading,
        }
    }

    /// A view that a host named; an unknown one is told.
    fn known(&self, name: &str, cx: &mut Cx) -> Option<View> {
        let view = View::from_host(name);
        if view.is_none() {
            cx.tell(Signal::Warn(AlertKey::InvalidOptions, ["Unknown view '", name, "'"].concat()));
        }
        view
    }

    /// The namespace that was named, where the host serves it (spec 2.3).
    fn namespace(&self, name: Option<String>, cx: &mut Cx) -> Option<Namespace> {
        let name = name?;
        let namespace = Namespace::from_word(&name).filter(|namespace| cx.facts.serves(*namespace));
        match namespace {
            Some(namespace) => cx.tell(Signal::NamespaceAsked(namespace)),
            None => cx.tell(Signal::Warn(AlertKey::InvalidOptions, ["open: unknown namespace ", &name].concat())),
        }
        namespace
    }

    fn open_asked(
        &mut self,
        name: Option<String>,
        namespace: Option<Namespace>,
        data: Value,
        ticket: Option<u32>,
        cx: &mut Cx,
    ) {
        let explicit = name.as_deref().and_then(|name| self.known(name, cx));
        let mut view = first_view(explicit, namespace, cx.facts);
        // A uri is the host's own way to connect, and so is its way of asking.
        if data.get("uri").as_str().is_none() {
            view = agreed(view, cx.facts);
        }
        clicked(view, cx);
        self.show(view, data.clone(), cx);
        let form = view.form_of().filter(|part| part.takes_arguments());
        match (name, explicit, form) {
            (Some(name), None, _) => {
                cx.reject_host(ticket, CallFault::UnknownView(name).into());
            }
            (_, _, Some(part)) => cx.tell(Signal::FormAsked { part, arguments: data, ticket }),
            (_, Some(asked), None) if switched_off(asked, &cx.facts.options.features) => {
                cx.reject_host(ticket, CallFault::FeatureOff.into());
            }
            (_, Some(asked), None) if asked.form_of().is_some_and(Part::takes_arguments) => {
                cx.reject_host(ticket, ConnectFault::NotConnected.into());
            }
            _ => cx.resolve_host(ticket, Value::Null),
        }
    }

    /// Opens at a view; an open modal starts again there (spec 2.19).
    pub fn show(&mut self, view: View, data: Value, cx: &mut Cx) {
        let sending = self.holds(View::WalletSend);
        self.stack.reset(view, data);
        self.send_left(sending, cx);
        self.shown(cx);
        // A wallet that still asks, or just refused, is where the visitor left off.
        if view == View::Connect && cx.facts.attempting {
            self.stack.push(View::ConnectingExternal);
        }
        if !self.open {
            self.open = true;
            cx.tell(Signal::ModalOpened);
            // An embedded modal is always there.
            if !cx.facts.options.embedded {
                cx.tell(Signal::Track(Tracked::new(Name::ModalOpen).flag("connected", cx.facts.is_connected())));
            }
        }
    }

    /// Puts a view on top (spec 2.18). One that shows an account needs one (spec 6.2).
    pub fn push(&mut self, view: View, cx: &mut Cx) {
        if self.takes(view, cx) {
            self.enter(view, cx);
            self.stack.push(view);
            self.shown(cx);
        }
    }

    /// The forms begin when they are shown, whoever leads there.
    fn enter(&self, view: View, cx: &mut Cx) {
        let begins = match view {
            View::WalletSend => self.stack.top() != view,
            // Back from a list, a form goes on.
            _ => !self.stack.holds(view),
        };
        if let Some(part) = view.form_of().filter(|part| begins && part.takes_arguments()) {
            cx.tell(Signal::FormAsked { part, arguments: Value::Null, ticket: None });
        }
    }

    /// The list of all wallets, the code for a remote one and what is told of the account begin when they are on top, whoever leads there.
    fn shown(&self, cx: &mut Cx) {
        match self.stack.top() {
            View::AllWallets => cx.tell(Signal::AllWalletsShown),
            View::OnRampProviders => {
                cx.tell(Signal::FormAsked { part: Part::Onramp, arguments: Value::Null, ticket: None });
            }
            View::WalletReceive | View::Transactions => cx.tell(Signal::AccountShown),
            view if view.pairs() => cx.tell(Signal::PairingShown),
            _ => {}
        }
    }

    /// The connection uri with which the host opened the modal (spec 2.3).
    pub fn uri(&self) -> Option<&str> {
        self.stack.data().get("uri").as_str()
    }

    /// A host waits for what comes of a send that it asked for: it hears of a form that other views took the place of.
    fn send_left(&self, sending: bool, cx: &mut Cx) {
        if sending && !self.holds(View::WalletSend) {
            cx.tell(Signal::ViewLeft(View::WalletSend));
        }
    }

    fn takes(&self, view: View, cx: &Cx) -> bool {
        allowed(view, cx.facts) && (self.open || cx.facts.options.embedded)
    }

    /// Puts a view in the place of the one on top (spec 2.20).
    pub fn replace(&mut self, view: View) {
        self.stack.replace(view);
    }

    /// Starts again at a view, if open.
    pub fn reset(&mut self, view: View) {
        self.stack.reset(view, Value::Null);
    }

    /// Takes the view off, if it is on top.
    pub fn leave(&mut self, view: View) {
        if self.stack.top() == view && self.stack.depth() > 0 {
            self.stack.pop();
        }
    }

    /// Whether the modal was opened at this view and shows nothing else.
    pub fn is_last(&self, view: View) -> bool {
        self.stack.top() == view && self.stack.depth() == 0
    }

    fn back(&mut self, cx: &mut Cx) {
        let left = self.stack.top();
        if self.stack.depth() == 0 || self.stack.holds(View::UnsupportedChain) {
            self.close_asked(cx);
        } else {
            self.stack.pop();
        }
        if self.stack.top() != left || !self.open {
            cx.tell(Signal::ViewLeft(left));
            if self.stack.top().pairs() {
                self.shown(cx);
            }
        }
    }

    /// Closes, where closing is allowed; where not, shakes.
    fn close_asked(&mut self, cx: &mut Cx) {
        if may_close(self.stack.top(), cx.facts) {
            self.close(cx);
        } else {
            self.shaking = true;
            cx.start(Alarm::ShakeEnd, SHAKE);
        }
    }

    /// Closes. An embedded modal stays and goes to its first view (spec 2.23).
    pub fn close(&mut self, cx: &mut Cx) {
        let sending = self.holds(View::WalletSend);
        self.stack.reset(if cx.facts.is_connected() { View::Account } else { View::Connect }, Value::Null);
        self.send_left(sending, cx);
        self.shaking = false;
        cx.stop(Alarm::ShakeEnd);
        if std::mem::take(&mut self.open) && !cx.facts.options.embedded {
            cx.tell(Signal::ModalClosed);
            cx.tell(Signal::Track(Tracked::new(Name::ModalClose).flag("connected", cx.facts.is_connected())));
        }
    }

    /// One alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm) {
        if alarm == Alarm::ShakeEnd {
            self.shaking = false;
        }
    }

    /// What views read.
    pub fn view(&self, facts: &crate::facts::Facts) -> Picture {
        let view = self.stack.top();
        Picture {
            open: self.open,
            view,
            data: self.stack.data().clone(),
            depth: self.stack.depth(),
            can_go_back: self.stack.depth() > 0 && !self.stack.holds(View::UnsupportedChain),
            closable: may_close(view, facts),
            shaking: self.shaking,
            loading: self.loading,
        }
    }
}

/// Nobody gets a code, or a wallet to choose, who has not agreed to the legal pages: they are agreed to in the first view (spec 6.6).
fn agreed(view: View, facts: &Facts) -> View {
    let chooses = view.pairs() || view == View::AllWallets;
    if chooses && facts.consent_missing { View::Connect } else { view }
}

/// Some views are tracked by how the visitor comes to them (spec 8.54).
fn clicked(view: View, cx: &mut Cx) {
    let name = match view {
        View::AllWallets => Name::ClickAllWallets,
        View::Networks => Name::ClickNetworks,
        View::Swap => Name::ClickConvert,
        View::WhatIsAWallet => Name::ClickWalletHelp,
        View::WhatIsANetwork => Name::ClickNetworkHelp,
        View::OnRampProviders => Name::SelectBuyCrypto,
        View::WhatIsABuy => Name::SelectWhatIsABuy,
        View::Transactions => Name::ClickTransactions,
        View::ChooseAccountName => Name::OpenEnsFlow,
        _ => return,
    };
    let tracked = Tracked::new(name);
    let of_account = view.needs_account() || view == View::WhatIsABuy;
    cx.tell(Signal::Track(if of_account { tracked.flag("isSmartAccount", cx.facts.smart_account) } else { tracked }));
}
