//! Payments of tokens: token accounts, their deposit, and the rules of Token-2022.

use super::*;
use portico_calldata::solana::{Message as Bytes, Step, TokenProgram, associated, fee, key};
use portico_testkit::SolanaAccount as Account;

const MINT: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TOKEN: &str = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const TOKEN_2022: &str = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";

/// Mint of six decimals, with these extensions of Token-2022.
fn mint(extensions: &[(u16, &[u8])]) -> Vec<u8> {
    let mut data = vec![0; 82];
    (data[44], data[45]) = (6, 1);
    if !extensions.is_empty() {
        data.resize(165, 0);
        data.push(1);
    }
    for (kind, value) in extensions {
        data.extend(kind.to_le_bytes());
        data.extend((value.len() as u16).to_le_bytes());
        data.extend(*value);
    }
    data
}

/// Token account with an amount.
fn holding(owner: &str, amount: u64, state: u8) -> Vec<u8> {
    let mut data = [key(MINT).unwrap(), key(owner).unwrap()].concat();
    data.extend(amount.to_le_bytes());
    data.resize(165, 0);
    data[108] = state;
    data
}

fn account_of(secret: u8, program: TokenProgram) -> String {
    base58::encode(&associated(&key(&solana_address(secret)).unwrap(), program, &key(MINT).unwrap()).unwrap())
}

fn named(program: TokenProgram) -> &'static str {
    if program == TokenProgram::Token { TOKEN } else { TOKEN_2022 }
}

/// Node with 100 tokens of the sender.
fn with_token(program: TokenProgram, mint: Vec<u8>) -> SolanaNode {
    let mut node = node();
    let owner = named(program);
    let source = account_of(ALICE, program);
    node.accounts.insert(MINT.into(), Account::of(owner, mint));
    node.accounts.insert(source.clone(), Account::of(owner, holding(&solana_address(ALICE), 100_000_000, 1)));
    node.tokens.push(source);
    node
}

/// Form that a host opened for the token.
fn chosen(node: SolanaNode, amount: &str) -> (World, Rc<RefCell<SolanaNode>>) {
    let (mut world, node) = opened(wallet(), node);
    let to = solana_address(BOB);
    let arguments = format!(r#"{{"amount":"{amount}","to":"{to}","assetAddress":"{SOLANA}:{MINT}"}}"#);
    world.modal(Modal::OpenAsked {
        view: Some("WalletSend".into()),
        namespace: None,
        uri: None,
        arguments: parse(&arguments).unwrap(),
        ticket: Some(5),
    });
    (world, node)
}

fn confirmed(world: &mut World) -> Vec<u8> {
    pay(world, Pay::ReviewAsked);
    assert_eq!(view(world), View::SolanaSendPreview, "{:?}", form(world));
    pay(world, Pay::ConfirmAsked);
    asked(world)[65..].to_vec()
}

#[test]
fn spec_1_4_a_token_goes_to_a_new_token_account_whose_deposit_is_told_before() {
    let (mut world, node) = chosen(with_token(TokenProgram::Token, mint(&[])), "1.5");
    let told = form(&world);
    assert_eq!((told.trouble, told.ready), (None, true), "{told:?}");
    // 165 bytes and 128 for the account itself.
    assert_eq!(told.deposit.as_deref(), Some("0.00203928"));
    let bytes = confirmed(&mut world);
    let read = Bytes::read(&bytes).unwrap();
    let (alice, bob, token) =
        (key(&solana_address(ALICE)).unwrap(), key(&solana_address(BOB)).unwrap(), key(MINT).unwrap());
    let from = key(&account_of(ALICE, TokenProgram::Token)).unwrap();
    let to = key(&account_of(BOB, TokenProgram::Token)).unwrap();
    assert_eq!(
        read.steps().collect::<Vec<_>>(),
        [
            // The trial took 30,000 units, and the wallet may add assertions.
            Step::UnitLimit(77_000),
            Step::UnitPrice(20_000),
            Step::Create { account: to, owner: bob, mint: token },
            Step::SendToken { from, to, amount: 1_500_000, mint: Some((token, 6)), owner: alice },
        ]
    );
    assert_eq!(fee(&read), 6_540);
    assert_eq!(sent(&node).len(), 1);
    let vectors = parse(include_str!("../../../../../fixtures/solana/messages.json")).unwrap();
    assert_eq!(base64::encode(&asked(&world), Spelling::Standard), vectors.get("token").as_str().unwrap());
}

#[test]
fn a_token_account_that_exists_needs_no_deposit() {
    let mut node = with_token(TokenProgram::Token, mint(&[]));
    let target = account_of(BOB, TokenProgram::Token);
    node.accounts.insert(target, Account::of(TOKEN, holding(&solana_address(BOB), 0, 1)));
    let (mut world, _) = chosen(node, "1.5");
    assert_eq!(form(&world).deposit, None);
    let bytes = confirmed(&mut world);
    assert!(Bytes::read(&bytes).unwrap().steps().all(|step| !matches!(step, Step::Create { .. })));
}

#[test]
fn a_token_account_of_the_receiver_that_cannot_take_the_token_is_told() {
    let alice = solana_address(ALICE);
    for (data, trouble) in [
        (holding(&solana_address(BOB), 0, 2), Trouble::ReceiverFrozen),
        (holding(&alice, 0, 1), Trouble::ReceiverForeign),
        (vec![0; 10], Trouble::ReceiverForeign),
    ] {
        let mut node = with_token(TokenProgram::Token, mint(&[]));
        node.accounts.insert(account_of(BOB, TokenProgram::Token), Account::of(TOKEN, data));
        let (world, _) = chosen(node, "1.5");
        assert_eq!((form(&world).trouble, form(&world).ready), (Some(trouble), false));
    }
}

#[test]
fn a_frozen_token_account_of_the_sender_is_told() {
    let mut node = with_token(TokenProgram::Token, mint(&[]));
    let data = holding(&solana_address(ALICE), 100_000_000, 2);
    node.accounts.insert(account_of(ALICE, TokenProgram::Token), Account::of(TOKEN, data));
    let (world, _) = chosen(node, "1.5");
    assert_eq!(form(&world).trouble, Some(Trouble::Frozen));
}

#[test]
fn the_account_must_have_the_coin_for_fee_and_deposit() {
    let mut node = with_token(TokenProgram::Token, mint(&[]));
    node.accounts.insert(solana_address(ALICE), SolanaAccount::wallet(2_000_000));
    let (world, _) = chosen(node, "1.5");
    let told = form(&world);
    assert_eq!((told.trouble, told.trouble_amount.as_deref()), (Some(Trouble::Coin), Some("0.00204828")));
}

#[test]
fn more_than_the_balance_of_the_token_is_an_error_of_the_amount() {
    let (world, _) = chosen(with_token(TokenProgram::Token, mint(&[])), "100.000001");
    assert_eq!(form(&world).amount_fault, Some(portico_core::send::AmountFault::AboveBalance));
    let (world, _) = chosen(with_token(TokenProgram::Token, mint(&[])), "1.0000001");
    assert_eq!(form(&world).amount_fault, Some(portico_core::send::AmountFault::TooPrecise));
}

#[test]
fn rules_of_a_token_that_hide_what_a_transfer_does_are_refused() {
    for (kind, value, trouble) in [
        (14, &[1; 64][..], Trouble::Hook),
        (9, &[], Trouble::NonTransferable),
        (26, &[1; 33], Trouble::Paused),
        (25, &[0; 56], Trouble::UnknownRule),
        (6, &[2], Trouble::FreezesNew),
    ] {
        let (mut world, node) = chosen(with_token(TokenProgram::Token2022, mint(&[(kind, value)])), "1.5");
        assert_eq!((form(&world).trouble, form(&world).ready), (Some(trouble), false), "{kind}");
        pay(&mut world, Pay::ReviewAsked);
        assert_eq!(view(&world), View::SolanaSend);
        assert!(node.borrow().params_of("simulateTransaction").is_empty());
    }
}

#[test]
fn the_fee_of_a_token_is_told_before_and_stands_in_the_bytes() {
    let mut fees = vec![0; 72];
    for (epoch, points) in [(0u64, 100u16), (10, 200)] {
        fees.extend(epoch.to_le_bytes());
        fees.extend(5_000_000u64.to_le_bytes());
        fees.extend(points.to_le_bytes());
    }
    let (mut world, _) = chosen(with_token(TokenProgram::Token2022, mint(&[(1, &fees)])), "1.5");
    let told = form(&world);
    assert_eq!((told.token_fee.as_deref(), told.received.as_deref()), (Some("0.03"), Some("1.47")));
    // An account of 182 bytes.
    assert_eq!(told.deposit.as_deref(), Some("0.0021576"));
    let bytes = confirmed(&mut world);
    // TransferCheckedWithFee: the program refuses another fee.
    let data = [&[26, 1][..], &1_500_000u64.to_le_bytes(), &[6], &30_000u64.to_le_bytes()].concat();
    assert!(bytes.windows(data.len()).any(|part| part == data));
    let vectors = parse(include_str!("../../../../../fixtures/solana/messages.json")).unwrap();
    assert_eq!(base64::encode(&asked(&world), Spelling::Standard), vectors.get("tokenWithFee").as_str().unwrap());
}

#[test]
fn a_token_that_no_node_tells_cannot_be_sent() {
    for missing in ["getTokenAccountsByOwner", "getMultipleAccounts"] {
        let mut node = with_token(TokenProgram::Token, mint(&[]));
        node.missing = vec![missing];
        let (mut world, _) = chosen(node, "1.5");
        world.advance(60_000);
        assert_eq!(form(&world).token.unwrap().state, portico_core::solana::TokenState::Unreadable, "{missing}");
        assert!(!form(&world).ready);
    }
}

#[test]
fn token_accounts_of_others_that_a_node_lists_do_not_count() {
    let mut node = with_token(TokenProgram::Token, mint(&[]));
    let other = account_of(BOB, TokenProgram::Token);
    node.accounts.insert(other.clone(), Account::of(TOKEN, holding(&solana_address(BOB), 900_000_000, 1)));
    node.tokens.push(other);
    let (world, _) = chosen(node, "1.5");
    assert_eq!(form(&world).token.unwrap().balance.as_deref(), Some("100"));
}

#[test]
fn after_a_reload_a_token_on_its_way_has_the_amount_of_its_bytes_and_never_the_symbol_of_the_coin() {
    for (program, symbol, shown) in [
        (TokenProgram::Token, "USDC", "1.5 USDC"),
        (TokenProgram::Token2022, "USDC", "1.5 USDC"),
        (TokenProgram::Token, "SOL", "1.5 EPjF…yTDt1v"),
        (TokenProgram::Token, "sol", "1.5 EPjF…yTDt1v"),
    ] {
        let (mut world, _) = chosen(with_token(program, mint(&[])), "1.5");
        confirmed(&mut world);
        let own = form(&world).pending.remove(0).symbol;
        let stored = world.store.values.iter_mut().find(|(key, _)| key.starts_with("@portico/pending/solana/"));
        let text = stored.unwrap().1;
        *text = text.replace(r#""1.5""#, r#""5000""#).replace(&format!(r#""{own}""#), &format!(r#""{symbol}""#));
        world.come_back();
        let told = form(&world).pending.remove(0);
        assert_eq!([told.amount, told.symbol].join(" "), shown);
    }
}

#[test]
fn assertions_around_a_payment_of_a_token_are_accepted_and_another_order_is_refused() {
    let (mut world, node) = chosen(with_token(TokenProgram::Token, mint(&[])), "1.5");
    world.wallets[0].changes = Some(with_assertions);
    let bytes = confirmed(&mut world);
    assert_eq!(base64::encode(&bytes, Spelling::Standard), base64::encode(&asked(&world)[65..], Spelling::Standard));
    assert_eq!(sent(&node), [sign_solana(&with_assertions(&asked(&world)), ALICE).1]);
    let (mut world, node) = chosen(with_token(TokenProgram::Token, mint(&[])), "1.5");
    world.wallets[0].changes = Some(|unsigned| with_calls(unsigned, |calls| calls.swap(2, 3)));
    confirmed(&mut world);
    assert_eq!((form(&world).trouble, sent(&node).len()), (Some(Trouble::Changed), 0));
}
