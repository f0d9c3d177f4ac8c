//! Scenarios of a switch of the network, from the request to its end.

use crate::network::{SWITCH, active, alpha, choose, connected, host_switch};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::{Event as Network, Phase};
use portico_json::Value;
use portico_testkit::{Behaviour, ScriptedWallet, World};

#[test]
fn spec_8_13_a_switch_whose_wallet_gave_way_to_another_one_says_network_controller_client_not_set() {
    let wallet = alpha().when(SWITCH, Behaviour::Late(1_000));
    let mut world = World::new(vec![wallet, ScriptedWallet::named("Beta")]);
    world.connect_first();
    host_switch(&mut world, r#""eip155:31338""#, 1);
    world.choose("example.beta");
    world.advance(1_000);
    assert!(world.answer(1).unwrap().contains("NetworkController client not set"));
}

#[test]
fn a_chain_that_the_wallet_does_not_know_is_offered_and_then_switched_to() {
    let mut wallet = alpha();
    wallet.chains = vec![31337];
    let mut world = connected(wallet);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    choose(&mut world, "eip155:31338");
    let asked: Vec<_> = world.wallets[0]
        .requests
        .iter()
        .map(|(method, _)| method.as_str())
        .filter(|method| method.ends_with("EthereumChain"))
        .collect();
    assert_eq!(asked, [SWITCH, "wallet_addEthereumChain", SWITCH]);
    assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
    let params = &world.wallets[0].requests.iter().find(|(method, _)| method == "wallet_addEthereumChain").unwrap().1;
    assert_eq!(params.as_list().unwrap()[0].get("chainName").as_str(), Some("Anvil Two"));
}

#[test]
fn a_refused_switch_shows_and_can_be_tried_again() {
    let mut world = connected(alpha().when(SWITCH, Behaviour::Refuse));
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    choose(&mut world, "eip155:31338");
    assert_eq!(
        (world.snapshot().modal.view, world.snapshot().network.switching.unwrap().phase),
        (View::SwitchNetwork, Phase::Refused)
    );
    world.wallet().behaviours.clear();
    world.dispatch(Event::Network(Network::RetryAsked));
    assert_eq!((active(&world).as_deref(), world.snapshot().modal.view), (Some("eip155:31338"), View::Account));
}

#[test]
fn a_host_that_switches_learns_how_it_ended() {
    let mut world = connected(alpha());
    host_switch(&mut world, r#""eip155:31338""#, 1);
    assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":null}]"#);
    world.wallet().behaviours.insert(SWITCH.into(), Behaviour::Refuse);
    host_switch(&mut world, r#""eip155:31337""#, 2);
    assert!(
        world.answer(2).unwrap().contains(r#""reason":"userRejected""#) && world.answer(2).unwrap().contains("4001")
    );
    host_switch(&mut world, "7", 3);
    assert!(world.answer(3).unwrap().contains("Invalid CAIP-2 network id"));
}

#[test]
fn a_newer_switch_settles_the_older_one() {
    let mut world = connected(alpha().when(SWITCH, Behaviour::Late(1_000)));
    host_switch(&mut world, r#""eip155:31338""#, 1);
    host_switch(&mut world, r#""eip155:31338""#, 2);
    assert!(world.answer(1).unwrap().contains("superseded"));
    world.advance(2_000);
    assert_eq!(world.answer(2).unwrap(), r#"[{"type":"resolved","value":null}]"#);
}

#[test]
fn going_back_from_a_waiting_switch_gives_it_up() {
    let mut world = connected(alpha().when(SWITCH, Behaviour::Silent));
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    choose(&mut world, "eip155:31338");
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().network.switching), (View::Networks, None));
}

#[test]
fn a_wallet_that_says_it_switched_and_did_not_is_not_believed() {
    let mut world = connected(alpha().when(SWITCH, Behaviour::Nonsense(Value::Bool(false))));
    host_switch(&mut world, r#""eip155:31338""#, 1);
    assert!(world.answer(1).unwrap().contains("The wallet is still on another network. Switch it there."));
    assert_eq!(active(&world).as_deref(), Some("eip155:31337"));
}

#[test]
fn a_switch_to_the_network_in_use_settles_the_one_that_waits_and_leaves_its_screen() {
    let mut world = connected(alpha().when(SWITCH, Behaviour::Silent));
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    choose(&mut world, "eip155:31338");
    host_switch(&mut world, r#""eip155:31337""#, 2);
    assert_eq!(world.answer(2).unwrap(), r#"[{"type":"resolved","value":null}]"#);
    assert_eq!((world.snapshot().modal.view, world.snapshot().network.switching), (View::Account, None));
}

#[test]
fn a_wallet_that_takes_long_to_switch_gets_a_hint() {
    let mut world = connected(alpha().when(SWITCH, Behaviour::Silent));
    host_switch(&mut world, r#""eip155:31338""#, 1);
    world.advance(8_000);
    assert!(world.snapshot().network.switching.unwrap().slow);
}
