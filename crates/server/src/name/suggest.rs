//! Suggestions of names similar to a typed one.

use portico_terms::Label;

/// Maximum number of suggestions, including the typed name.
pub(super) const MOST: usize = 10;

const ENDINGS: [&str; 10] = ["", "-eth", "1", "-wallet", "2", "-onchain", "123", "3", "-id", "7"];
const BEGINNINGS: [&str; 2] = ["the-", "my-"];

/// Labels similar to `typed`: itself first if valid, then variations. Empty if it contains no usable character.
pub(super) fn like(typed: &str) -> Vec<Label> {
    let kept: String = typed.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
    let kept = kept.trim_matches('-');
    if kept.is_empty() {
        return Vec::new();
    }
    let asked = Label::parse(typed).ok();
    let ended = ENDINGS.iter().map(|ending| format!("{}{ending}", &kept[..kept.len().min(63 - ending.len())]));
    let begun =
        BEGINNINGS.iter().map(|beginning| format!("{beginning}{}", &kept[..kept.len().min(63 - beginning.len())]));
    let mut labels: Vec<Label> = Vec::new();
    for label in asked.into_iter().chain(ended.chain(begun).filter_map(|text| Label::parse(&text).ok())) {
        if labels.len() < MOST && !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(typed: &str) -> Vec<String> {
        like(typed).iter().map(|label| label.as_str().to_owned()).collect()
    }

    #[test]
    fn the_asked_one_comes_first_then_ten_in_all() {
        let labels = texts("Alice");
        assert_eq!(labels[..4], ["alice", "alice-eth", "alice1", "alice-wallet"]);
        assert_eq!(labels.len(), MOST);
    }

    #[test]
    fn what_is_no_name_leads_to_names_that_are() {
        assert_eq!(texts("al")[0], "al-eth");
        assert_eq!(texts("al ice!")[0], "alice");
        assert_eq!(texts("-alice-")[0], "alice");
        assert_eq!(texts(&"a".repeat(70))[0], "a".repeat(63));
        assert!(texts(&"a".repeat(63)).iter().all(|label| label.len() <= 63));
        for nothing in ["", "-", "---", "🦊", "  "] {
            assert!(texts(nothing).is_empty(), "{nothing}");
        }
    }
}
