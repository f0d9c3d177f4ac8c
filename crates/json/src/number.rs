use crate::{Fault, Shape, Shaped, Take, Value, Write};

/// Number stored as its text, in plain notation or with an exponent: no digit is lost, and no arithmetic is offered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Number(String);

impl Default for Number {
    fn default() -> Number {
        Number("0".into())
    }
}

impl Number {
    /// Returns the text of the number.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<f64> for Number {
    /// Converts to plain notation; NaN and infinities become 0, since JSON cannot represent them.
    fn from(number: f64) -> Number {
        if number.is_finite() { Number(number.to_string()) } else { Number::default() }
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Number {
        Number(number.to_string())
    }
}

impl Take for Number {
    fn take(value: &Value, fault: &mut Fault) -> Number {
        if let Value::Number(text) = value {
            return Number(text.clone());
        }
        fault.note("number");
        Number::default()
    }
}

impl Write for Number {
    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl Shaped for Number {
    fn shape() -> Shape {
        Shape::Number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Read, parse, to_text};

    #[test]
    fn a_number_keeps_its_text() {
        for text in ["0", "-1.50", "123456789012345678901234567890.000000000000000001", "1e-7"] {
            let number = Number::read(&parse(text).unwrap()).unwrap();
            assert_eq!((number.as_str(), to_text(&number).as_str()), (text, text));
        }
        assert!(Number::read(&parse("\"1\"").unwrap()).is_err());
    }

    #[test]
    fn what_is_computed_is_written_in_plain_notation() {
        assert_eq!(Number::from(0.000_000_12).as_str(), "0.00000012");
        assert_eq!(Number::from(f64::NAN).as_str(), "0");
        assert_eq!(Number::from(7_u64).as_str(), "7");
    }
}
