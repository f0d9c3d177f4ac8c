//! What the RPC proxy may keep and take.

use super::file::Read;

pub(super) const SETTINGS: &[&str] = &["rpc.cache_mib", "rpc.sockets_per_client", "rpc.subscriptions_per_socket"];

const MOST_MEBIBYTES: usize = 1024 * 1024;
const MOST: usize = 1_000_000;

/// The section `rpc`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Rpc {
    /// How much memory, in MiB, the answers that are kept may take.
    pub cache_mib: usize,
    /// How many WebSockets one client may have.
    pub sockets_per_client: usize,
    /// How many subscriptions one WebSocket may have.
    pub subscriptions_per_socket: usize,
}

impl Read<'_> {
    pub(super) fn rpc(&mut self) -> Option<Rpc> {
        let cache_mib = self.number("rpc.cache_mib", "64", MOST_MEBIBYTES, "mebibytes");
        let sockets = self.number("rpc.sockets_per_client", "16", MOST, "WebSockets");
        let subscriptions = self.number("rpc.subscriptions_per_socket", "32", MOST, "subscriptions");
        Some(Rpc { cache_mib: cache_mib?, sockets_per_client: sockets?, subscriptions_per_socket: subscriptions? })
    }
}
