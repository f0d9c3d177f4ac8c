//! Snapshots of payments on Solana.

use crate::snapshots::Cases;
use portico_api::account::{Balance, Balances, History, Quantity};
use portico_calldata::solana::{TokenProgram, associated, key};
use portico_core::detail::Event as Detail;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::solana::Event as Pay;
use portico_core::{Event, Snapshot};
use portico_encoding::base58;
use portico_json::{Number, Value, parse, to_text};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{
    Behaviour, SOLANA, ScriptedWallet, SolanaAccount, SolanaNode, Store, World, every_namespace, solana_address,
};
use std::cell::RefCell;
use std::rc::Rc;

const TOKEN_2022: &str = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const MINT: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/// Token account of the receiver for another token: the chain does not know it, and it has no secret key.
const KEYLESS: &str = "4kokFKCFMxpCpG41yLYkLEqXW8g1WPfCt2NC9KGivY6N";

/// Bytes of which the secret keys of sender and receiver consist.
const SENDER: u8 = 7;
const RECEIVER: u8 = 8;

/// Mint of six decimals, with one extension of Token-2022.
fn mint(kind: u16, value: &[u8]) -> SolanaAccount {
    let mut data = vec![0; 82];
    (data[44], data[45]) = (6, 1);
    data.resize(165, 0);
    data.push(1);
    data.extend(kind.to_le_bytes());
    data.extend((value.len() as u16).to_le_bytes());
    data.extend(value);
    SolanaAccount::of(TOKEN_2022, data)
}

/// Extension of a fee of one percent.
fn fee() -> SolanaAccount {
    let mut value = vec![0; 72];
    for _ in 0..2 {
        value.extend(0u64.to_le_bytes());
        value.extend(5_000_000u64.to_le_bytes());
        value.extend(100u16.to_le_bytes());
    }
    mint(1, &value)
}

fn node(mint: SolanaAccount) -> SolanaNode {
    let mut node = SolanaNode::default();
    let sender = solana_address(SENDER);
    let account =
        key(&sender).zip(key(MINT)).and_then(|(owner, mint)| associated(&owner, TokenProgram::Token2022, &mint));
    let source = base58::encode(&account.unwrap_or_default());
    let mut data = [key(MINT).unwrap_or_default(), key(&sender).unwrap_or_default()].concat();
    data.extend(125_500_000u64.to_le_bytes());
    data.resize(165, 0);
    data[108] = 1;
    node.accounts.insert(sender, SolanaAccount::wallet(2_480_000_000));
    node.accounts.insert(solana_address(RECEIVER), SolanaAccount::wallet(1_000_000));
    node.accounts.insert(MINT.into(), mint);
    node.accounts.insert(source.clone(), SolanaAccount::of(TOKEN_2022, data));
    node.tokens.push(source);
    node
}

fn balances() -> String {
    let row = |name: &str, symbol: &str, address: Option<&str>, decimals: &str, numeric: &str, price: f64| Balance {
        name: name.into(),
        symbol: symbol.into(),
        chain_id: SOLANA.into(),
        address: address.map(|address| format!("{SOLANA}:{address}")),
        price: Number::from(price),
        quantity: Quantity { decimals: decimals.into(), numeric: numeric.into() },
        ..Balance::default()
    };
    let balances =
        vec![row("Solana", "SOL", None, "9", "2.48", 150.25), row("USD Coin", "USDC", Some(MINT), "6", "125.5", 1.0)];
    to_text(&Balances { balances, ..Balances::default() })
}

/// Form of a visitor with a wallet that behaves so.
fn opened(behaviour: Behaviour, mint: SolanaAccount) -> (World, Rc<RefCell<SolanaNode>>) {
    opened_on(behaviour, node(mint))
}

fn opened_on(behaviour: Behaviour, node: SolanaNode) -> (World, Rc<RefCell<SolanaNode>>) {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let wallet = ScriptedWallet::named("Sol").of(Namespace::Solana, &solana_address(SENDER));
    let wallet = wallet.through(ConnectorKind::Announced).when("solana_signTransaction", behaviour);
    let wallet = ScriptedWallet { secret: Some(SENDER), ..wallet };
    let mut world = World::with(&options, vec![wallet], Store::default());
    let (chain, node) = node.chain();
    world.node.chain = Some(chain);
    world.server.answers("/balance", 200, &balances());
    world.open(None);
    world.choose("example.sol");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    (world, node)
}

fn pay(world: &mut World, event: Pay) {
    world.dispatch(Event::Solana(event));
}

fn form(behaviour: Behaviour, mint: SolanaAccount, token: bool, amount: &str, receiver: &str) -> World {
    let (mut world, _) = opened(behaviour, mint);
    fill(&mut world, token, amount, receiver);
    world
}

fn fill(world: &mut World, token: bool, amount: &str, receiver: &str) {
    if token {
        pay(world, Pay::TokenChosen { address: Some(MINT.into()) });
    }
    pay(world, Pay::AmountTyped { text: amount.into() });
    pay(world, Pay::ReceiverTyped { text: receiver.into() });
    world.advance(500);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
}

/// Form on a chain that was changed so before; pressing its button asks the chain whether the payment would succeed.
fn on(change: impl FnOnce(&mut SolanaNode), token: bool, amount: &str, receiver: &str) -> Snapshot {
    let mut node = node(fee());
    change(&mut node);
    let (mut world, _) = opened_on(Behaviour::Right, node);
    fill(&mut world, token, amount, receiver);
    pay(&mut world, Pay::ReviewAsked);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Answer of a simulation that fails with this error.
fn simulated(error: &str) -> String {
    let logs = r#"["Program 11111111111111111111111111111111 invoke [1]","Program log: Limit exceeded"]"#;
    format!(r#"{{"err":{error},"logs":{logs},"unitsConsumed":150}}"#)
}

fn filled(token: bool, mint: SolanaAccount, amount: &str, secret: u8) -> Snapshot {
    form(Behaviour::Right, mint, token, amount, &solana_address(secret)).snapshot()
}

fn list(search: &str) -> Snapshot {
    let (mut world, _) = opened(Behaviour::Right, fee());
    world.modal(Modal::ViewAsked { view: View::SolanaSendSelectToken });
    pay(&mut world, Pay::TokenSearched { text: search.into() });
    world.snapshot()
}

/// Preview of a payment; `confirms` asks the wallet.
fn preview(behaviour: Behaviour, token: bool, confirms: bool) -> World {
    let mut world = form(behaviour, fee(), token, "1.25", &solana_address(RECEIVER));
    pay(&mut world, Pay::ReviewAsked);
    if confirms {
        pay(&mut world, Pay::ConfirmAsked);
    }
    world
}

/// Receipt of a transaction with this state on the chain.
fn sent(status: &str) -> Snapshot {
    let (mut world, node) = opened(Behaviour::Right, fee());
    pay(&mut world, Pay::AmountTyped { text: "1.25".into() });
    pay(&mut world, Pay::ReceiverTyped { text: solana_address(RECEIVER) });
    world.advance(500);
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    node.borrow_mut().status = status.into();
    world.advance(2_000);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

fn expired() -> Snapshot {
    let mut world = preview(Behaviour::Right, false, true);
    // The chain of the world has passed the last block.
    let (chain, _) = SolanaNode { height: 151, ..SolanaNode::default() }.chain();
    world.node.chain = Some(chain);
    world.advance(130_000);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Form of an account that paid the receiver before.
fn again() -> World {
    let mut world = preview(Behaviour::Right, false, true);
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world
}

/// Form with an address that begins and ends like the one of the receiver.
fn alike() -> World {
    let mut world = again();
    let receiver = solana_address(RECEIVER);
    let middle = if receiver.as_bytes()[20] == b'2' { "3" } else { "2" };
    pay(&mut world, Pay::AmountTyped { text: "1.25".into() });
    pay(&mut world, Pay::ReceiverTyped { text: [&receiver[..20], middle, &receiver[21..]].concat() });
    world.advance(500);
    world
}

/// View of a new page after one that the visitor left.
fn returned(mut world: World, view: View) -> World {
    world.server.answers("/history", 200, &to_text(&History::default()));
    world.reload();
    world.open(None);
    world.modal(Modal::ViewAsked { view });
    world
}

/// Preview of another payment after a page that was left while a wallet was asked that sends by itself.
fn interrupted() -> Snapshot {
    let unsupported = parse(r#"{"code":4200,"message":"unsupported"}"#).unwrap_or(Value::Null);
    let mut world = preview(Behaviour::Throw(unsupported), false, false);
    world.wallets[0].behaviours.insert("solana_signAndSendTransaction".into(), Behaviour::Silent);
    pay(&mut world, Pay::ConfirmAsked);
    let mut world = returned(world, View::WalletSend);
    pay(&mut world, Pay::AmountTyped { text: "1.25".into() });
    pay(&mut world, Pay::ReceiverTyped { text: solana_address(RECEIVER) });
    world.advance(500);
    pay(&mut world, Pay::ReviewAsked);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Form whose node has not answered about the receiver: yet, or in time.
fn asking(milliseconds: u64) -> Snapshot {
    let (mut world, _) = opened(Behaviour::Right, fee());
    world.node.late = Some(60_000);
    fill(&mut world, false, "1.25", &solana_address(RECEIVER));
    world.advance(milliseconds);
    world.snapshot()
}

/// Preview of a payment that the wallet signed after the last block that may have it.
fn signed_late() -> Snapshot {
    let (mut world, node) = opened(Behaviour::Late(70_000), fee());
    fill(&mut world, false, "1.25", &solana_address(RECEIVER));
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    node.borrow_mut().height = 151;
    world.advance(70_000);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Preview of a payment that a wallet which sends by itself may have sent.
fn unsure() -> Snapshot {
    let unsupported = parse(r#"{"code":4200,"message":"unsupported"}"#).unwrap_or(Value::Null);
    let broken = parse(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#).unwrap_or(Value::Null);
    let mut world = preview(Behaviour::Throw(unsupported), false, false);
    world.wallets[0].behaviours.insert("solana_signAndSendTransaction".into(), Behaviour::Throw(broken));
    pay(&mut world, Pay::ConfirmAsked);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Details of a payment on its way, from the list.
fn on_its_way() -> Snapshot {
    let world = preview(Behaviour::Right, false, true);
    let hash = world.snapshot().solana.and_then(|form| form.sent?.receipt.hash).unwrap_or_default();
    let mut world = returned(world, View::Transactions);
    world.dispatch(Event::Detail(Detail::TransactionAsked { id: hash }));
    world.snapshot()
}

pub fn cases() -> Cases {
    let right = || Behaviour::Right;
    let receiver = solana_address(RECEIVER);
    let mut slow = preview(Behaviour::Silent, false, true);
    slow.advance(8_000);
    let broken = parse(r#"{"code":-32603,"message":"The device is locked"}"#).unwrap_or(Value::Null);
    let mut reviewed = alike();
    pay(&mut reviewed, Pay::ReviewAsked);
    let poor = |node: &mut SolanaNode| {
        node.accounts.insert(solana_address(SENDER), SolanaAccount::wallet(2_000_000));
    };
    let frozen = |node: &mut SolanaNode| {
        let source = node.tokens[0].clone();
        node.accounts.entry(source).and_modify(|account| account.data[108] = 2);
    };
    let foreign = |node: &mut SolanaNode| {
        let program = SolanaAccount::of("Stake11111111111111111111111111111111111111", vec![0; 200]);
        node.accounts.insert(solana_address(RECEIVER), program);
    };
    let changed = Behaviour::Nonsense(parse(r#"{"transaction":"AQ=="}"#).unwrap_or(Value::Null));
    vec![
        ("SolanaSend.empty", opened(right(), fee()).0.snapshot()),
        ("SolanaSend.filled", filled(false, fee(), "1.25", RECEIVER)),
        ("SolanaSend.faults", form(right(), fee(), false, "99", MINT).snapshot()),
        ("SolanaSend.newAddress", filled(false, fee(), "0.0001", 9)),
        ("SolanaSend.recent", again().snapshot()),
        ("SolanaSend.lookAlike", alike().snapshot()),
        ("SolanaSend.looking", asking(0)),
        ("SolanaSend.unread", asking(15_000)),
        ("SolanaSend.unreadable", on(|node| node.missing = vec!["getMultipleAccounts"], false, "1.25", &receiver)),
        ("SolanaSend.untried", on(|node| node.missing = vec!["simulateTransaction"], false, "1.25", &receiver)),
        ("SolanaSend.keyless", form(right(), fee(), false, "1.25", KEYLESS).snapshot()),
        ("SolanaSend.programAccount", on(foreign, false, "1.25", &receiver)),
        ("SolanaSend.rest", on(|_| {}, false, "2.4795", &receiver)),
        ("SolanaSend.coin", on(|_| {}, false, "2.479998", &receiver)),
        ("SolanaSend.deposit", on(poor, true, "40", &receiver)),
        ("SolanaSend.frozen", on(frozen, true, "40", &receiver)),
        ("SolanaSend.paused", filled(true, mint(26, &[1; 33]), "40", RECEIVER)),
        ("SolanaSend.freezesNew", filled(true, mint(6, &[2]), "40", RECEIVER)),
        ("SolanaSend.unknownRule", filled(true, mint(25, &[0; 56]), "40", RECEIVER)),
        (
            "SolanaSend.fails",
            on(
                |node| node.simulation = simulated(r#"{"InstructionError":[3,{"Custom":6000}]}"#),
                false,
                "1.25",
                &receiver,
            ),
        ),
        ("SolanaSend.inUse", on(|node| node.simulation = simulated(r#""AccountInUse""#), false, "1.25", &receiver)),
        ("SolanaSend.token", filled(true, fee(), "40", RECEIVER)),
        ("SolanaSend.hook", filled(true, mint(14, &[1; 64]), "40", RECEIVER)),
        ("SolanaSendSelectToken.list", list("")),
        ("SolanaSendSelectToken.none", list("nothing")),
        ("SolanaSendPreview.ready", preview(right(), false, false).snapshot()),
        ("SolanaSendPreview.token", preview(right(), true, false).snapshot()),
        ("SolanaSendPreview.confirming", preview(Behaviour::Silent, false, true).snapshot()),
        ("SolanaSendPreview.refused", preview(Behaviour::Refuse, false, true).snapshot()),
        ("SolanaSendPreview.unsigned", preview(changed, false, true).snapshot()),
        ("SolanaSendPreview.interrupted", interrupted()),
        ("SolanaSendPreview.slow", slow.snapshot()),
        ("SolanaSendPreview.failed", preview(Behaviour::Throw(broken), false, true).snapshot()),
        ("SolanaSendPreview.lookAlike", reviewed.snapshot()),
        ("SolanaSendPreview.signedLate", signed_late()),
        ("SolanaSendPreview.unsure", unsure()),
        ("TransactionDetails.solanaPending", on_its_way()),
        ("Transactions.solanaPending", returned(preview(right(), false, true), View::Transactions).snapshot()),
        ("SolanaSendConfirmed.pending", sent("null")),
        ("SolanaSendConfirmed.confirmed", sent(r#"{"err":null,"confirmationStatus":"confirmed"}"#)),
        ("SolanaSendConfirmed.failed", sent(r#"{"err":7,"confirmationStatus":"confirmed"}"#)),
        ("SolanaSendConfirmed.expired", expired()),
    ]
}
