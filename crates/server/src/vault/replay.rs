//! Ids of proofs that were used, so that none is used twice.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Ids that are kept at once, and those of one visitor among them.
const MOST: usize = 400_000;
const MOST_OF_VISITOR: u32 = 20_000;

/// Outcome of a first or second use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Use {
    First,
    Second,
    /// There is no room for another id: a proof whose id is not kept could be used again.
    Full,
}

/// Used ids, each until its proof has ended.
#[derive(Default)]
pub(super) struct Replays {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    ids: HashSet<[u8; 16]>,
    /// In the order of use, which is nearly that of their ends.
    order: VecDeque<(i64, [u8; 16], IpAddr)>,
    of: HashMap<IpAddr, u32>,
}

impl Replays {
    /// Keeps an id until `end`; times are in one unit.
    pub(super) fn note(&self, id: [u8; 16], visitor: IpAddr, now: i64, end: i64) -> Use {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.forget(now);
        if kept.ids.contains(&id) {
            return Use::Second;
        }
        let own = kept.of.get(&visitor).copied().unwrap_or_default();
        if kept.ids.len() >= MOST || own >= MOST_OF_VISITOR {
            return Use::Full;
        }
        kept.ids.insert(id);
        kept.of.insert(visitor, own + 1);
        kept.order.push_back((end, id, visitor));
        Use::First
    }
}

impl Kept {
    fn forget(&mut self, now: i64) {
        while let Some((end, id, visitor)) = self.order.front().copied().filter(|(end, ..)| *end < now) {
            debug_assert!(end < now);
            self.order.pop_front();
            self.ids.remove(&id);
            if let Some(own) = self.of.get_mut(&visitor) {
                *own -= 1;
                if *own == 0 {
                    self.of.remove(&visitor);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const ONE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    const OTHER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

    #[test]
    fn an_id_is_used_once_until_its_proof_has_ended() {
        let replays = Replays::default();
        assert_eq!(replays.note([1; 16], ONE, 0, 600), Use::First);
        assert_eq!(replays.note([1; 16], OTHER, 600, 1200), Use::Second);
        assert_eq!(replays.note([1; 16], ONE, 601, 1201), Use::First);
    }

    #[test]
    fn a_visitor_fills_its_own_share_and_no_other() {
        let replays = Replays::default();
        let id = |number: u32| std::array::from_fn(|at| number.to_be_bytes().get(at).copied().unwrap_or_default());
        for number in 0..MOST_OF_VISITOR {
            assert_eq!(replays.note(id(number), ONE, 0, 600), Use::First);
        }
        assert_eq!(replays.note(id(MOST_OF_VISITOR), ONE, 0, 600), Use::Full);
        assert_eq!(replays.note(id(MOST_OF_VISITOR), OTHER, 0, 600), Use::First);
        assert_eq!(replays.note(id(MOST_OF_VISITOR + 1), ONE, 601, 1201), Use::First);
    }
}
