use super::*;
use portico_encoding::hex;
use proptest::prelude::*;
use zeroize::Zeroizing;

const OWNER: Owner<'static> = Owner { user: "AAAAAAAAAAAAAAAAAAAAAA", wallet: "AQEBAQEBAQEBAQEBAQEBAQ" };

fn key(byte: u8) -> VaultKey {
    VaultKey::new(Zeroizing::new([byte; 32]))
}

fn entropy(byte: u8) -> Entropy {
    Entropy::new(Zeroizing::new([byte; 32]))
}

fn slot() -> Slot {
    Slot { id: "AgICAgICAgICAgICAgICAg".into(), kind: SlotKind::Kit, ..Slot::default() }
}

/// Computed by the package `@noble/ciphers` from the texts that `portico_api::wallet` names.
#[test]
fn a_blob_and_a_slot_have_the_written_form() {
    let blob = OWNER.seal_blob(&key(3), &entropy(4), [5; 24]);
    assert_eq!(blob, BLOB);
    let mut slot = Slot { kind: SlotKind::Device, ..slot() };
    OWNER.wrap(&mut slot, &Kek::device(&[6; 32], &[7; 32]), &key(3), [8; 24]);
    assert_eq!(slot.wrapped, WRAPPED);
}

const BLOB: &str = "BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFKMLAfAatvBkeEVff7uIcshfFWTRRp9A9b2C02drXp49I_9etPOfU8pbFWgaYN3t5";
const WRAPPED: &str =
    "CAgICAgICAgICAgICAgICAgICAgICAgIMJvq3h88Wkn8pYIfFujlOyDHOmWslEGE_iRna6bEGQEDa3PTr_-6iBLElF6hitXQ";

#[test]
fn a_blob_opens_only_for_its_user_its_wallet_and_its_key() {
    let blob = OWNER.seal_blob(&key(3), &entropy(4), [5; 24]);
    assert!(OWNER.open_blob(&key(3), &blob) == Some(entropy(4)));
    assert!(OWNER.open_blob(&key(4), &blob).is_none());
    assert!(Owner { user: "AQAAAAAAAAAAAAAAAAAAAA", ..OWNER }.open_blob(&key(3), &blob).is_none());
    assert!(Owner { wallet: "AAEBAQEBAQEBAQEBAQEBAQ", ..OWNER }.open_blob(&key(3), &blob).is_none());
    for bad in ["", "A", &blob[..blob.len() - 2], &[&blob, "AAAA"].concat(), "no base64!"] {
        assert!(OWNER.open_blob(&key(3), bad).is_none(), "{bad}");
    }
}

#[test]
fn a_slot_opens_only_as_itself() {
    let kek = || Kek::recovery(Zeroizing::new([9; 32]));
    let mut made = slot();
    OWNER.wrap(&mut made, &kek(), &key(3), [5; 24]);
    let opens = |owner: Owner<'_>, slot: &Slot, kek: &Kek| {
        owner.unwrap(slot, kek).is_some_and(|found| found.as_bytes() == key(3).as_bytes())
    };
    assert!(opens(OWNER, &made, &kek()));
    assert!(!opens(OWNER, &made, &Kek::recovery(Zeroizing::new([8; 32]))));
    assert!(!opens(Owner { user: "AQAAAAAAAAAAAAAAAAAAAA", ..OWNER }, &made, &kek()));
    assert!(!opens(Owner { wallet: "AAEBAQEBAQEBAQEBAQEBAQ", ..OWNER }, &made, &kek()));
    assert!(!opens(OWNER, &Slot { id: "AwICAgICAgICAgICAgICAg".into(), ..made.clone() }, &kek()));
    for kind in [SlotKind::Device, SlotKind::Recovery, SlotKind::Passkey, SlotKind::Password] {
        assert!(!opens(OWNER, &Slot { kind, ..made.clone() }, &kek()));
    }
    // The vault key in place of the entropy, and the other way round.
    assert!(OWNER.open_blob(&VaultKey::new(Zeroizing::new([9; 32])), &made.wrapped).is_none());
}

#[test]
fn a_device_slot_takes_both_shares() {
    let same = |one: &Kek, other: &Kek| one.as_bytes() == other.as_bytes();
    let kek = Kek::device(&[1; 32], &[2; 32]);
    assert!(same(&kek, &Kek::device(&[1; 32], &[2; 32])));
    assert!(!same(&kek, &Kek::device(&[2; 32], &[1; 32])));
    assert!(!same(&kek, &Kek::device(&[1; 32], &[3; 32])));
    assert!(!same(&kek, &Kek::device(&[3; 32], &[2; 32])));
}

#[test]
fn the_key_of_a_password_is_hkdf_over_its_export_key() {
    // Written by RFC 5869 with Python's hmac: salt of zeros, ikm 64 times 03, info "portico password 1".
    let key = Kek::password(&[3; 64]);
    assert_eq!(hex::encode(key.as_bytes()), "3f66d6265fbb35625ba1fecea9234f1defd313cd763373f9541aba8e652bd8f6");
}

#[test]
fn a_kit_is_read_as_people_type_it_and_a_mistyped_letter_is_noticed() {
    let kit = Kit::new(Zeroizing::new(std::array::from_fn(|index| (index * 17) as u8)));
    let text = kit.text();
    assert_eq!(text.len(), 34);
    let same = |text: &str| Kit::read(text).is_some_and(|read| *read.text() == *kit.text());
    assert!(same(&text));
    assert!(same(&text.to_lowercase().replace('-', " ")));
    assert!(same(&text.replace('-', "").replace('0', "o").replace('1', "l")));
    let wrong = text.char_indices().filter(|(_, letter)| *letter != '-').filter(|(at, letter)| {
        let other = if *letter == 'Z' { "Y" } else { "Z" };
        Kit::read(&[&text[..*at], other, &text[at + 1..]].concat()).is_some()
    });
    // A checksum of ten bits misses one letter in a thousand.
    assert_eq!(wrong.count(), 0);
    for bad in ["", "0000", &text[..33], &[&*text, "0"].concat(), &text.replacen(char::is_alphanumeric, "U", 1)] {
        assert!(Kit::read(bad).is_none(), "{bad}");
    }
    assert_ne!(hex::encode(Kek::kit(&kit).as_bytes())[..8], kit.mark());
}

proptest! {
    #[test]
    fn what_was_sealed_opens_and_no_changed_byte_does(plain: [u8; 32], key: [u8; 32], nonce: [u8; 24], at in 0_usize..72, with in 1_u8..) {
        let sealed = seal::seal(&key, &plain, "data", nonce);
        prop_assert_eq!(sealed.len(), 72);
        prop_assert_eq!(seal::open(&key, &sealed, "data").map(|opened| *opened), Some(plain));
        prop_assert!(seal::open(&key, &sealed, "date").is_none());
        prop_assert!(seal::open(&key, &sealed[..at], "data").is_none());
        let mut changed = sealed;
        changed[at] ^= with;
        prop_assert!(seal::open(&key, &changed, "data").is_none());
    }

    #[test]
    fn a_kit_that_was_printed_is_read(bytes: [u8; 16]) {
        let kit = Kit::new(Zeroizing::new(bytes));
        prop_assert_eq!(Kit::read(&kit.text()).map(|read| read.text()), Some(kit.text()));
    }

    #[test]
    fn any_text_is_read_as_a_kit_or_refused(text in "\\PC{0,40}") {
        let _ = Kit::read(&text);
    }
}
