//! Queue of steps that wait for parts that are not loaded yet.

use super::{Part, Parts, asks_for, ticket_of};
use crate::app::Step;
use crate::modal::View;
use crate::signal::Signal;

/// First and longest delay before a part that did not load is fetched again, in milliseconds; the delay doubles each time.
const RETRY: (u64, u64) = (3_000, 60_000);

/// Time limit of a host's call that waits for a part, in milliseconds.
const WAIT: u64 = 30_000;

/// Maximum number of waiting steps. Beyond it only calls of the host are queued: a wallet may report changes without end.
const MOST_STEPS: usize = 1_000;

/// Waiting steps, and the parts that they wait for.
#[derive(Debug, Default)]
pub(crate) struct PartQueue {
    /// Waiting steps in their order, each with its part.
    steps: Vec<(Part, Step)>,
    /// Tickets of the host's calls among them, each with the time at which it is given up.
    calls: Vec<(u64, u32)>,
    /// Parts that were ever requested: a failed one is retried by itself.
    asked: Parts,
    /// Parts that did not load, with the time of the next try and the last delay, from which the next delay is computed.
    late: Vec<Late>,
}

#[derive(Debug)]
struct Late {
    part: Part,
    wait: u64,
    /// Time of the next try; `None` while the part is being fetched.
    again: Option<u64>,
}

impl PartQueue {
    /// Queues a step. Returns the parts that have to be requested because they never were.
    pub fn keep(&mut self, part: Part, step: Step, now: u64) -> Vec<Part> {
        let ticket = ticket_of(&step);
        if !self.is_known(&step) && (ticket.is_some() || self.steps.len() < MOST_STEPS) {
            self.calls.extend(ticket.map(|ticket| (now + WAIT, ticket)));
            self.steps.push((part, step));
        }
        [Part::Home, part].into_iter().filter(|part| self.asked.insert(*part)).collect()
    }

    /// Whether the queue already contains an equal signal. Only for signals that describe the latest state, so that one is enough.
    fn is_known(&self, step: &Step) -> bool {
        let Step::Signal(
            signal @ (Signal::AccountChanged { .. }
            | Signal::AccountShown
            | Signal::LoginOffered
            | Signal::PairingShown
            | Signal::FormAsked { part: Part::Siwx, .. }),
        ) = step
        else {
            return false;
        };
        self.steps.iter().any(|(_, step)| matches!(step, Step::Signal(known) if known == signal))
    }

    /// Queues that a waiting form was left, if the step leaves it or changes the account or network.
    pub fn look(&mut self, step: &Step) {
        let Step::Signal(signal) = step else { return };
        let left = match signal {
            Signal::AccountSwitched { .. }
            | Signal::Disconnected { .. }
            | Signal::NetworkSwitched { .. }
            | Signal::NetworkUnsupported
            | Signal::ModalClosed => None,
            Signal::ViewLeft(view) => Some(*view),
            _ => return,
        };
        for (part, form) in self.open_forms() {
            if left.is_none_or(|left| left == form) {
                self.steps.push((part, Step::Signal(Signal::ViewLeft(form))));
            }
        }
    }

    /// Forms that wait to be shown and were not left since.
    fn open_forms(&self) -> Vec<(Part, View)> {
        let mut open: Vec<(Part, View)> = Vec::new();
        for (part, step) in &self.steps {
            let Some(form) = part.form() else { continue };
            if asks_for(step).is_some() || is_left(step, form) {
                open.retain(|(other, _)| other != part);
            }
            open.extend(asks_for(step).is_some().then_some((*part, form)));
        }
        open
    }

    /// Takes out the steps whose part is loaded now.
    pub fn came(&mut self, part: Part, here: Parts) -> Vec<Step> {
        self.late.retain(|late| late.part != part);
        let steps = std::mem::take(&mut self.steps);
        let (gone, kept): (Vec<_>, Vec<_>) = steps.into_iter().partition(|(part, _)| here.open(*part));
        self.steps = kept;
        let PartQueue { steps, calls, .. } = self;
        calls.retain(|(_, ticket)| steps.iter().any(|(_, step)| ticket_of(step) == Some(*ticket)));
        gone.into_iter().map(|(_, step)| step).collect()
    }

    /// Notes that a part did not load. Returns true if no other part was missing, so that the failure is reported once.
    pub fn missed(&mut self, part: Part, now: u64) -> bool {
        let news = self.late.is_empty();
        let known = self.late.iter().position(|late| late.part == part);
        let wait = known.map_or(0, |place| self.late.remove(place).wait * 2).clamp(RETRY.0, RETRY.1);
        self.late.push(Late { part, wait, again: Some(now + wait) });
        news
    }

    /// Whether no part failed to load, or all of those came later.
    pub fn is_whole(&self) -> bool {
        self.late.is_empty()
    }

    /// Time at which a part is fetched again.
    pub fn next_retry(&self) -> Option<u64> {
        self.late.iter().filter_map(|late| late.again).min()
    }

    /// Parts that have to be fetched again now.
    pub fn due(&mut self, now: u64) -> Vec<Part> {
        let due = self.late.iter_mut().filter(|late| late.again.is_some_and(|again| again <= now));
        due.map(|late| {
            late.again = None;
            late.part
        })
        .collect()
    }

    /// Time at which the next call of the host is given up.
    pub fn next_end(&self) -> Option<u64> {
        self.calls.first().map(|(end, _)| *end)
    }

    /// Drops the steps of the host's calls whose time is over, and returns the tickets of these calls.
    pub fn give_up(&mut self, now: u64) -> Vec<u32> {
        let due = self.calls.iter().take_while(|(end, _)| *end <= now).count();
        let over: Vec<u32> = self.calls.drain(..due).map(|(_, ticket)| ticket).collect();
        self.steps.retain(|(_, step)| !ticket_of(step).is_some_and(|ticket| over.contains(&ticket)));
        over
    }
}

fn is_left(step: &Step, form: View) -> bool {
    matches!(step, Step::Signal(Signal::ViewLeft(view)) if *view == form)
}

#[cfg(test)]
mod tests {
    use super::super::needed_for;
    use super::*;
    use portico_json::Value;
    use portico_terms::Namespace;

    fn hold(held: &mut PartQueue, signal: Signal) {
        let step = Step::Signal(signal);
        held.look(&step);
        if let Some(part) = needed_for(&step) {
            held.keep(part, step, 0);
        }
    }

    fn send() -> Signal {
        Signal::FormAsked { part: Part::Send, arguments: Value::Null, ticket: Some(7) }
    }

    #[test]
    fn what_waits_does_not_grow_with_what_a_wallet_does_again_and_again() {
        let mut held = PartQueue::default();
        for round in 0..100 {
            for namespace in [Namespace::Eip155, Namespace::Solana] {
                for signal in [
                    Signal::AccountSwitched { namespace },
                    Signal::AccountChanged { namespace },
                    Signal::AccountShown,
                    Signal::NetworkUnsupported,
                    Signal::ModalClosed,
                ] {
                    hold(&mut held, signal);
                }
            }
            if round == 50 {
                hold(&mut held, send());
            }
        }
        // Two changed accounts, one shown account, the send form, and the signal that it was left.
        assert_eq!(held.steps.len(), 5, "{:?}", held.steps);
        assert!(held.steps.last().is_some_and(|(_, step)| is_left(step, View::WalletSend)));
    }

    #[test]
    fn a_form_is_left_by_its_own_view_alone() {
        let mut held = PartQueue::default();
        hold(&mut held, send());
        hold(&mut held, Signal::ViewLeft(View::WalletSendPreview));
        assert_eq!(held.open_forms(), [(Part::Send, View::WalletSend)]);
        hold(&mut held, Signal::ViewLeft(View::WalletSend));
        assert_eq!(held.open_forms(), []);
        hold(&mut held, send());
        assert_eq!(held.open_forms(), [(Part::Send, View::WalletSend)]);
    }

    #[test]
    fn a_step_goes_on_when_its_part_and_home_are_there_and_not_before() {
        let mut held = PartQueue::default();
        let mut here = Parts::default();
        hold(&mut held, send());
        hold(&mut held, Signal::AccountShown);
        here.insert(Part::Send);
        assert!(held.came(Part::Send, here).is_empty());
        here.insert(Part::Home);
        assert_eq!(held.came(Part::Home, here).len(), 2);
        assert_eq!(held.next_end(), None, "no call is waiting");
    }

    #[test]
    fn each_part_has_its_own_time_to_be_asked_for_again() {
        let mut held = PartQueue::default();
        assert_eq!(held.keep(Part::Send, Step::Signal(send()), 0), [Part::Home, Part::Send]);
        assert_eq!(held.keep(Part::Send, Step::Signal(send()), 0), []);
        assert!(held.missed(Part::Home, 0));
        assert!(!held.missed(Part::Send, 1_000), "the failure is reported once");
        assert_eq!(held.next_retry(), Some(3_000));
        assert_eq!(held.due(3_000), [Part::Home]);
        assert_eq!(held.next_retry(), Some(4_000));
        assert!(!held.missed(Part::Home, 3_500));
        assert_eq!((held.due(4_000), held.next_retry()), (vec![Part::Send], Some(9_500)));
        held.came(Part::Home, Parts::default());
        held.came(Part::Send, Parts::default());
        assert!(held.missed(Part::Send, 9_000), "a new failure after a success is reported");
    }
}
