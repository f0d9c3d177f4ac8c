//! Rules: texts and numbers of the contract, allowed imports, and recorded runs.

#![allow(clippy::disallowed_methods, reason = "rules read the source")]

mod catalogue;
mod constants;
mod floors;
mod replays;
