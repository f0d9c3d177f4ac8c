//! The JSON between widget and server, one file a resource.
//!
//! Both sides use these types, so that a field can be spelled in one way only.

#![warn(missing_docs)]

pub mod account;
pub mod analytics;
pub mod directory;
pub mod identity;
pub mod name;
pub mod onramp;
pub mod price;
pub mod problem;
pub mod project;
pub mod routes;
pub mod rpc;
pub mod swap;

pub use problem::{Problem, ProblemStatus, Reason};
