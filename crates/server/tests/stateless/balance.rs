//! Balances of an account, from the nodes of its chain.

use crate::support;
use axum::http::{Request, StatusCode};
use portico_explorer::testing::Anvil;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use support::{Reply, Server, Upstream, reason, status_and_text};

const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const CHAIN: &str = "eip155:31337";

async fn balance(server: &Server, address: &str, query: &str) -> (StatusCode, String) {
    let path = format!("/v1/account/{address}/balance?projectId=demo&{query}");
    let request = Request::get(path).header("x-sdk-version", "react-1.0.0").body(String::new().into()).unwrap();
    status_and_text(server.send(request).await).await
}

async fn balances(server: &Server, query: &str) -> Value {
    let (status, text) = balance(server, VISITOR, query).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Serves the chain with the tokens of the world, prices for some of them, and more lines of configuration.
async fn world(anvil: &Anvil, lines: &str) -> Server {
    let contract = |name: &str| anvil.addresses.contract(name).to_string();
    let token = |name: &str, symbol: &str, decimals: u8| {
        json!({"chainId": 31337, "address": contract(name), "name": symbol, "symbol": symbol, "decimals": decimals,
            "logoURI": format!("https://pictures.example/{symbol}.png?a=b&c")})
    };
    let tokens = json!({"name": "World", "tokens": [
        token("reverting", "REV", 18), token("usdc", "USDC", 6), token("lying", "LIE", 255), token("dai", "DAI", 18),
        token("ticket", "TIX", 0),
        {"chainId": 31337, "address": VISITOR, "name": "No contract", "symbol": "NO", "decimals": 18},
        {"chainId": 1, "address": contract("usdc"), "name": "Elsewhere", "symbol": "ELSE", "decimals": 18},
    ]});
    let prices = json!({"prices": {
        format!("{CHAIN}:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"): 2500.12,
        format!("{CHAIN}:{}", contract("usdc")): "1",
        format!("{CHAIN}:{}", contract("dai")): "0.9998",
    }, "rates": {"eur": 0.8}});
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, value: &Value| {
        let path = folder.path().join(name);
        std::fs::write(&path, value.to_string()).unwrap();
        path.display().to_string()
    };
    let (tokens, prices) = (file("tokens.json", &tokens), file("prices.json", &prices));
    Server::configured(&format!(
        "[sources]\nprice_file = {prices:?}\n[[chains]]\nid = {CHAIN:?}\nupstreams = [{:?}]\ntokens = {tokens:?}\n{lines}",
        anvil.url
    ))
    .await
}

async fn held(anvil: &Anvil, contract: &str) -> u128 {
    let data = format!("0x70a08231{:0>64}", VISITOR[2..].to_lowercase());
    let params = json!([{"to": anvil.addresses.contract(contract), "data": data}, "latest"]);
    let answer = anvil.request("eth_call", params).await.unwrap();
    u128::from_str_radix(answer.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

#[tokio::test]
async fn a_parameter_that_makes_no_sense_is_refused_by_its_name() {
    let server = Server::with_upstreams(&["http://127.0.0.1:9"]).await;
    for (address, query, field) in [
        ("0x1", "", "address"),
        ("f39Fd6e51aad88F6F4ce6aB8827279cffFb9226", "", "address"),
        ("0Xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "", "address"),
        ("%FF%FE", "", "address"),
        ("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE", "", "address"),
        ("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE", "chainId=eip155:31337", "address"),
        ("vitalik.eth", "chainId=eip155:31337", "address"),
        (VISITOR, "chainId=1", "chainId"),
        (VISITOR, "chainId=cosmos:hub", "chainId"),
        (VISITOR, "currency=xyz", "currency"),
    ] {
        let (status, text) = balance(&server, address, query).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, field), "{address} {query}");
    }
    // Asking again for a chain that isn't served is of no use, and clients show nothing of it as lost.
    let (status, text) = balance(&server, VISITOR, "chainId=eip155:5").await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::NOT_IMPLEMENTED, "chainId"));
    let nobody = format!("/v1/account/{VISITOR}/balance");
    assert_eq!(server.get(&nobody).await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_client_that_does_not_say_its_version_gets_an_empty_list() {
    let server = Server::with_upstreams(&["http://127.0.0.1:9"]).await;
    let path = format!("/v1/account/{VISITOR}/balance?projectId=demo");
    let (status, text) = status_and_text(server.get(&path).await).await;
    assert_eq!((status, text.as_str()), (StatusCode::OK, r#"{"balances":[],"source":null,"age":null}"#));
}

#[tokio::test]
async fn a_chain_that_does_not_answer_is_told_as_503_with_the_time_to_come_again() {
    for node in [Upstream::absent().await, Upstream::says(200, "<html>").await.url, Upstream::says(500, "").await.url] {
        let server = Server::with_upstreams(&[&node]).await;
        let (status, text) = balance(&server, VISITOR, "chainId=eip155:31337").await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(reason(&text).1, "Couldn't load the balances of eip155:31337. Try again.");
    }
}

#[tokio::test]
async fn one_chain_that_fails_costs_only_itself() {
    let anvil = Anvil::start();
    let broken = Upstream::says(200, "[]").await;
    let chain = |id: &str| format!("[[chains]]\nid = {id:?}\nupstreams = [{:?}]\n", broken.url);
    let more = chain("eip155:1") + &chain("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp");
    let server = world(&anvil, &more).await;
    let found = balances(&server, "").await;
    let chains: Vec<&str> =
        found["balances"].as_array().unwrap().iter().map(|one| one["chainId"].as_str().unwrap()).collect();
    assert_eq!(chains, [CHAIN; 5]);
}

#[tokio::test]
async fn spec_3_12_balances_are_those_of_the_chain_with_their_worth_the_most_valuable_first() {
    let anvil = Anvil::start();
    for lines in ["", "multicall = \"0x00000000000000000000000000000000000000aa\"\n"] {
        let server = world(&anvil, lines).await;
        let found = balances(&server, "chainId=eip155:31337&currency=usd").await;
        assert_eq!(found["source"], "rpc");
        assert_eq!(found["age"], 0);
        let list = found["balances"].as_array().unwrap();
        let symbols: Vec<&str> = list.iter().map(|one| one["symbol"].as_str().unwrap()).collect();
        assert_eq!(symbols, ["ETH", "USDC", "DAI", "LIE", "TIX"]);
        let coin = anvil.request("eth_getBalance", json!([VISITOR, "latest"])).await.unwrap();
        assert_eq!(coin, format!("{:#x}", 10_000 * 10u128.pow(18)));
        assert_eq!(
            list[0],
            json!({"name": "Ether", "symbol": "ETH", "chainId": CHAIN, "address": null, "value": 25_001_200, "price": 2500.12,
                "quantity": {"decimals": "18", "numeric": "10000"}, "iconUrl": ""})
        );
        let usdc = held(&anvil, "usdc").await;
        assert_eq!(
            list[1]["quantity"],
            json!({"decimals": "6", "numeric": format!("{}.{}", usdc / 1_000_000, usdc % 1_000_000).trim_end_matches('0')})
        );
        assert_eq!(list[1]["address"], format!("{CHAIN}:{}", anvil.addresses.contract("usdc")));
        assert_eq!(list[1]["iconUrl"], "/v1/image?url=https%3A%2F%2Fpictures%2Eexample%2FUSDC%2Epng%3Fa%3Db%26c");
        assert_eq!(list[4]["quantity"], json!({"decimals": "0", "numeric": held(&anvil, "ticket").await.to_string()}));
        assert_eq!((&list[4]["value"], &list[4]["price"]), (&Value::Null, &json!(0)));
    }
}

#[tokio::test]
async fn worth_is_told_in_the_currency_asked_for_and_not_at_all_where_its_rate_is_unknown() {
    let anvil = Anvil::start();
    let server = world(&anvil, "").await;
    assert_eq!(balances(&server, "currency=EUR").await["balances"][0]["price"], json!(2000.096));
    let unknown = balances(&server, "currency=jpy").await;
    assert_eq!(unknown["balances"].as_array().unwrap().len(), 5);
    assert!(unknown["balances"].as_array().unwrap().iter().all(|one| one["value"].is_null() && one["price"] == 0));
}

#[tokio::test]
async fn spec_9_16_all_tokens_are_asked_for_in_one_request() {
    let mut node = breakable(Arc::new(AtomicBool::new(false))).await;
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens.json");
    let token = |number: usize| json!({"chainId": 31337, "address": format!("0x{number:040x}"), "name": "Token", "symbol": "T", "decimals": 18});
    std::fs::write(&tokens, json!({"tokens": (1..=60).map(token).collect::<Vec<_>>()}).to_string()).unwrap();
    let chain = format!("[[chains]]\nid = {CHAIN:?}\nupstreams = [{:?}]\ntokens = {tokens:?}\n", node.url);
    let server = Server::configured(&format!("[sources]\nprices = \"none\"\n{chain}")).await;
    let (status, text) = balance(&server, VISITOR, &format!("chainId={CHAIN}")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let mut asked: Vec<usize> = Vec::new();
    while node.unread() > 0 {
        let heard: Value = serde_json::from_str(&node.heard().await).unwrap();
        asked.push(heard.as_array().map_or(1, Vec::len));
    }
    // The native coin; 28 tokens per chunk; and, since there is no multicall contract, each token on its own.
    assert_eq!(asked, [1, 3, 60]);
}

/// Node with this many wei and without contracts, until it breaks.
async fn breakable(broken: Arc<AtomicBool>) -> Upstream {
    Upstream::start(move |body| {
        if broken.load(Ordering::Relaxed) {
            return Reply::Answer(StatusCode::INTERNAL_SERVER_ERROR, String::new());
        }
        let answer = |call: &Value| {
            let result = if call["method"] == "eth_getBalance" { "0x7" } else { "0x" };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        Reply::Answer(
            StatusCode::OK,
            match serde_json::from_str(body).unwrap() {
                Value::Array(calls) => Value::from_iter(calls.iter().map(answer)),
                call => answer(&call),
            }
            .to_string(),
        )
    })
    .await
}

#[tokio::test]
async fn an_answer_is_kept_for_half_a_minute_and_longer_where_nobody_answers() {
    let broken = Arc::new(AtomicBool::default());
    let mut node = breakable(broken.clone()).await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let first = balances(&server, "chainId=eip155:31337").await;
    assert_eq!(first["balances"][0]["quantity"]["numeric"], "0.000000000000000007");
    assert!(node.heard().await.contains("eth_getBalance"));
    assert_eq!(balances(&server, "chainId=eip155:31337").await["balances"], first["balances"]);
    assert_eq!(node.unread(), 0, "asked though an answer was kept");
    broken.store(true, Ordering::Relaxed);
    let stale = balances(&server, "chainId=eip155:31337&forceUpdate=true").await;
    assert_eq!(stale["balances"], first["balances"]);
    let without_a_past = Server::with_upstreams(&[&node.url]).await;
    assert_eq!(balance(&without_a_past, VISITOR, "").await.0, StatusCode::SERVICE_UNAVAILABLE);
    broken.store(false, Ordering::Relaxed);
    let before = node.unread();
    let token = "eip155:31337:0xdac17f958d2ee523a2206206994597c13d831ec7";
    for _ in 0..9 {
        balances(&server, &format!("chainId=eip155:31337&forceUpdate={token}")).await;
    }
    assert_eq!(node.unread() - before, 3, "asked anew as often as whoever forces wants");
}
