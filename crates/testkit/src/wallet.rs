use crate::bitcoin::sign_bitcoin;
use crate::chain::RealChain;
use crate::solana::sign_solana;
use portico_core::connect::{Found, IconKind};
use portico_encoding::base58;
use portico_encoding::base64::{self, Spelling};
use portico_json::Value;
use portico_terms::{ConnectorKind, Namespace};
use std::collections::BTreeMap;

/// Chain of a scripted Solana wallet.
pub const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/// Ordinal address of a scripted Bitcoin wallet.
pub const ORDINAL: &str = "bc1p9fjtrm3nwhemkjek0wxtswz2glmneu33w9lcylrvd7alttk0psmq6cnwza";

/// Chain of a scripted Bitcoin wallet.
pub const BITCOIN: &str = "bip122:000000000019d6689c085ae165831e93";

/// Polkadot's network.
pub const POLKADOT: &str = "polkadot:91b171bb158e2d3848fa23a9f1c25182";

/// Behaviour of a wallet for one method.
#[derive(Clone, Debug, PartialEq)]
pub enum Behaviour {
    /// Answers as the standard says.
    Right,
    /// Refuses with code 4001.
    Refuse,
    /// Never answers.
    Silent,
    /// Answers correctly, but twice.
    Twice,
    /// Answers correctly, after this number of milliseconds.
    Late(u64),
    /// Answers with this value.
    Nonsense(Value),
    /// Throws this value.
    Throw(Value),
    /// Throws this value, after this number of milliseconds.
    LateThrow(u64, Value),
}

/// Change of a transaction: the bytes that a wallet signs instead.
pub type Change = fn(&[u8]) -> Vec<u8>;

/// Scripted wallet in the page (EIP-1193).
#[derive(Clone, Debug)]
pub struct ScriptedWallet {
    /// Name of the wallet.
    pub name: String,
    /// Reverse domain name (EIP-6963).
    pub rdns: String,
    /// Kind of its connector.
    pub kind: ConnectorKind,
    /// Namespace that the wallet serves.
    pub namespace: Namespace,
    pub accounts: Vec<String>,
    /// Number of its current chain.
    pub chain: u64,
    /// Numbers of the chains that the wallet knows.
    pub chains: Vec<u64>,
    /// Whether the page may see the accounts.
    pub permitted: bool,
    /// Exceptional behaviours by method.
    pub behaviours: BTreeMap<String, Behaviour>,
    /// Requests received: method and parameters.
    pub requests: Vec<(String, Value)>,
    /// Whether the page listens to the wallet's events.
    pub watched: bool,
    /// Signs the hex bytes of a `personal_sign` request with a real key; without one the wallet does not know the method.
    pub signer: Option<fn(&str) -> String>,
    /// Byte of which a Solana wallet's secret key consists; without one it signs no transaction.
    pub secret: Option<u8>,
    /// Changes a transaction of Solana before it signs it.
    pub changes: Option<Change>,
    /// Chain that mines the wallet's transactions; without one their hash is made up.
    pub sends_to: Option<RealChain>,
}

impl ScriptedWallet {
    /// Wallet with one account, on chain 31337, that knows 31337 and 31338.
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
            signer: None,
            secret: None,
            changes: None,
            sends_to: None,
        }
    }

    /// Sets the behaviour for a method.
    pub fn when(mut self, method: &str, behaviour: Behaviour) -> ScriptedWallet {
        self.behaviours.insert(method.into(), behaviour);
        self
    }

    /// Sets the current chain.
    pub fn on(mut self, chain: u64) -> ScriptedWallet {
        self.chain = chain;
        self
    }

    /// Grants the page access to the accounts beforehand.
    pub fn permitted(mut self) -> ScriptedWallet {
        self.permitted = true;
        self
    }

    /// Sets the kind of connector, such as a session or an embedded wallet.
    pub fn through(mut self, kind: ConnectorKind) -> ScriptedWallet {
        self.kind = kind;
        self
    }

    /// Sets an account of another namespace, on [`SOLANA`] or [`BITCOIN`].
    pub fn of(mut self, namespace: Namespace, account: &str) -> ScriptedWallet {
        self.namespace = namespace;
        self.accounts = vec![account.into()];
        self
    }

    /// Key under which the page stores the provider: a uuid, or the id of a wallet that the host adds without an rdns.
    pub fn handle(&self) -> String {
        if self.rdns.contains('.') { format!("uuid-{}", self.rdns) } else { self.rdns.clone() }
    }

    /// Announcement of the wallet (EIP-6963).
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

    /// Behaviour for a method.
    pub fn behaviour(&self, method: &str) -> Behaviour {
        self.behaviours.get(method).cloned().unwrap_or(Behaviour::Right)
    }

    /// Answer or error according to the standard.
    pub fn answer(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        match self.namespace {
            Namespace::Solana => self.answer_of_solana(method, params),
            Namespace::Bip122 => self.answer_of_bitcoin(method, params),
            Namespace::Polkadot => self.answer_of_polkadot(method, params),
            Namespace::Eip155 => self.answer_of_evm(method, params),
        }
    }

    /// Answer of a Bitcoin wallet as the page's adapter has it, with an ordinal address after those for payments.
    fn answer_of_bitcoin(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        match method {
            "getAccountAddresses" => {
                self.permitted |= params.get("silent").as_bool() != Some(true);
                let described = |address: &str, purpose: &str| {
                    Value::Object(vec![("address".into(), address.into()), ("purpose".into(), purpose.into())])
                };
                let mut seen: Vec<_> = self.accounts.iter().map(|address| described(address, "payment")).collect();
                seen.push(described(ORDINAL, "ordinal"));
                Ok(Value::List(if self.permitted { seen } else { Vec::new() }))
            }
            "wallet_disconnect" => {
                self.permitted = false;
                Ok(Value::Null)
            }
            "switchNetwork" => Ok(params.get("network").clone()),
            "signPsbt" => {
                let signed = sign_bitcoin(params.get("psbt").as_str().unwrap_or_default());
                Ok(Value::Object(vec![("psbt".into(), Value::Text(signed))]))
            }
            _ => Err(thrown(4200, "Unsupported method")),
        }
    }

    /// Answer of a Polkadot extension as the page's adapter has it.
    fn answer_of_polkadot(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        match method {
            "getAccounts" => {
                self.permitted |= params.get("silent").as_bool() != Some(true);
                let described = |address: &String| Value::Object(vec![("address".into(), address.as_str().into())]);
                let seen = if self.permitted { self.accounts.as_slice() } else { &[] };
                Ok(Value::List(seen.iter().map(described).collect()))
            }
            "wallet_disconnect" => {
                self.permitted = false;
                Ok(Value::Null)
            }
            "switchNetwork" => Ok(params.get("network").clone()),
            _ => Err(thrown(4200, "Unsupported method")),
        }
    }

    /// Answer of a Wallet Standard wallet, whose methods are the features of the standard.
    fn answer_of_solana(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        match method {
            "standard:connect" => {
                self.permitted |= params.get("silent").as_bool() != Some(true);
                let described = |address: &String| {
                    let chains = Value::List(vec![SOLANA.into()]);
                    Value::Object(vec![("address".into(), address.as_str().into()), ("chains".into(), chains)])
                };
                let seen = if self.permitted { self.accounts.as_slice() } else { &[] };
                Ok(Value::Object(vec![("accounts".into(), Value::List(seen.iter().map(described).collect()))]))
            }
            "standard:disconnect" => {
                self.permitted = false;
                Ok(Value::Null)
            }
            "solana_signTransaction" | "solana_signAndSendTransaction" if self.secret.is_some() => {
                let bytes = base64::decode(params.get("transaction").as_str().unwrap_or_default(), Spelling::Standard);
                let mut bytes = bytes.unwrap_or_default();
                if let Some(change) = self.changes {
                    bytes = change(&bytes);
                }
                let (signature, signed) = sign_solana(&bytes, self.secret.unwrap_or_default());
                let mut answer = vec![("signature".into(), Value::Text(base58::encode(&signature)))];
                if method == "solana_signTransaction" {
                    let signed = base64::encode(&signed, Spelling::Standard);
                    answer.push(("transaction".into(), Value::Text(signed)));
                }
                Ok(Value::Object(answer))
            }
            _ => Err(thrown(4200, "Unsupported method")),
        }
    }

    fn answer_of_evm(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        match method {
            "eth_requestAccounts" => {
                self.permitted = true;
                Ok(self.accounts())
            }
            "eth_accounts" => Ok(if self.permitted { self.accounts() } else { Value::List(Vec::new()) }),
            "eth_chainId" => Ok(Value::Text(format!("{:#x}", self.chain))),
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
            "eth_sendTransaction" if self.sends_to.is_some() => {
                let hash = self.sends_to.as_ref().and_then(|chain| chain.request(method, params));
                hash.ok_or_else(|| thrown(-32003, "Transaction rejected"))
            }
            "eth_sendTransaction" => Ok(Value::Text(format!("0x{}", "ab".repeat(32)))),
            "personal_sign" if self.signer.is_some() => {
                let message = params.as_list().and_then(|params| params.first()?.as_str()).unwrap_or_default();
                self.signer.map(|sign| Value::Text(sign(message))).ok_or(Value::Null)
            }
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

/// Error object as wallets throw it.
pub fn thrown(code: i64, message: &str) -> Value {
    Value::Object(vec![("code".into(), Value::Number(code.to_string())), ("message".into(), message.into())])
}
