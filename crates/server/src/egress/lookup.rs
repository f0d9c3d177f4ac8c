//! Lookups of names by the operating system.

use super::{AT_ONCE, Refused, place};
use crate::visitors::{self, Turns};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Maximum number of concurrent lookups for one visitor, of [`AT_ONCE`] for all: one that hangs holds a thread.
const VISITOR_LOOKUPS: usize = 2;

/// DNS resolver of the operating system. A lookup occupies a thread until the system gives up, which may be long after the request did,
/// so it keeps its place, and its visitor's, until then.
pub(super) struct Machine {
    places: Arc<Semaphore>,
    visitors: Arc<Turns>,
    lookup: Arc<Lookup>,
}

/// Blocking lookup of a name.
type Lookup = dyn Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync;

impl Machine {
    pub(super) fn new() -> Machine {
        Machine::looking_up(Arc::new(|name| Ok((name, 0).to_socket_addrs()?.collect())))
    }

    fn looking_up(lookup: Arc<Lookup>) -> Machine {
        let (places, visitors) = (Semaphore::new(AT_ONCE), Turns::new(VISITOR_LOOKUPS));
        Machine { places: Arc::new(places), visitors: Arc::new(visitors), lookup }
    }
}

impl Resolve for Machine {
    fn resolve(&self, name: Name) -> Resolving {
        let (places, visitors, lookup) = (self.places.clone(), self.visitors.clone(), self.lookup.clone());
        let visitor = visitors::current();
        Box::pin(async move {
            let of_visitor = place(Refused::Busy, visitors.of(visitor)).await;
            let held = (of_visitor, place(Refused::Full, places.acquire_owned()).await?);
            let lookup = move || {
                let found = lookup(name.as_str());
                drop(held);
                found
            };
            let addresses = tokio::task::spawn_blocking(lookup).await??;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::{Allowed, Ask, Egress, Limits};
    use axum::http::StatusCode;
    use std::net::Ipv4Addr;
    use std::sync::Mutex;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::sync::mpsc;

    async fn fetch(egress: &Egress, visitor: &str, host: &str, port: u16) -> Result<StatusCode, Refused> {
        let (url, limits) = (format!("http://{host}:{port}/"), Limits { bytes: 9, time: Duration::from_secs(2) });
        let fetched = visitors::with(Some(visitor.parse().unwrap()), egress.fetch(&url, Ask::Get, limits)).await;
        fetched.map(|fetched| fetched.status)
    }

    #[tokio::test]
    async fn lookups_that_hang_hold_two_places_of_their_visitor_and_none_of_the_neighbours() {
        let (tell, mut heard) = mpsc::unbounded_channel();
        // Lookups hang until the end of the test.
        let (_release, end) = std::sync::mpsc::channel::<()>();
        let end = Mutex::new(end);
        let lookup = move |name: &str| {
            if name.starts_with("hangs") {
                tell.send(()).unwrap();
                let _ = end.lock().map(|end| end.recv());
            }
            Ok(vec![(Ipv4Addr::LOCALHOST, 0).into()])
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await;
            }
        });
        let allowed = vec![Allowed::parse("127.0.0.1").unwrap()];
        let egress = Egress::resolving(allowed, Arc::new(Machine::looking_up(Arc::new(lookup))));
        let of_abuser = |number: usize| {
            let egress = egress.clone();
            tokio::spawn(async move { fetch(&egress, "192.0.2.66", &format!("hangs{number}.example"), port).await })
        };
        let abused: Vec<_> = (0..8).map(of_abuser).collect();
        for _ in 0..VISITOR_LOOKUPS {
            heard.recv().await.unwrap();
        }
        assert_eq!(fetch(&egress, "192.0.2.7", "here.example", port).await, Ok(StatusCode::NO_CONTENT));
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(2)).await;
        tokio::time::resume();
        let mut refused = Vec::new();
        for one in abused {
            refused.push(one.await.unwrap().unwrap_err());
        }
        // The lookups themselves are late; the others waited for them.
        assert_eq!(refused.iter().filter(|refused| **refused == Refused::Late).count(), VISITOR_LOOKUPS);
        assert_eq!(refused.iter().filter(|refused| **refused == Refused::Busy).count(), 8 - VISITOR_LOOKUPS);
        // The threads are still in use.
        assert!(heard.try_recv().is_err());
        assert_eq!(fetch(&egress, "192.0.2.7", "here.example", port).await, Ok(StatusCode::NO_CONTENT));
    }
}
