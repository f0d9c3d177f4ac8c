//! `Debug` output without the symmetric key of a pairing. The key decrypts the wallet's messages, and logs outlive the pairing.

use crate::boot::StoredEntry;
use crate::connect::PairingView;
use crate::effect::{HostAnswer, Operation, Outcome};
use crate::modal;
use portico_json::{Write, to_text};
use std::fmt;

/// Name of the key's parameter in a pairing URI (ERC-1328).
const KEY: &str = "symKey";

/// Writes a value as JSON and omits keys in it, even if the URI is percent-encoded in a link or a string in other JSON.
fn sealed(value: &impl Write, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = to_text(value);
    let mut parts = text.split(KEY);
    formatter.write_str(parts.next().unwrap_or_default())?;
    for part in parts {
        let rest = part.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric() || "=%".contains(sign));
        write!(formatter, "{KEY}…{rest}")?;
    }
    Ok(())
}

macro_rules! seal {
    ($($type:ty),*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                sealed(self, formatter)
            }
        }
    )*};
}
seal!(HostAnswer, Outcome, StoredEntry, modal::Event, modal::Picture);

impl fmt::Debug for Operation {
    /// A request to the frame has a code, or what the visitor is about to sign: only its name is printed.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::AskFrame { event, .. } => write!(formatter, "AskFrame {}", event.word()),
            _ => sealed(self, formatter),
        }
    }
}

impl fmt::Debug for PairingView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The QR code contains the URI with its key.
        sealed(&PairingView { qr: None, ..self.clone() }, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::LinkTarget;
    use portico_api::frame::FrameEvent;
    use portico_json::Value;

    #[test]
    fn a_code_is_not_told() {
        let payload = Value::Object(vec![("otp".into(), "123456".into())]);
        let asked = Operation::AskFrame { event: FrameEvent::ConnectOtp, payload };
        assert_eq!(format!("{asked:?}"), "AskFrame CONNECT_OTP");
    }

    #[test]
    fn a_key_is_not_told_however_its_uri_is_written() {
        let uri = "wc:7f6e@2?relay-protocol=irn&symKey=587d5484ce2a&expiryTimestamp=9";
        let link =
            "metamask://wc?uri=wc%3A7f6e%402%3Frelay-protocol%3Dirn%26symKey%3D587d5484ce2a%26expiryTimestamp%3D9";
        let twice = link.replace('%', "%25");
        let stored = to_text(&Value::Object(vec![("uri".into(), Value::Text(uri.into()))]));
        for text in [uri, link, &twice, &stored] {
            let told = [
                format!("{:?}", Operation::CopyText { text: text.into() }),
                format!("{:?}", Operation::OpenLink { href: text.into(), target: LinkTarget::Here }),
                format!("{:?}", Outcome::Answered { value: Value::Text(text.into()) }),
                format!("{:?}", StoredEntry { key: "key".into(), value: text.into() }),
            ];
            for told in told {
                assert!(!told.contains("587d") && told.contains("7f6e") && told.contains("symKey…"), "{told}");
            }
        }
        assert_eq!(format!("{:?}", Outcome::Done), r#"{"type":"done"}"#);
    }
}
