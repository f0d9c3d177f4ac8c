//! Rules: texts and numbers of the contract, allowed imports, and recorded runs.

mod catalogue;
mod constants;
mod floors;
mod replays;
