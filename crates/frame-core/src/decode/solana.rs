//! Explains transactions of Solana by the bytes alone.

use super::Content;
use crate::said::{Phrase, Said};
use crate::view::{Action, Flag, RowLabel};
use portico_calldata::solana::{Key, Message, Step, Transaction};
use portico_encoding::base58;
use portico_terms::Amount;
use portico_terms::address::shorten;

/// Explains the transactions that the account `own` is asked to sign.
pub fn transactions(list: &[Transaction<'_>], own: &Key) -> Content {
    let mut content = Content::new(match list {
        [one] => action(&one.message),
        _ => Action::SignTransaction,
    });
    for (index, transaction) in list.iter().enumerate() {
        if list.len() > 1 {
            let place = [(index + 1).to_string(), list.len().to_string()];
            content.row(RowLabel::Transaction, Said::new(Phrase::PartOf, &[&place[0], &place[1]]));
        }
        explain(&mut content, &transaction.message, own);
    }
    content
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

fn explain(content: &mut Content, message: &Message<'_>, own: &Key) {
    if message.looks_up {
        content.flag(Flag::HiddenAccounts);
    }
    for one in message.steps() {
        step(content, message, one, own);
    }
}

fn step(content: &mut Content, message: &Message<'_>, step: Step<'_>, own: &Key) {
    let text = base58::encode;
    match step {
        Step::Transfer { from, to, lamports } => {
            content.row(RowLabel::Amount, sol(lamports));
            if from != *own {
                content.row(RowLabel::From, text(&from));
            }
            content.row(RowLabel::To, text(&to));
        }
        Step::SendToken { from, to, amount, mint, owner } => {
            tokens(content, amount, mint, &from);
            if owner != *own {
                content.row(RowLabel::From, text(&owner));
            }
            if let Some(receiver) = owner_of(message, &to) {
                content.row(RowLabel::To, text(&receiver));
            }
            content.row(RowLabel::TokenAccount, text(&to));
        }
        Step::Approve { account, delegate, amount, mint } => {
            match is_unlimited(amount) {
                true => content.flag(Flag::UnlimitedApproval),
                false => content.flag(Flag::Delegates),
            }
            tokens(content, amount, mint, &account);
            content.row(RowLabel::Spender, text(&delegate));
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
        Step::Close { account, to } => {
            content.row(RowLabel::Closes, text(&account));
            if to != *own {
                content.row(RowLabel::To, text(&to));
            }
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
fn tokens(content: &mut Content, amount: u64, mint: Option<(Key, u8)>, account: &Key) {
    let Some((mint, decimals)) = mint else {
        content.row(RowLabel::Amount, Said::new(Phrase::SmallestUnits, &[&amount.to_string(), &short(account)]));
        return content.row(RowLabel::TokenAccount, base58::encode(account));
    };
    let number = Amount::from(amount).to_units(decimals);
    content.row(RowLabel::Amount, Said::new(Phrase::Amount, &[&number, &short(&mint)]));
    content.row(RowLabel::Token, base58::encode(&mint));
}

fn short(key: &Key) -> String {
    shorten(&base58::encode(key))
}

/// Owner of a token account, where the same transaction makes it: the chain derives the account from the owner.
fn owner_of(message: &Message<'_>, account: &Key) -> Option<Key> {
    message.steps().find_map(|step| match step {
        Step::Create { account: made, owner, .. } if made == *account => Some(owner),
        _ => None,
    })
}

/// Whether an allowance is no limit: no supply is as large.
fn is_unlimited(amount: u64) -> bool {
    amount >= 1 << 63
}
