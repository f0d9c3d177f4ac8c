//! Run of the core as text: one JSON object per line. Bug reports contain one; the fuzzer makes them up.
//!
//! `{"boot":Boot,"now":n}` · `{"event":CoreEvent,"now":n}` · `{"id":n,"outcome":Outcome,"now":n}` · `{"tick":n}`

use portico_core::{App, Boot, Event, Outcome};
use portico_json::{Read, Value, parse, to_text};

/// Plays a run and returns the number of lines read. Invalid lines are skipped, as the bridge would reject them.
pub fn play(text: &str) -> (App, usize) {
    let mut app = App::default();
    let mut read = 0;
    for line in text.lines() {
        if let Some(()) = parse(line).ok().and_then(|line| step(&mut app, &line)) {
            read += 1;
        }
        let _ = app.take_effects();
        let mut told = String::new();
        app.write_changes(&mut told);
    }
    (app, read)
}

fn step(app: &mut App, line: &Value) -> Option<()> {
    let now = line.get("now").as_u64();
    if let Some(now) = line.get("tick").as_u64() {
        app.tick(now);
    } else if !line.get("boot").is_null() {
        *app = App::boot(Boot::read(line.get("boot")).ok()?, now?);
    } else if !line.get("event").is_null() {
        app.dispatch_json(line.get("event"), now?).ok()?;
    } else {
        app.resolve(u32::read(line.get("id")).ok()?, Outcome::read(line.get("outcome")).ok()?, now?);
    }
    Some(())
}

/// Line for a boot.
pub fn booted(boot: &Boot, now: u64) -> String {
    format!(r#"{{"boot":{},"now":{now}}}"#, to_text(boot))
}

/// Line for an event.
pub fn happened(event: &Event, now: u64) -> String {
    format!(r#"{{"event":{},"now":{now}}}"#, to_text(event))
}

/// Line for an outcome.
pub fn answered(id: u32, outcome: &Outcome, now: u64) -> String {
    format!(r#"{{"id":{id},"outcome":{},"now":{now}}}"#, to_text(outcome))
}

/// Line for the passing of time.
pub fn passed(now: u64) -> String {
    format!(r#"{{"tick":{now}}}"#)
}
