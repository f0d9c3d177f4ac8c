//! Scenarios of the on-ramp: providers, tokens, countries and quotes.

use portico_api::onramp::*;
use portico_core::Event;
use portico_core::analytics::Name;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::onramp::{AmountFault, Event as Onramp, Phase, State};
use portico_json::{Value, parse, to_text};
use portico_testkit::{ScriptedWallet, Store, World, every_namespace, options};

pub(crate) const REFERENCE: &str = "portico-00112233445566778899aabbccddeeff";
pub(crate) const URL: &str = "https://pay.coinbase.com/buy/select-asset?sessionToken=abc";

const BOTH: [&str; 2] = ["coinbase", "meld"];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).into()).collect()
}

fn provider(name: &str, label: &str, chains: &[&str]) -> OnrampProvider {
    OnrampProvider {
        name: name.into(),
        label: label.into(),
        fee_from: 1,
        fee_to: 2,
        chains: words(chains),
        fallback: "eip155:1".into(),
    }
}

pub(crate) fn providers() -> OnrampProviders {
    let coinbase = provider("coinbase", "Coinbase", &["eip155:1", "eip155:31337"]);
    OnrampProviders { providers: vec![coinbase, provider("meld", "Meld.io", &["eip155:1"])] }
}

/// Offer for Germany: ether and a token, for euros and dollars.
pub(crate) fn goods() -> OnrampOptions {
    let currency = |id: &str| PaymentCurrency { id: id.into(), providers: words(&BOTH) };
    let coin = |symbol: &str, name: &str| PurchaseCurrency {
        id: symbol.into(),
        name: name.into(),
        symbol: symbol.into(),
        network: "eip155:1".into(),
        providers: words(&BOTH),
        ..PurchaseCurrency::default()
    };
    OnrampOptions {
        country: Some("DE".into()),
        subdivision: None,
        payment_currencies: ["EUR", "USD"].map(currency).into(),
        purchase_currencies: vec![coin("USDC", "USD Coin"), coin("ETH", "Ether")],
    }
}

fn quote() -> OnrampQuote {
    let amount = |amount: &str, currency: &str| OnrampAmount { amount: amount.into(), currency: currency.into() };
    OnrampQuote {
        payment_total: amount("100", "EUR"),
        payment_subtotal: amount("98.6", "EUR"),
        purchase_amount: amount("0.0312", "ETH"),
        network_fee: Some(amount("0.4", "EUR")),
        provider_fee: Some(amount("1", "EUR")),
        quote_id: String::new(),
        provider: "coinbase".into(),
    }
}

fn countries() -> OnrampCountries {
    let country = |id: &str, parts: &[&str]| OnrampCountry {
        id: id.into(),
        subdivisions: words(parts),
        providers: words(&["coinbase"]),
    };
    OnrampCountries { countries: vec![country("DE", &[]), country("FR", &[]), country("US", &["CA", "NY"])] }
}

/// Purchase page at Coinbase.
pub(crate) fn page(reference: Option<&str>) -> OnrampUrl {
    OnrampUrl { url: URL.into(), network: "eip155:31337".into(), reference: reference.map(Into::into) }
}

pub(crate) fn hosted(options: &str) -> World {
    with_store(options, Store::default())
}

/// World of a host with on-ramp providers, with these stored entries and a connected wallet.
pub(crate) fn with_store(options: &str, store: Store) -> World {
    let options = options.replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha Wallet")], store);
    world.server.serves("/onramp/providers", &providers());
    world.server.serves("/onramp/options", &goods());
    world.server.serves("/onramp/quote", &quote());
    world.server.serves("/onramp/countries", &countries());
    world.server.serves("/onrampurl", &page(Some(REFERENCE)));
    if !world.snapshot().account.accounts.iter().any(|account| account.is_connected) {
        world.connect_first();
    }
    world
}

pub(crate) fn opened() -> World {
    let mut world = hosted(&options());
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::OnRampProviders });
    world
}

pub(crate) fn say(world: &mut World, event: Onramp) {
    world.dispatch(Event::Onramp(event));
}

pub(crate) fn type_amount(world: &mut World, text: &str) {
    say(world, Onramp::AmountTyped { text: text.into() });
    world.advance(500);
}

pub(crate) fn choose(world: &mut World, name: &str) {
    say(world, Onramp::ProviderChosen { name: name.into() });
}

/// Body of the last POST request to a path.
pub(crate) fn posted(world: &World, part: &str) -> Value {
    let found = world.server.heard.iter().rfind(|(request, _)| request.contains(part));
    parse(found.unwrap().1.as_ref().unwrap()).unwrap()
}

pub(crate) fn told(world: &World, name: Name) -> Option<Value> {
    world.events.iter().rfind(|(event, _)| event == name.word()).map(|(_, properties)| properties.clone())
}

#[test]
fn spec_9_8_the_providers_of_the_server_are_listed_with_their_fee_range() {
    let world = opened();
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.state, onramp.offers), (State::Ready, State::Ready));
    let listed: Vec<_> = onramp.providers.iter().map(|one| (one.label.as_str(), one.fee_from, one.fee_to)).collect();
    assert_eq!(listed, [("Coinbase", 1, 2), ("Meld.io", 1, 2)]);
    // Defaults: the chain's own coin and the first currency.
    assert_eq!((onramp.token.unwrap().symbol.as_str(), onramp.currency.as_deref()), ("ETH", Some("EUR")));
    assert_eq!(told(&world, Name::SelectBuyCrypto).unwrap().get("isSmartAccount").as_bool(), Some(false));
}

#[test]
fn a_broken_item_of_an_answer_is_left_out_and_counted_and_the_rest_of_the_list_is_shown() {
    let mut world = hosted(&options());
    let broken = to_text(&providers()).replacen(r#""feeFrom":1"#, r#""feeFrom":"one""#, 1);
    world.server.answers("/onramp/providers", 200, &broken);
    world.open(Some("OnRampProviders"));
    let listed = world.snapshot().onramp.providers;
    assert_eq!(listed.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["Meld.io"]);
    assert_eq!(world.skipped_items(), 1);
}

#[test]
fn where_the_server_cannot_be_reached_nobody_is_listed_and_it_can_be_tried_again() {
    let mut world = hosted(&options());
    world.server.answers("/onramp/providers", 503, "");
    world.server.answers("/onramp/options", 502, "");
    world.open(Some("OnRampProviders"));
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.state, onramp.offers, onramp.providers.len()), (State::Unavailable, State::Unavailable, 0));
    world.server.serves("/onramp/providers", &providers());
    world.server.serves("/onramp/options", &goods());
    say(&mut world, Onramp::RetryAsked);
    assert_eq!(world.snapshot().onramp.providers.len(), 2);
}

#[test]
fn a_host_without_a_server_has_nobody_who_sells_and_says_so() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha Wallet")]);
    world.connect_first();
    world.open(Some("OnRampProviders"));
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::OnRampProviders);
    assert_eq!((snapshot.onramp.state, snapshot.onramp.providers.len()), (State::Ready, 0));
}

#[test]
fn a_provider_is_listed_once_the_form_above_it_is_known_so_that_its_row_does_not_move_under_a_finger() {
    for part in ["/onramp/countries", "/onramp/options"] {
        let mut world = hosted(&options());
        (world.server.late, world.server.late_part) = (1_000, part);
        world.open(Some("OnRampProviders"));
        assert_eq!(world.snapshot().onramp.state, State::Loading, "{part}");
        world.advance(1_000);
        assert_eq!(world.snapshot().onramp.state, State::Ready, "{part}");
    }
}

#[test]
fn quotes_are_asked_once_typing_rests_and_only_of_what_is_sold() {
    let mut world = opened();
    for text in ["1", "10", "100"] {
        say(&mut world, Onramp::AmountTyped { text: text.into() });
    }
    assert_eq!(world.server.count("/onramp/quote"), 0);
    world.advance(500);
    assert_eq!(world.server.count("/onramp/quote"), 2);
    let asked = posted(&world, "/onramp/quote");
    let field = |name: &str| asked.get(name).as_str().map(String::from);
    assert_eq!(field("provider").as_deref(), Some("meld"));
    assert_eq!((field("amount").as_deref(), field("network").as_deref()), (Some("100"), Some("eip155:1")));
    assert_eq!((field("purchaseCurrency").as_deref(), field("paymentCurrency").as_deref()), (Some("ETH"), Some("EUR")));
    let quote = world.snapshot().onramp.providers[0].quote.clone().unwrap();
    assert_eq!((quote.total.as_str(), quote.gets.as_str()), ("100", "0.0312"));
}

#[test]
fn a_quote_that_fails_is_never_made_up() {
    for (status, body) in [(502, ""), (200, "{}"), (200, "[1"), (200, &to_text(&quote()).replace("ETH", "BTC"))] {
        let mut world = opened();
        world.server.answers("/onramp/quote", status, body);
        type_amount(&mut world, "100");
        for provider in &world.snapshot().onramp.providers {
            assert_eq!((&provider.quote, provider.unquoted, provider.quoting), (&None, true, false), "{body}");
        }
        // The purchase is still possible: the provider shows its own price.
        choose(&mut world, "coinbase");
        assert_eq!(world.snapshot().onramp.phase, Phase::Opened);
    }
}

#[test]
fn an_amount_that_is_none_is_told_and_nobody_is_asked() {
    for (text, fault) in [
        ("", None),
        ("0", Some(AmountFault::Zero)),
        ("0,00", Some(AmountFault::Zero)),
        (" ", None),
        ("-5", Some(AmountFault::Signed)),
        ("1e3", Some(AmountFault::Exponent)),
        ("1,000", Some(AmountFault::Ambiguous)),
        ("1.234,567", Some(AmountFault::TooPrecise)),
        ("ten", Some(AmountFault::NotANumber)),
        ("1.2.3", Some(AmountFault::NotANumber)),
        ("9.999", Some(AmountFault::TooPrecise)),
        ("99,5", None),
    ] {
        let mut world = opened();
        type_amount(&mut world, text);
        assert_eq!(world.snapshot().onramp.amount_fault, fault, "{text}");
        let count = if text == "99,5" { 2 } else { 0 };
        assert_eq!(world.server.count("/onramp/quote"), count, "{text}");
    }
}

#[test]
fn money_is_read_as_people_write_it_and_asked_for_in_plain_digits() {
    for (text, plain) in [("99,50", "99.5"), ("1.234,5", "1234.5"), ("1 234.50", "1234.5"), ("1'234", "1234")] {
        let mut world = opened();
        type_amount(&mut world, text);
        assert_eq!(world.snapshot().onramp.amount_fault, None, "{text}");
        assert_eq!(posted(&world, "/onramp/quote").get("amount").as_str(), Some(plain), "{text}");
    }
}

#[test]
fn a_coin_and_money_are_chosen_from_their_lists_and_quotes_are_asked_anew() {
    let mut world = opened();
    type_amount(&mut world, "100");
    world.modal(Modal::ViewAsked { view: View::OnRampTokenSelect });
    say(&mut world, Onramp::TokenChosen { id: "USDC".into() });
    assert_eq!(world.snapshot().modal.view, View::OnRampProviders);
    world.modal(Modal::ViewAsked { view: View::OnRampFiatSelect });
    say(&mut world, Onramp::CurrencyChosen { id: "USD".into() });
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::OnRampProviders);
    assert_eq!(
        (snapshot.onramp.token.unwrap().id.as_str(), snapshot.onramp.currency.as_deref()),
        ("USDC", Some("USD"))
    );
    assert_eq!(posted(&world, "/onramp/quote").get("paymentCurrency").as_str(), Some("USD"));
    // The quotes were for the previous coin and currency.
    assert!(snapshot.onramp.providers.iter().all(|provider| provider.quote.is_none()));
    // A token that is not listed is ignored.
    say(&mut world, Onramp::TokenChosen { id: "DOGE".into() });
    assert_eq!(world.snapshot().onramp.token.unwrap().id, "USDC");
}

#[test]
fn spec_9_9_an_account_of_another_chain_is_paid_on_the_fallback_and_is_told_so() {
    let mut world = opened();
    assert_eq!(world.snapshot().onramp.providers[1].elsewhere.as_deref(), Some("Ethereum"));
    assert_eq!(world.snapshot().onramp.providers[0].elsewhere, None);
    choose(&mut world, "meld");
    assert_eq!(posted(&world, "/onrampurl").get("defaultNetwork").as_str(), Some("eip155:1"));
}

#[test]
fn a_provider_that_pays_on_no_chain_of_the_account_cannot_be_chosen() {
    let mut world = hosted(&options());
    let mut nowhere = providers();
    nowhere.providers[1].fallback = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".into();
    world.server.serves("/onramp/providers", &nowhere);
    world.open(Some("OnRampProviders"));
    assert!(!world.snapshot().onramp.providers[1].available);
    choose(&mut world, "meld");
    choose(&mut world, "nobody");
    assert_eq!((world.snapshot().modal.view, world.server.count("/onrampurl")), (View::OnRampProviders, 0));
}

#[test]
fn another_network_ends_the_purchase_and_what_was_filled_in() {
    let mut world = opened();
    type_amount(&mut world, "100");
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.onramp.amount.as_str()), (View::OnRampProviders, ""));
    assert_eq!(snapshot.onramp.state, State::Ready);
    assert!(world.server.heard.iter().any(|(asked, _)| asked.contains("options") && asked.contains("eip155:31338")));
}

#[test]
fn an_answer_for_the_account_before_is_not_heard() {
    let mut world = hosted(&options());
    world.server.silent = true;
    world.open(Some("OnRampProviders"));
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    assert_eq!(world.snapshot().onramp.state, State::Loading);
    assert!(world.snapshot().onramp.providers.is_empty());
}

#[test]
fn spec_6_9_buying_is_for_accounts_of_evm_chains_and_of_solana_alone() {
    let mut off = hosted(&options().replacen('{', r#"{"features":{"onramp":false},"#, 1));
    off.open(Some("OnRampProviders"));
    assert_eq!(off.snapshot().modal.view, View::Account);
    for view in [View::OnRampTokenSelect, View::OnRampFiatSelect, View::BuyInProgress] {
        off.modal(Modal::ViewAsked { view });
        assert_eq!(off.snapshot().modal.view, View::Account);
    }
    let mut other = hosted(&every_namespace());
    other.open(None);
    let bitcoin = "bip122:000000000019d6689c085ae165831e93";
    other.dispatch(Event::Network(Network::SwitchAsked { network: bitcoin.into(), ticket: Some(1) }));
    other.open(Some("OnRampProviders"));
    assert_ne!(other.snapshot().modal.view, View::OnRampProviders);
}

#[test]
fn the_page_about_buying_is_tracked() {
    let mut world = opened();
    world.modal(Modal::ViewAsked { view: View::WhatIsABuy });
    assert_eq!(world.snapshot().modal.view, View::WhatIsABuy);
    assert!(told(&world, Name::SelectWhatIsABuy).is_some());
}
