//! The native balance: of one account on one chain.

use super::recent::{Owner, Recent};
use crate::cx::Cx;
use crate::effect::HostError;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Network};

/// Amounts display with so many decimals (spec 2.10).
pub const BALANCE_DECIMALS: usize = 3;

/// Token balances display with so many decimals (spec 2.11).
pub const TOKEN_DECIMALS: usize = 2;

/// What was read is good for so many milliseconds (spec 3.22, 9.5).
pub const BALANCE_CACHE: u64 = 30_000;

/// How a balance stands.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum BalanceState {
    /// Not asked for.
    #[default]
    Unknown,
    /// Asked for, and nothing is known yet.
    Loading,
    /// Known.
    Ready,
    /// Known, and asked for again.
    Refreshing,
    /// It could not be had. Of tokens, what was known before stands.
    Unavailable,
}

/// The balance of one account on one chain.
#[derive(Debug, Default)]
pub struct Balance {
    of: Option<Owner>,
    amount: Option<Amount>,
    state: BalanceState,
    /// When it was read.
    at: u64,
}

impl Balance {
    /// It is that of this account on this chain; `None` where there is no chain that could be asked. Of another one nothing is shown: it is
    /// `kept` until that is in use again.
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

    /// It is asked for.
    pub fn ask(&mut self) {
        if self.amount.is_some() {
            self.state = BalanceState::Refreshing;
        } else if self.state == BalanceState::Unknown {
            self.state = BalanceState::Loading;
        }
    }

    /// Whether an answer for this account on this chain is still wanted.
    pub fn is_for(&self, chain: &ChainId, address: &str) -> bool {
        self.of.as_ref().is_some_and(|(known_chain, known_address)| known_chain == chain && known_address == address)
    }

    /// The answer. What was known before a failure is not shown as if it were true.
    pub fn take(&mut self, answer: Result<Amount, RpcError>, now: u64) -> BalanceState {
        self.at = now;
        self.amount = answer.ok();
        self.state = if self.amount.is_some() { BalanceState::Ready } else { BalanceState::Unavailable };
        self.state
    }

    /// Whether it was read just before.
    pub fn is_fresh(&self, now: u64) -> bool {
        self.state == BalanceState::Ready && now < self.at + BALANCE_CACHE
    }

    /// How much.
    pub fn amount(&self) -> Option<Amount> {
        self.amount
    }

    /// How it stands.
    pub fn state(&self) -> BalanceState {
        self.state
    }
}

/// What is read, as a word: the balance of this account on this chain (CAIP-10).
pub fn read_of(chain: &ChainId, address: &str) -> String {
    [&chain.to_string(), ":", address].concat()
}

/// The quantity that a node answered with.
pub fn read_balance(answer: Result<Value, RpcError>) -> Result<Amount, RpcError> {
    let amount = answer?.as_str().map(Amount::from_hex);
    amount
        .and_then(Result::ok)
        .ok_or_else(|| RpcError::nonsense("The node answered with a balance that is no quantity"))
}

/// Tells a host a balance in whole coins.
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
