//! Scenarios of the details of a token, NFT or transaction.

use portico_api::account::{Balance, Balances, Quantity};
use portico_core::account::{COPIED, Event as Account};
use portico_core::detail::{Event as Detail, View as Details};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::{Event, Snapshot};
use portico_testkit::{ScriptedWallet, Store, World, options};

const TOKEN: &str = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const CHECKED: &str = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

fn world() -> World {
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    let token = Balance {
        name: "Coin".into(),
        symbol: "USDX".into(),
        chain_id: "eip155:31337".into(),
        address: Some(id(TOKEN)),
        price: 1u64.into(),
        quantity: Quantity { decimals: "6".into(), numeric: "5".into() },
        ..Balance::default()
    };
    world.server.serves("/balance", &Balances { balances: vec![token], ..Balances::default() });
    world.connect_first();
    world.open(None);
    world
}

fn id(address: &str) -> String {
    format!("eip155:31337:{address}")
}

fn open(world: &mut World, event: Detail) -> Snapshot {
    world.dispatch(Event::Detail(event));
    world.snapshot()
}

fn token() -> Detail {
    Detail::TokenAsked { address: Some(id(TOKEN)) }
}

fn details(snapshot: &Snapshot) -> Details {
    snapshot.detail.clone().unwrap()
}

#[test]
fn a_token_opens_with_its_whole_contract_and_back_leads_to_the_list() {
    let mut world = world();
    let snapshot = open(&mut world, token());
    assert_eq!((snapshot.modal.view, snapshot.modal.depth), (View::TokenDetails, 1));
    assert_eq!(details(&snapshot).contract.as_deref(), Some(CHECKED));
    assert!(details(&snapshot).network.is_some());
    world.modal(Modal::BackAsked);
    assert_eq!(world.snapshot().modal.view, View::Account);
}

#[test]
fn the_coin_has_no_contract_and_an_nft_has_its_number() {
    let mut world = world();
    let coin = open(&mut world, Detail::TokenAsked { address: None });
    assert_eq!((details(&coin).id.as_str(), details(&coin).contract), ("", None));
    world.modal(Modal::BackAsked);
    let nft = open(&mut world, Detail::NftAsked { id: format!("{}/7", id(TOKEN)) });
    assert_eq!(nft.modal.view, View::NftDetails);
    assert_eq!((details(&nft).contract.as_deref(), details(&nft).token_id.as_deref()), (Some(CHECKED), Some("7")));
    world.modal(Modal::BackAsked);
    let transaction = open(&mut world, Detail::TransactionAsked { id: "1".into() });
    assert_eq!((transaction.modal.view, details(&transaction).contract), (View::TransactionDetails, None));
}

#[test]
fn a_contract_of_another_network_is_not_told() {
    let mut world = world();
    for address in [format!("eip155:1:{TOKEN}"), TOKEN.into(), "nonsense".into()] {
        let snapshot = open(&mut world, Detail::TokenAsked { address: Some(address) });
        assert_eq!((details(&snapshot).contract, details(&snapshot).url), (None, None));
    }
}

#[test]
fn the_forms_open_with_the_token_of_the_details() {
    let mut world = world();
    open(&mut world, token());
    let send = open(&mut world, Detail::SendAsked);
    assert_eq!((send.modal.view, send.modal.depth), (View::WalletSend, 2));
    assert_eq!(send.send.token.unwrap().address.as_deref(), Some(CHECKED));
    world.modal(Modal::BackAsked);
    assert_eq!(world.snapshot().modal.view, View::TokenDetails);
    world.modal(Modal::BackAsked);
    open(&mut world, Detail::TokenAsked { address: None });
    let coin = open(&mut world, Detail::SendAsked);
    assert_eq!(coin.send.token.unwrap().address, None);
}

#[test]
fn no_form_opens_without_a_token() {
    let mut world = world();
    assert_eq!(open(&mut world, Detail::SendAsked).modal.view, View::Account);
    open(&mut world, Detail::TransactionAsked { id: "1".into() });
    assert_eq!(open(&mut world, Detail::SwapAsked).modal.view, View::TransactionDetails);
}

#[test]
fn details_close_where_the_network_changes() {
    let mut world = world();
    open(&mut world, token());
    world.wallet_switches(999);
    let snapshot = world.snapshot();
    assert_ne!(snapshot.modal.view, View::TokenDetails);
    assert_eq!(snapshot.detail, None);
}

#[test]
fn a_copied_text_is_told_for_two_seconds_and_a_refusal_is_said() {
    let mut world = world();
    let copied = |world: &World| world.snapshot().copied;
    world.dispatch(Event::Account(Account::TextCopyAsked { text: CHECKED.into() }));
    assert_eq!((world.clipboard.last().map(String::as_str), copied(&world).as_deref()), (Some(CHECKED), Some(CHECKED)));
    world.advance(COPIED - 1);
    assert!(copied(&world).is_some());
    world.advance(1);
    assert_eq!(copied(&world), None);
    world.clipboard_works = false;
    world.dispatch(Event::Account(Account::TextCopyAsked { text: CHECKED.into() }));
    let snack = world.snack();
    assert_eq!((copied(&world), snack), (None, Some(Message::CopyFailed)));
}
