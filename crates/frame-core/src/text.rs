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

/// Texts before and after the last of an ASCII letter.
pub fn split_last(text: &str, letter: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|byte| byte == letter)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_at_the_last_of_a_letter() {
        assert_eq!(split_last("a:b:c", b':'), Some(("a:b", "c")));
        assert_eq!((split_last("é:", b':'), split_last(":", b':')), (Some(("é", "")), Some(("", ""))));
        assert_eq!((split_last("abc", b':'), split_last("", b':')), (None, None));
    }

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
