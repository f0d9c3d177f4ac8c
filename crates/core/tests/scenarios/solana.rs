//! Scenarios of payments on Solana.

mod assertions;
mod hostile;
mod kept;
mod late;
mod notified;
mod paid;
mod refused;
mod token;
mod trial;
mod untold;

use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::pay::outcome::SentState;
use portico_core::pay::typed::AmountFault;
use portico_core::solana::{Event as Pay, Phase, ReceiverFault, Trouble, View as Form, Warning};
use portico_encoding::base58;
use portico_encoding::base64::{self, Spelling};
use portico_json::{Value, parse};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{
    Behaviour, SOLANA, ScriptedWallet, SolanaAccount, SolanaNode, Store, World, every_namespace, is_plain, lighthouse,
    sign_solana, solana_address, with_assertions, with_calls,
};
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes of which the secret keys of sender and receiver consist.
const ALICE: u8 = 7;
const BOB: u8 = 8;

/// Node with 2 SOL of the sender, and a receiver that has coins already.
fn node() -> SolanaNode {
    let mut node = SolanaNode::default();
    node.accounts.insert(solana_address(ALICE), SolanaAccount::wallet(2_000_000_000));
    node.accounts.insert(solana_address(BOB), SolanaAccount::wallet(1_000_000));
    node
}

fn wallet() -> ScriptedWallet {
    let wallet = ScriptedWallet::named("Sol").of(Namespace::Solana, &solana_address(ALICE));
    ScriptedWallet { secret: Some(ALICE), ..wallet.through(ConnectorKind::Announced) }
}

/// World of a visitor who connected the wallet and opened the form by its button.
fn opened(wallet: ScriptedWallet, node: SolanaNode) -> (World, Rc<RefCell<SolanaNode>>) {
    opened_on(&every_namespace(), wallet, node)
}

fn opened_on(options: &str, wallet: ScriptedWallet, node: SolanaNode) -> (World, Rc<RefCell<SolanaNode>>) {
    let mut world = World::with(options, vec![wallet], Store::default());
    let (chain, node) = node.chain();
    world.node.chain = Some(chain);
    world.open(None);
    world.choose("example.sol");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    (world, node)
}

fn pay(world: &mut World, event: Pay) {
    world.dispatch(Event::Solana(event));
}

fn fill(world: &mut World, amount: &str, receiver: &str) {
    pay(world, Pay::AmountTyped { text: amount.into() });
    pay(world, Pay::ReceiverTyped { text: receiver.into() });
    world.advance(500);
}

/// Form with an amount for the receiver.
fn filled(amount: &str) -> (World, Rc<RefCell<SolanaNode>>) {
    let (mut world, node) = opened(wallet(), node());
    fill(&mut world, amount, &solana_address(BOB));
    (world, node)
}

fn form(world: &World) -> Form {
    world.snapshot().solana.unwrap()
}

fn view(world: &World) -> View {
    world.snapshot().modal.view
}

/// Bytes of the transaction in the last request at the wallet.
fn asked(world: &World) -> Vec<u8> {
    let (_, params) = world.wallets[0].requests.last().unwrap();
    base64::decode(params.get("transaction").as_str().unwrap(), Spelling::Standard).unwrap()
}

fn requests(world: &World) -> Vec<&str> {
    let methods = world.wallets[0].requests.iter().map(|(method, _)| method.as_str());
    methods.filter(|method| method.starts_with("solana_")).collect()
}

/// Transactions that the node was sent.
fn sent(node: &Rc<RefCell<SolanaNode>>) -> Vec<Vec<u8>> {
    let node = node.borrow();
    let first = |params: &&Value| params.as_list().unwrap()[0].as_str().unwrap().to_owned();
    let texts: Vec<_> = node.params_of("sendTransaction").iter().map(first).collect();
    texts.iter().map(|text| base64::decode(text, Spelling::Standard).unwrap()).collect()
}

/// Has the wallet asked for a payment to BOB.
fn paid(world: &mut World, amount: &str) {
    review(world, amount);
    pay(world, Pay::ConfirmAsked);
}

/// Fills the open form with a payment to BOB, and asks for its preview.
fn review(world: &mut World, amount: &str) {
    fill(world, amount, &solana_address(BOB));
    pay(world, Pay::ReviewAsked);
}

/// Wallet that signs no transaction without sending it, and answers so when it is asked to send one.
fn sends_by_itself(answer: Behaviour) -> ScriptedWallet {
    let unsupported = Behaviour::Throw(parse(r#"{"code":4200,"message":"no"}"#).unwrap());
    wallet().when("solana_signTransaction", unsupported).when("solana_signAndSendTransaction", answer)
}

#[test]
fn spec_1_4_coins_go_from_the_form_to_a_confirmed_transaction() {
    let (mut world, node) = filled("0.5");
    assert_eq!(view(&world), View::SolanaSend);
    let told = form(&world);
    assert_eq!((told.amount_fault, told.receiver_fault, told.trouble, told.ready), (None, None, None, true));
    // 5,000 lamports for the signature, and 41,500 units of 20,000 millionths.
    assert_eq!((told.fee.as_deref(), told.total.as_deref()), (Some("0.00000583"), Some("0.50000583")));
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::SolanaSendPreview);
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!(requests(&world), ["solana_signTransaction"]);
    let unsigned = asked(&world);
    assert_eq!(sent(&node), [sign_solana(&unsigned, ALICE).1]);
    assert_eq!(view(&world), View::SolanaSendConfirmed);
    let receipt = form(&world).sent.unwrap().receipt;
    assert_eq!((receipt.state, receipt.hash), (SentState::Pending, Some(base58::encode(&sent(&node)[0][1..65]))));
    node.borrow_mut().status = r#"{"slot":2,"confirmations":1,"err":null,"confirmationStatus":"confirmed"}"#.into();
    world.advance(2_000);
    world.advance(150);
    let receipt = form(&world).sent.unwrap().receipt;
    assert_eq!((receipt.state, receipt.fee.as_deref()), (SentState::Confirmed, Some("0.00000583")));
    // The receipt says it, so no snack does.
    assert_ne!(world.snack(), Some(Message::TransactionConfirmed));
}

#[test]
fn after_a_payment_the_coin_and_the_tokens_are_read_past_the_cache_of_the_server() {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let (mut world, node) = opened_on(&options, wallet(), node());
    // The server didn't answer so far, and is asked again after a pause.
    world.server.answers("/balance?", 200, r#"{"balances":[]}"#);
    world.advance(31_000);
    paid(&mut world, "0.5");
    let read = |world: &World| world.server.count("/balance?") - world.server.count("forceUpdate=true");
    let before = read(&world);
    node.borrow_mut().status = r#"{"slot":2,"confirmations":1,"err":null,"confirmationStatus":"confirmed"}"#.into();
    world.advance(2_150);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Confirmed);
    assert_eq!((world.server.count("forceUpdate=true"), read(&world)), (2, before));
}

#[test]
fn the_bytes_of_a_payment_of_coins_are_those_that_another_implementation_reads() {
    let (mut world, _) = filled("0.5");
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    // packages/widget/src/adapters/solana/messages.test.ts reads the same file with @solana/kit.
    let vectors = parse(include_str!("../../../../fixtures/solana/messages.json")).unwrap();
    assert_eq!(base64::encode(&asked(&world), Spelling::Standard), vectors.get("coin").as_str().unwrap());
}

#[test]
fn the_trial_runs_the_same_calls_without_signatures_before_the_wallet_is_asked() {
    let (mut world, node) = filled("0.5");
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    let node = node.borrow();
    let last = *node.params_of("simulateTransaction").last().unwrap();
    let [transaction, settings] = last.as_list().unwrap() else { panic!("two parameters") };
    assert_eq!(base64::decode(transaction.as_str().unwrap(), Spelling::Standard).unwrap(), asked(&world));
    assert_eq!(settings.get("sigVerify").as_bool(), Some(false));
}

#[test]
fn a_transaction_is_sent_again_until_it_is_too_old_and_has_then_expired() {
    let (mut world, node) = filled("0.5");
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    world.advance(6_000);
    assert_eq!(sent(&node).len(), 4);
    assert!(sent(&node).windows(2).all(|pair| pair[0] == pair[1]));
    // Block 150 may still have it.
    node.borrow_mut().height = 150;
    world.advance(130_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Pending);
    node.borrow_mut().height = 151;
    // A node that does not answer says nothing.
    node.borrow_mut().missing = vec!["getSignatureStatuses"];
    world.advance(20_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Pending);
    let before = sent(&node).len();
    node.borrow_mut().missing.clear();
    world.advance(60_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Expired);
    assert_eq!(sent(&node).len(), before, "it is sent no more");
}

#[test]
fn no_transaction_is_too_old_before_two_minutes_whatever_a_node_says() {
    let (mut world, node) = filled("0.5");
    node.borrow_mut().height = 1_000_000;
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    world.advance(119_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Pending);
    world.advance(20_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Expired);
}

/// Payment on its way, of a page that knows two nodes, one of which tells this about its state.
fn lied_to(lie: &str) -> (World, Rc<RefCell<SolanaNode>>) {
    let options = every_namespace()
        .replace(r#"["https://solana.example"]"#, r#"["https://solana.example","https://other.example"]"#);
    let (mut world, node) = opened_on(&options, wallet(), node());
    world.node.made_up = Some(("solana.example", "getSignatureStatuses", lie.into()));
    paid(&mut world, "0.5");
    (world, node)
}

#[test]
fn a_node_alone_cannot_say_that_a_payment_failed() {
    let failed = r#"{"slot":2,"confirmations":null,"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"finalized"}"#;
    let (mut world, node) = lied_to(&format!(r#"{{"context":{{"slot":9}},"value":[{failed}]}}"#));
    world.advance(20_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Pending);
    // The other node, a block behind, says the same.
    node.borrow_mut().status = failed.into();
    world.advance(4_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Failed);
}

#[test]
fn a_node_alone_cannot_say_that_a_payment_expired() {
    let (mut world, node) = lied_to(r#"{"context":{"slot":9},"value":[null]}"#);
    node.borrow_mut().height = 151;
    node.borrow_mut().status = r#"{"slot":2,"confirmations":3,"err":null,"confirmationStatus":"processed"}"#.into();
    world.advance(300_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Lost);
    node.borrow_mut().status = "null".into();
    world.advance(20_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Expired);
}

const FINAL: &str = r#"{"slot":2,"confirmations":null,"err":null,"confirmationStatus":"finalized"}"#;

/// Payment on its way, of a page that knows a node and the server of its host.
fn beside_the_server() -> (World, Rc<RefCell<SolanaNode>>) {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let (mut world, node) = opened_on(&options, wallet(), node());
    paid(&mut world, "0.5");
    (world, node)
}

#[test]
fn neither_the_server_of_the_host_nor_the_other_node_hides_that_a_payment_succeeded() {
    for liar in ["solana.example", "host.example"] {
        let (mut world, node) = beside_the_server();
        node.borrow_mut().status = r#"{"slot":2,"confirmations":3,"err":null,"confirmationStatus":"processed"}"#.into();
        world.node.made_up = Some((liar, "getSignatureStatuses", r#"{"context":{"slot":9},"value":[null]}"#.into()));
        node.borrow_mut().height = 151;
        world.advance(150_000);
        assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Lost, "{liar}");
        node.borrow_mut().status = FINAL.into();
        world.advance(10_000);
        assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Confirmed, "{liar}");
    }
}

#[test]
fn the_server_of_the_host_alone_tells_a_success_where_the_other_node_refuses_to_serve() {
    let (mut world, node) = beside_the_server();
    world.node.out = Some("solana.example");
    node.borrow_mut().height = 151;
    world.advance(150_000);
    // It alone is not believed that the payment expired.
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Lost);
    node.borrow_mut().status = FINAL.into();
    world.advance(10_000);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Confirmed);
}

#[test]
fn a_transaction_that_failed_on_the_chain_says_so() {
    let (mut world, node) = filled("0.5");
    node.borrow_mut().status =
        r#"{"slot":2,"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"finalized"}"#.into();
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    world.advance(2_000);
    world.advance(150);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Failed);
    assert_eq!(world.snack(), Some(Message::FailedToSendTransaction));
}

#[test]
fn the_maximum_is_the_balance_without_the_fee_and_leaves_nothing() {
    let (mut world, _) = opened(wallet(), node());
    pay(&mut world, Pay::ReceiverTyped { text: solana_address(BOB) });
    pay(&mut world, Pay::MaxAsked);
    let told = form(&world);
    assert_eq!((told.amount.as_str(), told.trouble, told.ready), ("1.99999417", None, true));
}

#[test]
fn what_would_leave_too_little_for_an_account_is_told() {
    for (amount, receiver, trouble, about) in [
        // 890,880 lamports have to stay, or none.
        ("1.9995", BOB, Some(Trouble::Rest), Some("0.00089088")),
        ("1.999995", BOB, Some(Trouble::Coin), Some("0.00000583")),
        ("0.0001", BOB, None, None),
        // The chain does not know this address yet.
        ("0.0001", 9, Some(Trouble::NewAccount), Some("0.00089088")),
        ("0.00089088", 9, None, None),
    ] {
        let (mut world, _) = opened(wallet(), node());
        fill(&mut world, amount, &solana_address(receiver));
        let told = form(&world);
        assert_eq!((told.trouble, told.trouble_amount.as_deref()), (trouble, about), "{amount} {receiver}");
        assert_eq!(told.ready, trouble.is_none());
        assert_eq!(told.warnings.contains(&Warning::NewAddress), receiver == 9);
    }
}

#[test]
fn spec_5_8_and_5_9_a_coin_is_sent_with_up_to_nine_decimals() {
    let (world, _) = filled("0.0000000001");
    assert_eq!((form(&world).amount_fault, form(&world).ready), (Some(AmountFault::TooPrecise), false));
    let (mut world, _) = filled("0.500000001");
    assert_eq!((form(&world).amount_fault, form(&world).ready), (None, true));
    paid(&mut world, "0.500000001");
    let transfer = [&[2, 0, 0, 0][..], &500_000_001u64.to_le_bytes()].concat();
    assert_eq!(asked(&world).windows(12).filter(|window| *window == transfer).count(), 1);
}

#[test]
fn spec_5_9_and_5_10_a_payment_needs_amount_and_receiver() {
    let (mut world, _) = opened(wallet(), node());
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(world.snack(), Some(Message::EnterValidAmountAndReceiver));
    assert_eq!(view(&world), View::SolanaSend);
    assert_eq!(form(&world).receiver_fault, Some(ReceiverFault::Missing));
}

#[test]
fn spec_4_7_disconnecting_clears_the_form_and_what_the_wallet_then_signs_is_not_sent() {
    let (mut world, node) = opened(wallet().when("solana_signTransaction", Behaviour::Late(5_000)), node());
    paid(&mut world, "0.5");
    world.connecting(portico_core::connect::Event::DisconnectAsked { namespace: None, ticket: None });
    world.advance(10_000);
    assert!(sent(&node).is_empty());
    assert!(world.snapshot().solana.is_none_or(|form| form.amount.is_empty() && form.phase == Phase::Editing));
}

#[test]
fn a_host_opens_the_form_filled_in_and_gets_the_signature() {
    let (mut world, node) = opened(wallet(), node());
    let arguments = format!(r#"{{"amount":"0.25","to":"{}","namespace":"solana"}}"#, solana_address(BOB));
    world.modal(Modal::OpenAsked {
        view: Some("WalletSend".into()),
        namespace: None,
        uri: None,
        arguments: parse(&arguments).unwrap(),
        ticket: Some(5),
    });
    assert_eq!((form(&world).amount.as_str(), form(&world).ready), ("0.25", true));
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    let signature = base58::encode(&sent(&node)[0][1..65]);
    assert!(world.answer(5).unwrap().contains(&signature), "{:?}", world.answer(5));
}
