use crate::{Map, Value};
use std::collections::BTreeMap;

/// The declarations a type needs, by name.
pub type Declarations = BTreeMap<String, String>;

/// A type that can tell its TypeScript form.
pub trait TypeScript {
    /// How other types name this one: `string`, `Network`, `readonly Network[]`.
    fn reference() -> String;

    /// Adds the declaration of this type and of all that it names. Built-in types add nothing.
    fn declare(_into: &mut Declarations) {}
}

macro_rules! built_in {
    ($name:literal: $($type:ty),*) => {$(
        impl TypeScript for $type {
            fn reference() -> String {
                $name.into()
            }
        }
    )*};
}
built_in!("number": u8, u16, u32, u64, i32, i64);
built_in!("string": String, &'static str);
built_in!("boolean": bool);
built_in!("unknown": Value);

impl<T: TypeScript> TypeScript for Option<T> {
    fn reference() -> String {
        T::reference() + " | null"
    }

    fn declare(into: &mut Declarations) {
        T::declare(into);
    }
}

impl<T: TypeScript> TypeScript for Box<T> {
    fn reference() -> String {
        T::reference()
    }

    fn declare(into: &mut Declarations) {
        T::declare(into);
    }
}

impl<T: TypeScript> TypeScript for Vec<T> {
    fn reference() -> String {
        let item = T::reference();
        if item.contains('|') { format!("readonly ({item})[]") } else { format!("readonly {item}[]") }
    }

    fn declare(into: &mut Declarations) {
        T::declare(into);
    }
}

impl<T: TypeScript> TypeScript for Map<String, T> {
    fn reference() -> String {
        format!("Readonly<Record<string, {}>>", T::reference())
    }

    fn declare(into: &mut Declarations) {
        T::declare(into);
    }
}
