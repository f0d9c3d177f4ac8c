//! Reads from the chain about sender, receiver, token and costs.

use super::asset::Asset;
use super::payee::{Payee, fault_of, read, target_of};
use super::trial::Trouble;
use super::{Alarm, PATIENCE, Phase, Reason, Solana, TokenState, Trial, network, own};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::wallet::solana::{self, accounts_in, accounts_params, settings};
use portico_calldata::solana::{Key, associated};
use portico_encoding::base58;
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Solana {
    /// Asks the chain about the sender, the receiver, and what a transaction costs.
    pub(super) fn look(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (network(cx.facts).cloned(), cx.facts.account.clone()) else { return };
        let chain = &network.caip_network_id;
        self.unread = false;
        self.coin_lost = false;
        self.looks += 1;
        cx.start(Alarm::Unanswered, PATIENCE);
        let mut addresses = vec![account.address.clone()];
        if let Ok(receiver) = read(&self.receiver, &account.address) {
            addresses.push(base58::encode(&receiver));
            addresses.extend(self.target(&receiver).map(|target| base58::encode(&target)));
        }
        let asked = addresses.get(1..).unwrap_or_default().iter().cloned().map(Value::Text).collect();
        // The server of the page could make a program look like a wallet.
        cx.call_elsewhere(chain, solana::ACCOUNTS, accounts_params(addresses), Reason::Accounts(self.looks));
        cx.call(chain, solana::PRICES, vec![Value::List(asked)], Reason::Prices(chain.clone()));
        if self.rent.is_none() {
            cx.call(chain, solana::RENT, vec![Value::Number("0".into())], Reason::Rent(chain.clone()));
        }
        if self.lacks_epoch() {
            cx.call(chain, solana::EPOCH, vec![settings(&[])], Reason::Epoch(chain.clone()));
        }
    }

    /// Whether the balance of what is sent is known.
    pub(super) fn balance_state(&self) -> TokenState {
        match (&self.asset, self.coin) {
            (Some(asset), _) => asset.state,
            (None, Some(_)) => TokenState::Ready,
            (None, None) if self.coin_lost => TokenState::Unreadable,
            (None, None) => TokenState::Reading,
        }
    }

    /// The nodes have kept the visitor waiting: the wait ends with an error, and the visitor may try again.
    pub(super) fn unanswered(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Confirming {
            return self.stopped(Trouble::Untried, None, cx);
        }
        if self.trial == Trial::Asked {
            self.trial = Trial::Done(Err((Trouble::Untried, None)));
        }
        // A later answer about the accounts would belong to another round.
        self.looks += 1;
        self.coin_lost = self.coin.is_none();
        self.unread = self.payee.is_none() || self.price.is_none() || self.rent.is_none() || self.lacks_epoch();
        self.go_on(cx);
    }

    /// Whether the fee of the token depends on the current epoch, which is unknown.
    fn lacks_epoch(&self) -> bool {
        let mint = self.asset.as_ref().and_then(|asset| asset.data.as_ref());
        self.epoch.is_none() && mint.is_some_and(|mint| mint.fees.is_some())
    }

    /// Address of the receiver's token account; none while the coin is sent, or the token's program is unknown.
    pub(super) fn target(&self, receiver: &Key) -> Option<Key> {
        let asset = self.asset.as_ref()?;
        associated(receiver, asset.data.as_ref()?.program, &asset.mint)
    }

    pub(super) fn on_accounts(&mut self, answer: &Result<Value, RpcError>, facts: &Facts) {
        let receiver = facts.account.as_ref().and_then(|account| read(&self.receiver, &account.address).ok());
        let target = receiver.and_then(|receiver| self.target(&receiver));
        let count = 1 + usize::from(receiver.is_some()) + usize::from(target.is_some());
        let Some(accounts) = answer.as_ref().ok().and_then(|answer| accounts_in(answer, count)) else {
            self.unread = true;
            self.coin_lost = self.coin.is_none();
            return;
        };
        let lamports = |at: usize| accounts.get(at).and_then(Option::as_ref).map_or(0, |account| account.lamports);
        self.coin = Some(lamports(0));
        let account = |at: usize| accounts.get(at).and_then(Option::as_ref);
        if let Some(receiver) = receiver {
            let state = |mint: &Key| target_of(account(2), &receiver, mint);
            self.payee = Some(Payee {
                key: receiver,
                lamports: lamports(1),
                fault: fault_of(account(1)),
                account: target.zip(self.asset.as_ref().map(|asset| state(&asset.mint))),
            });
        }
    }

    pub(super) fn on_token(&mut self, number: u32, cx: &mut Cx, take: impl FnOnce(&mut Asset, &Key)) {
        let Some(own) = own(cx.facts) else { return };
        let Some(asset) = self.asset.as_mut().filter(|asset| asset.number == number) else { return };
        take(asset, &own);
        // The address of the receiver's token account depends on the token's program.
        if asset.state == TokenState::Ready {
            self.look(cx);
        }
    }
}
