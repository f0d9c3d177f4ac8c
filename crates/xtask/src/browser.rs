//! Finds a Chromium for the browser tests, or installs Debian's.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::{apt, place, progress};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ELSEWHERE: [&str; 4] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
];

/// Path of a browser: from the variable `CHROMIUM`, from `PATH`, or from one of the usual folders.
pub fn found() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from).filter(|file| file.is_file());
    let on_path = || NAMES.iter().find_map(|name| place::program(name));
    let elsewhere = || ELSEWHERE.iter().map(Path::new).find(|file| file.is_file()).map(Path::to_path_buf);
    named.or_else(on_path).or_else(elsewhere)
}

/// Step: finds a browser, or installs Debian's package if run as root.
pub fn ready() -> Result<PathBuf> {
    progress::step("Chromium", |note| {
        if found().is_none() && apt::here() {
            apt::install(&["chromium"])?;
        }
        let browser = found().ok_or_else(|| {
            Failure::new("No Chromium or Chrome was found: install one, or set CHROMIUM to the path of its program.")
        })?;
        *note = browser.display().to_string();
        Ok(browser)
    })
}
