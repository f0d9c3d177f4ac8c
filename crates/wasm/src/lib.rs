//! Bindings of the core for the browser, and no logic.
