use portico_terms::Amount;

/// One thing that a source tells of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// The number of its block.
    pub(crate) block: u64,
    /// The transaction's hash.
    pub(crate) hash: String,
    /// RFC 3339, UTC.
    pub(crate) at: String,
    /// What it tells.
    pub(crate) what: What,
}

/// See [`Piece::what`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// The transaction itself.
    Call(SignedCall),
    /// A token that moved in it.
    Moved(Moved),
    /// The chain's own coin that moved in it, beside what the one who signed it sent along.
    Paid(Paid),
}

/// A transaction as the one who signed it made it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SignedCall {
    pub(crate) from: String,
    /// Empty for a deployment.
    pub(crate) to: String,
    /// Of the chain's own coin.
    pub(crate) value: Amount,
    pub(crate) failed: bool,
    pub(crate) pending: bool,
    pub(crate) nonce: u64,
    /// The name of the method that was called, or four bytes; empty for a plain payment.
    pub(crate) method: String,
    /// The name of the contract that was called, where it is known.
    pub(crate) contract: Option<String>,
}

/// A movement of a token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moved {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) thing: Thing,
}

/// A movement of the chain's own coin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paid {
    pub(crate) from: String,
    /// Empty where it ended, or went to a contract that it made.
    pub(crate) to: String,
    /// In the smallest unit.
    pub(crate) value: Amount,
}

/// What moved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Thing {
    /// By amount, in whole tokens.
    Fungible { name: Option<String>, symbol: Option<String>, picture: String, numeric: String },
    /// By piece.
    Piece { name: String, picture: String, numeric: String, spam: bool },
}

impl Thing {
    /// Whether it is none of it: what is told so moved nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        let (Thing::Fungible { numeric, .. } | Thing::Piece { numeric, .. }) = self;
        numeric.bytes().all(|digit| matches!(digit, b'0' | b'.'))
    }

    /// One piece of a collection that is known by its number alone.
    pub(crate) fn numbered(collection: &str, number: Amount) -> Thing {
        let name = format!("{collection} #{number}").trim().into();
        Thing::Piece { name, picture: String::new(), numeric: "1".into(), spam: false }
    }
}
