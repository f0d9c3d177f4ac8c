use alloy_primitives::{hex, keccak256};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
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

/// Where a page of several chains ended. It carries the place on each chain, so it is written more tightly.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Places {
    /// "history"
    pub(crate) list: String,
    /// On each of the chains.
    pub(crate) address: String,
    /// The time of the last that was told.
    pub(crate) at: String,
    /// Of the chains that have more.
    pub(crate) tracks: Vec<Track>,
}

/// The place on one chain.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Track {
    /// CAIP-2.
    pub(crate) chain: String,
    /// The source of the page that holds what comes next, and the page in its words; none for the first.
    pub(crate) page: Option<(String, String)>,
    /// The id of the last that was told of this page.
    pub(crate) last: Option<String>,
}

/// Below the head of a request.
const LONGEST_OF_ALL: usize = 32 * 1024;

impl Places {
    /// The word.
    pub(crate) fn word(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let check = keccak256(text.as_bytes());
        URL_SAFE_NO_PAD.encode([&check[..CHECK], text.as_bytes()].concat())
    }

    /// Reads a word that was made for this list of this address.
    pub(crate) fn read(word: &str, list: &str, address: &str) -> Result<Places, NotCursor> {
        if word.len() > LONGEST_OF_ALL {
            return Err(NotCursor);
        }
        let bytes = URL_SAFE_NO_PAD.decode(word).map_err(|_| NotCursor)?;
        let (check, text) = bytes.split_at_checked(CHECK).ok_or(NotCursor)?;
        if keccak256(text)[..CHECK] != *check {
            return Err(NotCursor);
        }
        let places: Places = serde_json::from_slice(text).map_err(|_| NotCursor)?;
        if places.list == list && places.address == address { Ok(places) } else { Err(NotCursor) }
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
        fn a_cursor_of_several_chains_is_read_as_it_was_written(place in ".{0,300}", last in proptest::option::of("[a-z]{1,9}")) {
            let track = Track { chain: "eip155:1".into(), page: Some(("rpc".into(), place)), last };
            let places = Places { list: "history".into(), address: "0x1".into(), at: "2025".into(), tracks: vec![track] };
            prop_assert_eq!(Places::read(&places.word(), "history", "0x1"), Ok(places.clone()));
            prop_assert_eq!(Places::read(&places.word(), "nfts", "0x1"), Err(NotCursor));
            prop_assert_eq!(Places::read(&places.word(), "history", "0x2"), Err(NotCursor));
            prop_assert_eq!(Places::read(&places.word()[1..], "history", "0x1"), Err(NotCursor));
            prop_assert_eq!(Cursor::read(&places.word(), "history", &account(7)), Err(NotCursor));
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
