use alloy_primitives::{hex, keccak256};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use portico_terms::AccountId;
use serde::{Deserialize, Serialize};

/// Cursor of a list of one chain: list, account, source and position. Clients see one opaque word with a checksum; other words are refused.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Cursor {
    /// "history" or "nfts".
    pub(crate) list: String,
    /// CAIP-10.
    pub(crate) account: String,
    /// Source that continues the list.
    pub(crate) source: String,
    /// Position in the source's own format.
    pub(crate) place: String,
}

/// Error: the word is not a cursor of this list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct NotCursor;

const CHECK: usize = 8;

const LONGEST: usize = 8192;

impl Cursor {
    /// Encodes the cursor.
    pub(crate) fn word(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let check = keccak256(text.as_bytes());
        hex::encode([&check[..CHECK], text.as_bytes()].concat())
    }

    /// Decodes a cursor that was made for this list of this account.
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

/// Cursor of a list of several chains. It carries a position for each chain, so its encoding (base64url) is denser.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Places {
    /// "history"
    pub(crate) list: String,
    /// Address of the account on all of the chains.
    pub(crate) address: String,
    /// Time of the last row sent.
    pub(crate) at: String,
    /// Positions on the chains that have more rows.
    pub(crate) tracks: Vec<Track>,
}

/// Position on one chain.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Track {
    /// CAIP-2.
    pub(crate) chain: String,
    /// Page with the next row, as its source and that source's position; `None` for the first page.
    pub(crate) page: Option<(String, String)>,
    /// Id of the last row of this page that was sent.
    pub(crate) last: Option<String>,
}

/// In bytes; smaller than the limit of a request head.
const LONGEST_OF_ALL: usize = 32 * 1024;

impl Places {
    /// Encodes the cursor.
    pub(crate) fn word(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let check = keccak256(text.as_bytes());
        URL_SAFE_NO_PAD.encode([&check[..CHECK], text.as_bytes()].concat())
    }

    /// Decodes a cursor that was made for this list of this address.
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
