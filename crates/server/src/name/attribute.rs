//! Attributes of a name: a picture and short texts, from a signed message.

use super::ask::unfit;
use crate::Failure;
use portico_json::Value;
use std::collections::BTreeMap;

/// Maximum length of an attribute value.
const LONGEST_VALUE: usize = 255;

/// Attributes of a message; an empty value deletes the attribute.
pub(super) fn read(written: &Value) -> Result<BTreeMap<String, String>, Failure> {
    if written.is_null() {
        return Ok(BTreeMap::new());
    }
    let fields = written.as_object().ok_or_else(|| unfit("attributes", "Send the attributes as a JSON object"))?;
    let mut attributes = BTreeMap::new();
    for (attribute, value) in fields {
        let value = value.as_str().ok_or_else(|| unfit("attributes", "Use text as value of an attribute"))?;
        if value.chars().count() > LONGEST_VALUE {
            return Err(unfit("attributes", "Use at most 255 letters in an attribute"));
        }
        if value.chars().any(disturbs) {
            return Err(unfit("attributes", "Remove line breaks and other control characters from the attribute"));
        }
        match attribute.as_str() {
            "bio" => {}
            "avatar" if value.is_empty() || is_picture(value) => {}
            "avatar" => {
                return Err(unfit(
                    "attributes",
                    "Use an avatar that begins with https://, ipfs://, eip155: or data:image/",
                ));
            }
            _ => return Err(unfit("attributes", "Use only the attributes avatar and bio")),
        }
        attributes.insert(attribute.clone(), value.to_owned());
    }
    Ok(attributes)
}

/// Control characters, and characters that change the direction of surrounding text (Unicode TR 36).
fn disturbs(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Picture addresses of ENSIP-12.
fn is_picture(value: &str) -> bool {
    ["https://", "ipfs://", "eip155:", "data:image/"].iter().any(|beginning| value.starts_with(beginning))
}
