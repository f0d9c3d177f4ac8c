//! Builds the widget as it is published, the embedded wallet's frame, and the demo page.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::stamp::{Inputs, Stamp};
use crate::wasm::Wasm;
use crate::{npm, place, process, progress, wasm};

const WIDGET: &str = "packages/widget";
const DEMO: &str = "examples/demo";
const WALLET: &str = "examples/wallet";
const WALLETCONNECT: &str = "packages/walletconnect";
const FRAME: &str = "packages/frame";

/// Runs all steps up to the built widget.
pub fn ready() -> Result<()> {
    npm::ready()?;
    wasm::build(Wasm::default())?;
    build()
}

/// Steps: builds packages/walletconnect/dist, packages/widget/dist, which includes it, and packages/frame/dist, which the server serves.
pub fn build() -> Result<()> {
    bundle("walletconnect", WALLETCONNECT, &[WALLETCONNECT])?;
    bundle("widget", WIDGET, &[WALLETCONNECT, WIDGET])?;
    bundle("frame", FRAME, &[FRAME, "packages/widget/src/theme"])
}

/// Folder of the built frame, for `wallet.frame` of the server.
pub fn frame() -> PathBuf {
    place::root().join(FRAME).join("dist")
}

/// Step: builds examples/demo/dist, which includes the demo wallet.
pub fn build_page() -> Result<()> {
    bundle("demo page", DEMO, &[WALLETCONNECT, WIDGET, "packages/testkit", DEMO, WALLET])
}

/// Step: builds the demo page for `test --changed`, with less compression to be faster, and without the pages of `bench`.
pub fn build_quick_page() -> Result<()> {
    progress::step("demo page", |_| {
        Stamp::of("demo-page").forget();
        process::run("demo page build", &mut npm::script("build-quick", DEMO)).map(drop)
    })
}

/// Folder of the built demo page.
pub fn page() -> PathBuf {
    place::root().join(DEMO).join("dist")
}

fn bundle(label: &str, package: &str, made_of: &[&str]) -> Result<()> {
    progress::step(label, |note| {
        let root = place::root();
        let mut inputs = Inputs::default().path(&root.join("package-lock.json"))?.path(&root.join("tsconfig.json"))?;
        for folder in made_of {
            inputs = inputs.path(&root.join(folder))?;
        }
        let digest = inputs.digest();
        let stamp = Stamp::of(&label.replace(' ', "-"));
        if stamp.note(&digest, &[&root.join(package).join("dist")]).is_some() {
            *note = "up to date".into();
            return Ok(());
        }
        if !npm::has_script("build", package) {
            return Err(Failure::new(format!(
                "{package}/package.json has no script `build`; without it there is no {label}."
            )));
        }
        stamp.forget();
        process::run(&format!("{label} build"), &mut npm::script("build", package))?;
        stamp.keep(&digest, "")
    })
}
