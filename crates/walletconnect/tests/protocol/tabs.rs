//! Two tabs of one application or wallet: one identity, one store, and a relay that may deliver to either of them.

use crate::net;
use net::{APPROVED, DAPP, Net, RELAY, START, WALLET, json};
use portico_json::Value;
use portico_walletconnect::client::{Client, Config, Event, Input, Metadata, Output, RelayOption};
use portico_walletconnect::crypto::{Envelope, SymKey};
use portico_walletconnect::relay::{Publication, RequestId, write_call};

/// Second tab with an open socket, over the records that the first has stored.
struct Tab {
    client: Client,
    socket: u32,
    frames: u64,
}

impl Tab {
    fn of(net: &Net, node: usize) -> Tab {
        let stored = net.nodes[node].stored.clone().into_iter().collect();
        let config = Config {
            relays: vec![RelayOption { relay_url: RELAY.into(), ..RelayOption::default() }],
            metadata: Metadata { name: "Tab".into(), ..Metadata::default() },
            ..Config::default()
        };
        let mut client = Client::start(config, [99; 32], stored, net.now);
        let opened = client.take_outputs().into_iter().find_map(|output| match output {
            Output::Open { socket, .. } => Some(socket),
            _ => None,
        });
        let socket = opened.expect("a socket");
        client.handle(Input::Opened { socket }, net.now);
        client.take_outputs();
        Tab { client, socket, frames: 0 }
    }

    fn hear(&mut self, said: &Publication) -> Vec<Output> {
        self.frames += 1;
        let data = format!(
            r#"{{"topic":"{}","message":"{}","publishedAt":{START},"tag":{}}}"#,
            said.topic.as_str(),
            said.message,
            said.tag
        );
        let params = format!(r#"{{"id":"x","data":{data}}}"#);
        let text = write_call(&RequestId::from(1_700_000_000 + self.frames), "irn_subscription", &params);
        self.client.handle(Input::Message { socket: self.socket, text }, START);
        self.client.take_outputs()
    }

    fn stored(&mut self, key: &str, value: Option<&str>) -> Vec<Event> {
        self.client.handle(Input::Stored { key: key.into(), value: value.map(Into::into) }, START);
        told(self.client.take_outputs())
    }
}

fn told(outputs: Vec<Output>) -> Vec<Event> {
    let told = outputs.into_iter().filter_map(|output| match output {
        Output::Told { event } => Some(*event),
        _ => None,
    });
    told.filter(|event| !matches!(event, Event::Relay { .. })).collect()
}

/// Number of frames that are not calls.
fn acknowledgements(outputs: &[Output]) -> usize {
    let sent = outputs.iter().filter(|output| match output {
        Output::Send { text, .. } => json(text).get("method").is_null(),
        _ => false,
    });
    sent.count()
}

fn said(net: &mut Net, tag: u32) -> Publication {
    net.relay().mailbox.iter().find(|kept| kept.0.tag == tag).expect("said").0.clone()
}

fn record(net: &Net, node: usize, kind: &str) -> (String, String) {
    let mut all = net.nodes[node].stored.iter().filter(|kept| kept.0.starts_with(kind));
    let (key, value) = all.next().expect("stored");
    (key.clone(), value.clone())
}

#[test]
fn a_settlement_that_both_tabs_hear_is_confirmed_by_both() {
    let mut net = Net::new();
    let (uri, _) = net.propose(None);
    let mut tab = Tab::of(&net, DAPP);
    net.pair(&uri);
    net.approve(APPROVED).unwrap().unwrap();
    let (key, value) = record(&net, DAPP, "wc/session/");
    tab.hear(&said(&mut net, 1101));
    tab.stored(&key, Some(&value));
    let secret = SymKey::from_hex(json(&value).get("symKey").as_str().unwrap()).unwrap();
    let mut answers = 0;
    for output in tab.hear(&said(&mut net, 1102)) {
        let Output::Send { text, .. } = output else { continue };
        let Some(message) = json(&text).get("params").get("message").as_str().map(str::to_owned) else { continue };
        let answer = Envelope::parse(&message).unwrap().open(&secret).unwrap();
        assert_eq!(json(&answer).get("result"), &Value::Bool(true), "{answer}");
        answers += 1;
    }
    assert_eq!(answers, 1);
}

#[test]
fn an_answer_that_another_tab_hears_reaches_the_one_that_asked() {
    let mut net = Net::new();
    let topic = net.session();
    let mut tab = Tab::of(&net, DAPP);
    let ticket = net.sign(&topic);
    net.cut(&[DAPP]);
    net.nodes[DAPP].offline = true;
    let request = net.requests()[0].clone();
    net.respond(&request, "1").unwrap().unwrap();
    let outputs = tab.hear(&said(&mut net, 1109));
    let shared = outputs.into_iter().find_map(|output| match output {
        Output::Store { key, value } if key.starts_with("wc/heard/") => Some((key, value)),
        _ => None,
    });
    let (key, value) = shared.expect("shared");
    assert!(tab.stored(&key, Some(&value)).is_empty());
    for nonsense in ["", "AA==", "{}"] {
        net.input(DAPP, Input::Stored { key: key.clone(), value: Some(nonsense.into()) });
    }
    assert!(net.given(DAPP, ticket).is_none());
    net.input(DAPP, Input::Stored { key: key.clone(), value: Some(value.clone()) });
    assert_eq!(net.given(DAPP, ticket), Some(Ok(json("1"))));
    net.input(DAPP, Input::Stored { key, value: Some(value) });
}

#[test]
fn what_is_on_a_topic_of_another_tab_is_left_to_it() {
    let mut net = Net::new();
    net.session();
    let mut tab = Tab::of(&net, DAPP);
    let (uri, _) = net.propose(None);
    net.pair(&uri);
    net.approve(APPROVED).unwrap().unwrap();
    let answer = net.relay().mailbox.iter().rfind(|kept| kept.0.tag == 1101).unwrap().0.clone();
    assert_eq!(acknowledgements(&tab.hear(&answer)), 0);
    let ours = said(&mut net, 1102);
    assert_eq!(acknowledgements(&tab.hear(&ours)), 1);
}

#[test]
fn a_request_that_one_tab_of_a_wallet_answered_is_gone_in_the_other() {
    let mut net = Net::new();
    let topic = net.session();
    let mut tab = Tab::of(&net, WALLET);
    net.sign(&topic);
    let (session, now) = record(&net, WALLET, "wc/session/");
    let (key, value) = record(&net, WALLET, "wc/request/");
    assert!(tab.stored(&session, Some(&now)).is_empty());
    for (name, text) in [(key.as_str(), "{}"), ("wc/request/1", value.as_str()), ("wc/request/", "")] {
        assert!(tab.stored(name, Some(text)).is_empty());
    }
    assert!(matches!(tab.stored(&key, Some(&value))[..], [Event::Requested { .. }]));
    assert!(tab.stored(&key, Some(&value)).is_empty());
    // The relay delivers to both tabs: the request is reported once, and no tab answers in the visitor's place.
    let heard = tab.hear(&said(&mut net, 1108));
    assert!(!heard.iter().any(|output| matches!(output, Output::Send { text, .. } if text.contains("irn_publish"))));
    assert!(told(heard).is_empty());
    assert!(matches!(tab.stored(&key, None)[..], [Event::RequestExpired { .. }]));
    assert!(tab.stored(&key, None).is_empty());
}

#[test]
fn a_proposal_that_one_tab_of_a_wallet_answered_is_gone_in_the_other() {
    let mut net = Net::new();
    let (uri, pairing) = net.propose(None);
    net.pair(&uri);
    let mut tab = Tab::of(&net, WALLET);
    let (key, _) = record(&net, WALLET, "wc/proposal/");
    assert_eq!(tab.stored(&key, None), [Event::ProposalExpired { pairing_topic: pairing }]);
    assert!(tab.stored(&key, None).is_empty());
    let (proposal, namespaces) = (net.proposal().id, net::read(APPROVED));
    let approve = Input::Approve {
        ticket: 1,
        proposal,
        namespaces,
        session_properties: None,
        scoped_properties: None,
        disable_deep_link: None,
    };
    tab.client.handle(approve, START);
    assert!(
        tab.client.take_outputs().iter().any(|output| matches!(output, Output::Refused { ticket: 1, code: 6, .. }))
    );
}

#[test]
fn a_request_to_an_application_is_not_answered() {
    let mut net = Net::new();
    let topic = net.session();
    let mut tab = Tab::of(&net, DAPP);
    net.sign(&topic);
    let heard = tab.hear(&said(&mut net, 1108));
    assert!(!heard.iter().any(|output| matches!(output, Output::Send { text, .. } if text.contains("irn_publish"))));
}
