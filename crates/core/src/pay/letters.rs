//! Detection of lookalike letters in names, which may imitate another name (Unicode Technical Standard 39).

use std::ops::RangeInclusive;

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

/// Whether a letter is of East Asia, where names mix with Latin ones and none looks like one.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{20000}'..)
}

/// Whether a label of a name mixes scripts, or consists only of letters that look like Latin ones.
pub fn is_deceptive(name: &str) -> bool {
    name.split('.').any(|label| {
        let mut scripts = label.chars().filter_map(script_of);
        let Some(first) = scripts.next() else { return label.chars().any(is_odd) };
        let letters = || label.chars().filter(|letter| letter.is_alphabetic());
        let mixed = scripts.any(|other| other != first);
        let strange =
            first == Script::Latin && letters().any(|letter| script_of(letter).is_none() && !is_ideograph(letter));
        mixed
            || strange
            || label.chars().any(is_odd)
            || first != Script::Latin && letters().all(|letter| ALIKE.contains(letter))
    })
}

/// Letters that imitate Latin ones in a symbol: phonetic and compatibility forms, marks, Lisu, and Latin ones with hooks and strokes.
const IMITATIONS: [RangeInclusive<char>; 12] = [
    '\u{180}'..='\u{2ff}',
    '\u{300}'..='\u{36f}',
    '\u{1ab0}'..='\u{1aff}',
    '\u{1d00}'..='\u{1dff}',
    '\u{20d0}'..='\u{20ff}',
    '\u{2100}'..='\u{218b}',
    '\u{2460}'..='\u{24ff}',
    '\u{2c60}'..='\u{2c7f}',
    '\u{a4d0}'..='\u{a4ff}',
    '\u{a720}'..='\u{a7ff}',
    '\u{ff00}'..='\u{ffef}',
    '\u{1d400}'..='\u{1d7ff}',
];

/// Whether a symbol of a token has letters that imitate Latin ones: of another script, other forms of them, or with marks; or it hides a
/// variation selector behind a letter. Behind an emoji it is common.
pub fn is_disguised(symbol: &str) -> bool {
    let foreign = |letter: char| script_of(letter).is_some_and(|script| script != Script::Latin);
    let form = |letter: char| IMITATIONS.iter().any(|range| range.contains(&letter));
    let selects = |letter: char| matches!(letter, '\u{fe00}'..='\u{fe2f}' | '\u{e0000}'..='\u{e01ef}');
    let hidden = symbol
        .chars()
        .zip(symbol.chars().skip(1))
        .any(|(before, letter)| selects(letter) && (before.is_alphanumeric() || selects(before)));
    hidden || symbol.chars().any(|letter| foreign(letter) || is_odd(letter) || form(letter))
}

/// Ranges of letters that no normal form of a name has (ENSIP-15): capitals, combining marks, variation selectors and compatibility forms.
/// In ranges with a step of two the other half are small letters.
const RAW: [(char, char, u32); 34] = [
    ('A', 'Z', 1),
    ('\u{aa}', '\u{aa}', 1),
    ('\u{b2}', '\u{b3}', 1),
    ('\u{b9}', '\u{ba}', 1),
    ('\u{c0}', '\u{d6}', 1),
    ('\u{d8}', '\u{de}', 1),
    ('\u{100}', '\u{136}', 2),
    ('\u{139}', '\u{147}', 2),
    ('\u{14a}', '\u{176}', 2),
    ('\u{178}', '\u{179}', 1),
    ('\u{17b}', '\u{17d}', 2),
    ('\u{1cd}', '\u{1db}', 2),
    ('\u{1de}', '\u{1ee}', 2),
    ('\u{1f8}', '\u{232}', 2),
    ('\u{2b0}', '\u{2e4}', 1),
    ('\u{300}', '\u{36f}', 1),
    ('\u{386}', '\u{38f}', 1),
    ('\u{391}', '\u{3ab}', 1),
    ('\u{400}', '\u{42f}', 1),
    ('\u{460}', '\u{480}', 2),
    ('\u{48a}', '\u{4be}', 2),
    ('\u{4c0}', '\u{4c0}', 1),
    ('\u{4d0}', '\u{52e}', 2),
    ('\u{531}', '\u{556}', 1),
    ('\u{1d2c}', '\u{1dbf}', 1),
    ('\u{1e00}', '\u{1e94}', 2),
    ('\u{1ea0}', '\u{1efe}', 2),
    ('\u{2000}', '\u{206f}', 1),
    ('\u{2070}', '\u{209c}', 1),
    ('\u{2100}', '\u{218b}', 1),
    ('\u{2460}', '\u{24ff}', 1),
    ('\u{3200}', '\u{33ff}', 1),
    ('\u{fb00}', '\u{ffef}', 1),
    ('\u{1d400}', '\u{1d7ff}', 1),
];

/// Joins the parts of an emoji; the only one of its range that a normal form may have.
const JOINER: char = '\u{200d}';

/// Whether a name surely is not in its normal form. A server that says otherwise may have registered the raw form.
pub fn is_raw(name: &str) -> bool {
    let raw = |letter: char, (first, last, step): &(char, char, u32)| {
        (*first..=*last).contains(&letter) && (letter as u32 - *first as u32).is_multiple_of(*step)
    };
    name.chars().any(|letter| letter != JOINER && RAW.iter().any(|range| raw(letter, range)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_marks_and_compatibility_forms_are_raw_and_small_letters_are_not() {
        for name in [
            "Ünal.eth",
            "Éva.eth",
            "ŁUK.eth",
            "Ж.eth",
            "Ω.eth",
            "u\u{308}nal.eth",
            "❤\u{fe0f}.eth",
            "ａ.eth",
            "ﬁ.eth",
            "𝐚.eth",
            "Ⓐ.eth",
            "Ž.eth",
            "Ǎ.eth",
            "Ẽ.eth",
            "vⅰtalik.eth",
            "vitaˡik.eth",
            "ᵃlice.eth",
            "㎏.eth",
        ] {
            assert!(is_raw(name), "{name}");
        }
        for name in [
            "ünal.eth",
            "éva.eth",
            "łuk.eth",
            "ж.eth",
            "ω.eth",
            "❤.eth",
            "東京.eth",
            "žena.eth",
            "ǎ.eth",
            "ẽ.eth",
            "ñandú.eth",
            "👩\u{200d}🚀.eth",
            "ß.eth",
            "ı.eth",
            "مرحبا.eth",
        ] {
            assert!(!is_raw(name), "{name}");
        }
    }

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
            "cⲟinbase.eth",
            "vⅰtalik.eth",
        ] {
            assert!(is_deceptive(name), "{name}");
        }
    }

    #[test]
    fn symbols_that_imitate_latin_letters_are_disguised() {
        for symbol in ["USDC\u{fe0f}", "US\u{fe00}DC", "USD\u{216d}", "ꓴꓢꓓꓚ", "USDᴄ", "USDC\u{20dd}", "USDƇ", "USDꞓ"]
        {
            assert!(is_disguised(symbol), "{symbol}");
        }
        for symbol in ["USDС", "ＵＳＤＣ", "USDC\u{301}", "ЕТН", "Ε", "𝐔SDC", "US\u{200b}DC", "Ⓤ"] {
            assert!(is_disguised(symbol), "{symbol}");
        }
        for symbol in ["USDC", "USD₮0", "sUSDe", "€", "Ü", "É", "狗", "❤\u{fe0f}", "👩\u{200d}🚀", ""] {
            assert!(!is_disguised(symbol), "{symbol}");
        }
    }

    #[test]
    fn names_of_one_script_are_not() {
        for name in [
            "vitalik.eth",
            "münchen.eth",
            "東京dao.eth",
            "привет.eth",
            "αλφα.eth",
            "東京.eth",
            "مرحبا.eth",
            "🦊.eth",
            "a-1.b.eth",
            "",
        ] {
            assert!(!is_deceptive(name), "{name}");
        }
    }
}
