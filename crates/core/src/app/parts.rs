//! Loading of parts on demand (decision 7), and the steps that wait for them.

use super::{App, Reason, Step};
use crate::effect::{Effect, HostAnswer, Operation, Outcome};
use crate::fault::CallFault;
use crate::home::Home;
use crate::notice::AlertKey;
use crate::part::{self, Part};
use crate::signal::Signal;
use crate::timer::Timer;

impl App {
    /// Handles the outcome of loading a part: runs the steps that waited for it, or schedules a retry.
    pub(super) fn part_answered(&mut self, part: Part, outcome: &Outcome) {
        if let Outcome::Failed { .. } = outcome {
            let news = self.held.missed(part, self.now);
            self.set_part_alarms();
            if news {
                self.turn(Step::Signal(Signal::Warn(AlertKey::HomeUnavailable, String::new())));
            }
            if matches!(part, Part::Home | Part::Siwx) {
                self.turn(Step::Signal(Signal::SignInMissing));
            }
            return;
        }
        if self.features.own.here.insert(part) && part == Part::Home {
            Home(&mut self.features).begin();
        }
        let steps = self.held.came(part, self.features.own.here);
        if self.held.is_whole() {
            self.features.notice.withdraw(AlertKey::HomeUnavailable);
        }
        self.set_part_alarms();
        for step in steps {
            self.turn(step);
        }
    }

    /// Queues a step whose part is not loaded; returns any other step. Refuses a host's call whose part is switched off.
    pub(super) fn hold(&mut self, step: Step) -> Option<Step> {
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

    /// Rejects the host's calls whose time limit for a part is over, and drops their steps.
    pub(super) fn give_up_calls(&mut self) {
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

    pub(super) fn ask_parts(&mut self, parts: Vec<Part>) {
        for part in parts {
            self.next_effect += 1;
            self.waiting.insert(self.next_effect, Reason::Part(part));
            self.effects.push(Effect { id: self.next_effect, operation: Operation::LoadPart { part } });
        }
        self.set_part_alarms();
    }

    fn set_part_alarms(&mut self) {
        for (timer, at) in [(part::Alarm::Retry, self.held.next_retry()), (part::Alarm::Wait, self.held.next_end())]
            .map(|(alarm, at)| (Timer::Part(alarm), at))
        {
            match at {
                Some(at) => self.alarms.insert(timer, at),
                None => drop(self.alarms.remove(&timer)),
            }
        }
    }
}
