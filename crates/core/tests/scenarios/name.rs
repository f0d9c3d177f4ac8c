//! Scenarios of registering a name with the host's server.

use portico_api::identity::Identity;
use portico_api::name::{NameRecord, Nonce, Suggestion, Suggestions};
use portico_api::project::ProjectConfig;
use portico_core::modal::View;
use portico_core::name::{Event as Name, NameFault, Phase, Trouble};
use portico_core::notice::Message;
use portico_core::{Event, Snapshot, modal};
use portico_json::Value;
use portico_terms::ConnectorKind;
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

/// Config of a project on a server with names.
fn config() -> ProjectConfig {
    ProjectConfig { names: Some("example.eth".into()), ..ProjectConfig::default() }
}

fn record() -> NameRecord {
    NameRecord { name: "alice.example.eth".into(), ..NameRecord::default() }
}

fn world(signs: Behaviour) -> World {
    world_on(31337, signs)
}

fn world_on(chain: u64, signs: Behaviour) -> World {
    world_of(chain, ScriptedWallet::named("Alpha Wallet").when("personal_sign", signs).on(chain))
}

fn world_of(chain: u64, wallet: ScriptedWallet) -> World {
    let options = options()
        .replace("31337", &chain.to_string())
        .replacen('{', r#"{"endpoints":"https://host.example","#, 1)
        .replacen(r#""testnet":true"#, r#""testnet":false"#, 1);
    let mut world = World::with(&options, vec![wallet], Store::default());
    world.server.serves("/identity", &Identity::default());
    world.server.serves("/config", &config());
    let alice = Suggestion { name: "alice.example.eth".into(), registered: false, reserved: None };
    world.server.serves("/suggestions", &Suggestions { suggestions: vec![alice] });
    world.server.serves("/account/alice", &Vec::<NameRecord>::new());
    world.server.serves("/nonce", &Nonce { nonce: "porticoname00ff00ff00ff".into() });
    world.server.serves("/account?", &record());
    world.connect_first();
    world.open(None);
    world.dispatch(Event::Modal(modal::Event::ViewAsked { view: View::ChooseAccountName }));
    world.dispatch(Event::Modal(modal::Event::ViewAsked { view: View::RegisterAccountName }));
    world
}

fn register(world: &mut World) -> Snapshot {
    world.dispatch(Event::Name(Name::Typed { text: "alice".into() }));
    world.advance(500);
    world.dispatch(Event::Name(Name::RegisterAsked));
    world.snapshot()
}

fn signature() -> Behaviour {
    Behaviour::Nonsense(Value::Text(format!("0x{}", "12".repeat(65))))
}

const INITIATED: &str =
    r#"REGISTER_NAME_INITIATED {"isSmartAccount":false,"ensName":"alice.example.eth","caipNetworkId":"eip155:31337"}"#;

fn error(reason: &str) -> String {
    format!(
        r#"REGISTER_NAME_ERROR {{"isSmartAccount":false,"ensName":"alice.example.eth","error":"{reason}","caipNetworkId":"eip155:31337"}}"#
    )
}

/// Tracked events of the registration, with their properties.
fn told(world: &World) -> Vec<String> {
    let own = world.events.iter().filter(|(name, _)| name.starts_with("REGISTER_NAME"));
    own.map(|(name, properties)| format!("{name} {}", portico_json::to_text(properties))).collect()
}

#[test]
fn spec_4_29_a_registered_name_is_the_profile_name_at_once_and_after_a_reload() {
    let mut world = world(signature());
    let snapshot = register(&mut world);
    assert_eq!(snapshot.modal.view, View::RegisterAccountNameSuccess);
    assert_eq!(snapshot.account.accounts[0].profile_name.as_deref(), Some("alice.example.eth"));
    assert_eq!(
        told(&world),
        [
            INITIATED,
            r#"REGISTER_NAME_SUCCESS {"isSmartAccount":false,"ensName":"alice.example.eth","caipNetworkId":"eip155:31337"}"#
        ]
    );
    world.dispatch(Event::Modal(modal::Event::BackAsked));
    assert_eq!(world.snapshot().modal.view, View::Account);
    world.server.silent = true;
    world.reload();
    assert_eq!(world.snapshot().account.accounts[0].profile_name.as_deref(), Some("alice.example.eth"));
}

#[test]
fn spec_4_29_a_registration_that_fails_leaves_the_visitor_at_the_form_with_the_name() {
    let mut world = world(signature());
    world.server.answers("/account?", 409, r#"{"status":"FAILED","reasons":[{"field":"name","description":"Taken"}]}"#);
    let snapshot = register(&mut world);
    assert_eq!(snapshot.modal.view, View::RegisterAccountName);
    assert_eq!((snapshot.name.problem.as_deref(), snapshot.name.text.as_str()), (Some("Taken"), "alice"));
    assert_eq!(told(&world), [INITIATED.to_owned(), error("Taken")]);
}

#[test]
fn a_name_that_somebody_else_took_meanwhile_is_taken_at_its_field_and_in_the_list() {
    let mut world = world(signature());
    world.server.answers("/account?", 409, r#"{"status":"FAILED","reasons":[{"field":"name","description":"Taken"}]}"#);
    world.dispatch(Event::Name(Name::Typed { text: "alice".into() }));
    world.advance(500);
    let taken = Suggestion { name: "alice.example.eth".into(), registered: true, reserved: None };
    world.server.serves("/suggestions", &Suggestions { suggestions: vec![taken] });
    world.dispatch(Event::Name(Name::RegisterAsked));
    let name = world.snapshot().name;
    assert_eq!((name.fault, name.ready, name.problem), (Some(NameFault::Taken), false, None));
    assert!(name.suggestions[0].registered);
}

#[test]
fn a_refusal_for_another_reason_than_the_name_stays_told_whether_or_not_the_suggestions_come() {
    const ENOUGH: &str = r#"{"status":"FAILED","reasons":[{"field":"name","description":"Enough"}]}"#;
    for status in [200, 503] {
        let mut world = world(signature());
        world.server.answers("/account?", 409, ENOUGH);
        world.dispatch(Event::Name(Name::Typed { text: "alice".into() }));
        world.advance(500);
        world.server.answers(
            "/suggestions",
            status,
            r#"{"suggestions":[{"name":"alice.example.eth","registered":false}]}"#,
        );
        world.dispatch(Event::Name(Name::RegisterAsked));
        world.advance(30_000);
        let name = world.snapshot().name;
        assert_eq!((name.fault, name.searching, name.problem.as_deref()), (None, false, Some("Enough")), "{status}");
    }
}

#[test]
fn spec_5_32_an_answer_of_the_wallet_that_is_no_signature_is_not_sent_to_the_server() {
    for (digits, sent) in [(0, false), (61, false), (62, true), (64, false), (130, true)] {
        let mut world = world(Behaviour::Nonsense(Value::Text(format!("0x{}", "a".repeat(digits)))));
        let problem = register(&mut world).name.problem;
        assert_eq!(world.server.count("/v1/profile/account?"), usize::from(sent), "{digits}");
        assert_eq!(problem.as_deref(), (!sent).then_some("Error registering name alice.example.eth"), "{digits}");
    }
}

#[test]
fn spec_5_6_and_8_29_on_a_chain_without_a_coin_type_registering_a_name_says_invalid_chain_id() {
    for (chain, problem) in [(2_147_483_647, None), (2_147_483_648, Some("Invalid chainId"))] {
        let mut world = world_on(chain, signature());
        let snapshot = register(&mut world);
        assert_eq!(snapshot.name.problem.as_deref(), problem);
        assert_eq!(snapshot.modal.view == View::RegisterAccountName, problem.is_some());
        assert_eq!(world.server.count("/v1/profile/account?"), usize::from(problem.is_none()));
    }
}

#[test]
fn spec_4_29_a_visitor_who_refuses_to_sign_is_told_so_and_is_at_the_form_with_the_name() {
    let mut world = world(Behaviour::Refuse);
    let snapshot = register(&mut world);
    assert_eq!((snapshot.modal.view, snapshot.name.phase), (View::RegisterAccountName, Phase::Choosing));
    assert_eq!((snapshot.name.text.as_str(), snapshot.name.trouble), ("alice", Some(Trouble::Declined)));
    world.advance(1_000);
    let said = world.snack();
    assert_eq!(said, Some(Message::SignatureDeclined));
    assert_eq!(world.server.count("POST https://host.example/v1/profile/account?"), 0);
    assert_eq!(told(&world), [INITIATED.to_owned(), error("User rejected the request.")]);
    // The visitor may sign on another try.
    world.wallet().behaviours.insert("personal_sign".into(), signature());
    world.dispatch(Event::Name(Name::RegisterAsked));
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::RegisterAccountNameSuccess);
    assert_eq!(snapshot.notice.snack, None, "the refusal before is not told beside the success");
}

#[test]
fn spec_2_2_what_a_name_is_for_is_told_before_one_is_chosen_and_stands_behind_the_form() {
    let mut world = world(signature());
    world.modal(modal::Event::BackAsked);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.name.parent.as_deref()), (View::ChooseAccountName, Some("example.eth")));
    world.modal(modal::Event::BackAsked);
    assert_eq!(world.snapshot().modal.view, View::Account);
}

#[test]
fn a_wallet_that_keeps_silent_does_not_hold_the_visitor() {
    for (leaves, view) in
        [(modal::Event::BackAsked, View::ChooseAccountName), (modal::Event::CloseAsked, View::Account)]
    {
        let mut world = world(Behaviour::Silent);
        assert_eq!(register(&mut world).name.phase, Phase::Signing);
        let closes = matches!(leaves, modal::Event::CloseAsked);
        world.dispatch(Event::Modal(leaves));
        if closes {
            world.open(None);
        }
        let snapshot = world.snapshot();
        assert_eq!((snapshot.modal.view, snapshot.name.phase), (view, Phase::Choosing));
        assert_eq!(world.server.count("POST https://host.example/v1/profile/account?"), 0);
        assert_eq!(told(&world), [INITIATED.to_owned(), error("cancelled")]);
    }
}

#[test]
fn a_name_is_not_registered_on_another_network_than_the_one_it_was_chosen_on() {
    let mut world = world(Behaviour::Silent);
    register(&mut world);
    world.wallet_switches(31338);
    let snapshot = world.snapshot();
    assert_eq!(
        (snapshot.modal.view, snapshot.name.phase, snapshot.name.text.as_str()),
        (View::Account, Phase::Choosing, "")
    );
    assert_eq!(told(&world), [INITIATED.to_owned(), error("cancelled").replace("31337", "31338")]);
}

#[test]
fn spec_4_29_a_server_that_could_not_say_whether_it_has_names_is_asked_when_the_account_is_looked_at_again() {
    let mut world = world(signature());
    for (status, body) in [(500, ""), (200, "nonsense")] {
        world.server.answers("/config", status, body);
        world.come_back();
        assert_eq!(world.snapshot().name.parent, None, "{status}");
        world.modal(modal::Event::CloseAsked);
        world.server.serves("/config", &config());
        world.open(None);
        assert_eq!(world.snapshot().name.parent.as_deref(), Some("example.eth"), "{status}");
        let asked = world.server.count("/config");
        world.modal(modal::Event::CloseAsked);
        world.open(None);
        assert_eq!(world.server.count("/config"), asked);
    }
}

#[test]
fn a_server_that_offers_no_names_shows_no_way_to_one() {
    let mut world = World::with(
        &options().replacen('{', r#"{"endpoints":"https://host.example","#, 1),
        vec![ScriptedWallet::named("Alpha Wallet")],
        Store::default(),
    );
    world.server.serves("/config", &ProjectConfig::default());
    world.connect_first();
    world.open(None);
    assert_eq!(world.snapshot().name.parent, None);
}

#[test]
fn a_name_whose_registration_was_not_heard_of_is_the_visitors_at_the_second_try() {
    let mut world = world(signature());
    world.server.answers("/account?", 503, "");
    assert_eq!(register(&mut world).modal.view, View::RegisterAccountName);
    world.server.serves("/account/alice", &record());
    world.server.serves("/profile/reverse/", &vec![record()]);
    world.dispatch(Event::Name(Name::RegisterAsked));
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::RegisterAccountNameSuccess);
    assert_eq!(snapshot.account.accounts[0].profile_name.as_deref(), Some("alice.example.eth"));
    assert_eq!(world.server.count("POST https://host.example/v1/profile/account?"), 1);
}

#[test]
fn spec_8_54_the_form_for_a_name_is_tracked_when_it_is_opened() {
    let world = world(signature());
    let (_, fields) = world.events.iter().find(|(name, _)| name == "OPEN_ENS_FLOW").unwrap();
    assert_eq!(fields.get("isSmartAccount").as_bool(), Some(false));
}

#[test]
fn spec_8_9_a_visitor_whose_smart_account_declines_to_sign_hears_that_it_may_be_the_cause() {
    for (kind, said) in [
        (ConnectorKind::Auth, Message::SmartAccountsUnsupported),
        (ConnectorKind::Announced, Message::SignatureDeclined),
    ] {
        let wallet = ScriptedWallet::named("Alpha Wallet").through(kind).when("personal_sign", Behaviour::Refuse);
        let mut world = world_of(31337, wallet);
        register(&mut world);
        world.advance(1_000);
        assert_eq!(world.snack(), Some(said), "{kind:?}");
    }
    assert_eq!(Message::SmartAccountsUnsupported.text(), "This application might not support Smart Accounts");
}

#[test]
fn a_reserved_name_says_so_and_the_wallet_is_not_asked() {
    // A server that only says that it is reserved means that it cannot be registered either.
    for registered in [true, false] {
        let mut world = world(signature());
        let kept = Suggestion { name: "alice.example.eth".into(), registered, reserved: Some(true) };
        world.server.serves("/suggestions", &Suggestions { suggestions: vec![kept] });
        let name = register(&mut world).name;
        assert_eq!((name.fault, name.phase), (Some(NameFault::Reserved), Phase::Choosing));
        assert!(name.suggestions[0].registered && name.suggestions[0].reserved);
        assert_eq!(told(&world), Vec::<String>::new());
    }
}
