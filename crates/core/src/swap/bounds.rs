//! The two amounts of a swap, one of which the visitor typed: that one is exact, and the slippage bounds the other.

use super::event::Target;
use super::quote::Quote;
use super::{Max, Swap};
use crate::cx::Cx;
use crate::pay::typed::cut;
use portico_calldata::DecodedSwap;
use portico_terms::Amount;

/// Bounds of a swap that the visitor agrees to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bounds {
    /// Maximum that is paid; the exact amount where it was typed.
    pub pays: Amount,
    /// Minimum that is received; the exact amount where it was typed.
    pub brings: Amount,
    /// The side that was typed.
    pub typed: Target,
}

impl Bounds {
    /// Whether a quote, at its expected amounts, is outside of them.
    pub fn are_broken_by(&self, quote: &Quote) -> bool {
        quote.amount > self.pays || quote.to_amount < self.brings
    }

    /// Whether a swap with these bytes stays within them and keeps the typed amount exactly.
    pub fn hold(&self, decoded: &DecodedSwap) -> bool {
        let held = match self.typed {
            Target::SourceToken => {
                decoded.exact.is_paid() && decoded.amount == self.pays && decoded.least >= self.brings
            }
            Target::ToToken => decoded.exact.is_bought() && decoded.amount <= self.pays && decoded.least == self.brings,
        };
        held && !decoded.least.is_zero()
    }
}

impl Swap {
    /// The amount to pay is typed from now on.
    pub(super) fn type_paid(&mut self, text: String) {
        (self.form.amount, self.form.typed) = (text, Target::SourceToken);
    }

    /// The visitor types the amount to receive.
    pub(super) fn type_received(&mut self, text: &str, cx: &mut Cx) {
        if self.takes_received() {
            (self.form.amount, self.form.typed, self.form.max) = (cut(text), Target::ToToken, Max::Unused);
            self.changed(cx);
        }
    }

    /// Whether the amount to receive may be typed: a swap provider of this chain quotes for it.
    pub(super) fn takes_received(&self) -> bool {
        self.lists.iter().any(|list| Some(&list.chain) == self.form.chain.as_ref() && list.exact_out)
    }

    /// Maximum that a swap by this quote pays: the one that the visitor was shown, once there is one.
    pub(super) fn most(&self, quote: &Quote) -> Amount {
        self.promised.map_or(quote.maximum, |promised| promised.pays)
    }
}
