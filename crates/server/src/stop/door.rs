//! Acceptance of connections. One of a client above its share is closed before it costs more than the acceptance itself.

use crate::visitors::{Pace, Taken, Visitors};
use axum::serve::Listener;
use std::io;
use std::net::{self, IpAddr, SocketAddr};
use std::os::fd::AsFd;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::coop::consume_budget;
use tokio::time::{Instant, sleep};

/// New connections of one client in a second; at once, after a pause, as many as it may have.
const PER_SECOND: u64 = 200;

/// Interval of acceptances while some are refused: each one alone would take a thread that answers neighbours off its core.
const GATHER: Duration = Duration::from_millis(1);

/// Interval of log lines about clients at their limit: they can come at any rate.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Listening socket with the shares of clients.
pub(super) struct Door {
    listener: TcpListener,
    /// The same socket. A connection that it accepts is registered with the runtime only once it is admitted: closing one of an abuser
    /// costs half as much as with `listener`.
    queue: net::TcpListener,
    visitors: Visitors,
    pace: Pace,
    told: Option<Instant>,
}

impl Door {
    /// Lets each client have this many connections at once.
    pub(super) fn new(listener: TcpListener, most: usize) -> io::Result<Door> {
        let queue = listener.as_fd().try_clone_to_owned()?.into();
        let pace = Pace::new(PER_SECOND, most.max(1) as u64, Duration::ZERO);
        Ok(Door { listener, queue, visitors: Visitors::new(most), pace, told: None })
    }

    /// Next connection, with its place in the share of its client. `shares` tells whether a client has a share: a proxy connects for all.
    pub(super) async fn next(&mut self, shares: impl Fn(IpAddr) -> bool) -> (TcpStream, SocketAddr, Option<Taken>) {
        loop {
            let mut refused = false;
            while let Ok((stream, peer)) = self.queue.accept() {
                if let Some(share) = self.admit(peer.ip(), &shares)
                    && let Ok(stream) = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream))
                {
                    return (stream, peer, share);
                }
                refused = true;
                consume_budget().await;
            }
            if refused {
                sleep(GATHER).await;
                continue;
            }
            // Waits for more, or until the process has file descriptors again; TcpListener's own accept fails without.
            let (stream, peer) = Listener::accept(&mut self.listener).await;
            if let Some(share) = self.admit(peer.ip(), &shares) {
                return (stream, peer, share);
            }
        }
    }

    /// Place of a client in its share if it has one; `None` if it may not connect.
    fn admit(&mut self, client: IpAddr, shares: impl Fn(IpAddr) -> bool) -> Option<Option<Taken>> {
        if !shares(client) {
            return Some(None);
        }
        let share = self.share(client);
        if share.is_none() {
            self.tell();
        }
        share.map(Some)
    }

    fn share(&self, client: IpAddr) -> Option<Taken> {
        self.visitors.take(client, 1).filter(|_| self.pace.admits(client))
    }

    fn tell(&mut self) {
        if self.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            tracing::warn!(
                "closed a connection of a client that is at its limit. The next line about this comes in a minute at the earliest."
            );
            self.told = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpSocket;
    use tokio::time::advance;

    const ABUSER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);
    const NEIGHBOUR: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 7);

    async fn connect(from: Ipv4Addr, to: SocketAddr) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        socket.connect(to).await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_connects_again_and_again_is_let_in_at_its_rate_and_its_neighbour_at_once() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let here = listener.local_addr().unwrap();
        let mut door = Door::new(listener, 2).unwrap();
        let mut enters = async || door.next(|_| true).await.1.ip();
        // It ends each of its connections, so it never has two at once.
        let mut abused = Vec::new();
        for _ in 0..10 {
            abused.push(connect(ABUSER, here).await);
        }
        let neighbour = connect(NEIGHBOUR, here).await;
        let entered = [enters().await, enters().await, enters().await];
        assert_eq!(entered, [ABUSER, ABUSER, NEIGHBOUR]);
        drop(neighbour);
        let closed = abused[2].read(&mut [0]).await;
        assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
        advance(Duration::from_secs(1) / PER_SECOND as u32).await;
        let again = [connect(ABUSER, here).await, connect(ABUSER, here).await, connect(NEIGHBOUR, here).await];
        assert_eq!([enters().await, enters().await], [ABUSER, NEIGHBOUR]);
        drop(again);
    }

    #[tokio::test(start_paused = true)]
    async fn a_proxy_has_no_rate_as_it_connects_for_all_its_visitors() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let here = listener.local_addr().unwrap();
        let mut door = Door::new(listener, 1).unwrap();
        for _ in 0..10 {
            let connection = connect(ABUSER, here).await;
            let (stream, peer, share) = door.next(|_| false).await;
            assert_eq!((peer.ip(), share.is_none()), (ABUSER.into(), true));
            drop((stream, connection));
        }
    }
}
