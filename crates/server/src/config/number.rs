//! Sentences about numbers and switches of the wrong kind, with the setting and its value.

use super::grammar::{shown, switch as switch_word};
use super::parser::{Setting, assignment};
use super::{Config, Flags, Mistake};
use std::path::Path;

/// Sentence about a value at this offset that is no number of this type of Rust.
pub(super) fn number(text: &str, offset: usize, wanted: &str) -> String {
    let setting = Setting::near(text, offset);
    let value = setting.map(|setting| setting.value).unwrap_or_default();
    let kind = match (wanted, value.parse::<i128>()) {
        ("u8", _) => "a whole number from 0 to 255",
        (_, Ok(..=0)) => "a positive whole number",
        (_, Ok(_)) => "a smaller number",
        _ => "a whole number",
    };
    match setting {
        Some(Setting { name, value, .. }) => format!("use {kind} as `{name}`, not `{}`", shown(name, value)),
        None => format!("use {kind}"),
    }
}

/// Sentence about a value at this offset that is neither true nor false.
pub(super) fn switch(text: &str, offset: usize) -> String {
    match Setting::near(text, offset) {
        Some(Setting { name, value, .. }) => {
            format!("use true or false as `{name}`, without quotes, not `{}`", shown(name, value))
        }
        None => "use true or false, without quotes".into(),
    }
}

/// Sentence about a word without quotes as a number or a switch: quotes would not help there. `before` is the part of the file above the line.
pub(super) fn word(before: &str, line: &str) -> Option<String> {
    let (key, value) = assignment(line)?;
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let section = before.lines().rev().find(|line| line.trim_start().starts_with('[')).unwrap_or_default();
    let quoted = format!("{section}\n{key} = \"{value}\"\n");
    let mistakes = Config::parse(Path::new(""), &quoted, [], &Flags::default()).err()?;
    let fits = |told: &&str| {
        let Some(kind) = told.strip_prefix("use ").filter(|_| told.ends_with(&format!(", not `{value}`"))) else {
            return false;
        };
        kind.starts_with(|letter: char| letter.is_ascii_digit())
            || kind.starts_with("true or false") && switch_word(value).is_none()
    };
    mistakes.iter().map(Mistake::sentence).find(fits).map(Into::into)
}

#[cfg(test)]
mod tests {
    use crate::config::parser::tests::mistake;

    #[test]
    fn a_number_of_the_wrong_kind_is_told_with_its_setting() {
        let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"https://a.example\"]\n";
        let node = |more: &str| {
            format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [{{ url = \"https://a.example\", {more} }}]\n")
        };
        for (text, told) in [
            (format!("{chain}block_time_ms = \"12\"\n"), "4: use a whole number as `block_time_ms`, not `\"12\"`."),
            (format!("{chain}block_time_ms = 1.5 # s\n"), "4: use a whole number as `block_time_ms`, not `1.5`."),
            (format!("{chain}finality_depth = \"a\"\n"), "4: use a whole number as `finality_depth`, not `\"a\"`."),
            (format!("{chain}finality_depth = -1\n"), "4: use a positive whole number as `finality_depth`, not `-1`."),
            (format!("{chain}cache = \"yes\"\n"), "4: use true or false as `cache`, without quotes, not `\"yes\"`."),
            (
                format!("{chain}coin = {{ name = \"Ether\", symbol = \"ETH\", decimals = \"18\" }}\n"),
                "4: use a whole number from 0 to 255 as `decimals`, not `\"18\"`.",
            ),
            (
                "[swap.onchain.\"eip155:1\"]\nwrapped = \"0x0\"\nfee_tiers = [-1]\n".into(),
                "3: use a positive whole number as `fee_tiers`, not `-1`.",
            ),
            (
                "[swap.onchain.\"eip155:1\"]\nwrapped = \"0x0\"\nfee_tiers = [\n  500,\n  \"abc\",\n]\n".into(),
                "5: use a whole number as `fee_tiers`, not `\"abc\"`.",
            ),
            (node("tier = -1"), "3: use a whole number from 0 to 255 as `tier`, not `-1`."),
            (node("tier = 256, rps = 5"), "3: use a whole number from 0 to 255 as `tier`, not `256`."),
            (node("rps = 5000000000"), "3: use a smaller number as `rps`, not `5000000000`."),
            (node("archive = \"yes\""), "3: use true or false as `archive`, without quotes, not `\"yes\"`."),
            (
                format!(
                    "{chain}[[chains]]\nid = \"eip155:10\"\n[[chains.upstreams]]\nurl = \"https://a.example\"\nmax_block_range = \"many\"\n"
                ),
                "8: use a whole number as `max_block_range`, not `\"many\"`.",
            ),
        ] {
            assert_eq!(mistake(&text), format!("portico.toml, line {told}"), "{text}");
        }
    }

    #[test]
    fn a_word_without_quotes_in_the_place_of_a_number_or_switch_is_told_as_such() {
        for (text, told) in [
            ("max_connections = many\n", "1: use 1 to 1000000 connections, not `many`."),
            ("max_connections = on\n", "1: use 1 to 1000000 connections, not `on`."),
            ("public_nodes = maybe # later\n", "1: use true or false as `public_nodes`, not `maybe`."),
            ("public_nodes = on\n", "1: use true or false: public_nodes = true."),
            ("[relay] # own\nenabled = maybe\n", "2: use true or false as `relay.enabled`, not `maybe`."),
            ("[limits]\nclient_part = few\n", "2: use 1 to 1000000 parts of a project's quota, not `few`."),
            ("relay.enabled = maybe\n", "1: use true or false as `relay.enabled`, not `maybe`."),
            ("static_dir = dist\n", "1: put quotes around the text: static_dir = \"dist\"."),
            ("[x = maybe\n", "1: write [x = maybe], with a bracket on each side."),
        ] {
            assert_eq!(mistake(text), format!("portico.toml, line {told}"), "{text}");
        }
    }
}
