use crate::words::next_word;
use crate::{Fault, Take, Value, Write};

/// Reader of the fields of an object, in the order of their names. Derived code uses it because it is short: all names are in one text, and
/// each field is one call with two arguments.
pub struct FieldReader<'a> {
    value: &'a Value,
    /// Names of the fields that were not read yet, separated by commas.
    names: &'static str,
    fault: &'a mut Fault,
    /// Name of the field that is being read.
    name: &'static str,
    /// Fault from before that field.
    before: Option<&'static str>,
}

impl<'a> FieldReader<'a> {
    /// Prepares to read fields with these names, separated by commas.
    #[inline(never)]
    pub fn new(value: &'a Value, names: &'static str, fault: &'a mut Fault) -> FieldReader<'a> {
        if value.as_object().is_none() {
            fault.note("object");
        }
        FieldReader { value, names, fault, name: "", before: None }
    }

    /// Reads the next field; a missing field is read as `null`.
    #[inline(never)]
    pub fn read<T: Take>(&mut self) -> T {
        let taken = T::take(self.next(), self.fault);
        self.end();
        taken
    }

    #[inline(never)]
    fn next(&mut self) -> &'a Value {
        self.name = next_word(&mut self.names);
        self.before = self.fault.part.take();
        self.value.get(self.name)
    }

    /// Gives a fault in the field the field's name; a fault from before the field counts first.
    #[inline(never)]
    fn end(&mut self) {
        self.fault.part = self.before.or(self.fault.part.and(Some(self.name)));
    }
}

/// Writer of the fields of an object, in the order of their names: the counterpart of [`FieldReader`].
pub struct FieldWriter<'a> {
    /// Names of the fields that were not written yet, separated by commas.
    names: &'static str,
    out: &'a mut String,
}

impl<'a> FieldWriter<'a> {
    /// Prepares to write fields with these names, separated by commas, after the text `head`.
    #[inline(never)]
    pub fn new(head: &str, names: &'static str, out: &'a mut String) -> FieldWriter<'a> {
        out.push_str(head);
        FieldWriter { names, out }
    }

    /// Writes the next field.
    #[inline(never)]
    pub fn write<T: Write>(&mut self, value: &T) {
        self.next();
        value.write(self.out);
    }

    #[inline(never)]
    fn next(&mut self) {
        let name = next_word(&mut self.names);
        self.out.push_str(if self.out.ends_with('{') { "\"" } else { ",\"" });
        self.out.push_str(name);
        self.out.push_str("\":");
    }
}
