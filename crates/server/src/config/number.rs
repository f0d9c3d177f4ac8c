//! Sentences about numbers and switches of the wrong kind, with the setting and its value.

use super::grammar::shown;
use super::parser::Setting;

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
}
