//! Scenarios of a sign-in that a wallet signs together with the connection (`wc_sessionAuthenticate`).

use super::*;
use portico_testkit::with_relay;

pub const REMOTE: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
pub const SECOND: &str = "eip155:31338";

/// A visitor who scanned the code with a wallet that signs in; the page was told so already.
fn scanned(sessions: &[Value]) -> World {
    let mut world = World::with(&with_relay(&with_sign_in(&options(), true)), vec![alpha()], Store::default());
    world.open(None);
    world.choose("walletConnect");
    world.sign_in(SignIn::WalletSigned { sessions: Value::List(sessions.to_vec()) });
    world
}

pub fn session(chain: &str, address: &str) -> Value {
    let text = format!("host.example wants you to sign in\\n{address}\\n\\nSign in to the shop.");
    let told = format!(
        r#"{{"chainId":"{chain}","accountAddress":"{address}","data":{{"nonce":"12345678","statement":"Sign in to the shop."}},"message":"{text}","signature":{},"cacao":{{"h":{{"t":"caip122"}}}}}}"#,
        portico_json::to_text(&signature())
    );
    parse(&told).unwrap()
}

fn calls(world: &World) -> Vec<SignInCall> {
    world.site.asked.iter().map(|(call, _)| *call).collect()
}

#[test]
fn the_signature_is_saved_and_the_visitor_is_asked_nothing_more() {
    let mut world = scanned(&[session(CHAIN, REMOTE)]);
    world.remote_approves();
    assert_eq!((is_connected(&world), shown(&world), phase(&world), snack(&world)), (true, None, Phase::Idle, None));
    assert_eq!(calls(&world), [SignInCall::AddSession]);
    let (_, given) = &world.site.asked[0];
    assert_eq!((given.get("chainId").as_str(), given.get("accountAddress").as_str()), (Some(CHAIN), Some(REMOTE)));
    assert_eq!((given.get("signature"), given.get("data").get("nonce").as_str()), (&signature(), Some("12345678")));
    assert_eq!(given.get("cacao").get("h").get("t").as_str(), Some("caip122"));
    assert_eq!(tracked(&world, "SIWX_AUTH_SUCCESS").len(), 1);
    assert!(!world.remote.requests.iter().any(|(method, _)| method == "personal_sign"), "the wallet is asked once");
}

#[test]
fn it_waits_for_the_site_and_the_modal_stays() {
    let mut world = scanned(&[session(CHAIN, REMOTE)]);
    world.site.silent.push(SignInCall::AddSession);
    world.remote_approves();
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Saving));
    assert_eq!(snack(&world), Some((Variant::Loading, Some(Message::Authenticating))));
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), Some(View::SIWXSignMessage), "spec 2.25: it is required");
    world.site_answers(SignInCall::AddSession, Ok(Value::Null));
    assert_eq!((shown(&world), phase(&world), snack(&world)), (None, Phase::Idle, None));
}

#[test]
fn there_is_a_session_for_each_chain_that_the_wallet_signed() {
    let mut world = scanned(&[session(SECOND, REMOTE), session(CHAIN, &REMOTE.to_lowercase())]);
    world.remote_approves();
    let chains: Vec<_> = world.site.asked.iter().map(|(_, given)| given.get("chainId").as_str().unwrap()).collect();
    assert_eq!((calls(&world), chains), (vec![SignInCall::AddSession; 2], vec![CHAIN, SECOND]));
    assert_eq!(shown(&world), None);
    world.connecting(portico_core::connect::Event::DisconnectAsked { namespace: None, ticket: None });
    assert_eq!((world.site.count(SignInCall::RevokeSession), world.site.sessions.len()), (2, 0));
}

/// Answer of a site that saved the sessions of these chains together.
fn saved(chains: &[&str]) -> Value {
    let told = chains.iter().map(|chain| format!(r#"{{"chainId":"{chain}","accountAddress":"{REMOTE}"}}"#));
    parse(&format!("[{}]", told.collect::<Vec<_>>().join(","))).unwrap()
}

#[test]
fn a_site_that_takes_the_sessions_together_is_asked_once_and_the_second_network_asks_nothing() {
    let mut world = scanned(&[session(CHAIN, REMOTE), session(SECOND, REMOTE)]);
    world.site.answers.push((SignInCall::AddSession, Ok(saved(&[CHAIN, SECOND]))));
    world.remote_approves();
    assert_eq!((calls(&world), shown(&world)), (vec![SignInCall::AddSession], None));
    let Value::List(others) = world.site.asked[0].1.get("others") else { panic!("no list") };
    assert_eq!(others, &[session(SECOND, REMOTE)]);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: SECOND.into() }));
    assert_eq!((calls(&world), shown(&world), phase(&world)), (vec![SignInCall::AddSession], None, Phase::Idle));
    world.connecting(portico_core::connect::Event::DisconnectAsked { namespace: None, ticket: None });
    let ended = world.site.asked[1..].iter().map(|(call, given)| (*call, given.get("chainId").as_str().unwrap()));
    let mut ended = ended.collect::<Vec<_>>();
    ended.sort_by_key(|(_, chain)| *chain);
    assert_eq!(ended, [(SignInCall::RevokeSession, CHAIN), (SignInCall::RevokeSession, SECOND)]);
}

#[test]
fn a_network_whose_session_the_site_did_not_save_with_the_first_asks_for_the_signature() {
    for told in [saved(&[CHAIN]), parse("[]").unwrap(), parse(r#"[null,7,{"chainId":"eip155:31338"}]"#).unwrap()] {
        let mut world = scanned(&[session(CHAIN, REMOTE), session(SECOND, REMOTE)]);
        world.site.answers.push((SignInCall::AddSession, Ok(told)));
        world.remote_approves();
        assert_eq!((calls(&world), shown(&world)), (vec![SignInCall::AddSession], None));
        world.dispatch(Event::Network(Network::NetworkChosen { chain: SECOND.into() }));
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    }
}

#[test]
fn a_single_session_has_no_others() {
    let mut world = scanned(&[session(CHAIN, REMOTE)]);
    world.remote_approves();
    assert_eq!(world.site.asked[0].1.get("others"), &Value::Null);
}

#[test]
fn a_site_that_refuses_the_signature_shows_the_two_steps() {
    let mut world = scanned(&[session(CHAIN, REMOTE), session(SECOND, REMOTE)]);
    world.site.answers.push((SignInCall::AddSession, Err("Wrong signature".into())));
    world.remote_approves();
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(snack(&world), None, "the visitor did not decline");
    assert_eq!(world.snapshot().siwx.refusal, Some(Refusal::Refused { words: "Wrong signature".into() }));
    assert_eq!(tracked(&world, "SIWX_AUTH_ERROR")[0].get("message").as_str(), Some("Wrong signature"));
    assert_eq!(calls(&world), [SignInCall::AddSession, SignInCall::CreateMessage], "the others are not tried");
}

#[test]
fn the_refusal_is_told_to_a_visitor_who_had_closed_the_modal_too() {
    let mut world = World::with(&with_relay(&with_sign_in(&options(), false)), vec![alpha()], Store::default());
    world.open(None);
    world.choose("walletConnect");
    world.sign_in(SignIn::WalletSigned { sessions: Value::List(vec![session(CHAIN, REMOTE)]) });
    world.site.silent.push(SignInCall::AddSession);
    world.remote_approves();
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), None);
    world.advance(SAVING);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
}

#[test]
fn what_is_no_signature_of_this_account_on_this_chain_is_not_saved() {
    let other = session(CHAIN, ACCOUNT);
    let nowhere = session("eip155:1", REMOTE);
    let unsigned = parse(&portico_json::to_text(&session(CHAIN, REMOTE)).replace("0xabab", "abab")).unwrap();
    let hidden =
        parse(&portico_json::to_text(&session(CHAIN, REMOTE)).replace("host.example", "host\u{202e}")).unwrap();
    for sessions in [vec![], vec![other], vec![nowhere], vec![unsigned], vec![hidden], vec![Value::Null, "x".into()]] {
        let mut world = scanned(&sessions);
        world.remote_approves();
        assert_eq!(calls(&world), [SignInCall::GetSessions, SignInCall::CreateMessage], "{sessions:?}");
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    }
}

#[test]
fn a_cancelled_or_disconnected_visitor_is_not_signed_in_later() {
    let mut world = scanned(&[session(CHAIN, REMOTE), session(SECOND, REMOTE)]);
    world.site.silent.push(SignInCall::AddSession);
    world.remote_approves();
    world.sign_in(SignIn::CancelAsked);
    assert!(!is_connected(&world));
    world.choose("walletConnect");
    world.remote_approves();
    assert_eq!(phase(&world), Phase::Ready);
    assert_eq!(world.site.count(SignInCall::AddSession), 1);
}

/// A visitor who chose a browser wallet that signed on this chain while it connected (`wallet_connect`); the page was told so already.
fn signed_while_connecting(chain: &str, wallet: ScriptedWallet) -> World {
    let wallet = wallet.when("eth_requestAccounts", Behaviour::Late(100));
    let mut world = World::with(&with_sign_in(&options(), true), vec![wallet], Store::default());
    world.open(None);
    world.choose("example.alpha");
    world.sign_in(SignIn::WalletSigned { sessions: Value::List(vec![session(chain, ACCOUNT)]) });
    world.advance(100);
    world
}

#[test]
fn spec_4_25_a_browser_wallet_that_signs_in_while_it_connects_is_asked_once() {
    let mut world = signed_while_connecting(CHAIN, alpha());
    assert_eq!((is_connected(&world), shown(&world), phase(&world)), (true, None, Phase::Idle));
    assert_eq!(calls(&world), [SignInCall::AddSession]);
    assert_eq!(tracked(&world, "SIWX_AUTH_SUCCESS").len(), 1);
    assert_eq!(requests(&mut world), []);
}

#[test]
fn spec_4_25_a_browser_wallet_that_signed_for_another_chain_than_its_own_leaves_the_two_steps() {
    let mut world = signed_while_connecting(CHAIN, alpha().on(31_338));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(world.site.count(SignInCall::AddSession), 0);
    world.sign_in(SignIn::SignAsked);
    assert_eq!(requests(&mut world).len(), 1);
}
