//! Sign-in with a wallet (SIWX, spec 4.24 to 4.28): after a connection the site is asked for its sessions, and without one the visitor signs
//! the site's message. The site's own functions are called by effects; they may throw or never answer.

mod feature;
mod message;
mod sessions;
mod signing;
mod view;

pub use message::STALE;
pub use sessions::FRESH;
pub use view::{Refusal, View};

use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{Operation, SignInCall};
use crate::facts::Facts;
use crate::modal::View as ModalView;
use crate::notice::AlertKey;
use crate::notice::{Message, Variant};
use crate::part::Part;
use crate::signal::Signal;
use crate::wallet;
use message::{Site, Words};
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};
use sessions::{Signed, Signer};

/// Time limit for the site to tell its sessions and to write a message, in milliseconds.
pub const PATIENCE: u64 = 10_000;

/// Time limit for the site to verify and save a session, in milliseconds.
pub const SAVING: u64 = 30_000;

/// Sign-in: events of the visitor and the wallet.
#[derive(Clone, Debug, Json)]
#[json(name = "SiwxEvent", tag = "type")]
pub enum Event {
    /// A wallet signed together with the connection that it approves next.
    WalletSigned {
        /// List of sessions, one for each chain, with the account and chain of each.
        sessions: Value,
    },
    /// The visitor wants to sign the message.
    SignAsked,
    /// The visitor does not want to sign in.
    CancelAsked,
}

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The site takes too long to answer.
    Late,
}

/// Reasons of the feature's effects, most with the number of the attempt.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Sessions of the site.
    Sessions(u32),
    /// Sessions of the site, when the visitor came back to this tab: another one may have signed in.
    Again(u32),
    /// Sessions of the site, when the visitor who signed in came back: the session may have ended.
    Still(u32),
    /// Message to sign.
    Written(u32),
    /// Signature of the wallet.
    Signed(u32),
    /// Session that the site verified and saved.
    Saved(u32),
    /// Session of the same wallet on another chain, for this account.
    SavedToo(ChainId, String),
}

/// Code for a site that does not answer: HTTP's "Service Unavailable".
const UNAVAILABLE: i64 = 503;

/// Progress of a sign-in.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SiwxPhase")]
pub enum Phase {
    /// No sign-in is in progress.
    #[default]
    Idle,
    /// The site is asked for its sessions.
    Checking,
    /// The site writes the message.
    Preparing,
    /// The visitor decides.
    Ready,
    /// The wallet is asked to sign.
    Signing,
    /// The site verifies and saves the session.
    Saving,
}

/// State of the sign-in.
#[derive(Debug, Default)]
pub struct Siwx {
    phase: Phase,
    /// Number of the attempt; answers to older ones are ignored.
    attempt: u32,
    signer: Option<Signer>,
    /// Reason why the last try failed, or why the visitor signs in again.
    refusal: Option<Refusal>,
    /// Whether the visitor cancelled here once, and was led back to the last signed network.
    returned: bool,
    /// Message of the attempt; while another one is written, the one before, which is still shown.
    words: Option<Words>,
    /// The site in its own words, once it has told.
    site: Option<Site>,
    /// Attempt whose message went to the embedded wallet with its login.
    by_login: Option<u32>,
    /// Whether that was tried for this account: a login is good for one message.
    tried: bool,
    /// Accounts and chains with a session, the last one that the site confirmed at the end.
    signed: Vec<Signed>,
    /// Sessions that a wallet signed together with its connection, as the page told them.
    ahead: Vec<Value>,
}

impl Siwx {
    /// Whether the site has a session of this account, as it said last.
    pub fn is_signed_in(&self, chain: &ChainId, address: &str) -> bool {
        self.signed.iter().any(|signed| signed.chain == *chain && signed.address == address)
    }

    /// Whether the site was asked about this account, or has a session of it.
    pub fn knows(&self, chain: &ChainId, address: &str) -> bool {
        let is_it = |on: &ChainId, of: &str| on.namespace() == chain.namespace() && of == address;
        self.signer.as_ref().is_some_and(|signer| is_it(&signer.chain, &signer.address))
            || self.signed.iter().any(|signed| is_it(&signed.chain, &signed.address))
    }

    /// An account connected, or another account or network became active (spec 4.25).
    fn look(&mut self, cx: &mut Cx) {
        let signer = Signer::of(cx.facts);
        let shown = cx.facts.view == Some(ModalView::SIWXSignMessage);
        let confirmed = self.signed.iter().find(|signed| signer.as_ref().is_some_and(|signer| signer.is(signed)));
        // A host that shows the view may have heard of the end of the session.
        let known = confirmed.is_some_and(|signed| !shown && cx.now < signed.confirmed + FRESH);
        if signer.is_some() && self.signer == signer && (self.phase != Phase::Idle || !(shown || confirmed.is_some())) {
            return;
        }
        self.stop(cx);
        self.words = None;
        self.signer = signer;
        self.tried = false;
        self.returned = false;
        if known {
            self.ahead.clear();
        }
        if self.signer.is_none() && cx.facts.sign_in_due {
            // Each network signs in for itself, and this one can't.
            self.refusal = Some(Refusal::Network);
            return cx.signal(Signal::SignInDue);
        }
        if self.signer.is_none() || known {
            return cx.signal(Signal::SignInSettled);
        }
        // A form that a change of the network leaves open pays without a session.
        if cx.facts.sign_in_due
            && cx.facts.view.and_then(ModalView::part).is_some_and(|part| !matches!(part, Part::Siwx | Part::Embedded))
        {
            cx.signal(Signal::SignInDue);
        }
        if !self.save_signed(cx) {
            self.check(cx);
        }
    }

    /// Asks the site for its sessions.
    fn check(&mut self, cx: &mut Cx) {
        self.phase = Phase::Checking;
        self.ask(SignInCall::GetSessions, Vec::new(), Reason::Sessions(self.attempt), Some(PATIENCE), cx);
    }

    fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            // The site could not tell whether there is a session.
            Event::SignAsked if self.phase == Phase::Ready && self.words.is_none() => {
                self.stop(cx);
                self.check(cx);
            }
            Event::SignAsked if self.phase == Phase::Ready => {
                self.refusal = None;
                cx.signal(Signal::Track(Tracked::new(Name::ClickSignSiwx)));
                cx.say(Variant::Loading, Message::Authenticating);
                match self.words.as_ref().is_some_and(|words| cx.now < words.stale) {
                    true => self.sign(cx),
                    false => self.write(Phase::Signing, cx),
                }
            }
            Event::SignAsked => {}
            Event::WalletSigned { sessions: Value::List(sessions) } => self.ahead = sessions,
            Event::WalletSigned { .. } => {}
            Event::CancelAsked => {
                cx.signal(Signal::Track(Tracked::new(Name::ClickCancelSiwx)));
                self.ahead.clear();
                self.stop(cx);
                let required = cx.facts.options.sign_in_required;
                let back = self.way_back(cx.facts);
                self.returned = true;
                match back {
                    Some(chain) => {
                        cx.signal(Signal::SignInLeft(chain));
                        if required {
                            // The visitor is not signed in until the wallet is on that network.
                            self.write(Phase::Preparing, cx);
                        }
                    }
                    None => cx.signal(if required { Signal::SignInRefused } else { Signal::SignInCanceled }),
                }
            }
        }
    }

    fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            // The answer belongs to an abandoned attempt.
            Reason::Sessions(attempt)
            | Reason::Again(attempt)
            | Reason::Still(attempt)
            | Reason::Written(attempt)
            | Reason::Signed(attempt)
            | Reason::Saved(attempt)
                if attempt != self.attempt => {}
            Reason::Again(_) => {
                if answer.is_ok_and(|sessions| sessions.as_list().is_some_and(|list| !list.is_empty())) {
                    self.done(cx);
                }
            }
            // A site that can't tell ends no session.
            Reason::Still(_) => match answer {
                Ok(Value::List(sessions)) if sessions.is_empty() && self.phase == Phase::Idle => {
                    self.forget(cx.facts);
                    self.refusal = Some(Refusal::Ended);
                    if cx.facts.options.sign_in_required {
                        cx.signal(Signal::SignInDue);
                        self.write(Phase::Preparing, cx);
                    } else {
                        cx.say(Variant::Error, Message::SignInEnded);
                    }
                }
                Ok(Value::List(_)) => self.confirm(cx),
                _ => {}
            },
            Reason::Sessions(_) => match answer {
                Ok(Value::List(sessions)) if sessions.is_empty() => {
                    self.refusal = self.confirmed().map(|_| Refusal::Ended);
                    self.forget(cx.facts);
                    cx.signal(Signal::SignInDue);
                    self.write(Phase::Preparing, cx);
                }
                Ok(Value::List(_)) => {
                    self.stop(cx);
                    self.confirm(cx);
                    cx.signal(Signal::SignInFound);
                }
                Ok(_) => self.failed(SignInCall::GetSessions, "not a list", cx),
                Err(error) => self.failed(SignInCall::GetSessions, &error.message, cx),
            },
            Reason::Written(_) => match answer.map_err(|error| error.message).and_then(|said| {
                self.site = Some(Site::read(&said));
                Words::read(&said, &cx.facts.environment.origin, cx.now).map_err(String::from)
            }) {
                Ok(words) => {
                    cx.stop(Alarm::Late);
                    self.words = Some(words);
                    match self.phase {
                        Phase::Signing => self.sign(cx),
                        _ => self.sign_by_login(cx),
                    }
                }
                Err(why) => self.failed(SignInCall::CreateMessage, &why, cx),
            },
            Reason::Signed(_) => match answer {
                // Spec 5.32: another text is no signature, which the site would only refuse.
                Ok(answer) => match wallet::signature(self.namespace(), &answer).map(String::from) {
                    Some(signature) => self.save(signature, None, cx),
                    None => self.refused(RpcError::nonsense("The wallet's answer isn't a signature"), cx),
                },
                Err(error) => self.refused(error, cx),
            },
            Reason::Saved(_) => match answer {
                Ok(told) => {
                    cx.signal(Signal::Track(self.tracked(Name::SiwxAuthSuccess, cx.facts)));
                    self.save_others(&told, cx);
                    self.done(cx);
                }
                Err(error) => self.refused(error, cx),
            },
            // A site that takes each nonce once refuses it; the visitor then signs on that chain.
            Reason::SavedToo(chain, address) => {
                if answer.is_ok() && cx.facts.is_connected_in(chain.namespace()) {
                    self.signed_in(chain, address, cx);
                }
            }
        }
    }

    /// The site did not answer in time.
    fn late(&mut self, cx: &mut Cx) {
        match self.phase {
            Phase::Checking => self.failed(SignInCall::GetSessions, LATE, cx),
            Phase::Preparing | Phase::Signing => self.failed(SignInCall::CreateMessage, LATE, cx),
            Phase::Saving => self.refused(RpcError::new(UNAVAILABLE, LATE), cx),
            Phase::Idle | Phase::Ready => {}
        }
    }

    /// Asks the site for a message. In phase `Signing` the wallet signs it at once.
    fn write(&mut self, phase: Phase, cx: &mut Cx) {
        self.phase = phase;
        self.ask(SignInCall::CreateMessage, Vec::new(), Reason::Written(self.attempt), Some(PATIENCE), cx);
    }

    /// There is a session (spec 4.26).
    fn done(&mut self, cx: &mut Cx) {
        self.stop(cx);
        self.confirm(cx);
        cx.signal(Signal::SignInSettled);
    }

    /// The sign-in could not be prepared (spec 8.7). The cause is for the site's developer. A visitor with a session stays; so does one who
    /// came back and may have one, and who asks the site again where the sign-in is required.
    fn failed(&mut self, call: SignInCall, why: &str, cx: &mut Cx) {
        let unknown = call == SignInCall::GetSessions && cx.facts.came_back;
        let stays = unknown || self.confirmed().is_some();
        self.stop(cx);
        self.words = None;
        let detail = ["siwx.", call.word(), ": ", why].concat();
        cx.signal(Signal::OptionFaulted(AlertKey::SignInUnavailable, detail));
        if unknown && cx.facts.sign_in_due {
            self.phase = Phase::Ready;
            self.refusal = Some(Refusal::Silent);
            cx.signal(Signal::SignInDue);
        } else {
            self.signer = None;
            cx.signal(if stays { Signal::SignInSettled } else { Signal::SignInRefused });
        }
        cx.say(Variant::Error, Message::AuthenticationProblem);
    }

    /// Whether the site has told its sessions of the account that is to sign in.
    pub fn is_answered(&self) -> bool {
        !matches!(self.phase, Phase::Idle | Phase::Checking) && self.refusal != Some(Refusal::Silent)
    }

    /// Namespace of the account that signs in.
    fn namespace(&self) -> Namespace {
        self.signer.as_ref().map_or(Namespace::Eip155, |signer| signer.chain.namespace())
    }

    /// Abandons the attempt: its answers are ignored.
    fn stop(&mut self, cx: &mut Cx) {
        self.attempt += 1;
        self.phase = Phase::Idle;
        self.refusal = None;
        cx.stop(Alarm::Late);
    }

    /// Calls a function of the site, about the account that signs in.
    fn ask(&self, call: SignInCall, mut given: Vec<(String, Value)>, reason: Reason, limit: Option<u64>, cx: &mut Cx) {
        let Some(signer) = &self.signer else { return };
        given.extend(SignInCall::subject(&signer.chain, &signer.address));
        if let Some(limit) = limit {
            cx.start(Alarm::Late, limit);
        }
        cx.ask(Operation::AskSignIn { call, given: Value::Object(given) }, reason);
    }

    fn tracked(&self, name: Name, facts: &Facts) -> Tracked {
        let network = self.signer.as_ref().map_or(String::new(), |signer| signer.chain.to_string());
        Tracked::new(name).with("network", network).flag("isSmartAccount", facts.smart_account)
    }
}

const LATE: &str = "no answer in time";
