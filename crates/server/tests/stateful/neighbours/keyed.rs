//! Shares of visitors in the vendors that are asked with a key of the operator.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, post};
use crate::support::node::said;
use crate::support::web::Web;
use crate::support::{Server, in_no_time, recorded, status_and_text};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

const ACCOUNT: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/// Lookups of one visitor at once.
const SHARE: usize = 30;

fn chain(more: &str) -> String {
    format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\n{more}")
}

/// Status, text and whether the answer says when to ask again.
async fn get(server: &Server, header: (&str, &str), path: &str) -> (StatusCode, String, bool) {
    let request = Request::get(path).header(header.0, header.1);
    let answer = server.send(request.body(Body::empty()).unwrap()).await;
    let again = answer.headers().contains_key("retry-after");
    let (status, text) = status_and_text(answer).await;
    (status, text, again)
}

/// A list of an account, asked by a visitor.
async fn list(server: &Server, visitor: &str, list: &str, account: &str) -> (StatusCode, Value) {
    let path = format!("/v1/account/{account}/{list}?projectId=demo&chainId=eip155:1&sv=react-1");
    let (status, text, _) = get(server, ("x-forwarded-for", visitor), &path).await;
    (status, serde_json::from_str(&text).unwrap())
}

fn account(number: usize) -> String {
    format!("0x{number:040x}")
}

#[tokio::test]
async fn a_visitor_uses_up_its_share_of_each_vendor_of_accounts_and_leaves_the_neighbours_theirs() {
    for (vendor, list, answer, requests) in [
        ("zerion", "balance", json!({"data": []}), 1),
        ("zerion", "history", json!({"data": []}), 1),
        ("goldrush", "history", json!({"data": {"items": []}}), 1),
        ("alchemy", "nfts", json!({"data": {"ownedNfts": []}}), 1),
        ("etherscan", "history", json!({"result": []}), 3),
    ] {
        let mut web = Web::start(move |_| answer.to_string()).await;
        let kind = if list == "balance" { "balances" } else { list };
        let sources = format!(
            "[sources]\nprices = \"none\"\n{kind} = [{vendor:?}]\n{vendor}_key = \"secret-key\"\n{vendor}_url = {:?}\n",
            web.url("")
        );
        let server = Server::configured(&format!("{BEHIND_A_PROXY}{sources}{}", chain(""))).await;
        let ask = async |visitor: &str, number: usize| {
            let path = format!("/v1/account/{}/{list}?projectId=demo&chainId=eip155:1&sv=react-1", account(number));
            let (status, _, again) = get(&server, ("x-forwarded-for", visitor), &path).await;
            (status, again)
        };
        in_no_time(async {
            for number in 1..=60 {
                let expected = if number <= SHARE { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
                assert_eq!(ask(ABUSER, number).await, (expected, number > SHARE), "{vendor} {list} {number}");
            }
            assert_eq!(std::iter::from_fn(|| web.heard()).count(), SHARE * requests, "{vendor} {list}");
            // What the vendor is not asked for costs nothing.
            assert_eq!(ask(ABUSER, 1).await, (StatusCode::OK, false), "{vendor} {list}");
            assert_eq!(ask(NEIGHBOUR, 60).await, (StatusCode::OK, false), "{vendor} {list}");
        })
        .await;
    }
}

#[tokio::test]
async fn a_hosts_own_server_asks_for_all_its_visitors_and_has_no_share() {
    let mut web = Web::start(|_| json!({"data": []}).to_string()).await;
    let sources =
        format!("[sources]\nprices = \"none\"\nzerion_key = \"secret-key\"\nzerion_url = {:?}\n", web.url(""));
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{sources}{}", chain(""))).await;
    let words = ["project", "rotate", "demo", "--config", "portico.toml", "--database", &server.place.database];
    let (done, told, error) = said(server.folder.path(), &words).await;
    assert!(done, "{error}");
    let secret = told.lines().find_map(|line| line.strip_prefix("secret")).unwrap().trim();
    for number in 1..=60 {
        let path = format!("/v1/account/{}/history?projectId=demo&chainId=eip155:1&sv=react-1", account(number));
        assert_eq!(get(&server, ("x-project-secret", secret), &path).await.0, StatusCode::OK, "{number}");
    }
    assert_eq!(std::iter::from_fn(|| web.heard()).count(), 60);
}

#[tokio::test]
async fn what_a_visitor_above_its_share_gets_instead_is_no_answer_for_its_neighbour() {
    let vendor = Web::start(|_| json!({"data": []}).to_string()).await;
    let explorer = Web::start(|_| json!({"items": []}).to_string()).await;
    let settings = format!(
        "[sources]\nprices = \"none\"\nhistory = [\"zerion\", \"explorer\"]\nzerion_key = \"secret-key\"\nzerion_url = {:?}\n{}",
        vendor.url(""),
        chain(&format!("explorer = {:?}\n", explorer.url("")))
    );
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{settings}")).await;
    in_no_time(async {
        for number in 1..=SHARE {
            assert_eq!(list(&server, ABUSER, "history", &account(number)).await.1["source"], "zerion", "{number}");
        }
        assert_eq!(list(&server, ABUSER, "history", ACCOUNT).await.1["source"], "explorer");
        assert_eq!(list(&server, NEIGHBOUR, "history", ACCOUNT).await.1["source"], "zerion");
        // From the cache, which the neighbour's answer has filled.
        assert_eq!(list(&server, ABUSER, "history", ACCOUNT).await.1["source"], "zerion");
    })
    .await;
}

#[tokio::test]
async fn a_visitor_uses_up_its_share_of_the_prices_and_its_neighbours_balances_have_theirs() {
    let vendor =
        Web::start(|_| recorded("goldrush/balances").replace("\"quote_rate\":0.9998", "\"quote_rate\":null")).await;
    let mut prices = Web::start(|heard| {
        let token = heard.path.split("contract_addresses=").nth(1).unwrap().get(..42).unwrap().to_owned();
        json!({token: {"usd": 7}}).to_string()
    })
    .await;
    let settings = format!(
        "[sources]\nprices = \"coingecko\"\ncoingecko_key = \"secret-key\"\ncoingecko_url = {:?}\n\
         balances = [\"goldrush\"]\ngoldrush_key = \"secret-key\"\ngoldrush_url = {:?}\n{}",
        prices.url(""),
        vendor.url(""),
        chain("")
    );
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{settings}")).await;
    in_no_time(async {
        for number in 1..=60 {
            let address = format!("eip155:1:{}", account(number));
            let body = json!({"projectId": "demo", "currency": "usd", "addresses": [address]}).to_string();
            post(&server, ABUSER, "/v1/fungible/price", body).await;
        }
        assert_eq!(std::iter::from_fn(|| prices.heard()).count(), SHARE);
        let price = async |visitor: &str| {
            let (status, told) = list(&server, visitor, "balance", ACCOUNT).await;
            assert_eq!(status, StatusCode::OK, "{told}");
            let balances = told["balances"].as_array().unwrap().clone();
            balances.into_iter().find(|balance| balance["symbol"] == "USDC").unwrap()["price"].clone()
        };
        assert_eq!(price(ABUSER).await, 0);
        assert_eq!(price(NEIGHBOUR).await, 7);
        assert_eq!(price(ABUSER).await, 7);
    })
    .await;
}

#[tokio::test]
async fn a_visitor_uses_up_its_share_of_the_quotes_of_a_key_and_leaves_the_neighbours_theirs() {
    for (vendor, status, answer) in [
        ("lifi", StatusCode::NOT_FOUND, recorded("lifi/no_quote")),
        ("zerox", StatusCode::OK, json!({"liquidityAvailable": false}).to_string()),
        ("oneinch", StatusCode::BAD_REQUEST, json!({"description": "insufficient liquidity"}).to_string()),
    ] {
        let mut web = Web::start(move |_| (status, answer.clone())).await;
        let swap = format!(
            "[swap]\nproviders = [{vendor:?}]\n{vendor}_key = \"secret-key\"\n{vendor}_url = {:?}\n",
            web.url("")
        );
        let server = Server::configured(&format!("{BEHIND_A_PROXY}{swap}{}", chain(""))).await;
        let quote = async |visitor: &str, amount: usize| {
            let (from, to) =
                ("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0x6B175474E89094C44Da98b954EedeAC495271d0F");
            let path = format!(
                "/v1/convert/quotes?projectId=demo&amount={amount}&from=eip155:1:{from}&to=eip155:1:{to}&userAddress={ACCOUNT}"
            );
            let (status, _, again) = get(&server, ("x-forwarded-for", visitor), &path).await;
            (status, again)
        };
        in_no_time(async {
            for amount in 1..=60 {
                let expected = match amount <= SHARE {
                    true => (StatusCode::UNPROCESSABLE_ENTITY, false),
                    false => (StatusCode::SERVICE_UNAVAILABLE, true),
                };
                assert_eq!(quote(ABUSER, amount).await, expected, "{vendor} {amount}");
            }
            assert_eq!(std::iter::from_fn(|| web.heard()).count(), SHARE, "{vendor}");
            assert_eq!(quote(NEIGHBOUR, 60).await.0, StatusCode::UNPROCESSABLE_ENTITY, "{vendor}");
        })
        .await;
    }
}
