//! Shares of visitors in the quotas of upstreams that need no key.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, chain, post};
use crate::support::web::Web;
use crate::support::{Server, Upstream, recorded, status_and_text};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

const ACCOUNT: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

async fn get(server: &Server, visitor: &str, path: &str) -> StatusCode {
    server.send(Request::get(path).header("x-forwarded-for", visitor).body(Body::empty()).unwrap()).await.status()
}

#[tokio::test]
async fn a_visitor_uses_up_its_part_of_the_quotes_of_lifi_and_leaves_the_neighbours_theirs() {
    let mut vendor = Web::start(|_| (StatusCode::NOT_FOUND, recorded("lifi/no_quote"))).await;
    let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\n";
    let swap = format!("[swap]\nproviders = [\"lifi\"]\nlifi_url = {:?}\n", vendor.url(""));
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{chain}{swap}")).await;
    let quote = async |visitor: &str, amount: usize| {
        let (from, to) = ("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0x6B175474E89094C44Da98b954EedeAC495271d0F");
        let path = format!(
            "/v1/convert/quotes?projectId=demo&amount={amount}&from=eip155:1:{from}&to=eip155:1:{to}&userAddress={ACCOUNT}"
        );
        get(&server, visitor, &path).await
    };
    for amount in 1..=9 {
        assert_eq!(quote(ABUSER, amount).await, StatusCode::UNPROCESSABLE_ENTITY, "{amount}");
    }
    for amount in 10..60 {
        assert_eq!(quote(ABUSER, amount).await, StatusCode::SERVICE_UNAVAILABLE, "{amount}");
    }
    assert_eq!(quote(NEIGHBOUR, 60).await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(std::iter::from_fn(|| vendor.heard()).count(), 10);
}

#[tokio::test]
async fn a_visitor_uses_up_its_part_of_the_prices_of_coingecko_and_leaves_the_neighbours_theirs() {
    let mut source = Web::start(|_| json!({"ethereum": {"usd": 2500}, "binancecoin": {"usd": 600}}).to_string()).await;
    let settings = format!("[sources]\nprices = \"coingecko\"\ncoingecko_url = {:?}\n", source.url(""));
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{settings}{}", chain("http://127.0.0.1:9"))).await;
    let price = async |visitor: &str, address: String| {
        let body = json!({"projectId": "demo", "currency": "usd", "addresses": [address]}).to_string();
        post(&server, visitor, "/v1/fungible/price", body).await.status()
    };
    for number in 0..50 {
        price(ABUSER, format!("eip155:1:0x{number:040x}")).await;
    }
    assert_eq!(std::iter::from_fn(|| source.heard()).count(), 4);
    assert_eq!(price(NEIGHBOUR, "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee".into()).await, StatusCode::OK);
    assert_eq!(std::iter::from_fn(|| source.heard()).count(), 1);
}

#[tokio::test]
async fn a_visitor_that_asks_for_more_prices_than_it_may_leaves_no_wrong_answer_for_its_neighbour() {
    let source = Web::start(|heard| {
        let token = heard.path.split("contract_addresses=").nth(1).unwrap().get(..42).unwrap().to_owned();
        json!({token: {"usd": 7}}).to_string()
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.json");
    let token = |number: usize| json!({"chainId": 1, "address": format!("0x{number:040x}"), "name": "T", "symbol": "T", "decimals": 6});
    std::fs::write(&file, json!({"tokens": Value::from_iter((1..101).map(token))}).to_string()).unwrap();
    let settings = format!(
        "[sources]\nprices = \"coingecko\"\ncoingecko_url = {:?}\n\
         [[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\ntokens = {file:?}\n",
        source.url("")
    );
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{settings}")).await;
    let priced = async |visitor: &str, numbers: std::ops::Range<usize>| {
        let addresses: Vec<String> = numbers.map(|number| format!("eip155:1:0x{number:040x}")).collect();
        let body = json!({"projectId": "demo", "currency": "usd", "addresses": addresses}).to_string();
        let (status, text) = status_and_text(post(&server, visitor, "/v1/fungible/price", body).await).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        serde_json::from_str::<Value>(&text).unwrap()["fungibles"].as_array().unwrap().len()
    };
    assert_eq!(priced(ABUSER, 1..101).await, 4);
    assert_eq!(priced(NEIGHBOUR, 50..51).await, 1);
}

#[tokio::test]
async fn lists_of_many_chains_cost_a_request_for_each() {
    let node = Upstream::echo().await;
    let chains = (1..=8).map(|id| format!("[[chains]]\nid = \"eip155:{id}\"\nupstreams = [{:?}]\n", node.url));
    let limits = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 12\n[sources]\nprices = \"none\"\n";
    let server = Server::configured(&format!("{limits}{}", chains.collect::<String>())).await;
    for list in ["balance", "history"] {
        let visitor = if list == "balance" { ABUSER } else { NEIGHBOUR };
        let path = format!("/v1/account/{ACCOUNT}/{list}?projectId=demo&sv=react-1");
        assert_ne!(get(&server, visitor, &path).await, StatusCode::TOO_MANY_REQUESTS, "{list}");
        assert_eq!(get(&server, visitor, &path).await, StatusCode::TOO_MANY_REQUESTS, "{list}");
        assert_ne!(get(&server, visitor, &format!("{path}&chainId=eip155:1")).await, StatusCode::TOO_MANY_REQUESTS);
    }
}
