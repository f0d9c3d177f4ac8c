use crate::wallet::thrown;
use portico_core::{LinkTarget, Outcome};
use portico_json::{Value, to_text};

/// The client of WalletConnect with a wallet on the other side, under the visitor's hand.
#[derive(Clone, Debug)]
pub struct ScriptedRemote {
    /// What it calls itself.
    pub name: String,
    /// Its accounts, CAIP-10: what it approves.
    pub accounts: Vec<String>,
    /// Its chain, CAIP-2.
    pub chain: String,
    /// The sessions that outlive a reload, as JSON.
    pub sessions: Vec<String>,
    /// Another tab of the site may show them.
    pub shared: bool,
    /// How many more times the client cannot be fetched.
    pub missing: u32,
    /// The client is on its way and does not come.
    pub silent: bool,
    /// Codes are too long for a picture: to draw thousands takes long.
    pub plain: bool,
    /// The client takes so many milliseconds.
    pub late: u64,
    /// This instead of a pairing.
    pub pairing: Option<Result<Value, Value>>,
    /// The wallet wants to be left alone when it is asked something.
    pub no_link: bool,
    /// It does not answer what it is asked.
    pub mute: bool,
    /// Whatever it is asked, its visitor does not look at it in time.
    pub unattended: bool,
    /// The client is not there to end a session.
    pub clings: bool,
    /// How often the client was asked for.
    pub fetched: u32,
    /// What was asked of sessions, the latest last.
    pub asked: Vec<Value>,
    /// The topics of the pairings, the latest last.
    pub topics: Vec<String>,
    /// The pairings that were taken back.
    pub closed: Vec<String>,
    /// The sessions that were ended.
    pub ended: Vec<String>,
    /// The links that were opened.
    pub links: Vec<(String, LinkTarget)>,
    /// What the page watches, with the link to each and the chain on which it stands.
    pub watched: Vec<(String, Option<String>, Option<String>)>,
    /// What it was asked through its session.
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
    /// The client is fetched; none where it does not come.
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

    /// A code.
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

    /// The session that it approves for the latest code.
    pub fn session(&self, now: u64) -> Value {
        let pairing = self.topics.last().cloned().unwrap_or_default();
        self.session_for(&pairing, now)
    }

    /// The session that it approves for a code.
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

    /// What it answers through its session.
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

/// The number of a chain as EIP-695 has it.
pub(crate) fn hex(chain: &str) -> String {
    let number: u64 = chain.rsplit(':').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    format!("{number:#x}")
}
