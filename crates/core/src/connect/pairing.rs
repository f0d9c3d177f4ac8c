//! Pairing with a remote wallet: the code on the screen and its lifetime (spec 4.4, 4.5). This file covers the lifetime; the files below
//! cover the state, the view, leaving, storage and the relays.

mod code;
mod left;
mod relay;
mod seen;
mod stored;

pub(super) use code::Pairings;
pub use seen::{Phase, RelayState, View};

use super::choice::Choice;
use super::directory::{Known, Link, LinkKind, installed};
use super::groups::Item;
use super::platform::{Platform, offered};
use super::{Connect, ConnectFault, Reason, Status, link, session};
use crate::analytics::{Name, Tracked};
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::effect::{HostError, LinkTarget, Operation, StorageArea};
use crate::facts::Facts;
use crate::notice::AlertKey;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::storage::keys;
use code::{Client, Pairing, Screen, Wait};
use portico_json::{Json, Map, Value, to_text};
use portico_qr::QrCode;
use portico_terms::Namespace;
use portico_terms::rpc::RpcError;
use std::rc::Rc;

/// Lifetime of a pairing, in milliseconds (spec 4.5, 9.1).
pub const PAIRING_LIFE: u64 = 240_000;

/// Remaining lifetime at which a pairing counts as expired, in milliseconds (spec 4.5, 9.1).
pub const PAIRING_MARGIN: u64 = 10_000;

/// Time after which a relay without a response counts as slow, in milliseconds.
const SLOW: u64 = 8_000;

/// Additional time after which a slow client counts as failed, in milliseconds.
const GONE: u64 = 22_000;

const SECOND: u64 = 1_000;

/// Maximum length of a pairing URI; a longer one is rejected.
const LONGEST_URI: usize = 2_048;

/// Maximum number of earlier codes that may still be approved.
const MOST_PAST: usize = 4;

/// WalletConnect error codes for a refusal by the visitor: of the whole proposal, or its chains, methods or events.
const REFUSED: std::ops::RangeInclusive<i64> = 5_000..=5_003;

/// Error code for a relay's refusal to serve this page.
const REFUSED_HERE: i64 = 3_000;

impl Connect {
    /// A remote wallet was chosen; `None` means any wallet. `home.rs` does the rest.
    pub(super) fn choose_remote(&mut self, wallet: Option<Rc<Known>>, ticket: Option<u32>, cx: &mut Cx) {
        self.begin_named(ticket, cx);
        self.remote.target.wallet = wallet;
        self.remote.target.fresh = true;
        cx.signal(Signal::RemoteChosen);
    }

    /// Starts a new code for the chosen wallet.
    fn begin_chosen(&mut self, cx: &mut Cx) {
        self.drop_code(cx);
        let remote = &mut self.remote;
        if remote.has_failed() {
            remote.screen = Screen::Shown;
        }
        remote.target.platform = None;
        remote.target.copied = false;
        remote.target.opened = false;
        let platform = self.platforms(cx.facts)[0];
        let wallet = self.remote.target.wallet.as_ref();
        let name = wallet.map_or("WalletConnect", |wallet| &wallet.name);
        self.track_choice(name, platform.word(), wallet.and_then(|wallet| wallet.rank), cx);
    }

    /// A view with a pairing code is on top, with the host's URI if it gave one (spec 2.3). A code that is still valid is kept for a
    /// visitor who comes back from the wallet to this page (spec 4.4).
    pub fn pairing_shown(&mut self, uri: Option<String>, cx: &mut Cx) {
        // The view may have been left before part home was loaded.
        if !cx.facts.shows_pairing() {
            return;
        }
        self.remote.restore(cx);
        if std::mem::take(&mut self.remote.target.fresh) {
            self.begin_chosen(cx);
        } else if cx.facts.consent_missing && uri.is_none() && !self.remote.is_wanted() {
            return;
        } else if !self.remote.is_wanted() {
            // Without a chosen wallet the code's own view counts as the choice.
            self.choice = Choice::of_view(cx.facts.view);
        }
        let remote = &mut self.remote;
        if let Some(uri) = uri.filter(|uri| is_uri(uri)) {
            if remote.codes.current.as_ref().is_none_or(|pairing| pairing.uri != uri) {
                remote.codes.asked += 1;
                remote.screen = Screen::Shown;
                remote.codes.current = Some(Pairing::new(uri, String::new(), None));
            }
            return;
        }
        let options = &cx.facts.options;
        if !options.wallet_connect || options.manual_pairing {
            return;
        }
        if !remote.is_wanted() {
            remote.screen = Screen::Shown;
        }
        match remote.is_usable(cx.now) {
            true => self.count(cx),
            false => self.open_pairing(cx),
        }
    }

    /// Requests a new code. The previous one may just have been scanned, so a wallet may still approve it.
    fn open_pairing(&mut self, cx: &mut Cx) {
        self.retire_code(cx);
        let remote = &mut self.remote;
        remote.screen = Screen::Shown;
        remote.target.copied = false;
        remote.target.opened = false;
        remote.codes.asked += 1;
        match remote.relays.client {
            Client::Ready => {
                let namespaces = session::asked(cx.facts);
                cx.ask(Operation::OpenPairing { namespaces }, Reason::Pairing(remote.codes.asked));
            }
            Client::Absent | Client::Opening => {
                remote.relays.wait = Wait::Running;
                cx.start(Alarm::PairingSlow, SLOW);
                self.relay_wanted(cx);
            }
        }
        self.mark(Status::Connecting, cx);
    }

    pub(super) fn pairing_answered(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let value = match answer {
            Err(error) if id == self.remote.codes.asked && self.remote.is_wanted() => {
                return self.pairing_failed(Phase::Failed, error, cx);
            }
            Err(_) => return,
            Ok(value) => value,
        };
        let topic = value.get("topic").as_str().unwrap_or_default();
        if id != self.remote.codes.asked || !self.remote.is_wanted() {
            self.remote.close(topic.into(), cx);
            return;
        }
        let Some(uri) = value.get("uri").as_str().filter(|uri| is_uri(uri) && !topic.is_empty()) else {
            return self.pairing_failed(Phase::Failed, RpcError::nonsense("Couldn't get a WalletConnect code"), cx);
        };
        let life = cx.now.saturating_add(PAIRING_LIFE);
        // An expiry this close comes from a wrong clock; the full lifetime is used instead.
        let told = value.get("expiryTimestamp").as_u64().map(|end| end.saturating_mul(SECOND));
        let until = told.filter(|end| *end > cx.now + 2 * PAIRING_MARGIN).map_or(life, |end| life.min(end));
        let remote = &mut self.remote;
        remote.codes.current = Some(Pairing::new(uri.into(), topic.into(), Some(until)));
        remote.relays.wait = Wait::None;
        remote.wait_for_relay(cx);
        remote.note(cx);
        self.count(cx);
    }

    /// Updates the seconds left of the code on the screen and starts the alarm for the next one.
    fn count(&mut self, cx: &mut Cx) {
        let remote = &mut self.remote;
        let Some(until) = remote.codes.current.as_ref().and_then(|pairing| pairing.until) else { return };
        let left = until.saturating_sub(PAIRING_MARGIN).saturating_sub(cx.now);
        remote.codes.left = left.div_ceil(SECOND) as u32;
        cx.start(Alarm::PairingTick, left.saturating_sub(1) % SECOND + 1);
    }

    /// Dispatches one pairing alarm.
    pub fn pairing_alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::PairingTick => self.pairing_tick(cx),
            Alarm::LoginAccount => self.login_without_solana(cx),
            // The WalletConnect client, which creates the code, is not loaded yet.
            _ if self.remote.is_opening() && self.remote.codes.current.is_none() => {
                if std::mem::replace(&mut self.remote.relays.wait, Wait::Long) == Wait::Long {
                    self.remote.relays.client = Client::Absent;
                    self.pairing_failed(Phase::Failed, RpcError::new(4900, "Couldn't load WalletConnect"), cx);
                } else {
                    cx.start(Alarm::PairingSlow, GONE);
                }
            }
            _ => self.remote.relays.wait = Wait::Long,
        }
    }

    /// A second has passed. A code that is not on the screen is left alone.
    fn pairing_tick(&mut self, cx: &mut Cx) {
        match (cx.facts.shows_pairing() && self.remote.is_wanted(), self.remote.is_usable(cx.now)) {
            (true, true) => self.count(cx),
            (true, false) if self.remote.has_failed() => {}
            // The wallet may have this code open; replacing it now would be useless.
            (true, false) if self.remote.target.opened => {
                self.retire_code(cx);
                self.pairing_failed(Phase::Expired, RpcError::new(0, ""), cx);
            }
            (true, false) => self.open_pairing(cx),
            // The host opened another view.
            (false, _) if !cx.facts.pairing_held => {
                if let (Some(ticket), None) = (self.attempts.named, &self.attempts.current) {
                    self.attempts.named = None;
                    cx.reject_host(Some(ticket), ConnectFault::Cancelled.into());
                }
                self.pairing_closed(cx);
            }
            (false, _) => {}
        }
    }

    /// The wallet rejected a pairing proposal.
    pub(super) fn pairing_rejected(&mut self, topic: &str, code: i64, message: &str, cx: &mut Cx) {
        if !self.remote.is_ours(topic) {
            return;
        }
        // A wallet that scanned the previous code in its last seconds rejects the current request too, even if a newer code is on the
        // screen.
        let last = self.remote.codes.past.last().is_some_and(|past| past == topic);
        self.remote.codes.past.retain(|past| past != topic);
        let current = self.remote.codes.current.take_if(|pairing| pairing.topic == topic);
        self.remote.unnote(topic, cx);
        if current.is_none() && !last || !self.remote.is_wanted() || self.remote.has_failed() {
            return;
        }
        let refused = REFUSED.contains(&code) || code == 4001;
        let error = RpcError::new(if refused { 4001 } else { code }, message);
        if let (Some(pairing), false) = (&current, refused) {
            self.track_link_failed(pairing, &error, cx);
        }
        self.pairing_failed(if refused { Phase::Refused } else { Phase::Failed }, error, cx);
    }

    /// Tracks the failure with the public part of the URI only: the rest holds the key to the wallet's messages.
    fn track_link_failed(&self, pairing: &Pairing, error: &RpcError, cx: &mut Cx) {
        let wallet =
            self.remote.target.wallet.as_ref().filter(|_| self.remote.target.linked.as_ref() == Some(&pairing.topic));
        let Some(wallet) = wallet else { return };
        let uri = pairing.uri.split('?').next().unwrap_or_default();
        let tracked = Tracked::new(Name::ConnectProxyError).with("message", error.message.as_str()).with("uri", uri);
        let link = wallet.remote.app.as_ref().or(wallet.remote.universal.as_ref());
        let tracked = tracked.with("mobile_link", link.map_or("", String::as_str)).with("name", wallet.name.as_str());
        cx.signal(Signal::Track(tracked));
    }

    pub(super) fn pairing_failed(&mut self, phase: Phase, error: RpcError, cx: &mut Cx) {
        cx.stop(Alarm::PairingTick);
        cx.stop(Alarm::PairingSlow);
        if phase != Phase::Expired {
            self.track_failure(phase == Phase::Refused, &error, cx);
        }
        if self.remote.is_wanted() {
            self.remote.screen = Screen::Failed(phase, error);
        } else {
            // The visitor comes back to a new code.
            self.retire_code(cx);
        }
        self.mark(Status::Disconnected, cx);
    }

    /// Sets the status of every unconnected namespace that a session would connect (spec 4.4).
    pub(super) fn mark(&mut self, status: Status, cx: &Cx) {
        for namespace in Namespace::ALL {
            let free = self.connection(*namespace).is_none() && !self.reconnect.tries(*namespace);
            if free && session::serves(*namespace, cx.facts) {
                self.statuses.insert(*namespace, status);
            }
        }
    }
}

fn is_uri(uri: &str) -> bool {
    uri.starts_with("wc:") && uri.len() <= LONGEST_URI && uri.bytes().all(|byte| byte.is_ascii_graphic())
}
