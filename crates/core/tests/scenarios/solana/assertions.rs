//! Wallets that change a payment on Solana before they sign it: assertions are all that they may add.

use super::*;
use portico_calldata::solana::{Account, Call, Key, key, transaction, transfer, unit_price};
use portico_testkit::Change;

/// Payment that a wallet changes so before it signs it.
fn signing(changes: Change) -> (World, Rc<RefCell<SolanaNode>>) {
    let (mut world, node) = opened(ScriptedWallet { changes: Some(changes), ..wallet() }, node());
    paid(&mut world, "0.5");
    (world, node)
}

fn of(secret: u8) -> Key {
    key(&solana_address(secret)).unwrap()
}

#[test]
fn a_payment_with_assertions_is_sent_as_the_wallet_signed_it_and_followed_after_a_reload_too() {
    let (mut world, node) = signing(with_assertions);
    let (signature, signed) = sign_solana(&with_assertions(&asked(&world)), ALICE);
    assert_eq!((view(&world), sent(&node)), (View::SolanaSendConfirmed, vec![signed.clone()]));
    assert_eq!(form(&world).sent.unwrap().receipt.hash, Some(base58::encode(&signature)));
    world.come_back();
    let pending = form(&world).pending;
    assert_eq!((pending.len(), pending[0].amount.as_str(), pending[0].symbol.as_str()), (1, "0.5", "SOL"));
    assert_eq!(sent(&node).last(), Some(&signed));
    node.borrow_mut().status = r#"{"slot":2,"confirmations":1,"err":null,"confirmationStatus":"confirmed"}"#.into();
    world.advance(2_150);
    assert_eq!(world.snack(), Some(Message::TransactionConfirmed));
}

#[test]
fn a_payment_with_assertions_whose_wallet_took_long_is_sent_as_it_was_signed() {
    let slow = wallet().when("solana_signTransaction", Behaviour::Late(20_000));
    let (mut world, node) = opened(ScriptedWallet { changes: Some(with_assertions), ..slow }, node());
    paid(&mut world, "0.5");
    world.advance(20_150);
    assert_eq!(sent(&node)[0], sign_solana(&with_assertions(&asked(&world)), ALICE).1);
}

#[test]
fn whatever_else_a_wallet_adds_or_changes_is_refused_and_nothing_is_sent() {
    let changes: [(&str, Change); 10] = [
        ("memory that the payer pays for", |unsigned| {
            let accounts = [Account::writable(of(ALICE)), Account::writable([9; 32])];
            with_calls(unsigned, |calls| calls.push(lighthouse(&[0, 0, 255, 0, 0, 0], &accounts)))
        }),
        ("memory that is closed", |unsigned| {
            let accounts = [Account::writable(of(ALICE)), Account::writable([9; 32])];
            with_calls(unsigned, |calls| calls.push(lighthouse(&[1, 0, 255], &accounts)))
        }),
        ("a call of another program by Lighthouse", |unsigned| {
            with_calls(unsigned, |calls| calls.push(lighthouse(&[16, 4], &[])))
        }),
        ("one more transfer", |unsigned| {
            with_calls(unsigned, |calls| calls.push(transfer(of(ALICE), of(BOB), 500_000_000)))
        }),
        ("a transfer in place of the payment", |unsigned| {
            with_calls(unsigned, |calls| {
                calls.extend([is_plain(of(ALICE)), transfer(of(ALICE), of(9), 500_000_000)]);
                drop(calls.remove(2));
            })
        }),
        ("another program", |unsigned| {
            let memo = key("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr").unwrap();
            with_calls(unsigned, |calls| {
                calls.push(Call { program: memo, accounts: Vec::new(), data: b"hi".to_vec() });
            })
        }),
        ("an account that may be written", |unsigned| {
            with_calls(unsigned, |calls| calls.push(lighthouse(&[6, 4, 0], &[Account::writable([9; 32])])))
        }),
        ("nine assertions", |unsigned| with_calls(unsigned, |calls| calls.extend((0..9).map(|_| is_plain(of(ALICE)))))),
        ("a higher fee than the preview told", |unsigned| with_calls(unsigned, |calls| calls[1] = unit_price(20_100))),
        ("another block", |unsigned| {
            let mut message = with_assertions(unsigned)[65..].to_vec();
            let block = message.windows(32).position(|bytes| bytes == [3; 32]).unwrap();
            message[block] = 4;
            transaction(&[0; 64], &message)
        }),
    ];
    for (name, change) in changes {
        let (world, node) = signing(change);
        assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Changed)), "{name}");
        assert!(sent(&node).is_empty(), "{name}");
    }
}

#[test]
fn a_signature_that_is_not_of_the_message_with_assertions_is_refused() {
    let (mut world, node) =
        opened(ScriptedWallet { secret: Some(BOB), changes: Some(with_assertions), ..wallet() }, node());
    paid(&mut world, "0.5");
    assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(Trouble::Unsigned)));
    assert!(sent(&node).is_empty());
}

#[test]
fn a_wallet_may_lower_the_fee_and_the_receipt_tells_the_one_that_is_paid() {
    let (mut world, node) = signing(|unsigned| with_calls(unsigned, |calls| calls[1] = unit_price(10_000)));
    node.borrow_mut().status = r#"{"slot":2,"confirmations":1,"err":null,"confirmationStatus":"confirmed"}"#.into();
    world.advance(2_150);
    // 5,000 lamports for the signature, and 41,500 units of 10,000 millionths.
    assert_eq!(form(&world).sent.unwrap().receipt.fee.as_deref(), Some("0.000005415"));
}
