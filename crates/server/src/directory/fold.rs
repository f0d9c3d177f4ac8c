//! What is left of a text when nothing that visitors type differently counts: case, accents, signs.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// No more of a text is looked at, in letters; no word is longer.
pub(super) const LONGEST: usize = 64;

/// A word, with which letters are in it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Word {
    pub letters: Vec<char>,
    /// A bit a letter: what one word has and another has not costs at least an edit each.
    pub mask: u64,
}

/// A name as it is searched in.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded {
    /// All its letters, without what stands between them.
    pub compact: Word,
    /// Its words, and their parts where the case changes: `MetaMask`, `Meta`, `Mask`.
    pub words: Vec<Word>,
    /// The first letter of each part.
    pub initials: Vec<char>,
}

/// What is searched for.
#[derive(Clone, Debug)]
pub(super) struct Needle {
    /// As it was typed, in lower case: an id or a reverse domain name.
    pub typed: String,
    pub compact: Word,
    /// Its words, but for one that only says that a wallet is meant.
    pub words: Vec<Word>,
}

/// Whether a letter shows nothing by itself: controls, and what turns the direction of reading or stands for no width.
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
    /// What a text searches for. Nothing, when there is no text; what has no letter in it is searched for and not found.
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
        // Most wallets are asked for as `… wallet`, and few of them are called so; the last word may not be typed to its end.
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

/// The words of a text: each letter with whether the case rises at it. NFKD parts accents from letters, and they are left away.
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

/// Letters that have no accent to part from, as they are typed without them.
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
