//! Bindings of the core for the browser, and no logic.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the core.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
