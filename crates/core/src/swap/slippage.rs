//! Slippage tolerance: the share of the quoted amount that a moving price may cost (spec 9.7). The visitor may choose another one than the
//! default. The minimum received follows from it here, whatever the server says.

use super::event::Target;
use super::quote::{Quote, most};
use super::{Reason, Swap};
use crate::cx::Cx;
use crate::effect::Operation;
use crate::pay::typed::{amount_of, cut};
use crate::storage::{self, keys};
use portico_api::swap::SLIPPAGE;
use portico_json::{Json, Number, Read, Value};
use portico_terms::Amount;

/// Points in one per cent: a point is a hundredth of it.
pub const POINTS: u32 = 100;

/// Decimals of a tolerance in percent.
const DECIMALS: u8 = 2;

/// Tolerances that need no typing, in points.
const OFFERED: [u32; 3] = [10, 50, SLIPPAGE * POINTS];

/// Maximum tolerance in points, which is that of the server.
const MOST: u32 = 50 * POINTS;

/// Tolerance in points above which somebody else can profit from the swap (sandwich). Not stored: it is meant for one swap.
const HIGH: u32 = 5 * POINTS;

/// Slippage tolerance for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapSlippage")]
pub struct View {
    /// Tolerance in use, in percent: "0.5".
    pub percent: String,
    /// Tolerance as typed; `null` while an offered one is chosen.
    pub typed: Option<String>,
    /// Tolerances that need no typing, in percent.
    pub offered: Vec<String>,
    /// Whether the typed one is no number from 0.01 to 50.
    pub wrong: bool,
    /// Whether it is above 5 %.
    pub high: bool,
}

/// The visitor's choice.
#[derive(Clone, Debug)]
pub struct Slippage {
    /// Tolerance in use, in points.
    points: u32,
    /// As typed.
    typed: Option<String>,
    /// The typed text is no tolerance.
    pub wrong: bool,
    /// The visitor chose it on this page, so that a stored one counts no more.
    chosen: bool,
}

impl Default for Slippage {
    fn default() -> Slippage {
        Slippage { points: SLIPPAGE * POINTS, typed: None, wrong: false, chosen: false }
    }
}

impl Slippage {
    fn choose(&mut self, text: &str) {
        if let Some(points) = points_of(text).filter(|points| OFFERED.contains(points)) {
            *self = Slippage { points, typed: None, wrong: false, chosen: true };
        }
    }

    /// Takes what the visitor types; an empty field stands for the default.
    fn type_in(&mut self, text: &str) {
        let usual = Slippage::default();
        let read = if text.trim().is_empty() { Some(usual.points) } else { points_of(text) };
        *self = Slippage {
            points: read.unwrap_or(usual.points),
            typed: Some(cut(text)),
            wrong: read.is_none(),
            chosen: true,
        };
    }

    /// Takes a stored tolerance, which is untrusted.
    fn restore(&mut self, text: &str) {
        if let Some(points) = points_of(text).filter(|points| *points <= HIGH && !self.chosen) {
            let typed = (!OFFERED.contains(&points)).then(|| percent(points));
            *self = Slippage { points, typed, ..Slippage::default() };
        }
    }

    /// The choice that outlives a form.
    pub fn kept(&mut self) -> Slippage {
        let wrong = self.wrong;
        Some(std::mem::take(self)).filter(|_| !wrong).unwrap_or_default()
    }

    /// Minimum received for an expected amount. At the default tolerance it is the one that the server named, which was checked.
    pub fn least(&self, expected: Amount, named: Amount) -> Amount {
        if self.points == SLIPPAGE * POINTS {
            return named;
        }
        let least = || {
            let (whole, rest) = expected.divided(100 * POINTS)?;
            let lost = whole.times(self.points)?.plus(Amount::from(rest * self.points / (100 * POINTS)))?;
            expected.minus(lost)
        };
        least().unwrap_or(named)
    }

    /// Sets the bound of the side that was not typed.
    pub fn apply(&self, quote: &mut Quote) {
        match quote.typed {
            Target::SourceToken => quote.minimum = self.least(quote.to_amount, quote.named),
            Target::ToToken => quote.maximum = most(quote.amount, self.points).unwrap_or(quote.amount),
        }
    }

    /// Tolerance in percent.
    pub fn percent(&self) -> String {
        percent(self.points)
    }

    /// Tolerance in percent, for a request.
    pub fn number(&self) -> Option<Number> {
        Number::read(&Value::Number(self.percent())).ok()
    }

    pub fn view(&self) -> View {
        View {
            percent: self.percent(),
            typed: self.typed.clone(),
            offered: OFFERED.into_iter().map(percent).collect(),
            wrong: self.wrong,
            high: self.points > HIGH,
        }
    }
}

fn percent(points: u32) -> String {
    Amount::from(points).to_units(DECIMALS)
}

/// Parses a tolerance in percent as people type it.
fn points_of(text: &str) -> Option<u32> {
    let points = amount_of(text, DECIMALS).ok().filter(|points| *points <= Amount::from(MOST))?;
    points.to_units(0).parse().ok()
}

impl Swap {
    /// Requests the stored tolerance. Not read at boot, because few visitors swap.
    pub(super) fn read_slippage(&self, cx: &mut Cx) {
        cx.ask(Operation::ReadStorage { prefix: keys::SLIPPAGE.into() }, Reason::Slippage);
    }

    pub(super) fn slippage_read(&mut self, stored: &Value) {
        let entry = stored.as_list().and_then(|list| list.first());
        if let Some(text) = entry.and_then(|entry| entry.get("value").as_str()).filter(|_| self.promised.is_none()) {
            self.slippage.restore(text);
            self.tolerate();
        }
    }

    /// The visitor chooses an offered tolerance, or types one. In the preview the minimum that was shown stands.
    pub(super) fn slippage_chosen(&mut self, text: &str, typed: bool, cx: &mut Cx) {
        if self.promised.is_some() {
            return;
        }
        match typed {
            true => self.slippage.type_in(text),
            false => self.slippage.choose(text),
        }
        self.tolerate();
        if !self.slippage.wrong && self.slippage.points <= HIGH {
            storage::keep(keys::SLIPPAGE.into(), self.slippage.percent(), cx);
        }
    }

    /// The quote's bound follows the tolerance.
    fn tolerate(&mut self) {
        if self.promised.is_none()
            && let Some(quote) = self.pricing.quote_mut()
        {
            self.slippage.apply(quote);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Slippage {
        let mut slippage = Slippage::default();
        slippage.type_in(text);
        slippage
    }

    #[test]
    fn a_tolerance_is_typed_in_per_cent_with_two_decimals_and_fifty_at_most() {
        for (text, percent) in
            [("0.1", "0.1"), ("0,5", "0.5"), ("5", "5"), ("50", "50"), ("0.01", "0.01"), ("", "1"), (" ", "1")]
        {
            let slippage = typed(text);
            assert_eq!((slippage.percent().as_str(), slippage.wrong), (percent, false), "{text}");
        }
        for text in ["0", "50.01", "51", "-1", "0.001", "1e1", "x", &"9".repeat(90)] {
            assert!(typed(text).wrong, "{text}");
        }
        assert_eq!([typed("5").view().high, typed("5.01").view().high], [false, true]);
    }

    #[test]
    fn spec_9_7_the_minimum_is_what_the_tolerance_leaves_rounded_up() {
        let amount = |number: u64| Amount::from(number);
        for (text, expected, least) in [
            ("0.1", 3_000_000_000u64, 2_997_000_000u64),
            ("0.5", 3_000_000_001, 2_985_000_001),
            ("2.5", 199, 195),
            ("50", 3, 2),
            ("0.01", 9_999, 9_999),
        ] {
            assert_eq!(typed(text).least(amount(expected), amount(1)), amount(least), "{text} {expected}");
        }
        let most = Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap();
        assert!(typed("50").least(most, Amount::ZERO) > most.divided(2).unwrap().0);
        assert_eq!(Slippage::default().least(amount(100), amount(99)), amount(99));
    }

    #[test]
    fn a_stored_tolerance_that_is_high_or_none_or_late_is_not_used() {
        for (stored, percent) in [("0.5", "0.5"), ("2.5", "2.5"), ("6", "1"), ("x", "1"), ("", "1")] {
            let mut slippage = Slippage::default();
            slippage.restore(stored);
            assert_eq!(slippage.percent(), percent, "{stored}");
        }
        let mut slippage = typed("3");
        slippage.restore("0.5");
        assert_eq!(slippage.percent(), "3");
    }
}
