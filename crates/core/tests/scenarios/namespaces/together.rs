//! Scenarios of a visitor with accounts in several namespaces, who switches between them and disconnects one or all.

use super::*;
use portico_core::send::Event as Send;

/// World with both accounts, that of Solana active, whose account view is open.
fn opened() -> World {
    let mut world = world([alpha(), sol()], &["example.alpha", "example.sol"]);
    world.open(None);
    assert_eq!((shown(&world), active(&world).as_deref()), (Some(View::Account), Some(SOLANA)));
    world
}

/// View that the modal shows; `None` while it is closed.
fn shown(world: &World) -> Option<View> {
    let modal = world.snapshot().modal;
    modal.open.then_some(modal.view)
}

fn connected_to(world: &World) -> Vec<&'static str> {
    let accounts = world.snapshot().account.accounts.into_iter();
    accounts.filter(|account| account.is_connected).map(|account| account.namespace.word()).collect()
}

fn choose(world: &mut World, chain: &str) {
    world.dispatch(Event::Network(Network::NetworkChosen { chain: chain.into() }));
}

fn disconnect_all(world: &mut World) {
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
}

#[test]
fn spec_4_13_a_visitor_switches_between_the_accounts_and_no_wallet_is_asked() {
    let mut world = opened();
    for wallet in &mut world.wallets {
        wallet.requests.clear();
    }
    for chain in ["eip155:31337", SOLANA] {
        choose(&mut world, chain);
        assert_eq!((shown(&world), active(&world).as_deref()), (Some(View::Account), Some(chain)));
        assert_eq!(world.store.values.get("@portico/active_network").map(String::as_str), Some(chain));
    }
    let asking = ["eth_requestAccounts", "wallet_switchEthereumChain"];
    assert!(methods(&world, 0).iter().all(|method| !asking.contains(method)), "{:?}", methods(&world, 0));
    assert_eq!(methods(&world, 1), Vec::<&str>::new());
    assert_eq!(connected_to(&world), ["eip155", "solana"]);
}

#[test]
fn spec_4_21_the_wallet_of_an_account_on_a_network_that_the_host_does_not_serve_is_asked_to_switch() {
    let mut world = opened();
    let handle = world.wallets[0].handle();
    world.wallets[0].chain = 999;
    world.dispatch(Event::Network(Network::ChainChanged { handle, chain: Value::Text("0x3e7".into()) }));
    assert_eq!(active(&world).as_deref(), Some(SOLANA), "the wallet in use counts");
    choose(&mut world, "eip155:31337");
    assert_eq!((world.wallets[0].chain, active(&world).as_deref()), (31337, Some("eip155:31337")));
    assert_eq!(shown(&world), Some(View::Account));
}

#[test]
fn spec_4_9_after_the_active_account_is_disconnected_the_visitor_goes_on_with_the_other_one() {
    let mut world = opened();
    disconnect(&mut world, "solana");
    assert_eq!(connected_to(&world), ["eip155"]);
    assert_eq!((shown(&world), active(&world).as_deref()), (Some(View::Account), Some("eip155:31337")));
    world.reload();
    assert_eq!((connected_to(&world), active(&world).as_deref()), (vec!["eip155"], Some("eip155:31337")));
}

#[test]
fn spec_4_9_a_closed_modal_stays_closed_when_the_active_account_is_disconnected() {
    let mut world = opened();
    world.modal(Modal::CloseAsked);
    disconnect(&mut world, "solana");
    assert_eq!((shown(&world), active(&world).as_deref()), (None, Some("eip155:31337")));
    world.open(None);
    assert_eq!(shown(&world), Some(View::Account));
}

#[test]
fn spec_4_7_a_form_to_send_of_a_disconnected_account_makes_room_for_the_other_account() {
    let mut world = world([alpha(), sol()], &["example.sol", "example.alpha"]);
    world.open(Some("WalletSend"));
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    disconnect(&mut world, "eip155");
    assert_eq!((shown(&world), active(&world).as_deref()), (Some(View::Account), Some(SOLANA)));
    choose(&mut world, "eip155:31337");
    world.choose("example.alpha");
    world.open(Some("WalletSend"));
    assert_eq!(world.snapshot().send.send_token_amount, "");
}

#[test]
fn an_account_that_is_not_in_use_ends_without_a_change_of_the_view() {
    let mut world = opened();
    for view in [View::Account, View::WalletReceive] {
        world.modal(Modal::ViewAsked { view });
        disconnect(&mut world, "eip155");
        assert_eq!((shown(&world), active(&world).as_deref()), (Some(view), Some(SOLANA)));
        choose(&mut world, "eip155:31337");
        world.choose("example.alpha");
        choose(&mut world, SOLANA);
        world.open(None);
    }
}

#[test]
fn an_account_that_its_wallet_takes_away_makes_room_for_the_other_one() {
    let mut world = opened();
    let handle = world.wallets[1].handle();
    world.connecting(Connect::AccountsChanged { handle, accounts: Value::List(vec![]) });
    assert_eq!((connected_to(&world), shown(&world)), (vec!["eip155"], Some(View::Account)));
    assert_eq!(active(&world).as_deref(), Some("eip155:31337"));
}

#[test]
fn spec_4_6_the_last_account_and_all_at_once_close_the_modal() {
    let mut world = opened();
    disconnect(&mut world, "eip155");
    disconnect(&mut world, "solana");
    assert_eq!((connected_to(&world), shown(&world)), (vec![], None));
    let mut world = opened();
    disconnect_all(&mut world);
    assert_eq!((connected_to(&world), shown(&world)), (vec![], None));
    world.reload();
    assert_eq!(connected_to(&world), Vec::<&str>::new());
}

#[test]
fn spec_2_3_a_modal_for_another_namespace_that_closes_without_its_wallet_leaves_the_account_in_use() {
    let mut world = world([alpha(), sol()], &["example.alpha"]);
    for namespace in ["solana", "bip122"] {
        open_for(&mut world, namespace);
        assert_eq!(world.snapshot().network.active_namespace.map(|active| active.word()), Some(namespace));
    }
    world.modal(Modal::CloseAsked);
    assert_eq!((shown(&world), active(&world).as_deref()), (None, Some("eip155:31337")));
    assert_eq!(world.store.values.get("@portico/active_network").map(String::as_str), Some("eip155:31337"));
    // The button shows the account again, and opens it.
    world.open(None);
    assert_eq!(shown(&world), Some(View::Account));
    open_for(&mut world, "solana");
    world.choose("example.sol");
    assert_eq!((shown(&world), active(&world).as_deref()), (None, Some(SOLANA)));
    // The account of the namespace that the modal is opened for stays in use.
    for closed in [false, true] {
        open_for(&mut world, "eip155");
        if closed {
            world.modal(Modal::CloseAsked);
        }
        assert_eq!((shown(&world).is_none(), active(&world).as_deref()), (closed, Some("eip155:31337")));
    }
}
