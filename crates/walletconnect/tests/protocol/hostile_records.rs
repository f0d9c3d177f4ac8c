//! Malformed stored records, inputs and configurations.

use crate::net;
use net::{DAPP, Net, OPTIONAL, RELAY, Relay, SECOND, json};
use portico_json::Value;
use portico_walletconnect::client::{Client, Config, Event, Input, Output};

#[test]
fn stored_records_that_were_changed_count_as_absent() {
    let mut net = Net::new();
    let topic = net.session();
    let genuine = net.nodes[DAPP].stored.clone();
    let session = &genuine[&format!("wc/session/{topic}")];
    let started = |records: Vec<(String, String)>| {
        let mut client = Client::start(Config::default(), [1; 32], records, net.now);
        let told = client.take_outputs().into_iter().find_map(|output| match output {
            Output::Told { event } => Some(*event),
            _ => None,
        });
        let Some(Event::Started { sessions, .. }) = told else { panic!() };
        sessions.len()
    };
    assert_eq!(started(genuine.clone().into_iter().collect()), 1);
    for changed in [
        String::new(),
        "{}".into(),
        session[..session.len() / 2].into(),
        session.replace(&topic, &"0".repeat(64)),
        session.replace("\"symKey\":\"", "\"symKey\":\"x"),
        session.replace("\"expiry\":", "\"expiry\":-"),
    ] {
        assert_eq!(started(vec![(format!("wc/session/{topic}"), changed)]), 0);
    }
    for key in ["wc/key", "wc/pairing/x", "wc/proposal/1", "wc/request/1", "wc/seen/x", "wc/", "", "other"] {
        for text in ["", "{}", "null", "[]", "éé", "{\"topic\":\"x\"}"] {
            assert_eq!(started(vec![(key.into(), text.into())]), 0, "{key} {text}");
        }
    }
}

#[test]
fn inputs_that_cannot_be_read_say_which_part_and_change_nothing() {
    let mut client = Client::start_text(
        r#"{"relays":[],"metadata":{"name":"","description":"","url":"","icons":[]}}"#,
        [1; 32],
        "{}",
        0,
    )
    .ok()
    .unwrap();
    for (input, part) in
        [("", "!not JSON"), ("{}", "!type"), (r#"{"type":"propose"}"#, "!ticket"), (r#"{"type":"nothing"}"#, "!type")]
    {
        assert_eq!(client.handle_text(input, 0), part);
    }
    let answer = json(&client.handle_text(r#"{"type":"pair","ticket":1,"uri":"wc:"}"#, 0));
    let refused = answer.get("outputs").as_list().unwrap().last().unwrap().clone();
    assert_eq!((refused.get("type").as_str(), refused.get("code").as_i64()), (Some("refused"), Some(5)));
    assert_eq!(answer.get("timeout"), &Value::Null);
    assert!(Client::start_text("{}", [1; 32], "{}", 0).is_err());
}

#[test]
fn without_a_relay_every_offer_is_refused_at_once() {
    let mut net = Net::on(&[], &[RELAY]);
    let given = net.command(DAPP, |ticket| Input::Propose {
        ticket,
        required_namespaces: None,
        optional_namespaces: Some(net::read(OPTIONAL)),
        session_properties: None,
        scoped_properties: None,
    });
    assert_eq!(given.unwrap().unwrap_err().0, 4900);
}

#[test]
fn a_relay_that_is_not_configured_serves_old_sessions_and_no_new_pairing() {
    let mut net = Net::new();
    net.relays.insert(SECOND.into(), Relay::default());
    let topic = net.session();
    net.nodes[DAPP].relays(&[SECOND]);
    net.reload(DAPP);
    net.propose(None);
    assert!(net.serves(&topic));
    assert_eq!(net.relay().tagged(1100), 1);
    assert_eq!(net.relays[SECOND].tagged(1100), 1);
    let proposed = &net.relays[SECOND].mailbox[0].0.topic;
    assert!(net.relays[RELAY].subscriptions.iter().all(|known| known.0 != proposed.as_str()));
}

#[test]
fn a_session_lives_on_although_its_relay_is_written_otherwise() {
    let mut net = Net::new();
    let topic = net.session();
    net.nodes[DAPP].relays(&["wss://relay.example.org/"]);
    net.reload(DAPP);
    assert!(net.serves(&topic));
    assert_eq!(net.nodes[DAPP].sockets.len(), 1);
}

#[test]
fn what_inputs_and_outputs_hold_does_not_reach_a_log() {
    let input = Input::Pair { ticket: 1, uri: "wc:secret".into() };
    let output = Output::Store { key: "wc/key".into(), value: "secret".into() };
    assert!(!format!("{input:?} {output:?}").contains("secret"));
}
