//! Sign-in of Bitcoin accounts, whose signature is base64 or hex.

use super::{phase, shown, snack};
use portico_core::SignInCall;
use portico_core::modal::View;
use portico_core::notice::{Message, Variant};
use portico_core::siwx::{Event as SignIn, Phase};
use portico_json::parse;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{BITCOIN, Behaviour, ScriptedWallet, Store, World, every_namespace, with_sign_in};

const ACCOUNT: &str = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l";
const TAPROOT: &str = "bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3";

fn world(account: &str, answer: &str) -> World {
    let signing = Behaviour::Nonsense(parse(answer).unwrap());
    let bit = ScriptedWallet::named("Bit")
        .of(Namespace::Bip122, account)
        .through(ConnectorKind::External)
        .when("signMessage", signing);
    let mut world = World::with(&with_sign_in(&every_namespace(), true), vec![bit], Store::default());
    world.open(None);
    world.choose("example.bit");
    world
}

#[test]
fn spec_4_25_a_bitcoin_account_signs_in_with_the_signature_of_its_wallet() {
    let hex = "1f".repeat(65);
    let base64 = format!("{}fx8=", "Hx8f".repeat(21));
    for signature in [&hex, &base64] {
        let mut world = world(ACCOUNT, &format!(r#"{{"address":"{ACCOUNT}","signature":"{signature}"}}"#));
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
        for (_, given) in &world.site.asked {
            let asked = (given.get("chainId").as_str(), given.get("accountAddress").as_str());
            assert_eq!(asked, (Some(BITCOIN), Some(ACCOUNT)));
        }
        world.sign_in(SignIn::SignAsked);
        let (_, params) = world.wallet().requests.iter().find(|(method, _)| method == "signMessage").unwrap().clone();
        assert_eq!((params.get("account").as_str(), params.get("address").as_str()), (Some(ACCOUNT), Some(ACCOUNT)));
        assert_eq!(params.get("protocol").as_str(), None, "the wallet chooses");
        let (_, saved) = world.site.asked.iter().find(|(call, _)| *call == SignInCall::AddSession).unwrap();
        assert_eq!(saved.get("signature").as_str(), Some(signature.as_str()));
        assert_eq!(shown(&world), None);
    }
}

#[test]
fn a_taproot_account_is_asked_for_a_signature_by_bip_322_because_no_other_one_can_be_verified() {
    let mut world = world(TAPROOT, "null");
    world.sign_in(SignIn::SignAsked);
    let (_, params) = world.wallet().requests.iter().find(|(method, _)| method == "signMessage").unwrap().clone();
    assert_eq!(params.get("protocol").as_str(), Some("bip322"));
}

#[test]
fn spec_4_27_what_is_no_signature_of_a_bitcoin_account_is_refused() {
    let long = format!(r#"{{"signature":"{}"}}"#, "1f".repeat(9_000));
    for answer in ["null", "[]", r#"{"signature":"0x12"}"#, r#"{"signature":"Hx8f"}"#, r#""abab""#, &long] {
        let mut world = world(ACCOUNT, answer);
        world.sign_in(SignIn::SignAsked);
        world.advance(150);
        assert_eq!(world.site.count(SignInCall::AddSession), 0, "{answer}");
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SignatureDeclined))), "{answer}");
    }
}
