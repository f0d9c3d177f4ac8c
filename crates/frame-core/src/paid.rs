//! Receivers that an account paid before, and spenders that it let take tokens. They are those for whom something was signed in this browser:
//! neither the host page nor the server can name one. Storage is the visitor's own, and still untrusted until parsed.

use crate::decode::Content;
use crate::network::id_of;
use crate::text::split_last;
use crate::view::{Flag, Row, RowLabel};
use portico_calldata::solana::key;
use portico_calldata::{Address, hex};
use portico_json::Value;
use portico_terms::ChainId;
use portico_terms::address::{shorten, to_checksum};

/// Maximum number of receivers that are read.
const MOST: usize = 500;

/// Maximum number of parties of one request that are stored, so that no request displaces all that the browser knows.
const MOST_OF_REQUEST: usize = 32;

/// Begin of a stored spender.
const SPENDER: &str = "spender:";

/// Somebody whom a request pays, or lets take tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Party {
    /// Address: of EVM in lower case, of Solana in base58. A token account of Solana comes after its owner, where that is known.
    pub names: Vec<String>,
    /// Whether it may take tokens, and is not paid.
    pub takes: bool,
    /// Whether it is known once the request is signed. It is not if it gets nothing, or something of another account: otherwise an impostor
    /// could become known for free.
    pub counts: bool,
    /// Number of rows up to and with those that show it.
    pub row: usize,
}

impl Party {
    /// Account of EVM.
    pub fn of(address: &Address, takes: bool, counts: bool, row: usize) -> Party {
        Party { names: vec![hex::text(address)], takes, counts, row }
    }
}

/// Receivers that an account paid, and its spenders, each as a checked entry.
#[derive(Debug, Default)]
pub struct Paid {
    receivers: Vec<String>,
    spenders: Vec<String>,
}

/// Relation of the account to a party.
enum Standing<'a> {
    Known,
    /// The account paid nothing to this address on this chain, or let it take nothing.
    New,
    /// The account paid nothing to it, and it could be mistaken for this one.
    LooksLike(&'a str),
}

impl Paid {
    /// Reads what the worker stored; entries of another form are left out.
    pub fn read(value: &Value) -> Paid {
        let mut paid = Paid::default();
        for text in value.as_list().unwrap_or_default().iter().take(MOST).filter_map(Value::as_str) {
            match text.strip_prefix(SPENDER) {
                Some(spender) => paid.spenders.extend(checked(spender)),
                None => paid.receivers.extend(checked(text)),
            }
        }
        paid
    }

    /// An address on another chain can be somebody else's: a contract's is.
    fn standing(&self, chain: &str, party: &Party) -> Standing<'_> {
        let known = if party.takes { &self.spenders } else { &self.receivers };
        let mut alike = Standing::New;
        // The latest entry is the first, and counts if several look alike.
        for (of, address) in known.iter().rev().map(|entry| split(entry)) {
            for name in &party.names {
                if address == name && of == chain {
                    return Standing::Known;
                }
                if !party.takes && looks_like(address, name) {
                    alike = Standing::LooksLike(address);
                }
            }
        }
        alike
    }
}

impl Content {
    /// Warns of the parties that the account does not know on this chain.
    pub fn warn(&mut self, paid: &Paid, chain: &ChainId) {
        let chain = id_of(chain);
        // The last one first: a row that is added moves those behind it.
        for index in (0..self.parties.len()).rev() {
            let party = &self.parties[index];
            let (row, takes) = (party.row, party.takes);
            match paid.standing(&chain, party) {
                Standing::Known => {}
                Standing::New => self.flag(if takes { Flag::FirstSpender } else { Flag::FirstSeen }),
                Standing::LooksLike(known) => {
                    self.flag(Flag::LookAlike);
                    let known = if known.starts_with("0x") { to_checksum(known) } else { known.into() };
                    self.rows.insert(row, Row::new(RowLabel::PaidBefore, known));
                }
            }
        }
    }

    /// Entries that the worker stores once the request is signed.
    pub fn entries(&self, chain: &ChainId) -> Vec<String> {
        let chain = id_of(chain);
        let mut entries = Vec::new();
        for party in self.parties.iter().filter(|party| party.counts).take(MOST_OF_REQUEST) {
            for name in &party.names {
                entries.push([if party.takes { SPENDER } else { "" }, &chain, ":", name].concat());
            }
        }
        entries
    }
}

/// Chain and address of a receiver as the worker stores them: "1:0x…" with the EIP-155 number of the chain, or "solana:…:…" with its CAIP-2 id.
fn split(entry: &str) -> (&str, &str) {
    split_last(entry, b':').unwrap_or_default()
}

/// An entry whose address is one, in the form in which it is compared and shown; `None` for any other text. Its chain is only compared.
fn checked(text: &str) -> Option<String> {
    let (chain, address) = split(text);
    let address = match hex::address(address) {
        Some(address) => hex::text(&address),
        None => key(address).map(|_| address.into())?,
    };
    Some([chain, ":", &address].concat())
}

/// Whether an address could be mistaken for a known one: they differ, and look the same when shortened, here or in other wallets.
fn looks_like(known: &str, other: &str) -> bool {
    let ends = |text: &str| {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let end = digits.len().checked_sub(4)?;
        Some([digits.get(..4)?, digits.get(end..)?].concat())
    };
    known != other && (shorten(known) == shorten(other) || ends(known) == ends(other))
}
