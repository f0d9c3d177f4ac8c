//! The quote of the form, and the request for the next one.

use super::QuoteFault;
use super::quote::Quote;
use portico_json::Json;

/// Latest quote or its failure, and the state of the next request.
#[derive(Debug, Default)]
pub struct Pricing {
    /// Counter of quote requests and form changes; a quote for an older one is ignored.
    pub round: u32,
    latest: Option<Result<Quote, QuoteFault>>,
    pub request: Request,
    /// Time between the latest answer and the next request.
    pub rest: Option<Rest>,
}

/// Time until the next quote, in epoch milliseconds.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapRest")]
pub struct Rest {
    pub from: u64,
    pub until: u64,
}

/// State of a quote request.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Request {
    #[default]
    Idle,
    /// It is in flight, or waits for the debounce.
    Awaited,
    /// The quote expired while it was not on the screen: requested once the visitor is back.
    Overdue,
}

impl Pricing {
    pub fn quote(&self) -> Option<&Quote> {
        self.latest.as_ref()?.as_ref().ok()
    }

    pub fn quote_mut(&mut self) -> Option<&mut Quote> {
        self.latest.as_mut()?.as_mut().ok()
    }

    /// Reason why there is no quote.
    pub fn fault(&self) -> Option<QuoteFault> {
        self.latest.as_ref()?.as_ref().err().copied()
    }

    pub fn is_awaited(&self) -> bool {
        self.request == Request::Awaited
    }

    /// Takes the latest quote. After a failure the previous quote stays until it expires.
    pub fn take(&mut self, found: Result<Quote, QuoteFault>, now: u64) {
        let lives = self.quote().is_some_and(|quote| !quote.is_over(now));
        if found.is_ok() || !lives {
            self.latest = Some(found);
        }
    }

    /// Keeps the quote, and ignores one in flight.
    pub fn ignore_next(&mut self) {
        self.round += 1;
        self.request = Request::Idle;
        self.rest = None;
    }

    /// Drops the quote, and ignores one in flight.
    pub fn drop_quote(&mut self) {
        self.ignore_next();
        self.latest = None;
    }
}
