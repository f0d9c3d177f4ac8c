//! Bindings of the signer for the frame's worker, without logic. JSON text crosses in both directions.

use portico_signer::Keyring;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

/// Allocator of the module: memory that held a secret is wiped before it is used again.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: portico_wiping::Wiping<talc::wasm::WasmDynamicTalc> =
    portico_wiping::Wiping(talc::wasm::new_wasm_dynamic_allocator());

thread_local! {
    /// The worker has one wallet.
    static KEYRING: RefCell<Keyring> = RefCell::default();
}

/// Performs the JSON of a `SignerCommand` and returns the JSON of a `SignerAnswer`.
#[wasm_bindgen]
pub fn command(json: &str) -> String {
    KEYRING.with_borrow_mut(|keyring| keyring.command(json))
}
