//! Acceptance of connections. One of a client above its share is closed before it costs more than the acceptance itself.

use crate::visitors::{Pace, Taken, Visitors};
use axum::serve::Listener;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

/// New connections of one client in a second; at once, after a pause, as many as it may have.
const PER_SECOND: u64 = 200;

/// Interval of log lines about clients at their limit: they can come at any rate.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Listening socket with the shares of clients.
pub(super) struct Door {
    listener: TcpListener,
    visitors: Visitors,
    pace: Pace,
    told: Option<Instant>,
}

impl Door {
    /// Lets each client have this many connections at once.
    pub(super) fn new(listener: TcpListener, most: usize) -> Door {
        let pace = Pace::new(PER_SECOND, most.max(1) as u64, Duration::ZERO);
        Door { listener, visitors: Visitors::new(most), pace, told: None }
    }

    /// Next connection, with its place in the share of its client. `shares` tells whether a client has a share: a proxy connects for all.
    pub(super) async fn next(&mut self, shares: impl Fn(IpAddr) -> bool) -> (TcpStream, SocketAddr, Option<Taken>) {
        loop {
            // Waits when the process has no file descriptors left; TcpListener's own accept fails.
            let (stream, peer) = Listener::accept(&mut self.listener).await;
            match if shares(peer.ip()) { Some(self.share(peer.ip())) } else { None } {
                Some(None) => self.tell(),
                share => return (stream, peer, share.flatten()),
            }
        }
    }

    fn share(&self, client: IpAddr) -> Option<Taken> {
        self.visitors.take(client, 1).filter(|_| self.pace.admits(client))
    }

    fn tell(&mut self) {
        if self.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            tracing::warn!("closed a connection of a client that is at its limit; further ones are told in a minute");
            self.told = Some(Instant::now());
        }
    }
}
