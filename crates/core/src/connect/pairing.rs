//! Reaching a wallet that is elsewhere: the code on the screen, and how long it lives (spec 4.4, 4.5). Its types and its life are read in
//! one place; who looks at it, leaves it, stores it and carries it stand in the files below.

mod left;
mod relay;
mod seen;
mod stored;

use super::choice::Choice;
use super::directory::{Known, Link, LinkKind, installed};
use super::groups::Item;
use super::platform::{Platform, offered};
use super::{Asked, Connect, ConnectFault, Status, link, session};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{HostError, LinkTarget, Operation, StorageArea};
use crate::facts::Facts;
use crate::notice::AlertKey;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::storage::keys;
use crate::timer::Timer;
use portico_json::{Json, Map, Value, to_text};
use portico_qr::QrCode;
use portico_terms::Namespace;
use portico_terms::rpc::RpcError;
use std::rc::Rc;

/// A pairing lives so many milliseconds (spec 4.5, 9.1).
pub const PAIRING_LIFE: u64 = 240_000;

/// With so many left, or fewer, it counts as expired (spec 4.5, 9.1).
pub const PAIRING_MARGIN: u64 = 10_000;

/// A relay that has not answered for so long is slow.
const SLOW: u64 = 8_000;

/// A client that is not there so long after it was slow is not waited for.
const GONE: u64 = 22_000;

const SECOND: u64 = 1_000;

/// A longer uri is none.
const LONGEST_URI: usize = 2_048;

/// So many codes that were on the screen before may still be approved.
const MOST_PAST: usize = 4;

/// The codes with which WalletConnect says that the visitor refused: all of it, or its chains, methods or events.
const REFUSED: std::ops::RangeInclusive<i64> = 5_000..=5_003;

/// The code with which a relay says that it wants nothing of this page.
const REFUSED_HERE: i64 = 3_000;

/// How far a pairing is.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "PairingPhase")]
pub enum Phase {
    /// The code is not there yet.
    Opening,
    /// The code is there, and waits for a wallet.
    Ready,
    /// The code is there, but no relay has answered for long.
    Slow,
    /// No relay can be reached, or they want nothing of this page; `error` says what they said.
    Unreachable,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet could not, or answered nonsense; or there is no code.
    Failed,
    /// The code was handed to a wallet, which has not answered in its time.
    Expired,
}

/// How a relay stands.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum RelayState {
    /// It is being reached.
    Connecting,
    /// It answers.
    Open,
    /// It does not, and is tried again.
    Closed,
    /// It wants nothing of this page, and is not tried again.
    Refused,
}

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "PairingView")]
pub struct View {
    /// How far it is.
    pub phase: Phase,
    /// What the code says, and what is copied.
    pub uri: Option<String>,
    /// The code; `null` where it is not there yet, or what it says is too long for one.
    pub qr: Option<QrCode>,
    /// The wallet that was chosen; `null` for any.
    pub wallet: Option<Item>,
    /// The ways to it, the best first. Never empty.
    pub platforms: Vec<Platform>,
    /// The one that is shown.
    pub platform: Platform,
    /// What the button opens; it is there before anybody taps it.
    pub href: Option<String>,
    /// Whether that is a web address, and no app's own scheme.
    pub universal: bool,
    /// It was opened: the wallet has not answered yet.
    pub opened: bool,
    /// The uri was copied.
    pub copied: bool,
    /// Why it failed.
    pub error: Option<RpcError>,
    /// Where to get the wallet.
    pub installs: Vec<Link>,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Client {
    #[default]
    Absent,
    Opening,
    Ready,
}

/// A proposal that a wallet may take up.
#[derive(Debug)]
struct Pairing {
    uri: String,
    /// Empty where the host brought the uri.
    topic: String,
    /// What is too long has none.
    code: Option<QrCode>,
    /// Epoch milliseconds; a uri of the host is the host's to keep alive.
    until: Option<u64>,
}

impl Pairing {
    /// With its code, so that it is on the screen before any relay has answered.
    fn new(uri: String, topic: String, until: Option<u64>) -> Pairing {
        let code = portico_qr::encode(&uri);
        Pairing { uri, topic, code, until }
    }
}

/// Everything about the code on the screen, and what stands behind it.
#[derive(Debug, Default)]
pub(super) struct Pairings {
    client: Client,
    /// A code is to be there.
    wanted: bool,
    /// A wallet was chosen, and its code was not begun.
    pub fresh: bool,
    current: Option<Pairing>,
    /// The topics of codes that were on the screen before and may have been read.
    past: Vec<String>,
    /// The topics of codes that were taken back last: a wallet may have approved one at the same time.
    closed: Vec<String>,
    /// Tells the answer for this code from that for an older one.
    asked: u32,
    /// Seconds that the current one still counts.
    left: u32,
    pub wallet: Option<Rc<Known>>,
    platform: Option<Platform>,
    pub opened: bool,
    copied: bool,
    pub slow: bool,
    /// A relay is waited for.
    patient: bool,
    relays: Map<String, RelayState>,
    /// What a relay said last, not looked at yet.
    said: Option<String>,
    /// Why the last relay refused, or closed.
    reason: Option<String>,
    fault: Option<(Phase, RpcError)>,
    /// The code that a page before this one left, not looked at yet.
    pub stored: Value,
    /// The topic of the one that is stored.
    noted: Option<String>,
    /// The topic of one that was found in storage, and may be on the screen of another tab.
    found: Option<String>,
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
    fn is_usable(&self, now: u64) -> bool {
        let lives = |pairing: &Pairing| pairing.until.is_none_or(|until| until.saturating_sub(now) > PAIRING_MARGIN);
        self.fault.is_none() && self.current.as_ref().is_some_and(lives)
    }

    /// Whether the client is on its way.
    pub fn is_opening(&self) -> bool {
        self.client == Client::Opening
    }

    fn is_reached(&self) -> bool {
        self.relays.values().any(|state| *state == RelayState::Open)
    }

    /// Whether every relay wants nothing of this page: what mends that is not a better line.
    fn is_refused(&self) -> bool {
        !self.relays.is_empty() && self.relays.values().all(|state| *state == RelayState::Refused)
    }

    /// A relay is waited for as long as a code needs one, and for so long that nobody loses patience.
    fn wait_for_relay(&mut self, cx: &mut Cx) {
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
    fn unreached(&self) -> Option<Phase> {
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

    fn chosen(&self) -> Option<&super::directory::Remote> {
        self.wallet.as_ref().map(|wallet| &wallet.remote)
    }
}

impl Connect {
    /// A remote wallet was chosen; `None` is any. All else about it is for `home.rs`.
    pub(super) fn choose_remote(&mut self, wallet: Option<Rc<Known>>, ticket: Option<u32>, cx: &mut Cx) {
        self.begin_named(ticket, cx);
        // Who is at the list already asks for the code.
        let listed = wallet.is_none() && ticket.is_none() && cx.facts.mobile && self.lists_all(cx.facts);
        let listed = listed && cx.facts.view != "AllWallets";
        if !listed {
            self.remote.wallet = wallet;
            self.remote.fresh = true;
        }
        cx.tell(Signal::RemoteChosen { listed });
    }

    /// A code begins anew for the wallet that was chosen.
    fn begin_chosen(&mut self, cx: &mut Cx) {
        self.drop_code(cx);
        let remote = &mut self.remote;
        remote.fault = None;
        remote.platform = None;
        remote.copied = false;
        remote.opened = false;
        let platform = self.platforms(cx.facts)[0];
        let wallet = self.remote.wallet.as_ref();
        let name = wallet.map_or("WalletConnect", |wallet| &wallet.name);
        self.tell_choice(name, platform.word(), wallet.and_then(|wallet| wallet.rank), cx);
    }

    /// A view that shows a code is on top, with the host's uri if it brought one (spec 2.3). A code that is still good is kept for whoever
    /// looks at it, or finds this page anew after the wallet (spec 4.4).
    pub fn pairing_shown(&mut self, uri: Option<String>, cx: &mut Cx) {
        // It may have been left before home was there.
        if !cx.facts.pairing_shown {
            return;
        }
        self.remote.restore(cx);
        if std::mem::take(&mut self.remote.fresh) {
            self.begin_chosen(cx);
        } else if cx.facts.consent_missing && uri.is_none() && !self.remote.wanted {
            return;
        } else if !self.remote.wanted {
            // Nothing was chosen: the code is the first that is seen.
            self.choice = Choice::of_view(cx.facts.view);
        }
        let remote = &mut self.remote;
        if let Some(uri) = uri.filter(|uri| is_uri(uri)) {
            if remote.current.as_ref().is_none_or(|pairing| pairing.uri != uri) {
                remote.asked += 1;
                remote.wanted = true;
                remote.fault = None;
                remote.current = Some(Pairing::new(uri, String::new(), None));
            }
            return;
        }
        let options = &cx.facts.options;
        if !options.wallet_connect || options.manual_pairing {
            return;
        }
        remote.wanted = true;
        match remote.is_usable(cx.now) {
            true => self.count(cx),
            false => self.open_pairing(cx),
        }
    }

    /// Asks for a new code. The one before it may just have been read, so it is left to the wallet.
    fn open_pairing(&mut self, cx: &mut Cx) {
        self.retire_code(cx);
        let remote = &mut self.remote;
        remote.fault = None;
        remote.copied = false;
        remote.opened = false;
        remote.asked += 1;
        match remote.client {
            Client::Ready => {
                let namespaces = session::asked(cx.facts);
                cx.ask(Operation::OpenPairing { namespaces }, Asked::Pairing(remote.asked));
            }
            Client::Absent | Client::Opening => {
                remote.slow = false;
                remote.patient = true;
                cx.start(Timer::PairingSlow, SLOW);
                self.relay_wanted(cx);
            }
        }
        self.mark(Status::Connecting, cx);
    }

    pub(super) fn pairing_answered(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let value = match answer {
            Err(error) if id == self.remote.asked && self.remote.wanted => {
                return self.pairing_failed(Phase::Failed, error, cx);
            }
            Err(_) => return,
            Ok(value) => value,
        };
        let topic = value.get("topic").as_str().unwrap_or_default();
        if id != self.remote.asked || !self.remote.wanted {
            self.remote.close(topic.into(), cx);
            return;
        }
        let Some(uri) = value.get("uri").as_str().filter(|uri| is_uri(uri) && !topic.is_empty()) else {
            return self.pairing_failed(Phase::Failed, RpcError::nonsense("There is no code"), cx);
        };
        let life = cx.now.saturating_add(PAIRING_LIFE);
        // One that would be over before it is read is the word of a clock that goes wrong.
        let told = value.get("expiryTimestamp").as_u64().map(|end| end.saturating_mul(SECOND));
        let until = told.filter(|end| *end > cx.now + 2 * PAIRING_MARGIN).map_or(life, |end| life.min(end));
        let remote = &mut self.remote;
        remote.current = Some(Pairing::new(uri.into(), topic.into(), Some(until)));
        remote.slow = false;
        remote.patient = false;
        remote.wait_for_relay(cx);
        remote.note(cx);
        self.count(cx);
    }

    /// Counts the seconds of the code on the screen, until its time is over.
    fn count(&mut self, cx: &mut Cx) {
        let remote = &mut self.remote;
        let Some(until) = remote.current.as_ref().and_then(|pairing| pairing.until) else { return };
        let left = until.saturating_sub(PAIRING_MARGIN).saturating_sub(cx.now);
        remote.left = left.div_ceil(SECOND) as u32;
        cx.start(Timer::PairingTick, left.saturating_sub(1) % SECOND + 1);
    }

    /// One alarm.
    pub fn pairing_alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::PairingTick => self.pairing_tick(cx),
            // The client that would make the code does not come.
            _ if self.remote.is_opening() && self.remote.current.is_none() => {
                if std::mem::replace(&mut self.remote.slow, true) {
                    self.remote.client = Client::Absent;
                    self.pairing_failed(Phase::Failed, RpcError::new(4900, "WalletConnect could not be loaded"), cx);
                } else {
                    cx.start(Timer::PairingSlow, GONE);
                }
            }
            _ => self.remote.slow = true,
        }
    }

    /// A second has passed. A code that nobody looks at is left alone.
    fn pairing_tick(&mut self, cx: &mut Cx) {
        match (cx.facts.pairing_shown && self.remote.wanted, self.remote.is_usable(cx.now)) {
            (true, true) => self.count(cx),
            (true, false) if self.remote.fault.is_some() => {}
            // The wallet that has it may have it open; another one behind its back would be for nobody.
            (true, false) if self.remote.opened => {
                self.retire_code(cx);
                self.pairing_failed(Phase::Expired, RpcError::new(0, ""), cx);
            }
            (true, false) => self.open_pairing(cx),
            // The host went on to another view.
            (false, _) if !cx.facts.pairing_held => {
                if let (Some(ticket), None) = (self.named, &self.attempt) {
                    self.named = None;
                    cx.reject_host(Some(ticket), ConnectFault::Cancelled.into());
                }
                self.pairing_closed(cx);
            }
            (false, _) => {}
        }
    }

    /// What a wallet says to a code.
    pub(super) fn pairing_rejected(&mut self, topic: &str, code: i64, message: &str, cx: &mut Cx) {
        if !self.remote.is_ours(topic) {
            return;
        }
        // Who read the code in its last seconds has refused what is asked here, whatever code is on the screen by now.
        let last = self.remote.past.last().is_some_and(|past| past == topic);
        self.remote.past.retain(|past| past != topic);
        let current = self.remote.current.take_if(|pairing| pairing.topic == topic);
        self.remote.unnote(topic, cx);
        if current.is_none() && !last || !self.remote.wanted || self.remote.fault.is_some() {
            return;
        }
        let refused = REFUSED.contains(&code) || code == 4001;
        let error = RpcError::new(if refused { 4001 } else { code }, message);
        if let (Some(pairing), false) = (&current, refused) {
            self.tell_link_failed(pairing, &error, cx);
        }
        self.pairing_failed(if refused { Phase::Refused } else { Phase::Failed }, error, cx);
    }

    /// Of the uri only what is no secret is told: whoever has the rest reads what the wallet says.
    fn tell_link_failed(&self, pairing: &Pairing, error: &RpcError, cx: &mut Cx) {
        let wallet = self.remote.wallet.as_ref().filter(|_| self.remote.linked.as_ref() == Some(&pairing.topic));
        let Some(wallet) = wallet else { return };
        let uri = pairing.uri.split('?').next().unwrap_or_default();
        let tracked = Tracked::new(Name::ConnectProxyError).with("message", error.message.as_str()).with("uri", uri);
        let link = wallet.remote.app.as_ref().or(wallet.remote.universal.as_ref());
        let tracked = tracked.with("mobile_link", link.map_or("", String::as_str)).with("name", wallet.name.as_str());
        cx.tell(Signal::Track(tracked));
    }

    pub(super) fn pairing_failed(&mut self, phase: Phase, error: RpcError, cx: &mut Cx) {
        cx.stop(Timer::PairingTick);
        cx.stop(Timer::PairingSlow);
        if phase != Phase::Expired {
            self.tell_failure(phase == Phase::Refused, &error, cx);
        }
        self.remote.fault = Some((phase, error));
        self.mark(Status::Disconnected, cx);
    }

    /// The status of every namespace that a session would connect, and that is not connected (spec 4.4).
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
