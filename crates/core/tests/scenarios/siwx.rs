//! Scenarios of the sign-in with a wallet: the site's sessions, its message, the wallet's signature, and who may close what.

mod around;
mod asked;
mod bitcoin;
mod ended;
mod hostile;
mod left;
mod login;
mod missing;
mod one_click;
mod polkadot;
mod refused;
mod sign_out;
mod siwe;
mod solana;

use portico_api::frame::FrameEvent;
use portico_core::account::Event as Account;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{Event as Embedded, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::{Message, Variant};
use portico_core::siwx::{Event as SignIn, PATIENCE, Phase, Refusal, SAVING, STALE};
use portico_core::{Event, SignInCall};
use portico_json::{Value, parse};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options, with_login, with_sign_in};

const ACCOUNT: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const CHAIN: &str = "eip155:31337";

pub fn signature() -> Value {
    format!("0x{}1b", "ab".repeat(64)).as_str().into()
}

pub fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha").when("personal_sign", Behaviour::Nonsense(signature()))
}

fn visit(required: bool) -> World {
    World::with(&with_sign_in(&options(), required), vec![alpha()], Store::default())
}

/// A visitor who connected and has to decide.
pub fn asked(required: bool) -> World {
    let mut world = visit(required);
    world.connect_first();
    world
}

fn signed(required: bool) -> World {
    let mut world = asked(required);
    world.sign_in(SignIn::SignAsked);
    world
}

/// The view on top of the open modal.
pub fn shown(world: &World) -> Option<View> {
    let modal = world.snapshot().modal;
    modal.open.then_some(modal.view)
}

pub fn snack(world: &World) -> Option<(Variant, Option<Message>)> {
    world.snapshot().notice.snack.map(|snack| (snack.variant, snack.message))
}

pub fn phase(world: &World) -> Phase {
    world.snapshot().siwx.phase
}

pub fn is_connected(world: &World) -> bool {
    world.snapshot().account.accounts.iter().any(|account| account.address.is_some())
}

fn requests(world: &mut World) -> Vec<Value> {
    let asked = world.wallet().requests.iter().filter(|(method, _)| method == "personal_sign");
    asked.map(|(_, params)| params.clone()).collect()
}

fn tracked<'a>(world: &'a World, name: &str) -> Vec<&'a Value> {
    world.events.iter().filter(|(event, _)| event == name).map(|(_, properties)| properties).collect()
}

#[test]
fn spec_4_25_without_a_session_the_message_is_shown_after_connecting() {
    let world = asked(true);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    let calls: Vec<_> = world.site.asked.iter().map(|(call, _)| *call).collect();
    assert_eq!(calls, [SignInCall::GetSessions, SignInCall::CreateMessage]);
    for (_, given) in &world.site.asked {
        assert_eq!((given.get("chainId").as_str(), given.get("accountAddress").as_str()), (Some(CHAIN), Some(ACCOUNT)));
    }
    let view = world.snapshot().siwx;
    assert_eq!((view.name.as_deref(), view.statement.as_deref()), (Some("The Shop"), Some("Sign in to the shop.")));
    assert!(view.message.contains("Nonce: 1234567"));
}

#[test]
fn spec_4_25_a_session_of_the_account_on_its_chain_is_enough() {
    let mut world = visit(true);
    world.site.sessions.push((CHAIN.into(), ACCOUNT.into()));
    world.connect_first();
    assert_eq!((shown(&world), world.site.count(SignInCall::CreateMessage)), (None, 0));
    for (chain, account) in [("eip155:31338", ACCOUNT), (CHAIN, OTHER)] {
        let mut world = visit(true);
        world.site.sessions.push((chain.into(), account.into()));
        world.connect_first();
        assert_eq!(shown(&world), Some(View::SIWXSignMessage), "{chain} {account}");
    }
}

#[test]
fn a_host_without_a_sign_in_is_asked_for_nothing_and_loads_nothing() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    assert!(world.site.asked.is_empty() && !world.loads.contains(&portico_core::Part::Siwx));
    assert_eq!(shown(&world), None);
}

#[test]
fn spec_4_26_and_8_54_a_signature_saves_the_session_and_closes_the_modal() {
    let mut world = signed(true);
    assert_eq!((shown(&world), phase(&world), snack(&world)), (None, Phase::Idle, None));
    assert_eq!(world.site.sessions, [(CHAIN.to_owned(), ACCOUNT.to_owned())]);
    let params = requests(&mut world);
    let [params] = params.as_slice() else { panic!("{params:?}") };
    let params = params.as_list().unwrap();
    assert!(params[0].as_str().unwrap().starts_with("0x686f73742e"), "the text in hex");
    assert_eq!(params[1].as_str(), Some(ACCOUNT));
    let events = tracked(&world, "SIWX_AUTH_SUCCESS");
    assert_eq!(events.len(), 1);
    assert_eq!(
        (events[0].get("network").as_str(), events[0].get("isSmartAccount").as_bool()),
        (Some(CHAIN), Some(false))
    );
}

#[test]
fn spec_3_17_and_3_18_the_session_has_the_signature_the_text_and_all_fields_of_the_message() {
    let world = signed(true);
    let (_, session) = world.site.asked.iter().find(|(call, _)| *call == SignInCall::AddSession).unwrap();
    assert_eq!(session.get("signature"), &signature());
    assert!(session.get("message").as_str().unwrap().starts_with("host.example wants you to sign in"));
    for field in [
        "nonce",
        "domain",
        "uri",
        "expirationTime",
        "issuedAt",
        "notBefore",
        "requestId",
        "version",
        "resources",
        "statement",
        "chainId",
        "accountAddress",
    ] {
        assert!(!session.get("data").get(field).is_null(), "{field}");
    }
}

#[test]
fn spec_8_10_authenticating_is_shown_until_the_session_is_saved() {
    let mut world = asked(true);
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(SignIn::SignAsked);
    assert_eq!(snack(&world), Some((Variant::Loading, Some(Message::Authenticating))));
    assert_eq!((phase(&world), Message::Authenticating.text()), (Phase::Saving, "Authenticating..."));
    world.site_answers(SignInCall::AddSession, Ok(Value::Null));
    assert_eq!((snack(&world), shown(&world)), (None, None));
}

#[test]
fn spec_4_27_and_8_8_a_declined_signature_is_told_and_the_view_can_be_used_again() {
    let mut world = asked(true);
    world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Refuse);
    world.sign_in(SignIn::SignAsked);
    world.advance(150);
    assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SignatureDeclined))));
    assert_eq!(Message::SignatureDeclined.text(), "Signature declined");
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    let told = tracked(&world, "SIWX_AUTH_ERROR")[0];
    assert_eq!((told.get("network").as_str(), told.get("isSmartAccount").as_bool()), (Some(CHAIN), Some(false)));
    assert_eq!(world.snapshot().siwx.refusal, Some(Refusal::Declined), "longer than the snack is shown");
    assert_eq!(world.site.count(SignInCall::CreateMessage), 2, "a nonce is used once");
    world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Nonsense(signature()));
    world.sign_in(SignIn::SignAsked);
    assert_eq!(world.snapshot().siwx.refusal, None);
    assert_eq!(shown(&world), None);
    assert_ne!(requests(&mut world)[0], requests(&mut world)[1]);
}

#[test]
fn spec_4_27_a_session_that_the_site_refuses_or_never_saves_is_no_session() {
    let mut world = asked(true);
    world.site.answers.push((SignInCall::AddSession, Err("Wrong signature".into())));
    world.sign_in(SignIn::SignAsked);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(tracked(&world, "SIWX_AUTH_ERROR")[0].get("message").as_str(), Some("Wrong signature"));
    let mut world = asked(true);
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(SignIn::SignAsked);
    world.advance(SAVING);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.site_answers(SignInCall::AddSession, Ok(Value::Null));
    assert_eq!(shown(&world), Some(View::SIWXSignMessage), "it is too late");
}

#[test]
fn what_was_said_about_a_declined_signature_closes_with_the_sign_in() {
    for required in [true, false] {
        let mut world = asked(required);
        world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Refuse);
        world.sign_in(SignIn::SignAsked);
        world.advance(150);
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SignatureDeclined))));
        world.sign_in(SignIn::CancelAsked);
        world.advance(150);
        assert_eq!(snack(&world), None);
    }
}

#[test]
fn a_cancelled_sign_in_takes_no_signature_any_more() {
    let mut world = asked(false);
    world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Late(5_000));
    world.sign_in(SignIn::SignAsked);
    assert_eq!(phase(&world), Phase::Signing);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((shown(&world), snack(&world)), (None, None));
    world.advance(5_000);
    assert!(world.site.sessions.is_empty());
}

#[test]
fn spec_2_25_and_6_3_a_required_sign_in_cannot_be_closed_or_left() {
    let mut world = asked(true);
    assert!(!world.snapshot().modal.closable);
    for event in [Modal::CloseAsked, Modal::BackAsked] {
        world.modal(event);
        assert_eq!(shown(&world), Some(View::SIWXSignMessage));
        assert!(world.snapshot().modal.shaking);
        world.advance(500);
        assert!(!world.snapshot().modal.shaking, "spec 2.28");
    }
    for view in [None, Some("Account"), Some("Networks"), Some("WalletSend")] {
        world.open(view);
        assert_eq!(shown(&world), Some(View::SIWXSignMessage), "{view:?}");
    }
    for event in [
        Modal::ViewAsked { view: View::Account },
        Modal::RedirectAsked { view: "Account".into() },
        Modal::ReplaceAsked { view: "Account".into() },
    ] {
        world.modal(event);
        assert_eq!(shown(&world), Some(View::SIWXSignMessage));
    }
    world.choose("example.alpha");
    assert_eq!(shown(&world), Some(View::SIWXSignMessage), "the wallet is connected already");
    world.sign_in(SignIn::SignAsked);
    world.open(None);
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), None);
}

#[test]
fn an_optional_sign_in_can_be_closed_and_is_not_asked_again() {
    let mut world = asked(false);
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), None);
    world.open(None);
    assert_eq!(shown(&world), Some(View::Account));
}

#[test]
fn spec_4_25_a_reload_without_a_signature_asks_again_and_with_one_it_does_not() {
    let mut world = asked(true);
    world.reload();
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::SignAsked);
    assert_eq!(shown(&world), None);
    world.reload();
    assert!(is_connected(&world));
    assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle));
}

#[test]
fn spec_4_25_another_network_or_account_signs_in_for_itself() {
    let mut world = signed(true);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::SignAsked);
    assert_eq!(world.site.sessions.len(), 2);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: CHAIN.into() }));
    assert_eq!((shown(&world), world.site.count(SignInCall::AddSession)), (None, 2), "this one has a session");
    let handle = world.wallet().handle();
    world.dispatch(Event::Connect(Connect::AccountsChanged {
        handle,
        accounts: parse(&format!(r#"["{OTHER}"]"#)).unwrap(),
    }));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::SignAsked);
    assert_eq!(world.site.sessions.last(), Some(&(CHAIN.to_owned(), OTHER.to_owned())));
}

#[test]
fn a_session_of_another_tab_counts_when_the_visitor_comes_back() {
    let mut world = asked(true);
    world.site.sessions.push((CHAIN.into(), ACCOUNT.into()));
    world.dispatch(Event::Account(Account::PageShown));
    assert_eq!((shown(&world), is_connected(&world)), (None, true));
}

#[test]
fn spec_2_25_the_approval_of_a_required_sign_in_in_the_embedded_wallet_cannot_be_closed() {
    let mut world = World::with(&with_sign_in(&with_login(&options()), true), vec![], Store::default());
    world.open(None);
    world.embedded(Embedded::EmailSubmitted { email: "alice@example.org".into() });
    world.advance(SETTLE);
    world.embedded(Embedded::CodeTyped { text: "123456".into() });
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::SignAsked);
    assert_eq!(shown(&world), Some(View::ApproveTransaction));
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), Some(View::ApproveTransaction));
    assert!(world.snapshot().modal.shaking);
    world.frame_answers(FrameEvent::RpcRequest, Ok(signature()));
    assert_eq!((shown(&world), world.site.sessions.len()), (None, 1));
}

#[test]
fn spec_8_7_a_site_that_cannot_prepare_the_sign_in_disconnects_the_visitor() {
    for call in [SignInCall::GetSessions, SignInCall::CreateMessage] {
        for answer in [Err("Server down"), Ok(Value::Null), Ok("text".into())] {
            let mut world = visit(true);
            world.site.answers.push((call, answer.clone().map_err(String::from)));
            world.connect_first();
            assert!(!is_connected(&world), "{call:?} {answer:?}");
            assert_eq!(shown(&world), Some(View::Connect));
            assert_eq!(snack(&world), Some((Variant::Error, Some(Message::AuthenticationProblem))));
            let detail = &world.alerts[0].1;
            assert!(detail.starts_with(&format!("siwx.{}: ", call.word())), "{detail}");
        }
    }
    assert_eq!(Message::AuthenticationProblem.text(), "A problem occurred while trying initialize authentication");
}

#[test]
fn spec_8_7_a_site_that_does_not_answer_disconnects_the_visitor_after_ten_seconds() {
    for call in [SignInCall::GetSessions, SignInCall::CreateMessage] {
        let mut world = visit(true);
        world.site.silent.push(call);
        world.connect_first();
        world.advance(PATIENCE - 1);
        assert_eq!((shown(&world), is_connected(&world)), (Some(View::SIWXSignMessage), true));
        world.advance(1);
        assert_eq!((shown(&world), is_connected(&world)), (Some(View::Connect), false));
        assert_eq!(world.alerts[0].1, format!("siwx.{}: no answer in time", call.word()));
        world.advance(600_000);
        assert_eq!(world.site.count(SignInCall::GetSessions), 1, "no loop");
    }
}

#[test]
fn a_message_that_waited_long_is_written_anew_before_it_is_signed() {
    let mut world = asked(true);
    world.advance(STALE);
    world.sign_in(SignIn::SignAsked);
    assert_eq!((world.site.count(SignInCall::CreateMessage), shown(&world)), (2, None));
    assert!(
        requests(&mut world)[0].as_list().unwrap()[0].as_str().unwrap().contains("3132333435363732"),
        "the second nonce"
    );
}
