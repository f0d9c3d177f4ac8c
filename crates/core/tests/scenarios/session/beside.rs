//! Scenarios of a session with a remote wallet beside browser wallets of other namespaces.

use super::*;

const BROWSER_SOLANA: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";

/// Page of all namespaces with a browser wallet of the session's name on EVM chains, and one on Solana.
fn page() -> World {
    let sol = ScriptedWallet::named("Pocket").of(Namespace::Solana, BROWSER_SOLANA).through(ConnectorKind::External);
    let wallets = vec![ScriptedWallet::named("Alpha"), sol];
    World::with(&with_relay(&every_namespace()), wallets, Store::default())
}

/// The browser wallet of Solana first, then a session.
fn beside(accounts: &[String]) -> World {
    let mut world = page();
    world.choose("example.pocket");
    world.open(Some("ConnectingWalletConnectBasic"));
    world.remote.accounts = accounts.to_vec();
    world.remote_approves();
    world
}

fn evm() -> String {
    format!("eip155:31337:{REMOTE}")
}

#[test]
fn a_session_of_another_namespace_leaves_the_browser_wallet_of_the_same_name_connected() {
    let mut world = beside(&[evm()]);
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())));
    assert_eq!(account(&world, 1), (Status::Connected, Some(BROWSER_SOLANA.into())));
    disconnect(&mut world, Some("eip155"));
    assert_eq!(world.remote.ended.len(), 1);
    assert_eq!(account(&world, 0).0, Status::Disconnected);
    assert_eq!(account(&world, 1), (Status::Connected, Some(BROWSER_SOLANA.into())));
}

#[test]
fn a_browser_wallet_that_is_disconnected_leaves_the_session_connected() {
    let mut world = beside(&[evm()]);
    disconnect(&mut world, Some("solana"));
    assert!(world.remote.ended.is_empty());
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())));
    assert_eq!(account(&world, 1).0, Status::Disconnected);
}

#[test]
fn both_are_back_after_a_reload() {
    let mut world = beside(&[evm()]);
    world.reload();
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())));
    assert_eq!(account(&world, 1), (Status::Connected, Some(BROWSER_SOLANA.into())));
}

#[test]
fn the_last_wallet_that_the_visitor_connects_in_a_namespace_is_the_one_in_use() {
    let mut world = beside(&[evm(), format!("{SOLANA}:{SOLANA_ACCOUNT}")]);
    assert_eq!(account(&world, 1), (Status::Connected, Some(SOLANA_ACCOUNT.into())));
    world.choose("example.pocket");
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())), "the session has its other account");
    assert_eq!(account(&world, 1), (Status::Connected, Some(BROWSER_SOLANA.into())));
    assert!(world.remote.ended.is_empty());
    // The session's later changes on Solana are not about the account in use.
    world.remote_changes(&[&evm(), &format!("{SOLANA}:{SOLANA_ACCOUNT}")]);
    assert_eq!(account(&world, 1), (Status::Connected, Some(BROWSER_SOLANA.into())));
    world.reload();
    assert_eq!(account(&world, 0), (Status::Connected, Some(REMOTE.into())));
    assert_eq!(account(&world, 1), (Status::Connected, Some(BROWSER_SOLANA.into())));
}
