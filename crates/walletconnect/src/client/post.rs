//! Messages on their way to a relay.

#[cfg(feature = "wallet")]
use super::SessionRequest;
use crate::relay::Publication;
#[cfg(feature = "wallet")]
use portico_json::Value;

/// Largest message that relays accept, in bytes.
const LARGEST: usize = 262_144;

/// Message on its way to a relay.
pub(super) struct Post {
    pub publication: Publication,
    /// Time at which it is given up, in epoch milliseconds.
    pub until: u64,
    pub after: OnAccepted,
    /// Ids under which it was sent: the relay may respond to any of them, late.
    pub flights: Vec<u64>,
    /// Earliest time of the next attempt, in epoch milliseconds.
    pub due: u64,
    pub refusals: u32,
}

impl Post {
    /// A message too large for any relay is given up at once.
    pub fn new(publication: Publication, until: u64, after: OnAccepted) -> Post {
        let until = if publication.message.len() > LARGEST { 0 } else { until };
        Post { publication, until, after, flights: Vec::new(), due: 0, refusals: 0 }
    }
}

/// Action once a relay has accepted a message, or once it was given up.
pub(super) enum OnAccepted {
    Nothing,
    /// Answer the command with this ticket, with this value.
    #[cfg(feature = "wallet")]
    Answer(u32, Value),
    /// Complete a settlement: topic of the session, ticket of the command.
    #[cfg(feature = "wallet")]
    Settled(String, u32),
    /// Wait for the peer's response under this id.
    Awaited(u64),
    /// Complete a wallet's response: ticket of the command, and the request that it answers.
    #[cfg(feature = "wallet")]
    Responded(u32, Box<SessionRequest>),
    /// Complete a wallet's change of a session: ticket of the command, id of the request.
    #[cfg(feature = "wallet")]
    Changed(u32, u64),
}
