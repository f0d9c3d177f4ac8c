//! Messages between a client and a relay (`servers/relay/relay-server-rpc.md`).

mod error;
mod message;
mod request;

pub use error::{RelayError, RelayFault};
pub use message::{Answer, Delivery, Publication, Received, RequestId, Topic, write_answer, write_call, write_error};
pub use request::{MAX_BATCH, Receipt, Refused, RelayCall, Request};
