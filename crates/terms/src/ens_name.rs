//! Names that an operator gives out below a name of its own, such as `alice.example.eth` (spec 3.24, 5.1).

/// The shortest label (spec 5.1).
pub const SHORTEST: usize = 4;

/// The longest label: what fits into one part of a name on the wire (RFC 1035, 2.3.4).
pub const LONGEST: usize = 63;

/// What a visitor chooses: the part before the first dot. Letters are lower case.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Label(String);

/// Why a text is no label. Each sentence is for the visitor.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LabelError {
    /// A character that is none of ASCII's letters and digits, nor a hyphen (spec 5.1).
    #[error("A name has letters from a to z, digits and hyphens only")]
    Character,
    /// Too few (spec 5.1).
    #[error("A name has at least 4 characters")]
    Short,
    /// Too many for the wire.
    #[error("A name has at most 63 characters")]
    Long,
    /// A hyphen at an end, or hyphens third and fourth, which are for encoded names (ENSIP-15, RFC 5891 4.2.3.1).
    #[error("A name has no hyphen at its ends, nor two at its third and fourth place")]
    Hyphen,
}

impl Label {
    /// Checks a text; upper case is taken for lower case, as in every name.
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

    /// The label as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A whole name: a label, and the parent that its operator has.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct EnsName {
    text: String,
    label: usize,
}

/// Why a text is no name below a parent.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum EnsNameError {
    /// The part before the parent is no label.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// It ends in something else, or has further parts.
    #[error("Names are not given out there")]
    Parent,
}

impl EnsName {
    /// The name of a label.
    pub fn below(label: &Label, parent: &str) -> EnsName {
        let mut text = String::from(label.as_str());
        text.push('.');
        text.push_str(parent);
        EnsName { text, label: label.as_str().len() }
    }

    /// Checks a whole name, or a label alone. The parent is in lower case.
    pub fn parse(text: &str, parent: &str) -> Result<EnsName, EnsNameError> {
        let label = match text.split_once('.') {
            Some((label, rest)) if rest.eq_ignore_ascii_case(parent) => label,
            Some(_) => return Err(EnsNameError::Parent),
            None => text,
        };
        Ok(EnsName::below(&Label::parse(label)?, parent))
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The part before the first dot.
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
            // The first letter is Cyrillic; a wide one; a dotless i; an emoji; a joiner that nobody sees.
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
        assert_eq!(EnsNameError::Label(LabelError::Short).to_string(), "A name has at least 4 characters");
    }
}
