//! Test helpers: a private chain with the world that `cargo xtask world` made, and an explorer of it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use alloy_primitives::{Address, U256, hex};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::Explorer;
use crate::chain::Chain;

const START: Duration = Duration::from_secs(20);
/// Prices in dollars: those of the two stablecoins and of ether.
const RATES: [(&str, &str); 3] = [("usdc", "1.0"), ("dai", "0.9998"), ("weth", "2500.12")];

/// Addresses of the accounts and contracts in the world.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Addresses {
    /// Number of the chain, 31337.
    pub chain_id: u64,
    /// Number of the last block of the stored state.
    pub block: u64,
    /// Anvil's accounts, for which it signs: the visitor, alice.eth, an impostor of alice.eth, carol.portico.eth (by a gateway),
    /// painter.eth, three more, the gateway's signer, the owner of the contracts.
    pub accounts: Vec<Address>,
    contracts: HashMap<String, Address>,
}

impl Addresses {
    /// Address of a contract: `multicall3`, `usdc`, `dai`, `ticket`, `weth`, `reverting`, `lying`, `pictures`, `badges`, `exchange`,
    /// `forwarder`, `registry`, `reverseRegistrar`, `publicResolver`, `universalResolver`, `offchainResolver`.
    ///
    /// # Panics
    /// If there is no contract of this name.
    #[must_use]
    pub fn contract(&self, name: &str) -> Address {
        *self.contracts.get(name).unwrap_or_else(|| panic!("the world has no contract `{name}`"))
    }

    /// Prices of the world's tokens in dollars.
    #[must_use]
    pub fn rates(&self) -> HashMap<Address, String> {
        RATES.iter().map(|(name, rate)| (self.contract(name), (*rate).to_owned())).collect()
    }

    /// Icons of the world's tokens, `data:` URIs: a server must not fetch one from a private address.
    ///
    /// # Errors
    /// If the world's list of tokens is missing or invalid.
    pub fn icons(folder: &Path) -> std::io::Result<HashMap<Address, String>> {
        #[derive(Deserialize)]
        struct List {
            tokens: Vec<Listed>,
        }
        #[derive(Deserialize)]
        struct Listed {
            address: Address,
            #[serde(rename = "logoURI")]
            logo: String,
        }
        let list: List = serde_json::from_slice(&fs::read(folder.join("tokens.json"))?)?;
        Ok(list.tokens.into_iter().map(|token| (token.address, token.logo)).collect())
    }

    /// Reads `addresses.json` from the world's folder.
    ///
    /// # Errors
    /// If the file is missing or invalid.
    pub fn read(folder: &Path) -> std::io::Result<Self> {
        Ok(serde_json::from_slice(&fs::read(folder.join("addresses.json"))?)?)
    }
}

/// Anvil process on this machine, terminated when dropped.
pub struct Anvil {
    child: Child,
    chain: Chain,
    /// URL of its JSON-RPC endpoint.
    pub url: String,
    /// Addresses of the accounts and contracts on the chain.
    pub addresses: Addresses,
}

impl Anvil {
    /// Starts a chain with the world on a free port.
    ///
    /// # Panics
    /// If the world was not made, or anvil is missing or does not start.
    #[must_use]
    pub fn start() -> Self {
        let folder = world();
        let addresses = Addresses::read(&folder)
            .unwrap_or_else(|error| panic!("no world in {}: run `cargo xtask world` ({error})", folder.display()));
        let mut command = Command::new(binary());
        command.args(["--host", "127.0.0.1", "--port", "0", "--chain-id", &addresses.chain_id.to_string()]);
        command.arg("--load-state").arg(folder.join("state.json"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("anvil does not start: {error}"));
        let url = listening(&mut child);
        Self { child, chain: Chain::new(&url), url, addresses }
    }

    /// Sends one JSON-RPC request; returns `None` if the chain refuses it.
    ///
    /// # Panics
    /// If the chain does not respond.
    pub async fn request(&self, method: &str, params: Value) -> Option<Value> {
        let answers = self.chain.ask(&[(method, params)]).await;
        answers.unwrap_or_else(|error| panic!("{method}: {error}")).remove(0)
    }

    /// Makes the resolver of `portico.eth` and all names below it redirect clients to a gateway at `url`, which may contain `{sender}` and
    /// `{data}` (EIP-3668), and trust signatures of `signer`.
    ///
    /// # Panics
    /// If the chain does not accept a transaction.
    pub async fn use_gateway(&self, url: &str, signer: Address) {
        let words =
            |words: &[u64]| words.iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).collect::<Vec<_>>();
        let mut text = url.as_bytes().to_vec();
        text.resize(text.len().next_multiple_of(32), 0);
        // `setUrls(string[])` with one URL, `setSigner(address,bool)` with true.
        let urls = [&[0x6c, 0xc8, 0x95, 0xa9][..], &words(&[32, 1, 32, url.len() as u64])[..], &text].concat();
        let trust = [&[0x31, 0xcb, 0x61, 0x05][..], &signer.into_word()[..], &words(&[1])].concat();
        let owner = self.addresses.accounts[9];
        for data in [urls, trust] {
            let to = self.addresses.contract("offchainResolver");
            let receipt = self.send(json!({ "from": owner, "to": to, "data": hex::encode_prefixed(data) })).await;
            assert_eq!(receipt["status"], "0x1", "the resolver takes the gateway");
        }
    }

    /// Sends a transaction from one of the accounts and returns its receipt.
    ///
    /// # Panics
    /// If the chain does not accept the transaction.
    pub async fn send(&self, transaction: Value) -> Value {
        self.request("eth_sendTransactionSync", json!([transaction])).await.expect("the chain takes the transaction")
    }
}

impl Drop for Anvil {
    fn drop(&mut self) {
        // Both fail if the process has ended already, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Chain with an explorer of it, and the addresses in it.
pub struct World {
    pub anvil: Anvil,
    /// URL of the explorer, without `/api/v2`.
    pub explorer: String,
    /// Addresses of the accounts and contracts in the chain.
    pub addresses: Addresses,
    task: JoinHandle<()>,
}

impl World {
    /// Starts the chain and the explorer.
    ///
    /// # Panics
    /// If the world was not made, or the chain or the explorer does not start.
    pub async fn start() -> Self {
        let anvil = Anvil::start();
        let addresses = anvil.addresses.clone();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let explorer = format!("http://{}", listener.local_addr().expect("its address"));
        let icons = Addresses::icons(&world()).expect("the world has a list of tokens");
        let serving = Explorer::new(&anvil.url, "Anvil One", addresses.rates(), icons).serve(listener);
        let task = tokio::spawn(async { serving.await.expect("the explorer serves") });
        Self { anvil, explorer, addresses, task }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Path of the list of the world's coins, in the format of <https://tokenlists.org>.
#[must_use]
pub fn token_list() -> PathBuf {
    world().join("tokens.json")
}

/// Folder of the world: that of `PORTICO_WORLD`, or the default folder of `cargo xtask world`.
fn world() -> PathBuf {
    std::env::var_os("PORTICO_WORLD").map_or_else(|| root().join("target/world"), PathBuf::from)
}

fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own)
}

/// Path of anvil: `ANVIL_BIN`, the binary that npm installed for this machine, or the npm package's own starter.
fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("ANVIL_BIN") {
        return named.into();
    }
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let processor = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let modules = root().join("node_modules");
    let native = modules.join(format!("@foundry-rs/anvil-{system}-{processor}/bin/anvil"));
    if native.exists() { native } else { modules.join(".bin/anvil") }
}

/// Reads the address from the line that reports the chain as ready. Later output is drained, so that the process never blocks on it.
fn listening(child: &mut Child) -> String {
    let lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if let Some((_, address)) = line.split_once("Listening on ") {
                // The receiver is gone after the first line.
                let _ = tell.send(format!("http://{}", address.trim()));
            }
        }
    });
    told.recv_timeout(START).unwrap_or_else(|_| {
        let _ = child.kill();
        panic!("anvil did not report its address")
    })
}
