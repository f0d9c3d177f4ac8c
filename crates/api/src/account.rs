//! Balances, history and NFTs of an account: `GET /v1/account/{address}/balance`, `/history` and `/nfts` (spec 3.12, 3.15, 3.16, 7.4, 7.5).

use portico_json::{Json, Number};

/// Response of `GET /v1/account/{address}/balance`: the coins and tokens of an account.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Balances {
    /// Balances, the most valuable first, then by name.
    pub balances: Vec<Balance>,
    /// Source of the balances, such as "rpc", "blockscout" or "zerion".
    pub source: Option<String>,
    /// Age of the balances, in seconds.
    pub age: Option<u32>,
}

/// Balance of one coin or token of an account (spec 3.12).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Balance {
    /// Name: "USD Coin".
    pub name: String,
    /// Symbol: "USDC".
    pub symbol: String,
    /// CAIP-2 id of the chain.
    pub chain_id: String,
    /// CAIP-10 id of the token's contract; absent for the chain's own coin.
    pub address: Option<String>,
    /// Value in the requested currency; absent if no price is known.
    pub value: Option<Number>,
    /// Price of one whole token in the requested currency; 0 if unknown.
    pub price: Number,
    /// Amount held.
    pub quantity: Quantity,
    /// Icon URL, through the server's image proxy; empty if there is no icon.
    pub icon_url: String,
}

/// Amount as text, so that no digit is lost.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Quantity {
    /// Number of decimals of the token, such as "18" (spec 3.12: text; 5.12: "0" is low quality).
    pub decimals: String,
    /// Amount in whole tokens, such as "1.25": decimal point, no exponent.
    pub numeric: String,
}

/// Response of `GET /v1/account/{address}/history`: one page of an account's transactions, the newest first.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct History {
    /// Transactions, at most 50.
    pub data: Vec<Transaction>,
    /// Cursor of the next page; absent on the last page.
    pub next: Option<String>,
    /// Source of the history, such as "rpc", "blockscout" or "zerion".
    pub source: Option<String>,
    /// Age of the history, in seconds.
    pub age: Option<u32>,
}

/// Transaction of an account (spec 3.15).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Transaction {
    /// Identifier, unique in the account's history.
    pub id: String,
    /// Kind, time, sender and receiver of the transaction.
    pub metadata: TransactionMetadata,
    /// Transfers of the transaction, from the account's point of view. Coin that left and came back, as the refund of a router, is one
    /// transfer of the difference.
    pub transfers: Option<Vec<Transfer>>,
    /// Permission that an approval gave, if the source reports it.
    pub approval: Option<Approval>,
}

/// Permission to spend a token (ERC-20 `approve`, ERC-721 and ERC-1155 `setApprovalForAll`). The token is the called contract.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Approval {
    /// Address that may spend.
    pub spender: String,
    /// Name of the spender, if the server knows it: "Uniswap V2".
    pub spender_name: Option<String>,
    /// Amount in the token's smallest unit, in decimal digits; absent for `setApprovalForAll`.
    pub amount: Option<String>,
    /// Symbol of the token, if the server knows the token.
    pub symbol: Option<String>,
    /// Number of decimals of the token, if the server knows the token.
    pub decimals: Option<u32>,
}

/// Kind, time, sender and receiver of a transaction.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct TransactionMetadata {
    /// Kind: "send", "receive", "approve", "trade", "mint", "burn", "deposit", "withdraw", "borrow", "repay", "claim", "execute", "deploy"
    /// …
    pub operation_type: String,
    /// Hash of the transaction.
    pub hash: String,
    /// Time of the block: RFC 3339, UTC.
    pub mined_at: String,
    /// Address of the signer. Empty if the source does not report it: an event that names the account as sender is no proof, since anybody
    /// can make a token emit one.
    pub sent_from: String,
    /// Address of the receiver; empty for a deployment.
    pub sent_to: String,
    /// Status: "confirmed", "failed" or "pending".
    pub status: String,
    /// Nonce of the sender.
    pub nonce: u64,
    /// Application behind the contract, if its name is known.
    pub application: Option<Application>,
    /// CAIP-2 id of the chain.
    pub chain: Option<String>,
    /// Network fee that the signer paid, in whole coins, if the source reports it.
    pub fee: Option<String>,
}

/// Application that a transaction calls.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Application {
    /// Name: "Uniswap".
    pub name: String,
    /// Icon URL; empty if there is no icon.
    pub icon_url: String,
}

/// Transfer of one token or NFT within a transaction (spec 3.16).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Transfer {
    /// Coin or fungible token, if the transfer moves one.
    #[json(rename = "fungible_info")]
    pub fungible_info: Option<FungibleInfo>,
    /// NFT, if the transfer moves one.
    #[json(rename = "nft_info")]
    pub nft_info: Option<NftInfo>,
    /// Direction: "in", "out" or "self".
    pub direction: String,
    /// Address of the receiver, if the source reports it.
    pub recipient: Option<String>,
    /// Amount transferred.
    pub quantity: TransferQuantity,
    /// True if less may have left: the source does not report what contracts paid back within the transaction.
    pub at_most: Option<bool>,
    /// Value at that time in the requested currency.
    pub value: Option<Number>,
    /// Price of one whole token at that time.
    pub price: Option<Number>,
}

/// Amount of a transfer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct TransferQuantity {
    /// Amount in whole tokens, such as "1.25": decimal point, no exponent.
    pub numeric: String,
}

/// Coin or fungible token of a transfer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FungibleInfo {
    /// Name: "USD Coin".
    pub name: Option<String>,
    /// Symbol: "USDC".
    pub symbol: Option<String>,
    /// Icon.
    pub icon: Option<Picture>,
    /// Address of the token's contract, if the source reports it; absent for the coin.
    pub address: Option<String>,
}

/// NFT of a transfer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NftInfo {
    /// Name: "Punk #7".
    pub name: Option<String>,
    /// Pictures of the NFT.
    pub content: Option<NftContent>,
    /// Marks of the NFT.
    pub flags: NftFlags,
}

/// Pictures of an NFT.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NftContent {
    /// Small picture.
    pub preview: Option<Picture>,
    /// Large picture.
    pub detail: Option<Picture>,
}

/// Marks of an NFT.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NftFlags {
    /// Whether the NFT is spam, sent to the account unrequested (spec 5.13).
    #[json(rename = "is_spam")]
    pub is_spam: bool,
}

/// Picture with its URL.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Picture {
    /// Absolute URL, or a path on the server.
    pub url: String,
}

/// Response of `GET /v1/account/{address}/nfts`: one page of an account's NFTs.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Nfts {
    /// NFTs, at most 50.
    pub data: Vec<Nft>,
    /// Cursor of the next page; absent on the last page.
    pub next: Option<String>,
    /// Source of the list.
    pub source: Option<String>,
    /// Age of the list, in seconds.
    pub age: Option<u32>,
}

/// NFT of an account.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Nft {
    /// CAIP-10 id of the contract.
    pub address: String,
    /// Token id in decimal digits.
    pub token_id: String,
    /// Name: "Punk #7"; the collection and the token id if the NFT has no name.
    pub name: String,
    /// Name of the collection: "CryptoPunks".
    pub collection: String,
    /// Picture URL, through the server's image proxy; empty if there is no picture.
    pub image_url: String,
    /// Number of copies held: "1" except for ERC-1155.
    pub amount: String,
    /// Marks of the NFT.
    pub flags: NftFlags,
}
