//! The sign client of both sides as a state machine without I/O: inputs and the time go in, outputs come out.
//!
//! One file per concern: `pairing` (offering and accepting a URI), `proposal` (from the wallet's response to the settled session),
//! `session` (updates, events, end), `request` (requests of a dapp to a wallet), `authenticate` (sign-in with the pairing), `receive`
//! (dispatch of a relay's frames), `link` (connection to one relay), `outbox` (messages to send there), `records` (stored state). After
//! each input [`Client::settle`] brings every link to the wanted state, so no concern subscribes, opens or closes anything.

#[cfg(feature = "sign-in")]
mod authenticate;
mod input;
mod link;
mod message;
mod outbox;
mod output;
mod pairing;
mod post;
mod proposal;
mod reason;
mod receive;
mod records;
mod request;
mod session;
mod setup;
mod tabs;
#[cfg(feature = "sign-in")]
mod timestamp;
mod types;
#[cfg(feature = "wallet")]
mod wallet;
mod world;

pub use input::Input;
pub use output::{Event, Output, RelayState};
#[cfg(feature = "wallet")]
pub use types::Verification;
pub use types::{
    AuthPayload, AuthenticateRequest, Config, Metadata, Participant, Proposal, Redirect, RelayOption, RpcError,
    Session, SessionConfig, SessionRequest,
};

#[cfg(feature = "wallet")]
use crate::attestation::attested_origin;
use crate::crypto::message_id;
use crate::encoding::hex;
use crate::jwt::same_relay;
use crate::relay::Delivery;
use link::{Link, LinkEvent};
use portico_json::{Map, Read, Value, Write, parse};
use post::OnAccepted;
use receive::Source;
use records::{KEY, Offer, PAIRING, POST, Pairing, Records, SEEN, Seen, SessionRecord, outlives_page};
use request::Awaited;
use setup::Setup;
use world::{UNREACHABLE, World, error};

/// The sign client. All effects are [`Output`]s; it has no clock, no socket, no storage and no entropy of its own.
pub struct Client {
    world: World,
    setup: Setup,
    metadata: Metadata,
    links: Vec<Link>,
    pairings: Vec<Pairing>,
    sessions: Vec<SessionRecord>,
    #[cfg(feature = "wallet")]
    wallet: wallet::Wallet,
    awaited: Vec<Awaited>,
    seen: Seen,
}

impl Client {
    /// Starts from 32 bytes of entropy, drawn anew each time, and from the stored records: pairs of key and text, as [`Output::Store`] gave
    /// them. Times are epoch milliseconds. Unreadable records count as absent.
    pub fn start(config: Config, seed: [u8; 32], stored: Vec<(String, String)>, now: u64) -> Client {
        let mut world = World::new(seed, now);
        let records = Records::read(stored);
        let identity = records.key.unwrap_or_else(|| {
            let fresh = world.random.bytes();
            world.outputs.push(Output::Store { key: KEY.into(), value: hex::encode(&fresh) });
            fresh
        });
        let subject = hex::encode(&world.random.bytes());
        let setup = Setup::new(&identity, subject, &config);
        let mut client = Client {
            setup,
            metadata: config.metadata,
            links: config.relays.into_iter().map(Link::configured).collect(),
            pairings: records.pairings,
            sessions: records.sessions,
            #[cfg(feature = "wallet")]
            wallet: records.wallet,
            awaited: Vec::new(),
            seen: records.seen,
            world,
        };
        client.expire(false);
        for index in 0..client.sessions.len() {
            let url = client.sessions[index].session.relay_url.clone();
            // Use the configured spelling of the relay's URL, since callers compare it as text.
            client.sessions[index].session.relay_url = client.link_of(&url).url.clone();
        }
        for (url, post) in records.posts {
            client.post(&url, post);
        }
        client.world.emit(Event::Started {
            sessions: client.sessions.iter().map(|held| held.session.clone()).collect(),
            #[cfg(feature = "wallet")]
            proposals: client.wallet.proposals(),
            #[cfg(feature = "wallet")]
            requests: client.wallet.requests.clone(),
        });
        client.settle();
        client
    }

    /// Like [`Client::start`], but from JSON: a config and an object of records. The error names the part that did not fit.
    pub fn start_text(config: &str, seed: [u8; 32], stored: &str, now: u64) -> Result<Client, &'static str> {
        let config = Config::read(&parse(config).map_err(|_| "config")?).map_err(|error| error.0)?;
        let stored = Map::<String, String>::read(&parse(stored).map_err(|_| "stored")?).map_err(|error| error.0)?;
        let stored = stored.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        Ok(Client::start(config, seed, stored, now))
    }

    /// Handles one input. `now` is in epoch milliseconds.
    pub fn handle(&mut self, input: Input, now: u64) {
        let back = self.world.now.saturating_sub(now);
        if back > 0 {
            for link in &mut self.links {
                link.rewind(back);
            }
            for awaited in &mut self.awaited {
                awaited.until = awaited.until.saturating_sub(back);
            }
        }
        self.world.now = now;
        self.expire(true);
        self.update(input);
        self.settle();
    }

    /// Takes the outputs so far, in order. Empty until the next input.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.world.outputs)
    }

    /// Time at which to pass [`Input::Tick`], in epoch milliseconds.
    pub fn next_timeout(&self) -> Option<u64> {
        let links = self.links.iter().filter_map(Link::next_timeout);
        links.chain(self.expiries()).min()
    }

    /// Handles the JSON of an [`Input`]. Returns `{"outputs":Output[],"timeout":number|null}`, or `!` and the part that did not fit.
    pub fn handle_text(&mut self, input: &str, now: u64) -> String {
        match parse(input).map_err(|_| "not JSON").and_then(|value| Input::read(&value).map_err(|error| error.0)) {
            Ok(input) => self.handle(input, now),
            Err(part) => return ["!", part].concat(),
        }
        let mut out = String::from("{\"outputs\":");
        self.take_outputs().write(&mut out);
        out.push_str(",\"timeout\":");
        self.next_timeout().write(&mut out);
        out.push('}');
        out
    }

    fn update(&mut self, input: Input) {
        match input {
            Input::Opened { socket } => self.with_link(socket, |link, world| link.opened(world)),
            Input::Closed { socket, code, reason } => {
                self.with_link(socket, |link, world| link.closed(code, reason, world));
            }
            Input::Message { socket, text } => self.message(socket, &text),
            Input::Wake => {
                for link in &mut self.links {
                    link.wake(&mut self.world);
                }
            }
            Input::Stored { key, value } => self.stored(&key, value.as_deref()),
            Input::Tick => {}
            command => self.command(command),
        }
    }

    /// Runs a command. Each is answered exactly once: at once with its error or value, or later by the operation it started.
    fn command(&mut self, command: Input) {
        let (ticket, result) = match command {
            command @ Input::Propose { ticket, .. } => (ticket, self.propose(command)),
            Input::CancelPairing { ticket, topic } => (ticket, self.cancel_pairing(&topic)),
            #[cfg(feature = "sign-in")]
            command @ Input::Authenticate { ticket, .. } => (ticket, self.authenticate(command)),
            command @ Input::Request { ticket, .. } => (ticket, self.request(command)),
            Input::Ping { ticket, topic } => (ticket, self.ping(ticket, &topic)),
            Input::Delete { ticket, topic, code, message } => {
                (ticket, self.delete_session(&topic, code.unwrap_or(6000), message))
            }
            #[cfg(feature = "wallet")]
            command => match self.wallet_command(command) {
                Some(given) => given,
                None => return,
            },
            #[cfg(not(feature = "wallet"))]
            _ => return,
        };
        match result {
            Ok(Some(value)) => self.world.answer(ticket, value),
            Ok(None) => {}
            Err(error) => self.world.refuse(ticket, error),
        }
    }

    fn with_link(&mut self, socket: u32, step: impl FnOnce(&mut Link, &mut World)) {
        if let Some(link) = self.links.iter_mut().find(|link| link.has(socket)) {
            step(link, &mut self.world);
        }
    }

    /// Link to a relay; created if the relay is no longer configured but still serves a session.
    fn link_of(&mut self, url: &str) -> &mut Link {
        let index = self.links.iter().position(|link| same_relay(&link.url, url)).unwrap_or_else(|| {
            self.links.push(Link::new(url.into(), None, false));
            self.links.len() - 1
        });
        &mut self.links[index]
    }

    /// Brings every link to the wanted state.
    fn settle(&mut self) {
        let awaits = !self.awaited.is_empty() || !self.pairings.is_empty();
        for index in 0..self.links.len() {
            let wanted = self.topics_on(&self.links[index]);
            for heard in self.links[index].settle(&wanted, awaits, &self.setup, &mut self.world) {
                self.heard(index, heard);
            }
        }
        for topic in self.seen.keep(|topic| listens(&self.pairings, &self.sessions, topic)) {
            self.world.remove(SEEN, &topic);
        }
    }

    fn topics_on(&self, link: &Link) -> Vec<String> {
        let url = &link.url;
        let mut topics = Vec::new();
        for pairing in self.pairings.iter().filter(|_| link.configured) {
            topics.push(pairing.topic.clone());
            let offer = pairing.offer.as_ref();
            topics.extend(offer.and_then(Offer::response_topic).cloned());
            let agreed =
                offer.and_then(|offer| offer.agreed.as_ref()).filter(|agreed| same_relay(&agreed.relay_url, url));
            topics.extend(agreed.map(|agreed| agreed.topic.clone()));
        }
        let sessions = self.sessions.iter().filter(|held| same_relay(&held.session.relay_url, url));
        topics.extend(sessions.map(|held| held.session.topic.clone()));
        topics
    }

    /// Handles the result of a link: a message was delivered, accepted or given up.
    fn heard(&mut self, link: usize, heard: LinkEvent) {
        let (post, failure) = match heard {
            LinkEvent::Delivered(delivery) => {
                let source = self.source(link, &delivery);
                return self.deliver(&source, delivery.topic.as_str(), &delivery.message);
            }
            LinkEvent::Taken(post) => (post, None),
            LinkEvent::Failed(post, reason) => (post, Some(error(UNREACHABLE, &reason))),
        };
        if outlives_page(post.publication.tag) {
            self.world.remove(POST, &message_id(&post.publication.message));
        }
        match (post.after, failure) {
            (OnAccepted::Awaited(id), Some(failure)) => {
                if let Some(index) = self.awaited.iter().position(|awaited| awaited.id == id) {
                    let ticket = self.awaited.remove(index).ticket;
                    self.world.refuse(ticket, failure);
                }
            }
            (OnAccepted::Nothing | OnAccepted::Awaited(_), _) => {}
            #[cfg(feature = "wallet")]
            (after, failure) => self.wallet_heard(after, failure),
        }
    }

    #[cfg(feature = "wallet")]
    fn source(&self, link: usize, delivery: &Delivery) -> Source {
        let link = &self.links[link];
        let origin =
            link.attestation_key.as_ref().zip(delivery.attestation.as_ref()).and_then(|(key, token)| {
                attested_origin(token, key, &message_id(&delivery.message), self.world.seconds())
            });
        Source { relay: link.url.clone(), origin }
    }

    #[cfg(not(feature = "wallet"))]
    fn source(&self, link: usize, _: &Delivery) -> Source {
        Source { relay: self.links[link].url.clone() }
    }

    /// Times at which something expires, in epoch milliseconds.
    fn expiries(&self) -> impl Iterator<Item = u64> {
        let seconds =
            (self.pairings.iter().map(|pairing| pairing.expiry)).chain(self.sessions.iter().map(SessionRecord::ends));
        #[cfg(feature = "wallet")]
        let seconds = seconds.chain(self.wallet.expiries());
        let times =
            seconds.map(|seconds| seconds.saturating_mul(1000)).chain(self.awaited.iter().map(|awaited| awaited.until));
        #[cfg(feature = "wallet")]
        let times = times.chain(self.wallet.dues());
        times
    }

    /// Removes expired pairings, sessions and requests. `tell` is false while the page is loading: no events then.
    fn expire(&mut self, tell: bool) {
        let now = self.world.seconds();
        while let Some(index) = self.pairings.iter().position(|pairing| pairing.expiry <= now) {
            let pairing = self.pairings.remove(index);
            self.world.remove(PAIRING, &pairing.topic);
            #[cfg(feature = "wallet")]
            self.forget_asked(&pairing.topic);
            if tell {
                self.world.emit(Event::ProposalExpired { pairing_topic: pairing.topic });
            }
        }
        #[cfg(feature = "wallet")]
        self.expire_asked(tell);
        while let Some(held) = self.sessions.iter().find(|held| held.ends() <= now) {
            let (topic, over) = (held.session.topic.clone(), held.session.expiry <= now);
            if !over {
                let reason = "The session was not confirmed";
                let _ = self.delete_session(&topic, 7000, Some(reason.into()));
                self.emit_deleted(&topic, error(7000, reason));
                continue;
            }
            self.forget_session(&topic, &error(8000, "The session has expired"));
            if tell {
                self.world.emit(Event::Expired { topic });
            }
        }
        while let Some(index) = self.awaited.iter().position(|awaited| awaited.until <= self.world.now) {
            let ticket = self.awaited.remove(index).ticket;
            self.world.refuse(ticket, error(8000, "The request has expired"));
        }
    }

    fn held(&self, topic: &str) -> Option<&SessionRecord> {
        self.sessions.iter().find(|held| held.session.topic == topic)
    }

    fn known(&self, topic: &str) -> Result<&SessionRecord, RpcError> {
        self.held(topic).ok_or_else(|| error(7001, "No session for this topic"))
    }
}

fn listens(pairings: &[Pairing], sessions: &[SessionRecord], topic: &str) -> bool {
    sessions.iter().any(|held| held.session.topic == topic)
        || pairings.iter().any(|pairing| {
            let offer = pairing.offer.as_ref();
            let agreed = offer.and_then(|offer| offer.agreed.as_ref());
            pairing.topic == topic
                || offer.and_then(Offer::response_topic).is_some_and(|response| response == topic)
                || agreed.is_some_and(|agreed| agreed.topic == topic)
        })
}

/// Result of a command: a value at once, or `None` if the answer comes later.
type Given = Result<Option<Value>, RpcError>;
