//! Tests of the explorer over a real chain: its answers match those of the public API for the same blocks.

use std::collections::HashSet;

use alloy_primitives::Address;
use portico_explorer::testing::World;
use serde_json::{Value, json};

/// Requests a path of the explorer; returns status and body.
async fn get(world: &World, path: &str) -> (u16, Value) {
    let url = format!("{}/api/v2/addresses/{path}", world.explorer);
    let answer = reqwest::get(url).await.unwrap();
    let status = answer.status().as_u16();
    (status, serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap())
}

/// Requests a page for people; returns status, policy and HTML.
async fn read(world: &World, path: &str) -> (u16, String, String) {
    let answer = reqwest::get(format!("{}{path}", world.explorer)).await.unwrap();
    let policy = answer.headers().get("content-security-policy").map(|value| value.to_str().unwrap().to_owned());
    (answer.status().as_u16(), policy.unwrap_or_default(), answer.text().await.unwrap())
}

/// Fetches all pages, each with the query returned by the page before; returns all items and the sizes of the pages.
async fn all(world: &World, path: &str) -> (Vec<Value>, Vec<usize>) {
    let (mut items, mut sizes, mut query) = (Vec::new(), Vec::new(), String::new());
    loop {
        let joint = if path.contains('?') { "&" } else { "?" };
        let (status, page) = get(world, &format!("{path}{joint}{query}")).await;
        assert_eq!(status, 200, "{page}");
        let found = page["items"].as_array().unwrap();
        sizes.push(found.len());
        items.extend(found.iter().cloned());
        let Some(next) = page["next_page_params"].as_object() else { return (items, sizes) };
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        query = next.iter().map(|(name, value)| format!("{name}={}", text(value))).collect::<Vec<_>>().join("&");
    }
}

fn column(items: &[Value], pointer: &str) -> Vec<String> {
    let text = |item: &Value| item.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    items.iter().map(text).collect()
}

fn hash(address: Address) -> Value {
    json!(address.to_checksum(None))
}

#[tokio::test]
async fn what_is_no_address_and_no_cursor_is_refused() {
    let world = World::start().await;
    for path in ["0x1/transactions", "vitalik.eth/nft", "0xZZ9Fd6e51aad88F6F4ce6aB8827279cffFb92266/tokens"] {
        assert_eq!(get(&world, path).await, (422, json!({ "message": "Invalid parameter(s)" })), "{path}");
    }
    let visitor = world.addresses.accounts[0];
    for query in [
        "transactions?index=-1",
        "transactions?filter=sideways",
        "token-transfers?type=ERC-9",
        "tokens?id=a",
        "nft?token_id=1",
    ] {
        assert_eq!(get(&world, &format!("{visitor}/{query}")).await.0, 422, "{query}");
    }
}

#[tokio::test]
async fn an_account_without_a_past_has_empty_lists() {
    let world = World::start().await;
    let nobody = Address::repeat_byte(7);
    for path in ["transactions", "internal-transactions", "token-transfers", "tokens", "nft"] {
        let empty = json!({ "items": [], "next_page_params": null });
        assert_eq!(get(&world, &format!("{nobody}/{path}")).await, (200, empty), "{path}");
    }
    assert_eq!(get(&world, &format!("{nobody}/token-balances")).await, (200, json!([])));
}

#[tokio::test]
async fn a_transaction_is_told_with_its_method_its_value_and_how_it_ended() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (items, sizes) = all(&world, &format!("{visitor}/transactions")).await;
    assert_eq!(sizes, [items.len()]);
    let methods = column(&items, "/method");
    assert_eq!(methods.first().map(String::as_str), Some("fail"));
    for method in
        ["mint", "approve", "swap", "transfer", "burn", "transferFrom", "safeTransferFrom", "deposit", "withdraw"]
    {
        assert!(methods.iter().any(|one| one == method), "{method} in {methods:?}");
    }
    let failed: Vec<_> = items.iter().filter(|one| one["status"] == "error").collect();
    assert_eq!(failed.len(), 1);
    let received = items.iter().find(|one| one["method"].is_null() && one["to"]["hash"] == hash(visitor)).unwrap();
    assert_eq!(received["value"], "1000000000000000000");
    assert_eq!(received["status"], "ok");
    assert_eq!(received["transaction_types"], json!(["coin_transfer"]));
    assert_eq!(received["from"]["hash"], hash(world.addresses.accounts[1]));
    assert!(received["timestamp"].as_str().unwrap().starts_with("2025-06-0"));
    let (sent, _) = all(&world, &format!("{visitor}/transactions?filter=from")).await;
    assert!(sent.iter().all(|one| one["from"]["hash"] == hash(visitor)) && sent.len() < items.len());
}

#[tokio::test]
async fn pages_of_fifty_hold_everything_once_newest_first() {
    let world = World::start().await;
    let bob = world.addresses.accounts[2];
    for (path, id) in [("transactions", "/hash"), ("token-transfers", "/transaction_hash")] {
        let (items, sizes) = all(&world, &format!("{bob}/{path}")).await;
        assert_eq!(sizes[..sizes.len() - 1].iter().max(), Some(&50), "{path}");
        assert!(sizes.len() > 1);
        let ids: HashSet<_> = column(&items, id).into_iter().collect();
        assert_eq!(ids.len(), items.len(), "{path}");
        let blocks: Vec<_> = items.iter().map(|one| one["block_number"].as_u64().unwrap()).collect();
        assert!(blocks.is_sorted_by(|one, next| one >= next), "{path}");
    }
}

#[tokio::test]
async fn a_page_is_not_moved_by_what_is_mined_meanwhile() {
    let world = World::start().await;
    let bob = world.addresses.accounts[2];
    let (_, first) = get(&world, &format!("{bob}/transactions")).await;
    let next = &first["next_page_params"];
    let path = format!("{bob}/transactions?block_number={}&index={}", next["block_number"], next["index"]);
    let (_, before) = get(&world, &path).await;
    let sent = world.anvil.send(json!({ "from": bob, "to": bob, "value": "0x7" })).await;
    let (_, after) = get(&world, &path).await;
    assert_eq!(
        column(after["items"].as_array().unwrap(), "/hash"),
        column(before["items"].as_array().unwrap(), "/hash")
    );
    let (_, first) = get(&world, &format!("{bob}/transactions")).await;
    assert_eq!(first["items"][0]["hash"], sent["transactionHash"]);
    assert_eq!(first["items"][0]["value"], "7");
}

#[tokio::test]
async fn a_chain_that_went_back_is_followed() {
    let world = World::start().await;
    let (visitor, nobody) = (world.addresses.accounts[0], Address::repeat_byte(9));
    let snapshot = world.anvil.request("evm_snapshot", json!([])).await.unwrap();
    world.anvil.send(json!({ "from": visitor, "to": nobody, "value": "0x7" })).await;
    assert_eq!(all(&world, &format!("{nobody}/transactions")).await.0.len(), 1);
    assert_eq!(world.anvil.request("evm_revert", json!([snapshot])).await, Some(json!(true)));
    assert_eq!(all(&world, &format!("{nobody}/transactions")).await.0.len(), 0);
    world.anvil.send(json!({ "from": visitor, "to": nobody, "value": "0x8" })).await;
    assert_eq!(column(&all(&world, &format!("{nobody}/transactions")).await.0, "/value"), ["8"]);
}

#[tokio::test]
async fn a_transfer_names_its_token_and_whether_it_was_minted_or_burnt() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (items, _) = all(&world, &format!("{visitor}/token-transfers")).await;
    let kinds: HashSet<_> = column(&items, "/type").into_iter().collect();
    assert_eq!(kinds, ["token_transfer", "token_minting", "token_burning"].map(String::from).into());
    let of = |token: &str| {
        let address = hash(world.addresses.contract(token));
        items.iter().filter(|one| one["token"]["address_hash"] == address).cloned().collect::<Vec<_>>()
    };
    // Newest first: paid into the exchange, received from alice, minted.
    let dollars = of("usdc");
    assert_eq!(column(&dollars, "/total/value"), ["100000000", "42500000", "2500000000"]);
    assert_eq!(dollars[0]["total"]["decimals"], "6");
    assert_eq!(dollars[0]["token"]["exchange_rate"], "1.0");
    assert_eq!(dollars[0]["method"], "swap");
    let pictures = of("pictures");
    assert_eq!(column(&pictures, "/total/token_id"), ["3", "2", "2", "1"]);
    assert_eq!(pictures[0]["token"]["type"], "ERC-721");
    assert_eq!(pictures[0]["total"]["token_instance"]["metadata"]["name"], "Blue hour");
    // A batch yields one transfer per kind, all in one log.
    let badges = of("badges");
    assert_eq!(column(&badges, "/total/token_id"), ["7", "9", "8", "7"]);
    assert_eq!(badges[1]["log_index"], badges[2]["log_index"]);
    let (coins, _) = all(&world, &format!("{visitor}/token-transfers?type=ERC-1155")).await;
    assert_eq!(coins.len(), badges.len());
}

#[tokio::test]
async fn balances_are_those_of_the_chain_and_a_token_that_reverts_has_none() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (status, rows) = get(&world, &format!("{visitor}/token-balances")).await;
    assert_eq!(status, 200);
    let rows = rows.as_array().unwrap();
    let value = |token: &str| {
        let address = hash(world.addresses.contract(token));
        let found: Vec<_> = rows.iter().filter(|row| row["token"]["address_hash"] == address).collect();
        found.iter().map(|row| row["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(value("usdc"), ["2442500000"]);
    assert_eq!(value("dai"), ["1087250000000000000000"]);
    assert_eq!(value("ticket"), ["2"]);
    assert_eq!(value("weth"), ["300000000000000000"]);
    assert_eq!(value("reverting"), Vec::<String>::new());
    assert_eq!(value("pictures"), ["2"]);
    assert_eq!(value("badges"), ["3", "2", "1"]);
    let lying =
        rows.iter().find(|row| row["token"]["address_hash"] == hash(world.addresses.contract("lying"))).unwrap();
    assert_eq!(lying["token"]["symbol"], "USDC");
    assert_eq!(lying["token"]["decimals"], "255");
    assert_eq!(lying["token"]["exchange_rate"], Value::Null);
    let (coins, _) = all(&world, &format!("{visitor}/tokens?type=ERC-20")).await;
    assert_eq!(column(&coins, "/token/symbol"), ["USDC", "DAI", "TIX", "WETH", "USDC"]);
}

#[tokio::test]
async fn pictures_come_with_their_image_and_only_to_whoever_has_them_now() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (items, _) = all(&world, &format!("{visitor}/nft?type=ERC-721")).await;
    assert_eq!(column(&items, "/id"), ["1", "3"]);
    assert!(column(&items, "/image_url").iter().all(|url| url.starts_with("data:image/png;base64,")));
    assert_eq!(items[0]["metadata"]["name"], "Red dawn");
    assert_eq!(items[0]["token"]["symbol"], "PICT");
    let (badges, _) = all(&world, &format!("{visitor}/nft?type=ERC-1155")).await;
    assert_eq!(column(&badges, "/value"), ["3", "2", "1"]);
    let images: HashSet<_> = column(&badges, "/image_url").into_iter().collect();
    assert_eq!(images.len(), 3);
}

#[tokio::test]
async fn ether_that_a_contract_hands_on_is_told_as_a_call_within_a_transaction() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (items, _) = all(&world, &format!("{visitor}/internal-transactions?filter=to")).await;
    assert_eq!(column(&items, "/value"), ["125000000000000000", "200000000000000000"]);
    let from = column(&items, "/from/hash");
    let contracts = ["forwarder", "weth"].map(|name| world.addresses.contract(name).to_checksum(None));
    assert_eq!(from, contracts);
    assert!(items.iter().all(|one| one["success"] == true && one["type"] == "call"));
}

#[tokio::test]
async fn a_gateway_is_trusted_once_a_test_says_so() {
    let world = World::start().await;
    let signer = Address::repeat_byte(5);
    // `signers(address)`.
    let asks = format!("0x736c0d5b{}", alloy_primitives::hex::encode(signer.into_word()));
    let call = json!([{ "to": world.addresses.contract("offchainResolver"), "data": asks }, "latest"]);
    let trusted =
        async || world.anvil.request("eth_call", call.clone()).await.unwrap().as_str().unwrap().ends_with('1');
    assert!(!trusted().await);
    world.anvil.use_gateway("http://127.0.0.1:9/{sender}/{data}", signer).await;
    assert!(trusted().await);
}

#[tokio::test]
async fn the_links_of_a_widget_lead_to_pages() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (items, _) = all(&world, &format!("{visitor}/transactions")).await;
    let (failed, sent) = (&items[0], items.iter().find(|one| one["method"] == "swap").unwrap());
    let path = |one: &Value| format!("/tx/{}", one["hash"].as_str().unwrap());
    let (status, policy, page) = read(&world, &path(sent)).await;
    assert_eq!(status, 200);
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(policy.contains("script-src 'self'; style-src 'self'") && !policy.contains("unsafe"), "{policy}");
    for said in
        ["Confirmed", "Swapped", "Dai Stablecoin", &format!("/address/{visitor}"), sent["hash"].as_str().unwrap()]
    {
        assert!(page.contains(said), "{said} in {page}");
    }
    assert!(read(&world, &path(failed)).await.2.contains("Failed"));
    let list = read(&world, &format!("/block/{}", failed["block_number"])).await.2;
    assert!(list.contains("<span class=\"bad\">Failed</span>"), "{list}");
    let (status, _, page) = read(&world, &format!("/address/{}", visitor.to_string().to_lowercase())).await;
    assert_eq!(status, 200);
    for said in [
        "number\">2,442.5</span> USDC",
        "number\">1,087.25</span> DAI",
        "<code>fail</code>",
        "Transactions",
        &path(sent),
        "Token transfers",
    ] {
        assert!(page.contains(said), "{said} in {page}");
    }
    let (status, _, page) = read(&world, &format!("/token/{}", world.addresses.contract("usdc"))).await;
    assert_eq!(status, 200);
    for said in ["<h1>USD Coin</h1>", "ERC-20", "Minted"] {
        assert!(page.contains(said), "{said} in {page}");
    }
    assert!(read(&world, "/").await.2.contains("Latest transactions"));
    assert_eq!(read(&world, "/style.css").await.0, 200);
}

#[tokio::test]
async fn a_page_shows_no_markup_of_a_contract_and_says_what_is_missing() {
    let world = World::start().await;
    let (visitor, lying) = (world.addresses.accounts[0], world.addresses.contract("lying"));
    for path in [format!("/address/{visitor}"), format!("/token/{lying}")] {
        let (status, _, page) = read(&world, &path).await;
        assert_eq!(status, 200, "{path}");
        assert!(page.contains("&lt;img src=x") && !page.contains("<img src=x"), "{path}: {page}");
        assert!(page.contains("Suspicious name") && !page.contains(">&lt;img src=x</"), "{path}: {page}");
    }
    let nowhere = format!("/tx/0x{}", "7".repeat(64));
    for path in [&nowhere, "/tx/0x1", "/tx/<b>", "/address/vitalik.eth", "/token/0x1", "/token/<b>", "/elsewhere"] {
        let (status, policy, page) = read(&world, path).await;
        assert_eq!(status, 404, "{path}");
        assert!(policy.contains("default-src 'none'") && page.contains("Not found"), "{path}: {page}");
    }
    assert_eq!(read(&world, &format!("/token/{visitor}")).await.0, 404);
}

#[tokio::test]
async fn a_search_leads_to_what_is_meant() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (items, _) = all(&world, &format!("{visitor}/transactions")).await;
    let sent = &items[0];
    let (hash, block) = (sent["hash"].as_str().unwrap(), sent["block_number"].as_u64().unwrap());
    let usdc = world.addresses.contract("usdc");
    for (wanted, title) in [
        (hash.to_owned(), "<h1>Transaction</h1>".to_owned()),
        (format!("%20{visitor}%20"), "<h1>Address</h1>".into()),
        (usdc.to_string().to_lowercase(), "<h1>USD Coin</h1>".into()),
        (block.to_string(), format!("<h1>Block {block}</h1>")),
    ] {
        let (status, _, page) = read(&world, &format!("/search?q={wanted}")).await;
        assert_eq!(status, 200, "{wanted}");
        assert!(page.contains(&title), "{title} in {page}");
    }
    assert!(read(&world, &format!("/block/{block}")).await.2.contains(&format!("/tx/{hash}")));
    for wanted in ["", "?q=", "?q=alice", "?q=-1", "?q=99999999", "?q=0x1", "?q=//example.org"] {
        let (status, _, page) = read(&world, &format!("/search{wanted}")).await;
        assert_eq!(status, 404, "{wanted}");
        assert!(page.contains("Not found"), "{page}");
    }
}

#[tokio::test]
async fn hashes_and_amounts_are_whole() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let (items, _) = all(&world, &format!("{visitor}/transactions")).await;
    let (_, _, page) = read(&world, &format!("/tx/{}", items[0]["hash"].as_str().unwrap())).await;
    for text in [items[0]["hash"].as_str().unwrap(), items[0]["from"]["hash"].as_str().unwrap()] {
        // It breaks in its middle alone.
        let (first, second) = text.split_at(text.len() / 2);
        assert!(page.contains(&format!("<code>{first}<wbr>{second}</code>")), "{text} in {page}");
        assert!(page.contains(&format!("data-copy=\"{text}\" aria-label=\"Copy\"")), "{text} in {page}");
    }
    let fee = items[0]["fee"]["value"].as_str().unwrap().trim_end_matches('0');
    assert!(page.contains(&format!("{fee}</span> ETH")), "{fee} in {page}");
    assert_eq!(read(&world, "/copy.js").await.0, 200);
}

/// Words of 32 bytes in hexadecimal: numbers, and addresses that fit into them.
fn words(words: &[&str]) -> String {
    words.iter().map(|word| format!("{:0>64}", word.trim_start_matches("0x"))).collect()
}

#[tokio::test]
async fn a_swap_for_an_exact_amount_is_called_a_swap_and_its_refund_is_a_call_within_it() {
    let world = World::start().await;
    let visitor = world.addresses.accounts[0];
    let of = |name: &str| world.addresses.contract(name).to_string();
    // `swapETHForExactTokens(uint256,address[],address,uint256)` for one USDC.
    let data = words(&["f4240", "80", &visitor.to_string(), "ffffffffff", "2", &of("weth"), &of("usdc")]);
    let (router, value) = (of("uniswapV2Router"), "0xde0b6b3a7640000");
    let sent = json!({ "from": visitor, "to": router, "value": value, "data": format!("0xfb3bdb41{data}") });
    let hash = world.anvil.send(sent).await["transactionHash"].as_str().unwrap().to_owned();
    let (_, _, page) = read(&world, &format!("/tx/{hash}")).await;
    assert!(page.contains("<dt>Action</dt><dd>Swapped</dd>") && page.contains("Confirmed"), "{page}");
    let (back, _) = all(&world, &format!("{visitor}/internal-transactions?filter=to")).await;
    let refund: u128 = back[0]["value"].as_str().unwrap().parse().unwrap();
    assert_eq!(back[0]["transaction_hash"], json!(hash));
    assert!((990_000_000_000_000_000..1_000_000_000_000_000_000).contains(&refund), "{refund}");
}

#[tokio::test]
async fn each_page_names_its_network() {
    let world = World::start().await;
    for path in ["/", "/block/1", "/elsewhere"] {
        let (_, _, page) = read(&world, path).await;
        assert!(page.contains("<small>Anvil One</small>") && page.contains("| Anvil One explorer</title>"), "{page}");
    }
}
