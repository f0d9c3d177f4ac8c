//! Host page as the visitor treats it: declined requests, which bring a rest from a page that asks again and again, and the block of its requests. The
//! worker stores both for the visitor and the page's origin, so that a page which loads itself or the frame anew gains nothing.

use crate::approval::{Arm, aborted};
use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::message::{Request, coded};
use crate::reason::Reason;
use crate::view::Stage;
use portico_api::frame::{BLOCKED, FrameRpc};
use portico_json::{Json, Value};
use portico_terms::ChainId;

/// EIP-1193's code of a refusal by the visitor, also for each request of a blocked page that needs an approval.
const USER_REJECTED: i64 = 4001;

/// Milliseconds in which three declined requests are too many, and one lets the visitor block the page.
const WITHIN: u64 = 60_000;
/// Milliseconds after the third one for which further ones are refused.
const REST: u64 = 30_000;
/// Milliseconds in which a click can be the second one of a double click on Decline of the request before.
const HASTY: u64 = 500;

/// Deed of the visitor that is stored for a host page.
#[derive(Clone, Copy, Debug, Json, PartialEq)]
#[json(name = "SiteDeed")]
pub enum SiteDeed {
    /// A request was declined.
    Declined,
    /// One was signed, which ends the count of those that were declined.
    Signed,
    Blocked,
    /// The block ended, and the count too.
    Allowed,
}

/// Host page as the visitor treats it.
#[derive(Debug, Default)]
pub struct Site {
    /// Whether the visitor blocked requests that need an approval.
    pub blocked: bool,
    /// Times of the last three declined requests since a signature, the latest last.
    declines: [u64; 3],
}

/// Request for an approval, while it is read whether the page may ask.
#[derive(Debug)]
pub struct Waiting {
    number: u32,
    pub request: Request,
    chain: ChainId,
    call: FrameRpc,
}

impl Site {
    fn read(value: &Value) -> Site {
        let times = value.get("declines").as_list().unwrap_or_default();
        let mut declines = [0; 3];
        for (decline, time) in declines.iter_mut().rev().zip(times.iter().rev()) {
            *decline = time.as_u64().unwrap_or_default();
        }
        Site { blocked: value.get("blocked").as_bool() == Some(true), declines }
    }

    /// Whether a request is refused without asking the visitor. A clock that was set back ends the rest.
    fn rests(&self, now: u64) -> bool {
        let [first, _, last] = self.declines;
        last.wrapping_sub(first) < WITHIN && now.wrapping_sub(last) < REST
    }

    /// Readiness of the button that blocks the page, if the visitor declined a request of it a moment ago.
    pub fn block(&self, now: u64) -> Option<Arm> {
        let [_, _, last] = self.declines;
        (now.wrapping_sub(last) < WITHIN).then_some(hasty(now))
    }
}

/// Readiness of a button that takes no click of somebody who clicks twice.
pub fn hasty(now: u64) -> Arm {
    Arm::Waiting(now + HASTY)
}

impl Frame {
    /// Reads whether the page may ask, before anything of its request is shown.
    pub(crate) fn read_site(&mut self, request: Request, chain: ChainId, call: FrameRpc) {
        self.asked += 1;
        let number = self.asked;
        self.waiting = Some(Waiting { number, request, chain, call });
        self.order_site(Reason::SiteRead { number });
    }

    /// Reads how the visitor treats the page, for a request or the settings.
    pub(crate) fn order_site(&mut self, reason: Reason) {
        if let Some(site) = self.site_name() {
            self.order(Operation::ReadSite { site }, reason);
        }
    }

    /// Name of the page for the visitor: browsers can store for several pages at one place.
    fn site_name(&self) -> Option<String> {
        self.account.as_ref().map(|account| [&account.user.id, " ", &self.boot.host].concat())
    }

    /// The worker told how the visitor treats the page; where it cannot, what was read before counts.
    pub(crate) fn site_read(&mut self, number: u32, answer: Result<Value, Failure>) {
        let Some(Waiting { request, chain, call, .. }) = self.waiting.take_if(|waiting| waiting.number == number)
        else {
            return;
        };
        self.take_site(answer);
        if self.site.blocked {
            return self.reply(request, Err(coded(USER_REJECTED, BLOCKED)));
        }
        if self.site.rests(self.now) {
            return self.reply(request, Err(aborted()));
        }
        self.open(request, &chain, &call);
    }

    pub(crate) fn take_site(&mut self, answer: Result<Value, Failure>) {
        if let Ok(value) = answer {
            self.site = Site::read(&value);
        }
    }

    /// Stores what the visitor did. Deeds that another tab stored meanwhile stay.
    fn keep_site(&mut self, deed: SiteDeed) {
        if let Some(keep) = self.kept_site(deed) {
            self.order(keep, Reason::Posted);
        }
    }

    fn kept_site(&self, deed: SiteDeed) -> Option<Operation> {
        self.site_name().map(|site| Operation::KeepSite { site, deed })
    }

    /// The visitor declined the request that waits, or closed its view.
    pub(crate) fn decline(&mut self) {
        let waited = self.approval.is_some();
        self.withdraw();
        if waited && self.approval.is_none() {
            self.keep_site(SiteDeed::Declined);
        }
    }

    /// A signature ends the count of declined requests.
    pub(crate) fn forgive(&mut self) {
        if self.site.declines != [0; 3] {
            self.keep_site(SiteDeed::Signed);
        }
    }

    /// The visitor clicked Block: the request is declined, and those that follow are refused.
    pub(crate) fn block(&mut self, number: u32) {
        let Some(approval) = self.approval_of(number) else { return };
        if approval.block == Some(Arm::Armed) && approval.stage != Stage::Sending {
            self.withdraw();
            self.site.blocked = true;
            self.keep_site(SiteDeed::Blocked);
        }
    }

    /// The visitor allows the page's requests again, which also ends a rest. Returns the order that stores it.
    pub(crate) fn allow(&mut self) -> Option<Operation> {
        self.site = Site::default();
        self.kept_site(SiteDeed::Allowed)
    }
}
