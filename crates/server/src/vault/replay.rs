//! Ids of proofs that were used, so that none is used twice.
//!
//! Anybody can sign a proof, so ids of strangers have a limit that keeps them out of the room of devices with a live session.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Ids of all visitors that are kept at once, and those of one visitor among them.
const VISITORS: Room = Room { all: 300_000, own: 10_000 };
/// Ids of devices with a live session for which visitors have no room, and those of one device among them.
const DEVICES: Room = Room { all: 100_000, own: 2_000 };

/// Outcome of a first or second use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Use {
    First,
    Second,
    /// There is no room for another id: a proof whose id is not kept could be used again.
    Full,
}

/// Whose room an id takes.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum Owner {
    Visitor(IpAddr),
    /// Thumbprint of a device with a live session.
    Device([u8; 32]),
}

#[derive(Clone, Copy)]
struct Room {
    all: usize,
    own: u32,
}

/// Used ids, each until its proof has ended.
#[derive(Default)]
pub(super) struct Replays {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    ids: HashSet<[u8; 16]>,
    visitors: Part,
    devices: Part,
}

/// Ids in one of the rooms.
#[derive(Default)]
struct Part {
    /// In the order of use, which is nearly that of their ends.
    order: VecDeque<(i64, [u8; 16], Owner)>,
    of: HashMap<Owner, u32>,
}

impl Replays {
    /// Keeps an id until `end`; times are in one unit.
    pub(super) fn note(&self, id: [u8; 16], owner: Owner, now: i64, end: i64) -> Use {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { ids, visitors, devices } = &mut *kept;
        visitors.forget(ids, now);
        devices.forget(ids, now);
        if ids.contains(&id) {
            return Use::Second;
        }
        let (part, room) = match owner {
            Owner::Visitor(_) => (visitors, VISITORS),
            Owner::Device(_) => (devices, DEVICES),
        };
        let own = part.of.get(&owner).copied().unwrap_or_default();
        if part.order.len() >= room.all || own >= room.own {
            return Use::Full;
        }
        ids.insert(id);
        part.of.insert(owner, own + 1);
        part.order.push_back((end, id, owner));
        Use::First
    }
}

impl Part {
    fn forget(&mut self, ids: &mut HashSet<[u8; 16]>, now: i64) {
        while let Some((end, id, owner)) = self.order.front().copied().filter(|(end, ..)| *end < now) {
            debug_assert!(end < now);
            self.order.pop_front();
            ids.remove(&id);
            if let Some(own) = self.of.get_mut(&owner) {
                *own -= 1;
                if *own == 0 {
                    self.of.remove(&owner);
                }
            }
        }
    }
}

#[cfg(test)]
impl Replays {
    /// Uses ids until visitors have no more room.
    pub(super) fn fill_for_visitors(&self, now: i64) {
        for number in 0..VISITORS.all as u32 {
            let visitor = IpAddr::from((number / VISITORS.own).to_be_bytes());
            assert_eq!(self.note(tests::id(number), Owner::Visitor(visitor), now, now + 600), Use::First);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const ONE: Owner = Owner::Visitor(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
    const OTHER: Owner = Owner::Visitor(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)));
    const DEVICE: Owner = Owner::Device([1; 32]);

    pub(super) fn id(number: u32) -> [u8; 16] {
        u128::from(number).to_be_bytes()
    }

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
        for number in 0..VISITORS.own {
            assert_eq!(replays.note(id(number), ONE, 0, 600), Use::First);
        }
        assert_eq!(replays.note(id(VISITORS.own), ONE, 0, 600), Use::Full);
        assert_eq!(replays.note(id(VISITORS.own), OTHER, 0, 600), Use::First);
        assert_eq!(replays.note(id(VISITORS.own + 1), ONE, 601, 1201), Use::First);
    }

    #[test]
    fn visitors_leave_the_room_of_devices_free_and_a_replay_is_refused_in_both() {
        let replays = Replays::default();
        replays.fill_for_visitors(0);
        let new = |number| id(u32::MAX - number);
        assert_eq!(replays.note(new(0), ONE, 0, 600), Use::Full);
        assert_eq!(replays.note(new(0), DEVICE, 0, 600), Use::First);
        assert_eq!(replays.note(new(0), DEVICE, 0, 600), Use::Second);
        assert_eq!(replays.note(new(0), ONE, 0, 600), Use::Second);
        assert_eq!(replays.note(id(0), DEVICE, 0, 600), Use::Second);
        for number in 1..DEVICES.own {
            assert_eq!(replays.note(new(number), DEVICE, 0, 600), Use::First);
        }
        assert_eq!(replays.note(new(DEVICES.own), DEVICE, 0, 600), Use::Full);
        assert_eq!(replays.note(new(DEVICES.own), Owner::Device([2; 32]), 0, 600), Use::First);
        assert_eq!(replays.note(new(0), DEVICE, 601, 1201), Use::First);
    }
}
