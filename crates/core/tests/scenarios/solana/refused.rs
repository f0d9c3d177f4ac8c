//! Receivers that are no wallets, trials that fail, and wallets that do something else.

use super::*;
use portico_core::solana::TokenState;
use portico_testkit::SolanaAccount as Account;

const TOKEN: &str = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

fn fault_for(receiver: &str, node: SolanaNode) -> Option<ReceiverFault> {
    let (mut world, _) = opened(wallet(), node);
    fill(&mut world, "0.5", receiver);
    assert!(form(&world).receiver_fault.is_none() || !form(&world).ready);
    form(&world).receiver_fault
}

#[test]
fn a_text_that_is_no_address_of_solana_is_refused_with_its_reason() {
    for (text, fault) in [
        ("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", ReceiverFault::OtherNamespace),
        ("70997970C51812dc3A010C7d01b50e0d17dc79C8", ReceiverFault::OtherNamespace),
        ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", ReceiverFault::OtherNamespace),
        (
            "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE",
            ReceiverFault::OtherNamespace,
        ),
        ("alice.sol", ReceiverFault::NotAnAddress),
        ("0VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE", ReceiverFault::NotAnAddress),
        ("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4B", ReceiverFault::WrongLength),
        ("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE1", ReceiverFault::WrongLength),
        (&solana_address(ALICE), ReceiverFault::OwnAddress),
    ] {
        assert_eq!(fault_for(text, node()), Some(fault), "{text}");
    }
    assert_eq!(fault_for(&format!(" {} ", solana_address(BOB)), node()), None);
}

#[test]
fn an_account_that_is_no_wallet_is_refused_with_its_kind() {
    let bob = solana_address(BOB);
    let mut mint = vec![0; 82];
    mint[45] = 1;
    let mut holding = vec![0; 165];
    holding[108] = 1;
    let program =
        Account { executable: true, ..Account::of("BPFLoaderUpgradeab1e11111111111111111111111", vec![1; 36]) };
    let nonce = Account { data: vec![0; 80], ..Account::wallet(1_500_000) };
    for (account, fault) in [
        (Account::of(TOKEN, holding), ReceiverFault::TokenAccount),
        (Account::of(TOKEN, mint), ReceiverFault::TokenMint),
        (program, ReceiverFault::Program),
        (nonce, ReceiverFault::ProgramAccount),
        (Account::of("Stake11111111111111111111111111111111111111", vec![0; 200]), ReceiverFault::ProgramAccount),
    ] {
        let mut node = node();
        node.accounts.insert(bob.clone(), account);
        assert_eq!(fault_for(&bob, node), Some(fault));
    }
}

#[test]
fn without_an_answer_about_the_receiver_nothing_can_be_sent_until_there_is_one() {
    let (mut world, node) = opened(wallet(), node());
    node.borrow_mut().missing = vec!["getMultipleAccounts"];
    fill(&mut world, "0.5", &solana_address(BOB));
    world.advance(30_000);
    assert_eq!((form(&world).receiver_fault, form(&world).ready), (Some(ReceiverFault::Unread), false));
    node.borrow_mut().missing.clear();
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::SolanaSendPreview);
}

#[test]
fn without_the_least_balance_of_an_account_nothing_can_be_sent_until_it_is_told() {
    let (mut world, node) =
        opened(wallet(), SolanaNode { missing: vec!["getMinimumBalanceForRentExemption"], ..node() });
    review(&mut world, "0.5");
    world.advance(60_000);
    assert_eq!((form(&world).receiver_fault, view(&world)), (Some(ReceiverFault::Unread), View::SolanaSend));
    node.borrow_mut().missing.clear();
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::SolanaSendPreview);
}

#[test]
fn an_address_without_a_secret_key_carries_a_warning() {
    // Token account of the receiver for a token, which the chain does not know.
    let (mut world, _) = opened(wallet(), node());
    fill(&mut world, "0.5", "4kokFKCFMxpCpG41yLYkLEqXW8g1WPfCt2NC9KGivY6N");
    assert_eq!((form(&world).warnings, form(&world).ready), (vec![Warning::Keyless, Warning::FirstSeen], true));
}

#[test]
fn what_changed_on_the_chain_since_the_review_stops_the_payment_before_the_wallet() {
    let (mut world, node) = filled("0.5");
    pay(&mut world, Pay::ReviewAsked);
    node.borrow_mut().simulation = r#"{"err":"InsufficientFundsForFee","logs":[],"unitsConsumed":0}"#.into();
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Coin)));
    assert!(requests(&world).is_empty());
    // The same button tries again.
    node.borrow_mut().simulation = SolanaNode::default().simulation;
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!(sent(&node).len(), 1);
}

#[test]
fn a_node_without_a_recent_block_stops_the_payment_too() {
    let (mut world, node) = filled("0.5");
    pay(&mut world, Pay::ReviewAsked);
    node.borrow_mut().missing = vec!["getLatestBlockhash"];
    pay(&mut world, Pay::ConfirmAsked);
    world.advance(60_000);
    assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Untried)));
    assert!(requests(&world).is_empty());
}

/// Answer of a wallet to the bytes that it is asked to sign.
type Answer = dyn Fn(&[u8]) -> Value;

/// Form of a wallet that answers a request to sign so.
fn answered(answer: impl Fn(&[u8]) -> Value) -> (World, Rc<RefCell<SolanaNode>>) {
    // The bytes are known only once the wallet was asked.
    let silent = wallet().when("solana_signTransaction", Behaviour::Silent);
    let (mut probe, _) = opened(silent, node());
    fill(&mut probe, "0.5", &solana_address(BOB));
    pay(&mut probe, Pay::ReviewAsked);
    pay(&mut probe, Pay::ConfirmAsked);
    let lying = wallet().when("solana_signTransaction", Behaviour::Nonsense(answer(&asked(&probe))));
    let (mut world, node) = opened(lying, node());
    paid(&mut world, "0.5");
    (world, node)
}

fn signed(bytes: &[u8]) -> Value {
    Value::Object(vec![("transaction".into(), Value::Text(base64::encode(bytes, Spelling::Standard)))])
}

#[test]
fn a_wallet_that_changed_the_message_is_refused_and_nothing_is_sent() {
    // The last eight bytes are the amount.
    let (world, node) = answered(|unsigned| {
        let mut other = unsigned.to_vec();
        let amount = other.len() - 8;
        other[amount + 3] ^= 1;
        signed(&sign_solana(&other, ALICE).1)
    });
    assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Changed)));
    assert!(sent(&node).is_empty());
}

#[test]
fn an_answer_without_a_valid_signature_of_the_account_is_refused_and_nothing_is_sent() {
    fn text(text: &str) -> Value {
        Value::Object(vec![("signature".into(), text.into())])
    }
    let somebody_else = |unsigned: &[u8]| signed(&sign_solana(unsigned, BOB).1);
    let unsigned = |unsigned: &[u8]| signed(unsigned);
    let answers: [&Answer; 7] = [
        &somebody_else,
        &unsigned,
        &|unsigned| text(&base58::encode(&sign_solana(unsigned, BOB).0)),
        &|_| text(""),
        &|_| Value::Null,
        &|unsigned| signed(&unsigned[..100]),
        &|_| parse(r#"{"transaction":7,"signature":[]}"#).unwrap(),
    ];
    for (number, answer) in answers.iter().enumerate() {
        let (world, node) = answered(answer);
        assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Unsigned)), "{number}");
        assert!(sent(&node).is_empty());
    }
}

#[test]
fn a_remote_wallet_may_answer_with_the_signature_alone() {
    let (_, node) = answered(|unsigned| {
        Value::Object(vec![("signature".into(), Value::Text(base58::encode(&sign_solana(unsigned, ALICE).0)))])
    });
    assert_eq!(sent(&node).len(), 1);
}

#[test]
fn a_refusal_in_the_wallet_can_be_tried_again() {
    let (mut world, node) = opened(wallet().when("solana_signTransaction", Behaviour::Refuse), node());
    paid(&mut world, "0.5");
    assert_eq!(form(&world).phase, Phase::Refused);
    world.wallets[0].behaviours.clear();
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!(sent(&node).len(), 1);
}

#[test]
fn a_signature_that_comes_after_the_visitor_went_back_sends_nothing() {
    let (mut world, node) = opened(wallet().when("solana_signTransaction", Behaviour::Late(9_000)), node());
    paid(&mut world, "0.5");
    world.advance(8_500);
    assert!(form(&world).slow);
    world.modal(Modal::BackAsked);
    world.advance(60_000);
    assert!(sent(&node).is_empty());
    assert_eq!((view(&world), form(&world).phase), (View::SolanaSend, Phase::Editing));
}

#[test]
fn a_wallet_that_only_signs_and_sends_is_asked_for_that_and_its_signature_is_checked() {
    let (mut world, node) = opened(sends_by_itself(Behaviour::Right), node());
    paid(&mut world, "0.5");
    assert_eq!(requests(&world), ["solana_signTransaction", "solana_signAndSendTransaction"]);
    assert_eq!((view(&world), sent(&node).len()), (View::SolanaSendConfirmed, 1));
}

#[test]
fn a_wallet_that_sends_by_itself_after_the_visitor_went_back_is_told_and_its_payment_is_followed() {
    for leave in [Modal::BackAsked, Modal::CloseAsked] {
        let (mut world, node) = opened(sends_by_itself(Behaviour::Late(9_000)), node());
        paid(&mut world, "0.5");
        world.advance(1_000);
        world.modal(leave);
        assert_eq!(world.snack(), Some(Message::MayStillSend));
        world.advance(9_000);
        assert_eq!(sent(&node).len(), 1, "what the wallet sent is sent on by this page as well");
        let told = world.snack();
        assert!(matches!(told, Some(Message::TransactionStarted | Message::TransactionConfirmed)), "{told:?}");
    }
}

#[test]
fn what_a_wallet_sends_late_leaves_the_receipt_of_a_later_payment_as_it_is() {
    let (mut world, node) = opened(sends_by_itself(Behaviour::Late(9_000)), node());
    paid(&mut world, "0.5");
    world.modal(Modal::BackAsked);
    world.wallets[0].behaviours.remove("solana_signAndSendTransaction");
    paid(&mut world, "0.25");
    let receipt = |world: &World| form(world).sent.map(|sent| (sent.amount, sent.receipt.hash));
    let before = receipt(&world);
    assert_eq!((view(&world), before.as_ref().unwrap().0.as_str()), (View::SolanaSendConfirmed, "0.25"));
    world.advance(9_000);
    assert_eq!((receipt(&world), form(&world).pending.len()), (before, 2));
    assert!(sent(&node).windows(2).any(|pair| pair[0] != pair[1]), "the first payment is followed too");
}

/// Every request ends with the timeout of a silent node.
fn silence(world: &mut World) {
    (world.node.down, world.node.late) = (true, Some(10_000));
}

fn end_silence(world: &mut World) {
    (world.node.down, world.node.late) = (false, None);
}

#[test]
fn a_form_whose_node_is_silent_says_so_after_fifteen_seconds_and_can_be_tried_again() {
    let (mut world, _) = opened(wallet(), node());
    silence(&mut world);
    fill(&mut world, "0.5", &solana_address(BOB));
    world.advance(14_999);
    assert_eq!((form(&world).receiver_fault, form(&world).looking), (None, true));
    world.advance(1);
    assert_eq!((form(&world).receiver_fault, form(&world).looking), (Some(ReceiverFault::Unread), false));
    end_silence(&mut world);
    fill(&mut world, "0.5", &solana_address(BOB));
    assert_eq!((form(&world).receiver_fault, form(&world).ready), (None, true));
}

#[test]
fn pressing_review_again_does_not_prolong_the_wait_for_a_silent_node() {
    let (mut world, _) = filled("0.5");
    silence(&mut world);
    for _ in 0..3 {
        pay(&mut world, Pay::ReviewAsked);
        world.advance(5_000);
    }
    assert_eq!((form(&world).receiver_fault, view(&world)), (Some(ReceiverFault::Unread), View::SolanaSend));
    // Late answers to these requests change nothing: their review has ended.
    end_silence(&mut world);
    world.advance(60_000);
    assert_eq!((form(&world).receiver_fault, view(&world)), (Some(ReceiverFault::Unread), View::SolanaSend));
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::SolanaSendPreview);
}

#[test]
fn a_trial_that_a_node_never_answers_counts_as_untried() {
    let (mut world, _) = opened(wallet(), node());
    world.node.mute = Some("simulateTransaction");
    review(&mut world, "0.5");
    world.advance(15_000);
    assert_eq!((form(&world).trouble, view(&world)), (Some(Trouble::Untried), View::SolanaSend));
    world.node.mute = None;
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::SolanaSendPreview);
}

#[test]
fn a_preview_whose_node_is_silent_says_so_after_fifteen_seconds_and_can_be_tried_again() {
    for method in ["getLatestBlockhash", "simulateTransaction"] {
        let (mut world, node) = filled("0.5");
        pay(&mut world, Pay::ReviewAsked);
        world.node.mute = Some(method);
        pay(&mut world, Pay::ConfirmAsked);
        world.advance(14_999);
        assert_eq!(form(&world).phase, Phase::Confirming, "{method}");
        world.advance(1);
        assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Untried)), "{method}");
        assert!(requests(&world).is_empty(), "{method}");
        world.node.mute = None;
        pay(&mut world, Pay::ConfirmAsked);
        assert_eq!(sent(&node).len(), 1, "{method}");
    }
}

#[test]
fn a_node_that_answers_after_the_preview_gave_up_on_it_does_not_ask_the_wallet() {
    let (mut world, _) = filled("0.5");
    pay(&mut world, Pay::ReviewAsked);
    world.node.late = Some(16_000);
    pay(&mut world, Pay::ConfirmAsked);
    world.advance(60_000);
    assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Untried)));
    assert!(requests(&world).is_empty());
}

#[test]
fn a_wallet_may_take_longer_to_sign_than_a_node_to_answer() {
    let (mut world, _) = opened(wallet().when("solana_signTransaction", Behaviour::Silent), node());
    paid(&mut world, "0.5");
    world.advance(60_000);
    assert_eq!((form(&world).phase, form(&world).slow), (Phase::Confirming, true));
}

#[test]
fn a_balance_that_cannot_be_read_is_a_fault_and_trying_again_reads_it() {
    let missing = SolanaNode { missing: vec!["getMultipleAccounts"], ..node() };
    let (mut world, node) = opened(wallet(), missing);
    let state = |world: &World| form(world).token.unwrap().state;
    assert_eq!(state(&world), TokenState::Unreadable);
    // Another failure stays one, and no snack asks for an amount meanwhile.
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!((state(&world), world.snack()), (TokenState::Unreadable, None));
    node.borrow_mut().missing.clear();
    pay(&mut world, Pay::ReviewAsked);
    let token = form(&world).token.unwrap();
    assert_eq!((token.state, token.balance.as_deref()), (TokenState::Ready, Some("2")));
    assert_eq!((world.snack(), view(&world)), (None, View::SolanaSend));
}

#[test]
fn a_balance_that_no_node_tells_is_a_fault_after_the_wait() {
    let mut world = World::with(&every_namespace(), vec![wallet()], Store::default());
    let (chain, _) = node().chain();
    world.node.chain = Some(chain);
    world.node.mute = Some("getMultipleAccounts");
    world.open(None);
    world.choose("example.sol");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    let state = |world: &World| form(world).token.unwrap().state;
    world.advance(14_999);
    assert_eq!(state(&world), TokenState::Reading);
    world.advance(1);
    assert_eq!(state(&world), TokenState::Unreadable);
    world.node.mute = None;
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(state(&world), TokenState::Ready);
}
