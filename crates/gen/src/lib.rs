//! Writes what is generated from the Rust types. Nothing else writes there.
