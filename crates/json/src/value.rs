use crate::{Map, find_word};
use std::str::FromStr;
use std::{mem, slice};

/// Parsed JSON value. Objects keep the order of their fields, numbers their text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// Number as text, exactly as written.
    Number(String),
    Text(String),
    List(Vec<Value>),
    /// Object: fields in the order of the text.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Returns the field with this name, or `null` if it is missing or this is no object. The last of duplicate names counts, as in
    /// JavaScript.
    pub fn get(&self, name: &str) -> &Value {
        static NULL: Value = Value::Null;
        match self {
            Value::Object(fields) => fields.iter().rev().find(|(key, _)| key == name).map_or(&NULL, |(_, value)| value),
            _ => &NULL,
        }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a non-negative integer.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns an integer.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the items of an array.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the fields of an object.
    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::List(items)
    }
}

/// Error for a value that does not fit a type: the name of the field or type that did not fit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReadError(pub &'static str);

/// Type that can be read from a parsed value.
pub trait Read: Sized {
    /// Reads the type, or returns the first part that did not fit.
    fn read(value: &Value) -> Result<Self, ReadError>;

    /// Reads a field of an object; a missing field reads as `null`.
    fn read_field(value: &Value, name: &'static str) -> Result<Self, ReadError> {
        Self::read(value.get(name)).map_err(|_| ReadError(name))
    }
}

/// First part of a value that does not fit its type.
pub struct Fault {
    pub(crate) part: Option<&'static str>,
    /// Items of lists that do not fit are left out rather than refused, and counted here.
    skipped: Option<u32>,
}

impl Fault {
    /// Records a part that does not fit, unless one is recorded already.
    pub fn note(&mut self, part: &'static str) {
        self.part.get_or_insert(part);
    }
}

/// Type that is always read to its end: a misfit is recorded and replaced by some value that is then discarded. Returning early at each
/// field would triple the code size of a type.
pub trait Take: Sized {
    /// Reads the type from a value.
    fn take(value: &Value, fault: &mut Fault) -> Self;
}

impl<T: Take> Read for T {
    fn read(value: &Value) -> Result<Self, ReadError> {
        let mut fault = Fault { part: None, skipped: None };
        let taken = T::take(value, &mut fault);
        fault.part.map_or(Ok(taken), |part| Err(ReadError(part)))
    }
}

/// Reads a value of which single items of lists may be broken: each such item is left out. Adds how many there were to `skipped`.
pub fn read_sound<T: Take>(value: &Value, skipped: &mut u32) -> Option<T> {
    let mut fault = Fault { part: None, skipped: Some(0) };
    let taken = T::take(value, &mut fault);
    fault.part.is_none().then(|| {
        *skipped += fault.skipped.unwrap_or_default();
        taken
    })
}

/// Reads one of these words and returns its index. A value that is none of them is a fault, and is read as the first word.
#[inline(never)]
pub fn take_word(value: &Value, name: &'static str, words: &str, fault: &mut Fault) -> usize {
    value.as_str().and_then(|word| find_word(words, word)).unwrap_or_else(|| {
        fault.note(name);
        0
    })
}

/// Reads a string by its `FromStr`; the example replaces a string that does not fit.
pub fn take_text<T: FromStr>(value: &Value, name: &'static str, example: &str, fault: &mut Fault) -> T {
    let taken = value.as_str().and_then(|text| text.parse().ok());
    taken
        .or_else(|| {
            fault.note(name);
            example.parse().ok()
        })
        .unwrap_or_else(|| unreachable!("the example of {name} is valid"))
}

impl Take for Value {
    fn take(value: &Value, _: &mut Fault) -> Value {
        value.clone()
    }
}

impl Take for bool {
    fn take(value: &Value, fault: &mut Fault) -> bool {
        value.as_bool().unwrap_or_else(|| {
            fault.note("boolean");
            false
        })
    }
}

impl Take for String {
    fn take(value: &Value, fault: &mut Fault) -> String {
        let text = value.as_str().unwrap_or_else(|| {
            fault.note("string");
            ""
        });
        text.into()
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Take for $type {
            fn take(value: &Value, fault: &mut Fault) -> $type {
                let number = match value {
                    Value::Number(text) => text.parse().ok(),
                    _ => None,
                };
                number.unwrap_or_else(|| {
                    fault.note("number");
                    0
                })
            }
        }
    )*};
}
whole_numbers!(u8, u16, u32, u64, i32, i64);

impl<T: Take> Take for Option<T> {
    fn take(value: &Value, fault: &mut Fault) -> Option<T> {
        (!value.is_null()).then(|| T::take(value, fault))
    }
}

impl<T: Take> Take for Box<T> {
    fn take(value: &Value, fault: &mut Fault) -> Box<T> {
        Box::new(T::take(value, fault))
    }
}

impl<T: Take> Take for Vec<T> {
    fn take(value: &Value, fault: &mut Fault) -> Vec<T> {
        let mut items = Items::new(value, fault);
        let mut taken = Vec::new();
        while let Some(item) = items.next() {
            let one = T::take(item, items.fault);
            if items.is_sound() {
                taken.push(one);
            } else {
                discard(one);
            }
        }
        taken
    }
}

/// Items of a list while they are read. Its functions are not generic and not inlined, so that a list type costs little code.
struct Items<'a> {
    items: slice::Iter<'a, Value>,
    fault: &'a mut Fault,
    /// Fault from before the item that is being read.
    before: Option<&'static str>,
}

impl<'a> Items<'a> {
    #[inline(never)]
    fn new(value: &'a Value, fault: &'a mut Fault) -> Items<'a> {
        let items = value.as_list().unwrap_or_else(|| {
            fault.note("array");
            &[]
        });
        Items { items: items.iter(), fault, before: None }
    }

    #[inline(never)]
    fn next(&mut self) -> Option<&'a Value> {
        self.before = self.fault.part.take();
        let item = self.items.next();
        if item.is_none() {
            self.fault.part = self.before;
        }
        item
    }

    /// Ends the reading of an item: whether it stays in the list. A fault from before it counts first.
    #[inline(never)]
    fn is_sound(&mut self) -> bool {
        let fault = mem::replace(&mut self.fault.part, self.before);
        match &mut self.fault.skipped {
            Some(skipped) if fault.is_some() => {
                *skipped += 1;
                false
            }
            _ => {
                self.fault.part = self.before.or(fault);
                true
            }
        }
    }
}

/// Drops a value. As a function of its own, because the code that drops a type would be inlined.
#[inline(never)]
fn discard<T>(_: T) {}

impl<T: Take> Take for Map<String, T> {
    fn take(value: &Value, fault: &mut Fault) -> Map<String, T> {
        let fields = value.as_object().unwrap_or_else(|| {
            fault.note("object");
            &[]
        });
        let mut fields = fields.iter();
        let mut taken = Vec::new();
        while let Some((name, value)) = next_distinct(&mut fields) {
            taken.push((name, T::take(value, fault)));
        }
        Map::of_distinct(taken)
    }
}

/// Name and value of the next field; the last of duplicate names counts.
#[inline(never)]
fn next_distinct<'a>(fields: &mut slice::Iter<'a, (String, Value)>) -> Option<(String, &'a Value)> {
    loop {
        let (name, value) = fields.next()?;
        if fields.as_slice().iter().all(|(later, _)| later != name) {
            return Some((name.clone(), value));
        }
    }
}
