//! The first part of the core that comes later (decision 7): what a visitor finds once connected. It is a module of its own in the browser, and
//! comes after the first paint. The methods of [`Home`] are the only way in: what nothing else reaches is built into that module, and
//! [`Features::home`] gives a `Home` only when that is there. The parts that come after it are reached through it, or by a signal.

use crate::account::Accounts;
use crate::activity::Activity;
use crate::app::{Event, Features, Reason, Told};
use crate::connect;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::name::Names;
use crate::onramp::Onramp;
use crate::part::{Part, Parts};
use crate::send::Send;
use crate::storage::Stored;
use crate::swap::Swap;
use crate::timer::Timer;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};

/// The state of the features of the parts that come later.
#[derive(Debug, Default)]
pub(crate) struct Own {
    pub account: Accounts,
    pub activity: Activity,
    pub name: Names,
    pub send: Send,
    pub onramp: Onramp,
    pub swap: Swap,
    /// The parts whose code is there.
    pub(crate) here: Parts,
    pub(crate) lists: [Option<u32>; 3],
}

impl Own {
    /// Before anybody connected, with what was stored.
    pub fn new(stored: &Stored) -> Own {
        Own {
            account: Accounts::new(stored),
            activity: Activity::default(),
            name: Names::default(),
            send: Send::new(stored.pending.clone()),
            onramp: Onramp::new(stored),
            swap: Swap::new(&stored.swaps),
            here: Parts::default(),
            lists: [None; 3],
        }
    }
}

/// The way into this part.
pub(crate) struct Home<'a>(&'a mut Features);

impl Features {
    /// This part, once it is there.
    pub fn home(&mut self) -> Option<Home<'_>> {
        self.own.here.has(Part::Home).then_some(Home(self))
    }
}

/// Each method is a door: never inlined, so that it is there to be found in the module. The browser build looks for them by their names.
impl Home<'_> {
    /// An event of one of its features.
    #[inline(never)]
    pub fn update(self, event: Event, cx: &mut Cx) {
        let own = &mut self.0.own;
        match event {
            Event::Connect(event) => {
                if let connect::Event::WalletSilent { topic } = &event
                    && cx.facts.account.as_ref().is_some_and(|account| account.handle.ends_with(topic.as_str()))
                {
                    if let Some(send) = self.0.send() {
                        send.wallet_silent();
                    }
                    if let Some(swap) = self.0.swap() {
                        swap.wallet_silent();
                    }
                }
                self.0.connect.remote_update(event, cx);
            }
            Event::Account(event) => {
                let shown = matches!(event, crate::account::Event::PageShown);
                own.account.update(event, cx);
                if shown && let Some(onramp) = self.0.onramp() {
                    onramp.page_shown(cx);
                }
            }
            Event::Name(event) => own.name.update(event, cx),
            Event::Activity(event) => own.activity.update(event, cx),
            Event::Send(event) => {
                if let Some(send) = self.0.send() {
                    send.update(event, cx);
                }
            }
            Event::Onramp(event) => {
                if let Some(onramp) = self.0.onramp() {
                    onramp.update(event, cx);
                }
            }
            Event::Swap(event) => {
                if let Some(swap) = self.0.swap() {
                    swap.update(event, cx);
                }
            }
            _ => {}
        }
    }

    /// An event of a part that comes after it, as it came.
    #[inline(never)]
    pub fn unread(self, part: Part, event: &Value, cx: &mut Cx) {
        match part {
            Part::Home => {}
            Part::Send => {
                if let Some(send) = self.0.send() {
                    send.read(event, cx);
                }
            }
            Part::Onramp => {
                if let Some(onramp) = self.0.onramp() {
                    onramp.read(event, cx);
                }
            }
            Part::Swap => {
                if let Some(swap) = self.0.swap() {
                    swap.read(event, cx);
                }
            }
        }
    }

    /// An answer to one of its features.
    #[inline(never)]
    pub fn answered(self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let own = &mut self.0.own;
        match asked {
            Reason::Connect(asked) => self.0.connect.remote_answered(asked, answer, cx),
            Reason::Account(asked) => own.account.answered(asked, answer, cx),
            Reason::Name(asked) => own.name.answered(asked, answer, cx),
            Reason::Activity(asked) => own.activity.answered(asked, answer, cx),
            Reason::Send(asked) => {
                if let Some(send) = self.0.send() {
                    send.answered(asked, answer, cx);
                }
            }
            Reason::Onramp(asked) => {
                if let Some(onramp) = self.0.onramp() {
                    onramp.answered(asked, answer, cx);
                }
            }
            Reason::Swap(asked) => {
                if let Some(swap) = self.0.swap() {
                    swap.answered(asked, answer, cx);
                }
            }
            _ => {}
        }
    }

    /// An alarm of one of its features.
    #[inline(never)]
    pub fn alarm(self, timer: Timer, cx: &mut Cx) {
        let own = &mut self.0.own;
        match timer {
            Timer::SendEstimate | Timer::ReceiptPoll | Timer::SendSlow => {
                if let Some(send) = self.0.send() {
                    send.alarm(timer, cx);
                }
            }
            Timer::SwapQuote | Timer::SwapReceipt | Timer::SwapSlow => {
                if let Some(swap) = self.0.swap() {
                    swap.alarm(timer, cx);
                }
            }
            Timer::NameSearch => own.name.alarm(cx),
            Timer::OnrampQuote | Timer::OnrampPage | Timer::OnrampLook => {
                if let Some(onramp) = self.0.onramp() {
                    onramp.alarm(timer, cx);
                }
            }
            Timer::PairingTick | Timer::PairingSlow => self.0.connect.pairing_alarm(timer, cx),
            Timer::AssetsEnd | Timer::TokensRetry => own.account.alarm(timer, cx),
            _ => {}
        }
    }

    /// A view is on top that shows a code for a remote wallet.
    #[inline(never)]
    pub fn pairing_shown(self, cx: &mut Cx) {
        let uri = self.0.modal.uri().map(String::from);
        self.0.connect.pairing_shown(uri, cx);
    }

    /// A relay told how it stands.
    #[inline(never)]
    pub fn relay_told(self, cx: &mut Cx) {
        self.0.connect.relay_told(cx);
    }

    /// The visitor went back from a code.
    #[inline(never)]
    pub fn pairing_left(self, cx: &mut Cx) {
        self.0.connect.pairing_left(cx);
    }

    /// The modal was closed, over whatever it showed.
    #[inline(never)]
    pub fn closed(self, cx: &mut Cx) {
        self.0.connect.pairing_closed(cx);
        for view in [View::WalletSend, View::OnRampProviders, View::Swap, View::RegisterAccountName] {
            Home(self.0).left(view, cx);
        }
    }

    /// What a session approves (spec 3.2).
    #[inline(never)]
    pub fn approve(self, namespace: Namespace, chains: Option<Vec<ChainId>>, stands: &ChainId, cx: &mut Cx) {
        self.0.network.approve(namespace, chains, stands, cx);
    }

    /// The modal opened.
    #[inline(never)]
    pub fn opened(self, cx: &mut Cx) {
        self.0.own.account.look(cx);
        Home(self.0).shown(cx);
    }

    /// What is listed of the account in use is that account's, and where it is looked at it is asked for.
    #[inline(never)]
    pub fn shown(self, cx: &mut Cx) {
        let facts = self.0.facts();
        let own = &mut self.0.own;
        own.account.forget_others(&facts);
        own.activity.changed(&facts);
        if facts.modal_open && facts.account.is_some() {
            let mut fresh = Cx::new(cx.now, &facts);
            if own.account.show(&mut fresh) {
                own.activity.show(&mut fresh);
            }
            cx.take_over(fresh);
        }
    }

    /// The account of a namespace is another one, or stands on another network.
    #[inline(never)]
    pub fn changed(self, namespace: Namespace, cx: &mut Cx) {
        // The connection changed in this turn: what is known of it has to be made anew.
        let facts = self.0.facts();
        let network = self.0.network.active_network_of(namespace).cloned();
        let mut fresh = Cx::new(cx.now, &facts);
        self.0.own.account.changed(namespace, network.as_deref(), &mut fresh);
        cx.take_over(fresh);
    }

    /// Connections are gone (spec 4.7, 4.9).
    #[inline(never)]
    pub fn reset(self, namespaces: &[Namespace], cx: &mut Cx) {
        self.0.own.account.reset(namespaces, cx);
        if let Some(swap) = self.0.swap() {
            swap.reset(cx);
        }
        self.forget_forms(cx);
    }

    /// What was filled in is not for another account, or another network.
    #[inline(never)]
    pub fn forget_forms(self, cx: &mut Cx) {
        self.0.own.name.left(cx);
        if let Some(send) = self.0.send() {
            send.reset(cx);
        }
        if let Some(onramp) = self.0.onramp() {
            onramp.reset(cx);
        }
    }

    /// The visitor left a view.
    #[inline(never)]
    pub fn left(self, view: View, cx: &mut Cx) {
        match view {
            View::RegisterAccountName => self.0.own.name.left(cx),
            View::WalletSend | View::WalletSendSelectToken | View::WalletSendPreview | View::WalletSendConfirmed => {
                if let Some(send) = self.0.send() {
                    send.left(view, cx);
                }
            }
            View::BuyInProgress | View::OnRampProviders | View::OnRampStateSelect => {
                if let Some(onramp) = self.0.onramp() {
                    onramp.left(view, cx);
                }
            }
            view if view.swaps() => {
                if let Some(swap) = self.0.swap() {
                    swap.left(view, cx);
                }
            }
            _ => {}
        }
    }

    /// The transaction is on its way.
    #[inline(never)]
    pub fn send_started(self, cx: &mut Cx) {
        self.0.own.account.refresh(cx);
    }

    /// The transaction was mined, or given up.
    #[inline(never)]
    pub fn send_settled(self, cx: &mut Cx) {
        self.0.own.activity.spent();
        self.0.own.account.spent(cx);
        self.shown(cx);
    }

    /// The account registered a name.
    #[inline(never)]
    pub fn named(self, address: &str, name: &str, cx: &mut Cx) {
        self.0.own.account.named(address, name, cx);
    }

    /// Tells what changed of its features but for the account, which is told from the start.
    #[inline(never)]
    pub fn tell(self, told: &mut Told, facts: &Facts, out: &mut String) {
        let own = &self.0.own;
        // An account may have done thousands of things: their list is only made again when it may have changed.
        let [.., tokens] = own.lists;
        let lists = [Some(own.account.nfts().revision()), Some(own.activity.revision()), tokens];
        if own.lists[0] != lists[0] {
            told.tell("nfts", &own.account.nfts().view(), out);
        }
        if own.lists[1] != lists[1] {
            told.tell("activity", &own.activity.view(), out);
        }
        told.tell("pairing", &self.0.connect.pairing_view(facts), out);
        told.tell("countdown", &self.0.connect.countdown(facts), out);
        told.tell("name", &own.name.view(facts), out);
        told.tell("receive", &own.account.receive_view(&self.0.network, facts), out);
        self.0.own.lists = lists;
        if let Some(send) = self.0.send() {
            send.tell(told, facts, out);
        }
        if let Some(onramp) = self.0.onramp() {
            onramp.tell(told, facts, out);
        }
        if let Some(swap) = self.0.swap() {
            swap.tell(told, facts, out);
        }
    }
}
