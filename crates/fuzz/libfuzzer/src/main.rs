//! libFuzzer binary for one target of portico-fuzz, named by PORTICO_FUZZ_TARGET.

#![no_main]

use portico_fuzz::TARGETS;
use std::env;
use std::sync::LazyLock;

static TAKE: LazyLock<fn(&str)> = LazyLock::new(|| {
    let name = env::var("PORTICO_FUZZ_TARGET").unwrap_or_default();
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    target.unwrap_or_else(|| panic!("PORTICO_FUZZ_TARGET names no target: {name:?}")).1
});

libfuzzer_sys::fuzz_target!(|text: &str| TAKE(text));
