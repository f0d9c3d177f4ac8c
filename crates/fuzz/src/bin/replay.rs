//! Any text as a run of the core.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = portico_testkit::replay::play(text);
});
