//! Tokens of Solana: mints and token accounts as the two token programs store them, and the address of an owner's token account.

use super::build::{Account, Call};
use super::curve::is_on_curve;
use super::instruction::{ASSOCIATED, BUDGET, SYSTEM, TOKEN, TOKEN_2022};
use super::{Key, reader::Reader, scaled};
use portico_encoding::base58;
use sha2::{Digest, Sha256};

/// Bytes of a mint, and of a token account, without extensions.
const MINT: usize = 82;
const ACCOUNT: usize = 165;

/// Place of the byte that says of which kind an account with extensions is; the extensions follow it.
const KIND: usize = ACCOUNT;

/// Most letters of a key in base58.
const LONGEST_KEY: usize = 44;

/// Seed that ends the hash of an address without a secret key.
const MARKER: &[u8] = b"ProgramDerivedAddress";

/// One of the two token programs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TokenProgram {
    Token,
    Token2022,
}

/// Rule of a token that forbids a transfer whose effect is known before.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Obstacle {
    /// A program of the issuer runs with each transfer (transfer hook).
    Hook,
    /// The token stays with its owner.
    NonTransferable,
    /// The issuer paused all transfers.
    Paused,
    /// Amounts are shown multiplied, or there is a rule that is not known here.
    Unknown,
}

/// Fee that a token takes from each transfer, from one epoch on.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct TransferFee {
    pub epoch: u64,
    /// Highest fee, in the smallest unit.
    pub most: u64,
    /// Ten thousandths of the amount.
    pub points: u16,
}

impl TransferFee {
    /// Fee of an amount, rounded up.
    pub fn of(&self, amount: u64) -> u64 {
        scaled(amount, self.points.into(), 10_000).min(self.most)
    }
}

/// Token, as its mint says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mint {
    pub program: TokenProgram,
    pub decimals: u8,
    /// Fee until an epoch, and that from then on.
    pub fees: Option<[TransferFee; 2]>,
    pub obstacle: Option<Obstacle>,
    /// Whether new token accounts are frozen.
    pub freezes: bool,
    /// Bytes of a new token account.
    pub account_size: u64,
}

/// Token account.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Holding {
    pub mint: Key,
    pub owner: Key,
    pub amount: u64,
    pub frozen: bool,
}

/// Key of a known program.
fn known(text: &str) -> Key {
    key(text).unwrap_or_default()
}

/// Key of an address in base58.
pub fn key(text: &str) -> Option<Key> {
    base58::decode_within(text, LONGEST_KEY)?.try_into().ok()
}

impl TokenProgram {
    /// Program with this address.
    pub fn named(address: &str) -> Option<TokenProgram> {
        match address {
            TOKEN => Some(TokenProgram::Token),
            TOKEN_2022 => Some(TokenProgram::Token2022),
            _ => None,
        }
    }

    fn key(self) -> Key {
        known(if self == TokenProgram::Token { TOKEN } else { TOKEN_2022 })
    }
}

/// Whether this is the program that owns wallets and accounts without data.
pub fn is_system(address: &str) -> bool {
    address == SYSTEM
}

impl Mint {
    /// Reads the data of a mint. `None` for other data.
    pub fn read(program: TokenProgram, data: &[u8]) -> Option<Mint> {
        let extended = data.len() > MINT;
        // With extensions a mint is as long as a token account, and a byte says what it is.
        if extended && (program == TokenProgram::Token || data.get(KIND) != Some(&1)) {
            return None;
        }
        let decimals = *data.get(44)?;
        if data.len() < MINT || data[45] != 1 {
            return None;
        }
        let mut mint =
            Mint { program, decimals, fees: None, obstacle: None, freezes: false, account_size: ACCOUNT as u64 };
        if program == TokenProgram::Token2022 {
            // The associated token account program makes the owner immutable, which is an extension without bytes.
            mint.account_size += 1 + 4;
        }
        let mut reader = Reader::new(data.get(KIND + 1..).unwrap_or_default());
        while reader.rest().len() >= 4 {
            let kind = u16::from_le_bytes(reader.take(2)?.try_into().ok()?);
            let length = u16::from_le_bytes(reader.take(2)?.try_into().ok()?);
            let value = reader.take(length.into())?;
            // Zeros fill the rest.
            if kind == 0 {
                break;
            }
            mint.extend(kind, value)?;
        }
        Some(mint)
    }

    fn extend(&mut self, kind: u16, value: &[u8]) -> Option<()> {
        match kind {
            // Transfer fee: two authorities and the withheld amount, then both fees.
            1 => {
                self.fees = Some([fee(value.get(72..90)?)?, fee(value.get(90..108)?)?]);
                self.account_size += 4 + 8;
            }
            6 => self.freezes = value.first() == Some(&2),
            9 => self.obstacle = Some(Obstacle::NonTransferable),
            14 => {
                self.account_size += 4 + 1;
                // The extension without a program calls none.
                if value.get(32..64)?.iter().any(|byte| *byte != 0) {
                    self.obstacle = Some(Obstacle::Hook);
                }
            }
            26 => {
                self.account_size += 4;
                if *value.get(32)? != 0 {
                    self.obstacle = Some(Obstacle::Paused);
                }
            }
            // Close authority, confidential transfers and their fee, permanent delegate, metadata and groups leave a plain transfer as it is.
            3 | 4 | 12 | 16 | 18..=23 => {}
            _ => self.obstacle = self.obstacle.or(Some(Obstacle::Unknown)),
        }
        Some(())
    }

    /// Fee in an epoch.
    pub fn fee(&self, epoch: u64) -> Option<TransferFee> {
        let [older, newer] = self.fees?;
        Some(if epoch >= newer.epoch { newer } else { older })
    }
}

fn fee(bytes: &[u8]) -> Option<TransferFee> {
    let number = |from: usize| Some(u64::from_le_bytes(bytes.get(from..from + 8)?.try_into().ok()?));
    let points = u16::from_le_bytes(bytes.get(16..18)?.try_into().ok()?);
    (points <= 10_000).then_some(TransferFee { epoch: number(0)?, most: number(8)?, points })
}

impl Holding {
    /// Reads the data of a token account. `None` for other data, such as that of a mint, and for one that is not initialised.
    pub fn read(data: &[u8]) -> Option<Holding> {
        if data.len() < ACCOUNT || data.len() > ACCOUNT && data.get(KIND) != Some(&2) {
            return None;
        }
        let state = data[108];
        let key = |from: usize| data[from..from + 32].try_into().ok();
        let amount = u64::from_le_bytes(data[64..72].try_into().ok()?);
        matches!(state, 1 | 2).then_some(Holding { mint: key(0)?, owner: key(32)?, amount, frozen: state == 2 })
    }
}

/// Address of an owner's token account: a hash that is no point of the curve.
pub fn associated(owner: &Key, program: TokenProgram, mint: &Key) -> Option<Key> {
    let mut seeds = seeds(owner, program, mint);
    (0..=u8::MAX).rev().map(|bump| hash(&mut seeds, bump)).find(|key| !is_on_curve(key))
}

/// Least bump of [`is_associated`]: one address in 65,536 has a lower one.
const LEAST_BUMP: u8 = u8::MAX - 15;

/// Whether a token account is the one that a chain derives from this owner and mint. Any hash of them is proof enough, because nobody could
/// find another account with it: which of the hashes is no point of the curve need not be known. The answer for an account of theirs is "no"
/// once in 65,536 times.
pub fn is_associated(account: &Key, owner: &Key, mint: &Key) -> bool {
    for program in [TokenProgram::Token, TokenProgram::Token2022] {
        let mut seeds = seeds(owner, program, mint);
        for bump in LEAST_BUMP..=u8::MAX {
            if hash(&mut seeds, bump) == *account {
                return true;
            }
        }
    }
    false
}

/// Place of the bump among the seeds.
const BUMP: usize = 96;

fn seeds(owner: &Key, program: TokenProgram, mint: &Key) -> Vec<u8> {
    [owner.as_slice(), &program.key(), mint, &[0], &known(ASSOCIATED), MARKER].concat()
}

fn hash(seeds: &mut [u8], bump: u8) -> Key {
    seeds[BUMP] = bump;
    Sha256::digest(seeds).into()
}

/// Limit of compute units.
pub fn unit_limit(units: u32) -> Call {
    Call { program: known(BUDGET), accounts: Vec::new(), data: [&[2], units.to_le_bytes().as_slice()].concat() }
}

/// Price of a compute unit, in millionths of a lamport.
pub fn unit_price(price: u64) -> Call {
    Call { program: known(BUDGET), accounts: Vec::new(), data: [&[3], price.to_le_bytes().as_slice()].concat() }
}

/// Coins from the payer to another account.
pub fn transfer(from: Key, to: Key, lamports: u64) -> Call {
    let data = [&[2, 0, 0, 0], lamports.to_le_bytes().as_slice()].concat();
    Call { program: known(SYSTEM), accounts: vec![Account::writable(from), Account::writable(to)], data }
}

/// Makes the token account of an owner unless it exists; the payer pays its rent.
pub fn create(payer: Key, account: Key, owner: Key, program: TokenProgram, mint: Key) -> Call {
    let accounts = vec![
        Account::writable(payer),
        Account::writable(account),
        Account::readonly(owner),
        Account::readonly(mint),
        Account::readonly(known(SYSTEM)),
        Account::readonly(program.key()),
    ];
    Call { program: known(ASSOCIATED), accounts, data: vec![1] }
}

/// Tokens from one token account to another. The program checks mint and decimals, and the fee where the token takes one.
pub fn send(from: Key, to: Key, owner: Key, mint: (Key, &Mint), amount: u64, fee: Option<u64>) -> Call {
    let (key, Mint { program, decimals, .. }) = mint;
    let mut data: Vec<u8> = if fee.is_some() { vec![26, 1] } else { vec![12] };
    data.extend(amount.to_le_bytes());
    data.push(*decimals);
    data.extend(fee.into_iter().flat_map(u64::to_le_bytes));
    let accounts =
        vec![Account::writable(from), Account::readonly(key), Account::writable(to), Account::readonly(owner)];
    Call { program: program.key(), accounts, data }
}
