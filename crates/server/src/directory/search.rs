//! Ranking of wallets against the search text.

use super::Wallet;
use super::distance::{allowed, is_near};
use super::fold::{Folded, Needle};

/// Minimum letters for typos in the prefix of a word: shorter prefixes match too many words.
const MISTYPED_BEGINNING: usize = 5;

/// Quality of a match, the best first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Rank {
    /// Equals the name, the id or the reverse domain name.
    Exact,
    /// Prefix of the name.
    Prefix,
    /// Prefixes of words of the name, or their initials.
    WordPrefix,
    /// Substring of the name.
    Substring,
    /// The name or words of it, with one or two typos.
    Typo,
}

/// Search index of the wallets, in the order of the directory.
#[derive(Clone, Debug)]
pub(super) struct Index(Vec<Entry>);

/// Wallet in the search index.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Id, reverse domain name and aliases, in lower case.
    pub ids: Vec<String>,
    /// Name in lower case.
    pub name: String,
    folded: Folded,
}

impl Index {
    pub fn of(wallets: &[Wallet]) -> Index {
        Index(wallets.iter().map(Entry::of).collect())
    }

    pub fn entries(&self) -> &[Entry] {
        &self.0
    }
}

impl Entry {
    fn of(wallet: &Wallet) -> Entry {
        let mut ids: Vec<String> =
            [&wallet.id].into_iter().chain(&wallet.rdns).chain(&wallet.aliases).cloned().collect();
        ids.iter_mut().for_each(|id| id.make_ascii_lowercase());
        ids.dedup();
        Entry { ids, name: wallet.name.to_lowercase(), folded: Folded::new(&wallet.name) }
    }

    /// Rank of this wallet, if it matches. `work` counts the comparisons.
    pub fn rank(&self, needle: &Needle, work: &mut u64) -> Option<Rank> {
        *work += 1;
        let Folded { compact, words, initials } = &self.folded;
        if self.ids.contains(&needle.typed) {
            return Some(Rank::Exact);
        }
        if needle.compact.letters.is_empty() {
            return None;
        }
        if *compact == needle.compact {
            return Some(Rank::Exact);
        }
        if compact.starts_with(&needle.compact) {
            return Some(Rank::Prefix);
        }
        let begins = |typed| words.iter().any(|word| word.starts_with(typed));
        if needle.words.iter().all(begins) || (initials.len() > 1 && *initials == needle.compact.letters) {
            return Some(Rank::WordPrefix);
        }
        if needle.compact.letters.len() > 1 && compact.contains(&needle.compact) {
            return Some(Rank::Substring);
        }
        self.is_mistyped(needle, work).then_some(Rank::Typo)
    }

    /// Whether the text is the name with typos, or each of its words is a prefix of a word of the name or one with typos.
    fn is_mistyped(&self, needle: &Needle, work: &mut u64) -> bool {
        let Folded { compact, words, .. } = &self.folded;
        let limit = allowed(needle.compact.letters.len());
        if limit > 0 && is_near(&needle.compact, compact, limit, false, work) {
            return true;
        }
        needle.words.iter().all(|typed| {
            let limit = allowed(typed.letters.len());
            let beginning = typed.letters.len() >= MISTYPED_BEGINNING;
            words.iter().any(|word| {
                *work += 1;
                word.starts_with(typed) || (limit > 0 && is_near(typed, word, limit, beginning, work))
            })
        })
    }
}
