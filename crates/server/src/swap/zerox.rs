//! 0x, Swap API v2 with AllowanceHolder (<https://docs.0x.org/api-reference/0-x-api/swap/allowanceholder-getquote>). Needs a key.

use super::check::exactly;
use super::trade::{Built, Coin, DecodedSwap, Found, Order, Routers, Tolerance, Trade};
use super::vendor::{self, Pools, at, bytes, number};
use super::{Breach, Fault, Provider, ProviderAnswer};
use crate::AppState;
use crate::config::{Chain, Keyed};
use crate::source::{fetch, loose};
use crate::upstream::multicall::{self, ContractRead};
use alloy_primitives::{Address, Bytes, U256, address};
use alloy_sol_types::{SolCall, sol};
use futures_util::FutureExt;
use portico_json::Value;
use std::time::Duration;

/// Swap provider for 0x.
pub(super) struct Zerox(pub(super) Keyed);

/// AllowanceHolder, the spender of approvals and the contract that swaps call
/// (<https://0x.org/docs/developer-resources/core-concepts/contracts>). A Settler never gets an approval.
const ALLOWANCE_HOLDER: Address = address!("0000000000001fF3684f28c67538d4D072C22734");

/// Registry of the current Settler, at this address on all chains (<https://github.com/0xProject/0x-settler>, "How do I find the most
/// recent deployment?"). AllowanceHolder lets the contract that it calls take the token, so it must call no other contract.
const REGISTRY: Address = address!("00000000000004533Fe15556B1E086BB1A72cEae");

/// Registry's feature number for swaps that the user sends.
const TAKER_SUBMITTED: u128 = 2;

/// Chains of spec 9.10 that have AllowanceHolder at that address (<https://0x.org/docs/introduction/0x-cheat-sheet>).
const CHAINS: [u64; 7] = [1, 10, 56, 137, 8453, 42161, 43114];

sol! {
    function exec(address operator, address token, uint256 amount, address target, bytes data) external payable returns (bytes memory result);
    struct AllowedSlippage {
        address recipient;
        address buyToken;
        uint256 minAmountOut;
    }
    function ownerOf(uint256 feature) external view returns (address);
    function prev(uint128 feature) external view returns (address);
    function execute(AllowedSlippage slippage, bytes[] actions, bytes32 affiliate) external payable returns (bool);
}

impl Zerox {
    async fn ask(
        &self,
        state: &AppState,
        trade: &Trade,
        what: &str,
        taker: Option<Address>,
        tolerance: Tolerance,
    ) -> Result<Value, Fault> {
        let mut url = self.0.url.clone();
        let path = ["swap", "allowance-holder", what];
        url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path);
        url.query_pairs_mut()
            .append_pair("chainId", trade.chain.id.reference())
            .append_pair("sellToken", &trade.from.0.to_string())
            .append_pair("buyToken", &trade.to.0.to_string())
            .append_pair("sellAmount", &trade.amount.to_string())
            .append_pair("slippageBps", &tolerance.points().to_string());
        if let Some(taker) = taker {
            url.query_pairs_mut().append_pair("taker", &taker.to_string());
        }
        let request = state.http().get(url).header("0x-api-key", self.0.key.reveal()).header("0x-version", "v2");
        let answer = fetch(request).await?;
        if answer.get("liquidityAvailable").as_bool() == Some(false) { Err(Fault::NoWay) } else { Ok(answer) }
    }
}

impl Provider for Zerox {
    fn id(&self) -> &'static str {
        "zerox"
    }

    fn knows(&self, chain: &Chain) -> bool {
        vendor::serves(&CHAINS, chain)
    }

    fn quote<'a>(&'a self, state: &'a AppState, trade: &'a Trade) -> ProviderAnswer<'a, Found> {
        async move {
            let answer = self.ask(state, trade, "price", trade.user, Tolerance::USUAL).await?;
            found(&answer, trade).map_err(Fault::Breach)?.ok_or(Fault::Upstream(crate::source::Fault::Nonsense))
        }
        .boxed()
    }

    fn build<'a>(&'a self, state: &'a AppState, order: &'a Order) -> ProviderAnswer<'a, Built> {
        async move {
            let answer = self.ask(state, &order.trade, "quote", Some(order.user), order.tolerance).await?;
            matches(&answer, &order.trade).map_err(Fault::Breach)?;
            let least = number(answer.get("minBuyAmount"));
            if least.is_some_and(|least| least < order.least) {
                return Err(Fault::Moved);
            }
            let built = built(&answer).ok_or(Fault::Upstream(crate::source::Fault::Nonsense))?;
            let settler = exactly::<execCall>(&built.data).ok_or(Fault::Breach(Breach::Unreadable))?.target;
            if !settlers(state, &order.trade.chain).await?.contains(&settler) {
                return Err(Fault::Breach(Breach::Settler));
            }
            Ok(built)
        }
        .boxed()
    }

    fn read(&self, order: &Order, built: &Built) -> Option<DecodedSwap> {
        read(order, built)
    }

    fn routers(&self, _chain: &Chain) -> Routers {
        Routers { targets: vec![ALLOWANCE_HOLDER], spenders: vec![ALLOWANCE_HOLDER] }
    }

    fn fresh_for(&self) -> Option<Duration> {
        Some(super::FRESH)
    }
}

/// Checks that the response matches the requested trade.
fn matches(answer: &Value, trade: &Trade) -> Result<(), Breach> {
    let said = |name: &str| at(answer.get(name)).map(Coin);
    if (said("sellToken"), said("buyToken")) != (Some(trade.from), Some(trade.to)) {
        return Err(Breach::Token);
    }
    if number(answer.get("sellAmount")) != Some(trade.amount) {
        return Err(Breach::Amount);
    }
    Ok(())
}

/// Parses a price and checks that it matches the request. `None` where it is malformed.
fn found(answer: &Value, trade: &Trade) -> Result<Option<Found>, Breach> {
    matches(answer, trade)?;
    Ok(sensible(answer, trade))
}

fn sensible(answer: &Value, trade: &Trade) -> Option<Found> {
    let out = number(answer.get("buyAmount"))?;
    let spender = if trade.from.is_native() { None } else { Some(at(answer.get("allowanceTarget"))?) };
    let mut names = Pools::default();
    let fills = answer.get("route").get("fills").as_list().unwrap_or_default();
    fills.iter().for_each(|fill| names.add(fill.get("source")));
    Some(vendor::found(trade, out, names, "0x", spender, answer.get("gas")))
}

fn built(answer: &Value) -> Option<Built> {
    let call = answer.get("transaction");
    Some(Built {
        to: at(call.get("to"))?,
        data: bytes(call.get("data"))?,
        value: number(call.get("value"))?,
        from: None,
        gas: loose::number(call.get("gas")),
    })
}

/// Current Settler and the previous one, which stays in use for some time after a new one. Empty while the vendor has paused them.
async fn settlers(state: &AppState, chain: &Chain) -> Result<Vec<Address>, Fault> {
    let now = ownerOfCall { feature: U256::from(TAKER_SUBMITTED) }.abi_encode();
    let before = prevCall { feature: TAKER_SUBMITTED }.abi_encode();
    let calls = [now, before].map(|data| ContractRead { to: REGISTRY, data });
    let said = multicall::ask_together(state, chain, &calls).await?;
    // While Settlers are paused `ownerOf` reverts; the previous one must not be used either.
    if said.first().is_none_or(Option::is_none) {
        return Ok(Vec::new());
    }
    Ok(said.iter().flatten().filter_map(|word| settler(word)).collect())
}

/// Decodes a word that holds exactly one address.
fn settler(word: &[u8]) -> Option<Address> {
    let word = <[u8; 32]>::try_from(word).ok()?;
    let address = Address::from_slice(&word[12..]);
    (word[..12] == [0; 12] && !address.is_zero()).then_some(address)
}

/// Decodes a call of AllowanceHolder and the call of a Settler inside it.
fn read(order: &Order, built: &Built) -> Option<DecodedSwap> {
    let outer = exactly::<execCall>(&built.data)?;
    let inner: &Bytes = &outer.data;
    let slippage = exactly::<executeCall>(inner)?.slippage;
    let paid = if order.trade.from.is_native() {
        // The native coin is sent with the transaction; the call must not take a token beside it.
        if !outer.amount.is_zero() && outer.token != Coin::NATIVE.0 {
            return None;
        }
        (Coin::NATIVE, built.value)
    } else {
        (Coin(outer.token), outer.amount)
    };
    // Only the called contract may take the token.
    (outer.operator == outer.target).then_some(DecodedSwap {
        receiver: slippage.recipient,
        from: paid.0,
        to: Coin(slippage.buyToken),
        amount: paid.1,
        least: slippage.minAmountOut,
        deadline: None,
    })
}

#[cfg(test)]
mod tests;
