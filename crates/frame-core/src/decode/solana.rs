//! Explains transactions of Solana by the bytes alone.

use super::Content;
use super::large::is_large;
use crate::network;
use crate::paid::Party;
use crate::said::{Phrase, Said};
use crate::view::{Action, Flag, Row, RowLabel};
use portico_calldata::solana::{Key, Message, Step, Transaction, known_mint};
use portico_encoding::base58;
use portico_terms::address::shorten;
use portico_terms::{Amount, ChainId};

/// Explains the transactions that the account `own` is asked to sign on this network.
pub fn transactions(list: &[Transaction<'_>], own: &Key, chain: &ChainId) -> Content {
    let mut content = Content::new(match list {
        [one] => action(&one.message),
        _ => Action::SignTransaction,
    });
    for (index, transaction) in list.iter().enumerate() {
        if list.len() > 1 {
            content.rows.push(part_row(index, list.len()));
        }
        explain(&mut content, &transaction.message, own, chain);
    }
    content
}

/// Place of a transaction among several.
pub fn part_row(index: usize, count: usize) -> Row {
    let digits = |number: usize| Amount::from(number as u64).to_digits();
    Row::new(RowLabel::Transaction, Said::new(Phrase::PartOf, &[&digits(index + 1), &digits(count)]))
}

/// Whether the rows say all that a transaction does.
pub fn is_plain(message: &Message<'_>) -> bool {
    !message.looks_up && !message.steps().any(|step| matches!(step, Step::Unknown { .. }))
}

/// Symbol of a token that people know by it; never what a node says.
pub fn symbol_of(mint: &str, chain: &ChainId) -> Option<&'static str> {
    known_mint(mint).filter(|_| network::is_solana(chain)).map(|known| known.symbol)
}

/// Amount of the native coin.
pub fn sol(lamports: u64) -> Said {
    Said::new(Phrase::Amount, &[&Amount::from(lamports).to_units(9), "SOL"])
}

/// Action of a transaction that does one thing.
fn action(message: &Message<'_>) -> Action {
    let aside = |step: &Step<'_>| {
        matches!(
            step,
            Step::Nonce | Step::Create { .. } | Step::UnitLimit(_) | Step::UnitPrice(_) | Step::Budget | Step::Memo(_)
        )
    };
    let mut steps = message.steps().filter(|step| !aside(step));
    match (steps.next(), steps.next()) {
        (Some(Step::Transfer { .. }), None) => Action::Send,
        (Some(Step::SendToken { .. }), None) => Action::SendToken,
        (Some(Step::Approve { .. }), None) => Action::ApproveToken,
        (Some(Step::Revoke { .. }), None) => Action::Revoke,
        _ => Action::SignTransaction,
    }
}

fn explain(content: &mut Content, message: &Message<'_>, own: &Key, chain: &ChainId) {
    if message.looks_up {
        content.flag(Flag::HiddenAccounts);
    }
    for one in message.steps() {
        step(content, message, one, own, chain);
    }
}

fn step(content: &mut Content, message: &Message<'_>, step: Step<'_>, own: &Key, chain: &ChainId) {
    let text = base58::encode;
    match step {
        Step::Transfer { from, to, lamports } => {
            content.row(RowLabel::Amount, sol(lamports));
            weigh(content, "SOL", 9, lamports);
            if from != *own {
                content.row(RowLabel::From, text(&from));
            }
            content.row(RowLabel::To, text(&to));
            // The coins of an account that is made for a token belong to its owner.
            pays(content, message.owner_of(&to, None), &to, own, from == *own && lamports > 0);
        }
        Step::SendToken { from, to, amount, mint, owner } => {
            tokens(content, amount, mint, &from, chain);
            if owner != *own {
                content.row(RowLabel::From, text(&owner));
            }
            let receiver = message.owner_of(&to, mint.as_ref().map(|(mint, _)| mint));
            if let Some(receiver) = receiver {
                content.row(RowLabel::To, text(&receiver));
            }
            content.row(RowLabel::TokenAccount, text(&to));
            pays(content, receiver, &to, own, owner == *own && amount > 0);
        }
        Step::Approve { account, delegate, amount, mint, owner } => {
            match is_unlimited(amount) {
                true => content.flag(Flag::UnlimitedApproval),
                false => content.flag(Flag::Delegates),
            }
            tokens(content, amount, mint, &account, chain);
            content.row(RowLabel::Spender, text(&delegate));
            if delegate != *own && amount > 0 {
                let (names, row) = (vec![text(&delegate)], content.rows.len());
                content.parties.push(Party { names, takes: true, counts: owner == *own, row });
            }
        }
        Step::Revoke { account } => content.row(RowLabel::TokenAccount, text(&account)),
        Step::SetAuthority { account, authority } => {
            content.row(RowLabel::TokenAccount, text(&account));
            let to = authority.map_or_else(|| Said::new(Phrase::Nobody, &[]), |key| text(&key).into());
            content.row(RowLabel::NewAuthority, to);
            if authority != Some(*own) {
                content.flag(Flag::NewAuthority);
            }
        }
        Step::Close { account, to, owner } => {
            content.row(RowLabel::Closes, text(&account));
            if to != *own {
                content.row(RowLabel::To, text(&to));
            }
            pays(content, None, &to, own, owner == *own);
        }
        Step::Create { owner, mint, .. } => {
            content.row(RowLabel::Creates, text(&owner));
            content.row(RowLabel::Token, text(&mint));
        }
        Step::Nonce => content.flag(Flag::NeverExpires),
        Step::Memo(memo) => content.row(RowLabel::Memo, super::shown(memo)),
        Step::UnitLimit(_) | Step::UnitPrice(_) | Step::Budget => {}
        Step::Unknown { program } => {
            content.row(RowLabel::Program, text(&program));
            content.flag(Flag::UnknownProgram);
        }
    }
}

/// Amount and mint. Without decimals the amount stays in the smallest unit, and the token account is all that is known of its token.
fn tokens(content: &mut Content, amount: u64, mint: Option<(Key, u8)>, account: &Key, chain: &ChainId) {
    let Some((mint, decimals)) = mint else {
        content.row(
            RowLabel::Amount,
            Said::new(Phrase::SmallestUnits, &[&Amount::from(amount).to_digits(), &short(account)]),
        );
        return content.row(RowLabel::TokenAccount, base58::encode(account));
    };
    let number = Amount::from(amount).to_units(decimals);
    let mint = base58::encode(&mint);
    let symbol = symbol_of(&mint, chain);
    // The mint has these decimals, or the program refuses the amount.
    weigh(content, symbol.unwrap_or_default(), decimals, amount);
    let unit = symbol.map_or_else(|| shorten(&mint), String::from);
    content.row(RowLabel::Amount, Said::new(Phrase::Amount, &[&number, &unit]));
    content.row(RowLabel::Token, mint);
}

/// Flags an amount that leaves the account, or may be taken from it, if it is large.
pub fn weigh(content: &mut Content, symbol: &str, decimals: u8, amount: u64) {
    if is_large(symbol, decimals, Amount::from(amount)) {
        content.flag(Flag::Large);
    }
}

fn short(key: &Key) -> String {
    shorten(&base58::encode(key))
}

/// Adds the receiver of a payment, whose rows were added, unless it is the account itself.
fn pays(content: &mut Content, owner: Option<Key>, account: &Key, own: &Key, counts: bool) {
    if owner.as_ref().unwrap_or(account) != own {
        let mut names = vec![base58::encode(account)];
        if let Some(owner) = owner {
            names.insert(0, base58::encode(&owner));
        }
        content.parties.push(Party { names, takes: false, counts, row: content.rows.len() });
    }
}

/// Whether an allowance is no limit: no supply is as large.
fn is_unlimited(amount: u64) -> bool {
    amount >= 1 << 63
}
