//! Scenarios of tokens that nobody asked for: what is hidden, what is marked, and what no server can hide.

use portico_api::account::{
    Balance, Balances, History, Nft, Nfts, Quantity, Transaction, TransactionMetadata, Transfer,
};
use portico_api::account::{FungibleInfo, NftFlags, Picture, TransferQuantity};
use portico_core::Event;
use portico_core::account::{AccountState, Event as Account, Tab, TokenBalance};
use portico_core::modal::{Event as Modal, View};
use portico_core::pay::standing::Mark;
use portico_core::send::{Event as Send, PAGE, Warning};
use portico_json::to_text;
use portico_testkit::{ScriptedWallet, Store, World, options};

const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

fn token(chain: u64, name: &str, symbol: &str, address: Option<&str>, price: u64) -> Balance {
    Balance {
        name: name.into(),
        symbol: symbol.into(),
        chain_id: format!("eip155:{chain}"),
        address: address.map(|address| format!("eip155:{chain}:{address}")),
        price: price.into(),
        quantity: Quantity { decimals: "6".into(), numeric: "5".into() },
        ..Balance::default()
    }
}

fn contract(number: u64) -> String {
    format!("0x{number:040x}")
}

fn world(chain: u64, balances: Vec<Balance>) -> World {
    let options = options()
        .replace("31337", &chain.to_string())
        .replacen('{', r#"{"endpoints":"https://host.example","#, 1)
        .replacen(r#""testnet":true"#, r#""testnet":false"#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha").on(chain)], Store::default());
    world.server.serves("/balance", &Balances { balances, ..Balances::default() });
    world.connect_first();
    world.open(None);
    world
}

fn state(world: &World) -> AccountState {
    world.snapshot().account.accounts[0].clone()
}

fn told(world: &World) -> Vec<(String, bool, Option<Mark>)> {
    let row = |token: TokenBalance| (token.symbol, token.hidden, token.mark);
    state(world).token_balance.into_iter().map(row).collect()
}

#[test]
fn a_token_without_a_list_and_a_price_is_hidden_and_still_there() {
    let world = world(
        1,
        vec![
            token(1, "Ether", "ETH", None, 2000),
            token(1, "USD Coin", "USDC", Some(USDC), 0),
            token(1, "Priced", "PRI", Some(&contract(1)), 3),
            token(1, "Unknown", "UNK", Some(&contract(2)), 0),
        ],
    );
    let rows = [("ETH", false), ("PRI", false), ("USDC", false), ("UNK", true)];
    assert_eq!(told(&world), rows.map(|(symbol, hidden)| (symbol.to_owned(), hidden, None)));
}

#[test]
fn a_server_that_knows_no_price_at_all_hides_nothing_but_what_imitates_or_lures() {
    let world = world(
        1,
        vec![
            token(1, "Ether", "ETH", None, 0),
            token(1, "Unknown", "UNK", Some(&contract(2)), 0),
            token(1, "USD Coin", "USDC", Some(&contract(3)), 0),
        ],
    );
    let rows = [("ETH", false, None), ("UNK", false, None), ("USDC", true, Some(Mark::Lookalike))];
    assert_eq!(told(&world), rows.map(|(symbol, hidden, mark)| (symbol.to_owned(), hidden, mark)));
}

#[test]
fn a_token_that_imitates_one_with_a_price_is_marked_on_a_chain_that_no_table_knows_with_what_else_is_wrong() {
    let balances = vec![
        token(31337, "Ether", "ETH", None, 2000),
        token(31337, "USD Coin", "USDC", Some(&contract(1)), 1),
        token(31337, "<img src=x>", "USDC", Some(&contract(2)), 0),
        token(31337, "USD Coin", "usdc", Some(&contract(3)), 0),
        token(31337, "<b>Gift</b>", "GIFT", Some(&contract(4)), 0),
        token(31337, "Gold", "GOLD", Some(&contract(5)), 0),
        token(31337, "Gold", "GOLD", Some(&contract(6)), 0),
    ];
    let mut world = world(31337, balances);
    let of = |number: u64| Some(format!("eip155:31337:{}", contract(number)));
    let all = state(&world).token_balance;
    let mark = |number: u64| all.iter().find(|token| token.address == of(number)).unwrap().mark;
    let marks = [None, Some(Mark::Both), Some(Mark::Lookalike), Some(Mark::Suspicious), None, None];
    assert_eq!([1, 2, 3, 4, 5, 6].map(mark), marks);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    world.dispatch(Event::Send(Send::HiddenAsked));
    let list = world.snapshot().send_tokens.unwrap();
    assert!(list.tokens.iter().any(|choice| choice.mark == Some(Mark::Both)));
}

#[test]
fn a_symbol_of_another_contract_is_marked_whatever_its_price() {
    let balances = vec![
        token(1, "USD Coin", "USDC", Some(USDC), 1),
        token(1, "USD Coin", "usdc", Some(&contract(3)), 1),
        token(1, "USD Coin", "USDС", Some(&contract(4)), 1),
        token(1, "Ether", "ETH", Some(&contract(5)), 2000),
    ];
    let world = world(1, balances);
    let marks: Vec<_> = told(&world).into_iter().filter(|(_, _, mark)| *mark == Some(Mark::Lookalike)).collect();
    assert_eq!(marks.len(), 3, "{marks:?}");
    assert!(told(&world).contains(&("USDC".into(), false, None)));
}

#[test]
fn a_name_with_a_link_is_left_out_and_a_symbol_with_one_gives_way_to_the_contract() {
    let balances = vec![
        token(1, "Ether", "ETH", None, 2000),
        token(1, "visit site.com to claim", "CLAIM", Some(&contract(2)), 0),
        token(1, "Gift", "t.me/gift", Some(&contract(3)), 0),
        token(1, "yearn.finance", "YFI", Some(&contract(4)), 6000),
    ];
    let world = world(1, balances);
    let all = state(&world).token_balance;
    let row = |symbol: &str| all.iter().find(|token| token.symbol == symbol).unwrap();
    assert_eq!((row("CLAIM").name.as_str(), row("CLAIM").mark), ("", Some(Mark::Suspicious)));
    assert_eq!((row("0x00…000003").name.as_str(), row("0x00…000003").hidden), ("", true));
    assert_eq!((row("YFI").name.as_str(), row("YFI").mark), ("yearn.finance", None));
    assert!(!to_text(&state(&world)).contains("site.com") && !to_text(&state(&world)).contains("t.me"));
}

#[test]
fn the_row_of_hidden_tokens_opens_and_closes() {
    let mut world = world(1, vec![token(1, "Ether", "ETH", None, 2000)]);
    assert!(!state(&world).tokens_revealed);
    world.dispatch(Event::Account(Account::HiddenAsked));
    assert!(state(&world).tokens_revealed);
    world.dispatch(Event::Account(Account::HiddenAsked));
    assert!(!state(&world).tokens_revealed);
}

#[test]
fn the_list_of_tokens_to_send_counts_the_hidden_ones_and_tells_them_when_asked_page_by_page() {
    let mut balances = vec![token(1, "Ether", "ETH", None, 2000), token(1, "Priced", "PRI", Some(&contract(1)), 3)];
    balances.extend((10..60).map(|at| token(1, &format!("Spam {at}"), "SPAM", Some(&contract(at)), 0)));
    let mut world = world(1, balances);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    let list = |world: &World| world.snapshot().send_tokens.unwrap();
    let symbols = |world: &World| list(world).tokens.into_iter().map(|it| it.symbol).collect::<Vec<_>>();
    assert_eq!(symbols(&world), ["ETH", "PRI"]);
    assert_eq!((list(&world).count, list(&world).hidden, list(&world).more), (2, 50, false));
    world.dispatch(Event::Send(Send::HiddenAsked));
    assert_eq!((list(&world).count, list(&world).revealed, list(&world).more), (52, true, true));
    assert_eq!(list(&world).tokens.iter().filter(|token| token.hidden).count(), PAGE - 2);
    world.dispatch(Event::Send(Send::MoreAsked));
    assert_eq!((list(&world).tokens.len(), list(&world).more), (52, false));
    // A search finds hidden tokens too, behind the same row.
    world.dispatch(Event::Send(Send::HiddenAsked));
    world.dispatch(Event::Send(Send::TokenSearched { text: "spam 1".into() }));
    assert_eq!((list(&world).tokens.len(), list(&world).hidden), (0, 10));
    world.dispatch(Event::Send(Send::HiddenAsked));
    assert_eq!(list(&world).tokens.len(), 10);
}

#[test]
fn whoever_sends_a_token_that_has_the_symbol_of_another_contract_is_warned() {
    // Our table has the tokens of chain 1. On chain 31337 the token beside it decides, which has a price.
    for (chain, price) in [(1, 1), (31337, 0)] {
        let (fake, real) = (contract(3), USDC);
        let rows = [(fake.as_str(), price), (real, 1)];
        let balances = rows.map(|(at, price)| token(chain, "USD Coin", "USDC", Some(at), price));
        let mut world = world(chain, balances.into());
        for (address, warned) in [(fake.as_str(), true), (real, false)] {
            world.modal(Modal::ViewAsked { view: View::WalletSend });
            world.dispatch(Event::Send(Send::TokenChosen { address: Some(address.into()) }));
            let form = world.snapshot().send;
            assert_eq!(form.warnings.contains(&Warning::SymbolElsewhere), warned, "{chain} {address} {form:?}");
        }
    }
}

#[test]
fn nfts_and_transactions_leave_out_names_with_links_as_well() {
    let mut world = world(1, vec![token(1, "Ether", "ETH", None, 2000)]);
    let nft = Nft {
        address: format!("eip155:1:{}", contract(7)),
        token_id: "1".into(),
        name: "Claim at site.com".into(),
        collection: "<b>Gift</b>".into(),
        image_url: String::new(),
        amount: "1".into(),
        flags: NftFlags::default(),
    };
    world.server.serves("/nfts", &Nfts { data: vec![nft], ..Nfts::default() });
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Nfts }));
    let item = world.snapshot().nfts.unwrap().items[0].clone();
    assert_eq!((item.name.as_str(), item.collection.as_str()), ("", ""));
    let transfer = |symbol: &str| Transfer {
        fungible_info: Some(FungibleInfo {
            symbol: Some(symbol.into()),
            icon: Some(Picture { url: "/v1/image/bait".into() }),
            address: Some(contract(7)),
            ..FungibleInfo::default()
        }),
        direction: "in".into(),
        quantity: TransferQuantity { numeric: "1000".into() },
        ..Transfer::default()
    };
    let metadata = TransactionMetadata {
        operation_type: "receive".into(),
        hash: format!("0x{:064x}", 1),
        mined_at: "2026-11-19T09:30:00Z".into(),
        sent_from: contract(9),
        sent_to: contract(8),
        status: "confirmed".into(),
        chain: Some("eip155:1".into()),
        ..TransactionMetadata::default()
    };
    let mut both = transfer("USDC");
    both.fungible_info.as_mut().unwrap().name = Some("<img src=x>".into());
    let transfers = Some(vec![transfer("t.me/gift"), transfer("USDC")]);
    let data = vec![
        Transaction { id: "1".into(), metadata: metadata.clone(), transfers, approval: None },
        Transaction { id: "2".into(), metadata, transfers: Some(vec![both]), approval: None },
    ];
    world.server.serves("/history", &History { data, ..History::default() });
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Activity }));
    let items = world.snapshot().activity.unwrap().months[0].items.clone();
    let item = &items[0];
    assert_eq!((item.moves[0].name.as_str(), item.moves[0].amount.as_deref()), ("", Some("1000.000")));
    // The symbol of a listed token on another contract is marked here too, and no picture pretends.
    assert_eq!(
        item.moves.iter().map(|one| one.mark).collect::<Vec<_>>(),
        [Some(Mark::Suspicious), Some(Mark::Lookalike)]
    );
    assert_eq!(items[1].moves[0].mark, Some(Mark::Both));
    assert!(item.moves.iter().all(|one| one.picture.is_none()));
    assert_eq!(item.moves[1].address, Some(format!("eip155:1:{}", contract(7))));
}

#[test]
fn a_transaction_of_a_token_whose_name_has_a_link_carries_the_mark_of_its_row_although_its_symbol_is_plain() {
    let mut world = world(1, vec![token(1, "Ether", "ETH", None, 2000)]);
    let transfer = |name: &str, symbol: &str| Transfer {
        fungible_info: Some(FungibleInfo {
            name: Some(name.into()),
            symbol: Some(symbol.into()),
            address: Some(contract(7)),
            ..FungibleInfo::default()
        }),
        direction: "in".into(),
        quantity: TransferQuantity { numeric: "1000".into() },
        ..Transfer::default()
    };
    let metadata = TransactionMetadata {
        operation_type: "receive".into(),
        hash: format!("0x{:064x}", 1),
        mined_at: "2026-11-19T09:30:00Z".into(),
        sent_from: contract(9),
        sent_to: contract(8),
        status: "confirmed".into(),
        chain: Some("eip155:1".into()),
        ..TransactionMetadata::default()
    };
    // A bare address is part of the names of real tokens.
    let transfers = Some(vec![transfer("<img src=x>", "GIFT"), transfer("yearn.finance", "YEARNED")]);
    let data = vec![Transaction { id: "1".into(), metadata, transfers, approval: None }];
    world.server.serves("/history", &History { data, ..History::default() });
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Activity }));
    let item = world.snapshot().activity.unwrap().months[0].items[0].clone();
    let told: Vec<_> = item.moves.iter().map(|one| (one.name.as_str(), one.mark)).collect();
    assert_eq!(told, [("GIFT", Some(Mark::Suspicious)), ("YEARNED", None)]);
}
