//! Options with which hosts start the widget.

use crate::wallet::{BITCOIN, SOLANA};

/// JSON of a network as a host passes it.
pub fn network(id: u64, name: &str) -> String {
    format!(
        r#"{{"id":{id},"name":"{name}","nativeCurrency":{{"name":"Ether","symbol":"ETH","decimals":18}},"rpcUrls":{{"default":{{"http":["https://rpc-{id}.example"]}}}},"blockExplorers":{{"default":{{"name":"Scan","url":"https://scan-{id}.example"}}}},"testnet":true}}"#
    )
}

/// Options of an ordinary host with two networks.
pub fn options() -> String {
    format!(
        r#"{{"projectId":"test","adapters":[{{"namespace":"eip155"}}],"networks":[{},{}]}}"#,
        network(31337, "Anvil One"),
        network(31338, "Anvil Two")
    )
}

/// Options of a host with adapters and networks for EVM chains, Solana and Bitcoin.
pub fn every_namespace() -> String {
    let other = |chain: &str, name: &str, symbol: &str, decimals: u8| {
        let (namespace, id) = chain.split_once(':').unwrap_or_default();
        format!(
            r#"{{"id":"{id}","chainNamespace":"{namespace}","name":"{name}","nativeCurrency":{{"name":"{name}","symbol":"{symbol}","decimals":{decimals}}},"rpcUrls":{{"default":{{"http":["https://{namespace}.example"]}}}}}}"#
        )
    };
    let others = [other(SOLANA, "Solana", "SOL", 9), other(BITCOIN, "Bitcoin", "BTC", 8)].join(",");
    let adapters = r#"{"namespace":"eip155"},{"namespace":"solana"},{"namespace":"bip122"}"#;
    options().replace(r#"{"namespace":"eip155"}"#, adapters).replace("}]}", &format!("}},{others}]}}"))
}

/// Adds a relay to the options, so that remote wallets can connect.
pub fn with_relay(options: &str) -> String {
    options.replacen('{', r#"{"relays":[{"relayUrl":"wss://relay.example"}],"#, 1)
}

/// Adds the frame of an embedded wallet to the options.
pub fn with_login(options: &str) -> String {
    options.replacen('{', r#"{"embeddedWallet":{"url":"https://wallet.example"},"#, 1)
}
