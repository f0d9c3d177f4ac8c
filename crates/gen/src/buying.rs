//! Buying coins with money as snapshots: the list of providers, the choices, and the purchase.

use crate::snapshots::Cases;
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::onramp::Event as Onramp;
use portico_testkit::{ScriptedWallet, Store, World, options};

const PROVIDERS: &str = r#"{"providers":[{"name":"coinbase","label":"Coinbase","feeFrom":1,"feeTo":2,"chains":["eip155:1"],"fallback":"eip155:1"},{"name":"meld","label":"Meld.io","feeFrom":1,"feeTo":2,"chains":["eip155:31337"],"fallback":"eip155:1"}]}"#;

const MONEY: [&str; 12] = ["EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "BRL", "INR", "SEK", "PLN", "TRY"];

const COINS: [(&str, &str); 10] = [
    ("ETH", "Ether"),
    ("USDC", "USD Coin"),
    ("USDT", "Tether"),
    ("WBTC", "Wrapped Bitcoin"),
    ("DAI", "Dai Stablecoin"),
    ("LINK", "Chainlink"),
    ("UNI", "Uniswap"),
    ("AAVE", "Aave"),
    ("LONGTOKEN", "A Token With A Rather Long Name"),
    ("ENS", "Ethereum Name Service"),
];

fn offers() -> String {
    let sellers = r#""providers":["coinbase","meld"]"#;
    let money: Vec<_> = MONEY.iter().map(|id| format!(r#"{{"id":"{id}",{sellers}}}"#)).collect();
    let coin = |(id, name): &(&str, &str)| {
        format!(r#"{{"id":"{id}","symbol":"{id}","name":"{name}","iconUrl":"","network":"eip155:1",{sellers}}}"#)
    };
    let coins: Vec<_> = COINS.iter().map(coin).collect();
    format!(r#"{{"paymentCurrencies":[{}],"purchaseCurrencies":[{}]}}"#, money.join(","), coins.join(","))
}

fn quote(gets: &str, fee: &str) -> String {
    format!(
        r#"{{"paymentTotal":{{"amount":"150","currency":"EUR"}},"purchaseAmount":{{"amount":"{gets}","currency":"ETH"}},"networkFee":{{"amount":"0.42","currency":"EUR"}},"providerFee":{{"amount":"{fee}","currency":"EUR"}}}}"#
    )
}

/// What the server of a host tells of those who sell.
fn served(answers: &[(&str, u16, &str)]) -> World {
    let hosted = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&hosted, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    let offers = offers();
    let link = r#"{"url":"https://pay.example/buy","network":"eip155:1"}"#;
    for (part, body) in [("/onramp/providers", PROVIDERS), ("/onramp/options", &*offers), ("/onrampurl", link)] {
        world.server.answers(part, 200, body);
    }
    for (part, status, body) in answers {
        world.server.answers(part, *status, body);
    }
    world.connect_first();
    world.open(Some("OnRampProviders"));
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world
}

fn type_amount(world: &mut World, text: &str) {
    world.dispatch(Event::Onramp(Onramp::AmountTyped { text: text.into() }));
    world.advance(500);
}

fn chosen(mut world: World) -> World {
    world.dispatch(Event::Onramp(Onramp::ProviderChosen { name: "coinbase".into() }));
    world
}

pub fn cases() -> Cases {
    let mut loading = served(&[]);
    loading.modal(Modal::CloseAsked);
    loading.dispatch(Event::Network(portico_core::network::Event::NetworkChosen { chain: "eip155:31338".into() }));
    loading.server.silent = true;
    loading.open(Some("OnRampProviders"));
    let mut quoted = served(&[("/onramp/quote", 200, &quote("0.04731", "1.49"))]);
    type_amount(&mut quoted, "150");
    let mut unquoted = served(&[("/onramp/quote", 502, "")]);
    type_amount(&mut unquoted, "150");
    let mut quoting = served(&[]);
    quoting.server.silent = true;
    type_amount(&mut quoting, "150");
    let mut wrong = served(&[]);
    type_amount(&mut wrong, "1e3");
    let mut tokens = served(&[]);
    tokens.modal(Modal::ViewAsked { view: View::OnRampTokenSelect });
    let mut money = served(&[]);
    money.modal(Modal::ViewAsked { view: View::OnRampFiatSelect });
    let mut lesson = served(&[]);
    lesson.modal(Modal::ViewAsked { view: View::WhatIsABuy });
    let mut preparing = served(&[]);
    preparing.server.silent = true;
    let mut blocked = served(&[]);
    blocked.tabs_refused = true;
    let refusal = r#"{"status":"FAILED","reasons":[{"field":"","description":"Coinbase does not answer"}]}"#;
    vec![
        ("OnRampProviders.loading", loading.snapshot()),
        ("OnRampProviders.ready", served(&[]).snapshot()),
        ("OnRampProviders.quoting", quoting.snapshot()),
        ("OnRampProviders.quoted", quoted.snapshot()),
        ("OnRampProviders.unquoted", unquoted.snapshot()),
        ("OnRampProviders.wrong", wrong.snapshot()),
        ("OnRampProviders.none", served(&[("/onramp/providers", 200, r#"{"providers":[]}"#)]).snapshot()),
        ("OnRampProviders.error", served(&[("/onramp/providers", 503, ""), ("/onramp/options", 503, "")]).snapshot()),
        ("OnRampProviders.unpriced", served(&[("/onramp/options", 502, "")]).snapshot()),
        ("OnRampTokenSelect.list", tokens.snapshot()),
        ("OnRampFiatSelect.list", money.snapshot()),
        ("BuyInProgress.preparing", chosen(preparing).snapshot()),
        ("BuyInProgress.ready", chosen(blocked).snapshot()),
        ("BuyInProgress.opened", chosen(served(&[])).snapshot()),
        ("BuyInProgress.failed", chosen(served(&[("/onrampurl", 502, refusal)])).snapshot()),
        ("WhatIsABuy.page", lesson.snapshot()),
    ]
}
