//! Actions of a visitor and a wallet.

use super::{APPROVED, DAPP, Given, Net, OPTIONAL, WALLET, json, read};
use portico_json::Value;
use portico_walletconnect::client::{Event, Input, Proposal, Session, SessionRequest};

impl Net {
    /// Offers a pairing and returns its URI and topic.
    pub fn propose(&mut self, required: Option<&str>) -> (String, String) {
        let required = required.map(read);
        let given = self.command(DAPP, |ticket| Input::Propose {
            ticket,
            required_namespaces: required,
            optional_namespaces: Some(read(OPTIONAL)),
            session_properties: None,
            scoped_properties: None,
        });
        let value = given.expect("answered at once").unwrap();
        (value.get("uri").as_str().unwrap().into(), value.get("topic").as_str().unwrap().into())
    }

    pub fn pair(&mut self, uri: &str) {
        let given = self.command(WALLET, |ticket| Input::Pair { ticket, uri: uri.into() });
        assert!(given.expect("answered at once").is_ok());
    }

    pub fn proposal(&self) -> Proposal {
        let told = self.nodes[WALLET].told.iter().rev();
        told.filter_map(|event| match event {
            Event::Proposed { proposal } => Some(proposal.clone()),
            _ => None,
        })
        .next()
        .expect("a proposal")
    }

    pub fn approve(&mut self, namespaces: &str) -> Option<Given> {
        let proposal = self.proposal().id;
        let namespaces = read(namespaces);
        self.command(WALLET, |ticket| Input::Approve {
            ticket,
            proposal,
            namespaces,
            session_properties: None,
            scoped_properties: None,
            disable_deep_link: None,
        })
    }

    /// Settles a session and returns its topic.
    pub fn session(&mut self) -> String {
        let (uri, _) = self.propose(None);
        self.pair(&uri);
        self.approve(APPROVED).expect("answered").unwrap();
        self.settled(DAPP).expect("settled").topic
    }

    pub fn settled(&self, node: usize) -> Option<Session> {
        self.nodes[node].told.iter().rev().find_map(|event| match event {
            Event::Settled { session, .. } => Some(session.clone()),
            _ => None,
        })
    }

    /// Requests a signature from the wallet and returns the ticket.
    pub fn sign(&mut self, topic: &str) -> u32 {
        self.sign_text(topic, "0x68656c6c6f")
    }

    pub fn sign_text(&mut self, topic: &str, text: &str) -> u32 {
        let ticket = self.ticket();
        self.input(
            DAPP,
            Input::Request {
                ticket,
                topic: topic.into(),
                chain_id: "eip155:1".into(),
                method: "personal_sign".into(),
                params: Value::List(vec![text.into(), Value::Null]),
                expiry_seconds: None,
            },
        );
        ticket
    }

    pub fn requests(&self) -> Vec<SessionRequest> {
        let told = self.nodes[WALLET].told.iter();
        told.filter_map(|event| match event {
            Event::Requested { request } => Some(request.clone()),
            _ => None,
        })
        .collect()
    }

    pub fn respond(&mut self, request: &SessionRequest, result: &str) -> Option<Given> {
        let (topic, id, result) = (request.topic.clone(), request.id, json(result));
        self.command(WALLET, |ticket| Input::Respond { ticket, topic, id, result: Some(result), error: None })
    }

    /// Approves while the relay accepts nothing. Returns the ticket and the topic of the session.
    pub fn approve_unheard(&mut self) -> (u32, String) {
        let before: Vec<_> = self.nodes[WALLET].stored.keys().cloned().collect();
        let (ticket, proposal) = (self.ticket(), self.proposal().id);
        let (namespaces, session_properties, scoped_properties) = (read(APPROVED), None, None);
        let approve = Input::Approve {
            ticket,
            proposal,
            namespaces,
            session_properties,
            scoped_properties,
            disable_deep_link: None,
        };
        self.input(WALLET, approve);
        let mut fresh = self.nodes[WALLET].stored.keys().filter(|key| !before.contains(key));
        (ticket, fresh.find_map(|key| key.strip_prefix("wc/session/")).expect("a session").into())
    }

    /// Whether the session works: a request is delivered and its response returns.
    pub fn serves(&mut self, topic: &str) -> bool {
        let before = self.requests().len();
        let ticket = self.sign(topic);
        let Some(request) = self.requests().get(before).cloned() else { return false };
        self.respond(&request, "\"0x5167\"");
        self.given(DAPP, ticket) == Some(Ok(Value::from("0x5167")))
    }
}
