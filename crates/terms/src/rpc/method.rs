/// EVM wallet methods allowed by default (spec 9.20): 23, separated by spaces.
pub const WALLET_METHODS: &str = "eth_accounts eth_requestAccounts eth_sendRawTransaction eth_sign eth_signTransaction \
    eth_signTypedData eth_signTypedData_v3 eth_signTypedData_v4 eth_sendTransaction personal_sign \
    wallet_switchEthereumChain wallet_addEthereumChain wallet_getPermissions wallet_requestPermissions \
    wallet_registerOnboarding wallet_watchAsset wallet_scanQRCode wallet_getCallsStatus wallet_sendCalls \
    wallet_getCapabilities wallet_grantPermissions wallet_revokePermissions wallet_getAssets";

/// Wallet events that are followed (spec 9.20).
pub const EVENTS: [&str; 2] = ["accountsChanged", "chainChanged"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_9_20_there_are_23_default_methods_and_two_events() {
        let mut methods: Vec<_> = WALLET_METHODS.split(' ').collect();
        methods.sort_unstable();
        methods.dedup();
        assert_eq!(methods.len(), 23);
        assert_eq!(EVENTS, ["accountsChanged", "chainChanged"]);
    }
}
