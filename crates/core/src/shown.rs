//! Cleaning of untrusted names before they are drawn: names of wallets, tokens, collections and accounts.

/// Maximum length of a name in characters, because it is a line on a button; longer names are cut.
const LONGEST_NAME: usize = 48;

/// Whether a character has no place in an honest name: line breaks, invisible characters, marks that change the text direction, tags.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether a character is a combining mark, drawn on the previous character.
pub fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Cleans a name for display: removes hidden characters, and all but one combining mark per letter, so that the rest is visible.
pub fn clean(name: &str) -> String {
    clean_to(name, LONGEST_NAME)
}

/// Cleans an untrusted text for display, like [`clean`], and cuts it to `most` characters.
pub fn clean_to(name: &str, most: usize) -> String {
    let mut bare = false;
    let seen = |letter: &char| {
        let kept = !is_hidden(*letter) && (bare || !is_mark(*letter));
        bare = if kept { !is_mark(*letter) && !letter.is_whitespace() } else { bare };
        kept
    };
    let name: String = name.chars().filter(seen).collect();
    name.trim().chars().take(most).collect()
}
