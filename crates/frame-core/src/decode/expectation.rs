//! Rows of a simulation.

use super::call::{symbol, token_text};
use super::{Content, address_text};
use crate::expected::{Expected, PermissionKind};
use crate::said::{Phrase, Said};
use crate::token::Named;
use crate::view::{Action, Flag, Row, RowLabel};
use portico_terms::amount::{AMOUNT_DECIMALS, shown_units};

/// Adds to an explanation what a simulation expects.
pub fn expectation(content: &mut Content, expected: &Expected, chain: u64, named: &Named) {
    // Amounts that leave stand first, because they cost the visitor.
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    for one in &expected.moves {
        // What leaves and comes back in one transaction is no change.
        let (label, amount) = match one.left > one.came {
            true => (RowLabel::Leaves, one.left.minus(one.came)),
            false => (RowLabel::Comes, one.came.minus(one.left)),
        };
        if let Some(amount) = amount.filter(|amount| !amount.is_zero()) {
            let mut text = token_text(content, amount, one.token, chain, named);
            // Amounts that leave are exact; amounts that come have the decimals of the widget, and are never rounded up.
            if label == RowLabel::Comes
                && matches!(text.phrase, Phrase::Amount | Phrase::Coins)
                && let Some(shown) = shown_units(&text.values[0], AMOUNT_DECIMALS)
            {
                text.values[0] = shown;
            }
            if label == RowLabel::Leaves {
                content.weigh(amount, &one.token, chain);
            }
            let side = if label == RowLabel::Leaves { &mut rows } else { &mut others };
            side.push(Row::new(label, text));
        }
    }
    for one in &expected.items {
        let collection = address_text(&one.contract);
        let items = match one.item {
            Some(item) => Said::new(Phrase::ItemOf, &[&item.to_digits(), &collection]),
            None => Said::new(Phrase::ItemsOf, &[&collection]),
        };
        match one.leaves {
            true => rows.push(Row::new(RowLabel::Leaves, items)),
            false => others.push(Row::new(RowLabel::Comes, items)),
        }
    }
    let says_so = matches!(content.action, Action::ApproveToken | Action::ApproveItems | Action::Revoke);
    for one in &expected.permissions {
        if let PermissionKind::Amount(amount) = one.kind {
            content.weigh(amount, &one.contract, chain);
        }
        let symbol = symbol(content, one.contract, chain, named);
        let token = if symbol.is_empty() { address_text(&one.contract) } else { symbol };
        let taker = address_text(&one.taker);
        let permission = match one.kind {
            PermissionKind::All => Said::new(Phrase::MayTakeAll, &[&taker, &address_text(&one.contract)]),
            PermissionKind::Amount(amount) if super::is_unlimited(amount) => {
                Said::new(Phrase::MayTakeAny, &[&taker, &token])
            }
            PermissionKind::Amount(amount) => {
                let Said { phrase, mut values } = token_text(content, amount, one.contract, chain, named);
                values.insert(0, taker);
                Said {
                    phrase: if phrase == Phrase::SmallestUnits { Phrase::MayTakeUnits } else { Phrase::MayTake },
                    values,
                }
            }
            PermissionKind::Permit2 => Said::new(Phrase::MayTakeSome, &[&taker, &token]),
        };
        others.push(Row::new(RowLabel::Allows, permission));
        if !says_so {
            content.flag(Flag::AlsoPermits);
        }
    }
    rows.extend(others);
    content.expected = Some(rows);
}
