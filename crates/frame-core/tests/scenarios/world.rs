//! Host page, visitor, worker and chain around one frame.

use portico_frame_core::{
    ApprovalView, Boot, Effect, Event, FailureKind, Frame, Operation, Outcome, Phrase, RpcCall, Said, SiteDeed,
};
use portico_json::{Read, Value, parse, to_text};

pub const HOST: &str = "https://shop.example.org";
pub const OWN: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
pub const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/// Solana account with the key of 32 ones.
pub const SOLANA: &str = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";
/// Solana account with the key of 32 twos.
pub const TO: &str = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR";
pub const MAIN: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
pub const DEVNET: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

pub fn json(text: &str) -> Value {
    parse(text).unwrap()
}

pub struct World {
    pub frame: Frame,
    pub now: u64,
    /// Effects that were not answered yet, without the messages to the host.
    pub ordered: Vec<Effect>,
    /// Messages to the host, as `type id payload`.
    pub told: Vec<String>,
    next: u32,
    /// What the worker stored of payments.
    pub paid: Vec<String>,
    /// Whether reads of `paid` are left to the test.
    pub holds_paid: bool,
    /// Account that the vault tells for an approval.
    pub me: String,
    /// Whether that answer is left to the test.
    pub holds_me: bool,
    /// Whether strict mode is on, as the worker answers.
    pub strict: bool,
    /// How the visitor treats the host page, as the worker stored it.
    pub site: Value,
    /// Whether reads of it are left to the test.
    pub holds_site: bool,
}

impl World {
    pub fn new() -> World {
        World::in_browser(true)
    }

    /// World whose browser tells what covers the frame, or doesn't.
    pub fn in_browser(sees_covers: bool) -> World {
        let boot =
            Boot { host: HOST.into(), project: "demo".into(), chain: "1".into(), language: "en".into(), sees_covers };
        let mut world = World {
            frame: Frame::boot(boot, 1_000_000),
            now: 1_000_000,
            ordered: vec![],
            told: vec![],
            next: 0,
            paid: vec![format!("1:{}", OTHER.to_lowercase()), format!("{MAIN}:{TO}"), format!("{DEVNET}:{TO}")],
            holds_paid: false,
            me: me(),
            holds_me: false,
            strict: false,
            site: Value::Null,
            holds_site: false,
        };
        world.collect();
        world
    }

    /// World whose visitor is logged in.
    pub fn logged_in() -> World {
        let mut world = World::new();
        world.host("IS_CONNECTED", "null");
        world.answer(&me());
        world.told.clear();
        world
    }

    fn collect(&mut self) {
        for effect in self.frame.take_effects() {
            match &effect.operation {
                Operation::PostMessage { message } => {
                    let payload = message.payload.as_ref().map(to_text).unwrap_or_default();
                    self.told.push(format!("{} {} {payload}", message.kind, message.id).trim_end().into());
                    self.frame.resolve(effect.id, Outcome::Done, self.now);
                }
                Operation::Ask { path, .. }
                    if path == "/wallet/v1/me" && !self.holds_me && self.approval().is_some() =>
                {
                    self.frame.resolve(effect.id, Outcome::Answered { value: json(&self.me) }, self.now);
                }
                Operation::ReadPaid { .. } if !self.holds_paid => {
                    let list = self.paid.iter().map(|paid| Value::Text(paid.clone())).collect();
                    self.frame.resolve(effect.id, Outcome::Answered { value: Value::List(list) }, self.now);
                }
                Operation::KeepPaid { address, paid } => {
                    assert_eq!(address, if paid.contains("solana:") { SOLANA } else { OWN });
                    self.paid.insert(0, paid.clone());
                    self.frame.resolve(effect.id, Outcome::Done, self.now);
                }
                Operation::ReadStrict => {
                    self.frame.resolve(effect.id, Outcome::Answered { value: Value::Bool(self.strict) }, self.now);
                }
                Operation::ReadSite { site } if !self.holds_site => {
                    assert_eq!(*site, format!("AA {HOST}"));
                    self.frame.resolve(effect.id, Outcome::Answered { value: self.site.clone() }, self.now);
                    self.collect();
                }
                Operation::KeepSite { site, deed } => {
                    assert_eq!(*site, format!("AA {HOST}"));
                    let was = self.site.get("blocked").as_bool() == Some(true);
                    let mut times: Vec<u64> = self
                        .site
                        .get("declines")
                        .as_list()
                        .unwrap_or_default()
                        .iter()
                        .filter_map(Value::as_u64)
                        .collect();
                    let (blocked, now) = (was && *deed != SiteDeed::Allowed || *deed == SiteDeed::Blocked, self.now);
                    match deed {
                        SiteDeed::Declined => times.push(now),
                        SiteDeed::Signed | SiteDeed::Allowed => times.clear(),
                        SiteDeed::Blocked => {}
                    }
                    self.site = json(&format!(r#"{{"blocked":{blocked},"declines":{times:?}}}"#));
                    self.frame.resolve(effect.id, Outcome::Done, self.now);
                    self.collect();
                }
                _ => self.ordered.push(effect),
            }
        }
    }

    pub fn raw(&mut self, text: &str) {
        self.event(Event::HostMessage { text: text.into() });
    }

    pub fn event(&mut self, event: Event) {
        self.frame.dispatch(event, self.now);
        self.collect();
    }

    /// Sends a message of the host; ids are numbered.
    pub fn host(&mut self, name: &str, payload: &str) {
        self.next += 1;
        let id = self.next;
        self.raw(&format!(r#"{{"type":"@w3m-app/{name}","id":"{id}","payload":{payload}}}"#));
    }

    pub fn rpc(&mut self, method: &str, params: &str) {
        self.host("RPC_REQUEST", &format!(r#"{{"method":"{method}","params":{params}}}"#));
    }

    pub fn pass(&mut self, millis: u64) {
        self.now += millis;
        self.frame.tick(self.now);
        self.collect();
    }

    /// Takes the only effect that waits.
    pub fn only(&mut self) -> Effect {
        assert_eq!(self.ordered.len(), 1, "{:?}", self.ordered);
        self.ordered.remove(0)
    }

    pub fn resolve(&mut self, id: u32, outcome: Outcome) {
        self.frame.resolve(id, outcome, self.now);
        self.collect();
    }

    /// Answers the only effect that waits.
    pub fn answer(&mut self, value: &str) {
        let effect = self.only();
        self.resolve(effect.id, Outcome::Answered { value: json(value) });
    }

    pub fn fail(&mut self, kind: FailureKind, message: &str) {
        let effect = self.only();
        self.resolve(effect.id, Outcome::Failed { kind, message: message.into() });
    }

    /// Path and body of the only request to the vault that waits, without taking it.
    pub fn asked(&self) -> String {
        match &self.ordered[..] {
            [Effect { operation: Operation::Ask { path, body, session }, .. }] => {
                format!("{path} {} {session}", to_text(body))
            }
            other => panic!("{other:?}"),
        }
    }

    /// Calls to the chain that wait, without taking them.
    pub fn calls(&self) -> Vec<RpcCall> {
        match &self.ordered[..] {
            [Effect { operation: Operation::SendRpc { calls, .. }, .. }] => calls.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// Takes what the host was told since the last call.
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }

    pub fn approval(&mut self) -> Option<ApprovalView> {
        self.frame.take_change();
        let snapshot = portico_json::parse(&self.snapshot_text()).unwrap();
        Option::<ApprovalView>::read(snapshot.get("approval")).unwrap()
    }

    fn snapshot_text(&self) -> String {
        self.frame.snapshot_text()
    }

    /// The visitor sees the approval, waits until Approve takes a click, and clicks.
    pub fn approve(&mut self) {
        let view = self.approval().unwrap();
        self.event(Event::ApprovalPainted { approval: view.number, revision: view.revision });
        self.pass(1_000);
        self.event(Event::Approved { approval: view.number, revision: view.revision });
    }

    pub fn is_armed(&mut self) -> bool {
        self.approval().unwrap().armed
    }
}

pub fn me() -> String {
    format!(
        r#"{{"user":{{"id":"AA","email":"a@example.org","name":null,"provider":"email"}},"wallet":{{"id":"AA","blob":"AA","slots":[],"addresses":{{"eip155":"{OWN}","solana":"{SOLANA}"}},"frozen":false}},"devices":[],"held":false,"logins":[],"services":[]}}"#
    )
}

/// English text of a line, with amounts as they are.
pub fn spoken(text: &Said) -> String {
    let pattern = match text.phrase {
        Phrase::Plain | Phrase::Number | Phrase::Date => "{0}",
        Phrase::Amount => "{0} {1}",
        Phrase::Coins => "{0} coins",
        Phrase::SmallestUnits => "{0} smallest units of {1}",
        Phrase::Bytes => "{0} bytes",
        Phrase::Item => "#{0}",
        Phrase::Items => "{0} of #{1}",
        Phrase::ItemOf => "NFT #{0} of {1}",
        Phrase::ItemsOf => "NFTs of {0}",
        Phrase::MayTakeAll => "{0} may take all NFTs of {1}",
        Phrase::MayTakeAny => "{0} may take any amount of {1}",
        Phrase::MayTake => "{0} may take {1} {2}",
        Phrase::MayTakeUnits => "{0} may take {1} smallest units of {2}",
        Phrase::MayTakeSome => "{0} may take some {1}, through Permit2",
        Phrase::PartOf => "{0} of {1}",
        Phrase::Never => "Never",
        Phrase::Nobody => "Nobody",
    };
    let fill = |pattern: String, (gap, value): (usize, &String)| pattern.replace(&format!("{{{gap}}}"), value);
    text.values.iter().enumerate().fold(pattern.into(), fill)
}
