//! The code on the screen, earlier codes, and the state of the client and its relays.

use super::*;
use crate::connect::Alarm;
use crate::storage::StoredPairing;
use std::fmt;

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(in crate::connect) enum Client {
    #[default]
    Absent,
    Opening,
    Ready,
}

/// A pairing proposal that a wallet may approve.
pub(in crate::connect) struct Pairing {
    pub(super) uri: String,
    /// Empty if the host gave the URI.
    pub(super) topic: String,
    /// QR code; `None` if the URI is too long for one.
    pub(super) code: Option<QrCode>,
    /// Expiry in epoch milliseconds; `None` for a URI of the host, which keeps it alive itself.
    pub(super) until: Option<u64>,
}

impl Pairing {
    /// Encodes the QR code at once, so that it is on the screen before any relay has responded.
    pub(super) fn new(uri: String, topic: String, until: Option<u64>) -> Pairing {
        let code = portico_qr::encode(&uri);
        Pairing { uri, topic, code, until }
    }
}

impl fmt::Debug for Pairing {
    /// Omits the URI, which holds the key, and the QR code, which contains the URI.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pairing")
            .field("topic", &self.topic)
            .field("until", &self.until)
            .finish_non_exhaustive()
    }
}

/// State of pairing with remote wallets, and of their sessions.
#[derive(Debug, Default)]
pub(in crate::connect) struct Pairings {
    pub(super) screen: Screen,
    pub(super) codes: Codes,
    pub target: Target,
    pub relays: Relays,
    pub stored: StoredCode,
    /// Topics of sessions that this page does not show.
    pub others: Vec<String>,
    /// Base of the link that opened the session's wallet.
    pub link: Option<String>,
    /// Directory id of the wallet whose session is restored after a reload.
    pub known: Option<String>,
}

/// State of the view with a code.
#[derive(Debug, Default)]
pub(in crate::connect) enum Screen {
    /// No code should be on the screen.
    #[default]
    Hidden,
    /// A code is on the screen, or will be once it was created.
    Shown,
    /// The pairing failed; the view shows why.
    Failed(Phase, RpcError),
}

/// The code on the screen, and earlier ones.
#[derive(Debug, Default)]
pub(in crate::connect) struct Codes {
    pub current: Option<Pairing>,
    /// Topics of earlier codes that may have been scanned.
    pub past: Vec<String>,
    /// Topics of the latest withdrawn codes: a wallet may have approved one at the same time.
    pub closed: Vec<String>,
    /// Number of the current code request; responses to an older one are ignored.
    pub asked: u32,
    /// Seconds left of the current code.
    pub left: u32,
}

/// The wallet that the visitor pairs with, and how.
#[derive(Debug, Default)]
pub(in crate::connect) struct Target {
    /// The chosen wallet; `None` for any.
    pub wallet: Option<Rc<Known>>,
    /// A wallet was chosen and its code is not started yet.
    pub fresh: bool,
    pub platform: Option<Platform>,
    /// The wallet's link was opened.
    pub opened: bool,
    /// Topic of the code whose wallet link was opened.
    pub linked: Option<String>,
    /// The URI was copied.
    pub copied: bool,
}

/// The WalletConnect client and its relays.
#[derive(Debug, Default)]
pub(in crate::connect) struct Relays {
    pub client: Client,
    pub states: Map<String, RelayState>,
    /// Latest reason a relay gave, not processed yet.
    pub said: Option<String>,
    /// Reason of the last refusal or disconnect of a relay.
    pub reason: Option<String>,
    pub wait: Wait,
}

/// Wait for a relay, or for the client itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(in crate::connect) enum Wait {
    #[default]
    None,
    /// The alarm runs.
    Running,
    /// It takes long; the view shows it.
    Long,
}

/// A code stored by an earlier page or another tab.
#[derive(Debug, Default)]
pub(in crate::connect) struct StoredCode {
    /// Code stored by an earlier page, not processed yet.
    pub unread: StoredPairing,
    /// Topic of the stored code.
    pub noted: Option<String>,
    /// Topic of a code found in storage; it may be on the screen of another tab.
    pub found: Option<String>,
    /// No other page of the site can be using a session.
    pub alone: bool,
}

impl Pairings {
    pub(super) fn is_usable(&self, now: u64) -> bool {
        let lives = |pairing: &Pairing| pairing.until.is_none_or(|until| until.saturating_sub(now) > PAIRING_MARGIN);
        !self.has_failed() && self.codes.current.as_ref().is_some_and(lives)
    }

    /// Whether a code should be on the screen, also if it failed.
    pub(super) fn is_wanted(&self) -> bool {
        !matches!(self.screen, Screen::Hidden)
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self.screen, Screen::Failed(..))
    }

    /// Whether the client is being loaded.
    pub fn is_opening(&self) -> bool {
        self.relays.client == Client::Opening
    }

    pub(super) fn is_reached(&self) -> bool {
        self.relays.states.values().any(|state| *state == RelayState::Open)
    }

    /// Whether every relay refuses this page; a better network would not help.
    pub(super) fn is_refused(&self) -> bool {
        !self.relays.states.is_empty() && self.relays.states.values().all(|state| *state == RelayState::Refused)
    }

    /// Starts the alarm for a slow relay while a code needs one, and stops it once a relay is connected.
    pub(super) fn wait_for_relay(&mut self, cx: &mut Cx) {
        if self.is_reached() {
            self.relays.wait = Wait::None;
            cx.stop(Alarm::PairingSlow);
        } else if self.relays.wait == Wait::None && self.is_wanted() && self.codes.current.is_some() {
            self.relays.wait = Wait::Running;
            cx.start(Alarm::PairingSlow, SLOW);
        }
    }

    /// Phase to show when no relay is connected.
    pub(super) fn unreached(&self) -> Option<Phase> {
        let any = |wanted| self.relays.states.values().any(|state| *state == wanted);
        if self.is_reached() || self.codes.current.as_ref().is_none_or(|pairing| pairing.until.is_none()) {
            return None;
        }
        let hope = any(RelayState::Connecting) || any(RelayState::Closed) || self.relays.states.is_empty();
        match (hope, self.relays.wait == Wait::Long) {
            (false, _) => Some(Phase::Unreachable),
            (true, true) if any(RelayState::Connecting) || self.relays.states.is_empty() => Some(Phase::Slow),
            (true, true) => Some(Phase::Unreachable),
            (true, false) => None,
        }
    }

    /// Whether a topic belongs to a code of this page.
    pub fn is_ours(&self, topic: &str) -> bool {
        self.codes.current.as_ref().is_some_and(|pairing| pairing.topic == topic)
            || self.codes.past.iter().any(|past| past == topic)
    }

    /// Whether a topic belongs to a code found in storage that another tab may have stored.
    pub fn is_shared(&self, topic: &str) -> bool {
        !self.stored.alone && self.stored.found.as_deref() == Some(topic)
    }

    /// Whether a topic belongs to a withdrawn code.
    pub fn was_closed(&self, topic: &str) -> bool {
        self.codes.closed.iter().any(|closed| closed == topic)
    }

    /// A session is established: withdraws all other codes, so that none connects another wallet in its place.
    pub fn settle(&mut self, pairing: &str, cx: &mut Cx) {
        cx.stop(Alarm::PairingTick);
        cx.stop(Alarm::PairingSlow);
        self.unnote(pairing, cx);
        let left =
            std::mem::take(&mut self.codes.past).into_iter().chain(self.codes.current.take().map(|left| left.topic));
        for topic in left.filter(|topic| topic != pairing) {
            self.close(topic, cx);
        }
        self.screen = Screen::Hidden;
        self.target.wallet = None;
        self.target.opened = false;
    }

    pub(super) fn chosen(&self) -> Option<&crate::connect::directory::Remote> {
        self.target.wallet.as_ref().map(|wallet| &wallet.remote)
    }
}
