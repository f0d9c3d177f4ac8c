//! `[rpc]`: limits of the RPC proxy.

use super::file::Read;

pub(super) const SETTINGS: &[&str] =
    &["rpc.cache_mib", "rpc.sockets_per_client", "rpc.subscriptions_per_socket", "rpc.subscriptions_total"];

const MOST_MEBIBYTES: usize = 1024 * 1024;
const MOST: usize = 1_000_000;

/// Limits of the RPC proxy.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Rpc {
    /// Memory limit of cached responses, in MiB.
    pub cache_mib: usize,
    /// Maximum number of WebSockets per client.
    pub sockets_per_client: usize,
    /// Maximum number of subscriptions per WebSocket.
    pub subscriptions_per_socket: usize,
    /// Maximum number of subscriptions of all WebSockets together.
    pub subscriptions_total: usize,
}

impl Read<'_> {
    pub(super) fn rpc(&mut self) -> Option<Rpc> {
        let cache_mib = self.number("rpc.cache_mib", "64", MOST_MEBIBYTES, "mebibytes");
        let sockets = self.number("rpc.sockets_per_client", "16", MOST, "WebSockets");
        let subscriptions = self.number("rpc.subscriptions_per_socket", "32", MOST, "subscriptions");
        let total = self.number("rpc.subscriptions_total", "100000", MOST, "subscriptions");
        Some(Rpc {
            cache_mib: cache_mib?,
            sockets_per_client: sockets?,
            subscriptions_per_socket: subscriptions?,
            subscriptions_total: total?,
        })
    }
}
