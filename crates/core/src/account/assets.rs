//! The tokens of the account in use: from its wallet where that can tell (EIP-7811), else from the host's server.

use super::abilities::Abilities;
use super::recent::{Owner, Recent};
use super::token::{MOST_TOKENS, Token, read_assets, read_balance};
use super::{BalanceState, Reason};
use crate::config::{Feature, supported_on};
use crate::cx::Cx;
use crate::effect::Operation;
use crate::facts::Facts;
use crate::http::{Request, encode};
use crate::timer::Timer;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace, Price};

/// What was read is good for so many milliseconds (spec 9.5).
pub const PORTFOLIO_CACHE: u64 = 30_000;

/// After a failure nothing is asked for so many milliseconds (spec 4.31, 9.2).
pub const RETRY_GUARD: u64 = 30_000;

/// A wallet that has not said by now what it holds is not waited for.
const PATIENCE: u64 = 3_000;

/// What is kept of an account that is not in use now.
#[derive(Debug)]
struct Kept {
    tokens: Vec<Token>,
    state: BalanceState,
    at: u64,
}

/// The tokens of one account on one chain.
#[derive(Debug, Default)]
pub struct Portfolio {
    of: Option<Owner>,
    kept: Recent<Kept>,
    /// The most valuable first.
    pub tokens: Vec<Token>,
    pub state: BalanceState,
    /// When it was asked for, or failed.
    at: u64,
    /// The wallet or the server has been asked and has not answered.
    waiting: bool,
    /// It is the wallet that was asked.
    wallet: bool,
    /// The tokens are wanted once the wallet has said what it can do.
    due: bool,
    /// What was known is out of date: the server is not to answer from its cache (spec 7.5).
    anew: bool,
    attempts: u32,
    abilities: Abilities,
    /// Whether the wallet does several calls on this chain together or not at all (EIP-5792).
    pub batches: bool,
    /// Another one whenever the tokens may be others.
    pub revision: u32,
}

impl Portfolio {
    /// Of another account, or another chain, nothing is shown: it is kept until that is in use again, and so is when it failed.
    pub fn changed(&mut self, facts: &Facts) {
        let owner = facts.account.as_ref().zip(facts.active_network.as_ref());
        let owner = owner.filter(|(account, network)| {
            account.namespace == network.chain_namespace && supported_on(Feature::Balances, account.namespace)
        });
        let of = owner.map(|(account, network)| (network.caip_network_id.clone(), account.address.clone()));
        if self.of != of {
            let mut kept = std::mem::take(&mut self.kept);
            if let Some((owner, before)) = self.of.take().zip(self.known()) {
                kept.keep(owner, before);
            }
            let known = of.as_ref().and_then(|of| kept.take(of));
            let Kept { tokens, state, at } =
                known.unwrap_or(Kept { tokens: Vec::new(), state: BalanceState::Unknown, at: 0 });
            // What a wallet has not said by now is not taken any more: it is asked again.
            let abilities = std::mem::take(&mut self.abilities);
            let abilities = if abilities.are_told() { abilities } else { Abilities::default() };
            let attempts = self.attempts + 1;
            let revision = self.revision + 1;
            *self = Portfolio { of, kept, tokens, state, at, attempts, abilities, revision, ..Portfolio::default() };
            if facts.account.is_none() {
                self.forget_kept();
            }
        }
        self.judge(facts);
    }

    /// Whether the account in use can do several calls together on its chain.
    fn judge(&mut self, facts: &Facts) {
        let chain = self.of.as_ref().and_then(|(chain, _)| chain.number()).map(Amount::from);
        let handle = facts.account.as_ref().map(|account| account.handle.as_str()).unwrap_or_default();
        let own = |(_, address): &&Owner| self.abilities.are_of(address, handle);
        let able = chain.is_some_and(|chain| self.abilities.has_batches(chain));
        self.batches = able && self.of.as_ref().filter(own).is_some();
    }

    /// What is known now. Of what is being asked for the answer will not be taken.
    fn known(&mut self) -> Option<Kept> {
        let (state, at) = match self.state {
            BalanceState::Loading if !self.waiting || !self.due => (BalanceState::Unavailable, self.at),
            BalanceState::Refreshing => (BalanceState::Ready, 0),
            BalanceState::Unknown | BalanceState::Loading => return None,
            state => (state, self.at),
        };
        Some(Kept { tokens: std::mem::take(&mut self.tokens), state, at })
    }

    /// A transaction may have changed what any account has; that a server failed stands.
    pub fn forget_kept(&mut self) {
        self.kept.retain(|kept| kept.state == BalanceState::Unavailable);
    }

    /// Whether this is the account's, on this chain.
    pub fn is_for(&self, chain: &ChainId, address: &str) -> bool {
        self.of.as_ref().is_some_and(|(known, other)| known == chain && other == address)
    }

    /// The tokens are looked at. `anew` is for who asks for them although they were just read; after a failure that waits its time.
    pub fn ask(&mut self, anew: bool, cx: &mut Cx) {
        let Some((_, address)) = self.of.clone() else { return };
        if self.waiting && self.due {
            return;
        }
        self.due = self.is_due(anew, cx);
        if self.due {
            self.at = cx.now;
            self.anew = anew;
            let again = matches!(self.state, BalanceState::Ready | BalanceState::Refreshing);
            self.state =
                if again || !self.tokens.is_empty() { BalanceState::Refreshing } else { BalanceState::Loading };
        }
        let evm = cx.facts.account.as_ref().filter(|account| account.namespace == Namespace::Eip155);
        match evm {
            // The wallet has yet to say what it can do.
            _ if self.waiting => {}
            Some(account) if !self.abilities.are_of(&address, &account.handle) => {
                self.abilities = Abilities::of(&address, &account.handle);
                self.ask_of_wallet("wallet_getCapabilities", vec![Value::Text(address)], Reason::Capabilities, cx);
            }
            Some(_) if self.due => self.ask_wallet(cx),
            None if self.due => self.ask_server(cx),
            _ => {}
        }
    }

    /// Whether the tokens are to be asked for now; if later, an alarm is set where somebody waits for them.
    fn is_due(&mut self, anew: bool, cx: &mut Cx) -> bool {
        let failed = self.state == BalanceState::Unavailable;
        let free = self.at + if failed { RETRY_GUARD } else { PORTFOLIO_CACHE };
        if self.state == BalanceState::Unknown || cx.now >= free {
            return true;
        }
        if self.state == BalanceState::Loading {
            return false;
        }
        if anew && !failed {
            return true;
        }
        if anew {
            self.state = BalanceState::Loading;
            cx.start(Timer::TokensRetry, free - cx.now);
        }
        false
    }

    fn ask_of_wallet(&mut self, method: &str, params: Vec<Value>, asked: fn(u32) -> Reason, cx: &mut Cx) {
        (self.waiting, self.wallet) = (true, true);
        self.attempts += 1;
        let request = Operation::RequestWallet {
            handle: self.abilities.handle.clone(),
            method: method.into(),
            params: Value::List(params),
        };
        cx.ask(request, asked(self.attempts));
        cx.start(Timer::AssetsEnd, PATIENCE);
    }

    /// Asks the wallet where it said that it can tell, else the server (spec 7.7).
    fn ask_wallet(&mut self, cx: &mut Cx) {
        let Some((chain, address)) = self.of.clone() else { return };
        let number = Amount::from(chain.number().unwrap_or_default());
        if !self.abilities.has_assets(number) {
            return self.ask_server(cx);
        }
        let chains = Value::List(vec![Value::Text(number.to_hex())]);
        let question = vec![("account".into(), Value::Text(address)), ("chainFilter".into(), chains)];
        self.ask_of_wallet("wallet_getAssets", vec![Value::Object(question)], Reason::Assets, cx);
    }

    fn ask_server(&mut self, cx: &mut Cx) {
        let Some((chain, address)) = &self.of else { return };
        let path = ["/v1/account/", &encode(address), "/balance"].concat();
        let mut request = Request::get(path).with("currency", "usd").with("chainId", &chain.to_string());
        if self.anew {
            request = request.with("forceUpdate", "true");
        }
        self.attempts += 1;
        self.wallet = false;
        self.waiting = cx.http(request, Reason::Portfolio(self.attempts));
        if !self.waiting {
            self.state = BalanceState::Ready;
        }
    }

    fn awaits(&mut self, attempt: u32) -> bool {
        let wanted = self.waiting && attempt == self.attempts;
        self.waiting &= !wanted;
        wanted
    }

    /// What the wallet can do; a failure says that it can do nothing (spec 7.6).
    pub fn able(&mut self, attempt: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if !self.awaits(attempt) {
            return;
        }
        cx.stop(Timer::AssetsEnd);
        self.abilities.take(&answer.unwrap_or_default());
        self.judge(cx.facts);
        if self.due {
            self.ask_wallet(cx);
        }
    }

    /// What the wallet holds; where it says anything else, the server is asked.
    pub fn held(&mut self, attempt: u32, answer: Result<Value, RpcError>, cx: &mut Cx) -> Option<Price> {
        if !self.awaits(attempt) {
            return None;
        }
        cx.stop(Timer::AssetsEnd);
        let (chain, _) = self.of.clone()?;
        match answer.ok().and_then(|answer| read_assets(&answer, &chain, cx.facts)) {
            Some(tokens) => Some(self.take(tokens)).flatten(),
            None => {
                self.ask_server(cx);
                None
            }
        }
    }

    /// What the server says. True beside the price where this is the first failure.
    pub fn told(&mut self, attempt: u32, answer: Result<Value, RpcError>, cx: &mut Cx) -> Result<Option<Price>, bool> {
        if !self.awaits(attempt) {
            return Err(false);
        }
        let Some((chain, _)) = self.of.clone() else { return Err(false) };
        let answer = answer.unwrap_or_default();
        match answer.get("balances").as_list() {
            Some(items) => {
                let tokens = items.iter().filter_map(|item| read_balance(item, &chain, cx.facts)).take(MOST_TOKENS);
                Ok(self.take(tokens.collect()))
            }
            None => {
                // What was known before stands beside the word that it could not be had anew.
                self.at = cx.now;
                self.state = BalanceState::Unavailable;
                Err(true)
            }
        }
    }

    /// One alarm.
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        if timer == Timer::AssetsEnd {
            if self.waiting && self.wallet {
                // It is not asked again through this connection.
                self.abilities.give_up();
                self.waiting = false;
                if self.due {
                    self.ask_server(cx);
                }
            }
        } else if self.state == BalanceState::Loading && !(self.waiting && self.due) {
            self.state = BalanceState::Unknown;
            self.ask(false, cx);
        }
    }

    fn take(&mut self, told: Vec<Token>) -> Option<Price> {
        self.state = BalanceState::Ready;
        self.revision += 1;
        self.tokens.clear();
        let mut marks = Vec::new();
        for token in told {
            let known = |other: &Token| match (&other.address, &token.address) {
                (Some(other), Some(address)) => other.eq_ignore_ascii_case(address),
                (None, None) => true,
                _ => false,
            };
            // Thousands are told apart by their marks before they are compared.
            let mark = mark_of(token.address.as_deref().unwrap_or_default());
            if !marks.contains(&mark) || !self.tokens.iter().any(known) {
                marks.push(mark);
                let at = self.tokens.partition_point(|other| other.cents >= token.cents);
                self.tokens.insert(at, token);
            }
        }
        self.coin()?.price
    }

    /// The chain's own coin, as it was told.
    pub fn coin(&self) -> Option<&Token> {
        self.tokens.iter().find(|token| token.address.is_none())
    }
}

/// The same for the same address, whatever its case; most often another for another.
fn mark_of(address: &str) -> u32 {
    address.bytes().fold(0, |mark, byte| mark.wrapping_mul(31) ^ u32::from(byte.to_ascii_lowercase()))
}
