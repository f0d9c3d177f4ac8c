//! Registration of a name below the parent of the host's server (spec 3.24, 4.29, 5.1, 7.3).

mod fault;
mod feature;
#[cfg(test)]
mod tests;
mod view;

use crate::wallet::eip155;
pub use fault::{NameFault, Trouble};
pub use view::{Suggested, View};

use crate::analytics::{Name as EventName, Tracked};
use crate::cx::Cx;
use crate::effect::HttpMethod;
use crate::facts::Facts;
use crate::http::{Request, encode};
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use portico_api::name::{NameRecord, Nonce, SignedName, Suggestion, Suggestions};
use portico_json::{Json, Value, to_text};
use portico_terms::coin_type::coin_type;
use portico_terms::ens_name::{EnsName, Label, LabelError};
use portico_terms::rpc::{RpcError, RpcErrorKind, is_signature};
use portico_terms::sign_in::{self, SignIn};
use portico_terms::{Namespace, Network};

/// Time between the last keystroke and the suggestions, in milliseconds (spec 9.3: the default debounce).
pub const DEBOUNCE: u64 = 500;

/// Maximum number of suggestions.
const MOST: usize = 6;

/// Maximum length of the typed text: more than a name may have, so that the visitor sees the error.
const LONGEST_TYPED: usize = 64;

/// HTTP status of a registration for which the name or the account is not free.
const CONFLICT: i64 = 409;

/// HTTP status of a server that got too many requests.
const BUSY: i64 = 429;

/// Maximum length of a server's error message.
const LONGEST_REASON: usize = 200;

/// Names: events of the visitor.
#[derive(Clone, Debug, Json)]
#[json(name = "NameEvent")]
pub enum Event {
    /// The visitor typed a name.
    Typed { text: String },
    /// The visitor chose a suggestion.
    SuggestionChosen {
        /// Label of the suggestion.
        label: String,
    },
    /// The visitor registers the typed name.
    RegisterAsked,
}

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The typed name has rested: similar names are requested.
    Search,
}

/// Reasons of the feature's requests.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Suggestions for this label.
    Suggestions(String),
    /// Owner of the attempt's name.
    Resolved(u32),
    /// Names of the attempt's account, requested when the name is taken.
    Owned(u32),
    /// Nonce for the attempt's message.
    Nonce(u32),
    /// Wallet signature of the attempt's message.
    Signature(u32),
    /// Registration of the attempt's name.
    Registered(u32),
}

/// Progress of a registration.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "NamePhase")]
pub enum Phase {
    /// The visitor chooses a name.
    #[default]
    Choosing,
    /// The wallet is asked for a signature.
    Signing,
    /// The server registers the name.
    Registering,
}

/// A registration in progress.
#[derive(Clone, Debug)]
struct Attempt {
    name: EnsName,
    handle: String,
    chain: u64,
    /// Body of the registration, as far as it is known.
    body: SignedName,
}

/// State of the name feature.
#[derive(Debug, Default)]
pub struct Names {
    text: String,
    pressed: bool,
    /// Error of the last attempt, and its English text.
    problem: Option<(Trouble, String)>,
    suggestions: Vec<Suggested>,
    searching: bool,
    phase: Phase,
    attempts: u32,
    attempt: Option<Attempt>,
    registered: Option<String>,
}

impl Names {
    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        if self.phase != Phase::Choosing {
            return;
        }
        match event {
            Event::Typed { text } => {
                let mut typed: String = text.trim().chars().take(LONGEST_TYPED).collect();
                typed.make_ascii_lowercase();
                self.text = typed;
                self.problem = None;
                self.searching = Label::parse(&self.text).is_ok();
                if self.searching {
                    cx.start(Alarm::Search, DEBOUNCE);
                } else {
                    self.suggestions.clear();
                    cx.stop(Alarm::Search);
                }
            }
            Event::SuggestionChosen { label } => {
                self.text = label;
                self.problem = None;
            }
            Event::RegisterAsked => self.begin(cx),
        }
    }

    /// The visitor stopped typing: requests suggestions.
    pub fn alarm(&mut self, cx: &mut Cx) {
        let (Ok(label), Some(parent)) = (Label::parse(&self.text), &cx.facts.offer.names) else { return };
        let label = label.as_str().to_owned();
        let request = Request::get(["/v1/profile/suggestions/", &encode(&label)].concat()).with("zone", parent);
        self.searching = cx.http(request, Reason::Suggestions(label));
    }

    fn begin(&mut self, cx: &mut Cx) {
        self.pressed = true;
        self.problem = None;
        let (Some(parent), None, Some((network, account))) = (&cx.facts.offer.names, self.fault(), may(cx.facts))
        else {
            return;
        };
        let Ok(name) = EnsName::parse(&self.text, parent) else { return };
        let chain = network.id.parse().unwrap_or(u64::MAX);
        // Below 2^32: a coin type is a chain id below 2^31 with the top bit set.
        let Some(coin_type) = coin_type(chain).ok().and_then(|coin| u32::try_from(coin).ok()) else {
            return self.troubled(Trouble::Network, cx);
        };
        let body = SignedName {
            coin_type,
            address: account.address.clone(),
            uri: Some(cx.facts.environment.origin.clone()),
            name: Some(name.as_str().into()),
            ..SignedName::default()
        };
        let handle = account.handle.clone();
        track(EventName::RegisterNameInitiated, name.as_str(), None, cx);
        self.attempts += 1;
        let path = ["/v1/profile/account/", &encode(name.as_str())].concat();
        self.attempt = Some(Attempt { name, handle, chain, body });
        self.phase = Phase::Signing;
        self.look_up(path, Reason::Resolved(self.attempts), cx);
    }

    /// Lookup with API version 2, where a missing name is an empty list instead of an error.
    fn look_up(&self, path: String, reason: Reason, cx: &mut Cx) {
        cx.http(Request::get(path).with("apiVersion", "2"), reason);
    }

    /// Dispatches one response.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::Suggestions(label) if label == self.text => self.suggested(answer, cx),
            Reason::Suggestions(_) => {}
            // The response belongs to an abandoned attempt.
            Reason::Resolved(attempt)
            | Reason::Owned(attempt)
            | Reason::Nonce(attempt)
            | Reason::Signature(attempt)
            | Reason::Registered(attempt)
                if attempt != self.attempts => {}
            Reason::Resolved(_) => self.resolved(answer, cx),
            Reason::Owned(_) => self.owned(answer, cx),
            Reason::Nonce(_) => self.sign(answer, cx),
            Reason::Signature(_) => self.register(answer, cx),
            Reason::Registered(_) => self.done(answer, cx),
        }
    }

    fn suggested(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.searching = false;
        match answer {
            Ok(answer) => {
                let read = |Suggestion { name, registered, reserved }: Suggestion| {
                    let label = Label::parse(name.split('.').next()?).ok()?;
                    let reserved = reserved == Some(true);
                    Some(Suggested { label: label.as_str().into(), registered: registered || reserved, reserved })
                };
                let Suggestions { suggestions } = cx.read(&answer).unwrap_or_default();
                self.suggestions = suggestions.into_iter().filter_map(read).take(MOST).collect();
                if self.fault().is_some() {
                    // The field says that the name is gone.
                    self.problem = None;
                }
            }
            // The reason of a refused registration says more.
            Err(_) => {
                self.problem.get_or_insert_with(|| (Trouble::Suggestions, Trouble::Suggestions.text("")));
            }
        }
    }

    /// Requests the nonce if the name is free. For a taken name no signature is requested.
    fn resolved(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(attempt) = &self.attempt else { return };
        match answer {
            Ok(Value::List(nobody)) if nobody.is_empty() => {
                self.look_up("/v1/profile/nonce".into(), Reason::Nonce(self.attempts), cx);
            }
            Ok(Value::Object(_)) => {
                let coin_type = attempt.body.coin_type.to_string();
                let path = ["/v1/profile/reverse/", &coin_type, "/", &encode(&attempt.body.address)].concat();
                self.look_up(path, Reason::Owned(self.attempts), cx);
            }
            _ => self.troubled(Trouble::Resolve, cx),
        }
    }

    /// A taken name may be the account's own, from an attempt whose response was lost. Else new suggestions are requested, which also mark
    /// the name as taken.
    fn owned(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(attempt) = &self.attempt else { return };
        let name = attempt.name.as_str();
        match answer.ok().and_then(|answer| cx.read::<Vec<NameRecord>>(&answer)) {
            Some(names) if names.iter().any(|record| record.name == name) => self.done(Ok(Value::Null), cx),
            Some(_) => {
                track(EventName::RegisterNameError, name, Some("taken"), cx);
                self.give_up();
                self.alarm(cx);
            }
            None => self.troubled(Trouble::Reverse, cx),
        }
    }

    fn sign(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(attempt) = &mut self.attempt else { return };
        let nonce = match answer {
            Ok(answer) => {
                cx.read(&answer).map(|Nonce { nonce }| nonce).filter(|it| it.starts_with(sign_in::name::NONCE))
            }
            Err(error) => return self.refused(&error, cx),
        };
        let issued_at = cx.now / 1000;
        let body = &mut attempt.body;
        let text = SignIn {
            uri: body.uri.as_deref().unwrap_or_default(),
            address: &body.address,
            statement: &sign_in::name::register(&attempt.name, &body.address),
            chain: attempt.chain,
            nonce: nonce.as_deref().unwrap_or_default(),
            issued_at,
        };
        let Some(message) = text.text() else { return self.refused(&RpcError::nonsense(""), cx) };
        let request = eip155::sign_text(&message, &body.address);
        (body.nonce, body.issued_at, body.message) = (nonce, Some(issued_at), message);
        cx.ask(request.to(&attempt.handle), Reason::Signature(self.attempts));
    }

    fn register(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(attempt) = &mut self.attempt else { return };
        let signature = match answer {
            // Spec 5.32: another text is no signature, which the server would only refuse.
            Ok(Value::Text(signature)) if is_signature(&signature) => signature,
            Ok(_) => return self.refused(&RpcError::nonsense(""), cx),
            Err(error) if error.kind == RpcErrorKind::UserRejected => {
                cx.say(Variant::Error, Message::declined(cx.facts.smart_account));
                return self.failed(Trouble::Declined, error.message, cx);
            }
            Err(error) => return self.refused(&error, cx),
        };
        attempt.body.signature = signature;
        let body = to_text(&attempt.body);
        self.phase = Phase::Registering;
        let request = Request::new(HttpMethod::Post, "/v1/profile/account").body(body);
        cx.http(request, Reason::Registered(self.attempts));
    }

    fn done(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if let Err(error) = answer {
            return self.refused(&error, cx);
        }
        let Some(attempt) = self.attempt.take() else { return };
        let name = attempt.name.as_str().to_owned();
        track(EventName::RegisterNameSuccess, &name, None, cx);
        self.clear(Some(name.clone()));
        cx.signal(Signal::NameRegistered { address: attempt.body.address, name });
    }

    /// The attempt failed: back to choosing (spec 4.29), with the server's message, or a general one (spec 7.3, 8.23).
    fn refused(&mut self, error: &RpcError, cx: &mut Cx) {
        // Only HTTP status codes are the server's; other codes are the wallet's or the client's.
        let reason =
            Some(sentence(&error.message)).filter(|text| (400..600).contains(&error.code) && !text.starts_with("HTTP"));
        let trouble = match error.code {
            CONFLICT => Trouble::Conflict,
            BUSY => Trouble::Busy,
            _ if reason.is_some() => Trouble::Refused,
            _ => Trouble::Register,
        };
        match reason {
            Some(reason) => self.failed(trouble, reason, cx),
            None => self.troubled(trouble, cx),
        }
        if error.code == CONFLICT {
            // Somebody else may have the name by now: the suggestions tell.
            self.alarm(cx);
        }
    }

    /// The attempt failed for a reason that has a text of the contract.
    fn troubled(&mut self, trouble: Trouble, cx: &mut Cx) {
        let name = self.attempt.as_ref().map_or("", |attempt| attempt.name.as_str());
        self.failed(trouble, trouble.text(name), cx);
    }

    fn failed(&mut self, trouble: Trouble, problem: String, cx: &mut Cx) {
        self.ended(&problem, cx);
        self.problem = Some((trouble, problem));
    }

    /// Ends the attempt without a registration.
    fn ended(&mut self, error: &str, cx: &mut Cx) {
        let name = self.attempt.as_ref().map_or("", |attempt| attempt.name.as_str());
        track(EventName::RegisterNameError, name, Some(error), cx);
        self.give_up();
    }

    fn give_up(&mut self) {
        self.attempt = None;
        self.attempts += 1;
        self.phase = Phase::Choosing;
    }

    /// The visitor left the form, or the account or network changed; a late signature is not registered.
    pub fn left(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::Search);
        if self.attempt.is_some() {
            self.ended("cancelled", cx);
        }
        let registered = self.registered.take();
        self.clear(registered);
    }

    #[inline(never)]
    fn clear(&mut self, registered: Option<String>) {
        *self = Names { registered, attempts: self.attempts + 1, ..Names::default() };
    }

    fn fault(&self) -> Option<NameFault> {
        match Label::parse(&self.text) {
            Err(LabelError::Hyphen) if !self.text.starts_with('-') && !self.text.ends_with('-') => {
                Some(NameFault::Hyphens)
            }
            Err(error) => Some(error.into()),
            Ok(label) => {
                let taken = |known: &&Suggested| known.label == label.as_str() && known.registered;
                let fault = |known: &Suggested| if known.reserved { NameFault::Reserved } else { NameFault::Taken };
                self.suggestions.iter().find(taken).map(fault)
            }
        }
    }
}

/// Network and account, if they can have names: EVM chains only (spec 6.9), and no test networks, where names are not looked up (spec
/// 4.40).
fn may(facts: &Facts) -> Option<(&Network, &crate::facts::ActiveAccount)> {
    let network = facts.active_network.as_deref().filter(|network| !network.testnet && !facts.unsupported)?;
    let account = facts.account.as_deref().filter(|account| account.namespace == Namespace::Eip155)?;
    (network.chain_namespace == Namespace::Eip155).then_some((network, account))
}

fn track(name: EventName, ens: &str, error: Option<&str>, cx: &mut Cx) {
    let mut tracked = Tracked::new(name).flag("isSmartAccount", cx.facts.smart_account).with("ensName", ens);
    if let Some(error) = error {
        tracked = tracked.with("error", error);
    }
    cx.signal(Signal::Track(tracked));
}

/// Cleans a server's error message for display; it may be longer than a name.
fn sentence(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_REASON).collect()
}
