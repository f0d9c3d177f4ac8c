use super::*;
use crate::facts::ActiveAccount;
use crate::wallet::eip155::hex;
use portico_json::parse;
use portico_terms::{ConnectorKind, Network};
use std::rc::Rc;

const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn facts() -> Facts {
    let network = r#"{"id":10,"name":"Ten","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":{"default":{"http":["https://node.example"]}}}"#;
    let options = r#"{"projectId":"abc","endpoints":"https://api.example"}"#;
    let account = ActiveAccount {
        namespace: Namespace::Eip155,
        address: ADDRESS.into(),
        connector: "io.example".into(),
        handle: "handle".into(),
        kind: ConnectorKind::Announced,
        wallet: "Example".into(),
    };
    Facts {
        options: crate::config::Options::read(&parse(options).unwrap()).into(),
        environment: Rc::new(crate::boot::Environment { origin: "https://app.example".into(), ..Default::default() }),
        active_namespace: Some(Namespace::Eip155),
        active_network: Some(Rc::new(Network::from_host(&parse(network).unwrap()).unwrap())),
        account: Some(Rc::new(account)),
        ..Facts::default()
    }
}

/// Operations of one step as text.
fn step(names: &mut Names, facts: &Facts, now: u64, work: impl FnOnce(&mut Names, &mut Cx)) -> Vec<String> {
    let mut cx = Cx::new(now, facts);
    work(names, &mut cx);
    cx.asks.iter().map(|(operation, _)| to_text(operation)).collect()
}

fn offered() -> (Names, Facts) {
    let offer = crate::account::Offer { names: Some("example.eth".into()), ..Default::default() };
    (Names::default(), Facts { offer: offer.into(), ..facts() })
}

fn type_name(names: &mut Names, facts: &Facts, text: &str) {
    step(names, facts, 0, |names, cx| names.update(Event::Typed { text: text.into() }, cx));
}

fn register(names: &mut Names, facts: &Facts) -> Vec<String> {
    step(names, facts, 5_000, |names, cx| names.update(Event::RegisterAsked, cx))
}

fn answer(names: &mut Names, facts: &Facts, reason: Reason, answer: Result<&str, RpcError>) -> Vec<String> {
    let answer = answer.map(|text| parse(text).unwrap());
    step(names, facts, 5_000, |names, cx| names.answered(reason, answer, cx))
}

#[test]
fn spec_5_1_a_hyphen_at_an_end_and_two_inside_are_different_faults_and_only_a_good_name_is_ready() {
    let (mut names, facts) = offered();
    let mut told = |text: &str| {
        type_name(&mut names, &facts, text);
        let view = names.view(&facts);
        (view.fault, view.ready)
    };
    assert_eq!(told("-alice"), (Some(NameFault::Hyphen), false));
    assert_eq!(told("alice-"), (Some(NameFault::Hyphen), false));
    assert_eq!(told("al--ice"), (Some(NameFault::Hyphens), false));
    // A short name is not ready, although nothing says so yet.
    assert_eq!(told("al"), (None, false));
    assert_eq!(told(""), (None, false));
    assert_eq!(told("alice"), (None, true));
}

#[test]
fn spec_6_9_names_are_available_only_on_eip155_and_not_where_none_is_looked_up() {
    let (names, good) = offered();
    let mut testnet = good.clone();
    testnet.active_network =
        good.active_network.clone().map(|network| Rc::new(Network { testnet: true, ..(*network).clone() }));
    let solana = ActiveAccount { namespace: Namespace::Solana, ..(**good.account.as_ref().unwrap()).clone() };
    assert_eq!(names.view(&good).parent.as_deref(), Some("example.eth"));
    for facts in [
        testnet,
        Facts { active_namespace: Some(Namespace::Solana), account: Some(Rc::new(solana)), ..good.clone() },
        Facts { account: None, ..good.clone() },
        Facts { active_network: None, ..good.clone() },
        Facts { unsupported: true, ..good.clone() },
    ] {
        assert_eq!(names.view(&facts).parent, None);
    }
}

#[test]
fn spec_5_1_what_is_no_name_is_told_and_what_is_too_short_only_when_the_visitor_goes_on() {
    let (mut names, facts) = offered();
    for (text, fault) in
        [("al ice", NameFault::Character), ("-alice", NameFault::Hyphen), (&"a".repeat(64), NameFault::Long)]
    {
        type_name(&mut names, &facts, text);
        assert_eq!(names.view(&facts).fault, Some(fault), "{text}");
    }
    type_name(&mut names, &facts, "Ali");
    assert_eq!((names.view(&facts).fault, names.view(&facts).text.as_str()), (None, "ali"));
    assert!(register(&mut names, &facts).is_empty());
    assert_eq!(names.view(&facts).fault, Some(NameFault::Short));
}

#[test]
fn suggestions_are_those_of_what_is_typed_now_and_nonsense_among_them_is_dropped() {
    let (mut names, facts) = offered();
    type_name(&mut names, &facts, "alice");
    assert!(names.view(&facts).searching);
    let asked = step(&mut names, &facts, DEBOUNCE, Names::alarm);
    assert!(asked[0].contains("/v1/profile/suggestions/alice?") && asked[0].contains("&zone=example.eth"), "{asked:?}");
    let text = r#"{"suggestions":[{"name":"alice.example.eth","registered":true},{"name":"<b>"},7,{"name":"alice1.example.eth","registered":false}]}"#;
    answer(&mut names, &facts, Reason::Suggestions("alic".into()), Ok(text));
    assert!(names.view(&facts).suggestions.is_empty());
    answer(&mut names, &facts, Reason::Suggestions("alice".into()), Ok(text));
    let view = names.view(&facts);
    let labels: Vec<_> = view.suggestions.iter().map(|item| (item.label.as_str(), item.registered)).collect();
    assert_eq!(labels, [("alice", true), ("alice1", false)]);
    assert_eq!((view.fault, view.searching), (Some(NameFault::Taken), false));
    assert!(register(&mut names, &facts).is_empty());
}

/// Signature in a wallet's answer.
fn signed() -> String {
    format!(r#""0x{}""#, "12".repeat(65))
}

/// An attempt for the free name alice, up to the wallet request.
fn signing(names: &mut Names, facts: &Facts) -> Vec<String> {
    type_name(names, facts, "alice");
    assert!(register(names, facts)[0].contains("/v1/profile/account/alice.example.eth?"));
    assert!(answer(names, facts, Reason::Resolved(1), Ok("[]"))[0].contains("/v1/profile/nonce?"));
    answer(names, facts, Reason::Nonce(1), Ok(r#"{"nonce":"porticoname00ff00ff00ff"}"#))
}

#[test]
fn spec_8_18_a_name_that_cannot_be_resolved_is_not_signed_for() {
    for nonsense in
        [Err(RpcError::new(503, "Busy")), Err(RpcError::nonsense("")), Ok("null"), Ok("[7]"), Ok("\"alice\"")]
    {
        let (mut names, facts) = offered();
        type_name(&mut names, &facts, "alice");
        register(&mut names, &facts);
        assert!(answer(&mut names, &facts, Reason::Resolved(1), nonsense).is_empty());
        let view = names.view(&facts);
        assert_eq!((view.phase, view.problem.as_deref()), (Phase::Choosing, Some("Error resolving name")));
    }
}

fn record(name: &str) -> NameRecord {
    NameRecord { name: name.into(), ..NameRecord::default() }
}

/// An attempt for a taken name.
fn held() -> (Names, Facts) {
    let (mut names, facts) = offered();
    type_name(&mut names, &facts, "alice");
    register(&mut names, &facts);
    let asked = answer(&mut names, &facts, Reason::Resolved(1), Ok(&to_text(&record("alice.example.eth"))));
    assert!(asked[0].contains(&["/v1/profile/reverse/2147483658/", ADDRESS, "?"].concat()), "{asked:?}");
    (names, facts)
}

#[test]
fn spec_8_20_that_the_names_of_the_account_cannot_be_had_is_told() {
    for nonsense in [Err(RpcError::new(503, "Busy")), Ok("null"), Ok("{}")] {
        let (mut names, facts) = held();
        assert!(answer(&mut names, &facts, Reason::Owned(1), nonsense).is_empty());
        let view = names.view(&facts);
        assert_eq!((view.phase, view.problem.as_deref()), (Phase::Choosing, Some("Error fetching names for address")));
    }
}

#[test]
fn a_name_that_another_has_is_taken_before_anybody_signs() {
    for of_account in ["[]".into(), "[7,null]".into(), to_text(&vec![record("bobby.example.eth")])] {
        let (mut names, facts) = held();
        let asked = answer(&mut names, &facts, Reason::Owned(1), Ok(&of_account));
        assert!(asked[0].contains("/v1/profile/suggestions/alice?"), "{asked:?}");
        assert_eq!(names.view(&facts).phase, Phase::Choosing);
        let taken = r#"{"suggestions":[{"name":"alice.example.eth","registered":true}]}"#;
        answer(&mut names, &facts, Reason::Suggestions("alice".into()), Ok(taken));
        let view = names.view(&facts);
        assert_eq!((view.fault, view.problem, view.searching), (Some(NameFault::Taken), None, false));
    }
}

#[test]
fn a_name_that_is_the_accounts_already_is_a_success() {
    let (mut names, facts) = held();
    let mut cx = Cx::new(6_000, &facts);
    let own = to_text(&vec![record("bobby.example.eth"), record("alice.example.eth")]);
    names.answered(Reason::Owned(1), Ok(parse(&own).unwrap()), &mut cx);
    let told = Signal::NameRegistered { address: ADDRESS.into(), name: "alice.example.eth".into() };
    assert!(cx.signals.contains(&told), "{:?}", cx.signals);
    assert_eq!(names.view(&facts).registered.as_deref(), Some("alice.example.eth"));
}

#[test]
fn spec_8_19_suggestions_that_cannot_be_had_are_told() {
    let (mut names, facts) = offered();
    type_name(&mut names, &facts, "alice");
    answer(&mut names, &facts, Reason::Suggestions("alice".into()), Err(RpcError::new(503, "")));
    assert_eq!(names.view(&facts).problem.as_deref(), Some("Error fetching name suggestions"));
}

#[test]
fn spec_3_24_4_29_and_7_3_a_name_is_signed_for_and_registered_with_its_attributes_and_a_timestamp() {
    let (mut names, facts) = offered();
    let asked = signing(&mut names, &facts);
    assert_eq!(names.view(&facts).phase, Phase::Signing);
    // EIP-4361: what the wallet shows names the page, the action and the owner.
    let message = format!(
        "app.example wants you to sign in with your Ethereum account:\n{ADDRESS}\n\n\
         Register the name alice.example.eth for {ADDRESS}.\n\n\
         URI: https://app.example\nVersion: 1\nChain ID: 10\nNonce: porticoname00ff00ff00ff\n\
         Issued At: 1970-01-01T00:00:05Z\nExpiration Time: 1970-01-01T00:05:05Z"
    );
    assert!(
        asked[0].contains("personal_sign") && asked[0].contains(&hex(&message)) && asked[0].contains(ADDRESS),
        "{asked:?}"
    );
    let asked = answer(&mut names, &facts, Reason::Signature(1), Ok(&signed()));
    for part in [
        "POST",
        "/v1/profile/account?",
        "2147483658",
        &format!("0x{}", "12".repeat(65)),
        "coinType",
        ADDRESS,
        "alice.example.eth",
        "porticoname00ff00ff00ff",
    ] {
        assert!(asked[0].contains(part), "{part} is not in {asked:?}");
    }
    let mut cx = Cx::new(6_000, &facts);
    names.answered(Reason::Registered(1), Ok(Value::Null), &mut cx);
    let told = Signal::NameRegistered { address: ADDRESS.into(), name: "alice.example.eth".into() };
    assert!(cx.signals.contains(&told), "{:?}", cx.signals);
    let view = names.view(&facts);
    assert_eq!(
        (view.phase, view.text.as_str(), view.registered.as_deref()),
        (Phase::Choosing, "", Some("alice.example.eth"))
    );
}

#[test]
fn a_nonce_that_could_forge_a_line_of_the_text_is_not_signed() {
    let long = format!("porticoname{}", "a".repeat(54));
    for nonce in ["porticoname\nURI: https://evil.example", "porticoname a", &long] {
        let (mut names, facts) = offered();
        type_name(&mut names, &facts, "alice");
        register(&mut names, &facts);
        answer(&mut names, &facts, Reason::Resolved(1), Ok("[]"));
        let told = to_text(&Nonce { nonce: nonce.into() });
        let asked = answer(&mut names, &facts, Reason::Nonce(1), Ok(&told));
        assert!(asked.is_empty(), "{asked:?}");
        assert_eq!(names.view(&facts).phase, Phase::Choosing, "{nonce}");
    }
}

#[test]
fn spec_8_23_and_7_3_a_refused_registration_goes_back_to_the_form_with_the_servers_reason_or_ours() {
    const TAKEN: &str = "This name was just taken. Choose another one, or wait.";
    const OURS: &str = "Error registering name alice.example.eth";
    for (error, trouble, told) in [
        (RpcError::new(409, TAKEN), Trouble::Conflict, TAKEN),
        (RpcError::new(409, "HTTP status code: 409"), Trouble::Conflict, OURS),
        (RpcError::new(429, "Slow down."), Trouble::Busy, "Slow down."),
        (RpcError::new(400, "Names are for members."), Trouble::Refused, "Names are for members."),
        (RpcError::new(500, "HTTP status code: 500"), Trouble::Register, OURS),
        (RpcError::new(-32603, "fetch failed"), Trouble::Register, OURS),
    ] {
        let (mut names, facts) = offered();
        signing(&mut names, &facts);
        answer(&mut names, &facts, Reason::Signature(1), Ok(&signed()));
        answer(&mut names, &facts, Reason::Registered(1), Err(error));
        let view = names.view(&facts);
        assert_eq!((view.phase, view.problem.as_deref(), view.text.as_str()), (Phase::Choosing, Some(told), "alice"));
        assert_eq!(view.trouble, Some(trouble));
    }
}

#[test]
fn spec_8_8_a_declined_signature_is_said_and_nothing_is_registered() {
    let (mut names, facts) = offered();
    signing(&mut names, &facts);
    let mut cx = Cx::new(0, &facts);
    names.answered(Reason::Signature(1), Err(RpcError::new(4001, "no")), &mut cx);
    assert!(cx.signals.contains(&Signal::Say(Variant::Error, Message::SignatureDeclined)));
    assert!(cx.asks.is_empty());
    let view = names.view(&facts);
    assert_eq!((view.phase, view.trouble), (Phase::Choosing, Some(Trouble::Declined)));
    // Another letter begins anew.
    names.update(Event::Typed { text: "alicia".into() }, &mut cx);
    assert_eq!(names.view(&facts).trouble, None);
}

#[test]
fn spec_8_9_a_smart_account_that_declines_to_sign_is_told_that_it_may_be_the_cause() {
    let (mut names, facts) = offered();
    let facts = Facts { smart_account: true, ..facts };
    signing(&mut names, &facts);
    let mut cx = Cx::new(0, &facts);
    names.answered(Reason::Signature(1), Err(RpcError::new(4001, "no")), &mut cx);
    assert!(cx.signals.contains(&Signal::Say(Variant::Error, Message::SmartAccountsUnsupported)));
}

#[test]
fn what_a_wallet_signs_after_the_visitor_left_is_not_registered() {
    let (mut names, facts) = offered();
    signing(&mut names, &facts);
    step(&mut names, &facts, 0, Names::left);
    assert!(answer(&mut names, &facts, Reason::Signature(1), Ok(&signed())).is_empty());
    assert_eq!(names.view(&facts).parent.as_deref(), Some("example.eth"));
}
