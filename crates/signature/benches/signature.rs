//! Benchmark of verified sign-ins: signatures a second on one core. Prints a Markdown table; `cargo xtask bench signature` runs it.

use alloy_primitives::{Address, Signature, eip191_hash_message, hex};
use ed25519_dalek::{Signature as EdSignature, Signer as _, SigningKey as EdKey};
use k256::ecdsa::SigningKey;
use portico_signature::check;
use portico_terms::ChainId;
use serde_json::Value;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../../server/benches/server/row.rs"]
#[allow(dead_code, reason = "shared with the benchmark of the server")]
mod row;

use row::{Limit, Row, median};

/// Time of a run.
const RUN: Duration = Duration::from_millis(500);

/// Number of runs; the median counts.
const RUNS: usize = 5;

const BITCOIN: &str = include_str!("../tests/vectors/bitcoin.json");
const POLKADOT: &str = include_str!("../tests/vectors/polkadot.json");

fn main() {
    println!("{}", row::HEAD);
    let message = "shop.example wants you to sign in with your Ethereum account:\n".to_owned() + &"x".repeat(240);
    for row in [
        row("BIP-322, P2WPKH", 200.0, recorded(BITCOIN, "bip122", "p2wpkh simple")),
        row("BIP-322, P2TR", 200.0, recorded(BITCOIN, "bip122", "p2tr simple")),
        row("BIP-322 in its full form, P2PKH", 200.0, recorded(BITCOIN, "bip122", "p2pkh full")),
        row("BIP-137, P2WPKH", 200.0, recorded(BITCOIN, "bip122", "p2wpkh 39")),
        row(
            "sr25519 between `<Bytes>` and `</Bytes>`",
            200.0,
            recorded(POLKADOT, "polkadot", "sr25519 wrapped polkadot"),
        ),
        row("EIP-191, recovered by alloy as the server does", 2000.0, eip191(message.clone())),
        row("ed25519, strict, as the server verifies Solana", 2000.0, ed25519(message)),
    ] {
        println!("{row}");
    }
}

fn row(what: &'static str, limit: f64, verify: impl Fn() -> bool) -> Row {
    assert!(verify(), "{what}");
    let rate = || {
        let start = Instant::now();
        let mut count = 0_u32;
        while start.elapsed() < RUN {
            count += u32::from(black_box(verify()));
        }
        f64::from(count) / start.elapsed().as_secs_f64()
    };
    let measured = median((0..RUNS).map(|_| rate()).collect());
    Row { what, limit: Limit::AtLeast(limit), measured, unit: "a second", note: String::new() }
}

/// Check of a signature that another library made.
fn recorded(vectors: &str, namespace: &str, kind: &str) -> impl Fn() -> bool {
    let all: Vec<Value> = serde_json::from_str(vectors).unwrap();
    let one = all.into_iter().find(|one| one["kind"] == kind && one["message"].as_str().unwrap().len() > 253).unwrap();
    let chain: ChainId = format!("{namespace}:{}", one["chain"].as_str().unwrap()).parse().unwrap();
    let text = move |name: &str| one[name].as_str().unwrap().to_owned();
    let (address, message, signature) = (text("address"), text("message"), text("signature"));
    move || check(&chain, &address, &message, &signature).is_ok()
}

fn eip191(message: String) -> impl Fn() -> bool {
    let key = SigningKey::from_slice(&[7; 32]).unwrap();
    let (signature, recovery) = key.sign_prehash_recoverable(eip191_hash_message(&message).as_slice());
    let bytes = [&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat();
    let public = key.verifying_key().to_sec1_point(false);
    let address = Address::from_raw_public_key(&public.as_bytes()[1..]);
    let signature = hex::encode(bytes);
    move || {
        let bytes = hex::decode(&signature).unwrap();
        let signer = Signature::from_raw(&bytes).unwrap();
        signer.recover_address_from_prehash(&eip191_hash_message(&message)).is_ok_and(|signer| signer == address)
    }
}

fn ed25519(message: String) -> impl Fn() -> bool {
    let key = EdKey::from_bytes(&[7; 32]);
    let (public, signature) = (key.verifying_key().to_bytes(), key.sign(message.as_bytes()).to_bytes());
    move || {
        let key = ed25519_dalek::VerifyingKey::from_bytes(&public).unwrap();
        key.verify_strict(message.as_bytes(), &EdSignature::from_bytes(&signature)).is_ok()
    }
}
