use crate::{Map, Value};
use std::collections::BTreeMap;

/// Shape of a type as data, from which its TypeScript and its JSON Schema are written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Shape {
    /// String.
    Text,
    /// Whole number.
    Whole,
    /// Any number.
    Number,
    /// Boolean.
    Switch,
    /// Any JSON value.
    Any,
    /// The inner shape or `null`.
    Maybe(Box<Shape>),
    /// Array of the inner shape.
    List(Box<Shape>),
    /// Object with arbitrary field names and values of the inner shape.
    Map(Box<Shape>),
    /// Reference to a declared type by name.
    Named(&'static str),
    /// Object with these fields.
    Object(Vec<Field>),
    /// One of these strings.
    Words(Vec<&'static str>),
    /// One of these objects; the first field of each identifies it.
    Tagged(Vec<Vec<Field>>),
    /// Exactly this string.
    Word(&'static str),
}

/// Field of an object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Field {
    /// Name in JSON.
    pub name: &'static str,
    /// Doc comment, on one line.
    pub about: &'static str,
    pub shape: Shape,
}

/// Declared type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Declared {
    /// Doc comment, on one line.
    pub about: &'static str,
    pub shape: Shape,
}

/// Declared types by name.
pub type Declarations = BTreeMap<&'static str, Declared>;

/// Type that describes its own shape.
pub trait Shaped {
    /// Returns the shape by which other types refer to this one.
    fn shape() -> Shape;

    /// Adds the declaration of this type and of all types it refers to. Built-in types add nothing.
    fn declare(_into: &mut Declarations) {}
}

macro_rules! built_in {
    ($shape:ident: $($type:ty),*) => {$(
        impl Shaped for $type {
            fn shape() -> Shape {
                Shape::$shape
            }
        }
    )*};
}
built_in!(Whole: u8, u16, u32, u64, i32, i64);
built_in!(Text: String, &'static str);
built_in!(Switch: bool);
built_in!(Any: Value);

macro_rules! around {
    ($outer:ty, $shape:ident) => {
        impl<T: Shaped> Shaped for $outer {
            fn shape() -> Shape {
                Shape::$shape(Box::new(T::shape()))
            }

            fn declare(into: &mut Declarations) {
                T::declare(into);
            }
        }
    };
}
around!(Option<T>, Maybe);
around!(Vec<T>, List);
around!(Map<String, T>, Map);

impl<T: Shaped> Shaped for Box<T> {
    fn shape() -> Shape {
        T::shape()
    }

    fn declare(into: &mut Declarations) {
        T::declare(into);
    }
}

impl Shape {
    /// Writes this shape as TypeScript: `string`, `Network`, `readonly Network[]`.
    pub fn to_typescript(&self) -> String {
        match self {
            Shape::Text => "string".into(),
            Shape::Whole | Shape::Number => "number".into(),
            Shape::Switch => "boolean".into(),
            Shape::Any => "unknown".into(),
            Shape::Maybe(inner) => inner.to_typescript() + " | null",
            Shape::List(item) => {
                let item = item.to_typescript();
                if item.contains('|') { format!("readonly ({item})[]") } else { format!("readonly {item}[]") }
            }
            Shape::Map(value) => format!("Readonly<Record<string, {}>>", value.to_typescript()),
            Shape::Named(name) => (*name).into(),
            Shape::Object(fields) => object(fields),
            Shape::Word(word) => format!("'{word}'"),
            Shape::Words(words) => words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | "),
            Shape::Tagged(forms) => forms.iter().map(|fields| object(fields)).collect::<Vec<_>>().join("\n  | "),
        }
    }
}

fn object(fields: &[Field]) -> String {
    let fields = fields.iter().map(|field| format!("readonly {}: {}", field.name, field.shape.to_typescript()));
    format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
}
