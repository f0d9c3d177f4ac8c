//! Payment, decided: all that its bytes are made of, and what it costs.

use portico_calldata::solana::{
    Call, Key, MOST_ASSERTIONS, Mint, TokenProgram, create, message, scaled, send, transfer, unit_limit, unit_price,
};

/// Fee of one signature, in lamports.
const OF_SIGNATURE: u64 = 5_000;

/// Compute units of the assertions that a wallet may add. It keeps the limit, and one of a token account, which derives its address, takes some
/// thousands.
const OF_ASSERTIONS: u32 = 5_000 * MOST_ASSERTIONS as u32;

/// Compute units of a transfer of the coin: three calls of programs that are part of the node, of 150 units each, and some to spare.
pub const OF_COIN: u32 = 1_500 + OF_ASSERTIONS;

/// Most compute units of a transfer of a token.
pub const MOST_UNITS: u32 = 200_000;

/// Price of a compute unit in millionths of a lamport: the least and the most that is paid. A node that makes one up cannot take more than
/// 0.0002 SOL.
const PRICES: (u64, u64) = (10_000, 1_000_000);

/// Payment of the coin or of a token.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub from: Key,
    pub to: Key,
    /// Amount in the smallest unit.
    pub amount: u64,
    pub token: Option<TokenPlan>,
    /// Price of a compute unit, in millionths of a lamport.
    pub price: u64,
    /// Limit of compute units.
    pub units: u32,
}

/// Payment of a token.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenPlan {
    pub mint: Key,
    pub data: Mint,
    /// Token account of the sender.
    pub source: Key,
    /// Token account of the receiver.
    pub target: Key,
    /// Whether the receiver's token account is to be made.
    pub creates: bool,
    /// Fee that the token takes.
    pub fee: Option<u64>,
}

impl Plan {
    /// Message with this recent block, in the legacy form.
    pub fn message(&self, block: &Key) -> Vec<u8> {
        let mut calls = vec![unit_limit(self.units), unit_price(self.price)];
        match &self.token {
            None => calls.push(transfer(self.from, self.to, self.amount)),
            Some(token) => calls.extend(token.calls(self)),
        }
        message(&self.from, block, &calls)
    }

    /// Network fee in lamports.
    pub fn fee(&self) -> u64 {
        fee(self.price, self.units)
    }
}

impl TokenPlan {
    fn calls(&self, plan: &Plan) -> impl Iterator<Item = Call> {
        // Token-2022 compares the fee that it takes with the given one, so that no node can hide a fee: without one it is zero.
        let fee = self.fee.or((self.data.program == TokenProgram::Token2022).then_some(0));
        let made = self.creates.then(|| create(plan.from, self.target, plan.to, self.data.program, self.mint));
        let sent = send(self.source, self.target, plan.from, (self.mint, &self.data), plan.amount, fee);
        made.into_iter().chain([sent])
    }
}

/// Network fee of a transaction with one signature, in lamports.
pub fn fee(price: u64, units: u32) -> u64 {
    OF_SIGNATURE + (price * u64::from(units)).div_ceil(1_000_000)
}

/// Price that is paid: the middle one of those of the last blocks, within its bounds.
pub fn price_of(mut prices: Vec<u64>) -> u64 {
    prices.sort_unstable();
    prices.get(prices.len() / 2).copied().unwrap_or_default().clamp(PRICES.0, PRICES.1)
}

/// Limit of compute units for a transfer that took so many in its trial: accounts may be in another state when it runs.
pub fn limit_of(taken: u64) -> u32 {
    let spare = 1_000 + u64::from(OF_ASSERTIONS);
    u32::try_from(taken.saturating_add(taken / 5).saturating_add(spare)).unwrap_or(MOST_UNITS).min(MOST_UNITS)
}

/// Least balance of an account with data, from that of one without: the network counts 128 bytes for the account itself.
pub fn rent_of(size: u64, empty: u64) -> u64 {
    scaled(empty, 128 + size, 128)
}
