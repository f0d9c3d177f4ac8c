use alloy_primitives::{hex, keccak256};
use portico_terms::AccountId;
use serde::{Deserialize, Serialize};

/// Where a page ended: of what, by which source. To a client it is one word; a word that was not made here is none.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Cursor {
    /// "history" or "nfts".
    pub(crate) list: String,
    /// CAIP-10.
    pub(crate) account: String,
    /// Who goes on with it.
    pub(crate) source: String,
    /// In that source's own words.
    pub(crate) place: String,
}

/// A word that is no cursor of this list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct NotCursor;

const CHECK: usize = 8;

const LONGEST: usize = 8192;

impl Cursor {
    /// The word.
    pub(crate) fn word(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let check = keccak256(text.as_bytes());
        hex::encode([&check[..CHECK], text.as_bytes()].concat())
    }

    /// Reads a word that was made for this list of this account.
    pub(crate) fn read(word: &str, list: &str, account: &AccountId) -> Result<Cursor, NotCursor> {
        if word.len() > LONGEST || word.starts_with("0x") {
            return Err(NotCursor);
        }
        let bytes = hex::decode(word).map_err(|_| NotCursor)?;
        let (check, text) = bytes.split_at_checked(CHECK).ok_or(NotCursor)?;
        if keccak256(text)[..CHECK] != *check {
            return Err(NotCursor);
        }
        let cursor: Cursor = serde_json::from_slice(text).map_err(|_| NotCursor)?;
        let same = cursor.list == list && cursor.account.eq_ignore_ascii_case(&account.to_string());
        if same { Ok(cursor) } else { Err(NotCursor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn account(last: u8) -> AccountId {
        format!("eip155:1:0x{last:040x}").parse().unwrap()
    }

    proptest! {
        #[test]
        fn a_cursor_is_read_as_it_was_written(place in ".{0,300}", source in "[a-z]{1,9}") {
            let cursor = Cursor { list: "history".into(), account: account(7).to_string(), source, place };
            prop_assert_eq!(Cursor::read(&cursor.word(), "history", &account(7)), Ok(cursor.clone()));
            prop_assert_eq!(Cursor::read(&cursor.word(), "nfts", &account(7)), Err(NotCursor));
            prop_assert_eq!(Cursor::read(&cursor.word(), "history", &account(8)), Err(NotCursor));
        }

        #[test]
        fn a_word_that_was_changed_or_made_up_is_no_cursor(at in any::<prop::sample::Index>(), word in ".{0,200}") {
            let cursor = Cursor { list: "history".into(), account: account(7).to_string(), source: "rpc".into(), place: "9".into() };
            let mut letters: Vec<char> = cursor.word().chars().collect();
            let at = at.index(letters.len());
            letters[at] = if letters[at] == '0' { '1' } else { '0' };
            prop_assert_eq!(Cursor::read(&String::from_iter(letters), "history", &account(7)), Err(NotCursor));
            prop_assert_eq!(Cursor::read(&word, "history", &account(7)), Err(NotCursor));
        }
    }
}
