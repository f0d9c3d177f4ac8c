//! Instructions of the programs that people meet. One that is not listed here, has other bytes, or takes an account from a table is not
//! explained at all.

use super::{Instruction, Key, Message, scaled};
use portico_encoding::base58;

pub const SYSTEM: &str = "11111111111111111111111111111111";
pub const TOKEN: &str = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
pub const TOKEN_2022: &str = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
pub const ASSOCIATED: &str = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
pub const BUDGET: &str = "ComputeBudget111111111111111111111111111111";
const MEMO: &str = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

/// Fee of one signature, in lamports.
const OF_SIGNATURE: u64 = 5_000;

/// Compute units of an instruction that sets no limit, and the most of a transaction.
const UNITS: u64 = 200_000;
const MOST_UNITS: u64 = 1_400_000;

/// Millionths of a lamport in one.
const MICRO: u64 = 1_000_000;

/// Effect of an instruction.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Step<'a> {
    /// Coins leave an account.
    Transfer {
        from: Key,
        to: Key,
        lamports: u64,
    },
    /// A nonce account takes the place of a recent block: the transaction never expires.
    Nonce,
    /// Tokens leave a token account. Mint and decimals are told, and checked by the program, in the newer forms alone. The fee that some
    /// tokens of Token-2022 take is a part of the amount.
    SendToken {
        from: Key,
        to: Key,
        amount: u64,
        mint: Option<(Key, u8)>,
        owner: Key,
    },
    /// A delegate may take tokens of a token account.
    Approve {
        account: Key,
        delegate: Key,
        amount: u64,
        mint: Option<(Key, u8)>,
        owner: Key,
    },
    /// The delegate may take nothing more.
    Revoke {
        account: Key,
    },
    /// An authority over a token account or mint changes; `None` takes it away for ever.
    SetAuthority {
        account: Key,
        authority: Option<Key>,
    },
    /// A token account ends; its rent, and all coins that it wraps, go to another account.
    Close {
        account: Key,
        to: Key,
        owner: Key,
    },
    /// Makes the token account of an owner, unless it exists, which its payer pays for.
    Create {
        account: Key,
        owner: Key,
        mint: Key,
    },
    UnitLimit(u32),
    /// Price of a compute unit, in millionths of a lamport.
    UnitPrice(u64),
    /// Settings without an effect on accounts.
    Budget,
    Memo(&'a str),
    /// Not explained here.
    Unknown {
        program: Key,
    },
}

impl<'a> Message<'a> {
    /// Effects of its instructions, in their order.
    pub fn steps(&self) -> impl Iterator<Item = Step<'a>> {
        self.instructions.iter().map(|call| call.known(self).unwrap_or(Step::Unknown { program: call.program }))
    }
}

impl<'a> Instruction<'a> {
    fn known(&self, message: &Message<'a>) -> Option<Step<'a>> {
        let account = |index: usize| message.account(self, index);
        match base58::encode(&self.program).as_str() {
            SYSTEM => match self.data.split_at_checked(4)? {
                ([2, 0, 0, 0], amount) => {
                    Some(Step::Transfer { from: account(0)?, to: account(1)?, lamports: number(amount)? })
                }
                ([4, 0, 0, 0], []) => Some(Step::Nonce),
                _ => None,
            },
            TOKEN | TOKEN_2022 => self.token(&account),
            // Without data it is the older form of the same.
            ASSOCIATED if matches!(self.data, [] | [0 | 1]) => {
                Some(Step::Create { account: account(1)?, owner: account(2)?, mint: account(3)? })
            }
            BUDGET => match self.data.split_first()? {
                (2, limit) => Some(Step::UnitLimit(u32::from_le_bytes(limit.try_into().ok()?))),
                (3, price) => Some(Step::UnitPrice(number(price)?)),
                (1 | 4, _) => Some(Step::Budget),
                _ => None,
            },
            MEMO => Some(Step::Memo(std::str::from_utf8(self.data).ok()?)),
            _ => None,
        }
    }

    fn token(&self, account: &dyn Fn(usize) -> Option<Key>) -> Option<Step<'a>> {
        let (kind, rest) = self.data.split_first()?;
        let checked = |rest: &[u8]| rest.split_last().and_then(|(decimals, amount)| Some((number(amount)?, *decimals)));
        Some(match kind {
            3 => Step::SendToken {
                from: account(0)?,
                to: account(1)?,
                amount: number(rest)?,
                mint: None,
                owner: account(2)?,
            },
            12 | 26 => {
                // The newest form tells the fee as well, which the program checks.
                let rest = if kind == &12 { rest } else { rest.strip_prefix(&[1])?.split_last_chunk::<8>()?.0 };
                let (amount, decimals) = checked(rest)?;
                let mint = Some((account(1)?, decimals));
                Step::SendToken { from: account(0)?, to: account(2)?, amount, mint, owner: account(3)? }
            }
            4 => Step::Approve {
                account: account(0)?,
                delegate: account(1)?,
                amount: number(rest)?,
                mint: None,
                owner: account(2)?,
            },
            13 => {
                let (amount, decimals) = checked(rest)?;
                let mint = Some((account(1)?, decimals));
                Step::Approve { account: account(0)?, delegate: account(2)?, amount, mint, owner: account(3)? }
            }
            5 if rest.is_empty() => Step::Revoke { account: account(0)? },
            6 => match rest.split_at_checked(2)? {
                ([_, 0], []) => Step::SetAuthority { account: account(0)?, authority: None },
                ([_, 1], key) => Step::SetAuthority { account: account(0)?, authority: Some(key.try_into().ok()?) },
                _ => return None,
            },
            9 if rest.is_empty() => Step::Close { account: account(0)?, to: account(1)?, owner: account(2)? },
            _ => return None,
        })
    }
}

fn number(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Highest network fee of a transaction, in lamports.
pub fn fee(message: &Message<'_>) -> u64 {
    let (mut limit, mut price, mut calls) = (None, 0, 0);
    for step in message.steps() {
        match step {
            Step::UnitLimit(units) => limit = Some(u64::from(units)),
            Step::UnitPrice(told) => price = told,
            Step::Budget => {}
            _ => calls += 1,
        }
    }
    let units = limit.unwrap_or(calls * UNITS).min(MOST_UNITS);
    let base = message.signers().len() as u64 * OF_SIGNATURE;
    base.saturating_add(scaled(price, units, MICRO))
}
