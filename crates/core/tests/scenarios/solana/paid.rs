//! Receivers that a Solana account paid before.

use super::*;

const CAROL: u8 = 9;

/// Address that begins and ends like this one.
fn alike(address: &str) -> String {
    let middle = if address.as_bytes()[20] == b'2' { "3" } else { "2" };
    [&address[..20], middle, &address[21..]].concat()
}

/// World whose account paid Bob, after a reload, with the form open.
fn who_paid_bob() -> World {
    let mut node = node();
    for address in [solana_address(CAROL), alike(&solana_address(BOB))] {
        node.accounts.insert(address, SolanaAccount::wallet(1_000_000));
    }
    let (mut world, _) = opened(wallet(), node);
    fill(&mut world, "0.5", &solana_address(BOB));
    assert_eq!(form(&world).warnings, [Warning::FirstSeen]);
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    again(&mut world);
    world
}

fn again(world: &mut World) {
    world.come_back();
    world.modal(Modal::ViewAsked { view: View::WalletSend });
}

fn typed(world: &mut World, receiver: &str) -> Vec<Warning> {
    fill(world, "0.1", receiver);
    form(world).warnings
}

#[test]
fn who_was_paid_is_offered_below_an_empty_field_and_is_known_after_a_reload() {
    let mut world = who_paid_bob();
    assert_eq!(form(&world).recent, [solana_address(BOB)]);
    assert_eq!(typed(&mut world, &solana_address(BOB)), []);
    assert!(form(&world).recent.is_empty(), "the field has a text");
    assert_eq!(typed(&mut world, &solana_address(CAROL)), [Warning::FirstSeen]);
}

#[test]
fn an_address_that_begins_and_ends_like_one_that_was_paid_is_told() {
    let mut world = who_paid_bob();
    let warnings = typed(&mut world, &alike(&solana_address(BOB)));
    assert_eq!(warnings.first(), Some(&Warning::LookAlike));
    assert!(!warnings.contains(&Warning::FirstSeen));
    assert_eq!(form(&world).look_alike, Some(solana_address(BOB)));
}

#[test]
fn stored_receivers_are_hostile_until_parsed_and_those_of_other_accounts_are_not_read() {
    let mut world = who_paid_bob();
    let prefix = format!("@portico/paid/{SOLANA}:{}/", solana_address(ALICE));
    for (address, at) in
        [("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "1"), ("1111", "1"), (&solana_address(CAROL), "soon")]
    {
        world.store.values.insert([&prefix, address].concat(), at.into());
    }
    let other = format!("@portico/paid/{SOLANA}:{}/{}", solana_address(CAROL), solana_address(CAROL));
    world.store.values.insert(other.clone(), "1".into());
    again(&mut world);
    assert_eq!(form(&world).recent, [solana_address(BOB)]);
    let kept: Vec<&String> = world.store.values.keys().filter(|key| key.starts_with("@portico/paid/")).collect();
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept.contains(&&other));
}

#[test]
fn spec_5_3_a_receiver_is_32_to_44_base58_characters_of_solana_and_no_address_of_another_namespace() {
    let (mut world, _) = opened(wallet(), node());
    let fault = |world: &mut World, receiver: &str| {
        fill(world, "0.5", receiver);
        world.advance(500);
        form(world).receiver_fault
    };
    assert_eq!(fault(&mut world, &solana_address(BOB)), None);
    for length in [32, 44] {
        // The shortest one is that of 32 bytes of zero.
        let address = if length == 32 { "1".repeat(32) } else { solana_address(BOB) };
        assert_eq!((address.len(), fault(&mut world, &address)), (length, None), "{address}");
    }
    for wrong in ["1".repeat(31), "1".repeat(33), format!("{}z", solana_address(BOB)), solana_address(BOB)[2..].into()]
    {
        assert_eq!(fault(&mut world, &wrong), Some(ReceiverFault::WrongLength), "{wrong}");
    }
    for wrong in ["0".repeat(44), "O".repeat(44), "l".repeat(44), "I".repeat(44), "not an address".into()] {
        assert_eq!(fault(&mut world, &wrong), Some(ReceiverFault::NotAnAddress), "{wrong}");
    }
    // An address of Polkadot is base58 too, and longer.
    let polkadot = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";
    assert_eq!(fault(&mut world, polkadot), Some(ReceiverFault::WrongLength));
    for other in ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"] {
        assert_eq!(fault(&mut world, other), Some(ReceiverFault::OtherNamespace), "{other}");
    }
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::SolanaSend);
}
