//! Performs every operation of the core, as a page does. Each effect is answered unless the test asks for silence.

use super::{Scheduled, Tab, World};
use crate::fault::Faults;
use crate::wallet::{Behaviour, ScriptedWallet, thrown};
use portico_core::{Effect, Event, HostAnswer, HttpMethod, Operation, Outcome, Part, connect, embedded};
use portico_json::Value;

/// Name under which a call of a wallet's own `disconnect()` is scripted and recorded.
const DISCONNECT: &str = "disconnect";

impl World {
    pub(super) fn perform(&mut self, effect: Effect) {
        let id = effect.id;
        match effect.operation {
            Operation::LoadPart { part } => {
                self.loads.push(part);
                let left = if part == Part::Home { &mut self.home_missing } else { &mut self.part_missing };
                let missing = *left > 0;
                *left -= u32::from(missing);
                self.resolve(id, if missing { Outcome::Failed { error: Value::Null } } else { Outcome::Done });
            }
            Operation::DiscoverWallets => {
                let found: Vec<_> = self
                    .wallets
                    .iter()
                    .filter(|wallet| !self.hidden.contains(&wallet.rdns))
                    .map(ScriptedWallet::announcement)
                    .collect();
                for wallet in found {
                    self.happen(Event::Connect(connect::Event::WalletFound { wallet }));
                }
                self.resolve(id, Outcome::Done);
            }
            Operation::RequestWallet { handle, method, params } => self.request(id, &handle, &method, params),
            Operation::WatchWallet { handle, link, chain } => {
                if handle.starts_with("walletConnect:") {
                    self.remote.watched.retain(|(watched, ..)| *watched != handle);
                    self.remote.watched.push((handle.clone(), link, chain.map(|chain| chain.to_string())));
                }
                self.watch(id, &handle, true);
            }
            Operation::OpenRelay | Operation::OpenPairing { .. } | Operation::EndSession { .. } if self.strikes() => {
                let nonsense = self.faults.as_mut().map(Faults::nonsense).unwrap_or_default();
                match self.strikes() {
                    true => self.resolve(id, Outcome::Answered { value: nonsense }),
                    false => self.resolve(id, Outcome::Failed { error: nonsense }),
                }
            }
            Operation::OpenRelay => {
                let late = self.remote.late;
                match self.remote.fetch() {
                    Some(outcome) if late > 0 => self.coming.push((self.now + late, id, Scheduled::Outcome(outcome))),
                    Some(outcome) => self.resolve(id, outcome),
                    None => {}
                }
            }
            Operation::OpenPairing { namespaces } => {
                let outcome = self.remote.pair(namespaces, self.now);
                self.resolve(id, outcome);
            }
            Operation::ClosePairing { topic } => {
                self.remote.closed.push(topic);
                self.resolve(id, Outcome::Done);
            }
            Operation::EndSession { topic } => {
                self.remote.ended.push(topic.clone());
                self.remote.sessions.retain(|session| !session.contains(&topic));
                let failed = Outcome::Failed { error: thrown(0, "The client is not there") };
                self.resolve(id, if self.remote.clings { failed } else { Outcome::Done });
            }
            Operation::OpenFrame { chain } => {
                let late = self.frame.late;
                match self.frame.open(chain) {
                    Some(outcome) if late > 0 => self.coming.push((self.now + late, id, Scheduled::Outcome(outcome))),
                    Some(outcome) => self.resolve(id, outcome),
                    None => {}
                }
            }
            Operation::AskFrame { event, payload } => {
                let strange = self.strikes().then(|| self.faults.as_mut().map(Faults::nonsense)).flatten();
                match (strange, self.frame.answer(event, payload)) {
                    (Some(value), _) => self.resolve(id, Outcome::Answered { value }),
                    (None, Some(outcome)) => self.resolve(id, outcome),
                    (None, None) => self.frame.waiting.push((event, id)),
                }
            }
            Operation::AskSignIn { call, given } => {
                let strange = self.strikes().then(|| self.faults.as_mut().map(Faults::nonsense)).flatten();
                match (strange, self.site.answer(call, given)) {
                    (Some(value), _) => self.resolve(id, Outcome::Answered { value }),
                    (None, Some(outcome)) => self.resolve(id, outcome),
                    (None, None) => self.site.waiting.push((call, id)),
                }
            }
            Operation::OpenLink { href, target } => {
                self.remote.links.push((href, target));
                self.resolve(id, Outcome::Done);
            }
            Operation::OpenTab { .. } => {
                let outcome = if self.tabs_refused { Outcome::Failed { error: Value::Null } } else { Outcome::Done };
                self.tabs.extend((!self.tabs_refused).then_some(Tab::Empty));
                self.resolve(id, outcome);
            }
            Operation::LeadTab { href } => {
                let gone = self.tabs.last().is_none_or(|tab| *tab == Tab::Closed);
                if let Some(tab) = self.tabs.last_mut().filter(|_| !gone) {
                    *tab = href.map_or(Tab::Closed, Tab::At);
                }
                self.resolve(id, if gone { Outcome::Failed { error: Value::Null } } else { Outcome::Done });
            }
            Operation::LeadLogin { href, .. } => {
                if let Some(earlier) = self.away.take() {
                    self.resolve(earlier, Outcome::Failed { error: Value::Null });
                }
                let gone = self.tabs.last().is_none_or(|tab| *tab == Tab::Closed);
                let led = href.is_some() && !gone;
                if let Some(tab) = self.tabs.last_mut().filter(|_| !gone) {
                    *tab = href.map_or(Tab::Closed, Tab::At);
                }
                match (led, gone) {
                    (true, _) => self.away = Some(id),
                    (false, true) => self.resolve(id, Outcome::Failed { error: Value::Null }),
                    (false, false) => self.resolve(id, Outcome::Done),
                }
            }
            Operation::DisconnectWallet { handle } => {
                let scripted =
                    |wallet: &ScriptedWallet| wallet.handle() == handle && wallet.behaviours.contains_key(DISCONNECT);
                match self.wallets.iter().any(scripted) {
                    true => self.request(id, &handle, DISCONNECT, Value::Null),
                    false => self.resolve(id, Outcome::Done),
                }
            }
            Operation::UnwatchWallet { handle } => {
                self.remote.watched.retain(|(watched, ..)| *watched != handle);
                self.watch(id, &handle, false);
            }
            Operation::SendHttp { method: HttpMethod::Post, url, body: Some(body), .. }
                if !url.contains("/v1/") && !url.contains("/e?") =>
            {
                self.http(id, url, &body)
            }
            Operation::SendHttp { method, url, body, .. } => {
                let late = self.server.lateness(&url);
                match self.server.answer(method, &url, body.as_deref()) {
                    Some(outcome) if late > 0 => self.coming.push((self.now + late, id, Scheduled::Outcome(outcome))),
                    Some(outcome) => self.resolve(id, outcome),
                    None => {}
                }
            }
            Operation::SendMessage { url, text: Some(text) } => {
                if !self.sockets.send(id, url, text) {
                    self.resolve(id, Outcome::Failed { error: Value::Null });
                }
            }
            Operation::SendMessage { url, text: None } => {
                self.end_socket(&url);
                self.resolve(id, Outcome::Done);
            }
            Operation::FetchPictures { url, .. } => {
                let answered = self.server.answer(HttpMethod::Get, &url, None);
                if let Some(Outcome::HttpAnswered { status, .. }) = answered {
                    let failed = Outcome::Failed { error: Value::Null };
                    self.resolve(id, if status == 200 { Outcome::Done } else { failed });
                }
            }
            Operation::PreloadPicture { timeout, .. } => match self.picture {
                Some(0) => self.resolve(id, Outcome::Done),
                Some(late) => {
                    let at = self.now + late.min(timeout.into());
                    self.coming.push((at, id, Scheduled::Outcome(Outcome::Done)));
                }
                None => self.resolve(id, Outcome::Failed { error: Value::Null }),
            },
            Operation::WriteStorage { area, key, value } => {
                self.store.refuses = self.store.refuses || self.faults.as_mut().is_some_and(|faults| faults.strikes(2));
                let outcome = self.store.write(area, &key, &value);
                self.resolve(id, outcome);
            }
            Operation::RemoveStorage { area, key } => {
                let outcome = self.store.remove(area, &key);
                self.resolve(id, outcome);
            }
            Operation::ReadStorage { prefix } => {
                let stored = self.store.entries().into_iter().filter(|entry| entry.key.starts_with(&prefix));
                let entry = |entry: portico_core::StoredEntry| {
                    Value::Object(vec![
                        ("key".into(), Value::Text(entry.key)),
                        ("value".into(), Value::Text(entry.value)),
                    ])
                };
                let value = Value::List(stored.map(entry).collect());
                self.resolve(id, Outcome::Answered { value });
            }
            Operation::CopyText { text } => {
                if self.clipboard_works {
                    self.clipboard.push(text);
                    self.resolve(id, Outcome::Done);
                } else {
                    self.resolve(id, Outcome::Failed { error: thrown(0, "NotAllowedError") });
                }
            }
            Operation::AnswerHost { ticket, answer } if self.frame.is_ticket(ticket) => {
                let outcome = match answer {
                    HostAnswer::Resolved { value } => Outcome::Answered { value },
                    HostAnswer::Rejected { error } => {
                        Outcome::Failed { error: thrown(error.code.unwrap_or_default(), &error.message) }
                    }
                };
                if let Some(asker) = self.frame.take_ticket(ticket) {
                    self.resolve(asker, outcome);
                }
                self.resolve(id, Outcome::Done);
            }
            Operation::AnswerHost { ticket, answer } => {
                self.answers.entry(ticket).or_default().push(answer);
                self.resolve(id, Outcome::Done);
            }
            Operation::TellAlert { key, detail } => {
                self.alerts.push((key, detail));
                self.resolve(id, Outcome::Done);
            }
            Operation::TellDeveloper { text } => {
                self.told_developer.push(text);
                self.resolve(id, Outcome::Done);
            }
            Operation::PublishEvent { event, properties, .. } => {
                self.events.push((event, properties));
                self.resolve(id, Outcome::Done);
            }
        }
    }

    /// Whether a random fault hits the WalletConnect client.
    fn strikes(&mut self) -> bool {
        self.faults.as_mut().is_some_and(|faults| faults.strikes(20))
    }

    fn watch(&mut self, id: u32, handle: &str, watched: bool) {
        if let Some(wallet) = self.wallets.iter_mut().find(|wallet| wallet.handle() == handle) {
            wallet.watched = watched;
        }
        self.resolve(id, Outcome::Done);
    }

    fn http(&mut self, id: u32, url: String, body: &str) {
        self.node.urls.push(url);
        let (lost, late) = match &mut self.faults {
            Some(faults) => (faults.strikes(10), faults.strikes(10).then(|| faults.below(15_000))),
            None => (false, self.node.late),
        };
        let outcome = if lost { Outcome::Failed { error: Value::Null } } else { self.node.answer(body) };
        if self.node.mute.is_some_and(|method| body.contains(method)) {
            return;
        }
        match late {
            Some(delay) => self.coming.push((self.now + delay, id, Scheduled::Outcome(outcome))),
            None => self.resolve(id, outcome),
        }
    }

    fn request(&mut self, id: u32, handle: &str, method: &str, params: Value) {
        let now = self.now;
        let strange = self.faults.as_mut().map(Faults::behaviour);
        if handle == connect::EMBEDDED {
            let ticket = self.frame.ticket(id);
            let method = method.into();
            return self.happen(Event::Embedded(embedded::Event::RequestAsked { method, params, chain: None, ticket }));
        }
        if handle.starts_with("walletConnect:") {
            return self.request_remote(id, handle, method, &params);
        }
        let Some(wallet) = self.wallets.iter_mut().find(|wallet| wallet.handle() == handle) else {
            return self.resolve(id, Outcome::Failed { error: thrown(4900, "No such provider") });
        };
        wallet.requests.push((method.into(), params.clone()));
        let outcome = match strange.unwrap_or_else(|| wallet.behaviour(method)) {
            Behaviour::Silent => return,
            Behaviour::Right => return self.act(id, handle, method, &params, false),
            Behaviour::Twice => return self.act(id, handle, method, &params, true),
            Behaviour::Late(delay) => {
                return self.coming.push((now + delay, id, Scheduled::Request(handle.into(), method.into(), params)));
            }
            Behaviour::Refuse => Outcome::Failed { error: thrown(4001, "User rejected the request.") },
            Behaviour::Nonsense(value) => Outcome::Answered { value },
            Behaviour::Throw(error) => Outcome::Failed { error },
            Behaviour::LateThrow(delay, error) => {
                return self.coming.push((now + delay, id, Scheduled::Outcome(Outcome::Failed { error })));
            }
        };
        self.resolve(id, outcome);
    }

    fn request_remote(&mut self, id: u32, handle: &str, method: &str, params: &Value) {
        if self.remote.mute {
            return;
        }
        let before = self.remote.chain.clone();
        let answer = self.remote.answer(method, params);
        if self.remote.chain != before {
            let chain = Value::Text(crate::remote::hex(&self.remote.chain));
            self.happen(Event::Network(portico_core::network::Event::ChainChanged { handle: handle.into(), chain }));
        }
        self.resolve(id, answer.map_or_else(|error| Outcome::Failed { error }, |value| Outcome::Answered { value }));
    }

    /// Lets the wallet act as it should; like real wallets, it emits a change of its chain before it answers.
    pub(super) fn act(&mut self, id: u32, handle: &str, method: &str, params: &Value, twice: bool) {
        let Some(wallet) = self.wallets.iter_mut().find(|wallet| wallet.handle() == handle) else { return };
        let before = wallet.chain;
        let outcome = match wallet.answer(method, params) {
            Ok(value) => Outcome::Answered { value },
            Err(error) => Outcome::Failed { error },
        };
        self.tell_chain(handle, before);
        self.resolve(id, outcome.clone());
        if twice {
            self.resolve(id, outcome);
        }
    }

    /// Emits the wallet's new chain if it changed (EIP-1193).
    fn tell_chain(&mut self, handle: &str, before: u64) {
        let Some(wallet) = self.wallets.iter().find(|wallet| wallet.handle() == handle && wallet.watched) else {
            return;
        };
        if wallet.chain != before {
            let chain = Value::Text(format!("{:#x}", wallet.chain));
            self.happen(Event::Network(portico_core::network::Event::ChainChanged { handle: handle.into(), chain }));
        }
    }
}
