//! Fee of a transfer or swap.

use super::erc20;
use crate::facts::Facts;
use crate::rpc::DISAGREED;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Network, Price};
use std::rc::Rc;

/// Allowed rise of the base fee before the next block: 1.2 (spec 9.19), in millionths, since amounts are never floats. A network may have
/// its own (spec 5.33).
pub const BASE_FEE_MULTIPLIER: u32 = 1_200_000;

/// Multiple of the highest fee of the last blocks from which on a fee is unusual.
const FAR: u32 = 10;

/// Price of one gas up to which no fee is unusual: 2 gwei. Nodes of quiet chains propose more than empty blocks show.
const SMALL_PRICE: u32 = 2_000_000_000;

/// Gas of a plain transfer.
pub const TRANSFER: u32 = 21_000;

/// Typical gas of a token transfer.
pub const TOKEN_TRANSFER: u32 = 65_000;

/// Gas reserved for a receiver without an estimate: a contract takes more than a plain transfer, and the wallet's own estimate has to fit.
const ROOM: u32 = 100_000;

/// OP Stack chains, where a transaction pays for its data on Ethereum on top of gas: Optimism, Unichain, Fraxtal, World Chain, Lisk,
/// Soneium, Base, Mode, Ink, Zora, and the test networks of Base and Optimism.
const WITH_DATA_FEE: [u32; 12] = [10, 130, 252, 480, 1135, 1868, 8453, 34443, 57073, 7_777_777, 84532, 11_155_420];

/// Contract on each of them that returns the data fee (`GasPriceOracle`, <https://specs.optimism.io/protocol/predeploys.html>).
const DATA_FEE_ORACLE: &str = "0x420000000000000000000000000000000000000F";

/// `getL1FeeUpperBound(unsignedTxSize)`: upper bound of the data fee for a transaction of that size.
const DATA_FEE_BOUND: &str = "0xf1c7a58b";

/// Size of an unsigned transfer in bytes: a token transfer has 68 of calldata and some 60 of other fields.
const TRANSFER_SIZE: u32 = 200;

/// Size of an unsigned swap in bytes: an aggregator's route over several pools has some two thousand. The approval before it fits in.
pub const SWAP_SIZE: u32 = 2_500;

/// Fee values known so far.
#[derive(Debug, Default)]
pub struct Fee {
    /// Price of one gas: base fee and priority fee together.
    pub price: Option<Amount>,
    /// Priority fee of one gas, if the chain has one (EIP-1559).
    pub priority: Option<Amount>,
    /// Gas estimate for a transfer to this receiver.
    pub limit: Option<Amount>,
    /// Data fee on top of gas, on chains that charge one.
    pub data: Option<Amount>,
    /// Whether the estimate is for exactly this amount, or one that differs only by the fee.
    pub sure: bool,
    /// Highest base fee and highest priority fee of the last blocks.
    usual: Option<(Amount, Amount)>,
    /// Base fee multiplier of the network (spec 5.33).
    multiplier: Option<u32>,
    /// The nodes answer for another chain, or two of them for different ones.
    elsewhere: bool,
}

impl Fee {
    /// Stores the price of one gas on this network; a failed request keeps the previous one.
    pub fn take_price(&mut self, price: Option<Amount>, network: Option<&Rc<Network>>) {
        self.price = price.or(self.price);
        self.multiplier = network.and_then(|network| network.base_fee_multiplier);
    }

    /// Stores what the nodes of this chain say of their chain; a failed request keeps the previous answer.
    pub fn take_chain(&mut self, answer: &Result<Value, RpcError>, chain: &ChainId) {
        let told = answer.as_ref().map(|told| told.as_str().and_then(|told| Amount::from_hex(told).ok()));
        self.elsewhere = match told {
            Ok(Some(told)) => chain.number().is_some_and(|number| Amount::from(number) != told),
            Err(error) if error.code == DISAGREED => true,
            _ => self.elsewhere,
        };
    }

    /// Whether the nodes answer for another chain: their fees, balances and receipts may be wrong.
    pub fn is_elsewhere(&self) -> bool {
        self.elsewhere
    }

    /// Stores the fees of the last blocks; a failed request keeps the previous ones.
    pub fn take_history(&mut self, answer: &Result<Value, RpcError>) {
        self.usual = answer.as_ref().ok().and_then(usual).or(self.usual);
    }

    /// Whether the fee is far above those of the last blocks: a node may make up a price, and the wallet may believe the same node.
    pub fn is_unusual(&self) -> bool {
        let (Some((base, tip)), Some(price)) = (self.usual, self.price) else { return false };
        let far = |fee: Amount, usual: Amount| {
            fee > Amount::from(SMALL_PRICE) && usual.times(FAR).is_some_and(|most| fee > most)
        };
        far(price, base.plus(tip).unwrap_or(base)) || self.tip().is_some_and(|paid| far(paid, tip))
    }

    /// Fee fields for the wallet request, set only if little more than the fee is left: the wallet's own estimate could exceed the rest and
    /// make the transaction invalid. Otherwise, and for gas that was not estimated, the wallet knows better.
    pub fn fields_if_tight(&self, balance: Amount, amount: Amount) -> Vec<(String, Value)> {
        let left = balance.minus(amount).unwrap_or(Amount::ZERO);
        let (Some(most), Some(ample)) = (self.most_per_gas(), self.kept().and_then(|fee| fee.times(4))) else {
            return Vec::new();
        };
        if left >= ample {
            return Vec::new();
        }
        let field = |name: &str, amount: Amount| (name.into(), Value::Text(amount.to_hex()));
        let mut fields = Vec::new();
        fields.extend(self.limit.filter(|_| self.sure).map(|limit| field("gas", limit)));
        match self.tip() {
            Some(priority) => {
                fields.extend([field("maxFeePerGas", most), field("maxPriorityFeePerGas", priority)]);
            }
            None => fields.push(field("gasPrice", most)),
        }
        fields
    }

    /// The priority fee, at most the price of one gas, which contains it: one node alone may know the former and make it up.
    fn tip(&self) -> Option<Amount> {
        Some(self.priority?.min(self.price?))
    }

    /// Maximum price of one gas: the base fee with its margin, plus the priority fee. Without a priority fee the whole price gets the
    /// margin.
    pub fn most_per_gas(&self) -> Option<Amount> {
        let priority = self.tip().unwrap_or(Amount::ZERO);
        let base = self.price?.minus(priority).unwrap_or(Amount::ZERO);
        multiplied(base, self.multiplier.unwrap_or(BASE_FEE_MULTIPLIER))?.plus(priority)
    }

    /// Maximum fee of a plain transfer, with the margin for a rising base fee.
    pub fn most(&self) -> Option<Amount> {
        self.most_of(TRANSFER)
    }

    /// Maximum fee, with `usual` gas if there is no estimate.
    pub fn most_of(&self, usual: u32) -> Option<Amount> {
        self.with_data(self.most_per_gas()?.by(self.limit.unwrap_or(Amount::from(usual)))?)
    }

    /// Fee to reserve when the whole balance is sent.
    pub fn kept(&self) -> Option<Amount> {
        let limit = self.limit.unwrap_or(Amount::ZERO);
        self.with_data(self.most_per_gas()?.by(if self.sure { limit } else { limit.max(Amount::from(ROOM)) })?)
    }

    /// Adds the data fee.
    pub fn with_data(&self, gas: Amount) -> Option<Amount> {
        gas.plus(self.data.unwrap_or(Amount::ZERO))
    }
}

/// Parameters of `eth_feeHistory`: the last blocks, and the priority fee that all but a tenth of their gas stayed below.
pub fn history_params() -> Vec<Value> {
    vec!["0x5".into(), "latest".into(), Value::List(vec![Value::Number("90".into())])]
}

/// Highest base fee and highest priority fee of a fee history.
fn usual(history: &Value) -> Option<(Amount, Amount)> {
    let amount = |value: &Value| Amount::from_hex(value.as_str()?).ok();
    let base = history.get("baseFeePerGas").as_list()?.iter().filter_map(amount).max()?;
    let tips = history.get("reward").as_list()?.iter().filter_map(|block| amount(block.as_list()?.first()?));
    Some((base, tips.max()?))
}

/// Parameters of the `eth_call` for the data fee of a transfer; `None` if the chain charges none.
pub fn data_fee_params(chain: &ChainId) -> Option<Vec<Value>> {
    data_fee_params_of(chain, TRANSFER_SIZE)
}

/// Parameters of the `eth_call` for the data fee of a transaction of `size` bytes; `None` if the chain charges none.
pub fn data_fee_params_of(chain: &ChainId, size: u32) -> Option<Vec<Value>> {
    let charged = chain.number().is_some_and(|number| WITH_DATA_FEE.iter().any(|known| u64::from(*known) == number));
    charged.then(|| erc20::params(DATA_FEE_ORACLE, [DATA_FEE_BOUND, &erc20::number_word(size.into())].concat()))
}

/// Amount of gas, or a fee, with the usual margin.
pub fn with_margin(amount: Amount) -> Option<Amount> {
    multiplied(amount, BASE_FEE_MULTIPLIER)
}

fn multiplied(amount: Amount, millionths: u32) -> Option<Amount> {
    Some(amount.times(millionths)?.divided(1_000_000)?.0)
}

/// Whether what is left of the coin after a payment cannot pay the fee (spec 5.11). A balance of zero pays none, whatever the fee; while the fee
/// is unknown or zero, any other balance does. An unknown balance is no reason to refuse: the wallet and the chain know it.
pub fn is_fee_above(coin: Option<Amount>, spent: Amount, fee: Option<Amount>, facts: &Facts) -> bool {
    let Some(coin) = coin else { return false };
    let (balance, fee) = match fee.filter(|fee| !fee.is_zero()) {
        Some(fee) => (coin.minus(spent).unwrap_or(Amount::ZERO), fee),
        None => (coin, Amount::ZERO),
    };
    is_gas_insufficient(balance, fee, facts.price, facts.smart_account)
}

/// Whether gas cannot be paid: the coin balance in US dollars is zero or below the gas cost in US dollars (spec 5.11). Without a price of
/// the coin, both are compared in coins, as the price is a common factor. Smart accounts are exempt.
pub fn is_gas_insufficient(balance: Amount, gas: Amount, price: Option<Price>, smart_account: bool) -> bool {
    let worth = price.and_then(|price| Some((price.of(balance)?, price.of(gas)?)));
    let (balance, gas) = worth.unwrap_or((balance, gas));
    !smart_account && (balance.is_zero() || balance < gas)
}
