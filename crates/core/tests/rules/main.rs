//! The contract, repeated where it names texts and numbers; what may import what; and the runs that were recorded.

mod catalogue;
mod constants;
mod floors;
mod replays;
