use portico_core::connect::{Found, IconKind};
use portico_json::Value;
use portico_terms::{ConnectorKind, Namespace};
use std::collections::BTreeMap;

/// The chain of a scripted Solana wallet.
pub const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/// The chain of a scripted Bitcoin wallet.
pub const BITCOIN: &str = "bip122:000000000019d6689c085ae165831e93";

/// How a wallet takes one kind of request.
#[derive(Clone, Debug, PartialEq)]
pub enum Behaviour {
    /// As the standard says.
    Right,
    /// 4001
    Refuse,
    /// It never answers.
    Silent,
    /// Right, but twice.
    Twice,
    /// Right, after so many milliseconds.
    Late(u64),
    /// This instead of an answer.
    Nonsense(Value),
    /// This is thrown.
    Throw(Value),
}

/// A wallet of the page (EIP-1193), under the visitor's hand.
#[derive(Clone, Debug)]
pub struct ScriptedWallet {
    /// What it calls itself.
    pub name: String,
    /// Its rdns.
    pub rdns: String,
    /// How it is reached.
    pub kind: ConnectorKind,
    /// What it serves.
    pub namespace: Namespace,
    /// Its accounts.
    pub accounts: Vec<String>,
    /// Its chain.
    pub chain: u64,
    /// The chains it knows.
    pub chains: Vec<u64>,
    /// Whether the page may see its accounts.
    pub permitted: bool,
    /// Exceptions by method.
    pub behaviours: BTreeMap<String, Behaviour>,
    /// What it was asked.
    pub requests: Vec<(String, Value)>,
    /// Whether the page listens to its events.
    pub watched: bool,
}

impl ScriptedWallet {
    /// A wallet with one account, on chain 31337, that knows 31337 and 31338.
    pub fn named(name: &str) -> ScriptedWallet {
        ScriptedWallet {
            name: name.into(),
            rdns: format!("example.{}", name.to_lowercase().replace(' ', "-")),
            kind: ConnectorKind::Announced,
            namespace: Namespace::Eip155,
            accounts: vec!["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266".into()],
            chain: 31337,
            chains: vec![31337, 31338],
            permitted: false,
            behaviours: BTreeMap::new(),
            requests: Vec::new(),
            watched: false,
        }
    }

    /// The same, but it takes a method otherwise.
    pub fn when(mut self, method: &str, behaviour: Behaviour) -> ScriptedWallet {
        self.behaviours.insert(method.into(), behaviour);
        self
    }

    /// The same, on another chain.
    pub fn on(mut self, chain: u64) -> ScriptedWallet {
        self.chain = chain;
        self
    }

    /// The same, permitted before.
    pub fn permitted(mut self) -> ScriptedWallet {
        self.permitted = true;
        self
    }

    /// The same, reached otherwise: through a session or an embedded wallet, for instance.
    pub fn through(mut self, kind: ConnectorKind) -> ScriptedWallet {
        self.kind = kind;
        self
    }

    /// The same, with an account of another namespace; it stands on [`SOLANA`] or [`BITCOIN`].
    pub fn of(mut self, namespace: Namespace, account: &str) -> ScriptedWallet {
        self.namespace = namespace;
        self.accounts = vec![account.into()];
        self
    }

    /// The name under which the page keeps it.
    pub fn handle(&self) -> String {
        format!("uuid-{}", self.rdns)
    }

    /// Its announcement (EIP-6963).
    pub fn announcement(&self) -> Found {
        Found {
            kind: self.kind,
            namespace: self.namespace.word().into(),
            handle: self.handle(),
            name: self.name.clone(),
            rdns: Some(self.rdns.clone()),
            icon: IconKind::Data,
            flags: Vec::new(),
        }
    }

    /// How it takes a method.
    pub fn behaviour(&self, method: &str) -> Behaviour {
        self.behaviours.get(method).cloned().unwrap_or(Behaviour::Right)
    }

    /// The right answer, or what is rightly thrown.
    pub fn answer(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        match method {
            "eth_requestAccounts" => {
                self.permitted = true;
                Ok(self.accounts())
            }
            "eth_accounts" => Ok(if self.permitted { self.accounts() } else { Value::List(Vec::new()) }),
            "eth_chainId" => Ok(match self.namespace {
                Namespace::Solana => SOLANA.into(),
                Namespace::Bip122 => BITCOIN.into(),
                _ => Value::Text(format!("{:#x}", self.chain)),
            }),
            "wallet_switchEthereumChain" => self.switch(params),
            "wallet_addEthereumChain" => {
                self.chains.extend(chain_id(params));
                Ok(Value::Null)
            }
            "wallet_revokePermissions" => {
                self.permitted = false;
                Ok(Value::Null)
            }
            "eth_sendTransaction" if !self.permitted => Err(thrown(4100, "Unauthorized")),
            "eth_sendTransaction" => Ok(Value::Text(format!("0x{}", "ab".repeat(32)))),
            "wallet_sendCalls" if self.permitted => Ok(Value::Object(vec![("id".into(), "0xca11".into())])),
            _ => Err(thrown(4200, "Unsupported method")),
        }
    }

    fn accounts(&self) -> Value {
        Value::List(self.accounts.iter().cloned().map(Value::Text).collect())
    }

    fn switch(&mut self, params: &Value) -> Result<Value, Value> {
        match chain_id(params) {
            Some(chain) if self.chains.contains(&chain) => {
                self.chain = chain;
                Ok(Value::Null)
            }
            _ => Err(thrown(4902, "Unrecognized chain")),
        }
    }
}

fn chain_id(params: &Value) -> Option<u64> {
    let id = params.as_list()?.first()?.get("chainId").as_str()?;
    u64::from_str_radix(id.strip_prefix("0x")?, 16).ok()
}

/// A thrown error.
pub fn thrown(code: i64, message: &str) -> Value {
    Value::Object(vec![("code".into(), Value::Number(code.to_string())), ("message".into(), message.into())])
}
