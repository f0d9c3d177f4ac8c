//! The loop: an event, an answer or an alarm in; effects, one alarm time and a snapshot out. Each feature adds its line to
//! each list here, so the file grows with their number and with nothing else.

use crate::account::Extent;
use crate::analytics::{Analytics, Place};
use crate::boot::{Boot, Environment};
use crate::config::Config;
use crate::connect::Connect;
use crate::cx::Cx;
use crate::effect::{Effect, HostAnswer, Operation, Outcome};
use crate::facts::Facts;
use crate::fault::CallFault;
use crate::home::{self, Own};
use crate::http::{self, Warned};
use crate::modal::{Modal, View};
use crate::network::Networks;
use crate::notice::{AlertKey, Notice};
use crate::rpc::{Call, Rpc};
use crate::signal::Signal;
use crate::snapshot::Snapshot;
use crate::timer::Timer;
use crate::{account, activity, analytics, config, connect, modal, name, network, notice, reactions, send, storage};
use portico_json::{Json, Map, Value, Write, to_text, write_text};
use portico_terms::AccountKind;
use portico_terms::rpc::RpcError;
use std::rc::Rc;

/// What happened outside.
#[derive(Clone, Debug, Json)]
#[json(name = "CoreEvent", tag = "feature", content = "event")]
pub enum Event {
    /// See [`config::Event`].
    Config(config::Event),
    /// See [`modal::Event`].
    Modal(modal::Event),
    /// See [`notice::Event`].
    Notice(notice::Event),
    /// See [`connect::Event`].
    Connect(connect::Event),
    /// See [`network::Event`].
    Network(network::Event),
    /// See [`account::Event`].
    Account(account::Event),
    /// See [`name::Event`].
    Name(name::Event),
    /// See [`activity::Event`].
    Activity(activity::Event),
    /// See [`send::Event`].
    Send(send::Event),
}

/// Why an effect was asked, as data: a run can be stored and replayed.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Nobody waits for the answer.
    Nothing,
    /// See [`connect::Asked`].
    Connect(connect::Asked),
    /// See [`network::Asked`].
    Network(network::Asked),
    /// See [`account::Asked`].
    Account(account::Asked),
    /// See [`name::Asked`].
    Name(name::Asked),
    /// See [`activity::Asked`].
    Activity(activity::Asked),
    /// See [`send::Asked`].
    Send(send::Asked),
    /// See [`analytics::Asked`].
    Analytics(analytics::Asked),
    /// A batch of calls, by its number.
    Rpc(u32),
    /// The second half of the core.
    Home,
}

macro_rules! asked_from {
    ($($variant:ident: $type:ty),*) => {$(
        impl From<$type> for Asked {
            fn from(asked: $type) -> Asked {
                Asked::$variant(asked)
            }
        }
    )*};
}
asked_from!(
    Analytics: analytics::Asked,
    Connect: connect::Asked,
    Network: network::Asked,
    Account: account::Asked,
    Activity: activity::Asked,
    Name: name::Asked,
    Send: send::Asked
);

/// Every feature's state.
#[derive(Debug, Default)]
pub(crate) struct Features {
    pub config: Config,
    pub modal: Modal,
    pub notice: Notice,
    pub connect: Connect,
    pub network: Networks,
    pub own: Own,
    pub rpc: Rpc,
    pub warned: Warned,
    pub analytics: Analytics,
    pub place: Place,
    pub environment: Environment,
}

/// One step of a turn.
#[derive(Debug)]
pub(crate) enum Step {
    Event(Event),
    Outcome(Asked, Outcome),
    Answer(Asked, Result<Value, RpcError>),
    Batch(u32, Outcome),
    Alarm(Timer),
    Signal(Signal),
    Calls(Vec<Call>),
    Begin,
}

/// A turn that goes on for longer than this is a loop of signals. It ends, and the next event finds a sound state.
const LONGEST_TURN: usize = 10_000;

/// Milliseconds after which the second half of the core is asked for again, when it could not be had: twice as long each time, up to the second.
const HOME_RETRY: (u64, u64) = (3_000, 60_000);

/// Milliseconds that a call of the host waits for the second half of the core.
const HOME_WAIT: u64 = 30_000;

/// The core.
#[derive(Debug, Default)]
pub struct App {
    features: Features,
    now: u64,
    effects: Vec<Effect>,
    next_effect: u32,
    waiting: Map<u32, Asked>,
    alarms: Map<Timer, u64>,
    told: Told,
    /// What waits for the second half of the core, in its order.
    held: Vec<Step>,
    /// The host's calls among them, each with when it has waited long enough.
    held_calls: Vec<(u64, u32)>,
    /// Whether it was ever asked for: from then on that goes on by itself.
    home_asked: bool,
    /// After how many milliseconds it is asked for again; zero until it could not be had, which is said once.
    home_retry: u64,
}

/// The JSON of each feature as the shell knows it. Texts are compared rather than values: the text is needed anyway.
#[derive(Debug, Default)]
pub(crate) struct Told {
    texts: Map<&'static str, String>,
    /// The account without its tokens, of which there may be thousands, and the revision of these.
    account: String,
    tokens: u32,
    /// The wallets are many: their list is only made again when it may have changed.
    wallets: Option<WalletsKey>,
    /// A host may have hundreds of networks: the same.
    network: Option<u32>,
}

type WalletsKey = (u32, usize, Option<portico_terms::Namespace>, *const config::Options);

impl App {
    /// Starts from the host's options and what was stored. Returns with the first effects.
    pub fn boot(boot: Boot, now: u64) -> App {
        let stored = storage::read(&boot.stored);
        let config = Config::new(&boot.options);
        let options = config.options();
        let features = Features {
            network: Networks::new(&options, stored.network.as_ref()),
            connect: Connect::new(&stored, options.reconnect),
            own: Own::new(&stored),
            config,
            place: Place { seed: boot.environment.seed.clone(), page: boot.environment.page.clone() },
            environment: boot.environment,
            ..Features::default()
        };
        let mut app = App { features, now, ..App::default() };
        app.turn(Step::Begin);
        app
    }

    /// Something happened.
    pub fn dispatch(&mut self, event: Event, now: u64) {
        self.at(now);
        self.turn(Step::Event(event));
    }

    /// An effect was answered. Unknown and repeated ids are ignored.
    pub fn resolve(&mut self, id: u32, outcome: Outcome, now: u64) {
        self.at(now);
        match self.waiting.remove(&id) {
            None | Some(Asked::Nothing) => {}
            Some(Asked::Home) => self.home_answered(&outcome),
            Some(Asked::Rpc(batch)) => self.turn(Step::Batch(batch, outcome)),
            Some(asked) => self.turn(Step::Outcome(asked, outcome)),
        }
    }

    /// Time passed.
    pub fn tick(&mut self, now: u64) {
        self.at(now);
        let due: Vec<Timer> = self.alarms.iter().filter(|(_, at)| **at <= self.now).map(|(timer, _)| *timer).collect();
        for timer in due {
            // An alarm before this one may have stopped it.
            if self.alarms.get(&timer).is_some_and(|at| *at <= self.now) {
                self.alarms.remove(&timer);
                match timer {
                    Timer::HomeRetry => self.ask_home(),
                    Timer::HomeWait => self.give_up_calls(),
                    timer => self.turn(Step::Alarm(timer)),
                }
            }
        }
    }

    /// A clock that steps back counts as no time passed.
    fn at(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// The effects asked since the last call.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// When [`App::tick`] is due, in epoch milliseconds.
    pub fn next_timeout(&self) -> Option<u64> {
        self.alarms.values().min().copied()
    }

    /// The second half of the core is there, and what waited for it goes on; or it could not be had, and is asked for again.
    fn home_answered(&mut self, outcome: &Outcome) {
        if let Outcome::Failed { .. } = outcome {
            let first = self.home_retry == 0;
            self.home_retry = (self.home_retry * 2).clamp(HOME_RETRY.0, HOME_RETRY.1);
            self.alarms.insert(Timer::HomeRetry, self.now + self.home_retry);
            if first {
                self.turn(Step::Signal(Signal::Warn(AlertKey::HomeUnavailable, String::new())));
            }
            return;
        }
        self.features.own.here = true;
        self.held_calls.clear();
        self.alarms.remove(&Timer::HomeWait);
        for step in std::mem::take(&mut self.held) {
            self.turn(step);
        }
    }

    /// Keeps a step that waits for the second half of the core; gives back any other.
    fn hold(&mut self, step: Step) -> Option<Step> {
        if self.features.own.here {
            return Some(step);
        }
        if home::leaves_send(&step, &self.held) {
            self.held.push(Step::Signal(Signal::ViewLeft(View::WalletSend)));
        }
        if !home::is_needed(&step) {
            return Some(step);
        }
        if !std::mem::replace(&mut self.home_asked, true) {
            self.ask_home();
        }
        if !home::is_known(&step, &self.held) {
            if let Some(ticket) = home::ticket_of(&step) {
                self.held_calls.push((self.now + HOME_WAIT, ticket));
                if self.held_calls.len() == 1 {
                    self.alarms.insert(Timer::HomeWait, self.now + HOME_WAIT);
                }
            }
            self.held.push(step);
        }
        None
    }

    /// The host's calls that waited long enough are refused, and nothing comes of them later.
    fn give_up_calls(&mut self) {
        let due = self.held_calls.iter().take_while(|(end, _)| *end <= self.now).count();
        for (_, ticket) in self.held_calls.drain(..due) {
            self.held.retain(|step| home::ticket_of(step) != Some(ticket));
            let answer = HostAnswer::Rejected { error: CallFault::HomeUnavailable.into() };
            self.next_effect += 1;
            self.effects.push(Effect { id: self.next_effect, operation: Operation::AnswerHost { ticket, answer } });
        }
        if let Some((end, _)) = self.held_calls.first() {
            self.alarms.insert(Timer::HomeWait, *end);
        }
    }

    fn ask_home(&mut self) {
        self.next_effect += 1;
        self.waiting.insert(self.next_effect, Asked::Home);
        self.effects.push(Effect { id: self.next_effect, operation: Operation::LoadHome });
    }

    fn turn(&mut self, first: Step) {
        let mut steps = vec![first];
        let mut calls = Vec::new();
        for _ in 0..LONGEST_TURN {
            let step = match (steps.is_empty(), calls.is_empty()) {
                (false, _) => steps.remove(0),
                // What was asked of chains in this turn travels together.
                (true, false) => Step::Calls(std::mem::take(&mut calls)),
                (true, true) => break,
            };
            let Some(step) = self.hold(step) else { continue };
            let facts = self.features.facts();
            let mut cx = Cx::new(self.now, &facts);
            let answers = self.features.step(step, &mut cx);
            let Cx { asks, calls: asked_calls, alarms, signals, .. } = cx;
            calls.extend(asked_calls);
            for (timer, at) in alarms {
                match at {
                    Some(at) => self.alarms.insert(timer, at),
                    None => drop(self.alarms.remove(&timer)),
                }
            }
            for (operation, asked) in asks {
                self.next_effect += 1;
                self.waiting.insert(self.next_effect, asked);
                self.effects.push(Effect { id: self.next_effect, operation });
            }
            steps.extend(signals.into_iter().map(Step::Signal));
            steps.extend(answers.into_iter().map(|(asked, answer)| Step::Answer(asked, answer)));
        }
    }

    /// The whole snapshot.
    pub fn snapshot(&self) -> Snapshot {
        let facts = self.features.facts();
        self.features.snapshot(&facts, self.features.connect.wallets(&facts))
    }

    /// Appends the fields of [`Snapshot`] that changed since the last call, as JSON; the others are left out. The first time it tells all that
    /// is there.
    pub fn write_changes(&mut self, out: &mut String) {
        let facts = self.features.facts();
        let features = &self.features;
        let told = &mut self.told;
        out.push('{');
        told.tell("config", &features.config.view(), out);
        told.tell("modal", &features.modal.view(&facts), out);
        told.tell("notice", &features.notice.view(&facts), out);
        told.tell("connect", &features.connect.view(&facts), out);
        if told.network != Some(features.network.revision()) {
            told.network = Some(features.network.revision());
            told.tell("network", &features.network.view(), out);
        }
        let tokens = features.own.account.tokens_revision();
        let account = to_text(&features.account_view(Extent::Coin));
        if told.tokens != tokens || told.account != account {
            told.tokens = tokens;
            told.account = account;
            told.tell("account", &features.account_view(Extent::Whole), out);
        }
        let key =
            (features.connect.revision(), facts.connected.len(), facts.active_namespace, Rc::as_ptr(&facts.options));
        if told.wallets != Some(key) {
            told.wallets = Some(key);
            told.tell("wallets", &features.connect.wallets(&facts), out);
            told.tell("directory", &features.connect.directory_view(&facts), out);
        }
        if let Some(home) = self.features.home() {
            home.tell(&mut self.told, &facts, out);
        }
        out.push('}');
    }
}

impl Told {
    /// Not by `dyn`: what writes the views of the second half is in no table of the first.
    pub(crate) fn tell(&mut self, feature: &'static str, view: &impl Write, out: &mut String) {
        let mut text = String::new();
        view.write(&mut text);
        self.keep(feature, text, out);
    }

    #[inline(never)]
    fn keep(&mut self, feature: &'static str, text: String, out: &mut String) {
        if self.texts.get(feature) == Some(&text) {
            return;
        }
        if !out.ends_with('{') {
            out.push(',');
        }
        write_text(feature, out);
        out.push(':');
        out.push_str(&text);
        self.texts.insert(feature, text);
    }
}

impl Features {
    /// What every feature may know, made anew.
    pub fn facts(&self) -> Facts {
        let active_namespace = self.network.active_namespace();
        let account = active_namespace.and_then(|namespace| self.connect.connection(namespace));
        let accounts = self.connect.accounts();
        let options = self.config.options();
        Facts {
            mobile: self.environment.mobile,
            origin: self.environment.origin.as_str().into(),
            active_namespace,
            active_network: self.network.active().cloned(),
            unsupported: self.network.is_unsupported(),
            chains: self.network.chains(),
            smart_account: account.is_some_and(|connection| connection.kind(&options) == AccountKind::SmartAccount),
            price: self.network.active().and_then(|network| self.own.account.price(&network.caip_network_id)),
            account: active_namespace
                .and_then(|active| accounts.iter().find(|account| account.namespace == active))
                .cloned(),
            accounts,
            connected: self.connect.connected(),
            networks: self.network.all(),
            modal_open: self.modal.is_open() || options.embedded,
            connecting_shown: (self.modal.is_open() || options.embedded)
                && self.modal.holds(modal::View::ConnectingExternal),
            attempting: self.connect.has_attempt(),
            sign_in_due: options.siwx && options.sign_in_required && account.is_some(),
            options,
        }
    }

    fn snapshot(&self, facts: &Facts, wallets: connect::Wallets) -> Snapshot {
        // What is not told before the second half is there stands as in the idle page.
        let nothing = Facts::default();
        let idle = Features::default();
        let (own, known) = if self.own.here { (self, facts) } else { (&idle, &nothing) };
        Snapshot {
            config: self.config.view(),
            modal: self.modal.view(facts),
            notice: self.notice.view(facts),
            connect: self.connect.view(facts),
            wallets,
            directory: self.connect.directory_view(facts),
            network: self.network.view(),
            account: self.account_view(Extent::Whole),
            nfts: self.own.account.nfts().view().cloned(),
            activity: self.own.activity.view().cloned(),
            name: own.own.name.view(known),
            send: own.send_view(known),
        }
    }

    fn account_view(&self, extent: Extent) -> account::View {
        self.own.account.view(&self.connect, &self.network, &self.config.options(), extent)
    }

    pub(crate) fn send_view(&self, facts: &Facts) -> send::View {
        self.own.send.view(self.native_balance(facts), facts)
    }

    pub(crate) fn native_balance(&self, facts: &Facts) -> Option<portico_terms::Amount> {
        facts.active_namespace.and_then(|namespace| self.own.account.native_balance(namespace))
    }

    /// What a feature does about a step stays a function of its own (`inline(never)`): a browser compiles a function whole when it is
    /// first called, and what a first open does not need is not compiled before it.
    fn step(&mut self, step: Step, cx: &mut Cx) -> Vec<crate::rpc::Answered> {
        match step {
            Step::Begin => {
                self.config.report(cx);
                self.connect.begin(cx);
                // What is embedded is to be seen without anybody opening it.
                if cx.facts.options.embedded {
                    self.connect.directory_opened(cx);
                }
            }
            Step::Event(event) => self.update(event, cx),
            Step::Outcome(asked, outcome) => {
                self.warned.look(&outcome, cx);
                self.answered(asked, http::result(outcome), cx);
            }
            Step::Answer(asked, answer) => self.answered(asked, answer, cx),
            Step::Batch(batch, outcome) => {
                if self.rpc.is_ours(batch, cx.facts) {
                    self.warned.look(&outcome, cx);
                }
                return self.rpc.answered(batch, outcome, cx);
            }
            Step::Alarm(Timer::RpcRetry) => return self.rpc.alarm(cx),
            Step::Alarm(timer) => self.alarm(timer, cx),
            Step::Signal(signal) => reactions::react(self, signal, cx),
            Step::Calls(calls) => return self.rpc.send(calls, cx),
        }
        Vec::new()
    }

    fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::Config(event) => self.config.update(event, cx),
            Event::Modal(event) => self.modal.update(event, cx),
            Event::Notice(event) => self.notice.update(event, cx),
            Event::Connect(event) => self.connect.update(event, cx),
            Event::Network(network::Event::ChainChanged { handle, chain }) => {
                // Only the wallet in use may change the network in use.
                if cx.facts.account.as_ref().is_some_and(|account| account.handle == handle) {
                    self.network.update(network::Event::ChainChanged { handle, chain }, cx);
                }
            }
            Event::Network(event) => self.network.update(event, cx),
            event => {
                if let Some(home) = self.home() {
                    home.update(event, cx);
                }
            }
        }
    }

    fn answered(&mut self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Asked::Nothing | Asked::Rpc(_) | Asked::Home => {}
            Asked::Analytics(analytics::Asked::Taken) => self.analytics.answered(answer),
            Asked::Connect(asked) => self.connect.answered(asked, answer, cx),
            Asked::Network(asked) => self.network.answered(asked, answer, cx),
            asked => {
                if let Some(home) = self.home() {
                    home.answered(asked, answer, cx);
                }
            }
        }
    }

    fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::ShakeEnd => self.modal.alarm(timer),
            Timer::SnackEnd | Timer::SnackSwitch => self.notice.alarm(timer, cx),
            Timer::ConnectSlow | Timer::ReconnectEnd | Timer::DisconnectEnd | Timer::WalletSearch => {
                self.connect.alarm(timer, cx)
            }
            Timer::SwitchSlow => self.network.slow(),
            Timer::RpcRetry | Timer::HomeRetry | Timer::HomeWait => {}
            timer => {
                if let Some(home) = self.home() {
                    home.alarm(timer, cx);
                }
            }
        }
    }
}
