//! Names from outside, as they may be drawn: of wallets, tokens, collections and accounts.

/// Longer names are cut; a name is a line on a button.
const LONGEST_NAME: usize = 48;

/// What no honest name shows: line breaks, letters that nobody sees, marks that turn the reading direction around, tags.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// What is only drawn on the letter before.
pub fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// A name as it is drawn. A letter carries one mark at most; so what is left of a name is seen.
pub fn clean(name: &str) -> String {
    clean_to(name, LONGEST_NAME)
}

/// A text from outside as it is drawn, of so many letters at most.
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
