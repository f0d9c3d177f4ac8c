//! The frame as the core sees it: opened once, given half a second, and asked with a time limit (spec 4.33, 4.34, 9.12, 9.13).

use super::event::{Alarm, Purpose, Reason};
use crate::cx::Cx;
use crate::effect::Operation;
use portico_api::frame::FrameEvent;
use portico_json::Value;
use portico_terms::{ChainId, Namespace};

/// Time between the frame's first message and the first request, in milliseconds (spec 9.13).
pub const SETTLE: u64 = 500;

/// Time limit of a request, in milliseconds (spec 9.12).
pub const LIMIT: u64 = 30_000;

/// State of the frame.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum State {
    #[default]
    Closed,
    /// It was created and has not said that it is ready.
    Opening,
    /// It said that it is ready.
    Settling,
    Ready,
}

/// Request that waits for the frame, or for its answer.
#[derive(Debug)]
struct Request {
    number: u32,
    event: FrameEvent,
    payload: Value,
    purpose: Purpose,
    /// Time at which it is given up; `None` for a request that the visitor decides about.
    until: Option<u64>,
    sent: bool,
}

/// The frame and its open requests.
#[derive(Debug, Default)]
pub(super) struct Frame {
    state: State,
    requests: Vec<Request>,
    /// Number of the last request or frame.
    count: u32,
    /// Number of the present frame.
    frame: u32,
}

impl Frame {
    pub fn state(&self) -> State {
        self.state
    }

    /// Creates the frame, unless it exists.
    pub fn open(&mut self, cx: &mut Cx) {
        if self.state == State::Closed {
            self.count += 1;
            self.frame = self.count;
            self.state = State::Opening;
            cx.ask(
                Operation::OpenFrame { chain: chain(cx).map(|chain| chain.to_string()) },
                Reason::Opened(self.frame),
            );
        }
    }

    /// Sends a request as soon as the frame is ready.
    pub fn ask(&mut self, event: FrameEvent, payload: Value, purpose: Purpose, cx: &mut Cx) {
        self.count += 1;
        let until = (!purpose.is_of_visitor()).then(|| cx.now + LIMIT);
        self.requests.push(Request { number: self.count, event, payload, purpose, until, sent: false });
        self.open(cx);
        self.flush(cx);
    }

    /// Sends a message whose answer has no effect; only to a frame that is ready.
    pub fn tell(&mut self, event: FrameEvent, payload: Value, cx: &mut Cx) {
        if self.state == State::Ready {
            cx.order(Operation::AskFrame { event, payload });
        }
    }

    fn flush(&mut self, cx: &mut Cx) {
        if self.state == State::Ready {
            for request in self.requests.iter_mut().filter(|request| !request.sent) {
                request.sent = true;
                let operation =
                    Operation::AskFrame { event: request.event, payload: std::mem::take(&mut request.payload) };
                cx.ask(operation, Reason::Frame(request.number));
            }
        }
        match self.requests.iter().filter_map(|request| request.until).min() {
            Some(until) => cx.start(Alarm::Late, until.saturating_sub(cx.now)),
            None => cx.stop(Alarm::Late),
        }
    }

    /// The frame of this number said that it is ready. Returns whether it is the present one.
    pub fn opened(&mut self, number: u32, cx: &mut Cx) -> bool {
        let opened = self.frame == number && self.state == State::Opening;
        if opened {
            self.state = State::Settling;
            cx.start(Alarm::Settled, SETTLE);
        }
        opened
    }

    /// Half a second later: host data first, then the theme if the frame draws, then everything that waited (spec 7.31, 7.32).
    pub fn settled(&mut self, cx: &mut Cx) {
        self.state = State::Ready;
        self.tell(FrameEvent::SyncDappData, Value::Null, cx);
        if self.requests.iter().any(|request| request.event == FrameEvent::ShowSettings) {
            self.tell(FrameEvent::SyncTheme, Value::Null, cx);
        }
        self.flush(cx);
    }

    /// Purpose of the request of this number, which is answered now; `None` if it was given up.
    pub fn answered(&mut self, number: u32, cx: &mut Cx) -> Option<Purpose> {
        let place = self.requests.iter().position(|request| request.number == number)?;
        let request = self.requests.remove(place);
        self.flush(cx);
        Some(request.purpose)
    }

    /// Gives up the requests whose time is over. A frame that never became ready is created anew for the next request.
    pub fn late(&mut self, cx: &mut Cx) -> Vec<Purpose> {
        let due = self.requests.extract_if(.., |request| request.until.is_some_and(|until| until <= cx.now));
        let purposes = due.map(|request| request.purpose).collect();
        if self.state == State::Opening {
            self.state = State::Closed;
            self.frame = 0;
        }
        self.flush(cx);
        purposes
    }

    /// The frame is gone or loaded anew: returns the purposes of all requests, which are lost.
    pub fn lost(&mut self, state: State, cx: &mut Cx) -> Vec<Purpose> {
        self.state = state;
        if state == State::Settling {
            cx.start(Alarm::Settled, SETTLE);
        } else {
            cx.stop(Alarm::Settled);
        }
        let purposes = self.requests.drain(..).map(|request| request.purpose).collect();
        cx.stop(Alarm::Late);
        purposes
    }

    /// Drops requests whose answers have no effect any more, and returns what they were for.
    pub fn forget(&mut self, is_over: impl Fn(&Purpose) -> bool, cx: &mut Cx) -> Vec<Purpose> {
        let over = self.requests.extract_if(.., |request| is_over(&request.purpose));
        let over = over.map(|request| request.purpose).collect();
        self.flush(cx);
        over
    }
}

/// Solana's main network.
const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/// Chain of a request about the Solana account: that of the caller, or of the page, or the main network. The frame refuses others.
pub(super) fn solana_chain(named: Option<&str>, cx: &Cx) -> Option<ChainId> {
    let is_solana = |chain: &&ChainId| chain.namespace() == Namespace::Solana;
    let of_page = || {
        let all = || cx.facts.networks.iter().map(|network| &network.caip_network_id);
        cx.facts.chains.iter().find(is_solana).or_else(|| all().find(is_solana)).cloned()
    };
    match named {
        Some(named) => named.parse().ok().filter(|chain| is_solana(&chain)),
        None => of_page().or_else(|| SOLANA.parse().ok()),
    }
}

/// EVM chain that is active in the page.
pub(super) fn chain(cx: &Cx) -> Option<ChainId> {
    let is_evm = |chain: &&ChainId| chain.number().is_some();
    let first = || cx.facts.networks.iter().map(|network| &network.caip_network_id).find(is_evm);
    cx.facts.chains.iter().find(is_evm).or_else(first).cloned()
}
