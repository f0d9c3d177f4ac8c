//! The binary `portico`: everything behind the widget, on your own domain.
