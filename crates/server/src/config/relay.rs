//! The relay of WalletConnect: whether there is one, under which names, and how much it takes.

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
    "relay.requests_per_second",
    "relay.request_burst",
    "relay.visitor_publishes_per_second",
    "relay.visitor_publish_burst",
    "relay.visitor_requests_per_second",
    "relay.visitor_request_burst",
];

const MOST: usize = 1_000_000;
/// 30 days: as long as a subscription lasts.
const DEFAULT_TTL: &str = "2592000";
/// As long as a client of 30 days needs for as many topics as one batch holds.
const DEFAULT_TOPIC_BURST: &str = "500";

/// The section `relay`.
#[derive(Clone, Debug)]
pub struct Relay {
    /// What clients may name as audience of their token, beside the public address of the server; where there is neither, any name of
    /// this machine for itself.
    pub urls: Vec<Url>,
    /// In bytes, as the envelope is written.
    pub max_message: usize,
    /// In seconds.
    pub max_ttl: u64,
    /// How many may wait for one receiver on one topic.
    pub messages_per_topic: usize,
    /// How many bytes of them.
    pub bytes_per_topic: usize,
    /// How many topics one client may listen to.
    pub topics_per_client: usize,
    /// How many clients may listen to one topic.
    pub subscribers_per_topic: usize,
    /// How fast one client may publish; none for as fast as it can.
    pub publishes: Option<Rate>,
    /// How fast it may come to topics it did not listen to; none for as fast as it can.
    pub new_topics: Option<Rate>,
    /// How many WebSockets one visitor may have.
    pub sockets_per_client: usize,
    /// How many bytes may wait in all mailboxes together.
    pub bytes_total: u64,
    /// How fast one client may subscribe, fetch and the like; none for as fast as it can.
    pub requests: Option<Rate>,
    /// How fast all clients of one visitor may publish; a client's key is its own making.
    pub visitor_publishes: Option<Rate>,
    /// How fast all clients of one visitor may subscribe, fetch and the like.
    pub visitor_requests: Option<Rate>,
}

impl Read<'_> {
    /// None where there is none.
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
        let requests = self.rate(["relay.requests_per_second", "50"], ["relay.request_burst", "1000"]);
        let visitor_publishes =
            self.rate(["relay.visitor_publishes_per_second", "600"], ["relay.visitor_publish_burst", "2000"]);
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
            bytes_total: u64::try_from(total?).unwrap_or(u64::MAX).saturating_mul(1024 * 1024),
            requests: requests?,
            visitor_publishes: visitor_publishes?,
            visitor_requests: visitor_requests?,
        })
    }

    /// Inner none for no limit, which a rate of 0 says; outer none for a mistake that was told.
    fn rate(&mut self, rate: [&'static str; 2], burst: [&'static str; 2]) -> Option<Option<Rate>> {
        let per_second = self.count(rate[0], rate[1], 0)?;
        let burst = self.count(burst[0], burst[1], 1)?;
        Some((per_second > 0).then_some(Rate { per_second: per_second.into(), burst }))
    }

    fn relay_urls(&mut self) -> Vec<Url> {
        let Some((texts, place)) = self.texts("relay.urls") else { return Vec::new() };
        let mut urls = Vec::new();
        for text in texts {
            let url = Url::parse(&text).ok();
            let url = url.filter(|url| matches!(url.scheme(), "ws" | "wss" | "http" | "https") && url.has_host());
            let url =
                url.ok_or_else(|| format!("`{text}` is not the address of the relay, such as wss://relay.example.com"));
            urls.extend(self.keep(place.clone(), url));
        }
        urls
    }
}
