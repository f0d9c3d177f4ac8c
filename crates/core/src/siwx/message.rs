//! The site's message, and what the site says of itself.

use crate::shown::{clean, is_hidden};
use portico_json::Value;

/// Maximum length of a message in bytes. Wallets show less than that.
pub const LONGEST: usize = 8_192;

/// Maximum length of the address of an icon, which may be a picture in itself.
const LONGEST_ICON: usize = 100_000;

/// Message to sign.
#[derive(Debug)]
pub struct Words {
    /// Fields of the message (spec 3.18), which go back to the site as they came.
    pub data: Value,
    pub text: String,
    /// Sentence that the visitor agrees to.
    pub statement: Option<String>,
    /// Whether the site signs by a function of its own.
    pub own_signature: bool,
    /// Time from which it is written anew before it is signed, in epoch milliseconds.
    pub stale: u64,
}

/// Longest age in milliseconds of a message that is signed: sites forget nonces. A site may set a shorter one.
pub const STALE: u64 = 120_000;

/// The site in its own words.
#[derive(Debug, Default)]
pub struct Site {
    pub name: Option<String>,
    pub icon: Option<String>,
}

impl Words {
    /// Reads the site's answer. The visitor signs what the visitor can read: no endless text, and no letters that are invisible or turn others
    /// around; and nothing that another site takes for its own sign-in.
    pub fn read(said: &Value, origin: &str, now: u64) -> Result<Words, &'static str> {
        let (data, text) = (said.get("data"), said.get("message").as_str().unwrap_or_default());
        if data.as_object().is_none() || text.is_empty() {
            return Err("return the fields of the message, with `toString()`");
        }
        if text.len() > LONGEST {
            return Err("the message is longer than 8,192 bytes");
        }
        if text.chars().any(|letter| letter != '\n' && is_hidden(letter)) {
            return Err("the message has invisible characters");
        }
        if !is_for(origin, text) {
            return Err("the first line of the message names another host: use `location.host` as the domain");
        }
        // The statement is shown only if the signed text contains it.
        let statement = data.get("statement").as_str().filter(|words| !words.is_empty() && text.contains(*words));
        Ok(Words {
            data: data.clone(),
            text: text.into(),
            statement: statement.map(Into::into),
            own_signature: said.get("signs").as_bool() == Some(true),
            stale: now + said.get("life").as_u64().map_or(STALE, |life| life.min(STALE)),
        })
    }
}

/// Whether a text is for the page with this origin: the first line of a message of EIP-4361 or CAIP-122 names its host, with the scheme or
/// without. A text of another form names none.
fn is_for(origin: &str, text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let Some((named, _)) = first.split_once(" wants you to sign in") else { return true };
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    [host, origin].iter().any(|known| known.eq_ignore_ascii_case(named))
}

impl Site {
    pub fn read(said: &Value) -> Site {
        let pictured = |icon: &&str| {
            icon.len() <= LONGEST_ICON
                && ["https://", "http://", "data:image/"].iter().any(|start| icon.starts_with(start))
        };
        Site {
            name: said.get("name").as_str().map(clean).filter(|name| !name.is_empty()),
            icon: said.get("icon").as_str().filter(pictured).map(Into::into),
        }
    }
}
