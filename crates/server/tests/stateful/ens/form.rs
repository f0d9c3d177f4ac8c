//! Valid names and their normalised form.

use super::*;

#[test]
fn a_name_is_normalised_before_anything_else() {
    for (typed, normal) in [
        ("vitalik.eth", "vitalik.eth"),
        ("BRANTLY.Eth", "brantly.eth"),
        ("\u{2167}.eth", "viii.eth"),
        ("\u{d6}bb.at", "\u{f6}bb.at"),
        ("\u{2460}\u{24b6}", "1a"),
        ("a'a\u{2019}a", "a\u{2019}a\u{2019}a"),
        ("__a", "__a"),
        ("a\u{200b}.eth", "a.eth"),
        ("$\u{20bf}", "$\u{20bf}"),
        // Emoji variation selectors are removed, joiners of emoji sequences stay.
        ("\u{1f4a9}\u{fe0f}.eth", "\u{1f4a9}.eth"),
        ("1\u{fe0f}\u{20e3}2\u{fe0f}\u{20e3}.eth", "1\u{20e3}2\u{20e3}.eth"),
        ("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}.eth", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}.eth"),
        ("\u{1f3f4}\u{200d}\u{2620}\u{fe0f}", "\u{1f3f4}\u{200d}\u{2620}"),
        ("\u{1f1fa}\u{1f1f8}", "\u{1f1fa}\u{1f1f8}"),
        // Names in a single script.
        ("\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}", "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}"),
        ("\u{540d}\u{524d}.eth", "\u{540d}\u{524d}.eth"),
        ("\u{6f0}\u{6f1}", "\u{660}\u{661}"),
        ("e\u{301}.eth", "\u{e9}.eth"),
    ] {
        assert_eq!(EnsName::parse(typed).map(|name| name.to_string()).as_deref(), Ok(normal), "{typed}");
    }
    for typed in [
        ".",
        ".eth",
        "eth.",
        "a..eth",
        " ",
        "a b.eth",
        " a.eth",
        "a.eth\n",
        "a\0.eth",
        "a_b.eth",
        "te--st.eth",
        "xn--ls8h.eth",
        "'a.eth",
        "a'.eth",
        "a''a.eth",
        // Invisible characters.
        "a\u{200d}.eth",
        "\u{200d}a.eth",
        "a\u{ad}.eth\u{200c}",
        "\u{202e}a.eth",
        "a\u{2066}b.eth",
        // Confusable characters: mixed scripts, whole scripts, stops, slashes.
        "p\u{430}ypal.eth",
        "\u{0440}\u{0430}\u{0443}\u{0440}\u{0430}\u{04cf}.eth",
        "v\u{0456}talik.eth",
        "\u{3bf}pen\u{3bf}.eth",
        "a\u{ff0e}eth",
        "a\u{3002}eth",
        "a/b.eth",
        "a#b.eth",
        "a?b.eth",
        "a@b.eth",
        "a\\b.eth",
        // Combining marks without a letter, too many, or on an emoji; emoji sequences that do not exist.
        "\u{303}a.eth",
        "a\u{303}\u{303}.eth",
        "\u{1f4a9}\u{303}.eth",
        "\u{1f4a9}\u{200d}\u{1f4a9}.eth",
        "\u{1f3f4}\u{e0077}\u{e0074}\u{e0066}\u{e007f}",
        "a\u{b7}b",
    ] {
        assert_eq!(EnsName::parse(typed), Err(NotAName::Form), "{typed:?}");
    }
    for typed in [String::new(), "a".repeat(256), "a".repeat(254), "\u{2167}".repeat(85)] {
        assert_eq!(EnsName::parse(&typed), Err(NotAName::Length));
    }
}
