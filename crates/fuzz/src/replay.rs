//! Fuzz target: any text as a replay of the core.

/// Panics if the core does.
pub fn take(text: &str) {
    let _ = portico_testkit::replay::play(text);
}
