//! Statements of a relay about the page that a message comes from, as a wallet reads them.

use crate::net;
use net::{DAPP, Net, WALLET};
use portico_walletconnect::client::{Event, Input, Verification};
use portico_walletconnect::jwt::ClientKey;

fn key(seed: u8) -> ClientKey {
    ClientKey::from_seed(&[seed; 32])
}

/// Network whose wallet trusts the relay's key; the relay attests an origin with the key of a seed.
fn attesting(seed: u8, origin: &'static str) -> Net {
    let mut net = Net::new();
    net.nodes[WALLET].trust(&key(7));
    net.reload(WALLET);
    net.relay().attests = Some((key(seed), origin));
    net
}

fn proposed(mut net: Net) -> Verification {
    let (uri, _) = net.propose(None);
    net.pair(&uri);
    net.proposal().verification
}

#[test]
fn a_proposal_from_the_page_that_it_names_is_verified() {
    let origin = "https://example.org".to_owned();
    assert_eq!(proposed(attesting(7, "https://example.org")), Verification::Verified { origin });
}

#[test]
fn a_proposal_from_another_page_than_it_names_is_a_mismatch_that_names_the_page() {
    let origin = "https://example.org.evil.test".to_owned();
    assert_eq!(proposed(attesting(7, "https://example.org.evil.test")), Verification::Mismatch { origin });
}

#[test]
fn a_statement_of_another_key_or_without_a_known_key_or_none_leaves_a_proposal_unverified() {
    assert_eq!(proposed(attesting(8, "https://example.org")), Verification::Unverified);
    let mut keyless = Net::new();
    keyless.relay().attests = Some((key(7), "https://example.org"));
    assert_eq!(proposed(keyless), Verification::Unverified);
    let mut silent = attesting(7, "https://example.org");
    silent.relay().attests = None;
    assert_eq!(proposed(silent), Verification::Unverified);
}

#[test]
fn each_request_is_verified_by_its_own_statement_and_keeps_it_over_a_reload() {
    let mut net = attesting(7, "https://example.org");
    let topic = net.session();
    net.sign(&topic);
    net.relay().attests = Some((key(7), "https://evil.test"));
    net.sign_text(&topic, "another");
    let seen = |net: &Net| net.requests().into_iter().map(|request| request.verification).collect::<Vec<_>>();
    let expected = vec![
        Verification::Verified { origin: "https://example.org".into() },
        Verification::Mismatch { origin: "https://evil.test".into() },
    ];
    assert_eq!(seen(&net), expected);
    net.reload(WALLET);
    let kept = net.nodes[WALLET].told.iter().find_map(|event| match event {
        Event::Started { requests, .. } => Some(requests.clone()),
        _ => None,
    });
    let kept: Vec<Verification> = kept.unwrap().into_iter().map(|request| request.verification).collect();
    assert_eq!(kept, expected);
}

#[test]
fn a_sign_in_to_another_host_than_the_page_s_is_a_mismatch() {
    for (domain, aud, verified) in [
        ("example.org", "https://example.org/login", true),
        ("bank.test", "https://example.org/login", false),
        ("example.org", "https://bank.test/login", false),
    ] {
        let mut net = attesting(7, "https://example.org");
        let given = net.command(DAPP, |ticket| Input::Authenticate {
            ticket,
            chains: vec!["eip155:1".into()],
            domain: domain.into(),
            aud: aud.into(),
            nonce: "n0nc3n0nc3".into(),
            statement: None,
            methods: None,
            resources: None,
            exp: None,
            nbf: None,
            request_id: None,
            optional_namespaces: None,
        });
        let given = given.unwrap().unwrap();
        net.pair(given.get("uri").as_str().unwrap());
        let asked = net.nodes[WALLET].told.iter().find_map(|event| match event {
            Event::AuthenticateAsked { request } => Some(request.verification.clone()),
            _ => None,
        });
        let origin = "https://example.org".to_owned();
        let expected = if verified { Verification::Verified { origin } } else { Verification::Mismatch { origin } };
        assert_eq!(asked, Some(expected), "{domain} {aud}");
    }
}
