use crate::Map;

/// A parsed JSON text. Objects keep their order and numbers their text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object, in its order.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The field of that name, or `null` where there is none or this is no object. The last of equal names counts, as in JavaScript.
    pub fn get(&self, name: &str) -> &Value {
        static NULL: Value = Value::Null;
        match self {
            Value::Object(fields) => fields.iter().rev().find(|(key, _)| key == name).map_or(&NULL, |(_, value)| value),
            _ => &NULL,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A whole number.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items of an array.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The fields of an object.
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

/// Why a value is not of a type: the name of the field or type that did not fit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReadError(pub &'static str);

/// A type that can be read from a parsed value.
pub trait Read: Sized {
    /// Reads the type, or tells which part did not fit.
    fn read(value: &Value) -> Result<Self, ReadError>;

    /// Reads a field of an object; a missing field reads as `null`.
    fn read_field(value: &Value, name: &'static str) -> Result<Self, ReadError> {
        Self::read(value.get(name)).map_err(|_| ReadError(name))
    }
}

impl Read for Value {
    fn read(value: &Value) -> Result<Self, ReadError> {
        Ok(value.clone())
    }
}

impl Read for bool {
    fn read(value: &Value) -> Result<Self, ReadError> {
        value.as_bool().ok_or(ReadError("boolean"))
    }
}

impl Read for String {
    fn read(value: &Value) -> Result<Self, ReadError> {
        value.as_str().map(Into::into).ok_or(ReadError("string"))
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Read for $type {
            fn read(value: &Value) -> Result<Self, ReadError> {
                match value {
                    Value::Number(text) => text.parse().map_err(|_| ReadError("number")),
                    _ => Err(ReadError("number")),
                }
            }
        }
    )*};
}
whole_numbers!(u8, u16, u32, u64, i32, i64);

impl<T: Read> Read for Option<T> {
    fn read(value: &Value) -> Result<Self, ReadError> {
        if value.is_null() { Ok(None) } else { T::read(value).map(Some) }
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: &Value) -> Result<Self, ReadError> {
        T::read(value).map(Box::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: &Value) -> Result<Self, ReadError> {
        value.as_list().ok_or(ReadError("array"))?.iter().map(T::read).collect()
    }
}

impl<T: Read> Read for Map<String, T> {
    fn read(value: &Value) -> Result<Self, ReadError> {
        value
            .as_object()
            .ok_or(ReadError("object"))?
            .iter()
            .map(|(name, value)| Ok((name.clone(), T::read(value)?)))
            .collect()
    }
}
