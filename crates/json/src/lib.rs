//! JSON text for the browser core: small when compiled, strict when reading.
//!
//! serde_json would double the size of the core in the browser. This crate does only what the bridge needs: types write themselves straight
//! into a `String`, and read themselves from a [`Value`] parsed once. The same derive describes the shape of a type, from which
//! `portico-gen` writes the TypeScript types of the widget and the description of the server's API.
//!
//! ```
//! use portico_json::{Json, Read, parse, to_text};
//!
//! #[derive(Debug, PartialEq, Json)]
//! #[json(tag = "type")]
//! enum Shape {
//!     Dot,
//!     Circle { radius: u32 },
//! }
//!
//! let text = to_text(&Shape::Circle { radius: 3 });
//! assert_eq!(text, r#"{"type":"circle","radius":3}"#);
//! assert_eq!(Shape::read(&parse(&text).unwrap()), Ok(Shape::Circle { radius: 3 }));
//! ```

mod fields;
mod map;
mod number;
mod parse;
mod shape;
mod value;
mod words;
mod write;

pub use fields::{FieldReader, FieldWriter};
pub use map::Map;
pub use number::Number;
pub use parse::{ParseError, parse};
pub use portico_json_derive::Json;
pub use shape::{Declarations, Declared, Field, Shape, Shaped};
pub use value::{Fault, Read, ReadError, Take, Value, read_sound, take_text, take_word};
pub use words::{find_word, word_at};
pub use write::{Write, to_text, write_text};

/// The three traits that the derive macro [`Json`] covers.
pub trait Json: Read + Write + Shaped {}
impl<T: Read + Write + Shaped> Json for T {}
