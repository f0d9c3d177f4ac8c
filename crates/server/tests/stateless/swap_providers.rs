//! Swap providers (exchange aggregators), with documented responses and with responses that must be refused.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use support::web::Web;
use support::{Reply, Server, Upstream, in_no_time, reason, recorded, status_and_text};

const USER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC: &str = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const DAI: &str = "eip155:1:0x6B175474E89094C44Da98b954EedeAC495271d0F";

/// Registry contract of the 0x Settler, and the Settler in the recorded responses.
const REGISTRY: &str = "0x00000000000004533Fe15556B1E086BB1A72cEae";
const SETTLER: &str = "7f6cee965959295cc64d0e6c00d99d6532d8e86b";

/// Node that returns the 0x Settler and a gas price, and on which every call succeeds.
async fn node() -> Upstream {
    Upstream::start(|body| {
        let answer = |call: &Value| {
            let settler = format!("0x{}{SETTLER}", "0".repeat(24));
            let result = match call["method"].as_str().unwrap() {
                "eth_gasPrice" => "0x3b9aca00",
                "eth_call" if call["params"][0]["to"] == REGISTRY => &*settler,
                _ => "0x30d40",
            };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => Value::Array(calls.iter().map(answer).collect()),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await
}

/// Documented response of 0x or 1inch for a path.
fn vendor(path: &str) -> String {
    let names = ["quote", "price", "swap"];
    let last = path.split('?').next().unwrap().rsplit('/').next().unwrap();
    let name = names.into_iter().find(|name| *name == last).unwrap();
    let vendor = if path.contains("allowance-holder") {
        "zerox"
    } else if path.contains("v6.1") {
        "oneinch"
    } else {
        "lifi"
    };
    recorded(&format!("{vendor}/{name}"))
}

struct Setup {
    server: Server,
    _node: Upstream,
}

async fn place(provider: &str, url: &str) -> Setup {
    let node = node().await;
    let key = format!("{provider}_key = \"secret-key\"");
    let server = Server::configured(&format!(
        "[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n[swap]\nproviders = [{provider:?}]\n{key}\n{provider}_url = {url:?}\n",
        node.url
    ))
    .await;
    Setup { server, _node: node }
}

impl Setup {
    async fn quotes(&self) -> (StatusCode, String) {
        let path =
            format!("/v1/convert/quotes?projectId=demo&amount=1000000000&from={USDC}&to={DAI}&userAddress={USER}");
        status_and_text(self.server.get(&path).await).await
    }

    async fn build(&self, quote: &Value) -> (StatusCode, String) {
        let order = json!({"projectId": "demo", "amount": "1000000000", "from": USDC, "to": DAI, "userAddress": USER, "quoteId": quote["id"]});
        status_and_text(self.server.post("/v1/convert/build-transaction", order.to_string()).await).await
    }
}

fn first(text: &str) -> Value {
    serde_json::from_str::<Value>(text).unwrap()["quotes"][0].clone()
}

#[tokio::test]
async fn a_vendor_that_refuses_or_answers_nonsense_is_told_and_its_key_is_not() {
    let refused = recorded("oneinch/refused");
    for provider in ["lifi", "zerox", "oneinch"] {
        for (status, text, told) in [
            (200, "<html>", 503),
            (200, "[]", 0),
            (200, "{}", 0),
            (401, &*refused, 503),
            (429, &refused, 503),
            (500, "", 503),
        ] {
            let vendor = Upstream::says(status, text).await;
            let (found, text) = place(provider, &vendor.url).await.quotes().await;
            let told = if told > 0 {
                told
            } else if provider == "oneinch" {
                503
            } else {
                502
            };
            assert_eq!(found.as_u16(), told, "{provider} {status}: {text}");
            assert!(!text.contains("secret-key"));
            reason(&text);
        }
    }
}

#[tokio::test]
async fn that_there_is_no_way_is_told_as_that() {
    for (provider, status, answer) in
        [("lifi", 404, "lifi/no_quote"), ("zerox", 200, "zerox/no_liquidity"), ("oneinch", 400, "oneinch/refused")]
    {
        let vendor = Upstream::says(status, &recorded(answer)).await;
        let (found, text) = place(provider, &vendor.url).await.quotes().await;
        assert_eq!((found, reason(&text).0.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "amount"), "{provider}");
    }
}

#[tokio::test]
async fn what_a_vendor_documents_is_quoted_and_built() {
    for (provider, spender) in [
        ("lifi", "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"),
        ("zerox", "0x0000000000001fF3684f28c67538d4D072C22734"),
        ("oneinch", "0x111111125421cA6dc452d289314280a0f8842A65"),
    ] {
        let mut web = Web::start(|heard| vendor(&heard.path)).await;
        let place = place(provider, &web.url("")).await;
        let (status, text) = place.quotes().await;
        assert_eq!(status, StatusCode::OK, "{provider}: {text}");
        let quote = first(&text);
        assert_eq!((&quote["provider"], &quote["toAmount"]), (&json!(provider), &json!("999500000000000000000")));
        assert_eq!(
            (&quote["toAmountMin"], &quote["spender"]),
            (&json!("989505000000000000000"), &json!(format!("eip155:1:{spender}")))
        );
        let (status, text) = place.build(&quote).await;
        assert_eq!(status, StatusCode::OK, "{provider}: {text}");
        let tx = &serde_json::from_str::<Value>(&text).unwrap()["tx"];
        assert_eq!((&tx["to"], &tx["value"], &tx["eip155"]["gas"]), (&quote["spender"], &json!("0"), &json!("240000")));
        let asked = web.heard().unwrap();
        let key = asked.headers.iter().any(|(_, value)| value.to_str().unwrap().contains("secret-key"));
        assert!(key && !asked.path.contains("secret-key"), "{provider}: {}", asked.path);
        assert!(asked.path.contains("1000000000"), "{}", asked.path);
        if provider == "oneinch" {
            // Without this parameter the call may not contain its minimum output.
            let built = web.heard().unwrap();
            assert!(built.path.contains("compatibility=true"), "{}", built.path);
        }
    }
}

#[tokio::test]
async fn spec_9_7_a_transaction_that_is_not_as_quoted_reaches_nobody() {
    const STRANGER: &str = "0505050505050505050505050505050505050505";
    let stranger = &*format!("0x{STRANGER}");
    let target = format!("\"to\": \"{stranger}");
    let lifi = ("\"to\": \"0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE", &*target);
    let zerox = ("0x0000000000001ff3684f28c67538d4d072c22734", stranger);
    let oneinch = ("0x111111125421ca6dc452d289314280a0f8842a65", stranger);
    let coins = ("\"value\": \"0\"", "\"value\": \"1\"");
    for (provider, contract, value, own) in [
        // Another token is bought; a contract that would take the token and is no Settler; a call without its minimum output.
        (
            "lifi",
            lifi,
            ("\"value\": \"0x0\"", "\"value\": \"0x1\""),
            ("6b175474e89094c44da98b954eedeac495271d0f", STRANGER),
        ),
        ("zerox", zerox, coins, (SETTLER, STRANGER)),
        ("oneinch", oneinch, coins, ("07ed2379", "83800a8e")),
    ] {
        // Another recipient, a smaller minimum, another contract, an amount of the native coin.
        for (change, to) in [
            ("f39fd6e51aad88f6f4ce6ab8827279cfffb92266", STRANGER),
            ("35a423f2e0b8e68000", "35a423f2e0b8e67fff"),
            contract,
            value,
            own,
        ] {
            let turned = Arc::new(AtomicBool::new(false));
            let script = turned.clone();
            let to = to.to_owned();
            let web = Web::start(move |heard| {
                let said = vendor(&heard.path);
                if !script.load(Ordering::Relaxed) {
                    return said;
                }
                assert!(said.contains(change), "{change}");
                said.replace(change, &to)
            })
            .await;
            let place = place(provider, &web.url("")).await;
            // A LI.FI quote contains its transaction, so a bad one is not even offered.
            let (status, text) = if provider == "lifi" {
                turned.store(true, Ordering::Relaxed);
                place.quotes().await
            } else {
                let quote = first(&place.quotes().await.1);
                turned.store(true, Ordering::Relaxed);
                place.build(&quote).await
            };
            assert_eq!(status, StatusCode::BAD_GATEWAY, "{provider} {change}: {text}");
            assert!(reason(&text).1.starts_with("Refused the provider's answer because"), "{text}");
        }
    }
}

#[tokio::test]
async fn who_needs_a_user_to_quote_says_so_and_the_best_offer_goes_first() {
    let web = Web::start(|heard| vendor(&heard.path)).await;
    let only = place("lifi", &web.url("")).await;
    let path = format!("/v1/convert/quotes?projectId=demo&amount=1000000000&from={USDC}&to={DAI}");
    let (status, text) = status_and_text(only.server.get(&path).await).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "userAddress"));
    let node = node().await;
    let better =
        Web::start(|heard| vendor(&heard.path).replace("\"dstAmount\": \"9995", "\"dstAmount\": \"9996")).await;
    let server = Server::configured(&format!(
        "[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n[swap]\nproviders = [\"zerox\", \"oneinch\"]\nzerox_key = \"k\"\n\
         oneinch_key = \"k\"\nzerox_url = {:?}\noneinch_url = {:?}\n",
        node.url,
        web.url(""),
        better.url("")
    ))
    .await;
    let (_, text) = status_and_text(server.get(&path).await).await;
    let told: Value = serde_json::from_str(&text).unwrap();
    let providers: Vec<&Value> = told["quotes"].as_array().unwrap().iter().map(|quote| &quote["provider"]).collect();
    assert_eq!(providers, [&json!("oneinch"), &json!("zerox")]);
}

#[tokio::test]
async fn vendors_take_no_amount_to_receive_and_say_so_without_being_asked() {
    let vendor = Upstream::says(200, "{}").await;
    for provider in ["lifi", "zerox", "oneinch"] {
        let place = place(provider, &vendor.url).await;
        let tokens = place.server.get("/v1/convert/tokens?projectId=demo&chainId=eip155:1").await;
        let (_, text) = status_and_text(tokens).await;
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["exactOut"], false, "{provider}");
        let path = format!("/v1/convert/quotes?projectId=demo&toAmount=1&from={USDC}&to={DAI}&userAddress={USER}");
        let (status, text) = status_and_text(place.server.get(&path).await).await;
        let sentence = "No swap provider on the chain eip155:1 takes an amount to receive. Use amount.";
        assert_eq!((status, reason(&text)), (StatusCode::UNPROCESSABLE_ENTITY, ("toAmount".into(), sentence.into())));
    }
    assert_eq!(vendor.unread(), 0);
}

#[tokio::test]
async fn spec_9_10_a_chain_beyond_the_list_is_asked_of_nobody() {
    let vendor = Upstream::says(200, "{}").await;
    let server = Server::configured(&format!(
        "[[chains]]\nid = \"eip155:59144\"\nupstreams = [\"http://127.0.0.1:9\"]\n[swap]\nproviders = [\"lifi\", \"zerox\", \"oneinch\"]\n\
         zerox_key = \"k\"\noneinch_key = \"k\"\nlifi_url = {0:?}\nzerox_url = {0:?}\noneinch_url = {0:?}\n",
        vendor.url
    ))
    .await;
    let [from, to] = [USDC, DAI].map(|token| token.replace("eip155:1:", "eip155:59144:"));
    let path = format!("/v1/convert/quotes?projectId=demo&amount=1&from={from}&to={to}&userAddress={USER}");
    let (status, text) = status_and_text(server.get(&path).await).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::NOT_FOUND, "from"));
    assert_eq!(vendor.unread(), 0);
}

#[tokio::test]
async fn the_same_question_a_moment_later_is_asked_of_no_vendor() {
    let mut web = Web::start(|heard| vendor(&heard.path)).await;
    let place = place("oneinch", &web.url("")).await;
    let ids: Vec<Value> =
        [place.quotes().await, place.quotes().await].iter().map(|(_, text)| first(text)["id"].clone()).collect();
    assert_ne!(ids[0], ids[1]);
    assert!(web.heard().is_some() && web.heard().is_none());
}

#[tokio::test]
async fn a_visitor_that_has_others_asked_without_end_is_told_to_wait() {
    let web = Web::start(|heard| vendor(&heard.path)).await;
    let place = place("oneinch", &web.url("")).await;
    place.server.project(&["add", "--id", "other", "--any-origin"]).await;
    let path = format!("/v1/convert/quotes?projectId=other&amount=1&from={USDC}&to={DAI}&userAddress={USER}");
    in_no_time(async {
        for number in 0..80 {
            let (status, text) = place.quotes().await;
            assert_eq!(status, StatusCode::OK, "{number} {text}");
        }
        let (status, text) = place.quotes().await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
        assert!(reason(&text).1.starts_with("Too many swaps from here"), "{text}");
        let (status, _) = place.build(&json!({})).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
        // The providers limit the server, so the visitor has no other share in another project.
        assert_eq!(place.server.get(&path).await.status(), StatusCode::TOO_MANY_REQUESTS);
    })
    .await;
}
