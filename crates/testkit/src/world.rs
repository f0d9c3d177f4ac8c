//! Page without a browser: virtual time, scripted wallets, a node and a store.

mod outside;
mod perform;

use crate::fault::Faults;
use crate::frame::ScriptedFrame;
use crate::host::{options, with_relay};
use crate::node::Node;
use crate::remote::ScriptedRemote;
use crate::replay;
use crate::server::Server;
use crate::site::ScriptedSite;
use crate::socket::Sockets;
use crate::store::Store;
use crate::wallet::ScriptedWallet;
use portico_core::notice::{AlertKey, Message};
use portico_core::{App, Boot, Environment, Event, HostAnswer, Outcome, Part, Snapshot, connect, modal};
use portico_json::{Value, parse, to_text};
use std::collections::BTreeMap;

/// Page with its wallets, storage, network and clock.
#[derive(Debug)]
pub struct World {
    pub app: App,
    /// Current time in epoch milliseconds.
    pub now: u64,
    /// Wallets in the page.
    pub wallets: Vec<ScriptedWallet>,
    /// WalletConnect client, with the wallet behind it.
    pub remote: ScriptedRemote,
    /// Frame of the embedded wallet.
    pub frame: ScriptedFrame,
    /// Sign-in of the host.
    pub site: ScriptedSite,
    /// JSON-RPC node of all chains.
    pub node: Node,
    /// Host's own server, for all requests other than RPC.
    pub server: Server,
    /// WebSockets of that server.
    pub sockets: Sockets,
    /// Storage; it survives a reload.
    pub store: Store,
    /// Tracked analytics events, in order.
    pub events: Vec<(String, Value)>,
    /// Alerts written to the console, in order.
    pub alerts: Vec<(AlertKey, String)>,
    /// Texts for the developer of the page.
    pub told_developer: Vec<String>,
    /// Results of the host's calls, by ticket.
    pub answers: BTreeMap<u32, Vec<HostAnswer>>,
    /// Texts that were copied.
    pub clipboard: Vec<String>,
    /// Whether copying works.
    pub clipboard_works: bool,
    /// Milliseconds until a picture has loaded; `None` if pictures are broken.
    pub picture: Option<u64>,
    /// Tabs opened for a URL that is known later.
    pub tabs: Vec<Tab>,
    /// Whether the browser refuses to open tabs.
    pub tabs_refused: bool,
    /// Parts of the core that were requested, in order.
    pub loads: Vec<Part>,
    /// Number of further times that loading home fails, and so any part.
    pub home_missing: u32,
    /// Number of further times that loading a part other than home fails.
    pub part_missing: u32,
    /// Random faults, if any.
    pub faults: Option<Faults>,
    /// Names (rdns) of wallets that announce themselves only on [`World::announce`].
    pub hidden: Vec<String>,
    /// Run so far, as a replay.
    pub log: Vec<String>,
    options: String,
    /// Environment of the page; changes take effect with the next reload.
    pub environment: Environment,
    coming: Vec<(u64, u32, Scheduled)>,
    /// Effect that waits for the return from the page of a social login.
    away: Option<u32>,
    /// Fields of the snapshot as last sent to the shell.
    sent: Vec<(String, Value)>,
    /// JSON of the fields that the last turn sent to the shell.
    pub sent_last: String,
    /// Whether [`World::snapshot`] checks that the shell was sent all of it; costs time.
    pub exact: bool,
}

/// Tab that the core opened.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Tab {
    /// Open, without a URL yet.
    Empty,
    /// Navigated to this URL.
    At(String),
    /// Closed.
    Closed,
}

/// Delivery scheduled for a later time.
#[derive(Clone, Debug)]
enum Scheduled {
    /// Outcome of an effect.
    Outcome(Outcome),
    /// Wallet request on which a slow wallet acts only when it is due.
    Request(String, String, Value),
}

impl World {
    /// Creates a page with these wallets and the options of an ordinary host.
    pub fn new(wallets: Vec<ScriptedWallet>) -> World {
        World::with(&options(), wallets, Store::default())
    }

    /// Creates a page with these options and stored entries.
    pub fn with(options: &str, wallets: Vec<ScriptedWallet>, store: Store) -> World {
        World::build(options, wallets, store, Vec::new(), None)
    }

    /// Creates a page in which the wallets with these rdns announce themselves late.
    pub fn with_hidden(wallets: Vec<ScriptedWallet>, store: Store, hidden: &[&str]) -> World {
        World::build(&options(), wallets, store, hidden.iter().map(|rdns| (*rdns).into()).collect(), None)
    }

    /// Creates a page with a relay and random faults.
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
            frame: ScriptedFrame::default(),
            site: ScriptedSite::default(),
            node: Node::default(),
            server: Server::default(),
            sockets: Sockets::default(),
            store,
            events: Vec::new(),
            alerts: Vec::new(),
            told_developer: Vec::new(),
            answers: BTreeMap::new(),
            clipboard: Vec::new(),
            clipboard_works: true,
            picture: Some(0),
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
                mac: false,
                safari: false,
                telegram: false,
                origin: "https://host.example".into(),
                page: "https://host.example/shop".into(),
                seed: "5eed".into(),
            },
            coming: Vec::new(),
            away: None,
            sent: Vec::new(),
            sent_last: String::new(),
            exact: true,
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
        self.sent.clear();
        self.settle();
    }

    /// Reloads the page.
    pub fn reload(&mut self) {
        self.coming.clear();
        for wallet in &mut self.wallets {
            wallet.watched = false;
        }
        self.remote.watched.clear();
        self.frame.reload();
        self.site.waiting.clear();
        self.sockets.reload();
        self.boot();
    }

    /// Snapshot that the views would draw.
    ///
    /// # Panics
    /// If it is not what the core sent to the shell piece by piece: then a feature's `view` forgets a field or a change.
    pub fn snapshot(&self) -> Snapshot {
        let snapshot = self.app.snapshot();
        if self.exact {
            self.check_sent(&snapshot);
        }
        snapshot
    }

    /// Message of the snackbar.
    pub fn snack(&self) -> Option<Message> {
        self.snapshot().notice.snack.and_then(|snack| snack.message)
    }

    fn check_sent(&self, snapshot: &Snapshot) {
        let (whole, idle) = (to_value(snapshot), to_value(&App::default().snapshot()));
        for (field, value) in whole.as_object().unwrap_or_default() {
            let sent =
                self.sent.iter().find(|(name, _)| name == field).map_or_else(|| idle.get(field), |(_, sent)| sent);
            assert_eq!(sent, value, "the shell was not sent the field `{field}`");
        }
    }

    /// Number of broken list items in answers of the server that the core has left out.
    pub fn skipped_items(&self) -> u32 {
        self.app.skipped_items()
    }

    /// Dispatches an event and performs all effects that follow at once.
    pub fn dispatch(&mut self, event: Event) {
        self.happen(event);
        self.settle();
    }

    /// Dispatches an event of the modal.
    pub fn modal(&mut self, event: modal::Event) {
        self.dispatch(Event::Modal(event));
    }

    /// Opens the modal at its first view, or at a named one.
    pub fn open(&mut self, view: Option<&str>) {
        self.modal(modal::Event::OpenAsked {
            view: view.map(Into::into),
            namespace: None,
            uri: None,
            arguments: Value::Null,
            ticket: None,
        });
    }

    /// Reloads the page and opens the modal, as a visitor does who comes back.
    pub fn come_back(&mut self) {
        self.reload();
        self.open(None);
    }

    /// Chooses a wallet by its rdns.
    pub fn choose(&mut self, rdns: &str) {
        self.dispatch(Event::Connect(connect::Event::WalletChosen { connector: rdns.into() }));
    }

    /// Opens the modal and connects the first wallet.
    pub fn connect_first(&mut self) {
        let rdns = self.wallets[0].rdns.clone();
        self.open(None);
        self.choose(&rdns);
    }

    /// Returns the first wallet.
    pub fn wallet(&mut self) -> &mut ScriptedWallet {
        &mut self.wallets[0]
    }

    /// Lets time pass; alarms ring and late outcomes arrive, in order of their times.
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
                Scheduled::Outcome(outcome) => self.resolve(id, outcome),
                Scheduled::Request(handle, method, params) => self.act(id, &handle, &method, &params, false),
            }
        }
    }

    /// Performs effects until none is left.
    pub fn settle(&mut self) {
        loop {
            let effects = self.app.take_effects();
            if effects.is_empty() {
                return self.send_views();
            }
            for effect in effects {
                self.perform(effect);
            }
        }
    }

    /// Takes the changed views, as the shell does after each turn.
    fn send_views(&mut self) {
        if !self.exact {
            return;
        }
        let mut text = String::new();
        self.app.write_changes(&mut text);
        for (field, value) in parse(&text).unwrap_or_default().as_object().unwrap_or_default() {
            self.sent.retain(|(known, _)| known != field);
            self.sent.push((field.clone(), value.clone()));
        }
        self.sent_last = text;
    }

    fn happen(&mut self, event: Event) {
        self.log.push(replay::happened(&event, self.now));
        self.app.dispatch(event, self.now);
    }

    fn resolve(&mut self, id: u32, outcome: Outcome) {
        self.log.push(replay::answered(id, &outcome, self.now));
        self.app.resolve(id, outcome, self.now);
    }

    /// Pairing shown on the screen.
    pub fn pairing(&self) -> connect::PairingView {
        self.snapshot().pairing.unwrap_or_else(|| panic!("no code is wanted"))
    }

    /// Number of times a part of the core was requested.
    pub fn loaded(&self, part: Part) -> usize {
        self.loads.iter().filter(|load| **load == part).count()
    }

    /// Names of the tracked events.
    pub fn event_names(&self) -> Vec<&str> {
        self.events.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Result of a host's call, as JSON.
    pub fn answer(&self, ticket: u32) -> Option<String> {
        self.answers.get(&ticket).map(to_text)
    }
}

fn to_value(snapshot: &Snapshot) -> Value {
    parse(&to_text(snapshot)).unwrap_or_default()
}
