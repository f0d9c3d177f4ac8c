//! Snapshots of swaps after a signature: the receipt, and what the activity says meanwhile.

use crate::snapshots::Cases;
use crate::swapping::{ADDRESS, USDC, act, alpha, preview, token_preview};
use portico_core::account::{Event as Account, Tab};
use portico_core::modal::Event as Modal;
use portico_core::notice::Event as Notice;
use portico_core::swap::Event as Swap;
use portico_core::{Event, Snapshot};
use portico_json::{parse, to_text};
use portico_terms::Amount;
use portico_testkit::exchange::{ROUTER, transfer};
use portico_testkit::{Behaviour, World};

fn hash() -> String {
    format!("0x{}", "ab".repeat(32))
}

/// World with the receipt of a swap that the wallet just signed.
fn signed() -> World {
    let mut world = preview(Behaviour::Right);
    act(&mut world, Swap::ConfirmAsked);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world
}

fn activity(mut world: World) -> Snapshot {
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Activity }));
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Returns the receipt and the activity in all states.
pub fn cases() -> Cases {
    let mut pending = signed();
    pending.modal(Modal::BackAsked);
    let mut approved = token_preview(alpha());
    act(&mut approved, Swap::ConfirmAsked);
    approved.modal(Modal::BackAsked);
    approved.modal(Modal::BackAsked);
    approved.node.receipts.insert(hash(), true);
    approved.advance(5_000);
    approved.dispatch(Event::Notice(Notice::SnackDismissed));
    let mut approving = token_preview(alpha());
    act(&mut approving, Swap::ConfirmAsked);
    approving.modal(Modal::BackAsked);
    approving.modal(Modal::BackAsked);
    approving.dispatch(Event::Notice(Notice::SnackDismissed));
    let mut swapped = signed();
    let came = transfer(USDC, ROUTER, ADDRESS, Amount::from(3_899_204_911_u32));
    let receipt = format!(
        r#"{{"transactionHash":"{}","status":"0x1","from":"{ADDRESS}","to":"{ROUTER}","gasUsed":"0x2bf20","effectiveGasPrice":"0x59682f10","logs":[{}]}}"#,
        hash(),
        to_text(&came)
    );
    swapped.node.forged = parse(&receipt).ok();
    swapped.advance(5_000);
    swapped.dispatch(Event::Notice(Notice::SnackDismissed));
    let mut failed = signed();
    failed.node.receipts.insert(hash(), false);
    failed.advance(5_000);
    failed.dispatch(Event::Notice(Notice::SnackDismissed));
    vec![
        ("SwapConfirmed.pending", signed().snapshot()),
        ("SwapConfirmed.confirmed", swapped.snapshot()),
        ("SwapConfirmed.failed", failed.snapshot()),
        ("Account.swapping", pending.snapshot()),
        ("Account.activity.approving", activity(approving)),
        ("Account.activity.unfinished", activity(approved)),
    ]
}
