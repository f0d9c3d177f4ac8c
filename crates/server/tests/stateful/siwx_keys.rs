//! Sign-in of Bitcoin and Polkadot accounts, whose keys are verified without a node.

use crate::siwx::{at, authenticate, claims, me, nonce, refused, server};
use crate::support::Server;
use crate::support::names::PAGE;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k256::ecdsa::SigningKey;
use ring::digest::{SHA256, digest};
use schnorrkel::{ExpansionMode, Keypair, MiniSecretKey};
use serde_json::{Value, json};

const MAINNET: &str = "000000000019d6689c085ae165831e93";
const SIGNET: &str = "00000008819873e925422c1ff0f99f7c";
const POLKADOT: &str = "91b171bb158e2d3848fa23a9f1c25182";
const KUSAMA: &str = "b0a8d493285c2df73290dfb7e61f870f";

/// Addresses of the key of 32 times 17 on two networks, and of that of 32 times 18 (P2WPKH, by `@scure/btc-signer`).
const OWN: &str = "bc1ql3e9pgs3mmwuwrh95fecme0s0qtn2880lsvsd5";
const OWN_ON_SIGNET: &str = "tb1ql3e9pgs3mmwuwrh95fecme0s0qtn28804khrk8";
const OTHER: &str = "bc1quuae56wxx32g2cl5cuhhdf8zzz2xrl6mar6n89";

/// The development accounts Alice, also in the spelling of Kusama, and Bob (by `@polkadot/keyring`).
const ALICE: &str = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";
const ALICE_ON_KUSAMA: &str = "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F";
const BOB: &str = "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3";

/// Message of an account (CAIP-122).
fn message(name: &str, address: &str, chain: &str, nonce: &str) -> String {
    [
        format!("host.example wants you to sign in with your {name} account:"),
        address.into(),
        String::new(),
        "Sign in to the shop.".into(),
        String::new(),
        format!("URI: {PAGE}"),
        "Version: 1".into(),
        format!("Chain ID: {chain}"),
        format!("Nonce: {nonce}"),
        format!("Issued At: {}", at(0)),
    ]
    .join("\n")
}

/// "Bitcoin Signed Message" (BIP-137), with the header of P2WPKH, of a text of 253 to 65,535 bytes.
fn bitcoin(key: u8, text: &str) -> String {
    let length = u16::try_from(text.len()).unwrap();
    assert!(length >= 253);
    let hashed = [b"\x18Bitcoin Signed Message:\n\xfd", &length.to_le_bytes()[..], text.as_bytes()].concat();
    let hash = digest(&SHA256, digest(&SHA256, &hashed).as_ref());
    let key = SigningKey::from_slice(&[key; 32]).unwrap();
    let (signature, recovery) = key.sign_prehash_recoverable(hash.as_ref()).unwrap();
    BASE64_STANDARD.encode([&[39 + recovery.to_byte()][..], &signature.to_bytes()].concat())
}

/// Pair of sr25519 of Alice or Bob.
fn pair(name: &str) -> Keypair {
    let seed = match name {
        ALICE => "e5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a",
        _ => "398f0c28f98885e046333d4a41c19cee4c37368a9832c6502f6cfd182e2aef89",
    };
    let seed = portico_encoding::hex::decode32(seed).unwrap();
    MiniSecretKey::from_bytes(&seed).unwrap().expand_to_keypair(ExpansionMode::Ed25519)
}

/// Signature of an extension, which wraps the text.
fn polkadot(name: &str, text: &str) -> String {
    let signature = pair(name).sign_simple(b"substrate", format!("<Bytes>{text}</Bytes>").as_bytes());
    format!("0x{}", portico_encoding::hex::encode(&signature.to_bytes()))
}

/// Signs in, and returns the account of which `/auth/v1/me` tells.
async fn account(server: &Server, message: &str, signature: &str) -> Value {
    let (status, text) = authenticate(server, message, signature).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let token = serde_json::from_str::<Value>(&text).unwrap()["token"].as_str().unwrap().to_owned();
    let (status, text) = me(server, &token).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told, claims(&token));
    told
}

#[tokio::test]
async fn spec_3_17_a_bitcoin_account_signs_in_by_its_own_key_on_its_own_network_only() {
    let server = server().await;
    let first = nonce(&server, PAGE).await;
    let said = message("Bitcoin", OWN, MAINNET, &first);
    // A forged signature, one of another text, and texts that are none.
    for forged in [bitcoin(18, &said), bitcoin(17, &format!("{said} ")), "hello".into(), "00".repeat(30_000)] {
        assert_eq!(refused(authenticate(&server, &said, &forged).await), (422, "signature".into()));
    }
    let other = message("Bitcoin", OTHER, MAINNET, &first);
    assert_eq!(refused(authenticate(&server, &other, &bitcoin(17, &other)).await), (422, "signature".into()));
    for (address, chain, field) in [
        (OWN_ON_SIGNET, MAINNET, "address"),
        (OWN, SIGNET, "address"),
        (&OWN[1..], MAINNET, "address"),
        (&OWN.to_uppercase(), MAINNET, "address"),
        // P2WSH, of BIP-173.
        ("bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3", MAINNET, "address"),
        (OWN, "1", "chainId"),
        (OWN, "000000000019d6689c085ae165831e94", "chainId"),
        (OWN, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "chainId"),
    ] {
        let said = message("Bitcoin", address, chain, &first);
        assert_eq!(refused(authenticate(&server, &said, &bitcoin(17, &said)).await), (400, field.into()), "{address}");
    }
    let told = account(&server, &said, &bitcoin(17, &said)).await;
    assert_eq!(told["sub"], format!("bip122:{MAINNET}:{OWN}"));
    assert_eq!((&told["chainNamespace"], &told["address"]), (&json!("bip122"), &json!(OWN)));
    // The nonce was used, and one that this server did not write counts for nothing.
    assert_eq!(refused(authenticate(&server, &said, &bitcoin(17, &said)).await), (400, "nonce".into()));
    let strange = message("Bitcoin", OWN, MAINNET, "0123456789");
    assert_eq!(refused(authenticate(&server, &strange, &bitcoin(17, &strange)).await), (400, "nonce".into()));
    let signet = message("Bitcoin", OWN_ON_SIGNET, &format!("bip122:{SIGNET}"), &nonce(&server, PAGE).await);
    let told = account(&server, &signet, &bitcoin(17, &signet)).await;
    assert_eq!(told["sub"], format!("bip122:{SIGNET}:{OWN_ON_SIGNET}"));
}

#[tokio::test]
async fn spec_3_17_a_polkadot_account_signs_in_by_its_own_key_on_its_own_network_only() {
    let server = server().await;
    let first = nonce(&server, PAGE).await;
    let said = message("Polkadot", ALICE, POLKADOT, &first);
    for forged in [polkadot(BOB, &said), polkadot(ALICE, &format!("{said} ")), "0x".into(), "f".repeat(60_000)] {
        assert_eq!(refused(authenticate(&server, &said, &forged).await), (422, "signature".into()));
    }
    let other = message("Polkadot", BOB, POLKADOT, &first);
    assert_eq!(refused(authenticate(&server, &other, &polkadot(ALICE, &other)).await), (422, "signature".into()));
    for (address, chain, field) in [
        (ALICE_ON_KUSAMA, POLKADOT, "address"),
        (ALICE, KUSAMA, "address"),
        (&ALICE.replace("Sp5", "Sp6"), POLKADOT, "address"),
        (OWN, POLKADOT, "address"),
        (ALICE, "0", "chainId"),
        (ALICE, "eip155:1", "chainId"),
    ] {
        let said = message("Polkadot", address, chain, &first);
        let answer = authenticate(&server, &said, &polkadot(ALICE, &said)).await;
        assert_eq!(refused(answer), (400, field.into()), "{address} {chain}");
    }
    let told = account(&server, &said, &polkadot(ALICE, &said)).await;
    assert_eq!(told["sub"], format!("polkadot:{POLKADOT}:{ALICE}"));
    assert_eq!((&told["chainNamespace"], &told["address"]), (&json!("polkadot"), &json!(ALICE)));
    assert_eq!(refused(authenticate(&server, &said, &polkadot(ALICE, &said)).await), (400, "nonce".into()));
    let kusama = message("Polkadot", ALICE_ON_KUSAMA, KUSAMA, &nonce(&server, PAGE).await);
    // A wallet that signs the text alone.
    let signature = pair(ALICE).sign_simple(b"substrate", kusama.as_bytes()).to_bytes();
    let told = account(&server, &kusama, &format!("0x01{}", portico_encoding::hex::encode(&signature))).await;
    assert_eq!(told["sub"], format!("polkadot:{KUSAMA}:{ALICE_ON_KUSAMA}"));
}
