//! The JSON between widget and server, one file a resource.
//!
//! Both sides use these types, so that a field can be spelled in one way only.

pub mod problem;
pub mod rpc;

pub use problem::{Problem, ProblemStatus, Reason};
