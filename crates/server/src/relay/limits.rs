//! Rate limits per client, and per visitor across all its clients: clients make their own keys, so a new key costs nothing. They apply
//! to publishing, new topics and other requests. Each node counts alone: a Redis request per message would cost more than the message,
//! and a client is connected to one node at a time.

use super::id::ClientId;
use crate::config;
use crate::shared::{Bucket, Limit, Rate, Shared};
use std::net::IpAddr;

/// The rate limit is exceeded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overrun;

/// Owner of the rate limits of a request.
#[derive(Clone, Copy)]
pub(super) struct Who {
    pub(super) client: ClientId,
    pub(super) visitor: IpAddr,
}

/// Size of a message, in bytes, from which it costs more than one. Most have less than four thousand.
const LARGE: usize = 32 * 1024;

/// Rate limit of a client, and of all clients of one visitor.
type Rates = [Option<Rate>; 2];

pub(super) struct Limits {
    publishes: Rates,
    new_topics: Rates,
    requests: Rates,
    spent: Shared,
}

impl Limits {
    pub(super) fn new(config: &config::Relay) -> Limits {
        Limits {
            publishes: [config.publishes, config.visitor_publishes],
            new_topics: [config.new_topics, config.visitor_new_topics],
            requests: [config.requests, config.visitor_requests],
            spent: Shared::in_memory(),
        }
    }

    /// Charges messages of these sizes in bytes: one each, and one more for each full [`LARGE`].
    pub(super) async fn publish(&self, who: Who, sizes: impl Iterator<Item = usize>) -> Result<(), Overrun> {
        let cost = sizes.map(|bytes| 1 + bytes / LARGE).sum();
        self.spend("publish", who, cost, self.publishes).await
    }

    pub(super) async fn come_to(&self, who: Who, topics: usize) -> Result<(), Overrun> {
        self.spend("topic", who, topics, self.new_topics).await
    }

    /// Charges other requests, by their number of statements.
    pub(super) async fn ask(&self, who: Who, statements: usize) -> Result<(), Overrun> {
        self.spend("ask", who, statements, self.requests).await
    }

    async fn spend(&self, what: &str, who: Who, cost: usize, rates: Rates) -> Result<(), Overrun> {
        if cost == 0 {
            return Ok(());
        }
        let names = [format!("{what}:{}", who.client), format!("{what}:{}", who.visitor)];
        let bucket = |(key, rate): (String, Option<Rate>)| Some(Bucket { key, limit: Limit::Rate(rate?) });
        let buckets: Vec<Bucket> = names.into_iter().zip(rates).filter_map(bucket).collect();
        let cost = u32::try_from(cost).unwrap_or(u32::MAX);
        self.spent.spend_each(&buckets, cost).await.map_err(|_| Overrun)
    }
}
