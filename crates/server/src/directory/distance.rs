//! Edit distance between words, for searches with typos.

use super::fold::{LONGEST, Word};

/// Maximum number of wrong letters.
const MOST: usize = 2;

/// Columns of a row: the empty prefix, every letter of the longest word, and one spare column that is never read.
const COLUMNS: usize = LONGEST + 2;

/// Number of wrong letters allowed in a word of this length: none below 4, one below 8, two from 8 on.
pub(super) fn allowed(letters: usize) -> usize {
    match letters {
        0..4 => 0,
        4..8 => 1,
        _ => MOST,
    }
}

/// Whether `typed` is within `limit` edits of `word`, or of a prefix of it if `beginning`. An edit adds, drops or changes a letter or swaps
/// two neighbours (optimal string alignment). Only the diagonal band of that width is computed; `work` counts its cells.
pub(super) fn is_near(typed: &Word, word: &Word, limit: usize, beginning: bool, work: &mut u64) -> bool {
    let (a, mut b) = (typed.letters.as_slice(), word.letters.as_slice());
    if beginning {
        b = &b[..b.len().min(a.len() + limit)];
    }
    let missing = (typed.mask & !word.mask).count_ones() as usize;
    if missing > limit || a.len() > b.len() + limit || b.len() > a.len() + limit {
        return false;
    }
    let far = limit + 1;
    let mut before = [far; COLUMNS];
    let mut above = [far; COLUMNS];
    for (column, cell) in above.iter_mut().enumerate().take(limit + 1) {
        *cell = column;
    }
    for row in 1..=a.len() {
        let mut cells = [far; COLUMNS];
        if row <= limit {
            cells[0] = row;
        }
        let (first, last) = (row.saturating_sub(limit).max(1), (row + limit).min(b.len()));
        let mut least = cells[0];
        for column in first..=last {
            *work += 1;
            let same = a[row - 1] == b[column - 1];
            let mut cell = above[column - 1] + usize::from(!same);
            cell = cell.min(above[column] + 1).min(cells[column - 1] + 1);
            if row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1] {
                cell = cell.min(before[column - 2] + 1);
            }
            cells[column] = cell.min(far);
            least = least.min(cells[column]);
        }
        if least > limit {
            return false;
        }
        before = above;
        above = cells;
    }
    if beginning { above[..=b.len()].iter().any(|&cell| cell <= limit) } else { above[b.len()] <= limit }
}

#[cfg(test)]
mod tests {
    use super::super::fold::Folded;
    use super::*;

    fn near(typed: &str, word: &str, limit: usize, beginning: bool) -> bool {
        is_near(&Folded::new(typed).compact, &Folded::new(word).compact, limit, beginning, &mut 0)
    }

    /// Reference implementation of the distance, over the whole table.
    fn alignment(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for row in 0..=a.len() {
            for column in 0..=b.len() {
                if row == 0 || column == 0 {
                    table[row][column] = row + column;
                    continue;
                }
                let changed = table[row - 1][column - 1] + usize::from(a[row - 1] != b[column - 1]);
                let mut cell = changed.min(table[row - 1][column] + 1).min(table[row][column - 1] + 1);
                if row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1] {
                    cell = cell.min(table[row - 2][column - 2] + 1);
                }
                table[row][column] = cell;
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn a_longer_word_may_have_more_wrong_letters() {
        assert_eq!([0, 3, 4, 7, 8, 64].map(allowed), [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn the_band_agrees_with_the_whole_table() {
        let mut words = vec![String::new()];
        for length in 0..4 {
            let longer = words.iter().filter(|word| word.len() == length);
            let more: Vec<String> = longer.flat_map(|word| ["a", "b", "c"].map(|end| format!("{word}{end}"))).collect();
            words.extend(more);
        }
        for typed in &words {
            for word in &words {
                for limit in 0..=MOST {
                    assert_eq!(
                        near(typed, word, limit, false),
                        alignment(typed, word) <= limit,
                        "{typed} {word} {limit}"
                    );
                    let beginnings = (0..=word.len()).any(|end| alignment(typed, &word[..end]) <= limit);
                    assert_eq!(near(typed, word, limit, true), beginnings, "{typed} begins {word} {limit}");
                }
            }
        }
    }

    #[test]
    fn the_longest_words_stay_within_the_table() {
        let long = "a".repeat(LONGEST * 2);
        assert!(near(&long, &long, MOST, false));
        assert!(near(&long, &long, MOST, true));
        assert!(!near(&long, &"b".repeat(LONGEST * 2), MOST, true));
    }
}
