//! Runs steps in parallel: each starts once the steps it needs have succeeded and the machine has capacity.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process;
use crate::progress;
use crate::tally::Tally;

/// Result of a step.
#[derive(Default)]
pub struct Done {
    /// Counts of its tests.
    pub tally: Tally,
    /// Failure, if the step did not succeed.
    pub failure: Option<Failure>,
}

/// Step of a test run.
pub struct Step {
    /// Name on the command line and in the table.
    pub name: &'static str,
    /// Steps that must have succeeded before.
    pub needs: &'static [&'static str],
    /// Processor load in halves of a core; a step that mostly waits has 1.
    pub halves: usize,
    /// Whether it compiles into cargo's target folder, which cargo locks, so that only one such step runs at a time.
    pub cargo: bool,
    /// Function of the step; its argument is the list of test name filters.
    pub run: fn(&[String]) -> Done,
    /// Whether it runs tests and applies the filters.
    pub runner: bool,
}

/// Final state of a step.
#[derive(Debug, PartialEq)]
pub enum End {
    /// The step succeeded, with these test counts.
    Worked(Tally),
    /// The step failed, with these test counts.
    Failed(Tally),
    /// The step was not run because this step, which it needs, did not succeed.
    Blocked(&'static str),
}

/// Row of the result table.
pub struct Row {
    pub name: &'static str,
    pub end: End,
    /// Time from start to end.
    pub time: Duration,
}

enum State {
    Waiting,
    Running,
    Ended(End, Duration),
}

/// Runs all steps, in the given order as far as needs and capacity allow. Each step must be listed after those it needs.
pub fn run(steps: &[&Step], words: &[String]) -> Vec<Row> {
    run_on(halves_here(), steps, words)
}

/// Capacity of this machine in halves of a core, plus one half because each step waits at times.
fn halves_here() -> usize {
    2 * thread::available_parallelism().map_or(2, usize::from) + 1
}

fn run_on(halves: usize, steps: &[&Step], words: &[String]) -> Vec<Row> {
    let states: Mutex<Vec<State>> = Mutex::new(steps.iter().map(|_| State::Waiting).collect());
    let ended = Condvar::new();
    thread::scope(|scope| {
        let mut held = states.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            block(steps, &mut held);
            while let Some(at) = next(halves, steps, &held) {
                held[at] = State::Running;
                let (states, ended) = (&states, &ended);
                scope.spawn(move || {
                    let begun = Instant::now();
                    let end = carry_out(steps[at], words);
                    states.lock().unwrap_or_else(PoisonError::into_inner)[at] = State::Ended(end, begun.elapsed());
                    ended.notify_all();
                });
            }
            if held.iter().all(|state| matches!(state, State::Ended(..))) || process::stopping() {
                break;
            }
            held = ended.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    });
    let states = states.into_inner().unwrap_or_else(PoisonError::into_inner);
    let rows = steps.iter().zip(states).filter_map(|(step, state)| match state {
        State::Ended(end, time) => Some(Row { name: step.name, end, time }),
        _ => None,
    });
    rows.collect()
}

/// Marks each waiting step as blocked if a step that it needs did not succeed.
fn block(steps: &[&Step], states: &mut [State]) {
    for at in 0..steps.len() {
        let missed = steps[at].needs.iter().find(|need| {
            let there = steps.iter().position(|step| step.name == **need);
            there.is_none_or(|there| matches!(states[there], State::Ended(End::Failed(_) | End::Blocked(_), _)))
        });
        if let (State::Waiting, Some(need)) = (&states[at], missed) {
            states[at] = State::Ended(End::Blocked(need), Duration::ZERO);
        }
    }
}

/// Index of the first step that may start now.
fn next(halves: usize, steps: &[&Step], states: &[State]) -> Option<usize> {
    let running = || steps.iter().zip(states).filter(|(_, state)| matches!(state, State::Running));
    let taken: usize = running().map(|(step, _)| step.halves).sum();
    let compiling = running().any(|(step, _)| step.cargo);
    let worked = |need: &str| {
        let mut named = steps.iter().zip(states).filter(|(step, _)| step.name == need);
        named.any(|(_, state)| matches!(state, State::Ended(End::Worked(_), _)))
    };
    let may = |step: &Step| {
        (taken == 0 || taken + step.halves <= halves)
            && !(compiling && step.cargo)
            && step.needs.iter().all(|need| worked(need))
    };
    (0..steps.len()).find(|at| matches!(states[*at], State::Waiting) && may(steps[*at]))
}

fn carry_out(step: &Step, words: &[String]) -> End {
    let done = (step.run)(words);
    match done.failure {
        None => End::Worked(done.tally),
        Some(_) if process::stopping() => End::Failed(done.tally),
        Some(failure) => {
            progress::say(&format!("\n{failure}\n"));
            // A step that failed before its first test counts as one failed test.
            End::Failed(if done.tally.failed == 0 { Tally { failed: 1, ..done.tally } } else { done.tally })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    const fn step(name: &'static str, needs: &'static [&'static str], run: fn(&[String]) -> Done) -> Step {
        Step { name, needs, halves: 1, cargo: false, run, runner: false }
    }

    fn fails(_: &[String]) -> Done {
        Done { tally: Tally::default(), failure: Some(Failure::new("No luck.")) }
    }

    fn works(_: &[String]) -> Done {
        Done { tally: Tally { passed: 2, failed: 0 }, failure: None }
    }

    fn ends(rows: Vec<Row>) -> Vec<(&'static str, End)> {
        rows.into_iter().map(|row| (row.name, row.end)).collect()
    }

    #[test]
    fn what_needs_a_step_that_failed_is_not_run_and_says_which() {
        let steps =
            [step("a", &[], fails), step("b", &["a"], |_| unreachable!()), step("c", &["b"], |_| unreachable!())];
        let failed = Tally { passed: 0, failed: 1 };
        assert_eq!(
            ends(run_on(4, &steps.each_ref(), &[])),
            [("a", End::Failed(failed)), ("b", End::Blocked("a")), ("c", End::Blocked("b"))]
        );
    }

    #[test]
    fn steps_that_do_not_need_one_another_run_at_once_where_there_is_room() {
        static BOTH: Barrier = Barrier::new(2);
        let meets = |_: &[String]| {
            BOTH.wait();
            works(&[])
        };
        let steps = [step("a", &[], meets), step("b", &[], meets)];
        let worked = || End::Worked(Tally { passed: 2, failed: 0 });
        assert_eq!(ends(run_on(2, &steps.each_ref(), &[])), [("a", worked()), ("b", worked())]);
    }

    #[test]
    fn a_step_waits_for_room_and_for_whoever_compiles() {
        let large = Step { halves: 3, ..step("a", &[], works) };
        let cargo = |name| Step { cargo: true, ..step(name, &[], works) };
        let [one, two] = [cargo("b"), cargo("c")];
        let steps = [&large, &one, &two];
        let states = |running: &[usize]| -> Vec<State> {
            (0..3).map(|at| if running.contains(&at) { State::Running } else { State::Waiting }).collect()
        };
        assert_eq!(next(3, &steps, &states(&[])), Some(0));
        assert_eq!(next(3, &steps, &states(&[0])), None);
        assert_eq!(next(4, &steps, &states(&[0])), Some(1));
        assert_eq!(next(9, &steps, &states(&[0, 1])), None);
        // A step above the capacity runs alone.
        assert_eq!(next(2, &steps, &states(&[])), Some(0));
    }
}
