//! Searches in short texts. Those of the standard library are made for long ones, and are large in the browser.

/// Whether a text holds another one.
pub fn holds(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|window| window == part.as_bytes())
}

/// Scheme of a URL, and what follows `://`.
pub fn split_scheme(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once(':')?;
    Some((scheme, rest.strip_prefix("//")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_wherever_it_stands_and_nothing_else_is() {
        assert!(holds("already known", "already") && holds("is already", "already") && holds("already", "already"));
        assert!(!holds("alread", "already") && !holds("", "already") && !holds("al ready", "already"));
    }

    #[test]
    fn a_scheme_ends_before_two_slashes() {
        assert_eq!(split_scheme("https://a.example:8080/b"), Some(("https", "a.example:8080/b")));
        assert_eq!(split_scheme("a.example:8080"), None);
        assert_eq!(split_scheme("a.example"), None);
    }
}
