//! The native balance: of one account on one chain.

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
    /// It could not be had.
    Unavailable,
}

/// The balance of one account on one chain.
#[derive(Debug, Default)]
pub struct Balance {
    of: Option<(ChainId, String)>,
    amount: Option<Amount>,
    state: BalanceState,
    /// When it was read.
    at: u64,
}

impl Balance {
    /// It is asked for. Another account's, or another chain's, amount is forgotten at once.
    pub fn ask(&mut self, chain: &ChainId, address: &str) {
        if !self.is_for(chain, address) {
            self.of = Some((chain.clone(), address.into()));
            self.amount = None;
            self.state = BalanceState::Loading;
        } else if self.amount.is_some() {
            self.state = BalanceState::Refreshing;
        }
    }

    /// There is no chain that could be asked. What was known is forgotten, and what still comes is not wanted.
    pub fn lose(&mut self) {
        *self = Balance { state: BalanceState::Unavailable, ..Balance::default() };
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

    /// Whether it was read for this account on this chain just before.
    pub fn is_fresh(&self, chain: &ChainId, address: &str, now: u64) -> bool {
        self.state == BalanceState::Ready && self.is_for(chain, address) && now < self.at + BALANCE_CACHE
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
