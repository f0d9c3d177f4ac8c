//! A page without a browser: virtual time, scripted wallets, a node and a store. A little longer than other files, for it answers every
//! operation there is, and that is read in one place.

use crate::fault::Faults;
use crate::node::Node;
use crate::remote::ScriptedRemote;
use crate::replay;
use crate::server::Server;
use crate::store::Store;
use crate::wallet::{BITCOIN, Behaviour, SOLANA, ScriptedWallet, thrown};
use portico_core::notice::AlertKey;
use portico_core::{
    App, Boot, Effect, Environment, Event, HostAnswer, HttpMethod, Operation, Outcome, Part, Snapshot, connect, modal,
};
use portico_json::{Value, parse, to_text};
use std::collections::BTreeMap;

/// A network as a host gives it.
pub fn network(id: u64, name: &str) -> String {
    format!(
        r#"{{"id":{id},"name":"{name}","nativeCurrency":{{"name":"Ether","symbol":"ETH","decimals":18}},"rpcUrls":{{"default":{{"http":["https://rpc-{id}.example"]}}}},"blockExplorers":{{"default":{{"name":"Scan","url":"https://scan-{id}.example"}}}},"testnet":true}}"#
    )
}

/// The options of an ordinary host with two networks.
pub fn options() -> String {
    format!(
        r#"{{"projectId":"test","adapters":[{{"namespace":"eip155"}}],"networks":[{},{}]}}"#,
        network(31337, "Anvil One"),
        network(31338, "Anvil Two")
    )
}

/// The options of a host with adapters and networks of EVM chains, Solana and Bitcoin.
pub fn every_namespace() -> String {
    let other = |chain: &str, symbol: &str, decimals: u8| {
        let (namespace, id) = chain.split_once(':').unwrap_or_default();
        format!(
            r#"{{"id":"{id}","chainNamespace":"{namespace}","name":"{symbol}","nativeCurrency":{{"name":"{symbol}","symbol":"{symbol}","decimals":{decimals}}},"rpcUrls":{{"default":{{"http":["https://{namespace}.example"]}}}}}}"#
        )
    };
    let others = [other(SOLANA, "SOL", 9), other(BITCOIN, "BTC", 8)].join(",");
    let adapters = r#"{"namespace":"eip155"},{"namespace":"solana"},{"namespace":"bip122"}"#;
    options().replace(r#"{"namespace":"eip155"}"#, adapters).replace("}]}", &format!("}},{others}]}}"))
}

/// The same options with a relay, so that remote wallets can be reached.
pub fn with_relay(options: &str) -> String {
    options.replacen('{', r#"{"relays":[{"relayUrl":"wss://relay.example"}],"#, 1)
}

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

    /// A hidden wallet announces itself.
    pub fn announce(&mut self, rdns: &str) {
        self.hidden.retain(|hidden| hidden != rdns);
        if let Some(found) = self.wallets.iter().find(|wallet| wallet.rdns == rdns).map(ScriptedWallet::announcement) {
            self.dispatch(Event::Connect(connect::Event::WalletFound { wallet: found }));
        }
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

    fn perform(&mut self, effect: Effect) {
        let id = effect.id;
        match effect.operation {
            Operation::LoadPart { part } => {
                self.loads.push(part);
                let left = if part == Part::Home { &mut self.home_missing } else { &mut self.part_missing };
                let missing = *left > 0;
                *left -= u32::from(missing);
                self.resolve(id, if missing { Outcome::Failed { error: Value::Null } } else { Outcome::Done });
            }
            Operation::DiscoverWallets => {
                let found: Vec<_> = self
                    .wallets
                    .iter()
                    .filter(|wallet| !self.hidden.contains(&wallet.rdns))
                    .map(ScriptedWallet::announcement)
                    .collect();
                for wallet in found {
                    self.happen(Event::Connect(connect::Event::WalletFound { wallet }));
                }
                self.resolve(id, Outcome::Done);
            }
            Operation::RequestWallet { handle, method, params } => self.request(id, &handle, &method, params),
            Operation::WatchWallet { handle, link, chain } => {
                if handle.starts_with("walletConnect:") {
                    self.remote.watched.retain(|(watched, ..)| *watched != handle);
                    self.remote.watched.push((handle.clone(), link, chain.map(|chain| chain.to_string())));
                }
                self.watch(id, &handle, true);
            }
            Operation::OpenRelay | Operation::OpenPairing { .. } | Operation::EndSession { .. } if self.strikes() => {
                let nonsense = self.faults.as_mut().map(Faults::nonsense).unwrap_or_default();
                match self.strikes() {
                    true => self.resolve(id, Outcome::Answered { value: nonsense }),
                    false => self.resolve(id, Outcome::Failed { error: nonsense }),
                }
            }
            Operation::OpenRelay => {
                let late = self.remote.late;
                match self.remote.fetch() {
                    Some(outcome) if late > 0 => self.coming.push((self.now + late, id, Coming::Outcome(outcome))),
                    Some(outcome) => self.resolve(id, outcome),
                    None => {}
                }
            }
            Operation::OpenPairing { namespaces } => {
                let outcome = self.remote.pair(namespaces, self.now);
                self.resolve(id, outcome);
            }
            Operation::ClosePairing { topic } => {
                self.remote.closed.push(topic);
                self.resolve(id, Outcome::Done);
            }
            Operation::EndSession { topic } => {
                self.remote.ended.push(topic.clone());
                self.remote.sessions.retain(|session| !session.contains(&topic));
                let failed = Outcome::Failed { error: thrown(0, "The client is not there") };
                self.resolve(id, if self.remote.clings { failed } else { Outcome::Done });
            }
            Operation::OpenLink { href, target } => {
                self.remote.links.push((href, target));
                self.resolve(id, Outcome::Done);
            }
            Operation::OpenTab => {
                let outcome = if self.tabs_refused { Outcome::Failed { error: Value::Null } } else { Outcome::Done };
                self.tabs.extend((!self.tabs_refused).then_some(Tab::Empty));
                self.resolve(id, outcome);
            }
            Operation::LeadTab { href } => {
                let gone = self.tabs.last().is_none_or(|tab| *tab == Tab::Closed);
                if let Some(tab) = self.tabs.last_mut().filter(|_| !gone) {
                    *tab = href.map_or(Tab::Closed, Tab::At);
                }
                self.resolve(id, if gone { Outcome::Failed { error: Value::Null } } else { Outcome::Done });
            }
            Operation::UnwatchWallet { handle } => {
                self.remote.watched.retain(|(watched, ..)| *watched != handle);
                self.watch(id, &handle, false);
            }
            Operation::SendHttp { method: HttpMethod::Post, url, body: Some(body), .. }
                if !url.contains("/v1/") && !url.contains("/e?") =>
            {
                self.http(id, &body)
            }
            Operation::SendHttp { method, url, body, .. } => {
                let late = self.server.late;
                match self.server.answer(method, &url, body.as_deref()) {
                    Some(outcome) if late > 0 => self.coming.push((self.now + late, id, Coming::Outcome(outcome))),
                    Some(outcome) => self.resolve(id, outcome),
                    None => {}
                }
            }
            Operation::FetchPictures { url, .. } => {
                let answered = self.server.answer(HttpMethod::Get, &url, None);
                if let Some(Outcome::HttpAnswered { status, .. }) = answered {
                    let failed = Outcome::Failed { error: Value::Null };
                    self.resolve(id, if status == 200 { Outcome::Done } else { failed });
                }
            }
            Operation::WriteStorage { area, key, value } => {
                self.store.refuses = self.store.refuses || self.faults.as_mut().is_some_and(|faults| faults.strikes(2));
                let outcome = self.store.write(area, &key, &value);
                self.resolve(id, outcome);
            }
            Operation::RemoveStorage { area, key } => {
                let outcome = self.store.remove(area, &key);
                self.resolve(id, outcome);
            }
            Operation::CopyText { text } => {
                if self.clipboard_works {
                    self.clipboard.push(text);
                    self.resolve(id, Outcome::Done);
                } else {
                    self.resolve(id, Outcome::Failed { error: thrown(0, "NotAllowedError") });
                }
            }
            Operation::AnswerHost { ticket, answer } => {
                self.answers.entry(ticket).or_default().push(answer);
                self.resolve(id, Outcome::Done);
            }
            Operation::TellAlert { key, detail } => {
                self.alerts.push((key, detail));
                self.resolve(id, Outcome::Done);
            }
            Operation::PublishEvent { event, properties, .. } => {
                self.events.push((event, properties));
                self.resolve(id, Outcome::Done);
            }
        }
    }

    /// Whether the client of WalletConnect does not do as it should.
    fn strikes(&mut self) -> bool {
        self.faults.as_mut().is_some_and(|faults| faults.strikes(20))
    }

    fn happen(&mut self, event: Event) {
        self.log.push(replay::happened(&event, self.now));
        self.app.dispatch(event, self.now);
    }

    fn resolve(&mut self, id: u32, outcome: Outcome) {
        self.log.push(replay::answered(id, &outcome, self.now));
        self.app.resolve(id, outcome, self.now);
    }

    fn watch(&mut self, id: u32, handle: &str, watched: bool) {
        if let Some(wallet) = self.wallets.iter_mut().find(|wallet| wallet.handle() == handle) {
            wallet.watched = watched;
        }
        self.resolve(id, Outcome::Done);
    }

    fn http(&mut self, id: u32, body: &str) {
        let (lost, late) = match &mut self.faults {
            Some(faults) => (faults.strikes(10), faults.strikes(10).then(|| faults.below(15_000))),
            None => (false, None),
        };
        let outcome = if lost { Outcome::Failed { error: Value::Null } } else { self.node.answer(body) };
        if self.node.mute.is_some_and(|method| body.contains(method)) {
            return;
        }
        match late {
            Some(delay) => self.coming.push((self.now + delay, id, Coming::Outcome(outcome))),
            None => self.resolve(id, outcome),
        }
    }

    fn request(&mut self, id: u32, handle: &str, method: &str, params: Value) {
        let now = self.now;
        let strange = self.faults.as_mut().map(Faults::behaviour);
        if handle.starts_with("walletConnect:") {
            return self.request_remote(id, handle, method, &params);
        }
        let Some(wallet) = self.wallets.iter_mut().find(|wallet| wallet.handle() == handle) else {
            return self.resolve(id, Outcome::Failed { error: thrown(4900, "No such provider") });
        };
        wallet.requests.push((method.into(), params.clone()));
        let outcome = match strange.unwrap_or_else(|| wallet.behaviour(method)) {
            Behaviour::Silent => return,
            Behaviour::Right => return self.act(id, handle, method, &params, false),
            Behaviour::Twice => return self.act(id, handle, method, &params, true),
            Behaviour::Late(delay) => {
                return self.coming.push((now + delay, id, Coming::Request(handle.into(), method.into(), params)));
            }
            Behaviour::Refuse => Outcome::Failed { error: thrown(4001, "User rejected the request.") },
            Behaviour::Nonsense(value) => Outcome::Answered { value },
            Behaviour::Throw(error) => Outcome::Failed { error },
        };
        self.resolve(id, outcome);
    }

    fn request_remote(&mut self, id: u32, handle: &str, method: &str, params: &Value) {
        if self.remote.mute {
            return;
        }
        let before = self.remote.chain.clone();
        let answer = self.remote.answer(method, params);
        if self.remote.chain != before {
            let chain = Value::Text(crate::remote::hex(&self.remote.chain));
            self.happen(Event::Network(portico_core::network::Event::ChainChanged { handle: handle.into(), chain }));
        }
        self.resolve(id, answer.map_or_else(|error| Outcome::Failed { error }, |value| Outcome::Answered { value }));
    }

    /// Something of the client of WalletConnect.
    pub fn connecting(&mut self, event: connect::Event) {
        self.dispatch(Event::Connect(event));
    }

    /// A relay tells how it stands.
    pub fn relay_tells(&mut self, state: connect::RelayState, reason: Option<&str>) {
        let reason = reason.map(Into::into);
        self.connecting(connect::Event::RelayTold { relay: "wss://relay.example".into(), state, reason });
    }

    /// The visitor approves, in the remote wallet, the code that was shown last.
    pub fn remote_approves(&mut self) {
        let session = self.remote.session(self.now);
        self.remote.sessions.push(to_text(&session));
        self.connecting(connect::Event::SessionSettled { session });
    }

    /// The visitor refuses, or the wallet cannot.
    pub fn remote_refuses(&mut self, code: i64, message: &str) {
        let topic = self.remote.topics.last().cloned().unwrap_or_default();
        self.connecting(connect::Event::PairingRejected { topic, code, message: message.into() });
    }

    /// The wallet now approves these accounts.
    pub fn remote_changes(&mut self, accounts: &[&str]) {
        self.remote.accounts = accounts.iter().map(|account| (*account).into()).collect();
        let session = self.remote.session(self.now);
        self.remote.sessions = vec![to_text(&session)];
        self.connecting(connect::Event::SessionChanged { session });
    }

    /// The visitor ends the session inside the wallet.
    pub fn remote_ends(&mut self) {
        let session = self.remote.session(self.now);
        self.remote.sessions.clear();
        let topic = session.get("topic").as_str().unwrap_or_default().into();
        self.connecting(connect::Event::SessionEnded { topic });
    }

    /// The code on the screen.
    pub fn pairing(&self) -> connect::PairingView {
        self.snapshot().pairing.unwrap_or_else(|| panic!("no code is wanted"))
    }

    /// The wallet does as it should; a change of its chain is told before its answer, as wallets do.
    fn act(&mut self, id: u32, handle: &str, method: &str, params: &Value, twice: bool) {
        let Some(wallet) = self.wallets.iter_mut().find(|wallet| wallet.handle() == handle) else { return };
        let before = wallet.chain;
        let outcome = match wallet.answer(method, params) {
            Ok(value) => Outcome::Answered { value },
            Err(error) => Outcome::Failed { error },
        };
        self.tell_chain(handle, before);
        self.resolve(id, outcome.clone());
        if twice {
            self.resolve(id, outcome);
        }
    }

    /// A wallet that changed its chain says so (EIP-1193).
    fn tell_chain(&mut self, handle: &str, before: u64) {
        let Some(wallet) = self.wallets.iter().find(|wallet| wallet.handle() == handle && wallet.watched) else {
            return;
        };
        if wallet.chain != before {
            let chain = Value::Text(format!("{:#x}", wallet.chain));
            self.happen(Event::Network(portico_core::network::Event::ChainChanged { handle: handle.into(), chain }));
        }
    }

    /// The visitor switches the chain inside the wallet.
    pub fn wallet_switches(&mut self, chain: u64) {
        self.wallets[0].chain = chain;
        let (handle, watched) = (self.wallets[0].handle(), self.wallets[0].watched);
        if watched {
            self.dispatch(Event::Network(portico_core::network::Event::ChainChanged {
                handle,
                chain: Value::Text(format!("{chain:#x}")),
            }));
        }
    }

    /// The visitor shows other accounts inside the wallet, or none.
    pub fn wallet_shows(&mut self, accounts: &[&str]) {
        self.wallets[0].accounts = accounts.iter().map(|account| (*account).into()).collect();
        let (handle, watched) = (self.wallets[0].handle(), self.wallets[0].watched);
        if watched {
            let accounts = Value::List(accounts.iter().map(|account| (*account).into()).collect());
            self.dispatch(Event::Connect(connect::Event::AccountsChanged { handle, accounts }));
        }
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
