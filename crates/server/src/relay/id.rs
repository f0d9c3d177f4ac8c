//! Identifiers of the relay: topics, messages and clients are 32 bytes each, in hex on the wire and in the database.

use k256::sha2::{Digest, Sha256};
use std::fmt::{self, Write};

macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub(crate) struct $name(pub(super) [u8; 32]);

        impl $name {
            /// Parses 64 hex digits of either case.
            pub(crate) fn parse(text: &str) -> Option<$name> {
                parse(text).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&hex(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }
    };
}

id!(
    /// A topic that messages are published to: the SHA-256 of a key that the relay never sees.
    Topic
);
id!(
    /// The SHA-256 of a message in its published form.
    MessageId
);
id!(
    /// The Ed25519 public key of a client, which identifies its mailbox.
    ClientId
);

impl MessageId {
    pub(crate) fn of(message: &str) -> MessageId {
        MessageId(Sha256::digest(message).into())
    }
}

/// Subscription id: SHA-256 of topic and did:key. Clients compute the same id and send it to unsubscribe.
pub(super) fn subscription(topic: Topic, did: &str) -> String {
    hex(&Sha256::digest(format!("{topic}{did}")))
}

fn parse(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    let mut bytes = [0; 32];
    if digits.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

fn digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_64_hex_digits_of_either_case_and_is_written_in_lower_case() {
        let text = "Ab".repeat(32);
        assert_eq!(Topic::parse(&text).unwrap().to_string(), text.to_lowercase());
        for wrong in ["", "ab", &"ab".repeat(33), &"ag".repeat(32), &"é".repeat(32), &" a".repeat(32)] {
            assert_eq!(Topic::parse(wrong), None, "{wrong}");
        }
        assert_eq!(
            MessageId::of("abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
