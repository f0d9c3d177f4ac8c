//! Fuzz target: any text as a command of the signer, as typed data, as a transaction, and any hex as bytes of a Solana transaction.

use portico_calldata::solana::{Message, fee};
use portico_json::{Value, parse, to_text};
use portico_signer::Keyring;
use portico_signer::evm::{Transaction, address, typed_digest};
use portico_terms::address::to_checksum;

/// Panics if a reader panics, if an answer is no JSON, or if typed data has another digest as an object, or written once more, than as text.
pub fn take(text: &str) {
    let answer = Keyring::default().command(text);
    assert!(parse(&answer).is_ok(), "{answer}");
    if let Some(bytes) = portico_calldata::hex::bytes(text.trim())
        && let Some(message) = Message::read(&bytes)
    {
        let signers = message.signers().len();
        assert!(signers > 0 && signers * 32 < bytes.len());
        assert!(fee(&message) >= 5_000);
    }
    if let Some(bytes) = address(text) {
        let told = to_checksum(&portico_calldata::hex::text(&bytes));
        assert!(told.eq_ignore_ascii_case(text));
    }
    let Ok(value) = parse(text) else { return };
    let _ = Transaction::read(&value);
    if let Ok(digest) = typed_digest(&value) {
        assert_eq!(typed_digest(&Value::Text(text.into())), Ok(digest));
        assert_eq!(typed_digest(&Value::Text(to_text(&value))), Ok(digest));
    }
}
