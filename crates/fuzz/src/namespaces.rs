//! Fuzz target: any JSON as the namespaces of a proposal and of a session. Those that pass the check have an account on every required
//! chain.

use portico_json::{Read, parse};
use portico_walletconnect::namespaces::{
    ProposalNamespaces, SessionNamespaces, allows_chain, chain_of, check_proposal, check_session,
};

/// Panics if checked namespaces violate this.
pub fn take(text: &str) {
    let Ok(value) = parse(text) else { return };
    let required = ProposalNamespaces::read(value.get("required")).unwrap_or_default();
    let Ok(allowed) = SessionNamespaces::read(value.get("allowed")) else { return };
    let well_asked = check_proposal(&required).is_ok();
    if check_session(&allowed, &required).is_err() {
        return;
    }
    for (_, namespace) in allowed.iter() {
        assert!(namespace.accounts.iter().all(|account| chain_of(account).is_some()));
    }
    for chain in required.iter().flat_map(|(_, asked)| asked.chains.iter().flatten()).filter(|_| well_asked) {
        assert!(allows_chain(&allowed, chain), "{chain}");
    }
}
