//! `GET /v1/account/{address}/balance` and `/history` (spec 3.12, 3.15, 3.16, 7.4, 7.5).

use portico_json::{Json, Number};

/// What an account holds.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Balances {
    /// The most valuable first, then by name.
    pub balances: Vec<Balance>,
    /// Where it comes from, such as "rpc", "blockscout" or "zerion".
    pub source: Option<String>,
    /// How old it is, in seconds.
    pub age: Option<u32>,
}

/// One token of an account (spec 3.12).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Balance {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// CAIP-2.
    pub chain_id: String,
    /// CAIP-10 of the token's contract; absent for the chain's own coin.
    pub address: Option<String>,
    /// Worth in the currency asked for; absent where no price is known.
    pub value: Option<Number>,
    /// Of one whole token in the currency asked for; 0 where none is known.
    pub price: Number,
    /// How much.
    pub quantity: Quantity,
    /// A picture, by the server's own image proxy; empty where there is none.
    pub icon_url: String,
}

/// An amount as text, so that no digit is lost.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Quantity {
    /// "18" (spec 3.12: text; 5.12: "0" is low quality).
    pub decimals: String,
    /// "1.25": whole tokens, decimal point, no exponent.
    pub numeric: String,
}

/// One page of what an account did, the newest first.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct History {
    /// At most 50.
    pub data: Vec<Transaction>,
    /// For the next page; absent after the last.
    pub next: Option<String>,
    /// Where it comes from, such as "rpc", "blockscout" or "zerion".
    pub source: Option<String>,
    /// How old it is, in seconds.
    pub age: Option<u32>,
}

/// A transaction (spec 3.15).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Transaction {
    /// Unique in the account's history.
    pub id: String,
    /// What kind, when, between whom.
    pub metadata: TransactionMetadata,
    /// What moved, from the account's point of view.
    pub transfers: Option<Vec<Transfer>>,
}

/// See [`Transaction::metadata`].
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct TransactionMetadata {
    /// "send", "receive", "approve", "trade", "mint", "burn", "deposit", "withdraw", "borrow", "repay", "claim", "execute", "deploy" …
    pub operation_type: String,
    /// The transaction's hash.
    pub hash: String,
    /// RFC 3339, UTC.
    pub mined_at: String,
    /// Who signed it: an address. Empty where the source does not tell: an event that names the account as the sender is no proof, for
    /// anybody can make a token tell one.
    pub sent_from: String,
    /// An address; empty for a deployment.
    pub sent_to: String,
    /// "confirmed", "failed" or "pending".
    pub status: String,
    /// The sender's nonce.
    pub nonce: u64,
    /// The contract's name where one is known.
    pub application: Option<Application>,
    /// CAIP-2.
    pub chain: Option<String>,
}

/// See [`TransactionMetadata::application`].
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Application {
    /// "Uniswap"
    pub name: String,
    /// A picture; empty where there is none.
    pub icon_url: String,
}

/// One thing that moved (spec 3.16).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Transfer {
    /// A token by amount.
    #[json(rename = "fungible_info")]
    pub fungible_info: Option<FungibleInfo>,
    /// A token by piece.
    #[json(rename = "nft_info")]
    pub nft_info: Option<NftInfo>,
    /// "in", "out" or "self".
    pub direction: String,
    /// Who got it: an address, where the source tells.
    pub recipient: Option<String>,
    /// How much.
    pub quantity: TransferQuantity,
    /// Worth at that time in the currency asked for.
    pub value: Option<Number>,
    /// Of one whole token.
    pub price: Option<Number>,
}

/// See [`Transfer::quantity`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct TransferQuantity {
    /// "1.25": whole tokens, decimal point, no exponent.
    pub numeric: String,
}

/// See [`Transfer::fungible_info`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FungibleInfo {
    /// "USD Coin"
    pub name: Option<String>,
    /// "USDC"
    pub symbol: Option<String>,
    /// A picture.
    pub icon: Option<Picture>,
}

/// See [`Transfer::nft_info`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NftInfo {
    /// "Punk #7"
    pub name: Option<String>,
    /// Pictures.
    pub content: Option<NftContent>,
    /// What is said of it.
    pub flags: NftFlags,
}

/// See [`NftInfo::content`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NftContent {
    /// Small.
    pub preview: Option<Picture>,
    /// Large.
    pub detail: Option<Picture>,
}

/// See [`NftInfo::flags`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NftFlags {
    /// Nobody asked for it (spec 5.13).
    #[json(rename = "is_spam")]
    pub is_spam: bool,
}

/// A picture by address.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Picture {
    /// Absolute, or a path on the server.
    pub url: String,
}

/// `GET /v1/account/{address}/nfts`: one page of what an account owns by piece.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Nfts {
    /// At most 50.
    pub data: Vec<Nft>,
    /// For the next page; absent after the last.
    pub next: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// How old it is, in seconds.
    pub age: Option<u32>,
}

/// One token by piece.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Nft {
    /// CAIP-10 of its contract.
    pub address: String,
    /// Decimal digits.
    pub token_id: String,
    /// "Punk #7"; the collection and the id where it has no name.
    pub name: String,
    /// "CryptoPunks"
    pub collection: String,
    /// A picture, by the server's own image proxy; empty where there is none.
    pub image_url: String,
    /// How many of it: "1" except for ERC-1155.
    pub amount: String,
    /// What is said of it.
    pub flags: NftFlags,
}
