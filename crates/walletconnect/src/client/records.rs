//! What the client keeps, one record a key so that tabs do not overwrite each other. Stored texts are hostile: unreadable is absent.

use super::message::{Fields, Method};
use super::pairing::LIFETIME;
use super::post::{After, Post};
use super::proposal::WEEK;
#[cfg(feature = "wallet")]
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
/// What a tab heard and another may await.
pub(super) const HEARD: &str = "wc/heard/";
/// A message that no relay has taken and that a reload must not lose.
pub(super) const POST: &str = "wc/post/";

/// A pairing, on either side.
#[derive(Clone, Json)]
pub(super) struct Pairing {
    pub topic: String,
    /// Hex.
    pub sym_key: String,
    /// Seconds since 1970.
    pub expiry: u64,
    /// The dapp's: what was offered.
    pub offer: Option<Offer>,
    /// The wallet's: an authentication will be asked.
    pub authenticates: bool,
}

impl Pairing {
    pub fn key(&self) -> Option<SymKey> {
        SymKey::from_hex(&self.sym_key)
    }
}

/// What a dapp offered on a pairing.
#[derive(Clone, Json)]
pub(super) struct Offer {
    /// Of the proposal.
    pub id: u64,
    /// Hex of the X25519 secret.
    pub secret: String,
    pub required: ProposalNamespaces,
    pub optional: ProposalNamespaces,
    /// A sign-in that was asked beside the proposal.
    #[cfg(feature = "wallet")]
    pub authentication: Option<Authentication>,
    /// Set when the wallet has answered: its settlement is awaited.
    pub agreed: Option<Agreed>,
}

impl Offer {
    /// Where the answer to its sign-in comes.
    pub fn response_topic(&self) -> Option<&String> {
        #[cfg(feature = "wallet")]
        return self.authentication.as_ref().map(|asked| &asked.topic);
        #[cfg(not(feature = "wallet"))]
        None
    }

    pub fn pair(&self) -> Option<KeyPair> {
        hex::decode32(&self.secret).map(KeyPair::from_secret)
    }
}

#[cfg(feature = "wallet")]
#[derive(Clone, Json)]
pub(super) struct Authentication {
    /// Of the request.
    pub id: u64,
    pub payload: AuthPayload,
    /// Where the answer comes: the SHA-256 of the public key.
    pub topic: String,
}

/// What follows from a wallet's answer.
#[derive(Clone, Json)]
pub(super) struct Agreed {
    pub topic: String,
    /// Hex.
    pub sym_key: String,
    /// On which the wallet answered.
    pub relay_url: String,
    /// Hex; who alone may settle.
    pub responder: String,
}

/// A session and its secret.
#[derive(Clone, Json)]
pub(super) struct SessionRecord {
    pub session: Session,
    /// Hex.
    pub sym_key: String,
    /// The wallet's: its settlement that the dapp has not confirmed. The dapp's: the settlement that it confirmed.
    pub settlement: Option<u64>,
    /// The dapp's: the last update, so that an earlier one that comes late changes nothing.
    pub updated: u64,
    /// The last requests and events, in order, so that none is heard again however late a relay says it.
    pub heard: Vec<u64>,
}

/// Ids of [`SessionRecord::heard`].
const IDS: usize = 128;

impl SessionRecord {
    pub fn key(&self) -> Option<SymKey> {
        SymKey::from_hex(&self.sym_key)
    }

    /// Takes the id of a request or an event; whether it is a new one. They begin with the time, so one before all that are kept is not.
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

    /// Seconds since 1970 at which it ends: five minutes after a settlement that nobody confirmed.
    pub fn ends(&self) -> u64 {
        let unconfirmed = !self.session.acknowledged;
        if unconfirmed { self.session.expiry.saturating_sub(WEEK - LIFETIME) } else { self.session.expiry }
    }

    /// Whether this side is the wallet.
    pub fn controls(&self) -> bool {
        self.session.controller == self.session.own.public_key
    }
}

/// All that was stored and can be read.
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

/// A session whose key leads to its topic, on what may be a relay.
pub(super) fn read_session(text: &str) -> Option<SessionRecord> {
    read::<SessionRecord>(text).filter(|held| {
        held.session.relay_url.starts_with("ws") && held.key().is_some_and(|key| key.topic() == held.session.topic)
    })
}

/// Answers to requests, and the end of a session.
pub(super) fn outlives_page(tag: u32) -> bool {
    tag == Method::Request.tag() + 1 || tag == Method::Delete.tag()
}

pub(super) fn write_post(relay_url: &str, until: u64, publication: &Publication) -> String {
    Fields::new().text("relayUrl", relay_url).number("until", until).raw("publication", &to_text(publication)).end()
}

fn read_post(text: &str) -> Option<(String, Post)> {
    let value = parse(text).ok()?;
    let publication = Publication::read(value.get("publication")).ok()?;
    let relay_url = value.get("relayUrl").as_str().filter(|url| url.starts_with("ws"))?;
    Some((relay_url.into(), Post::new(publication, value.get("until").as_u64()?, After::Nothing)))
}

pub(super) fn read<T: Read>(text: &str) -> Option<T> {
    T::read(&parse(text).ok()?).ok()
}

/// What a peer tells about itself, as far as it can be read: nothing of it is needed to speak with it.
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

/// A value that may be missing.
pub(super) fn present(value: &Value) -> Option<Value> {
    Some(value.clone()).filter(|value| !value.is_null())
}

/// Which messages were dealt with already: the start of each one's hash, the last of each topic.
#[derive(Default)]
pub(super) struct Seen(Vec<(String, String)>);

/// Letters of a hash that are kept, and hashes of a topic.
const MARK: usize = 16;
const MARKS: usize = 64;
/// In the place of a topic: what was sent. Not stored, since an echo comes at once.
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

    /// The record of the topic, to be stored.
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

    /// Forgets topics that nobody listens to; tells which.
    pub fn keep(&mut self, live: impl Fn(&str) -> bool) -> Vec<String> {
        let live = |topic: &str| topic == OWN || live(topic);
        let gone = self.0.iter().filter(|known| !live(&known.0)).map(|known| known.0.clone()).collect();
        self.0.retain(|known| live(&known.0));
        gone
    }
}
