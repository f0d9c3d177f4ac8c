//! Rules between features: the consequences of each signal. The only place where one feature acts on another, and therefore one file, in
//! which all consequences of a signal are found.

use crate::analytics::{Name, Tracked};
use crate::app::Features;
use crate::connect::offers_remote;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::embedded::Embedded;
use crate::modal::View;
use crate::network::needs_unsupported_screen;
use crate::notice::{Alert, AlertKey, Message, Snack, Variant};
use crate::onramp::Onramp;
use crate::part::Part;
use crate::send::Send;
use crate::signal::Signal;
use crate::siwx::Siwx;
use crate::solana::Solana;
use crate::storage::keys;
use crate::swap::Swap;
use portico_json::Value;
use portico_terms::{ChainId, Namespace};

/// Carries out the consequences of a signal.
#[inline(never)]
pub(crate) fn react(features: &mut Features, signal: Signal, cx: &mut Cx) {
    match signal {
        Signal::ConnectStarted { shown: true } => features.modal.push(View::ConnectingExternal, cx),
        Signal::ConnectStarted { shown: false } => {}
        Signal::FrameLoaded => features.notice.withdraw(AlertKey::SocialsTimeout),
        Signal::AttemptDropped => features.modal.leave(View::ConnectingExternal),
        // Another account would leave this one connected without its sign-in (spec 6.3).
        Signal::ConnectViewAsked if cx.facts.sign_in_due => features.modal.keep_back(cx),
        Signal::ConnectViewAsked => features.modal.show(View::Connect, Value::Null, cx),
        Signal::MultiChainChosen => features.modal.push(View::ConnectingMultiChain, cx),
        Signal::WalletWanted => features.modal.push(View::Downloads, cx),
        Signal::RemoteChosen => remote_chosen(features, cx),
        Signal::PairingShown => {
            features.notice.close_message(Message::SessionEnded, cx);
            if let Some(home) = features.home() {
                home.pairing_shown(cx);
            }
        }
        Signal::Approved { namespace, chains, stands } => {
            if let Some(home) = features.home() {
                home.approve(namespace, chains, &stands, cx);
            }
        }
        Signal::AllWalletsShown => features.connect.all_wallets_shown(cx),
        // The account is no way around its sign-in (spec 6.3).
        Signal::AlreadyConnected if cx.facts.sign_in_due => {}
        Signal::AlreadyConnected => features.modal.reset(View::Account),
        Signal::Connected { namespace, chain, reconnect } => connected(features, namespace, chain, reconnect, cx),
        Signal::AccountSwitched { namespace } => {
            leave_forms(features, false, cx);
            cx.signal(Signal::AccountChanged { namespace });
        }
        Signal::AccountChanged { namespace } => {
            account_changed(features, namespace, cx);
            account_shown(features, cx);
            ask_to_sign_in(cx);
        }
        Signal::Disconnected { namespaces } => disconnected(features, &namespaces, cx),
        Signal::SessionLeft(chain, address) => features.connect.end_session(&chain, &address, cx),
        Signal::AdapterRemoved(namespace) => {
            features.config.remove_adapter(namespace);
            features.connect.adapter_removed(namespace, cx);
        }
        Signal::NamespaceAsked(_) if cx.facts.sign_in_due => {}
        Signal::NamespaceAsked(namespace) => features.network.choose_namespace(namespace, cx),
        Signal::AccountMissing(namespace) => features.modal.offer_wallets(namespace, cx),
        Signal::WalletsOffered => features.connect.directory_opened(cx),
        Signal::NetworkSwitched { chain, asked } => network_switched(features, chain, asked, cx),
        Signal::NetworkUnsupported => network_unsupported(features, cx),
        Signal::SwitchStarted => features.modal.push(View::SwitchNetwork, cx),
        Signal::SwitchSettled => switch_settled(features, cx),
        Signal::ModalOpened => {
            features.notice.close_message(Message::SessionEnded, cx);
            if !cx.facts.is_connected() {
                features.connect.directory_opened(cx);
                if features.modal.top().leads_to_remote() && offers_remote(cx.facts) {
                    features.connect.relay_wanted(cx);
                }
            }
            if let Some(home) = features.home() {
                home.opened(cx);
            }
        }
        Signal::AccountShown => account_shown(features, cx),
        Signal::ModalClosed => {
            if let Some(home) = features.home() {
                home.closed(cx);
            }
            if let Some(embedded) = features.part::<Embedded>() {
                embedded.closed(cx);
            }
            features.connect.modal_closed(cx);
            features.connect.all_wallets_left(cx);
            features.network.give_up(cx);
            features.network.go_back(cx);
        }
        Signal::ViewLeft(View::ConnectingExternal) => features.connect.cancel(cx),
        Signal::ViewLeft(view) if view.pairs() => {
            if let Some(home) = features.home() {
                home.pairing_left(cx);
            }
            features.connect.remote_left(cx);
        }
        Signal::ViewLeft(View::AllWallets) => features.connect.all_wallets_left(cx),
        Signal::ViewLeft(View::SwitchNetwork) => features.network.give_up(cx),
        Signal::ViewLeft(view) if view.is_of_login() => {
            if let Some(embedded) = features.part::<Embedded>() {
                embedded.left(view, cx);
            }
        }
        Signal::ViewLeft(view) => home_left(features, view, cx),
        Signal::FormAsked { part, arguments, ticket } => {
            features.form_asked(part, &arguments, ticket, cx);
            // A form offers what the account has now, however long the modal is open.
            account_shown(features, cx);
            if part == Part::Send {
                name_accounts(features, cx);
            }
        }
        Signal::Resumed(part) => features.resumed(part, cx),
        Signal::PageShown => {
            if let Some(onramp) = features.part::<Onramp>() {
                onramp.page_shown(cx);
            }
            if let Some(siwx) = features.part::<Siwx>() {
                siwx.page_shown(cx);
            }
            complete_form(features, cx);
        }
        Signal::RefreshAsked => complete_form(features, cx),
        Signal::WalletSilent => {
            if let Some(send) = features.part::<Send>() {
                send.wallet_silent();
            }
            if let Some(swap) = features.part::<Swap>() {
                swap.wallet_silent();
            }
        }
        Signal::SwapTokenAsked => features.modal.push(View::SwapSelectToken, cx),
        Signal::SwapTokenChosen => features.modal.leave(View::SwapSelectToken),
        Signal::SwapNetworkAsked => features.modal.push(View::Networks, cx),
        Signal::SwapReviewed => features.modal.push(View::SwapPreview, cx),
        Signal::SwapUnready => features.modal.leave(View::SwapPreview),
        Signal::FormStep(view) => features.modal.push(view, cx),
        Signal::FormStepLeft(view) => features.modal.leave(view),
        Signal::SendShown => features.modal.push(View::WalletSendConfirmed, cx),
        Signal::SendTokenChosen => features.modal.leave(View::WalletSendSelectToken),
        Signal::SendReviewed => features.modal.push(View::WalletSendPreview, cx),
        Signal::SendUnready => features.modal.leave(View::WalletSendPreview),
        Signal::SendMended => {
            features.notice.close_message(Message::EnterValidAmountAndReceiver, cx);
            features.notice.close_message(Message::FailedToSendTransaction, cx);
        }
        Signal::SwapShown => features.modal.push(View::SwapConfirmed, cx),
        Signal::DetailAsked(view) => features.modal.push(view, cx),
        Signal::TokenFormAsked { part, arguments } => {
            let Some(view) = part.form() else { return };
            features.modal.push(view, cx);
            if features.modal.top() == view {
                cx.signal(Signal::FormAsked { part, arguments, ticket: None });
            }
        }
        Signal::LoginOffered => {
            if let Some(embedded) = features.part::<Embedded>() {
                embedded.offered(cx);
            }
        }
        Signal::LoginFunded => {
            if let Some(embedded) = features.part::<Embedded>() {
                embedded.funded(cx);
            }
        }
        Signal::LoggedOut => features.connect.logged_out(cx),
        Signal::LoginReturned => features.modal.show(View::ConnectingSocial, Value::Null, cx),
        Signal::LoginStepShown(view) => login_step(features, view, cx),
        Signal::SettingsClosed => features.modal.leave(View::UpgradeEmailWallet),
        Signal::EmbeddedUserKnown { user, entering, ticket } => {
            features.connect.user_known(user);
            if entering {
                features.connect.logged_in(ticket, cx);
            }
        }
        Signal::LoginLost => features.connect.login_lost(cx),
        Signal::LoginMoved(address) => features.connect.login_moved(address, cx),
        Signal::EmailUpdated => {
            features.modal.reset(View::Account);
            cx.say(Variant::Success, Message::EmailUpdated);
        }
        Signal::ThemeChanged(theme) => {
            if let Some(embedded) = features.part::<Embedded>() {
                embedded.theme_changed(theme, cx);
            }
        }
        Signal::SignInWithLogin { message } => match features.part::<Embedded>() {
            Some(embedded) => embedded.sign_in(&message, cx),
            None => cx.signal(Signal::SignedWithLogin { signature: None }),
        },
        Signal::SignedWithLogin { signature } => {
            if let Some(siwx) = features.part::<Siwx>() {
                siwx.login_answered(signature, cx);
            }
        }
        Signal::SignInDue => {
            features.notice.close_message(Message::Authenticating, cx);
            match cx.facts.sign_in_due {
                true => features.modal.keep_back(cx),
                false if features.modal.top() == View::SIWXSignMessage && cx.facts.modal_open => {}
                false => features.modal.show(View::SIWXSignMessage, Value::Null, cx),
            }
        }
        Signal::SignInMissing => {
            // Any other view that is open, such as that of a purchase, could neither be closed nor left.
            if cx.facts.sign_in_due && !features.modal.leads_to_sign_in(cx) {
                features.modal.keep_back(cx);
            }
        }
        Signal::SignInFound => {
            sign_in_ended(features, cx);
            if cx.facts.modal_open && features.modal.holds(View::SIWXSignMessage) {
                features.modal.let_through(cx);
            }
        }
        Signal::SignInSettled => {
            sign_in_ended(features, cx);
            if cx.facts.modal_open && features.modal.holds(View::SIWXSignMessage) {
                features.modal.close(cx);
            }
        }
        Signal::SignInCanceled => sign_in_canceled(features, cx),
        Signal::SignInLeft(chain) => {
            if cx.facts.options.sign_in_required {
                sign_in_ended(features, cx);
            } else {
                sign_in_canceled(features, cx);
            }
            features.network.switch(&chain, None, cx);
        }
        Signal::SignInRefused => {
            sign_in_ended(features, cx);
            features.connect.sign_in_refused(cx);
            if cx.facts.modal_open {
                cx.signal(Signal::ConnectViewAsked);
            }
        }
        Signal::ApprovalAsked => approval_asked(features, cx),
        Signal::ApprovalSettled { done } => approval_settled(features, done, cx),
        Signal::MethodRefused => {
            if !cx.facts.modal_open {
                features.modal.show(View::Account, Value::Null, cx);
            }
        }
        Signal::NameRegistered { address, name } => {
            features.notice.close_message(Message::SignatureDeclined, cx);
            if let Some(home) = features.home() {
                home.named(&address, &name, cx);
            }
            features.modal.reset(View::Account);
            features.modal.push(View::RegisterAccountNameSuccess, cx);
        }
        Signal::SendStarted => {
            features.modal.reset(View::Account);
            if let Some(home) = features.home() {
                home.send_started(cx);
            }
        }
        Signal::SendSettled => {
            if let Some(home) = features.home() {
                home.send_settled(cx);
            }
        }
        Signal::OnrampPicked => {
            features.modal.leave(View::OnRampTokenSelect);
            features.modal.leave(View::OnRampFiatSelect);
            features.modal.leave(View::OnRampStateSelect);
            features.modal.leave(View::OnRampCountrySelect);
        }
        Signal::OnrampCountryWanted => features.modal.push(View::OnRampCountrySelect, cx),
        Signal::OnrampStateWanted => features.modal.push(View::OnRampStateSelect, cx),
        Signal::OnrampChosen => features.modal.push(View::BuyInProgress, cx),
        // The visitor signs in first, and the purchase goes on meanwhile.
        Signal::OnrampReturned if cx.facts.sign_in_due && features.modal.leads_to_sign_in(cx) => {}
        Signal::OnrampReturned => features.modal.show(View::BuyInProgress, Value::Null, cx),
        Signal::PurchaseSettled => {
            if let Some(home) = features.home() {
                home.send_settled(cx);
            }
        }
        Signal::Bought => {
            features.modal.reset(View::Account);
            if let Some(home) = features.home() {
                home.send_settled(cx);
            }
        }
        Signal::Say(variant, message) => features.notice.say(Snack::new(variant, message), cx),
        Signal::Warn(key, detail) => features.notice.warn(Alert { key, detail }, false, cx),
        Signal::OptionFaulted(key, detail) => features.notice.warn(Alert { key, detail }, true, cx),
        Signal::Track(tracked) => features.analytics.publish(tracked, &features.place, cx),
    }
}

/// Closes what was said about the signature: it is of no use on another view.
fn sign_in_ended(features: &mut Features, cx: &mut Cx) {
    features.notice.close_message(Message::Authenticating, cx);
    features.notice.close_message(Message::declined(cx.facts.smart_account), cx);
}

/// Closes the view of a sign-in that is not required, and starts the history again at Connect (spec 4.28). An embedded modal stays, and shows
/// the account (spec 2.23).
fn sign_in_canceled(features: &mut Features, cx: &mut Cx) {
    sign_in_ended(features, cx);
    if cx.facts.modal_open && features.modal.holds(View::SIWXSignMessage) {
        features.modal.close(cx);
        if !cx.facts.options.embedded {
            features.modal.reset(View::Connect);
        }
    }
}

/// Each account signs in on each network (spec 4.25).
fn ask_to_sign_in(cx: &mut Cx) {
    if cx.facts.accounts.iter().any(|account| cx.facts.options.signs_in(account.namespace)) {
        cx.signal(Signal::FormAsked { part: Part::Siwx, arguments: Value::Null, ticket: None });
    }
}

/// An account connected: adopts its network and closes the modal. `home.rs` requests the data of the account.
fn connected(features: &mut Features, namespace: Namespace, chain: Option<ChainId>, reconnect: bool, cx: &mut Cx) {
    features.connect.note_return(namespace, reconnect);
    if let Some(chain) = chain {
        let active = features.network.active_namespace().filter(|active| *active != namespace);
        let returned = active.is_some_and(|active| features.connect.is_there_or_comes_back(active));
        // An account that came back stays active until the site says whether it is signed in: perhaps it is.
        let due = active.is_some() && cx.facts.came_back && cx.facts.sign_in_due;
        let unasked = due && features.own.state().is_none_or(|state| !state.siwx.is_answered());
        if unasked || reconnect && returned {
            // The stored network stays active (spec 4.15).
            features.network.note(&chain);
        } else {
            features.connect.leave_unsigned(namespace, cx);
            features.network.follow(&chain, false, cx);
        }
    }
    let done = match features.modal.top() {
        View::ConnectingExternal
        | View::ConnectingWalletConnect
        | View::ConnectingWalletConnectBasic
        | View::ConnectingSocial
        | View::ConnectingFarcaster
        | View::EmailVerifyDevice
        | View::EmailVerifyOtp
        | View::UpgradeEmailWallet => true,
        // The host may be waiting for an account of another namespace.
        View::Connect => !features.connect.is_awaited(),
        _ => false,
    };
    if cx.facts.modal_open && done {
        if cx.facts.options.signs_in(namespace) {
            // It stays until the site is known to have a session.
            features.modal.reset(View::SIWXSignMessage);
        } else {
            features.modal.close(cx);
        }
    }
    cx.signal(Signal::AccountChanged { namespace });
}

/// A login shows its next view: another step of it makes room. A modal that was closed meanwhile stays closed.
fn login_step(features: &mut Features, view: View, cx: &mut Cx) {
    let modal = &mut features.modal;
    let steps =
        [View::EmailVerifyDevice, View::EmailVerifyOtp, View::UpdateEmailPrimaryOtp, View::UpdateEmailSecondaryOtp];
    if steps.contains(&modal.top()) {
        modal.replace(view);
    } else if cx.facts.modal_open {
        modal.push(view, cx);
    } else {
        modal.show(view, Value::Null, cx);
    }
}

/// The visitor decides about a request in the frame, for which the modal makes room (spec 2.26).
fn approval_asked(features: &mut Features, cx: &mut Cx) {
    if cx.facts.modal_open {
        features.modal.push(View::ApproveTransaction, cx);
    } else {
        features.modal.show(View::ApproveTransaction, Value::Null, cx);
    }
}

/// The request is over: the modal goes back to what it showed before, or closes; a balance may have changed (spec 4.38, 4.39).
fn approval_settled(features: &mut Features, done: bool, cx: &mut Cx) {
    if features.modal.is_last(View::ApproveTransaction) {
        features.modal.close(cx);
    } else {
        features.modal.leave(View::ApproveTransaction);
    }
    if let Some(home) = features.home().filter(|_| done) {
        home.send_started(cx);
    }
}

/// A remote wallet was chosen, in the modal or by the host: shows its view.
fn remote_chosen(features: &mut Features, cx: &mut Cx) {
    let view = View::ConnectingWalletConnect;
    if cx.facts.modal_open {
        features.modal.push(view, cx);
    } else {
        features.modal.show(view, Value::Null, cx);
    }
}

fn account_changed(features: &mut Features, namespace: Namespace, cx: &mut Cx) {
    if let Some(home) = features.home() {
        home.changed(namespace, cx);
    }
}

fn account_shown(features: &mut Features, cx: &mut Cx) {
    if let Some(home) = features.home() {
        home.shown(cx);
    }
}

/// Requests anew what an open form lacks because a request failed.
fn complete_form(features: &mut Features, cx: &mut Cx) {
    if cx.facts.view == Some(View::WalletSend)
        && let Some(send) = features.part::<Send>()
    {
        send.complete(cx);
    }
}

/// Looks up the names of the wallet's EVM accounts, which are suggested as receivers.
fn name_accounts(features: &mut Features, cx: &mut Cx) {
    let addresses = features.connect.connection(Namespace::Eip155).map(|connection| connection.accounts.clone());
    if let Some(home) = features.home() {
        home.name_others(&addresses.unwrap_or_default(), cx);
    }
}

fn home_left(features: &mut Features, view: View, cx: &mut Cx) {
    if let Some(home) = features.home() {
        home.left(view, cx);
    }
}

/// Resets the state of the disconnected namespaces (spec 4.7, 4.9).
fn disconnected(features: &mut Features, namespaces: &[Namespace], cx: &mut Cx) {
    let siwx = features.own.state().map(|state| &state.siwx).filter(|_| cx.facts.parts.open(Part::Siwx));
    features.connect.sign_out(|chain, address| siwx.is_some_and(|siwx| siwx.knows(chain, address)), cx);
    if let Some(home) = features.home() {
        home.reset(namespaces, cx);
    }
    for namespace in namespaces {
        features.network.reset(*namespace);
    }
    account_shown(features, cx);
    features.network.give_up(cx);
    let needs_account = features.modal.top().needs_account() || features.modal.holds(View::UnsupportedChain);
    let gone = cx.facts.active_namespace.is_some_and(|active| namespaces.contains(&active));
    match cx.facts.accounts.first() {
        None if cx.facts.modal_open => features.modal.close(cx),
        // The visitor goes on with another account.
        Some(other) if gone => {
            if cx.facts.modal_open && needs_account {
                features.modal.show(View::Account, Value::Null, cx);
            }
            cx.signal(Signal::NamespaceAsked(other.namespace));
        }
        _ => {}
    }
}

/// Clears and leaves the send form, its preview and other forms: the input is not meant for another account or network. Returns
/// whether one of them was shown.
fn leave_send(features: &mut Features, cx: &mut Cx) -> bool {
    if let Some(home) = features.home() {
        home.moved(cx);
    }
    let top = features.modal.top();
    let sends = matches!(top.part(), Some(Part::Send | Part::Solana | Part::Bitcoin));
    let done = [View::WalletSendConfirmed, View::SolanaSendConfirmed, View::BitcoinSendConfirmed].contains(&top);
    let shown = sends && !done || top == View::RegisterAccountName || top.buys();
    if shown {
        features.modal.reset(View::Account);
    }
    shown
}

/// Whether a wallet is asked to sign a payment or a swap.
fn wallet_is_asked(features: &mut Features) -> bool {
    features.part::<Send>().is_some_and(|send| send.wallet_is_asked())
        || features.part::<Swap>().is_some_and(|swap| swap.wallet_is_asked())
        || features.part::<Solana>().is_some_and(|solana| solana.wallet_sends())
}

/// Leaves the forms of another account or network. What the wallet is asked meanwhile it may still sign. Returns true if a form to send was
/// shown.
fn leave_forms(features: &mut Features, network: bool, cx: &mut Cx) -> bool {
    let asked = wallet_is_asked(features);
    for view in [View::TokenDetails, View::NftDetails, View::TransactionDetails] {
        features.modal.leave(view);
    }
    let shown = leave_send(features, cx);
    leave_swap(features, network && !asked, cx);
    if asked {
        cx.say(Variant::Error, Message::MayStillSend);
    }
    shown
}

/// Restarts the swap form, and says so after a network change: the input is not meant for another account or network.
fn leave_swap(features: &mut Features, network: bool, cx: &mut Cx) {
    let filled = features.part::<Swap>().is_some_and(|swap| swap.switched(cx));
    for view in [View::SwapPreview, View::SwapSelectToken] {
        features.modal.leave(view);
    }
    if features.part::<Swap>().is_none() && features.modal.holds(View::Swap) {
        // The form is still waiting for its code: it now waits for the other network.
        cx.signal(Signal::FormAsked { part: Part::Swap, arguments: Value::Null, ticket: None });
    }
    if filled && network && features.modal.holds(View::Swap) {
        cx.say(Variant::Error, Message::SwapReset);
    }
}

/// Another network became active (spec 4.13 to 4.16).
fn network_switched(features: &mut Features, chain: ChainId, asked: bool, cx: &mut Cx) {
    features.connect.stand(&chain, cx);
    let asked_wallet = wallet_is_asked(features);
    let left = leave_forms(features, true, cx);
    if left && features.modal.is_open() && !asked_wallet {
        cx.say(Variant::Error, Message::FormReset);
    }
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
    ask_to_sign_in(cx);
    if asked {
        cx.signal(Signal::Track(Tracked::new(Name::SwitchNetwork).with("network", chain.to_string())));
    }
    if features.modal.holds(View::UnsupportedChain) {
        match cx.facts.sign_in_due {
            // It stays until the site is known to have a session.
            true => features.modal.reset(View::SIWXSignMessage),
            false => features.modal.close(cx),
        }
    } else if !left {
        switch_settled(features, cx);
    }
    // The coins for sale differ from chain to chain.
    if features.modal.top() == View::OnRampProviders {
        cx.signal(Signal::FormAsked { part: Part::Onramp, arguments: Value::Null, ticket: None });
    }
}

/// Leaves the screens of a network switch. Closes the modal if it was opened with one of them.
fn switch_settled(features: &mut Features, cx: &mut Cx) {
    let modal = &mut features.modal;
    modal.leave(View::SwitchNetwork);
    if modal.is_last(View::Networks) || modal.is_last(View::SwitchNetwork) {
        modal.close(cx);
    } else {
        modal.leave(View::Networks);
    }
}

/// The wallet is on a chain that the host does not support (spec 2.24, 4.16).
fn network_unsupported(features: &mut Features, cx: &mut Cx) {
    leave_forms(features, true, cx);
    if let Some(namespace) = cx.facts.active_namespace {
        account_changed(features, namespace, cx);
    }
    account_shown(features, cx);
    ask_to_sign_in(cx);
    let facts = features.facts();
    if needs_unsupported_screen(&facts) {
        features.modal.show(View::UnsupportedChain, Value::Null, cx);
    }
}
