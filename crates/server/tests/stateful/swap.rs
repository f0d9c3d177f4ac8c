//! Swaps on the exchanges of a real chain: the transaction pays out what was quoted.

use crate::support;
use axum::http::StatusCode;
use portico_explorer::testing::Anvil;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::exchange::{CHAIN, COIN, ETHER, place, settings};
use support::{Reply, Server, Upstream, reason, status_and_text};

#[tokio::test]
async fn a_question_that_makes_no_sense_is_refused_by_its_part() {
    let place = place().await;
    let (coin, usdc) = (place.coin("coin"), place.coin("usdc"));
    let user = place.user.clone();
    let long = "9".repeat(79);
    let above = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
    for (amount, user, from, to, field) in [
        ("", &*user, &*coin, &*usdc, "amount"),
        ("0", &user, &coin, &usdc, "amount"),
        ("-1", &user, &coin, &usdc, "amount"),
        ("1.5", &user, &coin, &usdc, "amount"),
        ("1e18", &user, &coin, &usdc, "amount"),
        ("0x1", &user, &coin, &usdc, "amount"),
        ("1,000", &user, &coin, &usdc, "amount"),
        (&long, &user, &coin, &usdc, "amount"),
        (above, &user, &coin, &usdc, "amount"),
        ("1", "alice.eth", &coin, &usdc, "userAddress"),
        ("1", "eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", &coin, &usdc, "userAddress"),
        ("1", "0x0000000000000000000000000000000000000000", &coin, &usdc, "userAddress"),
        ("1", &user, "0x1", &usdc, "from"),
        ("1", &user, "eip155:31337:0x0000000000000000000000000000000000000000", &usdc, "from"),
        ("1", &user, &coin, &coin, "to"),
        ("1", &user, &coin, "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "to"),
        (
            "1",
            &user,
            "eip155:5:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            "eip155:5:0x00000000000000000000000000000000000000aa",
            "from",
        ),
    ] {
        let path = format!("/v1/convert/quotes?amount={amount}&userAddress={user}&from={from}&to={to}");
        let (status, text) = place.get(&path).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, field), "{path}: {text}");
    }
    let (status, _) = status_and_text(place.server.get(&format!("/v1/convert/tokens?chainId={CHAIN}")).await).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_order_that_makes_no_sense_is_refused_by_its_part() {
    let place = place().await;
    let quote = place.quote("coin", "usdc", ETHER).await;
    let order = place.order(&quote);
    let with = |name: &str, value: Value| {
        let mut order = order.clone();
        order[name] = value;
        order
    };
    for (order, status, field) in [
        (json!([]), 401, "projectId"),
        (json!({"projectId": "demo"}), 422, "amount"),
        (with("amount", json!(1)), 422, "amount"),
        (with("userAddress", json!(null)), 422, "userAddress"),
        (with("quoteId", json!(1)), 422, "quoteId"),
        (with("disableEstimate", json!("no")), 422, "disableEstimate"),
        (with("amount", json!("1e3")), 400, "amount"),
        (with("amount", json!("2000000000000000000")), 400, "quoteId"),
        (with("userAddress", json!("eip155:31337:0x70997970C51812dc3A010C7d01b50e0d17dc79C8")), 400, "quoteId"),
        (with("to", json!(place.coin("dai"))), 400, "quoteId"),
        (with("quoteId", json!("00000000000000000000000000000000")), 409, "quoteId"),
        (with("quoteId", json!("../x")), 409, "quoteId"),
        (with("toAmountMin", json!("-1")), 400, "toAmountMin"),
        (with("toAmount", json!(1)), 422, "toAmount"),
        (with("toAmount", json!("1")), 400, "toAmount"),
        (with("toAmountMin", json!("99999999999999999999")), 409, "toAmountMin"),
        (with("eip155", json!({"slippage": 51})), 400, "slippage"),
        (with("eip155", json!({"slippage": -1})), 400, "slippage"),
        (with("eip155", json!({"slippage": "1e1"})), 422, "slippage"),
    ] {
        let (found, text) = place.build(&order).await;
        assert_eq!((found.as_u16(), reason(&text).0.as_str()), (status, field), "{order}: {text}");
    }
    let (status, _) = place.build(&json!(" ".repeat(20_000))).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn spec_9_10_a_chain_without_an_exchange_says_so() {
    let chain = |id: &str| format!("[[chains]]\nid = \"{id}\"\nupstreams = [\"http://127.0.0.1:9\"]\n");
    let server = Server::configured(&(chain("eip155:59144") + &chain("eip155:1") + &chain("eip155:250"))).await;
    for id in ["eip155:59144", "eip155:250"] {
        let path = format!("/v1/convert/tokens?chainId={id}&projectId=demo");
        let (status, text) = status_and_text(server.get(&path).await).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert_eq!(reason(&text), ("chainId".into(), format!("No swap provider is set up for the chain {id}")));
    }
    let (_, text) = status_and_text(server.get("/v1/project/demo/config").await).await;
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["swap"], json!({"providers": ["onchain"], "chains": ["eip155:1"]}));
    assert!(told["features"].as_array().unwrap().contains(&json!("swap")));
    let none = Server::configured(&(chain("eip155:1") + "[swap]\nproviders = []\n")).await;
    let (_, text) = status_and_text(none.get("/v1/project/demo/config").await).await;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["swap"], Value::Null);
}

#[tokio::test]
async fn the_tokens_of_a_chain_begin_with_its_own_coin() {
    let place = place().await;
    let told = place.told(&format!("/v1/convert/tokens?chainId={CHAIN}")).await;
    assert_eq!(told["provider"], "onchain");
    let tokens: Vec<&Value> = told["tokens"].as_array().unwrap().iter().map(|token| &token["address"]).collect();
    assert_eq!(
        tokens,
        [
            &json!(place.coin("coin")),
            &json!(place.coin("weth")),
            &json!(place.coin("usdc")),
            &json!(place.coin("dai")),
            &json!(place.coin("taxed")),
            &json!(place.coin("ticket"))
        ]
    );
    let usdc = place.coin("usdc");
    let only = place.told(&format!("/v1/convert/tokens?chainId={CHAIN}&address={usdc}")).await;
    assert_eq!(
        only["tokens"],
        json!([{"name": "usdc", "symbol": "usdc", "address": usdc, "decimals": 6, "logoUri": "", "eip2612": false}])
    );
}

#[tokio::test]
async fn spec_9_7_an_amount_to_receive_is_quoted_approved_and_built_with_the_most_that_it_may_cost() {
    let place = place().await;
    place.mint("usdc", 10_000_000_000).await;
    let (usdc, coin, user) = (place.coin("usdc"), place.coin("coin"), place.user.clone());
    let question = format!("toAmount={}&userAddress={user}&from={usdc}&to={coin}", ETHER / 4);
    let told = place.told(&format!("/v1/convert/quotes?{question}")).await;
    let quote = &told["quotes"][0];
    let number = |value: &Value| value.as_str().unwrap().parse::<u128>().unwrap();
    assert_eq!((number(&quote["toAmount"]), number(&quote["toAmountMin"])), (ETHER / 4, ETHER / 4));
    let (paid, most) = (number(&quote["fromAmount"]), number(&quote["fromAmountMax"]));
    assert_eq!(most, paid + paid / 100);
    // The price is that of the pool: the amount for what the amount costs.
    let back = number(&place.quote("usdc", "coin", paid).await["toAmount"]);
    assert!(back >= ETHER / 4 && back - ETHER / 4 < ETHER / 1_000_000, "{back}");
    let id = quote["id"].as_str().unwrap();
    let approval = place.told(&format!("/v1/convert/build-approve?{question}&quoteId={id}")).await["tx"].clone();
    assert!(approval["data"].as_str().unwrap().ends_with(&format!("{most:064x}")));
    assert_eq!(place.send(&approval).await["status"], "0x1");
    let order = json!({"projectId": "demo", "toAmount": quote["toAmount"], "from": usdc, "to": coin, "userAddress": user, "quoteId": id});
    let with = |name: &str, value: Value| {
        let mut order = order.clone();
        order[name] = value;
        order
    };
    for (order, status, field) in [
        // The price is above what was promised; the quote is for another amount, or for an amount to pay.
        (with("fromAmountMax", json!((paid - 1).to_string())), 409, "fromAmountMax"),
        (with("fromAmountMax", json!("x")), 400, "fromAmountMax"),
        (with("toAmount", json!("1")), 400, "quoteId"),
        (
            json!({"projectId": "demo", "amount": quote["toAmount"], "from": usdc, "to": coin, "userAddress": user, "quoteId": id}),
            400,
            "quoteId",
        ),
    ] {
        let (found, text) = place.build(&order).await;
        assert_eq!((found.as_u16(), reason(&text).0.as_str()), (status, field), "{order}: {text}");
    }
    for (slippage, promised, bound) in
        [(json!(1), None, most), (json!(0.5), None, paid + paid / 200), (json!(1), Some(paid + 1), paid + 1)]
    {
        let mut order = with("eip155", json!({"slippage": slippage}));
        order["fromAmountMax"] = promised.map_or(Value::Null, |promised| json!(promised.to_string()));
        let (status, text) = place.build(&order).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let built: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((number(&built["fromAmountMax"]), number(&built["toAmountMin"])), (bound, ETHER / 4));
        assert_eq!(number(&built["tx"]["amount"]), bound);
    }
    let (status, text) = place.get(&format!("/v1/convert/quotes?amount=1&{question}")).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "toAmount"));
    assert_eq!(place.told(&format!("/v1/convert/tokens?chainId={CHAIN}")).await["exactOut"], true);
}

#[tokio::test]
async fn spec_9_7_a_swap_brings_what_was_quoted_and_its_minimum_is_1_per_cent_less() {
    let place = place().await;
    place.mint("usdc", 10_000_000_000).await;
    place.mint("dai", 1_000 * ETHER).await;
    // The V2 pool has the better price for buying ether, the V3 pool for selling it.
    let bought = place.swap("usdc", "coin", 1_000_000_000).await;
    assert_eq!(bought["route"][0]["name"], "Uniswap V2");
    assert_eq!(bought["allowance"], "0");
    let sold = place.swap("coin", "usdc", ETHER).await;
    assert_eq!(sold["route"][0]["name"], "Uniswap V3 0.3%");
    let (out, least): (u128, u128) =
        (sold["toAmount"].as_str().unwrap().parse().unwrap(), sold["toAmountMin"].as_str().unwrap().parse().unwrap());
    assert_eq!(least, out - out / 100);
    assert_eq!((&sold["spender"], &sold["allowance"], &sold["fee"]), (&Value::Null, &Value::Null, &json!("0.3")));
    // One ether of two hundred in the pool.
    let impact: f64 = sold["priceImpact"].as_str().unwrap().parse().unwrap();
    assert!((0.4..0.6).contains(&impact), "{impact}");
    // A swap between dollar tokens goes through ether, where the pools are deeper.
    let over = place.swap("dai", "usdc", 100 * ETHER).await;
    assert_eq!(over["route"].as_array().unwrap().len(), 2);
    assert_eq!(over["route"][0]["to"], place.coin("weth"));
    place.swap("usdc", "dai", 500_000_000).await;
    place.swap("coin", "weth", ETHER).await;
    place.swap("weth", "usdc", ETHER / 2).await;
    place.swap("weth", "coin", ETHER / 4).await;
    place.swap("usdc", "weth", 77_777_777).await;
}

#[tokio::test]
async fn a_swap_that_would_fail_is_told_before_it_is_signed() {
    let place = place().await;
    place.mint("usdc", 1_000_000_000).await;
    let quote = place.quote("usdc", "coin", 1_000_000_000).await;
    let order = place.order(&quote);
    let (status, text) = place.build(&order).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(reason(&text).1.starts_with("This swap would fail"), "{text}");
    // Before the approval, the gas limit is that of the quote.
    let mut early = order.clone();
    early["disableEstimate"] = json!(true);
    let (status, text) = place.build(&early).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let built: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(built["tx"]["eip155"]["gas"], quote["gas"]);
}

#[tokio::test]
async fn a_token_that_takes_a_fee_is_refused_before_its_permission_is_paid() {
    let place = place().await;
    let amount = ETHER / 100;
    place.mint("taxed", ETHER).await;
    for (from, to) in [("taxed", "coin"), ("coin", "taxed"), ("taxed", "usdc")] {
        let question = place.question(from, to, amount);
        let mut paths = vec![format!("/v1/convert/quotes?{question}")];
        paths.extend((from == "taxed").then(|| format!("/v1/convert/build-approve?{question}")));
        for path in paths {
            let (status, text) = place.get(&path).await;
            assert_eq!((status, reason(&text).0.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "from"), "{path} {text}");
            assert!(reason(&text).1.contains("takes a fee on transfers"), "{text}");
        }
    }
    // With a slippage of more than the fee of a twentieth the swap works.
    let (coin, taxed) = (place.coin("coin"), place.coin("taxed"));
    let order = |slippage: u8| {
        json!({"projectId": "demo", "amount": amount.to_string(), "from": coin, "to": taxed,
            "userAddress": format!("{CHAIN}:{}", place.user), "eip155": {"slippage": slippage}})
    };
    let (status, text) = place.build(&order(1)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
    let (status, text) = place.build(&order(6)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let built: Value = serde_json::from_str(&text).unwrap();
    let before = place.held("taxed").await;
    assert_eq!(place.send(&built["tx"]).await["status"], "0x1");
    let least: u128 = built["toAmountMin"].as_str().unwrap().parse().unwrap();
    assert!(place.held("taxed").await - before >= least);
}

#[tokio::test]
async fn spec_9_7_a_price_that_has_moved_past_the_minimum_is_told() {
    let place = place().await;
    let quote = place.quote("coin", "usdc", ETHER).await;
    // Other sales move the price below the quoted minimum.
    place.swap("coin", "usdc", 20 * ETHER).await;
    place.swap("coin", "usdc", 20 * ETHER).await;
    let (status, text) = place.build(&place.order(&quote)).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::CONFLICT, "toAmountMin"), "{text}");
}

#[tokio::test]
async fn tokens_without_a_pool_and_addresses_without_a_token_have_no_quote() {
    let place = place().await;
    let nobody = format!("{CHAIN}:0x00000000000000000000000000000000000000aa");
    let (coin, ticket, stranger) = (place.coin("coin"), place.coin("ticket"), format!("{CHAIN}:{}", place.user));
    for (from, to) in [(&coin, &ticket), (&ticket, &coin), (&nobody, &coin), (&coin, &nobody), (&stranger, &coin)] {
        let path = format!("/v1/convert/quotes?amount={ETHER}&from={from}&to={to}&userAddress={}", place.user);
        let (status, text) = place.get(&path).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "amount"), "{path} {text}");
    }
    // More than the supply of any token.
    let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let path = format!("/v1/convert/quotes?amount={most}&from={coin}&to={}", place.coin("usdc"));
    assert_eq!(place.get(&path).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_permission_is_for_the_amount_and_never_for_more() {
    let place = place().await;
    let (coin, usdc, user) = (place.coin("coin"), place.coin("usdc"), &place.user);
    let refused = async |query: &str| {
        let (status, text) = place.get(&format!("/v1/convert/build-approve?{query}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
        reason(&text)
    };
    let (field, sentence) = refused(&format!("userAddress={user}&from={usdc}&to={coin}")).await;
    assert_eq!(field, "amount");
    assert!(sentence.contains("only what is swapped"));
    assert_eq!(refused(&format!("userAddress={user}&from={coin}&to={usdc}&amount=1")).await.0, "from");
    assert_eq!(refused(&format!("from={usdc}&to={coin}&amount=1")).await.0, "userAddress");
    assert_eq!(
        place.told(&format!("/v1/convert/allowance?tokenAddress={usdc}&userAddress={user}")).await,
        json!({"allowance": "0"})
    );
    place.mint("usdc", 5_000_000).await;
    let quote = place.quote("usdc", "coin", 5_000_000).await;
    place.approve(&quote).await;
    assert_eq!(place.quote("usdc", "coin", 5_000_000).await["allowance"], "5000000");
    let (status, _) = place.get(&format!("/v1/convert/allowance?tokenAddress={CHAIN}:{user}&userAddress={user}")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn gas_has_a_price_in_three_haste() {
    let place = place().await;
    let told = place.told(&format!("/v1/convert/gas-price?chainId={CHAIN}")).await;
    let [standard, fast, instant] =
        ["standard", "fast", "instant"].map(|name| told[name].as_str().unwrap().parse::<u128>().unwrap());
    assert!(standard > 0);
    assert_eq!((fast, instant), (standard + standard / 10, standard + standard / 4));
}

#[tokio::test]
async fn a_token_that_nobody_can_sell_is_refused_before_its_permission_is_paid() {
    let place = place().await;
    // For an account without the token no trial is possible, so the quote succeeds.
    place.quote("stuck", "coin", ETHER).await;
    place.mint("stuck", ETHER).await;
    let (status, text) = place.get(&format!("/v1/convert/quotes?{}", place.question("stuck", "coin", ETHER))).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "from"), "{text}");
    assert!(reason(&text).1.starts_with("This swap would fail"), "{text}");
}

#[tokio::test]
async fn a_token_that_spoils_the_question_is_not_asked_about_pool_by_pool() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    // Consumes all gas.
    let node = Upstream::start(move |body| {
        let refused = |call: &Value| {
            count.fetch_add(1, Ordering::Relaxed);
            json!({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32000, "message": "out of gas"}})
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => Value::Array(calls.iter().map(refused).collect()),
            call => refused(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await;
    let server = Server::configured(&format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n", node.url)).await;
    let token = "eip155:1:0x00000000000000000000000000000000000000aa";
    // A token has more routes than the coin.
    let from = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    let path = format!("/v1/convert/quotes?projectId=demo&amount=100000&from={from}&to={token}");
    let (status, text) = status_and_text(server.get(&path).await).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
    assert!(asked.load(Ordering::Relaxed) <= 3, "{asked:?}");
}

#[tokio::test]
async fn the_doctor_says_who_swaps_and_names_a_contract_that_is_not_there() {
    let anvil = Anvil::start();
    let absent = "0x00000000000000000000000000000000000000AA";
    let router = anvil.addresses.contract("uniswapV2Router").to_string();
    for (router, line) in [
        (&*router, "ok     swap on eip155:31337: by onchain"),
        (absent, "wrong  swap on eip155:31337: no contract at 0x00000000000000000000000000000000000000AA"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("portico.toml"), settings(&anvil, router, "")).unwrap();
        let (_, told, _) = support::node::said(folder.path(), &["doctor"]).await;
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
}

#[tokio::test]
async fn a_node_that_answers_nonsense_about_pools_is_no_quote() {
    let word = |byte: &str| format!("0x{}", byte.repeat(32));
    for result in
        [json!("0x"), json!(word("ff")), json!(null), json!(7), json!("nonsense"), json!(word("00").repeat(9))]
    {
        let node = Upstream::start(move |body| {
            let answer = |call: &Value| json!({"jsonrpc": "2.0", "id": call["id"], "result": result});
            let answer = match serde_json::from_str(body).unwrap() {
                Value::Array(calls) => Value::Array(calls.iter().map(answer).collect()),
                call => answer(&call),
            };
            Reply::Answer(StatusCode::OK, answer.to_string())
        })
        .await;
        let server =
            Server::configured(&format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n", node.url)).await;
        let usdc = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
        let path = format!("/v1/convert/quotes?projectId=demo&amount=1000&from=eip155:1:{COIN}&to={usdc}");
        let (status, text) = status_and_text(server.get(&path).await).await;
        assert!(matches!(status.as_u16(), 422 | 503), "{status} {text}");
        reason(&text);
        let (status, text) =
            status_and_text(server.get("/v1/convert/gas-price?projectId=demo&chainId=eip155:1").await).await;
        assert!(matches!(status.as_u16(), 502 | 503), "{status} {text}");
    }
}
