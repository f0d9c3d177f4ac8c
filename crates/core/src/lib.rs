//! The widget without a browser.
