use crate::wallet::thrown;
use portico_core::{LinkTarget, Outcome};
use portico_json::{Value, to_text};

/// Scripted WalletConnect client with a remote wallet on the other side.
#[derive(Clone, Debug)]
pub struct ScriptedRemote {
    /// Name of the wallet.
    pub name: String,
    /// CAIP-10 accounts that the wallet approves.
    pub accounts: Vec<String>,
    /// CAIP-2 id of the wallet's chain.
    pub chain: String,
    /// Stored sessions as JSON; they survive a reload.
    pub sessions: Vec<String>,
    /// Whether another tab of the site may use the sessions too.
    pub shared: bool,
    /// Number of further times that loading the client fails.
    pub missing: u32,
    /// Whether loading the client never completes.
    pub silent: bool,
    /// Whether pairing URIs are too long for a QR code: drawing thousands takes long.
    pub plain: bool,
    /// Delay of loading the client, in milliseconds.
    pub late: u64,
    /// Result returned instead of a pairing.
    pub pairing: Option<Result<Value, Value>>,
    /// Whether the session disables deep links to the wallet for requests.
    pub no_link: bool,
    /// Whether the wallet never answers requests.
    pub mute: bool,
    /// Whether every request expires because the visitor does not look at the wallet in time.
    pub unattended: bool,
    /// Whether ending a session fails because the client is missing.
    pub clings: bool,
    /// Number of times the client was loaded.
    pub fetched: u32,
    /// Namespaces requested for pairings, the latest last.
    pub asked: Vec<Value>,
    /// Topics of the pairings, the latest last.
    pub topics: Vec<String>,
    /// Topics of the pairings that were closed.
    pub closed: Vec<String>,
    /// Topics of the sessions that were ended.
    pub ended: Vec<String>,
    /// Links that were opened.
    pub links: Vec<(String, LinkTarget)>,
    /// Handles that the page watches, each with the link to its wallet and its chain.
    pub watched: Vec<(String, Option<String>, Option<String>)>,
    /// Requests sent through the session: method and parameters.
    pub requests: Vec<(String, String)>,
}

impl Default for ScriptedRemote {
    fn default() -> ScriptedRemote {
        let account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
        ScriptedRemote {
            name: "Pocket".into(),
            accounts: vec![format!("eip155:31337:{account}"), format!("eip155:31338:{account}")],
            chain: "eip155:31337".into(),
            sessions: Vec::new(),
            shared: false,
            missing: 0,
            silent: false,
            plain: false,
            late: 0,
            pairing: None,
            no_link: false,
            mute: false,
            unattended: false,
            clings: false,
            fetched: 0,
            asked: Vec::new(),
            topics: Vec::new(),
            closed: Vec::new(),
            ended: Vec::new(),
            links: Vec::new(),
            watched: Vec::new(),
            requests: Vec::new(),
        }
    }
}

fn object(fields: Vec<(&str, Value)>) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

fn number(value: u64) -> Value {
    Value::Number(value.to_string())
}

impl ScriptedRemote {
    /// Loads the client; none if it never arrives.
    pub(crate) fn fetch(&mut self) -> Option<Outcome> {
        self.fetched += 1;
        if self.missing > 0 {
            self.missing -= 1;
            return Some(Outcome::Failed { error: Value::Text("Failed to fetch".into()) });
        }
        let sessions = self.sessions.iter().map(|text| portico_json::parse(text).unwrap_or_default()).collect();
        (!self.silent).then(|| Outcome::Answered {
            value: object(vec![("sessions", Value::List(sessions)), ("alone", Value::Bool(!self.shared))]),
        })
    }

    /// Creates a pairing with its URI.
    pub(crate) fn pair(&mut self, namespaces: Value, now: u64) -> Outcome {
        self.asked.push(namespaces);
        match &self.pairing {
            Some(Ok(value)) => return Outcome::Answered { value: value.clone() },
            Some(Err(error)) => return Outcome::Failed { error: error.clone() },
            None => {}
        }
        let topic = format!("{:064x}", self.topics.len() + 0x70a1);
        self.topics.push(topic.clone());
        let end = now / 1_000 + 300;
        let uri = format!("wc:{topic}@2?expiryTimestamp={end}&relay-protocol=irn&symKey={}", "5e".repeat(32));
        let uri = if self.plain { format!("{uri}&pad={}", "0".repeat(1_500)) } else { uri };
        let value =
            object(vec![("uri", Value::Text(uri)), ("topic", Value::Text(topic)), ("expiryTimestamp", number(end))]);
        Outcome::Answered { value }
    }

    /// Session that the wallet approves for the latest pairing.
    pub fn session(&self, now: u64) -> Value {
        let pairing = self.topics.last().cloned().unwrap_or_default();
        self.session_for(&pairing, now)
    }

    /// Session that the wallet approves for a pairing.
    pub fn session_for(&self, pairing: &str, now: u64) -> Value {
        let mut namespaces: Vec<(String, Value)> = Vec::new();
        for account in &self.accounts {
            let namespace = account.split(':').next().unwrap_or_default();
            if namespaces.iter().all(|(known, _)| known != namespace) {
                let own = |account: &&String| account.split(':').next() == Some(namespace);
                let accounts = self.accounts.iter().filter(own).cloned().map(Value::Text).collect();
                let part = object(vec![
                    ("accounts", Value::List(accounts)),
                    ("methods", Value::List(vec!["personal_sign".into(), "eth_sendTransaction".into()])),
                    ("events", Value::List(vec!["accountsChanged".into(), "chainChanged".into()])),
                ]);
                namespaces.push((namespace.into(), part));
            }
        }
        object(vec![
            ("topic", Value::Text(format!("5e55{}", pairing.get(4..).unwrap_or("1")))),
            ("pairingTopic", Value::Text(pairing.into())),
            ("expiry", number(now / 1_000 + 604_800)),
            ("acknowledged", Value::Bool(true)),
            ("namespaces", Value::Object(namespaces)),
            ("sessionConfig", object(vec![("disableDeepLink", Value::Bool(self.no_link))])),
            ("peer", object(vec![("metadata", object(vec![("name", Value::Text(self.name.clone()))]))])),
        ])
    }

    /// Answers a request sent through the session.
    pub(crate) fn answer(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        self.requests.push((method.into(), to_text(params)));
        let wanted = params.as_list().and_then(<[Value]>::first).map(|first| first.get("chainId").clone());
        match method {
            _ if self.unattended => Err(thrown(8000, "The request has expired")),
            "eth_chainId" => Ok(Value::Text(hex(&self.chain))),
            "wallet_switchEthereumChain" => {
                let wanted = wanted.as_ref().and_then(Value::as_str).unwrap_or_default();
                let chains = self.accounts.iter().filter_map(|account| account.rsplit_once(':'));
                let known = chains.map(|(chain, _)| chain).find(|chain| hex(chain) == wanted).map(String::from);
                self.chain = known.ok_or_else(|| thrown(4902, "Unrecognized chain"))?;
                Ok(Value::Null)
            }
            "eth_sendTransaction" => Ok(Value::Text(format!("0x{}", "cd".repeat(32)))),
            _ => Err(thrown(4200, "Unsupported method")),
        }
    }
}

/// Chain number in hex, as in EIP-695.
pub(crate) fn hex(chain: &str) -> String {
    let number: u64 = chain.rsplit(':').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    format!("{number:#x}")
}
