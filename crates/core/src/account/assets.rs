//! Tokens of the active account: from its wallet if that lists them (EIP-7811), else from the host's server.

use super::abilities::Abilities;
use super::recent::{Owner, Recent};
use super::token::{MOST_TOKENS, Token, read_assets, read_balance};
use super::{BalanceState, Reason};
use crate::account::Alarm;
use crate::config::{Feature, supported_on};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::http::{Request, encode};
use crate::paged::NOT_IMPLEMENTED;
use crate::pay::standing::judge;
use crate::wallet::{WalletRequest, eip155};
use portico_api::account::Balances;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace, Network, Price};

/// Lifetime of a loaded token list, in milliseconds (spec 9.5).
pub const PORTFOLIO_CACHE: u64 = 30_000;

/// Pause after a failed request, in milliseconds (spec 4.31, 9.2).
pub const RETRY_GUARD: u64 = 30_000;

/// Time limit for the wallet's response, in milliseconds; then the server is asked.
const PATIENCE: u64 = 3_000;

/// Cached tokens of an inactive account.
#[derive(Debug)]
struct Kept {
    tokens: Vec<Token>,
    state: BalanceState,
    at: u64,
}

/// Tokens of one account on one chain.
#[derive(Debug, Default)]
pub struct Portfolio {
    of: Option<Owner>,
    kept: Recent<Kept>,
    /// Sorted by value, the highest first.
    pub tokens: Vec<Token>,
    pub state: BalanceState,
    /// Time of the last request or failure.
    at: u64,
    /// A request to the wallet or the server is in flight.
    waiting: bool,
    /// The request in flight goes to the wallet.
    wallet: bool,
    /// The tokens are needed as soon as the wallet's capabilities are known.
    due: bool,
    /// The tokens changed, so the server must not answer from its cache (spec 7.5).
    anew: bool,
    attempts: u32,
    abilities: Abilities,
    /// Whether the wallet executes batches atomically on this chain (EIP-5792).
    pub batches: bool,
    /// Counter of changes to the tokens.
    pub revision: u32,
    /// Whether the visitor opened the row of hidden tokens.
    pub revealed: bool,
}

/// Request to the host's server for the balances of an account on a chain; `anew` passes its cache.
pub(super) fn balances_of(chain: &ChainId, address: &str, anew: bool) -> Request {
    let path = ["/v1/account/", &encode(address), "/balance"].concat();
    let request = Request::get(path).with("currency", "usd").with("chainId", &chain.to_string());
    if anew { request.with("forceUpdate", "true") } else { request }
}

impl Portfolio {
    /// Switches to the active account and chain. Tokens of the previous ones, or the time of their failure, are cached until they are
    /// active again.
    pub fn changed(&mut self, facts: &Facts) {
        let owner = facts.account.as_ref().zip(facts.active_network.as_ref());
        let listed = |network: &Network| {
            supported_on(Feature::Balances, network.chain_namespace)
                || facts.offer.bitcoin.contains(&network.caip_network_id)
        };
        let owner = owner.filter(|(account, network)| account.namespace == network.chain_namespace && listed(network));
        let of = owner.map(|(account, network)| (network.caip_network_id.clone(), account.address.clone()));
        if self.of != of {
            let mut kept = std::mem::take(&mut self.kept);
            if let Some((owner, before)) = self.of.take().zip(self.known()) {
                kept.keep(owner, before);
            }
            let known = of.as_ref().and_then(|of| kept.take(of));
            let Kept { tokens, state, at } =
                known.unwrap_or(Kept { tokens: Vec::new(), state: BalanceState::Unknown, at: 0 });
            // A pending capabilities response is ignored; the wallet is asked again.
            let abilities = std::mem::take(&mut self.abilities);
            let abilities = if abilities.are_known() { abilities } else { Abilities::default() };
            let attempts = self.attempts + 1;
            let revision = self.revision + 1;
            *self = Portfolio { of, kept, tokens, state, at, attempts, abilities, revision, ..Portfolio::default() };
            if facts.account.is_none() {
                self.forget_kept();
            }
        }
        self.judge(facts);
    }

    /// Updates whether the active account can batch on its chain.
    fn judge(&mut self, facts: &Facts) {
        let chain = self.of.as_ref().and_then(|(chain, _)| chain.number()).map(Amount::from);
        let handle = facts.account.as_ref().map(|account| account.handle.as_str()).unwrap_or_default();
        let own = |(_, address): &&Owner| self.abilities.are_of(address, handle);
        let able = chain.is_some_and(|chain| self.abilities.has_batches(chain));
        self.batches = able && self.of.as_ref().filter(own).is_some();
    }

    /// Cache entry for the current state. A response still in flight will be ignored.
    fn known(&mut self) -> Option<Kept> {
        let (state, at) = match self.state {
            BalanceState::Loading if !self.waiting || !self.due => (BalanceState::Unavailable, self.at),
            BalanceState::Refreshing => (BalanceState::Ready, 0),
            BalanceState::Unknown | BalanceState::Loading => return None,
            state => (state, self.at),
        };
        Some(Kept { tokens: std::mem::take(&mut self.tokens), state, at })
    }

    /// Clears the cache after a transaction, which may have changed any account. Failures stay, so that their pause still holds.
    pub fn forget_kept(&mut self) {
        self.kept.retain(|kept| kept.state == BalanceState::Unavailable);
    }

    /// Whether these are the tokens of this account and chain.
    pub fn is_for(&self, chain: &ChainId, address: &str) -> bool {
        self.of.as_ref().is_some_and(|(known, other)| known == chain && other == address)
    }

    /// Requests the tokens for display, unless they are fresh. `anew` requests fresh ones too; after a failure it waits for the pause.
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
            // The capabilities are still pending.
            _ if self.waiting => {}
            Some(account) if !self.abilities.are_of(&address, &account.handle) => {
                self.abilities = Abilities::of(&address, &account.handle);
                self.ask_of_wallet(eip155::CAPABILITIES, vec![Value::Text(address)], Reason::Capabilities, cx);
            }
            Some(_) if self.due => self.ask_wallet(cx),
            None if self.due => self.ask_server(cx),
            _ => {}
        }
    }

    /// Whether to request the tokens now. With `anew` during the pause after a failure, an alarm requests them later.
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
            cx.start(Alarm::TokensRetry, free - cx.now);
        }
        false
    }

    fn ask_of_wallet(&mut self, method: &'static str, params: Vec<Value>, asked: fn(u32) -> Reason, cx: &mut Cx) {
        (self.waiting, self.wallet) = (true, true);
        self.attempts += 1;
        let request = WalletRequest { method, params: Value::List(params) };
        cx.ask(request.to(&self.abilities.handle), asked(self.attempts));
        cx.start(Alarm::AssetsEnd, PATIENCE);
    }

    /// Requests the tokens from the wallet if it lists them, else from the server (spec 7.7).
    fn ask_wallet(&mut self, cx: &mut Cx) {
        let Some((chain, address)) = self.of.clone() else { return };
        let number = Amount::from(chain.number().unwrap_or_default());
        if !self.abilities.has_assets(number) {
            return self.ask_server(cx);
        }
        let chains = Value::List(vec![Value::Text(number.to_hex())]);
        let question = vec![("account".into(), Value::Text(address)), ("chainFilter".into(), chains)];
        self.ask_of_wallet(eip155::ASSETS, vec![Value::Object(question)], Reason::Assets, cx);
    }

    fn ask_server(&mut self, cx: &mut Cx) {
        let Some((chain, address)) = &self.of else { return };
        let request = balances_of(chain, address, self.anew);
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

    /// Capabilities from the wallet; a failure means none (spec 7.6).
    pub fn able(&mut self, attempt: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if !self.awaits(attempt) {
            return;
        }
        cx.stop(Alarm::AssetsEnd);
        self.abilities.take(&answer.unwrap_or_default());
        self.judge(cx.facts);
        if self.due {
            self.ask_wallet(cx);
        }
    }

    /// Assets from the wallet; with an invalid response the server is asked.
    pub fn held(&mut self, attempt: u32, answer: Result<Value, RpcError>, cx: &mut Cx) -> Option<Price> {
        if !self.awaits(attempt) {
            return None;
        }
        cx.stop(Alarm::AssetsEnd);
        let (chain, _) = self.of.clone()?;
        match answer.ok().and_then(|answer| read_assets(&answer, &chain, cx.facts)) {
            Some(tokens) => self.take(tokens, &chain, cx.facts),
            None => {
                self.ask_server(cx);
                None
            }
        }
    }

    /// Tokens from the server. Returns the coin's price, or `Err(true)` if the request failed and the visitor should be notified.
    pub fn on_tokens(
        &mut self,
        attempt: u32,
        answer: Result<Value, RpcError>,
        cx: &mut Cx,
    ) -> Result<Option<Price>, bool> {
        if !self.awaits(attempt) {
            return Err(false);
        }
        let Some((chain, _)) = self.of.clone() else { return Err(false) };
        // The server has no tokens of this network and never will: the coin's balance stands alone.
        if answer.as_ref().is_err_and(|error| error.code == NOT_IMPLEMENTED) {
            self.state = BalanceState::Ready;
            return Err(false);
        }
        match answer.ok().and_then(|answer| cx.read(&answer)) {
            Some(Balances { balances, .. }) => {
                let tokens = balances.into_iter().filter_map(|item| read_balance(item, &chain, cx.facts));
                Ok(self.take(tokens.take(MOST_TOKENS).collect(), &chain, cx.facts))
            }
            None => {
                // The previous tokens stay visible beside the error.
                self.at = cx.now;
                self.state = BalanceState::Unavailable;
                Err(true)
            }
        }
    }

    /// Dispatches one alarm.
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        if alarm == Alarm::AssetsEnd {
            if self.waiting && self.wallet {
                // The wallet is not asked again on this connection.
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

    fn take(&mut self, told: Vec<Token>, chain: &ChainId, facts: &Facts) -> Option<Price> {
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
            // Lists may have thousands of tokens: hashes are compared before addresses.
            let mark = mark_of(token.address.as_deref().unwrap_or_default());
            if !marks.contains(&mark) || !self.tokens.iter().any(known) {
                marks.push(mark);
                let at = self.tokens.partition_point(|other| other.cents >= token.cents);
                self.tokens.insert(at, token);
            }
        }
        judge(&mut self.tokens, chain, facts);
        self.coin()?.price
    }

    /// The chain's own coin, if it was listed.
    pub fn coin(&self) -> Option<&Token> {
        self.tokens.iter().find(|token| token.address.is_none())
    }
}

/// Hash of an address that ignores case.
fn mark_of(address: &str) -> u32 {
    address.bytes().fold(0, |mark, byte| mark.wrapping_mul(31) ^ u32::from(byte.to_ascii_lowercase()))
}
