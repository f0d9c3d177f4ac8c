//! E-mail addresses of visitors (spec 5.26).

/// Longest address in bytes (RFC 5321 path without its brackets).
const LONGEST: usize = 254;

/// Longest part before the at sign.
const LONGEST_LOCAL: usize = 64;

/// Whether a text is an e-mail address: the form that browsers accept in `<input type=email>`, with a domain of at least two labels.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let signs = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    text.len() <= LONGEST
        && (1..=LONGEST_LOCAL).contains(&local.len())
        && local.bytes().all(signs)
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=63).contains(&label.len()) && label.bytes().all(inside) && !label.starts_with('-') && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_26_an_e_mail_address_has_a_name_an_at_sign_and_a_domain() {
        for good in ["a@example.org", "first.last+tag@sub.example.co", "o'neil@ex-ample.org", "1@2.io"] {
            assert!(is_email(good), "{good}");
        }
        let long = [&"a".repeat(65), "@example.org"].concat();
        for bad in [
            "",
            "a",
            "@example.org",
            "a@",
            "a@b",
            "a@@example.org",
            "a b@example.org",
            "a@exa mple.org",
            "a@-x.org",
            "a@x-.org",
            "a@example..org",
            "a@example.org\n",
            "ü@example.org",
            "a@b@example.org",
            &long,
        ] {
            assert!(!is_email(bad), "{bad:?}");
        }
    }
}
