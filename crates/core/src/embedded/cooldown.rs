//! Countdown of a failure that names the seconds until another try (spec 8.35): the failure ends with it.

use super::Embedded;
use super::event::Alarm;
use super::fault::Fault;
use crate::cx::Cx;

impl Embedded {
    /// Failures that views show.
    fn faults(&mut self) -> [&mut Option<Fault>; 4] {
        [&mut self.login.refused, &mut self.login.fault, &mut self.update.fault, &mut self.social.fault]
    }

    /// Starts the countdown of a failure that was just told, and forgets that of one which is gone.
    pub(super) fn begin_cooldown(&mut self, cx: &mut Cx) {
        let seconds = self.faults().into_iter().find_map(|fault| match fault {
            Some(Fault::Cooldown { seconds }) => Some(*seconds),
            _ => None,
        });
        match seconds {
            None => self.cooled = None,
            Some(seconds) if self.cooled.is_none() => {
                self.cooled = Some(cx.now + u64::from(seconds) * 1_000);
                cx.start(Alarm::Countdown, 1_000);
            }
            Some(_) => {}
        }
    }

    /// One second of the countdown has passed. A clock that was set back makes it no longer.
    pub(super) fn count_down(&mut self, cx: &mut Cx) {
        let Some(until) = self.cooled else { return };
        let left = until.saturating_sub(cx.now).div_ceil(1_000) as u32;
        for fault in self.faults() {
            if let Some(Fault::Cooldown { seconds }) = fault {
                *seconds = left.min(*seconds);
            }
            fault.take_if(|fault| *fault == Fault::Cooldown { seconds: 0 });
        }
        if left > 0 {
            cx.start(Alarm::Countdown, 1_000);
        }
    }
}
