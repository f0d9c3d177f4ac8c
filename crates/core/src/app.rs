//! Loop of the core: takes an event, an outcome or an alarm; returns effects, the time of the next alarm and a snapshot.

mod dispatch;
mod event;
mod features;
mod parts;
mod sent;

pub(crate) use event::Step;
pub use event::{Event, Reason};
pub(crate) use features::Features;
pub(crate) use sent::SentViews;

use crate::analytics::{Analytics, PageInfo};
use crate::boot::Boot;
use crate::config::Config;
use crate::connect::Connect;
use crate::cx::Cx;
use crate::effect::{Effect, Outcome};
use crate::home::Own;
use crate::http::Warned;
use crate::modal::Modal;
use crate::network::Networks;
use crate::notice::Notice;
use crate::part::{self, PartQueue};
use crate::rpc::Rpc;
use crate::snapshot::Snapshot;
use crate::storage;
use crate::timer::Timer;
use portico_json::{Map, Read, ReadError, Value};
use std::fmt;

/// Maximum number of steps in a turn. A longer turn is an endless loop of signals: it is cut off, and the state stays valid.
const LONGEST_TURN: usize = 10_000;

/// State machine with all rules of the widget, without I/O.
#[derive(Default)]
pub struct App {
    features: Features,
    now: u64,
    effects: Vec<Effect>,
    next_effect: u32,
    waiting: Map<u32, Reason>,
    alarms: Map<Timer, u64>,
    sent: SentViews,
    skipped: u32,
    /// Steps that wait for parts whose modules are not loaded yet.
    held: PartQueue,
}

impl fmt::Debug for App {
    /// Short form: the state of all features fills pages, and contains data that must not be logged.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (waiting, alarms) = (self.waiting.values().count(), &self.alarms);
        formatter
            .debug_struct("App")
            .field("now", &self.now)
            .field("waiting", &waiting)
            .field("alarms", alarms)
            .field("skipped", &self.skipped)
            .finish_non_exhaustive()
    }
}

impl App {
    /// Creates the core from the host's options and the stored values. The first effects are ready for [`App::take_effects`].
    pub fn boot(boot: Boot, now: u64) -> App {
        let stored = storage::read(&boot.stored);
        let config = Config::new(&boot.options);
        let options = config.options();
        let features = Features {
            network: Networks::new(&options, stored.network.as_ref()),
            connect: Connect::new(&stored, options.reconnect),
            own: Own::new(stored),
            config,
            place: PageInfo { seed: boot.environment.seed.clone(), page: boot.environment.page.clone() },
            environment: boot.environment.into(),
            // Each field by name: `..Features::default()` would compile in the code that drops all features, which never runs.
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
            sent: SentViews::default(),
            skipped: 0,
            held: PartQueue::default(),
        };
        app.turn(Step::Begin);
        app
    }

    /// Handles an event.
    pub fn dispatch(&mut self, event: Event, now: u64) {
        self.at(now);
        self.turn(Step::Event(event));
    }

    /// Handles an event given as JSON. Events of home and the parts are parsed there (`#[json(late)]`); invalid ones are ignored.
    pub fn dispatch_json(&mut self, event: &Value, now: u64) -> Result<(), ReadError> {
        if let Some(part) = event::part_that_reads(event.get("feature").as_str().unwrap_or_default()) {
            self.at(now);
            self.turn(Step::Unread(part, event.clone()));
        } else {
            self.dispatch(Event::read(event)?, now);
        }
        Ok(())
    }

    /// Handles the outcome of an effect. Unknown and repeated ids are ignored.
    pub fn resolve(&mut self, id: u32, outcome: Outcome, now: u64) {
        self.at(now);
        match self.waiting.remove(&id) {
            None | Some(Reason::Nothing) => {}
            Some(Reason::Part(part)) => self.part_answered(part, &outcome),
            Some(Reason::Rpc(batch)) => self.turn(Step::Batch(batch, outcome)),
            Some(asked) => self.turn(Step::Outcome(asked, outcome)),
        }
    }

    /// Rings the alarms that are due.
    pub fn tick(&mut self, now: u64) {
        self.at(now);
        let due: Vec<Timer> = self.alarms.iter().filter(|(_, at)| **at <= self.now).map(|(timer, _)| *timer).collect();
        for timer in due {
            // An earlier alarm of this call may have stopped or moved it.
            if self.alarms.get(&timer).is_some_and(|at| *at <= self.now) {
                self.alarms.remove(&timer);
                match timer {
                    Timer::Part(part::Alarm::Retry) => {
                        let due = self.held.due(self.now);
                        self.ask_parts(due);
                    }
                    Timer::Part(part::Alarm::Wait) => self.give_up_calls(),
                    timer => self.turn(Step::Alarm(timer)),
                }
            }
        }
    }

    /// Sets the time. If the clock steps back, the time stays as it was.
    fn at(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// Returns the effects ordered since the last call.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Time at which [`App::tick`] is due, in epoch milliseconds; `None` without an alarm.
    pub fn next_timeout(&self) -> Option<u64> {
        self.alarms.values().min().copied()
    }

    /// Number of list items left out of responses of the host's server because they did not fit their type.
    pub fn skipped_items(&self) -> u32 {
        self.skipped
    }

    fn turn(&mut self, first: Step) {
        let mut steps = vec![first];
        let mut calls = Vec::new();
        for _ in 0..LONGEST_TURN {
            let step = match (steps.is_empty(), calls.is_empty()) {
                (false, _) => steps.remove(0),
                // All chain reads of a turn are sent in one batch.
                (true, false) => Step::Reads(std::mem::take(&mut calls)),
                (true, true) => break,
            };
            let Some(step) = self.hold(step) else { continue };
            let facts = self.features.facts();
            let mut cx = Cx::new(self.now, &facts);
            let answers = self.features.step(step, &mut cx);
            let Cx { asks, calls: asked_calls, alarms, signals, skipped, .. } = cx;
            self.skipped = self.skipped.saturating_add(skipped);
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

    /// Returns the whole snapshot.
    pub fn snapshot(&self) -> Snapshot {
        let facts = self.features.facts();
        self.features.snapshot(&facts, self.features.connect.wallets(&facts))
    }
}
