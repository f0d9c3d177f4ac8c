use portico_core::Event;
use portico_core::account::{BALANCE_CACHE, BalanceState, Event as Account, Tab};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_terms::{AccountKind, ConnectorKind};
use portico_testkit::{ScriptedWallet, Store, World, every_namespace, options};

fn connected() -> World {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    world.connect_first();
    world
}

fn refresh(world: &mut World, ticket: Option<u32>) {
    world.dispatch(Event::Account(Account::RefreshAsked { ticket }));
}

#[test]
fn spec_2_8_the_tabs_are_tokens_nfts_and_activity() {
    let words: Vec<_> = Tab::ALL.iter().map(Tab::word).collect();
    assert_eq!(words, ["tokens", "nfts", "activity"]);
    let mut world = connected();
    let account = &world.snapshot().account.accounts[0];
    assert_eq!((account.tabs.as_slice(), account.current_tab), (Tab::ALL, Tab::Tokens));
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Activity }));
    assert_eq!(world.snapshot().account.accounts[0].current_tab, Tab::Activity);
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
fn the_address_is_copied_and_a_browser_that_refuses_is_told() {
    let mut world = connected();
    world.dispatch(Event::Account(Account::CopyAsked));
    assert_eq!(world.clipboard, ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]);
    // The button has a tick: a message would say it twice.
    assert_eq!(
        (world.snack(), world.snapshot().copied.as_deref()),
        (None, Some("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"))
    );
    world.advance(5_000);
    world.clipboard_works = false;
    world.dispatch(Event::Account(Account::CopyAsked));
    assert_eq!(world.snack(), Some(Message::CopyFailed));
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
fn an_address_that_the_wallet_spells_in_small_letters_has_its_checksum_everywhere() {
    let right = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    let mut wallet = ScriptedWallet::named("Alpha");
    wallet.accounts = vec![right.to_lowercase(), right.to_uppercase().replace("0X", "0x")];
    let mut world = World::new(vec![wallet]);
    world.connect_first();
    world.dispatch(Event::Account(Account::CopyAsked));
    let account = world.snapshot().account.accounts[0].clone();
    assert_eq!(account.address.as_deref(), Some(right));
    assert_eq!(account.caip_address, Some(format!("eip155:31337:{right}")));
    assert_eq!(account.short_address.as_deref(), Some("0xf3…b92266"));
    let all: Vec<_> = account.all_accounts.iter().map(|account| account.address.as_str()).collect();
    assert_eq!(all, [right]);
    assert_eq!(world.clipboard, [right]);
}

#[test]
fn the_same_address_in_another_case_is_no_change() {
    let mut world = connected();
    let before = world.snapshot();
    let asked = world.wallet().requests.len();
    let address = before.account.accounts[0].address.clone().unwrap();
    world.wallet_shows(&[&address.to_lowercase()]);
    assert_eq!(world.snapshot(), before);
    assert_eq!(world.wallet().requests.len(), asked);
}

#[test]
fn the_host_names_an_address_in_any_case() {
    let mut world = connected();
    let address = world.snapshot().account.accounts[0].address.clone().unwrap();
    world.dispatch(Event::Account(Account::LabelSet {
        namespace: None,
        address: address.to_lowercase(),
        label: Some("Savings".into()),
        ticket: None,
    }));
    let labels = world.snapshot().account.accounts[0].address_labels.clone();
    assert_eq!(labels.get(address.as_str()).map(String::as_str), Some("Savings"));
}

#[test]
fn the_host_names_an_address() {
    let mut world = connected();
    let label = |label: Option<&str>| {
        Event::Account(Account::LabelSet {
            namespace: None,
            address: OTHER.into(),
            label: label.map(Into::into),
            ticket: None,
        })
    };
    world.dispatch(label(Some("Savings")));
    assert_eq!(world.snapshot().account.accounts[0].address_labels.get(OTHER).map(String::as_str), Some("Savings"));
    world.dispatch(label(None));
    assert!(world.snapshot().account.accounts[0].address_labels.is_empty());
}

#[test]
fn the_label_of_a_text_that_is_no_address_is_refused() {
    let mut world = connected();
    for (ticket, label) in [(7, Some("Savings")), (8, None)] {
        world.dispatch(Event::Account(Account::LabelSet {
            namespace: None,
            address: "zz".into(),
            label: label.map(Into::into),
            ticket: Some(ticket),
        }));
        let answer = world.answer(ticket).unwrap();
        assert!(answer.contains("invalidAddress") && answer.contains("Invalid CAIP Address"), "{answer}");
    }
    assert!(world.snapshot().account.accounts[0].address_labels.is_empty());
}

#[test]
fn spec_8_12_naming_an_address_of_an_unknown_namespace_says_chain_adapter_not_found() {
    let mut world = connected();
    world.dispatch(Event::Account(Account::LabelSet {
        namespace: Some("cosmos".into()),
        address: "x".into(),
        label: Some("y".into()),
        ticket: Some(1),
    }));
    assert_eq!(world.snapshot().notice.alert.map(|alert| alert.detail).as_deref(), Some("Chain adapter not found"));
    assert!(world.answer(1).unwrap().contains(r#""message":"Chain adapter not found""#));
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

#[test]
fn spec_3_4_and_3_5_an_embedded_wallet_has_a_user_with_a_kind_of_account() {
    let mut world = World::new(vec![ScriptedWallet::named("Login").through(ConnectorKind::Auth)]);
    world.choose("example.login");
    let account = world.snapshot().account.accounts[0].clone();
    assert_eq!(
        portico_json::to_text(&account.embedded_wallet_info),
        r#"{"user":{"username":null,"authProvider":"email","accountType":"smartAccount","isSmartAccountDeployed":null}}"#
    );
    assert_eq!(account.user, account.embedded_wallet_info.map(|info| info.user));
    assert_eq!(account.all_accounts[0].kind, AccountKind::SmartAccount);
    let browser = connected().snapshot().account.accounts[0].clone();
    assert_eq!((browser.user, browser.embedded_wallet_info), (None, None));
    assert_eq!(browser.all_accounts[0].kind, AccountKind::Eoa);
}

#[test]
fn spec_3_6_the_preferred_kinds_are_those_of_the_contract_or_of_the_host() {
    let kinds = |option: &str| {
        let options = every_namespace().replace(r#""projectId""#, &format!(r#"{option}"projectId""#));
        let accounts = World::with(&options, vec![], Store::default()).snapshot().account.accounts;
        accounts.iter().map(|account| account.preferred_account_types.word()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(""), ["smartAccount", "eoa", "payment"]);
    assert_eq!(
        kinds(r#""defaultAccountTypes":{"eip155":"eoa","solana":7,"cosmos":"eoa"},"#),
        ["eoa", "eoa", "payment"]
    );
    let options = options().replace(r#""projectId""#, r#""defaultAccountTypes":{"eip155":"eoa"},"projectId""#);
    let login = ScriptedWallet::named("Login").through(ConnectorKind::Auth);
    let mut world = World::with(&options, vec![login], Store::default());
    world.choose("example.login");
    assert_eq!(world.snapshot().account.accounts[0].all_accounts[0].kind, AccountKind::Eoa);
}

#[test]
fn spec_5_4_and_8_30_a_host_that_asks_for_a_balance_of_what_is_no_address_is_told() {
    let mut world = connected();
    balance_of(&mut world, "0x12", 7);
    assert!(world.answer(7).unwrap().contains(r#""message":"Invalid CAIP Address""#));
}

#[test]
fn spec_8_11_naming_an_address_without_any_network_says_that_a_chain_is_required() {
    let options = r#"{"projectId":"a","adapters":[{"namespace":"eip155"}]}"#;
    let mut world = World::with(options, vec![], Store::default());
    world.dispatch(Event::Notice(portico_core::notice::Event::AlertDismissed));
    let label = Account::LabelSet { namespace: None, address: "0x1".into(), label: Some("A".into()), ticket: Some(7) };
    world.dispatch(Event::Account(label));
    let text = "Chain is required to update chain account data";
    assert_eq!(
        world.answer(7).unwrap(),
        format!(r#"[{{"type":"rejected","error":{{"reason":"chainRequired","message":"{text}","code":null}}}}]"#)
    );
    assert_eq!(world.snapshot().notice.alert.map(|alert| alert.detail).as_deref(), Some(text));
}

#[test]
fn spec_8_30_a_host_that_gives_what_is_no_caip_10_address_is_told_so() {
    for (address, text) in [
        ("eip155:31338:", "Invalid CAIP-10 address"),
        ("eip155:0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "Invalid CAIP-10 address"),
        ("cosmos:hub:0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "Invalid CAIP-10 address"),
        ("eip155:31338:0x12", "Invalid CAIP Address"),
    ] {
        let mut world = connected();
        let told = format!(r#""reason":"invalidAddress","message":"{text}""#);
        balance_of(&mut world, address, 1);
        assert!(world.answer(1).unwrap().contains(&told), "{address}");
        let label = Some("Savings".into());
        world.dispatch(Event::Account(Account::LabelSet {
            namespace: None,
            address: address.into(),
            label,
            ticket: Some(2),
        }));
        assert!(world.answer(2).unwrap().contains(&told), "{address}");
        assert!(world.snapshot().account.accounts[0].address_labels.is_empty());
    }
}

#[test]
fn spec_5_4_a_host_may_give_an_address_as_caip_10() {
    let mut world = connected();
    world.node.balances.insert(OTHER.to_lowercase(), 2 * 10u128.pow(18));
    balance_of(&mut world, &format!("eip155:31338:{OTHER}"), 1);
    assert!(world.answer(1).unwrap().contains(r#""balance":"2""#));
    balance_of(&mut world, &format!("eip155:31337:{OTHER}"), 2);
    assert!(world.answer(2).unwrap().contains("chainMismatch"));
    world.dispatch(Event::Account(Account::LabelSet {
        namespace: Some("solana".into()),
        address: format!("eip155:31337:{OTHER}"),
        label: Some("Savings".into()),
        ticket: Some(3),
    }));
    assert!(world.answer(3).unwrap().contains("resolved"));
    let labels = world.snapshot().account.accounts[0].address_labels.clone();
    assert_eq!(labels.get(OTHER).map(String::as_str), Some("Savings"));
}

const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/// The host asks for the native balance of an address on the second network.
fn balance_of(world: &mut World, address: &str, ticket: u32) {
    world.dispatch(Event::Account(Account::BalanceAsked {
        namespace: None,
        address: address.into(),
        chain: "eip155:31338".into(),
        ticket,
    }));
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
