//! The second half of the core (decision 7): what a visitor finds once connected. It is a module of its own in the browser, and comes after
//! the first paint. The methods of [`Home`] are the only way in: what nothing else reaches is built into the second module, and
//! [`Features::home`] gives a `Home` only when that is there.

use crate::account::Accounts;
use crate::activity::Activity;
use crate::app::{Asked, Event, Features, Step, Told};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::name::Names;
use crate::send::Send;
use crate::signal::Signal;
use crate::storage::Stored;
use crate::timer::Timer;
use crate::{account, activity};
use portico_json::Value;
use portico_terms::Namespace;
use portico_terms::rpc::RpcError;

/// The state of the features of the second half.
#[derive(Debug, Default)]
pub(crate) struct Own {
    pub account: Accounts,
    pub activity: Activity,
    pub name: Names,
    pub send: Send,
    /// Whether the code for it is there.
    pub(crate) here: bool,
    lists: [Option<u32>; 2],
}

impl Own {
    /// Before anybody connected, with what was stored.
    pub fn new(stored: &Stored) -> Own {
        Own { account: Accounts::new(stored), ..Own::default() }
    }
}

/// The way into the second half.
pub(crate) struct Home<'a>(&'a mut Features);

impl Features {
    /// The second half, once it is there.
    pub fn home(&mut self) -> Option<Home<'_>> {
        self.own.here.then_some(Home(self))
    }
}

/// Whether a step means nothing without the second half.
pub(crate) fn is_needed(step: &Step) -> bool {
    match step {
        Step::Event(event) => {
            matches!(event, Event::Account(_) | Event::Name(_) | Event::Activity(_) | Event::Send(_))
        }
        Step::Signal(signal) => {
            matches!(signal, Signal::AccountChanged { .. } | Signal::AccountShown | Signal::SendAsked { .. })
        }
        _ => false,
    }
}

/// The host's call that waits for what comes of a step.
pub(crate) fn ticket_of(step: &Step) -> Option<u32> {
    match step {
        Step::Event(Event::Account(account::Event::BalanceAsked { ticket, .. })) => Some(*ticket),
        Step::Event(Event::Account(account::Event::RefreshAsked { ticket }))
        | Step::Event(Event::Activity(activity::Event::MoreAsked { ticket }))
        | Step::Signal(Signal::SendAsked { ticket, .. }) => *ticket,
        _ => None,
    }
}

/// Whether what is kept says it already: who is there, and who is looked at, is what it is in the end, however often it changed.
pub(crate) fn is_known(step: &Step, kept: &[Step]) -> bool {
    let Step::Signal(signal @ (Signal::AccountChanged { .. } | Signal::AccountShown)) = step else { return false };
    kept.iter().any(|step| matches!(step, Step::Signal(known) if known == signal))
}

/// Whether a send that is kept is not for what follows: another account or network, or a form that was left.
pub(crate) fn leaves_send(step: &Step, kept: &[Step]) -> bool {
    let leaves = matches!(
        step,
        Step::Signal(
            Signal::AccountSwitched { .. }
                | Signal::Disconnected { .. }
                | Signal::NetworkSwitched { .. }
                | Signal::NetworkUnsupported
                | Signal::ModalClosed
                | Signal::ViewLeft(View::WalletSend)
        )
    );
    let waits = kept.iter().rposition(|step| matches!(step, Step::Signal(Signal::SendAsked { .. })));
    leaves && waits.is_some_and(|at| !kept[at..].iter().any(is_send_left))
}

fn is_send_left(step: &Step) -> bool {
    matches!(step, Step::Signal(Signal::ViewLeft(View::WalletSend)))
}

/// Each method is a door: never inlined, so that it is there to be found in the module. The browser build looks for them by their names.
impl Home<'_> {
    /// An event of one of its features.
    #[inline(never)]
    pub fn update(self, event: Event, cx: &mut Cx) {
        let balance = self.0.native_balance(cx.facts);
        let own = &mut self.0.own;
        match event {
            Event::Account(event) => own.account.update(event, cx),
            Event::Name(event) => own.name.update(event, cx),
            Event::Activity(event) => own.activity.update(event, cx),
            Event::Send(event) => own.send.update(event, balance, cx),
            _ => {}
        }
    }

    /// An answer to one of its features.
    #[inline(never)]
    pub fn answered(self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let own = &mut self.0.own;
        match asked {
            Asked::Account(asked) => own.account.answered(asked, answer, cx),
            Asked::Name(asked) => own.name.answered(asked, answer, cx),
            Asked::Activity(asked) => own.activity.answered(asked, answer, cx),
            Asked::Send(asked) => own.send.answered(asked, answer, cx),
            _ => {}
        }
    }

    /// An alarm of one of its features.
    #[inline(never)]
    pub fn alarm(self, timer: Timer, cx: &mut Cx) {
        let own = &mut self.0.own;
        match timer {
            Timer::SendEstimate | Timer::ReceiptPoll | Timer::SendSlow => own.send.alarm(timer, cx),
            Timer::NameSearch => own.name.alarm(cx),
            Timer::AssetsEnd | Timer::TokensRetry => own.account.alarm(timer, cx),
            _ => {}
        }
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
            own.name.account_shown(&mut fresh);
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
        self.0.own.send.reset(cx);
        self.0.own.account.reset(namespaces, cx);
    }

    /// What was filled in to be sent is not for another account, or another network.
    #[inline(never)]
    pub fn forget_send(self, cx: &mut Cx) {
        self.0.own.send.reset(cx);
    }

    /// The visitor left a view.
    #[inline(never)]
    pub fn left(self, view: View, cx: &mut Cx) {
        let own = &mut self.0.own;
        match view {
            View::RegisterAccountName => own.name.left(cx),
            View::WalletSend => own.send.left(cx),
            View::WalletSendPreview => own.send.preview_left(cx),
            _ => {}
        }
    }

    /// A host asked for a send.
    #[inline(never)]
    pub fn send_asked(self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        self.0.own.send.asked(arguments, ticket, cx);
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
        let lists = [Some(own.account.nfts().revision()), Some(own.activity.revision())];
        if own.lists[0] != lists[0] {
            told.tell("nfts", &own.account.nfts().view(), out);
        }
        if own.lists[1] != lists[1] {
            told.tell("activity", &own.activity.view(), out);
        }
        told.tell("name", &own.name.view(facts), out);
        told.tell("send", &self.0.send_view(facts), out);
        self.0.own.lists = lists;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(kept: &mut Vec<Step>, signal: Signal) {
        let step = Step::Signal(signal);
        if leaves_send(&step, kept) {
            kept.push(Step::Signal(Signal::ViewLeft(View::WalletSend)));
        }
        if is_needed(&step) && !is_known(&step, kept) {
            kept.push(step);
        }
    }

    #[test]
    fn what_waits_does_not_grow_with_what_a_wallet_does_again_and_again() {
        let mut kept: Vec<Step> = Vec::new();
        for round in 0..100 {
            for namespace in [Namespace::Eip155, Namespace::Solana] {
                for signal in [
                    Signal::AccountSwitched { namespace },
                    Signal::AccountChanged { namespace },
                    Signal::AccountShown,
                    Signal::NetworkUnsupported,
                    Signal::ModalClosed,
                ] {
                    hold(&mut kept, signal);
                }
            }
            if round == 50 {
                let asked = Signal::SendAsked { arguments: Value::Null, ticket: None };
                hold(&mut kept, asked);
            }
        }
        // Two accounts, one look, the send and that it was left.
        assert_eq!(kept.len(), 5, "{kept:?}");
        assert!(kept.last().is_some_and(is_send_left));
    }
}
