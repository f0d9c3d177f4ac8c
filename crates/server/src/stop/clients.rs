//! Number of connections per client.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An IPv6 client usually has a whole /64 network.
const NETWORK: u128 = !0 << 64;

/// Counts connections per client; never has more entries than there are connections.
#[derive(Clone)]
pub(crate) struct Clients {
    most: usize,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Clients {
    /// Allows this many connections per client.
    pub(crate) fn new(most: usize) -> Clients {
        Clients { most, counts: Arc::default() }
    }

    /// Counts one more connection of the client at this address; `None` if it is at its limit.
    pub(crate) fn admit(&self, address: IpAddr) -> Option<Admitted> {
        let client = client(address);
        let mut counts = lock(&self.counts);
        let count = counts.entry(client).or_default();
        if *count == self.most {
            return None;
        }
        *count += 1;
        Some(Admitted { client, counts: self.counts.clone() })
    }
}

/// One counted connection, until it is dropped.
pub(crate) struct Admitted {
    client: IpAddr,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

fn lock(counts: &Mutex<HashMap<IpAddr, usize>>) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn each_client_is_counted_for_itself_and_is_forgotten_when_it_leaves() {
        let clients = Clients::new(2);
        let first = clients.admit(ip("192.0.2.1"));
        let second = clients.admit(ip("::ffff:192.0.2.1"));
        assert!(first.is_some() && second.is_some());
        assert!(clients.admit(ip("192.0.2.1")).is_none());
        assert!(clients.admit(ip("192.0.2.2")).is_some());
        drop(first);
        let third = clients.admit(ip("192.0.2.1"));
        assert!(third.is_some());
        drop((second, third));
        assert!(lock(&clients.counts).is_empty());
    }

    #[test]
    fn the_addresses_of_one_network_of_64_bits_are_one_client() {
        let clients = Clients::new(1);
        let _one = clients.admit(ip("2001:db8::1"));
        assert!(clients.admit(ip("2001:db8::ffff:1")).is_none());
        assert!(clients.admit(ip("2001:db8:0:1::1")).is_some());
    }
}
