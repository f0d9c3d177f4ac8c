use crate::{Map, Value};

/// Type that can be written as JSON.
pub trait Write {
    /// Appends the JSON of this value.
    fn write(&self, out: &mut String);
}

/// Returns the JSON text of a value.
pub fn to_text<T: Write + ?Sized>(value: &T) -> String {
    let mut out = String::new();
    value.write(&mut out);
    out
}

/// Appends a JSON string, quoted and escaped.
pub fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + 1;
        out.push('\\');
        match byte {
            b'\n' => out.push('n'),
            b'\r' => out.push('r'),
            b'\t' => out.push('t'),
            b'"' | b'\\' => out.push(byte as char),
            _ => {
                out.push_str("u00");
                out.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
                out.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
            }
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

fn write_items<'a, T: Write + 'a>(items: impl Iterator<Item = &'a T>, out: &mut String) {
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        item.write(out);
    }
    out.push(']');
}

fn write_fields<'a, T: Write + 'a>(fields: impl Iterator<Item = (&'a String, &'a T)>, out: &mut String) {
    out.push('{');
    for (index, (name, value)) in fields.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(name, out);
        out.push(':');
        value.write(out);
    }
    out.push('}');
}

impl Write for Value {
    fn write(&self, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => value.write(out),
            Value::Number(text) => out.push_str(text),
            Value::Text(text) => write_text(text, out),
            Value::List(items) => write_items(items.iter(), out),
            Value::Object(fields) => write_fields(fields.iter().map(|(name, value)| (name, value)), out),
        }
    }
}

impl Write for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Write for str {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }
}

impl<T: Write + ?Sized> Write for &T {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

impl Write for String {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }
}

/// Writes an integer by hand: `format!` would add its machinery to the browser core for this alone.
fn write_u64(mut number: u64, out: &mut String) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    for digit in &digits[at..] {
        out.push(*digit as char);
    }
}

macro_rules! unsigned {
    ($($type:ty),*) => {$(
        impl Write for $type {
            fn write(&self, out: &mut String) {
                write_u64(u64::from(*self), out);
            }
        }
    )*};
}
unsigned!(u8, u16, u32, u64);

macro_rules! signed {
    ($($type:ty),*) => {$(
        impl Write for $type {
            fn write(&self, out: &mut String) {
                if *self < 0 {
                    out.push('-');
                }
                write_u64(u64::from(self.unsigned_abs()), out);
            }
        }
    )*};
}
signed!(i32, i64);

impl<T: Write> Write for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Write> Write for Box<T> {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self, out: &mut String) {
        write_items(self.iter(), out);
    }
}

impl<T: Write> Write for Map<String, T> {
    fn write(&self, out: &mut String) {
        write_fields(self.iter(), out);
    }
}
