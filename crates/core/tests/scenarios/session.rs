//! Scenarios of a session with a remote wallet: approval and changes. The modules share the sessions defined here.

mod back;
mod beside;
mod ended;
mod networks;
mod reads;
mod recent;
mod send;

use portico_core::Event;
use portico_core::connect::{Event as Connect, PairingPhase, Status};
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::Message;
use portico_core::send::Phase as SendPhase;
use portico_json::{Value, parse, to_text};
use portico_terms::rpc::EVENTS;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{BITCOIN, POLKADOT, SOLANA, ScriptedWallet, Store, World, every_namespace, options, with_relay};

const REMOTE: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const OTHER: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const OTHER_SOLANA: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const CHOICE: &str = "WALLETCONNECT_DEEPLINK_CHOICE";
const SOLANA_ACCOUNT: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const BITCOIN_ACCOUNT: &str = "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh";
pub const POLKADOT_ACCOUNT: &str = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";

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

/// Options with every namespace and a second Solana network.
fn with_second_solana() -> String {
    let options = every_namespace();
    let start = options.find(r#"{"id":"5eykt4"#).unwrap();
    let end = start + options[start..].find(r#"}},"#).unwrap() + 2;
    let own = &options[start..end];
    let [first, second] = [SOLANA, OTHER_SOLANA].map(|chain| chain.split(':').nth(1).unwrap());
    options.replace(own, &format!("{own},{}", own.replace(first, second)))
}

/// Adds Polkadot to the options, as a copy of Bitcoin with other names.
pub fn with_polkadot(options: &str) -> String {
    let chain = |chain: &str| chain.split(':').nth(1).unwrap().to_string();
    let start = options.find(&format!(r#"{{"id":"{}"#, chain(BITCOIN))).unwrap();
    let own = &options[start..start + options[start..].find("]}}}").unwrap() + 4];
    let fourth = own.replace("bip122", "polkadot").replace(&chain(BITCOIN), &chain(POLKADOT));
    let adapter = r#"{"namespace":"bip122"}"#;
    let adapters = format!(r#"{adapter},{{"namespace":"polkadot"}}"#);
    options.replace(own, &format!("{own},{fourth}")).replace(adapter, &adapters)
}

pub fn everywhere() -> World {
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
fn spec_3_11_the_wallet_info_has_name_identifier_and_social_provider() {
    let info = |world: &World| {
        let account = world.snapshot().account.accounts[0].clone();
        let wallet = account.connected_wallet_info.unwrap();
        (wallet.name, wallet.identifier, account.social_provider)
    };
    assert_eq!(info(&connected()), ("Pocket".into(), "walletConnect".into(), None));
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    world.connect_first();
    assert_eq!(info(&world), ("Alpha".into(), "example.alpha".into(), None));
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
    // A refusal followed by another try is not the final result.
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
