//! Snapshots of sending: tokens, names as receivers, and the outcome of a transaction.

use crate::holdings::{balances, history, served};
use crate::snapshots::Cases;
use portico_api::identity::Identity;
use portico_api::name::{NameAddress, NameRecord};
use portico_core::account::{OneAccount, Tab};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::send::Event as Send;
use portico_core::{Event, Snapshot};
use portico_json::{Map, parse, to_text};
use portico_testkit::{Contract, World};

const RECEIVER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/// Address that begins and ends like the receiver's.
const ALIKE: &str = "0x7099a4b8e5ce2f30ca9b53e3fcb8d1c2b2dc79c8";
const OWN: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const OTHER: &str = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const STRANGER: &str = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const TOKEN: &str = "0x0000000000000000000000000000000000000001";

fn name() -> String {
    let mut addresses = Map::default();
    for coin in ["60", "2147514985"] {
        addresses.insert(coin.into(), NameAddress { address: RECEIVER.into(), ..NameAddress::default() });
    }
    to_text(&NameRecord { name: "alice.example.eth".into(), addresses, ..NameRecord::default() })
}

/// World with the send form filled in; `token` chooses the token instead of the coin.
fn form(decimals: Option<u16>, token: bool, amount: &str, receiver: &str) -> World {
    let identity = to_text(&Identity { name: Some("alice.example.eth".into()), ..Identity::default() });
    // A payment to the receiver is in the history.
    let history = history(None).replace(r#""failed""#, r#""confirmed""#);
    let (named, balances) = (name(), balances());
    let nobody = to_text(&Identity::default());
    let mine = format!("/v1/identity/{RECEIVER}");
    let answers = [
        ("/balance", 200, balances.as_str()),
        ("/history", 200, &history),
        ("/v1/profile/account/alice", 200, &named),
        ("/v1/profile/account/nobody", 404, ""),
        ("/v1/identity/", 200, &nobody),
        (&mine, 200, &identity),
    ];
    let mut world = served(Tab::Tokens, &answers, false);
    let contract =
        Contract { symbol: Some("USDC"), decimals, balance: Some(1_250_004_000_000_000_000_000), declines: false };
    world.node.tokens.insert(TOKEN.into(), contract);
    world.node.names.set("alice.example.eth", 0x8000_0000 | 31337, RECEIVER);
    // The chain knows the payment of the history.
    world.node.nonces = (receiver == ALIKE).then_some([7, 7]);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    if token {
        world.dispatch(Event::Send(Send::TokenChosen { address: Some(TOKEN.into()) }));
    }
    world.dispatch(Event::Send(Send::AmountTyped { text: amount.into() }));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: receiver.into() }));
    world.advance(500);
    world
}

fn resolving() -> Snapshot {
    let mut world = form(Some(18), false, "1.25", "");
    world.server.silent = true;
    world.node.mute = Some("eth_call");
    world.dispatch(Event::Send(Send::ReceiverTyped { text: "alice.example.eth".into() }));
    world.advance(500);
    world.snapshot()
}

fn disputed() -> Snapshot {
    let mut world = form(Some(18), false, "40", RECEIVER);
    world.node.other_decimals = Some(("host.example", 8));
    world.dispatch(Event::Send(Send::TokenChosen { address: Some(TOKEN.into()) }));
    world.dispatch(Event::Send(Send::AmountTyped { text: "40".into() }));
    world.advance(500);
    world.snapshot()
}

/// Form of a visitor who types the value of the coins, for which there is a price.
fn valued() -> Snapshot {
    let mut world = form(Some(18), false, "", RECEIVER);
    world.dispatch(Event::Send(Send::UnitSwitched));
    world.dispatch(Event::Send(Send::ValueTyped { text: "250".into() }));
    world.advance(500);
    world.snapshot()
}

/// Form of a visitor who paid two receivers from this browser, and whose wallet has another account.
fn suggesting() -> Snapshot {
    let mut world = form(Some(18), false, "", "");
    for (at, to, name) in [(1, RECEIVER, " alice.eth"), (2, STRANGER, "")] {
        let key = format!("@portico/paid/eip155:31337:{}/{}", OWN.to_lowercase(), to.to_lowercase());
        world.store.values.insert(key, format!("{}{name}", world.now - 10_000 + at));
    }
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    let mut snapshot = world.snapshot();
    for account in &mut snapshot.account.accounts {
        if let Some(one) = account.all_accounts.first().cloned() {
            account.all_accounts.push(OneAccount { address: OTHER.into(), ..one });
        }
    }
    snapshot
}

/// Form with everything of the coin, whose amount has many digits.
fn everything() -> Snapshot {
    let mut world = form(Some(18), false, "", RECEIVER);
    world.node.price = 1_234_567_891;
    world.dispatch(Event::Send(Send::MaxAsked));
    world.advance(500);
    world.snapshot()
}

fn reverting() -> Snapshot {
    let mut world = form(Some(18), true, "", RECEIVER);
    world.node.reverts = true;
    world.dispatch(Event::Send(Send::AmountTyped { text: "40".into() }));
    world.advance(500);
    world.snapshot()
}

fn choosing(search: &str) -> Snapshot {
    let mut world = form(Some(18), true, "", "");
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    world.dispatch(Event::Send(Send::TokenSearched { text: search.into() }));
    world.snapshot()
}

fn review(token: bool, receiver: &str) -> World {
    let mut world = form(Some(18), token, "40", receiver);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world
}

/// Snapshot of a transaction that was sent `after` milliseconds ago.
fn sent(made: impl FnOnce(&mut World), after: u64) -> Snapshot {
    let mut world = review(true, "alice.example.eth");
    world.dispatch(Event::Send(Send::ConfirmAsked));
    made(&mut world);
    world.advance(after);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

fn replaced(world: &mut World) {
    (world.node.nonces, world.node.sent_to) = (Some([7, 8]), TOKEN.into());
}

fn mined(world: &mut World, well: bool) {
    let status = if well { "0x1" } else { "0x0" };
    let receipt = format!(
        r#"{{"transactionHash":"0x{}","status":"{status}","from":"{OWN}","to":"{TOKEN}","gasUsed":"0xb411","effectiveGasPrice":"0x59682f10"}}"#,
        "ab".repeat(32)
    );
    world.node.forged = parse(&receipt).ok();
}

/// Returns all states of sending.
pub fn cases() -> Cases {
    vec![
        ("WalletSend.token", form(Some(18), true, "40.5", "alice.example.eth").snapshot()),
        ("WalletSend.value", valued()),
        ("WalletSend.suggestions", suggesting()),
        ("WalletSend.max", everything()),
        ("WalletSend.resolving", resolving()),
        ("WalletSend.nobody", form(Some(18), false, "1.25", "nobody.example.eth").snapshot()),
        ("WalletSend.lookAlike", form(Some(18), false, "1.25", ALIKE).snapshot()),
        ("WalletSend.firstSeen", form(Some(6), true, "40", STRANGER).snapshot()),
        ("WalletSend.disputed", disputed()),
        ("WalletSend.unreadable", form(None, true, "40", RECEIVER).snapshot()),
        ("WalletSend.reverts", reverting()),
        ("WalletSendSelectToken.list", choosing("")),
        ("WalletSendSelectToken.none", choosing("nothing like this")),
        ("WalletSendPreview.token", review(true, "alice.example.eth").snapshot()),
        ("WalletSendPreview.lookAlike", review(false, ALIKE).snapshot()),
        ("WalletSendConfirmed.pending", sent(|_| {}, 1_000)),
        ("WalletSendConfirmed.slow", sent(|_| {}, 65_000)),
        ("WalletSendConfirmed.confirmed", sent(|world| mined(world, true), 5_000)),
        ("WalletSendConfirmed.failed", sent(|world| mined(world, false), 5_000)),
        ("WalletSendConfirmed.replaced", sent(replaced, 13_000)),
        ("WalletSendConfirmed.lost", sent(|_| {}, 185_000)),
    ]
}
