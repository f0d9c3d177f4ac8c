//! Messages and accounts of payments.

use super::*;

fn of(text: &str) -> Key {
    key(text).unwrap()
}

const ALICE: &str = "GgwuNR9nXLAKPWwhiGaeu5yLtRpoGhzXWYqvwJ3vRdSn";
const BOB: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WSOL: &str = "So11111111111111111111111111111111111111112";

/// Mint of six decimals, with these extensions.
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

/// Extension of a transfer fee: one percent of at most 5,000 before epoch 10, then two percent.
fn fees() -> Vec<u8> {
    let mut value = vec![0; 72];
    for (epoch, most, points) in [(0u64, 5_000u64, 100u16), (10, 5_000, 200)] {
        value.extend(epoch.to_le_bytes());
        value.extend(most.to_le_bytes());
        value.extend(points.to_le_bytes());
    }
    value
}

fn read(data: &[u8]) -> Option<Mint> {
    Mint::read(TokenProgram::Token2022, data)
}

#[test]
fn token_accounts_have_the_addresses_that_another_implementation_finds() {
    // Addresses of getProgramDerivedAddress of @solana/kit.
    for (owner, program, mint, account) in [
        (BOB, TokenProgram::Token, USDC, "4kokFKCFMxpCpG41yLYkLEqXW8g1WPfCt2NC9KGivY6N"),
        (ALICE, TokenProgram::Token, WSOL, "29qbS2SqHFFsDc7U4MtQ6SE1RKQ2YUgL4q21mPwVMSyv"),
        (BOB, TokenProgram::Token2022, USDC, "6NdQTKLhkXakjcndgXp6Gzf2C2hepZwCD6n8egoYpmer"),
        // Four hashes before this one are points of the curve.
        (ALICE, TokenProgram::Token2022, USDC, "tefVrneMbLti2iFfZXkKeDiT3CPZHxrFpzu9ph4JkCY"),
    ] {
        assert_eq!(associated(&of(owner), program, &of(mint)), Some(of(account)), "{owner} {mint}");
    }
}

#[test]
fn a_message_names_each_account_once_and_reads_back_as_the_same_calls() {
    let (alice, bob, usdc) = (of(ALICE), of(BOB), of(USDC));
    let from = associated(&alice, TokenProgram::Token, &usdc).unwrap();
    let to = associated(&bob, TokenProgram::Token, &usdc).unwrap();
    let token = Mint::read(TokenProgram::Token, &mint(&[])).unwrap();
    let calls = [
        unit_limit(30_000),
        unit_price(10_000),
        create(alice, to, bob, TokenProgram::Token, usdc),
        send(from, to, alice, (usdc, &token), 1_500_000, None),
    ];
    let bytes = message(&alice, &[3; 32], &calls);
    let read = Message::read(&bytes).unwrap();
    assert_eq!((read.signers(), read.blockhash, read.looks_up), (&[alice][..], [3; 32], false));
    let steps: Vec<_> = read.steps().collect();
    assert_eq!(
        steps,
        [
            Step::UnitLimit(30_000),
            Step::UnitPrice(10_000),
            Step::Create { account: to, owner: bob, mint: usdc },
            Step::SendToken { from, to, amount: 1_500_000, mint: Some((usdc, 6)), owner: alice },
        ]
    );
    assert_eq!(fee(&read), 5_300);
    let signed = transaction(&[9; SIGNATURE], &bytes);
    assert_eq!(Transaction::read(&signed).unwrap().signed, bytes);
    // The payer and two token accounts can be written; owner, mint and four programs cannot.
    assert_eq!(bytes[..4], [1, 0, 6, 9]);
}

#[test]
fn coins_leave_the_payer_and_a_payment_to_oneself_has_one_writable_key() {
    let (alice, bob) = (of(ALICE), of(BOB));
    let bytes = message(&alice, &[0; 32], &[transfer(alice, bob, u64::MAX)]);
    let read = Message::read(&bytes).unwrap();
    assert_eq!(read.steps().collect::<Vec<_>>(), [Step::Transfer { from: alice, to: bob, lamports: u64::MAX }]);
    assert_eq!(message(&alice, &[0; 32], &[transfer(alice, alice, 1)])[..4], [1, 0, 1, 2]);
}

#[test]
fn a_mint_tells_its_decimals_and_what_hinders_a_transfer() {
    assert_eq!(read(&mint(&[])).unwrap().account_size, 170);
    assert_eq!(Mint::read(TokenProgram::Token, &mint(&[])).unwrap().account_size, 165);
    let with = |kind: u16, value: &[u8]| read(&mint(&[(kind, value)])).unwrap();
    let (none, program) = ([0; 64], [1; 64]);
    assert_eq!(with(14, &program).obstacle, Some(Obstacle::Hook));
    assert_eq!((with(14, &none).obstacle, with(14, &none).account_size), (None, 175));
    assert_eq!(with(9, &[]).obstacle, Some(Obstacle::NonTransferable));
    assert_eq!((with(26, &none[..33]).obstacle, with(26, &program[..33]).obstacle), (None, Some(Obstacle::Paused)));
    assert_eq!(with(25, &none[..56]).obstacle, Some(Obstacle::Unknown));
    assert_eq!(with(77, &[]).obstacle, Some(Obstacle::Unknown));
    assert_eq!((with(6, &[2]).freezes, with(6, &[1]).freezes), (true, false));
    // A known obstacle stays, whatever follows it.
    assert_eq!(read(&mint(&[(14, &program), (77, &[])])).unwrap().obstacle, Some(Obstacle::Hook));
    assert_eq!(read(&mint(&[(18, &none), (3, &[0; 32])])).unwrap().obstacle, None);
}

#[test]
fn the_fee_of_a_transfer_follows_the_epoch_and_is_rounded_up_to_its_limit() {
    let token = read(&mint(&[(1, &fees())])).unwrap();
    assert_eq!(token.account_size, 182);
    assert_eq!(token.fee(9).unwrap().of(101), 2);
    assert_eq!(token.fee(10).unwrap().of(101), 3);
    assert_eq!(token.fee(10).unwrap().of(u64::MAX), 5_000);
    let data = send([1; 32], [2; 32], [3; 32], ([4; 32], &token), 101, Some(3)).data;
    assert_eq!(data, [26, 1, 101, 0, 0, 0, 0, 0, 0, 0, 6, 3, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn other_data_is_no_mint_and_no_token_account() {
    let mut holding = vec![0; 165];
    holding[108] = 1;
    assert!(read(&holding).is_none());
    assert!(!Holding::read(&holding).unwrap().frozen);
    holding[108] = 2;
    assert!(Holding::read(&holding).unwrap().frozen);
    holding[108] = 0;
    assert_eq!(Holding::read(&holding), None);
    let extended = mint(&[(9, &[])]);
    assert!(Holding::read(&extended).is_none());
    assert_eq!(Mint::read(TokenProgram::Token, &extended), None);
    let mut cut = extended.clone();
    cut.extend([14, 0, 64, 0, 1]);
    for data in [&[][..], &[0; 82], &mint(&[])[..81], &cut, &mint(&[(1, &[0; 20])]), &mint(&[(14, &[1])])] {
        assert_eq!(read(data), None, "{} bytes", data.len());
    }
    let mut greedy = fees();
    greedy[88..90].copy_from_slice(&10_001u16.to_le_bytes());
    assert_eq!(read(&mint(&[(1, &greedy)])), None);
}

#[test]
fn the_owner_of_a_token_account_is_proved_by_its_creation_or_its_address() {
    let (alice, bob, mint) = (of(ALICE), of(BOB), of(USDC));
    for program in [TokenProgram::Token, TokenProgram::Token2022] {
        let account = associated(&bob, program, &mint).unwrap();
        assert!(is_associated(&account, &bob, &mint));
        assert!(!is_associated(&account, &alice, &mint) && !is_associated(&account, &bob, &of(WSOL)));
        let owner = |calls: &[Call], mint: Option<&Key>| {
            let bytes = message(&alice, &[9; 32], calls);
            Message::read(&bytes).unwrap().owner_of(&account, mint)
        };
        let made = create(alice, account, bob, program, mint);
        assert_eq!(owner(std::slice::from_ref(&made), None), Some(bob));
        let named = transfer(alice, bob, 1);
        assert_eq!(owner(std::slice::from_ref(&named), Some(&mint)), Some(bob));
        assert_eq!(owner(std::slice::from_ref(&named), None), None, "of a token that is not told");
        assert_eq!(owner(&[named], Some(&of(WSOL))), None, "another token");
        assert_eq!(owner(&[transfer(alice, account, 1)], Some(&mint)), None, "no wallet is named");
    }
}

#[test]
fn what_a_message_writes_are_its_writable_accounts() {
    let accounts = vec![Account::writable([3; 32]), Account::readonly([4; 32])];
    let bytes = message(&[1; 32], &[9; 32], &[Call { program: [7; 32], accounts, data: vec![] }]);
    let read = Message::read(&bytes).unwrap();
    assert_eq!(read.keys(), [[1; 32], [3; 32], [4; 32], [7; 32]]);
    assert_eq!(read.written().copied().collect::<Vec<Key>>(), [[1; 32], [3; 32]]);
    // A second signer that only reads.
    let mut bytes = vec![2, 1, 1, 4];
    bytes.extend([[1; 32], [2; 32], [3; 32], [7; 32], [9; 32]].concat());
    bytes.push(0);
    let read = Message::read(&bytes).unwrap();
    assert_eq!(read.written().copied().collect::<Vec<Key>>(), [[1; 32], [3; 32]]);
}

#[test]
fn a_transfer_with_a_fee_is_read_as_a_transfer_and_other_bytes_are_not() {
    let mint = read(&mint(&[(1, &fees())])).unwrap();
    let call = send([3; 32], [4; 32], of(ALICE), (of(USDC), &mint), 100, Some(2));
    let step = |call: &Call| {
        let bytes = message(&of(ALICE), &[9; 32], std::slice::from_ref(call));
        let read = Message::read(&bytes).unwrap();
        let step = read.steps().next().unwrap();
        matches!(step, Step::SendToken { from, to, amount: 100, mint: Some((mint, 6)), owner }
            if from == [3; 32] && to == [4; 32] && mint == of(USDC) && owner == of(ALICE))
    };
    assert!(step(&call));
    for (at, byte) in [(1, 0), (1, 2), (10, 7), (2, 101)] {
        let mut other = call.clone();
        other.data[at] = byte;
        assert!(!step(&other), "{at}");
    }
    let mut short = call.clone();
    short.data.pop();
    let mut long = call;
    long.data.push(0);
    assert!(!step(&short) && !step(&long));
}

#[test]
fn known_mints_are_addresses_and_have_one_symbol_each() {
    for known in &KNOWN_MINTS {
        assert!(key(known.mint).is_some());
        assert_eq!(known_mint(known.mint), Some(known));
        assert_eq!(KNOWN_MINTS.iter().filter(|other| other.symbol == known.symbol).count(), 1);
    }
    assert_eq!(known_mint(&USDC.to_lowercase()), None);
}
