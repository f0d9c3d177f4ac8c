//! Host calls that any wallet of the visitor's choice answers. The embedded wallet answers with two accounts: the EVM account connects with the
//! login, and the page tells the account on Solana a moment later.

use super::attempt::connection_value_on;
use super::{Connect, ConnectFault};
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::effect::HostError;
use portico_terms::{ChainId, Namespace};

/// Time in which the page tells the account of a login on Solana, in milliseconds: the frame has as long for an answer (spec 9.12).
const TELLING: u64 = 30_000;

/// Host call that waits for an account.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub ticket: u32,
    /// Namespace of the account, if the host named one.
    pub wanted: Option<Namespace>,
    /// Handles of the connectors of the wallet that the host named; empty if any wallet will do.
    pub wallet: Vec<String>,
    login: Login,
}

/// Account of a login that the visitor began while the call waits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Login {
    /// The visitor did not log in.
    None,
    /// The login may still bring the wanted account.
    Coming,
    /// The login has no such account.
    Without,
}

impl Waiting {
    pub fn new(ticket: u32, wanted: Option<Namespace>) -> Waiting {
        Waiting { ticket, wanted, wallet: Vec::new(), login: Login::None }
    }

    /// Host call that waits for an account of one of these connectors.
    pub fn for_wallet(ticket: u32, wallet: Vec<String>) -> Waiting {
        Waiting { wallet, ..Waiting::new(ticket, None) }
    }
}

impl Connect {
    /// Whether a host call waits for an account.
    pub fn is_awaited(&self) -> bool {
        !self.attempts.waiting.is_empty()
    }

    /// Namespace that a host call waits for an account of.
    pub fn wanted_namespace(&self) -> Option<Namespace> {
        self.attempts.waiting.iter().find_map(|waiting| waiting.wanted)
    }

    /// Rejects the calls that wait for an account of this namespace, as the host cancels them.
    pub(super) fn cancel_waiting(&mut self, namespace: Option<Namespace>, cx: &mut Cx) {
        self.refuse(&|waiting| waiting.wanted == namespace, &ConnectFault::Cancelled.into(), cx);
    }

    /// Rejects the calls that wait for an account. A modal that closed does not end those that wait for the account of a login.
    pub(super) fn refuse_waiting(&mut self, error: &HostError, closed: bool, cx: &mut Cx) {
        if closed {
            self.refuse_without_account(cx);
        }
        self.refuse(&|waiting| !closed || waiting.login == Login::None, error, cx);
        cx.reject_host(self.attempts.named.take(), error.clone());
    }

    /// The visitor logged in. Calls that wait for an account on Solana get it once the page tells it, and no call gets one on other chains.
    pub(super) fn await_login(&mut self, cx: &mut Cx) {
        for waiting in &mut self.attempts.waiting {
            waiting.login = match waiting.wanted {
                Some(Namespace::Solana) => {
                    cx.start(Alarm::LoginAccount, TELLING);
                    Login::Coming
                }
                _ => Login::Without,
            };
        }
    }

    /// The login has no account on Solana, or the page did not tell it in time. While the modal is open, the visitor may choose another wallet.
    pub(super) fn login_without_solana(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::LoginAccount);
        for waiting in self.attempts.waiting.iter_mut().filter(|waiting| waiting.login == Login::Coming) {
            waiting.login = Login::Without;
        }
        if !cx.facts.modal_open {
            self.refuse_without_account(cx);
        }
    }

    /// The login ended: its account does not come any more.
    pub(super) fn refuse_login(&mut self, cx: &mut Cx) {
        self.refuse(&|waiting| waiting.login != Login::None, &ConnectFault::Cancelled.into(), cx);
    }

    /// Resolves the host calls that waited for an account of this namespace. Returns whether there were any.
    pub(super) fn resolve_waiting(
        &mut self,
        namespace: Namespace,
        chain: &ChainId,
        reconnect: bool,
        cx: &mut Cx,
    ) -> bool {
        // A reconnected wallet is not the one that the host named for the attempt.
        let named = if reconnect { None } else { self.attempts.named.take() };
        let connection = self.connections.iter().find(|connection| connection.namespace == namespace);
        let handle = connection.map(|connection| &connection.connector.handle).filter(|_| !reconnect);
        let met = |waiting: &mut Waiting| {
            waiting.wanted.is_none_or(|wanted| wanted == namespace)
                && (waiting.wallet.is_empty() || handle.is_some_and(|handle| waiting.wallet.contains(handle)))
        };
        let met = self.attempts.waiting.extract_if(.., met).map(|waiting| waiting.ticket);
        let met: Vec<_> = met.chain(named).collect();
        for ticket in &met {
            let value = connection_value_on(self.connection(namespace), chain);
            cx.resolve_host(Some(*ticket), value);
        }
        !met.is_empty()
    }

    #[inline(never)]
    fn refuse_without_account(&mut self, cx: &mut Cx) {
        self.refuse(&|waiting| waiting.login == Login::Without, &ConnectFault::AccountNotFound.into(), cx);
    }

    #[inline(never)]
    fn refuse(&mut self, is_over: &dyn Fn(&Waiting) -> bool, error: &HostError, cx: &mut Cx) {
        for waiting in self.attempts.waiting.extract_if(.., |waiting| is_over(waiting)) {
            cx.reject_host(Some(waiting.ticket), error.clone());
        }
    }
}
