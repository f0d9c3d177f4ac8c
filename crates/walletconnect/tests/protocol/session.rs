//! Messages on a session, from both sides.

use crate::net;
use net::{APPROVED, DAPP, Net, RELAY, WALLET, json, read};
use portico_walletconnect::client::{Event, Input, RpcError};
use portico_walletconnect::relay::RelayFault;

const DAY: u64 = 86_400_000;

fn last(net: &Net, node: usize) -> Event {
    net.nodes[node].told.last().cloned().expect("an event")
}

#[test]
fn a_request_that_the_session_does_not_allow_is_not_even_sent() {
    let mut net = Net::new();
    let topic = net.session();
    for (topic, chain, method, seconds, code) in [
        ("00", "eip155:1", "personal_sign", None, 7001),
        (topic.as_str(), "eip155:137", "personal_sign", None, 3005),
        (topic.as_str(), "eip155", "personal_sign", None, 3005),
        (topic.as_str(), "eip155:1", "eth_sign", None, 3001),
        (topic.as_str(), "eip155:1", "personal_sign", Some(299), 8000),
        (topic.as_str(), "eip155:1", "personal_sign", Some(604_801), 8000),
    ] {
        let given = net.command(DAPP, |ticket| Input::Request {
            ticket,
            topic: topic.into(),
            chain_id: chain.into(),
            method: method.into(),
            params: json("[]"),
            expiry_seconds: seconds,
        });
        assert_eq!(given.unwrap().unwrap_err().0, code, "{chain} {method}");
    }
    assert_eq!(net.relay().tagged(1108), 0);
}

#[test]
fn a_request_that_nobody_answers_ends_at_its_expiry() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    net.pass(299_999);
    assert_eq!(net.given(DAPP, ticket), None);
    net.pass(1);
    assert_eq!(net.given(DAPP, ticket).unwrap().unwrap_err().0, 8000);
    let request = net.requests()[0].clone();
    assert!(net.nodes[WALLET].told.contains(&Event::RequestExpired { topic: topic.clone(), id: request.id }));
    assert_eq!(net.respond(&request, "1").unwrap().unwrap_err().0, 8000);
    assert!(net.serves(&topic));
}

#[test]
fn a_wallets_refusal_is_told_with_its_code() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    let request = net.requests()[0].clone();
    let refusal = RpcError { code: 4001, message: "No".into(), data: None };
    let given = net.command(WALLET, |ticket| Input::Respond {
        ticket,
        topic: topic.clone(),
        id: request.id,
        result: None,
        error: Some(refusal),
    });
    assert!(given.unwrap().is_ok());
    assert_eq!(net.given(DAPP, ticket), Some(Err((4001, "No".into()))));
    assert!(net.serves(&topic));
}

#[test]
fn a_request_reaches_the_wallet_as_it_was_asked() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    let request = net.requests()[0].clone();
    assert_eq!((request.method.as_str(), request.chain_id.as_str()), ("personal_sign", "eip155:1"));
    assert_eq!(request.params, json(r#"["0x68656c6c6f",null]"#));
    assert_eq!((request.peer.metadata.name.as_str(), request.expiry_timestamp), ("Dapp", net.now / 1000 + 300));
    net.respond(&request, r#"{"signature":null,"n":1e400}"#);
    assert_eq!(net.given(DAPP, ticket), Some(Ok(json(r#"{"signature":null,"n":1e400}"#))));
    assert!(!net.nodes[WALLET].stored.keys().any(|key| key.starts_with("wc/request/")));
}

#[test]
fn a_wallet_that_was_offline_answers_when_it_is_back() {
    let mut net = Net::new();
    let topic = net.session();
    net.nodes[WALLET].offline = true;
    net.cut(&[WALLET]);
    let ticket = net.sign(&topic);
    net.pass(120_000);
    assert!(net.requests().is_empty());
    net.nodes[WALLET].offline = false;
    net.input(WALLET, Input::Wake);
    let request = net.requests()[0].clone();
    net.respond(&request, "\"0x5167\"");
    assert!(net.given(DAPP, ticket).unwrap().is_ok());
}

#[test]
fn a_wallet_that_is_reloaded_still_has_the_question() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    net.reload(WALLET);
    let Some(Event::Started { sessions, requests, .. }) = net.nodes[WALLET].told.first().cloned() else { panic!() };
    assert_eq!((sessions.len(), requests.len()), (1, 1));
    net.respond(&requests[0], "\"0x5167\"");
    assert!(net.given(DAPP, ticket).unwrap().is_ok());
}

#[test]
fn only_the_wallet_updates_extends_and_emits() {
    let mut net = Net::new();
    let topic = net.session();
    let given = net.command(DAPP, |ticket| Input::Update { ticket, topic: topic.clone(), namespaces: read(APPROVED) });
    assert_eq!(given.unwrap().unwrap_err().0, 3003);
    let given = net.command(DAPP, |ticket| Input::Extend { ticket, topic: topic.clone() });
    assert_eq!(given.unwrap().unwrap_err().0, 3004);
    let emit = |ticket, chain: &str, name: &str| Input::Emit {
        ticket,
        topic: topic.clone(),
        chain_id: chain.into(),
        name: name.into(),
        data: json("[]"),
    };
    for (node, chain, name) in [
        (DAPP, "eip155:1", "accountsChanged"),
        (WALLET, "eip155:1", "chainChanged"),
        (WALLET, "eip155:2", "accountsChanged"),
    ] {
        let given = net.command(node, |ticket| emit(ticket, chain, name));
        assert_eq!(given.unwrap().unwrap_err().0, 3002, "{chain} {name}");
    }
    assert!(net.serves(&topic));
}

#[test]
fn an_update_changes_what_is_allowed_on_both_sides() {
    let mut net = Net::new();
    let topic = net.session();
    let more = APPROVED.replace("[\"personal_sign\"]", "[\"eth_sendTransaction\"]");
    let given = net.command(WALLET, |ticket| Input::Update { ticket, topic: topic.clone(), namespaces: read(&more) });
    assert!(given.unwrap().is_ok());
    let Event::Updated { session } = last(&net, DAPP) else { panic!() };
    assert_eq!(session.namespaces, read(&more));
    assert!(!net.serves(&topic));
    net.reload(DAPP);
    let Some(Event::Started { sessions, .. }) = net.nodes[DAPP].told.first().cloned() else { panic!() };
    assert_eq!(sessions[0].namespaces, read(&more));
}

#[test]
fn an_update_without_what_was_required_is_not_taken() {
    let mut net = Net::new();
    let (uri, _) = net.propose(Some(r#"{"eip155:1":{"methods":["personal_sign"],"events":[]}}"#));
    net.pair(&uri);
    net.approve(APPROVED);
    let topic = net.settled(DAPP).unwrap().topic;
    let less = APPROVED.replace("[\"personal_sign\"]", "[]");
    let given = net.command(WALLET, |ticket| Input::Update { ticket, topic: topic.clone(), namespaces: read(&less) });
    assert_eq!(given.unwrap().unwrap_err().0, 5002);
    assert!(net.serves(&topic));
}

#[test]
fn an_event_of_the_wallet_reaches_the_dapp() {
    let mut net = Net::new();
    let topic = net.session();
    let given = net.command(WALLET, |ticket| Input::Emit {
        ticket,
        topic: topic.clone(),
        chain_id: "eip155:1".into(),
        name: "accountsChanged".into(),
        data: json(r#"["0xab"]"#),
    });
    assert!(given.unwrap().is_ok());
    let Event::Emitted { name, data, chain_id, .. } = last(&net, DAPP) else { panic!() };
    assert_eq!((name.as_str(), chain_id.as_str(), data), ("accountsChanged", "eip155:1", json(r#"["0xab"]"#)));
}

#[test]
fn a_session_ends_after_seven_days_unless_it_is_extended() {
    let mut net = Net::new();
    let topic = net.session();
    net.pass(6 * DAY);
    let given = net.command(WALLET, |ticket| Input::Extend { ticket, topic: topic.clone() });
    assert!(given.unwrap().is_ok());
    let Event::Extended { session } = last(&net, DAPP) else { panic!() };
    assert_eq!(session.expiry, net.now / 1000 + 604_800);
    net.pass(6 * DAY);
    assert!(net.serves(&topic));
    net.pass(DAY + 1000);
    for node in [DAPP, WALLET] {
        assert_eq!(last(&net, node), Event::Expired { topic: topic.clone() });
        assert_eq!(net.nodes[node].stored.keys().map(String::as_str).collect::<Vec<_>>(), ["wc/key"]);
    }
}

#[test]
fn a_ping_tells_whether_the_wallet_is_there() {
    let mut net = Net::new();
    let topic = net.session();
    assert!(net.command(DAPP, |ticket| Input::Ping { ticket, topic: topic.clone() }).unwrap().is_ok());
    net.nodes[WALLET].offline = true;
    net.cut(&[WALLET]);
    let ticket = net.ticket();
    net.input(DAPP, Input::Ping { ticket, topic });
    net.pass(30_000);
    assert_eq!(net.given(DAPP, ticket).unwrap().unwrap_err().0, 8000);
}

#[test]
fn either_side_ends_the_session_for_both() {
    for (from, to) in [(DAPP, WALLET), (WALLET, DAPP)] {
        let mut net = Net::new();
        let topic = net.session();
        let waiting = net.sign(&topic);
        let given =
            net.command(from, |ticket| Input::Delete { ticket, topic: topic.clone(), code: None, message: None });
        assert!(given.unwrap().is_ok());
        let message = "User disconnected.".to_owned();
        assert_eq!(last(&net, to), Event::Deleted { topic: topic.clone(), code: 6000, message });
        assert_eq!(net.given(DAPP, waiting).unwrap().unwrap_err().0, 6000);
        for node in [DAPP, WALLET] {
            assert_eq!(net.nodes[node].stored.keys().map(String::as_str).collect::<Vec<_>>(), ["wc/key"]);
        }
        let again = net.command(from, |ticket| Input::Delete { ticket, topic, code: None, message: None });
        assert_eq!(again.unwrap().unwrap_err().0, 7001);
    }
}

#[test]
fn a_wallet_that_was_away_hears_of_the_end_when_it_is_back() {
    let mut net = Net::new();
    let topic = net.session();
    net.nodes[WALLET].offline = true;
    net.cut(&[WALLET]);
    net.command(DAPP, |ticket| Input::Delete { ticket, topic: topic.clone(), code: None, message: None });
    net.nodes[WALLET].offline = false;
    net.pass(60_000);
    assert!(net.nodes[WALLET].told.iter().any(|event| matches!(event, Event::Deleted { .. })));
}

#[test]
fn another_tab_shares_sessions_and_their_end() {
    let mut net = Net::new();
    let topic = net.session();
    let key = format!("wc/session/{topic}");
    let value = net.nodes[DAPP].stored[&key].clone();
    let told = |net: &Net| net.nodes[DAPP].told.len();
    let before = told(&net);
    net.input(DAPP, Input::Stored { key: key.clone(), value: Some(value.clone()) });
    net.input(DAPP, Input::Stored { key: key.clone(), value: Some("{}".into()) });
    net.input(DAPP, Input::Stored { key: "wc/session/00".into(), value: Some(value.clone()) });
    net.input(DAPP, Input::Stored { key: "wc/session/00".into(), value: None });
    assert_eq!(told(&net), before, "nothing new, nothing told");
    net.input(DAPP, Input::Stored { key: key.clone(), value: None });
    assert!(matches!(last(&net, DAPP), Event::Deleted { .. }));
    net.input(DAPP, Input::Stored { key, value: Some(value) });
    assert!(matches!(last(&net, DAPP), Event::Settled { .. }));
    assert!(net.serves(&topic));
}

#[test]
fn a_request_that_waits_for_the_relay_ends_with_its_session() {
    let mut net = Net::new();
    let topic = net.session();
    net.nodes[DAPP].offline = true;
    net.cut(&[DAPP]);
    net.sign(&topic);
    net.command(DAPP, |ticket| Input::Delete { ticket, topic, code: None, message: None });
    net.nodes[DAPP].offline = false;
    net.pass(40_000);
    assert!(net.requests().is_empty());
    assert!(net.nodes[WALLET].told.iter().any(|event| matches!(event, Event::Deleted { .. })));
}

#[test]
fn a_proposal_reaches_the_wallet_although_the_page_was_offline_and_reloaded() {
    const SLASHED: &str = "wss://relay.example.org/";
    for (before, after) in [(&[RELAY][..], RELAY), (&["wss://other.example.org", RELAY], RELAY), (&[RELAY], SLASHED)] {
        let mut net = Net::on(before, &[RELAY]);
        net.nodes[DAPP].offline = true;
        net.cut(&[DAPP]);
        let (uri, _) = net.propose(None);
        net.nodes[DAPP].relays(&[after]);
        net.reload(DAPP);
        net.pair(&uri);
        net.nodes[DAPP].offline = false;
        net.pass(40_000);
        assert!(net.nodes[DAPP].stored.keys().all(|key| !key.starts_with("wc/post/")));
        net.approve(APPROVED).expect("answered").unwrap();
        assert!(net.settled(DAPP).is_some());
    }
}

#[test]
fn a_proposal_that_was_cancelled_before_a_relay_took_it_is_not_sent_after_a_reload() {
    let mut net = Net::new();
    net.nodes[DAPP].offline = true;
    net.cut(&[DAPP]);
    let (_, topic) = net.propose(None);
    net.command(DAPP, |ticket| Input::CancelPairing { ticket, topic });
    net.reload(DAPP);
    net.nodes[DAPP].offline = false;
    net.pass(40_000);
    assert_eq!(net.relay().publishes, 0);
    assert!(net.nodes[DAPP].stored.keys().all(|key| !key.starts_with("wc/post/")));
}

#[test]
fn an_answer_reaches_the_dapp_although_the_wallet_was_offline_and_reloaded() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    net.nodes[WALLET].offline = true;
    net.cut(&[WALLET]);
    let request = net.requests()[0].clone();
    assert!(net.respond(&request, "1").is_none());
    assert!(net.respond(&request, "2").expect("once").is_err());
    net.pass(90_000);
    net.reload(WALLET);
    net.nodes[WALLET].offline = false;
    net.pass(40_000);
    assert_eq!(net.given(DAPP, ticket), Some(Ok(json("1"))));
    assert!(net.nodes[WALLET].stored.keys().all(|key| !key.starts_with("wc/post/")));
}

#[test]
fn an_answer_that_the_relay_refuses_leaves_the_request_to_be_answered_otherwise() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    net.relay().fault = Some(RelayFault::PayloadSizeExceeded);
    let request = net.requests()[0].clone();
    assert!(net.respond(&request, "1").expect("refused").is_err());
    net.relay().fault = None;
    net.respond(&request, "2").expect("taken").unwrap();
    assert_eq!(net.given(DAPP, ticket), Some(Ok(json("2"))));
}

#[test]
fn a_request_whose_answer_was_given_up_at_its_end_is_not_asked_again() {
    let mut net = Net::new();
    let topic = net.session();
    net.sign(&topic);
    net.nodes[WALLET].offline = true;
    net.cut(&[WALLET]);
    let request = net.requests()[0].clone();
    let ticket = net.ticket();
    let id = request.id;
    net.input(WALLET, Input::Respond { ticket, topic: topic.clone(), id, result: Some(json("1")), error: None });
    net.pass(400_000);
    assert!(net.given(WALLET, ticket).expect("given up").is_err());
    assert_eq!(net.requests().len(), 1);
    assert!(!net.nodes[WALLET].stored.keys().any(|key| key.starts_with("wc/request/")));
}

#[test]
fn a_session_names_its_relay_as_it_is_configured_today() {
    let mut net = Net::new();
    net.session();
    let today = RELAY.to_owned() + "/";
    net.nodes[DAPP].relays(&[&today]);
    net.reload(DAPP);
    let Some(Event::Started { sessions, .. }) = net.nodes[DAPP].told.first().cloned() else { panic!() };
    assert_eq!(sessions[0].relay_url, today);
    let opened = |event: &Event| matches!(event, Event::Relay { relay_url, .. } if *relay_url == today);
    assert!(net.nodes[DAPP].told.iter().any(opened));
}

#[test]
fn a_change_that_the_relay_does_not_take_is_undone() {
    let mut net = Net::new();
    let topic = net.session();
    let record = net.nodes[WALLET].stored[&format!("wc/session/{topic}")].clone();
    net.relay().fault = Some(RelayFault::PayloadSizeExceeded);
    net.pass(5000);
    let namespaces = read(&APPROVED.replace("accountsChanged", "chainChanged"));
    let given = net.command(WALLET, |ticket| Input::Update { ticket, topic: topic.clone(), namespaces });
    assert!(given.expect("refused").is_err());
    let given = net.command(WALLET, |ticket| Input::Extend { ticket, topic: topic.clone() });
    assert!(given.expect("refused").is_err());
    assert_eq!(net.nodes[WALLET].stored[&format!("wc/session/{topic}")], record);
}

#[test]
fn the_other_side_hears_of_an_end_that_was_asked_offline_before_a_reload() {
    let mut net = Net::new();
    let topic = net.session();
    net.nodes[DAPP].offline = true;
    net.cut(&[DAPP]);
    net.command(DAPP, |ticket| Input::Delete { ticket, topic, code: None, message: None });
    net.pass(90_000);
    net.reload(DAPP);
    net.nodes[DAPP].offline = false;
    net.pass(40_000);
    assert!(net.nodes[WALLET].told.iter().any(|event| matches!(event, Event::Deleted { .. })));
}

#[test]
fn a_wallet_whose_clock_was_set_back_after_the_settlement_is_still_heard() {
    let mut net = Net::new();
    let topic = net.session();
    net.nodes[WALLET].ahead = -60_000;
    net.reload(WALLET);
    let more = APPROVED.replace("\"personal_sign\"", "\"personal_sign\",\"eth_sign\"");
    let given = net.command(WALLET, |ticket| Input::Update { ticket, topic: topic.clone(), namespaces: read(&more) });
    assert_eq!(given, Some(Ok(json("null"))));
    let Event::Updated { session } = last(&net, DAPP) else { panic!("not updated") };
    assert_eq!(session.namespaces.get("eip155").unwrap().methods, ["personal_sign", "eth_sign"]);
}
