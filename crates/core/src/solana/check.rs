//! The payment of the form, what hinders it, and its trial on the chain.

use super::payee::Target;
use super::plan::{MOST_UNITS, OF_COIN, Plan, TokenPlan, limit_of, rent_of};
use super::trial::Trouble;
use super::{Alarm, PATIENCE, Phase, Reason, Solana, TokenState, Trial, network, own};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::wallet::solana::{self, settings};
use portico_calldata::solana::{SIGNATURE, transaction};
use portico_json::Value;
use portico_terms::ChainId;

impl Solana {
    /// Payment of the form; `None` while anything about it is unknown or wrong.
    pub(super) fn plan(&self, facts: &Facts) -> Option<Plan> {
        let from = own(facts)?;
        let amount = self.units(facts).ok()?;
        let payee = self.payee.as_ref().filter(|payee| payee.fault.is_none())?;
        let price = self.price?;
        let Some(asset) = &self.asset else {
            return Some(Plan { from, to: payee.key, amount, token: None, price, units: OF_COIN });
        };
        let data = asset.data.clone()?;
        let fee = match data.fees {
            Some(_) => Some(data.fee(self.epoch?)?.of(amount)),
            None => None,
        };
        let (target, state) = payee.account?;
        let units = match &self.trial {
            Trial::Done(Ok(taken)) => limit_of(*taken),
            _ => MOST_UNITS,
        };
        let (source, _) = asset.source??;
        let creates = state == Target::Missing;
        let token = TokenPlan { mint: asset.mint, data, source, target, creates, fee };
        Some(Plan { from, to: payee.key, amount, token: Some(token), price, units })
    }

    /// Deposit for the receiver's token account, in lamports.
    pub(super) fn deposit(&self, plan: &Plan) -> Option<u64> {
        let token = plan.token.as_ref().filter(|token| token.creates);
        token.map_or(Some(0), |token| Some(rent_of(token.data.account_size, self.rent?)))
    }

    /// Reason, known without a trial, for which a payment cannot be sent, and an amount of the coin that belongs to it.
    pub(super) fn hindrance(&self, plan: &Plan) -> Option<(Trouble, Option<u64>)> {
        let (coin, rent, payee) = (self.coin?, self.rent?, self.payee.as_ref()?);
        if let Some((_, state)) = payee.account {
            let freezes = plan.token.as_ref().is_some_and(|token| token.data.freezes);
            match state {
                Target::Frozen => return Some((Trouble::ReceiverFrozen, None)),
                Target::Foreign => return Some((Trouble::ReceiverForeign, None)),
                Target::Missing if freezes => return Some((Trouble::FreezesNew, None)),
                Target::Missing | Target::Ready => {}
            }
        }
        let cost = plan.fee().saturating_add(self.deposit(plan)?);
        let sent = if plan.token.is_none() { plan.amount } else { 0 };
        let Some(rest) = coin.checked_sub(cost).and_then(|rest| rest.checked_sub(sent)) else {
            return Some((Trouble::Coin, Some(cost)));
        };
        if plan.token.is_none() && payee.lamports.saturating_add(plan.amount) < rent {
            return Some((Trouble::NewAccount, Some(rent)));
        }
        (rest != 0 && rest < rent).then_some((Trouble::Rest, Some(rent)))
    }

    /// Tries the payment of the form once it is complete.
    pub(super) fn attempt(&mut self, cx: &mut Cx) {
        if self.trial != Trial::Due || self.phase != Phase::Editing || self.obstructed(cx.facts) {
            return;
        }
        let (Some(plan), Some(network)) = (self.plan(cx.facts), network(cx.facts)) else { return };
        if self.rent.is_none() || self.hindrance(&plan).is_some() {
            return;
        }
        self.trial = Trial::Asked;
        cx.start(Alarm::Unanswered, PATIENCE);
        // The node puts a recent block in the place of the zeros.
        let chain = network.caip_network_id.clone();
        simulate(&chain, &plan.message(&[0; 32]), true, Reason::Trial(self.round), cx);
    }

    /// Whether a field of the form is wrong, or the token cannot be sent.
    pub(super) fn obstructed(&self, facts: &Facts) -> bool {
        self.amount_fault(facts).is_some()
            || self.receiver_fault(facts).is_some()
            || self.asset.as_ref().is_some_and(|asset| asset.state != TokenState::Ready || asset.trouble().is_some())
    }
}

/// Asks a node what a message would do, without signatures. `replaces` uses a recent block instead of that of the message.
pub(super) fn simulate(chain: &ChainId, message: &[u8], replaces: bool, reason: Reason, cx: &mut Cx) {
    let unsigned = solana::encoded(&transaction(&[0; SIGNATURE], message));
    let more = [("sigVerify", Value::Bool(false)), ("replaceRecentBlockhash", Value::Bool(replaces))];
    cx.call(chain, solana::SIMULATE, vec![Value::Text(unsigned), settings(&more)], reason);
}
