//! Reads of libraries that use a session's provider: sent as the core's own reads are, with its batches, ranks and retries (spec 7.8, 8.53).

use super::{Alarm, Reason};
use crate::cx::Cx;
use crate::effect::HostError;
use crate::network::NetworkFault;
use portico_json::Value;
use portico_terms::ChainId;
use portico_terms::rpc::RpcError;

/// Delay in milliseconds in which reads are collected for a batch (spec 9.16).
const WAIT: u64 = 0;

#[derive(Debug)]
struct Read {
    chain: ChainId,
    method: String,
    params: Vec<Value>,
    ticket: u32,
}

/// Reads that wait for their batch: a library sends each by a call of its own.
#[derive(Debug, Default)]
pub(super) struct Reads(Vec<Read>);

impl Reads {
    pub fn ask(&mut self, chain: &str, method: String, params: Vec<Value>, ticket: u32, cx: &mut Cx) {
        let Ok(chain) = chain.parse() else {
            return cx.reject_host(Some(ticket), NetworkFault::NetworkNotFound.into());
        };
        self.0.push(Read { chain, method, params, ticket });
        cx.start(Alarm::Reads, WAIT);
    }

    pub fn send(&mut self, cx: &mut Cx) {
        for Read { chain, method, params, ticket } in self.0.drain(..) {
            cx.call_for_library(&chain, &method, params, Reason::Read(ticket));
        }
    }
}

pub(super) fn answer(ticket: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
    match answer {
        Ok(response) => cx.resolve_host(Some(ticket), response),
        Err(error) => cx.reject_host(Some(ticket), HostError::from(&error)),
    }
}
