//! Amounts of a history: what a swap moved, and what an approval let somebody spend.

use crate::history::{VISITOR, all, server};
use crate::support::web::Web;
use portico_explorer::testing::World;
use serde_json::{Value, json};

/// Words of 32 bytes in hexadecimal: numbers, and addresses that fit into them.
fn words(words: &[&str]) -> String {
    words.iter().map(|word| format!("{:0>64}", word.trim_start_matches("0x"))).collect()
}

/// Swap of at most one ETH for exactly one USDC, by `swapETHForExactTokens(uint256,address[],address,uint256)`; the router refunds the rest.
async fn buy_one_dollar(world: &World) -> Value {
    let of = |name: &str| world.addresses.contract(name).to_string();
    let data = words(&["f4240", "80", VISITOR, "ffffffffff", "2", &of("weth"), &of("usdc")]);
    let (router, value) = (of("uniswapV2Router"), "0xde0b6b3a7640000");
    let sent = json!({ "from": VISITOR, "to": router, "value": value, "data": format!("0xfb3bdb41{data}") });
    world.anvil.send(sent).await
}

fn moves_of(row: &Value) -> Vec<[&str; 3]> {
    let moved = row["transfers"].as_array().unwrap().iter();
    moved
        .map(|one| {
            let symbol = one["fungible_info"]["symbol"].as_str().unwrap();
            [one["direction"].as_str().unwrap(), one["quantity"]["numeric"].as_str().unwrap(), symbol]
        })
        .collect()
}

#[tokio::test]
async fn spec_3_16_a_swap_moved_what_left_less_what_the_router_refunded() {
    let world = World::start().await;
    let balance = async || {
        let answer = world.anvil.request("eth_getBalance", json!([VISITOR, "latest"])).await.unwrap();
        u128::from_str_radix(answer.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
    };
    let before = balance().await;
    let receipt = buy_one_dollar(&world).await;
    let quantity =
        |name: &str| u128::from_str_radix(receipt[name].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
    let fee = quantity("gasUsed") * quantity("effectiveGasPrice");
    let paid = format!("0.{:018}", before - balance().await - fee);
    let server = server(&world.anvil.url, &world.explorer).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    assert_eq!(rows[0]["metadata"]["operationType"], "trade");
    assert_eq!(moves_of(&rows[0]), [["out", paid.trim_end_matches('0'), "ETH"], ["in", "1", "USDC"]]);
    assert_eq!(rows[0]["transfers"][0]["atMost"], Value::Null);
}

#[tokio::test]
async fn coin_of_a_swap_is_the_most_that_can_have_left_where_what_was_called_within_is_unknown() {
    let world = World::start().await;
    buy_one_dollar(&world).await;
    let listed = async |list: &str| {
        let url = format!("{}/api/v2/addresses/{VISITOR}/{list}", world.explorer);
        reqwest::get(url).await.unwrap().text().await.unwrap()
    };
    let (calls, moves) = (listed("transactions").await, listed("token-transfers").await);
    let explorer = Web::start(move |heard| match heard.path.rsplit('/').next() {
        Some("transactions") => calls.clone(),
        Some("token-transfers") => moves.clone(),
        _ => r#"{"message":"overloaded"}"#.to_owned(),
    })
    .await;
    let server = server(&world.anvil.url, &explorer.url("")).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    assert_eq!(moves_of(&rows[0]), [["out", "1", "ETH"], ["in", "1", "USDC"]]);
    assert_eq!(rows[0]["transfers"][0]["atMost"], true);
    // A wrap gives as much as it takes, and a payment brings nothing.
    let doubted = rows.iter().filter(|row| row["transfers"].to_string().contains(r#""atMost":true"#)).count();
    assert_eq!(doubted, 1);
}

#[tokio::test]
async fn an_approval_tells_its_spender_its_amount_and_its_token() {
    let world = World::start().await;
    let server = server(&world.anvil.url, &world.explorer).await;
    let (rows, _) = all(&server, VISITOR, "history").await;
    let row = rows.iter().find(|row| row["metadata"]["operationType"] == "approve").unwrap();
    let spender = world.addresses.contract("exchange").to_checksum(None);
    assert_eq!(row["approval"]["spender"], json!(spender));
    assert_eq!(row["approval"]["amount"], "100000000");
    assert!(rows.iter().all(|row| row["approval"].is_null() == (row["metadata"]["operationType"] != "approve")));
}
