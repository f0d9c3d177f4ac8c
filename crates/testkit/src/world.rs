//! A page without a browser: virtual time, scripted wallets, a node and a store.

mod outside;
mod perform;

use crate::fault::Faults;
use crate::host::{options, with_relay};
use crate::node::Node;
use crate::remote::ScriptedRemote;
use crate::replay;
use crate::server::Server;
use crate::store::Store;
use crate::wallet::ScriptedWallet;
use portico_core::notice::AlertKey;
use portico_core::{App, Boot, Environment, Event, HostAnswer, Outcome, Part, Snapshot, connect, modal};
use portico_json::{Value, parse, to_text};
use std::collections::BTreeMap;

/// A page with its wallets, its storage, its network and its clock.
#[derive(Debug)]
pub struct World {
    /// The core.
    pub app: App,
    /// Epoch milliseconds.
    pub now: u64,
    /// The wallets of the page.
    pub wallets: Vec<ScriptedWallet>,
    /// The client of WalletConnect, and the wallet behind it.
    pub remote: ScriptedRemote,
    /// All chains.
    pub node: Node,
    /// The host's own server, for all that is not RPC.
    pub server: Server,
    /// What outlives a reload.
    pub store: Store,
    /// The tracked events, in their order.
    pub events: Vec<(String, Value)>,
    /// The alerts that the console has heard, in their order.
    pub alerts: Vec<(AlertKey, String)>,
    /// How the host's calls ended.
    pub answers: BTreeMap<u32, Vec<HostAnswer>>,
    /// What was copied.
    pub clipboard: Vec<String>,
    /// Whether copying works.
    pub clipboard_works: bool,
    /// The tabs that were opened for an address to follow.
    pub tabs: Vec<Tab>,
    /// The browser opens none.
    pub tabs_refused: bool,
    /// The parts of the core that were asked for, in their order.
    pub loads: Vec<Part>,
    /// How many more times home cannot be had, and so no part.
    pub home_missing: u32,
    /// How many more times a part that is not home cannot be had.
    pub part_missing: u32,
    /// Misfortune, if any.
    pub faults: Option<Faults>,
    /// Wallets that announce themselves only when told to.
    pub hidden: Vec<String>,
    /// The run so far, as a replay.
    pub log: Vec<String>,
    options: String,
    /// Where the page is; it counts from the next reload on.
    pub environment: Environment,
    coming: Vec<(u64, u32, Coming)>,
}

/// A tab that the core opened.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Tab {
    /// Nothing is in it yet.
    Empty,
    /// It was led there.
    At(String),
    /// It is gone.
    Closed,
}

/// What will come.
#[derive(Clone, Debug)]
enum Coming {
    /// An answer.
    Outcome(Outcome),
    /// A wallet that takes its time acts then, and not before.
    Request(String, String, Value),
}

impl World {
    /// A page with these wallets and the options of an ordinary host.
    pub fn new(wallets: Vec<ScriptedWallet>) -> World {
        World::with(&options(), wallets, Store::default())
    }

    /// A page with these options and what was stored.
    pub fn with(options: &str, wallets: Vec<ScriptedWallet>, store: Store) -> World {
        World::build(options, wallets, store, Vec::new(), None)
    }

    /// A page whose wallets of those rdns announce themselves late.
    pub fn with_hidden(wallets: Vec<ScriptedWallet>, store: Store, hidden: &[&str]) -> World {
        World::build(&options(), wallets, store, hidden.iter().map(|rdns| (*rdns).into()).collect(), None)
    }

    /// A page with a relay in which things go wrong, by a seed.
    pub fn with_faults(wallets: Vec<ScriptedWallet>, store: Store, faults: Faults) -> World {
        let mut world = World::build(&with_relay(&options()), wallets, store, Vec::new(), Some(faults));
        world.remote.plain = true;
        world
    }

    fn build(
        options: &str,
        wallets: Vec<ScriptedWallet>,
        store: Store,
        hidden: Vec<String>,
        faults: Option<Faults>,
    ) -> World {
        let mut world = World {
            app: App::default(),
            now: 1_700_000_000_000,
            wallets,
            remote: ScriptedRemote::default(),
            node: Node::default(),
            server: Server::default(),
            store,
            events: Vec::new(),
            alerts: Vec::new(),
            answers: BTreeMap::new(),
            clipboard: Vec::new(),
            clipboard_works: true,
            tabs: Vec::new(),
            tabs_refused: false,
            loads: Vec::new(),
            home_missing: 0,
            part_missing: 0,
            faults,
            hidden,
            log: Vec::new(),
            options: options.into(),
            environment: Environment {
                mobile: false,
                ios: false,
                android: false,
                safari: false,
                telegram: false,
                origin: "https://host.example".into(),
                page: "https://host.example/shop".into(),
                seed: "5eed".into(),
            },
            coming: Vec::new(),
        };
        world.boot();
        world
    }

    fn boot(&mut self) {
        let boot = Boot {
            environment: self.environment.clone(),
            options: parse(&self.options).unwrap_or_default(),
            stored: self.store.entries(),
        };
        self.log.push(replay::booted(&boot, self.now));
        self.app = App::boot(boot, self.now);
        self.settle();
    }

    /// The visitor reloads the page.
    pub fn reload(&mut self) {
        self.coming.clear();
        for wallet in &mut self.wallets {
            wallet.watched = false;
        }
        self.remote.watched.clear();
        self.boot();
    }

    /// What React would draw.
    pub fn snapshot(&self) -> Snapshot {
        self.app.snapshot()
    }

    /// Something happens, and everything that answers at once has answered.
    pub fn dispatch(&mut self, event: Event) {
        self.happen(event);
        self.settle();
    }

    /// Something in the modal.
    pub fn modal(&mut self, event: modal::Event) {
        self.dispatch(Event::Modal(event));
    }

    /// The modal is opened at its first view, or at a named one.
    pub fn open(&mut self, view: Option<&str>) {
        self.modal(modal::Event::OpenAsked {
            view: view.map(Into::into),
            namespace: None,
            uri: None,
            arguments: Value::Null,
            ticket: None,
        });
    }

    /// The visitor chooses a wallet by its rdns.
    pub fn choose(&mut self, rdns: &str) {
        self.dispatch(Event::Connect(connect::Event::WalletChosen { connector: rdns.into() }));
    }

    /// Opens the modal and connects the first wallet.
    pub fn connect_first(&mut self) {
        let rdns = self.wallets[0].rdns.clone();
        self.open(None);
        self.choose(&rdns);
    }

    /// The first wallet.
    pub fn wallet(&mut self) -> &mut ScriptedWallet {
        &mut self.wallets[0]
    }

    /// Time passes; alarms ring and late answers come, in their order.
    pub fn advance(&mut self, by: u64) {
        let end = self.now + by;
        loop {
            let alarm = self.app.next_timeout();
            let answer = self.coming.iter().map(|(at, _, _)| *at).min();
            let Some(next) = [alarm, answer].into_iter().flatten().min().filter(|next| *next <= end) else { break };
            self.now = self.now.max(next);
            self.deliver();
            self.log.push(replay::passed(self.now));
            self.app.tick(self.now);
            self.settle();
        }
        self.now = end;
    }

    fn deliver(&mut self) {
        let now = self.now;
        let due: Vec<_> = self.coming.extract_if(.., |(at, _, _)| *at <= now).collect();
        for (_, id, coming) in due {
            match coming {
                Coming::Outcome(outcome) => self.resolve(id, outcome),
                Coming::Request(handle, method, params) => self.act(id, &handle, &method, &params, false),
            }
        }
    }

    /// Performs effects until none is left.
    pub fn settle(&mut self) {
        loop {
            let effects = self.app.take_effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                self.perform(effect);
            }
        }
    }

    fn happen(&mut self, event: Event) {
        self.log.push(replay::happened(&event, self.now));
        self.app.dispatch(event, self.now);
    }

    fn resolve(&mut self, id: u32, outcome: Outcome) {
        self.log.push(replay::answered(id, &outcome, self.now));
        self.app.resolve(id, outcome, self.now);
    }

    /// The code on the screen.
    pub fn pairing(&self) -> connect::PairingView {
        self.snapshot().pairing.unwrap_or_else(|| panic!("no code is wanted"))
    }

    /// How often a part of the core was asked for.
    pub fn loaded(&self, part: Part) -> usize {
        self.loads.iter().filter(|load| **load == part).count()
    }

    /// The names of the tracked events.
    pub fn event_names(&self) -> Vec<&str> {
        self.events.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The one answer to a host's call, as JSON.
    pub fn answer(&self, ticket: u32) -> Option<String> {
        self.answers.get(&ticket).map(to_text)
    }
}
