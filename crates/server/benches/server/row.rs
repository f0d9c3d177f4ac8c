//! Row of the table.

use std::fmt;

pub const HEAD: &str = "| Budget | Limit | Measured | | |\n|---|---|---|---|---|";

pub struct Row {
    pub what: &'static str,
    pub limit: Limit,
    pub measured: f64,
    pub unit: &'static str,
    pub note: String,
}

pub enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

impl Row {
    pub fn kept(&self) -> bool {
        match self.limit {
            Limit::AtMost(limit) => self.measured <= limit,
            Limit::AtLeast(limit) => self.measured >= limit,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, unit, kept) = (self.what, self.unit, if self.kept() { "kept" } else { "missed" });
        let (word, limit) = match self.limit {
            Limit::AtMost(limit) => ("at most", limit),
            Limit::AtLeast(limit) => ("at least", limit),
        };
        let measured =
            if self.measured < 10.0 { format!("{:.2}", self.measured) } else { format!("{:.0}", self.measured) };
        write!(formatter, "| {what} | {word} {limit} {unit} | {measured} {unit} | {kept} | {} |", self.note)
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
