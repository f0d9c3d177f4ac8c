//! Explains what a request does before the visitor decides. What cannot be explained is called unknown.

mod call;
mod expectation;
mod large;
mod message;
mod permit;
mod sign_in;
mod solana;
mod swap;
mod typed;

pub use call::{call, coin_text, tokens_of};
pub use expectation::expectation;
pub use message::{message, solana_message};
pub use sign_in::{faults as sign_in_faults, is_bare};
pub use solana::{is_plain, part_row, sol, symbol_of, transactions, weigh};
pub use typed::typed;

use crate::paid::Party;
use crate::said::{Phrase, Said};
use crate::view::{Action, Flag, Row, RowLabel};
use portico_calldata::Address;
use portico_terms::Amount;
use portico_terms::address::to_checksum;

/// Explanation of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub action: Action,
    pub rows: Vec<Row>,
    /// Text that is signed.
    pub text: Option<String>,
    /// Rows of a simulation.
    pub expected: Option<Vec<Row>>,
    pub flags: Vec<Flag>,
    /// Whether the request can only be cancelled.
    pub blocked: bool,
    /// Whom the request pays, or lets take tokens.
    pub parties: Vec<Party>,
    /// Tokens of typed data that the chain can name.
    pub unnamed: Vec<Address>,
}

impl Content {
    fn new(action: Action) -> Content {
        Content {
            action,
            rows: Vec::new(),
            text: None,
            expected: None,
            flags: Vec::new(),
            blocked: false,
            parties: Vec::new(),
            unnamed: Vec::new(),
        }
    }

    fn row(&mut self, label: RowLabel, text: impl Into<Said>) {
        self.rows.push(Row::new(label, text));
    }

    pub fn flag(&mut self, flag: Flag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    /// Says `then` where `flag` stands.
    pub fn replace(&mut self, flag: Flag, then: Flag) {
        for one in &mut self.flags {
            if *one == flag {
                *one = then;
            }
        }
    }

    /// Adds a flag that leaves only Decline.
    pub fn block(&mut self, flag: Flag) {
        self.flag(flag);
        self.blocked = true;
    }
}

/// Whether a letter shows nothing, steers the screen or turns others around.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
                | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A foreign text as it may be drawn: hidden letters are shown by their number.
pub fn shown(text: &str) -> String {
    let steers = |letter: char| is_hidden(letter) && !matches!(letter, '\n' | '\t');
    let mut out = String::new();
    for letter in text.chars() {
        match steers(letter) {
            true => out.extend(letter.escape_unicode()),
            false => out.push(letter),
        }
    }
    out
}

fn address_text(address: &[u8; 20]) -> String {
    to_checksum(&portico_calldata::hex::text(address))
}

/// Whether an allowance is no limit: the maximum of `uint96`, which some tokens treat so, or at least 2^128.
fn is_unlimited(amount: Amount) -> bool {
    let word = amount.to_be_bytes();
    let small = word[..20].iter().all(|byte| *byte == 0) && word[20..].iter().all(|byte| *byte == 0xff);
    small || word[..16].iter().any(|byte| *byte != 0)
}

/// Time for display; never for one that no clock reaches.
fn time_text(seconds: Amount) -> Said {
    let word = seconds.to_be_bytes();
    let far = word[..24].iter().any(|byte| *byte != 0);
    let low = u64::from_be_bytes([word[24], word[25], word[26], word[27], word[28], word[29], word[30], word[31]]);
    /// Start of the year 3000.
    const FAR: u64 = 32_503_680_000;
    if far || low >= FAR {
        Said::new(Phrase::Never, &[])
    } else {
        Said::new(Phrase::Date, &[&portico_terms::sign_in::rfc3339(low)])
    }
}
