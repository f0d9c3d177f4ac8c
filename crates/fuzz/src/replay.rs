//! Any text as a run of the core.

/// Panics where that does not hold.
pub fn take(text: &str) {
    let _ = portico_testkit::replay::play(text);
}
