//! The code on the screen and those before it, and how the client and its relays stand.

use super::*;
use crate::storage::StoredPairing;
use std::fmt;

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(in crate::connect) enum Client {
    #[default]
    Absent,
    Opening,
    Ready,
}

/// A proposal that a wallet may take up.
pub(in crate::connect) struct Pairing {
    pub(super) uri: String,
    /// Empty where the host brought the uri.
    pub(super) topic: String,
    /// What is too long has none.
    pub(super) code: Option<QrCode>,
    /// Epoch milliseconds; a uri of the host is the host's to keep alive.
    pub(super) until: Option<u64>,
}

impl Pairing {
    /// With its code, so that it is on the screen before any relay has answered.
    pub(super) fn new(uri: String, topic: String, until: Option<u64>) -> Pairing {
        let code = portico_qr::encode(&uri);
        Pairing { uri, topic, code, until }
    }
}

impl fmt::Debug for Pairing {
    /// Without the uri, which holds the key, and the code, which draws it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pairing")
            .field("topic", &self.topic)
            .field("until", &self.until)
            .finish_non_exhaustive()
    }
}

/// Everything about the code on the screen, and what stands behind it.
#[derive(Debug, Default)]
pub(in crate::connect) struct Pairings {
    pub(super) client: Client,
    /// A code is to be there.
    pub(super) wanted: bool,
    /// A wallet was chosen, and its code was not begun.
    pub fresh: bool,
    pub(super) current: Option<Pairing>,
    /// The topics of codes that were on the screen before and may have been read.
    pub(super) past: Vec<String>,
    /// The topics of codes that were taken back last: a wallet may have approved one at the same time.
    pub(super) closed: Vec<String>,
    /// Tells the answer for this code from that for an older one.
    pub(super) asked: u32,
    /// Seconds that the current one still counts.
    pub(super) left: u32,
    pub wallet: Option<Rc<Known>>,
    pub(super) platform: Option<Platform>,
    pub opened: bool,
    pub(super) copied: bool,
    pub slow: bool,
    /// A relay is waited for.
    pub(super) patient: bool,
    pub(super) relays: Map<String, RelayState>,
    /// What a relay said last, not looked at yet.
    pub(super) said: Option<String>,
    /// Why the last relay refused, or closed.
    pub(super) reason: Option<String>,
    pub(super) fault: Option<(Phase, RpcError)>,
    /// The code that a page before this one left, not looked at yet.
    pub stored: StoredPairing,
    /// The topic of the one that is stored.
    pub(super) noted: Option<String>,
    /// The topic of one that was found in storage, and may be on the screen of another tab.
    pub(super) found: Option<String>,
    /// No other page of the site may show a session.
    pub alone: bool,
    /// The topic of the one whose link was opened.
    pub linked: Option<String>,
    /// The topics of sessions that nobody here shows.
    pub others: Vec<String>,
    /// The base of the link with which the wallet of the session was opened.
    pub link: Option<String>,
    /// The directory's id of the wallet of the session that comes back after a reload.
    pub known: Option<String>,
}

impl Pairings {
    pub(super) fn is_usable(&self, now: u64) -> bool {
        let lives = |pairing: &Pairing| pairing.until.is_none_or(|until| until.saturating_sub(now) > PAIRING_MARGIN);
        self.fault.is_none() && self.current.as_ref().is_some_and(lives)
    }

    /// Whether the client is on its way.
    pub fn is_opening(&self) -> bool {
        self.client == Client::Opening
    }

    pub(super) fn is_reached(&self) -> bool {
        self.relays.values().any(|state| *state == RelayState::Open)
    }

    /// Whether every relay wants nothing of this page: what mends that is not a better line.
    pub(super) fn is_refused(&self) -> bool {
        !self.relays.is_empty() && self.relays.values().all(|state| *state == RelayState::Refused)
    }

    /// A relay is waited for as long as a code needs one, and for so long that nobody loses patience.
    pub(super) fn wait_for_relay(&mut self, cx: &mut Cx) {
        if self.is_reached() {
            self.slow = false;
            self.patient = false;
            cx.stop(Timer::PairingSlow);
        } else if !self.slow && !self.patient && self.wanted && self.current.is_some() {
            self.patient = true;
            cx.start(Timer::PairingSlow, SLOW);
        }
    }

    /// What stands in the way, where no relay can be reached.
    pub(super) fn unreached(&self) -> Option<Phase> {
        let any = |wanted| self.relays.values().any(|state| *state == wanted);
        if self.is_reached() || self.current.as_ref().is_none_or(|pairing| pairing.until.is_none()) {
            return None;
        }
        let hope = any(RelayState::Connecting) || any(RelayState::Closed) || self.relays.is_empty();
        match (hope, self.slow) {
            (false, _) => Some(Phase::Unreachable),
            (true, true) if any(RelayState::Connecting) || self.relays.is_empty() => Some(Phase::Slow),
            (true, true) => Some(Phase::Unreachable),
            (true, false) => None,
        }
    }

    /// Whether a session answers to a code of this page.
    pub fn is_ours(&self, topic: &str) -> bool {
        self.current.as_ref().is_some_and(|pairing| pairing.topic == topic)
            || self.past.iter().any(|past| past == topic)
    }

    /// Whether a code was found in storage, and another tab may have stored it.
    pub fn is_shared(&self, topic: &str) -> bool {
        !self.alone && self.found.as_deref() == Some(topic)
    }

    /// Whether a session answers to a code that was taken back.
    pub fn was_closed(&self, topic: &str) -> bool {
        self.closed.iter().any(|closed| closed == topic)
    }

    /// A session is there: no code is needed any more, and none connects another wallet in its place.
    pub fn settle(&mut self, pairing: &str, cx: &mut Cx) {
        cx.stop(Timer::PairingTick);
        cx.stop(Timer::PairingSlow);
        self.unnote(pairing, cx);
        let left = std::mem::take(&mut self.past).into_iter().chain(self.current.take().map(|left| left.topic));
        for topic in left.filter(|topic| topic != pairing) {
            self.close(topic, cx);
        }
        self.wanted = false;
        self.wallet = None;
        self.opened = false;
        self.fault = None;
    }

    pub(super) fn chosen(&self) -> Option<&crate::connect::directory::Remote> {
        self.wallet.as_ref().map(|wallet| &wallet.remote)
    }
}
