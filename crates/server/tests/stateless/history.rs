//! History and NFTs of an account, from the explorer of its chain.

use crate::support;
use axum::http::StatusCode;
use portico_explorer::testing::{Anvil, World};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use support::web::Web;
use support::{Server, Upstream, reason, recorded, status_and_text};

const CHAIN: &str = "eip155:31337";
pub(crate) const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const BOB: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

pub(crate) async fn server(node: &str, explorer: &str) -> Server {
    let chain = format!("[[chains]]\nid = {CHAIN:?}\nupstreams = [{node:?}]\nexplorer = {explorer:?}\n");
    Server::configured(&format!("[sources]\nhistory = [\"explorer\"]\n{chain}")).await
}

async fn ask(server: &Server, address: &str, list: &str, query: &str) -> (StatusCode, String) {
    let path = format!("/v1/account/{address}/{list}?projectId=demo&chainId={CHAIN}&{query}");
    status_and_text(server.get(&path).await).await
}

/// Rows of all pages, and the number of rows of each page.
pub(crate) async fn all(server: &Server, address: &str, list: &str) -> (Vec<Value>, Vec<usize>) {
    let (mut rows, mut sizes, mut query) = (Vec::new(), Vec::new(), String::new());
    loop {
        let (status, text) = ask(server, address, list, &query).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let page: Value = serde_json::from_str(&text).unwrap();
        let data = page["data"].as_array().unwrap();
        sizes.push(data.len());
        rows.extend(data.iter().cloned());
        let Some(next) = page["next"].as_str() else { return (rows, sizes) };
        query = format!("cursor={next}");
    }
}

#[tokio::test]
async fn a_cursor_from_elsewhere_is_refused() {
    let world = World::start().await;
    let server = server(&world.anvil.url, &world.explorer).await;
    let (_, text) = ask(&server, BOB, "history", "").await;
    let page: Value = serde_json::from_str(&text).unwrap();
    let next = page["next"].as_str().unwrap().to_owned();
    let changed = next.replacen(|letter: char| letter.is_ascii_digit(), "a", 1);
    let long = "ab".repeat(9000);
    for (address, list, cursor) in [
        (BOB, "history", "2"),
        (BOB, "history", "%00"),
        (BOB, "history", &changed),
        (BOB, "history", &next[1..]),
        (BOB, "history", &long),
        (VISITOR, "history", &next),
        (BOB, "nfts", &next),
    ] {
        let (status, text) = ask(&server, address, list, &format!("cursor={cursor}")).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "cursor"), "{list} {cursor:.40}");
    }
}

#[tokio::test]
async fn an_explorer_that_answers_nonsense_or_nothing_is_told_as_503() {
    let long = format!("[{}]", "1,".repeat(3_000_000));
    for (status, text) in
        [(200, "<html>"), (200, "[]"), (200, "7"), (500, ""), (429, "{}"), (200, "\u{1f}\u{8b}"), (200, &long)]
    {
        let explorer = Upstream::says(status, text).await;
        let server = server("http://127.0.0.1:9", &explorer.url).await;
        for list in ["history", "nfts"] {
            let (status, text) = ask(&server, VISITOR, list, "").await;
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
            assert_eq!(reason(&text).1, format!("Couldn't load the {list} of {CHAIN}. Try again."));
        }
    }
    let without = Server::with_upstreams(&["http://127.0.0.1:9"]).await;
    let (status, text) = ask(&without, VISITOR, "nfts", "").await;
    assert_eq!(status, StatusCode::NOT_IMPLEMENTED);
    assert_eq!(reason(&text).1, format!("No source is set up on this server for the nfts of {CHAIN}"));
}

#[tokio::test]
async fn spec_7_4_a_client_that_did_something_may_pass_over_what_is_kept() {
    let explorer = Upstream::says(200, r#"{"items":[],"next_page_params":null}"#).await;
    let server = server("http://127.0.0.1:9", &explorer.url).await;
    let mut heard = 0;
    for (query, anew) in [("", true), ("", false), ("cache=other", false), ("cache=no-cache", true)] {
        assert_eq!(ask(&server, VISITOR, "history", query).await.0, StatusCode::OK);
        assert_eq!(explorer.unread() > heard, anew, "{query}");
        heard = explorer.unread();
    }
}

#[tokio::test]
async fn an_item_that_makes_no_sense_costs_only_itself() {
    let hash = |digit: &str| format!("0x{}", digit.repeat(64));
    let good = json!({"hash": hash("a"), "block_number": "7", "timestamp": "2025-06-01T00:00:00.000000Z", "status": "ok", "nonce": "3",
        "from": {"hash": VISITOR.to_lowercase()}, "to": {"hash": BOB, "is_contract": true, "name": "Bank\u{202e}"}, "value": 1_500_000_000_000_000_000u64,
        "method": "0x12345678", "fee": {"type": "actual", "value": "21000000000000"}});
    let with = |name: &str, value: Value| {
        let mut item = good.clone();
        item[name] = value;
        item
    };
    let items = json!([
        null,
        7,
        [],
        "x",
        {},
        with("hash", json!("0x1")),
        with("hash", json!(7)),
        with("block_number", json!(-1)),
        with("from", json!("0x")),
        with("value", json!("NaN")),
        with("value", json!(1.5)),
        with("timestamp", json!("<b>")),
        good,
    ]);
    let explorer = Upstream::says(200, &json!({"items": items, "next_page_params": null}).to_string()).await;
    let server = server("http://127.0.0.1:9", &explorer.url).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    let marks: Value = serde_json::from_str(include_str!("../../marks/marks.json")).unwrap();
    let icon = json!({"url": format!("/public/getAssetImage/{}", marks["tokens"]["ETH"].as_str().unwrap())});
    let transfer = json!({"fungible_info": {"name": "Ether", "symbol": "ETH", "icon": icon, "address": null}, "nft_info": null, "direction": "out", "recipient": BOB,
        "quantity": {"numeric": "1.5"}, "atMost": null, "value": null, "price": null});
    assert_eq!(
        rows,
        [
            json!({"id": hash("a"), "metadata": {"operationType": "send", "hash": hash("a"), "minedAt": "2025-06-01T00:00:00Z",
            "sentFrom": VISITOR, "sentTo": BOB, "status": "confirmed", "nonce": 3, "application": {"name": "Bank", "iconUrl": ""},
            "chain": CHAIN, "fee": "0.000021"}, "transfers": [transfer], "approval": null})
        ]
    );
}

#[tokio::test]
async fn a_contract_that_the_server_knows_has_its_own_name_and_not_the_one_that_anybody_gave_it() {
    let router = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D";
    let usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    let call = |digit: &str, to: &str, method: &str| {
        json!({"hash": format!("0x{}", digit.repeat(64)), "block_number": 7, "timestamp": "2025-06-01T00:00:00Z", "status": "ok", "nonce": 3,
            "from": {"hash": VISITOR}, "to": {"hash": to, "is_contract": true, "name": "FiatTokenProxy"}, "value": "0", "method": method})
    };
    let calls = [call("c", usdc, "approve"), call("b", router, "swapExactETHForTokens"), call("a", usdc, "transfer")];
    let explorer = Upstream::says(200, &json!({"items": calls, "next_page_params": null}).to_string()).await;
    let chain =
        format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\nexplorer = {:?}\n", explorer.url);
    let server = Server::configured(&format!("[sources]\nhistory = [\"explorer\"]\n{chain}")).await;
    let path = format!("/v1/account/{VISITOR}/history?projectId=demo&chainId=eip155:1");
    let (_, text) = status_and_text(server.get(&path).await).await;
    let page: Value = serde_json::from_str(&text).unwrap();
    let told: BTreeSet<_> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let metadata = &row["metadata"];
            (metadata["operationType"].as_str().unwrap(), metadata["application"]["name"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        told,
        BTreeSet::from([("approve", "USDC"), ("trade", "Uniswap V2"), ("execute", "FiatTokenProxy")]),
        "{text}"
    );
}

/// Transactions on the chain that the account signed or received, that moved its tokens, or, in an internal call, its native coin.
async fn of_chain(anvil: &Anvil, account: &str) -> BTreeSet<String> {
    let mut hashes = BTreeSet::new();
    for number in 0..=anvil.addresses.block {
        let block = anvil.request("eth_getBlockByNumber", json!([format!("{number:#x}"), true])).await.unwrap();
        for transaction in block["transactions"].as_array().unwrap() {
            let is =
                |field: &str| transaction[field].as_str().is_some_and(|address| address.eq_ignore_ascii_case(account));
            if is("from") || is("to") {
                hashes.insert(transaction["hash"].as_str().unwrap().to_owned());
            }
        }
    }
    for number in 0..=anvil.addresses.block {
        let traces = anvil.request("trace_block", json!([format!("{number:#x}")])).await.unwrap();
        for trace in traces.as_array().unwrap() {
            let (action, within) =
                (&trace["action"], trace["traceAddress"].as_array().is_some_and(|path| !path.is_empty()));
            let is = |field: &str| action[field].as_str().is_some_and(|address| address.eq_ignore_ascii_case(account));
            if within && trace["error"].is_null() && action["value"] != "0x0" && (is("from") || is("to")) {
                hashes.insert(trace["transactionHash"].as_str().unwrap().to_owned());
            }
        }
    }
    let word = format!("0x{:0>64}", account[2..].to_lowercase());
    let logs = anvil.request("eth_getLogs", json!([{"fromBlock": "0x0", "toBlock": "latest"}])).await.unwrap();
    let transfers = [
        "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
        "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
        "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
    ];
    for log in logs.as_array().unwrap() {
        let topics: Vec<&str> = log["topics"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        if topics.first().is_some_and(|first| transfers.contains(first))
            && topics.iter().rev().take(2).any(|topic| *topic == word)
        {
            hashes.insert(log["transactionHash"].as_str().unwrap().to_owned());
        }
    }
    hashes
}

#[tokio::test]
async fn spec_7_4_history_is_that_of_the_chain_each_transaction_once_the_newest_first() {
    let world = World::start().await;
    let server = server(&world.anvil.url, &world.explorer).await;
    for account in [VISITOR, BOB] {
        let (rows, sizes) = all(&server, account, "history").await;
        let hashes: BTreeSet<String> =
            rows.iter().map(|row| row["metadata"]["hash"].as_str().unwrap().into()).collect();
        assert_eq!(hashes, of_chain(&world.anvil, account).await, "{account}");
        assert_eq!(rows.iter().map(|row| row["id"].as_str().unwrap()).collect::<BTreeSet<_>>().len(), rows.len());
        assert!(
            rows.iter().map(|row| row["metadata"]["minedAt"].as_str().unwrap()).is_sorted_by(|one, next| one >= next)
        );
        assert!(sizes[..sizes.len() - 1].iter().all(|size| *size == 50), "{sizes:?}");
    }
}

#[tokio::test]
async fn spec_3_15_each_transaction_has_its_kind_and_spec_3_16_what_moved_in_it() {
    let world = World::start().await;
    let server = server(&world.anvil.url, &world.explorer).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        *kinds.entry(row["metadata"]["operationType"].as_str().unwrap()).or_default() += 1;
        assert_eq!(row["metadata"]["chain"], CHAIN);
    }
    for kind in ["approve", "burn", "deposit", "execute", "mint", "receive", "send", "trade", "withdraw"] {
        assert!(kinds.contains_key(kind), "{kind} in {kinds:?}");
    }
    let failed: Vec<&Value> = rows.iter().filter(|row| row["metadata"]["status"] == "failed").collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["transfers"], json!([]));
    let trade = rows.iter().find(|row| row["metadata"]["operationType"] == "trade").unwrap();
    let mut moved: Vec<(&str, &str, &str)> = trade["transfers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|moved| {
            let text = |value: &'static str| moved.pointer(value).and_then(Value::as_str).unwrap();
            (text("/direction"), text("/fungible_info/symbol"), text("/quantity/numeric"))
        })
        .collect();
    moved.sort_unstable();
    assert_eq!(moved, [("in", "DAI", "99.5"), ("out", "USDC", "100")]);
    let piece = rows
        .iter()
        .flat_map(|row| row["transfers"].as_array().unwrap())
        .find(|moved| moved["nft_info"]["name"] == "Blue hour");
    let piece = piece.unwrap();
    assert_eq!((&piece["direction"], &piece["quantity"]["numeric"]), (&json!("in"), &json!("1")));
    let shown = piece["nft_info"]["content"]["preview"]["url"].as_str().unwrap();
    assert!(shown.starts_with("data:image/png;base64,"), "{shown}");
    // Pieces of one ERC-1155 contract share the name "Badge", and are told apart as in the list of NFTs.
    let badges: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| row["transfers"].as_array().unwrap())
        .filter_map(|moved| moved["nft_info"]["name"].as_str().filter(|name| name.starts_with("Badge")))
        .collect();
    assert_eq!(badges, BTreeSet::from(["Badge #7", "Badge #8", "Badge #9"]));
}

#[tokio::test]
async fn coin_that_a_contract_handed_on_is_told_as_a_transfer() {
    let world = World::start().await;
    let server = server(&world.anvil.url, &world.explorer).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    let came = |from: &str| {
        let from = world.addresses.contract(from).to_checksum(None);
        let moved = |row: &Value, direction: &str, amount: &str| {
            row["transfers"].as_array().unwrap().iter().any(|moved| {
                moved["direction"] == direction
                    && moved["quantity"]["numeric"] == amount
                    && moved["fungible_info"]["symbol"] == "ETH"
            })
        };
        let found = |row: &&Value| {
            [&row["metadata"]["sentFrom"], &row["metadata"]["sentTo"]].iter().any(|address| **address == json!(from))
                && (moved(row, "in", "0.125") || moved(row, "in", "0.2"))
        };
        rows.iter().find(found).map(|row| row["metadata"]["operationType"].clone())
    };
    // Another account called the forwarder; the visitor unwrapped coin.
    assert_eq!((came("forwarder"), came("weth")), (Some(json!("receive")), Some(json!("withdraw"))));
}

#[tokio::test]
async fn of_what_was_called_within_only_what_moved_coin_is_told() {
    let explorer = Web::start(|heard| {
        let empty = r#"{"items":[],"next_page_params":null}"#.to_owned();
        if heard.path.contains("internal-transactions") { recorded("blockscout/internal_transactions") } else { empty }
    })
    .await;
    let server = server("http://127.0.0.1:9", &explorer.url("")).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    let moved: Vec<(&str, &str)> = rows
        .iter()
        .flat_map(|row| row["transfers"].as_array().unwrap())
        .map(|moved| (moved["direction"].as_str().unwrap(), moved["quantity"]["numeric"].as_str().unwrap()))
        .collect();
    // A quarter came and five wei left in one transaction.
    assert_eq!((rows.len(), moved), (1, vec![("in", "0.249999999999999995")]));
}

#[tokio::test]
async fn without_an_explorer_the_transfers_of_the_last_blocks_are_told() {
    let anvil = Anvil::start();
    let server = Server::with_upstreams(&[&anvil.url]).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    let told: BTreeSet<String> = rows.iter().map(|row| row["metadata"]["hash"].as_str().unwrap().into()).collect();
    assert!(told.len() > 10 && told.is_subset(&of_chain(&anvil, VISITOR).await));
    let trade = rows.iter().find(|row| row["metadata"]["operationType"] == "trade").unwrap();
    let symbols: BTreeSet<&str> = trade["transfers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|moved| moved["fungible_info"]["symbol"].as_str().unwrap())
        .collect();
    assert_eq!(symbols, BTreeSet::from(["DAI", "USDC"]));
}

#[tokio::test]
async fn what_an_account_owns_by_piece_is_told_with_name_picture_and_amount() {
    let world = World::start().await;
    let server = server(&world.anvil.url, &world.explorer).await;
    let (rows, _) = all(&server, VISITOR, "nfts").await;
    let told: BTreeSet<(&str, &str, &str)> = rows
        .iter()
        .map(|row| {
            let text = |field: &str| row[field].as_str().unwrap();
            (text("name"), text("tokenId"), text("amount"))
        })
        .collect();
    assert_eq!(
        told,
        BTreeSet::from([
            ("Red dawn", "1", "1"),
            ("Blue hour", "3", "1"),
            ("Badge #7", "7", "3"),
            ("Badge #8", "8", "2"),
            ("Badge #9", "9", "1"),
        ])
    );
    let pictures = world.addresses.contract("pictures").to_string();
    assert!(
        rows.iter()
            .any(|row| row["address"] == format!("{CHAIN}:{pictures}") && row["collection"] == "Portico Pictures")
    );
}

#[tokio::test]
async fn tokens_that_the_explorer_has_seen_are_asked_of_the_chain() {
    let world = World::start().await;
    let server = server(&world.anvil.url, &world.explorer).await;
    let (status, text) = ask(&server, VISITOR, "balance", "sv=react-1").await;
    assert_eq!(status, StatusCode::OK);
    let found: Value = serde_json::from_str(&text).unwrap();
    let symbols: BTreeSet<&str> =
        found["balances"].as_array().unwrap().iter().map(|one| one["symbol"].as_str().unwrap()).collect();
    assert!(symbols.is_superset(&BTreeSet::from(["ETH", "USDC", "DAI", "TIX", "WETH"])), "{symbols:?}");
    assert!(!text.contains('\u{202e}'));
}
