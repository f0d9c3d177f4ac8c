//! Fuzz target: any text as a frame from a client to the relay, and from the relay to a client. A rejected frame yields a reason; an
//! accepted request has an id, a topic, and no more topics than a batch may hold.

#![allow(dead_code, reason = "the server uses what these modules have beside the reader")]

use fault::Fault;
use portico_walletconnect::relay::Received;
use request::{ClientMessage, RelayCall, read};

// Only the needed files of the server: all of it takes minutes to build with coverage.
#[path = "../../server/src/relay/fault.rs"]
mod fault;
#[path = "../../server/src/relay/id.rs"]
mod id;
#[path = "../../server/src/relay/request.rs"]
mod request;

/// Part of the server's limits that the included files refer to.
mod limits {
    pub(crate) struct Overrun;
}

/// Panics if a frame violates this.
pub fn take(text: &str) {
    match read(text) {
        Ok((ClientMessage::Request(id, call), _)) => {
            assert!(is_id(id.get()), "{id}");
            fits(&call);
        }
        Ok((ClientMessage::Acknowledged(_) | ClientMessage::Nothing, name)) => assert_eq!(name, "answer"),
        Err(refused) => {
            assert!(refused.id == "0" || is_id(&refused.id), "{}", refused.id);
            assert!(text.contains(&refused.id) || refused.id == "0");
            let answer = refused.fault.json();
            assert!(portico_json::parse(&answer).is_ok(), "{answer}");
            assert!(!matches!(refused.fault, Fault::Storage | Fault::TooManyRequests), "nothing was done yet");
        }
    }
    let _ = Received::parse(text);
}

/// Whether a JSON-RPC id is a number or text with at least ten digits.
fn is_id(id: &str) -> bool {
    let digits = id.trim_matches('"');
    digits.len() >= 10 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

fn fits(call: &RelayCall) {
    let count = match call {
        RelayCall::Publish(publications) | RelayCall::ListenAndPublish(_, publications) => {
            // PostgreSQL cannot store NUL characters.
            assert!(publications.iter().all(|one| !one.message.contains('\0')));
            publications.len()
        }
        RelayCall::Subscribe { topics, .. } | RelayCall::Unsubscribe(topics) | RelayCall::Fetch(topics) => topics.len(),
        RelayCall::Receive(receipts) => receipts.len(),
        RelayCall::WatchRegister(_) | RelayCall::WatchUnregister(_) | RelayCall::CreateTopic(_) => 1,
    };
    assert!((1..=500).contains(&count), "{count}");
}
