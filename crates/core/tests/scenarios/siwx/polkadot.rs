//! Sign-in of Polkadot accounts, whose signature is hex.

use super::{phase, shown, snack};
use crate::session::{POLKADOT_ACCOUNT, with_polkadot};
use portico_core::SignInCall;
use portico_core::modal::View;
use portico_core::notice::{Message, Variant};
use portico_core::siwx::{Event as SignIn, Phase};
use portico_json::parse;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, POLKADOT, ScriptedWallet, Store, World, every_namespace, with_sign_in};

fn connected(options: &str, answer: &str) -> World {
    let signing = Behaviour::Nonsense(parse(answer).unwrap());
    let dot = ScriptedWallet::named("Dot")
        .of(Namespace::Polkadot, POLKADOT_ACCOUNT)
        .through(ConnectorKind::Announced)
        .when("polkadot_signMessage", signing);
    let mut world = World::with(options, vec![dot], Store::default());
    world.open(None);
    world.choose("example.dot");
    world
}

fn world(answer: &str) -> World {
    connected(&with_sign_in(&with_polkadot(&every_namespace()), true), answer)
}

#[test]
fn spec_4_25_a_polkadot_account_signs_in_with_the_signature_of_its_wallet() {
    // Signatures have 64 bytes, 65 with the kind of key before them, and 66 for an ecdsa key, whose recovery id follows.
    for signature in [64, 65, 66].map(|length| format!("0x{}", "1f".repeat(length))) {
        for answer in [format!(r#"{{"id":1,"signature":"{signature}"}}"#), format!("{signature:?}")] {
            let mut world = world(&answer);
            assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
            for (_, given) in &world.site.asked {
                let asked = (given.get("chainId").as_str(), given.get("accountAddress").as_str());
                assert_eq!(asked, (Some(POLKADOT), Some(POLKADOT_ACCOUNT)));
            }
            world.sign_in(SignIn::SignAsked);
            let asked = world.wallet().requests.iter().find(|(method, _)| method == "polkadot_signMessage");
            let (_, params) = asked.unwrap().clone();
            let (_, saved) = world.site.asked.iter().find(|(call, _)| *call == SignInCall::AddSession).unwrap();
            assert_eq!(params.get("address").as_str(), Some(POLKADOT_ACCOUNT));
            assert_eq!(params.get("message"), saved.get("message"));
            assert_eq!(saved.get("signature").as_str(), Some(signature.as_str()));
            assert_eq!(shown(&world), None);
        }
    }
}

#[test]
fn spec_4_27_what_is_no_signature_of_a_polkadot_account_is_refused() {
    let hex = |length: usize| format!(r#"{{"signature":"0x{}"}}"#, "1f".repeat(length));
    let bare = hex(64).replace("0x", "");
    for answer in
        ["null", "[]", r#"{"signature":"0x12"}"#, &bare, &hex(63), &hex(67), &hex(9_000), r#"{"signature":1}"#]
    {
        let mut world = world(answer);
        world.sign_in(SignIn::SignAsked);
        world.advance(150);
        assert_eq!(world.site.count(SignInCall::AddSession), 0, "{answer}");
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SignatureDeclined))), "{answer}");
    }
}

#[test]
fn siwe_config_asks_no_polkadot_account() {
    let options = with_polkadot(&every_namespace()).replacen('{', r#"{"siweConfig":{"required":true},"#, 1);
    let world = connected(&options, "null");
    assert_eq!((shown(&world), world.site.asked.len()), (None, 0));
}
