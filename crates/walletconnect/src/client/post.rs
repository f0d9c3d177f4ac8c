//! Messages on their way to a relay.

#[cfg(feature = "wallet")]
use super::SessionRequest;
use crate::relay::Publication;
#[cfg(feature = "wallet")]
use portico_json::Value;

/// Letters of a message that relays carry.
const LARGEST: usize = 262_144;

/// A message on its way to the relay.
pub(super) struct Post {
    pub publication: Publication,
    /// Epoch milliseconds; given up then.
    pub until: u64,
    pub after: After,
    /// Ids under which it was sent: the relay may answer any of them, late.
    pub flights: Vec<u64>,
    /// Epoch milliseconds; not sent before.
    pub due: u64,
    pub refusals: u32,
}

impl Post {
    /// What no relay carries is given up at once.
    pub fn new(publication: Publication, until: u64, after: After) -> Post {
        let until = if publication.message.len() > LARGEST { 0 } else { until };
        Post { publication, until, after, flights: Vec::new(), due: 0, refusals: 0 }
    }
}

/// What follows when a relay has taken a message, or has not.
pub(super) enum After {
    Nothing,
    /// A command is answered with this.
    #[cfg(feature = "wallet")]
    Answer(u32, Value),
    /// A session's settlement is out: its topic, and the command that asked for it.
    #[cfg(feature = "wallet")]
    Settled(String, u32),
    /// The peer's answer is awaited, under this id.
    Awaited(u64),
    /// A wallet's answer, and the request that it answers.
    #[cfg(feature = "wallet")]
    Responded(u32, Box<SessionRequest>),
    /// A wallet changes a session, by this request.
    #[cfg(feature = "wallet")]
    Changed(u32, u64),
}
