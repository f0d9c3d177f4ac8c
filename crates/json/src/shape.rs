use crate::{Map, Value};
use std::collections::BTreeMap;

/// The form of a type as data, from which its TypeScript and its JSON Schema are written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Shape {
    /// A string.
    Text,
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// `true` or `false`.
    Switch,
    /// Any JSON.
    Any,
    /// The value or `null`.
    Maybe(Box<Shape>),
    /// An array.
    List(Box<Shape>),
    /// An object whose field names are data.
    Map(Box<Shape>),
    /// A declared type, by its name.
    Named(&'static str),
    /// An object.
    Object(Vec<Field>),
    /// One of these texts.
    Words(Vec<&'static str>),
    /// One of these objects; the first field of each tells which.
    Tagged(Vec<Vec<Field>>),
    /// Exactly this text.
    Word(&'static str),
}

/// A field of an object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// Its documentation.
    pub about: &'static str,
    /// Its form.
    pub shape: Shape,
}

/// A declared type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Declared {
    /// Its documentation.
    pub about: &'static str,
    /// Its form.
    pub shape: Shape,
}

/// The declared types by name.
pub type Declarations = BTreeMap<&'static str, Declared>;

/// A type that can tell its form.
pub trait Shaped {
    /// How other types hold this one.
    fn shape() -> Shape;

    /// Adds the declaration of this type and of all that it names. Built-in types add nothing.
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
    /// The TypeScript of this form: `string`, `Network`, `readonly Network[]`.
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
