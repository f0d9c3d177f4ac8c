//! State that every part of the client needs: time, random bytes, collected outputs.

use super::{Event, Output, RpcError};
use crate::drbg::Drbg;
use portico_json::{Value, Write, to_text};

/// Code for a relay that could not be reached, or did not accept a message in time (EIP-1193 "disconnected").
pub(super) const UNREACHABLE: i64 = 4900;

pub(super) struct World {
    /// Time of the current input, in epoch milliseconds.
    pub now: u64,
    pub random: Drbg,
    pub outputs: Vec<Output>,
    last_id: u64,
    sockets: u32,
}

impl World {
    pub fn new(seed: [u8; 32], now: u64) -> World {
        World { now, random: Drbg::new(seed), outputs: Vec::new(), last_id: 0, sockets: 0 }
    }

    /// Time of the current input, in epoch seconds.
    pub fn seconds(&self) -> u64 {
        self.now / 1000
    }

    /// New request id of 16 digits: milliseconds and three random digits, never the same twice.
    pub fn id(&mut self) -> u64 {
        let id = self.now * 1000 + self.random.below(1000);
        self.last_id = id.max(self.last_id + 1);
        self.last_id
    }

    /// Number of a new socket.
    pub fn socket(&mut self) -> u32 {
        self.sockets += 1;
        self.sockets
    }

    pub fn emit(&mut self, event: Event) {
        self.outputs.push(Output::Told { event: Box::new(event) });
    }

    pub fn answer(&mut self, ticket: u32, value: Value) {
        self.outputs.push(Output::Answered { ticket, value });
    }

    pub fn refuse(&mut self, ticket: u32, error: RpcError) {
        self.outputs.push(Output::Refused { ticket, code: error.code, message: error.message, data: error.data });
    }

    pub fn store<T: Write>(&mut self, kind: &str, name: &str, value: &T) {
        self.outputs.push(Output::Store { key: [kind, name].concat(), value: to_text(value) });
    }

    pub fn remove(&mut self, kind: &str, name: &str) {
        self.outputs.push(Output::Remove { key: [kind, name].concat() });
    }
}

/// Error without data.
pub(super) fn error(code: i64, message: &str) -> RpcError {
    RpcError { code, message: message.into(), data: None }
}
