//! What is counted of the proxy and of its nodes for those who run the server. Labels are chains and hosts of the configuration.

use metrics::{
    Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use portico_terms::ChainId;
use std::time::Duration;

const HITS: &str = "portico_rpc_cache_hits_total";
const MISSES: &str = "portico_rpc_cache_misses_total";
const STALE: &str = "portico_rpc_cache_stale_total";
const MERGED: &str = "portico_rpc_merged_total";
const HEDGES: &str = "portico_rpc_hedges_total";
const PARTS: &str = "portico_rpc_log_parts_total";
const ASKED: &str = "portico_upstream_requests_total";
const SECONDS: &str = "portico_upstream_request_seconds";
const RESTING: &str = "portico_upstream_resting";

/// Says of each what it is.
pub(crate) fn describe() {
    describe_counter!(HITS, "Calls answered by what was kept, by chain");
    describe_counter!(MISSES, "Calls of which nothing was kept, by chain");
    describe_counter!(STALE, "Calls of which only what holds no more was kept, by chain");
    describe_counter!(MERGED, "Calls answered by an equal one that was asked already, by chain");
    describe_counter!(HEDGES, "Second upstreams asked beside one that is slow, by chain");
    describe_counter!(PARTS, "Questions for a part of a range of logs, by chain");
    describe_counter!(ASKED, "Questions to an upstream, by what became of them");
    describe_histogram!(SECONDS, "How long an upstream took for an answer");
    describe_gauge!(RESTING, "1 while an upstream that failed is asked last");
}

/// Of one chain.
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

/// Of one upstream.
pub(super) struct OfNode {
    pub(super) answered: Counter,
    pub(super) failed: Counter,
    pub(super) limited: Counter,
    pub(super) silent: Counter,
    pub(super) overtaken: Counter,
    seconds: Histogram,
    resting: Gauge,
}

impl OfNode {
    pub(super) fn new(chain: &ChainId, host: &str) -> OfNode {
        let of = |outcome: &'static str| counter!(ASKED, "chain" => chain.to_string(), "upstream" => host.to_owned(), "outcome" => outcome);
        OfNode {
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

impl Drop for OfNode {
    /// One that is not served any more does not rest for ever.
    fn drop(&mut self) {
        self.rests(false);
    }
}
