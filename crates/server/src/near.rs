//! What an operator probably meant, for messages about an unknown word.

/// Most wrong letters of a long word.
const MOST: usize = 3;

/// Sentence to append to a message: " Did you mean `listen`?", or nothing if no known word is near.
pub(crate) fn did_you_mean<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(typed, known).map_or_else(String::new, |word| format!(" Did you mean `{word}`?"))
}

/// Known word with the fewest wrong letters, if they are few: one in four letters.
pub(crate) fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let limit = typed.chars().count().div_ceil(4).min(MOST);
    let near = known.into_iter().map(|word| (strsim::osa_distance(&typed, &word.to_lowercase()), word));
    near.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_few_wrong_letters_is_the_nearest_known_one() {
        let known = ["listen", "admin_listen", "log", "wallet.origin"];
        for (typed, meant) in [
            ("listne", Some("listen")),
            ("Listen", Some("listen")),
            ("wallet.orgin", Some("wallet.origin")),
            ("lgo", Some("log")),
            ("redis", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), meant, "{typed}");
        }
        assert_eq!(did_you_mean("lisen", known), " Did you mean `listen`?");
        assert_eq!(did_you_mean("frobnicate", known), "");
    }

    #[test]
    fn two_random_ids_are_not_near() {
        let known = ["0f8fad5bd9cb469fa16570867728950e"];
        assert_eq!(nearest("7c9e6679742540de944be07fc1f90ae7", known), None);
        assert_eq!(nearest("0f8fad5bd9cb469fa16570867728950", known), Some(known[0]));
    }
}
