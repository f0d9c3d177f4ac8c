//! Scenarios of payments on Bitcoin.

use portico_api::project::ProjectConfig;
use portico_calldata::bitcoin::{Address, Previous, id_text};
use portico_core::Event;
use portico_core::bitcoin::{Event as Pay, Phase, ReceiverFault, Speed, Trouble, View as Form, Warning};
use portico_core::config::WalletFeature;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::pay::outcome::SentState;
use portico_core::pay::typed::AmountFault;
use portico_encoding::base64::{self, Spelling};
use portico_encoding::hex;
use portico_json::Value;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{BITCOIN, BITCOIN_ADDRESS, BitcoinNode, ScriptedWallet, Store, World, every_namespace};
use std::cell::RefCell;
use std::rc::Rc;

pub const BOB: &str = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";

/// Node with two confirmed outputs of the sender.
pub fn node() -> BitcoinNode {
    let mut node = BitcoinNode { fees: [(144, "0.00001"), (2, "5e-5")].into(), ..BitcoinNode::default() };
    node.fund(BITCOIN_ADDRESS, 150_000, true);
    node.fund(BITCOIN_ADDRESS, 50_000, true);
    node
}

pub fn wallet() -> ScriptedWallet {
    let wallet = ScriptedWallet::named("Bit").of(Namespace::Bip122, BITCOIN_ADDRESS);
    wallet.through(ConnectorKind::Announced)
}

fn served(chains: &[&str]) -> ProjectConfig {
    ProjectConfig { chains: chains.iter().map(|chain| String::from(*chain)).collect(), ..ProjectConfig::default() }
}

/// World of a visitor who connected the wallet, and opened the account.
fn connected(wallet: ScriptedWallet, node: BitcoinNode, config: &ProjectConfig) -> (World, Rc<RefCell<BitcoinNode>>) {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![wallet], Store::default());
    let (chain, node) = node.chain();
    world.node.chain = Some(chain);
    world.server.serves("/config", config);
    world.open(None);
    world.choose("example.bit");
    world.open(None);
    (world, node)
}

pub fn opened(wallet: ScriptedWallet, node: BitcoinNode) -> (World, Rc<RefCell<BitcoinNode>>) {
    let (mut world, node) = connected(wallet, node, &served(&[BITCOIN]));
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    (world, node)
}

pub fn pay(world: &mut World, event: Pay) {
    world.dispatch(Event::Bitcoin(event));
}

pub fn fill(world: &mut World, amount: &str, receiver: &str) {
    pay(world, Pay::AmountTyped { text: amount.into() });
    pay(world, Pay::ReceiverTyped { text: receiver.into() });
}

pub fn filled(wallet: ScriptedWallet, amount: &str) -> (World, Rc<RefCell<BitcoinNode>>) {
    let (mut world, node) = opened(wallet, node());
    fill(&mut world, amount, BOB);
    (world, node)
}

/// World whose wallet was asked to sign a payment to BOB.
pub fn confirmed(wallet: ScriptedWallet, amount: &str) -> (World, Rc<RefCell<BitcoinNode>>) {
    confirmed_at(wallet, node(), amount)
}

/// As [`confirmed`], at this node.
pub fn confirmed_at(wallet: ScriptedWallet, node: BitcoinNode, amount: &str) -> (World, Rc<RefCell<BitcoinNode>>) {
    let (mut world, node) = opened(wallet, node);
    review(&mut world, amount);
    pay(&mut world, Pay::ConfirmAsked);
    (world, node)
}

/// Fills the open form with a payment to BOB, and asks for its preview.
pub fn review(world: &mut World, amount: &str) {
    fill(world, amount, BOB);
    pay(world, Pay::ReviewAsked);
}

/// Goes back from the receipt, and to the form of another payment.
pub fn back_to_form(world: &mut World) {
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
}

/// Node that refuses transactions for these reasons.
pub fn refusing(code: i64, message: &'static str) -> BitcoinNode {
    BitcoinNode { refusal: Some((code, message)), ..node() }
}

/// Makes the node take transactions again, and gives the sender another output.
pub fn relent(node: &RefCell<BitcoinNode>) {
    node.borrow_mut().refusal = None;
    node.borrow_mut().fund(BITCOIN_ADDRESS, 900_000, true);
}

pub fn form(world: &World) -> Form {
    world.snapshot().bitcoin.unwrap()
}

pub fn view(world: &World) -> View {
    world.snapshot().modal.view
}

/// PSBTs that the wallet was asked to sign.
pub fn asked(world: &World) -> Vec<String> {
    let of = |(method, params): &(String, Value)| {
        (method == "signPsbt").then(|| params.get("psbt").as_str().unwrap().into())
    };
    world.wallets[0].requests.iter().filter_map(of).collect()
}

/// Whether the last PSBT for the wallet spends an output of this transaction.
pub fn spends(world: &World, id: &str) -> bool {
    let psbt = base64::decode(asked(world).last().unwrap(), Spelling::Standard).unwrap();
    let mut id = hex::decode(id).unwrap();
    id.reverse();
    psbt.windows(32).any(|window| *window == id)
}

/// Transactions that the node was sent.
pub fn sent(node: &Rc<RefCell<BitcoinNode>>) -> Vec<Previous> {
    let node = node.borrow();
    let read = |params: &&Value| {
        let text = params.as_list().unwrap()[0].as_str().unwrap().to_owned();
        Previous::read(&hex::decode(&text).unwrap()).unwrap()
    };
    node.params_of("sendrawtransaction").iter().map(read).collect()
}

fn script(address: &str) -> Vec<u8> {
    Address::parse(address).unwrap().kind.script()
}

#[test]
fn spec_1_4_coins_go_from_the_form_to_a_confirmed_transaction() {
    let (mut world, node) = filled(wallet(), "0.001");
    assert_eq!(view(&world), View::BitcoinSend);
    let told = form(&world);
    assert_eq!((told.balance.as_deref(), told.shown.as_deref()), (Some("0.002"), Some("0.002")));
    assert_eq!((told.amount_fault, told.receiver_fault, told.trouble, told.ready), (None, None, None, true));
    // One input and two outputs have 153 bytes, for 2 satoshis each.
    assert_eq!((told.fee.as_deref(), told.change.as_deref()), (Some("0.00000306"), Some("0.00049694")));
    assert_eq!(told.total.as_deref(), Some("0.00100306"));
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::BitcoinSendPreview);
    pay(&mut world, Pay::ConfirmAsked);
    let signed = sent(&node);
    let outputs: Vec<_> = signed[0].outputs.iter().map(|output| (output.satoshis, output.script.clone())).collect();
    assert_eq!(outputs, [(100_000, script(BOB)), (49_694, script(BITCOIN_ADDRESS))]);
    assert_eq!(view(&world), View::BitcoinSendConfirmed);
    let id = id_text(&signed[0].id);
    let receipt = form(&world).sent.unwrap().receipt;
    assert_eq!((receipt.state, receipt.hash.as_deref()), (SentState::Pending, Some(id.as_str())));
    node.borrow_mut().status = Some(format!(r#"{{"txid":"{id}"}}"#));
    world.advance(10_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Pending);
    node.borrow_mut().status = Some(format!(r#"{{"txid":"{id}","blockheight":800001,"blockhash":"00"}}"#));
    world.advance(10_150);
    let receipt = form(&world).sent.unwrap().receipt;
    assert_eq!((receipt.state, receipt.fee.as_deref()), (SentState::Confirmed, Some("0.00000306")));
}

#[test]
fn spec_5_8_a_coin_is_sent_with_up_to_eight_decimals() {
    let (world, _) = filled(wallet(), "0.001234567");
    assert_eq!((form(&world).amount_fault, form(&world).ready), (Some(AmountFault::TooPrecise), false));
    let (world, node) = confirmed(wallet(), "0.00123456");
    assert_eq!(form(&world).amount_fault, None);
    assert_eq!(sent(&node)[0].outputs[0].satoshis, 123_456);
}

#[test]
fn the_visitor_chooses_how_fast_and_so_how_dear_a_payment_is() {
    let (mut world, _) = filled(wallet(), "0.001");
    let told = form(&world);
    let rows: Vec<_> = told.speeds.iter().map(|row| (row.speed, row.rate.as_str(), row.fee.as_deref())).collect();
    assert_eq!(
        rows,
        [
            (Speed::Slow, "1.0", Some("0.00000153")),
            (Speed::Normal, "2.0", Some("0.00000306")),
            (Speed::Fast, "5.0", Some("0.00000765")),
        ]
    );
    pay(&mut world, Pay::SpeedChosen { speed: Speed::Fast });
    assert_eq!(form(&world).fee.as_deref(), Some("0.00000765"));
}

#[test]
fn the_maximum_is_the_balance_without_the_fee_and_follows_it() {
    let (mut world, _) = filled(wallet(), "");
    pay(&mut world, Pay::MaxAsked);
    // Two inputs and one output have 190 bytes.
    assert_eq!((form(&world).amount.as_str(), form(&world).change), ("0.0019962", None));
    pay(&mut world, Pay::SpeedChosen { speed: Speed::Slow });
    assert_eq!((form(&world).amount.as_str(), form(&world).ready), ("0.0019981", true));
    pay(&mut world, Pay::AmountTyped { text: "0.002".into() });
    let told = form(&world);
    assert_eq!(
        (told.trouble, told.trouble_amount.as_deref(), told.ready),
        (Some(Trouble::Coin), Some("0.0000019"), false)
    );
    pay(&mut world, Pay::AmountTyped { text: "0.0020001".into() });
    assert_eq!(form(&world).amount_fault, Some(AmountFault::AboveBalance));
}

#[test]
fn spec_5_9_amount_and_receiver_are_needed_and_wrong_ones_are_told_beside_their_fields() {
    let (mut world, _) = opened(wallet(), node());
    pay(&mut world, Pay::ReviewAsked);
    let snack = world.snack();
    assert_eq!(snack, Some(Message::EnterValidAmountAndReceiver));
    for (receiver, fault) in [
        (BITCOIN_ADDRESS, ReceiverFault::OwnAddress),
        ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", ReceiverFault::OtherNetwork),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", ReceiverFault::NotAnAddress),
        ("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", ReceiverFault::OtherNamespace),
    ] {
        fill(&mut world, "0.001", receiver);
        assert_eq!((form(&world).receiver_fault, form(&world).ready), (Some(fault), false), "{receiver}");
    }
    fill(&mut world, "0.00000329", BOB);
    let told = form(&world);
    assert_eq!((told.trouble, told.trouble_amount.as_deref()), (Some(Trouble::Dust), Some("0.0000033")));
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::BitcoinSend);
}

#[test]
fn a_node_that_tells_other_amounts_than_the_chain_has_stops_the_payment_before_the_wallet_is_asked() {
    for lie in [0_u8, 1, 2] {
        let mut told = node();
        match lie {
            // More than the output has, so that the visitor's change would be too large; less, so that the rest would be a fee.
            0 => told.coins[0].satoshis += 1,
            1 => told.coins[0].satoshis -= 20_000,
            // Bytes of another transaction.
            _ => {
                let other = told.transactions[&told.coins[1].id].clone();
                told.transactions.insert(told.coins[0].id.clone(), other);
            }
        }
        let (mut world, node) = opened(wallet(), told);
        fill(&mut world, "0.001", BOB);
        pay(&mut world, Pay::ReviewAsked);
        pay(&mut world, Pay::ConfirmAsked);
        assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Untrue)), "{lie}");
        assert_eq!((asked(&world).len(), sent(&node).len()), (0, 0));
    }
}

#[test]
fn no_node_makes_a_fee_up() {
    let mut told = node();
    told.fund(BITCOIN_ADDRESS, 90_000_000, true);
    told.fees = [(144, "0"), (6, "1"), (2, "1e3")].into();
    let (mut world, _) = opened(wallet(), told);
    fill(&mut world, "0.001", BOB);
    let rates: Vec<_> = form(&world).speeds.into_iter().map(|row| row.rate).collect();
    assert_eq!(rates, ["1.0", "500.0", "500.0"]);
    assert!(form(&world).warnings.contains(&Warning::HighFee));
}

#[test]
fn coins_in_no_block_yet_are_spent_last_and_the_form_says_so() {
    let mut told = node();
    told.fund(BITCOIN_ADDRESS, 900_000, false);
    let (mut world, _) = opened(wallet(), told);
    fill(&mut world, "0.001", BOB);
    assert!(!form(&world).warnings.contains(&Warning::Unconfirmed));
    fill(&mut world, "0.005", BOB);
    assert!(form(&world).warnings.contains(&Warning::Unconfirmed));
}

#[test]
fn without_an_answer_the_visitor_may_try_again() {
    let mut told = node();
    told.missing = vec!["getaddressutxos"];
    let (mut world, node) = opened(wallet(), told);
    fill(&mut world, "0.001", BOB);
    world.advance(15_000);
    assert_eq!((form(&world).unread, form(&world).ready), (true, false));
    node.borrow_mut().missing.clear();
    pay(&mut world, Pay::ReviewAsked);
    world.advance(150);
    assert_eq!(view(&world), View::BitcoinSendPreview);
}

#[test]
fn spec_6_9_sending_is_there_where_the_server_asks_nodes_of_the_network() {
    let features = |world: &World| {
        let accounts = world.snapshot().account.accounts;
        accounts.into_iter().find(|one| one.namespace == Namespace::Bip122).unwrap().wallet_features
    };
    let (with, _) = connected(wallet(), node(), &served(&[BITCOIN]));
    assert!(features(&with).contains(&WalletFeature::Send));
    let (without, _) = connected(wallet(), node(), &served(&["eip155:1"]));
    assert!(!features(&without).contains(&WalletFeature::Send));
}

#[test]
fn the_balance_comes_from_a_node_where_the_page_has_no_source() {
    let (world, node) = connected(wallet(), node(), &served(&[BITCOIN]));
    let accounts = world.snapshot().account.accounts;
    let account = accounts.into_iter().find(|one| one.namespace == Namespace::Bip122).unwrap();
    assert_eq!(account.balance.as_deref(), Some("0.002"));
    assert_eq!(node.borrow().params_of("getaddressbalance").len(), 1);
}

#[test]
fn a_server_that_asks_nodes_of_the_network_lists_the_coin_with_its_price() {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![wallet()], Store::default());
    let (chain, _) = node().chain();
    world.node.chain = Some(chain);
    world.server.serves("/config", &served(&[BITCOIN]));
    let row = r#"{"name":"Bitcoin","symbol":"BTC","chainId":"CHAIN","price":50000,"quantity":{"decimals":"8","numeric":"0.002"},"iconUrl":""}"#;
    let list = format!(r#"{{"balances":[{}]}}"#, row.replace("CHAIN", BITCOIN));
    world.server.answers("/balance", 200, &list);
    world.open(None);
    world.choose("example.bit");
    world.open(None);
    let accounts = world.snapshot().account.accounts;
    let account = accounts.into_iter().find(|one| one.namespace == Namespace::Bip122).unwrap();
    let rows: Vec<_> = account.token_balance.iter().map(|row| row.symbol.as_str()).collect();
    assert_eq!(rows, ["BTC"]);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "0.001", BOB);
    assert_eq!((form(&world).value.as_deref(), form(&world).fee_value.as_deref()), (Some("50.00"), Some("0.15")));
}

#[test]
fn an_output_that_is_listed_twice_counts_once() {
    let mut told = node();
    let again = told.coins[0].clone();
    told.coins.push(again);
    let (world, _) = opened(wallet(), told);
    assert_eq!(form(&world).balance.as_deref(), Some("0.002"));
}
