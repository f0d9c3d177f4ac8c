//! Explains transactions.

use super::large::decimals_of;
use super::{Content, address_text, is_unlimited, swap, time_text};
use crate::network;
use crate::paid::Party;
use crate::said::{Phrase, Said};
use crate::token::{Named, find};
use crate::transaction::Draft;
use crate::view::{Action, Flag, RowLabel};
use portico_calldata::token::{self, PERMIT2, TokenCall};
use portico_calldata::{Address, NATIVE, hex};
use portico_terms::Amount;

/// Contracts whose decimals and symbols an explanation needs.
pub fn tokens_of(draft: &Draft, chain: u64, own: &str) -> Vec<Address> {
    let Some(to) = draft.to else { return Vec::new() };
    if let Some((_, swap)) = swap::read(draft, chain, own) {
        return [swap.from, swap.to].into_iter().filter(|token| *token != NATIVE).collect();
    }
    match token::decode(&draft.data) {
        Some(TokenCall::Permit2Approve { token, .. }) if to == PERMIT2 => vec![token],
        Some(
            TokenCall::Transfer { .. }
            | TokenCall::TransferFrom { .. }
            | TokenCall::Approve { .. }
            | TokenCall::IncreaseAllowance { .. },
        ) => vec![to],
        _ => Vec::new(),
    }
}

/// Explains a transaction of the account `own`. `named` is what the chain says of tokens.
pub fn call(draft: &Draft, chain: u64, own: &str, named: &Named) -> Content {
    let mut content = explain(draft, chain, own, named);
    content.weigh(draft.value, &NATIVE, chain);
    let row = content.rows.len();
    let party = match payment(draft, chain, own) {
        Some((to, counts)) => Some((to, false, counts)),
        None => spender(draft).map(|spender| (spender, true, true)),
    };
    if let Some((address, takes, counts)) = party {
        content.parties.push(Party::of(&address, takes, counts, row));
    }
    content
}

fn explain(draft: &Draft, chain: u64, own: &str, named: &Named) -> Content {
    let Some(to) = draft.to else {
        let mut content = Content::new(Action::DeployContract);
        coins(&mut content, draft.value, chain);
        content.row(RowLabel::DataSize, size(draft));
        return content;
    };
    if let Some((contract, swap)) = swap::read(draft, chain, own) {
        return swap::explain(&contract, &swap, chain, own, named);
    }
    let mut content = match token::decode(&draft.data) {
        _ if draft.data.is_empty() => {
            let mut content = Content::new(Action::Send);
            content.row(RowLabel::Amount, coin_text(draft.value, chain));
            content.row(RowLabel::To, address_text(&to));
            return content;
        }
        Some(TokenCall::Permit2Approve { .. }) if to != PERMIT2 => unknown(draft, to),
        Some(call) => token_call(&call, to, chain, named),
        None => unknown(draft, to),
    };
    coins(&mut content, draft.value, chain);
    content
}

fn size(draft: &Draft) -> Said {
    Said::new(Phrase::Bytes, &[&Amount::from(draft.data.len() as u64).to_digits()])
}

fn unknown(draft: &Draft, to: Address) -> Content {
    let mut content = Content::new(Action::CallContract);
    content.row(RowLabel::Contract, address_text(&to));
    content.row(RowLabel::Selector, hex::of(draft.data.get(..4).unwrap_or(&draft.data)));
    content.row(RowLabel::DataSize, size(draft));
    content.flag(Flag::UnknownCall);
    content
}

/// Adds the coins that are sent along.
fn coins(content: &mut Content, value: Amount, chain: u64) {
    if !value.is_zero() {
        content.row(RowLabel::Amount, coin_text(value, chain));
    }
}

/// Amount of the native coin. All chains of eip155 count in 18 decimals.
pub fn coin_text(value: Amount, chain: u64) -> Said {
    let number = value.to_units(18);
    match network::coin(chain) {
        Some(coin) => Said::new(Phrase::Amount, &[&number, coin]),
        None => Said::new(Phrase::Coins, &[&number]),
    }
}

/// Receiver of a payment by the account `own`, and whether it gets anything.
fn payment(draft: &Draft, chain: u64, own: &str) -> Option<(Address, bool)> {
    let (to, own_address) = (draft.to?, hex::address(own)?);
    let (to, paid) = match token::decode(&draft.data) {
        _ if draft.data.is_empty() => (to, !draft.value.is_zero()),
        Some(TokenCall::Transfer { to, amount }) => (to, !amount.is_zero()),
        Some(TokenCall::TransferFrom { from, to, amount }) => (to, from == own_address && !amount.is_zero()),
        Some(TokenCall::TransferItem { from, to, .. }) => (to, from == own_address),
        Some(TokenCall::TransferItems { from, to, items }) => {
            (to, from == own_address && items.iter().any(|(_, amount)| !amount.is_zero()))
        }
        _ => (swap::read(draft, chain, own)?.1.receiver, true),
    };
    (to != own_address).then_some((to, paid))
}

/// Whom a transaction lets take tokens or items.
fn spender(draft: &Draft) -> Option<Address> {
    let to = draft.to?;
    match token::decode(&draft.data)? {
        TokenCall::Approve { spender, amount } | TokenCall::IncreaseAllowance { spender, amount } => {
            (!amount.is_zero()).then_some(spender)
        }
        TokenCall::Permit2Approve { spender, amount, .. } => (to == PERMIT2 && !amount.is_zero()).then_some(spender),
        TokenCall::ApproveAll { operator, approved } => approved.then_some(operator),
        _ => None,
    }
}

fn token_call(call: &TokenCall, contract: Address, chain: u64, named: &Named) -> Content {
    let mut content;
    match call {
        TokenCall::Transfer { to, amount } => {
            content = Content::new(Action::SendToken);
            tokens(&mut content, *amount, contract, chain, named);
            content.row(RowLabel::To, address_text(to));
        }
        TokenCall::TransferFrom { from, to, amount } => {
            content = Content::new(Action::SendToken);
            tokens(&mut content, *amount, contract, chain, named);
            content.row(RowLabel::From, address_text(from));
            content.row(RowLabel::To, address_text(to));
        }
        TokenCall::Approve { spender, amount } | TokenCall::IncreaseAllowance { spender, amount } => {
            content = allowance(*amount, contract, chain, named);
            content.row(RowLabel::Spender, address_text(spender));
        }
        TokenCall::Permit2Approve { token, spender, amount, expires } => {
            content = allowance(*amount, *token, chain, named);
            content.row(RowLabel::Spender, address_text(spender));
            content.row(RowLabel::Expires, time_text(Amount::from(*expires)));
        }
        TokenCall::TransferItem { from, to, item } => {
            content = Content::new(Action::SendItem);
            content.row(RowLabel::Item, Said::new(Phrase::Item, &[&item.to_digits()]));
            items_of(&mut content, contract, from, to);
        }
        TokenCall::TransferItems { from, to, items } => {
            content = Content::new(Action::SendItem);
            for (item, amount) in items {
                content.row(RowLabel::Item, Said::new(Phrase::Items, &[&amount.to_digits(), &item.to_digits()]));
            }
            items_of(&mut content, contract, from, to);
        }
        TokenCall::ApproveAll { operator, approved } => {
            content = Content::new(if *approved { Action::ApproveItems } else { Action::Revoke });
            if *approved {
                content.flag(Flag::ApprovesAll);
            }
            content.row(RowLabel::Operator, address_text(operator));
            content.row(RowLabel::Contract, address_text(&contract));
        }
    }
    content
}

fn items_of(content: &mut Content, contract: Address, from: &Address, to: &Address) {
    content.row(RowLabel::Contract, address_text(&contract));
    content.row(RowLabel::From, address_text(from));
    content.row(RowLabel::To, address_text(to));
}

fn allowance(amount: Amount, contract: Address, chain: u64, named: &Named) -> Content {
    if amount.is_zero() {
        let mut content = Content::new(Action::Revoke);
        content.row(RowLabel::Token, address_text(&contract));
        return content;
    }
    let mut content = Content::new(Action::ApproveToken);
    match is_unlimited(amount) {
        true => {
            content.row(RowLabel::Token, address_text(&contract));
            content.flag(Flag::UnlimitedApproval);
            content.weigh(amount, &contract, chain);
            symbol(&mut content, contract, chain, named);
        }
        false => tokens(&mut content, amount, contract, chain, named),
    }
    content
}

/// Amount of a token with its symbol, or with its address where it has none. Without decimals the amount stays in the smallest unit.
pub(super) fn token_text(content: &mut Content, amount: Amount, token: Address, chain: u64, named: &Named) -> Said {
    if token == NATIVE {
        return coin_text(amount, chain);
    }
    let symbol = symbol(content, token, chain, named);
    let name = if symbol.is_empty() { address_text(&token) } else { symbol };
    match decimals(token, chain, named) {
        Some(decimals) => Said::new(Phrase::Amount, &[&amount.to_units(decimals), &name]),
        None => Said::new(Phrase::SmallestUnits, &[&amount.to_digits(), &name]),
    }
}

/// Adds an amount of a token and its contract.
fn tokens(content: &mut Content, amount: Amount, contract: Address, chain: u64, named: &Named) {
    token_amount(content, amount, contract, chain, named);
    content.row(RowLabel::Token, address_text(&contract));
}

/// Adds an amount of a token. Without decimals it stays in the smallest unit, or is the number of an item.
pub(super) fn token_amount(content: &mut Content, amount: Amount, contract: Address, chain: u64, named: &Named) {
    let symbol = symbol(content, contract, chain, named);
    content.weigh(amount, &contract, chain);
    let Some(decimals) = decimals(contract, chain, named) else {
        return content.row(RowLabel::AmountOrItem, Said::new(Phrase::Number, &[&amount.to_digits()]));
    };
    let number = amount.to_units(decimals);
    let text = match symbol.is_empty() {
        true => Said::new(Phrase::Number, &[&number]),
        false => Said::new(Phrase::Amount, &[&number, &symbol]),
    };
    content.row(RowLabel::Amount, text);
}

/// Decimals of a token: those of the table, or what the contract says. A node cannot make an amount of a known token look small.
fn decimals(token: Address, chain: u64, named: &Named) -> Option<u8> {
    decimals_of(chain, &token).or_else(|| find(named, &token)?.decimals)
}

/// Symbol of a token: that of the table, or what the contract says of itself if it does not pretend to be a known one.
pub(super) fn symbol(content: &mut Content, contract: Address, chain: u64, named: &Named) -> String {
    if let Some(known) = portico_calldata::symbol_of(chain, &contract) {
        return known.into();
    }
    let Some(symbol) = find(named, &contract).and_then(|token| token.symbol.clone()) else { return String::new() };
    if portico_calldata::contradicts(chain, &symbol, &contract) {
        content.flag(Flag::FakeToken);
        return String::new();
    }
    symbol
}
