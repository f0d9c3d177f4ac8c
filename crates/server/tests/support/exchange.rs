//! A chain with exchanges, and a server that swaps on them.

use super::{Server, status_and_text};
use axum::http::StatusCode;
use portico_explorer::testing::Anvil;
use serde_json::{Value, json};

pub const CHAIN: &str = "eip155:31337";
pub const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
pub const ETHER: u128 = 1_000_000_000_000_000_000;

/// Chain with exchanges, its server, and the account that swaps.
pub struct ExchangeSetup {
    pub anvil: Anvil,
    pub server: Server,
    pub user: String,
}

/// Configuration for a chain with exchanges; `v2_router` is the address of its V2 router.
pub fn settings(anvil: &Anvil, v2_router: &str, tokens: &str) -> String {
    let at = |name: &str| anvil.addresses.contract(name).to_string();
    format!(
        "listen = \"127.0.0.1:0\"\n[sources]\nprices = \"none\"\n[[chains]]\nid = {CHAIN:?}\nupstreams = [{:?}]\n{tokens}\
         [swap.onchain.{CHAIN:?}]\nwrapped = {:?}\nv2_router = {v2_router:?}\nv3_quoter = {:?}\nv3_router = {:?}\nbases = [{:?}]\n",
        anvil.url,
        at("weth"),
        at("uniswapV3Quoter"),
        at("uniswapV3Router"),
        at("usdc"),
    )
}

pub async fn place() -> ExchangeSetup {
    let anvil = Anvil::start();
    let folder = tempfile::tempdir().unwrap();
    let token = |name: &str, decimals: u8| {
        let address = anvil.addresses.contract(name);
        json!({"chainId": 31337, "address": address, "name": name, "symbol": name, "decimals": decimals})
    };
    let tokens = json!({"tokens": [token("weth", 18), token("usdc", 6), token("dai", 18), token("taxed", 18), token("ticket", 0)]});
    let file = folder.path().join("tokens.json");
    std::fs::write(&file, tokens.to_string()).unwrap();
    let router = anvil.addresses.contract("uniswapV2Router").to_string();
    let server = Server::configured(&settings(&anvil, &router, &format!("tokens = {file:?}\n"))).await;
    let user = anvil.addresses.accounts[0].to_string();
    ExchangeSetup { anvil, server, user }
}

impl ExchangeSetup {
    pub fn coin(&self, name: &str) -> String {
        match name {
            "coin" => format!("{CHAIN}:{COIN}"),
            name => format!("{CHAIN}:{}", self.anvil.addresses.contract(name)),
        }
    }

    pub async fn get(&self, path: &str) -> (StatusCode, String) {
        let join = if path.contains('?') { '&' } else { '?' };
        status_and_text(self.server.get(&format!("{path}{join}projectId=demo")).await).await
    }

    pub async fn told(&self, path: &str) -> Value {
        let (status, text) = self.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    pub fn question(&self, from: &str, to: &str, amount: u128) -> String {
        let (from, to) = (self.coin(from), self.coin(to));
        format!("amount={amount}&userAddress={CHAIN}:{}&from={from}&to={to}", self.user)
    }

    /// Best quote.
    pub async fn quote(&self, from: &str, to: &str, amount: u128) -> Value {
        let told = self.told(&format!("/v1/convert/quotes?{}", self.question(from, to, amount))).await;
        told["quotes"][0].clone()
    }

    pub fn order(&self, quote: &Value) -> Value {
        json!({"projectId": "demo", "amount": quote["fromAmount"], "from": quote["fromAccount"], "to": quote["toAccount"],
            "userAddress": format!("{CHAIN}:{}", self.user), "quoteId": quote["id"]})
    }

    pub async fn build(&self, order: &Value) -> (StatusCode, String) {
        status_and_text(self.server.post("/v1/convert/build-transaction", order.to_string()).await).await
    }

    /// Signs and sends a built transaction.
    pub async fn send(&self, tx: &Value) -> Value {
        let plain = |value: &Value| value.as_str().unwrap().rsplit(':').next().unwrap().to_owned();
        let number = |value: &Value| format!("{:#x}", value.as_str().unwrap().parse::<u128>().unwrap());
        let sent = json!({"from": plain(&tx["from"]), "to": plain(&tx["to"]), "data": tx["data"],
            "value": number(&tx["value"]), "gas": number(&tx["eip155"]["gas"])});
        self.anvil.send(sent).await
    }

    /// Sends the approval that a quote needs.
    pub async fn approve(&self, quote: &Value) {
        let (from, to) = (quote["fromAccount"].as_str().unwrap(), quote["toAccount"].as_str().unwrap());
        let (amount, id) = (quote["fromAmount"].as_str().unwrap(), quote["id"].as_str().unwrap());
        let path = format!(
            "/v1/convert/build-approve?userAddress={}&from={from}&to={to}&amount={amount}&quoteId={id}",
            self.user
        );
        let tx = self.told(&path).await["tx"].clone();
        // `approve(spender, amount)` with the exact amount.
        let spender = quote["spender"].as_str().unwrap().rsplit(":0x").next().unwrap().to_lowercase();
        let amount = format!("{:064x}", amount.parse::<u128>().unwrap());
        assert_eq!(tx["data"], format!("0x095ea7b3{spender:0>64}{amount}"));
        assert_eq!((&tx["to"], &tx["value"]), (&quote["fromAccount"], &json!("0")));
        assert_eq!(self.send(&tx).await["status"], "0x1");
    }

    pub async fn held(&self, name: &str) -> u128 {
        let number = |value: Option<Value>| {
            let value = value.unwrap();
            u128::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
        };
        if name == "coin" {
            return number(self.anvil.request("eth_getBalance", json!([self.user, "latest"])).await);
        }
        let data = format!("0x70a08231{:0>64}", self.user[2..].to_lowercase());
        let call = json!([{"to": self.anvil.addresses.contract(name), "data": data}, "latest"]);
        number(self.anvil.request("eth_call", call).await)
    }

    /// Mints test tokens, which any account may do.
    pub async fn mint(&self, name: &str, amount: u128) {
        let data = format!("0x40c10f19{:0>64}{amount:064x}", self.user[2..].to_lowercase());
        let sent = json!({"from": self.user, "to": self.anvil.addresses.contract(name), "data": data});
        assert_eq!(self.anvil.send(sent).await["status"], "0x1");
    }

    /// Quotes, approves, builds and swaps; returns the quote. Asserts that paid and received amounts are exactly those of the quote.
    pub async fn swap(&self, from: &str, to: &str, amount: u128) -> Value {
        let quote = self.quote(from, to, amount).await;
        if !quote["spender"].is_null() {
            self.approve(&quote).await;
        }
        let (status, text) = self.build(&self.order(&quote)).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let built: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(built["toAmountMin"], quote["toAmountMin"]);
        let before = (self.held(from).await, self.held(to).await);
        let receipt = self.send(&built["tx"]).await;
        assert_eq!(receipt["status"], "0x1", "{from} for {to}");
        let after = (self.held(from).await, self.held(to).await);
        let hex =
            |name: &str| u128::from_str_radix(receipt[name].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
        let fee = hex("gasUsed") * hex("effectiveGasPrice");
        let paid = before.0 - after.0 - if from == "coin" { fee } else { 0 };
        let received = after.1 + if to == "coin" { fee } else { 0 } - before.1;
        assert_eq!(
            (paid, received.to_string()),
            (amount, quote["toAmount"].as_str().unwrap().to_owned()),
            "{from} for {to}"
        );
        quote
    }
}
