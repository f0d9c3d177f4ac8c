//! Normalization of texts for the search: case, accents and signs, which visitors type differently, do not count.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum length of a searched text, and so of a word, in letters.
pub(super) const LONGEST: usize = 64;

/// Word with a set of its letters.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Word {
    pub letters: Vec<char>,
    /// Bit set of the letters: each letter that only one of two words has costs at least one edit.
    pub mask: u64,
}

/// Name, prepared for the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded {
    /// All letters, without separators.
    pub compact: Word,
    /// Words, and their parts where the case changes: `MetaMask`, `Meta`, `Mask`.
    pub words: Vec<Word>,
    /// First letter of each part.
    pub initials: Vec<char>,
}

/// Search text, prepared for the search.
#[derive(Clone, Debug)]
pub(super) struct Needle {
    /// Text as typed, in lower case: may be an id or a reverse domain name.
    pub typed: String,
    pub compact: Word,
    /// Words, without a last word `wallet`.
    pub words: Vec<Word>,
}

/// Whether a letter is invisible: control characters, direction changes and zero-width characters.
pub(super) fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

impl Word {
    fn push(&mut self, letter: char) {
        if self.letters.len() < LONGEST {
            self.letters.push(letter);
            self.mask |= bit(letter);
        }
    }

    pub fn starts_with(&self, other: &Word) -> bool {
        self.letters.starts_with(&other.letters)
    }

    pub fn contains(&self, other: &Word) -> bool {
        other.mask & !self.mask == 0
            && self.letters.windows(other.letters.len().max(1)).any(|part| part == other.letters)
    }
}

impl Folded {
    pub fn new(text: &str) -> Folded {
        let mut folded = Folded::default();
        for word in words(text) {
            word.iter().for_each(|(letter, _)| folded.compact.push(*letter));
            let starts: Vec<usize> = (0..word.len()).filter(|&at| at == 0 || word[at].1).collect();
            folded.initials.extend(starts.iter().map(|&at| word[at].0));
            folded.words.push(of(&word));
            if starts.len() > 1 {
                let ends = starts.iter().skip(1).copied().chain([word.len()]);
                folded.words.extend(starts.iter().zip(ends).map(|(&start, end)| of(&word[start..end])));
            }
        }
        folded
    }
}

impl Needle {
    /// Prepares a search text. `None` if it is empty; a text without letters is searched and finds no wallet.
    pub fn new(text: &str) -> Option<Needle> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let mut compact = Word::default();
        let mut found: Vec<Word> = Vec::new();
        for word in words(text) {
            word.iter().for_each(|(letter, _)| compact.push(*letter));
            found.push(of(&word));
        }
        // Visitors search most wallets as `… wallet`, but few have that name; the last word may be incomplete.
        let wallet = Folded::new("wallet").compact;
        if found.len() > 1 && found.last().is_some_and(|last| wallet.starts_with(last)) {
            found.pop();
        }
        let typed = text.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
        Some(Needle { typed, compact, words: found })
    }
}

fn of(letters: &[(char, bool)]) -> Word {
    let mut word = Word::default();
    letters.iter().for_each(|(letter, _)| word.push(*letter));
    word
}

fn bit(letter: char) -> u64 {
    let place = match letter {
        'a'..='z' => letter as u32 - 'a' as u32,
        '0'..='9' => 26 + letter as u32 - '0' as u32,
        _ => 36 + letter as u32 % 28,
    };
    1 << place
}

/// Splits a text into words: each letter, and whether the case rises there. NFKD separates accents from letters; accents are dropped.
fn words(text: &str) -> Vec<Vec<(char, bool)>> {
    let mut words: Vec<Vec<(char, bool)>> = Vec::new();
    let (mut inside, mut low) = (false, false);
    for letter in text.chars().take(LONGEST * 4).nfkd().take(LONGEST * 4) {
        if is_combining_mark(letter) || is_invisible(letter) || matches!(letter, '\'' | '’') {
            continue;
        }
        if !letter.is_alphanumeric() {
            inside = false;
            continue;
        }
        if !inside {
            words.push(Vec::new());
            low = false;
        }
        inside = true;
        let rises = low && letter.is_uppercase();
        low = letter.is_lowercase();
        if let Some(word) = words.last_mut() {
            let spelt = letter.to_lowercase().flat_map(|letter| plain(letter).iter().copied().chain(own(letter)));
            word.extend(spelt.enumerate().map(|(at, letter)| (letter, rises && at == 0)));
        }
    }
    words
}

/// Plain spelling of letters that NFKD does not decompose.
fn plain(letter: char) -> &'static [char] {
    match letter {
        'æ' => &['a', 'e'],
        'đ' | 'ð' => &['d'],
        'ı' => &['i'],
        'ł' => &['l'],
        'ø' => &['o'],
        'œ' => &['o', 'e'],
        'ß' => &['s', 's'],
        _ => &[],
    }
}

fn own(letter: char) -> Option<char> {
    (plain(letter).is_empty() && !is_combining_mark(letter)).then_some(letter)
}
