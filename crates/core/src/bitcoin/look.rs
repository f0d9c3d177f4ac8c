//! Reads from the chain: the outputs that the account can spend, and what a payment costs.

use super::plan::{Coin, Speed};
use super::view::Trouble;
use super::{Alarm, Bitcoin, DECIMALS, PATIENCE, Phase, Reason, network, own, whole};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::wallet::bip122;
use portico_calldata::bitcoin::{Kind, OutPoint};
use portico_encoding::hex;
use portico_json::Value;
use portico_terms::Amount;
use portico_terms::amount::{plain, shown_units};
use portico_terms::rpc::RpcError;

/// Most outputs that are read of an account.
const MOST_COINS: usize = 2_000;

/// Code of a node without an estimate.
const UNESTIMATED: i64 = -1;

/// Satoshis that there can ever be.
const MOST_SATOSHIS: u64 = 2_100_000_000_000_000;

impl Bitcoin {
    /// Asks the nodes for the outputs of the account and for fees, and the wallet to describe its addresses.
    pub(super) fn look(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (network(cx.facts).cloned(), cx.facts.account.clone()) else { return };
        let chain = &network.caip_network_id;
        self.looks += 1;
        self.unread = false;
        cx.start(Alarm::Unanswered, PATIENCE);
        cx.call(chain, bip122::COINS, vec![bip122::of_address(&account.address)], Reason::Coins(self.looks));
        for speed in Speed::ALL.iter().copied() {
            let blocks = Value::Number(speed.blocks().to_string());
            cx.call(chain, bip122::FEE, vec![blocks], Reason::Rate(self.looks, speed));
        }
        // The review waits for a key alone: without an answer about ordinals the form warns of them.
        self.key_asked = self.key.is_none() && matches!(own(cx.facts), Some(Kind::P2sh(_) | Kind::P2tr(_)));
        if self.key_asked || self.ordinals_apart.is_none() {
            let asked = bip122::accounts(bip122::ACCOUNTS, true, Some(chain.clone()));
            cx.ask(asked.to(&account.handle), Reason::Described(self.looks));
        }
    }

    /// Whether something that the nodes are asked for is not known yet.
    pub(super) fn is_reading(&self) -> bool {
        !self.unread && (self.coins.is_none() || self.told.contains(&None) || self.key_asked || self.storage_asked)
    }

    pub(super) fn on_coins(&mut self, answer: &Result<Value, RpcError>) {
        let read = answer.as_ref().ok().and_then(Value::as_list).filter(|list| list.len() <= MOST_COINS);
        let coins: Option<Vec<Coin>> = read.and_then(|list| list.iter().map(coin).collect());
        match coins {
            // Another list may be older than what this page has sent.
            Some(coins) => {
                let sent = |coin: &Coin| self.pending.iter().any(|pending| pending.spends(coin.at));
                let mut own: Vec<Coin> = Vec::new();
                for coin in coins {
                    // An output that is listed twice can be spent once.
                    if !sent(&coin) && own.iter().all(|other| other.at != coin.at) {
                        own.push(coin);
                    }
                }
                self.coins = Some(own);
            }
            None => self.unread = true,
        }
    }

    pub(super) fn on_rate(&mut self, speed: Speed, answer: &Result<Value, RpcError>) {
        let rate = match answer {
            // A node that has seen too few payments estimates nothing, and takes the least fee.
            Err(error) if error.code == UNESTIMATED => Some(0),
            answer => answer.as_ref().ok().and_then(|answer| rate(answer.get("feerate"))),
        };
        self.unread |= rate.is_none();
        self.told[speed as usize] = rate.or(self.told[speed as usize]);
    }

    /// The wallet describes its addresses, each with its public key and purpose.
    pub(super) fn on_described(&mut self, answer: &Result<Value, RpcError>, facts: &Facts) {
        self.key_asked = false;
        let own = facts.account.as_ref().map(|account| account.address.as_str());
        let list = answer.as_ref().ok().and_then(Value::as_list).unwrap_or_default();
        let account = list.iter().find(|one| one.get("address").as_str() == own);
        let key = account.and_then(|account| hex::decode(account.get("publicKey").as_str()?));
        self.key = key.filter(|key| matches!(key.len(), 32 | 33));
        self.ordinals_apart =
            Some(list.iter().any(|one| one.get("address").as_str() != own && bip122::holds_ordinals(one)));
    }

    /// The nodes have kept the visitor waiting: the wait ends with an error, and the visitor may try again.
    pub(super) fn unanswered(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Confirming {
            // A signed transaction may be on its way already.
            let signed = self.request.as_ref().is_some_and(|request| request.signed.is_some());
            return if signed { self.started(cx) } else { self.stopped(Trouble::Untried, None, cx) };
        }
        self.looks += 1;
        (self.key_asked, self.storage_asked) = (false, false);
        self.unread = self.coins.is_none() || self.told.contains(&None);
        self.go_on(cx);
    }
}

fn coin(told: &Value) -> Option<Coin> {
    let index = u32::try_from(told.get("outputIndex").as_u64()?).ok()?;
    Some(Coin {
        at: OutPoint::of(told.get("txid").as_str()?, index)?,
        satoshis: told.get("satoshis").as_u64().filter(|satoshis| *satoshis <= MOST_SATOSHIS)?,
        confirmed: !told.get("height").is_null(),
    })
}

/// Satoshis for 1,000 bytes, of coins for 1,000 bytes. Parts of a satoshi are left out.
fn rate(told: &Value) -> Option<u64> {
    let Value::Number(number) = told else { return None };
    let number = plain(number).unwrap_or_else(|| number.clone());
    let cut = shown_units(&number, usize::from(DECIMALS))?;
    whole(Amount::from_units(cut.trim_start_matches('<'), DECIMALS).ok()?)
}
