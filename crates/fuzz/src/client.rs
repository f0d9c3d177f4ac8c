//! Fuzz target: any text as what a hostile relay and a hostile peer say to the WalletConnect client, one message per line.
//!
//! `d` is said to the dapp and `w` to the wallet; `r` is a frame of the relay, `p` a message of the peer on the pairing, `s` one in the
//! session, `+` a number of milliseconds that pass. `$id` stands for the id of the client's last request on the topic.

use portico_json::{Read, Value, parse, to_text};
use portico_walletconnect::client::{Client, Config, Event, Input, Metadata, Output, RelayOption};
use portico_walletconnect::crypto::{Envelope, SymKey, seal};
use portico_walletconnect::relay::{Delivery, RelayCall, Request, RequestId, Topic, write_answer, write_call};
use portico_walletconnect::uri::PairingUri;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const RELAY: &str = "wss://relay.example.org";
const START: u64 = 1_700_000_000_000;
const NAMESPACES: &str = r#"{"eip155":{"chains":["eip155:1"],"methods":["personal_sign"],"events":["chainChanged"]}}"#;
const APPROVED: &str = r#"{"eip155":{"chains":["eip155:1"],"methods":["personal_sign"],"events":["chainChanged"],
    "accounts":["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"]}}"#;

/// Longest time that one line lets pass, in milliseconds: ten days, after which sessions are over.
const LONGEST: u64 = 864_000_000;

/// Outputs that one input may lead to at most. A client that answers a message with more is an amplifier.
const MOST_OUTPUTS: usize = 64;

/// Panics if a client does, if it says more than it was told, or if a relay without keys makes it report something of the peer.
pub fn take(text: &str) {
    let (mut sides, pairing, session) = (SETTLED.sides(), &SETTLED.pairing, &SETTLED.session);
    let mut now = START;
    for line in text.lines().take(200) {
        let (Some((head, rest)), true) = (line.split_at_checked(2), line.is_ascii()) else { continue };
        let side = &mut sides[usize::from(head.starts_with('w'))];
        match &head[1..] {
            "r" => {
                let events = side.hear(rest.into(), now);
                assert!(events.iter().all(is_own), "{events:?}");
            }
            "p" => drop(side.delivered(pairing, rest, now)),
            "s" => drop(side.delivered(session, rest, now)),
            "+" => {
                now += rest.parse().unwrap_or(0).min(LONGEST);
                drop(side.feed(Input::Tick, now));
            }
            _ => {}
        }
        for side in &sides {
            assert!(side.client.next_timeout().is_none_or(|time| time > 0));
        }
    }
}

/// Whether an event follows from the connection or the clock, without a word of the peer.
fn is_own(event: &Event) -> bool {
    use Event::{Deleted, Expired, ProposalExpired, Relay, RequestExpired};
    matches!(
        event,
        Relay { .. } | ProposalExpired { .. } | Expired { .. } | RequestExpired { .. } | Deleted { code: 7000, .. }
    )
}

/// Topic and key that the two sides share.
struct Secret {
    topic: String,
    key: SymKey,
}

/// One client with its stored records and its socket.
struct Side {
    client: Client,
    stored: BTreeMap<String, String>,
    socket: Option<u32>,
    /// Frames that it sent since the last look.
    sent: Vec<String>,
    answers: Vec<Value>,
    /// Last request id by topic.
    ids: BTreeMap<String, u64>,
    next: u64,
}

impl Side {
    fn start(seed: u8, stored: &BTreeMap<String, String>) -> Side {
        let metadata = Metadata { name: "Side".into(), url: "https://example.org".into(), ..Metadata::default() };
        let relays = vec![RelayOption { relay_url: RELAY.into(), ..RelayOption::default() }];
        let config = Config { relays, metadata, ..Config::default() };
        let records = stored.clone().into_iter().collect();
        let client = Client::start(config, [seed; 32], records, START);
        let mut side = Side {
            client,
            stored: stored.clone(),
            socket: None,
            sent: Vec::new(),
            answers: Vec::new(),
            ids: BTreeMap::new(),
            next: START,
        };
        drop(side.performed(START));
        side
    }

    fn feed(&mut self, input: Input, now: u64) -> Vec<Event> {
        self.client.handle(input, now);
        self.performed(now)
    }

    /// Performs the outputs and returns the events among them.
    fn performed(&mut self, now: u64) -> Vec<Event> {
        let mut events = Vec::new();
        let mut outputs = self.client.take_outputs();
        assert!(outputs.len() <= MOST_OUTPUTS, "{} outputs", outputs.len());
        while !outputs.is_empty() {
            for output in std::mem::take(&mut outputs) {
                assert!(parse(&to_text(&output)).is_ok_and(|value| Output::read(&value).as_ref() == Ok(&output)));
                match output {
                    Output::Open { socket, .. } => {
                        self.socket = Some(socket);
                        self.client.handle(Input::Opened { socket }, now);
                    }
                    Output::Close { socket } => self.socket = self.socket.filter(|open| *open != socket),
                    Output::Send { text, .. } => self.sent.push(text),
                    Output::Store { key, value } => drop(self.stored.insert(key, value)),
                    Output::Remove { key } => drop(self.stored.remove(&key)),
                    Output::Answered { value, .. } => self.answers.push(value),
                    Output::Refused { .. } => {}
                    Output::Told { event } => events.push(*event),
                }
            }
            outputs = self.client.take_outputs();
        }
        events
    }

    /// A frame of the relay.
    fn hear(&mut self, text: String, now: u64) -> Vec<Event> {
        let Some(socket) = self.socket else { return Vec::new() };
        self.feed(Input::Message { socket, text }, now)
    }

    /// A message of the peer, sealed with the shared key.
    fn delivered(&mut self, secret: &Secret, payload: &str, now: u64) -> Vec<Event> {
        self.learn(secret);
        let id = self.ids.get(&secret.topic).copied().unwrap_or(START);
        self.next += 1;
        let mut iv = [0; 12];
        iv[..8].copy_from_slice(&self.next.to_le_bytes());
        let message = seal(&payload.replace("$id", &id.to_string()), &secret.key, iv);
        self.message(&secret.topic, message, now)
    }

    fn message(&mut self, topic: &str, message: String, now: u64) -> Vec<Event> {
        self.next += 1;
        let topic = Topic::parse(topic).expect("a topic");
        let delivery = Delivery { topic, message, published_at: now, tag: 1108, attestation: None };
        let params = format!(r#"{{"id":"s","data":{}}}"#, to_text(&delivery));
        self.hear(write_call(&RequestId::from(self.next), "irn_subscription", &params), now)
    }

    /// Learns the ids of the requests that the client sent on a topic.
    fn learn(&mut self, secret: &Secret) {
        for (topic, message) in self.sent.iter().filter_map(|frame| published(frame)) {
            let opened = Envelope::parse(&message).and_then(|envelope| envelope.open(&secret.key));
            let Some(said) = opened.ok().and_then(|text| parse(&text).ok()).filter(|_| topic == secret.topic) else {
                continue;
            };
            if let Some(id) = said.get("id").as_u64().filter(|_| said.get("method").as_str().is_some()) {
                self.ids.insert(topic, id);
            }
        }
    }
}

/// Topic and envelope of a frame that publishes one.
fn published(frame: &str) -> Option<(String, String)> {
    match Request::parse(frame) {
        Ok(Request::Call { call: RelayCall::Publish(publication), .. }) => {
            Some((publication.topic.as_str().into(), publication.message))
        }
        _ => None,
    }
}

/// A dapp and a wallet with a settled session, and an offered pairing that the wallet has not answered.
struct Settled {
    stored: [BTreeMap<String, String>; 2],
    pairing: Secret,
    session: Secret,
}

static SETTLED: LazyLock<Settled> = LazyLock::new(|| {
    let mut sides = [Side::start(1, &BTreeMap::new()), Side::start(2, &BTreeMap::new())];
    offer(&mut sides);
    let proposal = carry(&mut sides)
        .into_iter()
        .find_map(|event| if let Event::Proposed { proposal } = event { Some(proposal) } else { None })
        .expect("a proposal");
    drop(sides[1].feed(
        Input::Approve {
            ticket: 3,
            proposal: proposal.id,
            namespaces: read(APPROVED),
            session_properties: None,
            scoped_properties: None,
            disable_deep_link: None,
        },
        START,
    ));
    drop(carry(&mut sides));
    let record = sides[0].stored.iter().find(|(key, _)| key.starts_with("wc/session/"));
    let (key, record) = record.expect("the dapp has a session");
    let topic = key["wc/session/".len()..].to_owned();
    let key = parse(record).ok().and_then(|record| SymKey::from_hex(record.get("symKey").as_str()?));
    let session = Secret { topic: topic.clone(), key: key.expect("the key of the session") };
    let uri = offer(&mut sides);
    drop(carry(&mut sides));
    drop(sides[0].feed(
        Input::Request {
            ticket: 4,
            topic,
            chain_id: "eip155:1".into(),
            method: "personal_sign".into(),
            params: Value::List(vec!["0x68".into()]),
            expiry_seconds: None,
        },
        START,
    ));
    let pairing = Secret { topic: uri.topic, key: uri.sym_key };
    Settled { stored: sides.map(|side| side.stored), pairing, session }
});

impl Settled {
    /// Both sides after a reload, each with its socket open and a request of the dapp under way.
    fn sides(&self) -> [Side; 2] {
        let mut sides = [Side::start(3, &self.stored[0]), Side::start(4, &self.stored[1])];
        let ask = Input::Request {
            ticket: 5,
            topic: self.session.topic.clone(),
            chain_id: "eip155:1".into(),
            method: "personal_sign".into(),
            params: Value::List(vec!["0x68".into()]),
            expiry_seconds: None,
        };
        drop(sides[0].feed(ask, START));
        sides
    }
}

/// Offers a pairing of the dapp to the wallet.
fn offer(sides: &mut [Side; 2]) -> PairingUri {
    let propose = Input::Propose {
        ticket: 1,
        required_namespaces: None,
        optional_namespaces: Some(read(NAMESPACES)),
        session_properties: None,
        scoped_properties: None,
    };
    drop(sides[0].feed(propose, START));
    let uri = sides[0].answers.last().and_then(|value| value.get("uri").as_str()).expect("a URI").to_owned();
    drop(sides[1].feed(Input::Pair { ticket: 2, uri: uri.clone() }, START));
    PairingUri::parse(&uri).unwrap_or_else(|fault| panic!("{}", fault.text()))
}

/// Carries messages between the sides, as an honest relay does, and returns the events.
fn carry(sides: &mut [Side; 2]) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        let sent = [0, 1].map(|side| std::mem::take(&mut sides[side].sent));
        if sent.iter().all(Vec::is_empty) {
            return events;
        }
        // A settlement is sent before the answer that tells its topic. A relay keeps it until the other side subscribes; this one has no
        // mailbox and delivers the last message first.
        let frames = sent.iter().enumerate().flat_map(|(from, frames)| frames.iter().map(move |one| (from, one)));
        for (from, frame) in frames.collect::<Vec<_>>().into_iter().rev() {
            let Ok(Request::Call { id, .. }) = Request::parse(frame) else { continue };
            let answer = if frame.contains("FetchMessages") { r#"{"messages":[],"hasMore":false}"# } else { "true" };
            events.extend(sides[from].hear(write_answer(&id, answer), START));
            if let Some((topic, message)) = published(frame) {
                events.extend(sides[1 - from].message(&topic, message, START));
            }
        }
    }
}

fn read<T: Read>(text: &str) -> T {
    let value = parse(text).unwrap_or_default();
    T::read(&value).unwrap_or_else(|error| panic!("{}", error.0))
}
