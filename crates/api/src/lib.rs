//! JSON types exchanged between widget and server, one file per resource.
//!
//! Both sides use these types, so the names of the fields cannot differ.

#![warn(missing_docs)]

pub mod account;
pub mod analytics;
pub mod directory;
pub mod frame;
pub mod identity;
pub mod name;
pub mod onramp;
pub mod price;
pub mod problem;
pub mod project;
pub mod relay;
pub mod routes;
pub mod rpc;
pub mod siwx;
pub mod swap;
pub mod wallet;

pub use problem::{Problem, ProblemStatus, Reason};
