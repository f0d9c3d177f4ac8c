//! Trials of a swap on the chain: one while the preview is open, which shows whether the chain would do what is promised, and one of the calls
//!  that the wallet is about to be asked.

use super::calls::Call;
use super::confirm::IMPOSSIBLE;
use super::event::Trial;
use super::flight::Kind;
use super::simulation::{self, Verdict};
use super::step::Step;
use super::{Fault, Reason, Swap, build, contracts, probe};
use crate::cx::Cx;
use crate::pay::tokens::{Purse, contract_of};
use crate::wallet::eip155;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;

/// State of the simulation that the preview shows.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapSimulation")]
pub enum Simulation {
    /// The chain is being asked.
    Running,
    /// The chain would move what was shown.
    Done,
    /// No node could simulate the swap.
    Unavailable,
}

/// Trial of the swap in the preview.
#[derive(Debug, Default)]
pub struct Rehearsal {
    /// Number of the trial; answers of an older one are ignored.
    pub number: u32,
    /// Calls that the chain was asked about.
    calls: Vec<Call>,
    pub state: Option<Simulation>,
    /// Contracts of tokens that the account holds, which no swap may lower.
    held: Vec<String>,
}

impl Rehearsal {
    /// Remembers the tokens that the account holds.
    pub fn watch(&mut self, purse: &Purse) {
        let held = purse.tokens.iter().filter_map(contract_of).map(String::from);
        self.held = held.take(probe::MOST_WATCHED).collect();
    }

    /// Drops the result, and ignores one in flight.
    pub fn drop(&mut self) {
        *self = Rehearsal { held: std::mem::take(&mut self.held), ..self.next() };
    }

    /// State without a trial, for which answers of this one come late.
    pub fn next(&self) -> Rehearsal {
        Rehearsal { number: self.number + 1, ..Rehearsal::default() }
    }
}

impl Swap {
    pub(super) fn number_of(&self, trial: Trial) -> u32 {
        match trial {
            Trial::Preview => self.rehearsal.number,
            Trial::Confirmation => self.attempt,
        }
    }

    /// Tries the swap of the preview. The wallet is not asked before another trial, of the calls that it is asked to sign.
    pub(super) fn rehearse(&mut self, cx: &mut Cx) {
        self.rehearsal.drop();
        if self.step == Step::Editing && self.knows_allowance() && self.ask_build(Trial::Preview, cx) {
            self.rehearsal.state = Some(Simulation::Running);
        }
    }

    /// The server built the transaction of the preview.
    pub(super) fn rehearsed(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let promise = self.promised.zip(self.pricing.quote()).zip(self.question(cx.facts));
        let Some(((promised, quote), question)) = promise.filter(|_| self.step == Step::Editing) else { return };
        let contracts = contracts::of(&question.chain, cx.facts);
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) if error.code == IMPOSSIBLE => return self.is_impossible(&error, cx),
            // The confirmation requests another quote.
            Err(_) => return self.unavailable(),
        };
        let built = cx.read(&answer).and_then(|built| build::check(built, &question, quote, promised, &contracts));
        let Some((swap, _)) = built else { return self.fail(Fault::Mismatch, None, cx) };
        self.target = Some(swap.to.clone());
        let approvals = match self.needs_approval(quote) {
            false => [None, None],
            // Some tokens refuse a new approval over an older one.
            true if !self.permitted(quote).is_zero() => {
                [self.approval(Kind::Revocation), self.approval(Kind::Approval)]
            }
            true => [None, self.approval(Kind::Approval)],
        };
        self.rehearsal.calls = approvals.into_iter().flatten().chain([swap]).collect();
        self.simulate(Trial::Preview, cx);
    }

    pub(super) fn unavailable(&mut self) {
        self.rehearsal.state = Some(Simulation::Unavailable);
    }

    /// Calls of a trial.
    fn tried(&self, trial: Trial) -> &[Call] {
        match (trial, &self.step) {
            (Trial::Preview, _) => &self.rehearsal.calls,
            (Trial::Confirmation, Step::Checking(candidate)) => &candidate.calls,
            _ => &[],
        }
    }

    /// Asks the chain what the calls of a trial would do.
    pub(super) fn simulate(&self, trial: Trial, cx: &mut Cx) {
        let Some(question) = self.question(cx.facts) else { return };
        let params = simulation::params(&question.address, self.tried(trial));
        cx.call_elsewhere(&question.chain, eip155::SIMULATE, params, Reason::Simulated(trial, self.number_of(trial)));
    }

    pub(super) fn simulated(&mut self, trial: Trial, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let promise = self.promised.zip(self.pricing.quote()).zip(self.question(cx.facts));
        let Some(((promised, quote), question)) = promise else { return };
        let calls = self.tried(trial);
        // An older allowance may be larger than the amount; the swap lowers it, and some tokens log what is left.
        let permitted = self.permitted(quote).max(self.most(quote));
        let verdict = answer.map_or(Verdict::Unproven, |result| {
            simulation::judge(&result, calls.len(), &question, quote.spender.as_ref(), permitted, promised)
        });
        if verdict == Verdict::Unproven && !calls.is_empty() {
            let watched = probe::watched(&question, &self.rehearsal.held);
            if let Some(params) = probe::params(&question.address, calls, &watched) {
                let reason = Reason::Probed(trial, self.number_of(trial));
                return cx.call_elsewhere(&question.chain, eip155::CALL, params, reason);
            }
        }
        self.decide(trial, verdict, cx);
    }

    pub(super) fn probed(&mut self, trial: Trial, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some((promised, question)) = self.promised.zip(self.question(cx.facts)) else { return };
        let watched = probe::watched(&question, &self.rehearsal.held);
        let judge = |result| probe::judge(result, &watched, &question, promised);
        let verdict = answer.as_ref().map_or(Verdict::Unproven, judge);
        self.decide(trial, verdict, cx);
    }

    fn decide(&mut self, trial: Trial, verdict: Verdict, cx: &mut Cx) {
        match (trial, &self.step, verdict) {
            (Trial::Confirmation, Step::Checking(_), _) => self.judged(verdict, cx),
            (Trial::Preview, Step::Editing, Verdict::AsShown) => self.rehearsal.state = Some(Simulation::Done),
            (Trial::Preview, Step::Editing, Verdict::Unproven) => self.unavailable(),
            (Trial::Preview, Step::Editing, _) => self.judged(verdict, cx),
            _ => {}
        }
    }
}
