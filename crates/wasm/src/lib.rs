//! Bindings of the core for the browser, and no logic. JSON text crosses in both directions: `docs/decisions/0001-json-across-the-bridge.md`.

use portico_core::{App, Boot, Event, Outcome};
use portico_json::{Read, Write, parse};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// The core. Every method returns `{"effects":Effect[],"timeout":number|null,"changes":Changes}` as JSON text.
#[wasm_bindgen]
pub struct Core {
    app: App,
}

#[wasm_bindgen]
impl Core {
    /// Boots from the JSON of a `Boot`. Times are epoch milliseconds.
    #[wasm_bindgen(constructor)]
    pub fn new(boot: &str, now: f64) -> Result<Core, JsError> {
        Ok(Core { app: App::boot(read::<Boot>(boot)?, now as u64) })
    }

    /// What the boot asked for, and the first snapshot.
    pub fn first(&mut self) -> String {
        self.told()
    }

    /// Something happened: the JSON of a `CoreEvent`.
    pub fn dispatch(&mut self, event: &str, now: f64) -> Result<String, JsError> {
        self.app.dispatch(read::<Event>(event)?, now as u64);
        Ok(self.told())
    }

    /// An effect was answered: the JSON of an `Outcome`.
    pub fn resolve(&mut self, id: u32, outcome: &str, now: f64) -> Result<String, JsError> {
        self.app.resolve(id, read::<Outcome>(outcome)?, now as u64);
        Ok(self.told())
    }

    /// Time passed.
    pub fn tick(&mut self, now: f64) -> String {
        self.app.tick(now as u64);
        self.told()
    }

    fn told(&mut self) -> String {
        let mut out = String::from("{\"effects\":");
        self.app.take_effects().write(&mut out);
        out.push_str(",\"timeout\":");
        self.app.next_timeout().write(&mut out);
        out.push_str(",\"changes\":");
        self.app.write_changes(&mut out);
        out.push('}');
        out
    }
}

fn read<T: Read>(text: &str) -> Result<T, JsError> {
    let value = parse(text).map_err(|_| JsError::new("not JSON"))?;
    T::read(&value).map_err(|error| JsError::new(error.0))
}
