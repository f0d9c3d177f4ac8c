//! What follows from what: the one page where features meet.

use crate::analytics::{Name, Tracked};
use crate::app::Features;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::modal::View;
use crate::network::needs_unsupported_screen;
use crate::notice::{Alert, Snack};
use crate::signal::Signal;
use crate::storage::keys;
use portico_json::Value;
use portico_terms::{ChainId, Namespace};

/// One signal.
#[inline(never)]
pub(crate) fn react(features: &mut Features, signal: Signal, cx: &mut Cx) {
    match signal {
        Signal::ConnectStarted { shown: true } => features.modal.push(View::ConnectingExternal, cx),
        Signal::ConnectStarted { shown: false } => {}
        Signal::ConnectViewAsked => features.modal.show(View::Connect, Value::Null, cx),
        Signal::WalletWanted => features.modal.push(View::Downloads, cx),
        Signal::AllWalletsShown => features.connect.all_wallets_shown(cx),
        Signal::AlreadyConnected => features.modal.reset(View::Account),
        Signal::Connected { namespace, chain, .. } => connected(features, namespace, chain, cx),
        Signal::AccountSwitched { namespace } => {
            leave_send(features, cx);
            account_changed(features, namespace, cx);
            account_shown(features, cx);
        }
        Signal::Disconnected { namespaces } => disconnected(features, &namespaces, cx),
        Signal::NamespaceAsked(namespace) => features.network.choose_namespace(namespace, cx),
        Signal::NetworkSwitched { chain, asked } => network_switched(features, chain, asked, cx),
        Signal::NetworkUnsupported => network_unsupported(features, cx),
        Signal::SwitchStarted => features.modal.push(View::SwitchNetwork, cx),
        Signal::SwitchSettled => switch_settled(features, cx),
        Signal::ModalOpened => {
            if !cx.facts.is_connected() {
                features.connect.directory_opened(cx);
            }
            features.account.look(cx);
            account_shown(features, cx);
        }
        Signal::AccountShown => account_shown(features, cx),
        Signal::ModalClosed => {
            features.connect.modal_closed(cx);
            features.connect.all_wallets_left(cx);
            features.network.give_up(cx);
            features.send.left(cx);
        }
        Signal::ViewLeft(View::ConnectingExternal) => features.connect.cancel(cx),
        Signal::ViewLeft(View::AllWallets) => features.connect.all_wallets_left(cx),
        Signal::ViewLeft(View::SwitchNetwork) => features.network.give_up(cx),
        Signal::ViewLeft(View::RegisterAccountName) => features.name.left(cx),
        Signal::ViewLeft(View::WalletSend) => features.send.left(cx),
        Signal::ViewLeft(View::WalletSendPreview) => features.send.preview_left(cx),
        Signal::ViewLeft(_) => {}
        Signal::SendAsked { arguments, ticket } => features.send.asked(&arguments, ticket, cx),
        Signal::SendReviewed => features.modal.push(View::WalletSendPreview, cx),
        Signal::SendUnready => features.modal.leave(View::WalletSendPreview),
        Signal::NameRegistered { address, name } => {
            features.account.named(&address, &name, cx);
            features.modal.reset(View::Account);
            features.modal.push(View::RegisterAccountNameSuccess, cx);
        }
        Signal::SendStarted => {
            features.modal.reset(View::Account);
            features.account.refresh(cx);
        }
        Signal::SendSettled => {
            features.activity.spent();
            features.account.spent(cx);
            account_shown(features, cx);
        }
        Signal::Say(variant, message) => features.notice.say(Snack::new(variant, message), cx),
        Signal::Warn(key, detail) => features.notice.warn(Alert { key, detail }, false, cx),
        Signal::OptionFaulted(key, detail) => features.notice.warn(Alert { key, detail }, true, cx),
        Signal::Track(tracked) => features.analytics.publish(tracked, &features.place, cx),
    }
}

/// An account is there: its network is followed, its balance asked for, and the modal has done its work.
fn connected(features: &mut Features, namespace: Namespace, chain: Option<ChainId>, cx: &mut Cx) {
    if let Some(chain) = chain {
        features.network.follow(&chain, false, cx);
    }
    account_changed(features, namespace, cx);
    let done = match features.modal.top() {
        View::ConnectingExternal => true,
        // The host may wait for an account of another namespace.
        View::Connect => !features.connect.is_awaited(),
        _ => false,
    };
    if cx.facts.modal_open && done {
        features.modal.close(cx);
    }
    account_shown(features, cx);
}

fn account_changed(features: &mut Features, namespace: Namespace, cx: &mut Cx) {
    // The connection changed in this turn: what is known of it has to be made anew.
    let facts = features.facts();
    let network = features.network.active_network_of(namespace).cloned();
    let mut fresh = Cx::new(cx.now, &facts);
    features.account.changed(namespace, network.as_deref(), &mut fresh);
    take_over(cx, fresh);
}

/// What is listed of the account in use is that account's, and where it is looked at it is asked for.
fn account_shown(features: &mut Features, cx: &mut Cx) {
    let facts = features.facts();
    features.account.forget_others(&facts);
    features.activity.changed(&facts);
    if facts.modal_open && facts.account.is_some() {
        let mut fresh = Cx::new(cx.now, &facts);
        if features.account.show(&mut fresh) {
            features.activity.show(&mut fresh);
        }
        features.name.account_shown(&mut fresh);
        take_over(cx, fresh);
    }
}

/// What a feature asked with newer facts goes the same way.
fn take_over(cx: &mut Cx, fresh: Cx) {
    let Cx { asks, calls, alarms, signals, .. } = fresh;
    cx.asks.extend(asks);
    cx.calls.extend(calls);
    cx.alarms.extend(alarms);
    cx.signals.extend(signals);
}

/// Everything of those namespaces is reset (spec 4.7, 4.9).
fn disconnected(features: &mut Features, namespaces: &[Namespace], cx: &mut Cx) {
    features.send.reset(cx);
    features.account.reset(namespaces, cx);
    for namespace in namespaces {
        features.network.reset(*namespace);
    }
    account_shown(features, cx);
    features.network.give_up(cx);
    let needs_account = features.modal.top().needs_account() || features.modal.holds(View::UnsupportedChain);
    if cx.facts.modal_open && (needs_account || !cx.facts.is_connected()) {
        features.modal.close(cx);
    }
}

/// What was filled in is not for another account, or another network; nor is its preview.
fn leave_send(features: &mut Features, cx: &mut Cx) -> bool {
    features.send.reset(cx);
    let shown = matches!(features.modal.top(), View::WalletSend | View::WalletSendPreview);
    if shown {
        features.modal.reset(View::Account);
    }
    shown
}

/// Another network is active (spec 4.13 to 4.16).
fn network_switched(features: &mut Features, chain: ChainId, asked: bool, cx: &mut Cx) {
    let left = leave_send(features, cx);
    cx.order(Operation::WriteStorage {
        area: StorageArea::Local,
        key: keys::VERSION.into(),
        value: crate::storage::VERSION.into(),
    });
    cx.order(Operation::WriteStorage {
        area: StorageArea::Local,
        key: keys::ACTIVE_NETWORK.into(),
        value: chain.to_string(),
    });
    account_changed(features, chain.namespace(), cx);
    account_shown(features, cx);
    if asked {
        cx.tell(Signal::Track(Tracked::new(Name::SwitchNetwork).with("network", chain.to_string())));
    }
    if features.modal.holds(View::UnsupportedChain) {
        features.modal.close(cx);
    } else if !left {
        switch_settled(features, cx);
    }
}

/// The screens of a switch have done their work. A list of networks that the modal was opened at closes with it.
fn switch_settled(features: &mut Features, cx: &mut Cx) {
    let modal = &mut features.modal;
    modal.leave(View::SwitchNetwork);
    if modal.is_last(View::Networks) || modal.is_last(View::SwitchNetwork) {
        modal.close(cx);
    } else {
        modal.leave(View::Networks);
    }
}

/// The wallet stands on a chain that the host does not serve (spec 2.24, 4.16).
fn network_unsupported(features: &mut Features, cx: &mut Cx) {
    leave_send(features, cx);
    if let Some(namespace) = cx.facts.active_namespace {
        account_changed(features, namespace, cx);
    }
    account_shown(features, cx);
    let facts = features.facts();
    if needs_unsupported_screen(&facts) {
        features.modal.show(View::UnsupportedChain, Value::Null, cx);
    }
}
