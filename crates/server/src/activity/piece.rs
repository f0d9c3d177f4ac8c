use portico_terms::Amount;

/// One fact about a transaction from a source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Block number.
    pub(crate) block: u64,
    /// Transaction hash.
    pub(crate) hash: String,
    /// RFC 3339, UTC.
    pub(crate) at: String,
    pub(crate) what: PieceContent,
}

/// Content of a [`Piece`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PieceContent {
    /// The transaction itself.
    Call(SignedCall),
    /// Movement of a token in the transaction.
    Moved(Moved),
    /// Movement of the native coin in the transaction, besides the value that the signer sent.
    Paid(Paid),
}

/// Transaction as signed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SignedCall {
    pub(crate) from: String,
    /// Empty for a deployment.
    pub(crate) to: String,
    /// Amount of the native coin.
    pub(crate) value: Amount,
    pub(crate) failed: bool,
    pub(crate) pending: bool,
    pub(crate) nonce: u64,
    /// Name or selector of the called method; empty for a plain payment.
    pub(crate) method: String,
    /// Name of the called contract, if known.
    pub(crate) contract: Option<String>,
    /// Network fee in the coin's smallest unit, if known.
    pub(crate) fee: Option<Amount>,
    /// Permission that the call gives, if its input is known.
    pub(crate) approved: Option<Approved>,
}

/// Permission to spend the tokens of the called contract.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Approved {
    pub(crate) spender: String,
    /// In the token's smallest unit; `None` for all NFTs of the contract.
    pub(crate) amount: Option<Amount>,
}

/// Movement of a token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moved {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) thing: MovedAsset,
}

/// Movement of the native coin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paid {
    pub(crate) from: String,
    /// Empty for a burn, or for the contract that the payment created.
    pub(crate) to: String,
    /// In the smallest unit.
    pub(crate) value: Amount,
}

/// Asset that moved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MovedAsset {
    /// Fungible tokens, as an amount in whole tokens. The coin has no address.
    Fungible { name: Option<String>, symbol: Option<String>, picture: String, numeric: String, address: Option<String> },
    /// NFTs, as a number of pieces.
    Piece { name: String, picture: String, numeric: String, spam: bool },
}

impl MovedAsset {
    /// Whether the amount is zero, so nothing moved.
    pub(crate) fn is_nothing(&self) -> bool {
        let (MovedAsset::Fungible { numeric, .. } | MovedAsset::Piece { numeric, .. }) = self;
        numeric.bytes().all(|digit| matches!(digit, b'0' | b'.'))
    }

    /// One NFT of a collection, known only by its number.
    pub(crate) fn numbered(collection: &str, number: Amount) -> MovedAsset {
        let name = format!("{collection} #{number}").trim().into();
        MovedAsset::Piece { name, picture: String::new(), numeric: "1".into(), spam: false }
    }
}
