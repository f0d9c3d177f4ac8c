//! JSON text for the browser core: small to compile, strict to read.
