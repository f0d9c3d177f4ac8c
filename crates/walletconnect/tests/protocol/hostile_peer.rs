//! Peers that lie: forged settlements, replays, nonsense. A healthy session survives all of it.

use crate::net;
use net::{APPROVED, DAPP, Net, WALLET, hash, json};
use portico_walletconnect::client::{Event, Input};
use portico_walletconnect::crypto::{Envelope, KeyPair, SymKey, seal};
use portico_walletconnect::encoding::hex;
use proptest::prelude::*;

const IV: [u8; 12] = [3; 12];

/// Wallet that the test controls: it knows the pairing's key like any wallet, and can send anything.
struct Forger {
    pairing: String,
    key: SymKey,
    pair: KeyPair,
    session: SymKey,
    proposal: u64,
}

impl Forger {
    fn new(net: &mut Net, required: &str) -> Forger {
        let (uri, pairing) = net.propose(Some(required));
        let key = SymKey::from_hex(uri.split("symKey=").nth(1).unwrap().get(..64).unwrap()).unwrap();
        let message = net.relay().mailbox.last().unwrap().0.message.clone();
        let proposal = json(&Envelope::parse(&message).unwrap().open(&key).unwrap());
        let proposer = proposal.get("params").get("proposer").get("publicKey").as_str().unwrap().to_owned();
        let pair = KeyPair::from_secret([9; 32]);
        let session = pair.agree(&hex::decode32(&proposer).unwrap()).unwrap();
        Forger { pairing, key, pair, session, proposal: proposal.get("id").as_u64().unwrap() }
    }

    fn answer(&self, net: &mut Net) {
        let public = hex::encode(self.pair.public());
        let text = format!(
            r#"{{"id":{},"jsonrpc":"2.0","result":{{"relay":{{"protocol":"irn"}},"responderPublicKey":"{public}"}}}}"#,
            self.proposal
        );
        net.inject(DAPP, &self.pairing, &seal(&text, &self.key, IV), 1101);
    }

    fn settle(&self, net: &mut Net, id: u64, public: &str, namespaces: &str, expiry: u64) {
        let text = format!(
            r#"{{"id":{id},"jsonrpc":"2.0","method":"wc_sessionSettle","params":{{"relay":{{"protocol":"irn"}},
            "controller":{{"publicKey":"{public}","metadata":{{}}}},"namespaces":{namespaces},"expiry":{expiry}}}}}"#
        );
        net.inject(DAPP, &self.session.topic(), &seal(&text, &self.session, IV), 1102);
    }

    /// Error codes that the dapp sent on the session's topic.
    fn told(&self, net: &mut Net) -> Vec<i64> {
        let topic = self.session.topic();
        let said = net.relay().mailbox.iter().filter(|kept| kept.0.topic.as_str() == topic);
        let texts = said.filter_map(|kept| Envelope::parse(&kept.0.message).ok()?.open(&self.session).ok());
        texts.filter_map(|text| json(&text).get("error").get("code").as_i64()).collect()
    }
}

const REQUIRED: &str = r#"{"eip155":{"chains":["eip155:1"],"methods":["personal_sign"],"events":[]}}"#;

fn session_key(net: &Net, topic: &str) -> SymKey {
    let stored = json(&net.nodes[DAPP].stored[&format!("wc/session/{topic}")]);
    SymKey::from_hex(stored.get("symKey").as_str().unwrap()).unwrap()
}

fn rejections(net: &Net) -> Vec<i64> {
    let told = net.nodes[DAPP].told.iter();
    told.filter_map(|event| match event {
        Event::Rejected { code, .. } => Some(*code),
        _ => None,
    })
    .collect()
}

#[test]
fn a_settlement_with_fewer_rights_is_refused_and_leaves_nothing() {
    let mut net = Net::new();
    let healthy = net.session();
    for namespaces in [
        "{}",
        "null",
        r#"{"eip155":{"accounts":["eip155:1:0xab"],"methods":[],"events":[]}}"#,
        r#"{"eip155":{"accounts":["eip155:10:0xab"],"methods":["personal_sign"],"events":[]}}"#,
        r#"{"eip155":{"accounts":[],"methods":["personal_sign"],"events":[]}}"#,
        r#"{"cosmos":{"accounts":["cosmos:hub-4:ab"],"methods":["personal_sign"],"events":[]}}"#,
    ] {
        let forger = Forger::new(&mut net, REQUIRED);
        forger.answer(&mut net);
        let (public, expiry) = (hex::encode(forger.pair.public()), net.now / 1000 + 1000);
        let before = rejections(&net).len();
        forger.settle(&mut net, 1, &public, namespaces, expiry);
        assert_eq!(forger.told(&mut net), [7000], "{namespaces}");
        assert_eq!(rejections(&net)[before..], [7000]);
        assert!(!net.nodes[DAPP].stored.keys().any(|key| key.starts_with("wc/pairing/")));
    }
    assert!(net.serves(&healthy));
}

#[test]
fn a_settlement_by_another_key_or_over_its_time_is_refused() {
    let mut net = Net::new();
    for (public, seconds) in [(hex::encode(&[7; 32]), 1000), (String::new(), 1000), ("own".into(), 0)] {
        let forger = Forger::new(&mut net, REQUIRED);
        forger.answer(&mut net);
        let own = hex::encode(forger.pair.public());
        let expiry = net.now / 1000 + seconds;
        forger.settle(&mut net, 1, if public == "own" { &own } else { &public }, APPROVED, expiry);
        assert_eq!(forger.told(&mut net), [7000]);
    }
    assert!(net.settled(DAPP).is_none());
}

#[test]
fn a_second_settlement_is_refused_and_the_session_stays_as_it_is() {
    let mut net = Net::new();
    let forger = Forger::new(&mut net, REQUIRED);
    forger.answer(&mut net);
    let (public, expiry) = (hex::encode(forger.pair.public()), net.now / 1000 + 1000);
    forger.settle(&mut net, 1, &public, APPROVED, expiry);
    let first = net.settled(DAPP).expect("settled");
    let more = APPROVED.replace("personal_sign", "eth_sign");
    forger.settle(&mut net, 2, &public, &more, expiry + 1000);
    assert_eq!(forger.told(&mut net), [7000]);
    let Some(stored) = net.nodes[DAPP].stored.get(&format!("wc/session/{}", first.topic)) else { panic!() };
    assert_eq!(json(stored).get("session").get("expiry").as_u64(), Some(first.expiry));
    assert!(!stored.contains("eth_sign\""));
}

#[test]
fn a_settlement_before_an_answer_and_a_second_answer_change_nothing() {
    let mut net = Net::new();
    let forger = Forger::new(&mut net, REQUIRED);
    let (public, expiry) = (hex::encode(forger.pair.public()), net.now / 1000 + 1000);
    forger.settle(&mut net, 1, &public, APPROVED, expiry);
    assert!(net.settled(DAPP).is_none());
    forger.answer(&mut net);
    // A thief who photographed the QR code also responds, with a key of its own.
    let thief = KeyPair::from_secret([8; 32]);
    let text = format!(
        r#"{{"id":{},"jsonrpc":"2.0","result":{{"responderPublicKey":"{}"}}}}"#,
        forger.proposal,
        hex::encode(thief.public())
    );
    net.inject(DAPP, &forger.pairing, &seal(&text, &forger.key, [4; 12]), 1101);
    let refusal = format!(r#"{{"id":{},"jsonrpc":"2.0","error":{{"code":5000,"message":"No"}}}}"#, forger.proposal);
    net.inject(DAPP, &forger.pairing, &seal(&refusal, &forger.key, [5; 12]), 1120);
    assert_eq!(rejections(&net), [] as [i64; 0]);
    forger.settle(&mut net, 2, &public, APPROVED, expiry);
    assert_eq!(net.settled(DAPP).expect("settled with the first").topic, forger.session.topic());
}

#[test]
fn an_answer_counts_on_the_topic_of_its_request_alone() {
    let mut net = Net::new();
    let (first, second) = (net.session(), net.session());
    assert_ne!(first, second);
    let ticket = net.sign(&first);
    let id = net.requests()[0].id;
    let key = session_key(&net, &second);
    let text = format!(r#"{{"id":{id},"jsonrpc":"2.0","result":"stolen"}}"#);
    net.inject(DAPP, &second, &seal(&text, &key, IV), 1109);
    assert_eq!(net.given(DAPP, ticket), None);
    net.inject(DAPP, &first, &seal(&text, &session_key(&net, &first), IV), 1109);
    assert_eq!(net.given(DAPP, ticket), Some(Ok("stolen".into())));
}

#[test]
fn an_earlier_update_that_comes_late_changes_nothing() {
    let mut net = Net::new();
    let topic = net.session();
    let key = session_key(&net, &topic);
    let id = net.now * 1000 + 2000;
    for (id, chain) in [(id + 1, "eip155:10"), (id, "eip155:5")] {
        let namespaces = APPROVED.replace("eip155:1", chain);
        let text = format!(
            r#"{{"id":{id},"jsonrpc":"2.0","method":"wc_sessionUpdate","params":{{"namespaces":{namespaces}}}}}"#
        );
        net.inject(DAPP, &topic, &seal(&text, &key, [id as u8; 12]), 1104);
    }
    assert!(net.nodes[DAPP].stored[&format!("wc/session/{topic}")].contains("eip155:10:0x"));
    assert_eq!(net.nodes[DAPP].told.iter().filter(|event| matches!(event, Event::Updated { .. })).count(), 1);
}

#[test]
fn a_malformed_answer_ends_the_pairing_and_is_told() {
    let mut net = Net::new();
    for result in
        ["{}", r#"{"responderPublicKey":"00"}"#, "true", &format!(r#"{{"responderPublicKey":"{}"}}"#, "00".repeat(32))]
    {
        let forger = Forger::new(&mut net, REQUIRED);
        let before = rejections(&net).len();
        let text = format!(r#"{{"id":{},"jsonrpc":"2.0","result":{result}}}"#, forger.proposal);
        net.inject(DAPP, &forger.pairing, &seal(&text, &forger.key, IV), 1101);
        assert_eq!(rejections(&net)[before..], [7000], "{result}");
    }
}

#[test]
fn replayed_messages_are_not_heard_twice() {
    let mut net = Net::new();
    let topic = net.session();
    let ticket = net.sign(&topic);
    let request = net.requests()[0].clone();
    net.respond(&request, "1");
    assert!(net.given(DAPP, ticket).is_some());
    let all: Vec<_> = net.relay().mailbox.iter().map(|kept| kept.0.clone()).collect();
    let before = (net.nodes[DAPP].told.len(), net.nodes[WALLET].told.len());
    for node in [DAPP, WALLET] {
        for publication in &all {
            net.inject(node, publication.topic.as_str(), &publication.message, publication.tag);
        }
    }
    assert_eq!((net.nodes[DAPP].told.len(), net.nodes[WALLET].told.len()), before);
    net.reload(WALLET);
    let before = net.nodes[WALLET].told.len();
    for publication in &all {
        net.inject(WALLET, publication.topic.as_str(), &publication.message, publication.tag);
    }
    assert_eq!(net.nodes[WALLET].told.len(), before, "nor after a reload");
    assert!(net.serves(&topic));
}

#[test]
fn messages_that_do_not_open_do_not_exist() {
    let mut net = Net::new();
    let topic = net.session();
    let before = net.nodes[DAPP].told.len();
    let foreign =
        seal(r#"{"id":1,"jsonrpc":"2.0","method":"wc_sessionDelete","params":{}}"#, &SymKey::new([1; 32]), IV);
    let plain = "AnsiaWQiOjEsImpzb25ycGMiOiIyLjAiLCJtZXRob2QiOiJ3Y19zZXNzaW9uRGVsZXRlIn0=";
    for message in ["", "AA==", "!", plain, &foreign, &foreign[..40], &"A".repeat(2_000_000)] {
        net.inject(DAPP, &topic, message, 1112);
        net.inject(DAPP, &hash(message), message, 1112);
    }
    for text in ["", "{", "[]", "null", "{\"id\":1}", &"[".repeat(100_000), "\u{0}"] {
        let socket = net.nodes[DAPP].sockets[0].0;
        net.input(DAPP, Input::Message { socket, text: text.into() });
        net.input(DAPP, Input::Message { socket: 999, text: text.into() });
    }
    assert_eq!(net.nodes[DAPP].told.len(), before);
    assert!(net.serves(&topic));
}

#[test]
fn a_dapp_cannot_do_what_is_the_wallets() {
    let mut net = Net::new();
    let topic = net.session();
    let key = session_key(&net, &topic);
    let before = net.nodes[WALLET].told.len();
    for (id, method, params) in [
        (1, "wc_sessionUpdate", format!(r#"{{"namespaces":{APPROVED}}}"#)),
        (2, "wc_sessionExtend", "{}".into()),
        (3, "wc_sessionEvent", r#"{"event":{"name":"accountsChanged","data":[]},"chainId":"eip155:1"}"#.into()),
        (4, "wc_sessionSettle", "{}".into()),
        (5, "wc_sessionRequest", r#"{"request":{"method":"eth_sign","params":[]},"chainId":"eip155:1"}"#.into()),
        (6, "wc_sessionRequest", r#"{"request":{"method":"personal_sign"},"chainId":"eip155:2"}"#.into()),
        (
            7,
            "wc_sessionRequest",
            r#"{"request":{"method":"personal_sign","expiryTimestamp":1},"chainId":"eip155:1"}"#.into(),
        ),
        (8, "wc_nothing", "{}".into()),
    ] {
        let text = format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
        net.inject(WALLET, &topic, &seal(&text, &key, [id; 12]), 1104);
    }
    assert_eq!(net.nodes[WALLET].told.len(), before);
    assert!(net.serves(&topic));
}
proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_message_of_a_peer_breaks_either_side(
        method in "wc_(session|pairing)(Propose|Settle|Update|Extend|Request|Event|Delete|Ping|Authenticate)",
        params in r#"(\{("(namespaces|expiry|event|chainId|request|code|controller|proposer)":(null|1|"x"|\{\}|\[\]),){0,3}"a":1\}|null|\[\]|7)"#,
        on_pairing: bool,
    ) {
        let mut net = Net::new();
        let healthy = net.session();
        let forger = Forger::new(&mut net, REQUIRED);
        let key = session_key(&net, &healthy);
        let (topic, key) = if on_pairing { (forger.pairing, forger.key) } else { (healthy.clone(), key) };
        let text = format!(r#"{{"id":7,"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
        for node in [DAPP, WALLET] {
            net.inject(node, &topic, &seal(&text, &key, IV), 1104);
        }
        prop_assert!(net.serves(&healthy) || method == "wc_sessionDelete" && !on_pairing);
    }
}

#[test]
fn a_request_and_an_event_are_heard_once_however_late_they_are_said_again() {
    let mut net = Net::new();
    let topic = net.session();
    net.sign(&topic);
    let first = net.requests()[0].clone();
    net.respond(&first, "1");
    let emitted = |net: &Net| net.nodes[DAPP].told.iter().filter(|e| matches!(e, Event::Emitted { .. })).count();
    let emit = |net: &mut Net| {
        net.command(WALLET, |ticket| Input::Emit {
            ticket,
            topic: topic.clone(),
            chain_id: "eip155:1".into(),
            name: "accountsChanged".into(),
            data: json("[]"),
        });
    };
    emit(&mut net);
    let said =
        |net: &mut Net, tag| net.relay().mailbox.iter().find(|kept| kept.0.tag == tag).unwrap().0.message.clone();
    let (request, event) = (said(&mut net, 1108), said(&mut net, 1110));
    for _ in 0..140 {
        assert!(net.serves(&topic));
        emit(&mut net);
        net.pass(10);
    }
    let before = (net.requests().len(), emitted(&net));
    net.inject(WALLET, &topic, &request, 1108);
    net.inject(DAPP, &topic, &event, 1110);
    assert_eq!((net.requests().len(), emitted(&net)), before);
}

#[test]
fn a_proposal_under_the_id_of_another_does_not_take_its_place() {
    let mut net = Net::new();
    let (uri, _) = net.propose(None);
    net.pair(&uri);
    let first = net.proposal();
    let (uri, pairing) = net.propose(None);
    let key = SymKey::from_hex(uri.split("symKey=").nth(1).unwrap().split('&').next().unwrap()).unwrap();
    net.relay().down = true;
    net.pair(&uri);
    net.relay().down = false;
    let own = hex::encode(&[9; 32]);
    let payload = format!(
        r#"{{"id":{},"jsonrpc":"2.0","method":"wc_sessionPropose","params":{{"requiredNamespaces":{{}},"optionalNamespaces":{{}},
        "proposer":{{"publicKey":"{own}","metadata":{{}}}}}}}}"#,
        first.id
    );
    net.inject(WALLET, &pairing, &seal(&payload, &key, IV), 1100);
    assert_eq!(net.proposal(), first);
}

#[test]
fn an_update_that_the_dapp_refuses_is_undone_at_the_wallet_unless_it_took_it_before() {
    for (away, allowed) in [(true, "personal_sign"), (false, "eth_sign")] {
        let mut net = Net::new();
        let topic = net.session();
        let key = session_key(&net, &topic);
        net.nodes[DAPP].offline = away;
        net.cut(&[DAPP]);
        let namespaces = portico_json::Read::read(&json(&APPROVED.replace("personal_sign", "eth_sign"))).unwrap();
        let given = net.command(WALLET, |ticket| Input::Update { ticket, topic: topic.clone(), namespaces });
        assert!(given.expect("taken").is_ok());
        net.pass(5000);
        let said = net.relay().mailbox.iter().rfind(|kept| kept.0.tag == 1104).unwrap();
        let asked = json(&Envelope::parse(&said.0.message).unwrap().open(&key).unwrap());
        let id = asked.get("id").as_u64().unwrap();
        let text = format!(r#"{{"id":{id},"jsonrpc":"2.0","error":{{"code":1003,"message":"No"}}}}"#);
        net.inject(WALLET, &topic, &seal(&text, &key, IV), 1105);
        let Some(Event::Updated { session }) =
            net.nodes[WALLET].told.iter().rfind(|event| matches!(event, Event::Updated { .. }))
        else {
            panic!("not told");
        };
        assert_eq!(session.namespaces.get("eip155").unwrap().methods, [allowed]);
        assert!(net.nodes[WALLET].stored[&format!("wc/session/{topic}")].contains(allowed));
    }
}
