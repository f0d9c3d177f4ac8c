//! Detection of lookalike letters in names, which may imitate another name (Unicode Technical Standard 39).

/// Script of a letter.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
}

fn script_of(letter: char) -> Option<Script> {
    Some(match letter {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' => Script::Cyrillic,
        '\u{530}'..='\u{58f}' => Script::Armenian,
        '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => Script::Cherokee,
        _ => return None,
    })
}

/// Letters of other scripts that look like Latin ones.
const ALIKE: &str = "асԁеһіјӏոрԛѕսѵԝхуоցɡαορνυικτ";

/// Whether a letter is a Latin lookalike, such as a dotless or fullwidth one, or invisible.
fn is_odd(letter: char) -> bool {
    matches!(letter, '\u{131}' | '\u{237}' | '\u{138}' | '\u{17f}' | '\u{251}' | '\u{261}' | '\u{ff21}'..='\u{ff5a}' | '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Whether a label of a name mixes scripts, or consists only of letters that look like Latin ones.
pub fn is_deceptive(name: &str) -> bool {
    name.split('.').any(|label| {
        let mut scripts = label.chars().filter_map(script_of);
        let Some(first) = scripts.next() else { return label.chars().any(is_odd) };
        let letters = || label.chars().filter(|letter| letter.is_alphabetic());
        let mixed = scripts.any(|other| other != first);
        mixed || label.chars().any(is_odd) || first != Script::Latin && letters().all(|letter| ALIKE.contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_scripts_and_letters_that_look_like_latin_ones_are_told() {
        // Cyrillic among Latin letters, Cyrillic alone that looks Latin, Greek likewise, a dotless i, fullwidth letters, a zero-width
        // space.
        for name in [
            "vіtalik.eth",
            "vita\u{200b}lik.eth",
            "1\u{200b}.eth",
            "аррӏе.eth",
            "ορα.eth",
            "alıce.eth",
            "ａlice.eth",
            "alice.еth",
            "αlice.eth",
            "ոսս.eth",
        ] {
            assert!(is_deceptive(name), "{name}");
        }
    }

    #[test]
    fn names_of_one_script_are_not() {
        for name in
            ["vitalik.eth", "münchen.eth", "привет.eth", "αλφα.eth", "東京.eth", "مرحبا.eth", "🦊.eth", "a-1.b.eth", ""]
        {
            assert!(!is_deceptive(name), "{name}");
        }
    }
}
