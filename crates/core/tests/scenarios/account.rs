//! The account of the visitor: its tabs, its address and its kind.

mod addresses;
mod balance;

use portico_core::Event;
use portico_core::account::{Event as Account, Tab};
use portico_core::notice::Message;
use portico_terms::{AccountKind, ConnectorKind};
use portico_testkit::{ScriptedWallet, Store, World, every_namespace, options};

fn connected() -> World {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    world.connect_first();
    world
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
