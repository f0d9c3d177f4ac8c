use super::*;

fn entries(pairs: &[(&str, &str)]) -> Vec<StoredEntry> {
    pairs.iter().map(|(key, value)| StoredEntry { key: (*key).into(), value: (*value).into() }).collect()
}

#[test]
fn what_was_written_is_read_again() {
    let connections = vec![StoredConnection {
        namespace: Namespace::Eip155,
        connector: "io.example".into(),
        wallet: None,
        account: None,
    }];
    let stored = read(&entries(&[
        (keys::VERSION, "1"),
        (keys::CONNECTIONS, &text(&connections)),
        (keys::ACTIVE_NETWORK, "eip155:1"),
    ]));
    assert_eq!(stored.connections, connections);
    assert_eq!(stored.network, Some(ChainId::eip155(1)));
}

#[test]
fn hostile_values_count_as_absent_and_do_not_cost_the_good_ones() {
    let list = r#"[{"namespace":"eip155","connector":"good"},{"namespace":"evil","connector":"x"},7,null,{"namespace":"solana"}]"#;
    let stored = read(&entries(&[
        (keys::VERSION, "1"),
        (keys::CONNECTIONS, list),
        (keys::ACTIVE_NETWORK, "__proto__"),
        (keys::RECENT_WALLETS, "{"),
    ]));
    assert_eq!(stored.connections.len(), 1);
    assert_eq!(stored.connections[0].connector, "good");
    assert_eq!((stored.network, stored.recent), (None, vec![]));
}

#[test]
fn spec_4_2_connections_of_appkit_come_back_in_every_namespace_but_those_that_cannot() {
    let [status, _, _, evm, solana, bitcoin, polkadot] = keys::FOREIGN;
    let of = |pairs: &[(&str, &str)]| {
        let stored = read(&entries(pairs)).connections;
        stored.iter().map(|stored| format!("{} {}", stored.namespace.word(), stored.connector)).collect::<Vec<_>>()
    };
    let used =
        [(status, "connected"), (evm, "io.metamask"), (solana, "Phantom"), (bitcoin, "Xverse"), (polkadot, "talisman")];
    assert_eq!(of(&used), ["eip155 io.metamask", "solana Phantom", "bip122 Xverse", "polkadot talisman"]);
    assert!(of(&[(status, "disconnected"), (evm, "io.metamask")]).is_empty());
    for gone in GONE {
        assert!(of(&[(status, "connected"), (evm, gone), (solana, gone)]).is_empty(), "{gone}");
    }
}

#[test]
fn every_key_that_the_page_reads_at_boot_is_looked_at() {
    let list = r#"[{"namespace":"eip155","connector":"good","id":"good","name":"Good","address":"0x1","at":1}]"#;
    let ours = [
        (keys::VERSION, "1"),
        (keys::CONNECTIONS, list),
        (keys::ACTIVE_NETWORK, "eip155:1"),
        (keys::RECENT_WALLETS, list),
        (keys::USED_CONNECTIONS, list),
        (keys::IDENTITIES, list),
        (keys::DEEP_LINK, r#"{"href":"good://","name":"Good"}"#),
        (keys::PENDING, r#"{"chain":"eip155:1","address":"0x","amount":"1","symbol":"E","since":1}"#),
        (keys::PENDING_SWAPS, r#"[{"hash":"0x"}]"#),
        (keys::ASKED_TO_SEND, r#"{"chain":"eip155:1","address":"0x","since":1}"#),
        (keys::ASKED_TO_SEND_ON_SOLANA, r#"{"chain":"eip155:1","address":"0x","since":1}"#),
        (keys::ASKED_TO_SWAP, r#"{"chain":"eip155:1","address":"0x","since":1}"#),
        (keys::SIGN_OUT, "1 eip155:1:0x"),
        (keys::PLACE, "DE"),
        (keys::PURCHASE, r#"{"provider":"coinbase"}"#),
        (keys::PAIRING, r#"{"topic":"a","uri":"wc:a@2","until":1,"opened":true}"#),
        (keys::EMAIL_USED, "true"),
        (keys::EMAIL, "a@example.org"),
        (keys::LAST_CHAIN, "eip155:1"),
        (keys::EMAIL_TIME, "1"),
        (keys::PREFERRED_KIND, "eoa"),
    ];
    let [status, network, recent, evm, solana, bitcoin, polkadot] = keys::FOREIGN;
    let mut theirs = vec![(status, "connected"), (network, "eip155:1"), (recent, list)];
    theirs.extend([evm, solana, bitcoin, polkadot].map(|key| (key, "good")));
    for key in keys::ALL {
        let matters = [ours.as_slice(), &theirs].iter().any(|all| {
            let without: Vec<_> = all.iter().copied().filter(|(other, _)| *other != key).collect();
            read(&entries(&without)) != read(&entries(all))
        });
        assert!(matters, "{key}");
    }
}

#[test]
fn another_version_starts_clean() {
    let list = r#"[{"namespace":"eip155","connector":"good"}]"#;
    assert_eq!(read(&entries(&[(keys::VERSION, "2"), (keys::CONNECTIONS, list)])), Stored::default());
}

#[test]
fn a_visitor_who_was_connected_through_appkit_stays_connected() {
    let foreign = [
        ("@appkit/connection_status", "connected"),
        ("@appkit/eip155:connected_connector_id", "io.metamask"),
        ("@appkit/active_caip_network_id", "eip155:10"),
        ("@appkit/recent_wallets", r#"[{"id":"c57c","name":"MetaMask","rdns":"io.metamask"}]"#),
    ];
    let stored = read(&entries(&foreign));
    assert_eq!(
        stored.connections,
        [StoredConnection {
            namespace: Namespace::Eip155,
            connector: "io.metamask".into(),
            wallet: None,
            account: None
        }]
    );
    assert_eq!(stored.network, Some(ChainId::eip155(10)));
    assert_eq!(
        stored.recent,
        [RecentWallet { id: "io.metamask".into(), name: "MetaMask".into(), wallet: Value::Null }]
    );
    let mut with_ours = entries(&foreign);
    with_ours.extend(entries(&[(keys::VERSION, "1")]));
    assert_eq!(read(&with_ours), Stored::default());
}

#[test]
fn pending_transactions_are_told_by_their_namespace() {
    let name = |rest: &str| [keys::PENDING, rest].concat();
    let names = [name("0xab"), name("solana/5f"), name("bip122/cd"), name("evil/0xab"), name("solana/a/b")];
    let mut all = vec![(keys::VERSION, "1")];
    all.extend(names.iter().map(|name| (name.as_str(), "{}")));
    let stored = read(&entries(&all));
    let of = |namespace| stored.pending_of(namespace).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    assert_eq!(of(Namespace::Eip155), ["0xab", "evil/0xab"]);
    assert_eq!(of(Namespace::Solana), ["5f", "a/b"]);
    assert_eq!(of(Namespace::Bip122), ["cd"]);
}
