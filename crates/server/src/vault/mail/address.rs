//! E-mail addresses.

/// Longest address (RFC 5321).
const LONGEST: usize = 254;

/// An address to which a mail can be sent.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Address {
    text: String,
    canonical: String,
}

impl Address {
    /// Parses what a visitor typed: letters of ASCII in the local part, and a domain with a dot, or localhost.
    pub(crate) fn parse(text: &str) -> Option<Address> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@')?;
        let fits = text.len() <= LONGEST && text.is_ascii() && (domain.contains('.') || domain == "localhost");
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte);
        if !fits || !local.bytes().all(plain) {
            return None;
        }
        text.parse::<lettre::Address>().ok()?;
        Some(Address { canonical: text.to_ascii_lowercase(), text: text.into() })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The form by which a user is found: mail servers do not tell capitals apart.
    pub(crate) fn canonical(&self) -> &str {
        &self.canonical
    }

    /// The form by which mails to a mailbox are counted: many mail servers put those to `ada+shop@` and `ada@` into one mailbox (RFC 5233).
    pub(crate) fn mailbox(&self) -> String {
        let (local, domain) = self.canonical.rsplit_once('@').unwrap_or((&self.canonical, ""));
        let user = local.split_once('+').map_or(local, |(user, _)| user);
        format!("{user}@{domain}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_a_tag_are_of_one_mailbox() {
        for (text, mailbox) in [
            ("Ada+Shop+2@Example.org", "ada@example.org"),
            ("ada@example.org", "ada@example.org"),
            ("ada.b+@sub.example.org", "ada.b@sub.example.org"),
            ("+1@example.org", "@example.org"),
        ] {
            assert_eq!(Address::parse(text).unwrap().mailbox(), mailbox);
        }
    }

    #[test]
    fn an_address_is_one_mailbox_and_nothing_that_a_header_could_be_made_of() {
        for (text, canonical) in
            [("Ada@Example.org ", "ada@example.org"), ("a.b+c@sub.example.org", "a.b+c@sub.example.org")]
        {
            assert_eq!(Address::parse(text).unwrap().canonical(), canonical);
        }
        let long = format!("{}@example.org", "a".repeat(250));
        for wrong in [
            "",
            "@",
            "a@",
            "@b.c",
            "a b@example.org",
            "a@example",
            "a@b@c.org",
            "a@example.org\r\nBcc: b@example.org",
            "Ada <a@example.org>",
            "a,b@example.org",
            "\"a b\"@example.org",
            "a..b@example.org",
            "é@example.org",
            &long,
        ] {
            assert_eq!(Address::parse(wrong), None, "{wrong}");
        }
    }
}
