//! Scenarios of the balances of accounts on other chains than EVM.

use super::*;
use crate::session::{POLKADOT_ACCOUNT, everywhere};
use portico_api::account::{Balance, Balances, Quantity};

/// World with a server that knows what the accounts of this namespace hold.
fn served(namespace: Namespace, address: &str, balance: &Balance) -> World {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let wallet = ScriptedWallet::named("Other").of(namespace, address).through(ConnectorKind::External);
    let mut world = World::with(&options, vec![wallet], Store::default());
    world.server.serves("/balance", &Balances { balances: vec![balance.clone()], ..Balances::default() });
    world.choose("example.other");
    world
}

fn sol_coin(numeric: &str) -> Balance {
    let quantity = Quantity { decimals: "9".into(), numeric: numeric.into() };
    Balance { name: "Solana".into(), symbol: "SOL".into(), chain_id: SOLANA.into(), quantity, ..Balance::default() }
}

#[test]
fn spec_6_9_the_balance_of_a_solana_account_is_the_servers_in_the_head_and_for_the_host() {
    let mut world = served(Namespace::Solana, SOLANA_ADDRESS, &sol_coin("1.23456"));
    world.open(None);
    let account = world.snapshot().account.accounts.into_iter().find(|one| one.namespace == Namespace::Solana).unwrap();
    assert_eq!((account.balance.as_deref(), account.balance_symbol.as_deref()), (Some("1.234"), Some("SOL")));
    world.dispatch(Event::Account(Account::RefreshAsked { ticket: Some(1) }));
    assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":{"balance":"1.23456","symbol":"SOL"}}]"#);
    let (namespace, other) = (Some("solana".into()), "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM".into());
    world.dispatch(Event::Account(Account::BalanceAsked {
        namespace,
        address: other,
        chain: SOLANA.into(),
        ticket: 2,
    }));
    assert_eq!(world.answer(2), world.answer(1), "that of another account too");
}

#[test]
fn spec_6_9_a_solana_account_that_the_chain_does_not_know_yet_has_no_coins_until_they_arrive() {
    let mut world = served(Namespace::Solana, SOLANA_ADDRESS, &sol_coin("1"));
    world.advance(BALANCE_CACHE);
    world.server.answers("/balance", 200, r#"{"balances":[]}"#);
    world.open(None);
    let account = on_solana(&world);
    assert_eq!((account.balance.as_deref(), account.balance_state), (Some("0.000"), BalanceState::Ready));
    let tokens: Vec<_> = account.token_balance.iter().map(|one| (one.symbol.as_str(), one.shown.as_str())).collect();
    assert_eq!((tokens, account.tokens_state), (vec![("SOL", "0.00")], BalanceState::Ready));
    world.dispatch(Event::Account(Account::RefreshAsked { ticket: Some(1) }));
    assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":{"balance":"0","symbol":"SOL"}}]"#);
    world.modal(Modal::CloseAsked);
    world.advance(BALANCE_CACHE);
    world.server.serves("/balance", &Balances { balances: vec![sol_coin("0.5")], ..Balances::default() });
    world.open(None);
    let account = on_solana(&world);
    assert_eq!((account.balance.as_deref(), account.token_balance[0].shown.as_str()), (Some("0.500"), "0.50"));
}

#[test]
fn a_list_whose_coin_cannot_be_read_is_no_balance_of_zero() {
    let coin = portico_json::to_text(&sol_coin("1.5"));
    let wrong = [
        coin.replace(r#""decimals":"9""#, r#""decimals":9"#),
        coin.replace(r#""numeric":"1.5""#, r#""numeric":"1.5e3""#),
        coin.replace(r#""numeric":"1.5""#, r#""numeric":1.5"#),
        "7".into(),
    ];
    let lists = wrong.iter().map(|item| format!(r#"{{"balances":[{item}]}}"#));
    for list in lists.chain(["{}", "[]", r#"{"balances":{}}"#].map(String::from)) {
        let mut world = served(Namespace::Solana, SOLANA_ADDRESS, &sol_coin("1"));
        world.server.answers("/balance", 200, &list);
        world.dispatch(Event::Account(Account::RefreshAsked { ticket: Some(1) }));
        assert!(world.answer(1).is_some_and(|answer| answer.contains("rejected")), "{list}");
        assert_eq!((on_solana(&world).balance, on_solana(&world).balance_state), (None, BalanceState::Unavailable));
    }
}

#[test]
fn a_balance_that_nobody_tells_is_refused_to_the_host_at_once() {
    let bitcoin = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    for (namespace, address, server) in [(Namespace::Bip122, bitcoin, true), (Namespace::Solana, SOLANA_ADDRESS, false)]
    {
        let mut world = served(namespace, address, &sol_coin("1"));
        if !server {
            world = self::world([alpha(), sol()], &["example.sol"]);
        }
        world.dispatch(Event::Account(Account::RefreshAsked { ticket: Some(1) }));
        let answer = world.answer(1);
        assert!(answer.as_ref().is_some_and(|answer| answer.contains("rejected")), "{namespace:?}: {answer:?}");
    }
}

#[test]
fn spec_6_9_the_balance_of_a_polkadot_account_of_a_session_is_refused_to_the_host_at_once() {
    let mut world = everywhere();
    switch(&mut world, POLKADOT, 1);
    assert_eq!(active(&world).as_deref(), Some(POLKADOT));
    let account = |world: &World| {
        let accounts = world.snapshot().account.accounts.into_iter();
        accounts.into_iter().find(|one| one.namespace == Namespace::Polkadot).unwrap()
    };
    assert_eq!(account(&world).address.as_deref(), Some(POLKADOT_ACCOUNT));
    world.dispatch(Event::Account(Account::RefreshAsked { ticket: Some(2) }));
    let other = "12xtAYsRUrmbniiWQqJtECiBQrMn8AypQcXhnQAc6RB6XkLW";
    for (address, ticket) in [(POLKADOT_ACCOUNT, 3), (other, 4)] {
        let (namespace, address) = (Some("polkadot".into()), address.into());
        world.dispatch(Event::Account(Account::BalanceAsked { namespace, address, chain: POLKADOT.into(), ticket }));
    }
    let refused =
        r#"[{"type":"rejected","error":{"reason":"unsupportedChain","message":"Unsupported chain","code":null}}]"#;
    for ticket in 2..=4 {
        assert_eq!(world.answer(ticket).as_deref(), Some(refused), "{ticket}");
    }
    // The balance of the EVM account of the same session, which comes later, answers no call a second time.
    switch(&mut world, "eip155:31337", 5);
    world.advance(60_000);
    assert!((2..=4).all(|ticket| world.answer(ticket).as_deref() == Some(refused)));
    assert_eq!(account(&world).balance, None);
}
