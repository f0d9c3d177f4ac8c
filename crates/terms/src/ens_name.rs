//! Names that an operator registers below its own name, such as `alice.example.eth` (spec 3.24, 5.1).

/// Minimum length of a label (spec 5.1).
pub const SHORTEST: usize = 4;

/// Maximum length of a label: the limit for one part of a DNS name (RFC 1035, 2.3.4).
pub const LONGEST: usize = 63;

/// Label that a visitor chooses: the part before the first dot, in lower case.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Label(String);

/// Error for a text that is not a label. The messages are shown to the visitor.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LabelError {
    /// A character other than an ASCII letter or digit or a hyphen (spec 5.1).
    #[error("Use only letters from a to z, digits and hyphens")]
    Character,
    /// Too few characters (spec 5.1).
    #[error("Use at least 4 characters")]
    Short,
    /// More characters than a DNS label may have.
    #[error("Use at most 63 characters")]
    Long,
    /// A hyphen at either end, or as third and fourth character, which is reserved for encoded names (ENSIP-15, RFC 5891 4.2.3.1).
    #[error("Don't use a hyphen first or last, or two as third and fourth character")]
    Hyphen,
}

impl Label {
    /// Parses a label; upper case is converted to lower case, as in every name.
    pub fn parse(text: &str) -> Result<Label, LabelError> {
        let bytes = text.as_bytes();
        match () {
            () if !bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') => Err(LabelError::Character),
            () if bytes.len() < SHORTEST => Err(LabelError::Short),
            () if bytes.len() > LONGEST => Err(LabelError::Long),
            () if bytes.starts_with(b"-") || bytes.ends_with(b"-") || &bytes[2..4] == b"--" => Err(LabelError::Hyphen),
            () => Ok(Label(text.to_ascii_lowercase())),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Full name: a label below the operator's parent name.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct EnsName {
    text: String,
    label: usize,
}

/// Error for a text that is not a name below the parent.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum EnsNameError {
    /// The part before the parent is not a label.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// The name has another parent, or further parts.
    #[error("Can't register names under this one. Use another.")]
    Parent,
}

impl EnsName {
    /// Builds the full name of a label.
    pub fn below(label: &Label, parent: &str) -> EnsName {
        let mut text = String::from(label.as_str());
        text.push('.');
        text.push_str(parent);
        EnsName { text, label: label.as_str().len() }
    }

    /// Parses a full name, or a label alone. The parent is in lower case.
    pub fn parse(text: &str, parent: &str) -> Result<EnsName, EnsNameError> {
        let label = match text.split_once('.') {
            Some((label, rest)) if rest.eq_ignore_ascii_case(parent) => label,
            Some(_) => return Err(EnsNameError::Parent),
            None => text,
        };
        Ok(EnsName::below(&Label::parse(label)?, parent))
    }

    /// Returns the full name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the part before the first dot.
    pub fn label(&self) -> &str {
        &self.text[..self.label]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_1_a_name_has_letters_digits_and_hyphens_and_at_least_4_of_them() {
        use LabelError::{Character, Hyphen, Long, Short};
        let longest = "a".repeat(LONGEST);
        for text in ["abcd", "1234", "a-b-c", "ab-c", "alice-eth", "abc--d", &longest] {
            assert_eq!(Label::parse(text).as_ref().map(Label::as_str), Ok(text));
        }
        for (text, error) in [
            ("", Short),
            ("abc", Short),
            ("---", Short),
            (&format!("{longest}a"), Long),
            ("ali ce", Character),
            ("ali_ce", Character),
            ("alice.", Character),
            ("al\u{0}ice", Character),
            // Cyrillic first letter, full-width letter, dotless i, emoji, invisible joiner.
            ("аlice", Character),
            ("ａlice", Character),
            ("alıce", Character),
            ("alice🦊", Character),
            ("ali\u{200d}ce", Character),
            ("-alice", Hyphen),
            ("alice-", Hyphen),
            ("----", Hyphen),
            ("xn--ls8h", Hyphen),
        ] {
            assert_eq!(Label::parse(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn upper_case_is_taken_for_lower_case() {
        assert_eq!(Label::parse("ALice"), Label::parse("alice"));
        assert_eq!(EnsName::parse("Alice.Example.ETH", "example.eth").unwrap().as_str(), "alice.example.eth");
    }

    #[test]
    fn a_name_is_a_label_alone_or_with_the_parent_and_nothing_else() {
        let name = EnsName::parse("alice", "example.eth").unwrap();
        assert_eq!((name.as_str(), name.label()), ("alice.example.eth", "alice"));
        assert_eq!(EnsName::parse("alice.example.eth", "example.eth"), Ok(name));
        for text in
            ["alice.eth", "alice.", ".example.eth", "a.alice.example.eth", "alice.example.eth.", "alice..example.eth"]
        {
            assert!(EnsName::parse(text, "example.eth").is_err(), "{text}");
        }
        assert_eq!(EnsName::parse("ali.example.eth", "example.eth"), Err(EnsNameError::Label(LabelError::Short)));
        assert_eq!(EnsNameError::Label(LabelError::Short).to_string(), "Use at least 4 characters");
    }
}
