//! `/v1/convert/*`: swaps of tokens on one chain (spec 9.7, 9.10).
//!
//! Every amount is decimal text in the smallest unit. Every address of an account, a token or a contract is CAIP-10; the chain's own coin is
//! `eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`.

use portico_json::{Json, Number};

/// The address that stands for a chain's own coin.
pub const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/// Per cent of the quoted amount that may be lost to a moving price where nothing else is asked for (spec 9.7).
pub const SLIPPAGE: u32 = 1;

/// The chains of which swaps are known to work (spec 9.10), by their EIP-155 numbers.
pub const SWAP_CHAINS: [u64; 12] = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554];

/// The answer of `GET /v1/convert/tokens`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapTokens {
    /// The chain's own coin first, then the tokens that the server knows of the chain, those of the operator's list before the others.
    pub tokens: Vec<SwapToken>,
    /// Whose list it is: "onchain" …
    pub provider: String,
}

/// A coin or a token that can be swapped.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapToken {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// CAIP-10.
    pub address: String,
    /// How many places a whole one has.
    pub decimals: u32,
    /// A picture, by way of this server; empty where there is none.
    pub logo_uri: String,
    /// Whether a permission for it can be signed (EIP-2612); false where that is not known.
    pub eip2612: bool,
}

/// The answer of `GET /v1/convert/quotes`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapQuotes {
    /// The best first: what brings most. Never empty.
    pub quotes: Vec<SwapQuote>,
}

/// What a provider gives for an amount.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapQuote {
    /// Names it when the transaction is built.
    pub id: String,
    /// "onchain", "lifi", "zerox" or "oneinch".
    pub provider: String,
    /// What is paid.
    pub from_amount: String,
    /// CAIP-10 of the token that is paid.
    pub from_account: String,
    /// What is expected.
    pub to_amount: String,
    /// What is received at least, at a slippage of [`SLIPPAGE`]: the transaction fails rather than bring less (spec 9.7).
    pub to_amount_min: String,
    /// CAIP-10 of the token that is received.
    pub to_account: String,
    /// The pools or the exchanges that are passed, in order.
    pub route: Vec<SwapStep>,
    /// By how many per cent the amount itself worsens its price, such as "0.12"; null where that is not known.
    pub price_impact: Option<String>,
    /// What the pools or the provider keep, in per cent, such as "0.3"; it is in the amounts already. Null where that is not known.
    pub fee: Option<String>,
    /// CAIP-10 of the contract that needs the permission to take the token; null where nobody does: for the chain's own coin, and for its
    /// wrapped form that becomes the coin.
    pub spender: Option<String>,
    /// How much it may take of the user's now; null where nobody takes it, and where no user is named.
    pub allowance: Option<String>,
    /// How much gas the swap takes, about.
    pub gas: String,
    /// When it is no longer built, in epoch seconds.
    pub expiry: u64,
}

/// A pool or an exchange on the way.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapStep {
    /// "Uniswap V3 0.05%"
    pub name: String,
    /// CAIP-10 of what goes in.
    pub from: String,
    /// CAIP-10 of what comes out.
    pub to: String,
}

/// The answer of `GET /v1/convert/allowance`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapAllowance {
    /// How much the contract that swaps may take of the user's.
    pub allowance: String,
}

/// The answer of `GET /v1/convert/gas-price`, in wei.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct GasPrice {
    /// What the node says.
    pub standard: String,
    /// A tenth more.
    pub fast: String,
    /// A quarter more.
    pub instant: String,
}

/// The answer of `GET /v1/convert/build-approve`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapApproval {
    /// Permits the contract that swaps to take exactly the amount.
    pub tx: SwapApprovalTransaction,
}

/// See [`SwapApproval`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapApprovalTransaction {
    /// CAIP-10 of the user.
    pub from: String,
    /// CAIP-10 of the token.
    pub to: String,
    /// `approve(spender, amount)` in hex.
    pub data: String,
    /// "0"
    pub value: String,
    /// What it costs.
    pub eip155: SwapGas,
}

/// What a transaction costs.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapGas {
    /// The limit of gas.
    pub gas: String,
    /// In wei.
    pub gas_price: String,
}

/// The body of `POST /v1/convert/build-transaction`.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct SwapOrder {
    /// The project that asks; the query or the header may name it instead.
    pub project_id: Option<String>,
    /// What is paid.
    pub amount: String,
    /// CAIP-10 of the token that is paid.
    pub from: String,
    /// CAIP-10 of the token that is received, on the same chain.
    pub to: String,
    /// CAIP-10, or the address alone, of who pays and receives.
    pub user_address: String,
    /// How much may be lost.
    pub eip155: Option<SwapTolerance>,
    /// True: the gas is not estimated anew, such as before the approval is there. It then is that of the quote.
    pub disable_estimate: Option<bool>,
    /// The quote that the user saw; without it there is a new one.
    pub quote_id: Option<String>,
    /// The least that the user was promised: nothing is built that may bring less.
    pub to_amount_min: Option<String>,
}

/// See [`SwapOrder::eip155`].
#[derive(Clone, Debug, Json, PartialEq)]
pub struct SwapTolerance {
    /// In per cent, from 0 to 50; [`SLIPPAGE`] where it is not said.
    pub slippage: Option<Number>,
}

/// The answer of `POST /v1/convert/build-transaction`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct BuiltSwap {
    /// What the user signs. It was checked: its target is a router of the provider, the user receives, and amounts are as quoted.
    pub tx: SwapTransaction,
    /// What it brings at least.
    pub to_amount_min: String,
    /// When it fails, in epoch seconds.
    pub expiry: u64,
}

/// See [`BuiltSwap`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapTransaction {
    /// CAIP-10 of the user.
    pub from: String,
    /// CAIP-10 of the router.
    pub to: String,
    /// The call in hex.
    pub data: String,
    /// What is paid, of the token or of the coin.
    pub amount: String,
    /// What is sent of the chain's own coin, in wei.
    pub value: String,
    /// What it costs.
    pub eip155: SwapGas,
}
