//! Native balance of one account on one chain.

use super::recent::{Owner, Recent};
use crate::cx::Cx;
use crate::effect::HostError;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Network};

/// Lifetime of a balance, in milliseconds (spec 3.22, 9.5).
pub const BALANCE_CACHE: u64 = 30_000;

/// Loading state of a balance.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum BalanceState {
    /// Not requested.
    #[default]
    Unknown,
    /// Requested for the first time.
    Loading,
    Ready,
    /// Known, and requested again.
    Refreshing,
    /// The request failed. Token lists keep their previous tokens.
    Unavailable,
}

/// Balance of one account on one chain.
#[derive(Debug, Default)]
pub struct Balance {
    of: Option<Owner>,
    amount: Option<Amount>,
    state: BalanceState,
    /// Time of the last response.
    at: u64,
}

impl Balance {
    /// Switches to an account and chain; `None` if there is no chain to query. The balance of the previous ones is cached in `kept` until
    /// they are active again.
    pub fn turn(&mut self, of: Option<Owner>, kept: &mut Recent<Balance>) {
        if of.is_none() || self.of != of {
            let state = if of.is_some() { BalanceState::Unknown } else { BalanceState::Unavailable };
            let known = of.as_ref().and_then(|of| kept.take(of));
            let before = std::mem::replace(self, known.unwrap_or(Balance { of, state, ..Balance::default() }));
            if let Some(owner) = before.of.clone() {
                kept.keep(owner, before);
            }
        }
    }

    /// Marks the balance as requested.
    pub fn ask(&mut self) {
        if self.amount.is_some() {
            self.state = BalanceState::Refreshing;
        } else if self.state == BalanceState::Unknown {
            self.state = BalanceState::Loading;
        }
    }

    /// Whether this is the balance of this account and chain.
    pub fn is_for(&self, chain: &ChainId, address: &str) -> bool {
        self.of.as_ref().is_some_and(|(known_chain, known_address)| known_chain == chain && known_address == address)
    }

    /// Stores a response. A failure removes the previous amount, which may be wrong by now.
    pub fn take(&mut self, answer: Result<Amount, RpcError>, now: u64) -> BalanceState {
        self.at = now;
        self.amount = answer.ok();
        self.state = if self.amount.is_some() { BalanceState::Ready } else { BalanceState::Unavailable };
        self.state
    }

    /// Drops the balance, because no source on this network has one.
    pub fn forget(&mut self) {
        self.amount = None;
        self.state = BalanceState::Unknown;
    }

    /// Whether the balance is within its lifetime.
    pub fn is_fresh(&self, now: u64) -> bool {
        self.state == BalanceState::Ready && now < self.at + BALANCE_CACHE
    }

    pub fn amount(&self) -> Option<Amount> {
        self.amount
    }

    pub fn state(&self) -> BalanceState {
        self.state
    }
}

/// CAIP-10 id of the account whose balance is read.
pub fn read_of(chain: &ChainId, address: &str) -> String {
    [&chain.to_string(), ":", address].concat()
}

/// Parses a node's response.
pub fn read_balance(answer: Result<Value, RpcError>) -> Result<Amount, RpcError> {
    let amount = answer?.as_str().map(Amount::from_hex);
    amount.and_then(Result::ok).ok_or_else(|| RpcError::nonsense("Couldn't read the node's balance"))
}

/// Answers a host call with a balance in whole coins.
pub fn answer_host(ticket: u32, network: &Network, amount: &Result<Amount, RpcError>, cx: &mut Cx) {
    match amount {
        Ok(amount) => {
            let currency = &network.native_currency;
            let value = Value::Object(vec![
                ("balance".into(), Value::Text(amount.to_units(currency.decimals))),
                ("symbol".into(), currency.symbol.as_str().into()),
            ]);
            cx.resolve_host(Some(ticket), value);
        }
        Err(error) => cx.reject_host(Some(ticket), HostError::from(error)),
    }
}
