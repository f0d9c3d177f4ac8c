//! Payment, decided: which outputs it spends, what it makes of them, and what it costs.

use portico_calldata::bitcoin::{Kind, OutPoint, Output, Payment};
use portico_json::Json;

/// Most outputs that one payment spends: each is a transaction to fetch and a line in the wallet.
pub const MOST_INPUTS: usize = 50;

/// Weight of what a transaction has besides its inputs and outputs: version, counts and lock time, and the marker of witnesses.
const FRAME: u64 = 4 * 10 + 2;

/// Outputs of at most so many satoshis stay where they are: many hold an inscription or a rune, and all are worth less than their fee soon.
const LEFT_ALONE: u64 = 546;

/// Satoshis for 1,000 bytes: the least that nodes pass on, and the most that is paid. A node that makes a fee up cannot take more.
const RATES: (u64, u64) = (1_000, 500_000);

/// How fast a payment is to be confirmed.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "BitcoinSpeed")]
pub enum Speed {
    /// Within a day.
    Slow,
    /// Within an hour.
    #[default]
    Normal,
    /// In one of the next blocks.
    Fast,
}

impl Speed {
    /// Number of blocks, of ten minutes, within which it is to be confirmed.
    pub fn blocks(self) -> u32 {
        match self {
            Speed::Slow => 144,
            Speed::Normal => 6,
            Speed::Fast => 2,
        }
    }
}

/// Unspent output of the sender, as a node tells it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Coin {
    pub at: OutPoint,
    pub satoshis: u64,
    pub confirmed: bool,
}

/// Payment of the form.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Plan {
    pub coins: Vec<Coin>,
    pub to: Kind,
    pub from: Kind,
    pub amount: u64,
    /// Satoshis that return to the sender; none where they would be too few for an output.
    pub change: Option<u64>,
    pub fee: u64,
    /// Satoshis in the fee that would be too few for an output.
    pub added: u64,
}

impl Plan {
    /// Whether it spends outputs that are in no block yet.
    pub fn is_unconfirmed(&self) -> bool {
        self.coins.iter().any(|coin| !coin.confirmed)
    }

    pub fn payment(&self) -> Payment {
        let output = |satoshis, kind: &Kind| Output { satoshis, script: kind.script() };
        let change = self.change.map(|change| output(change, &self.from));
        Payment {
            inputs: self.coins.iter().map(|coin| coin.at).collect(),
            outputs: [output(self.amount, &self.to)].into_iter().chain(change).collect(),
        }
    }
}

/// Outputs and fee from which payments are planned.
pub struct Means<'a> {
    /// Address of the sender.
    pub from: &'a Kind,
    /// Outputs that may be spent.
    pub coins: &'a [Coin],
    /// Outputs that have to be spent, where they are listed: payments that were signed before and may still be sent spend them, so that only one
    /// of the two can count.
    pub bound: Vec<OutPoint>,
    /// Satoshis for 1,000 bytes.
    pub rate: u64,
}

/// Why no payment can be made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lack {
    /// The account has less than the amount and this fee.
    Coins(u64),
    /// The amount needs more outputs than one payment may spend.
    Inputs,
    /// The account is one of a script, whose proof is unknown.
    Script,
}

impl Means<'_> {
    /// Cheapest way to pay the amount with outputs that are confirmed, where they suffice: the largest ones first.
    pub fn plan(&self, to: &Kind, amount: u64) -> Result<Plan, Lack> {
        let mut chosen: Vec<Coin> = Vec::new();
        let mut sum = 0_u64;
        let mut fee = 0;
        let sorted = self.sorted()?;
        let bound = sorted.iter().filter(|coin| self.bound.contains(&coin.at)).count();
        for coin in sorted {
            if chosen.len() == MOST_INPUTS {
                return Err(Lack::Inputs);
            }
            sum = sum.saturating_add(coin.satoshis);
            let is_bound = self.bound.contains(&coin.at);
            chosen.push(coin);
            if is_bound && chosen.len() < bound {
                continue;
            }
            let alone = self.fee(chosen.len(), to, false)?;
            let returning = self.fee(chosen.len(), to, true)?;
            fee = alone;
            let Some(rest) = sum.checked_sub(amount).and_then(|rest| rest.checked_sub(alone)) else { continue };
            let change = rest.checked_sub(returning - alone).filter(|change| *change >= self.from.dust());
            let added = if change.is_some() { 0 } else { rest };
            let fee = if change.is_some() { returning } else { alone + rest };
            return Ok(Plan { coins: chosen, to: to.clone(), from: self.from.clone(), amount, change, fee, added });
        }
        Err(Lack::Coins(fee))
    }

    /// Most satoshis that one payment can have.
    pub fn most(&self, to: &Kind) -> Option<u64> {
        let coins: Vec<Coin> = self.sorted().ok()?.into_iter().take(MOST_INPUTS).collect();
        let sum = coins.iter().fold(0_u64, |sum, coin| sum.saturating_add(coin.satoshis));
        Some(sum.saturating_sub(self.fee(coins.len(), to, false).ok()?))
    }

    /// Satoshis of all outputs that may be spent.
    pub fn balance(&self) -> u64 {
        self.coins
            .iter()
            .filter(|coin| coin.satoshis > LEFT_ALONE)
            .fold(0, |sum, coin| sum.saturating_add(coin.satoshis))
    }

    /// Outputs worth more than what it costs to spend them: bound ones, confirmed ones, then others, each the largest first.
    fn sorted(&self) -> Result<Vec<Coin>, Lack> {
        let cost = self.cost(self.from.input_weight().ok_or(Lack::Script)?);
        let is_bound = |coin: &Coin| self.bound.contains(&coin.at);
        let worth = |coin: &&Coin| is_bound(coin) || coin.satoshis > cost.max(LEFT_ALONE);
        let mut coins: Vec<Coin> = self.coins.iter().filter(worth).cloned().collect();
        let rank = |coin: &Coin| (!is_bound(coin), !coin.confirmed, u64::MAX - coin.satoshis);
        coins.sort_by_key(|coin| (rank(coin), coin.at.transaction, coin.at.index));
        Ok(coins)
    }

    fn fee(&self, inputs: usize, to: &Kind, returns: bool) -> Result<u64, Lack> {
        let input = self.from.input_weight().ok_or(Lack::Script)?;
        let change = if returns { self.from.output_weight() } else { 0 };
        Ok(self.cost(FRAME + input * inputs as u64 + to.output_weight() + change))
    }

    /// Satoshis for so much weight. A byte has four units of it, and part of a byte counts as one.
    fn cost(&self, weight: u64) -> u64 {
        (weight.div_ceil(4) * self.rate).div_ceil(1_000)
    }
}

/// Fees of all speeds within the limits: a faster one costs at least as much.
pub fn rates_of(told: [Option<u64>; 3]) -> Option<[u64; 3]> {
    let mut least = RATES.0;
    let mut rates = [0; 3];
    for (rate, told) in rates.iter_mut().zip(told) {
        *rate = told?.clamp(least, RATES.1);
        least = *rate;
    }
    Some(rates)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: Kind = Kind::P2wpkh([1; 20]);
    const TO: Kind = Kind::P2tr([2; 32]);

    fn coin(number: u8, satoshis: u64, confirmed: bool) -> Coin {
        Coin { at: OutPoint { transaction: [number; 32], index: 0 }, satoshis, confirmed }
    }

    fn means(coins: &[Coin], rate: u64) -> Means<'_> {
        Means { from: &FROM, coins, bound: Vec::new(), rate }
    }

    fn spent(plan: &Plan) -> Vec<u8> {
        plan.coins.iter().map(|coin| coin.at.transaction[0]).collect()
    }

    #[test]
    fn the_largest_confirmed_outputs_are_spent_first_and_the_rest_returns() {
        let coins = [coin(1, 20_000, true), coin(2, 900_000, false), coin(3, 50_000, true), coin(4, 30_000, true)];
        let plan = means(&coins, 2_000).plan(&TO, 60_000).unwrap();
        assert_eq!(spent(&plan), [3, 4]);
        // 42 + 2 * 272 + 172 + 124 units of weight are 221 bytes.
        assert_eq!((plan.fee, plan.change, plan.added), (442, Some(19_558), 0));
        assert!(!plan.is_unconfirmed());
        let plan = means(&coins, 2_000).plan(&TO, 500_000).unwrap();
        assert_eq!((spent(&plan), plan.is_unconfirmed()), (vec![3, 4, 1, 2], true));
    }

    #[test]
    fn what_is_spent_is_what_is_paid_returned_and_taken_by_the_network() {
        for amount in (1_000..100_000).step_by(77) {
            let coins = [coin(1, 40_000, true), coin(2, 30_300, true), coin(3, 29_000, false)];
            let Ok(plan) = means(&coins, 3_700).plan(&TO, amount) else { continue };
            let sum: u64 = plan.coins.iter().map(|coin| coin.satoshis).sum();
            assert_eq!(sum, amount + plan.fee + plan.change.unwrap_or_default());
            assert!(plan.change.is_none_or(|change| change >= 294));
            // Without an output for it, at most dust and the output's own fee stay with the network.
            assert!(plan.added < 294 + 31 * 37 / 10 + 1, "{amount} {}", plan.added);
            let outputs: u64 = plan.payment().outputs.iter().map(|output| output.satoshis).sum();
            assert_eq!(outputs + plan.fee, sum);
        }
    }

    #[test]
    fn the_maximum_leaves_nothing_but_the_fee() {
        let coins = [coin(1, 40_000, true), coin(2, 30_000, false), coin(3, 546, true), coin(4, 600, true)];
        // An output of 600 satoshis costs 680 at this rate, and one of 546 is left alone.
        let means = means(&coins, 10_000);
        let most = means.most(&TO).unwrap();
        let plan = means.plan(&TO, most).unwrap();
        assert_eq!((most + plan.fee, plan.change, plan.added), (70_000, None, 0));
        assert_eq!(means.plan(&TO, most + 1), Err(Lack::Coins(plan.fee)));
        assert_eq!(means.balance(), 70_600);
    }

    #[test]
    fn a_signed_payment_and_the_next_one_spend_the_same_output() {
        let coins = [coin(1, 40_000, true), coin(2, 90_000, true)];
        let bound = Means { bound: vec![coins[0].at], ..means(&coins, 1_000) };
        assert_eq!(spent(&bound.plan(&TO, 10_000).unwrap()), [1]);
        let both = Means { bound: vec![coins[0].at, coins[1].at], ..means(&coins, 1_000) };
        assert_eq!(spent(&both.plan(&TO, 10_000).unwrap()), [2, 1]);
        assert_eq!(spent(&bound.plan(&TO, 60_000).unwrap()), [1, 2]);
    }

    #[test]
    fn many_small_outputs_are_too_many_for_one_payment() {
        let coins: Vec<Coin> = (0..=255).map(|number| coin(number, 10_000, true)).collect();
        assert_eq!(means(&coins, 1_000).plan(&TO, 1_000_000), Err(Lack::Inputs));
        assert!(means(&coins, 1_000).most(&TO).unwrap() < 500_000);
        let script = Kind::P2wsh([3; 32]);
        let of_script = Means { from: &script, ..means(&coins, 1_000) };
        assert_eq!(of_script.plan(&TO, 1_000), Err(Lack::Script));
    }

    #[test]
    fn no_node_makes_a_fee_up() {
        assert_eq!(rates_of([Some(0), Some(u64::MAX), Some(2_000)]), Some([1_000, 500_000, 500_000]));
        assert_eq!(rates_of([Some(3_000), Some(2_000), Some(9_000)]), Some([3_000, 3_000, 9_000]));
        assert_eq!(rates_of([Some(3_000), None, Some(9_000)]), None);
    }
}
