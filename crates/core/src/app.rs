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
use crate::home::Own;
use crate::http::{self, Warned};
use crate::modal::Modal;
use crate::network::Networks;
use crate::notice::{AlertKey, Notice};
use crate::part::{self, Held, Part};
use crate::rpc::{Call, Rpc};
use crate::signal::Signal;
use crate::snapshot::Snapshot;
use crate::timer::Timer;
use crate::{
    account, activity, analytics, config, connect, modal, name, network, notice, onramp, reactions, send, storage, swap,
};
use portico_json::{Json, Map, Read, ReadError, Value, Write, to_text, write_text};
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
    #[json(late)]
    Send(send::Event),
    /// See [`onramp::Event`].
    #[json(late)]
    Onramp(onramp::Event),
    /// See [`swap::Event`].
    #[json(late)]
    Swap(swap::Event),
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
    /// See [`onramp::Asked`].
    Onramp(onramp::Asked),
    /// See [`swap::Asked`].
    Swap(swap::Asked),
    /// See [`analytics::Asked`].
    Analytics(analytics::Asked),
    /// A batch of calls, by its number.
    Rpc(u32),
    /// A part of the core.
    Part(Part),
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
    Onramp: onramp::Asked,
    Send: send::Asked,
    Swap: swap::Asked
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
    Unread(Part, Value),
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
    /// What waits for parts of the core that are not there yet.
    held: Held,
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
    /// A list of tokens: the same.
    pub(crate) send_tokens: Option<Option<TokensKey>>,
}

pub(crate) type TokensKey = (
    u32,
    account::BalanceState,
    Option<portico_terms::Amount>,
    Option<portico_terms::Price>,
    Option<*const portico_terms::Network>,
    (String, usize),
);

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
            // Each by its name: `..Features::default()` would bring what takes all features apart, which is never done.
            modal: Modal::default(),
            notice: Notice::default(),
            rpc: Rpc::default(),
            warned: Warned::default(),
            analytics: Analytics::default(),
        };
        let mut app = App {
            features,
            now,
            effects: Vec::new(),
            next_effect: 0,
            waiting: Map::default(),
            alarms: Map::default(),
            told: Told::default(),
            held: Held::default(),
        };
        app.turn(Step::Begin);
        app
    }

    /// Something happened.
    pub fn dispatch(&mut self, event: Event, now: u64) {
        self.at(now);
        self.turn(Step::Event(event));
    }

    /// The same, as JSON tells it. What is of a part is read there (`#[json(late)]`), and nonsense is then heard by nobody.
    pub fn hear(&mut self, event: &Value, now: u64) -> Result<(), ReadError> {
        let part = Part::from_word(event.get("feature").as_str().unwrap_or_default());
        if let Some(part) = part.filter(|part| *part != Part::Home) {
            self.at(now);
            self.turn(Step::Unread(part, event.get("event").clone()));
        } else {
            self.dispatch(Event::read(event)?, now);
        }
        Ok(())
    }

    /// An effect was answered. Unknown and repeated ids are ignored.
    pub fn resolve(&mut self, id: u32, outcome: Outcome, now: u64) {
        self.at(now);
        match self.waiting.remove(&id) {
            None | Some(Asked::Nothing) => {}
            Some(Asked::Part(part)) => self.part_answered(part, &outcome),
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
                    Timer::PartRetry => {
                        let due = self.held.due(self.now);
                        self.ask_parts(due);
                    }
                    Timer::PartWait => self.give_up_calls(),
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

    /// A part of the core is there, and what waited for it goes on; or it could not be had, and is asked for again.
    fn part_answered(&mut self, part: Part, outcome: &Outcome) {
        if let Outcome::Failed { .. } = outcome {
            let news = self.held.missed(part, self.now);
            self.set_part_alarms();
            if news {
                self.turn(Step::Signal(Signal::Warn(AlertKey::HomeUnavailable, String::new())));
            }
            return;
        }
        self.features.own.here.insert(part);
        let steps = self.held.came(part, self.features.own.here);
        self.set_part_alarms();
        for step in steps {
            self.turn(step);
        }
    }

    /// Keeps a step that waits for a part of the core; gives back any other.
    fn hold(&mut self, step: Step) -> Option<Step> {
        self.held.look(&step);
        let Some(part) = part::needed_for(&step).filter(|part| !self.features.own.here.open(*part)) else {
            return Some(step);
        };
        if !part.is_wanted(&self.features.config.options().features) {
            let ticket = part::ticket_of(&step);
            self.refuse(ticket, CallFault::FeatureOff);
            return None;
        }
        let missing = self.held.keep(part, step, self.now);
        self.ask_parts(missing);
        None
    }

    /// The host's calls that waited long enough are refused, and nothing comes of them later.
    fn give_up_calls(&mut self) {
        for ticket in self.held.give_up(self.now) {
            self.refuse(Some(ticket), CallFault::HomeUnavailable);
        }
        self.set_part_alarms();
    }

    fn refuse(&mut self, ticket: Option<u32>, fault: CallFault) {
        if let Some(ticket) = ticket {
            let answer = HostAnswer::Rejected { error: fault.into() };
            self.next_effect += 1;
            self.effects.push(Effect { id: self.next_effect, operation: Operation::AnswerHost { ticket, answer } });
        }
    }

    fn ask_parts(&mut self, parts: Vec<Part>) {
        for part in parts {
            self.next_effect += 1;
            self.waiting.insert(self.next_effect, Asked::Part(part));
            self.effects.push(Effect { id: self.next_effect, operation: Operation::LoadPart { part } });
        }
        self.set_part_alarms();
    }

    fn set_part_alarms(&mut self) {
        for (timer, at) in [(Timer::PartRetry, self.held.next_retry()), (Timer::PartWait, self.held.next_end())] {
            match at {
                Some(at) => self.alarms.insert(timer, at),
                None => drop(self.alarms.remove(&timer)),
            }
        }
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
    /// Not by `dyn`: what writes the views of a part is in no table of the first module.
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
            ios: self.environment.ios,
            android: self.environment.android,
            pairing_kept: self.environment.telegram || self.environment.ios && self.environment.safari,
            telegram: self.environment.telegram,
            origin: self.environment.origin.as_str().into(),
            page: self.environment.page.as_str().into(),
            active_namespace,
            active_network: self.network.active().cloned(),
            unsupported: self.network.is_unsupported(),
            chains: self.network.chains(),
            smart_account: account.is_some_and(|connection| connection.kind(&options) == AccountKind::SmartAccount),
            price: self.network.active().and_then(|network| self.own.account.price(&network.caip_network_id)),
            batches: self.own.account.batches(),
            offer: self.own.account.offer(),
            account: active_namespace
                .and_then(|active| accounts.iter().find(|account| account.namespace == active))
                .cloned(),
            accounts,
            connected: self.connect.connected(),
            networks: self.network.all(),
            modal_open: self.modal.is_open() || options.embedded,
            view: if self.modal.is_open() || options.embedded { self.modal.top().word() } else { "" },
            connecting_shown: (self.modal.is_open() || options.embedded)
                && self.modal.holds(modal::View::ConnectingExternal),
            pairing_shown: (self.modal.is_open() || options.embedded) && self.modal.top().pairs(),
            pairing_held: (self.modal.is_open() || options.embedded) && self.modal.holds_code(),
            consent_missing: self.connect.consent(&options) == connect::Consent::Missing,
            attempting: self.connect.has_attempt(),
            sign_in_due: options.siwx && options.sign_in_required && account.is_some(),
            options,
        }
    }

    fn snapshot(&self, facts: &Facts, wallets: connect::Wallets) -> Snapshot {
        // What is not told before its part is there stands as in the idle page.
        let nothing = Facts::default();
        let idle = Features::default();
        let once = |part| if self.own.here.open(part) { (self, facts) } else { (&idle, &nothing) };
        let (own, known) = once(Part::Home);
        let (send, known_to_send) = once(Part::Send);
        let (onramp, known_to_onramp) = once(Part::Onramp);
        let (swap, known_to_swap) = once(Part::Swap);
        Snapshot {
            config: self.config.view(),
            modal: self.modal.view(facts),
            notice: self.notice.view(facts),
            connect: self.connect.view(facts),
            wallets,
            directory: self.connect.directory_view(facts),
            pairing: own.connect.pairing_view(known),
            countdown: own.connect.countdown(known),
            network: self.network.view(),
            account: self.account_view(Extent::Whole),
            nfts: self.own.account.nfts().view().cloned(),
            activity: self.own.activity.view().cloned(),
            name: own.own.name.view(known),
            receive: own.own.account.receive_view(&own.network, known),
            send: send.send_view(known_to_send),
            onramp: onramp.own.onramp.view(known_to_onramp),
            swap: swap.swap_view(known_to_swap),
            swap_tokens: swap.swap_tokens_view(known_to_swap),
            send_tokens: send.send_tokens(known_to_send),
        }
    }

    fn account_view(&self, extent: Extent) -> account::View {
        self.own.account.view(&self.connect, &self.network, &self.config.options(), extent)
    }

    pub(crate) fn send_view(&self, facts: &Facts) -> send::View {
        self.own.send.view(&self.own.account.purse(facts.active_namespace), facts)
    }

    pub(crate) fn swap_view(&self, facts: &Facts) -> swap::View {
        self.own.swap.view(&self.own.account.purse(facts.active_namespace), facts)
    }

    pub(crate) fn swap_tokens_view(&self, facts: &Facts) -> Option<swap::TokensView> {
        self.own.swap.tokens_view(&self.own.account.purse(facts.active_namespace))
    }

    /// What a feature does about a step stays a function of its own (`inline(never)`): a browser compiles a function whole when it is
    /// first called, and what a first open does not need is not compiled before it.
    fn step(&mut self, step: Step, cx: &mut Cx) -> Vec<crate::rpc::Answered> {
        match step {
            Step::Begin => {
                self.config.report(cx);
                self.connect.begin(cx);
                if self.own.send.is_to_resume() {
                    cx.tell(Signal::SendResumed);
                }
                if self.own.swap.is_to_resume() {
                    cx.tell(Signal::SwapResumed);
                }
                // What is embedded is to be seen without anybody opening it.
                if cx.facts.options.embedded {
                    self.connect.directory_opened(cx);
                }
            }
            Step::Event(event) => self.update(event, cx),
            Step::Unread(part, event) => {
                if let Some(home) = self.home() {
                    home.unread(part, &event, cx);
                }
            }
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
            Event::Connect(connect::Event::RelayTold { relay, state, reason }) => {
                self.connect.relay_noted(relay, state, reason);
                if let Some(home) = self.home() {
                    home.relay_told(cx);
                }
            }
            Event::Connect(event) if !event.is_remote() => self.connect.update(event, cx),
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
            Asked::Nothing | Asked::Rpc(_) | Asked::Part(_) => {}
            Asked::Analytics(analytics::Asked::Taken) => self.analytics.answered(answer),
            Asked::Connect(asked) if !asked.is_remote() => self.connect.answered(asked, answer, cx),
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
            Timer::RpcRetry | Timer::PartRetry | Timer::PartWait => {}
            timer => {
                if let Some(home) = self.home() {
                    home.alarm(timer, cx);
                }
            }
        }
    }
}
