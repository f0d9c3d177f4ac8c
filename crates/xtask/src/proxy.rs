//! Finds Caddy, which a test starts in front of the server, and nginx, which parses our files for it, or gets Debian's.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::{apt, place, progress};

/// Programs and their Debian packages, with the folder of each in its package.
const PROGRAMS: [(&str, &str); 2] = [("caddy", "usr/bin"), ("nginx", "usr/sbin")];

/// Paths of Caddy and nginx: on `PATH`, or unpacked by [`ready`] before.
pub fn found() -> [Option<PathBuf>; 2] {
    PROGRAMS.map(|(name, folder)| one(name, folder))
}

/// Step: finds Caddy and nginx, or unpacks Debian's packages below `target`: nothing is installed, and no service starts.
pub fn ready() -> Result<[PathBuf; 2]> {
    progress::step("Caddy and nginx", |note| {
        let missing: Vec<&str> =
            PROGRAMS.iter().filter(|(name, folder)| one(name, folder).is_none()).map(|(name, _)| *name).collect();
        if !missing.is_empty() && apt::here() {
            apt::unpack(&missing, &folder(), &root())?;
        }
        let [Some(caddy), Some(nginx)] = found() else {
            let needed =
                "The tests of proxies need Caddy and nginx: install them, so that `caddy` and `nginx` are on the path.";
            return Err(Failure::new(needed));
        };
        *note = format!("{}, {}", caddy.display(), nginx.display());
        Ok([caddy, nginx])
    })
}

fn one(name: &str, folder: &str) -> Option<PathBuf> {
    place::program(name).or_else(|| Some(root().join(folder).join(name)).filter(|program| program.is_file()))
}

fn folder() -> PathBuf {
    place::root().join("target/proxy")
}

fn root() -> PathBuf {
    folder().join("root")
}
