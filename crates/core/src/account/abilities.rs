//! Capabilities of an account's wallet (EIP-5792): requested once per account and connection; a wallet that fails to answer has none (spec
//! 7.6).

use portico_json::Value;
use portico_terms::Amount;

/// Capabilities of an account's wallet.
#[derive(Debug, Default)]
pub struct Abilities {
    address: String,
    /// Handle of the connection that they were requested through.
    pub handle: String,
    told: bool,
    /// Numbers of the chains on which the wallet lists its assets (EIP-7811).
    assets: Vec<Amount>,
    /// Numbers of the chains on which the wallet executes batches atomically.
    batches: Vec<Amount>,
}

impl Abilities {
    /// Empty capabilities of an account and connection, before the request.
    pub fn of(address: &str, handle: &str) -> Abilities {
        Abilities { address: address.into(), handle: handle.into(), ..Abilities::default() }
    }

    /// Whether they were requested for this account and connection.
    pub fn are_of(&self, address: &str, handle: &str) -> bool {
        self.address == address && self.handle == handle
    }

    /// Whether the wallet responded or its time limit passed.
    pub fn are_known(&self) -> bool {
        self.told
    }

    /// Reads the wallet's response, by chain; untrusted until parsed. Only the exact words of the EIPs count.
    pub fn take(&mut self, answer: &Value) {
        self.told = true;
        for (chain, abilities) in answer.as_object().unwrap_or_default() {
            let Ok(chain) = Amount::from_hex(chain) else { continue };
            if abilities.get("assetDiscovery").get("supported").as_bool() == Some(true) {
                self.assets.push(chain);
            }
            // "ready" would first upgrade the account and ask the visitor for that. Drafts of the EIP used `atomicBatch`.
            let atomic = abilities.get("atomic").get("status").as_str() == Some("supported")
                || abilities.get("atomicBatch").get("supported").as_bool() == Some(true);
            if atomic {
                self.batches.push(chain);
            }
        }
    }

    /// The wallet did not list its assets despite its capability: it is not asked for them again.
    pub fn give_up(&mut self) {
        self.told = true;
        self.assets.clear();
    }

    /// Whether the wallet lists its assets on a chain.
    pub fn has_assets(&self, chain: Amount) -> bool {
        holds(&self.assets, chain)
    }

    /// Whether the wallet executes batches atomically on a chain.
    pub fn has_batches(&self, chain: Amount) -> bool {
        holds(&self.batches, chain)
    }
}

/// EIP-5792: capabilities under 0x0 hold for every chain.
fn holds(chains: &[Amount], chain: Amount) -> bool {
    chains.iter().any(|known| *known == chain || known.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn read_abilities(text: &str) -> Abilities {
        let mut abilities = Abilities::of("0x1", "handle");
        abilities.take(&parse(text).unwrap());
        abilities
    }

    #[test]
    fn spec_7_6_abilities_stand_under_the_hex_id_of_their_chain_or_under_zero_for_all() {
        let one =
            read_abilities(r#"{"0x1":{"assetDiscovery":{"supported":true}},"0xa":{"atomic":{"status":"supported"}}}"#);
        assert!(one.has_assets(1_u64.into()) && !one.has_assets(10_u64.into()));
        assert!(one.has_batches(10_u64.into()) && !one.has_batches(1_u64.into()));
        let all = read_abilities(r#"{"0x0":{"assetDiscovery":{"supported":true},"atomicBatch":{"supported":true}}}"#);
        assert!(all.has_assets(7_u64.into()) && all.has_batches(7_u64.into()));
    }

    #[test]
    fn spec_7_6_what_is_no_word_of_the_eips_is_no_ability() {
        for text in [
            "null",
            "[]",
            r#"{"0x1":null}"#,
            r#"{"0x1":{"assetDiscovery":true,"atomic":"supported","atomicBatch":true}}"#,
            r#"{"0x1":{"assetDiscovery":{"supported":"true"},"atomic":{"status":"ready"},"atomicBatch":{"supported":1}}}"#,
            r#"{"0x1":{"atomic":{"status":"unsupported"}},"one":{"atomic":{"status":"supported"}}}"#,
        ] {
            let abilities = read_abilities(text);
            assert!(abilities.are_known());
            assert!(!abilities.has_assets(1_u64.into()) && !abilities.has_batches(1_u64.into()), "{text}");
        }
    }
}
