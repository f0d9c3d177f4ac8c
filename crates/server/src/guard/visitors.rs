//! Share that each visitor has of something that all visitors use: connections, memory, slots, stored bytes.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An IPv6 visitor usually has a whole /64 network.
const NETWORK: u128 = !0 << 64;

/// Counts what each visitor has taken, up to the same limit for each. It has an entry only for a visitor that has taken something.
#[derive(Clone)]
pub(crate) struct Visitors {
    most: usize,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Visitors {
    /// Allows each visitor this much.
    pub(crate) fn new(most: usize) -> Visitors {
        Visitors { most, taken: Arc::default() }
    }

    /// Takes this much for the visitor at this address; `None` if that exceeds its share.
    pub(crate) fn take(&self, address: IpAddr, amount: usize) -> Option<Taken> {
        let mut taken = self.nothing(address);
        taken.grow(amount).then_some(taken)
    }

    /// Nothing yet of the share of the visitor at this address; it can grow.
    pub(crate) fn nothing(&self, address: IpAddr) -> Taken {
        Taken { visitor: visitor(address), amount: 0, of: self.clone() }
    }
}

/// Part of a visitor's share, given back on drop.
pub(crate) struct Taken {
    visitor: IpAddr,
    amount: usize,
    of: Visitors,
}

impl Taken {
    /// Takes more; `false`, and nothing changes, if that exceeds the share.
    pub(crate) fn grow(&mut self, more: usize) -> bool {
        let mut taken = lock(&self.of.taken);
        let has = taken.get(&self.visitor).copied().unwrap_or_default();
        let Some(sum) = has.checked_add(more).filter(|sum| *sum <= self.of.most) else { return false };
        if sum > 0 {
            taken.insert(self.visitor, sum);
        }
        self.amount += more;
        true
    }
}

impl Taken {
    /// Gives back this much, at most all.
    pub(crate) fn shrink(&mut self, by: usize) {
        let by = by.min(self.amount);
        let mut taken = lock(&self.of.taken);
        if let Some(sum) = taken.get_mut(&self.visitor) {
            *sum -= by;
            if *sum == 0 {
                taken.remove(&self.visitor);
            }
        }
        self.amount -= by;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.shrink(self.amount);
    }
}

fn lock(taken: &Mutex<HashMap<IpAddr, usize>>) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

fn visitor(address: IpAddr) -> IpAddr {
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
    fn each_visitor_has_a_share_of_its_own_and_is_forgotten_when_it_has_nothing() {
        let visitors = Visitors::new(2);
        let first = visitors.take(ip("192.0.2.1"), 1);
        let mut second = visitors.take(ip("::ffff:192.0.2.1"), 1).unwrap();
        assert!(first.is_some() && visitors.take(ip("192.0.2.1"), 1).is_none() && !second.grow(1));
        assert!(visitors.take(ip("192.0.2.2"), 2).is_some());
        drop(first);
        assert!(second.grow(1) && !second.grow(usize::MAX));
        second.shrink(1);
        assert!(second.grow(1));
        assert!(visitors.take(ip("192.0.2.1"), 1).is_none());
        drop(second);
        assert!(lock(&visitors.taken).is_empty());
    }

    #[test]
    fn the_addresses_of_one_network_of_64_bits_are_one_visitor() {
        let visitors = Visitors::new(1);
        let _one = visitors.take(ip("2001:db8::1"), 1);
        assert!(visitors.take(ip("2001:db8::ffff:1"), 1).is_none());
        assert!(visitors.take(ip("2001:db8:0:1::1"), 1).is_some());
    }
}
