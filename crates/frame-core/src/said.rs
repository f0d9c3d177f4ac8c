//! Texts of an approval without words: a pattern, which the page writes in the visitor's language, and what stands in its gaps.

use portico_json::Json;

/// Pattern with its gaps filled.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "ApprovalText")]
pub struct Said {
    pub phrase: Phrase,
    /// Texts of the gaps, in the order of the pattern.
    pub values: Vec<String>,
}

/// Pattern; its gaps are listed.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "ApprovalPhrase")]
pub enum Phrase {
    /// Text as it is: an address, or the words of somebody else.
    Plain,
    /// Number without a unit.
    Number,
    /// Number, and the symbol or contract of its token.
    Amount,
    /// Number of coins of a chain whose coin has no known name.
    Coins,
    /// Number in the smallest unit, and the symbol or contract of its token.
    SmallestUnits,
    /// Size of data.
    Bytes,
    /// Number, and how many there are.
    PartOf,
    /// Number of an item.
    Item,
    /// Count, and the number of the item.
    Items,
    /// Number of an item, and its collection.
    ItemOf,
    /// Collection.
    ItemsOf,
    /// Taker, and collection.
    MayTakeAll,
    /// Taker, and token.
    MayTakeAny,
    /// Taker, number and token.
    MayTake,
    /// Taker, number in the smallest unit, and token.
    MayTakeUnits,
    /// Taker, and token.
    MayTakeSome,
    /// Time: "2026-01-31T12:00:00Z".
    Date,
    /// Without an end; no gap.
    Never,
    /// No gap.
    Nobody,
}

impl Said {
    pub fn new(phrase: Phrase, values: &[&str]) -> Said {
        Said { phrase, values: values.iter().map(|value| (*value).into()).collect() }
    }
}

impl From<String> for Said {
    fn from(text: String) -> Said {
        Said { phrase: Phrase::Plain, values: vec![text] }
    }
}

impl From<&str> for Said {
    fn from(text: &str) -> Said {
        text.to_owned().into()
    }
}
