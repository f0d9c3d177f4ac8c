//! Scenarios of a session's networks, and the requests sent to one.

use super::*;

#[test]
fn spec_3_2_the_approved_networks_are_those_of_the_session_and_the_others_are_not_supported() {
    let mut world = paired(&options());
    let before = world.snapshot().network.chains[0].network_state.clone();
    assert!(before.supports_all_networks && before.approved_caip_network_ids.is_empty());
    world.remote.accounts.truncate(1);
    world.remote_approves();
    let state = world.snapshot().network.chains[0].network_state.clone();
    assert!(!state.supports_all_networks);
    assert_eq!(to_text(&state.approved_caip_network_ids), r#"["eip155:31337"]"#);
    assert_eq!(state.requested_caip_networks.len(), 2);
    disconnect(&mut world, None);
    assert_eq!(world.snapshot().network.chains[0].network_state, before);
}

#[test]
fn spec_3_2_a_browser_wallet_after_a_session_supports_all_networks_again() {
    let mut world = connected();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Connect });
    world.choose("example.alpha");
    let state = world.snapshot().network.chains[0].network_state.clone();
    assert!(state.supports_all_networks && state.approved_caip_network_ids.is_empty());
    assert_eq!(world.remote.ended.len(), 1, "the session that nothing reaches any more is ended");
}

#[test]
fn the_network_in_use_stays_where_the_session_approves_it_else_the_first_that_it_does_is_in_use() {
    let on = |world: &World| world.snapshot().network.active.unwrap().id;
    let mut world = paired(&options());
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    world.remote_approves();
    assert_eq!(on(&world), "31338");
    let mut world = paired(&options());
    world.remote.accounts.remove(0);
    world.remote_approves();
    assert_eq!(on(&world), "31338");
}

#[test]
fn an_account_of_a_session_that_is_no_address_of_solana_connects_nothing_there() {
    for (address, status) in [
        (SOLANA_ACCOUNT, Status::Connected),
        // Base58 of 31 bytes.
        ("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4B", Status::Disconnected),
    ] {
        let mut world = paired(&every_namespace());
        world.remote.accounts.push(format!("{SOLANA}:{address}"));
        world.remote_approves();
        let snapshot = world.snapshot();
        let of = |namespace| snapshot.account.accounts.iter().find(|one| one.namespace == namespace).unwrap().status;
        assert_eq!((of(Namespace::Eip155), of(Namespace::Solana)), (Status::Connected, status), "{address}");
    }
}

#[test]
fn the_provider_of_a_session_stands_where_the_modal_does() {
    let stands =
        |world: &World| world.remote.watched.iter().map(|(.., chain)| chain.clone().unwrap()).collect::<Vec<_>>();
    let mut world = paired(&options());
    world.remote.accounts.reverse();
    world.remote_approves();
    assert_eq!(world.snapshot().network.active.unwrap().caip_network_id.to_string(), "eip155:31337");
    assert_eq!(stands(&world), ["eip155:31337"], "not the first that the wallet names");
    world.remote_changes(&[&format!("eip155:31338:{REMOTE}")]);
    assert_eq!(stands(&world), ["eip155:31338"]);
    world.reload();
    assert_eq!(stands(&world), ["eip155:31338"]);
    assert_eq!(
        stands(&everywhere()).iter().map(|chain| chain.split(':').next().unwrap()).collect::<Vec<_>>(),
        ["polkadot", "bip122", "solana", "eip155"]
    );
}

#[test]
fn a_session_on_a_network_that_the_host_does_not_serve_is_unsupported() {
    let mut world = paired(&options());
    world.remote.accounts = vec![format!("eip155:999:{REMOTE}")];
    world.remote_approves();
    assert_eq!(world.snapshot().network.unsupported.map(|chain| chain.to_string()).as_deref(), Some("eip155:999"));
    assert_eq!(world.snapshot().modal.view, View::UnsupportedChain);
}

#[test]
fn a_network_that_the_session_approves_is_switched_to_and_another_one_is_refused() {
    let mut world = connected();
    world.dispatch(Event::Network(Network::SwitchAsked { network: "eip155:31338".into(), ticket: Some(1) }));
    assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":null}]"#);
    assert_eq!(world.snapshot().network.active.unwrap().id, "31338");
    let mut world = paired(&options());
    world.remote.accounts.truncate(1);
    world.remote_approves();
    world.dispatch(Event::Network(Network::SwitchAsked { network: "eip155:31338".into(), ticket: Some(1) }));
    assert!(world.answer(1).unwrap().contains("rejected"));
    assert_eq!(world.snapshot().network.active.unwrap().id, "31337");
}

fn asked(world: &mut World, chain: &str) -> String {
    world.dispatch(Event::Network(Network::SwitchAsked { network: Value::Text(chain.into()), ticket: Some(4) }));
    world.answers.remove(&4).map(|answers| to_text(&answers)).unwrap_or_default()
}

#[test]
fn a_network_outside_evm_is_switched_to_where_the_session_approves_it_and_its_provider_follows() {
    let mut world = everywhere();
    let before = to_text(&world.snapshot().network);
    let refused = asked(&mut world, OTHER_SOLANA);
    assert!(refused.contains("unsupportedChain") && refused.contains("4902"), "{refused}");
    assert_eq!(to_text(&world.snapshot().network), before);
    let both = [SOLANA, OTHER_SOLANA].map(|chain| format!("{chain}:{SOLANA_ACCOUNT}"));
    world.remote_changes(&[&both[0], &both[1], &format!("eip155:31337:{REMOTE}")]);
    assert!(asked(&mut world, OTHER_SOLANA).contains("resolved"));
    let stands = |world: &World, namespace: &str| {
        let of = |(handle, ..): &&(String, _, Option<String>)| handle.contains(namespace);
        world.remote.watched.iter().find(of).unwrap().2.clone().unwrap()
    };
    assert_eq!(stands(&world, ":solana:"), OTHER_SOLANA);
    assert_eq!(world.snapshot().network.active.unwrap().caip_network_id.to_string(), OTHER_SOLANA);
    assert!(world.remote.requests.is_empty(), "no method is there to ask the wallet by");
    assert_eq!(stands(&world, ":eip155:"), "eip155:31337");
}

#[test]
fn a_wallet_that_switches_a_namespace_that_is_not_in_use_is_followed_there() {
    let mut world = everywhere();
    assert!(asked(&mut world, SOLANA).contains("resolved"));
    let handle = world.remote.watched.iter().find(|(handle, ..)| handle.contains(":eip155:")).unwrap().0.clone();
    let says = |world: &mut World, chain: &str| {
        world.dispatch(Event::Network(Network::ChainChanged { handle: handle.clone(), chain: chain.into() }))
    };
    says(&mut world, "0x7a6a");
    let network = world.snapshot().network;
    assert_eq!(network.active.unwrap().caip_network_id.to_string(), SOLANA, "the namespace in use stays");
    assert_eq!(network.chains[0].network_state.caip_network.as_ref().unwrap().to_string(), "eip155:31338");
    // A chain that the host does not serve, and invalid values.
    for chain in ["0x539", "0x0", "hello", ""] {
        says(&mut world, chain);
        assert_eq!(world.snapshot().network.active_namespace.unwrap().word(), "solana");
    }
    world.dispatch(Event::Network(Network::SwitchAsked { network: "eip155:31338".into(), ticket: None }));
    assert!(world.remote.requests.iter().any(|(method, _)| method == "wallet_switchEthereumChain"));
}

#[test]
fn spec_9_20_a_session_is_asked_for_the_methods_and_events_of_the_contract_all_of_them_optional() {
    let world = paired(&with_polkadot(&every_namespace()));
    let asked = &world.remote.asked[0];
    let texts = |namespace: &str, part: &str| {
        let list = asked.get(namespace).get(part).as_list().unwrap();
        list.iter().map(|item| item.as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let methods = texts("eip155", "methods");
    assert_eq!(
        methods[..23],
        [
            "eth_accounts",
            "eth_requestAccounts",
            "eth_sendRawTransaction",
            "eth_sign",
            "eth_signTransaction",
            "eth_signTypedData",
            "eth_signTypedData_v3",
            "eth_signTypedData_v4",
            "eth_sendTransaction",
            "personal_sign",
            "wallet_switchEthereumChain",
            "wallet_addEthereumChain",
            "wallet_getPermissions",
            "wallet_requestPermissions",
            "wallet_registerOnboarding",
            "wallet_watchAsset",
            "wallet_scanQRCode",
            "wallet_getCallsStatus",
            "wallet_sendCalls",
            "wallet_getCapabilities",
            "wallet_grantPermissions",
            "wallet_revokePermissions",
            "wallet_getAssets",
        ]
    );
    assert_eq!(methods[23..], ["wallet_showCallsStatus"]);
    for namespace in ["eip155", "solana", "bip122", "polkadot"] {
        assert_eq!(texts(namespace, "events"), EVENTS);
    }
    assert_eq!(texts("eip155", "chains"), ["eip155:31337", "eip155:31338"]);
    assert_eq!(texts("bip122", "methods"), ["sendTransfer", "signMessage", "signPsbt", "getAccountAddresses"]);
    assert_eq!(texts("polkadot", "methods"), ["polkadot_signTransaction", "polkadot_signMessage"]);
    assert_eq!(texts("polkadot", "chains"), [POLKADOT]);
    assert!(texts("solana", "methods").contains(&"solana_signAndSendTransaction".to_string()));
}

#[test]
fn an_older_id_of_a_chain_is_asked_for_too_and_means_the_chain_of_today() {
    let old = "solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ";
    let fields = format!(r#""chainNamespace":"solana","deprecatedCaipNetworkId":"{old}","#);
    let options = every_namespace().replace(r#""chainNamespace":"solana","#, &fields);
    let mut world = paired(&options);
    let chains = to_text(world.remote.asked[0].get("solana").get("chains"));
    assert_eq!(chains, format!(r#"["{SOLANA}","{old}"]"#));
    world.remote.accounts = vec![format!("{old}:{SOLANA_ACCOUNT}")];
    world.remote_approves();
    let state = world.snapshot().network.chains[1].network_state.clone();
    assert_eq!(to_text(&state.approved_caip_network_ids), format!(r#"["{SOLANA}"]"#));
}

#[test]
fn a_host_may_ask_for_something_else() {
    let own = r#"{"universalProviderConfigOverride":{"methods":{"eip155":["eth_sign"]},"chains":{"eip155":["eip155:1"]},"events":{"eip155":[]}},"#;
    let world = paired(&options().replacen('{', own, 1));
    let asked = world.remote.asked[0].get("eip155");
    assert_eq!(to_text(asked.get("methods")), r#"["eth_sign"]"#);
    assert_eq!(to_text(asked.get("chains")), r#"["eip155:1"]"#);
    assert_eq!(asked.get("events").as_list().unwrap().len(), EVENTS.len());
}
