//! Normalises typed text to a name: ENSIP-15 first, then the rule of spec 5.1.

use ens_normalize_rs::EnsNameNormalizer;
use portico_terms::{EnsName, EnsNameError, LabelError};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Maximum length in bytes before normalisation.
const LONGEST: usize = 1024;

/// Parses a whole name, or a label alone.
pub(super) fn name(text: &str, parent: &str) -> Result<EnsName, EnsNameError> {
    EnsName::parse(&normal(text)?, parent)
}

/// Normalised text. ASCII needs no tables: [`portico_terms::Label`] applies the rules of ENSIP-15 for ASCII.
pub(super) fn normal(text: &str) -> Result<Cow<'_, str>, LabelError> {
    static NORMALIZER: OnceLock<EnsNameNormalizer> = OnceLock::new();
    match () {
        () if text.len() > LONGEST => Err(LabelError::Long),
        () if text.is_ascii() => Ok(text.into()),
        () => {
            let normal = NORMALIZER.get_or_init(EnsNameNormalizer::default).normalize(text);
            normal.map(Cow::Owned).map_err(|_| LabelError::Character)
        }
    }
}

/// Test vectors of ENSIP-15, from `fixtures/ensip15`.
#[cfg(test)]
pub(crate) mod vectors {
    const CASES: &str = include_str!("../../../../fixtures/ensip15/cases.txt");

    /// Each text with its normalised form; `None` for invalid texts.
    pub(crate) fn all() -> impl Iterator<Item = (String, Option<String>)> {
        CASES.lines().map(|line| {
            let rest = &line[1..];
            match (line.as_bytes()[0], rest.split_once('\t')) {
                (b'!', None) => (unescaped(rest), None),
                (b'=', None) => (unescaped(rest), Some(unescaped(rest))),
                (b'>', Some((text, normal))) => (unescaped(text), Some(unescaped(normal))),
                _ => panic!("{line:?} is no case"),
            }
        })
    }

    /// Replaces escapes such as `\u{200d}` with the character.
    fn unescaped(text: &str) -> String {
        let mut parts = text.split("\\u{");
        let mut whole = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (code, rest) = part.split_once('}').expect("an escape ends");
            whole.push(u32::from_str_radix(code, 16).ok().and_then(char::from_u32).expect("an escape is a character"));
            whole.push_str(rest);
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_1_of_all_vectors_of_ensip_15_those_are_names_whose_normal_form_has_letters_digits_and_hyphens() {
        let (mut names, mut refused) = (0, 0);
        for (text, normal) in vectors::all() {
            // Longer texts are never names of ours.
            let expected = normal.filter(|_| text.len() <= LONGEST).and_then(|normal| {
                let bytes = normal.as_bytes();
                let letters = bytes.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
                let hyphens = normal.starts_with('-') || normal.ends_with('-') || bytes.get(2..4) == Some(b"--");
                ((4..=63).contains(&bytes.len()) && letters && !hyphens).then(|| format!("{normal}.example.eth"))
            });
            let found = name(&text, "example.eth").ok();
            assert_eq!(found.as_ref().map(EnsName::as_str), expected.as_deref(), "{text:?}");
            if expected.is_some() { names += 1 } else { refused += 1 }
        }
        assert!(names > 10 && refused > 9_000, "{names} {refused}");
    }

    #[test]
    fn spec_5_1_a_name_is_normalised_before_it_is_judged() {
        let wide = name("Ａｌｉｃｅ", "example.eth").unwrap();
        assert_eq!(wide.as_str(), "alice.example.eth");
        // A soft hyphen is removed by normalisation.
        assert_eq!(name("ali\u{ad}ce", "example.eth"), Ok(wide));
        let character = Err(EnsNameError::Label(LabelError::Character));
        // Cyrillic among Latin letters, only Cyrillic, a combining mark, a joiner, an emoji, a right-to-left override.
        for text in ["аlice", "аррӏе", "alice\u{301}", "ali\u{200d}ce", "alice🦊", "al\u{202e}ice"] {
            assert_eq!(name(text, "example.eth"), character, "{text}");
        }
        assert_eq!(name(&"é".repeat(600), "example.eth"), Err(EnsNameError::Label(LabelError::Long)));
    }
}
