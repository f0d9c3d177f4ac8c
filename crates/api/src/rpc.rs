//! Chain RPC proxy (spec 7.8). Requests and responses are plain JSON-RPC 2.0 and have no type here.

use portico_json::Json;
use portico_terms::ChainId;

/// Maximum number of calls in one batch (spec 9.16).
pub const BATCH_LIMIT: usize = 1000;

/// Time limit of a response, in milliseconds (spec 9.16).
pub const TIMEOUT_MILLIS: u64 = 10_000;

/// Response of `GET /v1/supported-chains`.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct SupportedChains {
    /// Chains that `POST /v1` serves.
    pub http: Vec<ChainId>,
    /// Chains that also accept WebSocket connections.
    pub ws: Vec<ChainId>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::to_text;

    #[test]
    fn chains_are_written_as_caip_2_texts() {
        let chains = SupportedChains { http: vec![ChainId::eip155(1), ChainId::eip155(10)], ws: vec![] };
        assert_eq!(to_text(&chains), r#"{"http":["eip155:1","eip155:10"],"ws":[]}"#);
    }
}
