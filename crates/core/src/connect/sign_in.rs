//! Connections and the sign-in with the wallet: no account stays connected without the sign-in that is required of it.

use super::{Connect, ConnectFault};
use crate::cx::Cx;
use crate::facts::Facts;
use portico_terms::Namespace;

impl Connect {
    /// Rejects the host's call to connect a named wallet, if that could leave the active account connected without its required sign-in
    /// (spec 6.3): the wallet is, or may be, of another namespace. Returns whether it did.
    pub(super) fn signs_in_first(&self, id: &str, namespace: Option<&str>, ticket: u32, cx: &mut Cx) -> bool {
        let named = namespace.and_then(Namespace::from_word);
        let own = self.connector(id).map(|connector| connector.chain);
        let elsewhere = [named, own].into_iter().flatten().any(|wanted| is_due_elsewhere(wanted, cx.facts));
        // A remote wallet may approve any namespace.
        let first = elsewhere || cx.facts.sign_in_due && named.is_none() && own.is_none();
        if first {
            cx.reject_host(Some(ticket), ConnectFault::SignInRequired.into());
        }
        first
    }

    /// An account connected that the visitor began to connect before the sign-in of the active one was due. The visitor goes on with the new one,
    /// and the other is disconnected without its required sign-in (spec 4.28, 6.3). Accounts of the same login or session stay connected
    /// together.
    pub fn leave_unsigned(&mut self, connected: Namespace, cx: &mut Cx) {
        if is_due_elsewhere(connected, cx.facts) && !self.together(cx.facts.active_namespace).contains(&connected) {
            self.sign_in_refused(cx);
        }
    }
}

/// Whether the active account has to sign in first, and is of another namespace.
fn is_due_elsewhere(namespace: Namespace, facts: &Facts) -> bool {
    facts.sign_in_due && facts.active_namespace != Some(namespace)
}
