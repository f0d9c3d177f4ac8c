//! Sign-in of Solana accounts, whose signature is base58.

use super::{phase, shown, snack};
use portico_core::SignInCall;
use portico_core::connect::Event as Connect;
use portico_core::modal::View;
use portico_core::notice::{Message, Variant};
use portico_core::siwx::{Event as SignIn, Phase};
use portico_json::{Value, parse};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, SOLANA, ScriptedWallet, Store, World, every_namespace, with_sign_in};

const ACCOUNT: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
/// 64 times the byte 1.
const SIGNATURE: &str = "2AXDGYSE4f2sz7tvMMzyHvUfcoJmxudvdhBcmiUSo6ijwfYmfZYsKRxboQMPh3R4kUhXRVdtSXFXMheka4Rc4P2";

fn world(answer: &str) -> World {
    let signing = Behaviour::Nonsense(parse(answer).unwrap());
    let sol = ScriptedWallet::named("Sol")
        .of(Namespace::Solana, ACCOUNT)
        .through(ConnectorKind::External)
        .when("solana_signMessage", signing);
    let mut world = World::with(&with_sign_in(&every_namespace(), true), vec![sol], Store::default());
    world.open(None);
    world.choose("example.sol");
    world
}

#[test]
fn spec_4_25_a_solana_account_signs_in_with_the_signature_of_its_wallet() {
    let mut world = world(&format!(r#"{{"signature":"{SIGNATURE}"}}"#));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    for (_, given) in &world.site.asked {
        assert_eq!(
            (given.get("chainId").as_str(), given.get("accountAddress").as_str()),
            (Some(SOLANA), Some(ACCOUNT))
        );
    }
    world.sign_in(SignIn::SignAsked);
    let (_, params) =
        world.wallet().requests.iter().find(|(method, _)| method == "solana_signMessage").unwrap().clone();
    assert_eq!(params.get("pubkey").as_str(), Some(ACCOUNT));
    let (_, saved) = world.site.asked.iter().find(|(call, _)| *call == SignInCall::AddSession).unwrap();
    assert_eq!(saved.get("signature").as_str(), Some(SIGNATURE));
    assert_eq!(shown(&world), None);
    world.dispatch(portico_core::Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert_eq!(world.site.count(SignInCall::RevokeSession), 1);
}

#[test]
fn spec_4_27_what_is_no_signature_of_64_bytes_is_refused() {
    for answer in ["null", "[]", r#"{"signature":"0x12"}"#, r#"{"signature":"1111"}"#, r#""abab""#] {
        let mut world = world(answer);
        world.sign_in(SignIn::SignAsked);
        world.advance(150);
        assert_eq!(world.site.count(SignInCall::AddSession), 0, "{answer}");
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SignatureDeclined))), "{answer}");
    }
}

#[test]
fn siwe_config_asks_evm_accounts_alone() {
    let options = every_namespace().replacen('{', r#"{"siweConfig":{"required":true},"#, 1);
    let sol = ScriptedWallet::named("Sol").of(Namespace::Solana, ACCOUNT).through(ConnectorKind::External);
    let mut world = World::with(&options, vec![sol], Store::default());
    world.open(None);
    world.choose("example.sol");
    assert_eq!((shown(&world), world.site.asked.len()), (None, 0));
    let account = world.snapshot().account.accounts.into_iter().find(|one| one.namespace == Namespace::Solana).unwrap();
    assert_eq!(account.address.as_deref().map(Value::from), Some(ACCOUNT.into()));
}

/// A visitor who chose the wallet, which signed in while it connected; the page was told so already.
fn signed_while_connecting(signature: &str) -> World {
    let sol = ScriptedWallet::named("Sol")
        .of(Namespace::Solana, ACCOUNT)
        .through(ConnectorKind::External)
        .when("standard:connect", Behaviour::Late(100));
    let mut world = World::with(&with_sign_in(&every_namespace(), true), vec![sol], Store::default());
    world.open(None);
    world.choose("example.sol");
    let session = format!(
        r#"[{{"chainId":"{SOLANA}","accountAddress":"{ACCOUNT}","data":{{"nonce":"12345678"}},"message":"in","signature":"{signature}"}}]"#
    );
    world.sign_in(SignIn::WalletSigned { sessions: parse(&session).unwrap() });
    world.advance(100);
    world
}

#[test]
fn spec_4_25_a_wallet_that_signs_in_while_it_connects_is_asked_once() {
    let mut world = signed_while_connecting(SIGNATURE);
    let (method, params) = world.wallet().requests[0].clone();
    assert_eq!((method.as_str(), params.get("network").as_str()), ("standard:connect", Some(SOLANA)));
    assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle));
    let calls: Vec<SignInCall> = world.site.asked.iter().map(|(call, _)| *call).collect();
    assert_eq!(calls, [SignInCall::AddSession]);
    assert_eq!(world.site.asked[0].1.get("signature").as_str(), Some(SIGNATURE));
    assert!(world.wallet().requests.iter().all(|(method, _)| method != "solana_signMessage"));
}

#[test]
fn spec_4_25_a_signature_of_other_bytes_leaves_the_two_steps() {
    let world = signed_while_connecting("1111");
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(world.site.count(SignInCall::AddSession), 0);
}
