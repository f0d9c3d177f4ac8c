use crate::facts::Facts;

/// Whether the UnsupportedChain screen has to open (spec 2.24): the wallet's network is not among the requested ones, switching is enabled,
/// unsupported chains are not allowed, and basic WalletConnect mode is off.
pub fn needs_unsupported_screen(facts: &Facts) -> bool {
    let options = &facts.options;
    facts.unsupported
        && facts.is_connected()
        && options.network_switch
        && !options.allow_unsupported_chain
        && !options.basic
}
