//! Finding a word in a text. The texts are short, and the search of the standard library weighs a kilobyte in what browsers load.

/// Where a word begins, in bytes.
pub(crate) fn find(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|window| window == word.as_bytes())
}

/// What is before the first of a word and what is after it.
pub(crate) fn split<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, word)?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// What is before the last colon and what is after it.
pub(crate) fn split_last(text: &str) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|letter| letter == b':')?;
    Some((&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_what_the_standard_library_finds(text in "[ab:é]{0,8}", word in "[ab:é]{1,2}") {
            prop_assert_eq!(find(&text, &word), text.find(&word));
            prop_assert_eq!(split(&text, &word), text.split_once(&word));
            prop_assert_eq!(split_last(&text), text.rsplit_once(':'));
        }
    }
}
