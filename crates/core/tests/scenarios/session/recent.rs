//! Scenarios of a session's wallet: its place among the recent wallets, its link and its picture.

use super::*;

#[test]
fn spec_2_17_the_entry_is_hidden_while_connected_through_it() {
    let entry = |world: &World| {
        let groups = world.snapshot().wallets.groups;
        groups.iter().any(|group| group.items.iter().any(|item| item.id == "walletConnect"))
    };
    let mut world = connected();
    assert!(!entry(&world));
    disconnect(&mut world, None);
    world.open(None);
    assert!(entry(&world));
}

#[test]
fn spec_3_20_a_remote_wallet_is_among_the_recent_ones_and_leads_to_itself_again() {
    let mut world = paired(&options());
    world.modal(Modal::BackAsked);
    world.choose("io.metamask");
    world.remote.name = "MetaMask Wallet".into();
    world.remote_approves();
    disconnect(&mut world, None);
    world.come_back();
    let groups = world.snapshot().wallets.groups;
    let recent = groups.iter().find(|group| group.kind.word() == "recent").unwrap();
    assert_eq!((recent.items[0].id.as_str(), recent.items[0].recent), ("io.metamask", true));
    let all = groups.iter().flat_map(|group| &group.items).filter(|item| item.id == "io.metamask").count();
    assert_eq!(all, 1);
    world.choose("io.metamask");
    assert_eq!(world.pairing().wallet.unwrap().name, "MetaMask");
}

#[test]
fn spec_3_8_the_host_sees_a_recent_remote_wallet_with_its_ids_in_the_directory() {
    let mut world = paired(&options());
    world.modal(Modal::BackAsked);
    world.choose("io.metamask");
    world.remote_approves();
    disconnect(&mut world, None);
    world.come_back();
    let wallets = world.snapshot().wallets;
    let recent = wallets.groups.iter().find(|group| group.kind.word() == "recent").unwrap();
    let connector = wallets.connectors.iter().find(|one| one.id == "io.metamask").unwrap();
    // The host's list of connectors finds the one behind an entry by both.
    assert_eq!((&connector.handle, &connector.id), (&recent.items[0].handle, &recent.items[0].id));
    assert_eq!((connector.kind, connector.chain), (ConnectorKind::WalletConnect, Namespace::Eip155));
    assert_eq!((connector.name.as_str(), connector.rdns.as_deref()), ("MetaMask", Some("io.metamask")));
    assert_eq!(
        (connector.explorer_id.as_deref(), connector.image_id.as_deref()),
        (Some("io.metamask"), Some("8a879a6434e98215"))
    );
}

#[test]
fn a_host_connects_a_recent_remote_wallet_by_the_id_under_which_it_is_listed() {
    let mut world = paired(&options());
    world.modal(Modal::BackAsked);
    world.choose("io.metamask");
    world.remote_approves();
    disconnect(&mut world, None);
    world.reload();
    world.connecting(Connect::ConnectAsked { connector: Some("io.metamask".into()), namespace: None, ticket: 4 });
    assert_eq!(world.pairing().wallet.unwrap().name, "MetaMask");
    assert_eq!(world.answer(4), None);
    world.remote_approves();
    assert!(world.answer(4).unwrap().contains(REMOTE));
    world.connecting(Connect::ConnectAsked { connector: Some("nobody".into()), namespace: None, ticket: 5 });
    assert!(world.answer(5).unwrap().contains("connectorNotFound"));
}

#[test]
fn spec_3_20_the_wallet_that_answers_to_a_code_for_any_is_remembered_where_the_directory_knows_it() {
    let mut world = paired(&options());
    world.remote.name = "Rainbow".into();
    world.remote_approves();
    assert!(world.store.values["@portico/recent_wallets"].contains("me.rainbow"));
    let world = connected();
    assert!(!world.store.values["@portico/recent_wallets"].contains("Pocket"), "a stranger has no way back");
}

#[test]
fn spec_3_20_what_was_stored_of_a_recent_wallet_is_hostile_until_read() {
    let mut world = paired(&options());
    let evil = r#"[{"id":"evil","name":"Evil","wallet":{"id":"evil","name":"Evil","mobile_link":"javascript:alert(1)//"}},{"id":"x","name":"X","wallet":7}]"#;
    world.store.values.insert("@portico/version".into(), "1".into());
    world.store.values.insert("@portico/recent_wallets".into(), evil.into());
    world.come_back();
    world.choose("evil");
    world.connecting(Connect::LinkAsked);
    assert!(world.remote.links.is_empty());
}

#[test]
fn a_wallet_that_was_opened_by_its_link_is_brought_to_the_front_by_it_later() {
    let phone = || {
        let mut world = World::with(&with_relay(&options()), vec![], Store::default());
        world.environment.mobile = true;
        world.come_back();
        world.choose("io.metamask");
        world.connecting(Connect::LinkAsked);
        world
    };
    let link = |world: &World| world.remote.watched[0].1.clone();
    let mut world = phone();
    world.remote_approves();
    let topic = world.remote.watched[0].0.rsplit(':').next().unwrap().to_string();
    assert_eq!(link(&world), Some(format!("metamask://wc?sessionTopic={topic}")));
    assert_eq!(tracked(&world, "CONNECT_SUCCESS")[0].get("method").as_str(), Some("mobile"));
    world.reload();
    assert_eq!(link(&world), Some(format!("metamask://wc?sessionTopic={topic}")));
    // A wallet that disables deep links is not opened by its link.
    let mut quiet = phone();
    quiet.remote.no_link = true;
    quiet.remote_approves();
    assert_eq!(link(&quiet), None);
    // The stored link is hostile.
    world.store.values.insert(CHOICE.into(), r#"{"href":"javascript://x/","name":"x"}"#.into());
    world.reload();
    assert_eq!(link(&world), None);
}

#[test]
fn a_link_that_was_opened_in_vain_is_not_the_way_to_the_wallet_that_answered_elsewhere() {
    let mut world = paired(&options());
    world.store.values.insert(CHOICE.into(), r#"{"href":"other://","name":"Other"}"#.into());
    world.come_back();
    world.choose("walletConnect");
    world.remote_approves();
    assert_eq!(world.remote.watched[0].1, None);
    assert!(!world.store.values.contains_key(CHOICE), "nor after a reload");
}

#[test]
fn after_a_reload_a_session_wears_the_picture_of_its_own_wallet_or_none() {
    let stored = |world: &World| world.store.values["@portico/connections"].clone();
    let mut world = paired(&options());
    world.modal(Modal::BackAsked);
    world.choose("io.metamask");
    world.remote.name = "MetaMask Wallet".into();
    world.remote_approves();
    let known = r#"[{"namespace":"eip155","connector":"walletConnect","wallet":"io.metamask","account":null}]"#;
    assert_eq!(stored(&world), known);
    world.reload();
    assert_eq!(stored(&world), known, "whatever it calls itself");
    // Another wallet, which the directory does not know.
    disconnect(&mut world, None);
    world.remote.name = "Unheard Of".into();
    world.open(None);
    world.choose("walletConnect");
    world.remote_approves();
    for _ in 0..2 {
        assert!(!stored(&world).contains("io.metamask"), "{}", stored(&world));
        assert_eq!(world.snapshot().account.accounts[0].connected_wallet_info.as_ref().unwrap().name, "Unheard Of");
        world.reload();
    }
}
