//! Lists of words as one text, separated by commas: less code and data than a comparison or a pointer for each word.

/// Removes the first word from a list and returns it.
#[inline(never)]
pub fn next_word(words: &mut &'static str) -> &'static str {
    let (word, rest) = words.split_once(',').unwrap_or((words, ""));
    *words = rest;
    word
}

/// Returns the word at an index.
#[inline(never)]
pub fn word_at(mut words: &'static str, index: usize) -> &'static str {
    for _ in 0..index {
        next_word(&mut words);
    }
    next_word(&mut words)
}

/// Finds the index of a word.
#[inline(never)]
pub fn find_word(words: &str, word: &str) -> Option<usize> {
    words.split(',').position(|known| known == word)
}
