//! Scenarios of the account's tokens from the host's server, which may lie, fail or be late.

mod wallet;

use portico_api::account::{Balance, Balances, Quantity};
use portico_core::Event;
use portico_core::account::{AccountState, BalanceState, Event as Account};
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::{Event as Notice, Message};
use portico_json::{Number, Value, parse, to_text};
use portico_terms::Namespace;
use portico_testkit::{Behaviour, SOLANA, ScriptedWallet, Store, World, every_namespace, options};

const ROUTE: &str = "/balance";
const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn with_server(options: &str) -> String {
    options.replacen('{', r#"{"endpoints":"https://host.example","#, 1)
}

fn served(wallet: ScriptedWallet) -> World {
    let mut world = World::with(&with_server(&options()), vec![wallet], Store::default());
    world.server.answers(ROUTE, 200, &to_text(&balances()));
    world.connect_first();
    world
}

/// World with the modal open on the account.
fn opened(wallet: ScriptedWallet) -> World {
    let mut world = served(wallet);
    world.open(None);
    world
}

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

fn state(world: &World) -> AccountState {
    world.snapshot().account.accounts[0].clone()
}

fn token(symbol: &str, number: u64, price: f64, numeric: &str) -> Balance {
    Balance {
        name: format!("{symbol} Coin"),
        symbol: symbol.into(),
        chain_id: "eip155:31337".into(),
        address: (number > 0).then(|| format!("eip155:31337:0x{number:040x}")),
        value: None,
        price: Number::from(price),
        quantity: Quantity { decimals: "18".into(), numeric: numeric.into() },
        icon_url: format!("/v1/image/{symbol}"),
    }
}

fn balances() -> Balances {
    let tokens = vec![
        token("DUST", 1, 0.0, "7"),
        token("ETH", 0, 2000.5, "9"),
        token("USDC", 2, 1.0, "1250.009"),
        token("WBTC", 3, 60000.0, "0.5"),
    ];
    Balances { balances: tokens, ..Balances::default() }
}

fn symbols(world: &World) -> Vec<String> {
    state(world).token_balance.into_iter().map(|token| token.symbol).collect()
}

#[test]
fn spec_7_5_and_3_12_the_server_tells_the_tokens_and_the_chain_its_own_coin() {
    let world = opened(alpha());
    let (request, _) = world.server.heard.iter().find(|(request, _)| request.contains(ROUTE)).unwrap();
    let path = format!("GET https://host.example/v1/account/{ADDRESS}/balance?projectId=test");
    assert!(request.starts_with(&path) && request.ends_with("&currency=usd&chainId=eip155:31337"), "{request}");
    let account = state(&world);
    assert_eq!(symbols(&world), ["ETH", "WBTC", "USDC", "DUST"]);
    assert_eq!(
        to_text(&account.token_balance[2]),
        format!(
            r#"{{"name":"USDC Coin","symbol":"USDC","chainId":"eip155:31337","address":"eip155:31337:0x{:040x}","value":"1250.01","price":"1","quantity":{{"decimals":"18","numeric":"1250.009"}},"shown":"1250.00","iconUrl":"https://host.example/v1/image/USDC?projectId=test","mark":null,"hidden":false}}"#,
            2
        )
    );
    let coin = &account.token_balance[0];
    assert_eq!((coin.quantity.numeric.as_str(), coin.value.as_deref()), ("10000", Some("20005000.00")));
    assert_eq!(account.total_value.as_deref(), Some("20036250.01"));
    assert_eq!(account.tokens_state, BalanceState::Ready);
}

#[test]
fn spec_3_14_the_price_of_the_coin_that_comes_with_the_tokens_is_that_of_a_send() {
    let mut world = opened(alpha());
    world.open(Some("WalletSend"));
    assert_eq!(world.snapshot().send.network_balance_in_usd.as_deref(), Some("20005000"));
}

#[test]
fn without_a_server_the_chains_own_coin_stands_alone_and_nothing_is_asked() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.open(None);
    assert_eq!(symbols(&world), ["ETH"]);
    assert_eq!((state(&world).tokens_state, state(&world).total_value), (BalanceState::Ready, None));
    assert_eq!(world.server.heard.len(), 0);
}

#[test]
fn while_nobody_looks_no_token_is_asked_for() {
    let mut world = served(alpha());
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    world.wallet_switches(31338);
    world.dispatch(Event::Account(Account::PageShown));
    assert_eq!(world.server.count(ROUTE), 0);
    assert!(!world.wallet().requests.iter().any(|(method, _)| method == "wallet_getCapabilities"));
}

#[test]
fn hostile_tokens_are_left_out_and_do_not_cost_the_good_ones() {
    let mut world = served(alpha());
    let good = to_text(&token("GOOD", 9, 2.0, "1.5"));
    let change = |from: &str, to: &str| good.replace(from, to);
    let hostile = [
        "7".into(),
        "null".into(),
        "{}".into(),
        change(r#""chainId":"eip155:31337""#, r#""chainId":"eip155:1""#),
        change(r#""address":"eip155:31337:"#, r#""address":"eip155:1:"#),
        change(r#""address":"eip155:31337:"#, r#""address":"eip155:313371:"#),
        change(r#""numeric":"1.5""#, r#""numeric":"-1.5""#),
        change(r#""numeric":"1.5""#, r#""numeric":1.5"#),
        change(r#""numeric":"1.5""#, r#""numeric":"1.5e3""#),
        change(r#""numeric":"1.5""#, &format!(r#""numeric":"{}""#, "9".repeat(90))),
        change(r#""decimals":"18""#, r#""decimals":"256""#),
        change(r#""decimals":"18""#, r#""decimals":18"#),
        change(r#""name":"GOOD Coin""#, r#""name":"\u202e\u200b""#),
        change(r#""symbol":"GOOD""#, r#""symbol":["GOOD"]"#),
        good.clone(),
        change("GOOD", "TWICE"),
    ];
    world.server.answers(ROUTE, 200, &format!(r#"{{"balances":[{}]}}"#, hostile.join(",")));
    world.open(None);
    assert_eq!(symbols(&world), ["ETH", "GOOD"]);
    // Three that are no token, and three with a field of another type.
    assert_eq!(world.skipped_items(), 6);
    let nasty = good.replace("/v1/image/GOOD", "https://evil.example/a.png").replace(r#""price":2"#, r#""price":-2"#);
    world.server.answers(ROUTE, 200, &format!(r#"{{"balances":[{nasty}]}}"#));
    world.dispatch(Event::Account(Account::TokensAsked));
    let told = state(&world).token_balance[1].clone();
    assert_eq!((told.icon_url, told.price, told.value), (None, None, None));
}

#[test]
fn spec_5_12_tokens_with_decimals_0_are_dropped() {
    let mut world = served(alpha());
    let mut low = token("LOW", 4, 9.0, "1");
    low.quantity.decimals = "0".into();
    let told = Balances { balances: vec![low, token("USDC", 2, 1.0, "5")], ..Balances::default() };
    world.server.answers(ROUTE, 200, &to_text(&told));
    world.open(None);
    assert_eq!(symbols(&world), ["ETH", "USDC"]);
}

#[test]
fn spec_2_11_a_token_of_which_there_is_little_is_not_shown_as_nothing() {
    let mut world = served(alpha());
    let told = Balances { balances: vec![token("WEE", 2, 1.0, "0.000001")], ..Balances::default() };
    world.server.answers(ROUTE, 200, &to_text(&told));
    world.open(None);
    assert_eq!(state(&world).token_balance[1].shown, "<0.01");
}

fn close(world: &mut World) {
    world.modal(Modal::CloseAsked);
}

#[test]
fn spec_9_5_the_tokens_and_the_balance_are_good_for_30_s() {
    let mut world = opened(alpha());
    let reads = |world: &World| world.node.bodies.iter().filter(|body| body.contains("eth_getBalance")).count();
    let before = reads(&world);
    world.advance(29_000);
    close(&mut world);
    world.open(None);
    assert_eq!((world.server.count(ROUTE), reads(&world)), (1, before));
    close(&mut world);
    world.advance(1_001);
    world.open(None);
    assert_eq!((world.server.count(ROUTE), reads(&world)), (2, before + 1));
}

#[test]
fn a_server_that_does_not_serve_the_network_has_the_coin_alone_and_that_is_no_error() {
    let mut world = served(alpha());
    world.server.answers(ROUTE, 501, "");
    world.open(None);
    assert_eq!(world.snack(), None);
    assert_eq!((symbols(&world), state(&world).tokens_state), (vec!["ETH".into()], BalanceState::Ready));
}

#[test]
fn spec_8_1_and_4_31_a_server_that_fails_is_left_alone_for_30_s_and_the_coin_stands() {
    for (status, body) in [(500, ""), (200, "nonsense"), (200, r#"{"balances":{}}"#), (202, ""), (200, "[]")] {
        let mut world = served(alpha());
        world.server.answers(ROUTE, status, body);
        world.open(None);
        assert_eq!(world.snack(), None, "the account says it: {status} {body}");
        assert_eq!((symbols(&world), state(&world).tokens_state), (vec!["ETH".into()], BalanceState::Unavailable));
        world.advance(20_000);
        close(&mut world);
        world.open(None);
        assert_eq!((world.server.count(ROUTE), world.snack()), (1, None));
        world.dispatch(Event::Account(Account::TokensAsked));
        world.dispatch(Event::Account(Account::TokensAsked));
        assert_eq!((world.server.count(ROUTE), state(&world).tokens_state), (1, BalanceState::Loading));
        world.server.answers(ROUTE, 200, &to_text(&balances()));
        world.advance(9_999);
        assert_eq!(world.server.count(ROUTE), 1);
        world.advance(1);
        assert_eq!((world.server.count(ROUTE), state(&world).tokens_state), (2, BalanceState::Ready));
        assert_eq!(symbols(&world).len(), 4);
    }
}

const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

fn asked_for(world: &World, address: &str) -> (usize, usize) {
    let reads = world.node.bodies.iter().filter(|body| body.contains("eth_getBalance") && body.contains(address));
    (world.server.count(&format!("/v1/account/{address}{ROUTE}")), reads.count())
}

#[test]
fn spec_3_22_and_9_5_what_was_read_is_good_for_30_s_also_after_another_account_was_in_use() {
    let mut world = opened(alpha());
    assert_eq!(asked_for(&world, ADDRESS), (1, 1));
    world.wallet_shows(&[OTHER]);
    assert_eq!(asked_for(&world, OTHER), (1, 1));
    world.advance(29_000);
    world.wallet_shows(&[ADDRESS]);
    assert_eq!((asked_for(&world, ADDRESS), symbols(&world).len()), ((1, 1), 4));
    assert_eq!((state(&world).balance_state, state(&world).tokens_state), (BalanceState::Ready, BalanceState::Ready));
    world.wallet_shows(&[OTHER]);
    world.advance(1_001);
    world.server.silent = true;
    world.wallet_shows(&[ADDRESS]);
    // The earlier tokens are shown until newer ones arrive.
    assert_eq!((asked_for(&world, ADDRESS), symbols(&world).len()), ((2, 2), 4));
    assert_eq!(state(&world).tokens_state, BalanceState::Refreshing);
}

#[test]
fn spec_9_5_tokens_of_which_the_answer_was_not_waited_for_are_asked_for_again() {
    let mut world = opened(alpha());
    world.server.silent = true;
    world.dispatch(Event::Account(Account::TokensAsked));
    world.wallet_shows(&[OTHER]);
    world.server.silent = false;
    world.wallet_shows(&[ADDRESS]);
    assert_eq!((asked_for(&world, ADDRESS).0, symbols(&world).len()), (3, 4));
}

#[test]
fn spec_4_31_and_9_2_another_account_in_between_does_not_bring_a_retry_forward() {
    let mut world = served(alpha());
    world.server.answers(&format!("{ADDRESS}{ROUTE}"), 500, "");
    world.open(None);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.wallet_shows(&[OTHER]);
    assert_eq!(state(&world).tokens_state, BalanceState::Ready);
    world.advance(29_000);
    world.wallet_shows(&[ADDRESS]);
    assert_eq!((asked_for(&world, ADDRESS).0, world.snack()), (1, None));
    assert_eq!((symbols(&world), state(&world).tokens_state), (vec!["ETH".into()], BalanceState::Unavailable));
    // A request of the visitor and another account do not bring the retry forward either.
    world.dispatch(Event::Account(Account::TokensAsked));
    world.wallet_shows(&[OTHER]);
    world.wallet_shows(&[ADDRESS]);
    assert_eq!((asked_for(&world, ADDRESS).0, state(&world).tokens_state), (1, BalanceState::Unavailable));
    world.advance(1_001);
    world.wallet_shows(&[OTHER]);
    world.wallet_shows(&[ADDRESS]);
    assert_eq!(asked_for(&world, ADDRESS).0, 2);
}

#[test]
fn spec_4_31_tokens_that_could_not_be_read_anew_stay_and_it_is_said() {
    let mut world = opened(alpha());
    world.server.answers(ROUTE, 500, "");
    world.modal(Modal::ViewAsked { view: View::WalletReceive });
    world.dispatch(Event::Account(Account::TokensAsked));
    assert_eq!(world.snack(), Some(Message::TokenBalanceUnavailable));
    assert_eq!((symbols(&world).len(), state(&world).tokens_state), (4, BalanceState::Unavailable));
    assert_eq!(state(&world).total_value.as_deref(), Some("20036250.01"));
    world.advance(30_000);
    world.server.silent = true;
    world.dispatch(Event::Account(Account::TokensAsked));
    assert_eq!((symbols(&world).len(), state(&world).tokens_state), (4, BalanceState::Refreshing));
}

#[test]
fn spec_4_9_after_a_disconnection_nothing_that_was_read_is_kept() {
    let mut world = opened(alpha());
    world.wallet_shows(&[OTHER]);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    world.connect_first();
    world.open(None);
    world.wallet_shows(&[ADDRESS]);
    assert_eq!((asked_for(&world, ADDRESS), asked_for(&world, OTHER)), ((2, 2), (2, 2)));
}

#[test]
fn another_account_or_network_begins_anew_and_late_answers_are_not_taken_for_it() {
    let mut world = served(alpha());
    world.server.silent = true;
    world.open(None);
    assert_eq!(state(&world).tokens_state, BalanceState::Loading);
    world.wallet_switches(31338);
    assert_eq!(world.server.count("chainId=eip155:31338"), 1);
    world.server.silent = false;
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    assert_eq!(world.server.count("0x70997970C51812dc3A010C7d01b50e0d17dc79C8/balance"), 1);
    // The tokens shown before belong to the other chain.
    assert_eq!(symbols(&world), ["ETH"]);
    world.wallet_switches(31337);
    assert_eq!(symbols(&world).len(), 4);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert_eq!(symbols(&world), Vec::<String>::new());
}

fn asked(world: &mut World, method: &str) -> Vec<String> {
    let requests = &world.wallet().requests;
    requests.iter().filter(|(name, _)| name == method).map(|(_, params)| to_text(params)).collect()
}

#[test]
fn spec_6_9_solana_has_tokens_by_the_server_and_its_wallet_is_not_asked_and_bitcoin_has_none() {
    let key = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
    for (namespace, address, count) in
        // Once for the balance of the coin, and once for the tokens.
        [(Namespace::Solana, key, 2), (Namespace::Bip122, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", 0)]
    {
        let wallet = alpha().of(namespace, address);
        let mut world = World::with(&with_server(&every_namespace()), vec![wallet], Store::default());
        let coin = Balance { chain_id: SOLANA.into(), ..token("SOL", 0, 150.0, "2") };
        let coin = Balance { quantity: Quantity { decimals: "9".into(), ..coin.quantity }, ..coin };
        world.server.answers(ROUTE, 200, &to_text(&Balances { balances: vec![coin], ..Balances::default() }));
        world.connect_first();
        world.open(None);
        assert_eq!(world.server.count(ROUTE), count);
        assert_eq!(asked(&mut world, "wallet_getCapabilities"), Vec::<String>::new());
        if count > 0 {
            let accounts = world.snapshot().account.accounts;
            let tokens = &accounts.iter().find(|account| account.namespace == namespace).unwrap().token_balance;
            assert_eq!((tokens[0].symbol.as_str(), tokens[0].value.as_deref()), ("SOL", Some("300.00")));
        }
    }
}
