//! Share that each visitor has of something that all visitors use: connections, memory, slots, stored bytes.

use std::cell::Cell;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

tokio::task_local! {
    /// Visitor whose request this task handles: what is fetched for a request is asked for many calls below it.
    static CURRENT: Cell<Option<IpAddr>>;
    /// Whether a vendor was not asked in this work, as its visitor had used up a share.
    static LEFT_OUT: Cell<bool>;
}

/// Runs the handler of a request from this visitor.
pub(crate) async fn with<T>(visitor: Option<IpAddr>, handled: impl Future<Output = T>) -> T {
    CURRENT.scope(Cell::new(visitor), handled).await
}

/// Visitor whose request this task handles; `None` for the server's own work and for hosts' servers.
pub(crate) fn current() -> Option<IpAddr> {
    CURRENT.try_with(Cell::get).ok().flatten()
}

/// The request is from a host's own server, which asks for all its visitors.
pub(crate) fn is_of_many() {
    // Without a request there is no visitor to forget.
    let _ = CURRENT.try_with(|visitor| visitor.set(None));
}

/// Does work for a visitor, and returns whether a vendor was left out because of the visitor's share. Such a result is not stored for others.
pub(crate) async fn noting_left_out<T>(work: impl Future<Output = T>) -> (T, bool) {
    let told = async {
        let done = work.await;
        (done, LEFT_OUT.with(Cell::get))
    };
    LEFT_OUT.scope(Cell::new(false), told).await
}

/// A vendor is not asked for this visitor, which has used up its share.
pub(crate) fn leave_out() {
    // Other work stores only what vendors have answered.
    let _ = LEFT_OUT.try_with(|left_out| left_out.set(true));
}

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

    /// An empty part of the share of the visitor at this address; it can grow.
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

/// Lets each visitor do only so much at once; what is more waits for its own visitor's work, not for that of others.
pub(crate) struct Turns {
    most: usize,
    turns: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// One of a visitor's turns, until it is dropped.
pub(crate) struct Turn {
    _held: OwnedSemaphorePermit,
}

impl Turns {
    /// Gives each visitor this many turns at once.
    pub(crate) fn new(most: usize) -> Turns {
        Turns { most, turns: Mutex::default() }
    }

    /// Waits for a turn of the visitor at this address. The server's own work needs none.
    pub(crate) async fn of(&self, address: Option<IpAddr>) -> Option<Turn> {
        let turns = self.semaphore(visitor(address?));
        // The semaphore is never closed.
        turns.acquire_owned().await.ok().map(|held| Turn { _held: held })
    }

    fn semaphore(&self, visitor: IpAddr) -> Arc<Semaphore> {
        let mut turns = lock(&self.turns);
        if let Some(known) = turns.get(&visitor).and_then(Weak::upgrade) {
            return known;
        }
        if turns.len().is_power_of_two() {
            turns.retain(|_, known| known.strong_count() > 0);
        }
        let new = Arc::new(Semaphore::new(self.most));
        turns.insert(visitor, Arc::downgrade(&new));
        new
    }
}

/// Lets each visitor send so much at once and so much a second; a visitor above it waits, and nobody else does.
///
/// It has a time for each visitor: when all that the visitor has sent would have arrived at the rate (GCRA, as in ATM's I.371).
pub(crate) struct Pace {
    per_second: u64,
    burst: Duration,
    longest: Duration,
    arrived: Mutex<HashMap<IpAddr, Instant>>,
}

/// The visitor would have to wait longer than it may; nothing was charged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Behind;

impl Pace {
    /// Allows each visitor this much a second, and this much at once after a pause; it waits for `longest` at most.
    pub(crate) fn new(per_second: u64, burst: u64, longest: Duration) -> Pace {
        Pace { per_second, burst: span(burst, per_second), longest, arrived: Mutex::default() }
    }

    /// Charges this much to the visitor at this address, and waits while it is above its rate; returns the time waited.
    pub(crate) async fn wait(&self, address: IpAddr, amount: usize) -> Result<Duration, Behind> {
        let now = Instant::now();
        let until = self.charge(visitor(address), amount as u64, now)?;
        if until <= now {
            return Ok(Duration::ZERO);
        }
        sleep_until(until).await;
        Ok(now.elapsed())
    }

    /// Charges 1 to the visitor at this address, or nothing if it is above its rate.
    pub(crate) fn admits(&self, address: IpAddr) -> bool {
        self.charge(visitor(address), 1, Instant::now()).is_ok()
    }

    /// Time at which the visitor is within its rate again.
    fn charge(&self, visitor: IpAddr, amount: u64, now: Instant) -> Result<Instant, Behind> {
        let mut arrived = lock(&self.arrived);
        if arrived.len().is_power_of_two() {
            arrived.retain(|_, arrived| *arrived > now);
        }
        let begun = arrived.get(&visitor).map_or(now, |arrived| (*arrived).max(now));
        let ended = begun + span(amount, self.per_second);
        let until = ended.checked_sub(self.burst).map_or(now, |until| until.max(now));
        if until > now + self.longest {
            return Err(Behind);
        }
        arrived.insert(visitor, ended);
        Ok(until)
    }
}

/// Time in which this much arrives.
fn span(amount: u64, per_second: u64) -> Duration {
    Duration::from_nanos(amount.saturating_mul(1_000_000_000) / per_second)
}

fn lock<T>(taken: &Mutex<T>) -> MutexGuard<'_, T> {
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

    #[tokio::test]
    async fn a_visitor_waits_for_its_own_turns_and_not_for_those_of_others() {
        use futures_util::FutureExt;
        let turns = Turns::new(2);
        let one = Some(ip("192.0.2.1"));
        let (first, _second) = (turns.of(one).await, turns.of(one).await);
        let mut third = Box::pin(turns.of(one));
        assert!((&mut third).now_or_never().is_none());
        assert!(turns.of(Some(ip("192.0.2.2"))).now_or_never().flatten().is_some());
        assert!(turns.of(None).now_or_never().is_some());
        drop(first);
        assert!(third.now_or_never().flatten().is_some());
        // A visitor without a turn is forgotten in time.
        for number in 0..100 {
            drop(turns.of(Some(ip(&format!("198.51.100.{number}")))).await);
        }
        assert!(lock(&turns.turns).len() < 80);
    }

    #[tokio::test(start_paused = true)]
    async fn a_visitor_above_its_rate_waits_and_its_neighbour_does_not() {
        let pace = Pace::new(10, 20, Duration::from_secs(4));
        let (one, other) = (ip("192.0.2.1"), ip("192.0.2.2"));
        let seconds = |seconds| Ok(Duration::from_secs(seconds));
        assert_eq!((pace.wait(one, 20).await, pace.wait(one, 30).await), (seconds(0), seconds(3)));
        assert_eq!((pace.wait(other, 20).await, pace.wait(ip("::ffff:192.0.2.1"), 10).await), (seconds(0), seconds(1)));
        // After a pause it may send as much at once as at first.
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!((pace.wait(one, 20).await, pace.wait(one, 10).await), (seconds(0), seconds(1)));
        // A visitor that sends nothing is forgotten in time.
        for number in 0..100 {
            pace.wait(ip(&format!("198.51.100.{number}")), 1).await.unwrap();
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert!(lock(&pace.arrived).len() < 80);
    }

    #[tokio::test(start_paused = true)]
    async fn a_visitor_that_would_wait_too_long_is_refused_and_not_charged() {
        let pace = Pace::new(10, 20, Duration::from_secs(4));
        let one = ip("192.0.2.1");
        let waiting = tokio::join!(pace.wait(one, 60), pace.wait(one, 1), pace.wait(one, 1_000_000));
        assert_eq!(waiting, (Ok(Duration::from_secs(4)), Err(Behind), Err(Behind)));
        assert_eq!(pace.wait(one, 10).await, Ok(Duration::from_secs(1)));
    }

    #[tokio::test]
    async fn what_a_handler_calls_knows_the_visitor_and_the_servers_own_work_has_none() {
        let found = with(Some(ip("192.0.2.1")), async { std::future::ready(current()).await }).await;
        assert_eq!((found, current()), (Some(ip("192.0.2.1")), None));
        is_of_many();
        let found = with(Some(ip("192.0.2.1")), async {
            is_of_many();
            current()
        });
        assert_eq!(found.await, None);
    }

    #[test]
    fn the_addresses_of_one_network_of_64_bits_are_one_visitor() {
        let visitors = Visitors::new(1);
        let _one = visitors.take(ip("2001:db8::1"), 1);
        assert!(visitors.take(ip("2001:db8::ffff:1"), 1).is_none());
        assert!(visitors.take(ip("2001:db8:0:1::1"), 1).is_some());
    }
}
