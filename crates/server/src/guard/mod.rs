//! Checks and limits that a request passes before it reaches a resource.

pub(crate) mod body;
pub(crate) mod client;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod memory;
pub(crate) mod metrics;
pub(crate) mod open;
pub(crate) mod origin;
pub(crate) mod part;
pub(crate) mod project;
pub(crate) mod request_id;
pub(crate) mod spent;
