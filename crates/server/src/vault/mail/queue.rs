//! Mails that wait to be sent. Each visitor has a share of the queue, so that one whose mails are put off doesn't fill it.

use super::Letter;
use crate::visitors::{Taken, Visitors};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

/// Mails that wait, also those that wait for another try.
const MOST: usize = 1024;
/// Mails that wait because one visitor asked for them. The limits of logins let fewer through in the time of all tries.
const MOST_OF_VISITOR: usize = 64;

/// A mail doesn't fit in the queue.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(in crate::vault) enum Full {
    /// The mail server takes no mails, or too few.
    #[error("too many mails wait to be sent")]
    Queue,
    /// Too many mails of this visitor wait.
    #[error("too many mails of one visitor wait to be sent")]
    Share,
}

/// A mail in the queue. Its room is free again on drop.
pub(super) struct Queued {
    pub(super) letter: Letter,
    pub(super) told: oneshot::Sender<bool>,
    _room: OwnedSemaphorePermit,
    _share: Option<Taken>,
}

/// Entry of the queue.
pub(super) struct Queue {
    letters: mpsc::Sender<Queued>,
    room: Arc<Semaphore>,
    visitors: Visitors,
}

impl Queue {
    /// An empty queue, and its end.
    pub(super) fn new() -> (Queue, mpsc::Receiver<Queued>) {
        let (letters, queued) = mpsc::channel(MOST);
        (Queue { letters, room: Arc::new(Semaphore::new(MOST)), visitors: Visitors::new(MOST_OF_VISITOR) }, queued)
    }

    pub(super) fn put(&self, letter: Letter, told: oneshot::Sender<bool>) -> Result<(), Full> {
        // A notice needs no share: somebody else at the visitor's address could use it up before they do what the notice tells of.
        let of = letter.visitor.filter(|_| letter.matter.is_asked_for());
        let share = of.map(|visitor| self.visitors.take(visitor, 1).ok_or(Full::Share)).transpose()?;
        let room = self.room.clone().try_acquire_owned().map_err(|_| Full::Queue)?;
        self.letters.try_send(Queued { letter, told, _room: room, _share: share }).map_err(|_| Full::Queue)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Address, Matter, Notice};
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn letter(visitor: [u8; 4], matter: Matter) -> Letter {
        let visitor = Some(IpAddr::V4(Ipv4Addr::from(visitor)));
        Letter { to: Address::parse("ada@example.org").unwrap(), language: "en".into(), matter, at: 0, visitor }
    }

    #[test]
    fn a_visitor_whose_mails_wait_leaves_room_for_neighbours_and_for_notices() {
        let (queue, mut queued) = Queue::new();
        let put = |visitor, matter| queue.put(letter(visitor, matter), oneshot::channel().0);
        let asked = || Matter::Code { code: "123456".to_owned().into(), host: String::new() };
        for _ in 0..MOST_OF_VISITOR {
            assert_eq!(put([192, 0, 2, 1], asked()), Ok(()));
        }
        assert_eq!(put([192, 0, 2, 1], asked()), Err(Full::Share));
        assert_eq!(put([192, 0, 2, 1], Matter::Notice(Notice::Exported)), Ok(()));
        assert_eq!(put([192, 0, 2, 2], asked()), Ok(()));
        drop(queued.try_recv());
        assert_eq!(put([192, 0, 2, 1], asked()), Ok(()));
    }

    #[test]
    fn all_visitors_together_have_no_more_than_the_queue() {
        let (queue, mut queued) = Queue::new();
        let put = |number: usize| {
            let [.., c, d] = (number / MOST_OF_VISITOR).to_be_bytes();
            queue.put(letter([198, 51, c, d], Matter::Change { code: String::new().into() }), oneshot::channel().0)
        };
        assert!((0..MOST).all(|number| put(number).is_ok()));
        assert_eq!(put(MOST), Err(Full::Queue));
        // A mail that is being sent, or waits for another try, needs its room still.
        let sending = queued.try_recv();
        assert_eq!(put(MOST), Err(Full::Queue));
        drop(sending);
        assert_eq!(put(MOST), Ok(()));
    }
}
