//! Typed data (EIP-712), drawn by their types: what is not in the types is not signed, and so not shown.

use super::{Content, permit, shown};
use crate::text::split_last;
use crate::token::Named;
use crate::view::{Action, Flag, RowLabel};
use portico_json::Value;
use portico_terms::Amount;

/// Limits of what a visitor can read.
const DEEPEST: usize = 12;
const MOST_LINES: usize = 600;
const MOST_FIELDS: usize = 512;

/// Explains typed data; `None` if they are not valid. `named` is what the chain says of tokens.
pub fn typed(data: &Value, chain: u64, named: &Named) -> Option<Content> {
    if !is_plain(data) {
        return None;
    }
    let primary = data.get("primaryType").as_str()?;
    let (types, domain, message) = (data.get("types"), data.get("domain"), data.get("message"));
    types.as_object()?;
    domain.as_object()?;
    let mut lines = Lines { types, out: String::new(), count: 0 };
    lines.fields(primary, message, 0)?;
    let mut content =
        permit::explain(primary, domain, message, chain, named).unwrap_or_else(|| Content::new(Action::SignTypedData));
    if let Some(name) = domain.get("name").as_str() {
        content.row(RowLabel::Application, shown(name));
    }
    if let Some(contract) = domain.get("verifyingContract").as_str() {
        content.row(RowLabel::Contract, shown(contract));
    }
    let told = domain.get("chainId");
    if !told.is_null() && number_of(told) != Some(Amount::from(chain)) {
        content.block(Flag::WrongChain);
    }
    content.text = Some([&shown(primary), "\n", &lines.out].concat());
    Some(content)
}

/// A number of typed data: JSON number, decimal text or hex text.
pub fn number_of(value: &Value) -> Option<Amount> {
    match value {
        Value::Number(text) => text.parse().ok(),
        Value::Text(text) if text.starts_with("0x") => Amount::from_hex(text).ok(),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}

/// Whether no object has a name twice: two readers could disagree about such an object.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::List(items) => items.iter().all(is_plain),
        Value::Object(fields) => {
            let distinct = |(index, (name, _)): (usize, &(String, Value))| {
                fields[index + 1..].iter().all(|(later, _)| later != name)
            };
            fields.len() <= MOST_FIELDS
                && fields.iter().enumerate().all(distinct)
                && fields.iter().all(|(_, value)| is_plain(value))
        }
        _ => true,
    }
}

/// Text of a message, one line a field.
struct Lines<'a> {
    types: &'a Value,
    out: String,
    count: usize,
}

impl Lines<'_> {
    fn fields(&mut self, name: &str, value: &Value, depth: usize) -> Option<()> {
        let types = self.types;
        let fields = types.get(name).as_list()?;
        value.as_object()?;
        if depth > DEEPEST || fields.len() > MOST_FIELDS {
            return None;
        }
        for field in fields {
            let (name, kind) = (field.get("name").as_str()?, field.get("type").as_str()?);
            self.value(name, kind, value.get(name), depth)?;
        }
        Some(())
    }

    fn value(&mut self, name: &str, kind: &str, value: &Value, depth: usize) -> Option<()> {
        self.count += 1;
        if self.count > MOST_LINES || depth > DEEPEST {
            return None;
        }
        let types = self.types;
        if let Some((item, _)) = kind.strip_suffix(']').and_then(|kind| split_last(kind, b'[')) {
            self.line(name, "", depth);
            for one in value.as_list()? {
                self.value("-", item, one, depth + 1)?;
            }
            return Some(());
        }
        if !types.get(kind).is_null() {
            self.line(name, "", depth);
            return self.fields(kind, value, depth + 1);
        }
        match value {
            Value::Text(text) => self.line(name, &shown(text).replace('\n', "\\n"), depth),
            Value::Number(text) => self.line(name, text, depth),
            Value::Bool(flag) => self.line(name, if *flag { "true" } else { "false" }, depth),
            Value::Null | Value::List(_) | Value::Object(_) => return None,
        }
        Some(())
    }

    fn line(&mut self, name: &str, value: &str, depth: usize) {
        for _ in 0..depth {
            self.out.push_str("  ");
        }
        self.out.push_str(&shown(name).replace('\n', "\\n"));
        self.out.push_str(": ");
        self.out.push_str(value);
        self.out.push('\n');
    }
}
