//! Finds the browsers of the tests, or installs Debian's.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::{apt, place, progress};

/// A browser, and where to look for it.
pub struct Browser {
    /// "Chromium"
    pub name: &'static str,
    /// Variable with the path of its program.
    pub variable: &'static str,
    /// Programs on the `PATH`.
    programs: &'static [&'static str],
    /// Programs in other usual places.
    elsewhere: &'static [&'static str],
    /// Package of Debian.
    pub package: &'static str,
}

pub const CHROMIUM: Browser = Browser {
    name: "Chromium",
    variable: "CHROMIUM",
    programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    elsewhere: &[
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/snap/bin/chromium",
        "/opt/google/chrome/chrome",
    ],
    package: "chromium",
};

/// Chromium's engine without windows: a visit of a test costs it a fifth of the work.
pub const SHELL: Browser = Browser {
    name: "Chromium's headless shell",
    variable: "CHROMIUM_SHELL",
    programs: &["chromium-headless-shell", "chrome-headless-shell"],
    elsewhere: &[],
    package: "chromium-headless-shell",
};

pub const FIREFOX: Browser = Browser {
    name: "Firefox",
    variable: "FIREFOX",
    programs: &["firefox-esr", "firefox"],
    elsewhere: &["/Applications/Firefox.app/Contents/MacOS/firefox"],
    package: "firefox-esr",
};

impl Browser {
    /// Path of its program: from its variable, from `PATH`, or from one of the usual places.
    pub fn found(&self) -> Option<PathBuf> {
        let named = env::var_os(self.variable).map(PathBuf::from).filter(|file| file.is_file());
        let on_path = || self.programs.iter().find_map(|name| place::program(name));
        let elsewhere = || self.elsewhere.iter().map(Path::new).find(|file| file.is_file()).map(Path::to_path_buf);
        named.or_else(on_path).or_else(elsewhere)
    }

    /// Step: like `ready`, but where it can't be had, `other` is used.
    pub fn ready_or(&self, other: &Browser) -> Result<PathBuf> {
        if self.found().is_none() && apt::here() && apt::as_root() {
            // A mirror without the package is no reason to fail.
            let _ = progress::step(self.name, |_| apt::install(&[self.package]));
        }
        self.found().map_or_else(|| other.ready(), Ok)
    }

    /// Step: finds the browser, or installs Debian's package if run as root.
    pub fn ready(&self) -> Result<PathBuf> {
        progress::step(self.name, |note| {
            if self.found().is_none() && apt::here() {
                apt::install(&[self.package])?;
            }
            let browser = self.found().ok_or_else(|| {
                let Browser { name, variable, .. } = self;
                Failure::new(format!("No {name} was found: install one, or set {variable} to the path of its program."))
            })?;
            *note = browser.display().to_string();
            Ok(browser)
        })
    }
}
