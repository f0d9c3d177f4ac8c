//! Swaps of tokens on one chain: `/v1/convert/*` (spec 9.7, 9.10).
//!
//! Every amount is decimal text in the smallest unit. Every address of an account, token or contract is CAIP-10; the chain's own coin is
//! `eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`.

use portico_json::{Json, Number};

/// Address that stands for a chain's own coin.
pub const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/// Default slippage: per cent of the quoted amount that a moving price may cost (spec 9.7).
pub const SLIPPAGE: u32 = 1;

/// EIP-155 numbers of the chains on which swaps are known to work (spec 9.10).
pub const SWAP_CHAINS: [u64; 12] = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554];

/// Response of `GET /v1/convert/tokens`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapTokens {
    /// The chain's own coin first, then the tokens of the operator's list, then the other tokens that the server knows on the chain.
    pub tokens: Vec<SwapToken>,
    /// Swap provider that supplied the list: "onchain" …
    pub provider: String,
    /// Whether a quote can be had for the amount to receive (`toAmount`), not only for the amount to pay.
    pub exact_out: Option<bool>,
}

/// Coin or token that can be swapped.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapToken {
    /// Name: "USD Coin".
    pub name: String,
    /// Symbol: "USDC".
    pub symbol: String,
    /// CAIP-10 id of the token.
    pub address: String,
    /// Number of decimals of the token.
    pub decimals: u32,
    /// Icon URL on this server; empty if there is no icon.
    pub logo_uri: String,
    /// Whether the token accepts signed approvals (EIP-2612); false if unknown.
    pub eip2612: bool,
}

/// Response of `GET /v1/convert/quotes`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapQuotes {
    /// Quotes, the best first: the one with the highest output, or for an amount to receive the one with the lowest price. Never empty.
    pub quotes: Vec<SwapQuote>,
}

/// Quote of a swap provider for an amount.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapQuote {
    /// Id of the quote, used to build the transaction.
    pub id: String,
    /// Swap provider: "onchain", "lifi", "zerox" or "oneinch".
    pub provider: String,
    /// Amount paid; expected, where the amount to receive was asked for.
    pub from_amount: String,
    /// Maximum amount paid at a slippage of 1 %, where the amount to receive was asked for: the transaction fails if it would cost
    /// more (spec 9.7). Null where the amount to pay was.
    pub from_amount_max: Option<String>,
    /// CAIP-10 id of the token that is paid.
    pub from_account: String,
    /// Amount received; expected, where the amount to pay was asked for.
    pub to_amount: String,
    /// Minimum amount received at a slippage of 1 %: the transaction fails if it would yield less (spec 9.7). The amount itself
    /// where it was asked for.
    pub to_amount_min: String,
    /// CAIP-10 id of the token that is received.
    pub to_account: String,
    /// Pools or exchanges of the route, in order.
    pub route: Vec<SwapStep>,
    /// Loss of price caused by the amount itself, in percent, such as "0.12"; null if unknown.
    pub price_impact: Option<String>,
    /// Fee of the pools or the provider, in percent, such as "0.3"; already included in the amounts. Null if unknown.
    pub fee: Option<String>,
    /// CAIP-10 id of the contract that needs an approval for the token; null if none does: for the chain's own coin, and for unwrapping its
    /// wrapped form.
    pub spender: Option<String>,
    /// Current allowance of the spender for the user's tokens; null without a spender or a user.
    pub allowance: Option<String>,
    /// Estimated gas of the swap.
    pub gas: String,
    /// Expiry of the quote in epoch seconds; no transaction is built from it afterwards.
    pub expiry: u64,
}

/// Pool or exchange of a route.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapStep {
    /// Name: "Uniswap V3 0.05%".
    pub name: String,
    /// CAIP-10 id of the token that goes in.
    pub from: String,
    /// CAIP-10 id of the token that comes out.
    pub to: String,
}

/// Response of `GET /v1/convert/allowance`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapAllowance {
    /// Allowance of the swapping contract for the user's tokens.
    pub allowance: String,
}

/// Response of `GET /v1/convert/gas-price`: gas prices in wei.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct GasPrice {
    /// Gas price reported by the node.
    pub standard: String,
    /// Standard price plus 10%.
    pub fast: String,
    /// Standard price plus 25%.
    pub instant: String,
}

/// Response of `GET /v1/convert/build-approve`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapApproval {
    /// Transaction that approves exactly the amount for the swapping contract.
    pub tx: SwapApprovalTransaction,
}

/// Transaction that approves a spender.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapApprovalTransaction {
    /// CAIP-10 id of the user.
    pub from: String,
    /// CAIP-10 id of the token.
    pub to: String,
    /// Calldata in hex: `approve(spender, amount)`.
    pub data: String,
    /// Always "0".
    pub value: String,
    /// Gas of the transaction.
    pub eip155: SwapGas,
}

/// Gas limit and gas price of a transaction.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapGas {
    /// Gas limit.
    pub gas: String,
    /// Gas price in wei.
    pub gas_price: String,
}

/// Body of `POST /v1/convert/build-transaction`.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct SwapOrder {
    /// Project id of the caller; the query or a header may carry it instead.
    pub project_id: Option<String>,
    /// Amount paid; left out where `toAmount` is given.
    pub amount: Option<String>,
    /// Amount received, exactly: the slippage then bounds what is paid.
    pub to_amount: Option<String>,
    /// CAIP-10 id of the token that is paid.
    pub from: String,
    /// CAIP-10 id of the token that is received, on the same chain.
    pub to: String,
    /// CAIP-10 id, or address alone, of the account that pays and receives.
    pub user_address: String,
    /// Slippage tolerance.
    pub eip155: Option<SwapTolerance>,
    /// True to skip the gas estimate and use the gas of the quote, for example before the approval is confirmed.
    pub disable_estimate: Option<bool>,
    /// Quote that the user saw; without it the server makes a new one.
    pub quote_id: Option<String>,
    /// Minimum amount shown to the user: the server builds no transaction that may yield less.
    pub to_amount_min: Option<String>,
    /// Maximum amount paid that was shown to the user, beside `toAmount`: the server builds no transaction that may cost more.
    pub from_amount_max: Option<String>,
}

/// Slippage tolerance of a swap.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct SwapTolerance {
    /// Slippage in percent, from 0 to 50; 1 by default.
    pub slippage: Option<Number>,
}

/// Response of `POST /v1/convert/build-transaction`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct BuiltSwap {
    /// Transaction to sign. The server checked it: its target is a router of the provider, the user receives, and amounts are as quoted.
    pub tx: SwapTransaction,
    /// Minimum amount received.
    pub to_amount_min: String,
    /// Maximum amount paid, where the amount to receive was asked for.
    pub from_amount_max: Option<String>,
    /// Time from which the transaction fails, in epoch seconds.
    pub expiry: u64,
}

/// Transaction that swaps.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapTransaction {
    /// CAIP-10 id of the user.
    pub from: String,
    /// CAIP-10 id of the router.
    pub to: String,
    /// Calldata in hex.
    pub data: String,
    /// Amount paid, of the token or of the coin; the maximum, where the amount to receive was asked for.
    pub amount: String,
    /// Amount of the chain's own coin sent along, in wei.
    pub value: String,
    /// Gas of the transaction.
    pub eip155: SwapGas,
}
