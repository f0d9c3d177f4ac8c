//! A transaction whose missing fields were read, before it is shown.

use crate::decode::{self, Content};
use crate::effect::{RpcCall, SigningOrder};
use crate::expected::{self, Permission, PermissionKind, Simulation};
use crate::message::object;
use crate::paid::Paid;
use crate::said::{Phrase, Said};
use crate::token::{self, Named, find};
use crate::transaction::Draft;
use crate::view::{Action, Flag, Row, RowLabel};
use portico_calldata::{Address, NATIVE, hex};
use portico_json::Value;
use portico_terms::rpc::result_of;
use portico_terms::{Amount, ChainId};

/// Transaction that only lacks names of tokens.
#[derive(Debug)]
pub struct Completed {
    /// Highest fee, in the smallest unit.
    pub fee: Amount,
    pub order: SigningOrder,
    /// What contracts said of their tokens.
    pub named: Named,
    pub simulation: Simulation,
    /// Whether the receiver is a contract; absent if the node does not say.
    pub has_code: Option<bool>,
    /// Whether the node expects a failure.
    pub fails: bool,
    /// Whether the price is far above that of the network.
    pub is_far: bool,
    /// Whether the account has too little.
    pub is_short: bool,
    /// Balance of the account.
    pub balance: Amount,
}

impl Completed {
    /// Tokens of the simulation without a name.
    fn unnamed(&self) -> Vec<Address> {
        let Simulation::Runs(expected) = &self.simulation else { return Vec::new() };
        expected.tokens().into_iter().filter(|token| find(&self.named, token).is_none()).collect()
    }

    /// Allowances of ERC-20 after the simulation. Tokens tell the rest of an allowance when it is used, so one that does not grow is no news.
    fn allowances(&self) -> impl Iterator<Item = &Permission> {
        let expected = if let Simulation::Runs(expected) = &self.simulation { Some(expected) } else { None };
        let all = expected.into_iter().flat_map(|expected| &expected.permissions);
        all.filter(|one| matches!(one.kind, PermissionKind::Amount(_)))
    }

    /// Calls that explain the simulation, or try what could not be simulated, in the order that [`Completed::take_answers`] reads.
    pub fn questions(&self, draft: &Draft, own: &str) -> Vec<RpcCall> {
        if self.simulation == Simulation::Unknown && !self.fails && !draft.data.is_empty() && draft.to.is_some() {
            return expected::trials(draft, own);
        }
        let allowances = self.allowances().filter_map(|one| {
            // `allowance(address,address)`
            let word = |address: &Address| ["000000000000000000000000", &hex::text(address)[2..]].concat();
            let data = ["0xdd62ed3e", &word(&hex::address(own)?), &word(&one.taker)].concat();
            let call = object(&[("to", hex::text(&one.contract).into()), ("data", data.into())]);
            Some(RpcCall::new("eth_call", vec![call, "latest".into()]))
        });
        token::calls(&self.unnamed()).chain(allowances).collect()
    }

    /// Takes the answers to [`Completed::questions`].
    pub fn take_answers(&mut self, answers: &[Value]) {
        if self.simulation == Simulation::Unknown {
            self.simulation = expected::tried(answers);
            self.fails |= self.simulation == Simulation::Fails;
            return;
        }
        let unnamed = self.unnamed();
        self.named.extend(token::read(&unnamed, answers));
        let amounts = answers.get(2 * unnamed.len()..).unwrap_or_default().iter();
        let before: Vec<Option<Amount>> = amounts
            .map(|answer| {
                let bytes = hex::bytes(result_of(answer).ok()?.as_str()?)?;
                Some(Amount::from_be_bytes(bytes.try_into().ok()?))
            })
            .collect();
        let Simulation::Runs(expected) = &mut self.simulation else { return };
        let mut before = before.into_iter();
        expected.permissions.retain(|one| match one.kind {
            PermissionKind::Amount(after) => before.next().flatten().is_none_or(|before| after > before),
            _ => true,
        });
    }

    /// Explanation of the whole transaction. `paid` are whom the account paid, and whom it let take tokens, before.
    pub fn content(&self, draft: &Draft, chain: u64, own: &str, paid: &Paid) -> Content {
        let mut content = decode::call(draft, chain, own, &self.named);
        let calls = !matches!(content.action, Action::Send | Action::DeployContract);
        match &self.simulation {
            Simulation::Runs(expected) if calls || self.has_code == Some(true) => {
                decode::expectation(&mut content, expected, chain, &self.named);
                if self.has_code == Some(true) && !self.fails {
                    content.replace(Flag::UnknownCall, Flag::OnlySimulated);
                }
            }
            Simulation::Unknown if calls => content.flag(Flag::NotSimulated),
            Simulation::Tried if calls => content.flag(Flag::OnlyTried),
            _ => {}
        }
        if calls && self.has_code == Some(false) {
            content.flag(Flag::NoContract);
        }
        if self.fails {
            content.flag(Flag::LikelyToFail);
        }
        if self.is_far {
            content.flag(Flag::HighFee);
        }
        content.weigh_share(draft.value, self.balance, chain);
        // The host names the price, so the fee can burn what no receiver gets.
        content.weigh(self.fee, &NATIVE, chain);
        if self.is_short {
            content.block(Flag::InsufficientFunds);
        }
        content.warn(paid, &ChainId::eip155(chain));
        if let Some(nonce) = draft.nonce {
            content.rows.push(Row::new(RowLabel::Nonce, Said::new(Phrase::Number, &[&nonce.to_digits()])));
        }
        content
    }
}
