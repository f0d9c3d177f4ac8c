use super::*;
use portico_calldata::solana::LARGEST;
use portico_encoding::hex;
use proptest::prelude::*;

fn key(byte: u8) -> SigningKey {
    SigningKey::from_bytes(&[byte; 32])
}

/// Message of a transfer that these keys sign, and that goes to another account.
fn message(signers: &[&SigningKey], is_versioned: bool) -> Vec<u8> {
    let mut bytes = if is_versioned { vec![0x80] } else { vec![] };
    bytes.extend([signers.len() as u8, 0, 1, signers.len() as u8 + 2]);
    signers.iter().for_each(|signer| bytes.extend(signer.verifying_key().as_bytes()));
    bytes.extend([9; 32]);
    // The system program.
    bytes.extend([0; 32]);
    bytes.extend([7; 32]);
    let to = signers.len() as u8;
    bytes.extend([1, to + 1, 2, 0, to, 12, 2, 0, 0, 0, 64, 66, 15, 0, 0, 0, 0, 0]);
    if is_versioned {
        bytes.extend([1]);
        bytes.extend([5; 32]);
        bytes.extend([1, 3, 2, 0, 1]);
    }
    bytes
}

fn transaction(signers: &[&SigningKey], is_versioned: bool) -> Vec<u8> {
    [vec![signers.len() as u8], vec![0; 64 * signers.len()], message(signers, is_versioned)].concat()
}

fn refusal(key: &SigningKey, bytes: &[u8]) -> Option<Reason> {
    sign_transaction(key, bytes).err().map(|refusal| refusal.reason)
}

/// RFC 8032, 7.1, test 3.
#[test]
fn the_vector_of_rfc_8032_holds() {
    let secret = hex::decode32("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7").unwrap();
    let signature = sign_message(&SigningKey::from_bytes(&secret), &[0xaf, 0x82]).unwrap();
    assert_eq!(
        hex::encode(&signature),
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    );
}

#[test]
fn each_signer_signs_at_its_own_place() {
    for is_versioned in [false, true] {
        let (one, two) = (key(1), key(2));
        let first = sign_transaction(&one, &transaction(&[&one, &two], is_versioned)).unwrap();
        let both = sign_transaction(&two, &first.transaction).unwrap();
        assert_eq!(both.transaction[1..65], first.signature);
        assert_eq!(both.transaction[65..129], both.signature);
        let signed = message(&[&one, &two], is_versioned);
        assert_eq!(both.transaction[129..], signed);
        for (key, signature) in [(one, first.signature), (two, both.signature)] {
            assert!(key.verifying_key().verify_strict(&signed, &signature.into()).is_ok());
        }
    }
}

#[test]
fn a_transaction_that_needs_no_signature_of_this_key_is_refused() {
    assert_eq!(refusal(&key(3), &transaction(&[&key(1), &key(2)], false)), Some(Reason::Account));
    // The receiver is a key of the message, but no signer.
    let receiver = key(4);
    let mut bytes = transaction(&[&key(1)], false);
    let at = bytes.windows(32).position(|window| window == [9; 32]).unwrap();
    bytes[at..at + 32].copy_from_slice(receiver.verifying_key().as_bytes());
    assert_eq!(refusal(&receiver, &bytes), Some(Reason::Account));
}

#[test]
fn a_transaction_that_is_cut_lengthened_or_bent_is_refused() {
    let one = key(1);
    for is_versioned in [false, true] {
        let good = transaction(&[&one], is_versioned);
        assert_eq!(refusal(&one, &good), None);
        for length in 0..good.len() {
            assert_eq!(refusal(&one, &good[..length]), Some(Reason::Params), "{length}");
        }
        assert_eq!(refusal(&one, &[&good[..], &[0]].concat()), Some(Reason::Params));
    }
    let good = transaction(&[&one], false);
    // Number of signatures, of signers, of read-only signers and accounts; program; account.
    for (at, byte) in [(0, 2), (65, 0), (65, 2), (66, 1), (67, 3), (68, 2), (68, 4), (198, 0), (198, 3), (201, 3)] {
        let mut bent = good.clone();
        bent[at] = byte;
        assert_eq!(refusal(&one, &bent), Some(Reason::Params), "{at}");
    }
    let mut other = transaction(&[&one], true);
    other[65] = 0x81;
    assert_eq!(refusal(&one, &other), Some(Reason::Params));
    assert_eq!(refusal(&one, &vec![0; LARGEST + 1]), Some(Reason::Params));
}

#[test]
fn a_message_that_is_a_transaction_is_refused() {
    let one = key(1);
    for signers in [[&one], [&key(2)]] {
        for is_versioned in [false, true] {
            let refused = sign_message(&one, &message(&signers, is_versioned)).err();
            assert_eq!(refused.map(|refusal| refusal.reason), Some(Reason::Method));
        }
    }
    assert!(sign_message(&one, b"").is_ok());
    assert!(sign_message(&one, b"Sign in to shop.example.org").is_ok());
}

proptest! {
    #[test]
    fn any_bytes_are_signed_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = sign_transaction(&key(1), &bytes);
        let _ = sign_message(&key(1), &bytes);
    }

    #[test]
    fn any_bent_transaction_is_signed_at_an_own_place_or_refused(at in 0_usize..230, byte: u8, is_versioned: bool) {
        let one = key(1);
        let mut bytes = transaction(&[&one], is_versioned);
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(signed) = sign_transaction(&one, &bytes) {
            let message = &signed.transaction[65..];
            prop_assert!(one.verifying_key().verify_strict(message, &signed.signature.into()).is_ok());
        }
    }
}
