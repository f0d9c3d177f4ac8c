//! Switching the active network (spec 4.13 to 4.17).

use super::registry::NetworkFault;
use super::{Networks, Reason};
use crate::cx::Cx;
use crate::effect::HostError;
use crate::network::Alarm;
use crate::notice::AlertKey;
use crate::signal::Signal;
use crate::wallet::{self, WalletRequest, eip155};
use portico_json::{Json, Value};
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{ChainId, ConnectorKind, Namespace};

/// Progress of a switch.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwitchPhase")]
pub enum Phase {
    /// The wallet was requested to switch.
    Waiting,
    /// The wallet does not know the chain and was requested to add it.
    Adding,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet failed.
    Failed,
}

/// A switch that waits for the wallet or has failed.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Switching {
    /// Target chain.
    pub chain: ChainId,
    /// Name of the network.
    pub name: String,
    pub phase: Phase,
    /// Cause of a failure.
    pub error: Option<RpcError>,
    /// Number of the switch; responses to an older one are ignored.
    pub attempt: u32,
    /// Whether the wallet takes long to respond.
    pub slow: bool,
    /// Ticket of the host call.
    pub ticket: Option<u32>,
}

impl Switching {
    /// Whether the wallet's response is pending.
    pub fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Waiting | Phase::Adding)
    }
}

/// Time after which a wallet without a response counts as slow, in milliseconds; the modal then shows a hint.
const SLOW: u64 = 8_000;

impl Networks {
    /// Starts a switch: at once if no wallet is connected, else with a request to the wallet.
    pub fn switch(&mut self, chain: &ChainId, ticket: Option<u32>, cx: &mut Cx) {
        let Some(network) = self.find(chain).cloned() else {
            cx.signal(Signal::Warn(AlertKey::SwitchNetworkNotFound, chain.to_string()));
            cx.reject_host(ticket, self.fault(chain).into());
            cx.signal(Signal::SwitchSettled);
            return;
        };
        // Another namespace would leave the account connected without its sign-in (spec 6.3).
        if cx.facts.sign_in_due && self.active != Some(chain.namespace()) {
            cx.reject_host(ticket, NetworkFault::SwitchCancelled.into());
            cx.signal(Signal::SwitchSettled);
            return;
        }
        let account = cx.facts.accounts.iter().find(|account| account.namespace == chain.namespace());
        let there = self.active_of(chain.namespace()) == Some(chain)
            && self.chains.get(&chain.namespace()).is_none_or(|chain| chain.unsupported.is_none());
        match account {
            Some(account)
                if !there
                    && wallet::switch(chain).is_some()
                    && (account.kind != ConnectorKind::WalletConnect || chain.namespace() == Namespace::Eip155) =>
            {
                self.asked = account.handle.clone();
                self.supersede(cx);
                self.attempts += 1;
                self.switching = Some(Switching {
                    chain: chain.clone(),
                    name: network.name.clone(),
                    phase: Phase::Waiting,
                    error: None,
                    slow: false,
                    attempt: self.attempts,
                    ticket,
                });
                cx.start(Alarm::Slow, SLOW);
                cx.signal(Signal::SwitchStarted);
                self.ask_switch(cx);
            }
            // A session may refuse or misroute a chain that it does not approve, and outside EVM no method requests more chains.
            Some(account)
                if account.kind == ConnectorKind::WalletConnect
                    && chain.namespace() != Namespace::Eip155
                    && !self.chains.get(&chain.namespace()).is_some_and(|state| state.approved.contains(chain)) =>
            {
                let refused = HostError { code: Some(4902), ..NetworkFault::UnsupportedChain.into() };
                cx.reject_host(ticket, refused);
                cx.signal(Signal::SwitchSettled);
            }
            // A visitor who is connected elsewhere needs an account there first: nothing is switched until a wallet connects.
            None if ticket.is_none() && cx.facts.is_connected() => {
                self.supersede(cx);
                self.note(chain);
                // The wallets open over the list, which would close the modal if it were its only view.
                cx.signal(Signal::AccountMissing(chain.namespace()));
                cx.signal(Signal::SwitchSettled);
            }
            // Another namespace with a connected wallet of its own, or no wallet at all: no wallet request is needed.
            _ => {
                self.supersede(cx);
                self.follow(chain, true, cx);
                cx.signal(Signal::SwitchSettled);
                cx.resolve_host(ticket, Value::Null);
            }
        }
    }

    fn fault(&self, chain: &ChainId) -> NetworkFault {
        match self.chains.get(&chain.namespace()) {
            None => NetworkFault::UnsupportedChain,
            Some(state) if !state.adapter => NetworkFault::AdapterNotFound,
            Some(_) => NetworkFault::NetworkNotFound,
        }
    }

    /// Rejects the previous switch in favour of a newer one.
    fn supersede(&mut self, cx: &mut Cx) {
        if let Some(old) = self.switching.take() {
            cx.reject_host(old.ticket, NetworkFault::Superseded.into());
        }
    }

    fn ask_switch(&self, cx: &mut Cx) {
        if let Some(switching) = &self.switching
            && let Some(request) = wallet::switch(&switching.chain)
        {
            self.ask_wallet(request, Reason::Switch(switching.attempt), cx);
        }
    }

    fn ask_wallet(&self, request: WalletRequest, reason: Reason, cx: &mut Cx) {
        cx.ask(request.to(&self.asked), reason);
    }

    /// Whether the requested wallet is still connected; another one may have replaced it (spec 8.13).
    fn wallet_is_there(&self, cx: &Cx) -> bool {
        cx.facts.accounts.iter().any(|account| account.handle == self.asked)
    }

    /// Sends the request to the wallet again.
    pub fn retry(&mut self, cx: &mut Cx) {
        let Some(switching) = &self.switching else { return };
        if !switching.is_waiting() {
            let (chain, ticket) = (switching.chain.clone(), switching.ticket);
            self.switching = None;
            self.switch(&chain, ticket, cx);
        }
    }

    /// Marks the switch as slow.
    pub fn slow(&mut self) {
        if let Some(switching) = self.switching.as_mut().filter(|switching| switching.is_waiting()) {
            switching.slow = true;
            self.revision += 1;
        }
    }

    /// The visitor left the waiting screen.
    pub fn give_up(&mut self, cx: &mut Cx) {
        if let Some(switching) = self.switching.take() {
            self.revision += 1;
            cx.reject_host(switching.ticket, NetworkFault::SwitchCancelled.into());
        }
    }

    /// The wallet is on a chain, by this switch or on its own.
    pub fn arrived(&mut self, chain: &ChainId, cx: &mut Cx) {
        let asked = self.switching.as_ref().is_some_and(|switching| switching.chain == *chain);
        if asked && let Some(switching) = self.switching.take() {
            cx.resolve_host(switching.ticket, Value::Null);
        }
        self.follow(chain, asked, cx);
        if asked {
            cx.signal(Signal::SwitchSettled);
        }
    }

    /// Stores the chain of a wallet of an inactive namespace; the active namespace stays.
    pub fn note(&mut self, stands: &ChainId) {
        self.revision += 1;
        let chain = self.chain_mut(stands.namespace());
        let served = chain.find(stands).is_some();
        chain.unsupported = (!served).then(|| stands.clone());
        if served {
            chain.active = Some(stands.clone());
        }
    }

    /// Response to `wallet_switchEthereumChain`.
    pub fn switch_answered(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let there = self.wallet_is_there(cx);
        let Some(switching) = self.switching.as_mut().filter(|switching| switching.attempt == id) else { return };
        match answer {
            // Some wallets respond before or without switching. The chain is checked, or a transaction could go to the wrong one.
            Ok(answer) if there => match wallet::chain(switching.chain.namespace()) {
                Some(request) => self.ask_wallet(request, Reason::Stands(id), cx),
                // A wallet that cannot be asked for its chain answers with it.
                None => self.stands(id, Ok(answer), cx),
            },
            Ok(_) => self.switch_failed(no_wallet(), cx),
            // The wallet does not know the chain: request to add it (EIP-3085), then switch again.
            Err(error)
                if error.kind == RpcErrorKind::UnrecognizedChain
                    && switching.phase == Phase::Waiting
                    && switching.chain.namespace() == Namespace::Eip155 =>
            {
                switching.phase = Phase::Adding;
                let chain = switching.chain.clone();
                match self.find(&chain).filter(|_| there) {
                    Some(network) => self.ask_wallet(eip155::add(network), Reason::Add(id), cx),
                    None => self.switch_failed(error, cx),
                }
            }
            Err(error) => self.switch_failed(error, cx),
        }
    }

    /// Response to `wallet_addEthereumChain`. The wallet may not have switched, so that is requested too.
    pub fn add_answered(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if self.switching.as_ref().is_none_or(|switching| switching.attempt != id) {
            return;
        }
        match answer {
            Ok(_) if self.wallet_is_there(cx) => self.ask_switch(cx),
            Ok(_) => self.switch_failed(no_wallet(), cx),
            Err(error) => self.switch_failed(error, cx),
        }
    }

    /// Response with the wallet's chain after the switch.
    pub fn stands(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(switching) = self.switching.as_ref().filter(|switching| switching.attempt == id) else { return };
        let wanted = switching.chain.clone();
        match answer.map(|value| wallet::read_chain(wanted.namespace(), &value)) {
            Ok(Some(chain)) if chain == wanted => self.arrived(&wanted, cx),
            Ok(_) => {
                self.switch_failed(RpcError::new(4901, "The wallet is still on another network. Switch it there."), cx)
            }
            Err(error) => self.switch_failed(error, cx),
        }
    }

    fn switch_failed(&mut self, error: RpcError, cx: &mut Cx) {
        if let Some(switching) = &mut self.switching {
            switching.phase = if error.kind == RpcErrorKind::UserRejected { Phase::Refused } else { Phase::Failed };
            cx.reject_host(switching.ticket.take(), HostError::from(&error));
            switching.error = Some(error);
        }
    }
}

fn no_wallet() -> RpcError {
    RpcError::new(4900, &NetworkFault::NetworkClientNotSet.to_string())
}
