//! Bindings of the core for the browser, without logic. JSON text crosses in both directions:
//! `docs/decisions/0001-json-across-the-bridge.md`.

use portico_core::{App, Boot, Outcome};
use portico_json::{Read, Value, Write, parse};
use wasm_bindgen::prelude::wasm_bindgen;

/// Smaller to download than the allocator of the standard library.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// The core. Every method returns `{"effects":Effect[],"timeout":number|null,"skipped":number,"changes":Changes}` as JSON text. Input that
/// does not parse is answered with `!` and the part that did not fit, which is not JSON: error types of the binding would cost more bytes.
#[wasm_bindgen]
pub struct Core {
    /// Leaked on purpose: its destructor would weigh half a kilobyte, and a module is dropped as a whole.
    app: Result<&'static mut App, &'static str>,
}

#[wasm_bindgen]
impl Core {
    /// Boots from the JSON of a `Boot`. Times are epoch milliseconds.
    #[wasm_bindgen(constructor)]
    pub fn new(boot: &str, now: f64) -> Core {
        Core { app: read::<Boot>(boot).map(|boot| Box::leak(Box::new(App::boot(boot, now as u64)))) }
    }

    /// Returns the effects of the boot and the first snapshot.
    pub fn first(&mut self) -> String {
        self.run(Ok(()), |_, ()| Ok(()))
    }

    /// Handles an event, the JSON of a `CoreEvent`.
    pub fn dispatch(&mut self, event: &str, now: f64) -> String {
        self.run(value(event), |app, event| app.dispatch_json(&event, now as u64).map_err(|error| error.0))
    }

    /// Handles the outcome of an effect, the JSON of an `Outcome`.
    pub fn resolve(&mut self, id: u32, outcome: &str, now: f64) -> String {
        self.run(read::<Outcome>(outcome), |app, outcome| {
            app.resolve(id, outcome, now as u64);
            Ok(())
        })
    }

    /// Advances the time and runs the timers that are due.
    pub fn tick(&mut self, now: f64) -> String {
        self.run(Ok(()), |app, ()| {
            app.tick(now as u64);
            Ok(())
        })
    }

    fn run<T>(
        &mut self,
        input: Result<T, &'static str>,
        step: impl FnOnce(&mut App, T) -> Result<(), &'static str>,
    ) -> String {
        let app = match &mut self.app {
            Ok(app) => app,
            Err(part) => return refuse(part),
        };
        match input.and_then(|input| step(app, input)) {
            Ok(()) => report(app),
            Err(part) => refuse(part),
        }
    }
}

fn refuse(part: &str) -> String {
    ["!", part].concat()
}

fn report(app: &mut App) -> String {
    let mut out = String::from("{\"effects\":");
    app.take_effects().write(&mut out);
    out.push_str(",\"timeout\":");
    app.next_timeout().write(&mut out);
    out.push_str(",\"skipped\":");
    app.skipped_items().write(&mut out);
    out.push_str(",\"changes\":");
    app.write_changes(&mut out);
    out.push('}');
    out
}

fn read<T: Read>(text: &str) -> Result<T, &'static str> {
    T::read(&value(text)?).map_err(|error| error.0)
}

fn value(text: &str) -> Result<Value, &'static str> {
    parse(text).map_err(|_| "not JSON")
}
