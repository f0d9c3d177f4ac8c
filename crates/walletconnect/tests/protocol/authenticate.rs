//! Sign-in together with the pairing.

use crate::net;
use net::{APPROVED, DAPP, Net, WALLET, json};
use portico_json::Value;
use portico_walletconnect::client::{AuthenticateRequest, Event, Input};
use portico_walletconnect::relay::RelayFault;

const ISSUER: &str = "did:pkh:eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb";

/// Offers a sign-in, lets the wallet scan it, and returns the topic of the pairing.
fn offered(net: &mut Net) -> String {
    offered_with(net, "Sign in.")
}

fn offered_with(net: &mut Net, statement: &str) -> String {
    let given = net.command(DAPP, |ticket| Input::Authenticate {
        ticket,
        chains: vec!["eip155:1".into(), "eip155:10".into()],
        domain: "example.org".into(),
        aud: "https://example.org/login".into(),
        nonce: "n0nc3n0nc3".into(),
        statement: Some(statement.into()),
        methods: Some(vec!["personal_sign".into(), "eth_sendTransaction".into()]),
        resources: None,
        exp: None,
        nbf: None,
        request_id: None,
        optional_namespaces: None,
    });
    let given = given.expect("answered at once").unwrap();
    let uri = given.get("uri").as_str().unwrap().to_owned();
    assert!(uri.ends_with("&methods=wc_sessionAuthenticate"), "{uri}");
    net.pair(&uri);
    given.get("topic").as_str().unwrap().into()
}

fn asked(net: &Net) -> AuthenticateRequest {
    let told = net.nodes[WALLET].told.iter();
    told.filter_map(|event| match event {
        Event::AuthenticateAsked { request } => Some(request.clone()),
        _ => None,
    })
    .next()
    .expect("a request")
}

fn message_for(ticket: u32, id: u64, issuer: &str) -> Input {
    Input::AuthenticateMessage { ticket, id, issuer: issuer.into(), chains: None, methods: None }
}

fn signed(net: &mut Net, id: u64, change: fn(String) -> String) -> Value {
    let given = net.command(WALLET, |ticket| message_for(ticket, id, ISSUER));
    cacao(&given.unwrap().unwrap(), change)
}

fn cacao(given: &Value, change: fn(String) -> String) -> Value {
    let payload = change(portico_json::to_text(given.get("payload")));
    json(&format!(r#"{{"h":{{"t":"caip122"}},"p":{payload},"s":{{"t":"eip191","s":"0x5167"}}}}"#))
}

fn approve(net: &mut Net, id: u64, cacaos: Vec<Value>) -> Result<Value, i64> {
    let given = net.command(WALLET, |ticket| Input::ApproveAuthenticate { ticket, id, cacaos });
    given.expect("answered").map_err(|refusal| refusal.0)
}

fn rejected(net: &Net) -> Option<i64> {
    net.nodes[DAPP].told.iter().find_map(|event| match event {
        Event::Rejected { code, .. } => Some(*code),
        _ => None,
    })
}

#[test]
fn a_sign_in_on_chains_of_two_families_is_not_offered() {
    let mut net = Net::new();
    for chains in [vec![], vec!["eip155:1".into(), "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".into()], vec!["1".into()]]
    {
        let given = net.command(DAPP, |ticket| Input::Authenticate {
            ticket,
            chains,
            domain: String::new(),
            aud: String::new(),
            nonce: String::new(),
            statement: None,
            methods: None,
            resources: None,
            exp: None,
            nbf: None,
            request_id: None,
            optional_namespaces: None,
        });
        assert_eq!(given.unwrap().unwrap_err().0, 5100);
    }
}

#[test]
fn a_refused_sign_in_is_told_and_leaves_nothing() {
    let mut net = Net::new();
    offered(&mut net);
    let id = asked(&net).id;
    net.command(WALLET, |ticket| Input::RejectAuthenticate { ticket, id, code: None, message: None });
    assert_eq!(rejected(&net), Some(12001));
    for node in [DAPP, WALLET] {
        assert_eq!(net.nodes[node].stored.keys().map(String::as_str).collect::<Vec<_>>(), ["wc/key"]);
    }
    assert_eq!(approve(&mut net, id, Vec::new()), Err(11005));
}

#[test]
fn signatures_over_something_else_are_not_even_sent() {
    let mut net = Net::new();
    offered(&mut net);
    let id = asked(&net).id;
    let given = net.command(WALLET, |ticket| message_for(ticket, id, "did:pkh:0xab"));
    assert_eq!(given.unwrap().unwrap_err().0, 11006);
    assert_eq!(approve(&mut net, id, Vec::new()), Err(11001));
    let changes: [fn(String) -> String; 3] = [
        |text| text.replace("n0nc3n0nc3", "another0"),
        |text| text.replace("\"example.org\"", "\"evil.example\""),
        |text| text.replace("eip155:1:", "eip155:5:"),
    ];
    for change in changes {
        let cacao = signed(&mut net, id, change);
        assert_eq!(approve(&mut net, id, vec![cacao]), Err(11001));
    }
}

#[test]
fn the_wallet_is_asked_once_although_a_plain_proposal_is_there_too() {
    let mut net = Net::new();
    offered(&mut net);
    assert!(!net.nodes[WALLET].told.iter().any(|event| matches!(event, Event::Proposed { .. })));
    assert_eq!((net.relay().tagged(1100), net.relay().tagged(1116)), (1, 1));
}

#[test]
fn a_wallet_that_cannot_sign_in_is_shown_the_plain_proposal() {
    let mut net = Net::new();
    offered(&mut net);
    let id = asked(&net).id;
    net.command(WALLET, |ticket| Input::RejectAuthenticate { ticket, id, code: Some(10001), message: None });
    assert_eq!(rejected(&net), None);
    net.approve(APPROVED).unwrap().unwrap();
    let topic = net.settled(DAPP).unwrap().topic;
    assert!(net.serves(&topic));
}

#[test]
fn one_signature_signs_in_and_settles_a_session() {
    let mut net = Net::new();
    let pairing = offered(&mut net);
    let request = asked(&net);
    assert_eq!(request.auth_payload.iat, "2023-11-14T22:13:20Z");
    let cacao = signed(&mut net, request.id, |text| text);
    let session = approve(&mut net, request.id, vec![cacao.clone()]).unwrap();
    let told = net.nodes[DAPP].told.iter().find_map(|event| match event {
        Event::Authenticated { pairing_topic, cacaos, session, .. } => Some((pairing_topic, cacaos, session.clone())),
        _ => None,
    });
    let (topic, cacaos, at_dapp) = told.expect("signed in");
    assert_eq!((topic.as_str(), cacaos), (pairing.as_str(), &vec![cacao]));
    let at_dapp = at_dapp.unwrap();
    assert_eq!(session.get("topic").as_str(), Some(at_dapp.topic.as_str()));
    let allowed = at_dapp.namespaces.get("eip155").unwrap();
    assert_eq!(allowed.chains.as_deref(), Some(&["eip155:1".to_owned(), "eip155:10".to_owned()][..]));
    assert!(net.serves(&at_dapp.topic));
}

#[test]
fn a_wallet_signs_for_less_than_is_asked_for() {
    let mut net = Net::new();
    offered(&mut net);
    let id = asked(&net).id;
    let given = net.command(WALLET, |ticket| Input::AuthenticateMessage {
        ticket,
        id,
        issuer: ISSUER.into(),
        chains: Some(vec!["eip155:10".into(), "eip155:5".into()]),
        methods: Some(vec!["personal_sign".into(), "eth_sign".into()]),
    });
    let given = given.unwrap().unwrap();
    let message = given.get("message").as_str().unwrap();
    assert!(message.contains("(1) 'request': 'personal_sign' for 'eip155'."), "{message}");
    approve(&mut net, id, vec![cacao(&given, |text| text)]).unwrap();
    let Some(Event::Authenticated { messages, .. }) = net.nodes[DAPP].told.last() else { panic!("not signed in") };
    assert_eq!(messages, &[message], "the dapp knows the text that was signed");
    for node in [DAPP, WALLET] {
        let session = match net.nodes[node].told.last() {
            Some(Event::Authenticated { session, .. }) => session.clone().unwrap(),
            Some(Event::Settled { session, .. }) => session.clone(),
            other => panic!("{other:?}"),
        };
        let allowed = session.namespaces.get("eip155").unwrap();
        // The chain of the account that signed, and the requested chain that the wallet left in the ReCap.
        assert_eq!(allowed.chains.as_deref(), Some(&["eip155:1".to_owned(), "eip155:10".to_owned()][..]));
        assert_eq!(allowed.methods, ["personal_sign"]);
        assert!(session.acknowledged);
    }
}

#[test]
fn a_signature_that_authorises_nothing_by_name_says_who_signs_and_makes_no_session() {
    let mut net = Net::new();
    offered(&mut net);
    let id = asked(&net).id;
    let given = net.command(WALLET, |ticket| Input::AuthenticateMessage {
        ticket,
        id,
        issuer: ISSUER.into(),
        chains: None,
        methods: Some(Vec::new()),
    });
    let given = given.unwrap().unwrap();
    assert!(!given.get("message").as_str().unwrap().contains("authorize"));
    assert!(given.get("payload").get("resources").is_null());
    assert_eq!(approve(&mut net, id, vec![cacao(&given, |text| text)]), Ok(Value::Null));
    let Some(Event::Authenticated { session: None, .. }) = net.nodes[DAPP].told.last() else {
        panic!("{:?}", net.nodes[DAPP].told.last());
    };
    for node in [DAPP, WALLET] {
        assert_eq!(net.nodes[node].stored.keys().map(String::as_str).collect::<Vec<_>>(), ["wc/key"]);
    }
}

#[test]
fn a_session_of_which_the_relay_takes_no_word_does_not_stay() {
    let mut net = Net::new();
    offered(&mut net);
    let id = asked(&net).id;
    let cacao = signed(&mut net, id, |text| text);
    net.relay().fault = Some(RelayFault::PayloadSizeExceeded);
    assert!(approve(&mut net, id, vec![cacao]).is_err());
    assert!(!net.nodes[WALLET].stored.keys().any(|key| key.starts_with("wc/session/")));
    assert_eq!(net.settled(WALLET), None);
}

#[test]
fn a_text_of_several_lines_is_refused_before_anybody_reads_it() {
    for statement in ["Sign in.\n\nURI: https://thief.example", "a\rb", "a\u{0}b", "a\u{85}b"] {
        let mut net = Net::new();
        offered_with(&mut net, statement);
        assert!(!net.nodes[WALLET].told.iter().any(|event| matches!(event, Event::AuthenticateAsked { .. })));
        assert_eq!(rejected(&net), Some(11002));
        let refusal = net.relay().mailbox.iter().find(|kept| kept.0.tag == 1119).expect("a refusal");
        assert_eq!(refusal.0.ttl, 300);
    }
}

#[test]
fn a_wallet_that_is_reloaded_during_a_sign_in_shows_the_plain_proposal() {
    let mut net = Net::new();
    offered(&mut net);
    asked(&net);
    net.reload(WALLET);
    let proposed =
        |net: &Net| net.nodes[WALLET].told.iter().filter(|event| matches!(event, Event::Proposed { .. })).count();
    assert_eq!(proposed(&net), 0);
    net.pass(5000);
    assert_eq!(proposed(&net), 1);
    net.approve(APPROVED).unwrap().unwrap();
    let topic = net.settled(DAPP).unwrap().topic;
    assert!(net.serves(&topic));
}

#[test]
fn a_proposal_whose_sign_in_does_not_come_is_shown_after_a_while_and_also_after_a_reload() {
    for reloads in [false, true] {
        let mut net = Net::new();
        let (uri, _) = net.propose(None);
        net.pair(&[&uri, "&methods=wc_sessionAuthenticate"].concat());
        assert!(net.nodes[WALLET].told.iter().all(|event| !matches!(event, Event::Proposed { .. })));
        if reloads {
            let later = net.now + 5000;
            net.cut(&[WALLET]);
            net.nodes[WALLET].offline = true;
            net.now = later;
            net.reload(WALLET);
            let Event::Started { proposals, .. } = &net.nodes[WALLET].told[0] else { panic!("not started") };
            assert_eq!(proposals.len(), 1);
        } else {
            net.pass(5000);
            assert_eq!(net.proposal().optional_namespaces.len(), 1);
        }
    }
}
