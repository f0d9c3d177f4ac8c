//! How near a wallet is to what a visitor typed.

use super::Wallet;
use super::distance::{allowed, is_near};
use super::fold::{Folded, Needle};

/// From so many letters on, the beginning of a word may be mistyped too: shorter ones begin too many words.
const MISTYPED_BEGINNING: usize = 5;

/// How near: the nearest first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Rank {
    /// The name, the id or the reverse domain name.
    Exact,
    /// The beginning of the name.
    Prefix,
    /// The beginnings of words of the name, or their first letters.
    WordPrefix,
    /// A piece of the name.
    Substring,
    /// The name or words of it, but for a letter or two.
    Typo,
}

/// The wallets as they are searched in, in their order.
#[derive(Clone, Debug)]
pub(super) struct Index(Vec<Entry>);

/// A wallet as it is searched in.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its id, its reverse domain name and its other ids, in lower case.
    pub ids: Vec<String>,
    /// Its name, in lower case.
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

    /// How near this wallet is, if it is near at all. `work` counts what was compared.
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

    /// Whether the name as a whole was mistyped, or each word of it that is not the beginning of one.
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
