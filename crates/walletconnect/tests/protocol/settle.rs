//! From a URI to a session: refusals and silence first.

use crate::net;
use net::{APPROVED, DAPP, Net, RELAY, SECOND, WALLET};
use portico_walletconnect::client::{Event, Input};
use portico_walletconnect::relay::RelayFault;

#[test]
fn a_pairing_is_there_before_any_relay_has_answered() {
    let mut net = Net::new();
    net.relay().down = true;
    let (uri, topic) = net.propose(None);
    assert!(uri.starts_with(&format!("wc:{topic}@2?")) && uri.contains("&symKey="));
    assert!(net.nodes[DAPP].opened[0].starts_with(&format!("{RELAY}/?auth=ey")));
}

#[test]
fn a_pairing_that_nobody_scans_expires_and_leaves_nothing() {
    let mut net = Net::new();
    let (_, topic) = net.propose(None);
    net.pass(299_000);
    assert!(!net.nodes[DAPP].told.iter().any(|event| matches!(event, Event::ProposalExpired { .. })));
    net.pass(2000);
    assert!(net.nodes[DAPP].told.contains(&Event::ProposalExpired { pairing_topic: topic }));
    assert_eq!(net.nodes[DAPP].stored.keys().map(String::as_str).collect::<Vec<_>>(), ["wc/key"]);
    net.pass(11_000);
    assert!(net.nodes[DAPP].sockets.is_empty(), "an idle socket is closed");
}

#[test]
fn a_cancelled_pairing_is_not_told_about() {
    let mut net = Net::new();
    let (_, topic) = net.propose(None);
    assert!(net.command(DAPP, |ticket| Input::CancelPairing { ticket, topic }).unwrap().is_ok());
    net.pass(400_000);
    assert!(!net.nodes[DAPP].told.iter().any(|event| matches!(event, Event::ProposalExpired { .. })));
}

#[test]
fn a_refusal_reaches_the_dapp_with_its_code() {
    let mut net = Net::new();
    let (uri, topic) = net.propose(None);
    net.pair(&uri);
    let proposal = net.proposal().id;
    let given = net.command(WALLET, |ticket| Input::Reject { ticket, proposal, code: None, message: None });
    assert!(given.unwrap().is_ok());
    let refused = Event::Rejected { pairing_topic: topic, code: 5000, message: "User rejected.".into() };
    assert!(net.nodes[DAPP].told.contains(&refused));
    let again = net.command(WALLET, |ticket| Input::Reject { ticket, proposal, code: None, message: None });
    assert_eq!(again.unwrap().unwrap_err().0, 6);
}

#[test]
fn a_wallet_cannot_approve_less_than_is_required() {
    let mut net = Net::new();
    let (uri, _) = net.propose(Some(r#"{"eip155":{"chains":["eip155:1"],"methods":["eth_sign"],"events":[]}}"#));
    net.pair(&uri);
    assert_eq!(net.approve(APPROVED), Some(Err((5002, "All methods must be approved".into()))));
    assert!(net.settled(DAPP).is_none());
}

#[test]
fn an_expired_or_malformed_uri_is_refused() {
    let mut net = Net::new();
    let (uri, _) = net.propose(None);
    net.pass(600_000);
    for (uri, code) in [(uri.as_str(), 6), ("wc:nothing", 5), ("", 5)] {
        let given = net.command(WALLET, |ticket| Input::Pair { ticket, uri: uri.into() });
        assert_eq!(given.unwrap().unwrap_err().0, code);
    }
}

#[test]
fn both_sides_hold_the_same_session_after_approval() {
    let mut net = Net::new();
    let (uri, pairing) = net.propose(None);
    net.pair(&uri);
    let proposal = net.proposal();
    assert_eq!((proposal.proposer.metadata.name.as_str(), proposal.pairing_topic.as_str()), ("Dapp", pairing.as_str()));
    let given = net.approve(APPROVED).expect("answered").unwrap();
    let (dapp, wallet) = (net.settled(DAPP).unwrap(), net.settled(WALLET).unwrap());
    assert_eq!(given.get("topic").as_str(), Some(dapp.topic.as_str()));
    assert_eq!((&dapp.topic, &dapp.namespaces, dapp.expiry), (&wallet.topic, &wallet.namespaces, wallet.expiry));
    assert_eq!((&dapp.own, &dapp.peer), (&wallet.peer, &wallet.own));
    assert_eq!(dapp.controller, wallet.own.public_key);
    assert!(dapp.acknowledged && wallet.acknowledged);
    assert_eq!(dapp.peer.metadata.name, "Wallet");
    for node in [DAPP, WALLET] {
        let keys: Vec<_> = net.nodes[node].stored.keys().cloned().collect();
        assert_eq!(keys, ["wc/key".into(), format!("wc/seen/{}", dapp.topic), format!("wc/session/{}", dapp.topic)]);
    }
    // Tags of all messages up to the settlement, as every relay sees them.
    for tag in [1100, 1101, 1102, 1103] {
        assert_eq!(net.relay().tagged(tag), 1, "{tag}");
    }
}

#[test]
fn a_session_lives_on_the_relay_on_which_the_wallet_answered() {
    let mut net = Net::on(&[RELAY, SECOND], &[SECOND]);
    let topic = net.session();
    assert_eq!(net.settled(DAPP).unwrap().relay_url, SECOND);
    assert!(net.serves(&topic));
    net.pass(20_000);
    assert_eq!(net.nodes[DAPP].sockets.iter().map(|open| open.1.as_str()).collect::<Vec<_>>(), [SECOND]);
}

#[test]
fn a_wallet_that_hears_a_proposal_on_two_relays_is_asked_once() {
    let mut net = Net::on(&[RELAY, SECOND], &[SECOND, RELAY]);
    let topic = net.session();
    let asked = net.nodes[WALLET].told.iter().filter(|event| matches!(event, Event::Proposed { .. })).count();
    assert_eq!(asked, 1);
    assert!(net.serves(&topic));
}

#[test]
fn a_wallet_that_pairs_before_the_dapp_reached_its_relay_is_asked_when_it_does() {
    let mut net = Net::new();
    net.nodes[DAPP].offline = true;
    let (uri, _) = net.propose(None);
    net.pair(&uri);
    net.nodes[DAPP].offline = false;
    net.pass(5000);
    assert!(net.approve(APPROVED).unwrap().is_ok());
    assert!(net.settled(DAPP).is_some());
}

#[test]
fn a_page_that_is_reloaded_while_the_wallet_decides_hears_of_the_session() {
    let mut net = Net::new();
    let (uri, _) = net.propose(None);
    net.pair(&uri);
    net.reload(DAPP);
    net.reload(WALLET);
    let Some(Event::Started { proposals, .. }) = net.nodes[WALLET].told.first().cloned() else { panic!() };
    net.nodes[WALLET].told.push(Event::Proposed { proposal: proposals[0].clone() });
    assert!(net.approve(APPROVED).unwrap().is_ok());
    let topic = net.settled(DAPP).unwrap().topic;
    assert!(net.serves(&topic));
}

#[test]
fn an_approval_is_answered_when_its_session_ends_meanwhile() {
    let mut net = Net::new();
    let (uri, _) = net.propose(None);
    net.pair(&uri);
    net.relay().fault = Some(RelayFault::TooManyRequests);
    let (ticket, topic) = net.approve_unheard();
    net.command(WALLET, |ticket| Input::Delete { ticket, topic, code: None, message: None });
    net.relay().fault = None;
    net.pass(61_000);
    assert_eq!(net.given(WALLET, ticket).expect("answered").unwrap_err().0, 7000);
}

#[test]
fn a_refusal_that_waits_is_answered_when_its_pairing_is_cancelled() {
    let mut net = Net::new();
    let (uri, topic) = net.propose(None);
    net.pair(&uri);
    net.relay().fault = Some(RelayFault::TooManyRequests);
    let (refusal, proposal) = (net.ticket(), net.proposal().id);
    net.input(WALLET, Input::Reject { ticket: refusal, proposal, code: None, message: None });
    net.command(WALLET, |ticket| Input::CancelPairing { ticket, topic });
    assert!(net.given(WALLET, refusal).expect("answered").is_err());
}

#[test]
fn a_settlement_that_nobody_confirms_ends_after_five_minutes() {
    let mut net = Net::new();
    let (uri, _) = net.propose(None);
    net.pair(&uri);
    net.nodes[DAPP].offline = true;
    net.cut(&[DAPP]);
    let topic = net.approve(APPROVED).expect("answered").unwrap().get("topic").as_str().unwrap().to_owned();
    net.pass(299_000);
    assert!(net.nodes[WALLET].stored.contains_key(&format!("wc/session/{topic}")));
    net.pass(2000);
    assert!(!net.nodes[WALLET].stored.contains_key(&format!("wc/session/{topic}")));
    assert!(net.nodes[WALLET].told.iter().any(|event| matches!(event, Event::Deleted { code: 7000, .. })));
}

#[test]
fn a_proposal_that_ends_before_its_pairing_is_taken_back_once() {
    let mut net = Net::new();
    let (uri, topic) = net.propose(None);
    let (head, expiry) = uri.split_once("expiryTimestamp=").unwrap();
    let (expiry, rest) = expiry.split_at(10);
    let later = expiry.parse::<u64>().unwrap() + 60;
    net.pair(&format!("{head}expiryTimestamp={later}{rest}"));
    net.proposal();
    net.pass(400_000);
    let ended = net.nodes[WALLET]
        .told
        .iter()
        .filter(|event| **event == Event::ProposalExpired { pairing_topic: topic.clone() });
    assert_eq!(ended.count(), 1);
    assert_eq!(net.nodes[WALLET].stored.keys().map(String::as_str).collect::<Vec<_>>(), ["wc/key"]);
}
