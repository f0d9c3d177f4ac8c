//! What waits for parts that are not there yet.

use super::{Part, Parts, asks_for, ticket_of};
use crate::app::Step;
use crate::modal::View;
use crate::signal::Signal;

/// Milliseconds after which a part is asked for again, when it could not be had: twice as long each time, up to the second.
const RETRY: (u64, u64) = (3_000, 60_000);

/// Milliseconds that a call of the host waits for a part.
const WAIT: u64 = 30_000;

/// What waits, and for what.
#[derive(Debug, Default)]
pub(crate) struct PartQueue {
    /// In their order, each with what it waits for.
    steps: Vec<(Part, Step)>,
    /// The host's calls among them, each with when it has waited long enough.
    calls: Vec<(u64, u32)>,
    /// What was ever asked for: from then on that goes on by itself.
    asked: Parts,
    /// What could not be had: it is asked for again then. How long that is from the time before stays, so that the next time is later.
    late: Vec<Late>,
}

#[derive(Debug)]
struct Late {
    part: Part,
    wait: u64,
    /// `None` while it is asked for.
    again: Option<u64>,
}

impl PartQueue {
    /// Keeps a step; the parts that nobody has asked for yet are to be asked for.
    pub fn keep(&mut self, part: Part, step: Step, now: u64) -> Vec<Part> {
        if !self.is_known(&step) {
            self.calls.extend(ticket_of(&step).map(|ticket| (now + WAIT, ticket)));
            self.steps.push((part, step));
        }
        [Part::Home, part].into_iter().filter(|part| self.asked.insert(*part)).collect()
    }

    /// Whether what is kept says it already: who is there, and who is looked at, is what it is in the end, however often it changed.
    fn is_known(&self, step: &Step) -> bool {
        let Step::Signal(signal @ (Signal::AccountChanged { .. } | Signal::AccountShown | Signal::PairingShown)) = step
        else {
            return false;
        };
        self.steps.iter().any(|(_, step)| matches!(step, Step::Signal(known) if known == signal))
    }

    /// A form that was asked for is not for what follows: another account or network, or a form that was left.
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

    /// The forms that were asked for and not left since.
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

    /// The steps that waited for what is there now.
    pub fn came(&mut self, part: Part, here: Parts) -> Vec<Step> {
        self.late.retain(|late| late.part != part);
        let steps = std::mem::take(&mut self.steps);
        let (gone, kept): (Vec<_>, Vec<_>) = steps.into_iter().partition(|(part, _)| here.open(*part));
        self.steps = kept;
        let PartQueue { steps, calls, .. } = self;
        calls.retain(|(_, ticket)| steps.iter().any(|(_, step)| ticket_of(step) == Some(*ticket)));
        gone.into_iter().map(|(_, step)| step).collect()
    }

    /// A part could not be had. Whether that is news: nothing else was missing.
    pub fn missed(&mut self, part: Part, now: u64) -> bool {
        let news = self.late.is_empty();
        let known = self.late.iter().position(|late| late.part == part);
        let wait = known.map_or(0, |place| self.late.remove(place).wait * 2).clamp(RETRY.0, RETRY.1);
        self.late.push(Late { part, wait, again: Some(now + wait) });
        news
    }

    /// When a part is asked for again.
    pub fn next_retry(&self) -> Option<u64> {
        self.late.iter().filter_map(|late| late.again).min()
    }

    /// The parts that are to be asked for again now.
    pub fn due(&mut self, now: u64) -> Vec<Part> {
        let due = self.late.iter_mut().filter(|late| late.again.is_some_and(|again| again <= now));
        due.map(|late| {
            late.again = None;
            late.part
        })
        .collect()
    }

    /// When a call of the host has waited long enough.
    pub fn next_end(&self) -> Option<u64> {
        self.calls.first().map(|(end, _)| *end)
    }

    /// The host's calls that waited long enough: nothing comes of them later.
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
        // Two accounts, one look, the send and that it was left.
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
        assert_eq!(held.next_end(), None, "no call waits any more");
    }

    #[test]
    fn each_part_has_its_own_time_to_be_asked_for_again() {
        let mut held = PartQueue::default();
        assert_eq!(held.keep(Part::Send, Step::Signal(send()), 0), [Part::Home, Part::Send]);
        assert_eq!(held.keep(Part::Send, Step::Signal(send()), 0), []);
        assert!(held.missed(Part::Home, 0));
        assert!(!held.missed(Part::Send, 1_000), "it is said once that something is missing");
        assert_eq!(held.next_retry(), Some(3_000));
        assert_eq!(held.due(3_000), [Part::Home]);
        assert_eq!(held.next_retry(), Some(4_000));
        assert!(!held.missed(Part::Home, 3_500));
        assert_eq!((held.due(4_000), held.next_retry()), (vec![Part::Send], Some(9_500)));
        held.came(Part::Home, Parts::default());
        held.came(Part::Send, Parts::default());
        assert!(held.missed(Part::Send, 9_000), "what came and is missing again is news");
    }
}
