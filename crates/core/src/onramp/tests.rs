use super::*;
use portico_api::onramp::OnrampProviders;
use portico_json::{Take, parse, read_sound};

/// Answer of the server read by its type, without the items that do not fit.
fn sound<T: Take>(text: &str) -> Option<T> {
    read_sound(&parse(text).unwrap(), &mut 0)
}

fn facts() -> Facts {
    Facts::default()
}

#[test]
fn a_quote_is_for_the_coin_and_the_money_that_were_asked_for() {
    let read = |text: &str| quote::read(sound(text)?, "ETH", "EUR");
    let whole = r#"{"paymentTotal":{"amount":"100","currency":"EUR"},"purchaseAmount":{"amount":"0.0312","currency":"ETH"},"networkFee":{"amount":"0.4","currency":"EUR"},"providerFee":{"amount":"1.1","currency":"USD"},"paymentSubtotal":{"amount":"98","currency":"EUR"},"quoteId":"","provider":"meld"}"#;
    let found = read(whole).unwrap();
    assert_eq!((found.total.as_str(), found.gets.as_str()), ("100", "0.0312"));
    // A fee in another currency is ignored.
    assert_eq!((found.network_fee.as_deref(), found.provider_fee), (Some("0.4"), None));
    for (from, to) in [
        (r#""currency":"ETH""#, r#""currency":"USDC""#),
        (r#""amount":"0.0312""#, r#""amount":0.0312"#),
        (r#""amount":"0.0312""#, r#""amount":"1e9""#),
        (r#""amount":"0.0312""#, r#""amount":"-1""#),
        (r#""amount":"0.0312""#, r#""amount":"0.000""#),
        (r#""amount":"100""#, r#""amount":"1.""#),
        (r#""amount":"100","currency":"EUR""#, r#""amount":"100","currency":"USD""#),
        ("paymentTotal", "total"),
    ] {
        assert_eq!(read(&whole.replacen(from, to, 1)), None, "{to}");
    }
    assert_eq!(read("{}"), None);
    assert_eq!(read("[]"), None);
}

#[test]
fn what_is_got_is_cut_to_six_digits_and_never_shown_as_more() {
    let shown = |amount: &str| {
        let text = format!(
            r#"{{"paymentTotal":{{"amount":"1","currency":"EUR"}},"purchaseAmount":{{"amount":"{amount}","currency":"ETH"}},"paymentSubtotal":{{"amount":"1","currency":"EUR"}},"quoteId":"","provider":"meld"}}"#
        );
        quote::read(sound(&text).unwrap(), "ETH", "EUR").unwrap().gets_shown
    };
    for (exact, short) in [
        ("0.047319999999999999", "0.0473199"),
        ("1234.56789", "1234.56"),
        ("1234567.89", "1234567"),
        ("0.5", "0.5"),
        ("100", "100"),
        ("100.000", "100"),
        ("0.000000001234567", "0.00000000123456"),
    ] {
        assert_eq!(shown(exact), short);
    }
}

#[test]
fn what_a_list_holds_that_makes_no_sense_costs_only_itself() {
    let provider =
        r#"{"name":"a","label":"\u202e","feeFrom":7,"feeTo":1000,"chains":[7,"x","eip155:1"],"fallback":"nonsense"}"#;
    let text = format!(
        r#"{{"providers":[null,7,{{}},{},{},{provider},{},{provider}]}}"#,
        provider.replace("\"a\"", "\"\""),
        provider.replace("\"a\"", "\"<b>\""),
        provider.replace("7,\"feeTo", "-1,\"feeTo"),
    );
    let mut skipped = 0;
    let list = read_sound(&parse(&text).unwrap(), &mut skipped).unwrap();
    let found = offer::providers(list);
    assert_eq!((found.len(), found[0].label.as_str(), found[0].fee), (1, "a", (7, 0)));
    assert_eq!((found[0].chains.len(), &found[0].fallback), (1, &None));
    // Three that are no provider, one with a negative fee, and one chain of each of the five.
    assert_eq!(skipped, 9);
    for none in ["null", "[]", "{}", r#"{"providers":{}}"#] {
        assert!(sound::<OnrampProviders>(none).is_none(), "{none}");
    }
    let token = |id: &str, name: &str, symbol: &str, icon: &str| {
        format!(
            r#"{{"id":"{id}","name":"{name}","symbol":"{symbol}","iconUrl":"{icon}","network":"eip155:1","providers":[]}}"#
        )
    };
    let text = format!(
        r#"{{"paymentCurrencies":[null,{},{},{},{}],"purchaseCurrencies":[7,{},{},{}]}}"#,
        r#"{"id":"eur","providers":[]}"#,
        r#"{"id":"EURO","providers":[]}"#,
        r#"{"id":"EUR","providers":[]}"#,
        r#"{"id":"EUR","providers":[]}"#,
        token("ETH", "Ether", "\\u200b", ""),
        token("USDC", "", "USDC", "https://evil.example/a"),
        token("USDC", "Other", "USDC", ""),
    );
    let (money, tokens) = offer::options(sound(&text).unwrap(), &facts());
    assert_eq!(money.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["EUR"]);
    assert_eq!(tokens.iter().map(|one| (one.name.as_str(), &one.picture)).collect::<Vec<_>>(), [("USDC", &None)]);
}

#[test]
fn a_list_of_any_length_is_cut() {
    let items: Vec<String> = (0..2_000)
        .map(|number| {
            format!(r#"{{"id":"T{number}","name":"","symbol":"T","iconUrl":"","network":"","providers":[]}}"#)
        })
        .collect();
    let text = format!(r#"{{"paymentCurrencies":[],"purchaseCurrencies":[{}]}}"#, items.join(","));
    assert_eq!(offer::options(sound(&text).unwrap(), &facts()).1.len(), 500);
}

#[test]
fn a_reason_is_cut_and_plain() {
    assert_eq!(offer::reason("No\nmore"), "Nomore");
    assert_eq!(offer::reason(&"é".repeat(900)).chars().count(), 200);
}
