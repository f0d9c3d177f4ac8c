//! Address of a name, read on the chain through the Universal Resolver of ENS. Two nodes have to agree on each step, so neither the host's
//! server nor a single node decides whom the visitor pays. Gateways of names (EIP-3668) may be anybody's: contracts verify their answers.

use super::Reason;
use crate::cx::Cx;
use crate::effect::{HttpMethod, Operation};
use crate::rpc::{DISAGREED, NO_ENDPOINT, TIMEOUT, UNPROVEN, reverted};
use crate::wallet::eip155;
use portico_calldata::ens::{self, Answer, ETHER, Lookup, Name, UNIVERSAL_RESOLVER};
use portico_calldata::hex;
use portico_json::Value;
use portico_terms::address::to_checksum;
use portico_terms::rpc::RpcError;

/// Steps of a resolution at most. Resolutions that begin at different times have different numbers.
const STEPS: u32 = 64;

/// Maximum number of nested lookups for a coin type (EIP-3668 asks for at least four).
const HOPS: u32 = 4;

/// Outcome of a resolution.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Resolved {
    /// Address with its checksum; `elsewhere` if it is that for Ethereum and the name has none for the chain.
    Address { address: String, elsewhere: bool },
    /// The name has no address.
    Nobody,
    /// Nodes or gateways did not answer.
    Failed,
    /// Two nodes gave different answers.
    Disputed,
    /// Nobody but the host's own server answered.
    Unproven,
    /// No node of the chain of names is known.
    Unserved,
}

/// A resolution in progress.
#[derive(Debug)]
pub struct Resolution {
    name: Name,
    /// Coin type that is asked for, and that of the chain on which is paid.
    coin: u64,
    own: Option<u64>,
    /// Number of the current question or round of queries; an answer to an earlier one, or of an earlier resolution, is ignored.
    step: u32,
    hops: u32,
    fetching: Option<Fetching>,
    /// Whether gateways may be asked. The visitor did not type a name that the server gives an address, and a gateway would learn who asks.
    asks_gateways: bool,
}

/// Queries at gateways, with the number of gateways tried and the answer of each.
#[derive(Debug)]
struct Fetching {
    lookup: Lookup,
    tried: Vec<usize>,
    answers: Vec<Option<Answer>>,
}

impl Resolution {
    /// Asks for the address of a name in normal form on the chain of this coin type; `None` if it cannot be a name.
    pub fn start(normal: &str, own: Option<u64>, text: &str, cx: &mut Cx) -> Option<Resolution> {
        let name = Name::new(normal)?;
        let step = (cx.now as u32).wrapping_mul(STEPS);
        let mut resolution =
            Resolution { name, coin: own.unwrap_or(ETHER), own, step, hops: 0, fetching: None, asks_gateways: true };
        resolution.ask(text, cx);
        Some(resolution)
    }

    /// Fails where the name's address comes from a gateway.
    pub fn without_gateways(self) -> Resolution {
        Resolution { asks_gateways: false, ..self }
    }

    fn ask(&mut self, text: &str, cx: &mut Cx) {
        self.hops = 0;
        let question = self.name.question(self.coin);
        self.call(question, text, cx);
    }

    fn call(&mut self, data: String, text: &str, cx: &mut Cx) {
        self.step = self.step.wrapping_add(1);
        self.fetching = None;
        let call = vec![("to".into(), UNIVERSAL_RESOLVER.into()), ("data".into(), Value::Text(data))];
        let params = vec![Value::Object(call), "latest".into()];
        cx.call_proven(
            &cx.facts.options.ens_chain.clone(),
            eip155::CALL,
            params,
            Reason::Resolved(text.into(), self.step),
        );
    }

    /// Takes the answer of the contract. `None` while the resolution goes on.
    pub fn answered(
        &mut self,
        step: u32,
        answer: Result<Value, RpcError>,
        text: &str,
        cx: &mut Cx,
    ) -> Option<Resolved> {
        if step != self.step || self.fetching.is_some() {
            return None;
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                return Some(match error.code {
                    DISAGREED => Resolved::Disputed,
                    UNPROVEN => Resolved::Unproven,
                    NO_ENDPOINT => Resolved::Unserved,
                    _ => Resolved::Failed,
                });
            }
        };
        if let Some(revert) = reverted(&answer) {
            if let Some(lookup) = Lookup::read(revert, UNIVERSAL_RESOLVER) {
                return self.fetch(lookup, text, cx);
            }
            return if ens::gateway_failed(revert) { Some(Resolved::Failed) } else { self.none(text, cx) };
        }
        match answer.as_str().and_then(|result| ens::address(result, self.coin)) {
            Some(Some(address)) => {
                let elsewhere = self.coin == ETHER && self.own != Some(ETHER);
                Some(Resolved::Address { address: to_checksum(&hex::text(&address)), elsewhere })
            }
            Some(None) => self.none(text, cx),
            // A chain without the contract answers "0x".
            None => Some(Resolved::Failed),
        }
    }

    /// There is no address of the coin type: asks for that of Ethereum.
    fn none(&mut self, text: &str, cx: &mut Cx) -> Option<Resolved> {
        if self.coin == ETHER {
            return Some(Resolved::Nobody);
        }
        self.coin = ETHER;
        self.ask(text, cx);
        None
    }

    fn fetch(&mut self, lookup: Lookup, text: &str, cx: &mut Cx) -> Option<Resolved> {
        if self.hops == HOPS || !self.asks_gateways {
            return Some(Resolved::Failed);
        }
        self.hops += 1;
        self.step = self.step.wrapping_add(1);
        let count = lookup.queries.len();
        self.fetching = Some(Fetching { lookup, tried: vec![0; count], answers: vec![None; count] });
        for query in 0..count {
            self.try_gateway(query, 404, text, cx);
        }
        self.go_on(text, cx)
    }

    /// Sends a query to its next gateway; without another one the query ends with the status.
    fn try_gateway(&mut self, query: usize, status: u16, text: &str, cx: &mut Cx) {
        let Some(Fetching { lookup, tried, answers }) = &mut self.fetching else { return };
        let Some((url, body)) = lookup.queries[query].request(tried[query]) else {
            answers[query] = Some(Err(status));
            return;
        };
        tried[query] += 1;
        let method = if body.is_some() { HttpMethod::Post } else { HttpMethod::Get };
        let reason = Reason::Gateway(text.into(), self.step, query);
        cx.ask(Operation::SendHttp { method, url, body, timeout: TIMEOUT }, reason);
    }

    /// Takes the answer of a gateway. A status of 4xx is final; on any other failure the next gateway is tried.
    pub fn fetched(
        &mut self,
        step: u32,
        query: usize,
        answer: Result<Value, RpcError>,
        text: &str,
        cx: &mut Cx,
    ) -> Option<Resolved> {
        let fetching = self.fetching.as_mut().filter(|_| step == self.step)?;
        if query >= fetching.answers.len() {
            return None;
        }
        let data = answer.as_ref().ok().and_then(|answer| answer.get("data").as_str()).and_then(hex::bytes);
        match (data, answer) {
            (Some(data), _) => fetching.answers[query] = Some(Ok(data)),
            (None, Err(error)) if (400..500).contains(&error.code) => {
                fetching.answers[query] = Some(Err(u16::try_from(error.code).unwrap_or(404)));
            }
            _ => self.try_gateway(query, 503, text, cx),
        }
        self.go_on(text, cx)
    }

    /// Hands the answers to the contract once all are there.
    fn go_on(&mut self, text: &str, cx: &mut Cx) -> Option<Resolved> {
        let fetching = self.fetching.as_ref()?;
        let answers: Option<Vec<Answer>> = fetching.answers.iter().cloned().collect();
        match fetching.lookup.callback(&answers?) {
            Some(call) => {
                self.call(call, text, cx);
                None
            }
            None => Some(Resolved::Failed),
        }
    }
}
