//! Snapshots of the on-ramp: the list of providers, the form, and the purchase.

use crate::snapshots::Cases;
use portico_api::onramp::*;
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::onramp::Event as Onramp;
use portico_json::to_text;
use portico_testkit::{ScriptedWallet, Store, World, options};

fn sellers() -> Vec<String> {
    ["coinbase", "meld"].map(Into::into).into()
}

fn providers() -> OnrampProviders {
    let provider = |(name, label, chain): (&str, &str, &str)| OnrampProvider {
        name: name.into(),
        label: label.into(),
        fee_from: 1,
        fee_to: 2,
        chains: vec![chain.into()],
        fallback: "eip155:1".into(),
    };
    let both = [("coinbase", "Coinbase", "eip155:1"), ("meld", "Meld.io", "eip155:31337")];
    OnrampProviders { providers: both.map(provider).into() }
}

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

fn offers(country: Option<&str>) -> OnrampOptions {
    let money = |id: &str| PaymentCurrency { id: id.into(), providers: sellers() };
    let coin = |(id, name): (&str, &str)| PurchaseCurrency {
        id: id.into(),
        name: name.into(),
        symbol: id.into(),
        network: "eip155:1".into(),
        providers: sellers(),
        ..PurchaseCurrency::default()
    };
    OnrampOptions {
        payment_currencies: MONEY.map(money).into(),
        purchase_currencies: COINS.map(coin).into(),
        country: country.map(Into::into),
        subdivision: None,
    }
}

fn quote(gets: &str, fee: &str) -> String {
    let money = |amount: &str| OnrampAmount { amount: amount.into(), currency: "EUR".into() };
    to_text(&OnrampQuote {
        payment_total: money("150"),
        payment_subtotal: money("148.09"),
        purchase_amount: OnrampAmount { amount: gets.into(), currency: "ETH".into() },
        network_fee: Some(money("0.42")),
        provider_fee: Some(money(fee)),
        quote_id: String::new(),
        provider: "coinbase".into(),
    })
}

const COUNTRIES: [&str; 12] = ["AT", "BR", "CA", "CH", "DE", "ES", "FR", "GB", "IT", "JP", "NL", "SE"];

const STATES: [&str; 11] = ["CA", "CO", "FL", "MA", "NJ", "NY", "OR", "TX", "UT", "VT", "WA"];

fn countries() -> OnrampCountries {
    let country = |id: &str, states: &[&str]| OnrampCountry {
        id: id.into(),
        subdivisions: states.iter().map(|state| (*state).into()).collect(),
        providers: vec!["coinbase".into()],
    };
    let each = COUNTRIES.iter().map(|id| country(id, &[])).chain([country("US", &STATES)]);
    OnrampCountries { countries: each.collect() }
}

fn served(answers: &[(&str, u16, &str)]) -> World {
    let hosted = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&hosted, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    world.server.serves("/onramp/providers", &providers());
    world.server.serves("/onramp/options", &offers(Some("DE")));
    world.server.serves("/onramp/countries", &countries());
    let reference = Some("portico-00112233445566778899aabbccddeeff".into());
    let page = OnrampUrl { url: "https://pay.example/buy".into(), network: "eip155:1".into(), reference };
    world.server.serves("/onrampurl", &page);
    let unseen = OnrampPurchase { state: "unseen".into(), ..OnrampPurchase::default() };
    world.server.serves("/onramp/purchase", &unseen);
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

/// World with a purchase in the given state.
fn with_purchase_state(state: &str) -> World {
    let purchase_amount = Some(OnrampAmount { amount: "0.04731".into(), currency: "ETH".into() });
    let hash = Some("0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b".into());
    let purchase = to_text(&OnrampPurchase { state: state.into(), purchase_amount, hash });
    let mut world = chosen(served(&[("/onramp/purchase", 200, &purchase)]));
    world.advance(5_000);
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
    let mut country = served(&[]);
    country.modal(Modal::ViewAsked { view: View::OnRampCountrySelect });
    let mut part = served(&[]);
    part.modal(Modal::ViewAsked { view: View::OnRampCountrySelect });
    part.dispatch(Event::Onramp(Onramp::CountryChosen { id: "US".into() }));
    let none = r#"{"country":null,"paymentCurrencies":[],"purchaseCurrencies":[]}"#;
    let nowhere = r#"{"country":"US","paymentCurrencies":[],"purchaseCurrencies":[]}"#;
    let mut over = with_purchase_state("unseen");
    over.advance(2 * portico_core::onramp::LIFE);
    let refusal =
        r#"{"status":"FAILED","reasons":[{"field":"","description":"Coinbase isn't responding. Try again."}]}"#;
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
        ("OnRampProviders.placeless", served(&[("/onramp/options", 200, none)]).snapshot()),
        ("OnRampProviders.nowhere", served(&[("/onramp/options", 200, nowhere)]).snapshot()),
        ("OnRampTokenSelect.list", tokens.snapshot()),
        ("OnRampFiatSelect.list", money.snapshot()),
        ("OnRampCountrySelect.list", country.snapshot()),
        ("OnRampStateSelect.list", part.snapshot()),
        ("BuyInProgress.unseen", with_purchase_state("unseen").snapshot()),
        ("BuyInProgress.pending", with_purchase_state("pending").snapshot()),
        ("BuyInProgress.done", with_purchase_state("done").snapshot()),
        ("BuyInProgress.lost", with_purchase_state("failed").snapshot()),
        ("BuyInProgress.over", over.snapshot()),
        ("BuyInProgress.preparing", chosen(preparing).snapshot()),
        ("BuyInProgress.ready", chosen(blocked).snapshot()),
        ("BuyInProgress.opened", chosen(served(&[])).snapshot()),
        ("BuyInProgress.failed", chosen(served(&[("/onrampurl", 502, refusal)])).snapshot()),
        ("WhatIsABuy.page", lesson.snapshot()),
    ]
}
