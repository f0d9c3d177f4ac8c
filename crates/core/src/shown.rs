//! Cleaning of untrusted names before they are drawn: names of wallets, tokens, collections and accounts.

/// Maximum length of a name in characters, because it is a line on a button; longer names are cut.
const LONGEST_NAME: usize = 48;

/// Whether a character has no place in an honest name: line breaks, invisible characters, marks that change the text direction, tags.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether a character is a combining mark, drawn on the previous character.
pub fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Cleans a name for display: removes hidden characters, and all but one combining mark per letter, so that the rest is visible.
pub fn clean(name: &str) -> String {
    clean_to(name, LONGEST_NAME)
}

/// Cleans an untrusted text for display, like [`clean`], and cuts it to `most` characters.
pub fn clean_to(name: &str, most: usize) -> String {
    let mut bare = false;
    let seen = |letter: &char| {
        let kept = !is_hidden(*letter) && (bare || !is_mark(*letter));
        bare = if kept { !is_mark(*letter) && !letter.is_whitespace() } else { bare };
        kept
    };
    let name: String = name.chars().filter(seen).collect();
    name.trim().chars().take(most).collect()
}

/// Words of names that lead a visitor away from the page, beside a link.
const LURES: [&[u8]; 5] = [b"claim", b"visit", b"airdrop", b"voucher", b"reward"];

/// Parts of links and of markup; `<` and addresses have rules of their own.
const SIGNS: [&[u8]; 8] = [b"://", b"www.", b"http:", b"https:", b"&lt", b"&#", b"][", b"[url"];

/// Dots that are written out, bracketed or spaced; `\u{1}` stands for every dot in the middle of a line.
const DOTS: [&[u8]; 6] = [b"[.]", b"[dot]", b" dot ", b" .", b". ", b"\x01"];

/// Ends of addresses that are looked for after such a dot; after a plain one every end counts.
const ENDS: [&[u8]; 16] = [
    b"com", b"net", b"org", b"io", b"xyz", b"info", b"site", b"online", b"app", b"top", b"finance", b"click",
    b"claims", b"gg", b"ru", b"cc",
];

/// Ends of names of accounts, which are no addresses of pages.
const NAMES: [&[u8]; 4] = [b"eth", b"lens", b"crypto", b"sol"];

/// Whether an untrusted name is a link or markup, or has one in it. A bare address such as "curve.fi" is part of the names of real tokens,
/// so it counts for a `vouched` name only beside a word that invites to it.
#[inline(never)]
pub fn is_bait(name: &str, vouched: bool) -> bool {
    let text = fold(name);
    let text = text.as_bytes();
    let tag = text.windows(2).any(|pair| pair[0] == b'<' && matches!(pair[1], b'a'..=b'z' | b'/' | b'!'));
    let (address, path) = addresses(text);
    let bare = (address || has_written_dot(text)) && (!vouched || holds_one(text, &LURES));
    tag || path || bare || holds_one(text, &SIGNS)
}

// By bytes, because the search of the standard library for texts is larger than all rules here.
fn holds_one(text: &[u8], parts: &[&[u8]]) -> bool {
    parts.iter().any(|part| text.windows(part.len()).any(|found| found == *part))
}

/// Small Latin letters and plain dots, slashes, colons and brackets instead of their lookalikes.
fn fold(name: &str) -> String {
    let one = |letter: char| match letter {
        'A'..='Z' => letter.to_ascii_lowercase(),
        '{' | '(' => '[',
        '}' | ')' => ']',
        '\u{ff01}'..='\u{ff5e}' => {
            let plain = char::from((letter as u32 - 0xfee0) as u8).to_ascii_lowercase();
            if plain == '(' { '[' } else { plain }
        }
        // Alphabets of capitals and small letters in turn.
        '\u{1d400}'..='\u{1d6a3}' => char::from(b'a' + ((letter as u32 - 0x1d400) % 26) as u8),
        '\u{24b6}'..='\u{24e9}' => char::from(b'a' + ((letter as u32 - 0x24b6) % 26) as u8),
        '\u{3002}' | '\u{ff61}' | '\u{2024}' | '\u{fe52}' | '\u{6d4}' => '.',
        '\u{b7}' | '\u{2022}' | '\u{2219}' => '\u{1}',
        '\u{2215}' | '\u{2044}' | '\u{29f8}' => '/',
        '\u{2236}' | '\u{a789}' | '\u{fe55}' => ':',
        '\u{2039}' | '\u{fe64}' | '\u{2c2}' => '<',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => ' ',
        letter => letter,
    };
    name.chars().map(one).collect()
}

/// Letters of an address; those of every script count.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte >= 0x80
}

/// Whether a text has an address of a page, and whether a path follows one: "t.me/claim".
fn addresses(text: &[u8]) -> (bool, bool) {
    let (mut found, mut path) = (false, false);
    let mut start = 0;
    for at in 0..=text.len() {
        let next = text.get(at).copied();
        if next.is_some_and(|byte| byte == b'.' || is_letter(byte)) {
            continue;
        }
        if is_address(&text[start..at]) {
            found = true;
            path |= next == Some(b'/');
        }
        start = at + 1;
    }
    (found, path)
}

/// Whether a word is an address of a page: labels with dots between them, the last one of letters only.
fn is_address(word: &[u8]) -> bool {
    let first = word.iter().position(|byte| is_letter(*byte));
    let last = word.iter().rposition(|byte| is_letter(*byte));
    let Some((first, last)) = first.zip(last) else { return false };
    let word = &word[first..=last];
    let Some(dot) = word.iter().rposition(|byte| *byte == b'.') else { return false };
    let end = &word[dot + 1..];
    // Bytes that continue a letter are none of their own.
    let letters = end.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    let plain = !end.iter().any(|byte| byte.is_ascii_digit() || *byte == b'-');
    letters > 1 && plain && !NAMES.contains(&end) && !holds_one(word, &[b".."])
}

/// Whether a known end of an address follows a dot that is written out, bracketed or spaced: "site [.] com", "site dot com".
fn has_written_dot(text: &[u8]) -> bool {
    let follows = |dot: &[u8], at: usize| {
        let rest = text[at + dot.len()..].trim_ascii_start();
        let end = rest.iter().position(|byte| !is_letter(*byte)).unwrap_or(rest.len());
        text[..at].trim_ascii_end().last().is_some_and(|byte| is_letter(*byte)) && ENDS.contains(&&rest[..end])
    };
    DOTS.iter().any(|dot| text.windows(dot.len()).enumerate().any(|(at, found)| found == *dot && follows(dot, at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_markup_are_bait_whatever_their_letters_and_dots_look_like() {
        for name in [
            "visit site.com to claim",
            "<b>Free</b>",
            "＜b＞bold",
            "‹a href=x",
            "</script>",
            "&lt;b",
            "[Claim](site",
            "(Claim)[site]",
            "https://x",
            "https:∕∕x",
            "ＨＴＴＰＳ：／／x",
            "www.x",
            "ｓｉｔｅ．ｃｏｍ",
            "site。com",
            "site․com",
            "site｡com",
            "ѕіtе.соm",
            "𝐬𝐢𝐭𝐞.𝐜𝐨𝐦",
            "ⓢⓘⓣⓔ.ⓒⓞⓜ",
            "SITE.COM",
            "$1000 at uni-airdrop.xyz!",
            "(site.io)",
            "t.me/free",
            "site [.] com",
            "site(dot)com",
            "site dot com",
            "site .com",
            "site. com now",
            "site•xyz",
            "claim.alice.eth.limo",
            "пример.рф",
        ] {
            assert!(is_bait(name, false), "{name}");
        }
    }

    #[test]
    fn names_of_honest_tokens_are_no_bait() {
        for name in [
            "USD Coin",
            "USDC.e",
            "Bridged Tether (DAI.e)",
            "St. Patrick",
            "Wrapped Ether v1.2",
            "alice.eth",
            "pay.alice.eth",
            "I <3 cats",
            "A < B",
            "A/B Token",
            "Lantern #12",
            "3.5mm",
            "U.S. Dollar",
            "wait...what",
            "قنديل",
            "東京・DAO",
            "Col·lecció",
            "Dot Com Token",
            "",
            ".",
            "/",
            "<",
        ] {
            assert!(!is_bait(name, false), "{name}");
        }
    }

    #[test]
    fn an_address_in_a_name_that_is_vouched_for_is_bait_only_beside_an_invitation() {
        for name in ["yearn.finance", "Curve.fi DAI/USDC/USDT", "ether.fi governance token"] {
            assert!(is_bait(name, false) && !is_bait(name, true), "{name}");
        }
        for name in ["Visit curve.fi", "yearn.finance airdrop", "curve.fi/x", "https://curve.fi", "<b>curve"] {
            assert!(is_bait(name, true), "{name}");
        }
    }
}
