//! Snapshots of payments on Bitcoin.

use crate::snapshots::Cases;
use portico_api::account::History;
use portico_api::project::ProjectConfig;
use portico_core::bitcoin::{Event as Pay, Speed};
use portico_core::detail::Event as Detail;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::{Event, Snapshot, account};
use portico_json::{Value, parse, to_text};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{
    BITCOIN, BITCOIN_ADDRESS, Behaviour, BitcoinNode, ScriptedWallet, Store, World, every_namespace,
};
use std::cell::RefCell;
use std::rc::Rc;

const RECEIVER: &str = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";

/// Address with the same letters as [`RECEIVER`] at both ends, where people compare addresses.
const ALIKE: &str = "bc1p0xlxvlhpcezw68kgly4k4mkxeufqhwwypawsyyfpcezw69hcz7vqzk5jj0";

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
    opened_by(ScriptedWallet::named("Bit").of(Namespace::Bip122, BITCOIN_ADDRESS).when("signPsbt", behaviour), node)
}

fn opened_by(wallet: ScriptedWallet, node: BitcoinNode) -> (World, Rc<RefCell<BitcoinNode>>) {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let wallet = wallet.through(ConnectorKind::Announced);
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
    fill(&mut world, amount, receiver);
    (world, node)
}

fn fill(world: &mut World, amount: &str, receiver: &str) {
    pay(world, Pay::AmountTyped { text: amount.into() });
    pay(world, Pay::ReceiverTyped { text: receiver.into() });
    world.dispatch(Event::Notice(Notice::SnackDismissed));
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
fn again(receiver: &str) -> World {
    let (mut world, _) = preview(Behaviour::Right, node(), true);
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "0.005", receiver);
    world
}

fn reviewed(mut world: World) -> Snapshot {
    pay(&mut world, Pay::ReviewAsked);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Preview of the payment after one that a node refused and may send later: the coins that both should spend are listed no more.
fn earlier() -> Snapshot {
    let refusing = BitcoinNode { refusal: Some((-26, "min relay fee not met")), ..node() };
    let (mut world, node) = preview(Behaviour::Right, refusing, true);
    node.borrow_mut().coins.clear();
    node.borrow_mut().fund(BITCOIN_ADDRESS, 3_000_000, true);
    world.modal(Modal::BackAsked);
    reviewed(world)
}

/// Form of an account of a wallet that keeps inscriptions on the same address.
fn ordinals() -> Snapshot {
    let address = format!(r#"[{{"address":"{BITCOIN_ADDRESS}","purpose":"payment"}}]"#);
    let described = Behaviour::Nonsense(parse(&address).unwrap_or_default());
    let wallet = ScriptedWallet::named("Bit").of(Namespace::Bip122, BITCOIN_ADDRESS);
    let (mut world, _) = opened_by(wallet.when("getAccountAddresses", described), node());
    fill(&mut world, "0.0125", RECEIVER);
    world.snapshot()
}

/// Form of an account whose confirmed coins are these, where every speed costs this for 1,000 bytes.
fn holding(fee: &'static str, coins: &[u64], amount: &str) -> Snapshot {
    let mut node = BitcoinNode { fees: [(144, fee), (6, fee), (2, fee)].into(), ..BitcoinNode::default() };
    for satoshis in coins {
        node.fund(BITCOIN_ADDRESS, *satoshis, true);
    }
    filled(Behaviour::Right, node, amount, RECEIVER).0.snapshot()
}

/// Form of an account of a kind that needs more than one signature.
fn shared() -> Snapshot {
    let address = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";
    let mut node = node();
    node.fund(address, 3_000_000, true);
    let (mut world, _) = opened_by(ScriptedWallet::named("Bit").of(Namespace::Bip122, address), node);
    fill(&mut world, "0.0125", RECEIVER);
    world.snapshot()
}

/// Activity on a new page after one that the visitor left while a payment was on its way.
fn returned() -> World {
    let (mut world, _) = preview(Behaviour::Right, node(), true);
    world.server.answers("/history", 200, &to_text(&History::default()));
    world.reload();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Transactions });
    world
}

pub fn cases() -> Cases {
    let right = || Behaviour::Right;
    let refusing = BitcoinNode { refusal: Some((-26, "min relay fee not met")), ..node() };
    let unsigned = Behaviour::Nonsense(Value::Text(String::new()));
    let own = id();
    let refused = |node: &mut BitcoinNode| node.refusal = Some((-25, "bad-txns-inputs-missingorspent"));
    let mut untrue = node();
    untrue.coins[0].satoshis += 1;
    let mut slow = preview(Behaviour::Silent, node(), true).0;
    slow.advance(8_000);
    let mut on_its_way = returned();
    on_its_way.dispatch(Event::Detail(Detail::TransactionAsked { id: own.clone() }));
    vec![
        ("BitcoinSend.empty", opened(right(), node()).0.snapshot()),
        ("BitcoinSend.filled", form("0.0125", RECEIVER)),
        ("BitcoinSend.faults", form("99", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx")),
        ("BitcoinSend.dust", form("0.000001", RECEIVER)),
        ("BitcoinSend.unconfirmed", form("0.04", RECEIVER)),
        ("BitcoinSend.highFee", form("0.00001", RECEIVER)),
        ("BitcoinSend.unread", unread()),
        ("BitcoinSend.coin", form("0.0532", RECEIVER)),
        ("BitcoinSend.coinShort", holding("0.0005", &[2_000, 1_500], "0.00001")),
        ("BitcoinSend.inputs", holding("0.00001", &[1_000; 60], "0.00058")),
        ("BitcoinSend.account", shared()),
        ("BitcoinSend.ordinals", ordinals()),
        ("Transactions.bitcoinPending", returned().snapshot()),
        ("TransactionDetails.bitcoinPending", on_its_way.snapshot()),
        ("BitcoinSend.recent", again("").snapshot()),
        ("BitcoinSend.first", again(STRANGER).snapshot()),
        ("BitcoinSend.lookAlike", again(ALIKE).snapshot()),
        ("BitcoinSendPreview.lookAlike", reviewed(again(ALIKE))),
        ("BitcoinSendPreview.earlier", earlier()),
        ("BitcoinSendPreview.untrue", preview(right(), untrue, true).0.snapshot()),
        ("BitcoinSendPreview.slow", slow.snapshot()),
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
        (
            "BitcoinSendConfirmed.replaced",
            sent(|node| {
                refused(node);
                node.spender = Some("cd".repeat(32));
            }),
        ),
        ("BitcoinSendConfirmed.lost", sent(refused)),
    ]
}
