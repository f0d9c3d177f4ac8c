use super::sign_in::{self, Asked};
use super::{Content, shown};
use crate::view::{Action, Flag};
use portico_calldata::hex;
use portico_terms::ChainId;

/// Explains a message of EIP-191: a sign-in text (EIP-4361), another text, or bytes.
pub fn message(bytes: &[u8], host: &str, address: &str, chain: u64) -> Content {
    explain(bytes, &Asked { host, address, chain: &ChainId::eip155(chain) })
}

/// Explains a message of Solana: a sign-in text of the same form, another text, or bytes.
pub fn solana_message(bytes: &[u8], host: &str, address: &str, chain: &ChainId) -> Content {
    explain(bytes, &Asked { host, address, chain })
}

fn explain(bytes: &[u8], asked: &Asked<'_>) -> Content {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let mut content = Content::new(Action::SignMessage);
        content.flag(Flag::NotText);
        content.text = Some(hex::of(bytes));
        return content;
    };
    let mut content = match sign_in::is_one(text) {
        true => sign_in::explain(text, asked),
        false => Content::new(Action::SignMessage),
    };
    content.text = Some(shown(text));
    content
}
