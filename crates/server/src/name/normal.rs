//! From what somebody typed to a name: ENSIP-15 first, then the rule of spec 5.1.

use ens_normalize_rs::EnsNameNormalizer;
use portico_terms::{EnsName, EnsNameError, LabelError};
use std::borrow::Cow;
use std::sync::OnceLock;

/// More is no name, however it is normalised.
const LONGEST: usize = 1024;

/// A whole name or a label alone.
pub(super) fn name(text: &str, parent: &str) -> Result<EnsName, EnsNameError> {
    EnsName::parse(&normal(text)?, parent)
}

/// The normal form. ASCII needs no tables: there, [`portico_terms::Label`] refuses what ENSIP-15 refuses and folds what it folds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_1_a_name_is_normalised_before_it_is_judged() {
        let wide = name("Ａｌｉｃｅ", "example.eth").unwrap();
        assert_eq!(wide.as_str(), "alice.example.eth");
        // A soft hyphen is nothing at all.
        assert_eq!(name("ali\u{ad}ce", "example.eth"), Ok(wide));
        let character = Err(EnsNameError::Label(LabelError::Character));
        // Cyrillic among Latin letters, Cyrillic alone, a combining mark, a joiner, an emoji, a letter turned round.
        for text in ["аlice", "аррӏе", "alice\u{301}", "ali\u{200d}ce", "alice🦊", "al\u{202e}ice"] {
            assert_eq!(name(text, "example.eth"), character, "{text}");
        }
        assert_eq!(name(&"é".repeat(600), "example.eth"), Err(EnsNameError::Label(LabelError::Long)));
    }
}
