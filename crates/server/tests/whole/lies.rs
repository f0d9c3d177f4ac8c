//! Wrong values for the fields of an answer.

use super::HOST;
use super::support::exchange::COIN;
use serde_json::{Value, json};

const THIEF: &str = "0x00000000000000000000000000000000000bad00";
/// Calldata that gives everything away: `transfer(thief, 2^256 - 1)`.
const THEFT: &str = "0xa9059cbb00000000000000000000000000000000000000000000000000000000000bad00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

/// Request to a server: method, URL and body.
pub type Key = (String, String, String);

/// Who lies; the other one is honest.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Liar {
    Server,
    Node,
}

/// A wrong field: the path of the answers it is in, the field, and the number of the wrong value.
#[derive(Clone, Debug)]
pub struct Lie {
    pub liar: Liar,
    pub path: String,
    pub pointer: String,
    pub kind: usize,
}

/// Path of a request, with the methods of a JSON-RPC body.
pub fn path_of((_, url, body): &Key) -> String {
    let path = url.strip_prefix(HOST).unwrap_or(url).split('?').next().unwrap_or_default();
    let calls: Value = serde_json::from_str(body).unwrap_or_default();
    let one = |call: &Value| {
        let data = call["params"][0]["data"].as_str().and_then(|data| data.get(..10)).unwrap_or_default();
        format!(" {}{data}", call["method"].as_str().unwrap_or_default())
    };
    match &calls {
        Value::Array(calls) => calls.iter().fold(path.to_owned(), |path, call| path + &one(call)),
        call if path == "/v1" => path.to_owned() + &one(call),
        _ => path.to_owned(),
    }
}

/// Pointers to the fields of a value, with two items of each list.
pub fn leaves(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| leaves(field, format!("{at}/{}", name.replace('/', "~1")), found));
        }
        Value::Array(items) => {
            items.iter().take(2).enumerate().for_each(|(index, item)| leaves(item, format!("{at}/{index}"), found));
        }
        _ => found.push(at),
    }
}

/// Fields that the API's types have at this path and the answer has not, so that no lie is told about them. An empty list has no items to
/// lie about, and a null in place of an object none of its fields.
pub fn missing(path: &str, answer: &Value) -> Vec<String> {
    let api: Value = serde_json::from_str(include_str!("../../../../docs/openapi.json")).unwrap();
    let paths = api["paths"].as_object().unwrap();
    let fits = |template: &str| {
        let (one, other) = (template.split('/'), path.split('/'));
        one.clone().count() == other.clone().count()
            && one.zip(other).all(|(part, word)| part.starts_with('{') || part == word)
    };
    // A path without a parameter comes before one with some.
    let mut found: Vec<_> = paths.iter().filter(|(template, _)| fits(template)).collect();
    found.sort_by_key(|(template, _)| template.matches('{').count());
    let Some((_, of)) = found.first() else { return Vec::new() };
    let schema = ["get", "post"]
        .iter()
        .find_map(|method| of.pointer(&format!("/{method}/responses/200/content/application~1json/schema")));
    let mut missing = Vec::new();
    if let Some(schema) = schema {
        compare(&api, schema, answer, String::new(), &mut missing);
    }
    missing
}

fn compare(api: &Value, schema: &Value, answer: &Value, at: String, missing: &mut Vec<String>) {
    if let Some(of) = schema["$ref"].as_str() {
        return compare(api, api.pointer(of.trim_start_matches('#')).unwrap(), answer, at, missing);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let fits = |one: &&Value| one["type"] != "null" && !answer.is_null();
        any.iter().find(fits).into_iter().for_each(|one| compare(api, one, answer, at.clone(), missing));
        return;
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten().filter(|_| answer.is_object()) {
        match answer.get(name) {
            Some(value) => compare(api, field, value, format!("{at}/{name}"), missing),
            None => missing.push(format!("{at}/{name}")),
        }
    }
    for item in answer.as_array().into_iter().flatten().take(2) {
        compare(api, &schema["items"], item, format!("{at}/0"), missing);
    }
}

pub const KINDS: usize = 4;

/// The answer with the lie in place of the field; `None` if it has no such field.
pub fn spoilt(text: &str, lie: &Lie) -> Option<String> {
    let mut answer: Value = serde_json::from_str(text).ok()?;
    let field = answer.pointer_mut(&lie.pointer)?;
    *field = match (&*field, lie.kind) {
        (_, 3) => Value::Null,
        (Value::Bool(flag), _) => json!(!flag),
        (Value::Number(number), kind) => {
            let number = number.as_f64().unwrap_or_default();
            [json!(number * 100.0), json!(number as i64 + 2), json!(0)][kind].clone()
        }
        (Value::String(text), kind) => Value::String(spoilt_text(text, kind)),
        (_, kind) => [json!(THIEF), json!(1), json!({})][kind].clone(),
    };
    Some(answer.to_string())
}

fn spoilt_text(text: &str, kind: usize) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_hex =
        |text: &str| text.len() > 2 && text.starts_with("0x") && text[2..].bytes().all(|byte| byte.is_ascii_hexdigit());
    let address = text.rsplit_once(':').map_or(text, |(_, address)| address);
    match kind {
        _ if is_hex(address) && address.len() == 42 => match kind {
            0 => text.replace(address, THIEF),
            1 => text.replace(address, COIN),
            _ => text.replace("31337", "1"),
        },
        // Data: another account in each word that is an address, other data, or a changed last word.
        _ if is_hex(text) && text.len() > 74 => match kind {
            0 => with_thief(text),
            1 => THEFT.into(),
            _ => format!("{}{}", &text[..text.len() - 64], &THEFT[THEFT.len() - 64..]),
        },
        // A number: larger, small, or an address.
        _ if is_hex(text) => {
            let width = text.len() - 2;
            let thief = &THIEF[2..];
            [format!("0x{:f>width$}", ""), format!("0x{:0>width$}", "8"), format!("0x{thief:0>64}")][kind].clone()
        }
        _ if digits(text) => [format!("{text}00"), "1".into(), text[..text.len().div_ceil(2)].into()][kind].clone(),
        0 => THIEF.into(),
        1 => "USDC\u{202e}".into(),
        _ => "javascript:alert(1)".into(),
    }
}

/// Data with the thief in place of each address. Words are counted from the end, because calldata begins with a selector.
fn with_thief(data: &str) -> String {
    let mut digits: Vec<u8> = data.as_bytes()[2..].to_vec();
    for word in digits.rchunks_exact_mut(64) {
        let address = word[..24].iter().all(|digit| *digit == b'0') && word[24..].iter().any(|digit| *digit != b'0');
        // A smaller number is an offset or an amount.
        if address && word[24..44].iter().any(|digit| *digit != b'0') {
            word[24..].copy_from_slice(&THIEF.as_bytes()[2..]);
        }
    }
    format!("0x{}", String::from_utf8(digits).unwrap())
}
