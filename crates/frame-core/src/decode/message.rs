use super::{Content, shown, sign_in};
use crate::view::{Action, Flag};
use portico_calldata::hex;

/// Explains a message of EIP-191: a sign-in text (EIP-4361), another text, or bytes.
pub fn message(bytes: &[u8], host: &str, address: &str, chain: u64) -> Content {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let mut content = Content::new(Action::SignMessage);
        content.flag(Flag::NotText);
        content.text = Some(hex::of(bytes));
        return content;
    };
    let mut content = match sign_in::is_one(text) {
        true => sign_in::explain(text, host, address, chain),
        false => Content::new(Action::SignMessage),
    };
    content.text = Some(shown(text));
    content
}
