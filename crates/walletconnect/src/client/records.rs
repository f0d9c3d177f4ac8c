//! Stored records of the client, each under its own key so that tabs do not overwrite each other. Stored texts are hostile: an unreadable
//! one counts as absent.

use super::message::{Fields, Method};
use super::pairing::LIFETIME;
use super::post::{OnAccepted, Post};
use super::proposal::WEEK;
#[cfg(feature = "sign-in")]
use super::types::AuthPayload;
use super::types::{Participant, Session};
#[cfg(feature = "wallet")]
use super::wallet::Wallet;
use crate::crypto::{KeyPair, SymKey, message_id};
use crate::encoding::hex;
use crate::namespaces::ProposalNamespaces;
use crate::relay::Publication;
use portico_json::{Json, Read, Value, parse, to_text};

pub(super) const KEY: &str = "wc/key";
pub(super) const PAIRING: &str = "wc/pairing/";
pub(super) const SESSION: &str = "wc/session/";
pub(super) const SEEN: &str = "wc/seen/";
/// Message that one tab received and another may be waiting for.
pub(super) const HEARD: &str = "wc/heard/";
/// Message that no relay has accepted yet and that must survive a reload.
pub(super) const POST: &str = "wc/post/";

/// A pairing, on either side.
#[derive(Clone, Json)]
pub(super) struct Pairing {
    pub topic: String,
    /// Symmetric key in hex.
    pub sym_key: String,
    /// Expiry in seconds since 1970.
    pub expiry: u64,
    /// Dapp: the proposal that was offered.
    pub offer: Option<Offer>,
    /// Wallet: whether the URI announced an authentication request.
    pub authenticates: bool,
}

impl Pairing {
    pub fn key(&self) -> Option<SymKey> {
        SymKey::from_hex(&self.sym_key)
    }
}

/// Proposal that a dapp offered on a pairing.
#[derive(Clone, Json)]
pub(super) struct Offer {
    /// Id of the proposal.
    pub id: u64,
    /// X25519 secret in hex.
    pub secret: String,
    pub required: ProposalNamespaces,
    pub optional: ProposalNamespaces,
    /// Sign-in that was requested together with the proposal.
    #[cfg(feature = "sign-in")]
    pub authentication: Option<Authentication>,
    /// Set once the wallet has responded: its settlement is awaited.
    pub agreed: Option<Agreed>,
}

impl Offer {
    /// Topic on which the response to the sign-in arrives.
    pub fn response_topic(&self) -> Option<&String> {
        #[cfg(feature = "sign-in")]
        return self.authentication.as_ref().map(|asked| &asked.topic);
        #[cfg(not(feature = "sign-in"))]
        None
    }

    pub fn pair(&self) -> Option<KeyPair> {
        hex::decode32(&self.secret).map(KeyPair::from_secret)
    }
}

#[cfg(feature = "sign-in")]
#[derive(Clone, Json)]
pub(super) struct Authentication {
    /// Id of the request.
    pub id: u64,
    pub payload: AuthPayload,
    /// Topic of the response: the SHA-256 of the public key.
    pub topic: String,
}

/// Session keys agreed with the wallet that responded.
#[derive(Clone, Json)]
pub(super) struct Agreed {
    pub topic: String,
    /// Symmetric key in hex.
    pub sym_key: String,
    /// Relay on which the wallet responded.
    pub relay_url: String,
    /// Public key in hex of the only wallet that may settle.
    pub responder: String,
}

/// A session and its secret.
#[derive(Clone, Json)]
pub(super) struct SessionRecord {
    pub session: Session,
    /// Symmetric key in hex.
    pub sym_key: String,
    /// Wallet: id of the settlement that the dapp has not confirmed yet. Dapp: id of the settlement that it confirmed.
    pub settlement: Option<u64>,
    /// Dapp: id of the last update, so that an earlier one that arrives late changes nothing.
    pub updated: u64,
    /// Ids of the last requests and events, sorted, so that none is handled twice, however late a relay repeats it.
    pub heard: Vec<u64>,
}

/// Maximum number of ids in [`SessionRecord::heard`].
const IDS: usize = 128;

impl SessionRecord {
    /// A session as it begins, with its symmetric key in hex.
    pub fn new(session: Session, sym_key: String, settlement: Option<u64>) -> SessionRecord {
        SessionRecord { session, sym_key, settlement, updated: 0, heard: Vec::new() }
    }

    pub fn key(&self) -> Option<SymKey> {
        SymKey::from_hex(&self.sym_key)
    }

    /// Records the id of a request or an event and returns whether it is new. Ids begin with the time, so once the list is full an id older
    /// than all of it counts as known.
    pub fn fresh(&mut self, id: u64) -> bool {
        let Err(mut place) = self.heard.binary_search(&id) else { return false };
        if self.heard.len() >= IDS {
            if place == 0 {
                return false;
            }
            self.heard.remove(0);
            place -= 1;
        }
        self.heard.insert(place, id);
        true
    }

    /// End of the session in seconds since 1970: five minutes after the settlement unless the dapp has confirmed it.
    pub fn ends(&self) -> u64 {
        let unconfirmed = !self.session.acknowledged;
        if unconfirmed { self.session.expiry.saturating_sub(WEEK - LIFETIME) } else { self.session.expiry }
    }

    /// Whether this side is the wallet.
    pub fn controls(&self) -> bool {
        self.session.controller == self.session.own.public_key
    }
}

/// All stored records that could be read.
#[derive(Default)]
pub(super) struct Records {
    pub key: Option<[u8; 32]>,
    pub pairings: Vec<Pairing>,
    #[cfg(feature = "wallet")]
    pub wallet: Wallet,
    pub sessions: Vec<SessionRecord>,
    pub seen: Seen,
    pub posts: Vec<(String, Post)>,
}

impl Records {
    pub fn read(stored: Vec<(String, String)>) -> Records {
        let mut records = Records::default();
        for (key, text) in stored {
            if key == KEY {
                records.key = hex::decode32(&text);
            } else if key.starts_with(PAIRING) {
                records.pairings.extend(read::<Pairing>(&text).filter(|pairing| pairing.key().is_some()));
            } else if key.starts_with(SESSION) {
                records.sessions.extend(read_session(&text));
            } else if let Some(id) = key.strip_prefix(POST) {
                records.posts.extend(read_post(&text).filter(|kept| message_id(&kept.1.publication.message) == id));
            } else if let Some(topic) = key.strip_prefix(SEEN) {
                records.seen.read(topic, text);
            } else {
                #[cfg(feature = "wallet")]
                records.wallet.read(&key, &text);
            }
        }
        records
    }
}

/// Reads a session whose key yields its topic and whose URL may be a relay's.
pub(super) fn read_session(text: &str) -> Option<SessionRecord> {
    read::<SessionRecord>(text).filter(|held| {
        held.session.relay_url.starts_with("ws") && held.key().is_some_and(|key| key.topic() == held.session.topic)
    })
}

/// Tags of messages that must survive a reload: responses to requests, the end of a session, and the requests that begin one, because a
/// phone may discard the page as soon as the visitor goes to the wallet.
const LASTING: [u32; 4] =
    [Method::Propose.tag(), Method::Authenticate.tag(), Method::Request.tag() + 1, Method::Delete.tag()];

/// Whether a message must survive a reload.
pub(super) fn outlives_page(tag: u32) -> bool {
    LASTING.contains(&tag)
}

/// Record of a message to one relay, or with an empty URL to all that are configured.
pub(super) fn write_post(relay_url: &str, until: u64, publication: &Publication) -> String {
    Fields::new().text("relayUrl", relay_url).number("until", until).raw("publication", &to_text(publication)).end()
}

fn read_post(text: &str) -> Option<(String, Post)> {
    let value = parse(text).ok()?;
    let publication = Publication::read(value.get("publication")).ok()?;
    let relay_url = value.get("relayUrl").as_str().filter(|url| url.is_empty() || url.starts_with("ws"))?;
    Some((relay_url.into(), Post::new(publication, value.get("until").as_u64()?, OnAccepted::Nothing)))
}

pub(super) fn read<T: Read>(text: &str) -> Option<T> {
    T::read(&parse(text).ok()?).ok()
}

/// Public key and metadata of a peer. Unreadable metadata is left empty, since the protocol does not need it.
pub(super) fn participant(value: &Value) -> Option<Participant> {
    let public_key = hex::encode(&hex::decode32(value.get("publicKey").as_str()?)?);
    let about = value.get("metadata");
    let text = |name: &str| about.get(name).as_str().unwrap_or_default().to_owned();
    let icons = about.get("icons").as_list().unwrap_or_default();
    let icons = icons.iter().filter_map(|icon| icon.as_str().map(Into::into)).collect();
    let redirect = Option::read(about.get("redirect")).unwrap_or_default();
    let metadata =
        super::Metadata { name: text("name"), description: text("description"), url: text("url"), icons, redirect };
    Some(Participant { public_key, metadata })
}

/// Value of an optional field; `None` for null.
pub(super) fn present(value: &Value) -> Option<Value> {
    Some(value.clone()).filter(|value| !value.is_null())
}

/// Messages that were processed already: for each topic the first letters of its last message hashes.
#[derive(Default)]
pub(super) struct Seen(Vec<(String, String)>);

/// Stored letters per hash, and stored hashes per topic.
const MARK: usize = 16;
const MARKS: usize = 64;
/// Pseudo-topic for sent messages. Not stored, since an echo comes at once.
pub(super) const OWN: &str = "";

impl Seen {
    fn read(&mut self, topic: &str, text: String) {
        if text.is_ascii() && text.len().is_multiple_of(MARK) && text.len() <= MARK * MARKS {
            self.0.push((topic.into(), text));
        }
    }

    pub fn has(&self, topic: &str, message_id: &str) -> bool {
        self.0
            .iter()
            .filter(|known| known.0 == topic || known.0 == OWN)
            .any(|(_, marks)| (0..marks.len()).step_by(MARK).any(|at| marks[at..at + MARK] == message_id[..MARK]))
    }

    /// Adds a message and returns the record of the topic, to be stored.
    pub fn add(&mut self, topic: &str, message_id: &str) -> &str {
        let index = self.0.iter().position(|known| known.0 == topic).unwrap_or_else(|| {
            self.0.push((topic.into(), String::new()));
            self.0.len() - 1
        });
        let marks = &mut self.0[index].1;
        if marks.len() >= MARK * MARKS {
            marks.drain(..MARK);
        }
        marks.push_str(&message_id[..MARK]);
        marks
    }

    /// Removes topics that are no longer in use and returns them.
    pub fn keep(&mut self, live: impl Fn(&str) -> bool) -> Vec<String> {
        let live = |topic: &str| topic == OWN || live(topic);
        let gone = self.0.iter().filter(|known| !live(&known.0)).map(|known| known.0.clone()).collect();
        self.0.retain(|known| live(&known.0));
        gone
    }
}
