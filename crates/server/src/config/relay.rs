//! `[relay]`: the WalletConnect relay, its addresses and its limits.

use super::file::Read;
use crate::shared::Rate;
use reqwest::Url;

pub(super) const SETTINGS: &[&str] = &[
    "relay.enabled",
    "relay.urls",
    "relay.max_message_kib",
    "relay.max_ttl_seconds",
    "relay.messages_per_topic",
    "relay.mib_per_topic",
    "relay.topics_per_client",
    "relay.subscribers_per_topic",
    "relay.publishes_per_second",
    "relay.publish_burst",
    "relay.new_topics_per_second",
    "relay.new_topic_burst",
    "relay.sockets_per_client",
    "relay.mib_total",
    "relay.mib_per_visitor",
    "relay.mib_per_project",
    "relay.subscriptions_total",
    "relay.subscriptions_per_visitor",
    "relay.subscriptions_per_project",
    "relay.requests_per_second",
    "relay.request_burst",
    "relay.visitor_new_topics_per_second",
    "relay.visitor_new_topic_burst",
    "relay.visitor_publishes_per_second",
    "relay.visitor_publish_burst",
    "relay.visitor_requests_per_second",
    "relay.visitor_request_burst",
];

const MOST: usize = 1_000_000;
const MOST_SUBSCRIPTIONS: usize = 1_000_000_000;
/// 30 days, the lifetime of a subscription.
const DEFAULT_TTL: &str = "2592000";
/// As many topics as one batch holds.
const DEFAULT_TOPIC_BURST: &str = "500";

/// Settings of the WalletConnect relay.
#[derive(Clone, Debug)]
pub struct Relay {
    /// Audiences accepted in clients' tokens, besides the public URL of the server. Without either, any loopback name of this machine is
    /// accepted.
    pub urls: Vec<Url>,
    /// Maximum size of a message, in bytes of the encoded envelope.
    pub max_message: usize,
    /// Maximum lifetime of a message, in seconds.
    pub max_ttl: u64,
    /// Maximum number of stored messages per receiver and topic.
    pub messages_per_topic: usize,
    /// Maximum size of these messages, in bytes.
    pub bytes_per_topic: usize,
    /// Maximum number of topics that one client may subscribe to.
    pub topics_per_client: usize,
    /// Maximum number of subscribers per topic.
    pub subscribers_per_topic: usize,
    /// Rate limit of publishing per client; `None` for no limit.
    pub publishes: Option<Rate>,
    /// Rate limit of new topics per client; `None` for no limit.
    pub new_topics: Option<Rate>,
    /// Maximum number of WebSockets per visitor.
    pub sockets_per_client: usize,
    /// Maximum size of all mailboxes together, in bytes.
    pub bytes_total: u64,
    /// Share of one visitor in it, and of one project.
    pub bytes_per_visitor: u64,
    pub bytes_per_project: u64,
    /// Maximum number of subscriptions of all clients together, and the shares of one visitor and of one project.
    pub subscriptions_total: u64,
    pub subscriptions_per_visitor: u64,
    pub subscriptions_per_project: u64,
    /// Rate limit of subscribing, fetching and similar requests per client; `None` for no limit.
    pub requests: Option<Rate>,
    /// Rate limit of publishing for all clients of a visitor, because a visitor can create any number of client keys.
    pub visitor_publishes: Option<Rate>,
    /// Rate limit of new topics for all clients of a visitor.
    pub visitor_new_topics: Option<Rate>,
    /// Rate limit of subscribing, fetching and similar requests for all clients of a visitor.
    pub visitor_requests: Option<Rate>,
}

fn bytes(mebibytes: usize) -> u64 {
    u64::try_from(mebibytes).unwrap_or(u64::MAX).saturating_mul(1024 * 1024)
}

impl Read<'_> {
    /// `None` if the relay is disabled.
    pub(super) fn relay(&mut self) -> Option<Relay> {
        let enabled = self.switch("relay.enabled", false);
        let urls = self.relay_urls();
        let message = self.number("relay.max_message_kib", "256", 16 * 1024, "kibibytes");
        let ttl = self.number("relay.max_ttl_seconds", DEFAULT_TTL, 365 * 24 * 60 * 60, "seconds");
        let messages = self.number("relay.messages_per_topic", "1000", MOST, "messages");
        let mebibytes = self.number("relay.mib_per_topic", "8", 1024, "mebibytes");
        let topics = self.number("relay.topics_per_client", "10000", MOST, "topics");
        let subscribers = self.number("relay.subscribers_per_topic", "64", MOST, "subscribers");
        let publishes = self.rate(["relay.publishes_per_second", "30"], ["relay.publish_burst", "100"]);
        let new_topics =
            self.rate(["relay.new_topics_per_second", "5"], ["relay.new_topic_burst", DEFAULT_TOPIC_BURST]);
        let sockets = self.number("relay.sockets_per_client", "1000", MOST, "WebSockets");
        let total = self.number("relay.mib_total", "10240", MOST, "mebibytes");
        let per_visitor = self.number("relay.mib_per_visitor", "64", MOST, "mebibytes");
        let per_project = self.number("relay.mib_per_project", "5120", MOST, "mebibytes");
        let subscriptions = self.number("relay.subscriptions_total", "2000000", MOST_SUBSCRIPTIONS, "subscriptions");
        let of_visitor = self.number("relay.subscriptions_per_visitor", "50000", MOST, "subscriptions");
        let of_project = self.number("relay.subscriptions_per_project", "1000000", MOST, "subscriptions");
        let requests = self.rate(["relay.requests_per_second", "50"], ["relay.request_burst", "1000"]);
        let visitor_publishes =
            self.rate(["relay.visitor_publishes_per_second", "600"], ["relay.visitor_publish_burst", "2000"]);
        let visitor_new_topics =
            self.rate(["relay.visitor_new_topics_per_second", "100"], ["relay.visitor_new_topic_burst", "10000"]);
        let visitor_requests =
            self.rate(["relay.visitor_requests_per_second", "1000"], ["relay.visitor_request_burst", "20000"]);
        enabled.filter(|enabled| *enabled)?;
        Some(Relay {
            urls,
            max_message: message? * 1024,
            max_ttl: u64::try_from(ttl?).unwrap_or(u64::MAX),
            messages_per_topic: messages?,
            bytes_per_topic: mebibytes? * 1024 * 1024,
            topics_per_client: topics?,
            subscribers_per_topic: subscribers?,
            publishes: publishes?,
            new_topics: new_topics?,
            sockets_per_client: sockets?,
            bytes_total: bytes(total?),
            bytes_per_visitor: bytes(per_visitor?),
            bytes_per_project: bytes(per_project?),
            subscriptions_total: u64::try_from(subscriptions?).unwrap_or(u64::MAX),
            subscriptions_per_visitor: u64::try_from(of_visitor?).unwrap_or(u64::MAX),
            subscriptions_per_project: u64::try_from(of_project?).unwrap_or(u64::MAX),
            requests: requests?,
            visitor_publishes: visitor_publishes?,
            visitor_new_topics: visitor_new_topics?,
            visitor_requests: visitor_requests?,
        })
    }

    /// Outer `None`: a mistake was recorded; inner `None`: no limit, written as a rate of 0.
    fn rate(&mut self, rate: [&'static str; 2], burst: [&'static str; 2]) -> Option<Option<Rate>> {
        let per_second = self.count(rate[0], rate[1], 0, "requests per second")?;
        let burst = self.count(burst[0], burst[1], 1, "requests at once")?;
        Some((per_second > 0).then_some(Rate { per_second: per_second.into(), burst }))
    }

    fn relay_urls(&mut self) -> Vec<Url> {
        let Some((texts, place)) = self.texts("relay.urls") else { return Vec::new() };
        let mut urls = Vec::new();
        for text in texts {
            let url = Url::parse(&text).ok();
            let url = url.filter(|url| matches!(url.scheme(), "ws" | "wss" | "http" | "https") && url.has_host());
            let url = url
                .ok_or_else(|| format!("use the address of the relay such as wss://relay.example.com, not `{text}`"));
            urls.extend(self.keep(place.clone(), url));
        }
        urls
    }
}
