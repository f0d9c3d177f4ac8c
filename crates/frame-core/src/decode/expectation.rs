//! Rows of a simulation.

use super::call::{symbol, token_text};
use super::{Content, address_text};
use crate::expected::{Expected, PermissionKind};
use crate::token::Named;
use crate::view::{Action, Flag, Row, RowLabel};

/// Adds to an explanation what a simulation expects.
pub fn expectation(content: &mut Content, expected: &Expected, chain: u64, named: &Named) {
    let mut rows = Vec::new();
    for one in &expected.moves {
        // What leaves and comes back in one transaction is no change.
        let (label, amount) = match one.left > one.came {
            true => (RowLabel::Leaves, one.left.minus(one.came)),
            false => (RowLabel::Comes, one.came.minus(one.left)),
        };
        if let Some(amount) = amount.filter(|amount| !amount.is_zero()) {
            rows.push(Row::new(label, token_text(content, amount, one.token, chain, named)));
        }
    }
    for one in &expected.items {
        let item = one.item.map_or_else(|| "NFTs".into(), |item| ["NFT #", &item.to_string()].concat());
        let label = if one.leaves { RowLabel::Leaves } else { RowLabel::Comes };
        rows.push(Row::new(label, [&item, " of ", &address_text(&one.contract)].concat()));
    }
    let says_so = matches!(content.action, Action::ApproveToken | Action::ApproveItems | Action::Revoke);
    for one in &expected.permissions {
        let symbol = symbol(content, one.contract, chain, named);
        let token = if symbol.is_empty() { address_text(&one.contract) } else { symbol };
        let what = match one.kind {
            PermissionKind::All => ["all NFTs of ", &address_text(&one.contract)].concat(),
            PermissionKind::Amount(amount) if super::is_unlimited(amount) => ["any amount of ", &token].concat(),
            PermissionKind::Amount(amount) => token_text(content, amount, one.contract, chain, named),
            PermissionKind::Permit2 => ["some ", &token, ", through Permit2"].concat(),
        };
        rows.push(Row::new(RowLabel::Allows, [&address_text(&one.taker), " may take ", &what].concat()));
        if !says_so {
            content.flag(Flag::AlsoPermits);
        }
    }
    // Leaving first: that is what costs.
    rows.sort_by_key(|row| match row.label {
        RowLabel::Leaves => 0,
        RowLabel::Comes => 1,
        _ => 2,
    });
    content.expected = Some(rows);
}
