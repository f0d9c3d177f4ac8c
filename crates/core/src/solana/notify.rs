//! Notifications of the host's server about transactions on their way, through a WebSocket (`signatureSubscribe` of Solana's RPC). A
//! notification is only a hint to ask for the state at once, so a server that makes one up changes nothing, and one that sends none costs time.

use super::flight::Pending;
use super::{Reason, Solana};
use crate::cx::Cx;
use crate::effect::Operation;
use crate::facts::Facts;
use portico_json::parse;
use portico_terms::ChainId;

/// Maximum number of transactions of one chain that notifications are requested for.
const MOST_SUBSCRIPTIONS: usize = 4;

/// Size limit of a message, in bytes. A notification has about 200.
const LONGEST_MESSAGE: usize = 65_536;

/// Maximum number of messages through one socket. Each transaction needs two; a server that sends more than this is not heard again.
const MOST_MESSAGES: u32 = 64;

/// Maximum number of sockets for the transactions that are on their way at one time.
const MOST_TRIES: u32 = 5;

/// Pause before the second socket, in milliseconds. It doubles with each further one.
const PAUSE: u64 = 4_000;

/// Subscription to the confirmation of a transaction.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Subscription {
    #[default]
    Due,
    /// Requested under this JSON-RPC id.
    Requested(u32),
    /// The server accepted it under this number.
    Live(u64),
    /// The server refused it, or has sent its one notification.
    Over,
}

/// WebSocket to the host's server for the transactions of one chain.
#[derive(Debug)]
struct Socket {
    chain: ChainId,
    url: String,
    /// Number of the socket while it is open or opening. An answer with another number is about an earlier one.
    open: Option<u32>,
    /// Number of sockets so far.
    tries: u32,
    /// Number of messages through the open socket.
    messages: u32,
    /// Time before which no further socket is opened, in epoch milliseconds.
    due: u64,
}

/// Sockets for all transactions on their way.
#[derive(Debug, Default)]
pub struct Sockets {
    all: Vec<Socket>,
    /// Last number of a socket or a request.
    last: u32,
}

impl Solana {
    /// Requests notifications about the transactions on their way, the newest first, and closes sockets that none of them needs.
    pub(super) fn subscribe(&mut self, cx: &mut Cx) {
        let Solana { sockets: Sockets { all, last }, pending, .. } = self;
        all.retain(|socket| {
            let needed = pending.iter().any(|pending| pending.one.chain == socket.chain);
            if !needed && socket.open.is_some() {
                cx.order(Operation::SendMessage { url: socket.url.clone(), text: None });
            }
            needed
        });
        for at in (0..pending.len()).rev() {
            let Pending { one, over, subscription, .. } = &pending[at];
            let chain = &one.chain;
            let held = pending.iter().filter(|other| other.one.chain == *chain && other.subscription.is_held()).count();
            if *over || *subscription != Subscription::Due || held >= MOST_SUBSCRIPTIONS {
                continue;
            }
            if !all.iter().any(|socket| socket.chain == *chain) {
                all.extend(Socket::of(chain, cx.facts));
            }
            let Some(socket) = all.iter_mut().find(|socket| socket.chain == *chain) else { continue };
            let Some(number) = socket.number(last, cx.now) else { continue };
            *last += 1;
            let text = Some(request(*last, &one.id));
            cx.ask(Operation::SendMessage { url: socket.url.clone(), text }, Reason::SocketEnded(number));
            pending[at].subscription = Subscription::Requested(*last);
        }
    }

    /// Message of the server: hostile text, in which only the expected numbers count.
    pub(super) fn on_message(&mut self, url: &str, text: &str, cx: &mut Cx) {
        let socket = self.sockets.all.iter_mut().find(|socket| socket.url == url && socket.open.is_some());
        let Some(socket) = socket else { return };
        socket.messages += 1;
        if socket.messages > MOST_MESSAGES {
            socket.tries = MOST_TRIES;
            return cx.order(Operation::SendMessage { url: url.into(), text: None });
        }
        if text.len() > LONGEST_MESSAGE {
            return;
        }
        let Ok(message) = parse(text) else { return };
        let of = |subscription| {
            move |pending: &&mut Pending| pending.subscription == subscription && pending.one.chain == socket.chain
        };
        if let Some(id) = message.get("id").as_u64().and_then(|id| u32::try_from(id).ok()) {
            if let Some(pending) = self.pending.iter_mut().find(of(Subscription::Requested(id))) {
                let number = message.get("result").as_u64();
                pending.subscription = number.map_or(Subscription::Over, Subscription::Live);
            }
        } else if message.get("method").as_str() == Some("signatureNotification") {
            let number = message.get("params").get("subscription").as_u64().map(Subscription::Live);
            if let Some(pending) = number.and_then(|number| self.pending.iter_mut().find(of(number))) {
                // The server sends one notification; another one has no effect.
                pending.subscription = Subscription::Over;
                pending.ask(cx);
            }
        }
    }

    /// A socket was refused or has ended.
    pub(super) fn on_socket_ended(&mut self, number: u32, cx: &mut Cx) {
        let Some(socket) = self.sockets.all.iter_mut().find(|socket| socket.open == Some(number)) else { return };
        socket.open = None;
        socket.due = cx.now.saturating_add(PAUSE << (socket.tries - 1));
        let mut was_live = false;
        for pending in self.pending.iter_mut().filter(|pending| pending.one.chain == socket.chain) {
            was_live |= pending.is_subscribed();
            pending.subscription = Subscription::Due;
        }
        // The next poll may be far, because a notification was expected.
        if was_live {
            self.poll(cx);
        }
    }
}

impl Subscription {
    /// Whether the server has it, or was asked for it.
    fn is_held(self) -> bool {
        matches!(self, Subscription::Requested(_) | Subscription::Live(_))
    }
}

impl Socket {
    /// Socket on the host's own server; `None` without one. Other nodes are not asked: hosts name their URLs for HTTP.
    fn of(chain: &ChainId, facts: &Facts) -> Option<Socket> {
        let (base, project) = (facts.options.endpoint.as_ref()?, facts.options.project_id.as_ref()?);
        let url = [base, "/v1/ws?chainId=", &chain.to_string(), "&projectId=", project].concat();
        Some(Socket { chain: chain.clone(), url, open: None, tries: 0, messages: 0, due: 0 })
    }

    /// Number of the open socket, or of a new one; `None` if it is not time for one.
    fn number(&mut self, last: &mut u32, now: u64) -> Option<u32> {
        if self.open.is_none() && self.tries < MOST_TRIES && now >= self.due {
            *last += 1;
            self.tries += 1;
            self.messages = 0;
            self.open = Some(*last);
        }
        self.open
    }
}

impl Pending {
    /// Whether a notification will tell that it is confirmed.
    pub(super) fn is_subscribed(&self) -> bool {
        !self.over && matches!(self.subscription, Subscription::Live(_))
    }
}

/// Request in JSON-RPC. A signature in base58 needs no escapes.
fn request(id: u32, signature: &str) -> String {
    let head = r#"{"jsonrpc":"2.0","method":"signatureSubscribe","id":"#;
    let id = id.to_string();
    [head, &id, r#","params":[""#, signature, r#"",{"commitment":"confirmed"}]}"#].concat()
}
