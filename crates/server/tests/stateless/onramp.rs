//! On-ramp offers, regions and quotes, with the responses that providers document (fixtures/api).

use crate::support;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use support::sellers::{
    BASE, SECRET, SOLANA, both, coinbase, documented, everything, get, meld, post, question, scripted, served, session,
};
use support::web::{Web, raw};
use support::{Server, reason, recorded};

#[tokio::test]
async fn without_a_key_nobody_sells_and_the_project_says_so() {
    let server = Server::configured("").await;
    assert_eq!(get(&server, "/v1/onramp/providers").await, (StatusCode::OK, json!({"providers": []})));
    let config = get(&server, "/v1/project/demo/config").await.1;
    assert!(!config["features"].as_array().unwrap().contains(&json!("onramp")));
    assert_eq!(config["onramp"], Value::Null);
    for (path, body) in [("/v1/onramp/quote", question("coinbase")), ("/v1/generators/onrampurl", session("meld"))] {
        let (status, text) = post(&server, path, &body).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}: {text}");
        assert_eq!(reason(&text).0, "provider");
    }
    assert_eq!(get(&server, &format!("/v1/onramp/options?chainId={BASE}")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn spec_9_8_those_with_a_key_are_listed_with_the_range_of_their_fee() {
    let (server, _web) = served(both).await;
    let found = get(&server, "/v1/onramp/providers").await.1;
    let brief: Vec<_> = found["providers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["name"], one["label"], one["feeFrom"], one["feeTo"]]))
        .collect();
    assert_eq!(brief, [json!(["coinbase", "Coinbase", 1, 2]), json!(["meld", "Meld.io", 1, 2])]);
    let config = get(&server, "/v1/project/demo/config").await.1;
    assert_eq!(config["onramp"], json!({"providers": ["coinbase", "meld"]}));
    assert!(config["features"].as_array().unwrap().contains(&json!("onramp")));
    let kit = get(&server, "/appkit/v1/config").await.1;
    let onramp = kit["features"].as_array().unwrap().iter().find(|one| one["id"] == "onramp").unwrap().clone();
    assert_eq!(onramp, json!({"id": "onramp", "isEnabled": true, "config": ["coinbase", "meld"]}));
}

#[tokio::test]
async fn what_can_be_bought_is_told_once_with_all_who_sell_it() {
    let (server, mut web) = served(both).await;
    let (status, found) = get(&server, &format!("/v1/onramp/options?chainId={BASE}&country=de")).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    assert_eq!(
        found["paymentCurrencies"],
        json!([{"id": "EUR", "providers": ["coinbase", "meld"]}, {"id": "USD", "providers": ["meld"]}, {"id": "GBP", "providers": ["coinbase"]}])
    );
    let coins = found["purchaseCurrencies"].as_array().unwrap();
    let brief: Vec<_> =
        coins.iter().map(|coin| json!([coin["id"], coin["providers"], coin["contractAddress"]])).collect();
    let usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    let degen = "0x4ed4E862860beD51a9570b96d89aF5E1B0Efefed";
    let expected = [
        json!(["ETH", ["coinbase", "meld"], null]),
        json!(["USDC", ["coinbase"], usdc]),
        json!(["DEGEN", ["meld"], degen]),
    ];
    assert_eq!(brief, expected);
    // Pictures go through our image proxy, so that other hosts do not see who views them.
    assert_eq!(coins[1]["iconUrl"], "/v1/image?url=https%3A%2F%2Fdynamic%2Dassets%2Ecoinbase%2Ecom%2Fusdc%2Epng");
    let asked: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    assert!(asked.contains(&"/onramp/v1/buy/options?country=DE&networks=base".to_owned()), "{asked:?}");
    // Meld's lists are cached.
    get(&server, &format!("/v1/onramp/options?chainId={SOLANA}&country=DE")).await;
    let again: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    assert_eq!(again, ["/onramp/v1/buy/options?country=DE&networks=solana"]);
}

#[tokio::test]
async fn spec_9_9_another_evm_chain_is_asked_for_as_its_fallback_and_no_other_chain_is() {
    let (server, mut web) = served(coinbase).await;
    get(&server, "/v1/onramp/options?chainId=eip155:31337&country=DE").await;
    assert!(web.heard().unwrap().path.ends_with("networks=ethereum"));
    for other in ["bip122:000000000019d6689c085ae165831e93", "nonsense", ""] {
        let (status, _) = get(&server, &format!("/v1/onramp/options?chainId={other}&country=DE")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{other}");
    }
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn spec_7_10_clients_of_other_servers_name_no_chain_and_write_currencies_as_objects_and_amounts_as_numbers() {
    let (server, mut web) = served(both).await;
    let (status, found) = get(&server, "/v1/onramp/options?country=DE").await;
    assert_eq!(status, StatusCode::OK, "{found}");
    assert_eq!(found["purchaseCurrencies"][0]["network"], "eip155:1");
    let asked: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    assert!(asked.contains(&"/onramp/v1/buy/options?country=DE&networks=ethereum".to_owned()), "{asked:?}");
    let mut theirs = question("coinbase");
    theirs["purchaseCurrency"] =
        json!({"id": "d85dce9b-5b73-5c3c-8978-522ce1d1c1b4", "name": "Ethereum", "symbol": "ETH", "networks": []});
    theirs["paymentCurrency"] =
        json!({"id": "EUR", "payment_method_limits": [{"id": "card", "min": "10.00", "max": "7500.00"}]});
    for (amount, asked_for) in [(json!(100), "100"), (json!(99.5), "99.5"), (json!("100"), "100")] {
        theirs["amount"] = amount;
        let (status, text) = post(&server, "/v1/onramp/quote", &theirs).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let heard: Value = serde_json::from_slice(&web.heard().unwrap().body).unwrap();
        let currencies = (&heard["purchaseCurrency"], &heard["paymentCurrency"], &heard["paymentAmount"]);
        assert_eq!(currencies, (&json!("ETH"), &json!("EUR"), &json!(asked_for)));
    }
    for (field, nonsense) in [
        ("purchaseCurrency", json!({"name": "Ethereum"})),
        ("purchaseCurrency", json!({"symbol": {"id": "ETH"}})),
        ("paymentCurrency", json!({})),
        ("paymentCurrency", json!(978)),
        ("amount", json!(-1)),
        ("amount", json!(0)),
        ("amount", json!(1e300)),
        ("amount", json!({"amount": "100"})),
    ] {
        let mut wrong = theirs.clone();
        wrong[field] = nonsense;
        let (status, text) = post(&server, "/v1/onramp/quote", &wrong).await;
        assert!([StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY].contains(&status), "{wrong}: {text}");
    }
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn spec_7_10_presets_of_a_purchase_page_may_be_numbers() {
    let (server, _web) = served(both).await;
    let mut numbers = session("coinbase");
    numbers["presetFiatAmount"] = json!(99.5);
    numbers["presetCryptoAmount"] = json!(0.000001);
    let (status, text) = post(&server, "/v1/generators/onrampurl", &numbers).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert!(text.contains("presetFiatAmount=99.5") && text.contains("presetCryptoAmount=0.000001"), "{text}");
}

#[tokio::test]
async fn a_quote_is_that_of_who_sells() {
    let (server, mut web) = served(both).await;
    let quote = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (status, text) = post(&server, "/v1/onramp/quote", &question("coinbase")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told = quote(&text);
    assert_eq!(told["paymentTotal"], json!({"amount": "100.00", "currency": "EUR"}));
    assert_eq!(told["purchaseAmount"], json!({"amount": "0.031208475", "currency": "ETH"}));
    assert_eq!((&told["networkFee"]["amount"], &told["providerFee"]["amount"]), (&json!("0.42"), &json!("1.47")));
    let asked: Value = serde_json::from_slice(&web.heard().unwrap().body).unwrap();
    assert_eq!(
        (&asked["purchaseNetwork"], &asked["paymentAmount"], &asked["country"]),
        (&json!("base"), &json!("100"), &json!("DE"))
    );
    // The quote that gives the most is chosen.
    let (status, text) = post(&server, "/v1/onramp/quote", &question("meld")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert_eq!(quote(&text)["purchaseAmount"], json!({"amount": "0.0308", "currency": "ETH"}));
    let asked = std::iter::from_fn(|| web.heard()).find(|heard| heard.path == "/payments/crypto/quote").unwrap();
    assert_eq!(asked.headers["authorization"], "BASIC secret-key");
    assert_eq!(asked.headers["meld-version"], "2023-12-19");
    let asked: Value = serde_json::from_slice(&asked.body).unwrap();
    let expected = json!({"countryCode": "DE", "sourceCurrencyCode": "EUR", "sourceAmount": 100, "destinationCurrencyCode": "ETH_BASE"});
    assert_eq!(asked, expected);
}

#[tokio::test]
async fn spec_7_10_nonsense_of_who_sells_becomes_a_problem_and_never_a_quote_or_a_page() {
    let deep = "[".repeat(100_000);
    let long = format!("[{}]", "1,".repeat(3_000_000));
    for (provider, settings) in [("coinbase", coinbase as fn(&str) -> String), ("meld", meld)] {
        let (server, said) = scripted(settings).await;
        let refused = recorded(&format!("{provider}/refused"));
        let hostile = r#"{"token":"","quotes":[null,7,{"serviceProvider":"X"}],"payment_total":{"value":"-1","currency":"EUR"},"widgetUrl":"https://evil.example/"}"#;
        for body in ["<html>", "", "null", "{}", "7", &refused, hostile, &deep, &long] {
            *said.lock().unwrap() = (StatusCode::OK, body.to_owned());
            for (status, text) in everything(&server, provider).await {
                let refusal =
                    [StatusCode::BAD_GATEWAY, StatusCode::UNPROCESSABLE_ENTITY, StatusCode::TOO_MANY_REQUESTS];
                assert!(refusal.contains(&status), "{provider} {status}: {text}");
                assert!(!text.contains("secret-key") && !text.contains(SECRET), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn a_status_of_who_sells_becomes_a_clear_problem() {
    for (told, status, words) in [
        (401, 502, "isn't available right now"),
        (403, 502, "isn't available right now"),
        (429, 503, "is busy"),
        (400, 422, "doesn't sell this"),
        (302, 502, "isn't responding"),
        (500, 502, "isn't responding"),
        (503, 502, "isn't responding"),
    ] {
        for (provider, settings) in [("coinbase", coinbase as fn(&str) -> String), ("meld", meld)] {
            let (server, said) = scripted(settings).await;
            *said.lock().unwrap() = (StatusCode::from_u16(told).unwrap(), recorded(&format!("{provider}/refused")));
            for (found, text) in everything(&server, provider).await {
                assert_eq!(found.as_u16(), status, "{provider} {told}: {text}");
                assert!(reason(&text).1.contains(words), "{text}");
                assert!(!text.contains("secret-key"), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn one_who_breaks_off_is_left_and_what_the_other_sells_is_told() {
    let broken = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", false).await;
    let web = Web::start(documented).await;
    let settings = coinbase(&format!("http://127.0.0.1:{broken}")) + &meld(&web.url("")).replace("[onramp]\n", "");
    let server = Server::configured(&settings).await;
    let (status, found) = get(&server, &format!("/v1/onramp/options?chainId={BASE}&country=DE")).await;
    assert_eq!((status, &found["purchaseCurrencies"][0]["providers"]), (StatusCode::OK, &json!(["meld"])));
    let (status, text) = post(&server, "/v1/onramp/quote", &question("coinbase")).await;
    assert_eq!((status, reason(&text).1), (StatusCode::BAD_GATEWAY, "Coinbase isn't responding. Try again.".into()));
}

#[tokio::test]
async fn a_quote_in_other_money_than_was_asked_for_is_none() {
    for (from, to) in [("\"EUR\"", "\"USD\""), ("\"ETH\"", "\"BTC\"")] {
        let web = Web::start(move |_| recorded("coinbase/quote").replace(from, to)).await;
        let server = Server::configured(&coinbase(&web.url(""))).await;
        let (status, text) = post(&server, "/v1/onramp/quote", &question("coinbase")).await;
        assert_eq!(status, StatusCode::BAD_GATEWAY, "{text}");
    }
}

#[tokio::test]
async fn without_a_country_nobody_is_asked_for_prices_and_the_language_of_the_browser_tells_one() {
    let (server, mut web) = served(coinbase).await;
    let mut body = question("coinbase");
    body["country"] = Value::Null;
    let (status, text) = post(&server, "/v1/onramp/quote", &body).await;
    assert_eq!((status.as_u16(), reason(&text).0), (422, "country".into()));
    assert!(web.heard().is_none());
    let request = Request::builder().method(Method::POST).uri("/v1/onramp/quote?projectId=demo");
    let request = request.header("accept-language", "fr-BE,fr;q=0.8").body(Body::from(body.to_string())).unwrap();
    assert_eq!(server.send(request).await.status(), StatusCode::OK);
    let asked: Value = serde_json::from_slice(&web.heard().unwrap().body).unwrap();
    assert_eq!(asked["country"], "BE");
}

#[tokio::test]
async fn a_quote_that_brings_nothing_is_none() {
    for nothing in ["0", "0.00", "1e-40", "\"NaN\"", "-1", "null", "\"1,5\""] {
        let bought = format!("\"destinationAmount\": {nothing}");
        let meld_told = recorded("meld/quote").replace("\"destinationAmount\": 3.08E-2", &bought);
        let coinbase_told = recorded("coinbase/quote").replace("\"0.031208475\"", nothing);
        assert!(meld_told.contains(&bought) && coinbase_told.contains(&format!("\"value\": {nothing}")));
        let web = Web::start(move |heard| match heard.path.as_str() {
            "/payments/crypto/quote" => (StatusCode::OK, meld_told.clone()),
            "/onramp/v1/buy/quote" => (StatusCode::OK, coinbase_told.clone()),
            _ => documented(heard),
        })
        .await;
        let server = Server::configured(&both(&web.url(""))).await;
        // Meld's second quote is still valid.
        let (status, text) = post(&server, "/v1/onramp/quote", &question("meld")).await;
        assert_eq!(status, StatusCode::OK, "{nothing}: {text}");
        let told: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(told["purchaseAmount"]["amount"], "0.0302");
        let (status, text) = post(&server, "/v1/onramp/quote", &question("coinbase")).await;
        assert_eq!(status, StatusCode::BAD_GATEWAY, "{nothing}: {text}");
    }
}

#[tokio::test]
async fn a_quote_of_meld_for_another_amount_is_none() {
    let web = Web::start(|heard| {
        let (status, text) = documented(heard);
        (status, text.replace("\"sourceAmount\": 100.0", "\"sourceAmount\": 1000.0"))
    })
    .await;
    let server = Server::configured(&meld(&web.url(""))).await;
    let (status, text) = post(&server, "/v1/onramp/quote", &question("meld")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
    assert!(reason(&text).1.contains("doesn't sell this"), "{text}");
}

#[tokio::test]
async fn a_list_of_meld_that_was_missing_for_a_moment_is_asked_for_again() {
    let missing = Arc::new(Mutex::new(true));
    let script = missing.clone();
    let web = Web::start(
        move |heard| {
            if *script.lock().unwrap() { (StatusCode::OK, "[]".to_owned()) } else { documented(heard) }
        },
    )
    .await;
    let server = Server::configured(&meld(&web.url(""))).await;
    let path = format!("/v1/onramp/options?chainId={BASE}&country=DE");
    assert_eq!(get(&server, &path).await.1["purchaseCurrencies"], json!([]));
    *missing.lock().unwrap() = false;
    assert_ne!(get(&server, &path).await.1["purchaseCurrencies"], json!([]));
}

#[tokio::test]
async fn what_coinbase_sells_is_kept_for_an_hour_and_asked_for_once_by_all_who_want_it_meanwhile() {
    let (server, mut web) = served(coinbase).await;
    let path = format!("/v1/onramp/options?chainId={BASE}&country=DE");
    let all = futures_util::future::join_all((0..8).map(|_| get(&server, &path))).await;
    assert!(all.iter().all(|(status, told)| *status == StatusCode::OK && told == &all[0].1));
    let mut asked = || std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect::<Vec<_>>();
    assert_eq!(asked(), ["/onramp/v1/buy/options?country=DE&networks=base"]);
    get(&server, &path).await;
    assert_eq!(asked(), [""; 0]);
    // Each country has a list of its own.
    get(&server, &path.replace("DE", "FR")).await;
    assert_eq!(asked(), ["/onramp/v1/buy/options?country=FR&networks=base"]);
}

#[tokio::test]
async fn those_who_wait_for_the_same_list_hear_together_that_it_cannot_be_had_and_it_is_asked_for_again() {
    let (server, said) = scripted(coinbase).await;
    *said.lock().unwrap() = (StatusCode::SERVICE_UNAVAILABLE, String::new());
    let path = format!("/v1/onramp/options?chainId={BASE}&country=DE");
    let all = futures_util::future::join_all((0..4).map(|_| get(&server, &path))).await;
    assert!(all.iter().all(|(status, _)| *status == StatusCode::BAD_GATEWAY));
    *said.lock().unwrap() = (StatusCode::OK, recorded("coinbase/options"));
    assert_eq!(get(&server, &path).await.0, StatusCode::OK);
}

#[tokio::test]
async fn the_countries_of_all_who_sell_are_one_list_with_the_states_that_have_to_be_named() {
    let (server, mut web) = served(both).await;
    let (status, told) = get(&server, "/v1/onramp/countries").await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let expected = json!([
        {"id": "BR", "subdivisions": [], "providers": ["meld"]},
        {"id": "DE", "subdivisions": [], "providers": ["coinbase", "meld"]},
        {"id": "US", "subdivisions": ["CA", "NY", "WA"], "providers": ["coinbase", "meld"]},
    ]);
    assert_eq!(told["countries"], expected);
    assert_eq!(std::iter::from_fn(|| web.heard()).count(), 2);
    get(&server, "/v1/onramp/countries").await;
    assert!(web.heard().is_none(), "both are kept");
}

#[tokio::test]
async fn a_country_is_that_of_the_time_zone_and_where_a_state_is_missing_who_sells_by_state_is_left_out() {
    let (server, mut web) = served(both).await;
    let options = format!("/v1/onramp/options?chainId={BASE}");
    let told = get(&server, &format!("{options}&timeZone=Europe/Vienna")).await.1;
    assert_eq!((&told["country"], &told["subdivision"]), (&json!("AT"), &Value::Null));
    let told = get(&server, &format!("{options}&timeZone=America/New_York")).await.1;
    assert_eq!(told["country"], "US");
    assert!(told["purchaseCurrencies"].as_array().unwrap().iter().all(|coin| coin["providers"] == json!(["meld"])));
    let told = get(&server, &format!("{options}&country=US&subdivision=NY")).await.1;
    assert_eq!((&told["country"], &told["subdivision"]), (&json!("US"), &json!("NY")));
    let asked: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    assert!(asked.contains(&"/onramp/v1/buy/options?country=US&networks=base&subdivision=NY".to_owned()), "{asked:?}");
    let mut body = question("coinbase");
    body["country"] = json!("US");
    let (status, text) = post(&server, "/v1/onramp/quote", &body).await;
    assert_eq!((status.as_u16(), reason(&text).0), (422, "subdivision".into()));
}

#[tokio::test]
async fn spec_6_10_in_a_restricted_time_zone_nobody_is_asked_until_the_visitor_says_where_they_are() {
    let (server, mut web) = served(coinbase).await;
    let (status, told) = get(&server, &format!("/v1/onramp/options?chainId={BASE}&timeZone=Asia/Shanghai")).await;
    assert_eq!((status, &told["country"]), (StatusCode::OK, &Value::Null));
    assert_eq!((&told["paymentCurrencies"], &told["purchaseCurrencies"]), (&json!([]), &json!([])));
    assert!(web.heard().is_none());
}
