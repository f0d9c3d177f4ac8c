//! Polkadot: wallets of another device only, by the methods of its WalletConnect namespace.

pub const SESSION_METHODS: &str = "polkadot_signTransaction polkadot_signMessage";
