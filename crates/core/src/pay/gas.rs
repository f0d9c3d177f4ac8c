//! The fee of a transfer.

use super::erc20;
use portico_json::Value;
use portico_terms::{Amount, ChainId, Price};

/// The base fee may rise by so much before the next block: 1.2 (spec 9.19), as a fraction, for no float touches an amount.
pub const BASE_FEE_MULTIPLIER: (u32, u32) = (12, 10);

/// What a plain transfer takes.
pub const TRANSFER: u32 = 21_000;

/// What a transfer of a token commonly takes.
pub const TOKEN_TRANSFER: u32 = 65_000;

/// What is kept back for a receiver of whom nobody said how much gas it takes: a contract takes more than a plain transfer, and what
/// the wallet estimates itself has to fit in.
const ROOM: u32 = 100_000;

/// Chains of the OP Stack, where a transaction pays for its data on Ethereum beside its gas: Optimism, Unichain, Fraxtal, World Chain,
/// Lisk, Soneium, Base, Mode, Ink, Zora, and the test networks of Base and Optimism.
const WITH_DATA_FEE: [u32; 12] = [10, 130, 252, 480, 1135, 1868, 8453, 34443, 57073, 7_777_777, 84532, 11_155_420];

/// The contract that tells that price on each of them (`GasPriceOracle`, <https://specs.optimism.io/protocol/predeploys.html>).
const DATA_FEE_ORACLE: &str = "0x420000000000000000000000000000000000000F";

/// `getL1FeeUpperBound(unsignedTxSize)`: what no transaction of that size pays more than.
const DATA_FEE_BOUND: &str = "0xf1c7a58b";

/// The bytes of a transfer before it is signed: that of a token has 68 of data, and some 60 beside it.
const TRANSFER_SIZE: u32 = 200;

/// Those of a swap: a way over several pools of somebody who compares them has some two thousand. The approval before it fits in.
pub const SWAP_SIZE: u32 = 2_500;

/// What is known of the fee.
#[derive(Debug, Default)]
pub struct Fee {
    /// Of one gas: the base fee and the priority fee together.
    pub price: Option<Amount>,
    /// The priority fee of one gas, where the chain has one (EIP-1559).
    pub priority: Option<Amount>,
    /// Of a transfer to this receiver.
    pub limit: Option<Amount>,
    /// What the data of a transfer costs beside its gas, on chains that charge for it.
    pub data: Option<Amount>,
    /// Whether the limit is that of this very amount, or of one that differs by the fee alone.
    pub sure: bool,
}

impl Fee {
    /// Where little more than the fee would be left, the wallet is told the fee that was kept back: its own guess may be higher, and
    /// the transaction would not be accepted. Elsewhere the wallet knows better, and so it does of gas that was not estimated.
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
        match self.priority {
            Some(priority) => {
                fields.extend([field("maxFeePerGas", most), field("maxPriorityFeePerGas", priority)]);
            }
            None => fields.push(field("gasPrice", most)),
        }
        fields
    }

    /// The most that one gas can cost: the base fee with its margin, and the priority fee. Where a chain has none, its whole price
    /// gets the margin.
    pub fn most_per_gas(&self) -> Option<Amount> {
        let priority = self.priority.unwrap_or(Amount::ZERO);
        with_margin(self.price?.minus(priority).unwrap_or(Amount::ZERO))?.plus(priority)
    }

    /// The most that the fee can be, with the margin for a rising base fee.
    pub fn most(&self) -> Option<Amount> {
        self.most_of(TRANSFER)
    }

    /// The same, where nobody said how much gas it takes of what commonly takes so much.
    pub fn most_of(&self, usual: u32) -> Option<Amount> {
        self.with_data(self.most_per_gas()?.by(self.limit.unwrap_or(Amount::from(usual)))?)
    }

    /// What is kept back when all is sent.
    pub fn kept(&self) -> Option<Amount> {
        let limit = self.limit.unwrap_or(Amount::ZERO);
        self.with_data(self.most_per_gas()?.by(if self.sure { limit } else { limit.max(Amount::from(ROOM)) })?)
    }

    /// With what the data costs.
    pub fn with_data(&self, gas: Amount) -> Option<Amount> {
        gas.plus(self.data.unwrap_or(Amount::ZERO))
    }
}

/// The params of the `eth_call` that tells what the data of a transfer costs on a chain; `None` where it costs nothing of its own.
pub fn data_fee_params(chain: &ChainId) -> Option<Vec<Value>> {
    data_fee_params_of(chain, TRANSFER_SIZE)
}

/// The same of a transaction of so many bytes.
pub fn data_fee_params_of(chain: &ChainId, size: u32) -> Option<Vec<Value>> {
    let charged = chain.number().is_some_and(|number| WITH_DATA_FEE.iter().any(|known| u64::from(*known) == number));
    charged.then(|| erc20::params(DATA_FEE_ORACLE, [DATA_FEE_BOUND, &erc20::number_word(size.into())].concat()))
}

/// An amount with the margin of the base fee multiplier, which is never below 1 (spec 5.33).
pub fn with_margin(amount: Amount) -> Option<Amount> {
    let (factor, divisor) = BASE_FEE_MULTIPLIER;
    Some(amount.times(factor)?.divided(divisor)?.0)
}

/// Whether gas cannot be paid: the network balance in US dollars is zero or below the price of gas in US dollars (spec 5.11). Where
/// the coin has no price, both are compared in coins: a price is a common factor of both sides. Smart accounts are exempt.
pub fn is_gas_insufficient(balance: Amount, gas: Amount, price: Option<Price>, smart_account: bool) -> bool {
    let worth = price.and_then(|price| Some((price.of(balance)?, price.of(gas)?)));
    let (balance, gas) = worth.unwrap_or((balance, gas));
    !smart_account && (balance.is_zero() || balance < gas)
}
