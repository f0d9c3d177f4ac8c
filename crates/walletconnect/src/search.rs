//! Text search. The texts are short, and the search of the standard library adds a kilobyte to the module that browsers load.

/// Byte offset of a word in a text.
pub(crate) fn find(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|window| window == word.as_bytes())
}

/// Splits a text at the first occurrence of a word, which is left out.
pub(crate) fn split<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, word)?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// Splits a text at the last colon, which is left out.
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
