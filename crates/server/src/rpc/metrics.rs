//! Metrics of the RPC proxy and its nodes. Labels are chains and hosts from the configuration.

use metrics::{
    Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use portico_terms::ChainId;
use std::time::Duration;

pub(crate) const HITS: &str = "portico_rpc_cache_hits_total";
pub(crate) const MISSES: &str = "portico_rpc_cache_misses_total";
pub(crate) const STALE: &str = "portico_rpc_cache_stale_total";
pub(crate) const MERGED: &str = "portico_rpc_merged_total";
const HEDGES: &str = "portico_rpc_hedges_total";
const PARTS: &str = "portico_rpc_log_parts_total";
pub(crate) const ASKED: &str = "portico_upstream_requests_total";
const SECONDS: &str = "portico_upstream_request_seconds";
const RESTING: &str = "portico_upstream_resting";

/// Registers the description of each metric.
pub(crate) fn describe() {
    describe_counter!(HITS, "Calls answered from the cache, by chain");
    describe_counter!(MISSES, "Calls without a cache entry, by chain");
    describe_counter!(STALE, "Calls with an expired cache entry, by chain");
    describe_counter!(MERGED, "Calls that shared the response of an equal call in flight, by chain");
    describe_counter!(HEDGES, "Hedged requests to a second upstream beside a slow one, by chain");
    describe_counter!(PARTS, "Requests for a part of a log range, by chain");
    describe_counter!(ASKED, "Requests to an upstream, by outcome");
    describe_histogram!(SECONDS, "Response time of an upstream");
    describe_gauge!(RESTING, "1 while the circuit breaker of an upstream is open");
}

/// Metrics of one chain.
pub(super) struct OfChain {
    pub(super) hits: Counter,
    pub(super) misses: Counter,
    pub(super) stale: Counter,
    pub(super) merged: Counter,
    pub(super) hedges: Counter,
    pub(super) parts: Counter,
}

impl OfChain {
    pub(super) fn new(chain: &ChainId) -> OfChain {
        let of = |name: &'static str| counter!(name, "chain" => chain.to_string());
        OfChain {
            hits: of(HITS),
            misses: of(MISSES),
            stale: of(STALE),
            merged: of(MERGED),
            hedges: of(HEDGES),
            parts: of(PARTS),
        }
    }
}

/// Metrics of one upstream.
pub(super) struct NodeMetrics {
    pub(super) answered: Counter,
    pub(super) failed: Counter,
    pub(super) limited: Counter,
    pub(super) silent: Counter,
    pub(super) overtaken: Counter,
    seconds: Histogram,
    resting: Gauge,
}

impl NodeMetrics {
    pub(super) fn new(chain: &ChainId, host: &str) -> NodeMetrics {
        let of = |outcome: &'static str| counter!(ASKED, "chain" => chain.to_string(), "upstream" => host.to_owned(), "outcome" => outcome);
        NodeMetrics {
            answered: of("answered"),
            failed: of("failed"),
            limited: of("limited"),
            silent: of("silent"),
            overtaken: of("overtaken"),
            seconds: histogram!(SECONDS, "chain" => chain.to_string(), "upstream" => host.to_owned()),
            resting: gauge!(RESTING, "chain" => chain.to_string(), "upstream" => host.to_owned()),
        }
    }

    pub(super) fn took(&self, time: Duration) {
        self.answered.increment(1);
        self.seconds.record(time);
    }

    pub(super) fn rests(&self, rests: bool) {
        self.resting.set(if rests { 1.0 } else { 0.0 });
    }
}

impl Drop for NodeMetrics {
    /// Clears the resting gauge of an upstream that is no longer served.
    fn drop(&mut self) {
        self.rests(false);
    }
}
