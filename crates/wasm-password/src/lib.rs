//! Bindings of the password for the frame's worker, without logic. JSON text crosses in both directions.

use portico_password::Client;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

/// Allocator of the module: memory that held a secret is wiped before it is used again.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: portico_wiping::Wiping<talc::wasm::WasmDynamicTalc> =
    portico_wiping::Wiping(talc::wasm::new_wasm_dynamic_allocator());

thread_local! {
    /// One password is set or tried at a time.
    static CLIENT: RefCell<Client> = RefCell::default();
}

/// Performs the JSON of a `PasswordCommand` and returns the JSON of a `PasswordAnswer`.
#[wasm_bindgen]
pub fn command(json: &str) -> String {
    CLIENT.with_borrow_mut(|client| client.command(json))
}
