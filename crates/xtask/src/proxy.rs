//! Finds Caddy, which a test starts in front of the server, or gets Debian's.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::{apt, place, progress};

const PACKAGE: &str = "caddy";

/// Path of Caddy: on `PATH`, or unpacked by [`ready`] before.
pub fn found() -> Option<PathBuf> {
    place::program(PACKAGE).or_else(|| Some(unpacked()).filter(|program| program.is_file()))
}

/// Step: finds Caddy, or unpacks Debian's package below `target`: nothing is installed, and no service starts.
pub fn ready() -> Result<PathBuf> {
    progress::step("Caddy", |note| {
        if found().is_none() && apt::here() {
            apt::unpack(&[PACKAGE], &folder(), &folder().join("root"))?;
        }
        let program = found().ok_or_else(|| {
            Failure::new("The test of the proxy needs Caddy: install it, so that `caddy` is on the path.")
        })?;
        *note = program.display().to_string();
        Ok(program)
    })
}

fn folder() -> PathBuf {
    place::root().join("target/proxy")
}

fn unpacked() -> PathBuf {
    folder().join("root/usr/bin").join(PACKAGE)
}
