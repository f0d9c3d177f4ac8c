//! Statements of sign-in texts about names: plain sentences with every value that decides.

use crate::EnsName;
use std::fmt::Write;

/// Beginning of each nonce about names. A sign-in of the page's own server never has it, so a text about a name signs nobody in there,
/// even if the server of names passes on a nonce of that one.
pub const NONCE: &str = "porticoname";

/// Attribute of a name, with its new value; an empty value removes it.
pub type Attribute<'a> = (&'a str, &'a str);

/// Registers a name for an account.
pub fn register(name: &EnsName, owner: &str) -> String {
    ["Register the name ", name.as_str(), " for ", owner, "."].concat()
}

/// Registers a name for an account, with attributes.
pub fn register_with<'a>(name: &EnsName, owner: &str, attributes: impl IntoIterator<Item = Attribute<'a>>) -> String {
    with(register(name, owner), attributes)
}

/// Changes attributes of a name.
pub fn describe<'a>(name: &EnsName, attributes: impl IntoIterator<Item = Attribute<'a>>) -> String {
    with(["Change the name ", name.as_str(), "."].concat(), attributes)
}

/// Points a name to an address of a coin type (SLIP-44, ENSIP-11).
pub fn point(name: &EnsName, coin_type: u32, address: &str) -> String {
    ["Point the name ", name.as_str(), " to ", address, " on ", &place(coin_type), "."].concat()
}

/// Removes the address of a coin type from a name.
pub fn unpoint(name: &EnsName, coin_type: u32) -> String {
    ["Remove the address of the name ", name.as_str(), " on ", &place(coin_type), "."].concat()
}

/// Transfers a name to the account of one chain, told by its coin type.
pub fn transfer(name: &EnsName, coin_type: u32, owner: &str) -> String {
    let end = ". The new owner controls the name; you lose it.";
    ["Transfer the name ", name.as_str(), " to ", owner, " on ", &place(coin_type), end].concat()
}

/// Releases a name.
pub fn release(name: &EnsName) -> String {
    ["Release the name ", name.as_str(), ". You lose it, and others can register it later."].concat()
}

/// Chain of a coin type in words. Different coin types have different words.
fn place(coin_type: u32) -> String {
    match (coin_type, crate::coin_type::chain(coin_type)) {
        (501, _) => "Solana".into(),
        (_, Some(0)) => "every EVM chain".into(),
        (_, Some(chain)) => ["eip155:", &chain.to_string()].concat(),
        (_, None) => ["coin type ", &coin_type.to_string()].concat(),
    }
}

fn with<'a>(mut text: String, attributes: impl IntoIterator<Item = Attribute<'a>>) -> String {
    for (attribute, value) in attributes {
        let _ = match value {
            "" => write!(text, " Remove its {attribute}."),
            _ => write!(text, " Set its {attribute} to '{}'.", quoted(value)),
        };
    }
    text
}

/// Value in the letters that EIP-4361 allows in a statement. Others are written as `=` and two hex digits for each byte of UTF-8, as in
/// quoted-printable (RFC 2045, 6.7), and so are `=` and the quotation mark: different values have different forms, and none ends early.
fn quoted(value: &str) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b" -._~:/?#[]@!$&()*+,;".contains(&byte) {
            text.push(byte.into());
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "={byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

    #[test]
    fn a_statement_says_what_happens_to_which_name_and_for_whom() {
        let alice = EnsName::parse("alice", "example.eth").unwrap();
        for (statement, words) in [
            (
                register(&alice, OWNER),
                "Register the name alice.example.eth for 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266.",
            ),
            (
                register_with(&alice, OWNER, [("avatar", "ipfs://a"), ("bio", "I was here")]),
                "Register the name alice.example.eth for 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266. Set its avatar to 'ipfs://a'. Set its bio to 'I was here'.",
            ),
            (
                describe(&alice, [("avatar", ""), ("bio", "x")]),
                "Change the name alice.example.eth. Remove its avatar. Set its bio to 'x'.",
            ),
            (
                point(&alice, 0x8000_0000 | 8453, OWNER),
                "Point the name alice.example.eth to 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 on eip155:8453.",
            ),
            (unpoint(&alice, 60), "Remove the address of the name alice.example.eth on eip155:1."),
            (unpoint(&alice, 0x8000_0000), "Remove the address of the name alice.example.eth on every EVM chain."),
            (unpoint(&alice, 501), "Remove the address of the name alice.example.eth on Solana."),
            (unpoint(&alice, 0x8000_0001), "Remove the address of the name alice.example.eth on coin type 2147483649."),
            (
                transfer(&alice, 60, OWNER),
                "Transfer the name alice.example.eth to 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 on eip155:1. The new owner controls the name; you lose it.",
            ),
            (release(&alice), "Release the name alice.example.eth. You lose it, and others can register it later."),
        ] {
            assert_eq!(statement, words);
        }
    }

    #[test]
    fn a_value_cannot_end_its_quotation_and_two_values_never_look_the_same() {
        let said = |value: &str| quoted(value);
        assert_eq!(said("it's. Release the name"), "it=27s. Release the name");
        assert_eq!(said("é\n\u{202e}"), "=C3=A9=0A=E2=80=AE");
        assert_eq!((said("=27").as_str(), said("'").as_str()), ("=3D27", "=27"));
        assert_eq!(said("https://a.example/a.png?b=c%20d"), "https://a.example/a.png?b=3Dc=2520d");
    }
}
