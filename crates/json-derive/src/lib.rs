//! Derives the JSON of a type and its TypeScript form.
