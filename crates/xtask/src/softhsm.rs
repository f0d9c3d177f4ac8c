//! SoftHSM, a token of PKCS#11 in software, for the tests of a root key in a token: found, or Debian's.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::{Failure, OrSay, Result};
use crate::{apt, place, progress};

const PACKAGE: &str = "libsofthsm2";
const MODULE: &str = "usr/lib/softhsm/libsofthsm2.so";

/// Path of SoftHSM's library: installed, or unpacked by [`ready`] before.
pub fn found() -> Option<PathBuf> {
    let roots = [PathBuf::from("/"), folder().join("root")];
    roots.into_iter().map(|root| root.join(MODULE)).find(|module| module.is_file())
}

/// Step: finds SoftHSM, or unpacks Debian's package below `target`: nothing is installed.
pub fn ready() -> Result<()> {
    progress::step("SoftHSM", |note| {
        if found().is_none() && apt::here() {
            apt::unpack(&[PACKAGE], &folder(), &folder().join("root"))?;
        }
        let module = found().ok_or_else(|| {
            Failure::new(format!("The tests of a root key in a token need SoftHSM at /{MODULE}: install it."))
        })?;
        let tokens = folder().join("tokens");
        fs::create_dir_all(&tokens).or_say("make the folder for tokens")?;
        fs::write(configuration(), format!("directories.tokendir = {}\n", tokens.display()))
            .or_say("write the configuration of SoftHSM")?;
        *note = module.display().to_string();
        Ok(())
    })
}

/// Sets the environment variables of the tests: the library, and what it reads itself.
pub fn set_variables(command: &mut Command) {
    if let Some(module) = found() {
        command.env("PORTICO_TEST_PKCS11_MODULE", module).env("SOFTHSM2_CONF", configuration());
    }
}

fn folder() -> PathBuf {
    place::root().join("target/softhsm")
}

fn configuration() -> PathBuf {
    folder().join("softhsm2.conf")
}
