//! Buying coins with money, from the list of providers to the visitor's return.

use portico_core::analytics::Name;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::onramp::{AmountFault, Event as Onramp, Phase, State};
use portico_core::{Event, LinkTarget};
use portico_json::{Value, parse};
use portico_testkit::{ScriptedWallet, Store, Tab, World, every_namespace, options};

const PROVIDERS: &str = r#"{"providers":[{"name":"coinbase","label":"Coinbase","feeFrom":1,"feeTo":2,"chains":["eip155:1","eip155:31337"],"fallback":"eip155:1"},{"name":"meld","label":"Meld.io","feeFrom":1,"feeTo":2,"chains":["eip155:1"],"fallback":"eip155:1"}]}"#;
const OPTIONS: &str = r#"{"paymentCurrencies":[{"id":"EUR","providers":["coinbase","meld"]},{"id":"USD","providers":["coinbase","meld"]}],"purchaseCurrencies":[{"id":"USDC","name":"USD Coin","symbol":"USDC","iconUrl":"","network":"eip155:1","providers":["coinbase","meld"]},{"id":"ETH","name":"Ether","symbol":"ETH","iconUrl":"","network":"eip155:1","providers":["coinbase","meld"]}]}"#;
const QUOTE: &str = r#"{"paymentTotal":{"amount":"100","currency":"EUR"},"paymentSubtotal":{"amount":"98.6","currency":"EUR"},"purchaseAmount":{"amount":"0.0312","currency":"ETH"},"networkFee":{"amount":"0.4","currency":"EUR"},"providerFee":{"amount":"1","currency":"EUR"},"quoteId":"","provider":"coinbase"}"#;
const URL: &str = "https://pay.coinbase.com/buy/select-asset?sessionToken=abc";

fn hosted(options: &str) -> World {
    let options = options.replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    world.server.answers("/onramp/providers", 200, PROVIDERS);
    world.server.answers("/onramp/options", 200, OPTIONS);
    world.server.answers("/onramp/quote", 200, QUOTE);
    world.server.answers("/onrampurl", 200, &format!(r#"{{"url":"{URL}","network":"eip155:31337"}}"#));
    world.connect_first();
    world
}

fn opened() -> World {
    let mut world = hosted(&options());
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::OnRampProviders });
    world
}

fn say(world: &mut World, event: Onramp) {
    world.dispatch(Event::Onramp(event));
}

fn type_amount(world: &mut World, text: &str) {
    say(world, Onramp::AmountTyped { text: text.into() });
    world.advance(500);
}

fn choose(world: &mut World, name: &str) {
    say(world, Onramp::ProviderChosen { name: name.into() });
}

/// The last body that was posted to a path.
fn posted(world: &World, part: &str) -> Value {
    let found = world.server.heard.iter().rfind(|(request, _)| request.contains(part));
    parse(found.unwrap().1.as_ref().unwrap()).unwrap()
}

fn told(world: &World, name: Name) -> Option<Value> {
    world.events.iter().rfind(|(event, _)| event == name.word()).map(|(_, properties)| properties.clone())
}

#[test]
fn spec_9_8_the_providers_of_the_server_are_listed_with_their_fee_range() {
    let world = opened();
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.state, onramp.offers), (State::Ready, State::Ready));
    let listed: Vec<_> = onramp.providers.iter().map(|one| (one.label.as_str(), one.fee_from, one.fee_to)).collect();
    assert_eq!(listed, [("Coinbase", 1, 2), ("Meld.io", 1, 2)]);
    // The chain's own coin, and the first money.
    assert_eq!((onramp.token.unwrap().symbol.as_str(), onramp.currency.as_deref()), ("ETH", Some("EUR")));
    assert_eq!(told(&world, Name::SelectBuyCrypto).unwrap().get("isSmartAccount").as_bool(), Some(false));
}

#[test]
fn where_the_server_cannot_be_reached_nobody_is_listed_and_it_can_be_tried_again() {
    let mut world = hosted(&options());
    world.server.answers("/onramp/providers", 503, "");
    world.server.answers("/onramp/options", 502, "");
    world.open(Some("OnRampProviders"));
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.state, onramp.offers, onramp.providers.len()), (State::Unavailable, State::Unavailable, 0));
    world.server.answers("/onramp/providers", 200, PROVIDERS);
    world.server.answers("/onramp/options", 200, OPTIONS);
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
    for (status, body) in [(502, ""), (200, "{}"), (200, "[1"), (200, &QUOTE.replace("ETH", "BTC"))] {
        let mut world = opened();
        world.server.answers("/onramp/quote", status, body);
        type_amount(&mut world, "100");
        for provider in &world.snapshot().onramp.providers {
            assert_eq!((&provider.quote, provider.unquoted, provider.quoting), (&None, true, false), "{body}");
        }
        // It can be bought all the same: the provider tells its price.
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
    // The answer was for the coin and the money of before.
    assert!(snapshot.onramp.providers.iter().all(|provider| provider.quote.is_none()));
    // One that is on no list is not taken.
    say(&mut world, Onramp::TokenChosen { id: "DOGE".into() });
    assert_eq!(world.snapshot().onramp.token.unwrap().id, "USDC");
}

#[test]
fn the_tab_is_opened_with_the_visitors_click_and_led_to_the_page_of_the_provider() {
    let mut world = opened();
    type_amount(&mut world, "100");
    choose(&mut world, "coinbase");
    assert_eq!(world.tabs, [Tab::At(URL.into())]);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.onramp.phase), (View::BuyInProgress, Phase::Opened));
    assert_eq!(snapshot.onramp.provider.unwrap().label, "Coinbase");
    let asked = posted(&world, "/onrampurl");
    let wallet = &asked.get("destinationWallets").as_list().unwrap()[0];
    assert_eq!(wallet.get("address").as_str(), Some("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"));
    assert_eq!(asked.get("defaultNetwork").as_str(), Some("eip155:31337"));
    assert_eq!(
        (asked.get("presetFiatAmount").as_str(), asked.get("purchaseCurrency").as_str()),
        (Some("100"), Some("ETH"))
    );
    let tracked = told(&world, Name::SelectBuyProvider).unwrap();
    assert_eq!(
        (tracked.get("provider").as_str(), tracked.get("isSmartAccount").as_bool()),
        (Some("coinbase"), Some(false))
    );
}

#[test]
fn while_the_page_is_asked_for_the_tab_waits_empty_and_leaving_closes_it() {
    let mut world = opened();
    world.server.silent = true;
    choose(&mut world, "coinbase");
    assert_eq!((world.tabs.as_slice(), world.snapshot().onramp.phase), ([Tab::Empty].as_slice(), Phase::Preparing));
    // A second press asks for nothing more.
    say(&mut world, Onramp::OpenAsked);
    assert_eq!((world.tabs.len(), world.server.count("/onrampurl")), (1, 1));
    world.modal(Modal::BackAsked);
    assert_eq!((world.tabs.as_slice(), world.snapshot().onramp.phase), ([Tab::Closed].as_slice(), Phase::Choosing));
    choose(&mut world, "meld");
    world.modal(Modal::CloseAsked);
    assert_eq!(world.tabs, [Tab::Closed, Tab::Closed]);
}

#[test]
fn a_page_that_cannot_be_had_closes_the_tab_says_why_and_can_be_tried_again() {
    let refusal = r#"{"status":"FAILED","reasons":[{"field":"","description":"Coinbase does not answer"}]}"#;
    for (status, body, problem) in [
        (502, refusal, Some("Coinbase does not answer")),
        (200, r#"{"url":"http://pay.coinbase.com/"}"#, None),
        (200, r#"{"url":"javascript:alert(1)"}"#, None),
        (200, r#"{"url":7}"#, None),
    ] {
        let mut world = opened();
        world.server.answers("/onrampurl", status, body);
        choose(&mut world, "coinbase");
        let onramp = world.snapshot().onramp;
        assert_eq!((onramp.phase, onramp.problem.as_deref()), (Phase::Failed, problem), "{body}");
        assert_eq!(world.tabs, [Tab::Closed], "{body}");
        world.server.answers("/onrampurl", 200, &format!(r#"{{"url":"{URL}"}}"#));
        say(&mut world, Onramp::RetryAsked);
        assert_eq!((world.snapshot().onramp.phase, world.tabs.last()), (Phase::Opened, Some(&Tab::At(URL.into()))));
    }
}

#[test]
fn where_no_tab_opens_by_itself_the_visitor_opens_the_page_and_a_page_that_is_over_is_asked_for_anew() {
    let mut world = opened();
    world.tabs_refused = true;
    choose(&mut world, "coinbase");
    assert_eq!(world.snapshot().onramp.phase, Phase::Ready);
    say(&mut world, Onramp::OpenAsked);
    assert_eq!(world.remote.links, [(URL.to_owned(), LinkTarget::Apart)]);
    assert_eq!(world.snapshot().onramp.phase, Phase::Opened);
    // Each page can be opened once.
    say(&mut world, Onramp::OpenAsked);
    assert_eq!((world.server.count("/onrampurl"), world.remote.links.len()), (2, 1));
    world.advance(300_000);
    say(&mut world, Onramp::OpenAsked);
    assert_eq!((world.server.count("/onrampurl"), world.remote.links.len()), (3, 1));
}

#[test]
fn on_a_phone_no_tab_is_put_before_a_page_that_waits_for_an_answer() {
    let mut world = hosted(&options());
    world.environment.mobile = true;
    world.reload();
    world.open(Some("OnRampProviders"));
    choose(&mut world, "coinbase");
    assert_eq!((world.tabs.len(), world.snapshot().onramp.phase), (0, Phase::Ready));
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
    let nowhere =
        PROVIDERS.replace(r#""fallback":"eip155:1""#, r#""fallback":"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp""#);
    world.server.answers("/onramp/providers", 200, &nowhere);
    world.open(Some("OnRampProviders"));
    assert!(!world.snapshot().onramp.providers[1].available);
    choose(&mut world, "meld");
    choose(&mut world, "nobody");
    assert_eq!((world.snapshot().modal.view, world.server.count("/onrampurl")), (View::OnRampProviders, 0));
}

#[test]
fn the_visitor_who_is_back_sees_the_account_asked_for_anew() {
    let mut world = opened();
    choose(&mut world, "coinbase");
    let asked = |world: &World| world.node.bodies.iter().filter(|body| body.contains("eth_getBalance")).count();
    let before = asked(&world);
    say(&mut world, Onramp::DoneAsked);
    world.advance(1_000);
    assert_eq!(world.snapshot().modal.view, View::Account);
    assert!(asked(&world) > before);
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
    other.dispatch(Event::Network(Network::NetworkChosen { chain: bitcoin.into() }));
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
