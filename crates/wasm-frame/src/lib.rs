//! Bindings of the embedded wallet's frame for the browser, without logic. JSON text crosses in both directions.

use portico_frame_core::{Boot, Event, Frame, Outcome};
use portico_json::{Read, Write, parse};
use wasm_bindgen::prelude::wasm_bindgen;

/// Smaller to download than the allocator of the standard library.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// The frame's machine. Every method returns `{"effects":FrameEffect[],"timeout":number|null,"snapshot":FrameSnapshot|null}` as JSON text;
/// the snapshot is there if it changed. Input that does not parse is answered with `!` and the part that did not fit, which is not JSON.
#[wasm_bindgen]
pub struct Machine {
    frame: Result<Frame, &'static str>,
}

#[wasm_bindgen]
impl Machine {
    /// Boots from the JSON of a `FrameBoot`. Times are epoch milliseconds.
    #[wasm_bindgen(constructor)]
    pub fn new(boot: &str, now: f64) -> Machine {
        Machine { frame: read::<Boot>(boot).map(|boot| Frame::boot(boot, now as u64)) }
    }

    /// Handles an event, the JSON of a `FrameUiEvent`.
    pub fn dispatch(&mut self, event: &str, now: f64) -> String {
        self.run(read::<Event>(event), |frame, event| frame.dispatch(event, now as u64))
    }

    /// Handles the outcome of an effect, the JSON of a `FrameOutcome`.
    pub fn resolve(&mut self, id: u32, outcome: &str, now: f64) -> String {
        self.run(read::<Outcome>(outcome), |frame, outcome| frame.resolve(id, outcome, now as u64))
    }

    /// Advances the time and runs what is due. The first call returns the first snapshot.
    pub fn tick(&mut self, now: f64) -> String {
        self.run(Ok(()), |frame, ()| frame.tick(now as u64))
    }

    fn run<T>(&mut self, input: Result<T, &'static str>, step: impl FnOnce(&mut Frame, T)) -> String {
        let frame = match &mut self.frame {
            Ok(frame) => frame,
            Err(part) => return refuse(part),
        };
        match input {
            Ok(input) => {
                step(frame, input);
                report(frame)
            }
            Err(part) => refuse(part),
        }
    }
}

fn refuse(part: &str) -> String {
    ["!", part].concat()
}

fn report(frame: &mut Frame) -> String {
    let mut out = String::from("{\"effects\":");
    frame.take_effects().write(&mut out);
    out.push_str(",\"timeout\":");
    frame.next_timeout().write(&mut out);
    out.push_str(",\"snapshot\":");
    out.push_str(frame.take_change().unwrap_or("null"));
    out.push('}');
    out
}

fn read<T: Read>(text: &str) -> Result<T, &'static str> {
    let value = parse(text).map_err(|_| "not JSON")?;
    T::read(&value).map_err(|error| error.0)
}
