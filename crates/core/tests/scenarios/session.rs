//! A session with a remote wallet: what it approves, how it changes, comes back and ends. Longer than other files: the stories share the
//! sessions that are told once at the top.

use portico_core::Event;
use portico_core::connect::{Event as Connect, PairingPhase, Status};
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::Message;
use portico_core::send::Phase as SendPhase;
use portico_json::{Value, parse, to_text};
use portico_terms::rpc::{EVENTS, WALLET_METHODS};
use portico_testkit::{BITCOIN, SOLANA, ScriptedWallet, Store, World, every_namespace, options, with_relay};

const REMOTE: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const OTHER: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const OTHER_SOLANA: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const CHOICE: &str = "WALLETCONNECT_DEEPLINK_CHOICE";
const SOLANA_ACCOUNT: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const BITCOIN_ACCOUNT: &str = "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh";
const POLKADOT: &str = "polkadot:91b171bb158e2d3848fa23a9f1c25182";
const POLKADOT_ACCOUNT: &str = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";

fn paired(options: &str) -> World {
    let mut world = World::with(&with_relay(options), vec![ScriptedWallet::named("Alpha")], Store::default());
    world.open(None);
    world.choose("walletConnect");
    world
}

fn connected() -> World {
    let mut world = paired(&options());
    world.remote_approves();
    world
}

/// Every namespace, and a second network of Solana.
fn with_second_solana() -> String {
    let options = every_namespace();
    let start = options.find(r#"{"id":"5eykt4"#).unwrap();
    let end = start + options[start..].find(r#"}},"#).unwrap() + 2;
    let own = &options[start..end];
    let [first, second] = [SOLANA, OTHER_SOLANA].map(|chain| chain.split(':').nth(1).unwrap());
    options.replace(own, &format!("{own},{}", own.replace(first, second)))
}

/// The same with Polkadot, which is as Bitcoin is but for its names.
fn with_polkadot(options: &str) -> String {
    let chain = |chain: &str| chain.split(':').nth(1).unwrap().to_string();
    let start = options.find(&format!(r#"{{"id":"{}"#, chain(BITCOIN))).unwrap();
    let own = &options[start..start + options[start..].find("]}}}").unwrap() + 4];
    let fourth = own.replace("bip122", "polkadot").replace(&chain(BITCOIN), &chain(POLKADOT));
    let adapter = r#"{"namespace":"bip122"}"#;
    let adapters = format!(r#"{adapter},{{"namespace":"polkadot"}}"#);
    options.replace(own, &format!("{own},{fourth}")).replace(adapter, &adapters)
}

fn everywhere() -> World {
    let mut world = paired(&with_polkadot(&with_second_solana()));
    world.remote.accounts.push(format!("{SOLANA}:{SOLANA_ACCOUNT}"));
    world.remote.accounts.push(format!("{BITCOIN}:{BITCOIN_ACCOUNT}"));
    world.remote.accounts.push(format!("{POLKADOT}:{POLKADOT_ACCOUNT}"));
    world.remote_approves();
    world
}

fn account(world: &World, place: usize) -> (Status, Option<String>) {
    let account = &world.snapshot().account.accounts[place];
    (account.status, account.address.clone())
}

fn settle(world: &mut World, change: impl FnOnce(String) -> String) {
    let session = parse(&change(to_text(&world.remote.session(world.now)))).unwrap();
    world.connecting(Connect::SessionSettled { session });
}

fn disconnect(world: &mut World, namespace: Option<&str>) {
    let namespace = namespace.map(Into::into);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace, ticket: Some(9) }));
}

fn tracked<'a>(world: &'a World, name: &str) -> Vec<&'a Value> {
    world.events.iter().filter(|(event, _)| event == name).map(|(_, properties)| properties).collect()
}

#[test]
fn a_wallet_that_approves_connects_and_the_modal_has_done_its_work() {
    let world = connected();
    let snapshot = world.snapshot();
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())));
    assert!(!snapshot.modal.open && snapshot.pairing.is_none() && snapshot.countdown.is_none());
    assert_eq!(snapshot.account.accounts[0].connector.as_deref(), Some("walletConnect"));
    assert_eq!(snapshot.account.accounts[0].connected_wallet_info.as_ref().unwrap().name, "Pocket");
    let success = tracked(&world, "CONNECT_SUCCESS");
    assert_eq!(success.len(), 1);
    assert_eq!((success[0].get("method").as_str(), success[0].get("name").as_str()), (Some("qrcode"), Some("Pocket")));
    assert!(world.remote.watched[0].0.starts_with("walletConnect:eip155:5e55"));
    assert!(world.remote.requests.is_empty(), "what the session says need not be asked");
}

#[test]
fn a_session_that_approves_nothing_of_ours_is_ended_and_the_visitor_hears_why() {
    let no_accounts = |text: String| text.replace("eip155:3133", "eip155:x:");
    let changes: [&dyn Fn(String) -> String; 7] = [
        &no_accounts,
        &|text: String| text.replace(r#""eip155":{"#, r#""cosmos":{"#),
        &|text: String| text.replace(REMOTE, "0xnonsense"),
        &|text: String| text.replace(r#""namespaces":{"#, r#""other":{"#),
        &|text: String| text.replace(r#""accounts":["#, r#""accounts":7,"x":["#),
        &|text: String| text.replace(r#""eip155:31337:"#, r#""solana:31337:"#).replace("eip155:31338:", "solana:1:"),
        &|text: String| text.replace(r#""namespaces":{"eip155":"#, r#""namespaces":{"eip155":null,"a":"#),
    ];
    for (place, change) in changes.into_iter().enumerate() {
        let mut world = paired(&options());
        settle(&mut world, change);
        assert_eq!(world.pairing().phase, PairingPhase::Failed, "{place}");
        assert_eq!(world.remote.ended.len(), 1, "{place}");
        assert_eq!(account(&world, 0), (Status::Disconnected, None), "{place}");
        assert!(world.event_names().contains(&"CONNECT_ERROR"));
        world.connecting(Connect::PairingRetryAsked);
        assert_eq!(world.pairing().phase, PairingPhase::Ready);
    }
}

#[test]
fn any_value_may_be_told_as_a_session() {
    for text in ["null", "7", "[]", "{}", r#"{"topic":7}"#, r#"{"topic":"x","namespaces":[]}"#] {
        let mut world = paired(&options());
        let session = parse(text).unwrap();
        world.connecting(Connect::SessionSettled { session: session.clone() });
        world.connecting(Connect::SessionChanged { session });
        assert_eq!(world.pairing().phase, PairingPhase::Ready, "{text}");
    }
}

#[test]
fn a_session_is_taken_once() {
    let mut world = connected();
    let session = world.remote.session(world.now);
    world.connecting(Connect::SessionSettled { session });
    assert_eq!(tracked(&world, "CONNECT_SUCCESS").len(), 1);
    assert!(world.remote.ended.is_empty());
}

#[test]
fn what_cannot_be_read_of_a_session_does_not_cost_the_rest() {
    let mut world = paired(&options());
    let good = format!("eip155:31337:{REMOTE}");
    settle(&mut world, |text| {
        text.replace(&format!(r#""{good}""#), &format!(r#"null,"eip155:31337:0x1","a:b","{good}","{good}""#))
    });
    let snapshot = world.snapshot();
    assert_eq!(snapshot.account.accounts[0].all_accounts.len(), 1);
    assert_eq!(snapshot.account.accounts[0].address.as_deref(), Some(REMOTE));
}

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
    // One that the host does not serve, and nonsense.
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
    for method in WALLET_METHODS {
        assert!(methods.contains(&method.to_string()), "{method}");
    }
    assert_eq!(methods.len(), WALLET_METHODS.len() + 1);
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

#[test]
fn a_session_of_several_namespaces_connects_each_and_the_one_in_use_stays() {
    let world = everywhere();
    let snapshot = world.snapshot();
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())));
    assert_eq!(account(&world, 1), (Status::Connected, Some(SOLANA_ACCOUNT.into())));
    assert_eq!(account(&world, 2), (Status::Connected, Some(BITCOIN_ACCOUNT.into())));
    assert_eq!(account(&world, 3), (Status::Connected, Some(POLKADOT_ACCOUNT.into())));
    assert_eq!(snapshot.network.active_namespace.unwrap().word(), "eip155");
    assert_eq!(tracked(&world, "CONNECT_SUCCESS").len(), 1);
    assert_eq!(world.remote.watched.len(), 4);
}

#[test]
fn a_session_may_name_chains_one_by_one_or_only_some_namespaces() {
    let mut world = paired(&every_namespace());
    settle(&mut world, |text| text.replace(r#""eip155":{"#, r#""eip155:31337":{"#));
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())));
    assert_eq!(account(&world, 1), (Status::Disconnected, None));
}

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
    world.reload();
    world.open(None);
    let groups = world.snapshot().wallets.groups;
    let recent = groups.iter().find(|group| group.kind.word() == "recent").unwrap();
    assert_eq!((recent.items[0].id.as_str(), recent.items[0].recent), ("io.metamask", true));
    let all = groups.iter().flat_map(|group| &group.items).filter(|item| item.id == "io.metamask").count();
    assert_eq!(all, 1);
    world.choose("io.metamask");
    assert_eq!(world.pairing().wallet.unwrap().name, "MetaMask");
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
    world.reload();
    world.open(None);
    world.choose("evil");
    world.connecting(Connect::LinkAsked);
    assert!(world.remote.links.is_empty());
}

#[test]
fn a_wallet_that_was_opened_by_its_link_is_brought_to_the_front_by_it_later() {
    let phone = || {
        let mut world = World::with(&with_relay(&options()), vec![], Store::default());
        world.environment.mobile = true;
        world.reload();
        world.open(None);
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
    // A wallet that wants to be left alone is.
    let mut quiet = phone();
    quiet.remote.no_link = true;
    quiet.remote_approves();
    assert_eq!(link(&quiet), None);
    // What was stored is hostile.
    world.store.values.insert(CHOICE.into(), r#"{"href":"javascript://x/","name":"x"}"#.into());
    world.reload();
    assert_eq!(link(&world), None);
}

#[test]
fn a_link_that_was_opened_in_vain_is_not_the_way_to_the_wallet_that_answered_elsewhere() {
    let mut world = paired(&options());
    world.store.values.insert(CHOICE.into(), r#"{"href":"other://","name":"Other"}"#.into());
    world.reload();
    world.open(None);
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
    let known = r#"[{"namespace":"eip155","connector":"walletConnect","wallet":"io.metamask"}]"#;
    assert_eq!(stored(&world), known);
    world.reload();
    assert_eq!(stored(&world), known, "whatever it calls itself");
    // Another wallet, of which nobody knows a thing.
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

#[test]
fn a_session_that_a_provider_says_is_gone_is_left_and_the_visitor_hears_what_the_host_did_not_do_itself() {
    for gone in [true, false] {
        let mut world = everywhere();
        let (handle, topic) = {
            let handle = world.remote.watched[0].0.clone();
            (handle.clone(), handle.rsplit(':').next().unwrap().to_string())
        };
        world.connecting(match gone {
            true => Connect::WalletDisconnected { handle },
            false => Connect::AccountsChanged { handle, accounts: Value::List(vec![]) },
        });
        assert_eq!(world.remote.ended, [topic]);
        assert!((0..4).all(|place| account(&world, place).0 == Status::Disconnected));
        let said = world.snapshot().notice.snack.and_then(|snack| snack.message);
        assert_eq!(said, (!gone).then_some(Message::SessionEnded));
    }
}

#[test]
fn spec_4_2_a_session_that_is_still_there_comes_back_after_a_reload_without_asking_the_wallet() {
    let mut world = everywhere();
    world.reload();
    for place in 0..4 {
        assert_eq!(account(&world, place).0, Status::Connected);
    }
    assert!(world.remote.requests.is_empty());
    let again = tracked(&world, "CONNECT_SUCCESS");
    assert_eq!((again.len(), again[1].get("reconnect").as_bool()), (2, Some(true)));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_4_2_a_session_that_is_gone_after_a_reload_is_disconnected_and_said() {
    let mut world = connected();
    world.remote.sessions.clear();
    world.reload();
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::SessionEnded));
    world.reload();
    assert_eq!(world.snapshot().notice.snack, None, "once");
}

#[test]
fn spec_4_2_a_session_is_connecting_until_its_client_is_there_and_not_waited_for_without_end() {
    let mut world = connected();
    world.remote.silent = true;
    world.reload();
    assert_eq!(account(&world, 0), (Status::Connecting, None));
    world.advance(60_000);
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    // The next load may find it.
    world.remote.silent = false;
    world.reload();
    assert_eq!(account(&world, 0).0, Status::Connected);
}

#[test]
fn spec_4_2_a_client_that_comes_late_still_brings_the_session_back() {
    let mut world = connected();
    world.remote.late = 20_000;
    world.reload();
    world.advance(19_999);
    assert_eq!(account(&world, 0).0, Status::Connecting);
    world.advance(1);
    assert_eq!(account(&world, 0).0, Status::Connected);
    world.remote.late = 40_000;
    world.reload();
    world.advance(50_000);
    assert_eq!((account(&world, 0).0, world.snapshot().notice.snack), (Status::Disconnected, None));
}

#[test]
fn a_client_that_cannot_be_had_after_a_reload_costs_no_session() {
    let mut world = connected();
    world.remote.missing = 1;
    world.reload();
    world.advance(60_000);
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    world.reload();
    assert_eq!(account(&world, 0).0, Status::Connected);
}

#[test]
fn a_session_whose_time_was_over_while_the_page_was_closed_does_not_come_back() {
    let mut world = connected();
    world.now += 604_800_000;
    world.reload();
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
}

#[test]
fn spec_4_3_of_several_sessions_the_latest_comes_back_and_nonsense_among_them_costs_nothing() {
    let mut world = connected();
    let newer = world.remote.sessions[0].replace(REMOTE, OTHER).replace("5e55", "aaaa");
    let newer = newer.replace(r#""expiry":17"#, r#""expiry":18"#);
    world.remote.sessions.extend([newer, "7".into(), r#"{"topic":"x"}"#.into()]);
    world.reload();
    assert_eq!(account(&world, 0).1.as_deref(), Some(OTHER));
}

#[test]
fn a_host_that_wants_no_connection_back_has_none() {
    let mut world = connected();
    let store = std::mem::take(&mut world.store);
    let mut world = World::with(&with_relay(&fleeting()), vec![], store);
    assert_eq!((account(&world, 0).0, world.remote.fetched), (Status::Disconnected, 1));
    world.reload();
    assert_eq!((account(&world, 0).0, world.remote.fetched), (Status::Disconnected, 1));
}

/// Options of a host whose connections do not outlive their page.
fn fleeting() -> String {
    options().replacen('{', r#"{"enableReconnect":false,"#, 1)
}

#[test]
fn a_host_that_wants_no_connection_back_leaves_none_in_the_wallet() {
    let mut world = paired(&fleeting());
    world.remote_approves();
    let first = world.remote.sessions[0].clone();
    world.remote.sessions.push(first.replace("5e55", "aaaa"));
    world.reload();
    assert_eq!(world.remote.ended.len(), 2);
    assert_eq!(account(&world, 0), (Status::Disconnected, None));
    assert_eq!(world.snapshot().notice.snack, None, "nobody misses it");
}

#[test]
fn a_session_that_nobody_wants_back_ends_as_soon_as_the_client_can_be_had() {
    let mut world = paired(&fleeting());
    world.remote_approves();
    world.remote.missing = 1;
    world.reload();
    assert!(world.remote.ended.is_empty());
    world.open(None);
    assert_eq!(world.remote.ended.len(), 1);
}

#[test]
fn a_session_of_another_tab_is_left_to_it_where_none_is_wanted_back() {
    let mut world = paired(&fleeting());
    world.remote_approves();
    world.remote.shared = true;
    world.reload();
    assert_eq!((world.remote.fetched > 1, world.remote.ended.len()), (true, 0));
}

#[test]
fn a_session_that_a_wallet_approved_when_its_page_was_gone_is_taken_up_and_only_one() {
    let gone = |shared: bool, options: &str| {
        let mut world = connected();
        let first = world.remote.sessions[0].clone();
        let older = first.replace("5e55", "aaaa");
        let newest = first.replace("5e55", "bbbb").replace(REMOTE, OTHER);
        let newest = newest.replace(r#""expiry":17"#, r#""expiry":18"#);
        world.remote.sessions = vec![older, newest, "7".into(), r#"{"topic":"x"}"#.into()];
        let remote = world.remote.clone();
        let mut world = World::with(&with_relay(options), vec![], Store::default());
        world.remote = remote;
        world.remote.shared = shared;
        world.open(None);
        world
    };
    let world = gone(false, &options());
    assert_eq!(account(&world, 0), (Status::Connected, Some(OTHER.into())));
    assert!(!world.snapshot().modal.open);
    assert_eq!(world.remote.ended.len(), 2, "{:?}", world.remote.ended);
    assert!(world.remote.ended.iter().all(|topic| !topic.starts_with("bbbb")));
    // Another tab may show one of them.
    let world = gone(true, &options());
    assert_eq!((account(&world, 0).0, world.remote.ended.len()), (Status::Disconnected, 0));
    // A host that makes its own codes knows its own sessions.
    let world = gone(false, &options().replacen('{', r#"{"manualWCControl":true,"#, 1));
    assert_eq!((account(&world, 0).0, world.remote.ended.len()), (Status::Disconnected, 0));
}

#[test]
fn spec_4_8_whoever_disconnects_one_namespace_of_a_session_disconnects_all_of_it() {
    let mut world = everywhere();
    disconnect(&mut world, Some("solana"));
    for place in 0..4 {
        assert_eq!(account(&world, place).0, Status::Disconnected);
    }
    assert_eq!(world.remote.ended.len(), 1, "a session is ended once");
    assert!(world.remote.watched.is_empty());
    assert!(world.answer(9).unwrap().contains("resolved"));
}

#[test]
fn spec_4_9_the_account_and_network_of_a_session_are_reset_with_it() {
    let mut world = connected();
    disconnect(&mut world, None);
    let snapshot = world.snapshot();
    let account = &snapshot.account.accounts[0];
    assert_eq!((account.address.as_ref(), account.all_accounts.len()), (None, 0));
    assert!(snapshot.network.chains[0].network_state.supports_all_networks);
    world.reload();
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
}

#[test]
fn spec_4_10_the_session_and_the_deep_link_are_cleared() {
    let mut world = connected();
    world.store.values.insert(CHOICE.into(), "{}".into());
    disconnect(&mut world, None);
    assert_eq!(world.remote.ended.len(), 1);
    assert!(!world.store.values.contains_key(CHOICE));
}

#[test]
fn spec_4_6_one_namespace_of_a_session_or_all_is_let_go_and_the_wallet_is_told_once() {
    for namespace in [None, Some("solana")] {
        let mut world = everywhere();
        let topic = world.remote.watched[0].0.rsplit(':').next().unwrap().to_string();
        disconnect(&mut world, namespace);
        assert_eq!(world.remote.ended, [topic], "{namespace:?}");
        assert!(world.remote.watched.is_empty() && world.answer(9).unwrap().contains("resolved"));
        assert_eq!(tracked(&world, "DISCONNECT_SUCCESS").len(), 1);
    }
}

#[test]
fn spec_4_7_what_was_filled_in_to_be_sent_goes_with_the_session() {
    use portico_core::send::Event as Send;
    let mut world = connected();
    world.open(Some("WalletSend"));
    let empty = to_text(&world.snapshot().send);
    world.dispatch(Event::Send(Send::ReceiverTyped { text: OTHER.into() }));
    assert_ne!(to_text(&world.snapshot().send), empty);
    world.remote_ends();
    assert!(!world.snapshot().modal.open);
    assert!(!to_text(&world.snapshot().send).contains(OTHER));
}

#[test]
fn spec_4_12_the_status_of_every_namespace_of_a_session_is_disconnected_after_it() {
    for wallet in [true, false] {
        let mut world = everywhere();
        match wallet {
            true => world.remote_ends(),
            false => disconnect(&mut world, None),
        }
        let snapshot = world.snapshot();
        assert!(snapshot.connect.statuses.iter().all(|one| one.status == Status::Disconnected));
        assert!(snapshot.account.accounts.iter().all(|one| !one.is_connected && one.address.is_none()));
    }
}

#[test]
fn who_disconnects_leaves_no_session_behind_that_the_client_still_had() {
    let mut world = connected();
    let other = world.remote.session_for("other", world.now - 60_000);
    let topic = other.get("topic").as_str().unwrap().to_string();
    world.remote.sessions.push(to_text(&other));
    world.reload();
    assert!(world.remote.ended.is_empty(), "it may be another tab's");
    disconnect(&mut world, None);
    assert_eq!(world.remote.ended.len(), 2);
    assert!(world.remote.ended.contains(&topic));
}

#[test]
fn spec_4_11_a_session_that_the_client_cannot_end_is_reported_and_gone_here_all_the_same() {
    let mut world = connected();
    world.remote.clings = true;
    disconnect(&mut world, None);
    assert_eq!(tracked(&world, "DISCONNECT_ERROR")[0].get("message").as_str(), Some("The client is not there"));
    assert_eq!(account(&world, 0).0, Status::Disconnected);
    assert!(world.answer(9).unwrap().contains("failedToDisconnect"));
}

#[test]
fn a_wallet_that_does_not_say_that_it_is_there_is_told_of_and_stays_connected() {
    let mut world = connected();
    let topic = world.remote.session(world.now).get("topic").as_str().unwrap().to_string();
    world.connecting(Connect::WalletSilent { topic: "stranger".into() });
    assert_eq!(world.snapshot().notice.snack, None);
    world.connecting(Connect::WalletSilent { topic });
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::WalletSilent));
    assert_eq!(account(&world, 0).0, Status::Connected);
}

#[test]
fn a_session_that_the_wallet_ends_is_disconnected_and_said_at_once() {
    let mut world = everywhere();
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::Account);
    world.remote_ends();
    for place in 0..4 {
        assert_eq!(account(&world, place).0, Status::Disconnected);
    }
    assert!(!world.snapshot().modal.open);
    assert_eq!(world.snapshot().notice.snack.as_ref().unwrap().message, Some(Message::SessionEnded));
    assert!(world.remote.ended.is_empty(), "nobody has to be told");
    world.remote_ends();
    world.reload();
    assert_eq!(account(&world, 0).0, Status::Disconnected);
}

#[test]
fn that_a_session_has_ended_is_said_until_the_modal_opens_for_another() {
    let mut world = connected();
    world.remote_ends();
    assert_eq!(world.snapshot().notice.snack.as_ref().unwrap().message, Some(Message::SessionEnded));
    world.open(None);
    assert_eq!((world.snapshot().modal.open, &world.snapshot().notice.snack), (true, &None));
}

#[test]
fn what_is_said_of_a_session_that_is_not_ours_changes_nothing() {
    let mut world = connected();
    let before = to_text(&world.snapshot());
    world.connecting(Connect::SessionEnded { topic: "stranger".into() });
    let session = world.remote.session_for("stranger", world.now);
    world.connecting(Connect::SessionChanged { session });
    assert_eq!(to_text(&world.snapshot()), before);
}

#[test]
fn the_accounts_and_chains_follow_what_the_wallet_changes() {
    let mut world = connected();
    world.remote_changes(&[&format!("eip155:31338:{OTHER}"), &format!("eip155:31338:{REMOTE}")]);
    let snapshot = world.snapshot();
    assert_eq!(snapshot.network.active.as_ref().unwrap().id, "31338");
    assert_eq!(to_text(&snapshot.network.chains[0].network_state.approved_caip_network_ids), r#"["eip155:31338"]"#);
    assert_eq!(account(&world, 0).1.as_deref(), Some(REMOTE), "the account in use stays while it is approved");
    assert_eq!(snapshot.account.accounts[0].all_accounts.len(), 2);
    world.remote_changes(&[&format!("eip155:31338:{OTHER}")]);
    assert_eq!(account(&world, 0).1.as_deref(), Some(OTHER));
}

#[test]
fn a_namespace_that_is_no_longer_approved_goes_and_one_that_is_new_comes() {
    let mut world = everywhere();
    world.remote_changes(&[&format!("eip155:31337:{REMOTE}")]);
    assert_eq!(account(&world, 0).0, Status::Connected);
    assert!((1..4).all(|place| account(&world, place).0 == Status::Disconnected));
    world.remote_changes(&[&format!("eip155:31337:{REMOTE}"), &format!("{SOLANA}:{SOLANA_ACCOUNT}")]);
    assert_eq!(account(&world, 1), (Status::Connected, Some(SOLANA_ACCOUNT.into())));
    assert_eq!(world.snapshot().network.active_namespace.unwrap().word(), "eip155");
    world.remote_changes(&[]);
    assert_eq!(account(&world, 0).0, Status::Disconnected);
    assert_eq!(world.remote.ended.len(), 1);
}

#[test]
fn a_host_hears_that_the_visitor_refused_once_the_modal_is_closed() {
    for (code, reason) in [(5000, "userRejected"), (4001, "userRejected")] {
        let mut world = World::with(&with_relay(&options()), vec![], Store::default());
        world.connecting(Connect::ConnectAsked { connector: None, namespace: None, ticket: 7 });
        world.choose("walletConnect");
        world.remote_refuses(code, "User rejected");
        assert_eq!(world.answer(7), None, "another try is possible");
        world.modal(Modal::CloseAsked);
        assert!(world.answer(7).unwrap().contains(reason), "{:?}", world.answer(7));
    }
    // What was refused before another try is not what was said last.
    let mut world = World::with(&with_relay(&options()), vec![], Store::default());
    world.connecting(Connect::ConnectAsked { connector: None, namespace: None, ticket: 7 });
    world.choose("walletConnect");
    world.remote_refuses(5000, "User rejected");
    world.connecting(Connect::PairingRetryAsked);
    world.modal(Modal::CloseAsked);
    assert!(world.answer(7).unwrap().contains("modalClosed"));
}

#[test]
fn a_second_wallet_takes_the_place_of_the_first_and_its_session_is_ended() {
    let mut world = everywhere();
    let first = world.remote.watched[0].0.rsplit(':').next().unwrap().to_string();
    world.open(Some("ConnectingWalletConnectBasic"));
    world.remote.accounts = vec![format!("eip155:31337:{OTHER}")];
    world.remote_approves();
    assert_eq!(world.remote.ended, [first]);
    assert_eq!(account(&world, 0).1.as_deref(), Some(OTHER));
    assert_eq!((account(&world, 1).0, account(&world, 2).0), (Status::Disconnected, Status::Disconnected));
    assert_eq!(world.remote.watched.len(), 1);
}

#[test]
fn the_name_of_a_remote_wallet_is_hostile() {
    let mut world = paired(&options());
    world.remote.name = format!("A\u{202e}B{}", "x".repeat(400));
    world.remote_approves();
    let name = world.snapshot().account.accounts[0].connected_wallet_info.clone().unwrap().name;
    assert!(name.starts_with("AB") && name.chars().count() <= 48, "{name}");
    let mut nameless = paired(&options());
    nameless.remote.name = String::new();
    nameless.remote_approves();
    let name = nameless.snapshot().account.accounts[0].connected_wallet_info.clone().unwrap().name;
    assert_eq!(name, "WalletConnect");
}

#[test]
fn spec_8_50_a_wallet_that_is_back_is_not_asked_for_a_pairing_by_the_hosts_other_calls() {
    let mut world = connected();
    let ask = |ticket| Connect::ConnectAsked { connector: None, namespace: Some("eip155".into()), ticket };
    world.connecting(ask(1));
    assert!(world.answer(1).unwrap().contains(r#""connectorId":"walletConnect""#));
    world.connecting(Connect::ConnectAsked { connector: None, namespace: Some("solana".into()), ticket: 2 });
    assert!(world.answer(2).unwrap().contains("rejected"));
}

#[test]
fn spec_8_50_a_host_that_names_what_is_connected_or_coming_back_starts_no_second_pairing() {
    let ask = |world: &mut World, ticket| {
        let (connector, namespace) = (Some("walletConnect".into()), Some("eip155".into()));
        world.connecting(Connect::ConnectAsked { connector, namespace, ticket });
        world.answer(ticket).unwrap()
    };
    let mut world = connected();
    let pairings = world.remote.topics.len();
    assert!(ask(&mut world, 1).contains("alreadyConnected"));
    world.remote.silent = true;
    world.reload();
    assert!(ask(&mut world, 2).contains("unavailableWhileReconnecting"));
    assert_eq!((world.remote.topics.len(), world.snapshot().modal.open), (pairings, false));
}

fn sending(change: impl FnOnce(&mut World)) -> World {
    let mut world = paired(&options());
    world.node.balances.insert(REMOTE.to_lowercase(), 10u128.pow(19));
    world.remote_approves();
    world.open(Some("WalletSend"));
    use portico_core::send::Event as Send;
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: OTHER.into() }));
    world.advance(500);
    world.dispatch(Event::Send(Send::ReviewAsked));
    change(&mut world);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world
}

#[test]
fn a_send_that_the_wallet_does_not_answer_in_time_is_over_and_the_visitor_is_told_to_look_before_another() {
    let world = sending(|world| world.remote.unattended = true);
    assert_eq!(world.snapshot().send.phase, portico_core::send::Phase::Failed);
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::RequestExpired));
    assert_eq!(tracked(&world, "SEND_ERROR").len(), 1);
}

#[test]
fn a_wallet_that_is_asked_to_send_and_silent_is_told_of_where_the_visitor_looks() {
    let mut world = sending(|world| world.remote.mute = true);
    let topic = world.remote.watched[0].0.rsplit(':').next().unwrap().to_string();
    world.connecting(Connect::WalletSilent { topic: "stranger".into() });
    assert_eq!(world.snapshot().send.phase, SendPhase::Confirming);
    world.connecting(Connect::WalletSilent { topic: topic.clone() });
    assert_eq!(world.snapshot().send.phase, SendPhase::Silent);
    // Back at the form: who approves later sends all the same.
    world.modal(Modal::BackAsked);
    world.advance(500);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.send.phase), (View::WalletSend, SendPhase::Editing));
    assert_eq!(snapshot.notice.snack.unwrap().message, Some(Message::MayStillSend));
    world.connecting(Connect::WalletSilent { topic });
    assert_eq!(world.snapshot().send.phase, SendPhase::Editing, "nothing is asked");
}

#[test]
fn a_send_through_a_session_goes_to_its_wallet() {
    let world = sending(|_| {});
    assert!(world.remote.requests.iter().any(|(method, _)| method == "eth_sendTransaction"));
}
