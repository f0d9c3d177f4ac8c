//! Network of clients and relays in virtual time. All data crosses as in reality: inputs, outputs, frames.
#![allow(dead_code, reason = "each test file uses its part")]

mod relay;
mod visitor;

pub use relay::Relay;

use portico_json::{Read, Value, parse, to_text};
use portico_walletconnect::client::{Client, Config, Event, Input, Metadata, Output, RelayOption};
use portico_walletconnect::crypto::message_id;
use portico_walletconnect::jwt::ClientKey;
use portico_walletconnect::relay::{RelayCall, Request, RequestId, write_call};
use std::collections::BTreeMap;

pub const RELAY: &str = "wss://relay.example.org";
pub const SECOND: &str = "wss://relay.example.com";
pub const START: u64 = 1_700_000_000_000;
pub const DAPP: usize = 0;
pub const WALLET: usize = 1;

pub const OPTIONAL: &str = r#"{"eip155":{"chains":["eip155:1","eip155:137"],
    "methods":["personal_sign","eth_sendTransaction"],"events":["accountsChanged","chainChanged"]}}"#;

pub const APPROVED: &str = r#"{"eip155":{"chains":["eip155:1"],"methods":["personal_sign"],
    "events":["accountsChanged"],"accounts":["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"]}}"#;

/// Result of a command, or the code and message of its refusal.
pub type Given = Result<Value, (i64, String)>;

pub struct Node {
    pub client: Client,
    pub stored: BTreeMap<String, String>,
    pub sockets: Vec<(u32, String)>,
    pub told: Vec<Event>,
    pub given: Vec<(u32, Given)>,
    pub offline: bool,
    /// Milliseconds by which the node's clock is ahead.
    pub ahead: i64,
    pub opened: Vec<String>,
    config: Config,
    seed: u8,
}

pub struct Net {
    pub now: u64,
    pub nodes: Vec<Node>,
    pub relays: BTreeMap<String, Relay>,
    queue: Vec<(usize, Input)>,
    ticket: u32,
}

pub fn json(text: &str) -> Value {
    parse(text).unwrap()
}

pub fn read<T: Read>(text: &str) -> T {
    T::read(&json(text)).unwrap()
}

fn config(name: &str, relays: &[&str]) -> Config {
    let metadata = Metadata { name: name.into(), url: "https://example.org".into(), ..Metadata::default() };
    let relays = relays.iter().map(|url| RelayOption { relay_url: (*url).into(), ..RelayOption::default() }).collect();
    Config { relays, metadata, ..Config::default() }
}

impl Node {
    /// Changes the configured relays, from the next reload on.
    pub fn relays(&mut self, urls: &[&str]) {
        self.config.relays = config("", urls).relays;
    }

    /// Sets the key with which the relays attest origins, from the next reload on.
    pub fn trust(&mut self, key: &ClientKey) {
        for relay in &mut self.config.relays {
            relay.attestation_key = Some(key.did());
        }
    }
}

impl Net {
    /// Network of a dapp and a wallet on one relay.
    pub fn new() -> Net {
        Net::on(&[RELAY], &[RELAY])
    }

    pub fn on(dapp: &[&str], wallet: &[&str]) -> Net {
        let mut net = Net { now: START, nodes: Vec::new(), relays: BTreeMap::new(), queue: Vec::new(), ticket: 0 };
        for url in dapp.iter().chain(wallet) {
            net.relays.insert((*url).into(), Relay::default());
        }
        net.add(config("Dapp", dapp));
        net.add(config("Wallet", wallet));
        net
    }

    pub fn relay(&mut self) -> &mut Relay {
        self.relays.get_mut(RELAY).unwrap()
    }

    fn add(&mut self, config: Config) {
        let seed = self.nodes.len() as u8 + 1;
        let client = Client::start(config.clone(), [seed; 32], Vec::new(), self.now);
        self.nodes.push(Node {
            client,
            stored: BTreeMap::new(),
            sockets: Vec::new(),
            told: Vec::new(),
            given: Vec::new(),
            offline: false,
            ahead: 0,
            opened: Vec::new(),
            config,
            seed,
        });
        self.run();
    }

    /// Reloads the page of a node: only stored records survive.
    pub fn reload(&mut self, node: usize) {
        let sockets = std::mem::take(&mut self.nodes[node].sockets);
        for (_, url) in sockets {
            self.gone(node, &url);
        }
        let known = &mut self.nodes[node];
        known.seed += 10;
        let stored = known.stored.clone().into_iter().collect();
        known.client =
            Client::start(known.config.clone(), [known.seed; 32], stored, self.now.saturating_add_signed(known.ahead));
        known.told.clear();
        known.given.clear();
        self.run();
    }

    pub fn ticket(&mut self) -> u32 {
        self.ticket += 1;
        self.ticket
    }

    /// Passes an input to a node and runs until idle, without advancing the time.
    pub fn input(&mut self, node: usize, input: Input) {
        self.feed(node, input);
        self.run();
    }

    fn feed(&mut self, node: usize, input: Input) {
        let known = &mut self.nodes[node];
        known.client.handle(input, self.now.saturating_add_signed(known.ahead));
    }

    /// Runs a command. Returns its result if it comes without advancing the time.
    pub fn command(&mut self, node: usize, make: impl FnOnce(u32) -> Input) -> Option<Given> {
        let ticket = self.ticket();
        self.input(node, make(ticket));
        self.given(node, ticket)
    }

    /// Result of the command with a ticket. Fails if there is more than one.
    pub fn given(&self, node: usize, ticket: u32) -> Option<Given> {
        let mut all = self.nodes[node].given.iter().filter(|given| given.0 == ticket);
        let first = all.next().map(|given| given.1.clone());
        assert!(all.next().is_none(), "ticket {ticket} was answered twice");
        first
    }

    /// Advances the time, stopping at each timeout of a client.
    pub fn pass(&mut self, milliseconds: u64) {
        let end = self.now + milliseconds;
        for _ in 0..10_000 {
            let wakes = self.nodes.iter().filter_map(|node| {
                node.client.next_timeout().map(|time| time.saturating_add_signed(-node.ahead).max(self.now + 1))
            });
            let Some(next) = wakes.min().filter(|next| *next <= end) else {
                self.now = end;
                return;
            };
            self.now = next;
            for node in 0..self.nodes.len() {
                self.feed(node, Input::Tick);
            }
            self.run();
        }
        panic!("the clients never become idle");
    }

    pub fn run(&mut self) {
        for _ in 0..10_000 {
            for node in 0..self.nodes.len() {
                for output in self.nodes[node].client.take_outputs() {
                    self.perform(node, output);
                }
            }
            if self.queue.is_empty() {
                return;
            }
            let reversed = self.relays.values().any(|relay| relay.reversed);
            let (node, input) = if reversed { self.queue.pop().unwrap() } else { self.queue.remove(0) };
            self.feed(node, input);
        }
        panic!("the clients never stop sending");
    }

    fn perform(&mut self, node: usize, output: Output) {
        // Each output crosses the bridge to the browser as text, so it must survive the conversion.
        assert_eq!(Output::read(&json(&to_text(&output))), Ok(output.clone()));
        let known = &mut self.nodes[node];
        match output {
            Output::Open { socket, url } => self.open(node, socket, url),
            Output::Send { socket, text } => self.frame(node, socket, &text),
            Output::Close { socket } => {
                let url = known.sockets.iter().find(|open| open.0 == socket).map(|open| open.1.clone());
                known.sockets.retain(|open| open.0 != socket);
                if let Some(url) = url {
                    self.gone(node, &url);
                }
            }
            Output::Store { key, value } => drop(known.stored.insert(key, value)),
            Output::Remove { key } => drop(known.stored.remove(&key)),
            Output::Answered { ticket, value } => known.given.push((ticket, Ok(value))),
            Output::Refused { ticket, code, message, .. } => known.given.push((ticket, Err((code, message)))),
            Output::Told { event } => known.told.push(*event),
        }
    }

    fn open(&mut self, node: usize, socket: u32, url: String) {
        self.nodes[node].opened.push(url.clone());
        let base = url.split("/?").next().unwrap().to_owned();
        let relay = &self.relays[&base];
        let closed = |code, reason: &str| Input::Closed { socket, code, reason: Some(reason.into()) };
        if relay.down || self.nodes[node].offline {
            self.queue.push((node, closed(Some(1006), "")));
        } else if let Some((code, reason)) = &relay.refuses {
            self.queue.push((node, Input::Opened { socket }));
            self.queue.push((node, closed(Some(*code), reason)));
        } else {
            self.nodes[node].sockets.push((socket, base));
            self.queue.push((node, Input::Opened { socket }));
        }
    }

    fn gone(&mut self, node: usize, url: &str) {
        if let Some(relay) = self.relays.get_mut(url) {
            relay.subscriptions.retain(|known| known.1 != node);
        }
    }

    /// Breaks the sockets of the given nodes.
    pub fn cut(&mut self, nodes: &[usize]) {
        for &node in nodes {
            for (socket, url) in std::mem::take(&mut self.nodes[node].sockets) {
                self.gone(node, &url);
                self.queue.push((node, Input::Closed { socket, code: Some(1006), reason: None }));
            }
        }
        self.run();
    }

    fn frame(&mut self, node: usize, socket: u32, text: &str) {
        let Some(url) = self.nodes[node].sockets.iter().find(|open| open.0 == socket).map(|open| open.1.clone()) else {
            return;
        };
        let Ok(Request::Call { id, call }) = Request::parse(text) else {
            assert!(Request::parse(text).is_ok(), "no request: {text}");
            return;
        };
        let relay = self.relays.get_mut(&url).unwrap();
        relay.publishes += usize::from(matches!(call, RelayCall::Publish(_)));
        relay.fetches += usize::from(matches!(call, RelayCall::FetchMessages(_)));
        if relay.longest.is_some_and(|longest| text.len() > longest) {
            self.nodes[node].sockets.retain(|open| open.0 != socket);
            self.gone(node, &url);
            return self.queue.push((node, Input::Closed { socket, code: Some(1009), reason: None }));
        }
        if relay.deaf || relay.down {
            return;
        }
        if relay.swallows > 0 && matches!(call, RelayCall::Publish(_)) {
            relay.swallows -= 1;
            return;
        }
        if relay.unwilling && matches!(call, RelayCall::Subscribe { .. } | RelayCall::BatchSubscribe { .. }) {
            return;
        }
        let mut frames = vec![(node, relay.answer(&id, call, node, self.now))];
        frames.extend(relay.deliveries(self.now));
        let times = if relay.twice { 2 } else { 1 };
        for _ in 0..times {
            for (to, text) in &frames {
                let open = self.nodes[*to].sockets.iter().find(|open| open.1 == url);
                if let Some((socket, _)) = open {
                    self.queue.push((*to, Input::Message { socket: *socket, text: text.clone() }));
                }
            }
        }
    }

    /// Delivers a message to a client as if it came from its relay.
    pub fn inject(&mut self, node: usize, topic: &str, message: &str, tag: u32) {
        let data = format!(r#"{{"topic":"{topic}","message":"{message}","publishedAt":{},"tag":{tag}}}"#, self.now);
        let params = format!(r#"{{"id":"x","data":{data}}}"#);
        let socket = self.nodes[node].sockets[0].0;
        let text = write_call(&RequestId::from(1_700_000_000), "irn_subscription", &params);
        self.input(node, Input::Message { socket, text });
    }
}

pub fn hash(message: &str) -> String {
    message_id(message)
}
