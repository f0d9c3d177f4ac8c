//! Polkadot: signatures that `@polkadot/keyring` made (`vectors/polkadot.json`).

use portico_encoding::base58;
use portico_signature::{Refusal, check};
use portico_terms::ChainId;
use serde_json::Value;

const POLKADOT: &str = "91b171bb158e2d3848fa23a9f1c25182";
const KUSAMA: &str = "b0a8d493285c2df73290dfb7e61f870f";
/// Astar, whose prefix is 5.
const ASTAR: &str = "9eb76c5184c4ab8679d2d5d819fdf90b";

fn on(chain: &str, address: &str, message: &str, signature: &str) -> Result<(), Refusal> {
    let chain: ChainId = format!("polkadot:{chain}").parse().unwrap();
    check(&chain, address, message, signature)
}

/// Kind, chain, address, message and signature.
fn recorded() -> Vec<[String; 5]> {
    let all: Vec<Value> = serde_json::from_str(include_str!("vectors/polkadot.json")).unwrap();
    let names = ["kind", "chain", "address", "message", "signature"];
    all.iter().map(|one| names.map(|name| one[name].as_str().unwrap().to_owned())).collect()
}

fn of_kind(kind: &str) -> [String; 5] {
    recorded().into_iter().find(|one| one[0] == kind).unwrap()
}

#[test]
fn signatures_of_each_kind_of_key_are_taken_with_and_without_the_wrapper() {
    let all = recorded();
    assert_eq!(all.len(), 24);
    for [kind, chain, address, message, signature] in &all {
        assert_eq!(on(chain, address, message, signature), Ok(()), "{kind}");
        assert_eq!(on(chain, address, &message[1..], signature), Err(Refusal::Forged), "{kind}");
        // The wrapper is part of what is signed, not of the text.
        assert_eq!(on(chain, address, &format!("<Bytes>{message}</Bytes>x"), signature), Err(Refusal::Forged));
        for [.., other_chain, other, _, _] in all.iter().filter(|other| other[1] == *chain && other[2] != *address) {
            assert_eq!(on(other_chain, other, message, signature), Err(Refusal::Forged), "{kind}");
        }
    }
}

#[test]
fn an_address_has_the_prefix_of_its_network() {
    let [_, _, polkadot, message, signature] = of_kind("sr25519 wrapped polkadot");
    let [_, _, kusama, ..] = of_kind("sr25519 wrapped kusama");
    assert_eq!(on(KUSAMA, &polkadot, &message, &signature), Err(Refusal::OtherNetwork));
    assert_eq!(on(POLKADOT, &kusama, &message, &signature), Err(Refusal::OtherNetwork));
    // The prefix of other networks is not known here.
    assert_eq!(on(ASTAR, &of_kind("sr25519 wrapped astar")[2], &message, &of_kind("sr25519 wrapped astar")[4]), Ok(()));
    for none in
        ["1", "91B171BB158E2D3848FA23A9F1C25182", "91b171bb158e2d3848fa23a9f1c2518z", "91b171bb158e2d3848fa23a9f1c2518"]
    {
        assert_eq!(on(none, &polkadot, &message, &signature), Err(Refusal::Network), "{none}");
    }
}

#[test]
fn an_address_is_read_with_its_checksum_and_in_one_spelling() {
    let [_, chain, address, message, signature] = of_kind("sr25519 wrapped other");
    assert_eq!(on(&chain, &address, &message, &signature), Ok(()));
    let bytes = base58::decode(&address).unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert_eq!(on(&chain, &base58::encode(&changed), &message, &signature), Err(Refusal::Address), "{at}");
    }
    // Prefix 0 in two bytes, and a reserved first byte, each with its right checksum.
    for nobody in
        ["", "1", "nobody", &"1".repeat(100_000), &address[1..], &format!("1{address}"), LONG_ZERO, RESERVED, NO_KEY]
    {
        assert_eq!(on(&chain, nobody, &message, &signature), Err(Refusal::Address), "{nobody:.60}");
    }
}

/// Account of 32 times 1: prefix 0 in two bytes; first byte 128; and an account of 33 bytes. Made with `blake2b` of `@noble/hashes`.
const LONG_ZERO: &str = "VBo5gMYBDWp7aZ9x8EGq1WdEFwWqWgn12f7NHpzjEMjwsTzKd";
const RESERVED: &str = "DmnkS4d9uGcDcwb6fS6u9jzVjiDSVYBtGwjvbz8mXZuGVhF7";
const NO_KEY: &str = "KVwAJq4MvNXEo5cvx4H8GDKgSeDbidnN8UfrxTCJp6ng8ifY1";

#[test]
fn keys_that_no_one_owns_sign_nothing() {
    let [_, chain, _, message, _] = of_kind("sr25519 wrapped westend");
    // The account of zeros, whose sr25519 key is the neutral point: R = s·B for each number s, here 0 and its mark of the scheme.
    let zeros = "5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM";
    let mut neutral = [0; 64];
    neutral[63] = 0x80;
    let digits = |bytes: &[u8]| format!("0x{}", portico_encoding::hex::encode(bytes));
    assert_eq!(on(&chain, zeros, &message, &digits(&neutral)), Err(Refusal::Forged));
    // The neutral point of ed25519 is a 1 and zeros: without the strict check this signature is right for every text.
    let mut neutral = [0; 64];
    neutral[0] = 1;
    assert_eq!(on(&chain, NEUTRAL, &message, &digits(&neutral)), Err(Refusal::Forged));
}

/// Account 1 and zeros, with prefix 42.
const NEUTRAL: &str = "5C61uSppDAB6oYmD4UQw1mcjftLsH8BbdnLiekCtnjHy2ZDH";

#[test]
fn anything_that_is_no_signature_is_refused_by_its_form() {
    let [_, chain, address, message, signature] = of_kind("sr25519 wrapped polkadot");
    let form = |text: &str| matches!(on(&chain, &address, &message, text), Err(Refusal::Form(_)));
    for nonsense in [
        "",
        "0x",
        "hello",
        &signature[2..],
        &signature[..128],
        &format!("{signature}000000"),
        &format!("0x{}", "f".repeat(100_000)),
        &signature.replace("0x", "0xzz"),
    ] {
        assert!(form(nonsense), "{nonsense:.40}");
    }
    // A byte of another kind of key, and bytes that are no numbers of the curve.
    for kind in ["00", "02", "03"] {
        assert_eq!(
            on(&chain, &address, &message, &signature.replace("0x", &format!("0x{kind}"))),
            Err(Refusal::Forged)
        );
    }
    for length in [64, 65, 66] {
        for byte in ["00", "7f", "ff"] {
            let text = format!("0x{}", byte.repeat(length));
            assert_eq!(on(&chain, &address, &message, &text), Err(Refusal::Forged), "{length} {byte}");
        }
    }
}

/// Order of secp256k1 less the number `s` of "ecdsa wrapped polkadot", and the other recovery.
const HIGHER: &str = "ff6302cdf24b6be45752553c937f8a26846b15d3a9f7f24c1d8ab7d81b63a53b01";

#[test]
fn the_second_form_of_an_ecdsa_signature_is_refused() {
    let [_, chain, address, message, signature] = of_kind("ecdsa wrapped polkadot");
    let other = format!("{}{HIGHER}", &signature[..66]);
    assert_eq!(on(&chain, &address, &message, &other), Err(Refusal::Forged));
}

#[test]
fn each_changed_byte_makes_it_another_signature() {
    for kind in ["sr25519 raw polkadot", "ed25519 raw polkadot", "ecdsa raw polkadot"] {
        let [_, chain, address, message, signature] = of_kind(kind);
        let bytes = portico_encoding::hex::decode(&signature[2..]).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let text = format!("0x{}", portico_encoding::hex::encode(&changed));
            assert_eq!(on(&chain, &address, &message, &text), Err(Refusal::Forged), "{kind} {at}");
        }
    }
}

#[test]
fn another_namespace_has_no_accounts_here() {
    let [_, _, address, message, signature] = of_kind("sr25519 wrapped polkadot");
    for chain in ["eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "bip122:91b171bb158e2d3848fa23a9f1c25182"] {
        assert_eq!(check(&chain.parse().unwrap(), &address, &message, &signature), Err(Refusal::Network));
    }
}
