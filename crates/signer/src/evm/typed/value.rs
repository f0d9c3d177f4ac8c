use super::super::number::{self, Number};
use super::super::transaction::address;
use super::kind::Kind;
use super::types::Types;
use portico_encoding::hex;
use portico_json::Value;
use portico_terms::address::keccak256;

/// Largest integer that JSON may have as a number; pages would show a larger one rounded, so that one is a text.
const LARGEST: u64 = (1 << 53) - 1;

/// Fields of an object that has exactly these, in the order of the names.
pub fn fields<'a>(value: &'a Value, names: &[&str]) -> Option<Vec<&'a Value>> {
    let given = value.as_object().filter(|given| given.len() == names.len())?;
    names.iter().map(|name| given.iter().find(|(known, _)| known == name).map(|(_, value)| value)).collect()
}

impl Types {
    /// Hash of a struct's value.
    pub fn hash(&self, index: usize, value: &Value) -> Option<[u8; 32]> {
        let kind = self.at(index);
        let names: Vec<&str> = kind.members.iter().map(|member| member.name.as_str()).collect();
        let mut encoded = kind.hash.to_vec();
        for (member, value) in kind.members.iter().zip(fields(value, &names)?) {
            encoded.extend(self.encode_value(&member.kind, value)?);
        }
        Some(keccak256(&encoded))
    }

    fn encode_value(&self, kind: &Kind, value: &Value) -> Option<[u8; 32]> {
        match kind {
            Kind::Struct(index) => self.hash(*index, value),
            Kind::List(kind, length) => {
                let items = value.as_list().filter(|items| length.is_none_or(|length| items.len() == length))?;
                let mut encoded = Vec::with_capacity(items.len() * 32);
                for item in items {
                    encoded.extend(self.encode_value(kind, item)?);
                }
                Some(keccak256(&encoded))
            }
            Kind::String => Some(keccak256(value.as_str()?.as_bytes())),
            Kind::Bytes => Some(keccak256(&bytes(value)?)),
            Kind::Fixed(size) => {
                let mut word = [0; 32];
                word[..*size].copy_from_slice(bytes(value).filter(|bytes| bytes.len() == *size)?.as_slice());
                Some(word)
            }
            Kind::Address => {
                let mut word = [0; 32];
                word[12..].copy_from_slice(&address(value.as_str()?)?);
                Some(word)
            }
            Kind::Bool => {
                let mut word = [0; 32];
                word[31] = u8::from(value.as_bool()?);
                Some(word)
            }
            Kind::Uint(bits) => magnitude(value)
                .and_then(|(negative, number)| (!negative && number::fits(&number, *bits)).then_some(number)),
            Kind::Int(bits) => magnitude(value).and_then(|(negative, number)| signed(negative, number, *bits)),
        }
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    value.as_str()?.strip_prefix("0x").and_then(hex::decode)
}

/// Sign and size of an integer: a JSON number, or a text of decimal digits or of a quantity.
fn magnitude(value: &Value) -> Option<(bool, Number)> {
    let (text, most) = match value {
        Value::Number(text) => (text, Some(LARGEST)),
        Value::Text(text) if text.starts_with("0x") => {
            return number::from_quantity(text).map(|number| (false, number));
        }
        Value::Text(text) => (text, None),
        _ => return None,
    };
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = number::from_decimal(digits)?;
    if most.is_some_and(|most| number::to_u64(&number).is_none_or(|number| number > most)) {
        return None;
    }
    Some((digits.len() < text.len() && number != [0; 32], number))
}

/// Integer of so many bits in two's complement.
fn signed(negative: bool, number: Number, bits: usize) -> Option<Number> {
    // Half of the range: 2^(bits - 1), as a number.
    let mut half = [0; 32];
    half[32 - bits / 8] = 0x80;
    match negative {
        true => (number <= half).then(|| number::negate(&number)),
        false => (number < half).then_some(number),
    }
}
