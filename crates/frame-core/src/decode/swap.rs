//! Explains swaps by known contracts, whose bytes say what they pay and the least that they bring, or what they bring and the most that they pay.

use super::call::token_text;
use super::{Content, address_text, time_text};
use crate::token::Named;
use crate::transaction::Draft;
use crate::view::{Action, Flag, RowLabel};
use portico_calldata::{Call, Contract, DecodedSwap, decode, find, hex, known, wrapped};
use portico_terms::Amount;

/// Reads a swap. A call that lets a Settler of 0x take tokens is none here: only the chain knows whether it is 0x's.
pub fn read(draft: &Draft, chain: u64, own: &str) -> Option<(Contract, DecodedSwap)> {
    let (to, from) = (draft.to?, hex::address(own)?);
    let contracts: Vec<Contract> = known(chain).collect();
    let contract = find(&contracts, &to)?;
    let call = Call { from, to, value: draft.value, data: &draft.data };
    let swap = decode(contract.protocol, wrapped(&contracts), &call)?;
    swap.settler.is_none().then_some((contract, swap))
}

pub fn explain(contract: &Contract, swap: &DecodedSwap, chain: u64, own: &str, named: &Named) -> Content {
    let mut content = Content::new(Action::Swap);
    let pays = token_text(&mut content, swap.amount, swap.from, chain, named);
    content.weigh(swap.amount, &swap.from, chain);
    let bought = !swap.exact.is_paid();
    content.row(if bought { RowLabel::PaysMost } else { RowLabel::Pays }, pays);
    let least = token_text(&mut content, swap.least, swap.to, chain, named);
    content.row(if bought { RowLabel::Comes } else { RowLabel::Least }, least);
    if hex::address(own) != Some(swap.receiver) {
        content.row(RowLabel::To, address_text(&swap.receiver));
        content.flag(Flag::OtherReceiver);
    }
    if let Some(deadline) = swap.deadline {
        content.row(RowLabel::Expires, time_text(Amount::from(deadline)));
    }
    content.row(RowLabel::Provider, contract.protocol.name());
    content.row(RowLabel::Contract, address_text(&contract.address));
    content
}
