//! Answers of vendors with one wrong field each: whatever it says, the server answers in its own form, in time and in few bytes.
//!
//! The honest answers are the documented ones (fixtures/api). Each field and each object or list of them becomes, one at a time, a value
//! of another kind, too large, too deep, or one whose exponent alone would fill the memory.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use support::sellers;
use support::web::{Heard, Web};
use support::{Server, pass, reason, recorded, status_and_text};

const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC: &str = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const DAI: &str = "eip155:1:0x6B175474E89094C44Da98b954EedeAC495271d0F";
const ETHEREUM: &str = "eip155:1";
const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const OWNER: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const KEY: &str = "secret-key";

/// Wrong values tried for each field, and further ones for a number. All of them are tried in turn, so each meets many fields.
const EACH: usize = 4;
const EACH_NUMBER: usize = 6;

/// Longer than every cache and every pause after a failure.
const LATER: Duration = Duration::from_secs(4000);

/// Longest answer of the server in bytes: the values alone have up to 20,000.
const LONGEST: usize = 200_000;

/// Wrong values as JSON texts: no number of Rust holds some of them.
static WRONG: LazyLock<Vec<String>> = LazyLock::new(|| {
    let values = [
        "null",
        "true",
        "[]",
        "{}",
        "\"\"",
        "0",
        "\"9999-99-99T99:99:99Z\"",
        "\"\\u0000\\ud83d\\ude00\\u202e\"",
        "\"javascript:alert(1)\"",
        "[null,7,{\"a\":[]}]",
    ];
    let long = [format!("\"{}\"", "é".repeat(10_000)), format!("\"0x{}\"", "f".repeat(20_000))];
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    values.map(str::to_owned).into_iter().chain(long).chain([deep]).collect()
});

/// Wrong numbers, each as a number and as a text: beside the ends of each type, without an end, and with an exponent that alone would fill
/// the memory.
static NUMBERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let values = [
        "-1",
        "0.1",
        "78",
        "256",
        "4294967296",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e308",
        "1e999999999",
        "-1e-999999999",
        "0.1e-999999999",
        "1e99999999999999999999",
    ];
    let long = "9".repeat(400);
    let numbers = values.map(str::to_owned).into_iter().chain([long]);
    let texts = ["\"-0x1\"", "\"0x\"", "\"0x100\"", "\"NaN\"", "\"Infinity\"", "\" 1\"", "\"1,5\""].map(str::to_owned);
    numbers.flat_map(|number| [format!("\"{number}\""), number]).chain(texts).collect()
});

/// A wrong field: the answers it is in, where in them, and its value.
#[derive(Clone, Debug)]
struct Lie {
    place: String,
    pointer: String,
    value: &'static str,
}

#[derive(Default)]
struct Told {
    /// Honest answers by place.
    honest: BTreeMap<String, Value>,
    lie: Option<Lie>,
}

/// Vendor that tells one lie at a time.
struct Liar {
    told: Arc<Mutex<Told>>,
    web: Web,
}

impl Liar {
    async fn start(honest: impl Fn(&Heard) -> (StatusCode, String) + Send + Sync + 'static) -> Liar {
        let told = Arc::<Mutex<Told>>::default();
        let script = told.clone();
        let web = Web::start(move |heard| {
            let (status, text) = honest(heard);
            let Ok(answer) = serde_json::from_str::<Value>(&text) else { return (status, text) };
            let mut told = script.lock().unwrap();
            let place = place_of(heard);
            let text = match told.lie.as_ref().filter(|lie| lie.place == place) {
                Some(lie) => with(&answer, lie),
                None => text,
            };
            told.honest.insert(place, answer);
            (status, text)
        })
        .await;
        Liar { told, web }
    }

    /// Asks honestly once, and then with every field wrong; `asks` panics unless its answer is the expected one.
    async fn try_all<A: AsyncFnMut() -> Vec<(StatusCode, String)>>(&self, name: &str, mut asks: A) -> usize {
        for (status, text) in asks().await {
            assert_eq!(status, StatusCode::OK, "{name}: {text}");
        }
        let honest = self.told.lock().unwrap().honest.clone();
        let fields = honest.iter().flat_map(|(place, answer)| {
            let mut found = Vec::new();
            pointers(answer, String::new(), &mut found);
            found.into_iter().map(|pointer| (place.clone(), is_number(answer.pointer(&pointer)), pointer))
        });
        let (mut values, mut numbers) = (WRONG.iter().cycle(), NUMBERS.iter().cycle());
        let mut tried = 0;
        for (place, is_number, pointer) in fields {
            let more = if is_number { EACH_NUMBER } else { 0 };
            let values: Vec<&'static String> = values.by_ref().take(EACH).chain(numbers.by_ref().take(more)).collect();
            for value in values {
                let lie = Lie { place: place.clone(), pointer: pointer.clone(), value };
                self.told.lock().unwrap().lie = Some(lie.clone());
                pass(LATER).await;
                for (status, text) in asks().await {
                    let about = format!("{name} {status} {:.200} for {:.300}", text, format!("{lie:?}"));
                    assert!(text.len() <= LONGEST && !text.contains(KEY), "{about}");
                    match status.as_u16() {
                        200 => drop(serde_json::from_str::<Value>(&text).unwrap_or_else(|_| panic!("{about}"))),
                        400 | 404 | 409 | 422 | 502 | 503 => drop(reason(&text)),
                        _ => panic!("{about}"),
                    }
                }
                tried += 1;
            }
        }
        self.told.lock().unwrap().lie = None;
        pass(LATER).await;
        for (status, text) in asks().await {
            assert_eq!(status, StatusCode::OK, "{name}, honest again: {text}");
        }
        tried
    }
}

/// Path of a request, with the action of its query or the methods of its body.
fn place_of(heard: &Heard) -> String {
    let (path, query) = heard.path.split_once('?').unwrap_or((&heard.path, ""));
    let action = query.split('&').find(|pair| pair.starts_with("action=")).unwrap_or_default();
    let body: Value = serde_json::from_slice(&heard.body).unwrap_or_default();
    let method = body.pointer("/method").or_else(|| body.pointer("/0/method"));
    format!("{path} {action} {}", method.and_then(Value::as_str).unwrap_or_default())
}

/// Whether a field is a number, or a text with one.
fn is_number(field: Option<&Value>) -> bool {
    field.is_some_and(|field| {
        let text = field.as_str().unwrap_or_default();
        field.is_number() || text.starts_with("0x") && text.len() < 20 || text.parse::<f64>().is_ok()
    })
}

/// Pointers to a value and all in it, with two items of each list.
fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                pointers(field, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().take(2).enumerate() {
                pointers(item, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(at);
}

/// The answer with the lie in it.
fn with(answer: &Value, lie: &Lie) -> String {
    const MARK: &str = "\"the lie\"";
    let mut answer = answer.clone();
    if let Some(field) = answer.pointer_mut(&lie.pointer) {
        *field = json!("the lie");
    }
    answer.to_string().replace(MARK, lie.value)
}

async fn get(server: &Server, path: &str) -> (StatusCode, String) {
    status_and_text(server.get(path).await).await
}

async fn list(server: &Server, chain: &str, list: &str) -> (StatusCode, String) {
    let address = if chain == SOLANA { OWNER } else { VISITOR };
    get(server, &format!("/v1/account/{address}/{list}?projectId=demo&chainId={chain}&sv=react-1")).await
}

const BEGIN: &str = "limits.client_per_second = 0\n";

#[tokio::test]
async fn spec_7_10_a_wrong_field_of_a_source_of_accounts_is_survived() {
    let file_of = |heard: &Heard| -> &'static str {
        let body = String::from_utf8_lossy(&heard.body);
        let path = &heard.path;
        match () {
            () if path.contains("positions") => "zerion/positions",
            () if path.contains("/transactions/") && !path.contains("_v3") => "zerion/transactions",
            () if path.contains("balances_v2") => "goldrush/balances",
            () if path.contains("transactions_v3") => "goldrush/transactions",
            () if path.contains("/assets/tokens") => "alchemy/tokens",
            () if path.contains("/assets/nfts") => "alchemy/nfts",
            () if path.contains("action=txlist&") => "etherscan/txlist",
            () if path.contains("action=tokentx&") => "etherscan/tokentx",
            () if path.contains("action=tokennfttx&") => "etherscan/tokennfttx",
            () if body.contains("toAddress") => "alchemy/transfers_to",
            () if body.contains("fromAddress") => "alchemy/transfers_from",
            () if body.contains("getTransactionsForAddress") => "helius/transactions",
            () => "helius/fungible",
        }
    };
    for (vendor, chain, lists) in [
        ("zerion", ETHEREUM, &["balance", "history"][..]),
        ("goldrush", ETHEREUM, &["balance", "history"]),
        ("alchemy", ETHEREUM, &["balance", "history", "nfts"]),
        ("etherscan", ETHEREUM, &["history"]),
        ("helius", SOLANA, &["balance", "history"]),
    ] {
        let liar = Liar::start(move |heard| {
            let last = r#"{"data":{"items":[],"links":{"prev":null,"next":null}},"error":false}"#;
            let more = heard.path.contains("/page/");
            (StatusCode::OK, if more { last.into() } else { recorded(file_of(heard)) })
        })
        .await;
        let chains = [ETHEREUM, SOLANA]
            .map(|id| format!("[[chains]]\nid = {id:?}\nupstreams = [\"http://127.0.0.1:9\"]\n"))
            .concat();
        let url = liar.web.url("");
        let sources = format!("[sources]\nprices = \"none\"\n{vendor}_key = {KEY:?}\n{vendor}_url = {url:?}\n");
        let server = Server::configured(&(BEGIN.to_owned() + &sources + &chains)).await;
        for asked in lists {
            liar.told.lock().unwrap().honest.clear();
            let name = format!("{vendor} {asked}");
            let tried = liar.try_all(&name, async || vec![list(&server, chain, asked).await]).await;
            assert!(tried > 20 * EACH, "{name}");
        }
    }
}

#[tokio::test]
async fn spec_7_10_a_wrong_field_of_a_node_of_solana_is_survived() {
    let value = |path: &str| serde_json::from_str::<Value>(&recorded(path)).unwrap();
    let (signatures, transactions) = (value("solana/signatures"), value("solana/transactions"));
    let liar = Liar::start(move |heard| {
        let answer = |call: &Value| {
            let result = match (call["method"].as_str().unwrap(), call["params"][0].as_str()) {
                ("getSignaturesForAddress", _) => &signatures,
                (_, Some(of)) => &transactions[usize::from(!of.starts_with("5h6x"))],
                _ => &Value::Null,
            };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        let text = match serde_json::from_slice(&heard.body).unwrap() {
            Value::Array(calls) => Value::from_iter(calls.iter().map(answer)).to_string(),
            call => answer(&call).to_string(),
        };
        (StatusCode::OK, text)
    })
    .await;
    let chain = format!("[[chains]]\nid = {SOLANA:?}\nupstreams = [{:?}]\n", liar.web.url(""));
    let server = Server::configured(&format!("{BEGIN}[sources]\nprices = \"none\"\n{chain}")).await;
    let tried = liar.try_all("solana history", async || vec![list(&server, SOLANA, "history").await]).await;
    assert!(tried > 50 * EACH);
}

#[tokio::test]
async fn spec_7_10_a_wrong_field_of_a_seller_of_coins_is_survived() {
    for provider in ["coinbase", "meld"] {
        let liar = Liar::start(sellers::documented).await;
        let server = Server::configured(&(BEGIN.to_owned() + &sellers::both(&liar.web.url("")))).await;
        let tried = liar.try_all(provider, async || sellers::everything(&server, provider).await).await;
        assert!(tried > 20 * EACH, "{provider}");
    }
}

#[tokio::test]
async fn spec_7_10_a_wrong_field_of_an_exchange_is_survived() {
    let node = Liar::start(|heard| {
        let answer = |call: &Value| {
            let settler = "0x0000000000000000000000007f6cee965959295cc64d0e6c00d99d6532d8e86b";
            let result = match call["method"].as_str().unwrap() {
                "eth_gasPrice" => "0x3b9aca00",
                "eth_call" if call["params"][0]["to"] == "0x00000000000004533Fe15556B1E086BB1A72cEae" => settler,
                _ => "0x30d40",
            };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        let text = match serde_json::from_slice(&heard.body).unwrap() {
            Value::Array(calls) => Value::from_iter(calls.iter().map(answer)).to_string(),
            call => answer(&call).to_string(),
        };
        (StatusCode::OK, text)
    })
    .await;
    for provider in ["lifi", "zerox", "oneinch"] {
        let liar = Liar::start(move |heard| {
            let last = heard.path.split('?').next().unwrap().rsplit('/').next().unwrap();
            let name = ["quote", "price", "swap"].into_iter().find(|name| *name == last).unwrap();
            (StatusCode::OK, recorded(&format!("{provider}/{name}")))
        })
        .await;
        let (node, vendor) = (node.web.url(""), liar.web.url(""));
        let server = Server::configured(&format!(
            "{BEGIN}[[chains]]\nid = \"eip155:1\"\nupstreams = [{node:?}]\n\
             [swap]\nproviders = [{provider:?}]\n{provider}_key = {KEY:?}\n{provider}_url = {vendor:?}\n"
        ))
        .await;
        let quotes =
            format!("/v1/convert/quotes?projectId=demo&amount=1000000000&from={USDC}&to={DAI}&userAddress={VISITOR}");
        let asks = async || {
            let quoted = get(&server, &quotes).await;
            let quote = serde_json::from_str::<Value>(&quoted.1).unwrap_or_default()["quotes"][0]["id"].clone();
            let order = json!({"projectId": "demo", "amount": "1000000000", "from": USDC, "to": DAI, "userAddress": VISITOR, "quoteId": quote});
            let built = status_and_text(server.post("/v1/convert/build-transaction", order.to_string()).await).await;
            vec![quoted, built]
        };
        assert!(liar.try_all(provider, asks).await > 5 * EACH, "{provider}");
    }
}

#[tokio::test]
async fn spec_7_10_a_wrong_field_of_a_source_of_prices_is_survived() {
    let ask = async |server: &Server| {
        let coin = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
        let body = json!({"projectId": "demo", "currency": "eur", "addresses": [coin, USDC]});
        vec![status_and_text(server.post("/v1/fungible/price", body.to_string()).await).await]
    };
    let liar = Liar::start(|heard| {
        let names = ["exchange_rates", "token_price", "price"];
        let name = names.into_iter().find(|name| heard.path.contains(name) && !heard.path.contains("/prices/"));
        let text = match name {
            Some(name) => recorded(&format!("coingecko/{name}")),
            None => json!({"coins": {
                "coingecko:ethereum": {"price": 2500.125, "symbol": "ETH", "timestamp": 1_748_736_000, "confidence": 0.99},
                "ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48":
                    {"decimals": 6, "price": 9.998e-1, "symbol": "USDC", "confidence": 0.99},
            }})
            .to_string(),
        };
        (StatusCode::OK, text)
    })
    .await;
    let url = liar.web.url("");
    let bank = Web::start(|_| "<Cube currency='USD' rate='1.25'/>").await;
    for sources in [
        format!("coingecko_url = {url:?}\ncoingecko_key = {KEY:?}"),
        format!("defillama_url = {url:?}\nexchange_url = {:?}", bank.url("")),
    ] {
        let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\n";
        let server = Server::configured(&format!("{BEGIN}[sources]\n{sources}\n{chain}")).await;
        liar.told.lock().unwrap().honest.clear();
        assert!(liar.try_all(&sources, async || ask(&server).await).await > 5 * EACH);
    }
}
