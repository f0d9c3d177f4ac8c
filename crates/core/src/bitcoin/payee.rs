//! Receiver of a payment: an address of the active network.

use super::view::ReceiverFault;
use portico_calldata::bitcoin::{Address, AddressFault, Form, Kind};
use portico_terms::AccountId;
use portico_terms::address::is_evm;

/// Scheme of payment links (BIP-21), which QR codes of wallets have.
const SCHEME: &str = "bitcoin:";

/// Address of a typed text: without the scheme and the parameters of a payment link, and in lower case where QR codes have it in upper case.
pub fn address_in(text: &str) -> String {
    let text = text.trim();
    let link = text.get(..SCHEME.len()).filter(|start| start.eq_ignore_ascii_case(SCHEME));
    let address = match link {
        Some(_) => text.get(SCHEME.len()..).and_then(|rest| rest.split('?').next()).unwrap_or_default(),
        None => text,
    };
    let upper = ["BC1", "TB1", "BCRT1"].iter().any(|start| address.starts_with(start));
    let whole = !address.bytes().any(|byte| byte.is_ascii_lowercase());
    if upper && whole { address.to_ascii_lowercase() } else { address.into() }
}

/// Kind of a typed address, or what is wrong with the text.
pub fn read(text: &str, own: &str, form: Form) -> Result<Kind, ReceiverFault> {
    let text = address_in(text);
    if text.is_empty() {
        return Err(ReceiverFault::Missing);
    }
    if text == own {
        return Err(ReceiverFault::OwnAddress);
    }
    if text.starts_with("0x") || is_evm(&text) || text.parse::<AccountId>().is_ok() {
        return Err(ReceiverFault::OtherNamespace);
    }
    match Address::parse(&text) {
        Err(AddressFault::Spelling) => Err(ReceiverFault::NotAnAddress),
        Err(AddressFault::Version) => Err(ReceiverFault::UnknownVersion),
        Ok(address) if !address.is_on(form) => Err(ReceiverFault::OtherNetwork),
        Ok(address) => Ok(address.kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

    #[test]
    fn a_receiver_is_an_address_of_the_network_or_a_payment_link_with_one() {
        let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        let kind = read(address, OWN, Form::Main).unwrap();
        for text in [
            "  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ",
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1",
            "BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
        ] {
            assert_eq!(read(text, OWN, Form::Main), Ok(kind.clone()), "{text}");
        }
        for (text, fault) in [
            ("", ReceiverFault::Missing),
            ("bitcoin:", ReceiverFault::Missing),
            (OWN, ReceiverFault::OwnAddress),
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", ReceiverFault::NotAnAddress),
            ("Bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", ReceiverFault::NotAnAddress),
            ("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE", ReceiverFault::NotAnAddress),
            ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", ReceiverFault::OtherNetwork),
            ("mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", ReceiverFault::OtherNetwork),
            ("bc1sw50qgdz25j", ReceiverFault::UnknownVersion),
            ("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", ReceiverFault::OtherNamespace),
        ] {
            assert_eq!(read(text, OWN, Form::Main), Err(fault), "{text}");
        }
        assert!(read("mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", OWN, Form::Regtest).is_ok());
    }
}
