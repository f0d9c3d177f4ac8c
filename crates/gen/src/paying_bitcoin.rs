//! Snapshots of payments on Bitcoin.

use crate::snapshots::Cases;
use portico_api::account::History;
use portico_api::project::ProjectConfig;
use portico_core::bitcoin::{Event as Pay, Speed};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::{Event, Snapshot, account};
use portico_json::{Value, to_text};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{
    BITCOIN, BITCOIN_ADDRESS, Behaviour, BitcoinNode, ScriptedWallet, Store, World, every_namespace,
};
use std::cell::RefCell;
use std::rc::Rc;

const RECEIVER: &str = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";

/// Address that was not paid before.
const STRANGER: &str = "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr";

fn node() -> BitcoinNode {
    let mut node =
        BitcoinNode { fees: [(144, "0.00001"), (6, "0.0000241"), (2, "0.0000568")].into(), ..BitcoinNode::default() };
    node.fund(BITCOIN_ADDRESS, 1_500_000, true);
    node.fund(BITCOIN_ADDRESS, 820_000, true);
    node.fund(BITCOIN_ADDRESS, 3_000_000, false);
    node
}

/// Form of a visitor with a wallet that behaves so.
fn opened(behaviour: Behaviour, node: BitcoinNode) -> (World, Rc<RefCell<BitcoinNode>>) {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let wallet = ScriptedWallet::named("Bit").of(Namespace::Bip122, BITCOIN_ADDRESS);
    let wallet = wallet.through(ConnectorKind::Announced).when("signPsbt", behaviour);
    let mut world = World::with(&options, vec![wallet], Store::default());
    let (chain, node) = node.chain();
    world.node.chain = Some(chain);
    world.server.serves("/config", &ProjectConfig { chains: vec![BITCOIN.into()], ..ProjectConfig::default() });
    world.open(None);
    world.choose("example.bit");
    world.dispatch(Event::Account(account::Event::PriceTold { chain: BITCOIN.into(), usd: "67250.5".into() }));
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    (world, node)
}

fn pay(world: &mut World, event: Pay) {
    world.dispatch(Event::Bitcoin(event));
}

fn filled(behaviour: Behaviour, node: BitcoinNode, amount: &str, receiver: &str) -> (World, Rc<RefCell<BitcoinNode>>) {
    let (mut world, node) = opened(behaviour, node);
    pay(&mut world, Pay::AmountTyped { text: amount.into() });
    pay(&mut world, Pay::ReceiverTyped { text: receiver.into() });
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    (world, node)
}

fn form(amount: &str, receiver: &str) -> Snapshot {
    filled(Behaviour::Right, node(), amount, receiver).0.snapshot()
}

/// Form without an answer of the nodes.
fn unread() -> Snapshot {
    let silent = BitcoinNode { missing: vec!["getaddressutxos"], ..node() };
    let (mut world, _) = filled(Behaviour::Right, silent, "0.0125", RECEIVER);
    world.advance(15_000);
    world.snapshot()
}

/// Preview of a payment; `confirms` asks the wallet.
fn preview(behaviour: Behaviour, node: BitcoinNode, confirms: bool) -> (World, Rc<RefCell<BitcoinNode>>) {
    let (mut world, node) = filled(behaviour, node, "0.0125", RECEIVER);
    pay(&mut world, Pay::SpeedChosen { speed: Speed::Fast });
    pay(&mut world, Pay::ReviewAsked);
    if confirms {
        pay(&mut world, Pay::ConfirmAsked);
    }
    (world, node)
}

/// Receipt once the chain has changed so.
fn sent(change: impl FnOnce(&mut BitcoinNode)) -> Snapshot {
    let (mut world, node) = preview(Behaviour::Right, node(), true);
    change(&mut node.borrow_mut());
    world.advance(10_150);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Id of the transaction that the last receipt shows.
fn id() -> String {
    let (world, _) = preview(Behaviour::Right, node(), true);
    world.snapshot().bitcoin.and_then(|bitcoin| bitcoin.sent?.receipt.hash).unwrap_or_default()
}

/// Form of an account that paid the receiver before, with another address.
fn again(receiver: &str) -> Snapshot {
    let (mut world, _) = preview(Behaviour::Right, node(), true);
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    pay(&mut world, Pay::AmountTyped { text: "0.005".into() });
    pay(&mut world, Pay::ReceiverTyped { text: receiver.into() });
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Activity on a new page after one that the visitor left while a payment was on its way.
fn returned() -> Snapshot {
    let (mut world, _) = preview(Behaviour::Right, node(), true);
    world.server.answers("/history", 200, &to_text(&History::default()));
    world.reload();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Transactions });
    world.snapshot()
}

pub fn cases() -> Cases {
    let right = || Behaviour::Right;
    let refusing = BitcoinNode { refusal: Some((-26, "min relay fee not met")), ..node() };
    let unsigned = Behaviour::Nonsense(Value::Text(String::new()));
    let own = id();
    vec![
        ("BitcoinSend.empty", opened(right(), node()).0.snapshot()),
        ("BitcoinSend.filled", form("0.0125", RECEIVER)),
        ("BitcoinSend.faults", form("99", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx")),
        ("BitcoinSend.dust", form("0.000001", RECEIVER)),
        ("BitcoinSend.unconfirmed", form("0.04", RECEIVER)),
        ("BitcoinSend.highFee", form("0.00001", RECEIVER)),
        ("BitcoinSend.unread", unread()),
        ("Transactions.bitcoinPending", returned()),
        ("BitcoinSend.recent", again("")),
        ("BitcoinSend.first", again(STRANGER)),
        ("BitcoinSendPreview.ready", preview(right(), node(), false).0.snapshot()),
        ("BitcoinSendPreview.confirming", preview(Behaviour::Silent, node(), true).0.snapshot()),
        ("BitcoinSendPreview.refused", preview(Behaviour::Refuse, node(), true).0.snapshot()),
        ("BitcoinSendPreview.unsigned", preview(unsigned, node(), true).0.snapshot()),
        ("BitcoinSendPreview.notTaken", preview(right(), refusing, true).0.snapshot()),
        ("BitcoinSendConfirmed.pending", sent(|_| {})),
        (
            "BitcoinSendConfirmed.confirmed",
            sent(|node| node.status = Some(format!(r#"{{"txid":"{own}","blockheight":850001}}"#))),
        ),
        ("BitcoinSendConfirmed.replaced", sent(|node| node.spender = Some("cd".repeat(32)))),
    ]
}
