//! aiosmtpd, a mail server in Python, for the tests of mails with DSN: found, or Debian's.

use std::path::PathBuf;
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::{apt, place, progress};

const PACKAGES: [&str; 3] = ["python3-aiosmtpd", "python3-attr", "python3-public"];

/// A Python that imports aiosmtpd.
pub struct Python {
    pub program: PathBuf,
    /// Folder of unpacked modules.
    modules: Option<PathBuf>,
}

impl Python {
    /// Sets the environment variables of the tests: the program, and where it finds aiosmtpd.
    pub fn set_variables(&self, command: &mut Command) {
        command.env("PORTICO_TEST_PYTHON", &self.program);
        self.set_modules(command);
    }

    fn imports(&self) -> bool {
        let mut command = Command::new(&self.program);
        self.set_modules(&mut command);
        command.args(["-c", "import aiosmtpd.smtp"]).output().is_ok_and(|output| output.status.success())
    }

    fn set_modules(&self, command: &mut Command) {
        if let Some(modules) = &self.modules {
            command.env("PYTHONPATH", modules);
        }
    }
}

/// Python with aiosmtpd as installed, or as unpacked by [`ready`] before.
pub fn found() -> Option<Python> {
    let program = place::program("python3")?;
    let modules = [None, Some(folder().join("root/usr/lib/python3/dist-packages"))];
    modules.into_iter().map(|modules| Python { program: program.clone(), modules }).find(Python::imports)
}

/// Step: finds aiosmtpd, or unpacks Debian's packages below `target`: nothing is installed but Python, if it is missing.
pub fn ready() -> Result<Python> {
    progress::step("aiosmtpd", |note| {
        if found().is_none() && apt::here() {
            if place::program("python3").is_none() {
                apt::install(&["python3"])?;
            }
            apt::unpack(&PACKAGES, &folder(), &folder().join("root"))?;
        }
        let python = found().ok_or_else(|| {
            Failure::new("The tests of mails need Python with aiosmtpd: install it, such as by `pip install aiosmtpd`.")
        })?;
        *note = python.program.display().to_string();
        Ok(python)
    })
}

fn folder() -> PathBuf {
    place::root().join("target/aiosmtpd")
}
