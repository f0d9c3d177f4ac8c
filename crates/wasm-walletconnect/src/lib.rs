//! Bindings of the sign client for the browser, without logic. JSON text crosses in both directions.

use portico_walletconnect::client::Client;
use portico_walletconnect::crypto::sha256;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

/// Smaller to download than the allocator of the standard library.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

thread_local! {
    /// Sign clients, by the number that [`start`] returned. A class for each would weigh more, here and in the glue. They live as long as
    /// their module, which is dropped as a whole.
    static CLIENTS: RefCell<Vec<Result<Client, &'static str>>> = const { RefCell::new(Vec::new()) };
}

/// Starts a sign client and returns its number. `config` is the JSON of a `ClientConfig`, `entropy` a text with at least 32 random bytes,
/// `stored` a JSON object of texts. Times are epoch milliseconds.
#[wasm_bindgen]
pub fn start(config: &str, entropy: &str, stored: &str, now: f64) -> usize {
    let client = Client::start_text(config, sha256(entropy.as_bytes()), stored, now as u64);
    CLIENTS.with_borrow_mut(|clients| {
        clients.push(client);
        clients.len() - 1
    })
}

/// Handles the JSON of a `ClientInput` and returns `{"outputs":Output[],"timeout":number|null}` as JSON text. Input that does not parse is
/// answered with `!` and the part that did not fit, which is not JSON: error types of the binding would cost more bytes.
#[wasm_bindgen]
pub fn handle(client: usize, input: &str, now: f64) -> String {
    CLIENTS.with_borrow_mut(|clients| match &mut clients[client] {
        Ok(client) => client.handle_text(input, now as u64),
        Err(part) => ["!", part].concat(),
    })
}

/// Encrypts a text in an envelope of type 0, decrypts it and parses it as JSON. Returns the number of fields, 0 if a step failed.
#[cfg(feature = "bench")]
#[wasm_bindgen]
pub fn envelope(text: &str) -> usize {
    use portico_walletconnect::crypto::{Envelope, SymKey, seal};
    let key = SymKey::new([7; 32]);
    let message = seal(text, &key, [9; 12]);
    let opened = Envelope::parse(&message).and_then(|envelope| envelope.open(&key)).unwrap_or_default();
    let value = portico_json::parse(&opened).unwrap_or_default();
    value.as_object().map_or(0, <[_]>::len)
}
