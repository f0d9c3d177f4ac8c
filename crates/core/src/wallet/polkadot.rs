//! Polkadot: remote wallets by the methods of its WalletConnect namespace. Extensions of the page are asked by the page's adapter, with the requests of
//! Bitcoin: accounts on a network, whose addresses are spelt in another way on each, another network, and the end of the connection.

pub const ACCOUNTS: &str = "getAccounts";

pub const SESSION_METHODS: &str = "polkadot_signTransaction polkadot_signMessage";
