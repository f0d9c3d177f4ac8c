//! The native balance of the account: how it is read, shown and said to be unavailable.

use super::connected;
use portico_core::Event;
use portico_core::account::{BALANCE_CACHE, BalanceState, Event as Account, Tab};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_testkit::{ScriptedWallet, Store, World, options};

fn refresh(world: &mut World, ticket: Option<u32>) {
    world.dispatch(Event::Account(Account::RefreshAsked { ticket }));
}

#[test]
fn spec_2_10_amounts_display_with_three_decimals() {
    let mut world = connected();
    world.node.balances.insert("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".into(), 1_234_999_999_999_999_999);
    refresh(&mut world, None);
    assert_eq!(world.snapshot().account.accounts[0].balance.as_deref(), Some("1.234"));
}

#[test]
fn spec_2_11_token_balances_display_with_two_decimals() {
    let mut world = connected();
    world.node.balances.insert("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".into(), 1_239_999_999_999_999_999);
    refresh(&mut world, None);
    let token = &world.snapshot().account.accounts[0].token_balance[0];
    assert_eq!((token.shown.as_str(), token.quantity.numeric.as_str()), ("1.23", "1.239999999999999999"));
}

#[test]
fn spec_8_1_a_balance_that_cannot_be_had_says_token_balance_unavailable_once() {
    let mut world = connected();
    world.node.down = true;
    refresh(&mut world, Some(1));
    assert_eq!(world.snapshot().account.accounts[0].balance_state, BalanceState::Refreshing);
    world.advance(5_000);
    let account = world.snapshot().account.accounts[0].clone();
    assert_eq!((account.balance_state, account.balance), (BalanceState::Unavailable, None));
    assert!(world.answer(1).unwrap().contains("rejected"));
    world.advance(10_000);
    refresh(&mut world, None);
    world.advance(1_500);
    assert_eq!(world.snack(), None);
    world.node.down = false;
    refresh(&mut world, Some(2));
    world.advance(5_000);
    assert_eq!(world.snapshot().account.accounts[0].balance.as_deref(), Some("10000.000"));
    assert_eq!(world.answer(2).unwrap(), r#"[{"type":"resolved","value":{"balance":"10000","symbol":"ETH"}}]"#);
}

#[test]
fn spec_8_1_the_message_appears_when_the_node_goes_down() {
    let mut world = connected();
    world.node.down = true;
    refresh(&mut world, None);
    world.advance(1_200);
    assert_eq!(world.snack(), Some(Message::TokenBalanceUnavailable));
}

#[test]
fn a_balance_that_cannot_be_had_is_told_once_on_the_account_which_says_it_where_the_balance_stands() {
    for (view, said) in [(View::Account, None), (View::WalletReceive, Some(Message::TokenBalanceUnavailable))] {
        let mut world = connected();
        world.open(None);
        if view != View::Account {
            world.modal(Modal::ViewAsked { view });
        }
        assert_eq!(world.snapshot().modal.view, view);
        world.node.down = true;
        refresh(&mut world, None);
        world.advance(1_200);
        let state = world.snapshot().account.accounts[0].balance_state;
        assert_eq!((state, world.snack()), (BalanceState::Unavailable, said), "{view:?}");
    }
}

#[test]
fn another_networks_balance_is_never_shown_for_this_one() {
    let mut world = connected();
    world.node.down = true;
    world.dispatch(Event::Network(portico_core::network::Event::NetworkChosen { chain: "eip155:31338".into() }));
    let account = world.snapshot().account.accounts[0].clone();
    assert_eq!((account.balance_state, account.balance), (BalanceState::Loading, None));
}

#[test]
fn spec_3_3_and_4_21_on_a_chain_that_the_host_does_not_serve_nothing_of_another_chain_is_told() {
    let options = options().replace(r#""projectId""#, r#""allowUnsupportedChain":true,"projectId""#);
    for begins in [999, 31337] {
        let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha").on(begins)], Store::default());
        world.connect_first();
        world.wallet_switches(999);
        let account = world.snapshot().account.accounts[0].clone();
        assert_eq!(
            account.caip_address.as_deref(),
            Some("eip155:999:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"),
            "{begins}"
        );
        assert_eq!((account.balance, account.balance_amount, account.balance_symbol), (None, None, None));
        assert_eq!((account.address_explorer_url, account.token_balance), (None, vec![]));
        assert_eq!(account.balance_state, BalanceState::Unavailable);
        assert_eq!(world.snack(), None);
        world.wallet_switches(31337);
        let account = world.snapshot().account.accounts[0].clone();
        assert_eq!((account.balance.as_deref(), account.balance_state), (Some("10000.000"), BalanceState::Ready));
    }
}

#[test]
fn spec_2_10_an_answer_for_the_chain_that_the_wallet_left_is_not_told() {
    let mut world = connected();
    world.node.down = true;
    refresh(&mut world, None);
    world.wallet_switches(999);
    world.node.down = false;
    world.advance(5_000);
    let account = world.snapshot().account.accounts[0].clone();
    assert_eq!((account.balance_state, account.balance), (BalanceState::Unavailable, None));
}

#[test]
fn spec_8_33_a_balance_without_a_network_says_caip_network_not_found() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha").on(999)]);
    world.connect_first();
    refresh(&mut world, Some(1));
    assert!(world.answer(1).unwrap().contains(r#""message":"CaipNetwork not found""#));
}

#[test]
fn spec_8_50_a_balance_without_a_wallet_says_connector_not_connected() {
    let mut world = World::new(vec![]);
    refresh(&mut world, Some(1));
    assert!(world.answer(1).unwrap().contains(r#""message":"Connector not connected""#));
}

#[test]
fn a_host_that_waits_for_a_balance_learns_that_the_visitor_disconnected_or_left_the_networks() {
    let mut world = connected();
    world.node.down = true;
    refresh(&mut world, Some(1));
    world.dispatch(Event::Connect(portico_core::connect::Event::DisconnectAsked { namespace: None, ticket: None }));
    assert!(world.answer(1).unwrap().contains("notConnected"));
    let mut world = connected();
    world.node.down = true;
    refresh(&mut world, Some(2));
    world.wallet_switches(999);
    world.dispatch(Event::Account(Account::PageShown));
    assert!(world.answer(2).unwrap().contains("CaipNetwork not found"));
}

/// Number of balance reads sent to the node.
fn reads(world: &World) -> usize {
    world.node.bodies.iter().map(|body| body.matches("eth_getBalance").count()).sum()
}

#[test]
fn a_balance_that_is_being_read_is_not_asked_for_again() {
    let mut world = connected();
    world.node.bodies.clear();
    world.node.down = true;
    for ticket in 0..50 {
        refresh(&mut world, Some(ticket));
    }
    assert_eq!(reads(&world), 1);
    world.node.down = false;
    world.advance(5_000);
    assert_eq!(reads(&world), 2);
    for ticket in 0..50 {
        assert!(world.answer(ticket).unwrap().contains("10000"));
    }
    refresh(&mut world, None);
    assert_eq!(reads(&world), 3);
}

#[test]
fn a_storm_of_chains_and_accounts_asks_for_two_balances_at_a_time_and_ends_with_the_last_ones() {
    let mut world = connected();
    world.node.bodies.clear();
    world.node.down = true;
    for step in 0..200 {
        world.wallet_switches(if step % 2 == 0 { 31338 } else { 31337 });
    }
    for number in 1..=100 {
        world.wallet_shows(&[&format!("0x{number:040x}")]);
    }
    assert_eq!(reads(&world), 2);
    world.node.balances.insert(format!("0x{:040x}", 100), 7 * 10u128.pow(18));
    world.node.down = false;
    world.advance(5_000);
    let account = world.snapshot().account.accounts[0].clone();
    assert_eq!((account.balance.as_deref(), account.balance_state), (Some("7.000"), BalanceState::Ready));
    assert!(reads(&world) <= 5);
}

#[test]
fn spec_9_5_a_form_and_a_tab_of_a_modal_left_open_read_the_balance_again_after_half_a_minute() {
    let own = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    let steps = [
        Event::Modal(Modal::ViewAsked { view: View::WalletSend }),
        Event::Account(Account::TabChosen { tab: Tab::Activity }),
    ];
    for step in steps {
        let mut world = connected();
        world.open(None);
        world.node.balances.insert(own.into(), 7_000_000_000_000_000_000);
        world.advance(BALANCE_CACHE);
        assert_ne!(world.snapshot().account.accounts[0].balance.as_deref(), Some("7.000"), "{step:?}");
        world.dispatch(step.clone());
        world.advance(1_000);
        assert_eq!(world.snapshot().account.accounts[0].balance.as_deref(), Some("7.000"), "{step:?}");
    }
}
