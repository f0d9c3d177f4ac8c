use crate::facts::Facts;

/// Whether the UnsupportedChain screen has to open (spec 2.24): the wallet's network is not among the requested ones, switching is enabled,
/// unsupported chains are not allowed, and basic WalletConnect mode is off. Each network signs in for itself, and this one can't: a required
/// sign-in allows none.
pub fn needs_unsupported_screen(facts: &Facts) -> bool {
    let options = &facts.options;
    let signs_in = options.sign_in_required && facts.active_namespace.is_some_and(|active| options.signs_in(active));
    facts.unsupported
        && facts.is_connected()
        && options.network_switch
        && (!options.allow_unsupported_chain || signs_in)
        && !options.basic
}
